(** Histories that are not (eps, delta)-DP: scores of phases are added up like scores of steps.  Then the event
    that some output lies above the threshold of its phase. *)
From Coq Require Import Reals Lra Lia ZArith List FunctionalExtensionality.
From SGM Require Import Statements StatementsRun.
From SGM Require AB Gaussian SpaceRDP RunSchedule ScoredEvent ScoreCells ThresholdEvent.
From SGMV Require Import Arithmetic RunCertificate.
Open Scope R_scope.

Lemma steps_nonneg (l : list (Z * R * R)) : proper l -> (0 <= steps_of l)%Z.
Proof.
  induction l as [|[[N q] s] l IH]; intros H; cbn [steps_of]; [lia|]. destruct H as [A [_ [_ H]]].
  apply Z.leb_le in A. specialize (IH H). lia.
Qed.

(** One score of all outputs of a history has the law C with the record, and C' without it. *)
Definition history_scored (l : list (Z * R * R)) (n : nat) (C C' : ScoredEvent.law) : Prop :=
  ScoredEvent.pair_scored (fun t => noise_at l (Z.of_nat t)) n
    (fun t => AB.mu (rate_at l (Z.of_nat t)) (noise_at l (Z.of_nat t))) (fun t => Gaussian.mu0 (noise_at l (Z.of_nat t)))
    (Z.to_nat (steps_of l)) C C'.

(** The same of steps that are all alike. *)
Definition phase_scored (T : nat) (q sigma : R) (n : nat) (C C' : ScoredEvent.law) : Prop :=
  ScoredEvent.pair_scored (fun _ => sigma) n (fun _ => AB.mu q sigma) (fun _ => Gaussian.mu0 sigma) T C C'.

Lemma outputs_ext (sigma sigma' : nat -> R) (n : nat) (p p' : nat -> R -> R) (T : nat) :
  (forall t, (t < T)%nat -> sigma t = sigma' t /\ p t = p' t) ->
  ScoredEvent.outputs sigma n p T = ScoredEvent.outputs sigma' n p' T.
Proof.
  intros E. apply functional_extensionality. intros v. induction T as [|t IH]; [reflexivity|].
  cbn [ScoredEvent.outputs]. rewrite IH by (intros s Hs; apply E; lia).
  destruct (E t ltac:(lia)) as [-> ->]. reflexivity.
Qed.

Lemma history_none (n : nat) : history_scored nil n (fun h => h 0%Z) (fun h => h 0%Z).
Proof. apply ScoredEvent.pair_none. Qed.

Lemma history_cons (N : Z) (q sigma : R) (l : list (Z * R * R)) (n : nat) (C C' D D' : ScoredEvent.law) :
  (0 <= N)%Z -> (0 <= steps_of l)%Z -> phase_scored (Z.to_nat N) q sigma n C C' -> history_scored l n D D' ->
  history_scored ((N, q, sigma) :: l) n
    (fun h => C (fun a => D (fun b => h (a + b)%Z))) (fun h => C' (fun a => D' (fun b => h (a + b)%Z))).
Proof.
  intros HN Hl [s [H H']] K. unfold history_scored. cbn [steps_of]. rewrite Z2Nat.inj_add by assumption.
  assert (now : forall t, (t < Z.to_nat N)%nat ->
    rate_at ((N, q, sigma) :: l) (Z.of_nat t) = q /\ noise_at ((N, q, sigma) :: l) (Z.of_nat t) = sigma).
  { intros t Ht. cbn [rate_at noise_at]. destruct (Z.ltb_spec (Z.of_nat t) N) as [_|X]; [split; reflexivity|lia]. }
  assert (later : forall t, rate_at ((N, q, sigma) :: l) (Z.of_nat (Z.to_nat N + t)) = rate_at l (Z.of_nat t) /\
    noise_at ((N, q, sigma) :: l) (Z.of_nat (Z.to_nat N + t)) = noise_at l (Z.of_nat t)).
  { intros t. cbn [rate_at noise_at]. destruct (Z.ltb_spec (Z.of_nat (Z.to_nat N + t)) N) as [X|_]; [lia|].
    replace (Z.of_nat (Z.to_nat N + t) - N)%Z with (Z.of_nat t) by lia. split; reflexivity. }
  apply ScoredEvent.pair_join.
  - exists s. split.
    + rewrite (outputs_ext _ (fun _ => sigma) n _ (fun _ => AB.mu q sigma)); [exact H|].
      intros t Ht. destruct (now t Ht) as [-> ->]. split; reflexivity.
    + rewrite (outputs_ext _ (fun _ => sigma) n _ (fun _ => Gaussian.mu0 sigma)); [exact H'|].
      intros t Ht. destruct (now t Ht) as [_ ->]. split; reflexivity.
  - unfold history_scored in K.
    replace (fun t => noise_at ((N, q, sigma) :: l) (Z.of_nat (Z.to_nat N + t))) with (fun t => noise_at l (Z.of_nat t))
      by (apply functional_extensionality; intros t; symmetry; apply later).
    replace (fun t => AB.mu (rate_at ((N, q, sigma) :: l) (Z.of_nat (Z.to_nat N + t)))
                        (noise_at ((N, q, sigma) :: l) (Z.of_nat (Z.to_nat N + t))))
      with (fun t => AB.mu (rate_at l (Z.of_nat t)) (noise_at l (Z.of_nat t)))
      by (apply functional_extensionality; intros t; destruct (later t) as [-> ->]; reflexivity).
    replace (fun t => Gaussian.mu0 (noise_at ((N, q, sigma) :: l) (Z.of_nat (Z.to_nat N + t))))
      with (fun t => Gaussian.mu0 (noise_at l (Z.of_nat t)))
      by (apply functional_extensionality; intros t; destruct (later t) as [_ ->]; reflexivity).
    exact K.
Qed.

(** If a function of the score tells the data sets apart by more than eps and delta allow, then there are functions
    of sensitivity 1 that break (eps, delta)-DP. *)
Theorem history_not_dp (l : list (Z * R * R)) (U : Type) (u : U) (n : nat) (C C' : ScoredEvent.law) (eps delta : R) (g : Z -> R) :
  history_scored l n C C' -> (forall s, 0 <= g s <= 1) -> exp eps * C' g + delta < C g ->
  exists f : nat -> point -> list U -> point, steps_sensitivity_1 (S n) f /\ steps_continuous f /\
    ~ is_DP_tests (Z.to_nat (steps_of l) * S n) (run_phases l (S n) f) eps delta.
Proof.
  intros H Hg K. exists (fun _ _ => SpaceRDP.sampled_any_space).
  split; [exact (ScoredEvent.constant_steps_sensitivity n)|].
  split; [apply RunSchedule.continuous_in_outputs_iff, ScoredEvent.constant_steps_continuous|].
  exact (ScoredEvent.run_not_dp (fun t => rate_at l (Z.of_nat t)) (fun t => noise_at l (Z.of_nat t)) n _ u C C' eps delta g H Hg K).
Qed.

(** * Thresholds *)

(** A lower bound of the probability that one output is above a with the record, from the tail between a - 1 and b, and
    an upper bound without it: Mills' ratio. *)
Definition above_with (q sigma a b : R) : R :=
  q * (((sigma * sigma) / (a - 1) - (sigma * sigma * (sigma * sigma)) / ((a - 1) * (a - 1) * (a - 1)))
         * (exp (0 - (a - 1) * (a - 1) / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI)))
       - ((sigma * sigma) / b - (sigma * sigma * (sigma * sigma)) / (b * b * b))
         * (exp (0 - b * b / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI)))).
Definition above_without (sigma a : R) : R :=
  sigma * sigma / a * (exp (0 - a * a / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI))).

(** Sums over all steps; each phase comes with its a and b. *)
Fixpoint total_with (l : list (Z * R * R)) (c : list (R * R)) : R :=
  match l, c with (N, q, sigma) :: l', (a, b) :: c' => IZR N * above_with q sigma a b + total_with l' c' | _, _ => 0 end.
Fixpoint total_without (l : list (Z * R * R)) (c : list (R * R)) : R :=
  match l, c with (N, _, sigma) :: l', (a, _) :: c' => IZR N * above_without sigma a + total_without l' c' | _, _ => 0 end.
Fixpoint thresholds_fit (l : list (Z * R * R)) (c : list (R * R)) : Prop :=
  match l, c with
  | nil, nil => True
  | (N, q, sigma) :: l', (a, b) :: c' => 1 < a /\ a < b /\ 0 <= above_with q sigma a b /\ thresholds_fit l' c'
  | _, _ => False
  end.

Lemma above_with_mills (q sigma a b : R) :
  above_with q sigma a b = q * (ThresholdEvent.mills_low sigma (a - 1) - ThresholdEvent.mills_low sigma b).
Proof.
  assert (N : forall z, ThresholdEvent.mills_low sigma z
    = ((sigma * sigma) / z - (sigma * sigma * (sigma * sigma)) / (z * z * z))
      * (exp (0 - z * z / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI)))).
  { intros z. unfold ThresholdEvent.mills_low, Gaussian.mu0. simpl pow. rewrite !Rmult_1_r.
    replace (- (z * z) / (2 * (sigma * sigma))) with (0 - z * z / (2 * (sigma * sigma))) by (unfold Rdiv; ring).
    rewrite !Rmult_assoc. reflexivity. }
  unfold above_with. rewrite !N. reflexivity.
Qed.

Lemma above_without_mills (sigma a : R) : above_without sigma a = sigma ^ 2 / a * Gaussian.mu0 sigma a.
Proof.
  unfold above_without, Gaussian.mu0. replace (sigma ^ 2) with (sigma * sigma) by ring.
  replace (- a ^ 2 / (2 * (sigma * sigma))) with (0 - a * a / (2 * (sigma * sigma))) by (unfold Rdiv; ring). reflexivity.
Qed.

(** What a law of non-negative scores makes of functions that are 1 from 1 on, if the score is 0 with probability w. *)
Definition none_with (w : R) (C : ScoredEvent.law) : Prop :=
  forall g : Z -> R, (forall s, (1 <= s)%Z -> g s = 1) -> C g = 1 - w * (1 - g 0%Z).

Lemma none_join (w w' : R) (C D : ScoredEvent.law) : none_with w C -> none_with w' D ->
  none_with (w * w') (fun h => C (fun a => D (fun b => h (a + b)%Z))).
Proof.
  intros HC HD g Hg.
  assert (E : forall a, (0 <= a)%Z -> D (fun b => g (a + b)%Z) = 1 - w' * (1 - g a)).
  { intros a Ha. rewrite HD; [rewrite Z.add_0_r; reflexivity|]. intros s Hs. apply Hg. lia. }
  rewrite HC; [rewrite E by lia; ring|]. intros s Hs. rewrite E by lia. rewrite (Hg s Hs). ring.
Qed.

(** The probability w that no output is above, bounded by the sum x of the single ones, from both sides. *)
Lemma product_lower (w w' x x' : R) : 0 <= w <= 1 -> 0 <= w' <= 1 -> 1 - x <= w -> 1 - x' <= w' -> 1 - (x + x') <= w * w'.
Proof. intros. nra. Qed.

Lemma product_upper (w w' x x' : R) : 0 <= w -> 0 <= w' -> 0 <= x -> 0 <= x' ->
  w * (1 + x) <= 1 -> w' * (1 + x') <= 1 -> w * w' * (1 + (x + x')) <= 1.
Proof.
  intros Hw Hw' Hx Hx' H H'.
  assert (P : (w * (1 + x)) * (w' * (1 + x')) <= 1 * 1) by (apply Rmult_le_compat; try assumption; apply Rmult_le_pos; lra).
  assert (Q : 0 <= w * w' * (x * x')) by (repeat apply Rmult_le_pos; assumption).
  replace (w * w' * (1 + (x + x'))) with ((w * (1 + x)) * (w' * (1 + x')) - w * w' * (x * x')) by ring. lra.
