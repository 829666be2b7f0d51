(** The point z0 at which the paper splits A_alpha, the ratio r0 there, and the
    elementary facts about both that are stated when z0 is introduced. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Gaussian AB.
Open Scope R_scope.

Definition r0 (q alpha : R) : R := 1 + 1 / (q * (alpha - 1)).
Definition L (q alpha : R) : R := ln (1 + 1 / (q * (alpha - 1))).
Definition z0 (q sigma alpha : R) : R := 1 / 2 + sigma ^ 2 * ln (1 + 1 / (q * (alpha - 1))).

Section Fixed_parameters.
Variables q sigma alpha : R.
Hypothesis Hq : 0 < q.
Hypothesis Hs : 0 < sigma.
Hypothesis Ha : 1 < alpha.

Lemma q_alpha_pos : 0 < q * (alpha - 1).
Proof. nra. Qed.

(** r0 > 1. *)
Lemma r0_gt_1 : 1 < r0 q alpha.
Proof.
  unfold r0. assert (pos1 : 0 < 1 / (q * (alpha - 1))); [|lra].
  apply Rdiv_lt_0_compat; [lra|apply q_alpha_pos].
Qed.

Lemma L_pos : 0 < L q alpha.
Proof. exact (ln_pos (r0 q alpha) r0_gt_1). Qed.

Lemma r0_defining : q * (alpha - 1) * (r0 q alpha - 1) = 1.
Proof. unfold r0. field. lra. Qed.

(** z0 > 1/2. *)
Lemma z0_gt_half : 1 / 2 < z0 q sigma alpha.
Proof.
  assert (X := L_pos). unfold L in X. assert (pos2 : 0 < sigma ^ 2) by (apply pow_lt; exact Hs).
  unfold z0. nra.
Qed.

(** The likelihood ratio at z0 is r0. *)
Lemma ratio_z0 : ratio sigma (z0 q sigma alpha) = r0 q alpha.
Proof.
  unfold ratio, z0. fold (r0 q alpha).
  replace ((2 * (1 / 2 + sigma ^ 2 * ln (r0 q alpha)) - 1) / (2 * sigma ^ 2)) with (ln (r0 q alpha))
    by (field; lra).
  apply exp_ln. assert (X := r0_gt_1). lra.
Qed.

(** (1-q) + q mu1(z0)/mu0(z0) = alpha/(alpha-1), the equation that defines z0. *)
Lemma z0_defining :
  (1 - q) + q * (mu1 sigma (z0 q sigma alpha) / mu0 sigma (z0 q sigma alpha)) = alpha / (alpha - 1).
Proof.
  rewrite mu1_over_mu0 by exact Hs. rewrite ratio_z0. unfold r0. field. lra.
Qed.

(** mu1/mu0 <= r0 to the left of z0. *)
Lemma ratio_le_r0 (z : R) : z <= z0 q sigma alpha -> ratio sigma z <= r0 q alpha.
Proof. intros H. rewrite <- ratio_z0. apply ratio_nondecreasing; assumption. Qed.

Lemma ratio_ge_r0 (z : R) : z0 q sigma alpha <= z -> r0 q alpha <= ratio sigma z.
Proof. intros H. rewrite <- ratio_z0. apply ratio_nondecreasing; assumption. Qed.

(** mu0/mu1 <= r0 to the right of 1 - z0. *)
Lemma inv_ratio_le_r0 (z : R) : 1 - z0 q sigma alpha <= z -> / ratio sigma z <= r0 q alpha.
Proof. intros H. rewrite <- ratio_reflect by exact Hs. apply ratio_le_r0. lra. Qed.

(** mu1/mu0 < 1 to the left of 1 - z0, so mu <= mu0 there. *)
Lemma ratio_lt_1_left (z : R) : z <= 1 - z0 q sigma alpha -> ratio sigma z < 1.
Proof.
  intros H. assert (X := ratio_ge_r0 (1 - z) ltac:(lra)). rewrite ratio_reflect in X by exact Hs.
  assert (Y := r0_gt_1). assert (P := ratio_pos sigma z).
  rewrite <- (Rinv_inv (ratio sigma z)), <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.
End Fixed_parameters.

(** Where mu1 <= mu0, the integrand of A is at most mu0. *)
Lemma A_integrand_le_mu0 (q sigma alpha z : R) : 0 <= q <= 1 -> 0 < sigma -> 0 <= alpha ->
  ratio sigma z <= 1 -> A_integrand q sigma alpha z <= mu0 sigma z.
Proof.
  intros Hq Hs Ha H. rewrite A_integrand_eq by assumption. unfold power_integrand.
  assert (P := mu0_pos sigma z Hs). assert (M := mix_ratio_pos q sigma Hq z).
  assert (D : mix_ratio q sigma z <= 1) by (unfold mix_ratio; nra).
  assert (fact3 : Rpower (mix_ratio q sigma z) alpha <= 1); [|nra].
  rewrite <- (Rpower_base_1 alpha). apply Rle_Rpower_l; lra.
Qed.
