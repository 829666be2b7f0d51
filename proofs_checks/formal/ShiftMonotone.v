(** The two moments grow with the shift: for 0 <= c <= 1 the moments of the
    mixture (1-q) N(0,sigma^2) + q N(c,sigma^2) against N(0,sigma^2) exist and are
    at most those at c = 1.

    This replaces the data-processing step of the reduction by a pointwise bound.
    Let Y_c = N(c,sigma^2)/N(0,sigma^2) and h a power of (1-q) + q Y, which is
    convex in Y.  The curves Y_1 and Y_c cross once, at z = (1+c)/2, and Y_c
    increases in z, so h(Y_1) - h(Y_c) >= h'(Y_c) (Y_1 - Y_c) >= k (Y_1 - Y_c)
    with k = h' at the crossing.  The right side integrates to k (1 - 1) = 0. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian Pointwise AB.
Open Scope R_scope.

(** * Powers with exponent outside (0,1) are convex *)

Definition convex_exponent (b : R) : Prop := b <= 0 \/ 1 <= b.

Lemma power_above_tangent (b x y : R) : convex_exponent b -> 0 < x -> 0 < y ->
  Rpower y b + b * Rpower y (b - 1) * (x - y) <= Rpower x b.
Proof.
  intros Hb Hx Hy.
  assert (Bern : 1 + b * (x / y - 1) <= Rpower (x / y) b).
  { assert (pos1 : 0 < x / y) by (apply Rdiv_lt_0_compat; assumption).
    replace (x / y) with (1 + (x / y - 1)) at 2 by ring.
    destruct Hb as [Hb|Hb]; [apply bernoulli_exponent_le_0|apply bernoulli_exponent_ge_1]; lra. }
  assert (E : Rpower y b = y * Rpower y (b - 1)).
  { rewrite <- Rpower_succ by exact Hy. f_equal. ring. }
  assert (P := Rpower_pos y b).
  apply Rmult_le_compat_l with (r := Rpower y b) in Bern; [|lra].
  rewrite Rpower_mult_distr in Bern by (try apply Rdiv_lt_0_compat; assumption).
  replace (y * (x / y)) with x in Bern by (field; lra).
  replace (Rpower y b * (1 + b * (x / y - 1)))
    with (Rpower y b + b * Rpower y (b - 1) * (x - y)) in Bern; [exact Bern|].
  rewrite E. field. lra.
Qed.

Lemma power_slope_nondecreasing (b y z : R) : convex_exponent b -> 0 < y -> y <= z ->
  b * Rpower y (b - 1) <= b * Rpower z (b - 1).
Proof.
  intros Hb Hy Hyz. assert (L := ln_le y z Hy Hyz). destruct Hb as [Hb|Hb].
  - apply Rmult_le_compat_neg_l; [exact Hb|]. unfold Rpower. apply exp_le. nra.
  - apply Rmult_le_compat_l; [lra|]. unfold Rpower. apply exp_le. nra.
Qed.

(** * The likelihood ratio at shift c *)

Definition shift_ratio (sigma c z : R) : R := exp ((2 * c * z - c ^ 2) / (2 * sigma ^ 2)).
Definition shift_mix (q sigma c z : R) : R := (1 - q) + q * shift_ratio sigma c z.
Definition shift_power (q sigma c b z : R) : R := mu0 sigma z * Rpower (shift_mix q sigma c z) b.

Lemma mu0_shift_ratio (sigma c z : R) : 0 < sigma ->
  mu0 sigma (z - c) = shift_ratio sigma c z * mu0 sigma z.
Proof.
  intros Hs. unfold mu0, shift_ratio. unfold Rdiv at 1 4. rewrite <- Rmult_assoc, <- exp_plus.
  f_equal. f_equal. field. lra.
Qed.

Lemma shift_mix_pos (q sigma c z : R) : 0 <= q <= 1 -> 0 < shift_mix q sigma c z.
Proof. intros Hq. exact (mixture_ratio_pos q (shift_ratio sigma c z) Hq (exp_pos _)). Qed.

Lemma shift_power_pos (q sigma c b z : R) : 0 < sigma -> 0 < shift_power q sigma c b z.
Proof. intros Hs. apply Rmult_lt_0_compat; [apply mu0_pos, Hs|apply Rpower_pos]. Qed.

Lemma shift_power_continuous (q sigma c b : R) : 0 <= q <= 1 ->
  forall z, continuous (shift_power q sigma c b) z.
Proof.
  intros Hq z. apply (ex_derive_continuous (V := R_NormedModule)).
  unfold shift_power, mu0, shift_mix, shift_ratio, Rpower. auto_derive.
  repeat split. exact (shift_mix_pos q sigma c z Hq).
Qed.

Lemma shift_power_at_1 (q sigma b z : R) : power_integrand q sigma b z = shift_power q sigma 1 b z.
Proof.
  unfold power_integrand, shift_power, mix_ratio, shift_mix, ratio, shift_ratio.
  do 6 f_equal. ring.
Qed.

(** * The pointwise comparison *)

Lemma shift_ratio_le (sigma c d y z : R) : 0 < sigma ->
  2 * c * y - c ^ 2 <= 2 * d * z - d ^ 2 -> shift_ratio sigma c y <= shift_ratio sigma d z.
Proof.
  intros Hs H. unfold shift_ratio. apply exp_le. unfold Rdiv.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|exact H].
