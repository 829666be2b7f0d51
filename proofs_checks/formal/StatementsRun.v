(** What is proved about whole training runs: T steps of the sampled Gaussian mechanism, each of whose
    functions is chosen from the earlier outputs, are (eps, delta)-differentially private.

    The definitions come first and rest on those of Statements.  Each proof only points to the file where
    the work is done. *)

From Coq Require Import Reals Lra List ZArith.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements.
From SGM Require Conversion RunComposition RunAnyChoice RunSchedule.
Open Scope R_scope.

(** * 1. Definitions *)

(** The outputs of T steps, each in R^d, are one point of R^(T d): step t owns the coordinates from t d on.
    What was put out before (later coordinates are 0), and the block of a step. *)
Definition before (k : nat) (v : point) : point := fun i => if Nat.ltb i k then v i else 0.
Definition block (k : nat) (v : point) : point := fun i => v (k + i)%nat.

(** The joint output density of T adaptive steps on the data set S.  Step t keeps each record with probability
    q t, evaluates the function f t h, where h are all outputs before it, and adds noise sigma t. *)
Fixpoint run {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point)
  (T : nat) (S : list U) (v : point) : R :=
  match T with
  | O => 1
  | Datatypes.S t => run q sigma d f t S v
      * sampled_gaussian_space (q t) (sigma t) d (f t (before (t * d) v)) S (block (t * d) v)
  end.

(** Whatever was put out before, the function of a step has sensitivity 1. *)
Definition steps_sensitivity_1 {U : Type} (d : nat) (f : nat -> point -> list U -> point) : Prop :=
  forall t h, sensitivity_1_space d (f t h).

