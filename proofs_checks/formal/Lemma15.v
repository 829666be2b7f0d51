(** Lemma 15 of Bun et al.: (1+w)^alpha <= 1 + alpha w + alpha (alpha-1) w^2.

    For alpha <= 2 it follows from Bernoulli's inequality with exponent
    alpha - 1 in [0,1].  For alpha > 2 the difference of the two sides has a
    derivative with the sign of w.  (That sign argument fails for alpha < 3/2
    and negative w, hence the two cases.) *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis.
Open Scope R_scope.

Lemma exp_le_1_plus_2t (t : R) : 0 <= t <= 1 -> exp t <= 1 + 2 * t.
Proof.
  intros Ht. assert (E3 := exp_le_3). assert (E0 := exp_pos 1).
  assert (H := bernoulli_exponent_0_1 t (exp 1 - 1) Ht ltac:(lra)).
  replace (1 + (exp 1 - 1)) with (exp 1) in H by ring.
  unfold Rpower in H. rewrite ln_exp, Rmult_1_r in H. nra.
Qed.

(** Lemma 15 of Bun et al.; the hypothesis w (alpha-1) <= 1 is w <= 1/(alpha-1)
    without the division by zero at alpha = 1. *)
Theorem bun_lemma_15 (alpha w : R) : 1 <= alpha -> -1 < w -> w * (alpha - 1) <= 1 ->
  Rpower (1 + w) alpha <= 1 + alpha * w + alpha * (alpha - 1) * w ^ 2.
Proof.
  intros Ha Hw H1.
  destruct (Rle_dec alpha 2) as [A2|A2].
  { replace alpha with ((alpha - 1) + 1) at 1 by ring. rewrite Rpower_succ by lra.
    assert (H := bernoulli_exponent_0_1 (alpha - 1) w ltac:(lra) Hw).
    apply Rle_trans with ((1 + w) * (1 + (alpha - 1) * w)).
    - apply Rmult_le_compat_l; lra.
    - assert (nonneg1 : 0 <= (alpha - 1) * (alpha - 1) * w ^ 2) by (apply Rmult_le_pos; nra). nra. }
  set (f := fun x => 1 + alpha * x + alpha * (alpha - 1) * x ^ 2 - Rpower (1 + x) alpha).
  set (df := fun x => alpha + alpha * (alpha - 1) * (2 * x) - alpha * Rpower (1 + x) (alpha - 1)).
  assert (D : forall x, -1 < x -> is_derive f x (df x)).
  { intros x Hx. unfold f, df.
    apply (is_derive_minus (fun x => 1 + alpha * x + alpha * (alpha - 1) * x ^ 2)
                           (fun x => Rpower (1 + x) alpha)).
    - auto_derive; [trivial|ring].
    - apply is_derive_Rpower_1plus, Hx. }
  assert (F0 : f 0 = 0) by (unfold f; rewrite Rplus_0_r, Rpower_base_1; ring).
  assert (nonneg2 : 0 <= f w); [|unfold f in *; lra].
  rewrite <- F0. destruct (Rle_dec 0 w) as [W|W].
  - apply (nondecreasing_of_derive f df); [exact W|intros x Hx; apply D; lra|].
    intros x Hx. unfold df.
    assert (X : 0 <= x * (alpha - 1) <= 1) by nra.
    assert (fact3 : Rpower (1 + x) (alpha - 1) <= exp (x * (alpha - 1))).
    { unfold Rpower. apply exp_le. assert (K := ln_le_minus_1 (1 + x) ltac:(lra)). nra. }
    assert (K := exp_le_1_plus_2t (x * (alpha - 1)) X). nra.
  - apply (nonincreasing_of_derive f df); [lra|intros x Hx; apply D; lra|].
    intros x Hx. unfold df.
    assert (K := bernoulli_exponent_ge_1 (alpha - 1) x ltac:(lra) ltac:(lra)).
    assert (N : (alpha - 1) * x <= 0) by nra. nra.
Qed.

(** Lemma 15 of Bun et al. as quoted by the paper, for alpha > 1. *)
Corollary bun_lemma_15_quoted (alpha w : R) : 1 < alpha -> -1 < w <= 1 / (alpha - 1) ->
  Rpower (1 + w) alpha <= 1 + alpha * w + alpha * (alpha - 1) * w ^ 2.
Proof.
  intros Ha [Hw H]. apply bun_lemma_15; [lra|exact Hw|].
  apply Rmult_le_compat_r with (r := alpha - 1) in H; [|lra].
  unfold Rdiv in H. rewrite Rmult_1_l, Rinv_l in H by lra. exact H.
Qed.
