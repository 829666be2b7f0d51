(** The exact privacy of a training run: T adaptive steps of the sampled Gaussian mechanism are dominated by T
    independent draws from the pair mu, mu0, at every threshold and in both orders.

    In the words of Zhu, Dong and Wang (2022): (mu, mu0) and (mu0, mu) are dominating pairs of a step, and
    their products are dominating pairs of the run.  The definitions rest on those of Statements and
    StatementsRun.  Each proof only points to the file where the work is done. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements StatementsRun.
From SGM Require StepDomination RunDomination RunExact RunSchedule.
Open Scope R_scope.

(** * 1. Definitions *)

(** T independent draws, one coordinate each: from mu, with the record, and from mu0, without it. *)
Definition pair_with (q sigma : nat -> R) (T : nat) (v : point) : R := prod_to T (fun t => mu (q t) (sigma t) (v t)).
Definition pair_without (sigma : nat -> R) (T : nat) (v : point) : R := prod_to T (fun t => mu0 (sigma t) (v t)).

(** Functions on the positive numbers that are nonnegative, convex and have the Lipschitz constant K.
    Hockey sticks are such functions. *)
Definition convex_test (K : R) (phi : R -> R) : Prop :=
  (forall y, 0 < y -> 0 <= phi y) /\
  (forall x y, 0 < x -> 0 < y -> phi x <= phi y + K * Rabs (x - y)) /\
  (forall x y t, 0 < x -> 0 < y -> 0 <= t <= 1 -> phi (t * x + (1 - t) * y) <= t * phi x + (1 - t) * phi y).

(** * 2. One step *)

(** E_Q phi(P/Q) of a step, P with the record and Q without it, is at most that of the pair: for every convex test,
    every dimension and every f of sensitivity 1.  With y phi(1/y) for phi it is the other order. *)
Theorem step_dominated : forall {U : Type} (q sigma K : R) (phi : R -> R), 0 <= q <= 1 -> 0 < sigma -> convex_test K phi ->
  forall (d : nat) (f : list U -> point) (S S' : list U), sensitivity_1_space d f -> adjacent S S' ->
  exists l l', int_space d (fun x => sampled_gaussian_space q sigma d f S x
      * phi (sampled_gaussian_space q sigma d f S' x / sampled_gaussian_space q sigma d f S x)) l /\
    int_line (fun z => mu0 sigma z * phi (mu q sigma z / mu0 sigma z)) l' /\ l <= l'.
Proof. exact @RunDomination.step_dominated_pair. Qed.

(** * 3. The run *)

(** The hockey stick of a run is at most that of the product of the pairs, with the record against without it
    and without it against with it. *)
Theorem run_dominated : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> steps_sensitivity_1 d f -> steps_continuous f ->
  forall (T : nat) (eps : R) (S S' : list U), adjacent S S' ->
  (exists l l', int_space (T * d) (hockey eps (run q sigma d f T S') (run q sigma d f T S)) l /\
     int_space T (hockey eps (pair_with q sigma T) (pair_without sigma T)) l' /\ l <= l') /\
  (exists l l', int_space (T * d) (hockey eps (run q sigma d f T S) (run q sigma d f T S')) l /\
     int_space T (hockey eps (pair_without sigma T) (pair_with q sigma T)) l' /\ l <= l').
Proof.
  intros U q sigma d f Hq Hs Hf Cf. apply RunDomination.run_dominated; try assumption.
  apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.

(** So the epsilon of the products is valid for the run. *)
Theorem run_dp_of_pair : forall {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> steps_sensitivity_1 d f -> steps_continuous f ->
  forall (T : nat) (eps delta l1 l2 : R),
  int_space T (hockey eps (pair_with q sigma T) (pair_without sigma T)) l1 -> l1 <= delta ->
  int_space T (hockey eps (pair_without sigma T) (pair_with q sigma T)) l2 -> l2 <= delta ->
  is_DP_space (T * d) (run q sigma d f T) eps delta.
Proof.
  intros U q sigma d f Hq Hs Hf Cf. apply RunDomination.run_dp_of_pair; try assumption.
  apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.

(** And no smaller one is: for each eps the deltas that are valid for all functions of sensitivity 1, in any
    dimension above 0, are exactly those from the two hockey sticks of the products upwards. *)
Theorem run_dp_exactly : forall {U : Type} (q sigma : nat -> R) (n : nat) (x : U),
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) ->
  forall (T : nat) (eps : R), exists l1 l2,
    int_space T (hockey eps (pair_with q sigma T) (pair_without sigma T)) l1 /\
    int_space T (hockey eps (pair_without sigma T) (pair_with q sigma T)) l2 /\
    forall delta : R,
    (forall f : nat -> point -> list U -> point, steps_sensitivity_1 (S n) f -> steps_continuous f ->
       is_DP_space (T * S n) (run q sigma (S n) f T) eps delta) <-> (l1 <= delta /\ l2 <= delta).
Proof.
  intros U q sigma n x Hq Hs T eps.
  destruct (RunExact.run_dp_exactly_pair q sigma n x Hq Hs T eps) as [l1 [l2 [I1 [I2 H]]]].
  exists l1, l2. split; [exact I1|]. split; [exact I2|]. intros delta. split.
  - intros K. apply H. intros f Hf Cf. apply (K f Hf). apply RunSchedule.continuous_in_outputs_iff, Cf.
  - intros B f Hf Cf. apply (proj2 (H delta) B f Hf). apply RunSchedule.continuous_in_outputs_iff, Cf.
Qed.
