(** Corollary 7: A_alpha >= B_alpha for alpha >= 1, with equality at alpha = 1,
    q = 0 and q = 1 and strict inequality in all other cases.

    The reflection z -> 1 - z exchanges mu0 and mu1 and preserves the integral,
    so 2 A and 2 B are the integrals of the two sides of Lemma 6. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian Pointwise AB.
Open Scope R_scope.

Lemma mu_reflect (q sigma z : R) : mu q sigma (1 - z) = (1 - q) * mu1 sigma z + q * mu0 sigma z.
Proof. unfold mu. rewrite mu0_reflect, mu1_reflect. reflexivity. Qed.

(** The doubled integrands are the two sides of Lemma 6 with u = mu1, v = mu0. *)
Lemma A_doubled_integrand (q sigma alpha z : R) :
  let m := (1 - q) * mu0 sigma z + q * mu1 sigma z in
  let m' := (1 - q) * mu1 sigma z + q * mu0 sigma z in
  A_integrand q sigma alpha z + A_integrand q sigma alpha (1 - z) =
  mu0 sigma z * Rpower (m / mu0 sigma z) alpha + mu1 sigma z * Rpower (m' / mu1 sigma z) alpha.
Proof. intros m m'. unfold A_integrand. rewrite mu_reflect, mu0_reflect. reflexivity. Qed.

Lemma B_doubled_integrand (q sigma alpha z : R) :
  let m := (1 - q) * mu0 sigma z + q * mu1 sigma z in
  let m' := (1 - q) * mu1 sigma z + q * mu0 sigma z in
  B_integrand q sigma alpha z + B_integrand q sigma alpha (1 - z) =
  m * Rpower (mu0 sigma z / m) alpha + m' * Rpower (mu1 sigma z / m') alpha.
Proof. intros m m'. unfold B_integrand. rewrite mu_reflect, mu0_reflect. reflexivity. Qed.

Section Fixed_parameters.
Variables q sigma alpha : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

Lemma A_doubled :
  int_line (fun z => A_integrand q sigma alpha z + A_integrand q sigma alpha (1 - z))
           (A q sigma alpha + A q sigma alpha).
Proof.
  assert (H := A_is_integral q sigma Hq Hs alpha).
  exact (int_line_plus _ _ _ _ H (int_line_reflect _ 1 _ H)).
Qed.

Lemma B_doubled :
  int_line (fun z => B_integrand q sigma alpha z + B_integrand q sigma alpha (1 - z))
           (B q sigma alpha + B q sigma alpha).
Proof.
  assert (H := B_is_integral q sigma Hq Hs alpha).
  exact (int_line_plus _ _ _ _ H (int_line_reflect _ 1 _ H)).
Qed.

(** Corollary 7: A_alpha >= B_alpha. *)
Theorem A_ge_B : 1 <= alpha -> B q sigma alpha <= A q sigma alpha.
Proof.
  intros Ha.
  assert (fact1 : B q sigma alpha + B q sigma alpha <= A q sigma alpha + A q sigma alpha); [|lra].
  refine (int_line_le _ _ _ _ _ B_doubled A_doubled).
  intros z. rewrite A_doubled_integrand, B_doubled_integrand.
  apply pointwise_domination; [apply mu1_pos, Hs|apply mu0_pos, Hs|exact Hq|exact Ha].
Qed.

(** The equality cases of Corollary 7. *)
Theorem A_eq_B : q = 0 \/ q = 1 \/ alpha = 1 -> A q sigma alpha = B q sigma alpha.
Proof.
  intros C.
  assert (fact2 : A q sigma alpha + A q sigma alpha = B q sigma alpha + B q sigma alpha); [|lra].
  refine (int_line_unique _ _ _ A_doubled (int_line_ext _ _ _ _ B_doubled)).
  intros z. rewrite A_doubled_integrand, B_doubled_integrand.
  apply pointwise_equal; [apply mu1_pos, Hs|apply mu0_pos, Hs|exact Hq|right; exact C].
Qed.

(** A_1 = 1. *)
Lemma A_order_1 : alpha = 1 -> A q sigma alpha = 1.
Proof.
  intros E. apply (int_line_unique (A_integrand q sigma alpha)); [apply A_is_integral; assumption|].
  apply (int_line_ext (mu q sigma)); [|apply mu_normalised; assumption].
  intros z. rewrite A_integrand_eq by assumption. unfold power_integrand. rewrite E, Rpower_1.
  - rewrite mu_eq_mix_ratio by assumption. ring.
  - apply mix_ratio_pos, Hq.
Qed.

(** A_alpha = 1 at q = 0. *)
Lemma A_rate_0 : q = 0 -> A q sigma alpha = 1.
Proof.
  intros E. apply (int_line_unique (A_integrand q sigma alpha)); [apply A_is_integral; assumption|].
  apply (int_line_ext (mu0 sigma)); [|apply mu0_normalised; assumption].
  intros z. rewrite A_integrand_eq by assumption. unfold power_integrand, mix_ratio.
  rewrite E. replace (1 - 0 + 0 * ratio sigma z) with 1 by ring. rewrite Rpower_base_1. ring.
Qed.

(** A_alpha = exp((alpha^2-alpha)/(2 sigma^2)) at q = 1. *)
Lemma A_rate_1 : q = 1 -> A q sigma alpha = exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2)).
Proof.
  intros E. apply (int_line_unique (A_integrand q sigma alpha)); [apply A_is_integral; assumption|].
  refine (int_line_ext _ _ _ _ (ratio_moment sigma alpha Hs)).
  intros z. unfold A_integrand, mu. rewrite E.
  replace ((1 - 1) * mu0 sigma z + 1 * mu1 sigma z) with (mu1 sigma z) by ring. reflexivity.
