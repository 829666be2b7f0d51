(** One step of the mechanism is dominated by the pair mu, mu0: for adjacent data sets S, S', every dimension
    and every f of sensitivity 1,
      E_Q phi(P/Q) <= E_mu0 phi(mu/mu0),   Q the output on S, P the output on S',
    for every convex phi >= 0 with a Lipschitz constant.  The hockey sticks in both directions are of this kind:
    max(0, y - c) and max(0, 1 - c y).

    The chain is that of the moments: supporting lines, joint convexity over the sampled lists, the pointwise
    comparison of shifts, rotation. *)

From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian Pointwise AB ShiftMonotone SampledMechanism QuasiConvexity
  ParameterIntegral GaussianRotation SpaceIntegral SpaceBranch SpaceReduction.
Open Scope R_scope.

(** * Convex functions *)

(** On the positive numbers: nonnegative, convex, with Lipschitz constant K. *)
Definition convex_test (K : R) (phi : R -> R) : Prop :=
  (forall y, 0 < y -> 0 <= phi y) /\
  (forall x y, 0 < x -> 0 < y -> phi x <= phi y + K * Rabs (x - y)) /\
  (forall x y t, 0 < x -> 0 < y -> 0 <= t <= 1 -> phi (t * x + (1 - t) * y) <= t * phi x + (1 - t) * phi y).

Lemma test_constant_nonneg (K : R) (phi : R -> R) : convex_test K phi -> 0 <= K.
Proof.
  intros [_ [L _]]. assert (A := L 1 2 ltac:(lra) ltac:(lra)). assert (B := L 2 1 ltac:(lra) ltac:(lra)).
  revert A B. unfold Rabs. repeat destruct Rcase_abs; lra.
Qed.

Lemma test_continuous (K : R) (phi : R -> R) (y : R) : convex_test K phi -> 0 < y -> continuous phi y.
Proof.
  intros H Hy. assert (K0 := test_constant_nonneg K phi H). destruct H as [_ [L _]].
  apply filterlim_locally. intros eps. assert (He := cond_pos eps).
  assert (D : 0 < Rmin y (eps / (K + 1))) by (apply Rmin_pos; [exact Hy|apply Rdiv_lt_0_compat; lra]).
  exists (mkposreal _ D). intros x Hx.
  unfold ball in *; simpl in *; unfold AbsRing_ball, abs, minus, plus, opp in *; simpl in *.
  assert (X1 := Rlt_le_trans _ _ _ Hx (Rmin_l _ _)). assert (X2 := Rlt_le_trans _ _ _ Hx (Rmin_r _ _)).
  assert (P : 0 < x) by (apply Rabs_def2 in X1; lra).
  assert (A := L x y P Hy). assert (B := L y x Hy P). rewrite (Rabs_minus_sym y x) in B.
  assert (N := Rabs_pos (x + - y)). unfold Rminus in A, B.
  assert (E : (K + 1) * (eps / (K + 1)) = eps) by (field; lra).
  assert (M : K * Rabs (x + - y) <= (K + 1) * Rabs (x + - y)) by nra.
  assert (M2 : (K + 1) * Rabs (x + - y) < (K + 1) * (eps / (K + 1))) by (apply Rmult_lt_compat_l; lra).
  apply Rabs_def1; lra.
Qed.

Lemma test_linear (K : R) (phi : R -> R) (y : R) : convex_test K phi -> 0 < y -> 0 <= phi y <= phi 1 + K * (1 + y).
Proof.
  intros H Hy. assert (K0 := test_constant_nonneg K phi H). destruct H as [N [L _]]. split; [apply N, Hy|].
  assert (A := L y 1 Hy Rlt_0_1). assert (B : Rabs (y - 1) <= 1 + y) by (unfold Rabs; destruct Rcase_abs; lra).
  apply Rle_trans with (1 := A). apply Rplus_le_compat_l, Rmult_le_compat_l; assumption.
Qed.

