(** Single steps of the paper's proofs, restated over the definitions of
    Statements and StatementsLemmas.  Where the paper's wording needs a repair (a missing sign or
    range, a doubled ratio) the repaired form is what is stated. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require RealAnalysis LogBounds Gaussian Pointwise Lemma15 AB AGeqB SplitPoint A1Bound A2Cases
  A2Bound MainTheorem IntegerOrder BinomialSeries BinomialRatio FractionalOrder.
From SGM Require Import Statements StatementsLemmas.
Open Scope R_scope.

(** * One-dimensional set-up *)

(** mu/mu0 = (1-q) + q mu1/mu0. *)
Theorem mu_over_mu0 : forall q sigma z, 0 < sigma ->
  mu q sigma z / mu0 sigma z = (1 - q) + q * (mu1 sigma z / mu0 sigma z).
Proof.
  intros q sigma z Hs. assert (P := Gaussian.mu0_pos sigma z Hs).
  change (Gaussian.mu0 sigma z) with (mu0 sigma z) in P. unfold mu. field. lra.
Qed.

(** The two divergences are ln A/(alpha-1) and ln B/(alpha-1). *)
Theorem renyi_A_B : forall q sigma alpha,
  renyi alpha (mu q sigma) (mu0 sigma) = ln (A q sigma alpha) / (alpha - 1) /\
  renyi alpha (mu0 sigma) (mu q sigma) = ln (B q sigma alpha) / (alpha - 1).
Proof. intros q sigma alpha. split; reflexivity. Qed.

(** A_alpha without sampling (q = 1). *)
Theorem A_rate_1 : forall sigma alpha, 0 < sigma ->
  A 1 sigma alpha = exp ((alpha ^ 2 - alpha) / (2 * sigma ^ 2)).
Proof. intros sigma alpha Hs. refine (AGeqB.A_rate_1 1 sigma alpha _ Hs eq_refl). lra. Qed.

(** A_1 = 1, and A_alpha = 1 at q = 0. *)
Theorem A_trivial : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma ->
  alpha = 1 \/ q = 0 -> A q sigma alpha = 1.
Proof.
  intros q sigma alpha Hq Hs [C|C].
  - exact (AGeqB.A_order_1 q sigma alpha Hq Hs C).
  - exact (AGeqB.A_rate_0 q sigma alpha Hq Hs C).
Qed.

(** A_alpha > 1 for q > 0 and alpha > 1, so the first divergence is positive. *)
Theorem A_greater_than_1 : forall q sigma alpha, 0 < q <= 1 -> 0 < sigma -> 1 < alpha -> 1 < A q sigma alpha.
Proof.
  intros q sigma alpha Hq Hs Ha. destruct (Rlt_dec q 1) as [Q|Q].
  - assert (X := corollary_7_strict q sigma alpha (conj (proj1 Hq) Q) Hs Ha).
    assert (Y := proj2 (A_and_B_at_least_1 q sigma alpha ltac:(lra) Hs ltac:(lra))). lra.
  - replace q with 1 by lra. rewrite A_rate_1 by exact Hs. rewrite <- exp_0 at 1.
    apply exp_increasing. apply Rdiv_lt_0_compat; nra.
Qed.

(** * Lemma 6 *)

(** y z = (1-q)^2 + q(1-q)(u/v + v/u) + q^2 >= 1. *)
Theorem product_at_least_1 : forall q u v, 0 <= q <= 1 -> 0 < u -> 0 < v ->
  let y := (1 - q) + q * (u / v) in let z := (1 - q) + q * (v / u) in
  y * z = (1 - q) ^ 2 + q * (1 - q) * (u / v + v / u) + q ^ 2 /\ 1 <= y * z.
Proof.
  intros q u v Hq Hu Hv y z.
  split; [unfold y, z; field; lra|].
  assert (E : y * z = 1 + q * (1 - q) * ((u - v) ^ 2 / (u * v))) by (unfold y, z; field; lra).
  assert (nonneg1 : 0 <= (u - v) ^ 2 / (u * v)) by (apply Rdiv_le_0_compat; [apply pow2_ge_0|nra]).
  rewrite E. assert (nonneg2 : 0 <= q * (1 - q)) by nra. nra.
