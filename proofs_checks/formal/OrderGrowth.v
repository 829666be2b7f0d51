(** The excess (A - 1)/(alpha (alpha - 1)) against its value at order 2, for every q and sigma: orders from 1
    to 2 stay below it, and from order 2 on the excess rises.

    With r = mu1/mu0, x = 1 + q (r - 1) and y = 1 + q (1/r - 1), the reflection z -> 1 - z pairs the powers
    x^alpha and r y^alpha.  Divided by alpha (alpha - 1), what the pair has above 1 + r vanishes with its first
    derivative at q = 0, and its second derivative is (r - 1)^2 (x^s + y^s/r) with s = alpha - 2.  So everything
    follows from how x^s + y^s/r depends on s, where x y >= 1. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB AGeqB MainTheorem Divergence IntegerOrder.
Open Scope R_scope.

(** * The pair of powers at one point *)

Definition here (r p : R) : R := 1 + p * (r - 1).
Definition there (r p : R) : R := 1 + p * (/ r - 1).
Definition paired (s r p : R) : R := Rpower (here r p) s + / r * Rpower (there r p) s.

Section One_point.
Variables r p : R.
Hypothesis Hr : 0 < r.
Hypothesis Hp : 0 <= p <= 1.

Lemma here_pos : 0 < here r p.
Proof. assert (K := mixture_gt_m1 p r Hp Hr). unfold here. lra. Qed.

Lemma there_pos : 0 < there r p.
Proof. assert (K := mixture_gt_m1 p (/ r) Hp (Rinv_0_lt_compat r Hr)). unfold there. lra. Qed.

(** x y = 1 + p (1 - p) (r - 1)^2/r. *)
Lemma product_ge_1 : 1 <= here r p * there r p.
Proof.
  assert (E : here r p * there r p = 1 + p * (1 - p) * ((r - 1) ^ 2 * / r)) by (unfold here, there; field; lra).
  assert (K : 0 <= (r - 1) ^ 2 * / r).
  { apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat, Hr]. }
  rewrite E. assert (0 <= p * (1 - p)) by nra. nra.
Qed.

(** Exponents from -1 to 0: not above the value at 0.  A power lies below its chord from 0 to -1, and at -1
    the pair is (1 + 1/r)/(x y). *)
Lemma paired_below (s : R) : -1 <= s <= 0 -> paired s r p <= paired 0 r p.
Proof.
  intros Hs. assert (X := here_pos). assert (Y := there_pos). assert (P := product_ge_1).
  assert (I := Rinv_0_lt_compat r Hr).
  assert (C : forall t, 0 < t -> Rpower t s <= 1 + - s * (/ t - 1)).
  { intros t Ht. assert (It := Rinv_0_lt_compat t Ht).
    assert (K := bernoulli_exponent_0_1 (- s) (/ t - 1) ltac:(lra) ltac:(lra)).
    replace (1 + (/ t - 1)) with (/ t) in K by ring.
    rewrite Rpower_inv_base, Ropp_involutive in K by exact Ht. exact K. }
  assert (S : / here r p + / r * / there r p <= 1 + / r).
  { replace (/ here r p + / r * / there r p) with ((1 + / r) * / (here r p * there r p)).
    - assert (J : / (here r p * there r p) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). nra.
    - assert (E : there r p + / r * here r p = 1 + / r) by (unfold here, there; field; lra).
      rewrite <- E. field. lra. }
  assert (C1 := C _ X). assert (C2 := C _ Y). unfold paired. rewrite !Rpower_O by assumption.
  assert (C3 : / r * Rpower (there r p) s <= / r * (1 + - s * (/ there r p - 1)))
    by (apply Rmult_le_compat_l; lra).
  nra.
Qed.

(** One step of the growth: u >= 1 and v with u v >= 1 and weights a >= 1 >= b. *)
Lemma weighted_step (a b u v : R) : 1 <= a -> 0 <= b <= 1 -> 1 <= u -> 0 < v -> 1 <= u * v ->
  a + b <= a * u + b * v.