(** Other units. *)
Lemma test_scaled (K a : R) (phi : R -> R) : 0 < a -> convex_test K phi -> convex_test (K * a) (fun y => phi (a * y)).
Proof.
  intros Ha [N [L C]]. split; [|split].
  - intros y Hy. apply N, Rmult_lt_0_compat; assumption.
  - intros x y Hx Hy. assert (A := L (a * x) (a * y) ltac:(nra) ltac:(nra)).
    replace (a * x - a * y) with (a * (x - y)) in A by ring. rewrite Rabs_mult, (Rabs_pos_eq a) in A by lra. lra.
  - intros x y t Hx Hy Ht. replace (a * (t * x + (1 - t) * y)) with (t * (a * x) + (1 - t) * (a * y)) by ring.
    apply C; [nra|nra|exact Ht].
Qed.

(** Supporting lines, with slopes that do not fall: the suprema of the slopes of chords from the left. *)
Lemma test_chords (K : R) (phi : R -> R) (x y z : R) : convex_test K phi -> 0 < x -> x < y -> y < z ->
  (phi y - phi x) / (y - x) <= (phi z - phi y) / (z - y).
Proof.
  intros [_ [_ C]] Hx Hxy Hyz. set (t := (z - y) / (z - x)).
  assert (T : 0 <= t <= 1).
  { unfold t. split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with (z - x); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (A := C x z t Hx ltac:(lra) T).
  replace (t * x + (1 - t) * z) with y in A by (unfold t; field; lra).
  assert (E : (z - x) * (t * phi x + (1 - t) * phi z) = (z - y) * phi x + (y - x) * phi z) by (unfold t; field; lra).
  apply Rmult_le_compat_l with (r := z - x) in A; [|lra]. rewrite E in A.
  apply Rmult_le_reg_r with ((y - x) * (z - y)); [apply Rmult_lt_0_compat; lra|].
  replace ((phi y - phi x) / (y - x) * ((y - x) * (z - y))) with ((phi y - phi x) * (z - y)) by (field; lra).
  replace ((phi z - phi y) / (z - y) * ((y - x) * (z - y))) with ((phi z - phi y) * (y - x)) by (field; lra).
  lra.
Qed.

Lemma test_slopes (K : R) (phi : R -> R) : convex_test K phi -> exists slope : R -> R,
  (forall x y, 0 < x -> 0 < y -> phi y + slope y * (x - y) <= phi x) /\
  (forall y z, 0 < y -> y <= z -> slope y <= slope z).
Proof.
  intros H. set (E := fun y v => exists x, 0 < x < y /\ v = (phi y - phi x) / (y - x)).
  set (slope := fun y => real (Lub_Rbar (E y))).
  assert (B : forall y, 0 < y -> is_lub_Rbar (E y) (Finite (slope y))).
  { intros y Hy. assert (U := Lub_Rbar_correct (E y)). unfold slope.
    destruct (Lub_Rbar (E y)) as [v| |]; [exact U| |].
    - exfalso. assert (X : Rbar_le p_infty ((phi (2 * y) - phi y) / (2 * y - y))).
      { apply (proj2 U). intros v [x [Hx ->]]. apply (test_chords K phi x y (2 * y) H); lra. }
      exact X.
    - exfalso. assert (X := proj1 U ((phi y - phi (y / 2)) / (y - y / 2))).
      apply X. exists (y / 2). split; [lra|reflexivity]. }
  assert (S : forall x y, 0 < x -> 0 < y -> phi y + slope y * (x - y) <= phi x).
  { intros x y Hx Hy. destruct (B y Hy) as [U L]. destruct (Rtotal_order x y) as [Lt|[->|Gt]].
    - assert (X := U _ (ex_intro _ x (conj (conj Hx Lt) eq_refl))). simpl in X.
      apply Rmult_le_compat_r with (r := y - x) in X; [|lra].
      replace ((phi y - phi x) / (y - x) * (y - x)) with (phi y - phi x) in X by (field; lra). lra.
    - lra.
    - assert (X : Rbar_le (slope y) ((phi x - phi y) / (x - y))).
      { apply L. intros v [w [Hw ->]]. apply (test_chords K phi w y x H); lra. }
      simpl in X. apply Rmult_le_compat_r with (r := x - y) in X; [|lra].
      replace ((phi x - phi y) / (x - y) * (x - y)) with (phi x - phi y) in X by (field; lra). lra. }
  exists slope. split; [exact S|]. intros y z Hy Hyz. destruct (Req_dec y z) as [->|N]; [lra|].
  assert (A := S z y ltac:(lra) Hy). assert (D := S y z Hy ltac:(lra)).
  apply Rmult_le_reg_r with (z - y); [lra|]. lra.
Qed.

(** * The pair mu, mu0 *)

Section Pair.
Variables q sigma : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

(** E_mu0 phi(y mu/mu0), as a function of y. *)
Definition advance (phi : R -> R) (y : R) : R :=
  line_integral (fun z => mu0 sigma z * phi (y * mix_ratio q sigma z)).

Lemma mix_growth (K : R) (phi : R -> R) (N : R) : convex_test K phi ->
  exponential_growth (fun w => phi (form_mix q sigma N w)).
Proof.
  intros H. assert (K0 := test_constant_nonneg K phi H).
  assert (P : forall w, 0 < form_mix q sigma N w).
  { intros w. rewrite (form_mix_is_mix_ratio q sigma). apply mix_ratio_pos, Hq. }
  split.
  - intros w. apply (continuous_comp (form_mix q sigma N) phi).
    + apply (ex_derive_continuous (V := R_NormedModule)). unfold form_mix. auto_derive. trivial.
    + apply (test_continuous K phi _ H), P.
  - destruct (form_mix_growth q sigma Hq Hs N 1 (or_intror (Rle_refl 1))) as [_ [C [k [HC B]]]].
    exists (phi 1 + K + K * C), k.
    assert (N1 := proj1 H 1 Rlt_0_1).
    split; [assert (X := Rmult_le_pos _ _ K0 HC); lra|]. intros w.
    assert (T := test_linear K phi _ H (P w)). split; [apply T|].
    assert (X := proj2 (B w)). rewrite Rpower_1 in X by apply P.
    assert (One : 1 <= two_exp k w).
    { unfold two_exp. assert (E1 := exp_pos (k * w)). assert (E2 := exp_pos (- (k * w))).
      destruct (Rle_dec 0 (k * w)) as [L|L].
      - assert (Y := exp_le 0 (k * w) L). rewrite exp_0 in Y. lra.
      - assert (Y := exp_le 0 (- (k * w)) ltac:(lra)). rewrite exp_0 in Y. lra. }
    apply Rle_trans with (phi 1 + K * (1 + C * two_exp k w)).
    + apply Rle_trans with (1 := proj2 T). apply Rplus_le_compat_l, Rmult_le_compat_l; [exact K0|lra].
    + assert (Y : (phi 1 + K) * 1 <= (phi 1 + K) * two_exp k w) by (apply Rmult_le_compat_l; lra).
      replace ((phi 1 + K + K * C) * two_exp k w) with ((phi 1 + K) * two_exp k w + K * (C * two_exp k w)) by ring.
      lra.
Qed.

Lemma pair_integral (K : R) (phi : R -> R) (y : R) : convex_test K phi -> 0 < y ->
  int_line (fun z => mu0 sigma z * phi (y * mix_ratio q sigma z)) (advance phi y).
Proof.
  intros H Hy.
  destruct (gaussian_integral_exists sigma (fun w => phi (y * form_mix q sigma 1 w)) Hs) as [l Hl].
  - exact (mix_growth (K * y) (fun v => phi (y * v)) 1 (test_scaled K y phi Hy H)).
  - apply (line_integral_correct _ l). apply (int_line_ext _ _ _) with (2 := Hl). intros w.
    rewrite (form_mix_is_mix_ratio q sigma). replace (w + (1 - 1) / 2) with w by field. reflexivity.
Qed.

Lemma ratio_integral : int_line (fun z => mu0 sigma z * mix_ratio q sigma z) 1.
Proof.
  apply (int_line_ext (mu q sigma)); [|apply mu_normalised, Hs].
  intros z. rewrite (mu_eq_mix_ratio q sigma Hs). ring.
Qed.

(** The pair of one more step keeps the class, with the same constant. *)
Lemma advance_test (K : R) (phi : R -> R) : convex_test K phi -> convex_test K (advance phi).
Proof.
  intros H. assert (K0 := test_constant_nonneg K phi H). assert (I := fun y Hy => pair_integral K phi y H Hy).
  assert (G := mix_ratio_pos q sigma Hq). destruct H as [N [L C]].
  assert (M := fun z => mu0_pos sigma z Hs). split; [|split].
  - intros y Hy. apply (int_line_nonneg _ _) with (2 := I y Hy). intros z.
    apply Rmult_le_pos; [left; apply M|]. apply N, Rmult_lt_0_compat; [exact Hy|apply G].
  - intros x y Hx Hy.
    assert (J := int_line_plus _ _ _ _ (I y Hy) (int_line_scal _ (K * Rabs (x - y)) _ ratio_integral)).
    rewrite Rmult_1_r in J. refine (int_line_le _ _ _ _ _ (I x Hx) J). intros z. cbv beta.
    assert (g := G z). assert (m := M z).
    assert (A := L (x * mix_ratio q sigma z) (y * mix_ratio q sigma z) ltac:(nra) ltac:(nra)).
    replace (x * mix_ratio q sigma z - y * mix_ratio q sigma z) with ((x - y) * mix_ratio q sigma z) in A by ring.
    rewrite Rabs_mult, (Rabs_pos_eq (mix_ratio q sigma z)) in A by lra.
    apply Rmult_le_compat_l with (r := mu0 sigma z) in A; [|lra]. lra.
  - intros x y t Hx Hy Ht.
    assert (P : 0 < t * x + (1 - t) * y).
    { destruct (Rle_dec t (1 / 2)) as [T|T]; [assert (0 < (1 - t) * y) by nra; assert (0 <= t * x) by nra; lra|].
      assert (0 < t * x) by nra. assert (0 <= (1 - t) * y) by nra. lra. }
    assert (J := int_line_plus _ _ _ _ (int_line_scal _ t _ (I x Hx)) (int_line_scal _ (1 - t) _ (I y Hy))).
    refine (int_line_le _ _ _ _ _ (I _ P) J). intros z. cbv beta.
    assert (g := G z). assert (m := M z).
    assert (A := C (x * mix_ratio q sigma z) (y * mix_ratio q sigma z) t ltac:(nra) ltac:(nra) Ht).
    replace ((t * x + (1 - t) * y) * mix_ratio q sigma z)
      with (t * (x * mix_ratio q sigma z) + (1 - t) * (y * mix_ratio q sigma z)) by ring.
    apply Rmult_le_compat_l with (r := mu0 sigma z) in A; [|lra]. lra.
Qed.

(** * Shifts below 1 *)

Section Test.
Variables (K : R) (phi : R -> R).
Hypothesis Hphi : convex_test K phi.

Lemma shift_test_pointwise (c : R) : 0 <= c <= 1 -> exists k, forall z,
  mu0 sigma z * phi (shift_mix q sigma c z) + k * (mu0 sigma (z - 1) - mu0 sigma (z - c))
  <= mu0 sigma z * phi (shift_mix q sigma 1 z).
Proof.
  intros Hc. destruct (test_slopes K phi Hphi) as [slope [T0 Mono]]. set (crossing := (1 + c) / 2).
  exists (q * slope (shift_mix q sigma c crossing)). intros z.
  rewrite !mu0_shift_ratio by exact Hs. assert (P := mu0_pos sigma z Hs).
  assert (M1 := shift_mix_pos q sigma 1 z Hq). assert (Mc := shift_mix_pos q sigma c z Hq).
  assert (Mx := shift_mix_pos q sigma c crossing Hq).
  assert (T := T0 _ _ M1 Mc).
  assert (D : shift_mix q sigma 1 z - shift_mix q sigma c z
              = q * (shift_ratio sigma 1 z - shift_ratio sigma c z)) by (unfold shift_mix; ring).
  rewrite D in T. set (d := shift_ratio sigma 1 z - shift_ratio sigma c z) in *.
  assert (S : q * slope (shift_mix q sigma c crossing) * d <= slope (shift_mix q sigma c z) * (q * d)).
  { replace (q * slope (shift_mix q sigma c crossing) * d)
      with (slope (shift_mix q sigma c crossing) * (q * d)) by ring.
    destruct (Rle_dec crossing z) as [H|H]; unfold crossing in H.
    - assert (Hd : shift_ratio sigma c z <= shift_ratio sigma 1 z) by (apply shift_ratio_le; [exact Hs|nra]).
      assert (Hm : shift_ratio sigma c crossing <= shift_ratio sigma c z)
        by (apply shift_ratio_le; [exact Hs|unfold crossing; nra]).
      apply Rmult_le_compat_r; [apply Rmult_le_pos; unfold d; lra|].
      apply Mono; [exact Mx|unfold shift_mix; nra].
    - assert (Hd : shift_ratio sigma 1 z <= shift_ratio sigma c z) by (apply shift_ratio_le; [exact Hs|nra]).
      assert (Hm : shift_ratio sigma c z <= shift_ratio sigma c crossing)
        by (apply shift_ratio_le; [exact Hs|unfold crossing; nra]).
      assert (Sl : slope (shift_mix q sigma c z) <= slope (shift_mix q sigma c crossing))
        by (apply Mono; [exact Mc|unfold shift_mix; nra]).
      assert (Nd : q * d <= 0) by (unfold d; nra). nra. }
  apply Rle_trans with (mu0 sigma z * (phi (shift_mix q sigma c z)
                                       + q * slope (shift_mix q sigma c crossing) * d)).
  - right. unfold d. ring.
  - apply Rmult_le_compat_l; lra.
Qed.

Lemma shift_as_form (c z : R) : shift_mix q sigma c z = form_mix q sigma (c ^ 2) (c * z).
Proof. unfold shift_mix, shift_ratio, form_mix. do 5 f_equal. ring. Qed.

Lemma shift_test_le (c : R) : 0 <= c <= 1 ->
  exists lc, int_line (fun z => mu0 sigma z * phi (shift_mix q sigma c z)) lc /\ lc <= advance phi 1.
Proof.
  intros Hc. destruct (shift_test_pointwise c Hc) as [k Hk].
  assert (G := mix_growth K phi (c ^ 2) Hphi).
  destruct (gaussian_integral_exists sigma (fun w => phi (form_mix q sigma (c ^ 2) (c * w))) Hs (growth_scaled _ c G)) as [lc Ic].
  assert (Ic' : int_line (fun z => mu0 sigma z * phi (shift_mix q sigma c z)) lc).
  { apply (int_line_ext _ _ _) with (2 := Ic). intros z. rewrite shift_as_form. reflexivity. }
  exists lc. split; [exact Ic'|].
  assert (I1 := pair_integral K phi 1 Hphi Rlt_0_1).
  assert (J := int_line_plus _ _ _ _ Ic' (int_line_scal _ k _
    (int_line_minus _ _ _ _ (mu0_shift_normalised sigma 1 Hs) (mu0_shift_normalised sigma c Hs)))).
  replace (lc + k * (1 - 1)) with lc in J by ring.
  refine (int_line_le _ _ _ _ _ J I1). intros z. cbv beta. apply Rle_trans with (1 := Hk z). right.
  rewrite Rmult_1_l. unfold shift_mix, mix_ratio, shift_ratio, ratio. do 6 f_equal. ring.
Qed.

(** * One branch in R^d *)

Lemma branch_test (d : nat) (m m' : point) : distance_sq d m m' <= 1 ->
  let mixed := fun x => (1 - q) * normal_space sigma d m x + q * normal_space sigma d m' x in
  let F := fun x => normal_space sigma d m x * phi (mixed x / normal_space sigma d m x) in
  dominated d F /\ exists l, int_space d F l /\ l <= advance phi 1.
Proof.
  intros Hm mixed F. set (N := distance_sq d m m'). assert (N0 := distance_sq_nonneg d m m'). fold N in N0.
  assert (E : forall x, F x = normal_space sigma d m x
    * phi (form_mix q sigma N (sum_to d (fun i => (m' i - m i) * (x i - m i))))).
  { intros x. unfold F, mixed. rewrite (mixed_ratio_space q sigma d m m' Hs x). reflexivity. }
  assert (G := mix_growth K phi N Hphi). split.
  - apply (dominated_le d F _ (fun x => Req_le _ _ (E x))).
    exact (linear_form_dominated sigma m (fun i => m' i - m i) d _ Hs G).
  - assert (C1 : 0 <= sqrt N <= 1).
    { split; [apply sqrt_pos|]. rewrite <- sqrt_1. apply sqrt_le_1_alt, Hm. }
    destruct (shift_test_le (sqrt N) C1) as [lc [Ic Bc]].
    destruct (linear_form_moment sigma m (fun i => m' i - m i) d Hs _ lc G) as [l' [I' B']].
    + apply (int_line_ext _ _ _) with (2 := Ic). intros w. rewrite shift_as_form.
      fold (distance_sq d m m'). fold N.
      replace (sqrt N ^ 2) with N by (rewrite <- Rsqr_pow2, Rsqr_sqrt by exact N0; reflexivity). reflexivity.
    + exists l'. split; [|lra]. apply (int_space_ext d _ _ l') with (2 := I'). intros x. symmetry. apply E.
Qed.

(** * Mixtures *)

(** Q phi(P/Q) is jointly convex. *)
Lemma joint_convexity_test {I : Type} (L : list I) (w p r : I -> R) :
  (forall i, In i L -> 0 <= w i) -> (forall i, 0 < p i) -> (forall i, 0 < r i) ->
  let P := sum_over L (fun i => w i * p i) in let Q := sum_over L (fun i => w i * r i) in
  0 < P -> 0 < Q -> Q * phi (P / Q) <= sum_over L (fun i => w i * (r i * phi (p i / r i))).
Proof.
  intros Hw Hp Hr P Q HP HQ. destruct (test_slopes K phi Hphi) as [slope [T0 _]]. set (t := P / Q).
  assert (Ht : 0 < t) by (apply Rdiv_lt_0_compat; assumption).
  apply Rle_trans with (sum_over L (fun i => (phi t - slope t * t) * (w i * r i) + slope t * (w i * p i))).
  - rewrite sum_over_plus, !sum_over_scal. fold P Q. right.
    replace (slope t * P) with (slope t * t * Q) by (unfold t; field; lra). ring.
  - apply sum_over_le. intros i Hi. assert (Wi := Hw i Hi). assert (Pi := Hp i). assert (Ri := Hr i).
    assert (T := T0 (p i / r i) t ltac:(apply Rdiv_lt_0_compat; assumption) Ht).
    replace ((phi t - slope t * t) * (w i * r i) + slope t * (w i * p i))
      with (w i * (r i * (phi t + slope t * (p i / r i - t)))) by (field; lra).
    apply Rmult_le_compat_l; [exact Wi|]. apply Rmult_le_compat_l; lra.
Qed.

Lemma test_on_space_continuous (P Q : point -> R) : continuous_on_space P -> continuous_on_space Q ->
  (forall x, 0 < P x) -> (forall x, 0 < Q x) -> continuous_on_space (fun x => Q x * phi (P x / Q x)).
Proof.
  intros CP CQ HP HQ x.
  apply (continuous_mult (Q : point_space -> R) (fun x : point_space => phi (P x / Q x))); [apply CQ|].
  apply (continuous_comp (fun x : point_space => P x / Q x) phi).
  - apply (continuous_mult (P : point_space -> R) (fun x : point_space => / Q x)); [apply CP|].
    apply (continuous_comp (Q : point_space -> R) Rinv); [apply CQ|].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. assert (X := HQ x). lra.
  - apply (test_continuous K phi _ Hphi). apply Rdiv_lt_0_compat; [apply HP|apply HQ].
Qed.

(** One step of the mechanism is dominated by the pair. *)
Theorem step_dominated {U : Type} (d : nat) (f : list U -> point) (S S' : list U) :
  sensitivity_1_space d f -> adjacent S S' ->
  exists l, int_space d (fun x => sampled_gaussian_space q sigma d f S x
              * phi (sampled_gaussian_space q sigma d f S' x / sampled_gaussian_space q sigma d f S x)) l
            /\ l <= advance phi 1.
Proof.
  intros Hf [S1 [S2 [x [E E']]]]. subst S S'.
  destruct (coupling (normal_space sigma d) q Hq (fun m m' => distance_sq d m m' <= 1) x S1 S2 f)
    as [L [HL [HW [E0 E1]]]].
  { intros T1 T2. apply Hf. exists T1, T2, x. split; reflexivity. }
  set (n := fun b : branch point => normal_space sigma d (centre b)).
  set (n_x := fun (b : branch point) z => (1 - q) * normal_space sigma d (centre b) z
                                          + q * normal_space sigma d (centre_x b) z).
  assert (Dn : forall b, space_density d (n b)) by (intros b; apply (normal_space_density sigma d Hs)).
  assert (Dx : forall b, space_density d (n_x b)) by (intros b; apply (mixed_space_density q sigma d Hq Hs)).
  assert (W : forall b, In b L -> 0 <= weight b) by (intros b Hb; apply (HL b Hb)).
  assert (DQ := sum_density d L weight W HW n Dn). assert (DP := sum_density d L weight W HW n_x Dx).
  set (F := fun x => sum_over L (fun b => weight b * n b x)
    * phi (sum_over L (fun b => weight b * n_x b x) / sum_over L (fun b => weight b * n b x))).
  set (B := fun b x => n b x * phi (n_x b x / n b x)).
  assert (Br : forall b, In b L -> dominated d (B b) /\ exists l, int_space d (B b) l /\ l <= advance phi 1).
  { intros b Hb. exact (branch_test d (centre b) (centre_x b) (proj2 (HL b Hb))). }
  assert (Le : forall x, F x <= sum_over L (fun b => weight b * B b x)).
  { intros y. exact (joint_convexity_test L weight (fun b => n_x b y) (fun b => n b y) W
      (fun b => proj1 (proj2 (Dx b)) y) (fun b => proj1 (proj2 (Dn b)) y)
      (proj1 (proj2 DP) y) (proj1 (proj2 DQ) y)). }
  destruct (sum_integral_bounded d L weight W B (advance phi 1) (fun b Hb => proj2 (Br b Hb))) as [t [It Bt]].
  rewrite HW, Rmult_1_l in Bt.
  destruct (int_space_exists d F) as [l Il].
  - exact (test_on_space_continuous _ _ (proj1 DP) (proj1 DQ) (proj1 (proj2 DP)) (proj1 (proj2 DQ))).
  - intros y. assert (p := proj1 (proj2 DP) y). assert (r := proj1 (proj2 DQ) y).
    apply Rmult_le_pos; [left; exact r|]. apply (proj1 Hphi), Rdiv_lt_0_compat; assumption.
  - apply (dominated_le d F _ Le). apply (sum_dominated d L weight W B). intros b Hb. exact (proj1 (Br b Hb)).
  - exists l. split.
    + apply (int_space_ext d F); [|exact Il]. intros z. unfold F, sampled_gaussian_space. rewrite E0, E1. reflexivity.
    + assert (X := int_space_le d F _ l t Le Il It). lra.
Qed.
End Test.
End Pair.

(** * Hockey sticks *)

Lemma positive_part_lipschitz (a b : R) : Rmax 0 a <= Rmax 0 b + Rabs (a - b).
Proof. unfold Rmax, Rabs. repeat destruct Rle_dec; destruct Rcase_abs; lra. Qed.

Lemma positive_part_convex (a b t : R) : 0 <= t <= 1 -> Rmax 0 (t * a + (1 - t) * b) <= t * Rmax 0 a + (1 - t) * Rmax 0 b.
Proof.
  intros Ht. assert (A := Rmax_l 0 a). assert (A' := Rmax_r 0 a). assert (B := Rmax_l 0 b). assert (B' := Rmax_r 0 b).
  apply Rmax_lub; [apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra|].
  apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.

(** With the record against without it. *)
Lemma hockey_test (c : R) : convex_test 1 (fun y => Rmax 0 (y - c)).
Proof.
  split; [intros y _; apply Rmax_l|]. split.
  - intros x y _ _. assert (A := positive_part_lipschitz (x - c) (y - c)).
    replace (x - c - (y - c)) with (x - y) in A by ring. lra.
  - intros x y t _ _ Ht. replace (t * x + (1 - t) * y - c) with (t * (x - c) + (1 - t) * (y - c)) by ring.
    apply positive_part_convex, Ht.
Qed.

(** Without it against with it. *)
Lemma hockey_test_back (c : R) : 0 <= c -> convex_test c (fun y => Rmax 0 (1 - c * y)).
Proof.
  intros Hc. split; [intros y _; apply Rmax_l|]. split.
  - intros x y _ _. assert (A := positive_part_lipschitz (1 - c * x) (1 - c * y)).
    replace (1 - c * x - (1 - c * y)) with (c * (y - x)) in A by ring.
    rewrite Rabs_mult, (Rabs_pos_eq c Hc), (Rabs_minus_sym y x) in A. exact A.
  - intros x y t _ _ Ht. replace (1 - c * (t * x + (1 - t) * y)) with (t * (1 - c * x) + (1 - t) * (1 - c * y)) by ring.
    apply positive_part_convex, Ht.
Qed.
