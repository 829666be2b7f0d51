(** Order 1 as a limit: the Renyi divergences of order alpha between mu and mu0
    tend to the Kullback-Leibler divergences as alpha tends to 1 from either side.

    With g = mu/mu0 and the moment M(b) = E_{mu0}[g^b], which is A at alpha = b and
    B at alpha = 1 - b, the exponential series gives
      |g^(b+h) - g^b - h g^b ln g| <= 4 h^2 (g^(b+2) + g^(b-2)),  |h| <= 1,
    and integrating it |M(b+h) - M(b) - h M'(b)| <= 4 h^2 (M(b+2) + M(b-2)).  At b = 1
    and b = 0 the derivative is a Kullback-Leibler integral and M(b) = 1. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB AGeqB MainTheorem DivergenceOrder.
Open Scope R_scope.

(** * The exponential to second order *)

Lemma exp_remainder (x : R) : 0 <= exp x - 1 - x <= x ^ 2 * exp (Rabs x).
Proof.
  assert (L := exp_ineq1_le x). assert (N := exp_ineq1_le (- x)). assert (P := exp_pos x).
  assert (E : exp x * exp (- x) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (U : exp x - 1 <= x * exp x) by nra.
  split; [lra|]. destruct (Rle_dec 0 x) as [S|S].
  - rewrite Rabs_right by lra. nra.
  - rewrite Rabs_left by lra. assert (Q := exp_pos (- x)).
    apply Rle_trans with (x ^ 2 * 1); [nra|].
    apply Rmult_le_compat_l; [apply pow2_ge_0|lra].
Qed.

Lemma square_below_exp (u : R) : 0 <= u -> u ^ 2 <= 4 * exp u.
Proof.
  intros Hu. assert (L := exp_ineq1_le (u / 2)).
  replace (exp u) with (exp (u / 2) * exp (u / 2)) by (rewrite <- exp_plus; f_equal; field). nra.
Qed.

Lemma power_remainder (g b h : R) : Rabs h <= 1 ->
  Rabs (Rpower g (b + h) - Rpower g b - h * (Rpower g b * ln g))
    <= 4 * h ^ 2 * (Rpower g (b + 2) + Rpower g (b - 2)).
Proof.
  intros Hh. set (t := ln g). set (p := Rpower g b).
  assert (P : 0 < p) by apply Rpower_pos.
  assert (E : Rpower g (b + h) - p - h * (p * t) = p * (exp (h * t) - 1 - h * t)).
  { unfold p, Rpower. rewrite Rmult_plus_distr_r, exp_plus. fold t. ring. }
  assert (E2 : Rpower g (b + 2) + Rpower g (b - 2) = p * (exp (2 * t) + exp (- (2 * t)))).
  { unfold p, Rpower. unfold Rminus. rewrite 2!Rmult_plus_distr_r, 2!exp_plus. fold t.
    replace (- (2) * t) with (- (2 * t)) by ring. ring. }
  assert (X := exp_remainder (h * t)). assert (A0 := Rabs_pos t).
  assert (S : (h * t) ^ 2 * exp (Rabs (h * t)) <= h ^ 2 * (4 * exp (Rabs t) * exp (Rabs t))).
  { replace ((h * t) ^ 2) with (h ^ 2 * Rabs t ^ 2) by (rewrite pow2_abs; ring).
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0|].
    apply Rmult_le_compat; [apply pow2_ge_0|left; apply exp_pos|apply square_below_exp, A0|].
    apply exp_le. rewrite Rabs_mult. nra. }
  assert (D : exp (Rabs t) * exp (Rabs t) <= exp (2 * t) + exp (- (2 * t))).
  { rewrite <- exp_plus. assert (Y := exp_pos (2 * t)). assert (Z := exp_pos (- (2 * t))).
    destruct (Rle_dec 0 t) as [C|C].
    - rewrite Rabs_right by lra. replace (t + t) with (2 * t) by ring. lra.
    - rewrite Rabs_left by lra. replace (- t + - t) with (- (2 * t)) by ring. lra. }
  fold p t. rewrite E, E2, Rabs_mult, (Rabs_right p), (Rabs_right (exp _ - 1 - _)) by lra.
  assert (H2 := pow2_ge_0 h).
  apply Rle_trans with (p * (h ^ 2 * (4 * exp (Rabs t) * exp (Rabs t)))).
  - apply Rmult_le_compat_l; lra.
  - replace (4 * h ^ 2 * (p * (exp (2 * t) + exp (- (2 * t)))))
      with (p * (h ^ 2 * (4 * (exp (2 * t) + exp (- (2 * t)))))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [exact H2|]. lra.
Qed.

(** * From a second-order bound to a limit *)

(** F(h) = 1 + h K + O(h^2) gives ln F(h)/h -> K. *)
Lemma log_quotient_limit (F : R -> R) (K C : R) : F 0 = 1 ->
  (forall h, Rabs h <= 1 -> Rabs (F h - 1 - h * K) <= C * h ^ 2) ->
  forall eps, 0 < eps -> exists d, 0 < d /\
    forall h, h <> 0 -> Rabs h < d -> Rabs (ln (F h) / h - K) < eps.
Proof.
  intros F0 B eps He.
  assert (D : is_derive F 0 K).
  { apply is_derive_Reals. intros e E0.
    assert (C0 : 0 < Rabs C + 1) by (assert (X := Rabs_pos C); lra).
    assert (P : 0 < Rmin 1 (e / (Rabs C + 1))) by (apply Rmin_pos; [lra|apply Rdiv_lt_0_compat; lra]).
    exists (mkposreal _ P). simpl. intros h Nh Hh.
    assert (M1 := Rmin_l 1 (e / (Rabs C + 1))). assert (M2 := Rmin_r 1 (e / (Rabs C + 1))).
    rewrite Rplus_0_l, F0. assert (Ph : 0 < Rabs h) by (apply Rabs_pos_lt, Nh).
    replace ((F h - 1) / h - K) with ((F h - 1 - h * K) / h) by (field; exact Nh).
    unfold Rdiv. rewrite Rabs_mult, Rabs_inv.
    apply Rmult_lt_reg_r with (Rabs h); [exact Ph|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_lt_trans with (1 := B h ltac:(lra)).
    replace (h ^ 2) with (Rabs h * Rabs h) by (rewrite <- (pow2_abs h); ring).
    rewrite <- Rmult_assoc. apply Rmult_lt_compat_r; [exact Ph|].
    assert (CA := Rle_abs C).
    apply Rle_lt_trans with (Rabs C * Rabs h); [apply Rmult_le_compat_r; lra|].
    apply Rlt_le_trans with ((Rabs C + 1) * Rabs h); [apply Rmult_lt_compat_r; lra|].
    apply Rle_trans with ((Rabs C + 1) * (e / (Rabs C + 1))).
    - apply Rmult_le_compat_l; lra.
    - right. field. lra. }
  assert (DL : is_derive (fun h => ln (F h)) 0 K).
  { replace K with (K * 1) by ring.
    apply (is_derive_comp ln F 0 1 K); [|exact D].
    rewrite F0. replace 1 with (/ 1) at 2 by field. apply is_derive_Reals, derivable_pt_lim_ln. lra. }
  apply is_derive_Reals in DL. destruct (DL eps He) as [d Hd]. exists d. split; [apply cond_pos|].
  intros h Nh Hh. assert (X := Hd h Nh Hh). rewrite Rplus_0_l, F0, ln_1, Rminus_0_r in X. exact X.
Qed.

(** * The moments near an order *)

Section Fixed_q_sigma.
Variables q sigma : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.
Let m := mix_ratio q sigma.

Lemma power_integral (b : R) : int_line (power_integrand q sigma b) (A q sigma b).
Proof.
  apply (int_line_ext (A_integrand q sigma b)); [|apply A_is_integral; assumption].
  intros z. apply A_integrand_eq; assumption.
Qed.

Lemma moment_expansion (b K h : R) : Rabs h <= 1 ->
  int_line (fun z => mu0 sigma z * (Rpower (m z) b * ln (m z))) K ->
  Rabs (A q sigma (b + h) - A q sigma b - h * K)
    <= 4 * (A q sigma (b + 2) + A q sigma (b - 2)) * h ^ 2.
Proof.
  intros Hh HK.
  assert (I := int_line_minus _ _ _ _
    (int_line_minus _ _ _ _ (power_integral (b + h)) (power_integral b)) (int_line_scal _ h _ HK)).
  assert (J := int_line_scal _ (4 * h ^ 2) _
    (int_line_plus _ _ _ _ (power_integral (b + 2)) (power_integral (b - 2)))).
  assert (J' := int_line_scal _ (-1) _ J). cbv beta in I, J, J'.
  replace (4 * (A q sigma (b + 2) + A q sigma (b - 2)) * h ^ 2)
    with (4 * h ^ 2 * (A q sigma (b + 2) + A q sigma (b - 2))) by ring.
  assert (W : forall z, Rabs (power_integrand q sigma (b + h) z - power_integrand q sigma b z
      - h * (mu0 sigma z * (Rpower (m z) b * ln (m z))))
      <= 4 * h ^ 2 * (power_integrand q sigma (b + 2) z + power_integrand q sigma (b - 2) z)).
  { intros z. assert (P := mu0_pos sigma z Hs). unfold power_integrand. fold (m z).
    replace (mu0 sigma z * Rpower (m z) (b + h) - mu0 sigma z * Rpower (m z) b
      - h * (mu0 sigma z * (Rpower (m z) b * ln (m z))))
      with (mu0 sigma z * (Rpower (m z) (b + h) - Rpower (m z) b - h * (Rpower (m z) b * ln (m z)))) by ring.
    rewrite Rabs_mult, (Rabs_right (mu0 sigma z)) by lra.
    replace (4 * h ^ 2 * (mu0 sigma z * Rpower (m z) (b + 2) + mu0 sigma z * Rpower (m z) (b - 2)))
      with (mu0 sigma z * (4 * h ^ 2 * (Rpower (m z) (b + 2) + Rpower (m z) (b - 2)))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply power_remainder, Hh. }
  apply Rabs_le. split.
  - replace (- (4 * h ^ 2 * (A q sigma (b + 2) + A q sigma (b - 2))))
      with (-1 * (4 * h ^ 2 * (A q sigma (b + 2) + A q sigma (b - 2)))) by ring.
    apply (int_line_le _ _ _ _) with (2 := J') (3 := I). intros z. cbv beta.
    assert (X := W z). apply Rabs_le_between in X. lra.
  - apply (int_line_le _ _ _ _) with (2 := I) (3 := J). intros z. cbv beta.
    assert (X := W z). apply Rabs_le_between in X. lra.
Qed.

Lemma kl_forward_integral :
  int_line (fun z => mu0 sigma z * (Rpower (m z) 1 * ln (m z))) (KL (mu q sigma) (mu0 sigma)).
Proof.
  apply (int_line_ext (kl_integrand (mu q sigma) (mu0 sigma))); [|exact (proj1 (KL_is_integral q sigma Hq Hs))].
  intros z. unfold kl_integrand, m. rewrite mu_over_mu0, mu_eq_mix_ratio by exact Hs.
  rewrite Rpower_1 by (apply mix_ratio_pos, Hq). ring.
Qed.

Lemma kl_backward_integral :
  int_line (fun z => mu0 sigma z * (Rpower (m z) 0 * ln (m z))) (- KL (mu0 sigma) (mu q sigma)).
Proof.
  replace (- KL (mu0 sigma) (mu q sigma)) with (-1 * KL (mu0 sigma) (mu q sigma)) by ring.
  apply (int_line_ext (fun z => -1 * kl_integrand (mu0 sigma) (mu q sigma) z)).
  - intros z. unfold kl_integrand, m. assert (P := mu0_pos sigma z Hs).
    assert (M := mix_ratio_pos q sigma Hq z).
    replace (mu0 sigma z / mu q sigma z) with (/ mix_ratio q sigma z)
      by (rewrite mu_eq_mix_ratio by exact Hs; field; lra).
    rewrite ln_Rinv, Rpower_O by exact M. ring.
  - apply int_line_scal, (proj2 (KL_is_integral q sigma Hq Hs)).
Qed.

(** How fast the moments approach 1. *)
Theorem A_near_order_1 (h : R) : Rabs h <= 1 ->
  Rabs (A q sigma (1 + h) - 1 - h * KL (mu q sigma) (mu0 sigma))
    <= 4 * (A q sigma 3 + A q sigma (-1)) * h ^ 2.
Proof.
  intros Hh. assert (X := moment_expansion 1 _ h Hh kl_forward_integral).
  rewrite (A_order_1 q sigma 1 Hq Hs eq_refl) in X.
  replace (1 + 2) with 3 in X by ring. replace (1 - 2) with (-1) in X by ring. exact X.
Qed.

Theorem B_near_order_1 (h : R) : Rabs h <= 1 ->
  Rabs (B q sigma (1 + h) - 1 - h * KL (mu0 sigma) (mu q sigma))
    <= 4 * (A q sigma 2 + A q sigma (-2)) * h ^ 2.
Proof.
  intros Hh. assert (Hh' : Rabs (- h) <= 1) by (rewrite Rabs_Ropp; exact Hh).
  assert (X := moment_expansion 0 _ (- h) Hh' kl_backward_integral).
  assert (E : A q sigma 0 = 1).
  { replace 0 with (1 - 1) at 1 by ring. rewrite <- (B_eq_A q sigma Hq Hs).
    rewrite <- (A_eq_B q sigma 1 Hq Hs ltac:(right; right; reflexivity)).
    exact (A_order_1 q sigma 1 Hq Hs eq_refl). }
  rewrite E in X. rewrite (B_eq_A q sigma Hq Hs).
  replace (1 - (1 + h)) with (0 + - h) by ring.
  replace (0 + 2) with 2 in X by ring. replace (0 - 2) with (-2) in X by ring.
  replace (h * KL (mu0 sigma) (mu q sigma)) with (- h * - KL (mu0 sigma) (mu q sigma)) by ring.
  replace (h ^ 2) with ((- h) ^ 2) by ring. exact X.
Qed.

Lemma limit_at_1 (f : R -> R) (l : R) :
  (forall eps, 0 < eps -> exists d, 0 < d /\ forall h, h <> 0 -> Rabs h < d -> Rabs (f (1 + h) - l) < eps) ->
  is_lim f 1 l.
Proof.
  intros H. apply is_lim_spec. intros eps. destruct (H eps (cond_pos eps)) as [d [D0 D]].
  exists (mkposreal d D0). intros y Hy Ny.
  replace y with (1 + (y - 1)) by ring. apply D; [lra|exact Hy].
Qed.

(** D_alpha(mu || mu0) -> KL(mu || mu0) as alpha -> 1. *)
Theorem renyi_limit_forward :
  is_lim (fun alpha => renyi alpha (mu q sigma) (mu0 sigma)) 1 (KL (mu q sigma) (mu0 sigma)).
Proof.
  apply limit_at_1. intros eps He.
  destruct (log_quotient_limit (fun h => A q sigma (1 + h)) _ _
    ltac:(cbv beta; rewrite Rplus_0_r; exact (A_order_1 q sigma 1 Hq Hs eq_refl)) A_near_order_1 eps He)
    as [d [D0 D]].
  exists d. split; [exact D0|]. intros h Nh Hh. rewrite renyi_mu_mu0.
  replace (1 + h - 1) with h by ring. exact (D h Nh Hh).
Qed.

(** D_alpha(mu0 || mu) -> KL(mu0 || mu) as alpha -> 1. *)
Theorem renyi_limit_backward :
  is_lim (fun alpha => renyi alpha (mu0 sigma) (mu q sigma)) 1 (KL (mu0 sigma) (mu q sigma)).
Proof.
  apply limit_at_1. intros eps He.
  assert (B1 : B q sigma (1 + 0) = 1).
  { rewrite Rplus_0_r, <- (A_eq_B q sigma 1 Hq Hs ltac:(right; right; reflexivity)).
    exact (A_order_1 q sigma 1 Hq Hs eq_refl). }
  destruct (log_quotient_limit (fun h => B q sigma (1 + h)) _ _ B1 B_near_order_1 eps He) as [d [D0 D]].
  exists d. split; [exact D0|]. intros h Nh Hh. rewrite renyi_mu0_mu.
  replace (1 + h - 1) with h by ring. exact (D h Nh Hh).
Qed.
End Fixed_q_sigma.