(** Its values depend continuously on what was put out before.  This excludes choices with jumps, such as "if the
    first output is positive use one function, else another": for these see [tests_any_choice] below. *)
Definition steps_continuous {U : Type} (f : nat -> point -> list U -> point) : Prop :=
  forall t T i h eps, 0 < eps -> exists delta, 0 < delta /\
    forall h' : point, (forall j, Rabs (h' j - h j) < delta) -> Rabs (f t h' T i - f t h T i) < eps.

(** (eps, delta)-DP by the hockey stick: its integral exists and is at most delta, in both orders. *)
Definition hockey (eps : R) (P Q : point -> R) (x : point) : R := Rmax 0 (P x - exp eps * Q x).
Definition is_DP_space {U : Type} (d : nat) (M : list U -> point -> R) (eps delta : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
    exists l, int_space d (hockey eps (M S) (M S')) l /\ l <= delta.

(** (eps, delta)-DP by tests: chi x is the probability of saying yes to the output x; an event is a test
    with the values 0 and 1.  Every test counts whose probabilities a and b exist as integrals. *)
Definition is_DP_tests {U : Type} (d : nat) (M : list U -> point -> R) (eps delta : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
  forall (chi : point -> R) (a b : R), (forall x, 0 <= chi x <= 1) ->
    int_space d (fun x => chi x * M S x) a -> int_space d (fun x => chi x * M S' x) b ->
    a <= exp eps * b + delta.

(** The sum of the divergences of the steps, and the constant of the conversion from RDP to DP. *)
Definition total_renyi (q sigma : nat -> R) (alpha : R) (T : nat) : R :=
  sum_to T (fun t => renyi alpha (mu (q t) (sigma t)) (mu0 (sigma t))).
Definition conversion_constant (alpha : R) : R := / alpha * Rpower (1 - 1 / alpha) (alpha - 1).

(** A history: phases of n steps each at rate q and noise sigma; the rate and the noise of step t. *)
Fixpoint rate_at (l : list (Z * R * R)) (t : Z) : R :=
  match l with nil => 0 | (n, q, _) :: rest => if Z.ltb t n then q else rate_at rest (t - n)%Z end.
Fixpoint noise_at (l : list (Z * R * R)) (t : Z) : R :=
  match l with nil => 1 | (n, _, sigma) :: rest => if Z.ltb t n then sigma else noise_at rest (t - n)%Z end.
Fixpoint steps_of (l : list (Z * R * R)) : Z :=
  match l with nil => 0%Z | (n, _, _) :: rest => (n + steps_of rest)%Z end.
Definition run_phases {U : Type} (l : list (Z * R * R)) (d : nat) (f : nat -> point -> list U -> point) :
  list U -> point -> R :=
  run (fun t => rate_at l (Z.of_nat t)) (fun t => noise_at l (Z.of_nat t)) d f (Z.to_nat (steps_of l)).

(** * 2. The definitions mean what they should *)

(** What a run puts out is a probability density: positive, and of mass 1. *)
Theorem run_density : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> steps_continuous f ->
  forall (T : nat) (S : list U),
  (forall v, 0 < run q sigma d f T S v) /\ int_space (T * d) (run q sigma d f T S) 1.
Proof.
  intros U q sigma d f Hq Hs Cf T S. split; [exact (RunComposition.run_pos q sigma d f Hq Hs T S)|].
  apply (RunComposition.run_density q sigma d f Hq Hs); apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.

(** The hockey-stick integral of a run exists, so that "not DP" is never for want of an integral. *)
Theorem run_hockey_exists : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> steps_continuous f ->
  forall (T : nat) (eps : R) (S S' : list U),
  exists l, int_space (T * d) (hockey eps (run q sigma d f T S) (run q sigma d f T S')) l.
Proof.
  intros U q sigma d f Hq Hs Cf. apply RunComposition.run_hockey_exists; [exact Hq|exact Hs|].
  apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.

(** DP by the hockey stick bounds every test. *)
Theorem dp_tests : forall {U : Type} (d : nat) (M : list U -> point -> R) (eps delta : R),
  is_DP_space d M eps delta -> is_DP_tests d M eps delta.
Proof. exact @Conversion.dp_tests. Qed.

(** * 3. Composition *)

(** The divergences of the steps add up: adaptive composition of RDP. *)
Theorem run_rdp : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point) (alpha : R),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> 1 < alpha ->
  steps_sensitivity_1 d f -> steps_continuous f ->
  forall T : nat, is_RDP_space (T * d) (run q sigma d f T) alpha (total_renyi q sigma alpha T).
Proof.
  intros U q sigma d f alpha Hq Hs Ha Hf Cf. apply RunComposition.run_rdp; try assumption.
  apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.

(** * 4. From RDP to DP *)

(** A certificate for a run: one order alpha, and one inequality between numbers (the conversion of Canonne,
    Kamath and Steinke, and of Balle et al.). *)
Theorem run_dp : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point) (alpha : R),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> 1 < alpha ->
  steps_sensitivity_1 d f -> steps_continuous f ->
  forall (T : nat) (eps delta : R),
  conversion_constant alpha * exp ((alpha - 1) * (total_renyi q sigma alpha T - eps)) <= delta ->
  is_DP_space (T * d) (run q sigma d f T) eps delta.
Proof.
  intros U q sigma d f alpha Hq Hs Ha Hf Cf. apply RunComposition.run_dp; try assumption.
  apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.

(** The same, solved for epsilon. *)
Theorem run_dp_sharp : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point) (alpha : R),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> 1 < alpha ->
  steps_sensitivity_1 d f -> steps_continuous f ->
  forall (T : nat) (delta : R), 0 < delta ->
  is_DP_space (T * d) (run q sigma d f T)
    (total_renyi q sigma alpha T + ln (1 - 1 / alpha) - (ln delta + ln alpha) / (alpha - 1)) delta.
Proof.
  intros U q sigma d f alpha Hq Hs Ha Hf Cf. apply RunComposition.run_dp_sharp; try assumption.
  apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.

(** Mironov's conversion. *)
Theorem run_dp_mironov : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point) (alpha : R),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> 1 < alpha ->
  steps_sensitivity_1 d f -> steps_continuous f ->
  forall (T : nat) (delta : R), 0 < delta ->
  is_DP_space (T * d) (run q sigma d f T) (total_renyi q sigma alpha T + ln (1 / delta) / (alpha - 1)) delta.
Proof.
  intros U q sigma d f alpha Hq Hs Ha Hf Cf. apply RunComposition.run_dp_mironov; try assumption.
  apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.

(** * 5. Without continuity *)

(** f may depend on the earlier outputs in any way, with jumps too, if the moments of the first t steps exist as
    iterated integrals for t = 0, ..., T.  Every test is bounded as above. *)
Theorem tests_any_choice : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point) (alpha : R),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> steps_sensitivity_1 d f -> 1 < alpha ->
  forall S S' : list U, adjacent S S' \/ adjacent S' S ->
  forall (T : nat) (eps : R),
  (forall t, (t <= T)%nat -> exists l, int_space (t * d)
     (fun x => run q sigma d f t S' x * Rpower (run q sigma d f t S x / run q sigma d f t S' x) alpha) l) ->
  forall (chi : point -> R) (a b : R), (forall x, 0 <= chi x <= 1) ->
    int_space (T * d) (fun x => chi x * run q sigma d f T S x) a ->
    int_space (T * d) (fun x => chi x * run q sigma d f T S' x) b ->
    a <= exp eps * b + conversion_constant alpha * exp ((alpha - 1) * (total_renyi q sigma alpha T - eps)).
Proof. exact @RunAnyChoice.events_any_choice. Qed.

(** * 6. Histories *)

(** A certificate for a history: the divergences of its phases, each times its steps. *)
Theorem phases_dp : forall {U : Type} (l : list (Z * R * R)) (d : nat) (f : nat -> point -> list U -> point) (alpha eps delta : R),
  (forall n q sigma, In (n, q, sigma) l -> (0 <= n)%Z /\ 0 <= q <= 1 /\ 0 < sigma) -> 1 < alpha ->
  steps_sensitivity_1 d f -> steps_continuous f ->
  conversion_constant alpha * exp ((alpha - 1) * (sum_over l (fun p => IZR (fst (fst p))
    * renyi alpha (mu (snd (fst p)) (snd p)) (mu0 (snd p))) - eps)) <= delta ->
  is_DP_space (Z.to_nat (steps_of l) * d) (run_phases l d f) eps delta.
Proof.
  intros U l d f alpha eps delta Hl Ha Hf Cf. apply RunSchedule.phases_dp; try assumption.
  apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.
