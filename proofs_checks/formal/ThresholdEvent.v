(** Not (eps, delta)-DP by the simplest event: some output lies above a threshold.  Its probability over T
    steps is 1 - (1 - t)^T, where t is a Gaussian tail, bounded on both sides after Mills. *)

From Coq Require Import Reals Lra Psatz List ZArith PeanoNat Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian AB SampledMechanism SpaceIntegral SpaceReduction
  SpaceRDP Conversion RunComposition ScoredEvent ScoreCells.
Open Scope R_scope.

(** * Tails *)

Lemma int_right_le_of_windows (f : R -> R) (a l M : R) : int_right f a l ->
  (forall b y, a < b -> is_RInt f a b y -> y <= M) -> l <= M.
Proof.
  intros H B. apply Rnot_lt_le. intros Hl.
  destruct (proj1 (int_right_epsilon f a l) H (l - M) ltac:(lra)) as [N K].
  assert (N1 := Rmax_l N a). assert (N2 := Rmax_r N a).
  destruct (K (Rmax N a + 1) ltac:(lra)) as [y [Hy1 Hy2]].
  assert (Y := B (Rmax N a + 1) y ltac:(lra) Hy1). apply Rabs_def2 in Hy2. lra.
Qed.

Section Mills.
Variable sigma : R.
Hypothesis Hs : 0 < sigma.

Lemma mu0_derive (z : R) : is_derive (mu0 sigma) z (- z / sigma ^ 2 * mu0 sigma z).
Proof.
  assert (N : 0 < sqrt (2 * PI)) by (apply sqrt_lt_R0; assert (P := PI_RGT_0); lra).
  unfold mu0. auto_derive; [trivial|].
  replace (- (z * (z * 1)) * / (2 * (sigma * (sigma * 1)))) with (- z ^ 2 / (2 * sigma ^ 2)) by (field; lra).
  set (E := exp (- z ^ 2 / (2 * sigma ^ 2))). set (w := sqrt (2 * PI)) in *. change (R_AbsRing : Type) with R in z. field. split; lra.
Qed.

Lemma mills_upper (a l : R) : 0 < a -> int_right (mu0 sigma) a l -> l <= sigma ^ 2 / a * mu0 sigma a.
Proof.
  intros Ha H. apply (int_right_le_of_windows _ _ _ _ H). intros b y Hb Hy.
  assert (I : is_RInt (fun z => z / a * mu0 sigma z) a b
                (minus (- (sigma ^ 2 / a) * mu0 sigma b) (- (sigma ^ 2 / a) * mu0 sigma a))).
  { apply (is_RInt_derive (fun z => - (sigma ^ 2 / a) * mu0 sigma z)).
    - intros z _. replace (z / a * mu0 sigma z) with (- (sigma ^ 2 / a) * (- z / sigma ^ 2 * mu0 sigma z)) by (field; lra).
      apply (is_derive_scal (mu0 sigma) z (- (sigma ^ 2 / a))), mu0_derive.
    - intros z _. apply (continuous_mult (fun z => z / a) (mu0 sigma)); [|apply mu0_continuous].
      apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. trivial. }
  assert (L : y <= minus (- (sigma ^ 2 / a) * mu0 sigma b) (- (sigma ^ 2 / a) * mu0 sigma a)).
  { apply (is_RInt_le (mu0 sigma) (fun z => z / a * mu0 sigma z) a b); [lra|exact Hy|exact I|].
    intros z Hz. assert (P := mu0_pos sigma z Hs). rewrite <- (Rmult_1_l (mu0 sigma z)) at 1.
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_reg_r with a; [exact Ha|].
    replace (z / a * a) with z by (field; lra). lra. }
  unfold minus, plus, opp in L; simpl in L. assert (P := mu0_pos sigma b Hs).
  assert (Q : 0 < sigma ^ 2 / a) by (apply Rdiv_lt_0_compat; [apply pow_lt|]; assumption). nra.
Qed.

