(** Nonnegative continuous functions on R^d all of whose partial integrals (last coordinate first)
    exist and are continuous.  The class is closed under sums, multiples and, the point of it, under
    passing to any smaller nonnegative continuous function: no product envelope is needed, so that
    densities whose centres depend on earlier coordinates in an unbounded way are covered. *)

From Coq Require Import Reals Lra Psatz PeanoNat FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral ParameterIntegral SpaceIntegral.
Open Scope R_scope.

(** * One coordinate: dominated convergence with an envelope that itself depends on the parameter *)

Section Sandwich.
Context {T : UniformSpace}.
Variables F G : T -> R -> R.
Hypothesis CF : forall p : T * R, continuous (fun p : T * R => F (fst p) (snd p)) p.
Hypothesis CG : forall p : T * R, continuous (fun p : T * R => G (fst p) (snd p)) p.
Hypothesis FG : forall v t, 0 <= F v t <= G v t.
Variable G' : T -> R.
Hypothesis IG : forall v, int_line (G v) (G' v).
Hypothesis CG' : forall v, continuous G' v.

Let F' (v : T) : R := line_integral (F v).

Lemma below_integral_exists (v : T) : int_line (F v) (F' v).
Proof.
  destruct (int_line_exists_dominated (F v) (G v) (G' v)) as [l [H _]].
  - apply (slice_continuous F CF).
  - apply (slice_continuous G CG).
  - apply FG.
  - apply IG.
  - exact (line_integral_correct _ l H).
Qed.

Lemma below_integral_nonneg (v : T) : 0 <= F' v.
Proof. apply (int_line_nonneg (F v)); [intros t; apply FG|apply below_integral_exists]. Qed.

Lemma below_integral_le (v : T) : F' v <= G' v.
Proof. apply (int_line_le (F v) (G v)); [intros t; apply FG|apply below_integral_exists|apply IG]. Qed.

(** Outside a window F carries no more than G does. *)
Lemma below_tail (v : T) (W : R) : 0 <= W ->
  0 <= F' v - RInt (F v) (- W) W <= G' v - RInt (G v) (- W) W.
Proof.
  intros HW. split.
  - assert (K := int_line_ge_window (F v) (slice_continuous F CF v) (fun t => proj1 (FG v t))
      _ (below_integral_exists v) (- W) W ltac:(lra)). lra.
  - assert (C : forall t, continuous (fun t => G v t - F v t) t).
    { intros t. apply (continuous_minus (V := R_NormedModule));
        [apply (slice_continuous G CG)|apply (slice_continuous F CF)]. }
    assert (K := int_line_ge_window (fun t => G v t - F v t) C
      (fun t => ltac:(assert (B := FG v t); cbv beta; lra)) _
      (int_line_minus _ _ _ _ (IG v) (below_integral_exists v)) (- W) W ltac:(lra)).
    assert (M := RInt_minus (V := R_CompleteNormedModule) (G v) (F v) (- W) W
        (slice_integrable G CG v _ _) (slice_integrable F CF v _ _)).
    unfold minus, plus, opp in M; simpl in M.
    assert (E : RInt (fun t => G v t - F v t) (- W) W = RInt (G v) (- W) W + - RInt (F v) (- W) W)
      by exact M.
    lra.
Qed.

Theorem below_integral_continuous (v : T) : continuous F' v.
Proof.
  apply filterlim_locally. intros eps. assert (He := cond_pos eps).
  destruct (int_line_window_near (G v) (G' v) (eps / 8) (slice_continuous G CG v) (IG v) ltac:(lra))
    as [W [HW HT]].
  destruct (window_integral_near G CG v (- W) W (eps / 8) ltac:(lra) ltac:(lra)) as [d1 H1].
  destruct (window_integral_near F CF v (- W) W (eps / 8) ltac:(lra) ltac:(lra)) as [d2 H2].
  destruct (proj1 (filterlim_locally G' (G' v)) (CG' v) (mkposreal (eps / 8) ltac:(lra))) as [d3 H3].
  assert (Dm : 0 < Rmin d1 (Rmin d2 d3)) by (repeat apply Rmin_pos; apply cond_pos).
  exists (mkposreal _ Dm). intros w Hw. simpl in Hw.
  assert (W1 : ball v d1 w) by (refine (ball_le v (mkposreal _ Dm) d1 _ w Hw); apply Rmin_l).
  assert (W2 : ball v d2 w).
  { refine (ball_le v (mkposreal _ Dm) d2 _ w Hw). simpl.
    apply Rle_trans with (1 := Rmin_r _ _). apply Rmin_l. }
  assert (W3 : ball v d3 w).
  { refine (ball_le v (mkposreal _ Dm) d3 _ w Hw). simpl.
    apply Rle_trans with (1 := Rmin_r _ _). apply Rmin_r. }
  assert (K1 := H1 w W1). assert (K2 := H2 w W2). assert (K3 := H3 w W3).
  apply Rabs_def2 in K1. apply Rabs_def2 in K2.
  unfold ball in K3; simpl in K3; unfold AbsRing_ball, abs, minus, plus, opp in K3; simpl in K3.
  apply Rabs_def2 in K3.
  assert (Tv := below_tail v W HW). assert (Tw := below_tail w W HW).
  unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
  apply Rabs_def1; lra.
Qed.
End Sandwich.

(** * All coordinates *)

Fixpoint steady (d : nat) (F : point -> R) : Prop :=
  continuous_on_space F /\ (forall x, 0 <= F x) /\
  match d with
  | O => True
  | S n => exists F', (forall v, int_line (fun t => F (update v n t)) (F' v)) /\ steady n F'
  end.

Lemma steady_continuous (d : nat) (F : point -> R) : steady d F -> continuous_on_space F.
Proof. destruct d; intros H; apply H. Qed.

Lemma steady_nonneg (d : nat) (F : point -> R) : steady d F -> forall x, 0 <= F x.
Proof. destruct d; intros H; apply H. Qed.

Lemma steady_integral (d : nat) : forall F, steady d F -> exists l, int_space d F l.
Proof.
  induction d as [|d IH]; intros F H.
  - exists (F (fun _ => 0)). reflexivity.
  - destruct H as [_ [_ [F' [I H]]]]. destruct (IH F' H) as [l Hl]. exists l, F'. split; assumption.
Qed.

Lemma steady_ext (d : nat) (F G : point -> R) : (forall x, F x = G x) -> steady d F -> steady d G.
Proof. intros H. replace G with F; [trivial|]. apply functional_extensionality, H. Qed.

Lemma slice_jointly_continuous (F : point -> R) (d : nat) : continuous_on_space F ->
  forall p : point_space * R, continuous (fun p : point_space * R => F (update (fst p) d (snd p))) p.
Proof.
  intros CF p. apply (continuous_comp (fun p : point_space * R => update (fst p) d (snd p) : point_space) F);
    [apply update_continuous|apply CF].
Qed.

Theorem steady_below (d : nat) : forall F G, steady d G -> continuous_on_space F -> (forall x, 0 <= F x <= G x) ->
  steady d F.
Proof.
  induction d as [|d IH]; intros F G HG CF B.
  - split; [exact CF|]. split; [intros x; apply B|trivial].
  - destruct HG as [CG [G0 [G' [IG HG']]]]. split; [exact CF|]. split; [intros x; apply B|].
    set (sF := fun (v : point_space) t => F (update v d t)).
    set (sG := fun (v : point_space) t => G (update v d t)).
    assert (JF := slice_jointly_continuous F d CF). assert (JG := slice_jointly_continuous G d CG).
    assert (Bs : forall v t, 0 <= sF v t <= sG v t) by (intros v t; apply B).
    exists (fun v => line_integral (sF v)). split.
    + intros v. exact (below_integral_exists sF sG JF JG Bs G' IG v).
    + apply (IH _ G' HG').
      * intros v. exact (below_integral_continuous sF sG JF JG Bs G' IG (steady_continuous d G' HG') v).
      * intros v. split; [exact (below_integral_nonneg sF sG JF JG Bs G' IG v)|
                          exact (below_integral_le sF sG JF JG Bs G' IG v)].
Qed.

Lemma steady_zero (d : nat) : steady d (fun _ => 0).
Proof.
  induction d as [|d IH]; (split; [intros x; apply continuous_const|split; [intros x; lra|]]); [trivial|].
  exists (fun _ => 0). split; [|exact IH]. intros v.
  apply (int_line_ext (fun t => 0 * 0)); [intros t; ring|].
  assert (Z : int_line (fun _ : R => 0) 0).
  { apply int_line_epsilon. intros eps He. exists 1. split; [lra|]. intros a b _ _. exists 0. split.
    - assert (X := is_RInt_const a b 0). unfold scal in X; simpl in X; unfold mult in X; simpl in X.
      rewrite Rmult_0_r in X. exact X.
    - rewrite Rminus_0_r, Rabs_R0. exact He. }
  apply (int_line_ext (fun _ => 0)); [intros t; ring|exact Z].
Qed.

Lemma steady_scal (d : nat) : forall F k, 0 <= k -> steady d F -> steady d (fun x => k * F x).
Proof.
  induction d as [|d IH]; intros F k Hk H; destruct H as [CF [F0 H]];
    (split; [intros x; apply (continuous_scal_r (V := R_NormedModule) k), CF|
     split; [intros x; apply Rmult_le_pos; [exact Hk|apply F0]|]]); [trivial|].
  destruct H as [F' [I H]]. exists (fun v => k * F' v). split; [|apply IH; assumption].
  intros v. apply (int_line_scal (fun t => F (update v d t))), I.
Qed.

Lemma steady_plus (d : nat) : forall F G, steady d F -> steady d G -> steady d (fun x => F x + G x).
Proof.
  induction d as [|d IH]; intros F G HF HG; destruct HF as [CF [F0 HF]]; destruct HG as [CG [G0 HG]];
    (split; [intros x; apply (continuous_plus (V := R_NormedModule)); [apply CF|apply CG]|
     split; [intros x; assert (X := F0 x); assert (Y := G0 x); lra|]]); [trivial|].
  destruct HF as [F' [IF HF]]. destruct HG as [G' [IG HG]].
  exists (fun v => F' v + G' v). split; [|apply IH; assumption].
  intros v. apply (int_line_plus (fun t => F (update v d t)) (fun t => G (update v d t))); [apply IF|apply IG].
Qed.
