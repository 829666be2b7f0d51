(** Facts about exp, ln, real powers and monotone functions that the standard
    library does not state in the form needed here.  The last section is
    Bernoulli's inequality for real exponents, in its three ranges. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(** * Monotone functions, from the sign of the derivative *)

Lemma derive_mean_value (f df : R -> R) (a b : R) :
  a < b -> (forall x, a <= x <= b -> is_derive f x (df x)) ->
  exists c, f b - f a = df c * (b - a) /\ a < c < b.
Proof.
  intros Hab Hd. apply (MVT_cor2 f df a b Hab).
  intros c Hc. apply is_derive_Reals, Hd, Hc.
Qed.

Lemma nondecreasing_of_derive (f df : R -> R) (a b : R) :
  a <= b -> (forall x, a <= x <= b -> is_derive f x (df x)) ->
  (forall x, a < x < b -> 0 <= df x) -> f a <= f b.
Proof.
  intros [Hab|Hab] Hd Hp; [|subst; lra].
  destruct (derive_mean_value f df a b Hab Hd) as [c [E Hc]].
  specialize (Hp c Hc). nra.
Qed.

Lemma nonincreasing_of_derive (f df : R -> R) (a b : R) :
  a <= b -> (forall x, a <= x <= b -> is_derive f x (df x)) ->
  (forall x, a < x < b -> df x <= 0) -> f b <= f a.
Proof.
  intros [Hab|Hab] Hd Hp; [|subst; lra].
  destruct (derive_mean_value f df a b Hab Hd) as [c [E Hc]].
  specialize (Hp c Hc). nra.
Qed.

Lemma increasing_of_derive (f df : R -> R) (a b : R) :
  a < b -> (forall x, a <= x <= b -> is_derive f x (df x)) ->
  (forall x, a < x < b -> 0 < df x) -> f a < f b.
Proof.
  intros Hab Hd Hp.
  destruct (derive_mean_value f df a b Hab Hd) as [c [E Hc]].
  specialize (Hp c Hc). nra.
Qed.

(** * exp and ln *)

Lemma exp_le (x y : R) : x <= y -> exp x <= exp y.
Proof. intros [H|H]; [left; apply exp_increasing; exact H|subst; lra]. Qed.

Lemma ln_le (x y : R) : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros Hx [H|H]; [left; apply ln_increasing; assumption|subst; lra]. Qed.

Lemma ln_nonneg (y : R) : 1 <= y -> 0 <= ln y.
Proof. intros H. rewrite <- ln_1. apply ln_le; lra. Qed.

Lemma ln_pos (y : R) : 1 < y -> 0 < ln y.
Proof. intros H. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma ln_le_minus_1 (x : R) : 0 < x -> ln x <= x - 1.
Proof.
  intros Hx. assert (H := exp_ineq1_le (ln x)). rewrite exp_ln in H by lra. lra.
Qed.

Lemma ln_lt_minus_1 (x : R) : 0 < x -> x <> 1 -> ln x < x - 1.
Proof.
  intros Hx H1. assert (N : ln x <> 0).
  { intros E. apply H1. rewrite <- (exp_ln x Hx), E. apply exp_0. }
  assert (H := exp_ineq1 (ln x) N). rewrite exp_ln in H by lra. lra.
Qed.

(** * Real powers *)

Lemma Rpower_pos (x a : R) : 0 < Rpower x a.
Proof. apply exp_pos. Qed.

Lemma Rpower_base_1 (a : R) : Rpower 1 a = 1.
Proof. unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.

Lemma Rpower_inv_base (x a : R) : 0 < x -> Rpower (/ x) a = Rpower x (- a).
Proof. intros Hx. unfold Rpower. rewrite ln_Rinv by lra. f_equal. ring. Qed.

Lemma Rpower_succ (x b : R) : 0 < x -> Rpower x (b + 1) = x * Rpower x b.
Proof. intros Hx. rewrite Rpower_plus, Rpower_1 by lra. ring. Qed.

(** The change of measure that turns B into a power of the same ratio as A. *)
Lemma Rpower_ratio_swap (p v a : R) : 0 < p -> 0 < v ->
  p * Rpower (v / p) a = v * Rpower (p / v) (1 - a).
Proof.
  intros Hp Hv. unfold Rpower, Rdiv.
  rewrite !ln_mult, !ln_Rinv by (try apply Rinv_0_lt_compat; assumption).
  rewrite <- (exp_ln p) at 1 by assumption. rewrite <- (exp_ln v) at 2 by assumption.
  rewrite <- !exp_plus. f_equal. ring.
Qed.

Lemma is_derive_Rpower_1plus (b x : R) : -1 < x ->
  is_derive (fun y => Rpower (1 + y) b) x (b * Rpower (1 + x) (b - 1)).
Proof.
  intros Hx. unfold Rpower. auto_derive; [lra|].
  replace ((b - 1) * ln (1 + x)) with (b * ln (1 + x) + - ln (1 + x)) by ring.
  rewrite exp_plus, exp_Ropp, exp_ln by lra. field. lra.
Qed.

(** * Bernoulli's inequality for real exponents *)

Lemma bernoulli_exponent_ge_1 (b w : R) : 1 <= b -> -1 < w -> 1 + b * w <= Rpower (1 + w) b.
Proof.
  intros Hb Hw.
  set (f := fun x => Rpower (1 + x) b - (1 + b * x)).
  set (df := fun x => b * Rpower (1 + x) (b - 1) - b).
  assert (D : forall x, -1 < x -> is_derive f x (df x)).
  { intros x Hx. unfold f, df.
    apply (is_derive_minus (fun x => Rpower (1 + x) b) (fun x => 1 + b * x)).
    - apply is_derive_Rpower_1plus, Hx.
    - auto_derive; [trivial|ring]. }
  assert (F0 : f 0 = 0) by (unfold f; rewrite Rplus_0_r, Rpower_base_1; ring).
  assert (nonneg1 : 0 <= f w); [|unfold f in *; lra].
  rewrite <- F0. destruct (Rle_dec 0 w) as [W|W].
  - apply (nondecreasing_of_derive f df); [exact W|intros x Hx; apply D; lra|].
    intros x Hx. unfold df. assert (fact2 : 1 <= Rpower (1 + x) (b - 1)); [|nra].
    rewrite <- (Rpower_O (1 + x)) at 1 by lra. apply Rle_Rpower; lra.
  - apply (nonincreasing_of_derive f df); [lra|intros x Hx; apply D; lra|].
    intros x Hx. unfold df. assert (fact3 : Rpower (1 + x) (b - 1) <= 1); [|nra].
    assert (K := ln_le_minus_1 (1 + x) ltac:(lra)).
    unfold Rpower. apply Rle_trans with (exp 0); [apply exp_le; nra|rewrite exp_0; lra].
Qed.

Lemma bernoulli_exponent_le_0 (b w : R) : b <= 0 -> -1 < w -> 1 + b * w <= Rpower (1 + w) b.
Proof.
  intros Hb Hw. assert (K := ln_le_minus_1 (1 + w) ltac:(lra)).
  assert (E := exp_ineq1_le (b * ln (1 + w))). unfold Rpower. nra.
Qed.

Lemma bernoulli_exponent_0_1 (b w : R) : 0 <= b <= 1 -> -1 < w -> Rpower (1 + w) b <= 1 + b * w.
Proof.
  intros Hb Hw.
  destruct (Req_dec b 0) as [E|E].
  { subst. rewrite Rpower_O by lra. lra. }
  (* apply the inequality for exponents >= 1 to the exponent 1/b and the point b*w *)
  assert (Hbw : -1 < b * w) by nra.
  assert (Hi : 1 <= / b) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (H := bernoulli_exponent_ge_1 (/ b) (b * w) Hi Hbw).
  replace (/ b * (b * w)) with w in H by (field; lra).
  assert (K : Rpower (1 + w) b <= Rpower (Rpower (1 + b * w) (/ b)) b) by (apply Rle_Rpower_l; lra).
  rewrite Rpower_mult, Rinv_l, Rpower_1 in K by lra. exact K.
Qed.

(** A convex combination of 1 and r stays positive. *)
Lemma mixture_gt_m1 (q t : R) : 0 <= q <= 1 -> 0 < t -> -1 < q * (t - 1).
Proof. intros [[H|H] H1] Ht; [assert (pos4 : 0 < q * t) by nra; lra|subst; lra]. Qed.
