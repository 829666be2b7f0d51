(** The same arithmetic over machine integers: several times faster, and resting on further axioms,
    the primitive 63-bit integers and what Coq's library assumes of them. *)
From Coq Require Import ZArith.
From Interval Require Import Float.Specific_bigint Float.Specific_ops.
From SGMV Require Import Arithmetic Enclosing.
Module Floats := SpecificFloat BigIntRadix2.
Module Intervals := Make Floats.
Definition bits (p : Z) : arithmetic Intervals.I.type := Intervals.intervals (Floats.PtoP (Z.to_pos p)).
Definition enc : Intervals.I.type -> Rdefinitions.R -> Prop := Intervals.enc.
Theorem bits_sound (p : Z) : sound (bits p) enc.
Proof. exact (Intervals.intervals_sound _). Qed.
