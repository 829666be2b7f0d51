(** The two binomial expansions of (mu/mu0)^alpha, in powers of mu1/mu0 to the left
    of z1 and in powers of mu0/mu1 to the right of it, with remainders.

    z1 is the point where (1-q) mu0 = q mu1; to its left mu/mu0 = (1-q)(1+w) with
    w = q mu1/((1-q) mu0) <= 1, to its right mu/mu0 = (q mu1/mu0)(1+1/w). *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Gaussian AB BinomialSeries.
Open Scope R_scope.

Definition z1 (q sigma : R) : R := 1 / 2 + sigma ^ 2 * ln (1 / q - 1).

(** The k-th summands of the two expansions. *)
Definition left_summand (q sigma alpha z : R) (k : nat) : R :=
  binom alpha k * Rpower (1 - q) (alpha - INR k) * q ^ k
  * Rpower (mu1 sigma z / mu0 sigma z) (INR k).
Definition right_summand (q sigma alpha z : R) (k : nat) : R :=
  binom alpha k * (1 - q) ^ k * Rpower q (alpha - INR k)
  * Rpower (mu1 sigma z / mu0 sigma z) (alpha - INR k).

Lemma Rpower_minus_INR (x alpha : R) (k : nat) : 0 < x ->
  Rpower x (alpha - INR k) = Rpower x alpha * / x ^ k.
Proof.
  intros Hx. unfold Rminus. rewrite Rpower_plus, Rpower_Ropp, Rpower_pow by exact Hx. reflexivity.
Qed.

Lemma pow_le_1 (w : R) (N : nat) : 0 <= w <= 1 -> 0 <= w ^ N <= 1.
Proof.
  intros H. split; [apply pow_le; lra|]. rewrite <- (pow1 N). apply pow_incr. exact H.
Qed.

(** Remainder of c (1+w)^alpha, as the first omitted term and, for w <= 1, without the power. *)
Lemma scaled_remainder (c w alpha : R) (u : nat -> R) (N : nat) :
  0 < c -> 0 < w -> alpha <= INR N -> (forall k, u k = c * (binom alpha k * w ^ k)) ->
  Rabs (c * Rpower (1 + w) alpha - sum_below u N) <= Rabs (u N) /\
  (w <= 1 -> Rabs (c * Rpower (1 + w) alpha - sum_below u N) <= Rabs (binom alpha N) * c).
Proof.
  intros Hc Hw HN Hu.
  assert (E : sum_below u N = c * binomial_sum alpha N w).
  { unfold binomial_sum. rewrite <- sum_below_scal. apply sum_below_ext, Hu. }
  assert (K := binomial_remainder N alpha w HN ltac:(lra)).
  assert (P : 0 < w ^ N) by (apply pow_lt; exact Hw).
  rewrite E, <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq c) by lra.
  split.
  - rewrite Hu, !Rabs_mult, (Rabs_pos_eq c), (Rabs_pos_eq (w ^ N)) by lra.
    apply Rmult_le_compat_l; lra.
  - intros W. assert (P1 := pow_le_1 w N ltac:(lra)). assert (G := Rabs_pos (binom alpha N)).
    rewrite Rmult_comm. apply Rmult_le_compat_r; [lra|]. apply Rle_trans with (1 := K). nra.
Qed.

Section Fixed_q_sigma.
Variables q sigma : R.
Hypothesis Hq : 0 < q < 1.
Hypothesis Hs : 0 < sigma.

Lemma inverse_q_gt_1 : 0 < 1 / q - 1.
Proof.
  assert (fact1 : 1 < / q) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra). unfold Rdiv. lra.
Qed.

Lemma ratio_z1 : ratio sigma (z1 q sigma) = 1 / q - 1.
Proof.
  unfold ratio, z1.
  replace ((2 * (1 / 2 + sigma ^ 2 * ln (1 / q - 1)) - 1) / (2 * sigma ^ 2)) with (ln (1 / q - 1))
    by (field; lra).
  apply exp_ln, inverse_q_gt_1.
Qed.

(** (1-q) mu0(z1) = q mu1(z1), the equation that defines z1. *)
Theorem z1_defining : (1 - q) * mu0 sigma (z1 q sigma) = q * mu1 sigma (z1 q sigma).
Proof. rewrite mu1_eq_ratio, ratio_z1 by exact Hs. field. lra. Qed.

Lemma q_ratio_left (z : R) : z <= z1 q sigma -> q * ratio sigma z <= 1 - q.
Proof.
  intros Hz. assert (X := ratio_nondecreasing sigma z _ Hs Hz). rewrite ratio_z1 in X.
  apply Rmult_le_compat_l with (r := q) in X; [|lra].
  replace (q * (1 / q - 1)) with (1 - q) in X by (field; lra). exact X.
Qed.

Lemma q_ratio_right (z : R) : z1 q sigma <= z -> 1 - q <= q * ratio sigma z.
Proof.
  intros Hz. assert (X := ratio_nondecreasing sigma _ z Hs Hz). rewrite ratio_z1 in X.
  apply Rmult_le_compat_l with (r := q) in X; [|lra].
  replace (q * (1 / q - 1)) with (1 - q) in X by (field; lra). exact X.
Qed.

(** Remainder of the left expansion. *)
Lemma left_remainder (alpha z : R) (N : nat) : alpha <= INR N ->
  Rabs (Rpower (mu q sigma z / mu0 sigma z) alpha - sum_below (left_summand q sigma alpha z) N)
    <= Rabs (left_summand q sigma alpha z N) /\
  (z <= z1 q sigma ->
   Rabs (Rpower (mu q sigma z / mu0 sigma z) alpha - sum_below (left_summand q sigma alpha z) N)
    <= Rabs (binom alpha N) * Rpower (1 - q) alpha).
