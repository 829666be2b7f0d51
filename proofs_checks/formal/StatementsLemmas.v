(** The paper's lemmas and its formulas for computing, over the definitions of Statements.  Single
    steps of the paper's proofs are in StatementsSteps. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements.
From SGM Require HalfLine Gaussian Lemma15 SymmetricLemma Pointwise AB AGeqB SplitPoint
  A1Bound A2Bound MainTheorem Witnesses Erfc BinomialSeries BinomialRatio FractionalOrder.
Open Scope R_scope.

(** * Definitions *)

(** The improper integral of f over (-oo,z], over [z,oo), converges and equals l. *)
Definition int_left (f : R -> R) (z l : R) : Prop :=
  is_RInt_gen f (Rbar_locally m_infty) (at_point z) l.
Definition int_right (f : R -> R) (z l : R) : Prop :=
  is_RInt_gen f (at_point z) (Rbar_locally p_infty) l.

(** Constants of the closed-form bound. *)
Definition r0 (q alpha : R) : R := 1 + 1 / (q * (alpha - 1)).
Definition z0 (q sigma alpha : R) : R := 1 / 2 + sigma ^ 2 * ln (1 + 1 / (q * (alpha - 1))).

(** Ingredients of the series for fractional alpha. *)
Definition erfc (x : R) : R :=
  2 / sqrt PI * RInt_gen (fun t => exp (- t ^ 2)) (at_point x) (Rbar_locally p_infty).
Definition z1 (q sigma : R) : R := 1 / 2 + sigma ^ 2 * ln (1 / q - 1).
Fixpoint binom (a : R) (n : nat) : R :=
  match n with O => 1 | S p => binom a p * (a - INR p) / (INR p + 1) end.
Fixpoint sum_below (u : nat -> R) (N : nat) : R :=
  match N with O => 0 | S p => sum_below u p + u p end.
Definition left_term (q sigma alpha : R) (k : nat) : R :=
  binom alpha k * Rpower (1 - q) (alpha - INR k) * q ^ k *
  (1 / 2 * exp ((INR k ^ 2 - INR k) / (2 * sigma ^ 2))
         * erfc ((INR k - z1 q sigma) / (sqrt 2 * sigma))).
Definition right_term (q sigma alpha : R) (k : nat) : R :=
  binom alpha k * (1 - q) ^ k * Rpower q (alpha - INR k) *
  (1 / 2 * exp (((alpha - INR k) ^ 2 - (alpha - INR k)) / (2 * sigma ^ 2))
         * erfc ((z1 q sigma - (alpha - INR k)) / (sqrt 2 * sigma))).
Definition A_partial (q sigma alpha : R) (N : nat) : R :=
  sum_below (left_term q sigma alpha) N + sum_below (right_term q sigma alpha) N.

(** * Gaussian facts *)

(** So is every shift of mu0. *)
Theorem mu0_shift_normalised : forall sigma v, 0 < sigma -> int_line (fun z => mu0 sigma (z - v)) 1.
Proof. exact Gaussian.mu0_shift_normalised. Qed.

(** Reflection: mu0(z) = mu1(1-z). *)
Theorem reflection : forall sigma z, mu0 sigma z = mu1 sigma (1 - z).
Proof. intros sigma z. symmetry. exact (Gaussian.mu1_reflect sigma z). Qed.

(** Gaussian tail bound, strict as in the proof of Lemma 10. *)
Theorem gaussian_tail : forall sigma t, 0 < sigma -> 0 <= t ->
  exists T, int_right (mu0 sigma) t T /\ T < exp (- t ^ 2 / (2 * sigma ^ 2)).
Proof. exact Gaussian.gaussian_tail. Qed.

(** Gaussian tail bound with the factor 1/2. *)
Theorem gaussian_tail_half : forall sigma t, 0 < sigma -> 0 <= t ->
  exists T, int_right (mu0 sigma) t T /\ T <= 1 / 2 * exp (- t ^ 2 / (2 * sigma ^ 2)).
Proof. exact Gaussian.gaussian_tail_half. Qed.

(** E_{mu0}[(mu1/mu0)^a], every real a. *)
Theorem ratio_moment : forall sigma a, 0 < sigma ->
  int_line (fun z => mu0 sigma z * Rpower (mu1 sigma z / mu0 sigma z) a)
    (exp ((a ^ 2 - a) / (2 * sigma ^ 2))).
Proof. exact Gaussian.ratio_moment. Qed.

(** The first integral at the end of the proof of Lemma 9. *)
Theorem int_mu0_sq_over_mu1 : forall sigma, 0 < sigma ->
  int_line (fun z => mu0 sigma z ^ 2 / mu1 sigma z) (exp (1 / sigma ^ 2)).
Proof. exact Gaussian.int_mu0_sq_over_mu1. Qed.

(** The second integral at the end of the proof of Lemma 9. *)
Theorem int_mu1_sq_over_mu0 : forall sigma, 0 < sigma ->
  int_line (fun z => mu1 sigma z ^ 2 / mu0 sigma z) (exp (1 / sigma ^ 2)).
Proof. exact Gaussian.int_mu1_sq_over_mu0. Qed.

(** * A >= B *)

(** Both are at least 1 for alpha >= 1, so the divergences are nonnegative. *)
Theorem A_and_B_at_least_1 : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 <= alpha ->
  1 <= A q sigma alpha /\ 1 <= B q sigma alpha.
Proof.
  intros q sigma alpha Hq Hs Ha.
  exact (conj (AGeqB.A_ge_1 q sigma alpha Hq Hs Ha) (AGeqB.B_ge_1 q sigma alpha Hq Hs Ha)).
Qed.

(** Lemma 6 (pointwise domination), for alpha >= 1. *)
Theorem lemma_6 : forall P Q q alpha, 0 < P -> 0 < Q -> 0 <= q <= 1 -> 1 <= alpha ->
  let Pq := (1 - q) * P + q * Q in let Qq := (1 - q) * Q + q * P in
  Q * Rpower (Pq / Q) alpha + P * Rpower (Qq / P) alpha >=
  Pq * Rpower (Q / Pq) alpha + Qq * Rpower (P / Qq) alpha.
Proof. exact Pointwise.pointwise_lemma. Qed.

(** Corollary 7, strict. *)
Theorem corollary_7_strict : forall q sigma alpha, 0 < q < 1 -> 0 < sigma -> 1 < alpha ->
  A q sigma alpha > B q sigma alpha.
Proof. intros q sigma alpha Hq Hs Ha. exact (AGeqB.A_gt_B q sigma alpha Hq Hs Ha). Qed.

(** Corollary 7, the cases of equality. *)
Theorem corollary_7_equality : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma ->
  q = 0 \/ q = 1 \/ alpha = 1 -> A q sigma alpha = B q sigma alpha.
Proof. intros q sigma alpha Hq Hs C. exact (AGeqB.A_eq_B q sigma alpha Hq Hs C). Qed.

(** * Closed-form bound *)

(** Lemma 15 of Bun et al.; w (alpha-1) <= 1 is w <= 1/(alpha-1) and includes alpha = 1. *)
Theorem bun_lemma_15 : forall alpha w, 1 <= alpha -> -1 < w -> w * (alpha - 1) <= 1 ->
  Rpower (1 + w) alpha <= 1 + alpha * w + alpha * (alpha - 1) * w ^ 2.
Proof. exact Lemma15.bun_lemma_15. Qed.

(** Lemma 8 (symmetric lemma). *)
Theorem lemma_8 : forall alpha q x y, 1 < alpha -> 0 < q <= 1 -> 0 < x -> 0 < y ->
  1 / r0 q alpha <= x / y <= r0 q alpha ->
  x * Rpower (1 + q * ((y - x) / x)) alpha + y * Rpower (1 + q * ((x - y) / y)) alpha <=
  (x + y) + q ^ 2 * alpha * (alpha - 1) * (x ^ 2 / y + y ^ 2 / x - (x + y)).
Proof. exact SymmetricLemma.symmetric_lemma. Qed.

(** Lemma 8 without division in the hypothesis, so that alpha = 1 and q = 0 are included. *)
Theorem lemma_8_division_free : forall alpha q x y, 1 <= alpha -> 0 <= q <= 1 -> 0 < x -> 0 < y ->
  q * (alpha - 1) * (x / y - 1) <= 1 -> q * (alpha - 1) * (y / x - 1) <= 1 ->
  x * Rpower (1 + q * ((y - x) / x)) alpha + y * Rpower (1 + q * ((x - y) / y)) alpha <=
  (x + y) + q ^ 2 * alpha * (alpha - 1) * (x ^ 2 / y + y ^ 2 / x - (x + y)).
Proof. exact SymmetricLemma.symmetric_lemma_general. Qed.

(** The identity after Lemma 8. *)
Theorem nonnegativity : forall x y, 0 < x -> 0 < y ->
  x ^ 2 / y + y ^ 2 / x - (x + y) = (x / y - 1) ^ 2 * (y + y ^ 2 / x) /\
  0 <= x ^ 2 / y + y ^ 2 / x - (x + y).
Proof.
  intros x y Hx Hy.
  exact (conj (SymmetricLemma.nonnegativity_identity x y Hx Hy) (SymmetricLemma.nonnegativity x y Hx Hy)).
Qed.

(** A = A1 + A2, the two half-line integrals at z0 (or at any other point). *)
Theorem A_split : forall q sigma alpha z, 0 <= q <= 1 -> 0 < sigma ->
  exists A1 A2, int_left (A_integrand q sigma alpha) z A1 /\
                int_right (A_integrand q sigma alpha) z A2 /\ A q sigma alpha = A1 + A2.
Proof. exact A2Bound.A_split. Qed.

(** Lemma 9 (bound on A1). *)
Theorem lemma_9 : forall q sigma alpha, 0 < q <= 1 -> 0 < sigma -> 1 < alpha ->
  exists A1, int_left (A_integrand q sigma alpha) (z0 q sigma alpha) A1 /\
             A1 <= 1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1).