Qed.

(** The derivative of (y^alpha - y^(1-alpha))/(y-1). *)
Theorem growth_derivative : forall alpha y, 1 < y ->
  is_derive (fun y => (Rpower y alpha - Rpower y (1 - alpha)) / (y - 1)) y
    (((alpha - 1) * (Rpower y alpha - Rpower y (- alpha))
      - alpha * (Rpower y (alpha - 1) - Rpower y (1 - alpha))) / (y - 1) ^ 2).
Proof. exact Pointwise.growth_derive. Qed.

(** It is strictly increasing on (1,oo) for alpha > 1. *)
Theorem growth_increasing : forall alpha x y, 1 < alpha -> 1 < x < y ->
  (Rpower x alpha - Rpower x (1 - alpha)) / (x - 1) < (Rpower y alpha - Rpower y (1 - alpha)) / (y - 1).
Proof. exact Pointwise.growth_increasing. Qed.

(** At y = 1/z it equals the expression in z. *)
Theorem growth_inverse : forall alpha z, 0 < z < 1 ->
  (Rpower (/ z) alpha - Rpower (/ z) (1 - alpha)) / (/ z - 1)
  = (Rpower z (1 - alpha) - Rpower z alpha) / (1 - z).
Proof. exact Pointwise.growth_inverse. Qed.

(** sinh(a t)/a increases in a. *)
Theorem sinh_over_a_increasing : forall t a b, 0 < t -> 0 < a < b -> sinh (a * t) / a < sinh (b * t) / b.
Proof. exact Pointwise.sinh_over_a_increasing. Qed.