Proof.
  intros HN. assert (Q := ratio_pos sigma z). set (w := q * ratio sigma z / (1 - q)).
  assert (W : 0 < w) by (apply Rdiv_lt_0_compat; nra).
  assert (E : Rpower (mu q sigma z / mu0 sigma z) alpha = Rpower (1 - q) alpha * Rpower (1 + w) alpha).
  { rewrite Rpower_mult_distr by lra. f_equal. rewrite mu_over_mu0 by exact Hs.
    unfold mix_ratio, w. field. lra. }
  destruct (scaled_remainder (Rpower (1 - q) alpha) w alpha (left_summand q sigma alpha z) N
    (Rpower_pos _ _) W HN) as [R1 R2].
  { intros k. unfold left_summand. rewrite mu1_over_mu0, Rpower_minus_INR, Rpower_pow by (exact Hs || exact Q || lra).
    unfold w, Rdiv. rewrite !Rpow_mult_distr, pow_inv. ring. }
  rewrite E. split; [exact R1|]. intros Hz. apply R2.
  assert (X := q_ratio_left z Hz). unfold w. apply Rmult_le_reg_r with (1 - q); [lra|].
  replace (q * ratio sigma z / (1 - q) * (1 - q)) with (q * ratio sigma z) by (field; lra). lra.
Qed.

(** Remainder of the right expansion. *)
Lemma right_remainder (alpha z : R) (N : nat) : alpha <= INR N ->
  Rabs (Rpower (mu q sigma z / mu0 sigma z) alpha - sum_below (right_summand q sigma alpha z) N)
    <= Rabs (right_summand q sigma alpha z N) /\
  (z1 q sigma <= z ->
   Rabs (Rpower (mu q sigma z / mu0 sigma z) alpha - sum_below (right_summand q sigma alpha z) N)
    <= Rabs (binom alpha N) * (Rpower q alpha * Rpower (mu1 sigma z / mu0 sigma z) alpha)).
Proof.
  intros HN. assert (Q := ratio_pos sigma z). rewrite mu1_over_mu0 by exact Hs.
  assert (QR : 0 < q * ratio sigma z) by nra.
  set (w := (1 - q) / (q * ratio sigma z)).
  assert (W : 0 < w) by (apply Rdiv_lt_0_compat; lra).
  rewrite (Rpower_mult_distr q) by lra.
  assert (E : Rpower (mu q sigma z / mu0 sigma z) alpha
              = Rpower (q * ratio sigma z) alpha * Rpower (1 + w) alpha).
  { rewrite Rpower_mult_distr by lra. f_equal. rewrite mu_over_mu0 by exact Hs.
    unfold mix_ratio, w. field. lra. }
  destruct (scaled_remainder (Rpower (q * ratio sigma z) alpha) w alpha (right_summand q sigma alpha z) N
    (Rpower_pos _ _) W HN) as [R1 R2].
  { intros k. unfold right_summand. rewrite mu1_over_mu0, !Rpower_minus_INR by (exact Hs || exact Q || lra).
    rewrite <- (Rpower_mult_distr q) by lra.
    unfold w, Rdiv. rewrite Rpow_mult_distr, pow_inv, Rpow_mult_distr.
    rewrite Rinv_mult. ring. }
  rewrite E. split; [exact R1|]. intros Hz. apply R2.
  assert (X := q_ratio_right z Hz). unfold w. apply Rmult_le_reg_r with (q * ratio sigma z); [exact QR|].
  replace ((1 - q) / (q * ratio sigma z) * (q * ratio sigma z)) with (1 - q) by (field; lra). lra.
Qed.

Lemma limit_from_remainder (alpha c l : R) (s : nat -> R) : 0 <= alpha -> 0 <= c ->
  (forall N, alpha <= INR N -> Rabs (l - s N) <= Rabs (binom alpha N) * c) -> is_lim_seq s l.
Proof.
  intros Ha Hc H. apply is_lim_seq_spec. intros eps.
  destruct (binom_vanishes alpha c eps Ha Hc (cond_pos eps)) as [N0 HN0].
  exists N0. intros n Hn. destruct (HN0 n Hn) as [X Y].
  rewrite Rabs_minus_sym. apply Rle_lt_trans with (2 := Y). apply H, X.
Qed.

(** The series for (mu/mu0)^alpha to the left of z1. *)
Theorem left_series (alpha z : R) : 0 <= alpha -> z <= z1 q sigma ->
  is_lim_seq (sum_below (left_summand q sigma alpha z)) (Rpower (mu q sigma z / mu0 sigma z) alpha).
Proof.
  intros Ha Hz. apply (limit_from_remainder alpha (Rpower (1 - q) alpha)); [exact Ha|left; apply Rpower_pos|].
  intros N HN. exact (proj2 (left_remainder alpha z N HN) Hz).
Qed.

(** The series for (mu/mu0)^alpha to the right of z1. *)
Theorem right_series (alpha z : R) : 0 <= alpha -> z1 q sigma <= z ->
  is_lim_seq (sum_below (right_summand q sigma alpha z)) (Rpower (mu q sigma z / mu0 sigma z) alpha).
Proof.
  intros Ha Hz.
  apply (limit_from_remainder alpha (Rpower q alpha * Rpower (mu1 sigma z / mu0 sigma z) alpha)); [exact Ha| |].
  - left. apply Rmult_lt_0_compat; apply Rpower_pos.
  - intros N HN. exact (proj2 (right_remainder alpha z N HN) Hz).
Qed.
End Fixed_q_sigma.
