(** Runs whose rate and noise change from phase to phase, and what continuity of a choice means. *)

From Coq Require Import Reals Lra List ZArith PeanoNat Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Gaussian AB MainTheorem SampledMechanism SpaceIntegral SpaceReduction
  Conversion RunLayout RunComposition.
Open Scope R_scope.

(** * Continuity in epsilon and delta *)

Definition continuous_in_outputs {U : Type} (f : nat -> point -> list U -> point) : Prop :=
  forall t T i h eps, 0 < eps -> exists delta, 0 < delta /\
    forall h' : point, (forall j, Rabs (h' j - h j) < delta) -> Rabs (f t h' T i - f t h T i) < eps.

Lemma continuous_in_outputs_iff {U : Type} (f : nat -> point -> list U -> point) :
  continuous_in_outputs f <-> steps_continuous f.
Proof.
  split; intros H t T i h.
  - apply filterlim_locally. intros eps. destruct (H t T i h eps (cond_pos eps)) as [delta [Hd K]].
    exists (mkposreal delta Hd). intros h' Hh. exact (K h' Hh).
  - intros eps He. destruct (proj1 (filterlim_locally _ _) (H t T i h) (mkposreal eps He)) as [delta K].
    exists delta. split; [apply cond_pos|]. intros h' Hh. exact (K h' Hh).
Qed.

(** * Phases *)

Definition phase : Type := (Z * R * R)%type.

Fixpoint rate_at (l : list phase) (t : Z) : R :=
  match l with nil => 0 | (n, q, _) :: rest => if Z.ltb t n then q else rate_at rest (t - n)%Z end.
Fixpoint noise_at (l : list phase) (t : Z) : R :=
  match l with nil => 1 | (n, _, sigma) :: rest => if Z.ltb t n then sigma else noise_at rest (t - n)%Z end.
Fixpoint steps_of (l : list phase) : Z :=
  match l with nil => 0%Z | (n, _, _) :: rest => (n + steps_of rest)%Z end.

Definition proper (l : list phase) : Prop :=
  List.Forall (fun p : phase => let '(n, q, sigma) := p in (0 <= n)%Z /\ 0 <= q <= 1 /\ 0 < sigma) l.

Lemma proper_steps (l : list phase) : proper l -> (0 <= steps_of l)%Z.
Proof. induction 1 as [|[[n q] sigma] l [Hn _] _ IH]; simpl; lia. Qed.

Lemma proper_rate (l : list phase) : proper l -> forall t, 0 <= rate_at l t <= 1.
Proof.
  induction 1 as [|[[n q] sigma] l [_ [Hq _]] _ IH]; intros t; simpl; [lra|]. destruct (Z.ltb t n); [exact Hq|apply IH].
Qed.

Lemma proper_noise (l : list phase) : proper l -> forall t, 0 < noise_at l t.
Proof.
  induction 1 as [|[[n q] sigma] l [_ [_ Hs]] _ IH]; intros t; simpl; [lra|]. destruct (Z.ltb t n); [exact Hs|apply IH].
Qed.

Lemma sum_to_plus (a b : nat) (g : nat -> R) :
  sum_to (a + b) g = sum_to a g + sum_to b (fun t => g (a + t)%nat).
Proof.
  induction b as [|b IH]; [rewrite Nat.add_0_r; simpl; ring|]. rewrite Nat.add_succ_r. cbn [sum_to]. rewrite IH. ring.
Qed.

Lemma sum_to_const (T : nat) (x : R) : sum_to T (fun _ => x) = INR T * x.
Proof. induction T as [|t IH]; cbn [sum_to]; [simpl; ring|]. rewrite IH, S_INR. ring. Qed.

(** Sums over the steps are sums over the phases. *)
Definition of_phase (g : R -> R -> R) (p : phase) : R := IZR (fst (fst p)) * g (snd (fst p)) (snd p).

Lemma sum_of_phases (g : R -> R -> R) (l : list phase) : proper l ->
  sum_to (Z.to_nat (steps_of l)) (fun t => g (rate_at l (Z.of_nat t)) (noise_at l (Z.of_nat t)))
  = sum_over l (of_phase g).
Proof.
  induction 1 as [|[[n q] sigma] l [Hn _] Hl IH]; [reflexivity|]. cbn [steps_of].
  change (sum_over ((n, q, sigma) :: l) (of_phase g)) with (IZR n * g q sigma + sum_over l (of_phase g)).
  assert (Hr := proper_steps l Hl). rewrite Z2Nat.inj_add, sum_to_plus by lia. f_equal.
  - rewrite (sum_to_ext _ _ (fun _ => g q sigma)).
    + rewrite sum_to_const, INR_IZR_INZ, Z2Nat.id by exact Hn. reflexivity.
    + intros t Ht. cbn [rate_at noise_at]. destruct (Z.ltb_spec (Z.of_nat t) n) as [_|N]; [reflexivity|lia].
  - rewrite <- IH. apply sum_to_ext. intros t _. cbn [rate_at noise_at].
    destruct (Z.ltb_spec (Z.of_nat (Z.to_nat n + t)) n) as [N|_]; [lia|].
    replace (Z.of_nat (Z.to_nat n + t) - n)%Z with (Z.of_nat t) by lia. reflexivity.
Qed.

Theorem phases_dp {U : Type} (l : list phase) (d : nat) (f : nat -> point -> list U -> point) (alpha eps delta : R) :
  (forall n q sigma, In (n, q, sigma) l -> (0 <= n)%Z /\ 0 <= q <= 1 /\ 0 < sigma) -> 1 < alpha ->
  steps_sensitivity_1 d f -> steps_continuous f ->
  conversion_constant alpha * exp ((alpha - 1) * (sum_over l (of_phase (fun q sigma => renyi alpha (mu q sigma) (mu0 sigma))) - eps)) <= delta ->
  is_DP_space (Z.to_nat (steps_of l) * d)
    (run (fun t => rate_at l (Z.of_nat t)) (fun t => noise_at l (Z.of_nat t)) d f (Z.to_nat (steps_of l))) eps delta.
Proof.
  intros Hl Ha Hf Cf H.
  assert (P : proper l) by (apply List.Forall_forall; intros [[n q] sigma]; apply Hl).
  apply (run_dp (fun t => rate_at l (Z.of_nat t)) (fun t => noise_at l (Z.of_nat t)) d f alpha
    (fun t => proper_rate l P _) (fun t => proper_noise l P _) Cf Hf Ha).
  unfold total_renyi. rewrite (sum_of_phases (fun q sigma => renyi alpha (mu q sigma) (mu0 sigma)) l P). exact H.
Qed.
