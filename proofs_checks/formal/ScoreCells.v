(** Scores that are step functions of one output, and the masses of their cells by the tail of the density. *)

From Coq Require Import Reals Lra List ZArith.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian AB SampledMechanism ScoredEvent.
Open Scope R_scope.

(** Cells with their scores and masses, and their law. *)
Definition cells : Type := list (Z * R).
Definition law_of (c : cells) : law := fun h => sum_over c (fun m => snd m * h (fst m)).

(** A score that is constant between thresholds: each threshold comes with the score below it. *)

Fixpoint score_of (l : list (R * Z)) (top : Z) (z : R) : Z :=
  match l with nil => top | (b, c) :: r => if Rlt_dec z b then c else score_of r top z end.
Fixpoint rising (a : R) (l : list (R * Z)) : Prop :=
  match l with nil => True | (b, _) :: r => a < b /\ rising b r end.
(** Masses by the tail function of the density: [tail a] is what lies above a. *)
Fixpoint cells_above (tail : R -> R) (a : R) (l : list (R * Z)) (top : Z) : cells :=
  match l with nil => (top, tail a) :: nil | (b, c) :: r => (c, tail a - tail b) :: cells_above tail b r top end.

Section StepFunctions.
Variables (p tail : R -> R).
Hypothesis Cp : forall z, continuous p z.
Hypothesis tail_is : forall a, int_right p a (tail a).

Lemma mass_between (a b : R) : is_RInt p a b (tail a - tail b).
Proof.
  assert (I : is_RInt p a b (RInt p a b)) by (apply (RInt_correct p), ex_RInt_everywhere_continuous, Cp).
  assert (K : int_right p a (RInt p a b + tail b)).
  { apply (is_RInt_gen_Chasles p b (RInt p a b) (tail b)); [|apply tail_is].
    apply is_RInt_gen_at_point. exact I. }
  assert (E := int_right_unique p a _ _ K (tail_is a)).
  replace (tail a - tail b) with (RInt p a b) by lra. exact I.
Qed.

Lemma right_of_split (f : R -> R) (a b l1 l2 : R) : is_RInt f a b l1 -> int_right f b l2 -> int_right f a (l1 + l2).
Proof.
  intros H1 H2. apply (is_RInt_gen_Chasles f b l1 l2); [|exact H2]. apply is_RInt_gen_at_point. exact H1.
Qed.

Lemma int_right_ext_above (f g : R -> R) (z l : R) : (forall x, z < x -> f x = g x) -> int_right f z l -> int_right g z l.
Proof.
  intros E H. apply int_right_epsilon. intros eps He.
  destruct (proj1 (int_right_epsilon f z l) H eps He) as [M K]. exists (Rmax M z). intros b Hb.
  assert (M1 := Rmax_l M z). assert (M2 := Rmax_r M z).
  destruct (K b ltac:(lra)) as [y [Hy1 Hy2]]. exists y. split; [|exact Hy2].
  apply (is_RInt_ext f); [|exact Hy1]. intros x Hx. apply E. rewrite Rmin_left in Hx by lra. lra.
Qed.

Lemma step_function_right (top : Z) (h : Z -> R) : forall l a, rising a l ->
  int_right (fun z => h (score_of l top z) * p z) a (sum_over (cells_above tail a l top) (fun m => snd m * h (fst m))).
Proof.
  induction l as [|[b c] r IH]; intros a Hl.
  - unfold sum_over. simpl. replace (tail a * h top + 0) with (h top * tail a) by ring.
    exact (int_right_scal p a (h top) _ (tail_is a)).
  - destruct Hl as [Hab Hr]. simpl cells_above.
    unfold sum_over. cbn [map fold_right fst snd]. apply (right_of_split _ a b).
    + rewrite Rmult_comm. apply (is_RInt_ext (fun z => h c * p z)).
      * intros z Hz. rewrite Rmin_left, Rmax_right in Hz by lra. cbn [score_of].
        destruct (Rlt_dec z b) as [_|N]; [reflexivity|lra].
      * exact (is_RInt_scal (V := R_NormedModule) p a b (h c) _ (mass_between a b)).
    + apply (int_right_ext_above (fun z => h (score_of r top z) * p z)); [|exact (IH b Hr)].
      intros z Hz. cbn [score_of]. destruct (Rlt_dec z b) as [L|_]; [lra|reflexivity].
Qed.

(** All cells: below a, between the thresholds, above the last. *)
Definition all_cells (a : R) (c0 : Z) (l : list (R * Z)) (top : Z) : cells :=
  (c0, 1 - tail a) :: cells_above tail a l top.
Hypothesis p_nonneg : forall z, 0 <= p z.
Hypothesis mass_1 : int_line p 1.

Theorem step_function_scored (a : R) (c0 : Z) (l : list (R * Z)) (top : Z) : rising a l ->
  scored_by p (score_of ((a, c0) :: l) top) (law_of (all_cells a c0 l top)).