Qed.

Lemma power_below (t u : R) (T : nat) : 0 <= t -> t <= u <= 1 -> (1 - u) ^ T * (1 + INR T * t) <= 1.
Proof.
  intros Ht Hu. assert (N := pos_INR T).
  assert (L := ThresholdEvent.trials_lower u T ltac:(lra)).
  assert (X : 0 <= INR T * u) by (apply Rmult_le_pos; lra). assert (Y : INR T * t <= INR T * u) by (apply Rmult_le_compat_l; lra).
  assert (W : 0 <= (1 - u) ^ T) by (apply pow_le; lra).
  assert (Z : (1 - u) ^ T * (1 + INR T * u) <= 1).
  { apply Rmult_le_compat_r with (r := 1 + INR T * u) in L; [|lra].
    replace (INR T * u / (1 + INR T * u) * (1 + INR T * u)) with (INR T * u) in L by (field; lra). lra. }
  apply Rle_trans with (2 := Z). apply Rmult_le_compat_l; lra.
Qed.

Lemma power_between (u : R) (T : nat) : 0 <= u <= 1 -> 0 <= (1 - u) ^ T <= 1.
Proof.
  intros Hu. split; [apply pow_le; lra|]. apply Rle_trans with (1 ^ T); [apply pow_incr; lra|rewrite pow1; lra].