(** Lemma 6, strict away from its equality cases. *)
Theorem lemma_6_strict : forall u v w alpha, 0 < u -> 0 < v -> u <> v -> 0 < w < 1 -> 1 < alpha ->
  let m := (1 - w) * v + w * u in let m' := (1 - w) * u + w * v in
  m * Rpower (v / m) alpha + m' * Rpower (u / m') alpha <
  v * Rpower (m / v) alpha + u * Rpower (m' / u) alpha.
Proof. exact Pointwise.pointwise_strict. Qed.

(** Lemma 6, the equality cases. *)
Theorem lemma_6_equality : forall u v w alpha, 0 < u -> 0 < v -> 0 <= w <= 1 ->
  u = v \/ w = 0 \/ w = 1 \/ alpha = 1 ->
  let m := (1 - w) * v + w * u in let m' := (1 - w) * u + w * v in
  m * Rpower (v / m) alpha + m' * Rpower (u / m') alpha =
  v * Rpower (m / v) alpha + u * Rpower (m' / u) alpha.
Proof. exact Pointwise.pointwise_equal. Qed.

(** * Lemma 8 *)

(** The two instances of Lemma 15 that are added up. *)
Theorem lemma_8_parts : forall alpha q r, 1 < alpha -> 0 < q <= 1 -> 1 / r0 q alpha <= r <= r0 q alpha ->
  r * Rpower (1 + q * (1 / r - 1)) alpha
    <= r + alpha * q * (1 - r) + q ^ 2 * alpha * (alpha - 1) * (1 / r - 2 + r) /\
  Rpower (1 + q * (r - 1)) alpha
    <= 1 + alpha * q * (r - 1) + q ^ 2 * alpha * (alpha - 1) * (r ^ 2 - 2 * r + 1).
Proof.
  intros alpha q r Ha Hq [H1 H2].
  assert (R1 := SplitPoint.r0_gt_1 q alpha (proj1 Hq) Ha). change (1 < r0 q alpha) in R1.
  assert (E := SplitPoint.r0_defining q alpha (proj1 Hq) Ha).
  change (q * (alpha - 1) * (r0 q alpha - 1) = 1) in E.
  assert (C := SplitPoint.q_alpha_pos q alpha (proj1 Hq) Ha).
  assert (P : 0 < 1 / r0 q alpha) by (apply Rdiv_lt_0_compat; lra).
  assert (Pr : 0 < r) by lra.
  assert (Pi : 0 < 1 / r) by (apply Rdiv_lt_0_compat; lra).
  assert (H3 : 1 / r <= r0 q alpha).
  { replace (r0 q alpha) with (/ (1 / r0 q alpha)) by (field; lra).
    unfold Rdiv at 1. rewrite Rmult_1_l. apply Rinv_le_contravar; lra. }
  assert (W1 := RealAnalysis.mixture_gt_m1 q (1 / r) ltac:(lra) Pi).
  assert (W2 := RealAnalysis.mixture_gt_m1 q r ltac:(lra) Pr).
  assert (B1 := bun_lemma_15 alpha (q * (1 / r - 1)) ltac:(lra) W1 ltac:(nra)).
  assert (B2 := bun_lemma_15 alpha (q * (r - 1)) ltac:(lra) W2 ltac:(nra)).
  split.
  - apply Rmult_le_compat_l with (r := r) in B1; [|lra].
    apply Rle_trans with (1 := B1). right. field. lra.
  - apply Rle_trans with (1 := B2). right. ring.
Qed.

(** * z0 and r0 *)

(** The defining equation of z0, the value r0 there, z0 > 1/2 and r0 > 1. *)
Theorem z0_facts : forall q sigma alpha, 0 < q -> 0 < sigma -> 1 < alpha ->
  (1 - q) + q * (mu1 sigma (z0 q sigma alpha) / mu0 sigma (z0 q sigma alpha)) = alpha / (alpha - 1) /\
  mu1 sigma (z0 q sigma alpha) / mu0 sigma (z0 q sigma alpha) = r0 q alpha /\
  1 / 2 < z0 q sigma alpha /\ 1 < r0 q alpha.
Proof.
  intros q sigma alpha Hq Hs Ha. split; [exact (SplitPoint.z0_defining q sigma alpha Hq Hs Ha)|].
  split; [|exact (conj (SplitPoint.z0_gt_half q sigma alpha Hq Hs Ha) (SplitPoint.r0_gt_1 q alpha Hq Ha))].
  exact (eq_trans (Gaussian.mu1_over_mu0 sigma _ Hs) (SplitPoint.ratio_z0 q sigma alpha Hq Hs Ha)).
Qed.

(** mu0/mu1 is strictly decreasing. *)
Theorem mu0_over_mu1_decreasing : forall sigma x y, 0 < sigma -> x < y ->
  mu0 sigma y / mu1 sigma y < mu0 sigma x / mu1 sigma x.
Proof.
  intros sigma x y Hs H.
  change (Gaussian.mu0 sigma y / Gaussian.mu1 sigma y < Gaussian.mu0 sigma x / Gaussian.mu1 sigma x).
  rewrite !Gaussian.mu0_over_mu1 by exact Hs.
  assert (P := Gaussian.ratio_pos sigma x). assert (Q := Gaussian.ratio_pos sigma y).
  apply Rinv_lt_contravar; [nra|]. apply Gaussian.ratio_increasing; assumption.
Qed.

(** mu1/mu0 <= r0 left of z0, mu0/mu1 <= r0 right of 1 - z0. *)
Theorem ratios_bounded_by_r0 : forall q sigma alpha z, 0 < q -> 0 < sigma -> 1 < alpha ->
  (z <= z0 q sigma alpha -> mu1 sigma z / mu0 sigma z <= r0 q alpha) /\
  (1 - z0 q sigma alpha <= z -> mu0 sigma z / mu1 sigma z <= r0 q alpha).
Proof.
  intros q sigma alpha z Hq Hs Ha.
  change (mu1 sigma z / mu0 sigma z) with (Gaussian.mu1 sigma z / Gaussian.mu0 sigma z).
  change (mu0 sigma z / mu1 sigma z) with (Gaussian.mu0 sigma z / Gaussian.mu1 sigma z).
  rewrite Gaussian.mu1_over_mu0, Gaussian.mu0_over_mu1 by exact Hs.
  split; intros H.
  - exact (SplitPoint.ratio_le_r0 q sigma alpha Hq Hs Ha z H).
  - exact (SplitPoint.inv_ratio_le_r0 q sigma alpha Hq Hs Ha z H).
Qed.

(** Left of 1 - z0, (1-q) + q mu1/mu0 < 1. *)
Theorem mixture_below_mu0 : forall q sigma alpha z, 0 < q -> 0 < sigma -> 1 < alpha ->
  z <= 1 - z0 q sigma alpha -> (1 - q) + q * (mu1 sigma z / mu0 sigma z) < 1.
Proof.
  intros q sigma alpha z Hq Hs Ha H.
  assert (X := SplitPoint.ratio_lt_1_left q sigma alpha Hq Hs Ha z H).
  rewrite <- Gaussian.mu1_over_mu0 in X by exact Hs.
  change (mu1 sigma z / mu0 sigma z < 1) in X. nra.
Qed.

(** The integral that bounds 2 A1. *)
Theorem A1_majorant_integral : forall q sigma alpha, 0 < sigma ->
  int_line (fun z => mu0 sigma z + mu1 sigma z + q ^ 2 * alpha * (alpha - 1) *
      (mu0 sigma z ^ 2 / mu1 sigma z + mu1 sigma z ^ 2 / mu0 sigma z - (mu0 sigma z + mu1 sigma z)))
    (2 * (1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1))).
