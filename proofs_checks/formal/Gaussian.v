(** The two densities mu0 = N(0, sigma^2) and mu1 = N(1, sigma^2): normalisation,
    the reflection z -> 1 - z that exchanges them, the likelihood ratio
    mu1/mu0, its moments under mu0 for every real exponent, and the Gaussian
    tail bound. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine GaussianIntegral.
Open Scope R_scope.

Definition mu0 (sigma z : R) : R := exp (- z ^ 2 / (2 * sigma ^ 2)) / (sigma * sqrt (2 * PI)).
Definition mu1 (sigma z : R) : R := exp (- (z - 1) ^ 2 / (2 * sigma ^ 2)) / (sigma * sqrt (2 * PI)).

(** mu1/mu0 in closed form. *)
Definition ratio (sigma z : R) : R := exp ((2 * z - 1) / (2 * sigma ^ 2)).

Lemma mu1_shift (sigma z : R) : mu1 sigma z = mu0 sigma (z - 1).
Proof. reflexivity. Qed.

Lemma normalizer_pos (sigma : R) : 0 < sigma -> 0 < sigma * sqrt (2 * PI).
Proof.
  intros Hs. apply Rmult_lt_0_compat; [exact Hs|].
  apply sqrt_lt_R0. assert (X := PI_RGT_0). lra.
Qed.

Lemma mu0_pos (sigma z : R) : 0 < sigma -> 0 < mu0 sigma z.
Proof. intros Hs. apply Rdiv_lt_0_compat; [apply exp_pos|apply normalizer_pos, Hs]. Qed.

Lemma mu1_pos (sigma z : R) : 0 < sigma -> 0 < mu1 sigma z.
Proof. exact (mu0_pos sigma (z - 1)). Qed.

Lemma mu0_shift_continuous (sigma v : R) : forall z, continuous (fun z => mu0 sigma (z - v)) z.
Proof.
  intros z. apply (ex_derive_continuous (V := R_NormedModule)). unfold mu0. auto_derive. trivial.
Qed.

Lemma mu0_continuous (sigma : R) : forall z, continuous (mu0 sigma) z.
Proof.
  intros z. apply (ex_derive_continuous (V := R_NormedModule)). unfold mu0. auto_derive. trivial.
Qed.

Lemma mu1_continuous (sigma : R) : forall z, continuous (mu1 sigma) z.
Proof. exact (mu0_shift_continuous sigma 1). Qed.

(** * Normalisation *)

(** mu0 is a probability density. *)
Theorem mu0_normalised (sigma : R) : 0 < sigma -> int_line (mu0 sigma) 1.
Proof.
  intros Hs. assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (SP := sqrt_PI_pos).
  assert (U : 0 < / (sigma * sqrt 2)) by (apply Rinv_0_lt_compat; nra).
  assert (H := int_line_scal _ (/ sqrt PI) _ (int_line_scale bell _ _ U int_line_bell)).
  rewrite Rinv_l in H by lra.
  apply (int_line_ext (fun x => / sqrt PI * (/ (sigma * sqrt 2) * bell (/ (sigma * sqrt 2) * x))));
    [|exact H].
  intros z. unfold mu0, bell. rewrite sqrt_mult by (assert (X := PI_RGT_0); lra).
  replace (- (/ (sigma * sqrt 2) * z) ^ 2) with (- z ^ 2 / (2 * sigma ^ 2)).
  - field. lra.
  - rewrite <- (sqrt_sqrt 2) at 1 by lra. field. lra.
Qed.

Lemma mu0_shift_normalised (sigma v : R) : 0 < sigma -> int_line (fun z => mu0 sigma (z - v)) 1.
Proof. intros Hs. exact (int_line_shift (mu0 sigma) (- v) 1 (mu0_normalised sigma Hs)). Qed.

(** mu1 is a probability density. *)
Theorem mu1_normalised (sigma : R) : 0 < sigma -> int_line (mu1 sigma) 1.
Proof. exact (mu0_shift_normalised sigma 1). Qed.

(** * Reflection *)

(** mu0(z) = mu1(1-z). *)
Lemma mu1_reflect (sigma z : R) : mu1 sigma (1 - z) = mu0 sigma z.
Proof. unfold mu1, mu0. f_equal. f_equal. f_equal. ring. Qed.

Lemma mu0_reflect (sigma z : R) : mu0 sigma (1 - z) = mu1 sigma z.
Proof. unfold mu1, mu0. f_equal. f_equal. f_equal. ring. Qed.

Lemma mu0_even (sigma z : R) : mu0 sigma (- z) = mu0 sigma z.
Proof. unfold mu0. f_equal. f_equal. f_equal. ring. Qed.

(** * The likelihood ratio *)

Lemma ratio_pos (sigma z : R) : 0 < ratio sigma z.
Proof. apply exp_pos. Qed.

Lemma mu1_eq_ratio (sigma z : R) : 0 < sigma -> mu1 sigma z = ratio sigma z * mu0 sigma z.
Proof.
  intros Hs. unfold mu1, mu0, ratio. unfold Rdiv at 1 4. rewrite <- Rmult_assoc, <- exp_plus.
  f_equal. f_equal. field. lra.
Qed.

Lemma mu1_over_mu0 (sigma z : R) : 0 < sigma -> mu1 sigma z / mu0 sigma z = ratio sigma z.
Proof.
  intros Hs. rewrite mu1_eq_ratio by exact Hs. field. assert (X := mu0_pos sigma z Hs). lra.
Qed.

Lemma mu0_over_mu1 (sigma z : R) : 0 < sigma -> mu0 sigma z / mu1 sigma z = / ratio sigma z.
Proof.
  intros Hs. rewrite mu1_eq_ratio by exact Hs. field.
  assert (X := mu0_pos sigma z Hs). assert (Y := ratio_pos sigma z). lra.
Qed.

Lemma ratio_reflect (sigma z : R) : 0 < sigma -> ratio sigma (1 - z) = / ratio sigma z.
Proof. intros Hs. unfold ratio. rewrite <- exp_Ropp. f_equal. field. lra. Qed.

Lemma ratio_increasing (sigma x y : R) : 0 < sigma -> x < y -> ratio sigma x < ratio sigma y.
Proof.
  intros Hs H. unfold ratio. apply exp_increasing. unfold Rdiv.
  apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; nra|lra].
