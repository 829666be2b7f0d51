(** The outputs of T steps, each in R^d, as one point of R^(T d): step t owns the coordinates from
    t d on.  An integral over R^(d+k) is one over R^k of one over the last d coordinates. *)

From Coq Require Import Reals Lra Psatz PeanoNat Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian SpaceIntegral SpaceBranch.
From SGM Require Import SteadyIntegral.
Open Scope R_scope.

Definition before (k : nat) (v : point) : point := fun i => if Nat.ltb i k then v i else 0.
Definition block (k : nat) (v : point) : point := fun i => v (k + i)%nat.
Definition splice (k : nat) (v y : point) : point := fun i => if Nat.ltb i k then v i else y (i - k)%nat.

(** W looks at the first k coordinates only. *)
Definition looks_below (k : nat) (W : point -> R) : Prop :=
  forall v w, (forall i, (i < k)%nat -> v i = w i) -> W v = W w.

Ltac cases_on_indices := repeat match goal with
  | |- context [Nat.ltb ?a ?b] => destruct (Nat.ltb_spec a b)
  | |- context [Nat.eqb ?a ?b] => destruct (Nat.eqb_spec a b)
  end; try reflexivity; try lia.

Lemma before_update (k n : nat) (v : point) (t : R) : (k <= n)%nat -> before k (update v n t) = before k v.
Proof. intros H. apply functional_extensionality. intros i. unfold before, update. cases_on_indices. Qed.

Lemma before_update_last (k : nat) (v : point) (t : R) : before (S k) (update v k t) = update (before k v) k t.
Proof. apply functional_extensionality. intros i. unfold before, update. cases_on_indices. Qed.

Lemma before_splice (k : nat) (v y : point) : before k (splice k v y) = before k v.
Proof. apply functional_extensionality. intros i. unfold before, splice. cases_on_indices. Qed.

Lemma before_agree (k : nat) (v w : point) : (forall i, (i < k)%nat -> v i = w i) -> before k v = before k w.
Proof.
  intros H. apply functional_extensionality. intros i. unfold before.
  destruct (Nat.ltb_spec i k) as [L|_]; [apply H, L|reflexivity].
Qed.

Lemma block_splice (k : nat) (v y : point) : block k (splice k v y) = y.
Proof.
  apply functional_extensionality. intros i. unfold block, splice.
  destruct (Nat.ltb_spec (k + i) k) as [L|_]; [lia|]. f_equal. lia.
Qed.

Lemma block_update (k d : nat) (v : point) (t : R) : block k (update v (d + k) t) = update (block k v) d t.
Proof. apply functional_extensionality. intros i. unfold block, update. cases_on_indices. Qed.

Lemma splice_update (k d : nat) (v y : point) (t : R) : splice k v (update y d t) = update (splice k v y) (d + k) t.
Proof. apply functional_extensionality. intros i. unfold splice, update. cases_on_indices. Qed.

Lemma splice_zero (k : nat) (v : point) : splice k v (fun _ => 0) = before k v.
Proof. reflexivity. Qed.

Lemma looks_below_splice (k : nat) (W : point -> R) (v y : point) : looks_below k W -> W (splice k v y) = W v.
Proof.
  intros H. apply H. intros i Hi. unfold splice. destruct (Nat.ltb_spec i k) as [_|N]; [reflexivity|lia].
Qed.

Lemma looks_below_update (k n : nat) (W : point -> R) (v : point) (t : R) : looks_below k W -> (k <= n)%nat ->
  W (update v n t) = W v.
Proof. intros H Hn. apply H. intros i Hi. apply update_below. lia. Qed.

(** Coordinates from k on do not count. *)
Lemma int_space_before (k : nat) : forall F l, int_space k F l -> int_space k (fun v => F (before k v)) l.
Proof.
  induction k as [|k IH]; intros F l H; [exact H|].
  destruct H as [F' [I H]]. exists (fun v => F' (before k v)). split; [|apply IH, H].
  intros v. apply (int_line_ext _ _ _) with (2 := I (before k v)). intros t. rewrite before_update_last. reflexivity.
Qed.

(** The last d coordinates first. *)
Theorem int_space_split (k d : nat) : forall F l, int_space (d + k) F l ->
  exists G, int_space k G l /\ forall v, int_space d (fun y => F (splice k v y)) (G v).
