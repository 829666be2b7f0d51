(** One step of the sampled Gaussian mechanism on top of the steps before it, whose weight is W: its
    density and its Renyi moment stay steady, the moment grows by the factor A at most, the mass not at all.

    The function that the step evaluates is chosen from the earlier outputs.  One coupling of the sampled
    lists serves all of them, since sampling does not look at the outputs. *)

From Coq Require Import Reals Lra Psatz List PeanoNat Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian Pointwise AB AGeqB ShiftMonotone SampledMechanism
  QuasiConvexity SpaceIntegral SpaceBranch SpaceReduction Divergence MainTheorem SpaceRDP MechanismDensity.
From SGM Require Import SteadyIntegral Conversion RunLayout.
Open Scope R_scope.

(** * Sums of Gaussian steps *)

Section OneStep.
Context {U : Type}.
Variables (q sigma : R) (d k : nat).
Variable f : point -> list U -> point.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Cf : forall T i, continuous_on_space (fun h => f h T i).
Variable W : point -> R.
Hypothesis GW : steady k W.
Hypothesis LW : looks_below k W.

Lemma steady_sum_step {I : Type} (K : R) (L : list I) (w : I -> R) (kappa : I -> point -> R) (c : I -> point -> point) :
  (forall i, In i L -> 0 <= w i) ->
  (forall i, In i L -> continuous_on_space (kappa i) /\ forall h, 0 <= kappa i h <= K) ->
  (forall i j, continuous_on_space (fun h => c i h j)) ->
  steady (d + k) (fun v => W v * sum_over L (fun i => w i *
    (kappa i (before k v) * normal_space sigma d (c i (before k v)) (block k v)))).
Proof.
  intros Hw Hk Hc. induction L as [|i L IH].
  - apply (steady_ext (d + k) (fun _ => 0)); [|apply steady_zero]. intros v. unfold sum_over. simpl. ring.
  - destruct (Hk i (or_introl eq_refl)) as [Ck Bk].
    assert (G1 := steady_gaussian_step sigma K k W (kappa i) (c i) Hs GW LW Ck Bk (Hc i) d).
    assert (G2 := IH (fun j Hj => Hw j (or_intror Hj)) (fun j Hj => Hk j (or_intror Hj))).
    assert (G := steady_plus _ _ _ (steady_scal _ _ (w i) (Hw i (or_introl eq_refl)) G1) G2).
    apply (steady_ext (d + k) _ _) with (2 := G). intros v. unfold sum_over. simpl. ring.
Qed.

(** The density of the step. *)
Let M (S : list U) (v : point) : R := sampled_gaussian_space q sigma d (f (before k v)) S (block k v).

Lemma step_pos (S : list U) (v : point) : 0 < M S v.
Proof. apply (space_mechanism_density q sigma Hq Hs d (f (before k v)) S). Qed.

Lemma step_continuous (S : list U) : continuous_on_space (M S).
Proof.
  unfold M, sampled_gaussian_space, mechanism, sum_over. induction (sublists S) as [|T L IH]; [intros v; apply continuous_const|].
  intros v. simpl. apply (continuous_plus (V := R_NormedModule)); [|apply IH].
  apply (continuous_scal_r (V := R_NormedModule) (keep_probability q S T)).
  exact (normal_step_continuous sigma k d (fun h => f h T) (Cf T) v).
Qed.

Lemma step_steady (S : list U) : steady (d + k) (fun v => W v * M S v).
Proof.
  assert (G := steady_sum_step 1 (sublists S) (keep_probability q S) (fun _ _ => 1) (fun T h => f h T)
    (fun T _ => keep_probability_nonneg q S T Hq)
    (fun T _ => conj (fun v => continuous_const _ v) (fun h => conj Rle_0_1 (Rle_refl 1))) Cf).
  apply (steady_ext (d + k) _ _) with (2 := G). intros v. unfold M, sampled_gaussian_space, mechanism.
  f_equal. apply sum_over_ext. intros T _. ring.
Qed.

(** * The moment of one step lies below a sum of Gaussian steps *)

Definition tilt (b : R) (m m' : point) : point := fun i => m i + b * (m' i - m i).

