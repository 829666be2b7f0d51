(** Events of a whole run that are decided by a score: each output, or each block of outputs, gets a
    whole number, and these are added up.  The mean of any function of the total is computed from the
    laws of the single scores; no integral over all outputs is left.

    A law is written as what it makes of functions, [C h] = E[h (score)]: adding independent scores is
    nesting, and giving scores other names is composition. *)

From Coq Require Import Reals Lra List ZArith PeanoNat Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian AB SampledMechanism ParameterIntegral
  SpaceIntegral SpaceBranch SpaceReduction SpaceRDP SteadyIntegral Conversion RunLayout RunStep RunComposition.
Open Scope R_scope.

Definition law : Type := (Z -> R) -> R.

(** * Blocks of coordinates *)

Lemma splice_block (k : nat) (v : point) : splice k v (block k v) = v.
Proof.
  apply functional_extensionality. intros i. unfold splice, block.
  destruct (Nat.ltb_spec i k) as [_|H]; [reflexivity|]. f_equal. lia.
Qed.

Lemma block_block (k j : nat) (v : point) : block j (block k v) = block (k + j) v.
Proof. apply functional_extensionality. intros i. unfold block. f_equal. lia. Qed.

(** The converse of [int_space_split]. *)
Theorem int_space_join (k d : nat) : forall F G l, looks_below (d + k) F ->
  (forall v, int_space d (fun y => F (splice k v y)) (G v)) -> int_space k G l -> int_space (d + k) F l.
Proof.
  induction d as [|d IH]; intros F G l LF HG Hl.
  - apply (int_space_ext k G); [|exact Hl]. intros v. rewrite <- (HG v). apply LF. intros i Hi.
    unfold splice. destruct (Nat.ltb_spec i k) as [_|N]; [reflexivity|lia].
  - assert (L : forall w, int_line (fun t => F (update w (d + k) t)) (line_integral (fun t => F (update w (d + k) t)))).
    { intros w. destruct (HG w) as [F' [I _]]. apply (line_integral_correct _ (F' (block k w))).
      apply (int_line_ext _ _ _) with (2 := I (block k w)). intros t. rewrite splice_update, splice_block. reflexivity. }
    exists (fun w => line_integral (fun t => F (update w (d + k) t))). split; [exact L|].
    apply (IH _ G l); [| |exact Hl].
    + intros v w E. f_equal. apply functional_extensionality. intros t. apply LF. intros i Hi. unfold update.
      destruct (Nat.eqb_spec i (d + k)); [reflexivity|apply E; lia].
    + intros v. destruct (HG v) as [F' [I H]]. apply (int_space_ext d F'); [|exact H]. intros y.
      apply (int_line_unique _ _ _ (I y)).
      apply (int_line_ext _ _ _) with (2 := L (splice k v y)). intros t. rewrite splice_update. reflexivity.
Qed.

(** * Scores of points *)

Definition score_below (k : nat) (s : point -> Z) : Prop :=
  forall v w, (forall i, (i < k)%nat -> v i = w i) -> s v = s w.

(** Under the density W on R^k the score s has the law C. *)
Definition scored (k : nat) (W : point -> R) (s : point -> Z) (C : law) : Prop :=
  looks_below k W /\ score_below k s /\ forall h, int_space k (fun v => h (s v) * W v) (C h).

Lemma scored_relabel (phi : Z -> Z) (k : nat) (W : point -> R) (s : point -> Z) (C : law) : scored k W s C ->
  scored k W (fun v => phi (s v)) (fun h => C (fun a => h (phi a))).
Proof.
  intros [LW [Ls H]]. split; [exact LW|]. split; [intros v w E; f_equal; apply Ls, E|].
  intros h. exact (H (fun a => h (phi a))).
Qed.

