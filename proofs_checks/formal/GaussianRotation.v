(** Rotation invariance of the Gaussian, in the form the reduction needs: for
    functions H of at most exponential growth, the iterated integral of
    mu0(x) mu0(t) H(a x + b t) is at most the integral of mu0(w) H(r w) with
    r^2 = a^2 + b^2.  The inner variable is changed to y = a x + b t, the two
    integrals are exchanged, and the integral over x is done by completing the
    square. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian ParameterIntegral Fubini.
Open Scope R_scope.

(** Continuous, nonnegative and at most C (e^(k w) + e^(-k w)). *)
Definition two_exp (k w : R) : R := exp (k * w) + exp (- (k * w)).
Definition exponential_growth (H : R -> R) : Prop :=
  (forall w, continuous H w) /\ exists C k, 0 <= C /\ forall w, 0 <= H w <= C * two_exp k w.

Lemma two_exp_pos (k w : R) : 0 < two_exp k w.
Proof. unfold two_exp. assert (A := exp_pos (k * w)). assert (B := exp_pos (- (k * w))). lra. Qed.

Lemma two_exp_continuous (k : R) : forall w, continuous (two_exp k) w.
Proof. intros w. apply (ex_derive_continuous (V := R_NormedModule)). unfold two_exp. auto_derive. trivial. Qed.

Lemma two_exp_add (k b s t : R) : two_exp k (s + b * t) <= two_exp k s * two_exp (k * b) t.
Proof.
  unfold two_exp.
  replace (k * (s + b * t)) with (k * s + k * b * t) by ring. rewrite Ropp_plus_distr, !exp_plus.
  assert (A1 := exp_pos (k * s)). assert (A2 := exp_pos (- (k * s))).
  assert (B1 := exp_pos (k * b * t)). assert (B2 := exp_pos (- (k * b * t))). nra.
Qed.

Lemma mu0_exp (sigma k z : R) : 0 < sigma ->
  mu0 sigma z * exp (k * z) = exp (k ^ 2 * sigma ^ 2 / 2) * mu0 sigma (z - k * sigma ^ 2).
Proof.
  intros Hs. unfold mu0, Rdiv. rewrite (Rmult_comm (exp _ * _) (exp (k * z))), <- !Rmult_assoc, <- !exp_plus.
  f_equal. f_equal. field. lra.
Qed.

Lemma mu0_two_exp_integral (sigma k : R) : 0 < sigma ->
  int_line (fun z => mu0 sigma z * two_exp k z) (2 * exp (k ^ 2 * sigma ^ 2 / 2)).
Proof.
  intros Hs. set (c := exp (k ^ 2 * sigma ^ 2 / 2)).
  assert (I := int_line_plus _ _ _ _ (int_line_scal _ c _ (mu0_shift_normalised sigma (k * sigma ^ 2) Hs))
                                     (int_line_scal _ c _ (mu0_shift_normalised sigma (- k * sigma ^ 2) Hs))).
  replace (c * 1 + c * 1) with (2 * c) in I by ring.
  apply (int_line_ext _ _ _) with (2 := I). intros z. cbv beta. unfold two_exp, c.
  rewrite Rmult_plus_distr_l, Ropp_mult_distr_l, !mu0_exp by exact Hs.
  replace ((- k) ^ 2) with (k ^ 2) by ring. reflexivity.
Qed.

Lemma mu0_times_continuous (sigma : R) (H : R -> R) : (forall w, continuous H w) ->
  forall w, continuous (fun w => mu0 sigma w * H w) w.
Proof. intros CH w. apply (continuous_mult (mu0 sigma) H); [apply mu0_continuous|apply CH]. Qed.

Lemma gaussian_integral_exists (sigma : R) (H : R -> R) : 0 < sigma -> exponential_growth H ->
  exists l, int_line (fun w => mu0 sigma w * H w) l.
Proof.
  intros Hs [CH [C [k [HC B]]]].
  destruct (int_line_exists_dominated (fun w => mu0 sigma w * H w)
    (fun w => C * (mu0 sigma w * two_exp k w)) (C * (2 * exp (k ^ 2 * sigma ^ 2 / 2)))) as [l [Hl _]].
  - apply mu0_times_continuous, CH.
  - intros w. apply (continuous_scal_r (V := R_NormedModule) C), mu0_times_continuous, two_exp_continuous.
  - intros w. assert (P := mu0_pos sigma w Hs). assert (Bw := B w). split; [nra|].
    apply Rle_trans with (mu0 sigma w * (C * two_exp k w)); [apply Rmult_le_compat_l; lra|right; ring].
  - apply int_line_scal, mu0_two_exp_integral, Hs.
  - exists l. exact Hl.
Qed.

Lemma growth_scaled (H : R -> R) (r : R) : exponential_growth H -> exponential_growth (fun w => H (r * w)).
Proof.
  intros [CH [C [k [HC B]]]]. split.
  - intros w. apply (continuous_comp (fun w => r * w) H); [|apply CH].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. trivial.
  - exists C, (k * r). split; [exact HC|]. intros w. assert (K := B (r * w)).
    unfold two_exp in *. rewrite <- Rmult_assoc in K. exact K.
Qed.

(** * Smoothing H by a Gaussian in one direction *)

Section Smoothing.
Variables sigma b : R.
Hypothesis Hs : 0 < sigma.
Variable H : R -> R.
Hypothesis H_growth : exponential_growth H.

Definition smoothed : R -> R := slice_integral (fun s t => mu0 sigma t * H (s + b * t)).

Lemma smoothing_integrand_continuous (p : R * R) :
  continuous (fun p : R * R => mu0 sigma (snd p) * H (fst p + b * snd p)) p.
Proof.
  apply (continuous_mult (fun p : R * R => mu0 sigma (snd p)) (fun p : R * R => H (fst p + b * snd p))).
  - apply (continuous_comp (fun p : R * R => snd p) (mu0 sigma)); [apply continuous_snd|apply mu0_continuous].
  - apply (continuous_comp (fun p : R * R => fst p + b * snd p) H); [|apply (proj1 H_growth)].
    apply (continuous_plus (V := R_NormedModule)); [apply continuous_fst|].
    apply (continuous_scal_r (V := R_NormedModule) b), continuous_snd.
Qed.

Lemma smoothed_facts :
  (forall s, int_line (fun t => mu0 sigma t * H (s + b * t)) (smoothed s)) /\ exponential_growth smoothed.
Proof.
  destruct H_growth as [CH [C [k [HC B]]]].
  set (E := 2 * exp ((k * b) ^ 2 * sigma ^ 2 / 2)).
  set (g := fun s => C * two_exp k s). set (e := fun t => mu0 sigma t * two_exp (k * b) t).
  assert (Ce : forall t, continuous e t) by (apply mu0_times_continuous, two_exp_continuous).
  assert (Cg : forall s, continuous g s).
  { intros s. apply (continuous_scal_r (V := R_NormedModule) C), two_exp_continuous. }
  assert (g0 : forall s, 0 <= g s) by (intros s; unfold g; assert (P := two_exp_pos k s); nra).
  assert (Ie : int_line e E) by (apply mu0_two_exp_integral, Hs).
  assert (Bd : forall s t, 0 <= mu0 sigma t * H (s + b * t) <= g s * e t).
  { intros s t. assert (P := mu0_pos sigma t Hs). assert (K := B (s + b * t)).
    split; [apply Rmult_le_pos; lra|]. unfold g, e.
    replace (C * two_exp k s * (mu0 sigma t * two_exp (k * b) t))
      with (mu0 sigma t * (C * (two_exp k s * two_exp (k * b) t))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := proj2 K).
    apply Rmult_le_compat_l; [exact HC|apply two_exp_add]. }
  assert (Lb := locally_bounded_of_continuous g Cg g0).
  assert (Cj := smoothing_integrand_continuous
    : forall p : R * R, continuous (fun p => (fun s t => mu0 sigma t * H (s + b * t)) (fst p) (snd p)) p).
  split; [|split].
  - intros s. exact (slice_integral_exists _ Cj g e E Ce Ie Bd s).
  - exact (slice_integral_continuous _ Cj g e E Ce Ie Bd Lb).
  - exists (C * E), k. split.
    + apply Rmult_le_pos; [exact HC|]. unfold E. assert (P := exp_pos ((k * b) ^ 2 * sigma ^ 2 / 2)). lra.
    + intros s. assert (K := slice_integral_bound _ Cj g e E Ce Ie Bd s). unfold g in K.
      replace (C * E * two_exp k s) with (C * two_exp k s * E) by ring. exact K.
Qed.
End Smoothing.

(** * The sheared integrand and the exchange *)

Section Rotation.
Variables sigma a b : R.
Hypothesis Hs : 0 < sigma.
Hypothesis Hb : 0 < b.
Variable H : R -> R.
Hypothesis H_growth : exponential_growth H.
Let r := sqrt (a ^ 2 + b ^ 2).
Let sheared (x y : R) : R := mu0 sigma x * (/ b * mu0 sigma (/ b * (y - a * x))) * H y.

Lemma r_facts : 0 < r /\ r ^ 2 = a ^ 2 + b ^ 2.
Proof.
  assert (P : 0 < a ^ 2 + b ^ 2) by nra. split; [apply sqrt_lt_R0, P|].
  unfold r. rewrite <- Rsqr_pow2. apply Rsqr_sqrt. lra.
Qed.

(** Completing the square in x. *)
Lemma sheared_square (x y : R) :
  sheared x y = (/ r * (mu0 sigma (/ r * y) * H (r * (/ r * y))))
                * (r / b * mu0 sigma (r / b * (x - a * y / r ^ 2))).
Proof.
  destruct r_facts as [R0 R2]. unfold sheared.
  replace (r * (/ r * y)) with y by (field; lra).
  assert (E : mu0 sigma x * mu0 sigma (/ b * (y - a * x))
              = mu0 sigma (/ r * y) * mu0 sigma (r / b * (x - a * y / r ^ 2))).
  { unfold mu0, Rdiv. set (n := / (sigma * sqrt (2 * PI))).
    replace (exp (- x ^ 2 * / (2 * sigma ^ 2)) * n * (exp (- (/ b * (y - a * x)) ^ 2 * / (2 * sigma ^ 2)) * n))
      with (n * n * (exp (- x ^ 2 * / (2 * sigma ^ 2))
                     * exp (- (/ b * (y - a * x)) ^ 2 * / (2 * sigma ^ 2)))) by ring.
    replace (exp (- (/ r * y) ^ 2 * / (2 * sigma ^ 2)) * n
             * (exp (- (r * / b * (x - a * y * / r ^ 2)) ^ 2 * / (2 * sigma ^ 2)) * n))
      with (n * n * (exp (- (/ r * y) ^ 2 * / (2 * sigma ^ 2))
                     * exp (- (r * / b * (x - a * y * / r ^ 2)) ^ 2 * / (2 * sigma ^ 2)))) by ring.
    rewrite <- !exp_plus. do 2 f_equal.
    replace ((/ r * y) ^ 2) with (y ^ 2 / r ^ 2) by (field; lra).
    replace ((r * / b * (x - a * y * / r ^ 2)) ^ 2)
      with (r ^ 2 * x ^ 2 / b ^ 2 - 2 * a * x * y / b ^ 2 + a ^ 2 * y ^ 2 / (b ^ 2 * r ^ 2)) by (field; lra).
    rewrite R2. field. nra. }
  transitivity (/ b * H y * (mu0 sigma x * mu0 sigma (/ b * (y - a * x)))); [ring|].
  rewrite E. field. lra.
Qed.

Lemma sheared_column (y : R) :
  int_line (fun x => sheared x y) (/ r * (mu0 sigma (/ r * y) * H (r * (/ r * y)))).
Proof.
  destruct r_facts as [R0 R2].
  assert (I := int_line_scale (mu0 sigma) (r / b) 1 (Rdiv_lt_0_compat r b R0 Hb) (mu0_normalised sigma Hs)).
  assert (I2 := int_line_scal _ (/ r * (mu0 sigma (/ r * y) * H (r * (/ r * y)))) _
    (int_line_shift _ (- (a * y / r ^ 2)) _ I)).
  rewrite Rmult_1_r in I2. apply (int_line_ext _ _ _) with (2 := I2).
  intros x. cbv beta. rewrite sheared_square. reflexivity.
Qed.

Lemma sheared_row (x : R) : int_line (sheared x) (mu0 sigma x * smoothed sigma b H (a * x)).
Proof.
  destruct (smoothed_facts sigma b Hs H H_growth) as [I _].
  assert (I2 := int_line_scale _ (/ b) _ ltac:(apply Rinv_0_lt_compat, Hb) (I (a * x))).
  assert (I3 := int_line_scal _ (mu0 sigma x) _ (int_line_shift _ (- (a * x)) _ I2)).
  apply (int_line_ext _ _ _) with (2 := I3). intros y. cbv beta. unfold sheared.
  replace (a * x + b * (/ b * (y + - (a * x)))) with y by (field; lra).
  replace (y + - (a * x)) with (y - a * x) by ring. ring.
Qed.

Lemma sheared_continuous (p : R * R) : continuous (fun p : R * R => sheared (fst p) (snd p)) p.
Proof.
  unfold sheared.
  apply (continuous_mult (fun p : R * R => mu0 sigma (fst p) * (/ b * mu0 sigma (/ b * (snd p - a * fst p))))
                         (fun p : R * R => H (snd p))).
  - apply (continuous_mult (fun p : R * R => mu0 sigma (fst p))
                           (fun p : R * R => / b * mu0 sigma (/ b * (snd p - a * fst p)))).
    + apply (continuous_comp (fun p : R * R => fst p) (mu0 sigma)); [apply continuous_fst|apply mu0_continuous].
    + apply (continuous_scal_r (V := R_NormedModule) (/ b)).
      apply (continuous_comp (fun p : R * R => / b * (snd p - a * fst p)) (mu0 sigma)); [|apply mu0_continuous].
      apply (continuous_scal_r (V := R_NormedModule) (/ b)).
      apply (continuous_minus (V := R_NormedModule)); [apply continuous_snd|].
      apply (continuous_scal_r (V := R_NormedModule) a), continuous_fst.
  - apply (continuous_comp (fun p : R * R => snd p) H); [apply continuous_snd|apply (proj1 H_growth)].
Qed.

Let wide := sqrt 2 * b * sigma.
Let row_bound (x : R) : R := mu0 sigma x * exp (a ^ 2 * x ^ 2 / (2 * b ^ 2 * sigma ^ 2)).
Let column_bound (y : R) : R := sqrt 2 * (mu0 wide y * H y).

Lemma wide_facts : 0 < sqrt 2 /\ 0 < wide /\ wide ^ 2 = 2 * (b ^ 2 * sigma ^ 2).
Proof.
  assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (E2 : sqrt 2 ^ 2 = 2) by (rewrite <- Rsqr_pow2; apply Rsqr_sqrt; lra).
  split; [exact S2|]. split.
  - unfold wide. apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; assumption|exact Hs].
  - unfold wide. rewrite !Rpow_mult_distr, E2. ring.
