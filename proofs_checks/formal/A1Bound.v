(** Lemma 9: A1, the part of A_alpha to the left of z0, is at most
    1 + q^2 alpha (alpha-1) (exp(1/sigma^2) - 1).

    Doubling: 2 A1 is the integral of the A integrand over (-oo, z0] plus that of
    its reflection over [1-z0, oo).  On [1-z0, z0] both are present and Lemma 8
    bounds their sum; outside only one is present and it is at most mu0
    (respectively mu1).  All three pieces lie below the same function, whose
    integral over the line is known. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian SymmetricLemma AB AGeqB SplitPoint.
Open Scope R_scope.

(** The difference bounded below by the non-negativity identity. *)
Definition excess (sigma z : R) : R :=
  mu0 sigma z ^ 2 / mu1 sigma z + mu1 sigma z ^ 2 / mu0 sigma z - (mu0 sigma z + mu1 sigma z).

Definition A1_majorant (q sigma alpha z : R) : R :=
  mu0 sigma z + mu1 sigma z + q ^ 2 * alpha * (alpha - 1) * excess sigma z.

Lemma excess_nonneg (sigma z : R) : 0 < sigma -> 0 <= excess sigma z.
Proof. intros Hs. apply nonnegativity; [apply mu0_pos, Hs|apply mu1_pos, Hs]. Qed.

Lemma int_excess (sigma : R) : 0 < sigma -> int_line (excess sigma) (2 * (exp (1 / sigma ^ 2) - 1)).
Proof.
  intros Hs.
  assert (H := int_line_minus _ _ _ _
    (int_line_plus _ _ _ _ (int_mu0_sq_over_mu1 sigma Hs) (int_mu1_sq_over_mu0 sigma Hs))
    (int_line_plus _ _ _ _ (mu0_normalised sigma Hs) (mu1_normalised sigma Hs))).
  replace (exp (1 / sigma ^ 2) + exp (1 / sigma ^ 2) - (1 + 1))
    with (2 * (exp (1 / sigma ^ 2) - 1)) in H by ring.
  exact H.
Qed.

Lemma excess_continuous (sigma : R) : 0 < sigma -> forall z, continuous (excess sigma) z.
Proof.
  intros Hs z.
  apply (continuous_ext (fun z => exp (1 / sigma ^ 2) * mu0 sigma (z - - (1))
     + exp (1 / sigma ^ 2) * mu0 sigma (z - 2) - (mu0 sigma z + mu1 sigma z))).
  - intros x. unfold excess.
    rewrite mu0_sq_over_mu1_shift, mu1_sq_over_mu0_shift by exact Hs. reflexivity.
  - apply (continuous_minus (V := R_NormedModule)); apply (continuous_plus (V := R_NormedModule)).
    + apply (continuous_scal_r (V := R_NormedModule) (exp (1 / sigma ^ 2))), mu0_shift_continuous.
    + apply (continuous_scal_r (V := R_NormedModule) (exp (1 / sigma ^ 2))), mu0_shift_continuous.
    + apply mu0_continuous.
    + apply mu1_continuous.
Qed.

Section Fixed_parameters.
Variables q sigma alpha : R.
Hypothesis Hq : 0 < q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Ha : 1 < alpha.
Let Hq' : 0 <= q <= 1. Proof. lra. Qed.
Let f := A_integrand q sigma alpha.
Let G := A1_majorant q sigma alpha.
Let z := z0 q sigma alpha.

Lemma coefficient_nonneg : 0 <= q ^ 2 * alpha * (alpha - 1).
Proof. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [apply pow2_ge_0|lra]. Qed.

Lemma majorant_ge (x : R) : mu0 sigma x <= G x /\ mu1 sigma x <= G x /\ 0 <= G x.
Proof.
  unfold G, A1_majorant.
  assert (P0 := mu0_pos sigma x Hs). assert (P1 := mu1_pos sigma x Hs).
  assert (nonneg1 : 0 <= q ^ 2 * alpha * (alpha - 1) * excess sigma x)
    by (apply Rmult_le_pos; [apply coefficient_nonneg|apply excess_nonneg, Hs]).
  lra.
Qed.

Lemma majorant_continuous : forall x, continuous G x.
Proof.
  intros x. apply (continuous_plus (V := R_NormedModule)).
  - apply (continuous_plus (V := R_NormedModule)); [apply mu0_continuous|apply mu1_continuous].
  - apply (continuous_scal_r (V := R_NormedModule) (q ^ 2 * alpha * (alpha - 1))).
    apply excess_continuous, Hs.
Qed.

Lemma int_majorant : int_line G (2 * (1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1))).
Proof.
  assert (H := int_line_plus _ _ _ _
    (int_line_plus _ _ _ _ (mu0_normalised sigma Hs) (mu1_normalised sigma Hs))
    (int_line_scal _ (q ^ 2 * alpha * (alpha - 1)) _ (int_excess sigma Hs))).
  replace (1 + 1 + q ^ 2 * alpha * (alpha - 1) * (2 * (exp (1 / sigma ^ 2) - 1)))
    with (2 * (1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1))) in H by ring.
  exact H.
