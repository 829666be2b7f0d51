(** Zero-concentrated differential privacy of the one-dimensional pair.

    Convexity of the power gives A <= (1-q) + q exp(alpha(alpha-1)/(2 sigma^2)),
    so both divergences are at most alpha/(2 sigma^2): the pair is rho-zCDP with
    rho = 1/(2 sigma^2), whatever q.  Dropping the unsampled part of the mixture
    gives A >= q^alpha exp(alpha(alpha-1)/(2 sigma^2)), so no smaller rho works
    when q > 0: sampling does not improve the zCDP constant. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB AGeqB MainTheorem Divergence.
Open Scope R_scope.

Lemma exponent_form (sigma alpha : R) : 0 < sigma ->
  (alpha ^ 2 - alpha) / (2 * sigma ^ 2) = alpha * (alpha - 1) / (2 * sigma ^ 2).
Proof. intros Hs. field. lra. Qed.

(** Claim X15, first step: the bound on A from convexity. *)
Theorem A_le_mixture (q sigma alpha : R) : 0 <= q <= 1 -> 0 < sigma -> 1 <= alpha ->
  A q sigma alpha <= (1 - q) + q * exp (alpha * (alpha - 1) / (2 * sigma ^ 2)).
Proof.
  intros Hq Hs Ha. rewrite <- exponent_form by exact Hs.
  exact (A_convexity_bound q sigma Hq Hs alpha (or_intror Ha)).
Qed.

(** Claim X15, second step: A is at most its value at q = 1. *)
Theorem A_le_unsampled (q sigma alpha : R) : 0 <= q <= 1 -> 0 < sigma -> 1 <= alpha ->
  A q sigma alpha <= exp (alpha * (alpha - 1) / (2 * sigma ^ 2)).
Proof.
  intros Hq Hs Ha.
  apply Rle_trans with (1 := A_le_mixture q sigma alpha Hq Hs Ha).
  set (e := exp (alpha * (alpha - 1) / (2 * sigma ^ 2))).
  assert (E : 1 <= e).
  { unfold e. rewrite <- exp_0 at 1. apply exp_le.
    apply Rdiv_le_0_compat; [apply Rmult_le_pos; lra|].
    apply Rmult_lt_0_compat; [lra|apply pow_lt; exact Hs]. }
  nra.
Qed.

(** Claim X15, the other side: A is at least the contribution of the sampled part. *)
Theorem A_ge_sampled_part (q sigma alpha : R) : 0 < q <= 1 -> 0 < sigma -> 0 <= alpha ->
  Rpower q alpha * exp (alpha * (alpha - 1) / (2 * sigma ^ 2)) <= A q sigma alpha.
Proof.
  intros Hq Hs Ha. rewrite <- exponent_form by exact Hs.
  set (e := exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2))).
  assert (I := int_line_scal _ (Rpower q alpha) _ (int_line_scal _ e _ (mu0_shift_normalised sigma alpha Hs))).
  rewrite Rmult_1_r in I.
  refine (int_line_le _ _ _ _ _ I (A_is_integral q sigma ltac:(lra) Hs alpha)).
  intros z. unfold e. rewrite <- mu0_tilted by exact Hs.
  rewrite A_integrand_eq by exact Hs. unfold power_integrand.
  rewrite (Rmult_comm (Rpower q alpha)), Rmult_assoc.
  apply Rmult_le_compat_l; [left; apply mu0_pos, Hs|].
  assert (P := ratio_pos sigma z).
  rewrite (Rmult_comm (Rpower (ratio sigma z) alpha)), Rpower_mult_distr by lra.
  apply Rle_Rpower_l; [exact Ha|]. unfold mix_ratio.
  split; [apply Rmult_lt_0_compat; lra|lra].
Qed.

(** Claim X15 corrected: for every q the pair is zCDP with rho = 1/(2 sigma^2), in both directions. *)
Theorem zcdp (q sigma alpha : R) : 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  renyi alpha (mu q sigma) (mu0 sigma) <= 1 / (2 * sigma ^ 2) * alpha /\
  renyi alpha (mu0 sigma) (mu q sigma) <= 1 / (2 * sigma ^ 2) * alpha.
