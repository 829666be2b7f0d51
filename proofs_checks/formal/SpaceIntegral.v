(** Integrals over R^d as iterated improper integrals.

    A point of R^d is a function nat -> R of which the first d values count.  The
    last coordinate is integrated first; the coordinates from d on are set to 0
    at the end.  Proved: additivity, homogeneity, monotonicity, uniqueness, and
    existence for continuous nonnegative functions below a product of integrable
    functions of one coordinate each. *)

From Coq Require Import Reals Lra Psatz PeanoNat FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral ParameterIntegral.
Open Scope R_scope.

Definition point : Type := nat -> R.

(** The point v with its coordinate i replaced by t. *)
Definition update (v : point) (i : nat) (t : R) : point := fun j => if Nat.eqb j i then t else v j.

Fixpoint int_space (d : nat) (F : point -> R) (l : R) : Prop :=
  match d with
  | O => F (fun _ => 0) = l
  | S n => exists F', (forall v, int_line (fun t => F (update v n t)) (F' v)) /\ int_space n F' l
  end.

(** Sums and products over the coordinates below d. *)
Fixpoint sum_to (d : nat) (a : nat -> R) : R :=
  match d with O => 0 | S n => sum_to n a + a n end.
Fixpoint prod_to (d : nat) (a : nat -> R) : R :=
  match d with O => 1 | S n => prod_to n a * a n end.

Lemma update_same (v : point) (i : nat) (t : R) : update v i t i = t.
Proof. unfold update. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma update_below (v : point) (i j : nat) (t : R) : (j < i)%nat -> update v i t j = v j.
Proof.
  intros H. unfold update. destruct (Nat.eqb_spec j i) as [E|_]; [|reflexivity].
  subst j. destruct (Nat.lt_irrefl i H).
Qed.

Lemma sum_to_ext (d : nat) (a b : nat -> R) :
  (forall i, (i < d)%nat -> a i = b i) -> sum_to d a = sum_to d b.
Proof.
  induction d as [|d IH]; intros H; simpl; [reflexivity|].
  rewrite IH, (H d (Nat.lt_succ_diag_r d)); [reflexivity|]. intros i Hi. apply H, Nat.lt_lt_succ_r, Hi.
Qed.

Lemma prod_to_ext (d : nat) (a b : nat -> R) :
  (forall i, (i < d)%nat -> a i = b i) -> prod_to d a = prod_to d b.
Proof.
  induction d as [|d IH]; intros H; simpl; [reflexivity|].
  rewrite IH, (H d (Nat.lt_succ_diag_r d)); [reflexivity|]. intros i Hi. apply H, Nat.lt_lt_succ_r, Hi.
Qed.

(** Coordinatewise sums and products at an updated point. *)
Lemma sum_to_update (d : nat) (a : nat -> R -> R) (v : point) (t : R) :
  sum_to (S d) (fun i => a i (update v d t i)) = sum_to d (fun i => a i (v i)) + a d t.
Proof.
  simpl. rewrite update_same. f_equal. apply sum_to_ext. intros i Hi. rewrite update_below by exact Hi. reflexivity.
Qed.

Lemma prod_to_update (d : nat) (a : nat -> R -> R) (v : point) (t : R) :
  prod_to (S d) (fun i => a i (update v d t i)) = prod_to d (fun i => a i (v i)) * a d t.
Proof.
  simpl. rewrite update_same. f_equal. apply prod_to_ext. intros i Hi. rewrite update_below by exact Hi. reflexivity.
Qed.

Lemma prod_to_nonneg (d : nat) (a : nat -> R) : (forall i, 0 <= a i) -> 0 <= prod_to d a.
Proof. intros H. induction d as [|d IH]; simpl; [lra|]. apply Rmult_le_pos; [exact IH|apply H]. Qed.

Lemma prod_to_pos (d : nat) (a : nat -> R) : (forall i, 0 < a i) -> 0 < prod_to d a.
Proof. intros H. induction d as [|d IH]; simpl; [lra|]. apply Rmult_lt_0_compat; [exact IH|apply H]. Qed.

Lemma prod_to_le (d : nat) (a b : nat -> R) : (forall i, 0 <= a i <= b i) -> prod_to d a <= prod_to d b.
Proof.
  intros H. induction d as [|d IH]; simpl; [lra|].
  apply Rmult_le_compat; [apply prod_to_nonneg; intros i; apply H|apply H|exact IH|apply H].
Qed.

(** * Linearity and order *)

Lemma int_space_ext (d : nat) : forall (F G : point -> R) (l : R),
  (forall x, F x = G x) -> int_space d F l -> int_space d G l.