Proof.
  induction d as [|d IH]; intros F l H.
  - exists (fun v => F (before k v)). split; [apply int_space_before, H|]. intros v. reflexivity.
  - destruct H as [F' [I H]]. destruct (IH F' l H) as [G [HG HS]]. exists G. split; [exact HG|].
    intros v. exists (fun y => F' (splice k v y)). split; [|apply HS].
    intros y. apply (int_line_ext _ _ _) with (2 := I (splice k v y)). intros t. rewrite splice_update. reflexivity.
Qed.

(** * Continuity *)

Lemma before_continuous (k : nat) (v : point_space) :
  continuous (fun v : point_space => before k v : point_space) v.
Proof.
  intros P [eps H]. exists eps. intros w Hw. apply H. intros i. unfold before.
  destruct (Nat.ltb i k); [exact (Hw i)|apply ball_center].
Qed.

Lemma of_before_continuous (k : nat) (F : point -> R) : continuous_on_space F ->
  continuous_on_space (fun v => F (before k v)).
Proof.
  intros CF v. apply (continuous_comp (fun v : point_space => before k v : point_space) F);
    [apply before_continuous|apply CF].
Qed.

Lemma mult_continuous (F G : point -> R) : continuous_on_space F -> continuous_on_space G ->
  continuous_on_space (fun v => F v * G v).
Proof. intros CF CG v. apply (continuous_mult (F : point_space -> R) G); [apply CF|apply CG]. Qed.

(** A family of Gaussians whose centre depends continuously on what was put out before. *)
Lemma normal_step_continuous (sigma : R) (k d : nat) (c : point -> point) :
  (forall i, continuous_on_space (fun h => c h i)) ->
  continuous_on_space (fun v => normal_space sigma d (c (before k v)) (block k v)).
Proof.
  intros Cc. unfold normal_space. induction d as [|d IH]; [intros v; apply continuous_const|].
  cbn [prod_to]. apply (mult_continuous (fun v => prod_to d (fun i => mu0 sigma (block k v i - c (before k v) i)))); [exact IH|].
  intros v. apply (continuous_comp (fun v : point_space => block k v d - c (before k v) d) (mu0 sigma)).
  - apply (continuous_minus (V := R_NormedModule)).
    + exact (coordinate_continuous (fun t => t) (k + d) (fun t => continuous_id t) v).
    + exact (of_before_continuous k (fun h => c h d) (Cc d) v).
  - apply mu0_continuous.
Qed.

(** * One Gaussian step on top of a steady function *)

Theorem steady_gaussian_step (sigma K : R) (k : nat) (W kappa : point -> R) (c : point -> point) : 0 < sigma ->
  steady k W -> looks_below k W -> continuous_on_space kappa -> (forall h, 0 <= kappa h <= K) ->
  (forall i, continuous_on_space (fun h => c h i)) -> forall d,
  steady (d + k) (fun v => W v * (kappa (before k v) * normal_space sigma d (c (before k v)) (block k v))).
Proof.
  intros Hs GW LW Ck Bk Cc.
  assert (Cont : forall d, continuous_on_space
    (fun v => W v * (kappa (before k v) * normal_space sigma d (c (before k v)) (block k v)))).
  { intros d. apply mult_continuous; [exact (steady_continuous k W GW)|].
    apply mult_continuous; [apply of_before_continuous, Ck|apply normal_step_continuous, Cc]. }
  assert (Pos : forall d v, 0 <= W v * (kappa (before k v) * normal_space sigma d (c (before k v)) (block k v))).
  { intros d v. apply Rmult_le_pos; [exact (steady_nonneg k W GW v)|].
    apply Rmult_le_pos; [apply Bk|left; apply normal_space_pos, Hs]. }
  induction d as [|d IH].
  - assert (K0 : 0 <= K) by (assert (X := Bk (fun _ => 0)); lra).
    apply (steady_below k _ (fun v => K * W v) (steady_scal k W K K0 GW) (Cont 0%nat)).
    intros v. split; [apply (Pos 0%nat)|]. unfold normal_space. simpl. rewrite Rmult_1_r, Rmult_comm.
    apply Rmult_le_compat_r; [exact (steady_nonneg k W GW v)|apply Bk].
  - change (steady (S (d + k)) (fun v => W v * (kappa (before k v) * normal_space sigma (S d) (c (before k v)) (block k v)))).
    split; [apply Cont|]. split; [apply Pos|].
    exists (fun v => W v * (kappa (before k v) * normal_space sigma d (c (before k v)) (block k v))). split; [|exact IH].
    intros v. set (h := before k v). set (y := block k v).
    assert (I := int_line_scal _ (W v * (kappa h * normal_space sigma d (c h) y)) _ (mu0_shift_normalised sigma (c h d) Hs)).
    rewrite Rmult_1_r in I. apply (int_line_ext _ _ _) with (2 := I). intros t. cbv beta.
    rewrite (looks_below_update k (d + k) W v t LW) by lia. rewrite before_update by lia. rewrite block_update.
    fold h y. unfold normal_space. rewrite (prod_to_update d (fun i s => mu0 sigma (s - c h i))). ring.
Qed.