Proof.
  intros q sigma alpha Hq Hs Ha.
  destruct (A1Bound.A1_exists q sigma alpha Hq Hs) as [A1 H].
  exists A1. exact (conj H (A1Bound.A1_bound q sigma alpha Hq Hs Ha A1 H)).
Qed.

(** Lemma 9 where z0 is undefined: the same bound, wherever the line is cut. *)
Theorem lemma_9_degenerate : forall q sigma alpha z A1, 0 <= q <= 1 -> 0 < sigma ->
  alpha = 1 \/ q = 0 -> int_left (A_integrand q sigma alpha) z A1 ->
  A q sigma alpha = 1 /\ A1 <= 1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1).
Proof. exact A1Bound.A1_bound_degenerate. Qed.

(** Lemma 10 (bound on A2), all three cases. *)
Theorem lemma_10 : forall q sigma alpha, theorem_11_conditions q sigma alpha ->
  exists A2, int_right (A_integrand q sigma alpha) (z0 q sigma alpha) A2 /\
             A2 < 0.9 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2.
Proof.
  intros q sigma alpha [Hq [Hs [Ha [C1 C2]]]].
  destruct (A2Bound.A_split q sigma alpha (z0 q sigma alpha)) as [_ [A2 [_ [H _]]]]; [lra|lra|].
  exists A2. exact (conj H (A2Bound.A2_bound q sigma alpha A2 Hq Hs Ha C1 C2 H)).
