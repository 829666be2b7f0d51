(** T adaptive steps are dominated by the T-fold product of the pair: what holds of one step for every convex
    function holds of the run.  The last step is integrated first; it turns phi into another function of the
    class, [advance phi], and so on down to the first step.  The product of the pairs does the same, exactly. *)

From Coq Require Import Reals Lra Psatz List PeanoNat Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB ShiftMonotone SampledMechanism
  SpaceIntegral SpaceBranch SpaceReduction MechanismDensity.
From SGM Require Import SteadyIntegral Conversion RunLayout RunStep RunComposition StepDomination.
Open Scope R_scope.

(** The last step first. *)
Fixpoint advances (q sigma : nat -> R) (T : nat) (phi : R -> R) : R -> R :=
  match T with O => phi | S t => advances q sigma t (advance (q t) (sigma t) phi) end.

(** The pair of T independent outputs, one coordinate each: with the record and without. *)
Definition pair_with (q sigma : nat -> R) (T : nat) (v : point) : R := prod_to T (fun t => mu (q t) (sigma t) (v t)).
Definition pair_without (sigma : nat -> R) (T : nat) (v : point) : R := prod_to T (fun t => mu0 (sigma t) (v t)).

Section Steps.
Variables q sigma : nat -> R.
Hypothesis Hq : forall t, 0 <= q t <= 1.
Hypothesis Hs : forall t, 0 < sigma t.

Lemma advances_test (K : R) (T : nat) : forall phi, convex_test K phi -> convex_test K (advances q sigma T phi).
Proof.
  induction T as [|t IH]; intros phi H; [exact H|]. cbn [advances]. apply IH.
  exact (advance_test (q t) (sigma t) (Hq t) (Hs t) K phi H).
Qed.

(** * The product of the pairs *)

Definition ratios (T : nat) (v : point) : R := prod_to T (fun t => mix_ratio (q t) (sigma t) (v t)).

Lemma ratios_pos (T : nat) (v : point) : 0 < ratios T v.
Proof. apply prod_to_pos. intros t. apply mix_ratio_pos, Hq. Qed.

Lemma pair_without_pos (T : nat) (v : point) : 0 < pair_without sigma T v.
Proof. apply prod_to_pos. intros t. apply mu0_pos, Hs. Qed.

Lemma pair_as_ratios (T : nat) (v : point) : pair_with q sigma T v = ratios T v * pair_without sigma T v.
Proof.
  unfold pair_with, ratios, pair_without. induction T as [|t IH]; cbn [prod_to]; [ring|].
  rewrite IH, (mu_eq_mix_ratio (q t) (sigma t) (Hs t)). ring.
Qed.

Lemma pair_integral_all (K : R) (T : nat) : forall phi, convex_test K phi ->
  int_space T (fun v => pair_without sigma T v * phi (ratios T v)) (advances q sigma T phi 1).
Proof.
  induction T as [|t IH]; intros phi H; [unfold pair_without, ratios; simpl; ring|].
  exists (fun v => pair_without sigma t v * advance (q t) (sigma t) phi (ratios t v)). split.
  - intros v.
    assert (I := int_line_scal _ (pair_without sigma t v) _
      (pair_integral (q t) (sigma t) (Hq t) (Hs t) K phi (ratios t v) H (ratios_pos t v))).
    apply (int_line_ext _ _ _) with (2 := I). intros z. unfold pair_without, ratios.
    rewrite (prod_to_update t (fun i s => mu0 (sigma i) s)), (prod_to_update t (fun i s => mix_ratio (q i) (sigma i) s)). ring.
  - apply IH. exact (advance_test (q t) (sigma t) (Hq t) (Hs t) K phi H).
Qed.

(** * The run *)

Context {U : Type}.
Variables (d : nat) (f : nat -> point -> list U -> point).
Hypothesis Cf : steps_continuous f.
Hypothesis Hf : steps_sensitivity_1 d f.
Let Run := run q sigma d f.

