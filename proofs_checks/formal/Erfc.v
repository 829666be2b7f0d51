(** The complementary error function, and the half-line moments of mu1/mu0
    under mu0 expressed by it, for every real exponent and every cut point. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine GaussianIntegral Gaussian.
Open Scope R_scope.

(** erfc(x) = 2/sqrt(PI) times the integral of exp(-t^2) over [x, oo). *)
Definition erfc (x : R) : R :=
  2 / sqrt PI * RInt_gen (fun t => exp (- t ^ 2)) (at_point x) (Rbar_locally p_infty).

Lemma int_right_bell (x : R) : int_right bell x (sqrt PI / 2 * erfc x).
Proof.
  destruct (int_right_exists bell bell_continuous bell_nonneg x (sqrt PI) int_line_bell) as [l [H _]].
  assert (E : RInt_gen bell (at_point x) (Rbar_locally p_infty) = l) by exact (is_RInt_gen_unique bell l H).
  unfold erfc. change (fun t : R => exp (- t ^ 2)) with bell. rewrite E.
  assert (P := sqrt_PI_pos). replace (sqrt PI / 2 * (2 / sqrt PI * l)) with l by (field; lra). exact H.
Qed.

Lemma erfc_nonneg (x : R) : 0 <= erfc x.
Proof.
  assert (H := int_right_bell x). assert (Z := int_right_scal _ _ 0 _ H). rewrite Rmult_0_l in Z.
  assert (K : 0 <= sqrt PI / 2 * erfc x).
  { refine (int_right_le _ _ x _ _ _ Z H). intros t _. rewrite Rmult_0_l. apply bell_nonneg. }
  assert (P := sqrt_PI_pos). nra.
Qed.

(** The tail of mu0. *)
Lemma int_right_mu0 (sigma z : R) : 0 < sigma ->
  int_right (mu0 sigma) z (1 / 2 * erfc (z / (sqrt 2 * sigma))).
Proof.
  intros Hs. assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (SP := sqrt_PI_pos).
  set (u := / (sqrt 2 * sigma)).
  assert (Hu : 0 < u) by (apply Rinv_0_lt_compat; nra).
  assert (H := int_right_bell (u * z + 0)). apply int_right_affine in H; [|exact Hu].
  apply (int_right_scal _ _ (/ sqrt PI)) in H.
  replace (u * z + 0) with (z / (sqrt 2 * sigma)) in H by (unfold u; field; lra).
  replace (/ sqrt PI * (sqrt PI / 2 * erfc (z / (sqrt 2 * sigma))))
    with (1 / 2 * erfc (z / (sqrt 2 * sigma))) in H by (field; lra).
  refine (int_right_ext _ _ _ _ _ H).
  intros x. unfold mu0, bell. rewrite sqrt_mult by (assert (X := PI_RGT_0); lra).
  replace (- (u * x + 0) ^ 2) with (- x ^ 2 / (2 * sigma ^ 2)).
  - unfold u. field. lra.
  - unfold u. rewrite <- (sqrt_sqrt 2) at 1 by lra. field. lra.
Qed.

(** The integral of mu0 (mu1/mu0)^k over [z, oo), every real k. *)
Theorem moment_right (sigma k z : R) : 0 < sigma ->
  int_right (fun x => mu0 sigma x * Rpower (mu1 sigma x / mu0 sigma x) k) z
    (1 / 2 * exp ((k ^ 2 - k) / (2 * sigma ^ 2)) * erfc ((z - k) / (sqrt 2 * sigma))).
Proof.
  intros Hs.
  assert (H := int_right_shift _ k z _ (int_right_mu0 sigma (z - k) Hs)).
  apply (int_right_scal _ _ (exp ((k ^ 2 - k) / (2 * sigma ^ 2)))) in H.
  rewrite <- Rmult_assoc, (Rmult_comm (exp _) (1 / 2)) in H.
  refine (int_right_ext _ _ _ _ _ H).
  intros x. rewrite <- mu0_tilted, mu1_over_mu0 by exact Hs. reflexivity.
Qed.

(** The integral of mu0 (mu1/mu0)^k over (-oo, z], every real k. *)
Theorem moment_left (sigma k z : R) : 0 < sigma ->
  int_left (fun x => mu0 sigma x * Rpower (mu1 sigma x / mu0 sigma x) k) z
    (1 / 2 * exp ((k ^ 2 - k) / (2 * sigma ^ 2)) * erfc ((k - z) / (sqrt 2 * sigma))).
Proof.
  intros Hs.
  assert (H := int_left_of_right _ k z _ (int_right_mu0 sigma (k - z) Hs)).
  apply (int_left_scal _ _ (exp ((k ^ 2 - k) / (2 * sigma ^ 2)))) in H.
  rewrite <- Rmult_assoc, (Rmult_comm (exp _) (1 / 2)) in H.
  refine (int_left_ext _ _ _ _ _ H).
  intros x. replace (k - x) with (- (x - k)) by ring. rewrite mu0_even.
  rewrite <- mu0_tilted, mu1_over_mu0 by exact Hs. reflexivity.
Qed.
