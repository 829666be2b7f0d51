(** mu, A_alpha and B_alpha of the paper, and their existence for every real order.

    Both integrands are mu0 times a power of mu/mu0 (exponent alpha for A,
    1 - alpha for B), which Bernoulli's inequality bounds by integrable
    functions. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian Pointwise.
Open Scope R_scope.

Definition mu (q sigma z : R) : R := (1 - q) * mu0 sigma z + q * mu1 sigma z.

(** The integrands of E_{mu0}[(mu/mu0)^alpha] and E_{mu}[(mu0/mu)^alpha]. *)
Definition A_integrand (q sigma alpha z : R) : R :=
  mu0 sigma z * Rpower (mu q sigma z / mu0 sigma z) alpha.
Definition B_integrand (q sigma alpha z : R) : R :=
  mu q sigma z * Rpower (mu0 sigma z / mu q sigma z) alpha.

Definition A (q sigma alpha : R) : R := line_integral (A_integrand q sigma alpha).
Definition B (q sigma alpha : R) : R := line_integral (B_integrand q sigma alpha).

(** mu/mu0 in closed form. *)
Definition mix_ratio (q sigma z : R) : R := (1 - q) + q * ratio sigma z.

Section Fixed_q_sigma.
Variables q sigma : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

Lemma mix_ratio_pos (z : R) : 0 < mix_ratio q sigma z.
Proof. exact (mixture_ratio_pos q (ratio sigma z) Hq (ratio_pos sigma z)). Qed.

Lemma mu_eq_mix_ratio (z : R) : mu q sigma z = mix_ratio q sigma z * mu0 sigma z.
Proof. unfold mu, mix_ratio. rewrite mu1_eq_ratio by exact Hs. ring. Qed.

Lemma mu_pos (z : R) : 0 < mu q sigma z.
Proof.
  rewrite mu_eq_mix_ratio. apply Rmult_lt_0_compat; [apply mix_ratio_pos|apply mu0_pos, Hs].
Qed.

Lemma mu_over_mu0 (z : R) : mu q sigma z / mu0 sigma z = mix_ratio q sigma z.
Proof. rewrite mu_eq_mix_ratio. field. assert (K := mu0_pos sigma z Hs). lra. Qed.

Lemma mu_normalised : int_line (mu q sigma) 1.
Proof.
  assert (H := int_line_plus _ _ _ _ (int_line_scal _ (1 - q) _ (mu0_normalised sigma Hs))
                                     (int_line_scal _ q _ (mu1_normalised sigma Hs))).
  replace ((1 - q) * 1 + q * 1) with 1 in H by ring. exact H.
Qed.

(** mu0 times a power of mu/mu0, the common form of both integrands. *)
Definition power_integrand (b z : R) : R := mu0 sigma z * Rpower (mix_ratio q sigma z) b.

Lemma A_integrand_eq (alpha z : R) : A_integrand q sigma alpha z = power_integrand alpha z.
Proof. unfold A_integrand, power_integrand. rewrite mu_over_mu0. reflexivity. Qed.

Lemma B_integrand_eq (alpha z : R) : B_integrand q sigma alpha z = power_integrand (1 - alpha) z.
Proof.
  unfold B_integrand, power_integrand.
  rewrite (Rpower_ratio_swap _ _ alpha (mu_pos z) (mu0_pos sigma z Hs)), mu_over_mu0. reflexivity.
Qed.

Lemma power_integrand_pos (b z : R) : 0 < power_integrand b z.
Proof. apply Rmult_lt_0_compat; [apply mu0_pos, Hs|apply Rpower_pos]. Qed.

Lemma power_integrand_continuous (b : R) : forall z, continuous (power_integrand b) z.
Proof.
  intros z. apply (ex_derive_continuous (V := R_NormedModule)).
  unfold power_integrand, mu0, mix_ratio, ratio, Rpower. auto_derive.
  repeat split; [exact (mix_ratio_pos z)].
Qed.

Lemma A_integrand_pos (alpha z : R) : 0 < A_integrand q sigma alpha z.
Proof. rewrite A_integrand_eq. apply power_integrand_pos. Qed.
Lemma B_integrand_pos (alpha z : R) : 0 < B_integrand q sigma alpha z.
Proof. rewrite B_integrand_eq. apply power_integrand_pos. Qed.

Lemma A_integrand_continuous (alpha : R) : forall z, continuous (A_integrand q sigma alpha) z.
Proof.
  intros z. apply (continuous_ext (power_integrand alpha)); [|apply power_integrand_continuous].
  intros x. symmetry. apply A_integrand_eq.
Qed.
Lemma B_integrand_continuous (alpha : R) : forall z, continuous (B_integrand q sigma alpha) z.
Proof.
  intros z. apply (continuous_ext (power_integrand (1 - alpha))); [|apply power_integrand_continuous].
  intros x. symmetry. apply B_integrand_eq.
Qed.

(** * Existence *)

(** Convexity of the power, for exponents outside (0,1). *)
Lemma mix_ratio_convex (b z : R) : b <= 0 \/ 1 <= b ->
  Rpower (mix_ratio q sigma z) b <= (1 - q) + q * Rpower (ratio sigma z) b.
Proof.
  intros Hb. assert (M := mix_ratio_pos z). assert (Rp := ratio_pos sigma z).
  set (m := mix_ratio q sigma z) in *. set (r := ratio sigma z) in *.
  assert (Em : m = (1 - q) + q * r) by reflexivity.
  assert (Bern : forall w, -1 < w -> 1 + b * w <= Rpower (1 + w) b).
  { intros w Hw. destruct Hb as [Hb|Hb];
      [apply bernoulli_exponent_le_0|apply bernoulli_exponent_ge_1]; assumption. }
  assert (Mi : 0 < / m) by (apply Rinv_0_lt_compat, M).
  assert (B1 := Bern (1 / m - 1) ltac:(unfold Rdiv; lra)).
  assert (B2 := Bern (r / m - 1) ltac:(assert (pos1 : 0 < r / m) by (apply Rdiv_lt_0_compat; assumption); lra)).
  replace (1 + (1 / m - 1)) with (/ m) in B1 by (field; lra).
  replace (1 + (r / m - 1)) with (r * / m) in B2 by (field; lra).
  rewrite <- Rpower_mult_distr in B2 by assumption.
  assert (EI : Rpower (/ m) b = / Rpower m b)
    by (rewrite Rpower_inv_base, Rpower_Ropp by exact M; reflexivity).
  rewrite EI in B1, B2. assert (P := Rpower_pos m b).
  assert (C : 1 <= (1 - q) * / Rpower m b + q * (Rpower r b * / Rpower m b)).
  { apply Rle_trans with ((1 - q) * (1 + b * (1 / m - 1)) + q * (1 + b * (r / m - 1))).
    - right. rewrite Em. field. rewrite <- Em. lra.
    - apply Rplus_le_compat; apply Rmult_le_compat_l; lra. }
  apply Rmult_le_compat_l with (r := Rpower m b) in C; [|lra].
  rewrite Rmult_1_r in C. eapply Rle_trans; [exact C|]. right. field. lra.
Qed.

Lemma power_integral_exists_outside (b : R) : b <= 0 \/ 1 <= b ->
  exists l, int_line (power_integrand b) l /\ l <= (1 - q) + q * exp ((b ^ 2 - b) / (2 * sigma ^ 2)).
Proof.
  intros Hb. set (e := exp ((b ^ 2 - b) / (2 * sigma ^ 2))).
  apply (int_line_exists_dominated (power_integrand b)
    (fun z => (1 - q) * mu0 sigma z + q * (e * mu0 sigma (z - b)))).
  - apply power_integrand_continuous.
  - intros z. apply (continuous_plus (V := R_NormedModule)).
    + apply (continuous_scal_r (V := R_NormedModule) (1 - q)), mu0_continuous.
    + apply (continuous_scal_r (V := R_NormedModule) q).
      apply (continuous_scal_r (V := R_NormedModule) e), mu0_shift_continuous.
  - intros z. split; [left; apply power_integrand_pos|].
    unfold e. rewrite <- mu0_tilted by exact Hs. unfold power_integrand.
    assert (K := mix_ratio_convex b z Hb). assert (P := mu0_pos sigma z Hs). nra.
  - assert (H := int_line_plus _ _ _ _ (int_line_scal _ (1 - q) _ (mu0_normalised sigma Hs))
      (int_line_scal _ q _ (int_line_scal _ e _ (mu0_shift_normalised sigma b Hs)))).
    rewrite 2!Rmult_1_r in H. exact H.
Qed.

(** For exponents in [0,1] the power lies below its tangent at 1, an affine function of mu/mu0. *)
Lemma power_integral_exists_inside (b : R) : 0 <= b <= 1 ->
  exists l, int_line (power_integrand b) l /\ l <= 1.
Proof.
  intros Hb.
  apply (int_line_exists_dominated (power_integrand b)
    (fun z => (1 - b) * mu0 sigma z + b * mu q sigma z)).
  - apply power_integrand_continuous.
  - intros z. apply (continuous_plus (V := R_NormedModule)).
    + apply (continuous_scal_r (V := R_NormedModule) (1 - b)), mu0_continuous.
    + apply (continuous_scal_r (V := R_NormedModule) b). apply (continuous_plus (V := R_NormedModule)).
      * apply (continuous_scal_r (V := R_NormedModule) (1 - q)), mu0_continuous.
      * apply (continuous_scal_r (V := R_NormedModule) q), mu1_continuous.
  - intros z. split; [left; apply power_integrand_pos|].
    rewrite mu_eq_mix_ratio. unfold power_integrand.
    assert (M := mix_ratio_pos z). assert (P := mu0_pos sigma z Hs).
    assert (K := bernoulli_exponent_0_1 b (mix_ratio q sigma z - 1) Hb ltac:(lra)).
    replace (1 + (mix_ratio q sigma z - 1)) with (mix_ratio q sigma z) in K by ring. nra.
  - assert (H := int_line_plus _ _ _ _ (int_line_scal _ (1 - b) _ (mu0_normalised sigma Hs))
      (int_line_scal _ b _ mu_normalised)).
    replace ((1 - b) * 1 + b * 1) with 1 in H by ring. exact H.
Qed.

Lemma power_integral_exists (b : R) : exists l, int_line (power_integrand b) l.
Proof.
  destruct (Rle_dec b 0) as [B0|B0]; [|destruct (Rle_dec 1 b) as [B1|B1]].
  - destruct (power_integral_exists_outside b ltac:(lra)) as [l [H _]]. exists l. exact H.
  - destruct (power_integral_exists_outside b ltac:(lra)) as [l [H _]]. exists l. exact H.
  - destruct (power_integral_exists_inside b ltac:(lra)) as [l [H _]]. exists l. exact H.
Qed.

(** A_alpha exists, every real alpha. *)
Theorem A_is_integral (alpha : R) : int_line (A_integrand q sigma alpha) (A q sigma alpha).
Proof.
  destruct (power_integral_exists alpha) as [l H]. apply (line_integral_correct _ l).
  apply (int_line_ext (power_integrand alpha)); [|exact H].
  intros z. symmetry. apply A_integrand_eq.
Qed.

(** B_alpha exists, every real alpha. *)
Theorem B_is_integral (alpha : R) : int_line (B_integrand q sigma alpha) (B q sigma alpha).
Proof.
  destruct (power_integral_exists (1 - alpha)) as [l H]. apply (line_integral_correct _ l).
  apply (int_line_ext (power_integrand (1 - alpha))); [|exact H].
  intros z. symmetry. apply B_integrand_eq.
Qed.

(** B_alpha = A_(1-alpha). *)
Lemma B_eq_A (alpha : R) : B q sigma alpha = A q sigma (1 - alpha).
Proof.
  apply (int_line_unique (B_integrand q sigma alpha)); [apply B_is_integral|].
  apply (int_line_ext (A_integrand q sigma (1 - alpha))); [|apply A_is_integral].
  intros z. rewrite A_integrand_eq, B_integrand_eq. reflexivity.
Qed.

(** The convexity bound A_alpha <= (1-q) + q exp((alpha^2-alpha)/(2 sigma^2)). *)
Lemma A_convexity_bound (alpha : R) : alpha <= 0 \/ 1 <= alpha ->
  A q sigma alpha <= (1 - q) + q * exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2)).
Proof.
  intros Ha. destruct (power_integral_exists_outside alpha Ha) as [l [H B]].
  replace (A q sigma alpha) with l; [exact B|].
  apply (int_line_unique (A_integrand q sigma alpha)); [|apply A_is_integral].
  apply (int_line_ext (power_integrand alpha)); [|exact H].
  intros z. symmetry. apply A_integrand_eq.
Qed.
End Fixed_q_sigma.
