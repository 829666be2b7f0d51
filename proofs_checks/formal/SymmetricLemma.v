(** Lemma 8 (symmetric lemma) and the non-negativity identity after it.

    Lemma 15 of Bun et al. is applied twice, at w = q (y/x - 1) and at
    w = q (x/y - 1); the linear terms cancel in the weighted sum. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Lemma15.
Open Scope R_scope.

(** Lemma 8 (symmetric lemma), division-free: the two conditions say
    x/y <= r0 and y/x <= r0, and are void at alpha = 1 or q = 0. *)
Theorem symmetric_lemma_general (alpha q x y : R) :
  1 <= alpha -> 0 <= q <= 1 -> 0 < x -> 0 < y ->
  q * (alpha - 1) * (x / y - 1) <= 1 -> q * (alpha - 1) * (y / x - 1) <= 1 ->
  x * Rpower (1 + q * ((y - x) / x)) alpha + y * Rpower (1 + q * ((x - y) / y)) alpha <=
  (x + y) + q ^ 2 * alpha * (alpha - 1) * (x ^ 2 / y + y ^ 2 / x - (x + y)).
Proof.
  intros Ha Hq Hx Hy H1 H2.
  assert (P1 : 0 < y / x) by (apply Rdiv_lt_0_compat; lra).
  assert (P2 : 0 < x / y) by (apply Rdiv_lt_0_compat; lra).
  replace ((y - x) / x) with (y / x - 1) by (field; lra).
  replace ((x - y) / y) with (x / y - 1) by (field; lra).
  assert (B1 := bun_lemma_15 alpha (q * (y / x - 1)) Ha (mixture_gt_m1 _ _ Hq P1) ltac:(lra)).
  assert (B2 := bun_lemma_15 alpha (q * (x / y - 1)) Ha (mixture_gt_m1 _ _ Hq P2) ltac:(lra)).
  apply Rmult_le_compat_l with (r := x) in B1; [|lra].
  apply Rmult_le_compat_l with (r := y) in B2; [|lra].
  apply Rle_trans with (1 := Rplus_le_compat _ _ _ _ B1 B2).
  right. field. lra.
Qed.

(** Lemma 8 (symmetric lemma) with r0 = 1 + 1/(q(alpha-1)), where r0 is defined. *)
Theorem symmetric_lemma (alpha q x y : R) :
  1 < alpha -> 0 < q <= 1 -> 0 < x -> 0 < y ->
  let r0 := 1 + 1 / (q * (alpha - 1)) in 1 / r0 <= x / y <= r0 ->
  x * Rpower (1 + q * ((y - x) / x)) alpha + y * Rpower (1 + q * ((x - y) / y)) alpha <=
  (x + y) + q ^ 2 * alpha * (alpha - 1) * (x ^ 2 / y + y ^ 2 / x - (x + y)).
Proof.
  intros Ha Hq Hx Hy r0 [L U].
  assert (Q : 0 < q * (alpha - 1)) by nra.
  assert (Qi : 0 < 1 / (q * (alpha - 1))) by (apply Rdiv_lt_0_compat; lra).
  assert (P2 : 0 < x / y) by (apply Rdiv_lt_0_compat; lra).
  assert (R0 : 0 < r0) by (unfold r0; lra).
  assert (E : q * (alpha - 1) * (r0 - 1) = 1) by (unfold r0; field; lra).
  assert (U' : y / x <= r0).
  { replace (y / x) with (/ (x / y)) by (field; lra).
    replace r0 with (/ (1 / r0)) by (field; lra).
    apply Rinv_le_contravar; [apply Rdiv_lt_0_compat; lra|lra]. }
  apply symmetric_lemma_general; [lra|lra|exact Hx|exact Hy|nra|nra].
Qed.

(** The identity after Lemma 8. *)
Theorem nonnegativity_identity (x y : R) : 0 < x -> 0 < y ->
  x ^ 2 / y + y ^ 2 / x - (x + y) = (x / y - 1) ^ 2 * (y + y ^ 2 / x).
Proof. intros Hx Hy. field. lra. Qed.

(** The bracket in Lemma 8 is nonnegative. *)
Theorem nonnegativity (x y : R) : 0 < x -> 0 < y -> 0 <= x ^ 2 / y + y ^ 2 / x - (x + y).
Proof.
  intros Hx Hy. rewrite nonnegativity_identity by assumption.
  apply Rmult_le_pos; [apply pow2_ge_0|].
  assert (pos1 : 0 < y ^ 2 / x) by (apply Rdiv_lt_0_compat; [apply pow_lt; lra|lra]). lra.
Qed.