Qed.

(** B_alpha >= 1: Bernoulli's inequality under the integral. *)
Theorem B_ge_1 : 1 <= alpha -> 1 <= B q sigma alpha.
Proof.
  intros Ha.
  assert (M := mu_normalised q sigma Hs).
  assert (H := int_line_plus _ _ _ _ M
    (int_line_scal _ alpha _ (int_line_minus _ _ _ _ (mu0_normalised sigma Hs) M))).
  replace (1 + alpha * (1 - 1)) with 1 in H by ring.
  refine (int_line_le _ _ _ _ _ H (B_is_integral q sigma Hq Hs alpha)).
  intros z. assert (P := mu_pos q sigma Hq Hs z). assert (P0 := mu0_pos sigma z Hs).
  assert (R0 : 0 < mu0 sigma z / mu q sigma z) by (apply Rdiv_lt_0_compat; assumption).
  assert (K := bernoulli_exponent_ge_1 alpha (mu0 sigma z / mu q sigma z - 1) Ha ltac:(lra)).
  replace (1 + (mu0 sigma z / mu q sigma z - 1)) with (mu0 sigma z / mu q sigma z) in K by ring.
  unfold B_integrand.
  apply Rle_trans with (mu q sigma z * (1 + alpha * (mu0 sigma z / mu q sigma z - 1))).
  - right. field. lra.
  - apply Rmult_le_compat_l; lra.
Qed.

(** A_alpha >= 1. *)
Theorem A_ge_1 : 1 <= alpha -> 1 <= A q sigma alpha.
Proof. intros Ha. apply Rle_trans with (1 := B_ge_1 Ha). exact (A_ge_B Ha). Qed.
End Fixed_parameters.

(** Corollary 7, strict: A_alpha > B_alpha for alpha > 1 and 0 < q < 1. *)
Theorem A_gt_B (q sigma alpha : R) : 0 < q < 1 -> 0 < sigma -> 1 < alpha ->
  B q sigma alpha < A q sigma alpha.
Proof.
  intros Hq Hs Ha. assert (Hq' : 0 <= q <= 1) by lra.
  assert (fact3 : B q sigma alpha + B q sigma alpha < A q sigma alpha + A q sigma alpha); [|lra].
  assert (CA := A_integrand_continuous q sigma Hq' Hs alpha).
  assert (CB := B_integrand_continuous q sigma Hq' Hs alpha).
  refine (int_line_lt _ _ _ _ 1 _ _ _ _ (B_doubled q sigma alpha Hq' Hs) (A_doubled q sigma alpha Hq' Hs)).
  - intros z. apply (continuous_plus (V := R_NormedModule)); [apply CB|].
    apply (continuous_reflect _ 1 CB).
  - intros z. apply (continuous_plus (V := R_NormedModule)); [apply CA|].
    apply (continuous_reflect _ 1 CA).
  - intros z. rewrite A_doubled_integrand, B_doubled_integrand.
    apply pointwise_domination; [apply mu1_pos, Hs|apply mu0_pos, Hs|exact Hq'|lra].
  - (* at z = 1 the two densities differ *)
    rewrite A_doubled_integrand, B_doubled_integrand.
    apply pointwise_strict; [apply mu1_pos, Hs|apply mu0_pos, Hs| |exact Hq|exact Ha].
    rewrite mu1_eq_ratio by exact Hs. assert (P := mu0_pos sigma 1 Hs).
    assert (fact4 : 1 < ratio sigma 1).
    { unfold ratio. rewrite <- exp_0 at 1. apply exp_increasing.
      apply Rdiv_lt_0_compat; [lra|nra]. }
    nra.
Qed.
