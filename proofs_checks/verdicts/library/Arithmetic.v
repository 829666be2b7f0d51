(** Arithmetic that encloses real numbers: what it must offer, and what makes it sound.  The algorithms
    of this library are written over any such arithmetic, their soundness is proved here once for all. *)
From Coq Require Import Reals ZArith Lra.
Open Scope R_scope.

Record arithmetic (T : Type) : Type := {
  add : T -> T -> T; sub : T -> T -> T; mul : T -> T -> T; div : T -> T -> T;
  expo : T -> T; loga : T -> T; root : T -> T; pi : T; ofZ : Z -> T;
  hull : T -> T -> T;
  less : T -> T -> bool; at_most : T -> T -> bool
}.
Arguments add {T}. Arguments sub {T}. Arguments mul {T}. Arguments div {T}.
Arguments expo {T}. Arguments loga {T}. Arguments root {T}. Arguments pi {T}. Arguments ofZ {T}.
Arguments hull {T}. Arguments less {T}. Arguments at_most {T}.

(** [enc t x]: the object t encloses the real x. *)
Record sound {T : Type} (o : arithmetic T) (enc : T -> R -> Prop) : Prop := {
  s_add : forall a b x y, enc a x -> enc b y -> enc (add o a b) (x + y);
  s_sub : forall a b x y, enc a x -> enc b y -> enc (sub o a b) (x - y);
  s_mul : forall a b x y, enc a x -> enc b y -> enc (mul o a b) (x * y);
  s_div : forall a b x y, enc a x -> enc b y -> enc (div o a b) (x / y);
  s_expo : forall a x, enc a x -> enc (expo o a) (exp x);
  s_loga : forall a x, enc a x -> enc (loga o a) (ln x);
  s_root : forall a x, enc a x -> enc (root o a) (sqrt x);
  s_pi : enc (pi o) PI;
  s_ofZ : forall n, enc (ofZ o n) (IZR n);
  s_hull : forall a b x y z, enc a x -> enc b y -> x <= z <= y -> enc (hull o a b) z;
  s_less : forall a b x y, enc a x -> enc b y -> less o a b = true -> x < y;
  s_at_most : forall a b x y, enc a x -> enc b y -> at_most o a b = true -> x <= y
}.
Arguments s_add {T o enc}. Arguments s_sub {T o enc}. Arguments s_mul {T o enc}. Arguments s_div {T o enc}.
Arguments s_expo {T o enc}. Arguments s_loga {T o enc}. Arguments s_root {T o enc}. Arguments s_pi {T o enc}.
Arguments s_ofZ {T o enc}. Arguments s_hull {T o enc}. Arguments s_less {T o enc}. Arguments s_at_most {T o enc}.

(** A rational number as a pair of integers. *)
Definition ratio_of (n : Z * Z) : R := IZR (fst n) / IZR (snd n).
Definition rat {T : Type} (o : arithmetic T) (n : Z * Z) : T := div o (ofZ o (fst n)) (ofZ o (snd n)).

Lemma s_rat {T : Type} (o : arithmetic T) (enc : T -> R -> Prop) : sound o enc ->
  forall n, enc (rat o n) (ratio_of n).
Proof. intros H n. apply (s_div H); apply (s_ofZ H). Qed.

(** The verdicts that an enclosure of a divergence gives. *)
Definition above {T : Type} (o : arithmetic T) (x : Z * Z) (t : T) : bool := less o (rat o x) t.
Definition below {T : Type} (o : arithmetic T) (x : Z * Z) (t : T) : bool := at_most o t (rat o x).
Definition between {T : Type} (o : arithmetic T) (x y : Z * Z) (t : T) : bool :=
  andb (at_most o (rat o x) t) (at_most o t (rat o y)).

Section Verdicts.
Context {T : Type} (o : arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : sound o enc.
Variables (x y : Z * Z) (t : T) (d : R).
Hypothesis E : enc t d.
Lemma above_sound : above o x t = true -> ratio_of x < d.
Proof. exact (s_less H _ _ _ _ (s_rat o enc H x) E). Qed.
Lemma below_sound : below o x t = true -> d <= ratio_of x.
Proof. exact (s_at_most H _ _ _ _ E (s_rat o enc H x)). Qed.
Lemma between_sound : between o x y t = true -> ratio_of x <= d <= ratio_of y.
Proof.
  unfold between. intros K. apply andb_prop in K. destruct K as [K1 K2].
  split; [exact (s_at_most H _ _ _ _ (s_rat o enc H x) E K1)|exact (s_at_most H _ _ _ _ E (s_rat o enc H y) K2)].
Qed.
End Verdicts.
