(** CoqInterval's intervals as an arithmetic, over any of its floating-point numbers. *)
From Coq Require Import Reals ZArith Lra.
From Interval Require Import Float.Specific_ops Interval.Float_full Float.Sig Real.Xreal Interval.Interval Float.Basic.
From Flocq Require Import Core.Zaux.
From SGMV Require Import Arithmetic.

Module Make (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module I := FloatIntervalFull F.
Definition enc (t : I.type) (x : R) : Prop := contains (I.convert t) (Xreal x).

Lemma widen (t : I.type) (v : ExtendedR) (x : R) : contains (I.convert t) v ->
  v = Xreal x \/ v = Xnan -> enc t x.
Proof. intros H [->| ->]; [exact H|]. unfold enc. destruct (I.convert t); [exact Logic.I|contradiction H]. Qed.

Section Precision.
Variable p : F.precision.
Definition less (a b : I.type) : bool := match I.sign_strict (I.sub p a b) with Xlt => true | _ => false end.
Definition at_most (a b : I.type) : bool :=
  match I.sign_large (I.sub p a b) with Xlt => true | Xeq => true | _ => false end.
Definition intervals : arithmetic I.type :=
  {| add := I.add p; sub := I.sub p; mul := I.mul p; div := I.div p; expo := I.exp p; loga := I.ln p;
     root := I.sqrt p; pi := I.pi p; ofZ := I.fromZ p; hull := I.join;
     Arithmetic.less := less; Arithmetic.at_most := at_most |}.

Theorem intervals_sound : sound intervals enc.
Proof.
  constructor; simpl.
  - intros a b x y Ha Hb. exact (I.add_correct p a b _ _ Ha Hb).
  - intros a b x y Ha Hb. exact (I.sub_correct p a b _ _ Ha Hb).
  - intros a b x y Ha Hb. exact (I.mul_correct p a b _ _ Ha Hb).
  - intros a b x y Ha Hb. apply (widen _ _ _ (I.div_correct p a b _ _ Ha Hb)).
    simpl. unfold Xdiv'. destruct (is_zero y); auto.
  - intros a x Ha. exact (I.exp_correct p a _ Ha).
  - intros a x Ha. apply (widen _ _ _ (I.ln_correct p a _ Ha)).
    simpl. unfold Xln'. destruct (is_positive x); auto.
  - intros a x Ha. apply (widen _ _ _ (I.sqrt_correct p a _ Ha)). simpl. unfold Xsqrt'. auto.
  - apply I.pi_correct.
  - intros n. apply I.fromZ_correct.
  - intros a b x y z Ha Hb Hz. unfold enc.
    apply (contains_connected (I.convert (I.join a b)) x y); [| |exact Hz].
    + apply I.join_correct. left. exact Ha.
    + apply I.join_correct. right. exact Hb.
  - intros a b x y Ha Hb. unfold less.
    assert (K := I.sub_correct p a b _ _ Ha Hb). assert (S := I.sign_strict_correct (I.sub p a b)).
    destruct (I.sign_strict (I.sub p a b)); try discriminate. intros _.
    destruct (S _ K) as [_ L]. simpl in L. lra.
  - intros a b x y Ha Hb. unfold at_most.
    assert (K := I.sub_correct p a b _ _ Ha Hb). assert (S := I.sign_large_correct (I.sub p a b)).
    destruct (I.sign_large (I.sub p a b)); try discriminate; intros _.
    + assert (L := S _ K). simpl in L. injection L. lra.
    + destruct (S _ K) as [_ L]. simpl in L. lra.
Qed.
End Precision.
End Make.
