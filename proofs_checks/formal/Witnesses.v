(** The conditions of Theorem 11 can be met in each of the three cases of
    Lemma 10, and one instance of the theorem.  For the first two points coarse
    bounds on L suffice; the third lies near the boundary of the second
    condition. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis LogBounds Gaussian AB SplitPoint A2Cases MainTheorem.
Open Scope R_scope.

(** The second condition without its denominator. *)
Lemma condition_2_from_product (q sigma alpha : R) : 0 < q -> 0 < sigma -> 1 < alpha ->
  alpha * (L q alpha + ln (q * alpha) + 1 / (2 * sigma ^ 2))
    <= 1 / 2 * sigma ^ 2 * L q alpha ^ 2 - ln 5 - 2 * ln sigma ->
  alpha <= (1 / 2 * sigma ^ 2 * L q alpha ^ 2 - ln 5 - 2 * ln sigma)
           / (L q alpha + ln (q * alpha) + 1 / (2 * sigma ^ 2)).
Proof.
  intros Hq Hs Ha H. assert (D := L_plus_ln_pos q alpha Hq Ha).
  assert (S : 0 < 1 / (2 * sigma ^ 2)) by (apply Rdiv_lt_0_compat; nra).
  set (D' := L q alpha + ln (q * alpha) + 1 / (2 * sigma ^ 2)) in *.
  assert (PD : 0 < D') by (unfold D'; lra).
  apply Rmult_le_reg_r with D'; [exact PD|].
  set (N := 1 / 2 * sigma ^ 2 * L q alpha ^ 2 - ln 5 - 2 * ln sigma) in *.
  replace (N / D' * D') with N by (field; lra). exact H.
Qed.

Lemma ln_nonpos (x : R) : 0 < x <= 1 -> ln x <= 0.
Proof. intros Hx. rewrite <- ln_1. apply ln_le; lra. Qed.

Lemma ln_12_lower : 2.4 <= ln 12.
Proof.
  assert (E : ln 12 = ln 6 + ln 2) by (rewrite <- ln_mult by lra; f_equal; ring).
  assert (X := ln_6_lower). assert (Y := ln_2_bounds). lra.
Qed.

(** Case I: q = 1/100, sigma = 4, alpha = 3/2. *)
Theorem witness_case_I : theorem_11_conditions (1 / 100) 4 (3 / 2) /\ 3 / 2 < 2.
Proof.
  split; [|lra].
  assert (N2 := ln_2_bounds). assert (N4 := ln_4_eq). assert (N5 := ln_5_bounds).
  assert (X : 2.4 <= L (1 / 100) (3 / 2)).
  { apply Rle_trans with (1 := ln_12_lower). unfold L. apply ln_le; lra. }
  assert (Y := ln_nonpos (1 / 100 * (3 / 2)) ltac:(lra)).
  repeat split; [lra|lra|lra|lra|lra|].
  apply condition_2_from_product; [lra|lra|lra|]. nra.
Qed.

(** Case IIa: q = 1/100, sigma = 4, alpha = 8. *)
Theorem witness_case_IIa : theorem_11_conditions (1 / 100) 4 8 /\ 2 <= 8 /\ 1 / 100 * (8 - 1) < 1 / 3.
Proof.
  split; [|lra].
  assert (N2 := ln_2_bounds). assert (N4 := ln_4_eq). assert (N5 := ln_5_bounds).
  assert (X : 2.4 <= L (1 / 100) 8).
  { apply Rle_trans with (1 := ln_12_lower). unfold L. apply ln_le; lra. }
  assert (Y := ln_nonpos (1 / 100 * 8) ltac:(lra)).
  repeat split; [lra|lra|lra|lra|lra|].
  apply condition_2_from_product; [lra|lra|lra|]. nra.
Qed.

(** Case IIb: q = 1/5, sigma = 4, alpha = 4. *)
Theorem witness_case_IIb : theorem_11_conditions (1 / 5) 4 4 /\ 2 <= 4 /\ 1 / 3 <= 1 / 5 * (4 - 1).
Proof.
  split; [|lra].
  assert (N2 := ln_2_bounds). assert (N4 := ln_4_eq). assert (N5 := ln_5_bounds).
  assert (N32 := ln_3_2_bounds). assert (N54 := ln_5_4_bounds).
  assert (EL : L (1 / 5) 4 = 2 * ln 2 - ln (3 / 2)).
  { assert (E : ln 4 = L (1 / 5) 4 + ln (3 / 2)) by (unfold L; rewrite <- ln_mult by lra; f_equal; field).
    lra. }
  assert (E45 : ln (1 / 5 * 4) = - ln (5 / 4)) by (rewrite <- ln_Rinv by lra; f_equal; field).
  assert (X : 0.98 <= L (1 / 5) 4 <= 0.982) by lra.
  repeat split; [lra|lra|lra|lra|lra|].
  apply condition_2_from_product; [lra|lra|lra|]. rewrite E45. nra.
Qed.

(** Theorem 11 at q = 1/100, sigma = 4, alpha = 8: the divergence is below 1/10000. *)
Theorem main_theorem_instance : renyi 8 (mu (1 / 100) 4) (mu0 4) < 1 / 10000.
Proof.
  destruct (main_theorem (1 / 100) 4 8 (proj1 witness_case_IIa)) as [H _]. lra.
Qed.
