(** A lower bound with no condition: D_alpha(mu || mu0) >= q^2 alpha/(2 sigma^2) for every
    q, sigma and alpha > 1.  So the closed form of Theorem 11 is never more than four
    times the truth; and it is close to four times the truth for large sigma and small
    q, so that no factor below 4 would do.

    The mixture mu is compared with the single Gaussian N(q, sigma^2), whose divergence
    is exactly q^2 alpha/(2 sigma^2).  With c its likelihood ratio to mu0, Bernoulli's
    inequality g^alpha >= c^alpha + alpha c^(alpha-1) (g - c) at g = mu/mu0 is integrated;
    the moment generating function of the mixture is above that of N(q, sigma^2) because
    (1-q) + q e^x >= e^(q x). *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis LogBounds Integral Gaussian AB AGeqB SplitPoint MainTheorem OrderOne SmallRate.
Open Scope R_scope.

(** (1-q) + q e^x >= e^(q x). *)
Lemma mixture_above_exp (q x : R) : 0 <= q <= 1 -> exp (q * x) <= (1 - q) + q * exp x.
Proof.
  intros Hq. assert (P := exp_pos (q * x)).
  assert (U := exp_ineq1_le (- (q * x))). assert (V := exp_ineq1_le (x - q * x)).
  assert (E1 : exp (q * x) * exp (- (q * x)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (E2 : exp x = exp (q * x) * exp (x - q * x)) by (rewrite <- exp_plus; f_equal; ring).
  assert (S : exp (q * x) <= exp (q * x) * ((1 - q) * exp (- (q * x)) + q * exp (x - q * x))).
  { rewrite <- (Rmult_1_r (exp (q * x))) at 1. apply Rmult_le_compat_l; [lra|]. nra. }
  rewrite E2. replace (1 - q + q * (exp (q * x) * exp (x - q * x)))
    with (exp (q * x) * ((1 - q) * exp (- (q * x)) + q * exp (x - q * x))); [exact S|].
  rewrite Rmult_plus_distr_l. f_equal; [|ring].
  replace (exp (q * x) * ((1 - q) * exp (- (q * x)))) with ((1 - q) * (exp (q * x) * exp (- (q * x)))) by ring.
  rewrite E1. ring.
Qed.

(** The tangent of the power at c. *)
Lemma power_above_tangent (g c alpha : R) : 0 < g -> 0 < c -> 1 <= alpha ->
  (1 - alpha) * Rpower c alpha + alpha * (Rpower c (alpha - 1) * g) <= Rpower g alpha.
Proof.
  intros Hg Hc Ha. assert (G : 0 < g / c) by (apply Rdiv_lt_0_compat; assumption).
  assert (K := bernoulli_exponent_ge_1 alpha (g / c - 1) Ha ltac:(lra)).
  replace (1 + (g / c - 1)) with (g / c) in K by ring.
  assert (P := Rpower_pos c alpha).
  assert (E : Rpower g alpha = Rpower c alpha * Rpower (g / c) alpha).
  { rewrite Rpower_mult_distr by assumption. f_equal. field. lra. }
  rewrite E, Rpower_pred by exact Hc.
  apply Rle_trans with (Rpower c alpha * (1 + alpha * (g / c - 1))).
  - right. field. lra.
  - apply Rmult_le_compat_l; lra.
Qed.

Section Bound.
Variables q sigma : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

(** The likelihood ratio of N(q, sigma^2) to mu0 is k r^q with r = mu1/mu0. *)
Let k := exp ((q - q ^ 2) / (2 * sigma ^ 2)).
Let c z := k * Rpower (ratio sigma z) q.

Lemma c_power (z s : R) : Rpower (c z) s = Rpower k s * Rpower (ratio sigma z) (q * s).
Proof.
  unfold c. rewrite <- Rpower_mult_distr; [|apply exp_pos|apply Rpower_pos].
  rewrite Rpower_mult. reflexivity.
Qed.

(** E_{mu0}[r^b c^s]. *)
Lemma c_moment (b s : R) :
  int_line (fun z => mu0 sigma z * (Rpower (ratio sigma z) b * Rpower (c z) s))
    (exp (((q * s + b) ^ 2 - (q * s + b) + s * (q - q ^ 2)) / (2 * sigma ^ 2))).
Proof.
  assert (X := int_line_scal _ (Rpower k s) _ (tilted_mass sigma Hs (q * s + b))).
  replace (exp (((q * s + b) ^ 2 - (q * s + b) + s * (q - q ^ 2)) / (2 * sigma ^ 2)))
    with (Rpower k s * exp (((q * s + b) ^ 2 - (q * s + b)) / (2 * sigma ^ 2))).
  - apply (int_line_ext _ _ _) with (2 := X). intros z. rewrite c_power, Rpower_plus. ring.
  - unfold k, Rpower. rewrite ln_exp, <- exp_plus. f_equal. field. lra.
Qed.

Theorem A_lower_bound (alpha : R) : 1 <= alpha ->
  exp (q ^ 2 * alpha * (alpha - 1) / (2 * sigma ^ 2)) <= A q sigma alpha.
Proof.
  intros Ha. set (E := exp (q ^ 2 * alpha * (alpha - 1) / (2 * sigma ^ 2))).
  assert (I1 := int_line_scal _ (1 - alpha) _ (c_moment 0 alpha)).
  assert (I2 := int_line_scal _ (alpha * (1 - q)) _ (c_moment 0 (alpha - 1))).
  assert (I3 := int_line_scal _ (alpha * q) _ (c_moment 1 (alpha - 1))).
  assert (I := int_line_plus _ _ _ _ I1 (int_line_plus _ _ _ _ I2 I3)). cbv beta in I.
  apply Rle_trans with ((1 - alpha) * E
    + alpha * (exp (q ^ 2 * (alpha - 1) * (alpha - 2) / (2 * sigma ^ 2))
               * ((1 - q) + q * exp (q * (alpha - 1) / sigma ^ 2)))).
  - assert (M := mixture_above_exp q (q * (alpha - 1) / sigma ^ 2) Hq).
    assert (P := exp_pos (q ^ 2 * (alpha - 1) * (alpha - 2) / (2 * sigma ^ 2))).
    assert (EE : E = exp (q ^ 2 * (alpha - 1) * (alpha - 2) / (2 * sigma ^ 2))
                     * exp (q * (q * (alpha - 1) / sigma ^ 2))).
    { unfold E. rewrite <- exp_plus. f_equal. field. lra. }
    apply Rmult_le_compat_l with (r := alpha * exp (q ^ 2 * (alpha - 1) * (alpha - 2) / (2 * sigma ^ 2))) in M;
      [|apply Rmult_le_pos; lra].
    rewrite Rmult_assoc, <- EE in M. rewrite Rmult_assoc in M. lra.
  - assert (X := power_integral q sigma Hq Hs alpha).
    refine (int_line_le _ _ _ _ _ _ X).
    2:{ replace ((1 - alpha) * E + alpha * (exp (q ^ 2 * (alpha - 1) * (alpha - 2) / (2 * sigma ^ 2))
          * (1 - q + q * exp (q * (alpha - 1) / sigma ^ 2)))) with
          ((1 - alpha) * exp (((q * alpha + 0) ^ 2 - (q * alpha + 0) + alpha * (q - q ^ 2)) / (2 * sigma ^ 2))
           + (alpha * (1 - q) * exp (((q * (alpha - 1) + 0) ^ 2 - (q * (alpha - 1) + 0)
               + (alpha - 1) * (q - q ^ 2)) / (2 * sigma ^ 2))
             + alpha * q * exp (((q * (alpha - 1) + 1) ^ 2 - (q * (alpha - 1) + 1)
               + (alpha - 1) * (q - q ^ 2)) / (2 * sigma ^ 2)))); [exact I|].
        replace (((q * alpha + 0) ^ 2 - (q * alpha + 0) + alpha * (q - q ^ 2)) / (2 * sigma ^ 2))
          with (q ^ 2 * alpha * (alpha - 1) / (2 * sigma ^ 2)) by (field; lra).
        replace (((q * (alpha - 1) + 0) ^ 2 - (q * (alpha - 1) + 0) + (alpha - 1) * (q - q ^ 2)) / (2 * sigma ^ 2))
          with (q ^ 2 * (alpha - 1) * (alpha - 2) / (2 * sigma ^ 2)) by (field; lra).
        replace (((q * (alpha - 1) + 1) ^ 2 - (q * (alpha - 1) + 1) + (alpha - 1) * (q - q ^ 2)) / (2 * sigma ^ 2))
          with (q ^ 2 * (alpha - 1) * (alpha - 2) / (2 * sigma ^ 2) + q * (alpha - 1) / sigma ^ 2) by (field; lra).
        rewrite exp_plus. fold E. ring. }
    intros z. cbv beta. assert (P := mu0_pos sigma z Hs). assert (R0 := ratio_pos sigma z).
    assert (C0 : 0 < c z) by (apply Rmult_lt_0_compat; [apply exp_pos|apply Rpower_pos]).
    assert (T := power_above_tangent (mix_ratio q sigma z) (c z) alpha
                   (mix_ratio_pos q sigma Hq z) C0 Ha).
    unfold power_integrand. rewrite Rpower_O, Rpower_1 by exact R0.
    apply Rle_trans with (mu0 sigma z * ((1 - alpha) * Rpower (c z) alpha
      + alpha * (Rpower (c z) (alpha - 1) * mix_ratio q sigma z))).
    + right. unfold mix_ratio. ring.
    + apply Rmult_le_compat_l; lra.
Qed.

(** D_alpha(mu || mu0) >= q^2 alpha/(2 sigma^2), the divergence of N(q, sigma^2) from mu0. *)
Theorem renyi_lower_bound (alpha : R) : 1 < alpha ->
  q ^ 2 * alpha / (2 * sigma ^ 2) <= renyi alpha (mu q sigma) (mu0 sigma).
Proof.
  intros Ha. assert (X := A_lower_bound alpha ltac:(lra)). rewrite renyi_mu_mu0.
  apply ln_le in X; [|apply exp_pos]. rewrite ln_exp in X.
  assert (I : 0 < / (alpha - 1)) by (apply Rinv_0_lt_compat; lra).
  apply Rmult_le_compat_r with (r := / (alpha - 1)) in X; [|lra].
  apply Rle_trans with (2 := X). right. field. lra.
Qed.
End Bound.

(** Under its conditions the closed form of Theorem 11 is at most four times the truth. *)
Theorem within_factor_4 (q sigma alpha : R) : theorem_11_conditions q sigma alpha ->
  renyi alpha (mu q sigma) (mu0 sigma) < 2 * q ^ 2 * alpha / sigma ^ 2 /\
  2 * q ^ 2 * alpha / sigma ^ 2 <= 4 * renyi alpha (mu q sigma) (mu0 sigma).
Proof.
  intros C. split; [exact (proj1 (main_theorem q sigma alpha C))|].
  destruct C as [Hq [Hs [Ha _]]].
  assert (X := renyi_lower_bound q sigma ltac:(lra) ltac:(lra) alpha Ha).
  replace (2 * q ^ 2 * alpha / sigma ^ 2) with (4 * (q ^ 2 * alpha / (2 * sigma ^ 2))) by (field; lra). lra.
Qed.

(** * No factor below 4 *)

(** Two conditions of Theorem 11 hold at order 2 as soon as q <= 1/(e sigma). *)
Lemma conditions_for_small_q (q sigma : R) : 4 <= sigma -> 0 < q <= 1 / 5 -> q * (exp 1 * sigma) <= 1 ->
  theorem_11_conditions q sigma 2.
Proof.
  intros Hs Hq Hqs. assert (S0 : 0 < ln sigma) by (apply ln_pos; lra).
  assert (S2 : 16 <= sigma ^ 2) by nra.
  set (l := L q 2). assert (El : l = ln (1 + 1 / (q * (2 - 1)))) by reflexivity.
  assert (L1 : 1 + ln sigma <= l).
  { rewrite El. replace (q * (2 - 1)) with q by ring.
    replace (1 + ln sigma) with (ln (exp 1 * sigma)) by (rewrite ln_mult, ln_exp by (try apply exp_pos; lra); ring).
    assert (E0 := exp_pos 1). apply ln_le; [nra|].
    apply Rle_trans with (1 / q); [|lra]. apply Rmult_le_reg_l with q; [lra|].
    replace (q * (1 / q)) with 1 by (field; lra). exact Hqs. }
  assert (LQ : l + ln (q * 2) = ln (2 * (1 + q))).
  { rewrite El, <- ln_mult; [f_equal; field; lra| |lra].
    assert (pos1 : 0 < 1 / (q * (2 - 1))) by (apply Rdiv_lt_0_compat; lra). lra. }
  assert (D0 : 0 < ln (2 * (1 + q))) by (apply ln_pos; lra).
  assert (D2 : ln (2 * (1 + q)) <= 7 / 5) by (assert (X := ln_le_minus_1 (2 * (1 + q)) ltac:(lra)); lra).
  assert (SI : 0 < 1 / (2 * sigma ^ 2) <= 1 / 32).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_l with (2 * sigma ^ 2); [lra|].
    replace (2 * sigma ^ 2 * (1 / (2 * sigma ^ 2))) with 1 by (field; lra). lra. }
  assert (L5 : ln 5 <= 4) by (assert (X := ln_le_minus_1 5 ltac:(lra)); lra).
  repeat split; [lra|lra|exact Hs|lra| |].
  - fold l. nra.
  - fold l. rewrite LQ.
    apply Rmult_le_reg_r with (ln (2 * (1 + q)) + 1 / (2 * sigma ^ 2)); [lra|].
    unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (l2 : (1 + ln sigma) ^ 2 <= l ^ 2) by (apply pow_incr; lra).
    assert (fact2 : 8 * l ^ 2 <= 1 / 2 * sigma ^ 2 * l ^ 2) by (assert (Y := pow2_ge_0 l); nra).
    nra.
Qed.

(** For every factor below 4 there are parameters within Theorem 11 where its bound is larger than
    that factor times the truth. *)
Theorem factor_4_optimal (factor : R) : factor < 4 ->
  exists q sigma alpha, theorem_11_conditions q sigma alpha /\
    factor * renyi alpha (mu q sigma) (mu0 sigma) < 2 * q ^ 2 * alpha / sigma ^ 2.
Proof.
  intros Hf. set (f := Rmax factor 1). assert (f1 : factor <= f) by apply Rmax_l.
  assert (f2 : 1 <= f) by apply Rmax_r. assert (f4 : f < 4) by (apply Rmax_lub_lt; lra).
  (* x = 1/sigma^2 so small that f (exp x - 1) < 4 x *)
  set (x := Rmin (1 / 16) ((4 - f) / 16)).
  assert (x0 : 0 < x) by (apply Rmin_pos; lra).
  assert (x1 : x <= 1 / 16) by apply Rmin_l. assert (x2 : x <= (4 - f) / 16) by apply Rmin_r.
  set (sigma := / sqrt x). assert (Sx : 0 < sqrt x) by (apply sqrt_lt_R0, x0).
  assert (Hs0 : 0 < sigma) by (apply Rinv_0_lt_compat, Sx).
  assert (Es : sigma ^ 2 = / x).
  { unfold sigma. rewrite <- Rinv_pow by lra. rewrite pow2_sqrt by lra. reflexivity. }
  assert (Hs : 4 <= sigma).
  { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. replace (sigma * sigma) with (sigma ^ 2) by ring.
    rewrite Es. replace (4 * 4) with (/ (1 / 16)) by field. apply Rinv_le_contravar; lra. }
  assert (Ex : 1 / sigma ^ 2 = x) by (rewrite Es; field; lra).
  assert (V : f * (exp x - 1) < 4 * x).
  { assert (X := proj2 (exp_remainder x)). rewrite Rabs_right in X by lra.
    assert (E3 : exp x <= 2).
    { apply Rle_trans with (exp (1 / 16)); [apply exp_le; lra|].
      assert (Y := exp_ineq1_le (- (1 / 16))). assert (P := exp_pos (1 / 16)).
      assert (E : exp (1 / 16) * exp (- (1 / 16)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0). nra. }
    assert (Z : exp x - 1 <= x + 2 * x ^ 2) by nra.
    apply Rle_lt_trans with (f * (x + 2 * x ^ 2)); [apply Rmult_le_compat_l; lra|].
    replace (f * (x + 2 * x ^ 2)) with (x * (f + 2 * f * x)) by ring.
    replace (4 * x) with (x * 4) by ring. apply Rmult_lt_compat_l; [exact x0|]. nra. }
  destruct (renyi_small_rate sigma Hs0 2 ltac:(lra)) as [C [d [D K]]]. rewrite Ex in K.
  set (gap := 4 * x - f * (exp x - 1)). assert (G0 : 0 < gap) by (unfold gap; lra).
  set (q := Rmin (d / 2) (Rmin (1 / 5) (Rmin (/ (exp 1 * sigma)) (gap / (8 * (Rabs C + 1)))))).
  assert (E1 := exp_pos 1). assert (C0 : 0 < Rabs C + 1) by (assert (Y := Rabs_pos C); lra).
  assert (ES : 0 < exp 1 * sigma) by nra.
  assert (q0 : 0 < q).
  { unfold q. repeat apply Rmin_pos; [lra|lra|apply Rinv_0_lt_compat, ES|apply Rdiv_lt_0_compat; lra]. }
  assert (qd : q <= d / 2) by apply Rmin_l.
  assert (qr : q <= Rmin (1 / 5) (Rmin (/ (exp 1 * sigma)) (gap / (8 * (Rabs C + 1))))) by apply Rmin_r.
  assert (Y1 := Rmin_l (1 / 5) (Rmin (/ (exp 1 * sigma)) (gap / (8 * (Rabs C + 1))))).
  assert (Y2 := Rmin_r (1 / 5) (Rmin (/ (exp 1 * sigma)) (gap / (8 * (Rabs C + 1))))).
  assert (Y3 := Rmin_l (/ (exp 1 * sigma)) (gap / (8 * (Rabs C + 1)))).
  assert (Y4 := Rmin_r (/ (exp 1 * sigma)) (gap / (8 * (Rabs C + 1)))).
  exists q, sigma, 2. split.
  - apply conditions_for_small_q; [exact Hs|lra|].
    apply Rle_trans with (/ (exp 1 * sigma) * (exp 1 * sigma)); [apply Rmult_le_compat_r; lra|].
    right. apply Rinv_l. lra.
  - destruct (K q ltac:(lra)) as [B _]. apply Rabs_le_between in B. destruct B as [_ B].
    assert (LB := renyi_lower_bound q sigma ltac:(lra) Hs0 2 ltac:(lra)).
    assert (Q2 : 0 < q ^ 2) by (apply pow_lt, q0).
    assert (D0 : 0 <= renyi 2 (mu q sigma) (mu0 sigma)).
    { apply Rle_trans with (2 := LB). apply Rlt_le, Rdiv_lt_0_compat; nra. }
    apply Rle_lt_trans with (f * renyi 2 (mu q sigma) (mu0 sigma)); [apply Rmult_le_compat_r; assumption|].
    replace (2 * q ^ 2 * 2 / sigma ^ 2) with (q ^ 2 * (4 * x)) by (rewrite <- Ex; field; lra).
    assert (CA := Rle_abs C).
    assert (Cq : C * q <= gap / 8).
    { apply Rle_trans with ((Rabs C + 1) * q); [apply Rmult_le_compat_r; lra|].
      apply Rle_trans with ((Rabs C + 1) * (gap / (8 * (Rabs C + 1)))); [apply Rmult_le_compat_l; lra|].
      right. field. lra. }
    apply Rle_lt_trans with (f * (q ^ 2 * (exp x - 1 + gap / 8))).
    + apply Rmult_le_compat_l; [lra|].
      replace (C * q ^ 3) with (q ^ 2 * (C * q)) in B by ring.
      assert (fact3 : q ^ 2 * (C * q) <= q ^ 2 * (gap / 8)) by (apply Rmult_le_compat_l; lra). lra.
    + replace (f * (q ^ 2 * (exp x - 1 + gap / 8))) with (q ^ 2 * (f * (exp x - 1) + f * (gap / 8))) by ring.
      apply Rmult_lt_compat_l; [exact Q2|].
      assert (fact4 : f * (gap / 8) < gap) by nra. unfold gap in *. lra.
Qed.
