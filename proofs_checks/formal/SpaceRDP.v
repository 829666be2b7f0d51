(** Renyi differential privacy of the sampled Gaussian mechanism in d dimensions:
    Theorem 4 corrected and shown to be sharp, Theorem 11 for the mechanism, the
    zCDP bound for every q and the closed form for q >= 1/2. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB AGeqB MainTheorem Divergence ZeroConcentrated
  SampledMechanism SpaceIntegral SpaceBranch SpaceReduction.
Open Scope R_scope.

(** (alpha, eps)-RDP on R^d: on adjacent data sets, in both orders, the moment
    exists and the divergence ln(moment)/(alpha-1) is at most eps. *)
Definition is_RDP_space {U : Type} (d : nat) (M : list U -> point -> R) (alpha eps : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
    exists l, int_space d (space_moment alpha (M S) (M S')) l /\ ln l / (alpha - 1) <= eps.

(** * A function of the first coordinate *)

Lemma prod_to_first (n : nat) (a : nat -> R) : prod_to (S n) a = a 0%nat * prod_to n (fun i => a (S i)).
Proof.
  induction n as [|n IH]; [simpl; ring|].
  change (prod_to (S (S n)) a) with (prod_to (S n) a * a (S n)). rewrite IH. simpl. ring.
Qed.

Lemma first_coordinate_integral (sigma : R) (G : R -> R) (l : R) (n : nat) : 0 < sigma -> int_line G l ->
  int_space (S n) (fun x => G (x 0%nat) * prod_to n (fun i => mu0 sigma (x (S i)))) l.
Proof.
  intros Hs HG. induction n as [|n IH].
  - exists (fun _ => l). split; [|reflexivity]. intros v. apply (int_line_ext G); [|exact HG].
    intros t. rewrite update_same. simpl. ring.
  - exists (fun v => G (v 0%nat) * prod_to n (fun i => mu0 sigma (v (S i)))). split; [|exact IH].
    intros v. assert (I := int_line_scal _ (G (v 0%nat) * prod_to n (fun i => mu0 sigma (v (S i)))) _
      (mu0_normalised sigma Hs)). rewrite Rmult_1_r in I.
    apply (int_line_ext _ _ _) with (2 := I). intros t. cbn [prod_to].
    rewrite update_same, (update_below v (S n) 0%nat t) by apply Nat.lt_0_succ.
    rewrite (prod_to_ext n (fun i => mu0 sigma (update v (S n) t (S i))) (fun i => mu0 sigma (v (S i)))); [ring|].
    intros i Hi. rewrite update_below; [reflexivity|]. apply (proj1 (Nat.succ_lt_mono i n)), Hi.
Qed.

Section Privacy.
Context {U : Type}.
Variables (q sigma alpha : R).
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Ha : 1 < alpha.

(** Theorem 4 corrected, as RDP on R^d: every eps from D_alpha(mu || mu0) upwards will do. *)
Theorem space_rdp_of_one_dimensional (d : nat) (f : list U -> point) (eps : R) : sensitivity_1_space d f ->
  renyi alpha (mu q sigma) (mu0 sigma) <= eps ->
  is_RDP_space d (sampled_gaussian_space q sigma d f) alpha eps.
Proof.
  intros Hf He. assert (O := renyi_order q sigma alpha Hq Hs Ha).
  rewrite renyi_mu_mu0 in He, O. rewrite renyi_mu0_mu in O.
  intros S S' [HS|HS];
    destruct (space_reduction_moments q sigma alpha d Hq Hs ltac:(lra) f _ _ Hf HS) as [[l1 [I1 B1]] [l2 [I2 B2]]].
  - exists l2. split; [exact I2|].
    assert (K := divergence_le alpha l2 (B q sigma alpha) Ha ltac:(lra) (proj2 B2)). lra.
  - exists l1. split; [exact I1|].
    assert (K := divergence_le alpha l1 (A q sigma alpha) Ha ltac:(lra) (proj2 B1)). lra.
Qed.

(** * The bound is attained in every dimension *)

(** The first coordinate tells whether some record was sampled; the others are 0. *)
Definition sampled_any_space (T : list U) : point :=
  fun i => match i, T with O, _ :: _ => 1 | _, _ => 0 end.

Lemma sum_to_zero (n : nat) (a : nat -> R) : (forall i, a i = 0) -> sum_to n a = 0.
Proof. intros H. induction n as [|n IH]; simpl; [reflexivity|]. rewrite IH, H. ring. Qed.

Lemma sum_to_first (n : nat) (a : nat -> R) : sum_to (S n) a = a 0%nat + sum_to n (fun i => a (S i)).
Proof.
  induction n as [|n IH]; [simpl; ring|].
  change (sum_to (S (S n)) a) with (sum_to (S n) a + a (S n)). rewrite IH. simpl. ring.
Qed.

Lemma sampled_any_space_sensitivity (n : nat) : sensitivity_1_space (S n) sampled_any_space.
Proof.
  intros T T' _. unfold distance_sq. rewrite sum_to_first, sum_to_zero.
  - destruct T; destruct T'; simpl; lra.
  - intros i. simpl. ring.
Qed.

Lemma sampled_any_space_outputs (n : nat) (x : U) (z : point) :
  let rest := prod_to n (fun i => mu0 sigma (z (S i))) in
  sampled_gaussian_space q sigma (S n) sampled_any_space nil z = mu0 sigma (z 0%nat) * rest /\
  sampled_gaussian_space q sigma (S n) sampled_any_space (x :: nil) z = mu q sigma (z 0%nat) * rest.
Proof.
  intros rest.
  assert (N : forall T : list U, normal_space sigma (S n) (sampled_any_space T) z
              = mu0 sigma (z 0%nat - sampled_any_space T 0%nat) * rest).
  { intros T. unfold normal_space. rewrite prod_to_first. f_equal. unfold rest.
    apply prod_to_ext. intros i _. f_equal. simpl. ring. }
  unfold sampled_gaussian_space, mechanism, sum_over, keep_probability. cbn [sublists map app fold_right length].
  rewrite !N. unfold mu. rewrite mu1_shift. simpl. rewrite Rminus_0_r. split; ring.
Qed.

Lemma sampled_any_moment (order : R) (n : nat) (x : U) (l : R) :
  int_space (S n) (space_moment order (sampled_gaussian_space q sigma (S n) sampled_any_space (x :: nil))
                                      (sampled_gaussian_space q sigma (S n) sampled_any_space nil)) l ->
  l = A q sigma order.
Proof.
  intros Il. apply (int_space_unique (S n) _ _ _ Il).
  apply (int_space_ext (S n) _ _ _) with
    (2 := first_coordinate_integral sigma (A_integrand q sigma order) _ n Hs (A_is_integral q sigma Hq Hs order)).
  intros z. destruct (sampled_any_space_outputs n x z) as [E0 E1]. unfold space_moment. rewrite E0, E1.
  set (rest := prod_to n (fun i => mu0 sigma (z (S i)))).
  assert (r0 : 0 < rest) by (apply prod_to_pos; intros i; apply mu0_pos, Hs).
  assert (m0 := mu0_pos sigma (z 0%nat) Hs). unfold A_integrand.
  replace (mu q sigma (z 0%nat) * rest / (mu0 sigma (z 0%nat) * rest))
    with (mu q sigma (z 0%nat) / mu0 sigma (z 0%nat)) by (field; lra).
  ring.
Qed.

(** Claims N3 and N4 corrected: in every dimension the guarantee for all f holds for exactly the eps
    from the one-dimensional divergence upwards. *)
Theorem space_rdp_exactly (n : nat) (x : U) (eps : R) :
  (forall f : list U -> point, sensitivity_1_space (S n) f ->
     is_RDP_space (S n) (sampled_gaussian_space q sigma (S n) f) alpha eps) <->
  renyi alpha (mu q sigma) (mu0 sigma) <= eps.
Proof.
  split; [|intros He f Hf; exact (space_rdp_of_one_dimensional (S n) f eps Hf He)].
  intros H. destruct (H sampled_any_space (sampled_any_space_sensitivity n) (x :: nil) nil) as [l [Il Bl]].
  { right. exists nil, nil, x. split; reflexivity. }
  rewrite renyi_mu_mu0, <- (sampled_any_moment alpha n x l Il). exact Bl.
Qed.

(** Claim X15 for the mechanism: below rho = 1/(2 sigma^2) the zCDP guarantee fails at some order. *)
Theorem space_zcdp_constant_optimal (n : nat) (x : U) (rho : R) : 0 < q -> rho < 1 / (2 * sigma ^ 2) ->
  exists order, 1 < order /\ exists f : list U -> point, sensitivity_1_space (S n) f /\
    ~ is_RDP_space (S n) (sampled_gaussian_space q sigma (S n) f) order (rho * order).
Proof.
  intros Hq0 Hrho. destruct (zcdp_constant_optimal q sigma rho ltac:(lra) Hs Hrho) as [order [H1 H2]].
  exists order. split; [exact H1|]. exists sampled_any_space.
  split; [apply sampled_any_space_sensitivity|]. intros RDP.
  destruct (RDP (x :: nil) nil) as [l [Il Bl]].
  { right. exists nil, nil, x. split; reflexivity. }
  rewrite (sampled_any_moment order n x l Il) in Bl. rewrite renyi_mu_mu0 in H2. lra.
Qed.

(** * Consequences *)

(** The mechanism is zCDP with rho = 1/(2 sigma^2), for every q and d. *)
Theorem space_mechanism_zcdp (d : nat) (f : list U -> point) : sensitivity_1_space d f ->
  is_RDP_space d (sampled_gaussian_space q sigma d f) alpha (1 / (2 * sigma ^ 2) * alpha).
Proof.
  intros Hf. apply space_rdp_of_one_dimensional; [exact Hf|]. exact (proj1 (zcdp q sigma alpha Hq Hs Ha)).
Qed.

(** For q >= 1/2 the closed-form bound needs no further condition. *)
Theorem space_mechanism_rdp_large_q (d : nat) (f : list U -> point) : 1 / 2 <= q -> sensitivity_1_space d f ->
  is_RDP_space d (sampled_gaussian_space q sigma d f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof.
  intros Hlarge Hf. apply space_rdp_of_one_dimensional; [exact Hf|].
  exact (proj1 (closed_form_large_q q sigma alpha ltac:(lra) Hs Ha)).
Qed.
End Privacy.

(** Theorem 11 for the mechanism, in every dimension. *)
Theorem space_mechanism_rdp {U : Type} (q sigma alpha : R) (d : nat) (f : list U -> point) :
  theorem_11_conditions q sigma alpha -> sensitivity_1_space d f ->
  is_RDP_space d (sampled_gaussian_space q sigma d f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof.
  intros C Hf. assert (M := proj1 (main_theorem q sigma alpha C)).
  destruct C as [Hq [Hs [Ha _]]].
  apply space_rdp_of_one_dimensional; [lra|lra|exact Ha|exact Hf|lra].
Qed.