Proof. intros F G l H. replace G with F; [trivial|]. apply functional_extensionality, H. Qed.

Lemma int_space_scal (d : nat) : forall (F : point -> R) (k l : R),
  int_space d F l -> int_space d (fun x => k * F x) (k * l).
Proof.
  induction d as [|d IH]; simpl; intros F k l H; [rewrite H; reflexivity|].
  destruct H as [F' [H1 H2]]. exists (fun v => k * F' v). split; [|apply IH, H2].
  intros v. apply (int_line_scal (fun t => F (update v d t))), H1.
Qed.

Lemma int_space_plus (d : nat) : forall (F G : point -> R) (lF lG : R),
  int_space d F lF -> int_space d G lG -> int_space d (fun x => F x + G x) (lF + lG).
Proof.
  induction d as [|d IH]; simpl; intros F G lF lG HF HG; [rewrite HF, HG; reflexivity|].
  destruct HF as [F' [F1 F2]]. destruct HG as [G' [G1 G2]].
  exists (fun v => F' v + G' v). split; [|apply IH; assumption].
  intros v. apply (int_line_plus (fun t => F (update v d t)) (fun t => G (update v d t))); [apply F1|apply G1].
Qed.

Lemma int_space_le (d : nat) : forall (F G : point -> R) (lF lG : R),
  (forall x, F x <= G x) -> int_space d F lF -> int_space d G lG -> lF <= lG.
Proof.
  induction d as [|d IH]; simpl; intros F G lF lG H HF HG; [rewrite <- HF, <- HG; apply H|].
  destruct HF as [F' [F1 F2]]. destruct HG as [G' [G1 G2]].
  apply (IH F' G'); [|exact F2|exact G2]. intros v.
  exact (int_line_le _ _ _ _ (fun t => H (update v d t)) (F1 v) (G1 v)).
Qed.

Lemma int_space_unique (d : nat) (F : point -> R) (l1 l2 : R) :
  int_space d F l1 -> int_space d F l2 -> l1 = l2.
Proof.
  intros H1 H2. apply Rle_antisym; apply (int_space_le d F F); trivial; intros x; apply Rle_refl.
Qed.

(** * Existence *)

(** The uniform structure of pointwise distances. *)
Definition point_space : UniformSpace := fct_UniformSpace nat R_UniformSpace.
Definition continuous_on_space (F : point -> R) : Prop :=
  forall x : point_space, continuous (F : point_space -> R) x.

Lemma coordinate_continuous (h : R -> R) (i : nat) : (forall t, continuous h t) ->
  continuous_on_space (fun x => h (x i)).
Proof.
  intros Ch x. apply (continuous_comp (fun x : point_space => x i : R) h); [|apply Ch].
  intros P [d H]. exists d. intros y Hy. apply H. exact (Hy i).
Qed.

Lemma prod_continuous (d : nat) (h : nat -> R -> R) : (forall i t, continuous (h i) t) ->
  continuous_on_space (fun x => prod_to d (fun i => h i (x i))).
Proof.
  intros Ch x. induction d as [|d IH]; simpl; [apply continuous_const|].
  apply (continuous_mult (fun x : point_space => prod_to d (fun i => h i (x i))) (fun x : point_space => h d (x d)));
    [exact IH|apply (coordinate_continuous (h d) d), Ch].
Qed.

Lemma update_continuous (d : nat) (p : point_space * R) :
  continuous (fun p : point_space * R => update (fst p) d (snd p) : point_space) p.
Proof.
  intros P [eps H]. exists eps. intros [w u] [Hw Hu]. apply H. intros i. simpl.
  unfold update. destruct (Nat.eqb i d); [exact Hu|exact (Hw i)].
Qed.

(** F lies below a product of integrable functions of single coordinates. *)
Definition dominated (d : nat) (F : point -> R) : Prop :=
  exists (C : R) (h : nat -> R -> R), 0 <= C /\ (forall i t, 0 <= h i t) /\
    (forall i t, continuous (h i) t) /\ (forall i, exists E, int_line (h i) E) /\
    forall x, F x <= C * prod_to d (fun i => h i (x i)).

(** Continuous nonnegative dominated functions have an integral over R^d. *)
Theorem int_space_exists (d : nat) : forall F : point -> R, continuous_on_space F ->
  (forall x, 0 <= F x) -> dominated d F -> exists l, int_space d F l.
