(** The pointwise lemma behind A >= B at the orders below and at 1.

    With y = (1-q) + q u/v and z = (1-q) + q v/u the claim is the sign of
    v D(y) + u D(z) for a function D with D(1) = 0 and D(z) = - z D(1/z).  Since
    v (y-1) = u (1-z) and y >= 1/z >= 1, that sign is the direction in which
    D(y)/(y-1) moves on y > 1.  Here D(y) = y^alpha - y^(1-alpha), whose quotient
    decreases for 1/2 <= alpha < 1, and D(y) = (y+1) ln y, which is order 1. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Pointwise.
Open Scope R_scope.

Section QuotientMonotone.
Variable D : R -> R.
Hypothesis D_one : D 1 = 0.
Hypothesis D_inverse : forall z, 0 < z < 1 -> D z = - z * D (/ z).
Hypothesis D_quotient : forall x y, 1 < x <= y -> D x / (x - 1) <= D y / (y - 1).

Lemma paired_nonneg_ordered (u v q : R) : 0 < v -> v <= u -> 0 <= q <= 1 ->
  0 <= v * D ((1 - q) + q * (u / v)) + u * D ((1 - q) + q * (v / u)).
Proof.
  intros Hv Huv Hq.
  set (y := (1 - q) + q * (u / v)). set (z := (1 - q) + q * (v / u)).
  assert (Ey : v * (y - 1) = q * (u - v)) by (unfold y; field; lra).
  assert (Ez : u * (1 - z) = q * (u - v)) by (unfold z; field; lra).
  destruct (Rle_lt_or_eq_dec 0 (q * (u - v)) ltac:(apply Rmult_le_pos; lra)) as [Pq|Eq].
  2:{ assert (Y1 : y = 1) by nra. assert (Z1 : z = 1) by nra. rewrite Y1, Z1, D_one. lra. }
  assert (Y : 1 < y) by nra.
  assert (Z1 : z < 1) by nra.
  assert (Z0 : 0 < z) by (apply mixture_ratio_pos; [exact Hq|apply Rdiv_lt_0_compat; lra]).
  assert (YZ : 1 <= y * z).
  { assert (X : y * z - 1 = q * (1 - q) * (u - v) ^ 2 / (u * v)) by (unfold y, z; field; lra).
    assert (nonneg1 : 0 <= q * (1 - q) * (u - v) ^ 2 / (u * v)); [|lra].
    apply Rdiv_le_0_compat; [|nra]. apply Rmult_le_pos; [nra|apply pow2_ge_0]. }
  assert (Zi : 1 < / z) by (rewrite <- Rinv_1 at 1; apply Rinv_lt_contravar; lra).
  assert (Zy : / z <= y) by (apply Rmult_le_reg_r with z; [lra|]; rewrite Rinv_l; lra).
  assert (M := D_quotient (/ z) y (conj Zi Zy)).
  apply Rmult_le_compat_l with (r := q * (u - v)) in M; [|lra].
  rewrite <- Ez in M at 1. rewrite <- Ey in M.
  replace (u * (1 - z) * (D (/ z) / (/ z - 1))) with (u * (z * D (/ z))) in M by (field; lra).
  replace (v * (y - 1) * (D y / (y - 1))) with (v * D y) in M by (field; lra).
  rewrite (D_inverse z (conj Z0 Z1)). lra.
Qed.

Lemma paired_nonneg (u v q : R) : 0 < u -> 0 < v -> 0 <= q <= 1 ->
  0 <= v * D ((1 - q) + q * (u / v)) + u * D ((1 - q) + q * (v / u)).
Proof.
  intros Hu Hv Hq. destruct (Rle_dec v u) as [H|H].
  - apply paired_nonneg_ordered; assumption.
  - rewrite Rplus_comm. apply paired_nonneg_ordered; [assumption|lra|assumption].
Qed.
End QuotientMonotone.

(** * Orders from 1/2 to 1 *)

(** The reversed power gap, so that its quotient is increasing. *)
Definition reversed_gap (alpha y : R) : R := Rpower y (1 - alpha) - Rpower y alpha.

Lemma reversed_gap_one (alpha : R) : reversed_gap alpha 1 = 0.
Proof. unfold reversed_gap. rewrite !Rpower_base_1. ring. Qed.

Lemma reversed_gap_quotient (alpha y : R) : reversed_gap alpha y / (y - 1) = - growth alpha y.
Proof. unfold reversed_gap, growth, Rdiv. ring. Qed.

Lemma reversed_gap_inverse (alpha z : R) : 0 < z < 1 ->
  reversed_gap alpha z = - z * reversed_gap alpha (/ z).
Proof.
  intros Hz.
  assert (Zi : 1 < / z) by (rewrite <- Rinv_1 at 1; apply Rinv_lt_contravar; lra).
  assert (H := growth_inverse alpha z Hz).
  assert (E : reversed_gap alpha (/ z) = - growth alpha (/ z) * (/ z - 1))
    by (rewrite <- reversed_gap_quotient; field; lra).
  rewrite E, H. unfold reversed_gap. field. lra.
Qed.

Lemma growth_numerator_nonpos (alpha y : R) : 1 < y -> 1 / 2 <= alpha < 1 ->
  (alpha - 1) * (Rpower y alpha - Rpower y (- alpha))
  - alpha * (Rpower y (alpha - 1) - Rpower y (1 - alpha)) <= 0.
Proof.
  intros Hy Ha.
  assert (E1 := Rpower_minus_inverse y alpha). assert (E2 := Rpower_minus_inverse y (1 - alpha)).
  replace (- (1 - alpha)) with (alpha - 1) in E2 by ring.
  assert (H : (1 - alpha) * sinh (alpha * ln y) >= alpha * sinh ((1 - alpha) * ln y)).
  { destruct (Req_dec alpha (1 / 2)) as [Eh|Nh].
    - replace (1 - alpha) with alpha by lra. lra.
    - assert (K := sinh_over_a_increasing (ln y) (1 - alpha) alpha (ln_pos y Hy) ltac:(lra)).
      apply Rmult_lt_compat_l with (r := alpha * (1 - alpha)) in K; [|nra].
      replace (alpha * (1 - alpha) * (sinh ((1 - alpha) * ln y) / (1 - alpha)))
        with (alpha * sinh ((1 - alpha) * ln y)) in K by (field; lra).
      replace (alpha * (1 - alpha) * (sinh (alpha * ln y) / alpha))
        with ((1 - alpha) * sinh (alpha * ln y)) in K by (field; lra).
      lra. }
  rewrite E1. replace (Rpower y (alpha - 1) - Rpower y (1 - alpha))
    with (- (2 * sinh ((1 - alpha) * ln y))) by (rewrite <- E2; ring).
  lra.
Qed.

Lemma growth_nonincreasing (alpha x y : R) : 1 / 2 <= alpha < 1 -> 1 < x <= y ->
  growth alpha y <= growth alpha x.
Proof.
  intros Ha Hxy.
  apply (nonincreasing_of_derive (growth alpha) (fun y =>
    ((alpha - 1) * (Rpower y alpha - Rpower y (- alpha))
     - alpha * (Rpower y (alpha - 1) - Rpower y (1 - alpha))) / (y - 1) ^ 2)); [lra| |].
  - intros t Ht. apply growth_derive. lra.
  - intros t Ht. assert (N := growth_numerator_nonpos alpha t ltac:(lra) Ha).
    assert (P : 0 < (t - 1) ^ 2) by (apply pow_lt; lra).
    apply Rmult_le_reg_r with ((t - 1) ^ 2); [exact P|].
    rewrite Rmult_0_l. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** Claim P0 at orders from 1/2 to 1: the pointwise lemma with the sign reversed. *)
