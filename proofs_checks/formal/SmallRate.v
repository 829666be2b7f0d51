(** Small sampling rates: both divergences are q^2 alpha (exp(1/sigma^2) - 1)/2 + O(q^3).

    With r = mu1/mu0 and u = q (r - 1) every moment is E[(1 + u)^s].  Taylor's formula
    to third order, |(1+u)^s - 1 - s u - s(s-1)/2 u^2| <= C |u|^3 (2 + 2|u|)^|s-3| for
    u >= -1/2, is integrated term by term: E[r - 1] = 0, E[(r-1)^2] = exp(1/sigma^2) - 1,
    and the rest is at most q^3 times a moment of r. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB AGeqB MainTheorem OrderOne.
Open Scope R_scope.

(** * The power to third order *)

Lemma mean_value_from_0 (f df : R -> R) (x : R) :
  (forall y, -1 < y -> is_derive f y (df y)) -> -1 < x ->
  exists c, Rmin 0 x <= c <= Rmax 0 x /\ f x - f 0 = df c * x.
Proof.
  intros D Hx.
  assert (M : -1 < Rmin 0 x) by (apply Rmin_glb_lt; lra).
  destruct (MVT_gen f 0 x df) as [c [Hc E]].
  - intros y Hy. apply D. lra.
  - intros y Hy. apply (derivable_continuous_pt f y), ex_derive_Reals_0.
    exists (df y). apply D. lra.
  - exists c. split; [exact Hc|]. rewrite Rminus_0_r in E. exact E.
Qed.

Lemma between_0 (x c : R) : -1 < x -> Rmin 0 x <= c <= Rmax 0 x ->
  Rabs c <= Rabs x /\ -1 < c /\ (-1 / 2 <= x -> -1 / 2 <= c).
Proof.
  intros Hx Hc. destruct (Rle_dec 0 x) as [P|P].
  - rewrite Rmin_left, Rmax_right in Hc by lra. rewrite !Rabs_right by lra. lra.
  - rewrite Rmin_right, Rmax_left in Hc by lra. rewrite (Rabs_left x) by lra.
    rewrite Rabs_left1 by lra. lra.
Qed.

Lemma Rpower_between (x e W : R) : 1 / 2 <= x -> x <= W -> 2 <= W -> Rpower x e <= Rpower W (Rabs e).
Proof.
  intros H1 H2 H3. unfold Rpower. apply exp_le.
  assert (U := ln_le x W ltac:(lra) H2).
  assert (V := ln_le (/ x) W ltac:(apply Rinv_0_lt_compat; lra)).
  rewrite ln_Rinv in V by lra.
  assert (X : / x <= W).
  { apply Rle_trans with (/ (1 / 2)); [apply Rinv_le_contravar; lra|]. lra. }
  specialize (V X). assert (L0 := ln_nonneg W ltac:(lra)).
  destruct (Rle_dec 0 e) as [E|E]; [rewrite Rabs_right by lra|rewrite Rabs_left by lra]; nra.
Qed.

Lemma Rpower_pred (x b : R) : 0 < x -> Rpower x (b - 1) = Rpower x b / x.
Proof. intros Hx. rewrite <- (Rpower_1 x Hx) at 3. unfold Rdiv. rewrite <- Rpower_Ropp, <- Rpower_plus. reflexivity. Qed.

Lemma power_third_order (s u : R) : -1 / 2 <= u ->
  Rabs (Rpower (1 + u) s - 1 - s * u - s * (s - 1) / 2 * u ^ 2)
    <= Rabs (s * (s - 1) * (s - 2)) * (Rabs u ^ 3 * Rpower (2 + 2 * Rabs u) (Rabs (s - 3))).
Proof.
  intros Hu.
  set (f0 := fun y => Rpower (1 + y) s - 1 - s * y - s * (s - 1) / 2 * y ^ 2).
  set (f1 := fun y => s * Rpower (1 + y) (s - 1) - s - s * (s - 1) * y).
  set (f2 := fun y => s * (s - 1) * Rpower (1 + y) (s - 2) - s * (s - 1)).
  set (f3 := fun y => s * (s - 1) * (s - 2) * Rpower (1 + y) (s - 3)).
  assert (D0 : forall y, -1 < y -> is_derive f0 y (f1 y)).
  { intros y Hy. unfold f0, f1. rewrite Rpower_pred by lra. unfold Rpower. auto_derive; [lra|]. field. lra. }
  assert (D1 : forall y, -1 < y -> is_derive f1 y (f2 y)).
  { intros y Hy. unfold f1, f2. replace (s - 2) with (s - 1 - 1) by ring. rewrite (Rpower_pred _ (s - 1)) by lra.
    unfold Rpower. auto_derive; [lra|]. field. lra. }
  assert (D2 : forall y, -1 < y -> is_derive f2 y (f3 y)).
  { intros y Hy. unfold f2, f3. replace (s - 3) with (s - 2 - 1) by ring. rewrite (Rpower_pred _ (s - 2)) by lra.
    unfold Rpower. auto_derive; [lra|]. field. lra. }
  assert (Z0 : f0 0 = 0) by (unfold f0; rewrite Rplus_0_r, Rpower_base_1; ring).
  assert (Z1 : f1 0 = 0) by (unfold f1; rewrite Rplus_0_r, Rpower_base_1; ring).
  assert (Z2 : f2 0 = 0) by (unfold f2; rewrite Rplus_0_r, Rpower_base_1; ring).
  destruct (mean_value_from_0 f0 f1 u D0 ltac:(lra)) as [c1 [H1 E1]].
  destruct (between_0 u c1 ltac:(lra) H1) as [A1 [B1 G1]].
  destruct (mean_value_from_0 f1 f2 c1 D1 B1) as [c2 [H2 E2]].
  destruct (between_0 c1 c2 B1 H2) as [A2 [B2 G2]].
  destruct (mean_value_from_0 f2 f3 c2 D2 B2) as [c3 [H3 E3]].
  destruct (between_0 c2 c3 B2 H3) as [A3 [B3 G3]].
  rewrite Z0, Rminus_0_r in E1. rewrite Z1, Rminus_0_r in E2. rewrite Z2, Rminus_0_r in E3.
  fold (f0 u). rewrite E1, E2, E3. unfold f3.
  assert (A0 := Rabs_pos c2). assert (A0' := Rabs_pos c3).
  assert (T := Rle_abs c3).
  assert (PW := Rpower_between (1 + c3) (s - 3) (2 + 2 * Rabs u) ltac:(lra) ltac:(lra) ltac:(lra)).
  rewrite 3!Rabs_mult, (Rabs_mult _ (Rpower (1 + c3) (s - 3))).
  rewrite (Rabs_right (Rpower (1 + c3) (s - 3))) by (assert (P := Rpower_pos (1 + c3) (s - 3)); lra).
  set (C := Rabs (s * (s - 1) * (s - 2))). set (W := Rpower (2 + 2 * Rabs u) (Rabs (s - 3))) in *.
  set (w := Rpower (1 + c3) (s - 3)) in *.
  assert (w0 : 0 < w) by apply Rpower_pos.
  rewrite 3!Rmult_assoc. apply Rmult_le_compat_l; [apply Rabs_pos|].
  replace (Rabs u ^ 3 * W) with (W * (Rabs u * (Rabs u * Rabs u))) by ring.
  apply Rmult_le_compat; [lra| |exact PW|].
  - apply Rmult_le_pos; [apply Rabs_pos|]. apply Rmult_le_pos; apply Rabs_pos.
  - apply Rmult_le_compat; [lra| |lra|].
    + apply Rmult_le_pos; apply Rabs_pos.
    + apply Rmult_le_compat_r; [apply Rabs_pos|exact A1].
Qed.

(** * The moments to third order in q *)

Section Fixed_sigma.
Variable sigma : R.
Hypothesis Hs : 0 < sigma.

Lemma tilted_mass (a : R) :
  int_line (fun z => mu0 sigma z * Rpower (ratio sigma z) a) (exp ((a ^ 2 - a) / (2 * sigma ^ 2))).
Proof.
  apply (int_line_ext (fun z => exp ((a ^ 2 - a) / (2 * sigma ^ 2)) * mu0 sigma (z - a))).
  - intros z. symmetry. apply mu0_tilted, Hs.
  - assert (X := int_line_scal _ (exp ((a ^ 2 - a) / (2 * sigma ^ 2))) _ (mu0_shift_normalised sigma a Hs)).
    rewrite Rmult_1_r in X. exact X.
Qed.

(** E[r - 1] = 0 and E[(r-1)^2] = exp(1/sigma^2) - 1. *)
Lemma ratio_mean : int_line (fun z => mu0 sigma z * (ratio sigma z - 1)) 0.
Proof.
  replace 0 with (1 - 1) by ring.
  apply (int_line_ext (fun z => mu1 sigma z - mu0 sigma z)).
  - intros z. rewrite mu1_eq_ratio by exact Hs. ring.
  - apply int_line_minus; [apply mu1_normalised|apply mu0_normalised]; exact Hs.
Qed.

Lemma ratio_variance :
  int_line (fun z => mu0 sigma z * (ratio sigma z - 1) ^ 2) (exp (1 / sigma ^ 2) - 1).
Proof.
  assert (X := int_line_minus _ _ _ _ (int_line_minus _ _ _ _ (tilted_mass 2) (mu1_normalised sigma Hs))
                 ratio_mean).
  cbv beta in X. replace (exp ((2 ^ 2 - 2) / (2 * sigma ^ 2)) - 1 - 0) with (exp (1 / sigma ^ 2) - 1) in X.
  - apply (int_line_ext _ _ _) with (2 := X). intros z. rewrite mu1_eq_ratio by exact Hs.
    replace 2 with (INR 2) at 1 by (simpl; ring). rewrite Rpower_pow by apply ratio_pos. ring.
  - rewrite Rminus_0_r. f_equal. f_equal. field. lra.
Qed.

(** What is left over after the second order, for one s and all q up to 1/2. *)
Definition rest (s : R) : R :=
  let a := 3 + Rabs (s - 3) in
  Rabs (s * (s - 1) * (s - 2)) *
  (Rpower 8 a + Rpower 4 a * exp ((a ^ 2 - a) / (2 * sigma ^ 2))).

Lemma rest_nonneg (s : R) : 0 <= rest s.
Proof.
  unfold rest. cbv zeta. set (a := 3 + Rabs (s - 3)). apply Rmult_le_pos; [apply Rabs_pos|].
  assert (X := Rpower_pos 8 a). assert (Y := Rpower_pos 4 a).
  assert (Z := exp_pos ((a ^ 2 - a) / (2 * sigma ^ 2))). nra.
Qed.

Lemma rest_pointwise (s q r : R) : 0 <= q <= 1 / 2 -> 0 < r ->
  Rabs (Rpower (1 - q + q * r) s - 1 - s * (q * (r - 1)) - s * (s - 1) / 2 * (q * (r - 1)) ^ 2)
    <= q ^ 3 * (Rabs (s * (s - 1) * (s - 2)) *
       (Rpower 8 (3 + Rabs (s - 3)) + Rpower 4 (3 + Rabs (s - 3)) * Rpower r (3 + Rabs (s - 3)))).
Proof.
  intros Hq Hr. set (u := q * (r - 1)). set (e := Rabs (s - 3)). assert (E0 : 0 <= e) by apply Rabs_pos.
  replace (1 - q + q * r) with (1 + u) by (unfold u; ring).
  assert (X := power_third_order s u ltac:(unfold u; nra)). fold e in X.
  apply Rle_trans with (1 := X). set (C := Rabs (s * (s - 1) * (s - 2))).
  assert (U : Rabs u <= q * (1 + r)).
  { unfold u. rewrite Rabs_mult, (Rabs_right q) by lra. apply Rmult_le_compat_l; [lra|].
    apply Rabs_le. lra. }
  assert (U0 := Rabs_pos u).
  replace (q ^ 3 * (C * (Rpower 8 (3 + e) + Rpower 4 (3 + e) * Rpower r (3 + e))))
    with (C * (q ^ 3 * (Rpower 8 (3 + e) + Rpower 4 (3 + e) * Rpower r (3 + e)))) by ring.
  apply Rmult_le_compat_l; [apply Rabs_pos|].
  assert (W : Rabs u ^ 3 * Rpower (2 + 2 * Rabs u) e <= q ^ 3 * Rpower (4 + 2 * r) (3 + e)).
  { assert (E3 : Rpower (4 + 2 * r) 3 = (4 + 2 * r) ^ 3).
    { rewrite <- Rpower_pow by lra. f_equal. simpl. ring. }
    rewrite Rpower_plus, E3. rewrite <- Rmult_assoc, <- Rpow_mult_distr.
    apply Rmult_le_compat; [apply pow_le, U0|left; apply Rpower_pos| |].
    - apply pow_incr. split; [exact U0|]. nra.
    - apply Rle_Rpower_l; [exact E0|]. nra. }
  apply Rle_trans with (1 := W). apply Rmult_le_compat_l; [apply pow_le; lra|].
  rewrite Rpower_mult_distr by lra.
  assert (P8 := Rpower_pos 8 (3 + e)). assert (P4 := Rpower_pos (4 * r) (3 + e)).
  destruct (Rle_dec r 2) as [S|S].
  - apply Rle_trans with (Rpower 8 (3 + e)); [apply Rle_Rpower_l; lra|lra].
  - apply Rle_trans with (Rpower (4 * r) (3 + e)); [apply Rle_Rpower_l; lra|lra].
Qed.

Theorem moment_small_rate (s q : R) : 0 <= q <= 1 / 2 ->
  Rabs (A q sigma s - 1 - s * (s - 1) / 2 * (exp (1 / sigma ^ 2) - 1) * q ^ 2) <= rest s * q ^ 3.
Proof.
  intros Hq. set (V := exp (1 / sigma ^ 2) - 1).
  set (a := 3 + Rabs (s - 3)). set (C := Rabs (s * (s - 1) * (s - 2))).
  assert (I := int_line_minus _ _ _ _ (int_line_minus _ _ _ _ (int_line_minus _ _ _ _
    (power_integral q sigma ltac:(lra) Hs s) (mu0_normalised sigma Hs))
    (int_line_scal _ (s * q) _ ratio_mean))
    (int_line_scal _ (s * (s - 1) / 2 * q ^ 2) _ ratio_variance)).
  assert (J := int_line_scal _ (q ^ 3 * C) _ (int_line_plus _ _ _ _
    (int_line_scal _ (Rpower 8 a) _ (mu0_normalised sigma Hs))
    (int_line_scal _ (Rpower 4 a) _ (tilted_mass a)))).
  assert (J' := int_line_scal _ (-1) _ J). cbv beta in I, J, J'. fold V in I.
  replace (s * q * 0) with 0 in I by ring. rewrite Rminus_0_r in I.
  replace (s * (s - 1) / 2 * q ^ 2 * V) with (s * (s - 1) / 2 * V * q ^ 2) in I by ring.
  assert (EJ : rest s * q ^ 3
    = q ^ 3 * C * (Rpower 8 a * 1 + Rpower 4 a * exp ((a ^ 2 - a) / (2 * sigma ^ 2)))).
  { unfold rest. cbv zeta. fold a C. ring. }
  assert (W : forall z, Rabs (power_integrand q sigma s z - mu0 sigma z
      - s * q * (mu0 sigma z * (ratio sigma z - 1))
      - s * (s - 1) / 2 * q ^ 2 * (mu0 sigma z * (ratio sigma z - 1) ^ 2))
      <= q ^ 3 * C * (Rpower 8 a * mu0 sigma z + Rpower 4 a * (mu0 sigma z * Rpower (ratio sigma z) a))).
  { intros z. assert (P := mu0_pos sigma z Hs). unfold power_integrand, mix_ratio.
    assert (X := rest_pointwise s q (ratio sigma z) Hq (ratio_pos sigma z)). fold a C in X.
    set (r := ratio sigma z) in *.
    replace (mu0 sigma z * Rpower (1 - q + q * r) s - mu0 sigma z - s * q * (mu0 sigma z * (r - 1))
      - s * (s - 1) / 2 * q ^ 2 * (mu0 sigma z * (r - 1) ^ 2))
      with (mu0 sigma z * (Rpower (1 - q + q * r) s - 1 - s * (q * (r - 1))
        - s * (s - 1) / 2 * (q * (r - 1)) ^ 2)) by ring.
    rewrite Rabs_mult, (Rabs_right (mu0 sigma z)) by lra.
    replace (q ^ 3 * C * (Rpower 8 a * mu0 sigma z + Rpower 4 a * (mu0 sigma z * Rpower r a)))
      with (mu0 sigma z * (q ^ 3 * (C * (Rpower 8 a + Rpower 4 a * Rpower r a)))) by ring.
    apply Rmult_le_compat_l; [lra|exact X]. }
  rewrite EJ. apply Rabs_le. split.
  - replace (- (q ^ 3 * C * (Rpower 8 a * 1 + Rpower 4 a * exp ((a ^ 2 - a) / (2 * sigma ^ 2)))))
      with (-1 * (q ^ 3 * C * (Rpower 8 a * 1 + Rpower 4 a * exp ((a ^ 2 - a) / (2 * sigma ^ 2))))) by ring.
    apply (int_line_le _ _ _ _) with (2 := J') (3 := I). intros z. cbv beta.
    assert (X := W z). apply Rabs_le_between in X. lra.
  - apply (int_line_le _ _ _ _) with (2 := I) (3 := J). intros z. cbv beta.
    assert (X := W z). apply Rabs_le_between in X. lra.
Qed.

(** * The divergences *)

Lemma ln_second_order (x : R) : Rabs x <= 1 / 2 -> Rabs (ln (1 + x) - x) <= 2 * x ^ 2.
Proof.
  intros Hx. apply Rabs_le_between in Hx.
  assert (U := ln_le_minus_1 (1 + x) ltac:(lra)).
  assert (L := ln_le_minus_1 (/ (1 + x)) ltac:(apply Rinv_0_lt_compat; lra)).
  rewrite ln_Rinv in L by lra.
  assert (E : / (1 + x) * (1 + x) = 1) by (apply Rinv_l; lra).
  assert (I0 : 0 < / (1 + x)) by (apply Rinv_0_lt_compat; lra).
  assert (I2 : / (1 + x) <= 2).
  { replace 2 with (/ (1 / 2)) by field. apply Rinv_le_contravar; lra. }
  assert (S : / (1 + x) - 1 + x = x ^ 2 * / (1 + x)) by (field; lra).
  assert (X2 := pow2_ge_0 x). apply Rabs_le. nra.
Qed.

(** ln E/q^2 -> c when E = 1 + c q^2 + O(q^3), with a rate. *)
Lemma log_small_rate (F : R -> R) (c K : R) : 0 <= c -> 0 <= K ->
  (forall q, 0 <= q <= 1 / 2 -> Rabs (F q - 1 - c * q ^ 2) <= K * q ^ 3) ->
  exists C d, 0 < d /\ forall q, 0 < q < d -> Rabs (ln (F q) - c * q ^ 2) <= C * q ^ 3.
Proof.
  intros Hc HK B. set (N := c + K + 1).
  exists (K + 2 * N ^ 2), (/ (2 * N)).
  assert (N1 : 1 <= N) by (unfold N; lra).
  split; [apply Rinv_0_lt_compat; lra|]. intros q [q0 Hq].
  assert (E : 2 * N * / (2 * N) = 1) by (apply Rinv_r; lra).
  assert (qN : 2 * N * q < 1) by nra.
  assert (q2 : q <= 1 / 2) by nra.
  assert (X := B q ltac:(lra)). set (x := F q - 1) in *.
  assert (Q2 : 0 < q ^ 2) by (apply pow_lt; lra). assert (Q3 : q ^ 3 = q * q ^ 2) by ring.
  assert (xB : Rabs x <= N * q ^ 2).
  { apply Rabs_le_between in X. apply Rabs_le. unfold N. rewrite Q3 in X.
    assert (T : K * (q * q ^ 2) <= K * q ^ 2) by (apply Rmult_le_compat_l; [exact HK|nra]).
    rewrite 2!Rmult_plus_distr_r. assert (nonneg1 : 0 <= c * q ^ 2) by (apply Rmult_le_pos; lra). lra. }
  assert (x1 : Rabs x <= 1 / 2).
  { apply Rle_trans with (1 := xB). replace (q ^ 2) with (q * q) by ring. nra. }
  assert (Y := ln_second_order x x1). replace (F q) with (1 + x) by (unfold x; ring).
  replace (ln (1 + x) - c * q ^ 2) with ((ln (1 + x) - x) + (x - c * q ^ 2)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _).
  assert (x2 : x ^ 2 <= N ^ 2 * q ^ 3).
  { rewrite <- pow2_abs. apply Rle_trans with ((N * q ^ 2) ^ 2).
    - apply pow_incr. split; [apply Rabs_pos|exact xB].
    - replace ((N * q ^ 2) ^ 2) with (N ^ 2 * q ^ 3 * q) by ring.
      assert (nonneg2 : 0 <= N ^ 2 * q ^ 3) by (apply Rmult_le_pos; apply pow_le; lra). nra. }
  lra.
Qed.

Section Order.
Variable alpha : R.
Hypothesis Ha : 1 < alpha.

Lemma variance_nonneg : 0 <= exp (1 / sigma ^ 2) - 1.
Proof.
  assert (pos3 : 0 < 1 / sigma ^ 2) by (apply Rdiv_lt_0_compat; [lra|apply pow_lt, Hs]).
  assert (X := exp_ineq1_le (1 / sigma ^ 2)). lra.
Qed.

Lemma divergence_of_log (l c C q : R) :
  Rabs (l - alpha * (alpha - 1) / 2 * c * q ^ 2) <= C * q ^ 3 ->
  Rabs (l / (alpha - 1) - alpha / 2 * c * q ^ 2) <= C / (alpha - 1) * q ^ 3.
Proof.
  intros H. replace (l / (alpha - 1) - alpha / 2 * c * q ^ 2)
    with (/ (alpha - 1) * (l - alpha * (alpha - 1) / 2 * c * q ^ 2)) by (field; lra).
  assert (I : 0 < / (alpha - 1)) by (apply Rinv_0_lt_compat; lra).
  rewrite Rabs_mult, (Rabs_right (/ (alpha - 1))) by lra.
  replace (C / (alpha - 1) * q ^ 3) with (/ (alpha - 1) * (C * q ^ 3)) by (field; lra).
  apply Rmult_le_compat_l; lra.
Qed.

(** Both divergences are q^2 alpha (exp(1/sigma^2) - 1)/2 + O(q^3). *)
Theorem renyi_small_rate : exists C d, 0 < d /\ forall q, 0 < q < d ->
  Rabs (renyi alpha (mu q sigma) (mu0 sigma) - alpha / 2 * (exp (1 / sigma ^ 2) - 1) * q ^ 2) <= C * q ^ 3 /\
  Rabs (renyi alpha (mu0 sigma) (mu q sigma) - alpha / 2 * (exp (1 / sigma ^ 2) - 1) * q ^ 2) <= C * q ^ 3.
Proof.
  set (V := exp (1 / sigma ^ 2) - 1). assert (V0 : 0 <= V) by exact variance_nonneg.
  assert (c0 : 0 <= alpha * (alpha - 1) / 2 * V) by (apply Rmult_le_pos; nra).
  destruct (log_small_rate (fun q => A q sigma alpha) _ _ c0 (rest_nonneg alpha)
    (fun q Hq => moment_small_rate alpha q Hq)) as [C1 [d1 [D1 K1]]].
  destruct (log_small_rate (fun q => A q sigma (1 - alpha)) (alpha * (alpha - 1) / 2 * V) _ c0
    (rest_nonneg (1 - alpha))) as [C2 [d2 [D2 K2]]].
  { intros q Hq. assert (X := moment_small_rate (1 - alpha) q Hq). fold V in X.
    replace ((1 - alpha) * (1 - alpha - 1) / 2 * V) with (alpha * (alpha - 1) / 2 * V) in X by field.
    exact X. }
  exists (Rmax C1 C2 / (alpha - 1)), (Rmin 1 (Rmin d1 d2)).
  assert (M1 := Rmin_l d1 d2). assert (M2 := Rmin_r d1 d2).
  assert (M3 := Rmin_l 1 (Rmin d1 d2)). assert (M4 := Rmin_r 1 (Rmin d1 d2)).
  assert (X1 := Rmax_l C1 C2). assert (X2 := Rmax_r C1 C2).
  split; [repeat apply Rmin_pos; lra|]. intros q Hq.
  assert (Q3 : 0 < q ^ 3) by (apply pow_lt; lra).
  rewrite renyi_mu_mu0, renyi_mu0_mu, (B_eq_A q sigma ltac:(lra) Hs).
  split; apply divergence_of_log.
  - apply Rle_trans with (1 := K1 q ltac:(lra)). apply Rmult_le_compat_r; lra.
  - apply Rle_trans with (1 := K2 q ltac:(lra)). apply Rmult_le_compat_r; lra.
Qed.

Lemma limit_from_right (f : R -> R) (c C d : R) : 0 < d ->
  (forall q, 0 < q < d -> Rabs (f q - c * q ^ 2) <= C * q ^ 3) ->
  filterlim (fun q => f q / q ^ 2) (at_right 0) (locally c).
Proof.
  intros Hd H. apply filterlim_locally. intros eps.
  assert (C0 : 0 < Rabs C + 1) by (assert (X := Rabs_pos C); lra).
  assert (P : 0 < Rmin d (eps / (Rabs C + 1)))
    by (apply Rmin_pos; [exact Hd|apply Rdiv_lt_0_compat; [apply cond_pos|exact C0]]).
  exists (mkposreal _ P). intros q Hq q0. change (Rabs (q - 0) < Rmin d (eps / (Rabs C + 1))) in Hq.
  rewrite Rminus_0_r, Rabs_right in Hq by lra.
  assert (M1 := Rmin_l d (eps / (Rabs C + 1))). assert (M2 := Rmin_r d (eps / (Rabs C + 1))).
  change (Rabs (f q / q ^ 2 - c) < eps).
  assert (Q2 : 0 < q ^ 2) by (apply pow_lt; lra).
  replace (f q / q ^ 2 - c) with (/ q ^ 2 * (f q - c * q ^ 2)) by (field; lra).
  assert (I : 0 < / q ^ 2) by (apply Rinv_0_lt_compat; lra).
  rewrite Rabs_mult, (Rabs_right (/ q ^ 2)) by lra.
  apply Rle_lt_trans with (/ q ^ 2 * (C * q ^ 3)).
  - apply Rmult_le_compat_l; [lra|apply H; lra].
  - replace (/ q ^ 2 * (C * q ^ 3)) with (C * q) by (field; lra).
    assert (CA := Rle_abs C). apply Rle_lt_trans with (Rabs C * q); [apply Rmult_le_compat_r; lra|].
    apply Rlt_le_trans with ((Rabs C + 1) * q); [apply Rmult_lt_compat_r; lra|].
    apply Rle_trans with ((Rabs C + 1) * (eps / (Rabs C + 1))).
    + apply Rmult_le_compat_l; lra.
    + right. field. lra.
Qed.

(** D_alpha/q^2 -> alpha (exp(1/sigma^2) - 1)/2 as q -> 0, in both directions. *)
Theorem renyi_quadratic :
  filterlim (fun q => renyi alpha (mu q sigma) (mu0 sigma) / q ^ 2) (at_right 0)
    (locally (alpha / 2 * (exp (1 / sigma ^ 2) - 1))) /\
  filterlim (fun q => renyi alpha (mu0 sigma) (mu q sigma) / q ^ 2) (at_right 0)
    (locally (alpha / 2 * (exp (1 / sigma ^ 2) - 1))).
Proof.
  destruct renyi_small_rate as [C [d [D K]]].
  exact (conj (limit_from_right _ _ C d D (fun q Hq => proj1 (K q Hq)))
              (limit_from_right _ _ C d D (fun q Hq => proj2 (K q Hq)))).
Qed.
End Order.
End Fixed_sigma.
