(** Improper Riemann integrals over the whole real line, on top of Coquelicot's
    [is_RInt_gen].  [int_line f l] says that the integral of f over R converges
    and equals l: the proper integrals over [a,b] tend to l as a -> -oo and
    b -> +oo independently.  Coquelicot has linearity; added here are
    translation, reflection, scaling, order, existence by domination, and
    strict order for continuous functions. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Definition int_line (f : R -> R) (l : R) : Prop :=
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) l.

(** The definition in epsilon form. *)
Lemma int_line_epsilon (f : R -> R) (l : R) : int_line f l <->
  (forall eps, 0 < eps -> exists M, 0 < M /\ forall a b, a < - M -> M < b ->
     exists y, is_RInt f a b y /\ Rabs (y - l) < eps).
Proof.
  split.
  - intros H eps He.
    destruct (H (ball l (mkposreal eps He)) (locally_ball l (mkposreal eps He)))
      as [Q S [Ma HQ] [Mb HS] K].
    exists (Rmax 1 (Rmax (- Ma) Mb)).
    assert (X0 := Rmax_l 1 (Rmax (- Ma) Mb)). assert (X1 := Rmax_r 1 (Rmax (- Ma) Mb)).
    assert (X2 := Rmax_l (- Ma) Mb). assert (X3 := Rmax_r (- Ma) Mb).
    split; [lra|]. intros a b Ha Hb.
    destruct (K a b) as [y [Hy1 Hy2]]; [apply HQ; lra|apply HS; lra|].
    exists y. split; [exact Hy1|exact Hy2].
  - intros H P [eps HP].
    destruct (H eps (cond_pos eps)) as [M [HM K]].
    exists (fun a => a < - M) (fun b => M < b).
    + exists (- M). intros a Ha. exact Ha.
    + exists M. intros b Hb. exact Hb.
    + intros a b Ha Hb. destruct (K a b Ha Hb) as [y [Hy1 Hy2]].
      exists y. split; [exact Hy1|apply HP; exact Hy2].
Qed.

Lemma int_line_unique (f : R -> R) (l1 l2 : R) : int_line f l1 -> int_line f l2 -> l1 = l2.
Proof.
  intros H1 H2. rewrite <- (is_RInt_gen_unique f l1 H1). exact (is_RInt_gen_unique f l2 H2).
Qed.

(** Transport of the epsilon form along a change of the bounds and of the integrand. *)
Lemma int_line_transfer (f g : R -> R) (l : R) (u v : R -> R -> R) :
  (forall M, 0 < M -> exists M', 0 < M' /\ forall a b, a < - M' -> M' < b ->
     u a b < - M /\ M < v a b /\ forall y, is_RInt f (u a b) (v a b) y -> is_RInt g a b y) ->
  int_line f l -> int_line g l.