Qed.

(** The bound on A_alpha in the proof of Theorem 11. *)
Theorem A_closed_form : forall q sigma alpha, theorem_11_conditions q sigma alpha ->
  A q sigma alpha < 1 + 2 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2.
Proof. exact MainTheorem.A_closed_form. Qed.

(** At q = 0 both divergences are 0. *)
Theorem theorem_11_rate_0 : forall sigma alpha, 0 < sigma -> 1 < alpha ->
  renyi alpha (mu 0 sigma) (mu0 sigma) = 0 /\ renyi alpha (mu0 sigma) (mu 0 sigma) = 0.
Proof. exact MainTheorem.main_theorem_rate_0. Qed.

(** One instance of Theorem 11. *)
Theorem theorem_11_instance : renyi 8 (mu (1 / 100) 4) (mu0 4) < 1 / 10000.
Proof. exact Witnesses.main_theorem_instance. Qed.

(** * Computation *)

(** The left half-line integral, for every real exponent and every cut point. *)
Theorem moment_left : forall sigma k z, 0 < sigma ->
  int_left (fun x => mu0 sigma x * Rpower (mu1 sigma x / mu0 sigma x) k) z
    (1 / 2 * exp ((k ^ 2 - k) / (2 * sigma ^ 2)) * erfc ((k - z) / (sqrt 2 * sigma))).
Proof. exact Erfc.moment_left. Qed.

(** The right half-line integral, likewise. *)
Theorem moment_right : forall sigma k z, 0 < sigma ->
  int_right (fun x => mu0 sigma x * Rpower (mu1 sigma x / mu0 sigma x) k) z
    (1 / 2 * exp ((k ^ 2 - k) / (2 * sigma ^ 2)) * erfc ((z - k) / (sqrt 2 * sigma))).
Proof. exact Erfc.moment_right. Qed.

(** Fractional alpha: the truncation error is at most the two first omitted terms. *)
Theorem A_series_error : forall q sigma alpha N, 0 < q < 1 -> 0 < sigma -> alpha <= INR N ->
  Rabs (A q sigma alpha - A_partial q sigma alpha N)
    <= Rabs (left_term q sigma alpha N) + Rabs (right_term q sigma alpha N).
Proof.
  intros q sigma alpha N Hq Hs HN. exact (FractionalOrder.A_series_error q sigma alpha Hq Hs N HN).
Qed.

(** Fractional alpha: the series converges to A_alpha. *)
Theorem A_series_limit : forall q sigma alpha, 0 < q < 1 -> 0 < sigma -> 0 <= alpha ->
  is_lim_seq (A_partial q sigma alpha) (A q sigma alpha).
Proof.
  intros q sigma alpha Hq Hs Ha. exact (FractionalOrder.A_series_limit q sigma alpha Hq Hs Ha).
Qed.