Qed.

(** Lemma 8 on the middle interval. *)
Lemma majorant_middle (x : R) : 1 - z <= x <= z -> f x + f (1 - x) <= G x.
Proof.
  intros [H1 H2].
  assert (R1 := ratio_le_r0 q sigma alpha ltac:(lra) Hs Ha x H2).
  assert (R2 := inv_ratio_le_r0 q sigma alpha ltac:(lra) Hs Ha x H1).
  assert (E := r0_defining q alpha ltac:(lra) Ha).
  assert (C := q_alpha_pos q alpha ltac:(lra) Ha).
  assert (P0 := mu0_pos sigma x Hs). assert (P1 := mu1_pos sigma x Hs).
  assert (K := symmetric_lemma_general alpha q (mu0 sigma x) (mu1 sigma x) ltac:(lra) Hq' P0 P1
     ltac:(rewrite mu0_over_mu1 by exact Hs; nra) ltac:(rewrite mu1_over_mu0 by exact Hs; nra)).
  unfold f. rewrite A_doubled_integrand.
  replace (((1 - q) * mu0 sigma x + q * mu1 sigma x) / mu0 sigma x)
    with (1 + q * ((mu1 sigma x - mu0 sigma x) / mu0 sigma x)) by (field; lra).
  replace (((1 - q) * mu1 sigma x + q * mu0 sigma x) / mu1 sigma x)
    with (1 + q * ((mu0 sigma x - mu1 sigma x) / mu1 sigma x)) by (field; lra).
  exact K.
Qed.