Theorem pointwise_below_one (u v q alpha : R) : 0 < u -> 0 < v -> 0 <= q <= 1 -> 1 / 2 <= alpha < 1 ->
  v * Rpower ((1 - q) + q * (u / v)) alpha + u * Rpower ((1 - q) + q * (v / u)) alpha <=
  v * Rpower ((1 - q) + q * (u / v)) (1 - alpha) + u * Rpower ((1 - q) + q * (v / u)) (1 - alpha).
Proof.
  intros Hu Hv Hq Ha.
  assert (Quot : forall x y, 1 < x <= y -> reversed_gap alpha x / (x - 1) <= reversed_gap alpha y / (y - 1)).
  { intros x y Hxy. rewrite !reversed_gap_quotient. apply Ropp_le_contravar.
    apply growth_nonincreasing; assumption. }
  assert (K := paired_nonneg (reversed_gap alpha) (reversed_gap_one alpha)
                 (reversed_gap_inverse alpha) Quot u v q Hu Hv Hq).
  unfold reversed_gap in K. lra.
Qed.

(** * Order 1 *)

Lemma kl_gap_numerator_nonneg (y : R) : 1 <= y -> 0 <= y - / y - 2 * ln y.
Proof.
  intros Hy. replace 0 with ((fun t => t - / t - 2 * ln t) 1) at 1
    by (cbv beta; rewrite ln_1, Rinv_1; ring).
  apply (nondecreasing_of_derive (fun t => t - / t - 2 * ln t) (fun t => (1 - / t) ^ 2)); [exact Hy| |].
  - intros t Ht. auto_derive; [lra|]. field. lra.
  - intros t _. apply pow2_ge_0.
Qed.

Lemma kl_gap_quotient_nondecreasing (x y : R) : 1 < x <= y ->
  (x + 1) * ln x / (x - 1) <= (y + 1) * ln y / (y - 1).
Proof.
  intros Hxy.
  apply (nondecreasing_of_derive (fun t => (t + 1) * ln t / (t - 1))
           (fun t => (t - / t - 2 * ln t) / (t - 1) ^ 2)); [lra| |].
  - intros t Ht. auto_derive; [lra|]. field. lra.
  - intros t Ht. apply Rdiv_le_0_compat; [apply kl_gap_numerator_nonneg; lra|apply pow_lt; lra].
Qed.

(** Claim G8: the pointwise inequality that takes the place of the lemma at order 1. *)
Theorem pointwise_kl (u v q : R) : 0 < u -> 0 < v -> 0 <= q <= 1 ->
  0 <= v * (((1 - q) + q * (u / v) + 1) * ln ((1 - q) + q * (u / v)))
     + u * (((1 - q) + q * (v / u) + 1) * ln ((1 - q) + q * (v / u))).
Proof.
  intros Hu Hv Hq.
  apply (paired_nonneg (fun y => (y + 1) * ln y)); try assumption.
  - rewrite ln_1. ring.
  - intros z Hz. rewrite ln_Rinv by lra. field. lra.
  - exact kl_gap_quotient_nondecreasing.
Qed.
