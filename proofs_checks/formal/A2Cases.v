(** The scalar part of Lemma 10: under the two conditions on alpha,
    (q alpha)^alpha exp(-z0 (z0 - 2 alpha)/(2 sigma^2)) < 0.9 q^2 alpha (alpha-1)/sigma^2.

    Both sides are compared through their logarithms, in the paper's three
    cases: alpha < 2; alpha >= 2 with q(alpha-1) < 1/3; q(alpha-1) >= 1/3. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis LogBounds SplitPoint.
Open Scope R_scope.

(** ln p + L = ln(p+1) with p = q(alpha-1). *)
Lemma ln_p_plus_L (q alpha : R) : 0 < q -> 1 < alpha ->
  ln q + ln (alpha - 1) + L q alpha = ln (q * (alpha - 1) + 1).
Proof.
  intros Hq Ha. assert (P := q_alpha_pos q alpha Hq Ha). assert (X := r0_gt_1 q alpha Hq Ha).
  unfold L. unfold r0 in X. rewrite <- 2!ln_mult by lra. f_equal. field. lra.
Qed.

(** The denominator of the second condition is positive: L + ln(q alpha) > 0. *)
Lemma L_plus_ln_pos (q alpha : R) : 0 < q -> 1 < alpha -> 0 < L q alpha + ln (q * alpha).
Proof.
  intros Hq Ha. assert (P := q_alpha_pos q alpha Hq Ha).
  assert (E := ln_p_plus_L q alpha Hq Ha). rewrite ln_mult by lra.
  assert (nonneg1 : 0 <= ln (q * (alpha - 1) + 1)) by (apply ln_nonneg; lra).
  assert (fact2 : ln (alpha - 1) < ln alpha) by (apply ln_increasing; lra). lra.
Qed.

Section Fixed_parameters.
Variables q sigma alpha : R.
Hypothesis Hq : 0 < q <= 1 / 5.
Hypothesis Hs : 4 <= sigma.
Hypothesis Ha : 1 < alpha.
Let ell := L q alpha.
Let z := z0 q sigma alpha.
Hypothesis condition_1 : alpha <= 1 / 2 * sigma ^ 2 * L q alpha - 2 * ln sigma.
Hypothesis condition_2 : alpha <= (1 / 2 * sigma ^ 2 * L q alpha ^ 2 - ln 5 - 2 * ln sigma)
                                  / (L q alpha + ln (q * alpha) + 1 / (2 * sigma ^ 2)).

(** The logarithms of the two sides. *)
Definition ln_A2_estimate : R :=
  alpha * ln (q * alpha) - z0 q sigma alpha * (z0 q sigma alpha - 2 * alpha) / (2 * sigma ^ 2).
Definition ln_A2_target : R := ln 0.9 + 2 * ln q + ln alpha + ln (alpha - 1) - 2 * ln sigma.

(** The quantity that Cases I and IIa have to bound below by -ln 0.9. *)
Definition ln_margin : R :=
  (2 - alpha) * ln q + (1 - alpha) * ln alpha + ln (alpha - 1) + 2 * (L q alpha - 1) * ln sigma.

Let p := q * (alpha - 1).
Let Hp : 0 < p. Proof. apply q_alpha_pos; lra. Qed.
Let Hs2 : 16 <= sigma ^ 2. Proof. nra. Qed.
Let Hell : 0 < ell. Proof. apply L_pos; lra. Qed.
Let ln_sigma : 2 * ln 2 <= ln sigma.
Proof. rewrite <- ln_4_eq. apply ln_le; lra. Qed.
Let ln_q_alpha : ln (q * alpha) = ln q + ln alpha. Proof. apply ln_mult; lra. Qed.

(** z0 >= 2 alpha + 4 ln sigma, with 1/2 to spare. *)
Lemma z0_lower_bound : 2 * alpha + 4 * ln sigma + 1 / 2 <= z0 q sigma alpha.
Proof. unfold z0. fold (L q alpha). lra. Qed.

(** z0 > 2 alpha. *)
Lemma z0_gt_2alpha : 2 * alpha < z0 q sigma alpha.
Proof. assert (X := z0_lower_bound). assert (Y := ln_sigma). assert (Z := ln_2_bounds). lra. Qed.

(** The estimate is below alpha (ln q + ln alpha) - 2 L ln sigma. *)
Lemma ln_A2_estimate_simplified : ln_A2_estimate < alpha * (ln q + ln alpha) - 2 * ell * ln sigma.
Proof.
  unfold ln_A2_estimate. rewrite ln_q_alpha. fold z.
  assert (X := z0_lower_bound). assert (Y := ln_sigma). assert (N := ln_2_bounds).
  assert (E : z = 1 / 2 + sigma ^ 2 * ell) by reflexivity. fold z in X.
  assert (S2 := Hs2). assert (L0 := Hell).
  cut (2 * ell * ln sigma < z * (z - 2 * alpha) / (2 * sigma ^ 2)); [lra|].
  apply Rmult_lt_reg_r with (2 * sigma ^ 2); [lra|].
  replace (z * (z - 2 * alpha) / (2 * sigma ^ 2) * (2 * sigma ^ 2)) with (z * (z - 2 * alpha))
    by (field; lra).
  apply Rlt_le_trans with (z * (4 * ln sigma)).
  - replace (2 * ell * ln sigma * (2 * sigma ^ 2)) with ((sigma ^ 2 * ell) * (4 * ln sigma)) by ring.
    apply Rmult_lt_compat_r; lra.
  - apply Rmult_le_compat_l; [|lra]. rewrite E. nra.
Qed.

(** Lemma 10, Case I: alpha < 2. *)
Lemma case_I : alpha < 2 -> - ln 0.9 < ln_margin.
Proof.
  intros Ha2.
  assert (P := Hp). assert (Y := ln_sigma). assert (N := ln_2_bounds).
  assert (N6 := ln_6_lower). assert (N9 := ln_09_lower).
  assert (K : 0 <= ln q + ln (alpha - 1) + ell).
  { unfold ell. rewrite ln_p_plus_L by lra. apply ln_nonneg. fold p. lra. }
  assert (L6 : ln 6 <= ell).
  { unfold ell, L. fold p. apply ln_le; [lra|].
    assert (fact3 : 5 <= 1 / p); [|lra].
    apply Rmult_le_reg_r with p; [exact P|]. replace (1 / p * p) with 1 by (field; lra).
    unfold p. nra. }
  assert (F : 0 <= (1 - alpha) * (ln q + ln alpha)).
  { assert (fact4 : ln q + ln alpha <= 0); [|nra].
    rewrite <- ln_q_alpha, <- ln_1. apply ln_le; nra. }
  assert (S : 0.79 * 1.77 <= (ell - 1) * (2 * ln sigma - 1)) by (apply Rmult_le_compat; lra).
  unfold ln_margin. fold ell. nra.
Qed.

(** Lemma 10, Case IIa: alpha >= 2 and q(alpha-1) < 1/3. *)
Lemma case_IIa : 2 <= alpha -> q * (alpha - 1) < 1 / 3 -> - ln 0.9 < ln_margin.
Proof.
  intros Ha2 Hp3. fold p in Hp3.
  assert (P := Hp). assert (Y := ln_sigma). assert (N := ln_2_bounds). assert (N9 := ln_09_lower).
  assert (L4 : 2 * ln 2 <= ell).
  { rewrite <- ln_4_eq. unfold ell, L. fold p. apply ln_le; [lra|].
    assert (fact5 : 3 <= 1 / p); [|lra].
    apply Rmult_le_reg_r with p; [exact P|]. replace (1 / p * p) with 1 by (field; lra). lra. }
  assert (F : 0 <= (2 - alpha) * (ln q + ln alpha)).
  { assert (fact6 : ln q + ln alpha <= 0); [|nra].
    rewrite <- ln_q_alpha, <- ln_1. apply ln_le; [nra|]. unfold p in Hp3. nra. }
  assert (D : ln alpha - ln 2 <= ln (alpha - 1)).
  { assert (X : ln alpha <= ln (2 * (alpha - 1))) by (apply ln_le; lra).
    rewrite ln_mult in X by lra. lra. }
  assert (S : 0.385 * 1.385 <= (ell - 1) * ln sigma) by (apply Rmult_le_compat; lra).
  unfold ln_margin. fold ell. nra.
Qed.

(** In both cases the bound on the margin is all that is needed. *)
Lemma estimate_lt_target_of_margin : - ln 0.9 < ln_margin -> ln_A2_estimate < ln_A2_target.
Proof.
  intros H. assert (E := ln_A2_estimate_simplified).
  unfold ln_margin in H. fold ell in H. unfold ln_A2_target. lra.
Qed.

(** Lemma 10, Case IIb, first half: the second condition gives this bound. *)
Lemma ln_A2_estimate_from_condition_2 : ln_A2_estimate < - ln 5 - 2 * ln sigma - L q alpha / 2.
Proof.
  assert (S2 := Hs2). fold ell.
  assert (D := L_plus_ln_pos q alpha ltac:(lra) Ha). fold ell in D.
  assert (S : 0 < 1 / (2 * sigma ^ 2)) by (apply Rdiv_lt_0_compat; lra).
  assert (C : alpha * (ell + ln (q * alpha) + 1 / (2 * sigma ^ 2))
              <= 1 / 2 * sigma ^ 2 * ell ^ 2 - ln 5 - 2 * ln sigma).
  { assert (X := condition_2). fold ell in X.
    apply Rmult_le_compat_r with (r := ell + ln (q * alpha) + 1 / (2 * sigma ^ 2)) in X; [|lra].
    unfold Rdiv in X at 2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in X by lra. exact X. }
  assert (E : ln_A2_estimate = alpha * (ell + ln (q * alpha) + 1 / (2 * sigma ^ 2))
              - ell / 2 - 1 / 2 * sigma ^ 2 * ell ^ 2 - 1 / (8 * sigma ^ 2)).
  { unfold ln_A2_estimate, z0. fold (L q alpha). fold ell. field. lra. }
  assert (S8 : 0 < 1 / (8 * sigma ^ 2)) by (apply Rdiv_lt_0_compat; lra).
  lra.
Qed.

(** Lemma 10, Case IIb: q(alpha-1) >= 1/3. *)
Lemma case_IIb : 1 / 3 <= q * (alpha - 1) -> ln_A2_estimate < ln_A2_target.
Proof.
  intros Hp3. fold p in Hp3. assert (P := Hp).
  assert (B := ln_A2_estimate_from_condition_2). fold ell in B.
  (* q alpha >= 1/3, and 1 + 1/p >= (4/9)/p^2 for p >= 1/3 *)
  assert (Q3 : ln (1 / 3) <= ln q + ln alpha).
  { rewrite <- ln_q_alpha. apply ln_le; [lra|]. unfold p in Hp3. nra. }
  assert (Q4 : ln (4 / 9) <= ell + 2 * (ln q + ln (alpha - 1))).
  { assert (K := ln_p_plus_L q alpha ltac:(lra) Ha). fold ell p in K.
    assert (lp : ln p = ln q + ln (alpha - 1)) by (apply ln_mult; lra).
    replace (ell + 2 * (ln q + ln (alpha - 1))) with (ln (p + 1) + ln p) by lra.
    rewrite <- ln_mult by lra. apply ln_le; [lra|nra]. }
  assert (N : ln (4 / 9) = 2 * ln (2 / 3))
    by (replace (4 / 9) with ((2 / 3) * (2 / 3)) by field; rewrite ln_mult by lra; ring).
  assert (N' : ln 5 + ln 0.9 + ln (1 / 3) + ln (2 / 3) = 0)
    by (rewrite <- !ln_mult by lra; rewrite <- ln_1; f_equal; lra).
  unfold ln_A2_target. lra.
Qed.

Lemma ln_A2_estimate_lt_target : ln_A2_estimate < ln_A2_target.
Proof.
  destruct (Rlt_dec alpha 2) as [C|C]; [apply estimate_lt_target_of_margin, case_I; exact C|].
  destruct (Rlt_dec (q * (alpha - 1)) (1 / 3)) as [D|D].
  - apply estimate_lt_target_of_margin, case_IIa; lra.
  - apply case_IIb; lra.
Qed.

Lemma exp_ln_A2_target : exp ln_A2_target = 0.9 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2.
Proof.
  unfold ln_A2_target.
  replace (ln 0.9 + 2 * ln q + ln alpha + ln (alpha - 1) - 2 * ln sigma)
    with (ln 0.9 + (ln q + ln q) + ln alpha + ln (alpha - 1) + - (ln sigma + ln sigma)) by ring.
  rewrite !exp_plus, exp_Ropp, !exp_plus, !exp_ln by lra. field. lra.
Qed.

(** The scalar inequality behind Lemma 10. *)
Theorem A2_scalar_bound :
  Rpower (q * alpha) alpha * exp (- (z0 q sigma alpha * (z0 q sigma alpha - 2 * alpha)) / (2 * sigma ^ 2))
  < 0.9 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2.
Proof.
  assert (S2 := Hs2). rewrite <- exp_ln_A2_target. unfold Rpower. rewrite <- exp_plus.
  apply exp_increasing.
  replace (alpha * ln (q * alpha) + - (z0 q sigma alpha * (z0 q sigma alpha - 2 * alpha)) / (2 * sigma ^ 2))
    with ln_A2_estimate by (unfold ln_A2_estimate; field; lra).
  exact ln_A2_estimate_lt_target.
Qed.
End Fixed_parameters.