Theorem scored_join (k j : nat) (W W' : point -> R) (s s' : point -> Z) (C C' : law) :
  scored k W s C -> scored j W' s' C' ->
  scored (j + k) (fun v => W v * W' (block k v)) (fun v => (s v + s' (block k v))%Z)
    (fun h => C (fun a => C' (fun b => h (a + b)%Z))).
Proof.
  intros [LW [Ls H]] [LW' [Ls' H']].
  assert (Lj : looks_below (j + k) (fun v => W v * W' (block k v))).
  { intros v w E. rewrite (LW v w) by (intros i Hi; apply E; lia).
    rewrite (LW' (block k v) (block k w)) by (intros i Hi; unfold block; apply E; lia). reflexivity. }
  assert (Lsj : score_below (j + k) (fun v => (s v + s' (block k v))%Z)).
  { intros v w E. rewrite (Ls v w) by (intros i Hi; apply E; lia).
    rewrite (Ls' (block k v) (block k w)) by (intros i Hi; unfold block; apply E; lia). reflexivity. }
  split; [exact Lj|]. split; [exact Lsj|]. intros h.
  apply (int_space_join k j _ (fun v => C' (fun b => h (s v + b)%Z) * W v)).
  - intros v w E. rewrite (Lsj v w E). f_equal. apply Lj, E.
  - intros v. rewrite Rmult_comm.
    apply (int_space_ext j _ _ _) with (2 := int_space_scal j _ (W v) _ (H' (fun b => h (s v + b)%Z))).
    intros y. rewrite block_splice, (looks_below_splice k W v y LW).
    rewrite (Ls (splice k v y) v); [ring|]. intros i Hi. unfold splice.
    destruct (Nat.ltb_spec i k) as [_|N]; [reflexivity|lia].
  - exact (H (fun a => C' (fun b => h (a + b)%Z))).
Qed.

(** * Outputs of a run that counts in its first coordinate only *)

(** Under the density p on the line the score has the law C. *)
Definition scored_by (p : R -> R) (score : R -> Z) (C : law) : Prop :=
  forall h : Z -> R, int_line (fun z => h (score z) * p z) (C h).

Definition step_output (sigma : R) (n : nat) (p : R -> R) (v : point) : R :=
  p (v 0%nat) * prod_to n (fun i => mu0 sigma (v (S i))).

Lemma scored_step (sigma : R) (n : nat) (p : R -> R) (score : R -> Z) (C : law) : 0 < sigma ->
  scored_by p score C -> scored (S n) (step_output sigma n p) (fun v => score (v 0%nat)) C.
Proof.
  intros Hs H. split; [|split].
  - intros v w E. unfold step_output. rewrite (E 0%nat) by lia. f_equal. apply prod_to_ext. intros i Hi.
    rewrite (E (S i)) by lia. reflexivity.
  - intros v w E. rewrite (E 0%nat) by lia. reflexivity.
  - intros h. unfold step_output. induction n as [|n IH].
    + exists (fun _ => C h). split; [|reflexivity]. intros v.
      apply (int_line_ext _ _ _) with (2 := H h). intros t. rewrite update_same. simpl. ring.
    + eexists. split; [|exact IH]. intros v. cbv beta.
      assert (I := int_line_scal _ (h (score (v 0%nat)) * (p (v 0%nat) * prod_to n (fun i => mu0 sigma (v (S i)))))
        _ (mu0_normalised sigma Hs)). rewrite Rmult_1_r in I.
      apply (int_line_ext _ _ _) with (2 := I). intros t. cbv beta. rewrite (update_below v (S n) 0 t) by lia.
      cbn [prod_to]. rewrite update_same.
      rewrite (prod_to_ext n (fun i => mu0 sigma (update v (S n) t (S i))) (fun i => mu0 sigma (v (S i)))); [ring|].
      intros i Hi. rewrite update_below by lia. reflexivity.
Qed.

(** T steps, of which step t has the density p t in its first coordinate and plain noise in the others. *)
Fixpoint outputs (sigma : nat -> R) (n : nat) (p : nat -> R -> R) (T : nat) (v : point) : R :=
  match T with
  | O => 1
  | S t => outputs sigma n p t v * step_output (sigma t) n (p t) (block (t * S n) v)
  end.

Lemma outputs_plus (sigma : nat -> R) (n : nat) (p : nat -> R -> R) (T T' : nat) (v : point) :
  outputs sigma n p (T + T') v = outputs sigma n p T v
    * outputs (fun t => sigma (T + t)%nat) n (fun t => p (T + t)%nat) T' (block (T * S n) v).
Proof.
  induction T' as [|t IH]; [rewrite Nat.add_0_r; simpl; ring|].
  rewrite Nat.add_succ_r. cbn [outputs]. rewrite IH, block_block, Nat.mul_add_distr_r. ring.
Qed.

(** One score of T steps, with its law under the densities p and under the densities p'. *)
Definition pair_scored (sigma : nat -> R) (n : nat) (p p' : nat -> R -> R) (T : nat) (C C' : law) : Prop :=
  exists s, scored (T * S n) (outputs sigma n p T) s C /\ scored (T * S n) (outputs sigma n p' T) s C'.

Lemma pair_none (sigma : nat -> R) (n : nat) (p p' : nat -> R -> R) :
  pair_scored sigma n p p' 0 (fun h => h 0%Z) (fun h => h 0%Z).
Proof.
  exists (fun _ => 0%Z). split; (split; [intros v w _; reflexivity|split; [intros v w _; reflexivity|]]);
    intros h; simpl; ring.
Qed.

Lemma pair_one (sigma : nat -> R) (n : nat) (p p' : nat -> R -> R) (score : R -> Z) (C C' : law) :
  0 < sigma 0%nat -> scored_by (p 0%nat) score C -> scored_by (p' 0%nat) score C' -> pair_scored sigma n p p' 1 C C'.
Proof.
  intros Hs H H'.
  assert (K : forall (r : nat -> R -> R) D, scored (S n) (step_output (sigma 0%nat) n (r 0%nat)) (fun v => score (v 0%nat)) D ->
    scored (1 * S n) (outputs sigma n r 1) (fun v => score (v 0%nat)) D).
  { intros r D. rewrite Nat.mul_1_l. replace (outputs sigma n r 1) with (step_output (sigma 0%nat) n (r 0%nat)); [trivial|].
    apply functional_extensionality. intros v. cbn [outputs]. rewrite Rmult_1_l. reflexivity. }
  exists (fun v => score (v 0%nat)). split; apply K, scored_step; assumption.
Qed.

Lemma pair_join (sigma : nat -> R) (n : nat) (p p' : nat -> R -> R) (T T' : nat) (C C' D D' : law) :
  pair_scored sigma n p p' T C C' ->
  pair_scored (fun t => sigma (T + t)%nat) n (fun t => p (T + t)%nat) (fun t => p' (T + t)%nat) T' D D' ->
  pair_scored sigma n p p' (T + T')
    (fun h => C (fun a => D (fun b => h (a + b)%Z))) (fun h => C' (fun a => D' (fun b => h (a + b)%Z))).
Proof.
  intros [s [H H']] [r [K K']]. exists (fun v => (s v + r (block (T * S n) v))%Z).
  assert (E : ((T + T') * S n = T' * S n + T * S n)%nat) by lia. rewrite E. split.
  - replace (outputs sigma n p (T + T')) with (fun v => outputs sigma n p T v
      * outputs (fun t => sigma (T + t)%nat) n (fun t => p (T + t)%nat) T' (block (T * S n) v)).
    + exact (scored_join _ _ _ _ _ _ _ _ H K).
    + apply functional_extensionality. intros v. symmetry. apply outputs_plus.
  - replace (outputs sigma n p' (T + T')) with (fun v => outputs sigma n p' T v
      * outputs (fun t => sigma (T + t)%nat) n (fun t => p' (T + t)%nat) T' (block (T * S n) v)).
    + exact (scored_join _ _ _ _ _ _ _ _ H' K').
    + apply functional_extensionality. intros v. symmetry. apply outputs_plus.
Qed.

Lemma pair_relabel (phi : Z -> Z) (sigma : nat -> R) (n : nat) (p p' : nat -> R -> R) (T : nat) (C C' : law) :
  pair_scored sigma n p p' T C C' ->
  pair_scored sigma n p p' T (fun h => C (fun a => h (phi a))) (fun h => C' (fun a => h (phi a))).
Proof. intros [s [H H']]. exists (fun v => phi (s v)). split; apply scored_relabel; assumption. Qed.

(** * The mechanism *)

Section Refutation.
Context {U : Type}.
Variables (q sigma : nat -> R) (n : nat).
Let f (t : nat) (h : point) : list U -> point := sampled_any_space.

Lemma constant_steps_continuous : steps_continuous f.
Proof. intros t T i v. apply continuous_const. Qed.

Lemma constant_steps_sensitivity : steps_sensitivity_1 (S n) f.
Proof. intros t h. apply (sampled_any_space_sensitivity n). Qed.

Lemma run_outputs (T : nat) (x : U) (v : point) :
  run q sigma (S n) f T (x :: nil) v = outputs sigma n (fun t => mu (q t) (sigma t)) T v /\
  run q sigma (S n) f T nil v = outputs sigma n (fun t => mu0 (sigma t)) T v.
Proof.
  induction T as [|t [I1 I0]]; [split; reflexivity|]. cbn [run outputs]. rewrite I1, I0.
  destruct (sampled_any_space_outputs (q t) (sigma t) n x (block (t * S n) v)) as [E0 E1]. unfold f.
  rewrite E0, E1. unfold step_output. split; reflexivity.
Qed.

(** If some function g of a score, with values in [0, 1], tells the two data sets apart by more than eps
    and delta allow, then the run is not (eps, delta)-DP: the test g (score) shows it. *)
Theorem run_not_dp (T : nat) (x : U) (C C' : law) (eps delta : R) (g : Z -> R) :
  pair_scored sigma n (fun t => mu (q t) (sigma t)) (fun t => mu0 (sigma t)) T C C' ->
  (forall s, 0 <= g s <= 1) -> exp eps * C' g + delta < C g ->
  ~ is_DP_tests (T * S n) (run q sigma (S n) f T) eps delta.
Proof.
  intros [s [[_ [_ H]] [_ [_ H']]]] Hg K DP.
  assert (X := DP (x :: nil) nil
    (or_intror (ex_intro _ nil (ex_intro _ nil (ex_intro _ x (conj eq_refl eq_refl)))))
    (fun v => g (s v)) (C g) (C' g) (fun v => Hg _)
    (int_space_ext _ _ _ _ (fun v => f_equal (Rmult _) (eq_sym (proj1 (run_outputs T x v)))) (H g))
    (int_space_ext _ _ _ _ (fun v => f_equal (Rmult _) (eq_sym (proj2 (run_outputs T x v)))) (H' g))).
  lra.
Qed.
End Refutation.