Qed.

Lemma shift_pointwise (q sigma c b : R) : 0 <= q <= 1 -> 0 < sigma -> 0 <= c <= 1 ->
  convex_exponent b -> exists k, forall z,
  shift_power q sigma c b z + k * (mu0 sigma (z - 1) - mu0 sigma (z - c)) <= shift_power q sigma 1 b z.
Proof.
  intros Hq Hs Hc Hb.
  set (slope := fun y => b * Rpower y (b - 1)).
  set (crossing := (1 + c) / 2).
  exists (q * slope (shift_mix q sigma c crossing)). intros z.
  rewrite !mu0_shift_ratio by exact Hs. unfold shift_power.
  assert (P := mu0_pos sigma z Hs).
  assert (M1 := shift_mix_pos q sigma 1 z Hq). assert (Mc := shift_mix_pos q sigma c z Hq).
  assert (Mx := shift_mix_pos q sigma c crossing Hq).
  assert (T := power_above_tangent b _ _ Hb M1 Mc). fold (slope (shift_mix q sigma c z)) in T.
  assert (D : shift_mix q sigma 1 z - shift_mix q sigma c z
              = q * (shift_ratio sigma 1 z - shift_ratio sigma c z)) by (unfold shift_mix; ring).
  rewrite D in T.
  set (d := shift_ratio sigma 1 z - shift_ratio sigma c z) in *.
  assert (S : q * slope (shift_mix q sigma c crossing) * d <= slope (shift_mix q sigma c z) * (q * d)).
  { replace (q * slope (shift_mix q sigma c crossing) * d)
      with (slope (shift_mix q sigma c crossing) * (q * d)) by ring.
    destruct (Rle_dec crossing z) as [H|H]; unfold crossing in H.
    - assert (Hd : shift_ratio sigma c z <= shift_ratio sigma 1 z) by (apply shift_ratio_le; [exact Hs|nra]).
      assert (Hm : shift_ratio sigma c crossing <= shift_ratio sigma c z)
        by (apply shift_ratio_le; [exact Hs|unfold crossing; nra]).
      apply Rmult_le_compat_r; [apply Rmult_le_pos; unfold d; lra|].
      apply power_slope_nondecreasing; [exact Hb|exact Mx|unfold shift_mix; nra].
    - assert (Hd : shift_ratio sigma 1 z <= shift_ratio sigma c z) by (apply shift_ratio_le; [exact Hs|nra]).
      assert (Hm : shift_ratio sigma c z <= shift_ratio sigma c crossing)
        by (apply shift_ratio_le; [exact Hs|unfold crossing; nra]).
      assert (Sl : slope (shift_mix q sigma c z) <= slope (shift_mix q sigma c crossing))
        by (apply power_slope_nondecreasing; [exact Hb|exact Mc|unfold shift_mix; nra]).
      assert (Nd : q * d <= 0) by (unfold d; nra). nra. }
  apply Rle_trans with (mu0 sigma z * (Rpower (shift_mix q sigma c z) b
                                       + q * slope (shift_mix q sigma c crossing) * d)).
  - right. unfold d. ring.
  - apply Rmult_le_compat_l; lra.
Qed.

(** * The integrals *)

(** Claim R9: moments at shifts in [0,1] exist and are at most the moment at shift 1. *)
Theorem shift_moment_le (q sigma c b l : R) : 0 <= q <= 1 -> 0 < sigma -> 0 <= c <= 1 ->
  convex_exponent b -> int_line (power_integrand q sigma b) l ->
  exists lc, int_line (shift_power q sigma c b) lc /\ lc <= l.
Proof.
  intros Hq Hs Hc Hb Hl.
  destruct (shift_pointwise q sigma c b Hq Hs Hc Hb) as [k Hk].
  replace l with (l + - k * (1 - 1)) by ring.
  apply (int_line_exists_dominated (shift_power q sigma c b)
    (fun z => power_integrand q sigma b z + - k * (mu0 sigma (z - 1) - mu0 sigma (z - c)))).
  - apply shift_power_continuous, Hq.
  - intros z. apply (continuous_plus (V := R_NormedModule)); [apply power_integrand_continuous, Hq|].
    apply (continuous_scal_r (V := R_NormedModule) (- k)).
    apply (continuous_minus (V := R_NormedModule)); apply mu0_shift_continuous.
  - intros z. split; [left; apply shift_power_pos, Hs|].
    rewrite shift_power_at_1. assert (K := Hk z). lra.
  - apply int_line_plus; [exact Hl|]. apply int_line_scal.
    apply int_line_minus; apply mu0_shift_normalised, Hs.
Qed.
