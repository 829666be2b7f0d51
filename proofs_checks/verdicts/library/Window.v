(** Any exponent outside (0, 1): A is an integral over a window [a, b] plus tails with an explicit bound.
    Exponents below 0 give B, since B of order alpha is A of order 1 - alpha. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian AB.
Open Scope R_scope.

(** The integrand without the normaliser, as interval arithmetic reads it. *)
Definition kernel (q sigma alpha z : R) : R :=
  exp (- z ^ 2 / (2 * sigma ^ 2) + alpha * ln ((1 - q) + q * exp ((2 * z - 1) / (2 * sigma ^ 2)))).
Definition tails (q sigma alpha a b : R) : R :=
  1 / 2 * ((1 - q) * (exp (- a ^ 2 / (2 * sigma ^ 2)) + exp (- b ^ 2 / (2 * sigma ^ 2)))
    + q * exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2))
        * (exp (- (a - alpha) ^ 2 / (2 * sigma ^ 2)) + exp (- (b - alpha) ^ 2 / (2 * sigma ^ 2)))).

Section Fixed.
Variables q sigma alpha : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Ha : alpha <= 0 \/ 1 <= alpha.
Let X (z : R) : R := / (sigma * sqrt (2 * PI)) * kernel q sigma alpha z.

Lemma X_eq (z : R) : X z = power_integrand q sigma alpha z.
Proof.
  unfold X, kernel, power_integrand, mix_ratio, Rpower, ratio, mu0. rewrite exp_plus. unfold Rdiv. ring.
Qed.

Lemma X_line : int_line X (A q sigma alpha).
Proof.
  refine (int_line_ext _ _ _ _ (A_is_integral q sigma Hq Hs alpha)).
  intros z. rewrite X_eq, A_integrand_eq by exact Hs. reflexivity.
Qed.

Lemma X_continuous : forall z, continuous X z.
Proof.
  intros z. apply (ex_derive_continuous (V := R_NormedModule)).
  unfold X, kernel. auto_derive. repeat split. exact (mix_ratio_pos q sigma Hq z).
Qed.

Lemma X_bounds (z : R) : 0 <= X z <=
  (1 - q) * mu0 sigma z + q * exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2)) * mu0 sigma (z - alpha).
Proof.
  rewrite X_eq. split; [left; apply power_integrand_pos; assumption|].
  unfold power_integrand. assert (P := mu0_pos sigma z Hs).
  assert (C := mix_ratio_convex q sigma Hq alpha z Ha).
  rewrite (Rmult_assoc q), <- (mu0_tilted sigma alpha z Hs).
  assert (mu0 sigma z * Rpower (mix_ratio q sigma z) alpha
     <= mu0 sigma z * ((1 - q) + q * Rpower (ratio sigma z) alpha)) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Let e := exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2)).

Lemma right_tail (b l : R) : 0 <= b -> alpha <= b -> int_right X b l ->
  0 <= l <= 1 / 2 * ((1 - q) * exp (- b ^ 2 / (2 * sigma ^ 2))
                     + q * e * exp (- (b - alpha) ^ 2 / (2 * sigma ^ 2))).
Proof.
  intros Hb0 Hb H.
  destruct (gaussian_tail_half sigma b Hs ltac:(lra)) as [T0 [H0 B0]].
  destruct (gaussian_tail_half sigma (b - alpha) Hs ltac:(lra)) as [T1 [H1 B1]].
  apply int_right_shift in H1.
  assert (U := int_right_plus _ _ _ _ _ (int_right_scal _ _ (1 - q) _ H0) (int_right_scal _ _ (q * e) _ H1)).
  split.
  - assert (Z := int_right_scal _ _ 0 _ H). rewrite Rmult_0_l in Z.
    refine (int_right_le _ _ b _ _ _ Z H). intros x _. rewrite Rmult_0_l. apply X_bounds.
  - assert (K := int_right_le _ _ b _ _ (fun x _ => proj2 (X_bounds x)) H U).
    assert (E : 0 <= q * e) by (apply Rmult_le_pos; [lra|left; apply exp_pos]).
    assert ((1 - q) * T0 <= (1 - q) * (1 / 2 * exp (- b ^ 2 / (2 * sigma ^ 2))))
      by (apply Rmult_le_compat_l; lra).
    assert (q * e * T1 <= q * e * (1 / 2 * exp (- (b - alpha) ^ 2 / (2 * sigma ^ 2))))
      by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

