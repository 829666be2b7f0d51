(** The arithmetic over Coq's own binary integers: no primitive integers or floats, so no axiom
    beyond those of the real numbers. *)
From Coq Require Import ZArith.
From Interval Require Import Float.Specific_stdz Float.Specific_ops.
From SGMV Require Import Arithmetic Enclosing.
Module Floats := SpecificFloat StdZRadix2.
Module Intervals := Make Floats.
Definition bits (p : Z) : arithmetic Intervals.I.type := Intervals.intervals (Floats.PtoP (Z.to_pos p)).
Definition enc : Intervals.I.type -> Rdefinitions.R -> Prop := Intervals.enc.
Theorem bits_sound (p : Z) : sound (bits p) enc.
Proof. exact (Intervals.intervals_sound _). Qed.
