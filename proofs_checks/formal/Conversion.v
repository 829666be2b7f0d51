(** From a Renyi moment to (eps, delta)-differential privacy, for densities on R^d.

    The hockey-stick integrand is at most a multiple of the integrand of the moment AT EVERY POINT,
    and the best multiple is the constant of Canonne-Kamath-Steinke (Proposition 12) and of Balle et
    al. (2020, Theorem 21).  No measure theory is needed. *)

From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral ShiftMonotone SampledMechanism SpaceIntegral SpaceBranch SpaceReduction.
From SGM Require Import SteadyIntegral.
Open Scope R_scope.

(** The hockey-stick integrand, and (eps, delta)-DP: its integral exists and is at most delta, on
    adjacent data sets in both orders. *)
Definition hockey (eps : R) (P Q : point -> R) (x : point) : R := Rmax 0 (P x - exp eps * Q x).

Definition is_DP_space {U : Type} (d : nat) (M : list U -> point -> R) (eps delta : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
    exists l, int_space d (hockey eps (M S) (M S')) l /\ l <= delta.

(** The same by tests: chi is the probability of saying yes to an output; an event is a test with
    the values 0 and 1.  Tests count whose probabilities a and b exist as integrals. *)
Definition is_DP_tests {U : Type} (d : nat) (M : list U -> point -> R) (eps delta : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
  forall (chi : point -> R) (a b : R), (forall x, 0 <= chi x <= 1) ->
    int_space d (fun x => chi x * M S x) a -> int_space d (fun x => chi x * M S' x) b ->
    a <= exp eps * b + delta.

Theorem dp_tests {U : Type} (d : nat) (M : list U -> point -> R) (eps delta : R) :
  is_DP_space d M eps delta -> is_DP_tests d M eps delta.
Proof.
  intros DP S S' HS chi a b Hchi Ha Hb. destruct (DP S S' HS) as [l [Il Bl]].
  assert (Hd := int_space_plus d _ _ _ _ Ha (int_space_scal d _ (- exp eps) _ Hb)).
  assert (K : a + - exp eps * b <= l); [|lra].
  refine (int_space_le d _ _ _ _ _ Hd Il). intros x. unfold hockey.
  assert (C := Hchi x). assert (M0 := Rmax_l 0 (M S x - exp eps * M S' x)).
  assert (M1 := Rmax_r 0 (M S x - exp eps * M S' x)). set (h := Rmax 0 (M S x - exp eps * M S' x)) in *.
  replace (chi x * M S x + - exp eps * (chi x * M S' x)) with (chi x * (M S x - exp eps * M S' x)) by ring.
  apply Rle_trans with (chi x * h); [apply Rmult_le_compat_l; lra|].
  rewrite <- (Rmult_1_l h) at 2. apply Rmult_le_compat_r; lra.
Qed.

Lemma positive_part_continuous (z : R) : continuous (fun z => Rmax 0 z) z.
Proof.
  apply filterlim_locally. intros eps. exists eps. intros y Hy.
  unfold ball in *; simpl in *; unfold AbsRing_ball, abs, minus, plus, opp in *; simpl in *.
  apply Rle_lt_trans with (2 := Hy). unfold Rmax.
  destruct (Rle_dec 0 y); destruct (Rle_dec 0 z); unfold Rabs; repeat destruct Rcase_abs; lra.
Qed.

Lemma hockey_continuous (eps : R) (P Q : point -> R) : continuous_on_space P -> continuous_on_space Q ->
  continuous_on_space (hockey eps P Q).
Proof.
  intros CP CQ x. apply (continuous_comp (fun x : point_space => P x - exp eps * Q x) (fun z => Rmax 0 z)).
  - apply (continuous_minus (V := R_NormedModule)); [apply CP|].
    apply (continuous_scal_r (V := R_NormedModule) (exp eps)), CQ.
  - apply positive_part_continuous.
Qed.

(** * The inequality at a point *)

Definition conversion_constant (alpha : R) : R := / alpha * Rpower (1 - 1 / alpha) (alpha - 1).

Lemma one_minus_inverse_pos (alpha : R) : 1 < alpha -> 0 < 1 - 1 / alpha < 1.
Proof.
  intros Ha. unfold Rdiv. rewrite Rmult_1_l.
  assert (X : / alpha < / 1) by (apply Rinv_lt_contravar; lra). rewrite Rinv_1 in X.
  assert (Y : 0 < / alpha) by (apply Rinv_0_lt_compat; lra). lra.
Qed.

Lemma conversion_constant_bounds (alpha : R) : 1 < alpha -> 0 < conversion_constant alpha <= 1.
Proof.
  intros Ha. unfold conversion_constant. assert (B := one_minus_inverse_pos alpha Ha).
  assert (I : 0 < / alpha <= 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (P := Rpower_pos (1 - 1 / alpha) (alpha - 1)).
  assert (P1 : Rpower (1 - 1 / alpha) (alpha - 1) <= 1).
  { assert (L := ln_le (1 - 1 / alpha) 1 ltac:(lra) ltac:(lra)). rewrite ln_1 in L.
    unfold Rpower. apply Rle_trans with (exp 0); [apply exp_le; nra|rewrite exp_0; apply Rle_refl]. }
  split; [apply Rmult_lt_0_compat; lra|nra].
Qed.

(** u - c <= kappa c^(1-alpha) u^alpha: the tangent of u^alpha at c alpha/(alpha-1) vanishes at c. *)
Lemma hockey_below_power (alpha u c : R) : 1 < alpha -> 0 < u -> 0 < c ->
  u - c <= conversion_constant alpha * Rpower c (1 - alpha) * Rpower u alpha.
Proof.
  intros Ha Hu Hc. assert (B := one_minus_inverse_pos alpha Ha). set (r := 1 - 1 / alpha) in *.
  set (t := c * / r).
  assert (Ir : 0 < / r) by (apply Rinv_0_lt_compat; lra).
  assert (Ht : 0 < t) by (apply Rmult_lt_0_compat; assumption).
  assert (Hb : convex_exponent alpha) by (right; lra).
  assert (T := power_above_tangent alpha u t Hb Hu Ht).
  assert (E1 : Rpower t alpha = t * Rpower t (alpha - 1)).
  { rewrite <- Rpower_succ by exact Ht. f_equal. ring. }
  assert (Er : r * alpha = alpha - 1) by (unfold r; field; lra).
  assert (Et : t * r = c) by (unfold t; field; lra).
  assert (E2 : Rpower t alpha + alpha * Rpower t (alpha - 1) * (u - t) = alpha * Rpower t (alpha - 1) * (u - c)).
  { rewrite E1. replace (alpha * Rpower t (alpha - 1) * (u - c))
      with (Rpower t (alpha - 1) * (alpha * u - t * (r * alpha))) by (rewrite <- Et; ring).
    rewrite Er. ring. }
  rewrite E2 in T.
  assert (E3 : conversion_constant alpha * Rpower c (1 - alpha) * (alpha * Rpower t (alpha - 1)) = 1).
  { unfold conversion_constant. fold r. unfold t.
    rewrite <- (Rpower_mult_distr c (/ r)), Rpower_inv_base by lra.
    replace (1 - alpha) with (- (alpha - 1)) by ring. rewrite !Rpower_Ropp.
    assert (X := Rpower_pos r (alpha - 1)). assert (Y := Rpower_pos c (alpha - 1)). field. lra. }
  set (k := conversion_constant alpha * Rpower c (1 - alpha)) in *.
  assert (Hk : 0 < k) by (apply Rmult_lt_0_compat; [apply conversion_constant_bounds, Ha|apply Rpower_pos]).
  apply Rle_trans with (k * (alpha * Rpower t (alpha - 1) * (u - c))); [|apply Rmult_le_compat_l; lra].
  rewrite <- Rmult_assoc, E3. lra.
Qed.

(** * Integrated *)

Lemma hockey_below_moment (alpha eps : R) (P Q : point -> R) : 1 < alpha ->
  (forall x, 0 < P x) -> (forall x, 0 < Q x) -> forall x,
  hockey eps P Q x <= conversion_constant alpha * exp ((1 - alpha) * eps) * space_moment alpha P Q x.
Proof.
  intros Ha HP HQ x. assert (p := HP x). assert (r := HQ x).
  assert (Hu : 0 < P x / Q x) by (apply Rdiv_lt_0_compat; assumption).
  assert (K := hockey_below_power alpha (P x / Q x) (exp eps) Ha Hu (exp_pos eps)).
  replace (Rpower (exp eps) (1 - alpha)) with (exp ((1 - alpha) * eps)) in K
    by (unfold Rpower; rewrite ln_exp; reflexivity).
  assert (C := conversion_constant_bounds alpha Ha). assert (E := exp_pos ((1 - alpha) * eps)).
  assert (N := Rpower_pos (P x / Q x) alpha).
  unfold hockey, space_moment. set (k := conversion_constant alpha * exp ((1 - alpha) * eps)) in *.
  assert (Hk : 0 < k) by (apply Rmult_lt_0_compat; lra).
  apply Rmax_lub.
  - apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
  - replace (P x - exp eps * Q x) with (Q x * (P x / Q x - exp eps)) by (field; lra).
    replace (k * (Q x * Rpower (P x / Q x) alpha)) with (Q x * (k * Rpower (P x / Q x) alpha)) by ring.
    apply Rmult_le_compat_l; lra.
Qed.

(** The hockey-stick integral of two steady densities exists. *)
Lemma hockey_exists (d : nat) (eps : R) (P Q : point -> R) : steady d P -> continuous_on_space Q ->
  (forall x, 0 < Q x) -> exists l, int_space d (hockey eps P Q) l.
Proof.
  intros GP CQ HQ. apply steady_integral, (steady_below d _ P GP).
  - apply hockey_continuous; [exact (steady_continuous d P GP)|exact CQ].
  - intros x. unfold hockey. split; [apply Rmax_l|]. apply Rmax_lub; [exact (steady_nonneg d P GP x)|].
    assert (q := HQ x). assert (e := exp_pos eps). nra.
Qed.

(** Canonne-Kamath-Steinke and Balle et al.: delta = exp((alpha-1)(rho-eps)) (1-1/alpha)^(alpha-1)/alpha. *)
Theorem delta_of_moment (d : nat) (alpha eps : R) (P Q : point -> R) (m : R) : 1 < alpha ->
  steady d P -> continuous_on_space Q -> (forall x, 0 < P x) -> (forall x, 0 < Q x) ->
  int_space d (space_moment alpha P Q) m ->
  exists l, int_space d (hockey eps P Q) l /\ l <= conversion_constant alpha * exp ((1 - alpha) * eps) * m.
Proof.
  intros Ha GP CQ HP HQ Im.
  destruct (hockey_exists d eps P Q GP CQ HQ) as [l Il]. exists l. split; [exact Il|].
  exact (int_space_le d _ _ _ _ (hockey_below_moment alpha eps P Q Ha HP HQ) Il (int_space_scal d _ _ _ Im)).
Qed.

(** RDP implies DP, the sharp form and Mironov's. *)
Section RDP_to_DP.
Context {U : Type}.
Variables (d : nat) (M : list U -> point -> R) (alpha rho : R).
Hypothesis Ha : 1 < alpha.
Hypothesis M_steady : forall S, steady d (M S).
Hypothesis M_pos : forall S x, 0 < M S x.
Hypothesis M_moment : forall S S', adjacent S S' \/ adjacent S' S ->
  exists m, int_space d (space_moment alpha (M S) (M S')) m /\ m <= exp ((alpha - 1) * rho).

Theorem dp_of_rdp (eps delta : R) :
  conversion_constant alpha * exp ((alpha - 1) * (rho - eps)) <= delta -> is_DP_space d M eps delta.
Proof.
  intros Hd S S' HS. destruct (M_moment S S' HS) as [m [Im Bm]].
  destruct (delta_of_moment d alpha eps (M S) (M S') m Ha (M_steady S) (steady_continuous d _ (M_steady S'))
    (M_pos S) (M_pos S') Im) as [l [Il Bl]].
  exists l. split; [exact Il|]. apply Rle_trans with (1 := Bl), Rle_trans with (2 := Hd).
  assert (C := conversion_constant_bounds alpha Ha). assert (E := exp_pos ((1 - alpha) * eps)).
  replace ((alpha - 1) * (rho - eps)) with ((1 - alpha) * eps + (alpha - 1) * rho) by ring.
  rewrite exp_plus, <- Rmult_assoc. apply Rmult_le_compat_l; [|exact Bm].
  apply Rmult_le_pos; lra.
Qed.

(** Mironov (2017), Proposition 3. *)
Theorem dp_of_rdp_mironov (delta : R) : 0 < delta ->
  is_DP_space d M (rho + ln (1 / delta) / (alpha - 1)) delta.
Proof.
  intros Hd. apply dp_of_rdp. assert (C := conversion_constant_bounds alpha Ha).
  replace ((alpha - 1) * (rho - (rho + ln (1 / delta) / (alpha - 1)))) with (- ln (1 / delta)) by (field; lra).
  unfold Rdiv. rewrite Rmult_1_l, ln_Rinv, Ropp_involutive, exp_ln by exact Hd. nra.
Qed.

(** Canonne-Kamath-Steinke (2020), Balle et al. (2020), solved for epsilon. *)
Theorem dp_of_rdp_cks (delta : R) : 0 < delta ->
  is_DP_space d M (rho + ln (1 - 1 / alpha) - (ln delta + ln alpha) / (alpha - 1)) delta.
Proof.
  intros Hd. apply dp_of_rdp. assert (B := one_minus_inverse_pos alpha Ha).
  unfold conversion_constant.
  replace ((alpha - 1) * (rho - (rho + ln (1 - 1 / alpha) - (ln delta + ln alpha) / (alpha - 1))))
    with (- ((alpha - 1) * ln (1 - 1 / alpha)) + (ln delta + ln alpha)) by (field; lra).
  rewrite 2!exp_plus, !exp_ln by lra. fold (Rpower (1 - 1 / alpha) (alpha - 1)).
  rewrite exp_Ropp. fold (Rpower (1 - 1 / alpha) (alpha - 1)).
  assert (P := Rpower_pos (1 - 1 / alpha) (alpha - 1)). right. field. lra.
Qed.
End RDP_to_DP.
