(** T steps of the sampled Gaussian mechanism, each function chosen from the earlier outputs: the
    joint density has mass 1, its Renyi moments are at most the products of the one-dimensional ones,
    and the whole run is (eps, delta)-DP. *)

From Coq Require Import Reals Lra Psatz List PeanoNat Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian Pointwise AB AGeqB ShiftMonotone SampledMechanism
  QuasiConvexity SpaceIntegral SpaceBranch SpaceReduction Divergence MainTheorem SpaceRDP MechanismDensity.
From SGM Require Import SteadyIntegral Conversion RunLayout RunStep.
Open Scope R_scope.

(** * Definitions *)

(** The joint output density of T steps on the data set S.  Step t uses rate q t, noise sigma t and the
    function f t h, where h are the outputs of the steps before it (later coordinates are 0). *)
Fixpoint run {U : Type} (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point)
  (T : nat) (S : list U) (v : point) : R :=
  match T with
  | O => 1
  | Datatypes.S t => run q sigma d f t S v
      * sampled_gaussian_space (q t) (sigma t) d (f t (before (t * d) v)) S (block (t * d) v)
  end.

(** Every choice has sensitivity 1; it depends continuously on what was put out before. *)
Definition steps_sensitivity_1 {U : Type} (d : nat) (f : nat -> point -> list U -> point) : Prop :=
  forall t h, sensitivity_1_space d (f t h).
Definition steps_continuous {U : Type} (f : nat -> point -> list U -> point) : Prop :=
  forall t T i, continuous_on_space (fun h => f t h T i).

(** * All steps *)

Section Run.
Context {U : Type}.
Variables (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point).
Hypothesis Hq : forall t, 0 <= q t <= 1.
Hypothesis Hs : forall t, 0 < sigma t.
Hypothesis Cf : steps_continuous f.

Lemma run_pos (T : nat) (S : list U) (v : point) : 0 < run q sigma d f T S v.
Proof.
  induction T as [|t IH]; simpl; [lra|]. apply Rmult_lt_0_compat; [exact IH|].
  exact (step_pos (q t) (sigma t) d (t * d) (f t) (Hq t) (Hs t) S v).
Qed.

Lemma looks_below_mult (k n : nat) (F G : point -> R) : (k <= n)%nat -> looks_below k F -> looks_below n G ->
  looks_below n (fun v => F v * G v).
Proof. intros H HF HG v w E. rewrite (HF v w), (HG v w); [reflexivity|exact E|]. intros i Hi. apply E. lia. Qed.

Lemma run_looks_below (T : nat) (S : list U) : looks_below (T * d) (run q sigma d f T S).
Proof.
  induction T as [|t IH]; [intros v w _; reflexivity|].
  apply (looks_below_mult (t * d) (d + t * d) _ _ ltac:(lia) IH).
  exact (step_looks_below (q t) (sigma t) d (t * d) (f t) S).
Qed.

(** The joint output is a probability density. *)
Theorem run_density (T : nat) (S : list U) :
  steady (T * d) (run q sigma d f T S) /\ int_space (T * d) (run q sigma d f T S) 1.
