(** Bounds in closed form: what answers that are far off need, however extreme the point. *)
From Coq Require Import Reals Lra ZArith.
From SGM Require Import Statements StatementsBeyond.
From SGM Require AB AGeqB.
From SGMV Require Import Arithmetic Verdict.
Open Scope R_scope.

Section Bounds.
Variables q sigma alpha x : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Ha : 1 < alpha.

Lemma quotient_nonnegative (a : R) : 1 <= a -> 0 <= ln a / (alpha - 1).
Proof.
  intros H. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
  destruct H as [H|<-]; [left; rewrite <- ln_1; apply ln_increasing; lra|rewrite ln_1; lra].
Qed.

(** No divergence is negative. *)
Lemma above_negative : x < 0 -> x < renyi alpha (mu q sigma) (mu0 sigma).
Proof.
  intros H. apply Rlt_le_trans with (1 := H). rewrite renyi_forward.
  apply quotient_nonnegative, AGeqB.A_ge_1; lra.
Qed.
Lemma above_negative_reverse : x < 0 -> x < renyi alpha (mu0 sigma) (mu q sigma).
Proof.
  intros H. apply Rlt_le_trans with (1 := H). rewrite renyi_reverse, <- AB.B_eq_A by assumption.
  apply quotient_nonnegative, AGeqB.B_ge_1; lra.
Qed.

(** The leading term is a lower bound everywhere: enough for an answer of zero, however small q is. *)
Lemma above_leading : x < q ^ 2 * alpha / (2 * sigma ^ 2) -> x < renyi alpha (mu q sigma) (mu0 sigma).
Proof. intros H. exact (Rlt_le_trans _ _ _ H (renyi_lower_bound q sigma Hq Hs alpha Ha)). Qed.

(** Sampling only helps. *)
Lemma unsampled : 1 / (2 * sigma ^ 2) * alpha <= x -> renyi alpha (mu q sigma) (mu0 sigma) <= x.
Proof. intros H. exact (Rle_trans _ _ _ (proj1 (zcdp q sigma alpha Hq Hs Ha)) H). Qed.

(** The part of the mixture that is shifted, alone. *)
Lemma shifted_part : 0 < q ->
  (alpha * ln q + alpha * (alpha - 1) / (2 * (sigma * sigma))) / (alpha - 1) <= renyi alpha (mu q sigma) (mu0 sigma).
Proof.
  intros Q. rewrite renyi_forward. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  assert (K := A_ge_sampled_part q sigma alpha ltac:(lra) Hs ltac:(lra)).
  change (A q sigma alpha) with (AB.A q sigma alpha) in K.
  replace (sigma * sigma) with (sigma ^ 2) by ring.
  rewrite <- (ln_exp (alpha * ln q + _)), exp_plus.
  assert (P : 0 < exp (alpha * ln q) * exp (alpha * (alpha - 1) / (2 * sigma ^ 2)))
    by (apply Rmult_lt_0_compat; apply exp_pos).
  destruct K as [K|K]; [left; apply ln_increasing; [exact P|exact K]|].
  right. f_equal. exact K.
Qed.
End Bounds.

Section Enclosure.
Context {T : Type} (o : arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : sound o enc.

Definition shifted_in (q sigma alpha : Z * Z) : T :=
  let a := rat o alpha in let g := rat o sigma in let b := sub o a (ofZ o 1) in
  div o (add o (mul o a (loga o (rat o q))) (div o (mul o a b) (mul o (ofZ o 2) (mul o g g)))) b.

Theorem shifted_sound (X Q S A : Z * Z) (x q sigma alpha : R) :
  x = ratio_of X -> q = ratio_of Q -> sigma = ratio_of S -> alpha = ratio_of A ->
  0 < q <= 1 -> 0 < sigma -> 1 < alpha -> above o X (shifted_in Q S A) = true ->
  x < renyi alpha (mu q sigma) (mu0 sigma).
Proof.
  intros -> -> -> -> Hq Hs Ha K.
  refine (Rlt_le_trans _ _ _ _ (shifted_part (ratio_of Q) (ratio_of S) (ratio_of A) ltac:(lra) Hs Ha (proj1 Hq))).
  refine (above_sound o enc H X _ _ _ K).
  assert (B := s_sub H _ _ _ _ (s_rat o enc H A) (s_ofZ H 1)).
  assert (G := s_rat o enc H S).
  apply (s_div H); [|exact B]. apply (s_add H).
  - apply (s_mul H); [apply (s_rat o enc H)|apply (s_loga H), (s_rat o enc H)].
  - apply (s_div H); apply (s_mul H); try assumption; [apply (s_rat o enc H)|apply (s_ofZ H)|].
    apply (s_mul H); assumption.
Qed.
End Enclosure.