Proof.
  intros Hq Hs Ha.
  assert (U : renyi alpha (mu q sigma) (mu0 sigma) <= 1 / (2 * sigma ^ 2) * alpha).
  { rewrite renyi_mu_mu0. assert (A1 := A_ge_1 q sigma alpha Hq Hs ltac:(lra)).
    apply divergence_le_exponent; [exact Ha|lra|].
    replace (1 / (2 * sigma ^ 2) * alpha * (alpha - 1))
      with (alpha * (alpha - 1) / (2 * sigma ^ 2)) by (field; lra).
    apply A_le_unsampled; [exact Hq|exact Hs|lra]. }
  split; [exact U|].
  apply Rle_trans with (2 := U). exact (renyi_order q sigma alpha Hq Hs Ha).
Qed.

(** Claim X15, what remains true of the paper's remark: no rho below 1/(2 sigma^2) works, for any q > 0. *)
Theorem zcdp_constant_optimal (q sigma rho : R) : 0 < q <= 1 -> 0 < sigma -> rho < 1 / (2 * sigma ^ 2) ->
  exists alpha, 1 < alpha /\ rho * alpha < renyi alpha (mu q sigma) (mu0 sigma).
Proof.
  intros Hq Hs Hrho. set (delta := 1 / (2 * sigma ^ 2) - rho).
  assert (D : 0 < delta) by (unfold delta; lra).
  assert (Lq : ln q <= 0) by (rewrite <- ln_1; apply ln_le; lra).
  assert (T : 0 <= - ln q / delta) by (apply Rdiv_le_0_compat; lra).
  set (alpha := 2 + - ln q / delta).
  assert (Ha : 2 <= alpha) by (unfold alpha; lra).
  exists alpha. split; [lra|]. rewrite renyi_mu_mu0.
  assert (L : alpha * ln q + alpha * (alpha - 1) / (2 * sigma ^ 2) <= ln (A q sigma alpha)).
  { rewrite <- (ln_exp (alpha * ln q + _)). apply ln_le; [apply exp_pos|].
    rewrite exp_plus. apply A_ge_sampled_part; [exact Hq|exact Hs|lra]. }
  apply Rmult_lt_reg_l with (alpha - 1); [lra|].
  replace ((alpha - 1) * (ln (A q sigma alpha) / (alpha - 1))) with (ln (A q sigma alpha)) by (field; lra).
  apply Rlt_le_trans with (2 := L).
  assert (E : alpha * ln q + alpha * (alpha - 1) / (2 * sigma ^ 2) - (alpha - 1) * (rho * alpha)
              = alpha * (ln q + (alpha - 1) * delta)) by (unfold delta; field; lra).
  assert (F : ln q + (alpha - 1) * delta = delta) by (unfold alpha; field; lra).
  rewrite F in E. assert (pos1 : 0 < alpha * delta) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(** The closed-form bound 2 q^2 alpha / sigma^2 holds without side conditions once q >= 1/2. *)
Theorem closed_form_large_q (q sigma alpha : R) : 1 / 2 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  renyi alpha (mu q sigma) (mu0 sigma) <= 2 * q ^ 2 * alpha / sigma ^ 2 /\
  renyi alpha (mu0 sigma) (mu q sigma) <= 2 * q ^ 2 * alpha / sigma ^ 2.
Proof.
  intros Hq Hs Ha. assert (S2 : 0 < sigma ^ 2) by (apply pow_lt; exact Hs).
  assert (K : 1 / (2 * sigma ^ 2) * alpha <= 2 * q ^ 2 * alpha / sigma ^ 2).
  { replace (1 / (2 * sigma ^ 2) * alpha) with (1 / 2 * (alpha / sigma ^ 2)) by (field; lra).
    replace (2 * q ^ 2 * alpha / sigma ^ 2) with (2 * q ^ 2 * (alpha / sigma ^ 2)) by (field; lra).
    apply Rmult_le_compat_r; [apply Rdiv_le_0_compat; lra|nra]. }
  destruct (zcdp q sigma alpha ltac:(lra) Hs Ha) as [H1 H2]. split; lra.
Qed.
