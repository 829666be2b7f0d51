(** Lemma 6 (pointwise domination), for alpha >= 1, and its strict form.

    With u, v the two densities at a point and y = (1-q) + q u/v,
    z = (1-q) + q v/u, the claim is growth(1/z) <= growth(y) for
    growth(y) = (y^alpha - y^(1-alpha)) / (y - 1), where y >= 1/z > 1 if u > v.
    The derivative of growth is nonnegative because sinh(a t)/a increases in a. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis.
Open Scope R_scope.

Lemma sinh_pos (x : R) : 0 < x -> 0 < sinh x.
Proof. intros Hx. unfold sinh. assert (K := exp_increasing (- x) x ltac:(lra)). lra. Qed.

Lemma x_cosh_gt_sinh (x : R) : 0 < x -> 0 < x * cosh x - sinh x.
Proof.
  intros Hx. set (f := fun y => y * cosh y - sinh y).
  assert (E : f 0 = 0) by (unfold f, cosh, sinh; rewrite Ropp_0, exp_0; lra).
  change (0 < f x). rewrite <- E.
  apply (increasing_of_derive f (fun y => y * sinh y)); [exact Hx| |].
  - intros y _. unfold f, cosh, sinh. auto_derive; [trivial|field].
  - intros y Hy. apply Rmult_lt_0_compat; [lra|apply sinh_pos; lra].
Qed.

(** sinh(a t)/a is strictly increasing in a > 0, for t > 0. *)
Theorem sinh_over_a_increasing (t a b : R) : 0 < t -> 0 < a < b -> sinh (a * t) / a < sinh (b * t) / b.
Proof.
  intros Ht Hab.
  apply (increasing_of_derive (fun a => sinh (a * t) / a)
         (fun a => ((a * t) * cosh (a * t) - sinh (a * t)) / a ^ 2)); [lra| |].
  - intros x Hx. unfold cosh, sinh. auto_derive; [lra|]. field. lra.
  - intros x Hx. apply Rdiv_lt_0_compat; [apply x_cosh_gt_sinh; nra|apply pow_lt; lra].
Qed.

Lemma Rpower_minus_inverse (y a : R) : Rpower y a - Rpower y (- a) = 2 * sinh (a * ln y).
Proof. unfold Rpower, sinh. replace (- a * ln y) with (- (a * ln y)) by ring. field. Qed.

(** The numerator of the derivative of growth. *)
Lemma growth_numerator_pos (alpha y : R) : 1 < alpha -> 1 < y ->
  0 < (alpha - 1) * (Rpower y alpha - Rpower y (- alpha))
      - alpha * (Rpower y (alpha - 1) - Rpower y (1 - alpha)).
Proof.
  intros Ha Hy. replace (1 - alpha) with (- (alpha - 1)) by ring. rewrite 2!Rpower_minus_inverse.
  assert (H := sinh_over_a_increasing (ln y) (alpha - 1) alpha (ln_pos y Hy) ltac:(lra)).
  apply Rmult_lt_compat_l with (r := alpha * (alpha - 1)) in H; [|nra].
  replace (alpha * (alpha - 1) * (sinh ((alpha - 1) * ln y) / (alpha - 1)))
    with (alpha * sinh ((alpha - 1) * ln y)) in H by (field; lra).
  replace (alpha * (alpha - 1) * (sinh (alpha * ln y) / alpha))
    with ((alpha - 1) * sinh (alpha * ln y)) in H by (field; lra).
  lra.
Qed.

Definition growth (alpha y : R) : R := (Rpower y alpha - Rpower y (1 - alpha)) / (y - 1).

Lemma growth_derive (alpha y : R) : 1 < y ->
  is_derive (growth alpha) y
    (((alpha - 1) * (Rpower y alpha - Rpower y (- alpha))
      - alpha * (Rpower y (alpha - 1) - Rpower y (1 - alpha))) / (y - 1) ^ 2).
Proof.
  intros Hy. unfold growth, Rpower. auto_derive; [lra|].
  assert (P := exp_pos (alpha * ln y)).
  replace ((1 - alpha) * ln y) with (ln y + - (alpha * ln y)) by ring.
  replace ((alpha - 1) * ln y) with (alpha * ln y + - ln y) by ring.
  replace (- alpha * ln y) with (- (alpha * ln y)) by ring.
  rewrite !exp_plus, !exp_Ropp, !exp_ln by lra.
  field. lra.
Qed.

(** growth increases strictly, for alpha > 1. *)
Theorem growth_increasing (alpha x y : R) : 1 < alpha -> 1 < x < y -> growth alpha x < growth alpha y.
Proof.
  intros Ha Hxy.
  apply (increasing_of_derive (growth alpha) (fun y =>
    ((alpha - 1) * (Rpower y alpha - Rpower y (- alpha))
     - alpha * (Rpower y (alpha - 1) - Rpower y (1 - alpha))) / (y - 1) ^ 2)); [lra| |].
  - intros z Hz. apply growth_derive. lra.
  - intros z Hz. apply Rdiv_lt_0_compat; [apply growth_numerator_pos; lra|apply pow_lt; lra].
Qed.

Lemma growth_inverse (alpha z : R) : 0 < z < 1 ->
  growth alpha (/ z) = (Rpower z (1 - alpha) - Rpower z alpha) / (1 - z).
Proof.
  intros Hz. unfold growth. rewrite 2!Rpower_inv_base by lra.
  replace (Rpower z (1 - alpha)) with (z * Rpower z (- alpha))
    by (rewrite <- Rpower_succ by lra; f_equal; ring).
  replace (Rpower z alpha) with (z * Rpower z (- (1 - alpha)))
    by (rewrite <- Rpower_succ by lra; f_equal; ring).
  field. lra.
Qed.

(** The strict case: u > v, q strictly between 0 and 1, alpha > 1. *)
Lemma pointwise_strict_ordered (u v q alpha : R) : 0 < v -> v < u -> 0 < q < 1 -> 1 < alpha ->
  v * Rpower ((1 - q) + q * (u / v)) (1 - alpha) + u * Rpower ((1 - q) + q * (v / u)) (1 - alpha) <
  v * Rpower ((1 - q) + q * (u / v)) alpha + u * Rpower ((1 - q) + q * (v / u)) alpha.
Proof.
  intros Hv Huv Hq Ha.
  set (y := (1 - q) + q * (u / v)). set (z := (1 - q) + q * (v / u)).
  assert (Pq : 0 < q * (u - v)) by nra.
  assert (Ey : v * (y - 1) = q * (u - v)) by (unfold y; field; lra).
  assert (Ez : u * (1 - z) = q * (u - v)) by (unfold z; field; lra).
  assert (Y : 1 < y) by nra.
  assert (Z1 : z < 1) by nra.
  assert (Z0 : 0 < z) by (unfold z; assert (pos1 : 0 < v / u) by (apply Rdiv_lt_0_compat; lra); nra).
  assert (YZ : 1 < y * z).
  { assert (X : y * z - 1 = q * (1 - q) * (u - v) ^ 2 / (u * v)) by (unfold y, z; field; lra).
    assert (pos2 : 0 < q * (1 - q) * (u - v) ^ 2 / (u * v)); [|lra].
    apply Rdiv_lt_0_compat; [|nra]. apply Rmult_lt_0_compat; [nra|apply pow_lt; lra]. }
  assert (Zi : 1 < / z) by (rewrite <- Rinv_1 at 1; apply Rinv_lt_contravar; lra).
  assert (Zy : / z < y) by (apply Rmult_lt_reg_r with z; [lra|]; rewrite Rinv_l; lra).
  assert (M := growth_increasing alpha (/ z) y Ha (conj Zi Zy)).
  rewrite growth_inverse in M by lra. unfold growth in M.
  apply Rmult_lt_compat_l with (r := q * (u - v)) in M; [|lra].
  rewrite <- Ez in M at 1. rewrite <- Ey in M.
  replace (u * (1 - z) * ((Rpower z (1 - alpha) - Rpower z alpha) / (1 - z)))
    with (u * (Rpower z (1 - alpha) - Rpower z alpha)) in M by (field; lra).
  replace (v * (y - 1) * ((Rpower y alpha - Rpower y (1 - alpha)) / (y - 1)))
    with (v * (Rpower y alpha - Rpower y (1 - alpha))) in M by (field; lra).
  lra.
Qed.

Lemma pointwise_strict_ratio (u v q alpha : R) : 0 < u -> 0 < v -> u <> v -> 0 < q < 1 -> 1 < alpha ->
  v * Rpower ((1 - q) + q * (u / v)) (1 - alpha) + u * Rpower ((1 - q) + q * (v / u)) (1 - alpha) <
  v * Rpower ((1 - q) + q * (u / v)) alpha + u * Rpower ((1 - q) + q * (v / u)) alpha.
Proof.
  intros Hu Hv N Hq Ha. destruct (Rlt_dec v u) as [H|H].
  - apply pointwise_strict_ordered; assumption.
  - assert (K := pointwise_strict_ordered v u q alpha Hu ltac:(lra) Hq Ha). lra.
Qed.

Lemma mixture_ratio_pos (q t : R) : 0 <= q <= 1 -> 0 < t -> 0 < (1 - q) + q * t.
Proof. intros Hq Ht. assert (K := mixture_gt_m1 q t Hq Ht). lra. Qed.

(** At u = v, q = 0, q = 1 and alpha = 1 the two sides agree. *)
Lemma pointwise_equal_ratio (u v q alpha : R) : 0 < u -> 0 < v -> 0 <= q <= 1 ->
  u = v \/ q = 0 \/ q = 1 \/ alpha = 1 ->
  v * Rpower ((1 - q) + q * (u / v)) (1 - alpha) + u * Rpower ((1 - q) + q * (v / u)) (1 - alpha) =
  v * Rpower ((1 - q) + q * (u / v)) alpha + u * Rpower ((1 - q) + q * (v / u)) alpha.
Proof.
  intros Hu Hv Hq [E|[E|[E|E]]]; subst.
  - replace ((1 - q) + q * (v / v)) with 1 by (field; lra). rewrite !Rpower_base_1. reflexivity.
  - replace (1 - 0 + 0 * (u / v)) with 1 by ring. replace (1 - 0 + 0 * (v / u)) with 1 by ring.
    rewrite !Rpower_base_1. reflexivity.
  - replace (1 - 1 + 1 * (u / v)) with (u / v) by ring.
    replace (1 - 1 + 1 * (v / u)) with (v / u) by ring.
    rewrite <- (Rpower_ratio_swap u v alpha), <- (Rpower_ratio_swap v u alpha) by assumption. ring.
  - assert (X := mixture_ratio_pos q (u / v) Hq ltac:(apply Rdiv_lt_0_compat; assumption)).
    assert (Y := mixture_ratio_pos q (v / u) Hq ltac:(apply Rdiv_lt_0_compat; assumption)).
    replace (1 - 1) with 0 by ring. rewrite !Rpower_O, !Rpower_1 by assumption. field. lra.
Qed.

(** Both sides of Lemma 6 as powers of the two ratios; [w] is the weight of u in the first mixture. *)
Lemma pointwise_sides (u v w alpha : R) : 0 < u -> 0 < v -> 0 <= w <= 1 ->
  let m := (1 - w) * v + w * u in let m' := (1 - w) * u + w * v in
  v * Rpower (m / v) alpha + u * Rpower (m' / u) alpha =
    v * Rpower ((1 - w) + w * (u / v)) alpha + u * Rpower ((1 - w) + w * (v / u)) alpha /\
  m * Rpower (v / m) alpha + m' * Rpower (u / m') alpha =
    v * Rpower ((1 - w) + w * (u / v)) (1 - alpha) + u * Rpower ((1 - w) + w * (v / u)) (1 - alpha).
Proof.
  intros Hu Hv Hw m m'.
  assert (E : m / v = (1 - w) + w * (u / v)) by (unfold m; field; lra).
  assert (E' : m' / u = (1 - w) + w * (v / u)) by (unfold m'; field; lra).
  assert (X := mixture_ratio_pos w (u / v) Hw ltac:(apply Rdiv_lt_0_compat; assumption)).
  assert (Y := mixture_ratio_pos w (v / u) Hw ltac:(apply Rdiv_lt_0_compat; assumption)).
  rewrite <- E in X. rewrite <- E' in Y.
  assert (M : 0 < m) by (replace m with (m / v * v) by (field; lra); nra).
  assert (M' : 0 < m') by (replace m' with (m' / u * u) by (field; lra); nra).
  rewrite (Rpower_ratio_swap m v alpha M Hv), (Rpower_ratio_swap m' u alpha M' Hu), E, E'.
  split; reflexivity.
Qed.

(** Lemma 6, strict away from the equality cases. *)
Theorem pointwise_strict (u v w alpha : R) : 0 < u -> 0 < v -> u <> v -> 0 < w < 1 -> 1 < alpha ->
  let m := (1 - w) * v + w * u in let m' := (1 - w) * u + w * v in
  m * Rpower (v / m) alpha + m' * Rpower (u / m') alpha <
  v * Rpower (m / v) alpha + u * Rpower (m' / u) alpha.
Proof.
  intros Hu Hv N Hw Ha m m'.
  destruct (pointwise_sides u v w alpha Hu Hv ltac:(lra)) as [E1 E2].
  unfold m, m'. rewrite E1, E2. apply pointwise_strict_ratio; assumption.
Qed.

(** Lemma 6, the equality cases. *)
Theorem pointwise_equal (u v w alpha : R) : 0 < u -> 0 < v -> 0 <= w <= 1 ->
  u = v \/ w = 0 \/ w = 1 \/ alpha = 1 ->
  let m := (1 - w) * v + w * u in let m' := (1 - w) * u + w * v in
  m * Rpower (v / m) alpha + m' * Rpower (u / m') alpha =
  v * Rpower (m / v) alpha + u * Rpower (m' / u) alpha.
Proof.
  intros Hu Hv Hw C m m'.
  destruct (pointwise_sides u v w alpha Hu Hv Hw) as [E1 E2].
  unfold m, m'. rewrite E1, E2. apply pointwise_equal_ratio; assumption.
Qed.

(** Lemma 6 for alpha >= 1, with weight w on u in the first mixture. *)
Theorem pointwise_domination (u v w alpha : R) : 0 < u -> 0 < v -> 0 <= w <= 1 -> 1 <= alpha ->
  let m := (1 - w) * v + w * u in let m' := (1 - w) * u + w * v in
  m * Rpower (v / m) alpha + m' * Rpower (u / m') alpha <=
  v * Rpower (m / v) alpha + u * Rpower (m' / u) alpha.
Proof.
  intros Hu Hv Hw Ha m m'.
  destruct (Req_dec u v) as [E|E]; [right; apply pointwise_equal; tauto|].
  destruct (Req_dec w 0) as [E0|E0]; [right; apply pointwise_equal; tauto|].
  destruct (Req_dec w 1) as [E1|E1]; [right; apply pointwise_equal; tauto|].
  destruct (Req_dec alpha 1) as [E2|E2]; [right; apply pointwise_equal; tauto|].
  left. apply pointwise_strict; lra.
Qed.

(** Lemma 6 as the paper writes it: P_q = (1-q) P + q Q and Q_q = (1-q) Q + q P. *)
Theorem pointwise_lemma (P Q q alpha : R) : 0 < P -> 0 < Q -> 0 <= q <= 1 -> 1 <= alpha ->
  let Pq := (1 - q) * P + q * Q in let Qq := (1 - q) * Q + q * P in
  Q * Rpower (Pq / Q) alpha + P * Rpower (Qq / P) alpha >=
  Pq * Rpower (Q / Pq) alpha + Qq * Rpower (P / Qq) alpha.
Proof.
  intros HP HQ Hq Ha Pq Qq. apply Rle_ge.
  assert (K := pointwise_domination P Q (1 - q) alpha HP HQ ltac:(lra) Ha). cbv zeta in K.
  replace ((1 - (1 - q)) * Q + (1 - q) * P) with Pq in K by (unfold Pq; ring).
  replace ((1 - (1 - q)) * P + (1 - q) * Q) with Qq in K by (unfold Qq; ring).
  exact K.
Qed.