Proof. intros q sigma alpha Hs. exact (A1Bound.int_majorant q sigma alpha Hs). Qed.

(** * Lemma 10 *)

(** Right of z0, (1-q) + q mu1/mu0 <= q alpha mu1/mu0. *)
Theorem mixture_right_of_z0 : forall q sigma alpha z, 0 < q <= 1 -> 0 < sigma -> 1 < alpha ->
  z0 q sigma alpha <= z ->
  (1 - q) + q * (mu1 sigma z / mu0 sigma z) <= q * alpha * (mu1 sigma z / mu0 sigma z).
Proof.
  intros q sigma alpha z Hq Hs Ha H.
  assert (X := A2Bound.mix_ratio_right q sigma alpha Hq Hs Ha z H). unfold AB.mix_ratio in X.
  rewrite <- Gaussian.mu1_over_mu0 in X by exact Hs. exact X.
Qed.

(** The two estimates on A2 that start the case analysis. *)
Theorem A2_estimates : forall q sigma alpha A2, 0 < q <= 1 -> 0 < sigma -> 1 < alpha ->
  alpha <= z0 q sigma alpha -> int_right (A_integrand q sigma alpha) (z0 q sigma alpha) A2 ->
  A2 < Rpower (q * alpha) alpha
       * exp ((alpha ^ 2 - alpha - (z0 q sigma alpha - alpha) ^ 2) / (2 * sigma ^ 2)) /\
  A2 < Rpower (q * alpha) alpha
       * exp (- (z0 q sigma alpha * (z0 q sigma alpha - 2 * alpha)) / (2 * sigma ^ 2)).
Proof.
  intros q sigma alpha A2 Hq Hs Ha Hz H.
  exact (conj (A2Bound.A2_tail_bound q sigma alpha Hq Hs Ha A2 Hz H)
              (A2Bound.A2_estimate q sigma alpha Hq Hs Ha A2 Hz H)).
Qed.

(** z0 >= 2 alpha + 4 ln sigma and z0 > 2 alpha, from the first condition. *)
Theorem z0_bound : forall q sigma alpha, 0 < q <= 1 / 5 -> 4 <= sigma ->
  alpha <= 1 / 2 * sigma ^ 2 * L q alpha - 2 * ln sigma ->
  2 * alpha + 4 * ln sigma <= z0 q sigma alpha /\ 2 * alpha < z0 q sigma alpha.