Proof.
  induction T as [|t [G I]].
  - split; [|reflexivity]. split; [intros v; apply continuous_const|]. split; [intros v; simpl; lra|trivial].
  - assert (G' := step_steady (q t) (sigma t) d (t * d) (f t) (Hq t) (Hs t) (Cf t) _ G (run_looks_below t S) S).
    split; [exact G'|]. destruct (steady_integral _ _ G') as [l Il].
    rewrite (step_mass (q t) (sigma t) d (t * d) (f t) (Hq t) (Hs t) _ (run_looks_below t S) 1 l S I Il) in Il.
    exact Il.
Qed.

Theorem run_hockey_exists (T : nat) (eps : R) (S S' : list U) :
  exists l, int_space (T * d) (hockey eps (run q sigma d f T S) (run q sigma d f T S')) l.
Proof.
  apply hockey_exists; [apply (run_density T S)| |apply run_pos].
  exact (steady_continuous _ _ (proj1 (run_density T S'))).
Qed.

Hypothesis Hf : steps_sensitivity_1 d f.
Variable alpha : R.
Hypothesis Ha : 1 <= alpha.

Lemma moment_of_product (P Q P' Q' : point -> R) (v : point) :
  0 < P v -> 0 < Q v -> 0 < P' v -> 0 < Q' v ->
  space_moment alpha (fun v => P v * P' v) (fun v => Q v * Q' v) v
  = space_moment alpha P Q v * space_moment alpha P' Q' v.
Proof.
  intros p r p' r'. unfold space_moment.
  replace (P v * P' v / (Q v * Q' v)) with (P v / Q v * (P' v / Q' v)) by (field; lra).
  rewrite <- Rpower_mult_distr by (apply Rdiv_lt_0_compat; assumption). ring.
Qed.

(** Adaptive composition: the moments multiply. *)
Theorem run_moment (T : nat) (S S' : list U) : adjacent S S' \/ adjacent S' S ->
  let m := space_moment alpha (run q sigma d f T S) (run q sigma d f T S') in
  steady (T * d) m /\ exists l, int_space (T * d) m l /\ l <= prod_to T (fun t => A (q t) (sigma t) alpha).
Proof.
  intros HS. induction T as [|t [G [l [Il Bl]]]]; intros m.
  - assert (E : forall v, m v = 1).
    { intros v. unfold m, space_moment. simpl. replace (1 / 1) with 1 by field. rewrite Rpower_base_1. ring. }
    split.
    + apply (steady_ext 0 (fun _ => 1)); [intros v; symmetry; apply E|].
      split; [intros v; apply continuous_const|]. split; [intros v; lra|trivial].
    + exists 1. split; [apply E|simpl; lra].
  - set (W := space_moment alpha (run q sigma d f t S) (run q sigma d f t S')) in *.
    assert (LW : looks_below (t * d) W).
    { intros v w E. unfold W, space_moment. rewrite (run_looks_below t S v w E), (run_looks_below t S' v w E). reflexivity. }
    assert (E : forall v, W v * space_moment alpha
        (fun v => sampled_gaussian_space (q t) (sigma t) d (f t (before (t * d) v)) S (block (t * d) v))
        (fun v => sampled_gaussian_space (q t) (sigma t) d (f t (before (t * d) v)) S' (block (t * d) v)) v = m v).
    { intros v. symmetry. apply moment_of_product; try apply run_pos;
        apply (step_pos (q t) (sigma t) d (t * d) (f t) (Hq t) (Hs t)). }
    assert (G' := step_moment_steady (q t) (sigma t) d (t * d) (f t) (Hq t) (Hs t) (Cf t) W G LW (Hf t) alpha S S' Ha HS).
    destruct (steady_integral _ _ G') as [l' Il'].
    assert (B := step_moment_bound (q t) (sigma t) d (t * d) (f t) (Hq t) (Hs t) W G LW (Hf t) alpha l l' S S' Ha HS Il Il').
    split; [exact (steady_ext _ _ _ E G')|]. exists l'. split; [exact (int_space_ext _ _ _ _ E Il')|].
    cbn [prod_to]. apply Rle_trans with (1 := B). rewrite Rmult_comm. apply Rmult_le_compat_r; [|exact Bl].
    assert (X := space_reduction_moments (q t) (sigma t) alpha d (Hq t) (Hs t) Ha (f t (fun _ => 0)) S S' (Hf t _)).
    assert (Y := space_reduction_moments (q t) (sigma t) alpha d (Hq t) (Hs t) Ha (f t (fun _ => 0)) S' S (Hf t _)).
    destruct HS as [HS|HS]; [destruct (X HS) as [[l1 [_ B1]] _]|destruct (Y HS) as [[l1 [_ B1]] _]]; lra.
Qed.
End Run.

(** * Renyi and (eps, delta)-differential privacy of the run *)

Section Privacy.
Context {U : Type}.
Variables (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point) (alpha : R).
Hypothesis Hq : forall t, 0 <= q t <= 1.
Hypothesis Hs : forall t, 0 < sigma t.
Hypothesis Cf : steps_continuous f.
Hypothesis Hf : steps_sensitivity_1 d f.
Hypothesis Ha : 1 < alpha.

Definition total_renyi (T : nat) : R := sum_to T (fun t => renyi alpha (mu (q t) (sigma t)) (mu0 (sigma t))).

Lemma A_as_exp (t : nat) :
  A (q t) (sigma t) alpha = exp ((alpha - 1) * renyi alpha (mu (q t) (sigma t)) (mu0 (sigma t))).
Proof.
  rewrite renyi_mu_mu0. assert (P : 1 <= A (q t) (sigma t) alpha).
  { assert (X := B_ge_1 (q t) (sigma t) alpha (Hq t) (Hs t) ltac:(lra)).
    assert (Y := A_ge_B (q t) (sigma t) alpha (Hq t) (Hs t) ltac:(lra)). lra. }
  replace ((alpha - 1) * (ln (A (q t) (sigma t) alpha) / (alpha - 1))) with (ln (A (q t) (sigma t) alpha)) by (field; lra).
  rewrite exp_ln by lra. reflexivity.
Qed.

Lemma prod_A (T : nat) : prod_to T (fun t => A (q t) (sigma t) alpha) = exp ((alpha - 1) * total_renyi T).
Proof.
  unfold total_renyi. induction T as [|t IH]; cbn [prod_to sum_to]; [rewrite Rmult_0_r, exp_0; reflexivity|].
  rewrite IH, A_as_exp, <- exp_plus. f_equal. ring.
Qed.

(** Adaptive composition of RDP. *)
Theorem run_rdp (T : nat) : is_RDP_space (T * d) (run q sigma d f T) alpha (total_renyi T).
Proof.
  intros S S' HS.
  destruct (run_moment q sigma d f Hq Hs Cf Hf alpha ltac:(lra) T S S' HS) as [_ [l [Il Bl]]].
  exists l. split; [exact Il|]. rewrite prod_A in Bl.
  assert (D : forall S, space_density (T * d) (run q sigma d f T S)).
  { intros S0. destruct (run_density q sigma d f Hq Hs Cf T S0) as [G I].
    split; [exact (steady_continuous _ _ G)|]. split; [exact (run_pos q sigma d f Hq Hs T S0)|exact I]. }
  assert (L1 := space_moment_ge_1 (T * d) alpha _ _ l ltac:(lra) (D S) (D S') Il).
  apply Rmult_le_reg_l with (alpha - 1); [lra|].
  replace ((alpha - 1) * (ln l / (alpha - 1))) with (ln l) by (field; lra).
  rewrite <- (ln_exp ((alpha - 1) * total_renyi T)). apply ln_le; lra.
Qed.

Lemma moment_at_most (T : nat) (S S' : list U) : adjacent S S' \/ adjacent S' S ->
  exists m, int_space (T * d) (space_moment alpha (run q sigma d f T S) (run q sigma d f T S')) m /\
    m <= exp ((alpha - 1) * total_renyi T).
Proof.
  intros HS. destruct (run_moment q sigma d f Hq Hs Cf Hf alpha ltac:(lra) T S S' HS) as [_ [l [Il Bl]]].
  exists l. split; [exact Il|]. rewrite <- prod_A. exact Bl.
Qed.

Let is_steady (T : nat) (S : list U) : steady (T * d) (run q sigma d f T S) :=
  proj1 (run_density q sigma d f Hq Hs Cf T S).
Let is_positive (T : nat) (S : list U) (v : point) : 0 < run q sigma d f T S v := run_pos q sigma d f Hq Hs T S v.

(** (eps, delta)-DP of the run: the sharp conversion, the same solved for eps, and Mironov's. *)
Theorem run_dp (T : nat) (eps delta : R) :
  conversion_constant alpha * exp ((alpha - 1) * (total_renyi T - eps)) <= delta ->
  is_DP_space (T * d) (run q sigma d f T) eps delta.
Proof. exact (dp_of_rdp _ _ alpha _ Ha (is_steady T) (is_positive T) (moment_at_most T) eps delta). Qed.

Theorem run_dp_sharp (T : nat) (delta : R) : 0 < delta -> is_DP_space (T * d) (run q sigma d f T)
  (total_renyi T + ln (1 - 1 / alpha) - (ln delta + ln alpha) / (alpha - 1)) delta.
Proof. exact (dp_of_rdp_cks _ _ alpha _ Ha (is_steady T) (is_positive T) (moment_at_most T) delta). Qed.

Theorem run_dp_mironov (T : nat) (delta : R) : 0 < delta -> is_DP_space (T * d) (run q sigma d f T)
  (total_renyi T + ln (1 / delta) / (alpha - 1)) delta.
Proof. exact (dp_of_rdp_mironov _ _ alpha _ Ha (is_steady T) (is_positive T) (moment_at_most T) delta). Qed.
End Privacy.