Proof.
  induction d as [|d IH]; intros F CF F0 [C [h [HC [h0 [Ch [Ih B]]]]]].
  - exists (F (fun _ => 0)). reflexivity.
  - destruct (Ih d) as [E HE]. assert (E0 : 0 <= E) by exact (int_line_nonneg (h d) E (h0 d) HE).
    set (slice := fun (v : point_space) t => F (update v d t)).
    set (g := fun v : point_space => C * prod_to d (fun i => h i (v i))).
    assert (Cj : forall p : point_space * R, continuous (fun p : point_space * R => slice (fst p) (snd p)) p).
    { intros p. apply (continuous_comp (fun p : point_space * R => update (fst p) d (snd p) : point_space) F);
        [apply update_continuous|apply CF]. }
    assert (Cg : forall v : point_space, continuous g v).
    { intros v. apply (continuous_scal_r (V := R_NormedModule) C), (prod_continuous d h Ch). }
    assert (g0 : forall v, 0 <= g v).
    { intros v. apply Rmult_le_pos; [exact HC|apply prod_to_nonneg; intros i; apply h0]. }
    assert (Bd : forall v t, 0 <= slice v t <= g v * h d t).
    { intros v t. split; [apply F0|]. unfold slice, g.
      apply Rle_trans with (1 := B (update v d t)). rewrite prod_to_update, Rmult_assoc. apply Rle_refl. }
    destruct (IH (slice_integral slice)) as [l Hl].
    + exact (slice_integral_continuous slice Cj g (h d) E (Ch d) HE Bd (locally_bounded_of_continuous g Cg g0)).
    + intros v. apply (slice_integral_bound slice Cj g (h d) E (Ch d) HE Bd v).
    + exists (C * E), h. split; [apply Rmult_le_pos; assumption|].
      split; [exact h0|]. split; [exact Ch|]. split; [exact Ih|]. intros v.
      assert (K := slice_integral_bound slice Cj g (h d) E (Ch d) HE Bd v). unfold g in K.
      replace (C * E * prod_to d (fun i => h i (v i))) with (C * prod_to d (fun i => h i (v i)) * E) by ring.
      apply K.
    + exists l. exists (slice_integral slice). split; [|exact Hl].
      intros v. exact (slice_integral_exists slice Cj g (h d) E (Ch d) HE Bd v).
Qed.

(** * Domination is kept by sums and multiples *)

Lemma dominated_le (d : nat) (F G : point -> R) : (forall x, F x <= G x) -> dominated d G -> dominated d F.
Proof.
  intros H [C [h [HC [h0 [Ch [Ih B]]]]]]. exists C, h. repeat split; try assumption.
  intros x. apply Rle_trans with (1 := H x), B.
Qed.

Lemma dominated_scal (d : nat) (F : point -> R) (k : R) : 0 <= k -> dominated d F -> dominated d (fun x => k * F x).
Proof.
  intros Hk [C [h [HC [h0 [Ch [Ih B]]]]]]. exists (k * C), h.
  split; [apply Rmult_le_pos; assumption|]. repeat split; try assumption.
  intros x. rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact Hk|apply B].
Qed.

Lemma dominated_plus (d : nat) (F G : point -> R) :
  dominated d F -> dominated d G -> dominated d (fun x => F x + G x).
Proof.
  intros [C [h [HC [h0 [Ch [Ih B]]]]]] [C' [h' [HC' [h0' [Ch' [Ih' B']]]]]].
  exists (C + C'), (fun i t => h i t + h' i t). split; [lra|]. split; [|split; [|split]].
  - intros i t. assert (X := h0 i t). assert (Y := h0' i t). lra.
  - intros i t. apply (continuous_plus (V := R_NormedModule)); [apply Ch|apply Ch'].
  - intros i. destruct (Ih i) as [E HE]. destruct (Ih' i) as [E' HE']. exists (E + E').
    apply int_line_plus; assumption.
  - intros x. rewrite Rmult_plus_distr_r.
    assert (X : prod_to d (fun i => h i (x i)) <= prod_to d (fun i => h i (x i) + h' i (x i))).
    { apply prod_to_le. intros i. assert (Y := h0 i (x i)). assert (Z := h0' i (x i)). lra. }
    assert (X' : prod_to d (fun i => h' i (x i)) <= prod_to d (fun i => h i (x i) + h' i (x i))).
    { apply prod_to_le. intros i. assert (Y := h0 i (x i)). assert (Z := h0' i (x i)). lra. }
    assert (Y := B x). assert (Y' := B' x).
    apply Rplus_le_compat; [apply Rle_trans with (1 := Y)|apply Rle_trans with (1 := Y')];
      apply Rmult_le_compat_l; assumption.
Qed.