Proof.
  intros q sigma alpha Hq Hs C.
  split; [|exact (A2Cases.z0_gt_2alpha q sigma alpha Hq Hs C)].
  assert (X := A2Cases.z0_lower_bound q sigma alpha C).
  change (SplitPoint.z0 q sigma alpha) with (z0 q sigma alpha) in X. lra.
Qed.

(** L + ln(q alpha) > 0, so the second condition has a positive denominator. *)
Theorem condition_2_denominator : forall q alpha, 0 < q -> 1 < alpha -> 0 < L q alpha + ln (q * alpha).
Proof. exact A2Cases.L_plus_ln_pos. Qed.

(** The inequality of Cases I and IIa. *)
Theorem cases_I_and_IIa : forall q sigma alpha, 0 < q <= 1 / 5 -> 4 <= sigma -> 1 < alpha ->
  alpha < 2 \/ 2 <= alpha /\ q * (alpha - 1) < 1 / 3 ->
  (2 - alpha) * ln q + (1 - alpha) * ln alpha + ln (alpha - 1) + 2 * (L q alpha - 1) * ln sigma > - ln 0.9.
Proof.
  intros q sigma alpha Hq Hs Ha [C|[C D]].
  - exact (A2Cases.case_I q sigma alpha Hq Hs Ha C).
  - exact (A2Cases.case_IIa q sigma alpha Hq Hs Ha C D).
Qed.

(** The first bound of Case IIb, from the second condition alone. *)
Theorem case_IIb_first_bound : forall q sigma alpha, 0 < q <= 1 / 5 -> 4 <= sigma -> 1 < alpha ->
  alpha <= (1 / 2 * sigma ^ 2 * L q alpha ^ 2 - ln 5 - 2 * ln sigma)
           / (L q alpha + ln (q * alpha) + 1 / (2 * sigma ^ 2)) ->
  Rpower (q * alpha) alpha * exp (- (z0 q sigma alpha * (z0 q sigma alpha - 2 * alpha)) / (2 * sigma ^ 2))
  < 1 / (5 * sigma ^ 2 * sqrt (1 + 1 / (q * (alpha - 1)))).
Proof.
  intros q sigma alpha Hq Hs Ha C.
  assert (X := A2Cases.ln_A2_estimate_from_condition_2 q sigma alpha Hq Hs Ha C).
  apply exp_increasing in X.
  assert (R1 := SplitPoint.r0_gt_1 q alpha (proj1 Hq) Ha).
  change (1 < 1 + 1 / (q * (alpha - 1))) in R1.
  assert (S : 0 < sqrt (1 + 1 / (q * (alpha - 1)))) by (apply sqrt_lt_R0; lra).
  assert (E : exp (L q alpha / 2) = sqrt (1 + 1 / (q * (alpha - 1)))).
  { unfold L. rewrite <- (Rpower_sqrt (1 + 1 / (q * (alpha - 1)))) by lra.
    unfold Rpower. f_equal. field. }
  replace (Rpower (q * alpha) alpha * exp (- (z0 q sigma alpha * (z0 q sigma alpha - 2 * alpha)) / (2 * sigma ^ 2)))
    with (exp (A2Cases.ln_A2_estimate q sigma alpha)).
  2:{ unfold A2Cases.ln_A2_estimate, Rpower. rewrite <- exp_plus. f_equal.
      change (SplitPoint.z0 q sigma alpha) with (z0 q sigma alpha). field. lra. }
  apply Rlt_le_trans with (1 := X). right.
  change (SplitPoint.L q alpha) with (L q alpha).
  replace (- ln 5 - 2 * ln sigma - L q alpha / 2) with (- (ln 5 + (ln sigma + ln sigma) + L q alpha / 2)) by ring.
  rewrite exp_Ropp, !exp_plus, !exp_ln, E by lra. field. lra.
Qed.

