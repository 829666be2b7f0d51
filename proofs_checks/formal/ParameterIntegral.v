(** Improper integrals that depend on a parameter: if 0 <= F v t <= g v e t with
    e integrable over the line, g locally bounded and F jointly continuous, then
    the integral of F v exists, lies below g v times the integral of e, and is a
    continuous function of v.  The parameter lives in any uniform space. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral.
Open Scope R_scope.

(** The window [-W, W] carries all but eps of a convergent integral. *)
Lemma int_line_window_near (f : R -> R) (l eps : R) :
  (forall x, continuous f x) -> int_line f l -> 0 < eps ->
  exists W, 0 <= W /\ l - eps < RInt f (- W) W.
Proof.
  intros Cf H He. destruct (proj1 (int_line_epsilon f l) H eps He) as [M [HM K]].
  exists (M + 1). split; [lra|].
  destruct (K (- (M + 1)) (M + 1) ltac:(lra) ltac:(lra)) as [y [Hy1 Hy2]].
  rewrite (is_RInt_unique (V := R_CompleteNormedModule) f _ _ y Hy1).
  apply Rabs_def2 in Hy2. lra.
Qed.

Lemma locally_bounded_of_continuous {T : UniformSpace} (g : T -> R) :
  (forall v, continuous g v) -> (forall v, 0 <= g v) ->
  forall v, exists (C : R) (d : posreal), forall w, ball v d w -> 0 <= g w <= C.
Proof.
  intros Cg g0 v.
  destruct (proj1 (filterlim_locally g (g v)) (Cg v) (mkposreal 1 Rlt_0_1)) as [d Hd].
  exists (g v + 1), d. intros w Hw. split; [apply g0|].
  assert (K := Hd w Hw). unfold ball in K; simpl in K; unfold AbsRing_ball, abs, minus, plus, opp in K; simpl in K.
  apply Rabs_def2 in K. lra.
Qed.

Section With_parameter.
Context {T : UniformSpace}.
Variable F : T -> R -> R.
Hypothesis F_continuous : forall p : T * R, continuous (fun p : T * R => F (fst p) (snd p)) p.

Lemma slice_continuous (v : T) : forall t, continuous (F v) t.
Proof.
  intros t. apply (continuous_comp (fun t => (v, t)) (fun p : T * R => F (fst p) (snd p))).
  - intros P [d H]. exists d. intros u Hu. apply H. exact (conj (ball_center v d) Hu).
  - apply F_continuous.
Qed.

Lemma slice_integrable (v : T) (a b : R) : ex_RInt (F v) a b.
Proof. apply ex_RInt_everywhere_continuous, slice_continuous. Qed.

(** Continuity in the parameter, uniform over a compact interval. *)
Lemma uniform_over_interval (v : T) (a b eps : R) : 0 < eps ->
  exists d : posreal, forall w, ball v d w -> forall t, a <= t <= b -> Rabs (F w t - F v t) < eps.
Proof.
  intros He.
  assert (Near : forall t, {d : posreal | forall p : T * R, ball (v, t) d p ->
                   Rabs (F (fst p) (snd p) - F v t) < eps / 2}).
  { intros t. apply locally_ex_dec.
    - intros p. destruct (Rlt_dec (Rabs (F (fst p) (snd p) - F v t)) (eps / 2)) as [near|far]; [left|right]; assumption.
    - assert (C := F_continuous (v, t)).
      apply (C (fun y => Rabs (y - F v t) < eps / 2)).
      assert (H2 : 0 < eps / 2) by lra. exists (mkposreal (eps / 2) H2). intros y Hy. exact Hy. }
  destruct (compactness_value_1d a b (fun t => pos_div_2 (proj1_sig (Near t)))) as [d Hd].
  exists d. intros w Hw t Ht. apply Rnot_le_lt. intros Bad. apply (Hd t Ht).
  intros [s [Hs [Hts Hds]]]. destruct (Near s) as [ds Ps]. simpl in Hts, Hds.
  assert (Dpos := cond_pos ds).
  assert (B1 : ball s ds t).
  { unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
    replace (t + - s) with (t - s) by ring. lra. }
  assert (B2 : ball v ds w) by (apply ball_le with d; [lra|exact Hw]).
  assert (K1 := Ps (w, t) (conj B2 B1)).
  assert (K2 := Ps (v, t) (conj (ball_center v ds) B1)). simpl in K1, K2.
  assert (fact1 : Rabs (F w t - F v t) < eps); [|lra].
  replace (F w t - F v t) with ((F w t - F v s) - (F v t - F v s)) by ring.
  apply Rle_lt_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp. lra.
Qed.

Lemma window_integral_near (v : T) (a b eps : R) : a <= b -> 0 < eps ->
  exists d : posreal, forall w, ball v d w -> Rabs (RInt (F w) a b - RInt (F v) a b) < eps.
Proof.
  intros Hab He. assert (Hk : 0 < eps / (b - a + 1)) by (apply Rdiv_lt_0_compat; lra).
  destruct (uniform_over_interval v a b _ Hk) as [d Hd]. exists d. intros w Hw.
  assert (E : RInt (fun t => F w t - F v t) a b = RInt (F w) a b - RInt (F v) a b)
    by (apply (RInt_minus (V := R_CompleteNormedModule)); apply slice_integrable).
  assert (I : ex_RInt (fun t => F w t - F v t) a b)
    by (apply (ex_RInt_minus (V := R_NormedModule)); apply slice_integrable).
  rewrite <- E. apply Rle_lt_trans with ((b - a) * (eps / (b - a + 1))).
  - apply (abs_RInt_le_const (fun t => F w t - F v t) a b); [exact Hab|exact I|].
    intros t Ht. left. apply Hd; assumption.
  - apply Rmult_lt_reg_r with (b - a + 1); [lra|].
    replace ((b - a) * (eps / (b - a + 1)) * (b - a + 1)) with ((b - a) * eps) by (field; lra). nra.
Qed.

(** * Domination *)

Variables (g : T -> R) (e : R -> R) (E : R).
Hypothesis e_continuous : forall t, continuous e t.
Hypothesis e_integral : int_line e E.
Hypothesis F_bound : forall v t, 0 <= F v t <= g v * e t.
Hypothesis g_locally_bounded : forall v, exists (C : R) (d : posreal), forall w, ball v d w -> 0 <= g w <= C.

Definition slice_integral (v : T) : R := line_integral (F v).

Lemma slice_envelope_continuous (v : T) : forall t, continuous (fun t => g v * e t) t.
Proof. intros t. apply (continuous_scal_r (V := R_NormedModule) (g v)), e_continuous. Qed.

Lemma slice_integral_exists (v : T) : int_line (F v) (slice_integral v).
Proof.
  destruct (int_line_exists_dominated (F v) (fun t => g v * e t) (g v * E)) as [l [H _]].
  - apply slice_continuous.
  - apply slice_envelope_continuous.
  - apply F_bound.
  - apply int_line_scal, e_integral.
  - exact (line_integral_correct _ l H).
Qed.

Lemma slice_integral_bound (v : T) : 0 <= slice_integral v <= g v * E.
Proof.
  split.
  - apply (int_line_nonneg (F v)); [intros t; apply F_bound|apply slice_integral_exists].
  - apply (int_line_le (F v) (fun t => g v * e t)); [intros t; apply F_bound|apply slice_integral_exists|].
    apply int_line_scal, e_integral.
Qed.

(** The tail of a slice is at most g v times the tail of e. *)
Lemma slice_tail (v : T) (W : R) : 0 <= W ->
  0 <= slice_integral v - RInt (F v) (- W) W <= g v * (E - RInt e (- W) W).
Proof.
  intros HW. split.
  - assert (K := int_line_ge_window (F v) (slice_continuous v) (fun t => proj1 (F_bound v t))
      _ (slice_integral_exists v) (- W) W ltac:(lra)). lra.
  - assert (C : forall t, continuous (fun t => g v * e t - F v t) t).
    { intros t. apply (continuous_minus (V := R_NormedModule));
        [apply slice_envelope_continuous|apply slice_continuous]. }
    assert (K := int_line_ge_window (fun t => g v * e t - F v t) C
      (fun t => ltac:(assert (B := F_bound v t); cbv beta; lra)) _
      (int_line_minus _ _ _ _ (int_line_scal e (g v) E e_integral) (slice_integral_exists v)) (- W) W ltac:(lra)).
    assert (E1 : RInt (fun t => g v * e t - F v t) (- W) W
                 = g v * RInt e (- W) W - RInt (F v) (- W) W).
    { assert (M := RInt_minus (V := R_CompleteNormedModule) (fun t => g v * e t) (F v) (- W) W
        (ex_RInt_everywhere_continuous _ (slice_envelope_continuous v) _ _) (slice_integrable v _ _)).
      assert (Sc := RInt_scal (V := R_CompleteNormedModule) e (- W) W (g v)
        (ex_RInt_everywhere_continuous _ e_continuous _ _)).
      unfold scal, mult, minus, plus, opp in M, Sc; simpl in M, Sc. unfold mult in Sc; simpl in Sc.
      rewrite Sc in M. exact M. }
    lra.
Qed.

(** The integral is continuous in the parameter. *)
Theorem slice_integral_continuous (v : T) : continuous slice_integral v.
Proof.
  apply filterlim_locally. intros eps. assert (He := cond_pos eps).
  destruct (g_locally_bounded v) as [C [d1 HC]].
  assert (C0 : 0 <= C) by (assert (K := HC v (ball_center v d1)); lra).
  assert (Hk : 0 < eps / (4 * (C + 1))) by (apply Rdiv_lt_0_compat; lra).
  destruct (int_line_window_near e E _ e_continuous e_integral Hk) as [W [HW HT]].
  assert (Small : forall w, ball v d1 w -> 0 <= slice_integral w - RInt (F w) (- W) W < eps / 4).
  { intros w Hw. assert (Tw := slice_tail w W HW). assert (Gw := HC w Hw). split; [lra|].
    apply Rle_lt_trans with (1 := proj2 Tw).
    set (k := eps / (4 * (C + 1))) in *.
    assert (Ek : (C + 1) * k = eps / 4) by (unfold k; field; lra).
    assert (Tk : E - RInt e (- W) W < k) by lra. rewrite <- Ek.
    destruct (Rle_dec (E - RInt e (- W) W) 0) as [N|N]; nra. }
  destruct (window_integral_near v (- W) W (eps / 4) ltac:(lra) ltac:(lra)) as [d2 Hd2].
  assert (Dm : 0 < Rmin d1 d2) by (apply Rmin_pos; apply cond_pos).
  exists (mkposreal _ Dm). intros w Hw. simpl in Hw.
  assert (W1 := ball_le v (mkposreal _ Dm) d1 (Rmin_l d1 d2) w Hw).
  assert (W2 := ball_le v (mkposreal _ Dm) d2 (Rmin_r d1 d2) w Hw).
  assert (S1 := Small w W1). assert (S0 := Small v (ball_center v d1)).
  assert (D := Hd2 w W2). apply Rabs_def2 in D.
  unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
  apply Rabs_def1; lra.
Qed.
End With_parameter.