Definition mills_low (z : R) : R := (sigma ^ 2 / z - sigma ^ 4 / z ^ 3) * mu0 sigma z.

Lemma mills_lower (a b l : R) : 0 < a -> a < b -> int_right (mu0 sigma) a l -> mills_low a - mills_low b <= l.
Proof.
  intros Ha Hb H.
  assert (Pos : forall z, 0 <= mu0 sigma z) by (intros z; left; apply mu0_pos, Hs).
  assert (W : RInt (mu0 sigma) a b <= l).
  { destruct (int_right_exists (mu0 sigma) (mu0_continuous sigma) Pos b 1 (mu0_normalised sigma Hs)) as [r [Hr _]].
    assert (R0 : 0 <= r).
    { assert (X := int_right_le (fun _ => 0 * mu0 sigma 0) (mu0 sigma) b 0 r).
      apply X; [intros z _; rewrite Rmult_0_l; apply Pos| |exact Hr].
      assert (Y := int_right_scal (mu0 sigma) b 0 r Hr). rewrite Rmult_0_l in Y.
      apply (int_right_ext (fun z => 0 * mu0 sigma z)); [intros z; ring|exact Y]. }
    assert (I : is_RInt (mu0 sigma) a b (RInt (mu0 sigma) a b))
      by (apply (RInt_correct (mu0 sigma)), ex_RInt_everywhere_continuous, mu0_continuous).
    assert (E := int_right_unique (mu0 sigma) a _ _ (right_of_split (mu0 sigma) a b _ _ I Hr) H). lra. }
  apply Rle_trans with (2 := W).
  assert (I : is_RInt (fun z => (1 - 3 * sigma ^ 4 / z ^ 4) * mu0 sigma z) a b (minus (- mills_low b) (- mills_low a))).
  { apply (is_RInt_derive (fun z => - mills_low z)); intros z Hz; rewrite Rmin_left, Rmax_right in Hz by lra.
    - assert (D := mu0_derive z).
      assert (D1 : is_derive (fun z => sigma ^ 2 / z - sigma ^ 4 / z ^ 3) z (- sigma ^ 2 / z ^ 2 + 3 * sigma ^ 4 / z ^ 4)).
      { auto_derive; [repeat split; try lra; apply Rgt_not_eq; repeat apply Rmult_lt_0_compat; lra|]. field. lra. }
      assert (D2 := is_derive_opp _ _ _ (is_derive_mult (fun z => sigma ^ 2 / z - sigma ^ 4 / z ^ 3) (mu0 sigma) z _ _ D1 D Rmult_comm)).
      apply (is_derive_ext (fun z => - ((sigma ^ 2 / z - sigma ^ 4 / z ^ 3) * mu0 sigma z))); [intros u; reflexivity|].
      replace ((1 - 3 * sigma ^ 4 / z ^ 4) * mu0 sigma z) with
        (- ((- sigma ^ 2 / z ^ 2 + 3 * sigma ^ 4 / z ^ 4) * mu0 sigma z
            + (sigma ^ 2 / z - sigma ^ 4 / z ^ 3) * (- z / sigma ^ 2 * mu0 sigma z))) by (field; lra).
      exact D2.
    - apply (continuous_mult (fun z => 1 - 3 * sigma ^ 4 / z ^ 4) (mu0 sigma)); [|apply mu0_continuous].
      apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. apply Rgt_not_eq. repeat apply Rmult_lt_0_compat; lra. }
  assert (L : minus (- mills_low b) (- mills_low a) <= RInt (mu0 sigma) a b).
  { apply (is_RInt_le (fun z => (1 - 3 * sigma ^ 4 / z ^ 4) * mu0 sigma z) (mu0 sigma) a b); [lra|exact I| |].
    - apply (RInt_correct (mu0 sigma)), ex_RInt_everywhere_continuous, mu0_continuous.
    - intros z Hz. assert (P := Pos z). rewrite <- (Rmult_1_l (mu0 sigma z)) at 2.
      apply Rmult_le_compat_r; [exact P|].
      assert (X : 0 <= 3 * sigma ^ 4 / z ^ 4).
      { left. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [lra|apply pow_lt; exact Hs]|apply pow_lt; lra]. }
      lra. }
  unfold minus, plus, opp in L; simpl in L. lra.
