(** Integer orders: A_n is a finite binomial sum of the moments
    E_{mu0}[(mu1/mu0)^k] = exp((k^2-k)/(2 sigma^2)). *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB.
Open Scope R_scope.

Lemma int_line_sum (F : nat -> R -> R) (l : nat -> R) (n : nat) :
  (forall k, int_line (F k) (l k)) -> int_line (fun z => sum_f_R0 (fun k => F k z) n) (sum_f_R0 l n).
Proof.
  intros H. induction n as [|n IH]; simpl.
  - apply H.
  - apply (int_line_plus (fun z => sum_f_R0 (fun k => F k z) n) (F (S n))); [exact IH|apply H].
Qed.

(** The binomial expansion of (mu/mu0)^n. *)
Lemma mix_ratio_binomial (q sigma z : R) (n : nat) : 0 <= q <= 1 ->
  Rpower (mix_ratio q sigma z) (INR n) =
  sum_f_R0 (fun k => Binomial.C n k * (1 - q) ^ (n - k) * q ^ k * ratio sigma z ^ k) n.
Proof.
  intros Hq. rewrite Rpower_pow by (apply mix_ratio_pos, Hq). unfold mix_ratio.
  rewrite Rplus_comm, binomial. apply sum_eq. intros k _. rewrite Rpow_mult_distr. ring.
Qed.

(** The binomial formula for A_alpha at integer alpha. *)
Theorem A_integer_order (q sigma : R) (n : nat) : 0 <= q <= 1 -> 0 < sigma ->
  A q sigma (INR n) =
  sum_f_R0 (fun k => Binomial.C n k * (1 - q) ^ (n - k) * q ^ k
                     * exp ((INR k ^ 2 - INR k) / (2 * sigma ^ 2))) n.
Proof.
  intros Hq Hs.
  apply (int_line_unique (A_integrand q sigma (INR n))); [apply A_is_integral; assumption|].
  apply (int_line_ext (fun z => sum_f_R0 (fun k => Binomial.C n k * (1 - q) ^ (n - k) * q ^ k
           * (mu0 sigma z * Rpower (mu1 sigma z / mu0 sigma z) (INR k))) n)).
  - intros z. rewrite A_integrand_eq by exact Hs. unfold power_integrand.
    rewrite mix_ratio_binomial by exact Hq. rewrite scal_sum. apply sum_eq. intros k _.
    rewrite mu1_over_mu0, Rpower_pow by (exact Hs || apply ratio_pos). ring.
  - apply (int_line_sum (fun k z => Binomial.C n k * (1 - q) ^ (n - k) * q ^ k
           * (mu0 sigma z * Rpower (mu1 sigma z / mu0 sigma z) (INR k)))).
    intros k. apply int_line_scal, ratio_moment, Hs.
Qed.