Qed.

Lemma thresholds_scored (n : nat) (l : list (Z * R * R)) : proper l -> forall c, thresholds_fit l c ->
  exists C C' w w', history_scored l n C C' /\ none_with w C /\ none_with w' C' /\
    0 <= w /\ 0 <= w' <= 1 /\ 0 <= total_with l c /\ w * (1 + total_with l c) <= 1 /\ 1 - total_without l c <= w'.
Proof.
  induction l as [|[[N q] sigma] l IH]; intros Hl [|[a b] c] Hc; try contradiction.
  - exists (fun h => h 0%Z), (fun h => h 0%Z), 1, 1. split; [apply history_none|]. cbn [total_with total_without].
    split; [intros g _; ring|]. split; [intros g _; ring|]. repeat split; lra.
  - destruct Hl as [HN [Hq [Hs Hl]]]. apply Z.leb_le in HN. destruct Hc as [Ha [Hb [Ht Hc]]].
    destruct (IH Hl c Hc) as [D [D' [v [v' [K [V [V' [v0 [v1 [x0 [xv yv]]]]]]]]]]].
    set (T := Z.to_nat N). set (t := above_with q sigma a b) in *.
    destruct (ScoreCells.step_scored sigma Hs q a 0%Z nil 1%Z Hq Logic.I) as [HP HQ].
    assert (J := ThresholdEvent.pair_repeated sigma n _ _ _ _
      (ScoredEvent.pair_one (fun _ => sigma) n (fun _ => AB.mu q sigma) (fun _ => Gaussian.mu0 sigma) _ _ _ Hs HP HQ) T).
    unfold ScoreCells.all_cells in J. cbn [ScoreCells.cells_above] in J.
    set (P := ScoreCells.mix_tail sigma q a) in J. set (Q := ScoreCells.gauss_tail sigma a) in J.
    assert (P01 : 0 <= P <= 1) by exact (ScoreCells.mix_tail_bounds sigma Hs q a Hq).
    assert (Q01 : 0 <= Q <= 1) by exact (ScoreCells.gauss_tail_bounds sigma Hs a).
    assert (E : INR T = IZR N) by (unfold T; rewrite INR_IZR_INZ, Z2Nat.id by exact HN; reflexivity).
    assert (TQ : Q <= above_without sigma a)
      by (rewrite above_without_mills; exact (ThresholdEvent.mills_upper sigma Hs a _ ltac:(lra) (ScoreCells.gauss_tail_is sigma Hs a))).
    assert (TP : t <= P).
    { unfold t. rewrite above_with_mills.
      assert (X := ThresholdEvent.mills_lower sigma Hs (a - 1) b _ ltac:(lra) ltac:(lra) (ScoreCells.gauss_tail_is sigma Hs (a - 1))).
      apply Rmult_le_compat_l with (r := q) in X; [|lra].
      assert (Y : 0 <= (1 - q) * Q) by (apply Rmult_le_pos; lra).
      unfold P, ScoreCells.mix_tail. fold Q. lra. }
    assert (N0 := pos_INR T).
    assert (W := power_between P T P01). assert (W' := power_between Q T Q01).
    eexists _, _, ((1 - P) ^ T * v), ((1 - Q) ^ T * v').
    split; [exact (history_cons N q sigma l n _ _ _ _ HN (steps_nonneg l Hl) J K)|].
    split; [apply none_join; [intros g Hg; exact (ThresholdEvent.trials P T g Hg)|exact V]|].
    split; [apply none_join; [intros g Hg; exact (ThresholdEvent.trials Q T g Hg)|exact V']|].
    cbn [total_with total_without]. fold t. rewrite <- E.
    assert (x1 : 0 <= INR T * t) by (apply Rmult_le_pos; assumption).
    split; [apply Rmult_le_pos; lra|].
    split; [split; [apply Rmult_le_pos; lra|apply Rle_trans with (1 * 1); [apply Rmult_le_compat|]; lra]|].
    split; [lra|].
    split; [apply product_upper; try lra; apply power_below; lra|].
    apply product_lower; try lra.
    assert (X := ThresholdEvent.trials_upper Q T Q01).
    assert (Y : INR T * Q <= INR T * above_without sigma a) by (apply Rmult_le_compat_l; assumption). lra.
Qed.

Theorem not_dp_by_thresholds (l : list (Z * R * R)) (c : list (R * R)) (eps delta : R) : proper l -> thresholds_fit l c ->
  exp eps * total_without l c + delta < total_with l c / (1 + total_with l c) ->
  forall (U : Type) (u : U) (n : nat), exists f : nat -> point -> list U -> point,
    steps_sensitivity_1 (S n) f /\ steps_continuous f /\
    ~ is_DP_tests (Z.to_nat (steps_of l) * S n) (run_phases l (S n) f) eps delta.
Proof.
  intros Hl Hc H U u n.
  destruct (thresholds_scored n l Hl c Hc) as [C [C' [w [w' [K [V [V' [w0 [w1 [x0 [xw yw]]]]]]]]]]].
  apply (history_not_dp l U u n C C' eps delta ThresholdEvent.reached K).
  { intros s. unfold ThresholdEvent.reached. destruct (Z.leb 1 s); lra. }
  assert (one : forall s, (1 <= s)%Z -> ThresholdEvent.reached s = 1).
  { intros s Hs. unfold ThresholdEvent.reached. destruct (Z.leb_spec 1 s); [reflexivity|lia]. }
  rewrite (V _ one), (V' _ one). replace (ThresholdEvent.reached 0%Z) with 0 by reflexivity.
  set (x := total_with l c) in *. assert (E := exp_pos eps).
  assert (A : exp eps * (1 - w' * (1 - 0)) <= exp eps * total_without l c) by (apply Rmult_le_compat_l; lra).
  assert (B : x / (1 + x) <= 1 - w).
  { apply Rmult_le_reg_r with (1 + x); [lra|]. replace (x / (1 + x) * (1 + x)) with x by (field; lra). lra. }
  lra.
Qed.