Lemma sum_to_scal (n : nat) (a : R) (g : nat -> R) : sum_to n (fun i => a * g i) = a * sum_to n g.
Proof. induction n as [|n IH]; cbn [sum_to]; [ring|]. rewrite IH. ring. Qed.

Lemma branch_below (b : R) (m m' y : point) : convex_exponent b ->
  normal_space sigma d m y * Rpower (form_mix q sigma (distance_sq d m m')
     (sum_to d (fun i => (m' i - m i) * (y i - m i)))) b
  <= (1 - q) * normal_space sigma d m y
     + q * (exp ((b ^ 2 - b) * distance_sq d m m' / (2 * sigma ^ 2)) * normal_space sigma d (tilt b m m') y).
Proof.
  intros Hb. set (N := distance_sq d m m'). set (w := sum_to d (fun i => (m' i - m i) * (y i - m i))).
  assert (P := normal_space_pos sigma d m y Hs).
  rewrite form_mix_is_mix_ratio.
  assert (C := mix_ratio_convex q sigma Hq b (w + (1 - N) / 2) Hb).
  rewrite (likelihood_ratio sigma d m (tilt b m m') Hs y).
  replace (sum_to d (fun i => (tilt b m m' i - m i) * (y i - m i))) with (b * w).
  2:{ unfold w. rewrite <- sum_to_scal. apply sum_to_ext. intros i _. unfold tilt. ring. }
  replace (distance_sq d m (tilt b m m')) with (b ^ 2 * N).
  2:{ unfold N, distance_sq. rewrite <- sum_to_scal. apply sum_to_ext. intros i _. unfold tilt. ring. }
  rewrite <- (Rmult_assoc (exp _) (exp _)), <- exp_plus.
  replace ((b ^ 2 - b) * N / (2 * sigma ^ 2) + (2 * (b * w) - b ^ 2 * N) / (2 * sigma ^ 2))
    with (b * ((2 * (w + (1 - N) / 2) - 1) / (2 * sigma ^ 2))) by (field; lra).
  replace (Rpower (ratio sigma (w + (1 - N) / 2)) b) with (exp (b * ((2 * (w + (1 - N) / 2) - 1) / (2 * sigma ^ 2)))) in C
    by (unfold Rpower, ratio; rewrite ln_exp; reflexivity).
  set (E := exp (b * ((2 * (w + (1 - N) / 2) - 1) / (2 * sigma ^ 2)))) in *.
  apply Rmult_le_compat_l with (r := normal_space sigma d m y) in C; [|lra].
  apply Rle_trans with (1 := C). right. ring.
Qed.

Hypothesis Hf : forall h, sensitivity_1_space d (f h).

Lemma distance_continuous (T T' : list U) : continuous_on_space (fun h => distance_sq d (f h T) (f h T')).
Proof.
  unfold distance_sq. clear Hf. induction d as [|n IH]; cbn [sum_to]; [intros v; apply continuous_const|].
  intros v. apply (continuous_plus (V := R_NormedModule)); [apply IH|].
  apply (continuous_comp (fun h : point_space => f h T' n - f h T n) (fun z => z ^ 2)).
  - apply (continuous_minus (V := R_NormedModule)); [apply (Cf T' n)|apply (Cf T n)].
  - apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. trivial.
Qed.

Lemma square_minus_nonneg (b : R) : convex_exponent b -> 0 <= b ^ 2 - b.
Proof. intros [H|H]; nra. Qed.

Lemma tilt_weight_steady (b : R) (T T' : list U) : convex_exponent b -> adjacent T T' ->
  continuous_on_space (fun h => exp ((b ^ 2 - b) * distance_sq d (f h T) (f h T') / (2 * sigma ^ 2))) /\
  forall h, 0 <= exp ((b ^ 2 - b) * distance_sq d (f h T) (f h T') / (2 * sigma ^ 2))
            <= exp ((b ^ 2 - b) / (2 * sigma ^ 2)).
Proof.
  intros Hb HT. split.
  - intros v. apply (continuous_comp (fun h : point_space => distance_sq d (f h T) (f h T'))
      (fun N => exp ((b ^ 2 - b) * N / (2 * sigma ^ 2)))).
    + apply distance_continuous.
    + apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. trivial.
  - intros h. split; [left; apply exp_pos|]. apply exp_le. unfold Rdiv. apply Rmult_le_compat_r.
    + left. apply Rinv_0_lt_compat. nra.
    + assert (D := Hf h T T' HT). assert (B := square_minus_nonneg b Hb). nra.
Qed.

Lemma tilt_continuous (b : R) (T T' : list U) (j : nat) :
  continuous_on_space (fun h => tilt b (f h T) (f h T') j).
Proof.
  intros v. unfold tilt. apply (continuous_plus (V := R_NormedModule)); [apply (Cf T j)|].
  apply (continuous_scal_r (V := R_NormedModule) b).
  apply (continuous_minus (V := R_NormedModule)); [apply (Cf T' j)|apply (Cf T j)].
Qed.

(** One list of branches serves all earlier outputs: the coupling is of the sampled lists. *)
Lemma step_coupling (S S' : list U) : adjacent S S' -> exists L : list (branch (list U)),
  (forall b, In b L -> 0 <= weight b /\ adjacent (centre b) (centre_x b)) /\ sum_over L weight = 1 /\
  (forall v, M S v = sum_over L (fun b => weight b * normal_space sigma d (f (before k v) (centre b)) (block k v))) /\
  (forall v, M S' v = sum_over L (fun b => weight b *
     ((1 - q) * normal_space sigma d (f (before k v) (centre b)) (block k v)
      + q * normal_space sigma d (f (before k v) (centre_x b)) (block k v)))).
Proof.
  intros [S1 [S2 [x [E E']]]]. subst S S'.
  destruct (coupling (fun (T : list U) (v : point) => normal_space sigma d (f (before k v) T) (block k v)) q Hq adjacent
    x S1 S2 (fun T => T)) as [L [HL [HW [E0 E1]]]].
  { intros T1 T2. exists T1, T2, x. split; reflexivity. }
  exists L. split; [exact HL|]. split; [exact HW|]. split; [exact E0|exact E1].
Qed.

Definition envelope (b : R) (L : list (branch (list U))) (v : point) : R :=
  sum_over L (fun br => (1 - q) * weight br * (1 * normal_space sigma d (f (before k v) (centre br)) (block k v)))
  + sum_over L (fun br => q * weight br *
      (exp ((b ^ 2 - b) * distance_sq d (f (before k v) (centre br)) (f (before k v) (centre_x br)) / (2 * sigma ^ 2))
       * normal_space sigma d (tilt b (f (before k v) (centre br)) (f (before k v) (centre_x br))) (block k v))).

Lemma envelope_steady (b : R) (L : list (branch (list U))) : convex_exponent b ->
  (forall br, In br L -> 0 <= weight br /\ adjacent (centre br) (centre_x br)) ->
  steady (d + k) (fun v => W v * envelope b L v).
Proof.
  intros Hb HL. assert (Q1 : 0 <= 1 - q) by lra.
  assert (G1 := steady_sum_step 1 L (fun br => (1 - q) * weight br) (fun _ _ => 1) (fun br h => f h (centre br))
    (fun br Hbr => Rmult_le_pos _ _ Q1 (proj1 (HL br Hbr)))
    (fun _ _ => conj (fun v => continuous_const _ v) (fun h => conj Rle_0_1 (Rle_refl 1)))
    (fun br => Cf (centre br))).
  assert (G2 := steady_sum_step (exp ((b ^ 2 - b) / (2 * sigma ^ 2))) L (fun br => q * weight br)
    (fun br h => exp ((b ^ 2 - b) * distance_sq d (f h (centre br)) (f h (centre_x br)) / (2 * sigma ^ 2)))
    (fun br h => tilt b (f h (centre br)) (f h (centre_x br)))
    (fun br Hbr => Rmult_le_pos _ _ (proj1 Hq) (proj1 (HL br Hbr)))
    (fun br Hbr => tilt_weight_steady b _ _ Hb (proj2 (HL br Hbr)))
    (fun br j => tilt_continuous b (centre br) (centre_x br) j)).
  apply (steady_ext (d + k) _ _) with (2 := steady_plus _ _ _ G1 G2). intros v. unfold envelope. ring.
Qed.

Lemma sum_below_envelope (b : R) (L : list (branch (list U))) (v : point) (F : branch (list U) -> R) :
  convex_exponent b -> (forall br, In br L -> 0 <= weight br) ->
  (forall br, F br = normal_space sigma d (f (before k v) (centre br)) (block k v)
     * Rpower (form_mix q sigma (distance_sq d (f (before k v) (centre br)) (f (before k v) (centre_x br)))
         (sum_to d (fun i => (f (before k v) (centre_x br) i - f (before k v) (centre br) i)
                             * (block k v i - f (before k v) (centre br) i)))) b) ->
  sum_over L (fun br => weight br * F br) <= envelope b L v.
Proof.
  intros Hb HL HF. unfold envelope. rewrite <- sum_over_plus. apply sum_over_le. intros br Hbr. rewrite HF.
  assert (K := branch_below b (f (before k v) (centre br)) (f (before k v) (centre_x br)) (block k v) Hb).
  apply Rmult_le_compat_l with (r := weight br) in K; [|apply HL, Hbr]. apply Rle_trans with (1 := K). right. ring.
Qed.

(** The moment of a step, in either order, lies below an envelope. *)
Lemma step_moment_below (alpha : R) (S S' : list U) : 1 <= alpha -> adjacent S S' \/ adjacent S' S ->
  exists b L, convex_exponent b /\ (forall br, In br L -> 0 <= weight br /\ adjacent (centre br) (centre_x br)) /\
    forall v, space_moment alpha (M S) (M S') v <= envelope b L v.
Proof.
  intros Ha [HS|HS].
  - destruct (step_coupling S S' HS) as [L [HL [HW [E0 E1]]]]. exists (1 - alpha), L.
    assert (Hb : convex_exponent (1 - alpha)) by (left; lra). split; [exact Hb|]. split; [exact HL|]. intros v.
    assert (P0 := step_pos S v). assert (P1 := step_pos S' v). unfold space_moment. rewrite E0 in *. rewrite E1 in *.
    assert (J := joint_convexity L weight _ _ (fun br Hbr => proj1 (HL br Hbr))
      (fun br => normal_space_pos sigma d (f (before k v) (centre br)) (block k v) Hs)
      (fun br => mixed_space_pos q sigma d (f (before k v) (centre br)) (f (before k v) (centre_x br)) Hq Hs (block k v))
      alpha (or_intror Ha) P0 P1).
    apply Rle_trans with (1 := J).
    apply (sum_below_envelope (1 - alpha) L v); [exact Hb|intros br Hbr; apply (HL br Hbr)|].
    intros br. apply backward_as_power; assumption.
  - destruct (step_coupling S' S HS) as [L [HL [HW [E0 E1]]]]. exists alpha, L.
    assert (Hb : convex_exponent alpha) by (right; exact Ha). split; [exact Hb|]. split; [exact HL|]. intros v.
    assert (P0 := step_pos S' v). assert (P1 := step_pos S v). unfold space_moment. rewrite E0 in *. rewrite E1 in *.
    assert (J := joint_convexity L weight _ _ (fun br Hbr => proj1 (HL br Hbr))
      (fun br => mixed_space_pos q sigma d (f (before k v) (centre br)) (f (before k v) (centre_x br)) Hq Hs (block k v))
      (fun br => normal_space_pos sigma d (f (before k v) (centre br)) (block k v) Hs)
      alpha (or_intror Ha) P1 P0).
    apply Rle_trans with (1 := J).
    apply (sum_below_envelope alpha L v); [exact Hb|intros br Hbr; apply (HL br Hbr)|].
    intros br. apply forward_as_power. exact Hs.
Qed.

Lemma step_moment_continuous (alpha : R) (S S' : list U) : continuous_on_space (space_moment alpha (M S) (M S')).
Proof.
  intros v. assert (p := step_pos S v). assert (r := step_pos S' v). unfold space_moment.
  apply (continuous_mult (M S' : point_space -> R) (fun x : point_space => Rpower (M S x / M S' x) alpha));
    [apply step_continuous|].
  apply (continuous_comp (fun x : point_space => M S x / M S' x) (fun z => Rpower z alpha)).
  - apply (continuous_mult (M S : point_space -> R) (fun x : point_space => / M S' x)); [apply step_continuous|].
    apply (continuous_comp (M S' : point_space -> R) Rinv); [apply step_continuous|].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
  - apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive.
    apply Rdiv_lt_0_compat; assumption.
Qed.

Theorem step_moment_steady (alpha : R) (S S' : list U) : 1 <= alpha -> adjacent S S' \/ adjacent S' S ->
  steady (d + k) (fun v => W v * space_moment alpha (M S) (M S') v).
Proof.
  intros Ha HS. destruct (step_moment_below alpha S S' Ha HS) as [b [L [Hb [HL B]]]].
  apply (steady_below (d + k) _ _ (envelope_steady b L Hb HL)).
  - apply mult_continuous; [exact (steady_continuous k W GW)|apply step_moment_continuous].
  - intros v. assert (W0 := steady_nonneg k W GW v). split.
    + apply Rmult_le_pos; [exact W0|]. left. apply Rmult_lt_0_compat; [apply step_pos|apply Rpower_pos].
    + apply Rmult_le_compat_l; [exact W0|apply B].
Qed.

(** The moment of one more step is at most A times the one before. *)
Theorem step_moment_bound (alpha l l' : R) (S S' : list U) : 1 <= alpha -> adjacent S S' \/ adjacent S' S ->
  int_space k W l -> int_space (d + k) (fun v => W v * space_moment alpha (M S) (M S') v) l' ->
  l' <= A q sigma alpha * l.
Proof.
  intros Ha HS Il Il'. destruct (int_space_split k d _ l' Il') as [G [IG HG]].
  refine (int_space_le k G (fun v => A q sigma alpha * W v) l' _ _ IG (int_space_scal k W _ l Il)).
  intros v.
  assert (X : exists a, int_space d (space_moment alpha (sampled_gaussian_space q sigma d (f (before k v)) S)
                (sampled_gaussian_space q sigma d (f (before k v)) S')) a /\ a <= A q sigma alpha).
  { destruct HS as [HS|HS];
      destruct (space_reduction_moments q sigma alpha d Hq Hs Ha (f (before k v)) _ _ (Hf (before k v)) HS)
        as [[l1 [I1 B1]] [l2 [I2 B2]]].
    - exists l2. split; [exact I2|]. assert (O := A_ge_B q sigma alpha Hq Hs Ha). lra.
    - exists l1. split; [exact I1|apply B1]. }
  destruct X as [a [Ia Ba]].
  assert (E : G v = W v * a).
  { apply (int_space_unique d _ _ _ (HG v)).
    apply (int_space_ext d _ _ _) with (2 := int_space_scal d _ (W v) _ Ia). intros y. unfold space_moment, M.
    rewrite (looks_below_splice k W v y LW), before_splice, block_splice. reflexivity. }
  rewrite E, Rmult_comm. apply Rmult_le_compat_r; [exact (steady_nonneg k W GW v)|exact Ba].
Qed.

Theorem step_mass (l l' : R) (S : list U) : int_space k W l -> int_space (d + k) (fun v => W v * M S v) l' -> l' = l.
Proof.
  intros Il Il'. destruct (int_space_split k d _ l' Il') as [G [IG HG]].
  apply (int_space_unique k G l' l IG).
  apply (int_space_ext k W); [|exact Il]. intros v. symmetry.
  apply (int_space_unique d _ _ _ (HG v)).
  assert (I := int_space_scal d _ (W v) _ (proj2 (space_mechanism_density q sigma Hq Hs d (f (before k v)) S))).
  rewrite Rmult_1_r in I. apply (int_space_ext d _ _ _) with (2 := I). intros y. unfold M.
  rewrite (looks_below_splice k W v y LW), before_splice, block_splice. reflexivity.
Qed.

Lemma step_looks_below (S : list U) : looks_below (d + k) (M S).
Proof.
  intros v w H. unfold M.
  rewrite (before_agree k v w) by (intros i Hi; apply H; lia).
  unfold sampled_gaussian_space, mechanism. apply sum_over_ext. intros T _. f_equal. unfold normal_space.
  apply prod_to_ext. intros i Hi. unfold block. rewrite (H (k + i)%nat) by lia. reflexivity.
Qed.
End OneStep.