Qed.

Lemma sheared_bound (x y : R) : 0 <= sheared x y <= row_bound x * column_bound y.
Proof.
  destruct wide_facts as [S2 [W W2]]. destruct H_growth as [_ [C [k [_ B]]]].
  assert (Hy := proj1 (B y)). assert (P := mu0_pos sigma x Hs).
  assert (Pb := mu0_pos sigma (/ b * (y - a * x)) Hs). assert (Ib := Rinv_0_lt_compat b Hb).
  unfold sheared. split.
  { apply Rmult_le_pos; [|exact Hy]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra. }
  assert (K : / b * mu0 sigma (/ b * (y - a * x))
              <= exp (a ^ 2 * x ^ 2 / (2 * b ^ 2 * sigma ^ 2)) * (sqrt 2 * mu0 wide y)).
  { assert (SP : 0 < sqrt (2 * PI)) by (apply sqrt_lt_R0; assert (X := PI_RGT_0); lra).
    set (n := / (b * sigma * sqrt (2 * PI))).
    assert (n0 : 0 < n).
    { apply Rinv_0_lt_compat, Rmult_lt_0_compat; [apply Rmult_lt_0_compat; assumption|exact SP]. }
    replace (/ b * mu0 sigma (/ b * (y - a * x)))
      with (n * exp (- (/ b * (y - a * x)) ^ 2 / (2 * sigma ^ 2))) by (unfold n, mu0; field; lra).
    replace (sqrt 2 * mu0 wide y) with (n * exp (- y ^ 2 / (2 * wide ^ 2)))
      by (unfold n, mu0, wide; field; repeat split; lra).
    rewrite W2, (Rmult_comm (exp _) (n * _)), Rmult_assoc, <- exp_plus.
    apply Rmult_le_compat_l; [lra|]. apply exp_le.
    assert (D : 0 < b ^ 2 * sigma ^ 2) by (apply Rmult_lt_0_compat; apply pow_lt; assumption).
    apply Rmult_le_reg_r with (4 * (b ^ 2 * sigma ^ 2)); [lra|].
    replace (- (/ b * (y - a * x)) ^ 2 / (2 * sigma ^ 2) * (4 * (b ^ 2 * sigma ^ 2)))
      with (- 2 * (y - a * x) ^ 2) by (field; lra).
    replace ((- y ^ 2 / (2 * (2 * (b ^ 2 * sigma ^ 2))) + a ^ 2 * x ^ 2 / (2 * b ^ 2 * sigma ^ 2))
             * (4 * (b ^ 2 * sigma ^ 2))) with (- y ^ 2 + 2 * (a ^ 2 * x ^ 2)) by (field; lra).
    assert (Sq := pow2_ge_0 (y - 2 * (a * x))). nra. }
  unfold row_bound, column_bound.
  replace (mu0 sigma x * exp (a ^ 2 * x ^ 2 / (2 * b ^ 2 * sigma ^ 2)) * (sqrt 2 * (mu0 wide y * H y)))
    with (mu0 sigma x * (exp (a ^ 2 * x ^ 2 / (2 * b ^ 2 * sigma ^ 2)) * (sqrt 2 * mu0 wide y)) * H y) by ring.
  apply Rmult_le_compat_r; [exact Hy|]. apply Rmult_le_compat_l; [lra|exact K].