Proof.
  intros T H. apply int_line_epsilon. intros eps He.
  destruct (proj1 (int_line_epsilon f l) H eps He) as [M [HM K]].
  destruct (T M HM) as [M' [HM' T']]. exists M'. split; [exact HM'|].
  intros a b Ha Hb. destruct (T' a b Ha Hb) as [T1 [T2 T3]].
  destruct (K _ _ T1 T2) as [y [Hy1 Hy2]].
  exists y. split; [apply T3; exact Hy1|exact Hy2].
Qed.

Lemma int_line_ext (f g : R -> R) (l : R) : (forall x, f x = g x) -> int_line f l -> int_line g l.
Proof.
  intros E. apply (int_line_transfer f g l (fun a _ => a) (fun _ b => b)).
  intros M HM. exists M. split; [exact HM|]. intros a b Ha Hb. repeat split; [lra|lra|].
  intros y. apply is_RInt_ext. intros x _. apply E.
Qed.

Lemma int_line_scal (f : R -> R) (k l : R) : int_line f l -> int_line (fun x => k * f x) (k * l).
Proof. exact (is_RInt_gen_scal f k l). Qed.

Lemma int_line_plus (f g : R -> R) (lf lg : R) :
  int_line f lf -> int_line g lg -> int_line (fun x => f x + g x) (lf + lg).
Proof. exact (is_RInt_gen_plus f g lf lg). Qed.

Lemma int_line_minus (f g : R -> R) (lf lg : R) :
  int_line f lf -> int_line g lg -> int_line (fun x => f x - g x) (lf - lg).
Proof. exact (is_RInt_gen_minus f g lf lg). Qed.

Lemma int_line_shift (f : R -> R) (v l : R) : int_line f l -> int_line (fun x => f (x + v)) l.
Proof.
  apply (int_line_transfer f _ l (fun a _ => a + v) (fun _ b => b + v)).
  intros M HM. assert (V1 := Rle_abs v). assert (V2 := Rle_abs (- v)). rewrite Rabs_Ropp in V2.
  exists (M + Rabs v). split; [lra|]. intros a b Ha Hb. repeat split; [lra|lra|].
  intros y Hy. apply (is_RInt_ext (fun x => scal 1 (f (1 * x + v)))).
  { intros x _. replace (1 * x + v) with (x + v) by ring. apply Rmult_1_l. }
  apply (is_RInt_comp_lin f 1 v a b y). rewrite !Rmult_1_l. exact Hy.
Qed.

Lemma int_line_scale (f : R -> R) (u l : R) :
  0 < u -> int_line f l -> int_line (fun x => u * f (u * x)) l.
Proof.
  intros Hu. apply (int_line_transfer f _ l (fun a _ => u * a) (fun _ b => u * b)).
  intros M HM. assert (Q : u * (M / u) = M) by (field; lra).
  exists (M / u). split; [apply Rdiv_lt_0_compat; lra|]. intros a b Ha Hb. repeat split; [nra|nra|].
  intros y Hy. apply (is_RInt_ext (fun x => scal u (f (u * x + 0)))).
  { intros x _. rewrite Rplus_0_r. reflexivity. }
  apply (is_RInt_comp_lin f u 0 a b y). rewrite !Rplus_0_r. exact Hy.
Qed.

(** Reflection of a proper integral, x -> c - x. *)
Lemma is_RInt_reflect (f : R -> R) (c a b l : R) :
  is_RInt f (c - b) (c - a) l -> is_RInt (fun x => f (c - x)) a b l.
Proof.
  intros H. apply is_RInt_swap in H.
  replace (c - a) with (-1 * a + c) in H by ring. replace (c - b) with (-1 * b + c) in H by ring.
  apply is_RInt_comp_lin in H. apply is_RInt_opp in H. rewrite opp_opp in H.
  apply (is_RInt_ext _ _ _ _ _) with (2 := H).
  intros x _. replace (-1 * x + c) with (c - x) by ring.
  change (- (-1 * f (c - x)) = f (c - x)). ring.
Qed.

Lemma int_line_reflect (f : R -> R) (c l : R) : int_line f l -> int_line (fun x => f (c - x)) l.
Proof.
  apply (int_line_transfer f _ l (fun _ b => c - b) (fun a _ => c - a)).
  intros M HM. assert (V1 := Rle_abs c). assert (V2 := Rle_abs (- c)). rewrite Rabs_Ropp in V2.
  exists (M + Rabs c). split; [lra|]. intros a b Ha Hb. repeat split; [lra|lra|].
  intros y. apply is_RInt_reflect.
Qed.

Lemma int_line_nonneg (f : R -> R) (l : R) : (forall x, 0 <= f x) -> int_line f l -> 0 <= l.
Proof.
  intros Hf H. apply Rnot_lt_le. intros Hl.
  destruct (proj1 (int_line_epsilon f l) H (- l) ltac:(lra)) as [M [HM K]].
  destruct (K (- M - 1) (M + 1)) as [y [Hy1 Hy2]]; [lra|lra|].
  assert (nonneg1 : 0 <= y) by (apply (is_RInt_ge_0 f (- M - 1) (M + 1)); [lra|exact Hy1|intros x _; apply Hf]).
  apply Rabs_def2 in Hy2. lra.
Qed.

Lemma int_line_le (f g : R -> R) (lf lg : R) :
  (forall x, f x <= g x) -> int_line f lf -> int_line g lg -> lf <= lg.
Proof.
  intros H Hf Hg. assert (nonneg2 : 0 <= lg - lf); [|lra].
  apply (int_line_nonneg (fun x => g x - f x)).
  - intros x. specialize (H x). lra.
  - apply int_line_minus; assumption.
Qed.

(** * Continuous nonnegative integrands *)

Lemma ex_RInt_everywhere_continuous (f : R -> R) :
  (forall x, continuous f x) -> forall a b, ex_RInt f a b.
Proof.
  intros Cf a b. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros x _. apply Cf.
Qed.

Section NonnegativeContinuous.
Variable f : R -> R.
Hypothesis Cf : forall x, continuous f x.
Hypothesis Pf : forall x, 0 <= f x.
Let If := ex_RInt_everywhere_continuous f Cf.

Lemma RInt_monotone_window (a b c d : R) :
  a <= b -> b <= c -> c <= d -> RInt f b c <= RInt f a d.
Proof.
  intros H1 H2 H3.
  rewrite <- (RInt_Chasles f a b d) by apply If.
  rewrite <- (RInt_Chasles f b c d) by apply If.
  assert (nonneg3 : 0 <= RInt f a b) by (apply RInt_ge_0; [exact H1|apply If|intros x _; apply Pf]).
  assert (nonneg4 : 0 <= RInt f c d) by (apply RInt_ge_0; [exact H3|apply If|intros x _; apply Pf]).
  change (RInt f b c <= RInt f a b + (RInt f b c + RInt f c d)). lra.
Qed.

Lemma int_line_ge_window (l : R) : int_line f l -> forall a b, a <= b -> RInt f a b <= l.
Proof.
  intros H a b Hab. apply Rnot_lt_le. intros Hl.
  destruct (proj1 (int_line_epsilon f l) H (RInt f a b - l) ltac:(lra)) as [M [HM K]].
  assert (A1 := Rmin_l a (- M - 1)). assert (A2 := Rmin_r a (- M - 1)).
  assert (B1 := Rmax_l b (M + 1)). assert (B2 := Rmax_r b (M + 1)).
  destruct (K (Rmin a (- M - 1)) (Rmax b (M + 1))) as [y [Hy1 Hy2]]; [lra|lra|].
  assert (W := RInt_monotone_window (Rmin a (- M - 1)) a b (Rmax b (M + 1)) A1 Hab B1).
  rewrite (is_RInt_unique f _ _ y Hy1) in W.
  apply Rabs_def2 in Hy2. lra.
Qed.

(** Bounded proper integrals of a nonnegative function: the improper integral exists. *)
Lemma int_line_exists_of_bound (M : R) :
  (forall T, 0 <= T -> RInt f (- T) T <= M) -> exists l, int_line f l /\ l <= M.
Proof.
  intros HM.
  destruct (completeness (fun w => exists T, 0 <= T /\ w = RInt f (- T) T)) as [l [U Lb]].
  - exists M. intros w [T [HT E]]. rewrite E. apply HM, HT.
  - exists (RInt f (- 0) 0). exists 0. split; [lra|reflexivity].
  - exists l. split; [|apply Lb; intros w [T [HT E]]; rewrite E; apply HM, HT].
    apply int_line_epsilon. intros eps He.
    assert (exists T, 0 <= T /\ l - eps < RInt f (- T) T) as [T [HT HE]].
    { apply Classical_Prop.NNPP. intros N. assert (fact6 : l <= l - eps); [|lra].
      apply Lb. intros w [T [HT E]]. rewrite E. apply Rnot_lt_le. intros X.
      apply N. exists T. split; assumption. }
    exists (T + 1). split; [lra|]. intros a b Ha Hb.
    exists (RInt f a b). split; [apply (RInt_correct f), If|].
    assert (X1 : RInt f (- T) T <= RInt f a b) by (apply RInt_monotone_window; lra).
    assert (S1 := Rmax_l (- a) b). assert (S2 := Rmax_r (- a) b). set (S := Rmax (- a) b) in *.
    assert (X2 : RInt f a b <= RInt f (- S) S) by (apply RInt_monotone_window; lra).
    assert (X3 : RInt f (- S) S <= l) by (apply U; exists S; split; [lra|reflexivity]).
    apply Rabs_def1; lra.
Qed.
End NonnegativeContinuous.

Lemma int_line_exists_dominated (f g : R -> R) (lg : R) :
  (forall x, continuous f x) -> (forall x, continuous g x) ->
  (forall x, 0 <= f x <= g x) -> int_line g lg -> exists lf, int_line f lf /\ lf <= lg.
Proof.
  intros Cf Cg H Hg. apply (int_line_exists_of_bound f Cf (fun x => proj1 (H x))).
  intros T HT. apply Rle_trans with (RInt g (- T) T).
  - apply RInt_le; [lra|apply ex_RInt_everywhere_continuous, Cf|apply ex_RInt_everywhere_continuous, Cg|].
    intros x _. apply H.
  - apply (int_line_ge_window g Cg); [|exact Hg|lra]. intros x. specialize (H x). lra.
Qed.

Lemma int_line_pos (f : R -> R) (l x0 : R) :
  (forall x, continuous f x) -> (forall x, 0 <= f x) -> 0 < f x0 -> int_line f l -> 0 < l.
Proof.
  intros Cf Pf P0 H.
  destruct (Cf x0 (fun y => 0 < y) (open_gt 0 (f x0) P0)) as [d Hd].
  assert (D := cond_pos d).
  assert (pos7 : 0 < RInt f x0 (x0 + d)).
  { apply RInt_gt_0; [lra| |intros x _; apply Cf].
    intros x Hx. apply (Hd x). change (Rabs (x - x0) < d). apply Rabs_def1; lra. }
  assert (W := int_line_ge_window f Cf Pf l H x0 (x0 + d) ltac:(lra)). lra.
Qed.

Lemma int_line_lt (f g : R -> R) (lf lg x0 : R) :
  (forall x, continuous f x) -> (forall x, continuous g x) ->
  (forall x, f x <= g x) -> f x0 < g x0 -> int_line f lf -> int_line g lg -> lf < lg.
Proof.
  intros Cf Cg H H0 Hf Hg. assert (pos8 : 0 < lg - lf); [|lra].
  apply (int_line_pos (fun x => g x - f x) (lg - lf) x0).
  - intros x. apply (continuous_minus (V := R_NormedModule)); [apply Cg|apply Cf].
  - intros x. specialize (H x). lra.
  - lra.
  - apply int_line_minus; assumption.
Qed.

(** The value of the integral as a term, for use in definitions. *)
Definition line_integral (f : R -> R) : R :=
  RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty).

Lemma line_integral_eq (f : R -> R) (l : R) : int_line f l -> line_integral f = l.
Proof. exact (is_RInt_gen_unique f l). Qed.

Lemma line_integral_correct (f : R -> R) (l : R) : int_line f l -> int_line f (line_integral f).
Proof. intros H. rewrite (line_integral_eq f l H). exact H. Qed.
