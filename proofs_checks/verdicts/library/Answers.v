(** What a generated proof uses: numbers as the statement writes them, and the three answers. *)
From Coq Require Import Reals Lra ZArith List.
From SGM Require Import Statements.
From SGMV Require Import Arithmetic Verdict Integrator.
From SGMV Require Whole AnyOrder.
Open Scope R_scope.

(** 11 / 10 is ratio_of (11, 10), 50 is ratio_of (50, 1), 8 is IZR (Z.of_nat 8). *)
Ltac rational := first [reflexivity | unfold ratio_of; simpl fst; simpl snd; lra].

Section Answers.
Context {T : Type} (o : Z -> arithmetic T) (enc : T -> R -> Prop) (H : forall bits, sound (o bits) enc).
Variable bits : Z.

Lemma lower (X : Z * Z) (x d : R) (t : T) : x = ratio_of X -> enc t d -> above (o bits) X t = true -> x < d.
Proof. intros -> E. exact (above_sound (o bits) enc (H bits) X t d E). Qed.
Lemma upper (X : Z * Z) (x d : R) (t : T) : x = ratio_of X -> enc t d -> below (o bits) X t = true -> d <= x.
Proof. intros -> E. exact (below_sound (o bits) enc (H bits) X t d E). Qed.
Lemma both (X Y : Z * Z) (x y d : R) (t : T) : x = ratio_of X -> y = ratio_of Y -> enc t d ->
  between (o bits) X Y t = true -> x <= d <= y.
Proof. intros -> -> E. exact (between_sound (o bits) enc (H bits) X Y t d E). Qed.

Lemma whole (Q S : Z * Z) (n : nat) (q sigma alpha : R) :
  q = ratio_of Q -> sigma = ratio_of S -> alpha = IZR (Z.of_nat n) -> 0 <= q < 1 -> 0 < sigma ->
  enc (Whole.divergence (o bits) Q S n) (renyi alpha (mu q sigma) (mu0 sigma)).
Proof. intros -> -> -> Hq Hs. exact (Whole.divergence_sound (o bits) enc (H bits) Q S n Hq Hs). Qed.

Lemma forward (unit left : Z) (l : list panel) (Q S A : Z * Z) (q sigma alpha : R) :
  q = ratio_of Q -> sigma = ratio_of S -> alpha = ratio_of A -> 0 < q <= 1 -> 0 < sigma -> 1 <= alpha ->
  AnyOrder.fits unit left l A = true ->
  enc (AnyOrder.divergence_in o bits unit left l Q S A A) (renyi alpha (mu q sigma) (mu0 sigma)).
Proof.
  intros -> -> -> Hq Hs Ha F.
  exact (AnyOrder.forward_sound o enc H bits unit left l Q S A Hq Hs (or_intror Ha) F).
Qed.

(** The other direction: the moment of exponent 1 - alpha, written as B. *)
Lemma reverse (unit left : Z) (l : list panel) (Q S A B : Z * Z) (q sigma alpha : R) :
  q = ratio_of Q -> sigma = ratio_of S -> alpha = ratio_of A -> 1 - alpha = ratio_of B ->
  0 < q <= 1 -> 0 < sigma -> 1 <= alpha -> AnyOrder.fits unit left l B = true ->
  enc (AnyOrder.divergence_in o bits unit left l Q S B A) (renyi alpha (mu0 sigma) (mu q sigma)).
Proof.
  intros -> -> -> E Hq Hs Ha F.
  exact (AnyOrder.reverse_sound o enc H bits unit left l Q S B Hq Hs ltac:(lra) F A (eq_sym E)).
Qed.
End Answers.