Qed.

Lemma rotation_le_positive (l l' : R) :
  int_line (fun x => mu0 sigma x * smoothed sigma b H (a * x)) l' ->
  int_line (fun w => mu0 sigma w * H (r * w)) l -> l' <= l.
Proof.
  intros Hl' Hl. destruct r_facts as [R0 R2]. destruct wide_facts as [S2 [W _]].
  destruct (gaussian_integral_exists wide H W H_growth) as [E HE].
  assert (Cr : forall x, continuous row_bound x).
  { intros x. apply (ex_derive_continuous (V := R_NormedModule)). unfold row_bound, mu0. auto_derive. trivial. }
  assert (Cc : forall y, continuous column_bound y).
  { intros y. apply (continuous_scal_r (V := R_NormedModule) (sqrt 2)), mu0_times_continuous, (proj1 H_growth). }
  assert (Ic := int_line_scal _ (sqrt 2) _ HE).
  assert (IJ := int_line_scale _ (/ r) _ ltac:(apply Rinv_0_lt_compat, R0) Hl).
  refine (tonelli_le sheared sheared_continuous row_bound column_bound (sqrt 2 * E) Cr _ Cc Ic sheared_bound
    (fun y => / r * (mu0 sigma (/ r * y) * H (r * (/ r * y)))) l l' _ sheared_column IJ _).
  - intros x. left. apply Rmult_lt_0_compat; [apply mu0_pos, Hs|apply exp_pos].
  - intros y. apply (continuous_scal_r (V := R_NormedModule) (/ r)).
    apply (continuous_comp (fun y => / r * y) (fun w => mu0 sigma w * H (r * w))).
    + apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. trivial.
    + apply mu0_times_continuous, (growth_scaled H r H_growth).
  - apply (int_line_ext _ _ l') with (2 := Hl'). intros x. symmetry. apply line_integral_eq, sheared_row.
Qed.
End Rotation.

(** Rotation: two independent Gaussian coordinates act through the length of (a,b) only. *)
Theorem rotation_le (sigma a b : R) (H : R -> R) (l l' : R) : 0 < sigma -> 0 <= a -> exponential_growth H ->
  int_line (fun x => mu0 sigma x * smoothed sigma b H (a * x)) l' ->
  int_line (fun w => mu0 sigma w * H (sqrt (a ^ 2 + b ^ 2) * w)) l -> l' <= l.
Proof.
  intros Hs Ha HH Hl' Hl.
  destruct (Rtotal_order b 0) as [Hb|[Hb|Hb]].
  - assert (E : forall s, smoothed sigma b H s = smoothed sigma (- b) H s).
    { intros s. apply line_integral_eq.
      destruct (smoothed_facts sigma (- b) Hs H HH) as [I _].
      apply (int_line_ext _ _ _) with (2 := int_line_reflect _ 0 _ (I s)). intros t. cbv beta.
      replace (0 - t) with (- t) by ring. rewrite mu0_even. do 2 f_equal. ring. }
    apply (rotation_le_positive sigma a (- b) Hs ltac:(lra) H HH).
    + apply (int_line_ext _ _ l') with (2 := Hl'). intros x. rewrite E. reflexivity.
    + replace ((- b) ^ 2) with (b ^ 2) by ring. exact Hl.
  - subst b. right. apply (int_line_unique _ _ _ Hl').
    apply (int_line_ext _ _ l) with (2 := Hl). intros x. f_equal.
    replace (a ^ 2 + 0 ^ 2) with (Rsqr a) by (unfold Rsqr; ring). rewrite sqrt_Rsqr by exact Ha.
    symmetry. apply line_integral_eq.
    assert (I := int_line_scal _ (H (a * x)) _ (mu0_normalised sigma Hs)). rewrite Rmult_1_r in I.
    apply (int_line_ext _ _ _) with (2 := I). intros t. cbv beta.
    replace (a * x + 0 * t) with (a * x) by ring. ring.
  - exact (rotation_le_positive sigma a b Hs Hb H HH l l' Hl' Hl).
Qed.
