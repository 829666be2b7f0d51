(** The Gaussian integral: the integral of exp(-x^2) over R is sqrt(PI).

    With I(x) = int_0^x exp(-t^2) dt and
    J(x) = int_0^1 exp(-x^2 (1+t^2)) / (1+t^2) dt, the sum I(x)^2 + J(x) has
    derivative zero, hence equals J(0) = PI/4; and J(x) -> 0. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral.
Open Scope R_scope.

Definition bell (x : R) : R := exp (- x ^ 2).
Definition bell_kernel (x t : R) : R := exp (- (x ^ 2 * (1 + t ^ 2))) / (1 + t ^ 2).
Definition bell_primitive (x : R) : R := RInt bell 0 x.
Definition kernel_integral (x : R) : R := RInt (bell_kernel x) 0 1.

Lemma one_plus_square_pos (t : R) : 0 < 1 + t ^ 2.
Proof. assert (X := pow2_ge_0 t). lra. Qed.

Lemma bell_continuous (x : R) : continuous bell x.
Proof. apply (ex_derive_continuous (V := R_NormedModule)). unfold bell. auto_derive. trivial. Qed.

Lemma bell_integrable (a b : R) : ex_RInt bell a b.
Proof. exact (ex_RInt_everywhere_continuous bell bell_continuous a b). Qed.

Lemma bell_nonneg (x : R) : 0 <= bell x.
Proof. left. apply exp_pos. Qed.

Lemma kernel_integrable (x a b : R) : ex_RInt (bell_kernel x) a b.
Proof.
  apply ex_RInt_everywhere_continuous. intros t.
  apply (ex_derive_continuous (V := R_NormedModule)). unfold bell_kernel. auto_derive.
  assert (X := one_plus_square_pos t). simpl in X. lra.
Qed.

Lemma kernel_nonneg (x t : R) : 0 <= bell_kernel x t.
Proof. left. apply Rdiv_lt_0_compat; [apply exp_pos|apply one_plus_square_pos]. Qed.

Lemma bell_primitive_derive (x : R) : is_derive bell_primitive x (bell x).
Proof.
  apply (is_derive_RInt (V := R_NormedModule) bell bell_primitive 0 x).
  - apply filter_forall. intros b. apply (RInt_correct (V := R_CompleteNormedModule)), bell_integrable.
  - apply bell_continuous.
Qed.

Lemma kernel_derive (x t : R) :
  is_derive (fun u => bell_kernel u t) x (-2 * x * exp (- (x ^ 2 * (1 + t ^ 2)))).
Proof.
  unfold bell_kernel. auto_derive; [trivial|].
  assert (X := one_plus_square_pos t). simpl in *. field. lra.
Qed.

Lemma kernel_Derive (x t : R) :
  Derive (fun u => bell_kernel u t) x = -2 * x * exp (- (x ^ 2 * (1 + t ^ 2))).
Proof. apply is_derive_unique, kernel_derive. Qed.

(** Differentiation under the integral sign. *)
Lemma kernel_integral_derive (x : R) :
  is_derive kernel_integral x (RInt (fun t => -2 * x * exp (- (x ^ 2 * (1 + t ^ 2)))) 0 1).
Proof.
  rewrite <- (RInt_ext (fun t => Derive (fun u => bell_kernel u t) x))
    by (intros; apply kernel_Derive).
  apply (is_derive_RInt_param bell_kernel 0 1 x).
  - apply filter_forall. intros y t _. eexists. apply kernel_derive.
  - intros t _.
    apply continuity_2d_pt_ext with (fun u v => -2 * u * exp (- (u * u * (1 + v * v)))).
    { intros u v. rewrite kernel_Derive. f_equal. f_equal. ring. }
    apply continuity_2d_pt_mult.
    { apply continuity_2d_pt_mult; [apply continuity_2d_pt_const|apply continuity_2d_pt_id1]. }
    apply continuity_1d_2d_pt_comp with (f := exp).
    { apply derivable_continuous_pt, derivable_pt_exp. }
    apply continuity_2d_pt_opp. apply continuity_2d_pt_mult.
    { apply continuity_2d_pt_mult; apply continuity_2d_pt_id1. }
    apply continuity_2d_pt_plus; [apply continuity_2d_pt_const|].
    apply continuity_2d_pt_mult; apply continuity_2d_pt_id2.
  - apply filter_forall. intros y. apply kernel_integrable.
Qed.

Lemma kernel_integral_derive_value (x : R) :
  RInt (fun t => -2 * x * exp (- (x ^ 2 * (1 + t ^ 2)))) 0 1 = -2 * bell x * bell_primitive x.
Proof.
  unfold bell_primitive.
  assert (E := RInt_comp_lin bell x 0 0 1).
  rewrite Rmult_0_r, Rmult_1_r, !Rplus_0_r in E.
  rewrite <- E by apply bell_integrable.
  rewrite <- (RInt_scal (V := R_CompleteNormedModule)).
  - apply RInt_ext. intros t _. unfold bell, scal; simpl. unfold mult; simpl.
    rewrite Rplus_0_r.
    replace (- (x * (x * 1) * (1 + t * (t * 1)))) with (- (x * (x * 1)) + - (x * t * (x * t * 1))) by ring.
    rewrite exp_plus. ring.
  - apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros t _.
    apply (ex_derive_continuous (V := R_NormedModule)).
    unfold bell, scal; simpl. unfold mult; simpl. auto_derive. trivial.
Qed.

Lemma sum_constant (x : R) : 0 <= x ->
  bell_primitive x ^ 2 + kernel_integral x = bell_primitive 0 ^ 2 + kernel_integral 0.
Proof.
  intros Hx. set (h := fun y => bell_primitive y ^ 2 + kernel_integral y).
  assert (D : forall y, is_derive h y 0).
  { intros y. evar_last.
    - apply (is_derive_plus (fun y => bell_primitive y ^ 2) kernel_integral y).
      + apply is_derive_pow, bell_primitive_derive.
      + apply kernel_integral_derive.
    - unfold plus; simpl. rewrite kernel_integral_derive_value. simpl. ring. }
  apply Rle_antisym.
  - apply (nonincreasing_of_derive h (fun _ => 0)); [exact Hx|intros; apply D|intros; lra].
  - apply (nondecreasing_of_derive h (fun _ => 0)); [exact Hx|intros; apply D|intros; lra].
Qed.

Lemma bell_kernel_0 (t : R) : bell_kernel 0 t = / (1 + t ^ 2).
Proof.
  unfold bell_kernel. replace (- (0 ^ 2 * (1 + t ^ 2))) with 0 by ring.
  rewrite exp_0. assert (X := one_plus_square_pos t). field. simpl in *. lra.
Qed.

Lemma kernel_integral_0 : kernel_integral 0 = PI / 4.
Proof.
  unfold kernel_integral. rewrite (RInt_ext (bell_kernel 0) (fun t => / (1 + t ^ 2)))
    by (intros t _; apply bell_kernel_0).
  rewrite <- atan_1. replace (atan 1) with (atan 1 - atan 0) by (rewrite atan_0; ring).
  apply (is_RInt_unique (V := R_CompleteNormedModule)).
  apply (is_RInt_derive (V := R_CompleteNormedModule) atan (fun t => / (1 + t ^ 2)) 0 1).
  - intros t _. apply is_derive_Reals, derivable_pt_lim_atan.
  - intros t _. apply (ex_derive_continuous (V := R_NormedModule)). auto_derive.
    assert (X := one_plus_square_pos t). simpl in X. lra.
Qed.

Lemma kernel_integral_bounds (x : R) : 0 <= kernel_integral x <= exp (- x ^ 2).
Proof.
  split.
  - apply RInt_ge_0; [lra|apply kernel_integrable|]. intros t _. apply kernel_nonneg.
  - replace (exp (- x ^ 2)) with (RInt (fun _ => exp (- x ^ 2)) 0 1).
    2:{ rewrite RInt_const. unfold scal; simpl. unfold mult; simpl. ring. }
    apply RInt_le; [lra|apply kernel_integrable|apply ex_RInt_const|].
    intros t _. unfold bell_kernel. assert (X := one_plus_square_pos t).
    assert (Y := pow2_ge_0 t). assert (Z := pow2_ge_0 x).
    apply Rle_trans with (exp (- (x ^ 2 * (1 + t ^ 2)))).
    + apply Rmult_le_reg_r with (1 + t ^ 2); [exact X|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      assert (P := exp_pos (- (x ^ 2 * (1 + t ^ 2)))). nra.
    + apply exp_le. nra.
Qed.

Lemma bell_primitive_square (x : R) : 0 <= x ->
  PI / 4 - exp (- x ^ 2) <= bell_primitive x ^ 2 <= PI / 4.
Proof.
  intros Hx. assert (E := sum_constant x Hx). rewrite kernel_integral_0 in E.
  assert (I0 : bell_primitive 0 = 0) by (unfold bell_primitive; rewrite RInt_point; reflexivity).
  rewrite I0 in E. assert (B := kernel_integral_bounds x). lra.
Qed.

Lemma bell_primitive_opp (x : R) : bell_primitive (- x) = - bell_primitive x.
Proof.
  unfold bell_primitive.
  assert (E := RInt_comp_lin bell (-1) 0 0 x (bell_integrable _ _)).
  replace (-1 * 0 + 0) with 0 in E by ring. replace (-1 * x + 0) with (- x) in E by ring.
  rewrite <- E. change (- RInt bell 0 x) with (opp (RInt bell 0 x)).
  rewrite <- (RInt_opp bell 0 x (bell_integrable 0 x)).
  apply RInt_ext. intros t _. unfold bell, scal, opp; simpl. unfold mult; simpl.
  replace ((-1 * t + 0) * ((-1 * t + 0) * 1)) with (t * (t * 1)) by ring. ring.
Qed.

Lemma RInt_bell (a b : R) : RInt bell a b = bell_primitive (- a) + bell_primitive b.
Proof.
  rewrite bell_primitive_opp. unfold bell_primitive.
  rewrite <- (RInt_Chasles bell a 0 b (bell_integrable a 0) (bell_integrable 0 b)).
  rewrite <- (opp_RInt_swap bell 0 a) by apply bell_integrable. reflexivity.
Qed.

Lemma sqrt_PI_pos : 0 < sqrt PI.
Proof. apply sqrt_lt_R0, PI_RGT_0. Qed.

Lemma bell_primitive_near_limit (x : R) : 1 <= x ->
  sqrt PI / 2 - / (x * (sqrt PI / 2)) <= bell_primitive x <= sqrt PI / 2.
Proof.
  intros Hx. set (c := sqrt PI / 2).
  assert (C : 0 < c) by (unfold c; assert (X := sqrt_PI_pos); lra).
  assert (C2 : c * c = PI / 4).
  { unfold c. replace (sqrt PI / 2 * (sqrt PI / 2)) with (sqrt PI * sqrt PI / 4) by field.
    rewrite sqrt_sqrt; [reflexivity|]. left; apply PI_RGT_0. }
  assert (I0 : 0 <= bell_primitive x).
  { apply RInt_ge_0; [lra|apply bell_integrable|]. intros t _. apply bell_nonneg. }
  destruct (bell_primitive_square x ltac:(lra)) as [L U]. rewrite <- C2 in L, U.
  assert (Iu : bell_primitive x <= c) by nra.
  split; [|exact Iu].
  assert (E : exp (- x ^ 2) <= / x).
  { rewrite exp_Ropp. apply Rinv_le_contravar; [lra|].
    assert (H := exp_ineq1_le (x ^ 2)). nra. }
  assert (D : c * (c - bell_primitive x) <= / x) by nra.
  rewrite Rinv_mult. apply Rmult_le_compat_l with (r := / c) in D.
  2:{ left; apply Rinv_0_lt_compat; exact C. }
  rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l in D by lra. lra.
Qed.

(** The Gaussian integral. *)
Theorem int_line_bell : int_line bell (sqrt PI).
Proof.
  apply int_line_epsilon. intros eps He. set (c := sqrt PI / 2).
  assert (C : 0 < c) by (unfold c; assert (X := sqrt_PI_pos); lra).
  set (N := / (c * (eps / 2))).
  assert (HN : 0 < N) by (apply Rinv_0_lt_compat; nra).
  assert (EN : N * c * (eps / 2) = 1) by (unfold N; field; lra).
  assert (T : forall x, 1 + N < x -> c - eps / 2 < bell_primitive x <= c).
  { intros x Hx. destruct (bell_primitive_near_limit x ltac:(lra)) as [U V]. fold c in U, V.
    split; [|exact V].
    assert (fact1 : / (x * c) < eps / 2); [|lra].
    assert (Xc : 0 < x * c) by nra.
    apply Rmult_lt_reg_l with (x * c); [exact Xc|]. rewrite Rinv_r by lra. rewrite <- EN.
    apply Rmult_lt_compat_r; [lra|]. nra. }
  exists (1 + N). split; [lra|]. intros a b Ha Hb.
  exists (RInt bell a b).
  split; [apply (RInt_correct (V := R_CompleteNormedModule)), bell_integrable|].
  rewrite RInt_bell. assert (T1 := T (- a) ltac:(lra)). assert (T2 := T b Hb).
  replace (sqrt PI) with (c + c) by (unfold c; lra).
  apply Rabs_def1; lra.
Qed.
