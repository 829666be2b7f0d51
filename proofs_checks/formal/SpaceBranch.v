(** One branch of the mixture in R^d: the moments of (1-q) N(m, sigma^2 I) + q N(m', sigma^2 I)
    against N(m, sigma^2 I) are at most the one-dimensional moments A and B, if
    m and m' are at distance at most 1.

    The likelihood ratio is a function of the inner product of m'-m with x-m
    alone.  Integrating one coordinate after the other, each step merges that
    coordinate into the length of m'-m by rotation, until one dimension and the
    shift c = |m'-m| <= 1 are left. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian Pointwise AB ShiftMonotone
  ParameterIntegral GaussianRotation SpaceIntegral.
Open Scope R_scope.

(** The density of N(m, sigma^2 I) on R^d, and the squared distance. *)
Definition normal_space (sigma : R) (d : nat) (m x : point) : R := prod_to d (fun i => mu0 sigma (x i - m i)).
Definition distance_sq (d : nat) (m m' : point) : R := sum_to d (fun i => (m' i - m i) ^ 2).

Lemma normal_space_pos (sigma : R) (d : nat) (m x : point) : 0 < sigma -> 0 < normal_space sigma d m x.
Proof. intros Hs. apply prod_to_pos. intros i. apply mu0_pos, Hs. Qed.

Lemma distance_sq_nonneg (d : nat) (m m' : point) : 0 <= distance_sq d m m'.
Proof.
  unfold distance_sq. induction d as [|d IH]; cbn [sum_to]; [lra|].
  assert (S := pow2_ge_0 (m' d - m d)). lra.
Qed.

(** N(m, sigma^2 I) has mass 1. *)
Lemma normal_space_normalised (sigma : R) (d : nat) (m : point) : 0 < sigma ->
  int_space d (normal_space sigma d m) 1.
Proof.
  intros Hs. induction d as [|d IH]; [reflexivity|].
  exists (normal_space sigma d m). split; [|exact IH].
  intros v. assert (I := int_line_scal _ (normal_space sigma d m v) _ (mu0_shift_normalised sigma (m d) Hs)).
  rewrite Rmult_1_r in I. apply (int_line_ext _ _ _) with (2 := I). intros t. cbv beta.
  unfold normal_space. rewrite (prod_to_update d (fun i s => mu0 sigma (s - m i))). reflexivity.
Qed.

(** Claims R5 and R6: a function of one linear form only sees the length of that form. *)
Theorem linear_form_moment (sigma : R) (m c : point) (d : nat) : 0 < sigma ->
  forall (H : R -> R) (l : R), exponential_growth H ->
  int_line (fun w => mu0 sigma w * H (sqrt (sum_to d (fun i => c i ^ 2)) * w)) l ->
  exists l', int_space d (fun x => normal_space sigma d m x * H (sum_to d (fun i => c i * (x i - m i)))) l'
             /\ l' <= l.
Proof.
  intros Hs. induction d as [|d IH]; intros H l HH Hl.
  - exists (H 0). split; [simpl; unfold normal_space; simpl; ring|].
    right. refine (int_line_unique _ _ _ _ Hl).
    assert (I := int_line_scal _ (H 0) _ (mu0_normalised sigma Hs)). rewrite Rmult_1_r in I.
    apply (int_line_ext _ _ _) with (2 := I). intros w. simpl. rewrite sqrt_0, Rmult_0_l. ring.
  - set (R := sqrt (sum_to d (fun i => c i ^ 2))).
    assert (N0 : 0 <= sum_to d (fun i => c i ^ 2)).
    { clear. induction d as [|d IH]; cbn [sum_to]; [lra|]. assert (S := pow2_ge_0 (c d)). lra. }
    destruct (smoothed_facts sigma (c d) Hs H HH) as [I HH'].
    destruct (gaussian_integral_exists sigma (fun w => smoothed sigma (c d) H (R * w)) Hs
                (growth_scaled _ R HH')) as [l1 Hl1].
    destruct (IH (smoothed sigma (c d) H) l1 HH' Hl1) as [l' [Il' Bl']].
    exists l'. split.
    + exists (fun v => normal_space sigma d m v * smoothed sigma (c d) H (sum_to d (fun i => c i * (v i - m i)))).
      split; [|exact Il']. intros v. set (s := sum_to d (fun i => c i * (v i - m i))).
      assert (I2 := int_line_scal _ (normal_space sigma d m v) _ (int_line_shift _ (- m d) _ (I s))).
      apply (int_line_ext _ _ _) with (2 := I2). intros t. cbv beta. unfold normal_space.
      rewrite (prod_to_update d (fun i s => mu0 sigma (s - m i))),
              (sum_to_update d (fun i s => c i * (s - m i))). fold s.
      replace (t + - m d) with (t - m d) by ring. ring.
    + apply Rle_trans with (1 := Bl').
      apply (rotation_le sigma R (c d) H l l1 Hs); [apply sqrt_pos|exact HH|exact Hl1|].
      replace (R ^ 2 + c d ^ 2) with (sum_to (S d) (fun i => c i ^ 2)); [exact Hl|].
      cbn [sum_to]. f_equal. unfold R. rewrite <- Rsqr_pow2, Rsqr_sqrt by exact N0. reflexivity.
Qed.

Lemma linear_form_dominated (sigma : R) (m c : point) (d : nat) (H : R -> R) : 0 < sigma ->
  exponential_growth H ->
  dominated d (fun x => normal_space sigma d m x * H (sum_to d (fun i => c i * (x i - m i)))).
Proof.
  intros Hs [_ [C [k [HC B]]]].
  exists (C * 2), (fun i t => mu0 sigma (t - m i) * two_exp (k * c i) (t - m i)).
  split; [lra|]. split; [|split; [|split]].
  - intros i t. left. apply Rmult_lt_0_compat; [apply mu0_pos, Hs|apply two_exp_pos].
  - intros i t. apply (continuous_comp (fun t => t - m i) (fun z => mu0 sigma z * two_exp (k * c i) z)).
    + apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. trivial.
    + apply mu0_times_continuous, two_exp_continuous.
  - intros i. exists (2 * exp ((k * c i) ^ 2 * sigma ^ 2 / 2)).
    exact (int_line_shift _ (- m i) _ (mu0_two_exp_integral sigma (k * c i) Hs)).
  - intros x.
    assert (K : normal_space sigma d m x * two_exp k (sum_to d (fun i => c i * (x i - m i)))
                <= 2 * prod_to d (fun i => mu0 sigma (x i - m i) * two_exp (k * c i) (x i - m i))).
    { unfold normal_space. clear B. induction d as [|n IH]; cbn [sum_to prod_to].
      - unfold two_exp. rewrite Rmult_0_r, Ropp_0, exp_0. lra.
      - set (s := sum_to n (fun i => c i * (x i - m i))) in *. set (y := x n - m n).
        set (p := prod_to n (fun i => mu0 sigma (x i - m i))) in *.
        assert (p0 : 0 < p) by exact (normal_space_pos sigma n m x Hs).
        assert (M := mu0_pos sigma y Hs). assert (T := two_exp_pos (k * c n) y).
        apply Rle_trans with (p * mu0 sigma y * (two_exp k s * two_exp (k * c n) y)).
        + apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; assumption|apply two_exp_add].
        + replace (p * mu0 sigma y * (two_exp k s * two_exp (k * c n) y))
            with (p * two_exp k s * (mu0 sigma y * two_exp (k * c n) y)) by ring.
          rewrite <- (Rmult_assoc 2).
          apply Rmult_le_compat_r; [left; apply Rmult_lt_0_compat; assumption|exact IH]. }
    assert (P := normal_space_pos sigma d m x Hs).
    apply Rle_trans with (normal_space sigma d m x * (C * two_exp k (sum_to d (fun i => c i * (x i - m i))))).
    + apply Rmult_le_compat_l; [lra|apply B].
    + rewrite (Rmult_assoc C 2), <- Rmult_assoc, (Rmult_comm (normal_space sigma d m x) C), Rmult_assoc.
      apply Rmult_le_compat_l; [exact HC|exact K].
Qed.

Section Branch.
Variables q sigma : R.
Variable d : nat.
Variables m m' : point.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Hm : distance_sq d m m' <= 1.
Let form (x : point) : R := sum_to d (fun i => (m' i - m i) * (x i - m i)).
Let mixed (x : point) : R := (1 - q) * normal_space sigma d m x + q * normal_space sigma d m' x.

(** The mixture ratio as a function of the linear form. *)
Definition form_mix (N w : R) : R := (1 - q) + q * exp ((2 * w - N) / (2 * sigma ^ 2)).

Lemma form_mix_is_mix_ratio (N w : R) : form_mix N w = mix_ratio q sigma (w + (1 - N) / 2).
Proof. unfold form_mix, mix_ratio, ratio. do 3 f_equal. f_equal. field. Qed.

Lemma likelihood_ratio (x : point) :
  normal_space sigma d m' x = exp ((2 * form x - distance_sq d m m') / (2 * sigma ^ 2)) * normal_space sigma d m x.
Proof.
  unfold form, distance_sq, normal_space. clear Hm form mixed.
  induction d as [|n IH]; cbn [sum_to prod_to].
  - replace ((2 * 0 - 0) / (2 * sigma ^ 2)) with 0 by (field; lra). rewrite exp_0. ring.
  - rewrite IH. replace (x n - m' n) with (x n - m n - (m' n - m n)) by ring.
    rewrite (mu0_shift_ratio sigma (m' n - m n) (x n - m n) Hs). unfold shift_ratio.
    set (S1 := sum_to n (fun i => (m' i - m i) * (x i - m i))).
    set (S2 := sum_to n (fun i => (m' i - m i) ^ 2)).
    replace (exp ((2 * (S1 + (m' n - m n) * (x n - m n)) - (S2 + (m' n - m n) ^ 2)) / (2 * sigma ^ 2)))
      with (exp ((2 * S1 - S2) / (2 * sigma ^ 2))
            * exp ((2 * (m' n - m n) * (x n - m n) - (m' n - m n) ^ 2) / (2 * sigma ^ 2))).
    + ring.
    + rewrite <- exp_plus. f_equal. field. lra.
Qed.

Lemma mixed_ratio_space (x : point) :
  mixed x / normal_space sigma d m x = form_mix (distance_sq d m m') (form x).
Proof.
  unfold mixed. rewrite likelihood_ratio. unfold form_mix. field.
  assert (P := normal_space_pos sigma d m x Hs). lra.
Qed.

Lemma mixed_space_pos (x : point) : 0 < mixed x.
Proof.
  replace (mixed x) with (mixed x / normal_space sigma d m x * normal_space sigma d m x)
    by (field; assert (P := normal_space_pos sigma d m x Hs); lra).
  rewrite mixed_ratio_space, form_mix_is_mix_ratio.
  apply Rmult_lt_0_compat; [apply mix_ratio_pos, Hq|apply normal_space_pos, Hs].
Qed.

Lemma form_mix_growth (N b : R) : convex_exponent b -> exponential_growth (fun w => Rpower (form_mix N w) b).
Proof.
  intros Hb. split.
  - intros w. apply (ex_derive_continuous (V := R_NormedModule)). unfold form_mix, Rpower. auto_derive.
    repeat split. assert (P := mix_ratio_pos q sigma Hq (w + (1 - N) / 2)).
    rewrite <- form_mix_is_mix_ratio in P. exact P.
  - set (k := b / sigma ^ 2). set (e := exp (b * (- N / (2 * sigma ^ 2)))).
    exists ((1 - q) + q * e), k. assert (e0 : 0 < e) by apply exp_pos.
    split; [apply Rplus_le_le_0_compat; [lra|apply Rmult_le_pos; lra]|].
    intros w. split; [left; apply Rpower_pos|].
    rewrite form_mix_is_mix_ratio. apply Rle_trans with (1 := mix_ratio_convex q sigma Hq b _ Hb).
    replace (Rpower (ratio sigma (w + (1 - N) / 2)) b) with (e * exp (k * w)).
    2:{ unfold e, k, Rpower, ratio. rewrite ln_exp, <- exp_plus. f_equal. field. lra. }
    unfold two_exp. assert (E1 := exp_pos (k * w)). assert (E2 := exp_pos (- (k * w))).
    assert (One : 1 <= exp (k * w) + exp (- (k * w))).
    { destruct (Rle_dec 0 (k * w)) as [H|H].
      - assert (X := exp_le 0 (k * w) H). rewrite exp_0 in X. lra.
      - assert (X := exp_le 0 (- (k * w)) ltac:(lra)). rewrite exp_0 in X. lra. }
    rewrite Rmult_plus_distr_r. apply Rplus_le_compat.
    + rewrite <- (Rmult_1_r (1 - q)) at 1. apply Rmult_le_compat_l; lra.
    + rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
Qed.

Lemma branch_power (b l : R) : convex_exponent b -> int_line (power_integrand q sigma b) l ->
  exists l', int_space d (fun x => normal_space sigma d m x * Rpower (form_mix (distance_sq d m m') (form x)) b) l'
             /\ l' <= l.
Proof.
  intros Hb Hl. set (N := distance_sq d m m'). assert (N0 := distance_sq_nonneg d m m'). fold N in N0.
  assert (C1 : 0 <= sqrt N <= 1).
  { split; [apply sqrt_pos|]. rewrite <- sqrt_1. apply sqrt_le_1_alt, Hm. }
  destruct (shift_moment_le q sigma (sqrt N) b l Hq Hs C1 Hb Hl) as [lc [Ic Bc]].
  destruct (linear_form_moment sigma m (fun i => m' i - m i) d Hs (fun w => Rpower (form_mix N w) b) lc
    (form_mix_growth N b Hb)) as [l' [I' B']].
  - apply (int_line_ext _ _ _) with (2 := Ic). intros w. unfold shift_power, shift_mix, shift_ratio, form_mix.
    fold (distance_sq d m m'). fold N.
    replace (sqrt N ^ 2) with N by (rewrite <- Rsqr_pow2, Rsqr_sqrt by exact N0; reflexivity).
    do 4 f_equal. f_equal. f_equal. ring.
  - exists l'. split; [exact I'|lra].
Qed.

Lemma forward_as_power (alpha : R) (x : point) :
  normal_space sigma d m x * Rpower (mixed x / normal_space sigma d m x) alpha
  = normal_space sigma d m x * Rpower (form_mix (distance_sq d m m') (form x)) alpha.
Proof. rewrite mixed_ratio_space. reflexivity. Qed.

Lemma backward_as_power (alpha : R) (x : point) :
  mixed x * Rpower (normal_space sigma d m x / mixed x) alpha
  = normal_space sigma d m x * Rpower (form_mix (distance_sq d m m') (form x)) (1 - alpha).
Proof.
  rewrite (Rpower_ratio_swap _ _ alpha (mixed_space_pos x) (normal_space_pos sigma d m x Hs)), mixed_ratio_space.
  reflexivity.
Qed.

(** Claim R7, divergence of the mixture: the moment of the branch is at most A. *)
Theorem branch_space_forward (alpha : R) : 1 <= alpha ->
  let F := fun x => normal_space sigma d m x * Rpower (mixed x / normal_space sigma d m x) alpha in
  dominated d F /\ exists l, int_space d F l /\ l <= A q sigma alpha.
Proof.
  intros Ha F. split.
  - apply (dominated_le d F _ (fun x => Req_le _ _ (forward_as_power alpha x))).
    exact (linear_form_dominated sigma m (fun i => m' i - m i) d _ Hs (form_mix_growth _ alpha (or_intror Ha))).
  - destruct (branch_power alpha (A q sigma alpha) (or_intror Ha)) as [l [I B]].
    + apply (int_line_ext (A_integrand q sigma alpha)); [|apply A_is_integral; assumption].
      intros z. apply A_integrand_eq, Hs.
    + exists l. split; [|exact B]. apply (int_space_ext d _ _ l) with (2 := I).
      intros x. symmetry. apply forward_as_power.
Qed.

(** Claim R7, divergence from the mixture: the moment of the branch is at most B. *)
Theorem branch_space_backward (alpha : R) : 1 <= alpha ->
  let F := fun x => mixed x * Rpower (normal_space sigma d m x / mixed x) alpha in
  dominated d F /\ exists l, int_space d F l /\ l <= B q sigma alpha.
Proof.
  intros Ha F. assert (Hc : convex_exponent (1 - alpha)) by (left; lra). split.
  - apply (dominated_le d F _ (fun x => Req_le _ _ (backward_as_power alpha x))).
    exact (linear_form_dominated sigma m (fun i => m' i - m i) d _ Hs (form_mix_growth _ (1 - alpha) Hc)).
  - destruct (branch_power (1 - alpha) (B q sigma alpha) Hc) as [l [I B]].
    + apply (int_line_ext (B_integrand q sigma alpha)); [|apply B_is_integral; assumption].
      intros z. apply B_integrand_eq; assumption.
    + exists l. split; [|exact B]. apply (int_space_ext d _ _ l) with (2 := I).
      intros x. symmetry. apply backward_as_power.
Qed.
End Branch.