Lemma majorant_left (x : R) : x <= 1 - z -> f x <= G x.
Proof.
  intros H. apply Rle_trans with (mu0 sigma x); [|apply majorant_ge].
  apply A_integrand_le_mu0; [exact Hq'|exact Hs|lra|].
  left. apply (ratio_lt_1_left q sigma alpha ltac:(lra) Hs Ha x H).
Qed.

Lemma majorant_right (x : R) : z <= x -> f (1 - x) <= G x.
Proof.
  intros H. apply Rle_trans with (mu1 sigma x); [|apply majorant_ge].
  rewrite <- mu0_reflect. apply A_integrand_le_mu0; [exact Hq'|exact Hs|lra|].
  left. apply (ratio_lt_1_left q sigma alpha ltac:(lra) Hs Ha (1 - x)). unfold z in H. lra.
Qed.

Lemma A1_exists : exists A1, int_left f z A1.
Proof.
  destruct (int_left_exists f z _ (A_integrand_continuous q sigma Hq' Hs alpha)
    (fun x => Rlt_le _ _ (A_integrand_pos q sigma Hs alpha x))
    (A_is_integral q sigma Hq' Hs alpha)) as [A1 [H _]].
  exists A1. exact H.
Qed.

(** Lemma 9 (bound on A1). *)
Theorem A1_bound (A1 : R) : int_left f z A1 ->
  A1 <= 1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1).
Proof.
  intros HA1.
  assert (Cf : forall x, continuous f x) by exact (A_integrand_continuous q sigma Hq' Hs alpha).
  assert (Pf : forall x, 0 <= f x) by (intros x; left; apply (A_integrand_pos q sigma Hs)).
  assert (Zh := z0_gt_half q sigma alpha ltac:(lra) Hs Ha). fold z in Zh.
  set (g := fun x => f (1 - x)).
  assert (Cg : forall x, continuous g x) by exact (continuous_reflect f 1 Cf).
  (* the pieces of A1 *)
  destruct (int_left_exists f (1 - z) _ Cf Pf (A_is_integral q sigma Hq' Hs alpha)) as [Left [HLeft _]].
  assert (E1 : A1 = Left + RInt f (1 - z) z).
  { apply (int_left_unique f z); [exact HA1|]. apply (int_left_extend f (1 - z)); [exact HLeft|].
    apply (RInt_correct f), ex_RInt_everywhere_continuous, Cf. }
  (* the pieces of the reflected copy *)
  assert (HRight : int_right g z Left) by (apply int_right_of_left; exact HLeft).
  assert (E2 : RInt g (1 - z) z = RInt f (1 - z) z).
  { apply (is_RInt_unique g). apply is_RInt_reflect. replace (1 - (1 - z)) with z by ring.
    apply (RInt_correct f), ex_RInt_everywhere_continuous, Cf. }
  (* the pieces of the majorant *)
  destruct (int_line_split G z _ majorant_continuous (fun x => proj2 (proj2 (majorant_ge x))) int_majorant)
    as [GL [GR [HGL [HGR EG]]]].
  destruct (int_left_exists G (1 - z) _ majorant_continuous
    (fun x => proj2 (proj2 (majorant_ge x))) int_majorant) as [GLeft [HGLeft _]].
  assert (E3 : GL = GLeft + RInt G (1 - z) z).
  { apply (int_left_unique G z); [exact HGL|]. apply (int_left_extend G (1 - z)); [exact HGLeft|].
    apply (RInt_correct G), ex_RInt_everywhere_continuous, majorant_continuous. }
  assert (B1 : Left <= GLeft) by exact (int_left_le _ _ _ _ _ majorant_left HLeft HGLeft).
  assert (B3 : Left <= GR) by exact (int_right_le _ _ _ _ _ majorant_right HRight HGR).
  assert (B2 : RInt f (1 - z) z + RInt g (1 - z) z <= RInt G (1 - z) z).
  { change (plus (RInt f (1 - z) z) (RInt g (1 - z) z) <= RInt G (1 - z) z).
    rewrite <- (RInt_plus f g) by (apply ex_RInt_everywhere_continuous; assumption).
    apply RInt_le; [lra| |apply ex_RInt_everywhere_continuous, majorant_continuous|].
    - apply (ex_RInt_plus (V := R_NormedModule)); apply ex_RInt_everywhere_continuous; assumption.
    - intros x Hx. apply majorant_middle. lra. }
  lra.
Qed.
End Fixed_parameters.

(** Lemma 9 where z0 is not defined (alpha = 1 or q = 0): A_alpha itself is 1,
    so A1 <= 1 wherever the line is cut. *)
Theorem A1_bound_degenerate (q sigma alpha z A1 : R) : 0 <= q <= 1 -> 0 < sigma ->
  alpha = 1 \/ q = 0 -> int_left (A_integrand q sigma alpha) z A1 ->
  A q sigma alpha = 1 /\ A1 <= 1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1).
Proof.
  intros Hq Hs C H.
  assert (E : A q sigma alpha = 1).
  { destruct C as [C|C]; [apply A_order_1|apply A_rate_0]; assumption. }
  split; [exact E|].
  assert (E0 : q ^ 2 * alpha * (alpha - 1) = 0) by (destruct C as [C|C]; rewrite C; ring).
  rewrite E0, Rmult_0_l, Rplus_0_r, <- E.
  destruct (int_left_exists (A_integrand q sigma alpha) z _ (A_integrand_continuous q sigma Hq Hs alpha)
    (fun x => Rlt_le _ _ (A_integrand_pos q sigma Hs alpha x))
    (A_is_integral q sigma Hq Hs alpha)) as [l [Hl B]].
  rewrite (int_left_unique _ _ _ _ H Hl). exact B.
Qed.