Lemma left_tail (a l : R) : a <= 0 -> a <= alpha -> int_left X a l ->
  0 <= l <= 1 / 2 * ((1 - q) * exp (- a ^ 2 / (2 * sigma ^ 2))
                     + q * e * exp (- (a - alpha) ^ 2 / (2 * sigma ^ 2))).
Proof.
  intros Hb0 Hb H.
  destruct (gaussian_tail_half sigma (0 - a) Hs ltac:(lra)) as [T0 [H0 B0]].
  destruct (gaussian_tail_half sigma (alpha - a) Hs ltac:(lra)) as [T1 [H1 B1]].
  apply int_left_of_right in H0. apply int_left_of_right in H1.
  assert (G0 : int_left (mu0 sigma) a T0).
  { refine (int_left_ext _ _ _ _ _ H0). intros x. rewrite <- (mu0_even sigma x). f_equal. ring. }
  assert (G1 : int_left (fun x => mu0 sigma (x - alpha)) a T1).
  { refine (int_left_ext _ _ _ _ _ H1). intros x. rewrite <- (mu0_even sigma (x - alpha)). f_equal. ring. }
  assert (U := int_left_plus _ _ _ _ _ (int_left_scal _ _ (1 - q) _ G0) (int_left_scal _ _ (q * e) _ G1)).
  replace ((0 - a) ^ 2) with (a ^ 2) in B0 by ring.
  replace ((alpha - a) ^ 2) with ((a - alpha) ^ 2) in B1 by ring.
  split.
  - assert (Z := int_left_scal _ _ 0 _ H). rewrite Rmult_0_l in Z.
    refine (int_left_le _ _ a _ _ _ Z H). intros x _. rewrite Rmult_0_l. apply X_bounds.
  - assert (K := int_left_le _ _ a _ _ (fun x _ => proj2 (X_bounds x)) H U).
    assert (E : 0 <= q * e) by (apply Rmult_le_pos; [lra|left; apply exp_pos]).
    assert ((1 - q) * T0 <= (1 - q) * (1 / 2 * exp (- a ^ 2 / (2 * sigma ^ 2))))
      by (apply Rmult_le_compat_l; lra).
    assert (q * e * T1 <= q * e * (1 / 2 * exp (- (a - alpha) ^ 2 / (2 * sigma ^ 2))))
      by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

Theorem A_window (a b : R) : a <= 0 -> a <= alpha -> 0 <= b -> alpha <= b ->
  RInt (kernel q sigma alpha) a b / (sigma * sqrt (2 * PI)) <= A q sigma alpha
    <= RInt (kernel q sigma alpha) a b / (sigma * sqrt (2 * PI)) + tails q sigma alpha a b.
Proof.
  intros H1 H2 H3 H4.
  assert (Pos : forall z, 0 <= X z) by (intros z; apply X_bounds).
  destruct (int_left_exists X a _ X_continuous Pos X_line) as [l [L _]].
  destruct (int_right_exists X X_continuous Pos b _ X_line) as [r [Rr _]].
  assert (I := RInt_correct X a b (ex_RInt_everywhere_continuous X X_continuous a b)).
  assert (E := int_line_unique _ _ _ X_line (int_line_of_halves _ _ _ _ (int_left_extend _ _ _ _ _ L I) Rr)).
  assert (N : 0 < sigma * sqrt (2 * PI)) by (apply normalizer_pos, Hs).
  assert (J : RInt X a b = RInt (kernel q sigma alpha) a b / (sigma * sqrt (2 * PI))).
  { unfold X. rewrite (RInt_scal (V := R_CompleteNormedModule)).
    - unfold Rdiv. rewrite Rmult_comm. reflexivity.
    - apply ex_RInt_everywhere_continuous. intros z.
      apply (continuous_ext (fun z => (sigma * sqrt (2 * PI)) * X z)).
      + intros y. unfold X. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; [reflexivity|lra].
      + apply (continuous_scal_r (V := R_NormedModule)), X_continuous. }
  assert (BL := left_tail a l H1 H2 L). assert (BR := right_tail b r H3 H4 Rr).
  unfold tails. fold e. rewrite J in E. lra.
Qed.
End Fixed.