(** sqrt(1+x) >= 2x/3 for -1 <= x <= 3. *)
Theorem sqrt_bound : forall x, -1 <= x <= 3 -> 2 / 3 * x <= sqrt (1 + x).
Proof.
  intros x Hx. destruct (Rle_dec x 0) as [N|N].
  - apply Rle_trans with 0; [lra|apply sqrt_pos].
  - rewrite <- (sqrt_pow2 (2 / 3 * x)) by lra. apply sqrt_le_1; nra.
Qed.

(** * Theorem 11 *)

(** exp(1/sigma^2) - 1 <= 1.1/sigma^2 for sigma >= 4. *)
Theorem exp_bound : forall sigma, 4 <= sigma -> exp (1 / sigma ^ 2) - 1 <= 1.1 / sigma ^ 2.
Proof. exact LogBounds.exp_inverse_square_bound. Qed.

(** ln(1+x) < x for x > 0. *)
Theorem ln_bound : forall x, 0 < x -> ln (1 + x) < x.
Proof.
  intros x Hx. assert (H := RealAnalysis.ln_lt_minus_1 (1 + x)). lra.
Qed.

(** * Computation *)

(** Completing the square in mu0 (mu1/mu0)^k. *)
Theorem completing_the_square : forall sigma k z, 0 < sigma ->
  mu0 sigma z * Rpower (mu1 sigma z / mu0 sigma z) k
  = exp ((k ^ 2 - k) / (2 * sigma ^ 2)) * mu0 sigma (z - k).
Proof.
  intros sigma k z Hs.
  change (Gaussian.mu0 sigma z * Rpower (Gaussian.mu1 sigma z / Gaussian.mu0 sigma z) k
    = exp ((k ^ 2 - k) / (2 * sigma ^ 2)) * Gaussian.mu0 sigma (z - k)).
  rewrite Gaussian.mu1_over_mu0 by exact Hs. exact (Gaussian.mu0_tilted sigma k z Hs).
Qed.

(** z1 is where (1-q) mu0 = q mu1. *)
Theorem z1_defining : forall q sigma, 0 < q < 1 -> 0 < sigma ->
  (1 - q) * mu0 sigma (z1 q sigma) = q * mu1 sigma (z1 q sigma).
Proof. exact BinomialRatio.z1_defining. Qed.

(** The remainder of the binomial series for w >= 0. *)
Theorem binomial_remainder : forall N a w, a <= INR N -> 0 <= w ->
  Rabs (Rpower (1 + w) a - sum_below (fun k => binom a k * w ^ k) N) <= Rabs (binom a N) * w ^ N.
Proof. exact BinomialSeries.binomial_remainder. Qed.

(** The series for (mu/mu0)^alpha left of z1. *)
Theorem left_series : forall q sigma alpha z, 0 < q < 1 -> 0 < sigma -> 0 <= alpha -> z <= z1 q sigma ->
  is_lim_seq (sum_below (fun k => binom alpha k * Rpower (1 - q) (alpha - INR k) * q ^ k
                                  * Rpower (mu1 sigma z / mu0 sigma z) (INR k)))
             (Rpower (mu q sigma z / mu0 sigma z) alpha).
Proof.
  intros q sigma alpha z Hq Hs Ha Hz. exact (BinomialRatio.left_series q sigma Hq Hs alpha z Ha Hz).
Qed.

(** The series for (mu/mu0)^alpha right of z1. *)
Theorem right_series : forall q sigma alpha z, 0 < q < 1 -> 0 < sigma -> 0 <= alpha -> z1 q sigma <= z ->
  is_lim_seq (sum_below (fun k => binom alpha k * (1 - q) ^ k * Rpower q (alpha - INR k)
                                  * Rpower (mu1 sigma z / mu0 sigma z) (alpha - INR k)))
             (Rpower (mu q sigma z / mu0 sigma z) alpha).
Proof.
  intros q sigma alpha z Hq Hs Ha Hz. exact (BinomialRatio.right_series q sigma Hq Hs alpha z Ha Hz).
Qed.
