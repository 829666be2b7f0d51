(** The domination of runs is attained: the function that only tells whether some record was sampled has exactly
    the hockey sticks of the product of the pairs, in every dimension.  So the epsilons that are valid for all
    functions of sensitivity 1 are exactly those of the product. *)

From Coq Require Import Reals Lra Psatz List PeanoNat Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB ShiftMonotone SampledMechanism
  SpaceIntegral SpaceBranch SpaceReduction SpaceRDP MechanismDensity.
From SGM Require Import SteadyIntegral Conversion RunLayout RunStep RunComposition ScoredEvent StepDomination RunDomination.
Open Scope R_scope.

Section Exact.
Context {U : Type}.
Variables (q sigma : nat -> R) (n : nat) (x : U).
Hypothesis Hq : forall t, 0 <= q t <= 1.
Hypothesis Hs : forall t, 0 < sigma t.
Let f (t : nat) (h : point) : list U -> point := sampled_any_space.
Let Run := run q sigma (S n) f.

Lemma run_test_exact (K : R) (T : nat) : forall phi, convex_test K phi ->
  int_space (T * S n) (fun v => Run T nil v * phi (Run T (x :: nil) v / Run T nil v)) (advances q sigma T phi 1).
Proof.
  induction T as [|t IH]; intros phi H; [unfold Run; simpl; replace (1 / 1) with 1 by field; ring|].
  change (S t * S n)%nat with (S n + t * S n)%nat. cbn [advances].
  assert (H' := advance_test (q t) (sigma t) (Hq t) (Hs t) K phi H).
  refine (int_space_join (t * S n) (S n) _
    (fun v => Run t nil v * advance (q t) (sigma t) phi (Run t (x :: nil) v / Run t nil v)) _ _ _ (IH _ H')).
  - intros v w E. unfold Run.
    rewrite (run_looks_below q sigma (S n) f (S t) nil v w E), (run_looks_below q sigma (S n) f (S t) (x :: nil) v w E).
    reflexivity.
  - intros v. assert (p := run_pos q sigma (S n) f Hq Hs t nil v). assert (p' := run_pos q sigma (S n) f Hq Hs t (x :: nil) v).
    set (y := Run t (x :: nil) v / Run t nil v). assert (Hy : 0 < y) by (apply Rdiv_lt_0_compat; assumption).
    assert (I := int_space_scal (S n) _ (Run t nil v) _ (first_coordinate_integral (sigma t) _ _ n (Hs t)
      (pair_integral (q t) (sigma t) (Hq t) (Hs t) K phi y H Hy))).
    apply (int_space_ext (S n) _ _ _) with (2 := I). intros z. unfold Run. cbn [run].
    rewrite before_splice, block_splice.
    rewrite (looks_below_splice (t * S n) _ v z (run_looks_below q sigma (S n) f t nil)).
    rewrite (looks_below_splice (t * S n) _ v z (run_looks_below q sigma (S n) f t (x :: nil))).
    unfold f. destruct (sampled_any_space_outputs (q t) (sigma t) n x z) as [E0 E1]. rewrite E0, E1.
    set (rest := prod_to n (fun i => mu0 (sigma t) (z (S i)))).
    assert (r0 : 0 < rest) by (apply prod_to_pos; intros i; apply mu0_pos, Hs).
    assert (m0 := mu0_pos (sigma t) (z 0%nat) (Hs t)). rewrite (mu_eq_mix_ratio (q t) (sigma t) (Hs t)).
    fold f. fold Run. replace (Run t (x :: nil) v * (mix_ratio (q t) (sigma t) (z 0%nat) * mu0 (sigma t) (z 0%nat) * rest)
       / (Run t nil v * (mu0 (sigma t) (z 0%nat) * rest))) with (y * mix_ratio (q t) (sigma t) (z 0%nat)); [ring|].
    unfold y. field. unfold Run. repeat split; lra.
Qed.

(** Which epsilons are valid for all functions: exactly those of the product, in both orders. *)
Theorem run_dp_exactly (T : nat) (eps delta : R) :
  (forall f : nat -> point -> list U -> point, steps_sensitivity_1 (S n) f -> steps_continuous f ->
     is_DP_space (T * S n) (run q sigma (S n) f T) eps delta) <->
  (advances q sigma T (fun y => Rmax 0 (y - exp eps)) 1 <= delta /\
   advances q sigma T (fun y => Rmax 0 (1 - exp eps * y)) 1 <= delta).
Proof.
  split; [|intros [B1 B2] g Hg Cg; exact (dp_of_pair q sigma Hq Hs (S n) g Cg Hg T eps delta B1 B2)].
  intros H. assert (E := exp_pos eps).
  assert (D := H f (constant_steps_sensitivity n) constant_steps_continuous).
  assert (A : adjacent (nil : list U) (x :: nil)) by (exists nil, nil, x; split; reflexivity).
  assert (P := run_pos q sigma (S n) f Hq Hs T nil). split.
  - destruct (D (x :: nil) nil (or_intror A)) as [l [Il Bl]]. apply Rle_trans with (2 := Bl). right.
    apply (int_space_unique (T * S n) _ _ _ (run_test_exact 1 T _ (hockey_test (exp eps)))).
    apply (int_space_ext _ _ _ _) with (2 := Il). intros v. exact (hockey_as_test eps _ _ (P v)).
  - destruct (D nil (x :: nil) (or_introl A)) as [l [Il Bl]]. apply Rle_trans with (2 := Bl). right.
    apply (int_space_unique (T * S n) _ _ _ (run_test_exact (exp eps) T _ (hockey_test_back (exp eps) ltac:(lra)))).
    apply (int_space_ext _ _ _ _) with (2 := Il). intros v. exact (hockey_as_test_back eps _ _ (P v)).
Qed.

Theorem run_dp_exactly_pair (T : nat) (eps : R) : exists l1 l2,
  int_space T (hockey eps (pair_with q sigma T) (pair_without sigma T)) l1 /\
  int_space T (hockey eps (pair_without sigma T) (pair_with q sigma T)) l2 /\
  forall delta, (forall f : nat -> point -> list U -> point, steps_sensitivity_1 (S n) f -> steps_continuous f ->
     is_DP_space (T * S n) (run q sigma (S n) f T) eps delta) <-> (l1 <= delta /\ l2 <= delta).
Proof.
  destruct (pair_hockey q sigma Hq Hs T eps) as [I1 I2].
  exists (advances q sigma T (fun y => Rmax 0 (y - exp eps)) 1), (advances q sigma T (fun y => Rmax 0 (1 - exp eps * y)) 1).
  split; [exact I1|]. split; [exact I2|]. intros delta. apply run_dp_exactly.
Qed.
End Exact.
