(** From a bound on the divergence of the paper to a verdict on the mechanism. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements StatementsBeyond.

From SGM Require Integral Gaussian AB AGeqB.
Open Scope R_scope.

Section Verdicts.
Variables q sigma alpha x : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Ha : 1 < alpha.

(** Not (alpha, x)-RDP: in every dimension some f of sensitivity 1 breaks it. *)
Lemma not_rdp : x < renyi alpha (mu q sigma) (mu0 sigma) ->
  forall (U : Type) (u : U) (n : nat), exists f : list U -> point,
    sensitivity_1_space (S n) f /\
    ~ is_RDP_space (S n) (sampled_gaussian_space q sigma (S n) f) alpha x.
Proof.
  intros H U u n. apply Classical_Prop.NNPP. intros N.
  assert (X : renyi alpha (mu q sigma) (mu0 sigma) <= x).
  { apply (space_rdp_exactly q sigma alpha Hq Hs Ha n u).
    intros f Hf. apply Classical_Prop.NNPP. intros M. apply N. exists f. split; assumption. }
  lra.
Qed.

(** (alpha, x)-RDP for every f of sensitivity 1, every dimension. *)
Lemma is_rdp : renyi alpha (mu q sigma) (mu0 sigma) <= x ->
  forall (U : Type) (n : nat) (f : list U -> point), sensitivity_1_space (S n) f ->
    is_RDP_space (S n) (sampled_gaussian_space q sigma (S n) f) alpha x.
Proof.
  intros H U n f Hf S S' D.
  assert (u : inhabited U) by (destruct D as [[? [? [u _]]]|[? [? [u _]]]]; exact (inhabits u)).
  destruct u as [u].
  exact (proj2 (space_rdp_exactly q sigma alpha Hq Hs Ha n u x) H f Hf S S' D).
Qed.

(** The other direction of the divergence is never above the first. *)
Lemma reverse_at_most : renyi alpha (mu q sigma) (mu0 sigma) <= x ->
  renyi alpha (mu0 sigma) (mu q sigma) <= x.
Proof. intros H. exact (Rle_trans _ _ _ (divergence_order_above_one q sigma alpha Hq Hs Ha) H). Qed.

Lemma renyi_forward : renyi alpha (mu q sigma) (mu0 sigma) = ln (AB.A q sigma alpha) / (alpha - 1).
Proof. reflexivity. Qed.

Lemma renyi_reverse :
  renyi alpha (mu0 sigma) (mu q sigma) = ln (AB.A q sigma (1 - alpha)) / (alpha - 1).
Proof. rewrite <- (AB.B_eq_A q sigma Hq Hs alpha). reflexivity. Qed.
End Verdicts.

(** * The ends q = 0 and q = 1, in closed form *)

Lemma renyi_never (sigma alpha : R) : 0 < sigma -> 1 < alpha ->
  renyi alpha (mu 0 sigma) (mu0 sigma) = 0 /\ renyi alpha (mu0 sigma) (mu 0 sigma) = 0.
Proof.
  intros Hs Ha. rewrite renyi_forward, (renyi_reverse 0 sigma alpha ltac:(lra) Hs).
  assert (K : forall b, b <= 0 \/ 1 <= b -> AB.A 0 sigma b <= 1).
  { intros b Hb. assert (K := AB.A_convexity_bound 0 sigma ltac:(lra) Hs b Hb). lra. }
  assert (F : AB.A 0 sigma alpha = 1).
  { apply Rle_antisym; [apply K; lra|apply AGeqB.A_ge_1; lra]. }
  assert (B : AB.A 0 sigma (1 - alpha) = 1).
  { apply Rle_antisym; [apply K; lra|].
    rewrite <- (AB.B_eq_A 0 sigma ltac:(lra) Hs alpha). apply AGeqB.B_ge_1; lra. }
  rewrite F, B, ln_1. split; unfold Rdiv; ring.
Qed.

Lemma renyi_always (sigma alpha : R) : 0 < sigma -> 1 < alpha ->
  renyi alpha (mu 1 sigma) (mu0 sigma) = alpha / (2 * sigma ^ 2) /\
  renyi alpha (mu0 sigma) (mu 1 sigma) = alpha / (2 * sigma ^ 2).
Proof.
  intros Hs Ha. rewrite renyi_forward, (renyi_reverse 1 sigma alpha ltac:(lra) Hs).
  assert (K : forall b, AB.A 1 sigma b = exp ((b ^ 2 - b) / (2 * sigma ^ 2))).
  { intros b. apply (Integral.int_line_unique (AB.A_integrand 1 sigma b)).
    - apply AB.A_is_integral; [lra|exact Hs].
    - refine (Integral.int_line_ext _ _ _ _ (Gaussian.ratio_moment sigma b Hs)).
      intros z. unfold AB.A_integrand, AB.mu. do 2 f_equal. unfold Rdiv. ring. }
  rewrite !K, !ln_exp. split; field; split; lra.
Qed.
