(** Lemma 10: A2, the part of A_alpha to the right of z0, is below
    0.9 q^2 alpha (alpha-1)/sigma^2 under the conditions on q, sigma, alpha; and
    A_alpha = A1 + A2.

    To the right of z0, mu/mu0 <= q alpha mu1/mu0.  Completing the square and
    shifting by alpha leaves a Gaussian tail from z0 - alpha >= 0 on; the tail
    bound reduces the claim to the scalar inequality of A2Cases. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian AB SplitPoint A2Cases.
Open Scope R_scope.

(** A_alpha = A1 + A2, the split at z0 (and at any other point). *)
Theorem A_split (q sigma alpha z : R) : 0 <= q <= 1 -> 0 < sigma ->
  exists A1 A2, int_left (A_integrand q sigma alpha) z A1 /\
                int_right (A_integrand q sigma alpha) z A2 /\ A q sigma alpha = A1 + A2.
Proof.
  intros Hq Hs. apply int_line_split.
  - apply A_integrand_continuous; assumption.
  - intros x. left. apply A_integrand_pos, Hs.
  - apply A_is_integral; assumption.
Qed.

Section Fixed_parameters.
Variables q sigma alpha : R.
Hypothesis Hq : 0 < q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Ha : 1 < alpha.

(** (1-q) + q mu1/mu0 <= q alpha mu1/mu0 to the right of z0. *)
Lemma mix_ratio_right (z : R) : z0 q sigma alpha <= z ->
  mix_ratio q sigma z <= q * alpha * ratio sigma z.
Proof.
  intros Hz. assert (X := ratio_ge_r0 q sigma alpha ltac:(lra) Hs Ha z Hz).
  assert (E := r0_defining q alpha ltac:(lra) Ha).
  assert (P := q_alpha_pos q alpha ltac:(lra) Ha).
  unfold mix_ratio. nra.
Qed.

Lemma A_integrand_right (z : R) : z0 q sigma alpha <= z ->
  A_integrand q sigma alpha z <=
  Rpower (q * alpha) alpha * exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2)) * mu0 sigma (z - alpha).
Proof.
  intros Hz. assert (M := mix_ratio_pos q sigma ltac:(lra) z).
  assert (P := mu0_pos sigma z Hs). assert (Q := ratio_pos sigma z).
  rewrite A_integrand_eq by exact Hs. unfold power_integrand.
  rewrite Rmult_assoc, <- mu0_tilted by exact Hs.
  apply Rle_trans with (mu0 sigma z * Rpower (q * alpha * ratio sigma z) alpha).
  - apply Rmult_le_compat_l; [lra|]. apply Rle_Rpower_l; [lra|].
    split; [exact M|apply mix_ratio_right, Hz].
  - rewrite <- Rpower_mult_distr by (try exact Q; nra). right. ring.
Qed.

(** The chain of estimates on A2 up to the Gaussian tail bound. *)
Lemma A2_tail_bound (A2 : R) : alpha <= z0 q sigma alpha ->
  int_right (A_integrand q sigma alpha) (z0 q sigma alpha) A2 ->
  A2 < Rpower (q * alpha) alpha *
       exp ((alpha ^ 2 - alpha - (z0 q sigma alpha - alpha) ^ 2) / (2 * sigma ^ 2)).
Proof.
  intros Hz HA2.
  set (z := z0 q sigma alpha) in *.
  set (K := Rpower (q * alpha) alpha * exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2))).
  assert (HK : 0 < K) by (apply Rmult_lt_0_compat; apply exp_pos).
  destruct (gaussian_tail sigma (z - alpha) Hs ltac:(lra)) as [T [HT BT]].
  apply int_right_shift in HT. apply (int_right_scal _ _ K) in HT.
  apply Rle_lt_trans with (K * T).
  - exact (int_right_le _ _ _ _ _ A_integrand_right HA2 HT).
  - apply Rlt_le_trans with (K * exp (- (z - alpha) ^ 2 / (2 * sigma ^ 2))).
    + apply Rmult_lt_compat_l; assumption.
    + right. unfold K. rewrite Rmult_assoc, <- exp_plus. f_equal. f_equal. field. lra.
Qed.

(** The estimate from which the case analysis starts. *)
Lemma A2_estimate (A2 : R) : alpha <= z0 q sigma alpha ->
  int_right (A_integrand q sigma alpha) (z0 q sigma alpha) A2 ->
  A2 < Rpower (q * alpha) alpha *
       exp (- (z0 q sigma alpha * (z0 q sigma alpha - 2 * alpha)) / (2 * sigma ^ 2)).
Proof.
  intros Hz HA2. apply Rlt_le_trans with (1 := A2_tail_bound A2 Hz HA2).
  apply Rmult_le_compat_l; [left; apply Rpower_pos|]. apply exp_le.
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|]. nra.
Qed.
End Fixed_parameters.

(** Lemma 10 (bound on A2), all three cases, strict. *)
Theorem A2_bound (q sigma alpha A2 : R) : 0 < q <= 1 / 5 -> 4 <= sigma -> 1 < alpha ->
  alpha <= 1 / 2 * sigma ^ 2 * L q alpha - 2 * ln sigma ->
  alpha <= (1 / 2 * sigma ^ 2 * L q alpha ^ 2 - ln 5 - 2 * ln sigma)
           / (L q alpha + ln (q * alpha) + 1 / (2 * sigma ^ 2)) ->
  int_right (A_integrand q sigma alpha) (z0 q sigma alpha) A2 ->
  A2 < 0.9 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2.
Proof.
  intros Hq Hs Ha C1 C2 HA2.
  assert (Z := z0_gt_2alpha q sigma alpha Hq Hs C1).
  apply Rlt_trans with (1 := A2_estimate q sigma alpha ltac:(lra) ltac:(lra) Ha A2 ltac:(lra) HA2).
  exact (A2_scalar_bound q sigma alpha Hq Hs Ha C1 C2).
Qed.