Qed.

Lemma ratio_nondecreasing (sigma x y : R) : 0 < sigma -> x <= y -> ratio sigma x <= ratio sigma y.
Proof. intros Hs [H|H]; [left; apply ratio_increasing; assumption|subst; lra]. Qed.

(** * Moments of the likelihood ratio under mu0 *)

(** Completing the square: mu0 times the ratio to the power a is a shifted mu0. *)
Lemma mu0_tilted (sigma a z : R) : 0 < sigma ->
  mu0 sigma z * Rpower (ratio sigma z) a = exp ((a ^ 2 - a) / (2 * sigma ^ 2)) * mu0 sigma (z - a).
Proof.
  intros Hs. unfold mu0, ratio, Rpower. rewrite ln_exp. unfold Rdiv at 1 5.
  rewrite <- Rmult_assoc, <- exp_plus. rewrite (Rmult_comm (_ * / _)), <- Rmult_assoc, <- exp_plus.
  f_equal. f_equal. field. lra.
Qed.

(** E_{mu0}[(mu1/mu0)^a] = exp((a^2-a)/(2 sigma^2)), every real a. *)
Theorem ratio_moment (sigma a : R) : 0 < sigma ->
  int_line (fun z => mu0 sigma z * Rpower (mu1 sigma z / mu0 sigma z) a)
    (exp ((a ^ 2 - a) / (2 * sigma ^ 2))).
Proof.
  intros Hs.
  assert (H := int_line_scal _ (exp ((a ^ 2 - a) / (2 * sigma ^ 2))) _ (mu0_shift_normalised sigma a Hs)).
  rewrite Rmult_1_r in H.
  apply (int_line_ext (fun z => exp ((a ^ 2 - a) / (2 * sigma ^ 2)) * mu0 sigma (z - a))); [|exact H].
  intros z. rewrite <- mu0_tilted, mu1_over_mu0 by exact Hs. reflexivity.
Qed.

Lemma mu0_sq_over_mu1_shift (sigma z : R) : 0 < sigma ->
  mu0 sigma z ^ 2 / mu1 sigma z = exp (1 / sigma ^ 2) * mu0 sigma (z - - (1)).
Proof.
  intros Hs. assert (P := mu0_pos sigma z Hs). assert (Q := ratio_pos sigma z).
  replace (1 / sigma ^ 2) with (((- (1)) ^ 2 - - (1)) / (2 * sigma ^ 2)) by (field; lra).
  rewrite <- mu0_tilted, Rpower_Ropp, Rpower_1, mu1_eq_ratio by assumption. field. lra.
Qed.

Lemma mu1_sq_over_mu0_shift (sigma z : R) : 0 < sigma ->
  mu1 sigma z ^ 2 / mu0 sigma z = exp (1 / sigma ^ 2) * mu0 sigma (z - 2).