Lemma run_test_steady (K : R) (phi : R -> R) (T : nat) (S S' : list U) : convex_test K phi ->
  steady (T * d) (fun v => Run T S v * phi (Run T S' v / Run T S v)).
Proof.
  intros H. assert (K0 := test_constant_nonneg K phi H). assert (N1 := proj1 H 1 Rlt_0_1).
  assert (G := proj1 (run_density q sigma d f Hq Hs Cf T S)). assert (G' := proj1 (run_density q sigma d f Hq Hs Cf T S')).
  assert (P := run_pos q sigma d f Hq Hs T S). assert (P' := run_pos q sigma d f Hq Hs T S').
  assert (E := steady_plus _ _ _ (steady_scal _ _ (phi 1 + K) ltac:(lra) G) (steady_scal _ _ K K0 G')).
  apply (steady_below _ _ _ E).
  - exact (test_on_space_continuous K phi H _ _ (steady_continuous _ _ G') (steady_continuous _ _ G) P' P).
  - intros v. unfold Run. assert (p := P v). assert (p' := P' v).
    assert (B := test_linear K phi _ H (Rdiv_lt_0_compat _ _ p' p)).
    split; [apply Rmult_le_pos; lra|].
    apply Rle_trans with (run q sigma d f T S v * (phi 1 + K * (1 + run q sigma d f T S' v / run q sigma d f T S v))).
    + apply Rmult_le_compat_l; lra.
    + right. field. lra.
Qed.

(** Adaptive composition: every convex test of the run is at most that of the product of the pairs. *)
Theorem run_dominated_tests (K : R) (T : nat) (S S' : list U) : adjacent S S' -> forall phi, convex_test K phi ->
  exists l, int_space (T * d) (fun v => Run T S v * phi (Run T S' v / Run T S v)) l /\ l <= advances q sigma T phi 1.
Proof.
  intros HS. induction T as [|t IH]; intros phi H.
  - exists (phi 1). split; [unfold Run; simpl; replace (1 / 1) with 1 by field; ring|apply Rle_refl].
  - destruct (steady_integral _ _ (run_test_steady K phi (Datatypes.S t) S S' H)) as [l Il].
    exists l. split; [exact Il|].
    assert (H' := advance_test (q t) (sigma t) (Hq t) (Hs t) K phi H).
    destruct (IH _ H') as [l' [Il' Bl']]. apply Rle_trans with (2 := Bl').
    destruct (int_space_split (t * d) d _ l Il) as [G [IG HG]].
    refine (int_space_le (t * d) G _ l l' _ IG Il'). intros v.
    assert (p := run_pos q sigma d f Hq Hs t S v). assert (p' := run_pos q sigma d f Hq Hs t S' v).
    set (y := Run t S' v / Run t S v). assert (Hy : 0 < y) by (apply Rdiv_lt_0_compat; assumption).
    destruct (step_dominated (q t) (sigma t) (Hq t) (Hs t) (K * y) (fun z => phi (y * z)) (test_scaled K y phi Hy H)
      d (f t (before (t * d) v)) S S' (Hf t _) HS) as [a [Ia Ba]].
    assert (E : G v = Run t S v * a).
    { apply (int_space_unique d _ _ _ (HG v)).
      apply (int_space_ext d _ _ _) with (2 := int_space_scal d _ (Run t S v) _ Ia). intros z. unfold Run. cbn [run].
      rewrite before_splice, block_splice.
      rewrite (looks_below_splice (t * d) _ v z (run_looks_below q sigma d f t S)).
      rewrite (looks_below_splice (t * d) _ v z (run_looks_below q sigma d f t S')).
      assert (m := proj1 (space_mechanism_density (q t) (sigma t) (Hq t) (Hs t) d (f t (before (t * d) v)) S) z).
      rewrite Rmult_assoc. do 3 f_equal. unfold y, Run. field. split; lra. }
    rewrite E. apply Rmult_le_compat_l; [left; exact p|].
    apply Rle_trans with (1 := Ba). right. unfold advance. f_equal. apply FunctionalExtensionality.functional_extensionality.
    intros z. rewrite Rmult_1_l. reflexivity.
Qed.

(** * Hockey sticks *)

Lemma hockey_as_test (eps P Q : R) : 0 < Q -> Rmax 0 (P - exp eps * Q) = Q * Rmax 0 (P / Q - exp eps).
Proof.
  intros H. rewrite <- RmaxRmult by lra. rewrite Rmult_0_r. f_equal. field. lra.
Qed.

Lemma hockey_as_test_back (eps P Q : R) : 0 < Q -> Rmax 0 (Q - exp eps * P) = Q * Rmax 0 (1 - exp eps * (P / Q)).
Proof.
  intros H. rewrite <- RmaxRmult by lra. rewrite Rmult_0_r. f_equal. field. lra.
Qed.

Theorem pair_hockey (T : nat) (eps : R) :
  int_space T (hockey eps (pair_with q sigma T) (pair_without sigma T)) (advances q sigma T (fun y => Rmax 0 (y - exp eps)) 1) /\
  int_space T (hockey eps (pair_without sigma T) (pair_with q sigma T)) (advances q sigma T (fun y => Rmax 0 (1 - exp eps * y)) 1).
Proof.
  assert (E := exp_pos eps). split.
  - apply (int_space_ext T _ _ _) with (2 := pair_integral_all 1 T _ (hockey_test (exp eps))). intros v.
    assert (p := pair_without_pos T v). unfold hockey. rewrite pair_as_ratios, (hockey_as_test eps _ _ p).
    do 3 f_equal. field. lra.
  - apply (int_space_ext T _ _ _) with (2 := pair_integral_all (exp eps) T _ (hockey_test_back (exp eps) ltac:(lra))). intros v.
    assert (p := pair_without_pos T v). unfold hockey. rewrite pair_as_ratios, (hockey_as_test_back eps _ _ p).
    do 4 f_equal. field. lra.
Qed.

(** The run is dominated by the product of the pairs, at every threshold and in both orders. *)
Theorem run_dominated (T : nat) (eps : R) (S S' : list U) : adjacent S S' ->
  (exists l l', int_space (T * d) (hockey eps (Run T S') (Run T S)) l /\
     int_space T (hockey eps (pair_with q sigma T) (pair_without sigma T)) l' /\ l <= l') /\
  (exists l l', int_space (T * d) (hockey eps (Run T S) (Run T S')) l /\
     int_space T (hockey eps (pair_without sigma T) (pair_with q sigma T)) l' /\ l <= l').
Proof.
  intros HS. assert (E := exp_pos eps). assert (P := run_pos q sigma d f Hq Hs T S).
  destruct (pair_hockey T eps) as [I1 I2]. split.
  - destruct (run_dominated_tests 1 T S S' HS _ (hockey_test (exp eps))) as [l [Il Bl]].
    exists l, (advances q sigma T (fun y => Rmax 0 (y - exp eps)) 1). split; [|split; [exact I1|exact Bl]].
    apply (int_space_ext _ _ _ _) with (2 := Il). intros v. symmetry. apply hockey_as_test, P.
  - destruct (run_dominated_tests (exp eps) T S S' HS _ (hockey_test_back (exp eps) ltac:(lra))) as [l [Il Bl]].
    exists l, (advances q sigma T (fun y => Rmax 0 (1 - exp eps * y)) 1). split; [|split; [exact I2|exact Bl]].
    apply (int_space_ext _ _ _ _) with (2 := Il). intros v. symmetry. apply hockey_as_test_back, P.
Qed.

(** So the run is (eps, delta)-DP if the two hockey sticks of the product are at most delta. *)
Theorem dp_of_pair (T : nat) (eps delta : R) :
  advances q sigma T (fun y => Rmax 0 (y - exp eps)) 1 <= delta ->
  advances q sigma T (fun y => Rmax 0 (1 - exp eps * y)) 1 <= delta ->
  is_DP_space (T * d) (Run T) eps delta.
Proof.
  intros B1 B2 S S' [HS|HS]; destruct (run_dominated T eps _ _ HS) as [[l [l' [I [I' B]]]] [k [k' [J [J' C]]]]];
    destruct (pair_hockey T eps) as [X1 X2].
  - exists k. split; [exact J|]. rewrite (int_space_unique _ _ _ _ J' X2) in C. lra.
  - exists l. split; [exact I|]. rewrite (int_space_unique _ _ _ _ I' X1) in B. lra.
Qed.
End Steps.

(** * As stated *)

Theorem step_dominated_pair {U : Type} (q sigma K : R) (phi : R -> R) : 0 <= q <= 1 -> 0 < sigma -> convex_test K phi ->
  forall (d : nat) (f : list U -> point) (S S' : list U), sensitivity_1_space d f -> adjacent S S' ->
  exists l l', int_space d (fun x => sampled_gaussian_space q sigma d f S x
      * phi (sampled_gaussian_space q sigma d f S' x / sampled_gaussian_space q sigma d f S x)) l /\
    int_line (fun z => mu0 sigma z * phi (mu q sigma z / mu0 sigma z)) l' /\ l <= l'.
Proof.
  intros Hq Hs H d f S S' Hf HS. destruct (step_dominated q sigma Hq Hs K phi H d f S S' Hf HS) as [l [I B]].
  exists l, (advance q sigma phi 1). split; [exact I|]. split; [|exact B].
  apply (int_line_ext _ _ _) with (2 := pair_integral q sigma Hq Hs K phi 1 H Rlt_0_1). intros z.
  rewrite (mu_over_mu0 q sigma Hs), Rmult_1_l. reflexivity.
Qed.

Theorem run_dp_of_pair {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point) :
  (forall t, 0 <= q t <= 1) -> (forall t, 0 < sigma t) -> steps_continuous f -> steps_sensitivity_1 d f ->
  forall (T : nat) (eps delta l1 l2 : R),
  int_space T (hockey eps (pair_with q sigma T) (pair_without sigma T)) l1 -> l1 <= delta ->
  int_space T (hockey eps (pair_without sigma T) (pair_with q sigma T)) l2 -> l2 <= delta ->
  is_DP_space (T * d) (run q sigma d f T) eps delta.
Proof.
  intros Hq Hs Cf Hf T eps delta l1 l2 I1 B1 I2 B2. destruct (pair_hockey q sigma Hq Hs T eps) as [X1 X2].
  rewrite (int_space_unique _ _ _ _ I1 X1) in B1. rewrite (int_space_unique _ _ _ _ I2 X2) in B2.
  exact (dp_of_pair q sigma Hq Hs d f Cf Hf T eps delta B1 B2).
Qed.