Proof.
  intros Hl h. unfold law_of, all_cells, sum_over. cbn [map fold_right fst snd]. apply (int_line_of_halves _ a).
  - destruct (int_line_split p a 1 Cp p_nonneg mass_1) as [l1 [l2 [H1 [H2 E]]]].
    assert (E2 := int_right_unique p a _ _ H2 (tail_is a)). subst l2.
    replace (1 - tail a) with l1 by lra. rewrite Rmult_comm.
    assert (X := int_left_scal p a (h c0) l1 H1). apply int_left_epsilon. intros eps He.
    destruct (proj1 (int_left_epsilon _ _ _) X eps He) as [M K]. exists (Rmin M a). intros b Hb.
    assert (M1 := Rmin_l M a). assert (M2 := Rmin_r M a).
    destruct (K b ltac:(lra)) as [y [Hy1 Hy2]]. exists y. split; [|exact Hy2].
    apply (is_RInt_ext (fun z => h c0 * p z)); [|exact Hy1]. intros z Hz.
    rewrite Rmin_left, Rmax_right in Hz by lra. cbn [score_of]. destruct (Rlt_dec z a) as [_|N]; [reflexivity|lra].
  - apply (int_right_ext_above (fun z => h (score_of l top z) * p z)); [|exact (step_function_right top h l a Hl)].
    intros z Hz. cbn [score_of]. destruct (Rlt_dec z a) as [L|_]; [lra|reflexivity].
Qed.
End StepFunctions.

(** * The two densities of a step *)

Section Tails.
Variable sigma : R.
Hypothesis Hs : 0 < sigma.

Definition gauss_tail (z : R) : R := RInt_gen (mu0 sigma) (at_point z) (Rbar_locally p_infty).
Definition mix_tail (q z : R) : R := (1 - q) * gauss_tail z + q * gauss_tail (z - 1).

Lemma mu0_nonneg (z : R) : 0 <= mu0 sigma z.
Proof. left. apply mu0_pos, Hs. Qed.

Lemma gauss_tail_is (z : R) : int_right (mu0 sigma) z (gauss_tail z).
Proof.
  destruct (int_right_exists (mu0 sigma) (mu0_continuous sigma) mu0_nonneg z 1 (mu0_normalised sigma Hs)) as [l [Hl _]].
  unfold int_right, gauss_tail. rewrite (is_RInt_gen_unique (mu0 sigma) l Hl). exact Hl.
Qed.

Lemma gauss_tail_bounds (z : R) : 0 <= gauss_tail z <= 1.
Proof.
  destruct (int_line_split (mu0 sigma) z 1 (mu0_continuous sigma) mu0_nonneg (mu0_normalised sigma Hs))
    as [l1 [l2 [H1 [H2 E]]]].
  rewrite <- (int_right_unique _ _ _ _ H2 (gauss_tail_is z)).
  assert (N : forall u, 0 * mu0 sigma u <= mu0 sigma u) by (intros u; rewrite Rmult_0_l; apply mu0_nonneg).
  assert (L2 := int_right_le _ _ z _ l2 (fun u _ => N u) (int_right_scal _ z 0 _ H2) H2).
  assert (L1 := int_left_le _ _ z _ l1 (fun u _ => N u) (int_left_scal _ z 0 _ H1) H1). lra.
Qed.

Lemma mu_continuous (q z : R) : continuous (mu q sigma) z.
Proof.
  apply (continuous_plus (V := R_NormedModule)).
  - apply (continuous_scal_r (V := R_NormedModule) (1 - q)), mu0_continuous.
  - apply (continuous_scal_r (V := R_NormedModule) q), mu1_continuous.
Qed.

Lemma mu_nonneg (q z : R) : 0 <= q <= 1 -> 0 <= mu q sigma z.
Proof.
  intros Hq. unfold mu. rewrite mu1_shift. assert (P0 := mu0_nonneg z). assert (P1 := mu0_nonneg (z - 1)).
  apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
Qed.

Lemma mix_tail_is (q z : R) : int_right (mu q sigma) z (mix_tail q z).
Proof.
  apply (int_right_plus (fun u => (1 - q) * mu0 sigma u) (fun u => q * mu1 sigma u)).
  - apply int_right_scal, gauss_tail_is.
  - apply int_right_scal. apply (int_right_ext (fun u => mu0 sigma (u - 1))); [intros u; rewrite mu1_shift; reflexivity|].
    apply (int_right_shift (mu0 sigma) 1 z (gauss_tail (z - 1))), gauss_tail_is.
Qed.

Lemma mix_tail_bounds (q z : R) : 0 <= q <= 1 -> 0 <= mix_tail q z <= 1.
Proof.
  intros Hq. unfold mix_tail. assert (Y := gauss_tail_bounds z). assert (Z := gauss_tail_bounds (z - 1)). split; [|nra].
  apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
Qed.

(** One step function, with its law under either density. *)
Theorem step_scored (q a : R) (c0 : Z) (l : list (R * Z)) (top : Z) : 0 <= q <= 1 -> rising a l ->
  scored_by (mu q sigma) (score_of ((a, c0) :: l) top) (law_of (all_cells (mix_tail q) a c0 l top)) /\
  scored_by (mu0 sigma) (score_of ((a, c0) :: l) top) (law_of (all_cells gauss_tail a c0 l top)).
Proof.
  intros Hq Hl. split.
  - exact (step_function_scored (mu q sigma) (mix_tail q) (mu_continuous q) (mix_tail_is q)
      (fun z => mu_nonneg q z Hq) (mu_normalised q sigma Hs) a c0 l top Hl).
  - exact (step_function_scored (mu0 sigma) gauss_tail (mu0_continuous sigma) gauss_tail_is
      mu0_nonneg (mu0_normalised sigma Hs) a c0 l top Hl).
Qed.
End Tails.