Qed.
End Mills.

(** * T trials *)

Definition reached (s : Z) : R := if Z.leb 1 s then 1 else 0.

(** The law of the sum of T scores, each of which has the law C. *)
Fixpoint repeated (T : nat) (C : law) : law :=
  match T with O => fun h => h 0%Z | S t => fun h => repeated t C (fun a => C (fun b => h (a + b)%Z)) end.

Lemma pair_repeated (sigma : R) (n : nat) (p p' : R -> R) (C C' : law) :
  pair_scored (fun _ => sigma) n (fun _ => p) (fun _ => p') 1 C C' -> forall T,
  pair_scored (fun _ => sigma) n (fun _ => p) (fun _ => p') T (repeated T C) (repeated T C').
Proof.
  intros H T. induction T as [|T IH]; [apply pair_none|]. rewrite <- Nat.add_1_r at 1.
  exact (pair_join _ n _ _ T 1 _ _ _ _ IH H).
Qed.

(** Scores 0 and 1, the latter with probability t. *)
Lemma trials (t : R) (T : nat) : forall g : Z -> R, (forall s, (1 <= s)%Z -> g s = 1) ->
  repeated T (law_of ((0%Z, 1 - t) :: (1%Z, t) :: nil)) g = 1 - (1 - t) ^ T * (1 - g 0%Z).
Proof.
  induction T as [|T IH]; intros g Hg; [simpl; ring|]. cbn [repeated]. rewrite IH.
  - unfold law_of, sum_over. simpl map. simpl fold_right. rewrite (Hg 1%Z) by lia. simpl pow. ring.
  - intros s H. unfold law_of, sum_over. simpl map. simpl fold_right.
    rewrite Z.add_0_r, !Hg by lia. ring.
Qed.

Lemma trials_upper (t : R) (T : nat) : 0 <= t <= 1 -> 1 - (1 - t) ^ T <= INR T * t.
Proof.
  intros Ht. induction T as [|T IH]; [simpl; lra|]. rewrite S_INR. simpl pow.
  assert (P : 0 <= (1 - t) ^ T <= 1) by (split; [apply pow_le; lra|apply Rle_trans with (1 ^ T); [apply pow_incr; lra|rewrite pow1; lra]]).
  nra.
Qed.

Lemma trials_lower (t : R) (T : nat) : 0 <= t <= 1 -> INR T * t / (1 + INR T * t) <= 1 - (1 - t) ^ T.
Proof.
  intros Ht. assert (N := pos_INR T). assert (X : 0 <= INR T * t) by (apply Rmult_le_pos; lra).
  assert (K : (1 - t) ^ T * (1 + INR T * t) <= 1).
  { induction T as [|T IH]; [simpl; lra|]. rewrite S_INR in *. simpl pow.
    assert (N' := pos_INR T). assert (Z : 0 <= INR T * t) by (apply Rmult_le_pos; lra).
    specialize (IH N' Z). assert (P : 0 <= (1 - t) ^ T) by (apply pow_le; lra).
    replace ((1 - t) * (1 - t) ^ T * (1 + (INR T + 1) * t))
      with ((1 - t) ^ T * (1 + INR T * t) - (1 - t) ^ T * (INR T * t + t) * t) by ring.
    assert (Q : 0 <= (1 - t) ^ T * (INR T * t + t) * t) by (repeat apply Rmult_le_pos; lra). lra. }
  apply Rmult_le_reg_r with (1 + INR T * t); [lra|].
  replace (INR T * t / (1 + INR T * t) * (1 + INR T * t)) with (INR T * t) by (field; lra). lra.
Qed.

Theorem not_dp_by_threshold (U : Type) (x : U) (n : nat) (q sigma a b eps delta : R) (T : nat) :
  0 <= q <= 1 -> 0 < sigma -> 1 < a -> a < b ->
  (let t := q * (mills_low sigma (a - 1) - mills_low sigma b) in
   0 <= t /\ exp eps * (INR T * (sigma ^ 2 / a * mu0 sigma a)) + delta < INR T * t / (1 + INR T * t)) ->
  exists f : nat -> point -> list U -> point, steps_sensitivity_1 (S n) f /\ steps_continuous f /\
    ~ is_DP_tests (T * S n) (run (fun _ => q) (fun _ => sigma) (S n) f T) eps delta.
Proof.
  intros Hq Hs Ha Hb [t0 H]. set (t := q * (mills_low sigma (a - 1) - mills_low sigma b)) in *.
  exists (fun _ _ => sampled_any_space). split; [apply constant_steps_sensitivity|].
  split; [apply constant_steps_continuous|].
  destruct (step_scored sigma Hs q a 0%Z nil 1%Z Hq Logic.I) as [HP HQ].
  assert (K := pair_repeated sigma n _ _ _ _ (pair_one (fun _ => sigma) n (fun _ => mu q sigma) (fun _ => mu0 sigma) _ _ _ Hs HP HQ) T).
  apply (run_not_dp (fun _ => q) (fun _ => sigma) n T x _ _ eps delta reached K).
  { intros s. unfold reached. destruct (Z.leb 1 s); lra. }
  assert (R1 : forall s, (1 <= s)%Z -> reached s = 1).
  { intros s Hs1. unfold reached. destruct (Z.leb_spec 1 s); [reflexivity|lia]. }
  unfold all_cells. cbn [cells_above]. rewrite !(trials _ T reached R1).
  replace (reached 0%Z) with 0 by reflexivity. rewrite !Rminus_0_r, !Rmult_1_r.
  assert (TQ := mills_upper sigma Hs a _ ltac:(lra) (gauss_tail_is sigma Hs a)).
  assert (TP : t <= mix_tail sigma q a).
  { assert (X := mills_lower sigma Hs (a - 1) b _ ltac:(lra) ltac:(lra) (gauss_tail_is sigma Hs (a - 1))).
    unfold mix_tail, t. assert (Y := gauss_tail_bounds sigma Hs a).
    assert (Y1 : 0 <= (1 - q) * gauss_tail sigma a) by (apply Rmult_le_pos; lra).
    assert (X1 : q * (mills_low sigma (a - 1) - mills_low sigma b) <= q * gauss_tail sigma (a - 1))
      by (apply Rmult_le_compat_l; lra). lra. }
  assert (T01 := mix_tail_bounds sigma Hs q a Hq).
  assert (UQ := trials_upper (gauss_tail sigma a) T (gauss_tail_bounds sigma Hs a)).
  assert (LP := trials_lower (mix_tail sigma q a) T T01).
  assert (N := pos_INR T). assert (E := exp_pos eps).
  assert (B1 : exp eps * (1 - (1 - gauss_tail sigma a) ^ T) <= exp eps * (INR T * (sigma ^ 2 / a * mu0 sigma a))).
  { apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := UQ). apply Rmult_le_compat_l; assumption. }
  assert (B2 : INR T * t / (1 + INR T * t) <= INR T * mix_tail sigma q a / (1 + INR T * mix_tail sigma q a)).
  { set (u := INR T * t). set (w := INR T * mix_tail sigma q a).
    assert (u0 : 0 <= u) by (apply Rmult_le_pos; assumption).
    assert (uw : u <= w) by (apply Rmult_le_compat_l; assumption).
    apply Rmult_le_reg_r with ((1 + u) * (1 + w)); [apply Rmult_lt_0_compat; lra|].
    replace (u / (1 + u) * ((1 + u) * (1 + w))) with (u * (1 + w)) by (field; lra).
    replace (w / (1 + w) * ((1 + u) * (1 + w))) with (w * (1 + u)) by (field; lra). lra. }
  lra.
Qed.
