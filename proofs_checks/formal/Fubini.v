(** Exchange of two integrals: Fubini's theorem for continuous functions on a
    rectangle, by differentiating in the upper bound, and from it Tonelli's
    inequality for two improper integrals of a nonnegative continuous function
    that is dominated by g(x) e(y) with e integrable. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral ParameterIntegral.
Open Scope R_scope.

Lemma window_integral_continuous {T : UniformSpace} (F : T -> R -> R) (a b : R) :
  (forall p : T * R, continuous (fun p : T * R => F (fst p) (snd p)) p) ->
  forall v, continuous (fun v => RInt (F v) a b) v.
Proof.
  intros C.
  assert (Le : forall a b, a <= b -> forall v, continuous (fun v => RInt (F v) a b) v).
  { intros a' b' Hab v. apply filterlim_locally. intros eps.
    destruct (window_integral_near F C v a' b' eps Hab (cond_pos eps)) as [d Hd].
    exists d. intros w Hw. exact (Hd w Hw). }
  intros v. destruct (Rle_dec a b) as [H|H]; [apply Le, H|].
  apply (continuous_ext (fun v => opp (RInt (F v) b a))).
  - intros w. apply opp_RInt_swap, slice_integrable, C.
  - apply (continuous_opp (V := R_NormedModule)), Le. lra.
Qed.

Section Rectangle.
Variable G : R -> R -> R.
Hypothesis G_continuous : forall p : R * R, continuous (fun p : R * R => G (fst p) (snd p)) p.

Lemma G_swapped_continuous (p : R * R) : continuous (fun p : R * R => G (snd p) (fst p)) p.
Proof.
  apply (continuous_comp (fun p : R * R => (snd p, fst p)) (fun p : R * R => G (fst p) (snd p))).
  - intros P [d H]. exists d. intros u [H1 H2]. apply H. exact (conj H2 H1).
  - apply G_continuous.
Qed.

Lemma column_continuous (y x : R) : continuous (fun x => G x y) x.
Proof. exact (slice_continuous (fun y x => G x y) G_swapped_continuous y x). Qed.

Lemma column_primitive_derive (a x y : R) : is_derive (fun t => RInt (fun x => G x y) a t) x (G x y).
Proof.
  apply (is_derive_RInt (fun x => G x y) (fun t => RInt (fun x => G x y) a t) a).
  - exists (mkposreal 1 Rlt_0_1). intros t _. apply (RInt_correct (V := R_CompleteNormedModule)).
    apply ex_RInt_everywhere_continuous, column_continuous.
  - apply column_continuous.
Qed.

(** Fubini's theorem on a rectangle. *)
Theorem fubini_rectangle (a b c d : R) :
  RInt (fun x => RInt (G x) c d) a b = RInt (fun y => RInt (fun x => G x y) a b) c d.
Proof.
  set (u := fun t => RInt (fun y => RInt (fun x => G x y) a t) c d).
  assert (D : forall x, is_derive u x (RInt (G x) c d)).
  { intros x. replace (RInt (G x) c d) with
      (RInt (fun y => Derive (fun t => RInt (fun x => G x y) a t) x) c d).
    2:{ apply RInt_ext. intros y _. apply is_derive_unique, column_primitive_derive. }
    apply (is_derive_RInt_param (fun t y => RInt (fun x => G x y) a t) c d x).
    - exists (mkposreal 1 Rlt_0_1). intros t _ y _. exists (G t y). apply column_primitive_derive.
    - intros y _. apply (continuity_2d_pt_ext G).
      + intros t z. symmetry. apply is_derive_unique, column_primitive_derive.
      + apply continuity_2d_pt_filterlim. exact (G_continuous (x, y)).
    - exists (mkposreal 1 Rlt_0_1). intros t _. apply ex_RInt_everywhere_continuous. intros y.
      exact (window_integral_continuous (fun y x => G x y) a t G_swapped_continuous y). }
  assert (I := is_RInt_derive (V := R_CompleteNormedModule) u (fun x => RInt (G x) c d) a b
    (fun x _ => D x) (fun x _ => window_integral_continuous G c d G_continuous x)).
  rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ I).
  assert (Z : u a = 0).
  { unfold u. rewrite (RInt_ext _ (fun _ => 0)).
    - rewrite RInt_const. unfold scal; simpl; unfold mult; simpl. ring.
    - intros y _. rewrite RInt_point. reflexivity. }
  rewrite Z. unfold minus, plus, opp; simpl. rewrite Ropp_0, Rplus_0_r. reflexivity.
Qed.

(** * Improper integrals *)

Variables (g e : R -> R) (E : R).
Hypothesis g_continuous : forall x, continuous g x.
Hypothesis g_nonneg : forall x, 0 <= g x.
Hypothesis e_continuous : forall y, continuous e y.
Hypothesis e_integral : int_line e E.
Hypothesis G_bound : forall x y, 0 <= G x y <= g x * e y.

(** Tonelli's inequality: rows first is at most columns first. *)
Theorem tonelli_le (J : R -> R) (l l' : R) :
  (forall y, continuous J y) -> (forall y, int_line (fun x => G x y) (J y)) -> int_line J l ->
  int_line (slice_integral G) l' -> l' <= l.
Proof.
  intros CJ HJ Hl Hl'. apply Rnot_lt_le. intros Lt. set (eps := (l' - l) / 2).
  assert (CI := slice_integral_continuous G G_continuous g e E e_continuous e_integral G_bound
    (locally_bounded_of_continuous g g_continuous g_nonneg)).
  destruct (int_line_window_near (slice_integral G) l' eps CI Hl' ltac:(unfold eps; lra)) as [M [HM WM]].
  set (S := RInt g (- M) M).
  assert (S0 : 0 <= S).
  { apply RInt_ge_0; [lra|apply ex_RInt_everywhere_continuous, g_continuous|intros x _; apply g_nonneg]. }
  assert (Hk : 0 < eps / (S + 1)) by (apply Rdiv_lt_0_compat; unfold eps; lra).
  destruct (int_line_window_near e E _ e_continuous e_integral Hk) as [N [HN WN]].
  set (k := E - RInt e (- N) N) in *.
  assert (Ek : (S + 1) * (eps / (S + 1)) = eps) by (field; lra).
  set (rows := fun x => RInt (G x) (- N) N).
  assert (CR : forall x, continuous rows x) by exact (window_integral_continuous G (- N) N G_continuous).
  assert (Ckg : forall x, continuous (fun x => rows x + k * g x) x).
  { intros x. apply (continuous_plus (V := R_NormedModule)); [apply CR|].
    apply (continuous_scal_r (V := R_NormedModule) k), g_continuous. }
  assert (B1 : RInt (slice_integral G) (- M) M <= RInt (fun x => rows x + k * g x) (- M) M).
  { apply RInt_le; [lra|apply ex_RInt_everywhere_continuous, CI|apply ex_RInt_everywhere_continuous, Ckg|].
    intros x _. assert (Tx := slice_tail G G_continuous g e E e_continuous e_integral G_bound x N HN).
    fold (rows x) in Tx. fold k in Tx. lra. }
  assert (E1 : RInt (fun x => rows x + k * g x) (- M) M = RInt rows (- M) M + k * S).
  { assert (Pl := RInt_plus (V := R_CompleteNormedModule) rows (fun x => k * g x) (- M) M
      (ex_RInt_everywhere_continuous _ CR _ _)
      (ex_RInt_scal (V := R_NormedModule) g (- M) M k (ex_RInt_everywhere_continuous _ g_continuous _ _))).
    assert (Sc := RInt_scal (V := R_CompleteNormedModule) g (- M) M k
      (ex_RInt_everywhere_continuous _ g_continuous _ _)).
    unfold scal, plus in Pl, Sc; simpl in Pl, Sc. unfold mult in Sc; simpl in Sc.
    rewrite Sc in Pl. exact Pl. }
  assert (B2 : RInt rows (- M) M <= l).
  { unfold rows. rewrite fubini_rectangle.
    apply Rle_trans with (RInt J (- N) N).
    - apply RInt_le; [lra| |apply ex_RInt_everywhere_continuous, CJ|].
      + apply ex_RInt_everywhere_continuous.
        exact (window_integral_continuous (fun y x => G x y) (- M) M G_swapped_continuous).
      + intros y _. apply (int_line_ge_window (fun x => G x y) (column_continuous y)
          (fun x => proj1 (G_bound x y)) (J y) (HJ y)). lra.
    - apply (int_line_ge_window J CJ); [|exact Hl|lra].
      intros y. apply (int_line_nonneg (fun x => G x y)); [intros x; apply G_bound|apply HJ]. }
  assert (B3 : k * S < eps).
  { assert (Kk : k <= eps / (S + 1)) by (unfold k; lra).
    apply Rle_lt_trans with (eps / (S + 1) * S); [apply Rmult_le_compat_r; [exact S0|exact Kk]|].
    rewrite Rmult_plus_distr_r, Rmult_1_l, (Rmult_comm S) in Ek. lra. }
  unfold eps in *. lra.
Qed.
End Rectangle.
