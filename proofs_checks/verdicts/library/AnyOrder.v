(** Orders of any kind, and both directions: the moment is the integral over a window, up to the tails. *)
From Coq Require Import Reals Lra List ZArith Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements.
From SGM Require Gaussian.
From SGMV Require Import Arithmetic Verdict Window Recurrence Integrator.
Open Scope R_scope.

Lemma kernel_f (q sigma s z : R) : 0 < sigma -> kernel q sigma s z = f q (1 / (sigma * sigma)) s z.
Proof.
  intros Hs. unfold kernel, f, qr.
  replace ((z - 1 / 2) * (1 / (sigma * sigma))) with ((2 * z - 1) / (2 * sigma ^ 2)) by (field; lra).
  f_equal. field. lra.
Qed.

Section Moment.
Context {T : Type} (o : Z -> arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : forall bits, sound (o bits) enc.

(** The bits, the window (its unit, its left end, its panels), q, sigma, and the exponent s. *)
Variables (bits unit left : Z) (l : list panel) (q sigma s : Z * Z).
Let right := end_of left l.

(** Bounds of both tails; squares are products, for an interval knows no more of them. *)
Definition gauss (t : Z * Z) : T :=
  let m := o bits in let d := div m (rat m t) (rat m sigma) in
  expo m (sub m (ofZ m 0) (div m (mul m d d) (ofZ m 2))).
Definition minus_rat (a b : Z * Z) : Z * Z := (fst a * snd b - fst b * snd a, snd a * snd b)%Z.
Definition tails_in : T :=
  let m := o bits in let a := (left, unit) in let b := (right, unit) in
  let one := ofZ m 1 in let g := rat m sigma in let x := rat m s in
  mul m (div m one (ofZ m 2))
    (add m (mul m (sub m one (rat m q)) (add m (gauss a) (gauss b)))
      (mul m (mul m (rat m q) (expo m (div m (mul m x (sub m x one)) (mul m (ofZ m 2) (mul m g g)))))
        (add m (gauss (minus_rat a s)) (gauss (minus_rat b s))))).
Definition moment_in : T :=
  let m := o bits in let one := ofZ m 1 in let g := rat m sigma in
  let sum := integral_in o (rat m q) (div m one (mul m g g)) (rat m s) bits unit left l in
  let inner := div m sum (mul m g (root m (mul m (ofZ m 2) (pi m)))) in
  hull m inner (add m inner tails_in).
(** The logarithm over alpha - 1, where alpha is s, or 1 - s for the reverse divergence. *)
Definition divergence_in (alpha : Z * Z) : T :=
  let m := o bits in div m (loga m (moment_in)) (sub m (rat m alpha) (ofZ m 1)).

(** What the window has to satisfy, in whole numbers. *)
Definition fits : bool :=
  (forallb wide l && Z.ltb 0 unit && Z.ltb 0 (snd s) && Z.leb left 0 && Z.leb 0 right
   && Z.leb (left * snd s) (fst s * unit) && Z.leb (fst s * unit) (right * snd s))%bool.

Hypothesis Hq : 0 < ratio_of q <= 1.
Hypothesis Hg : 0 < ratio_of sigma.
Hypothesis Hs : ratio_of s <= 0 \/ 1 <= ratio_of s.
Hypothesis Fit : fits = true.

Lemma fit_facts : forallb wide l = true /\ (0 < unit)%Z /\
  ratio_of (left, unit) <= 0 /\ ratio_of (left, unit) <= ratio_of s /\
  0 <= ratio_of (right, unit) /\ ratio_of s <= ratio_of (right, unit) /\ (0 < snd s)%Z.
Proof.
  assert (K0 := Fit). unfold fits in K0. repeat (apply andb_prop in K0; destruct K0 as [K0 ?]).
  repeat match goal with K : Z.ltb _ _ = true |- _ => apply Z.ltb_lt in K
                       | K : Z.leb _ _ = true |- _ => apply Z.leb_le in K end.
  assert (U : 0 < IZR unit) by (apply IZR_lt; assumption).
  assert (D : 0 < IZR (snd s)) by (apply IZR_lt; assumption).
  repeat match goal with K : (_ <= _)%Z |- _ => apply IZR_le in K; try rewrite !mult_IZR in K end.
  assert (Q : forall a b c d, 0 < b -> 0 < d -> a * d <= c * b -> a / b <= c / d).
  { intros a b c d B E K. apply Rmult_le_reg_r with (b * d); [apply Rmult_lt_0_compat; assumption|].
    replace (a / b * (b * d)) with (a * d) by (field; lra).
    replace (c / d * (b * d)) with (c * b) by (field; lra). exact K. }
  assert (Z0 : forall b, 0 = 0 / b) by (intros; unfold Rdiv; ring).
  unfold ratio_of; simpl fst; simpl snd.
  repeat split; try assumption; try (apply Q; assumption).
  - rewrite (Z0 1). apply Q; lra.
  - rewrite (Z0 1). apply Q; lra.
Qed.

Lemma gauss_sound (t : Z * Z) (x : R) : ratio_of t = x ->
  enc (gauss t) (exp (- x ^ 2 / (2 * ratio_of sigma ^ 2))).
Proof.
  intros <-. assert (D := s_div (H bits) _ _ _ _ (s_rat _ _ (H bits) t) (s_rat _ _ (H bits) sigma)).
  replace (- ratio_of t ^ 2 / (2 * ratio_of sigma ^ 2))
    with (0 - (ratio_of t / ratio_of sigma) * (ratio_of t / ratio_of sigma) / 2) by (field; lra).
  apply (s_expo (H bits)), (s_sub (H bits)); [apply (s_ofZ (H bits))|].
  apply (s_div (H bits)); [apply (s_mul (H bits)); exact D|apply (s_ofZ (H bits))].
Qed.

Lemma minus_rat_eq (k : Z) : (0 < unit)%Z -> (0 < snd s)%Z ->
  ratio_of (minus_rat (k, unit) s) = ratio_of (k, unit) - ratio_of s.
Proof.
  intros U D. apply IZR_lt in U. apply IZR_lt in D. unfold minus_rat, ratio_of. simpl fst. simpl snd.
  rewrite minus_IZR, !mult_IZR. field. lra.
Qed.

Lemma tails_sound : enc tails_in
  (tails (ratio_of q) (ratio_of sigma) (ratio_of s) (ratio_of (left, unit)) (ratio_of (right, unit))).
Proof.
  destruct fit_facts as [_ [U [_ [_ [_ [_ D]]]]]].
  assert (One := s_ofZ (H bits) 1). assert (Two := s_ofZ (H bits) 2).
  assert (Q := s_rat _ _ (H bits) q). assert (X := s_rat _ _ (H bits) s). assert (G := s_rat _ _ (H bits) sigma).
  unfold tails_in, tails.
  replace (ratio_of s ^ 2 - ratio_of s) with (ratio_of s * (ratio_of s - 1)) by ring.
  replace (2 * ratio_of sigma ^ 2) with (2 * (ratio_of sigma * ratio_of sigma)) at 3 by ring.
  apply (s_mul (H bits)); [apply (s_div (H bits)); assumption|]. apply (s_add (H bits)).
  - apply (s_mul (H bits)); [apply (s_sub (H bits)); assumption|].
    apply (s_add (H bits)); apply gauss_sound; reflexivity.
  - apply (s_mul (H bits)).
    + apply (s_mul (H bits)); [exact Q|]. apply (s_expo (H bits)), (s_div (H bits)).
      * apply (s_mul (H bits)); [exact X|apply (s_sub (H bits)); assumption].
      * apply (s_mul (H bits)); [exact Two|apply (s_mul (H bits)); assumption].
    + apply (s_add (H bits)); apply gauss_sound, minus_rat_eq; assumption.
Qed.

Theorem moment_sound : enc moment_in (AB.A (ratio_of q) (ratio_of sigma) (ratio_of s)).
Proof.
  destruct fit_facts as [W [U [A1 [A2 [B1 [B2 _]]]]]].
  assert (Win := A_window (ratio_of q) (ratio_of sigma) (ratio_of s) ltac:(lra) Hg Hs _ _ A1 A2 B1 B2).
  assert (One := s_ofZ (H bits) 1). assert (Two := s_ofZ (H bits) 2).
  assert (G := s_rat _ _ (H bits) sigma).
  assert (C := s_div (H bits) _ _ _ _ One (s_mul (H bits) _ _ _ _ G G)).
  assert (S := integral_sound o enc H _ _ _ bits unit _ _ _ (s_rat _ _ (H bits) q) C (s_rat _ _ (H bits) s) Hq U l W left).
  fold right in S. unfold at_ in S.
  assert (E : RInt (kernel (ratio_of q) (ratio_of sigma) (ratio_of s)) (ratio_of (left, unit)) (ratio_of (right, unit))
    = RInt (f (ratio_of q) (1 / (ratio_of sigma * ratio_of sigma)) (ratio_of s)) (IZR left / IZR unit) (IZR right / IZR unit)).
  { apply RInt_ext. intros z _. apply kernel_f, Hg. }
  rewrite E in Win. unfold moment_in.
  assert (N := s_mul (H bits) _ _ _ _ G (s_root (H bits) _ _ (s_mul (H bits) _ _ _ _ Two (s_pi (H bits))))).
  assert (I := s_div (H bits) _ _ _ _ S N).
  exact (s_hull (H bits) _ _ _ _ _ I (s_add (H bits) _ _ _ _ I tails_sound) Win).
Qed.

Theorem forward_sound : enc (divergence_in s)
  (renyi (ratio_of s) (mu (ratio_of q) (ratio_of sigma)) (mu0 (ratio_of sigma))).
Proof.
  rewrite renyi_forward. apply (s_div (H bits)); [apply (s_loga (H bits)), moment_sound|].
  apply (s_sub (H bits)); [apply (s_rat _ _ (H bits))|apply (s_ofZ (H bits))].
Qed.

Theorem reverse_sound (alpha : Z * Z) : ratio_of s = 1 - ratio_of alpha -> enc (divergence_in alpha)
  (renyi (ratio_of alpha) (mu0 (ratio_of sigma)) (mu (ratio_of q) (ratio_of sigma))).
Proof.
  intros E. rewrite renyi_reverse by (try exact Hg; lra). rewrite <- E.
  apply (s_div (H bits)); [apply (s_loga (H bits)), moment_sound|].
  apply (s_sub (H bits)); [apply (s_rat _ _ (H bits))|apply (s_ofZ (H bits))].
Qed.
End Moment.