Proof.
  intros Hs. assert (P := mu0_pos sigma z Hs). assert (Q := ratio_pos sigma z).
  replace (1 / sigma ^ 2) with ((2 ^ 2 - 2) / (2 * sigma ^ 2)) by (field; lra).
  rewrite <- mu0_tilted by exact Hs.
  replace (Rpower (ratio sigma z) 2) with (ratio sigma z ^ 2)
    by (rewrite <- Rpower_pow by exact Q; f_equal).
  rewrite mu1_eq_ratio by exact Hs. field. lra.
Qed.

(** The integral of mu0^2/mu1 is exp(1/sigma^2). *)
Theorem int_mu0_sq_over_mu1 (sigma : R) : 0 < sigma ->
  int_line (fun z => mu0 sigma z ^ 2 / mu1 sigma z) (exp (1 / sigma ^ 2)).
Proof.
  intros Hs.
  assert (H := int_line_scal _ (exp (1 / sigma ^ 2)) _ (mu0_shift_normalised sigma (- (1)) Hs)).
  rewrite Rmult_1_r in H.
  apply (int_line_ext (fun z => exp (1 / sigma ^ 2) * mu0 sigma (z - - (1)))); [|exact H].
  intros z. symmetry. apply mu0_sq_over_mu1_shift, Hs.
Qed.

(** The integral of mu1^2/mu0 is exp(1/sigma^2). *)
Theorem int_mu1_sq_over_mu0 (sigma : R) : 0 < sigma ->
  int_line (fun z => mu1 sigma z ^ 2 / mu0 sigma z) (exp (1 / sigma ^ 2)).
Proof.
  intros Hs.
  assert (H := int_line_scal _ (exp (1 / sigma ^ 2)) _ (mu0_shift_normalised sigma 2 Hs)).
  rewrite Rmult_1_r in H.
  apply (int_line_ext (fun z => exp (1 / sigma ^ 2) * mu0 sigma (z - 2))); [|exact H].
  intros z. symmetry. apply mu1_sq_over_mu0_shift, Hs.
Qed.

(** * Gaussian tail bound *)

Lemma mu0_half (sigma : R) : 0 < sigma -> int_right (mu0 sigma) 0 (1 / 2).
Proof.
  intros Hs.
  destruct (int_line_split (mu0 sigma) 0 1 (mu0_continuous sigma)
    (fun z => Rlt_le _ _ (mu0_pos sigma z Hs)) (mu0_normalised sigma Hs)) as [l1 [l2 [H1 [H2 E]]]].
  assert (H3 : int_left (mu0 sigma) 0 l2).
  { apply (int_left_ext (fun z => mu0 sigma (0 - z))).
    - intros z. rewrite <- (mu0_even sigma z). f_equal. ring.
    - apply int_left_of_right. rewrite Rminus_0_r. exact H2. }
  assert (E2 := int_left_unique _ _ _ _ H1 H3).
  replace (1 / 2) with l2 by lra. exact H2.
Qed.

(** The tail integral exists and is at most half the bound used by the paper. *)
Lemma gaussian_tail_half (sigma t : R) : 0 < sigma -> 0 <= t ->
  exists T, int_right (mu0 sigma) t T /\ T <= 1 / 2 * exp (- t ^ 2 / (2 * sigma ^ 2)).
Proof.
  intros Hs Ht.
  destruct (int_right_exists (mu0 sigma) (mu0_continuous sigma)
    (fun z => Rlt_le _ _ (mu0_pos sigma z Hs)) t 1 (mu0_normalised sigma Hs)) as [T [HT _]].
  exists T. split; [exact HT|].
  (* compare with exp(-t^2/(2 sigma^2)) mu0(z-t): (z-t)^2 + t^2 <= z^2 for z >= t >= 0 *)
  assert (H := mu0_half sigma Hs). replace 0 with (t - t) in H by ring.
  apply int_right_shift in H.
  apply (int_right_scal _ _ (exp (- t ^ 2 / (2 * sigma ^ 2)))) in H.
  rewrite Rmult_comm.
  refine (int_right_le _ _ t T _ _ HT H).
  intros z Hz. unfold mu0, Rdiv. rewrite <- Rmult_assoc, <- exp_plus.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, normalizer_pos, Hs|].
  apply exp_le. rewrite <- Rmult_plus_distr_r.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|]. nra.
Qed.

(** Gaussian tail bound, strict, as the proof of Lemma 10 uses it. *)
Theorem gaussian_tail (sigma t : R) : 0 < sigma -> 0 <= t ->
  exists T, int_right (mu0 sigma) t T /\ T < exp (- t ^ 2 / (2 * sigma ^ 2)).
Proof.
  intros Hs Ht. destruct (gaussian_tail_half sigma t Hs Ht) as [T [HT B]].
  exists T. split; [exact HT|]. assert (P := exp_pos (- t ^ 2 / (2 * sigma ^ 2))). lra.
Qed.
