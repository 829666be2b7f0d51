(** Rational bounds for the few logarithms that the numerical steps of Lemma 10
    and the witnesses need, from 2x + 2x^3/3 <= ln((1+x)/(1-x)) and the matching
    upper bound; and the bound on exp(1/sigma^2) used by the main theorem.
    Proved by hand so that no machine arithmetic enters the trusted base. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis.
Open Scope R_scope.

Lemma ln_ratio_split (x : R) : 0 <= x < 1 -> ln ((1 + x) / (1 - x)) = ln (1 + x) - ln (1 - x).
Proof.
  intros Hx. unfold Rdiv. rewrite ln_mult, ln_Rinv; [ring|lra|lra|apply Rinv_0_lt_compat; lra].
Qed.

Lemma ln_ratio_lower (x : R) : 0 <= x < 1 -> 2 * x + 2 * x ^ 3 / 3 <= ln ((1 + x) / (1 - x)).
Proof.
  intros Hx. rewrite ln_ratio_split by exact Hx.
  set (f := fun x => ln (1 + x) - ln (1 - x) - (2 * x + 2 * x ^ 3 / 3)).
  assert (F0 : f 0 = 0) by (unfold f; rewrite Rplus_0_r, Rminus_0_r, ln_1; field).
  assert (fact1 : f 0 <= f x); [|unfold f in *; lra].
  apply (nondecreasing_of_derive f (fun x => 2 * x ^ 4 / (1 - x ^ 2))); [lra| |].
  - intros y Hy. unfold f. auto_derive; [lra|]. field. nra.
  - intros y Hy. apply Rdiv_le_0_compat; [|nra].
    assert (X := pow2_ge_0 (y ^ 2)). replace (y ^ 4) with ((y ^ 2) ^ 2) by ring. lra.
Qed.

Lemma ln_ratio_upper (x : R) : 0 <= x < 1 ->
  ln ((1 + x) / (1 - x)) <= 2 * x + 2 * x ^ 3 / (3 * (1 - x ^ 2)).
Proof.
  intros Hx. rewrite ln_ratio_split by exact Hx.
  set (f := fun x => 2 * x + 2 * x ^ 3 / (3 * (1 - x ^ 2)) - (ln (1 + x) - ln (1 - x))).
  assert (F0 : f 0 = 0) by (unfold f; rewrite Rplus_0_r, Rminus_0_r, ln_1; field).
  assert (fact2 : f 0 <= f x); [|unfold f in *; lra].
  apply (nondecreasing_of_derive f (fun x => 4 / 3 * x ^ 4 / (1 - x ^ 2) ^ 2)); [lra| |].
  - intros y Hy. unfold f. auto_derive; [repeat split; nra|]. field. repeat split; nra.
  - intros y Hy. apply Rdiv_le_0_compat; [|apply pow_lt; nra].
    assert (X := pow2_ge_0 (y ^ 2)). replace (y ^ 4) with ((y ^ 2) ^ 2) by ring. lra.
Qed.

Lemma ln_3_2_bounds : 0.405333 <= ln (3 / 2) <= 0.405556.
Proof.
  assert (A := ln_ratio_lower (1 / 5) ltac:(lra)). assert (B := ln_ratio_upper (1 / 5) ltac:(lra)).
  replace ((1 + 1 / 5) / (1 - 1 / 5)) with (3 / 2) in A, B by field. lra.
Qed.

Lemma ln_4_3_bounds : 0.287657 <= ln (4 / 3) <= 0.287699.
Proof.
  assert (A := ln_ratio_lower (1 / 7) ltac:(lra)). assert (B := ln_ratio_upper (1 / 7) ltac:(lra)).
  replace ((1 + 1 / 7) / (1 - 1 / 7)) with (4 / 3) in A, B by field. lra.
Qed.

Lemma ln_5_4_bounds : 0.223136 <= ln (5 / 4) <= 0.223149.
Proof.
  assert (A := ln_ratio_lower (1 / 9) ltac:(lra)). assert (B := ln_ratio_upper (1 / 9) ltac:(lra)).
  replace ((1 + 1 / 9) / (1 - 1 / 9)) with (5 / 4) in A, B by field. lra.
Qed.

Lemma ln_2_bounds : 0.69299 <= ln 2 <= 0.693255.
Proof.
  assert (E : ln 2 = ln (4 / 3) + ln (3 / 2)) by (rewrite <- ln_mult by lra; f_equal; field).
  assert (A := ln_3_2_bounds). assert (B := ln_4_3_bounds). lra.
Qed.

Lemma ln_4_eq : ln 4 = 2 * ln 2.
Proof. replace 4 with (2 * 2) by ring. rewrite ln_mult by lra. ring. Qed.

Lemma ln_5_bounds : 1.60911 <= ln 5 <= 1.60966.
Proof.
  assert (E : ln 5 = ln 4 + ln (5 / 4)) by (rewrite <- ln_mult by lra; f_equal; field).
  assert (A := ln_5_4_bounds). assert (B := ln_2_bounds). rewrite ln_4_eq in E. lra.
Qed.

Lemma ln_6_lower : 1.79 <= ln 6.
Proof.
  assert (E : ln 6 = ln 4 + ln (3 / 2)) by (rewrite <- ln_mult by lra; f_equal; field).
  assert (A := ln_3_2_bounds). assert (B := ln_2_bounds). rewrite ln_4_eq in E. lra.
Qed.

Lemma ln_09_lower : - (1 / 9) <= ln 0.9.
Proof.
  assert (H := ln_le_minus_1 (10 / 9) ltac:(lra)).
  replace 0.9 with (/ (10 / 9)) by lra. rewrite ln_Rinv by lra. lra.
Qed.

(** exp(1/sigma^2) - 1 <= 1.1/sigma^2 for sigma >= 4. *)
Lemma exp_inverse_square_bound (sigma : R) : 4 <= sigma -> exp (1 / sigma ^ 2) - 1 <= 1.1 / sigma ^ 2.
Proof.
  intros Hs. assert (P : 16 <= sigma ^ 2) by nra.
  unfold Rdiv. rewrite Rmult_1_l. set (t := / sigma ^ 2).
  assert (T0 : 0 < t) by (apply Rinv_0_lt_compat; lra).
  assert (T1 : t <= / 16) by (apply Rinv_le_contravar; lra).
  (* exp t <= 1/(1-t), from 1 - t <= exp(-t) *)
  assert (H := exp_ineq1_le (- t)). rewrite exp_Ropp in H. assert (X := exp_pos t).
  assert (K : exp t * (1 - t) <= 1).
  { apply Rle_trans with (exp t * / exp t); [|rewrite Rinv_r; lra].
    apply Rmult_le_compat_l; lra. }
  nra.
Qed.
