(** Improper integrals over half lines: [int_left f z l] is the integral of f
    over (-oo, z], [int_right f z l] the one over [z, +oo).  Everything is
    proved on the right and carried to the left by the reflection x -> -x.
    [int_line_split] joins the two halves. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Integral.
Open Scope R_scope.

Definition int_left (f : R -> R) (z l : R) : Prop :=
  is_RInt_gen f (Rbar_locally m_infty) (at_point z) l.
Definition int_right (f : R -> R) (z l : R) : Prop :=
  is_RInt_gen f (at_point z) (Rbar_locally p_infty) l.

Lemma int_right_epsilon (f : R -> R) (z l : R) : int_right f z l <->
  (forall eps, 0 < eps -> exists M, forall b, M < b ->
     exists y, is_RInt f z b y /\ Rabs (y - l) < eps).
Proof.
  split.
  - intros H eps He.
    destruct (H (ball l (mkposreal eps He)) (locally_ball l (mkposreal eps He))) as [Q S HQ [Mb HS] K].
    exists Mb. intros b Hb. destruct (K z b) as [y [Hy1 Hy2]]; [exact HQ|apply HS; exact Hb|].
    exists y. split; [exact Hy1|exact Hy2].
  - intros H P [eps HP]. destruct (H eps (cond_pos eps)) as [M K].
    exists (fun a => a = z) (fun b => M < b); [reflexivity|exists M; intros b Hb; exact Hb|].
    intros a b Ha Hb. simpl. subst a. destruct (K b Hb) as [y [Hy1 Hy2]].
    exists y. split; [exact Hy1|apply HP; exact Hy2].
Qed.

Lemma int_left_epsilon (f : R -> R) (z l : R) : int_left f z l <->
  (forall eps, 0 < eps -> exists M, forall a, a < M ->
     exists y, is_RInt f a z y /\ Rabs (y - l) < eps).
Proof.
  split.
  - intros H eps He.
    destruct (H (ball l (mkposreal eps He)) (locally_ball l (mkposreal eps He))) as [Q S [Ma HQ] HS K].
    exists Ma. intros a Ha. destruct (K a z) as [y [Hy1 Hy2]]; [apply HQ; exact Ha|exact HS|].
    exists y. split; [exact Hy1|exact Hy2].
  - intros H P [eps HP]. destruct (H eps (cond_pos eps)) as [M K].
    exists (fun a => a < M) (fun b => b = z); [exists M; intros a Ha; exact Ha|reflexivity|].
    intros a b Ha Hb. simpl. subst b. destruct (K a Ha) as [y [Hy1 Hy2]].
    exists y. split; [exact Hy1|apply HP; exact Hy2].
Qed.

(** * Reflection *)

Lemma int_left_of_right (f : R -> R) (c z l : R) :
  int_right f (c - z) l -> int_left (fun x => f (c - x)) z l.
Proof.
  intros H. apply int_left_epsilon. intros eps He.
  destruct (proj1 (int_right_epsilon _ _ _) H eps He) as [M K].
  exists (c - M). intros a Ha. destruct (K (c - a)) as [y [Hy1 Hy2]]; [lra|].
  exists y. split; [apply is_RInt_reflect; exact Hy1|exact Hy2].
Qed.

Lemma int_right_of_left (f : R -> R) (c z l : R) :
  int_left f (c - z) l -> int_right (fun x => f (c - x)) z l.
Proof.
  intros H. apply int_right_epsilon. intros eps He.
  destruct (proj1 (int_left_epsilon _ _ _) H eps He) as [M K].
  exists (c - M). intros b Hb. destruct (K (c - b)) as [y [Hy1 Hy2]]; [lra|].
  exists y. split; [apply is_RInt_reflect; exact Hy1|exact Hy2].
Qed.

(** * Extensionality, linearity, order *)

Lemma int_right_ext (f g : R -> R) (z l : R) :
  (forall x, f x = g x) -> int_right f z l -> int_right g z l.
Proof.
  intros E H. apply int_right_epsilon. intros eps He.
  destruct (proj1 (int_right_epsilon f z l) H eps He) as [M K].
  exists M. intros b Hb. destruct (K b Hb) as [y [Hy1 Hy2]].
  exists y. split; [apply (is_RInt_ext f); [intros x _; apply E|exact Hy1]|exact Hy2].
Qed.

Lemma int_left_ext (f g : R -> R) (z l : R) :
  (forall x, f x = g x) -> int_left f z l -> int_left g z l.
Proof.
  intros E H. apply int_left_epsilon. intros eps He.
  destruct (proj1 (int_left_epsilon f z l) H eps He) as [M K].
  exists M. intros b Hb. destruct (K b Hb) as [y [Hy1 Hy2]].
  exists y. split; [apply (is_RInt_ext f); [intros x _; apply E|exact Hy1]|exact Hy2].
Qed.

Lemma int_right_scal (f : R -> R) (z k l : R) :
  int_right f z l -> int_right (fun x => k * f x) z (k * l).
Proof. exact (is_RInt_gen_scal f k l). Qed.

Lemma int_left_scal (f : R -> R) (z k l : R) :
  int_left f z l -> int_left (fun x => k * f x) z (k * l).
Proof. exact (is_RInt_gen_scal f k l). Qed.

Lemma int_right_plus (f g : R -> R) (z lf lg : R) :
  int_right f z lf -> int_right g z lg -> int_right (fun x => f x + g x) z (lf + lg).
Proof. exact (is_RInt_gen_plus f g lf lg). Qed.

Lemma int_left_plus (f g : R -> R) (z lf lg : R) :
  int_left f z lf -> int_left g z lg -> int_left (fun x => f x + g x) z (lf + lg).
Proof. exact (is_RInt_gen_plus f g lf lg). Qed.

Lemma int_right_unique (f : R -> R) (z l1 l2 : R) : int_right f z l1 -> int_right f z l2 -> l1 = l2.
Proof.
  intros H1 H2. rewrite <- (is_RInt_gen_unique f l1 H1). exact (is_RInt_gen_unique f l2 H2).
Qed.

Lemma int_left_unique (f : R -> R) (z l1 l2 : R) : int_left f z l1 -> int_left f z l2 -> l1 = l2.
Proof.
  intros H1 H2. rewrite <- (is_RInt_gen_unique f l1 H1). exact (is_RInt_gen_unique f l2 H2).
Qed.

Lemma int_right_le (f g : R -> R) (z lf lg : R) :
  (forall x, z <= x -> f x <= g x) -> int_right f z lf -> int_right g z lg -> lf <= lg.
Proof.
  intros H Hf Hg. apply Rnot_lt_le. intros Hl.
  destruct (proj1 (int_right_epsilon f z lf) Hf ((lf - lg) / 2) ltac:(lra)) as [M1 K1].
  destruct (proj1 (int_right_epsilon g z lg) Hg ((lf - lg) / 2) ltac:(lra)) as [M2 K2].
  assert (X1 := Rmax_l z (Rmax M1 M2)). assert (X2 := Rmax_r z (Rmax M1 M2)).
  assert (X3 := Rmax_l M1 M2). assert (X4 := Rmax_r M1 M2).
  set (b := Rmax z (Rmax M1 M2) + 1).
  destruct (K1 b ltac:(unfold b; lra)) as [y1 [I1 B1]].
  destruct (K2 b ltac:(unfold b; lra)) as [y2 [I2 B2]].
  assert (fact1 : y1 <= y2).
  { apply (is_RInt_le f g z b); [unfold b; lra|exact I1|exact I2|]. intros x Hx. apply H. lra. }
  apply Rabs_def2 in B1. apply Rabs_def2 in B2. lra.
Qed.

Lemma int_left_le (f g : R -> R) (z lf lg : R) :
  (forall x, x <= z -> f x <= g x) -> int_left f z lf -> int_left g z lg -> lf <= lg.
Proof.
  intros H Hf Hg.
  apply (int_right_le (fun x => f (0 - x)) (fun x => g (0 - x)) (0 - z)).
  - intros x Hx. apply H. lra.
  - apply int_right_of_left. replace (0 - (0 - z)) with z by ring. exact Hf.
  - apply int_right_of_left. replace (0 - (0 - z)) with z by ring. exact Hg.
Qed.

(** * Change of variable x -> u*x + v *)

Lemma int_right_affine (f : R -> R) (u v z l : R) :
  0 < u -> int_right f (u * z + v) l -> int_right (fun x => u * f (u * x + v)) z l.
Proof.
  intros Hu H. apply int_right_epsilon. intros eps He.
  destruct (proj1 (int_right_epsilon _ _ _) H eps He) as [M K].
  exists ((M - v) / u). intros b Hb.
  assert (Q : u * ((M - v) / u) = M - v) by (field; lra).
  destruct (K (u * b + v)) as [y [Hy1 Hy2]]; [nra|].
  exists y. split; [exact (is_RInt_comp_lin f u v z b y Hy1)|exact Hy2].
Qed.

Lemma int_right_shift (f : R -> R) (v z l : R) :
  int_right f (z - v) l -> int_right (fun x => f (x - v)) z l.
Proof.
  intros H. replace (z - v) with (1 * z + - v) in H by ring.
  apply int_right_affine in H; [|lra].
  apply (int_right_ext (fun x => 1 * f (1 * x + - v))); [|exact H].
  intros x. replace (1 * x + - v) with (x - v) by ring. ring.
Qed.

(** * Joining and cutting *)

Lemma int_line_of_halves (f : R -> R) (z l1 l2 : R) :
  int_left f z l1 -> int_right f z l2 -> int_line f (l1 + l2).
Proof. exact (is_RInt_gen_Chasles f z l1 l2). Qed.

Lemma int_left_extend (f : R -> R) (y z l1 l2 : R) :
  int_left f y l1 -> is_RInt f y z l2 -> int_left f z (l1 + l2).
Proof.
  intros H1 H2. apply (is_RInt_gen_Chasles f y l1 l2 H1).
  apply is_RInt_gen_at_point. exact H2.
Qed.

Section NonnegativeContinuous.
Variable f : R -> R.
Hypothesis Cf : forall x, continuous f x.
Hypothesis Pf : forall x, 0 <= f x.
Let If := ex_RInt_everywhere_continuous f Cf.

Lemma int_right_exists_of_bound (z M : R) :
  (forall T, z <= T -> RInt f z T <= M) -> exists l, int_right f z l /\ l <= M.
Proof.
  intros HM.
  destruct (completeness (fun w => exists T, z <= T /\ w = RInt f z T)) as [l [U Lb]].
  - exists M. intros w [T [HT E]]. rewrite E. apply HM, HT.
  - exists (RInt f z z). exists z. split; [lra|reflexivity].
  - exists l. split; [|apply Lb; intros w [T [HT E]]; rewrite E; apply HM, HT].
    apply int_right_epsilon. intros eps He.
    assert (exists T, z <= T /\ l - eps < RInt f z T) as [T [HT HE]].
    { apply Classical_Prop.NNPP. intros N. assert (fact3 : l <= l - eps); [|lra].
      apply Lb. intros w [T [HT E]]. rewrite E. apply Rnot_lt_le. intros X.
      apply N. exists T. split; assumption. }
    exists T. intros b Hb. exists (RInt f z b). split; [apply (RInt_correct f), If|].
    assert (X1 : RInt f z T <= RInt f z b) by (apply (RInt_monotone_window f Cf Pf); lra).
    assert (X3 : RInt f z b <= l) by (apply U; exists b; split; [lra|reflexivity]).
    apply Rabs_def1; lra.
Qed.

Lemma int_right_exists (z l : R) : int_line f l -> exists l2, int_right f z l2 /\ l2 <= l.
Proof.
  intros H. apply int_right_exists_of_bound. intros T HT.
  exact (int_line_ge_window f Cf Pf l H z T HT).
Qed.
End NonnegativeContinuous.

Lemma continuous_reflect (f : R -> R) (c : R) :
  (forall x, continuous f x) -> forall x, continuous (fun x => f (c - x)) x.
Proof.
  intros Cf x. apply (continuous_comp (fun x => c - x) f); [|apply Cf].
  apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. trivial.
Qed.

Lemma int_left_exists (f : R -> R) (z l : R) :
  (forall x, continuous f x) -> (forall x, 0 <= f x) -> int_line f l ->
  exists l1, int_left f z l1 /\ l1 <= l.
Proof.
  intros Cf Pf H.
  destruct (int_right_exists (fun x => f (0 - x)) (continuous_reflect f 0 Cf)
    (fun x => Pf (0 - x)) (0 - z) l (int_line_reflect f 0 l H)) as [l1 [H1 B]].
  exists l1. split; [|exact B]. apply int_left_of_right in H1.
  apply (int_left_ext (fun x => f (0 - (0 - x)))); [|exact H1].
  intros x. f_equal. ring.
Qed.

(** A convergent integral of a continuous nonnegative function splits at every point. *)
Lemma int_line_split (f : R -> R) (z l : R) :
  (forall x, continuous f x) -> (forall x, 0 <= f x) -> int_line f l ->
  exists l1 l2, int_left f z l1 /\ int_right f z l2 /\ l = l1 + l2.
Proof.
  intros Cf Pf H.
  destruct (int_left_exists f z l Cf Pf H) as [l1 [H1 _]].
  destruct (int_right_exists f Cf Pf z l H) as [l2 [H2 _]].
  exists l1, l2. split; [exact H1|]. split; [exact H2|].
  apply (int_line_unique f); [exact H|]. apply (int_line_of_halves f z); assumption.
Qed.