Proof.
  intros Ha Hb Hu Hv Huv. destruct (Rle_dec 1 v) as [V|V]; [nra|].
  assert (K : 1 - v <= u - 1) by nra. nra.
Qed.

Lemma power_ge_1 (t s : R) : 1 <= t -> 0 <= s -> 1 <= Rpower t s.
Proof.
  intros Ht Hs. assert (L := ln_nonneg t Ht). unfold Rpower. rewrite <- exp_0. apply exp_le. nra.
Qed.

Lemma power_le_1 (t s : R) : 0 < t <= 1 -> 0 <= s -> Rpower t s <= 1.
Proof.
  intros Ht Hs. assert (L := ln_le_minus_1 t ltac:(lra)). unfold Rpower. rewrite <- exp_0. apply exp_le. nra.
Qed.

(** Exponents from 0 on: the pair rises.  The larger of x and y has the larger weight. *)
Lemma paired_rises (s h : R) : 0 <= s -> 0 <= h -> paired s r p <= paired (s + h) r p.
Proof.
  intros Hs Hh. assert (X := here_pos). assert (Y := there_pos). assert (P := product_ge_1).
  assert (I := Rinv_0_lt_compat r Hr). assert (E : r * / r = 1) by (apply Rinv_r; lra).
  assert (PP : 1 <= Rpower (here r p) h * Rpower (there r p) h)
    by (rewrite Rpower_mult_distr by assumption; apply power_ge_1; assumption).
  assert (XH := Rpower_pos (here r p) h). assert (YH := Rpower_pos (there r p) h).
  assert (XS := Rpower_pos (here r p) s). assert (YS := Rpower_pos (there r p) s).
  unfold paired. rewrite !Rpower_plus.
  destruct (Rle_dec 1 r) as [R1|R1].
  - assert (I1 : / r <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (H1 : 1 <= here r p) by (unfold here; nra). assert (T1 : there r p <= 1) by (unfold there; nra).
    assert (A1 := power_ge_1 _ s H1 Hs). assert (A2 := power_ge_1 _ h H1 Hh).
    assert (B1 := power_le_1 _ s (conj Y T1) Hs).
    assert (W := weighted_step (Rpower (here r p) s) (/ r * Rpower (there r p) s)
      (Rpower (here r p) h) (Rpower (there r p) h) A1 ltac:(nra) A2 YH PP). lra.
  - assert (I1 : 1 <= / r) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (H1 : here r p <= 1) by (unfold here; nra). assert (T1 : 1 <= there r p) by (unfold there; nra).
    assert (A1 := power_ge_1 _ s T1 Hs). assert (A2 := power_ge_1 _ h T1 Hh).
    assert (B1 := power_le_1 _ s (conj X H1) Hs). rewrite Rmult_comm in PP.
    assert (W := weighted_step (/ r * Rpower (there r p) s) (Rpower (here r p) s)
      (Rpower (there r p) h) (Rpower (here r p) h) ltac:(nra) ltac:(lra) A2 XH PP). lra.
Qed.
End One_point.

(** * From the second derivative to the pair *)

(** What the reflected pair of powers has above 1 + r, and its derivatives in p. *)
Definition excess_pair (alpha r p : R) : R :=
  (Rpower (here r p) alpha + r * Rpower (there r p) alpha - (1 + r)) / (alpha * (alpha - 1)).
Definition excess_slope (alpha r p : R) : R :=
  (r - 1) * (Rpower (here r p) (alpha - 1) - Rpower (there r p) (alpha - 1)) / (alpha - 1).

Lemma is_derive_power_affine (b c p : R) : 0 < 1 + p * c ->
  is_derive (fun p => Rpower (1 + p * c) b) p (b * c * Rpower (1 + p * c) (b - 1)).
Proof.
  intros H. replace (b * c * Rpower (1 + p * c) (b - 1)) with (c * (b * Rpower (1 + p * c) (b - 1))) by ring.
  apply (is_derive_comp (fun w => Rpower (1 + w) b) (fun p => p * c)).
  - apply is_derive_Rpower_1plus. lra.
  - auto_derive; [trivial|ring].
Qed.

Section Derivatives.
Variables alpha r p : R.
Hypothesis Ha : 1 < alpha.
Hypothesis Hr : 0 < r.
Hypothesis Hp : 0 <= p <= 1.

Lemma excess_pair_derive : is_derive (excess_pair alpha r) p (excess_slope alpha r p).
Proof.
  assert (X := is_derive_power_affine alpha (r - 1) p (here_pos r p Hr Hp)).
  assert (Y := is_derive_power_affine alpha (/ r - 1) p (there_pos r p Hr Hp)).
  assert (D := is_derive_scal _ _ (/ (alpha * (alpha - 1))) _
    (is_derive_minus _ _ _ _ _ (is_derive_plus _ _ _ _ _ X (is_derive_scal _ _ r _ Y))
       (is_derive_const (1 + r) p))).
  unfold excess_pair, excess_slope, here, there.
  match type of D with is_derive _ _ ?d => match goal with |- is_derive _ _ ?e => replace e with d end end.
  - apply (is_derive_ext _ _ _ _) with (2 := D). intros t.
    unfold minus, plus, opp, scal; simpl. unfold mult; simpl. unfold Rdiv. ring.
  - unfold minus, plus, opp, scal, zero; simpl. unfold mult; simpl. field. lra.
Qed.

Lemma excess_slope_derive :
  is_derive (excess_slope alpha r) p ((r - 1) ^ 2 * paired (alpha - 2) r p).
Proof.
  assert (X := is_derive_power_affine (alpha - 1) (r - 1) p (here_pos r p Hr Hp)).
  assert (Y := is_derive_power_affine (alpha - 1) (/ r - 1) p (there_pos r p Hr Hp)).
  assert (D := is_derive_scal _ _ ((r - 1) / (alpha - 1)) _ (is_derive_minus _ _ _ _ _ X Y)).
  unfold excess_slope, paired, here, there.
  replace (alpha - 1 - 1) with (alpha - 2) in D by ring.
  match type of D with is_derive _ _ ?d => match goal with |- is_derive _ _ ?e => replace e with d end end.
  - apply (is_derive_ext _ _ _ _) with (2 := D). intros t.
    unfold minus, plus, opp, scal; simpl. unfold mult; simpl. unfold Rdiv. ring.
  - unfold minus, plus, opp, scal; simpl. unfold mult; simpl. field. lra.
Qed.
End Derivatives.

Lemma at_rate_0 (alpha r : R) : 1 < alpha -> 0 < r -> excess_pair alpha r 0 = 0 /\ excess_slope alpha r 0 = 0.
Proof.
  intros Ha Hr. unfold excess_pair, excess_slope, here, there.
  rewrite !Rmult_0_l, !Rplus_0_r, !Rpower_base_1. split; field; lra.
Qed.

(** The second derivatives are ordered, so the pairs are. *)
Lemma excess_pair_ordered (a b r q : R) : 1 < a -> 1 < b -> 0 < r -> 0 <= q <= 1 ->
  (forall p, 0 <= p <= 1 -> paired (a - 2) r p <= paired (b - 2) r p) ->
  excess_pair a r q <= excess_pair b r q.
Proof.
  intros Ha Hb Hr Hq H.
  destruct (at_rate_0 a r Ha Hr) as [A0 A1]. destruct (at_rate_0 b r Hb Hr) as [B0 B1].
  assert (S : forall p, 0 <= p <= q -> 0 <= excess_slope b r p - excess_slope a r p).
  { intros p Hp. replace 0 with (excess_slope b r 0 - excess_slope a r 0) by lra.
    apply (nondecreasing_of_derive (fun p => excess_slope b r p - excess_slope a r p)
      (fun p => (r - 1) ^ 2 * paired (b - 2) r p - (r - 1) ^ 2 * paired (a - 2) r p)); [lra| |].
    - intros x Hx. apply (is_derive_minus (excess_slope b r) (excess_slope a r));
        apply excess_slope_derive; lra.
    - intros x Hx. assert (K := H x ltac:(lra)). assert (Q := pow2_ge_0 (r - 1)). nra. }
  assert (G : 0 <= excess_pair b r q - excess_pair a r q); [|lra].
  replace 0 with (excess_pair b r 0 - excess_pair a r 0) by lra.
  apply (nondecreasing_of_derive (fun p => excess_pair b r p - excess_pair a r p)
    (fun p => excess_slope b r p - excess_slope a r p)); [lra| |].
  - intros x Hx. apply (is_derive_minus (excess_pair b r) (excess_pair a r));
      apply excess_pair_derive; lra.
  - intros x Hx. apply S. lra.
Qed.

(** * The moments *)

Section Fixed_q_sigma.
Variables q sigma : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

(** Twice the excess is the integral of the pairs. *)
Lemma excess_integral (alpha : R) : 1 < alpha ->
  int_line (fun z => mu0 sigma z * excess_pair alpha (ratio sigma z) q)
    (2 * ((A q sigma alpha - 1) / (alpha * (alpha - 1)))).
Proof.
  intros Ha.
  assert (I := int_line_minus _ _ _ _ (A_doubled q sigma alpha Hq Hs)
    (int_line_plus _ _ _ _ (mu0_normalised sigma Hs) (mu1_normalised sigma Hs))).
  assert (J := int_line_scal _ (/ (alpha * (alpha - 1))) _ I). cbv beta in J.
  replace (2 * ((A q sigma alpha - 1) / (alpha * (alpha - 1)))) with
    (/ (alpha * (alpha - 1)) * (A q sigma alpha + A q sigma alpha - (1 + 1))) by (field; lra).
  apply (int_line_ext _ _ _) with (2 := J). intros z.
  assert (P := ratio_pos sigma z). assert (P0 := mu0_pos sigma z Hs).
  rewrite !A_integrand_eq by exact Hs. unfold power_integrand, mix_ratio.
  rewrite mu0_reflect, ratio_reflect, mu1_eq_ratio by exact Hs.
  unfold excess_pair, here, there.
  replace (1 - q + q * ratio sigma z) with (1 + q * (ratio sigma z - 1)) by ring.
  replace (1 - q + q * / ratio sigma z) with (1 + q * (/ ratio sigma z - 1)) by ring.
  field. lra.
Qed.

(** The second moment. *)
Lemma A_order_2 : A q sigma 2 = 1 + q ^ 2 * (exp (1 / sigma ^ 2) - 1).
Proof.
  assert (E := A_integer_order q sigma 2 Hq Hs). replace (INR 2) with 2 in E by (simpl; ring).
  rewrite E. unfold Binomial.C. simpl.
  replace ((0 * (0 * 1) - 0) / (2 * (sigma * (sigma * 1)))) with 0 by (field; lra).
  replace ((1 * (1 * 1) - 1) / (2 * (sigma * (sigma * 1)))) with 0 by (field; lra).
  replace (((1 + 1) * ((1 + 1) * 1) - (1 + 1)) / (2 * (sigma * (sigma * 1)))) with (1 / (sigma * (sigma * 1)))
    by (field; lra).
  rewrite exp_0. field.
Qed.

(** Theorem A: orders to 2 cost at most what the second moment says. *)
Theorem excess_below_two (alpha : R) : 1 < alpha <= 2 ->
  A q sigma alpha <= 1 + alpha * (alpha - 1) / 2 * q ^ 2 * (exp (1 / sigma ^ 2) - 1).
Proof.
  intros Ha.
  assert (L : 2 * ((A q sigma alpha - 1) / (alpha * (alpha - 1))) <= 2 * ((A q sigma 2 - 1) / (2 * (2 - 1)))).
  { refine (int_line_le _ _ _ _ _ (excess_integral alpha ltac:(lra)) (excess_integral 2 ltac:(lra))).
    intros z. apply Rmult_le_compat_l; [left; apply mu0_pos, Hs|].
    apply excess_pair_ordered; [lra|lra|apply ratio_pos|exact Hq|].
    intros p Hp. replace (2 - 2) with 0 by ring. apply paired_below; [apply ratio_pos|exact Hp|lra]. }
  rewrite A_order_2 in L. set (t := exp (1 / sigma ^ 2) - 1) in *.
  replace (2 * ((1 + q ^ 2 * t - 1) / (2 * (2 - 1)))) with (q ^ 2 * t) in L by (field; lra).
  assert (N : 0 < alpha * (alpha - 1)) by nra.
  assert (E : A q sigma alpha - 1 = (A q sigma alpha - 1) / (alpha * (alpha - 1)) * (alpha * (alpha - 1)))
    by (field; lra).
  set (f := (A q sigma alpha - 1) / (alpha * (alpha - 1))) in *. nra.
Qed.

(** Theorem B: from order 2 on the excess does not fall. *)
Theorem excess_rising (alpha beta : R) : 2 <= alpha <= beta ->
  (A q sigma alpha - 1) / (alpha * (alpha - 1)) <= (A q sigma beta - 1) / (beta * (beta - 1)).
Proof.
  intros Ha.
  assert (L : 2 * ((A q sigma alpha - 1) / (alpha * (alpha - 1))) <=
              2 * ((A q sigma beta - 1) / (beta * (beta - 1)))); [|lra].
  refine (int_line_le _ _ _ _ _ (excess_integral alpha ltac:(lra)) (excess_integral beta ltac:(lra))).
  intros z. apply Rmult_le_compat_l; [left; apply mu0_pos, Hs|].
  apply excess_pair_ordered; [lra|lra|apply ratio_pos|exact Hq|].
  intros p Hp. replace (beta - 2) with (alpha - 2 + (beta - alpha)) by ring.
  apply paired_rises; [apply ratio_pos|exact Hp|lra|lra].
Qed.

(** In divergences, both directions. *)
Theorem renyi_below_two (alpha : R) : 1 < alpha <= 2 ->
  renyi alpha (mu q sigma) (mu0 sigma)
    <= ln (1 + alpha * (alpha - 1) / 2 * q ^ 2 * (exp (1 / sigma ^ 2) - 1)) / (alpha - 1) /\
  renyi alpha (mu0 sigma) (mu q sigma)
    <= ln (1 + alpha * (alpha - 1) / 2 * q ^ 2 * (exp (1 / sigma ^ 2) - 1)) / (alpha - 1).
Proof.
  intros Ha.
  assert (U : renyi alpha (mu q sigma) (mu0 sigma)
    <= ln (1 + alpha * (alpha - 1) / 2 * q ^ 2 * (exp (1 / sigma ^ 2) - 1)) / (alpha - 1)).
  { rewrite renyi_mu_mu0. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    assert (A1 := A_ge_1 q sigma alpha Hq Hs ltac:(lra)).
    apply ln_le; [lra|apply excess_below_two, Ha]. }
  split; [exact U|]. apply Rle_trans with (2 := U).
  exact (renyi_order q sigma alpha Hq Hs ltac:(lra)).
Qed.

Theorem renyi_order_2 : renyi 2 (mu q sigma) (mu0 sigma) = ln (1 + q ^ 2 * (exp (1 / sigma ^ 2) - 1)).
Proof. rewrite renyi_mu_mu0, A_order_2. field. Qed.
End Fixed_q_sigma.
