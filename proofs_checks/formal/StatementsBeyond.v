(** What goes beyond the paper's one-dimensional text and is not in Statements already: zCDP on the line,
    orders from 1/2 to 1, Theorem 5 corrected and refuted, symmetric noise, real-valued f.
    Each proof only points to the file where the work is done. *)

From Coq Require Import Reals Lra List ZArith.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements.
From SGM Require ZeroConcentrated DivergenceOrder InvariantInvolution InvolutionCounterexample SymmetricNoise
  Divergence OrderOne SmallRate ShiftMonotone SampledMechanism QuasiConvexity SampledGaussianRDP
  GaussianRotation SpaceIntegral MechanismDensity OrderGrowth RemovingAdding.
Open Scope R_scope.

(** * Zero-concentrated differential privacy (claim X15, corrected) *)

Theorem A_le_mixture : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 <= alpha ->
  A q sigma alpha <= (1 - q) + q * exp (alpha * (alpha - 1) / (2 * sigma ^ 2)).
Proof. exact ZeroConcentrated.A_le_mixture. Qed.

Theorem A_le_unsampled : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 <= alpha ->
  A q sigma alpha <= exp (alpha * (alpha - 1) / (2 * sigma ^ 2)).
Proof. exact ZeroConcentrated.A_le_unsampled. Qed.

Theorem A_ge_sampled_part : forall q sigma alpha, 0 < q <= 1 -> 0 < sigma -> 0 <= alpha ->
  Rpower q alpha * exp (alpha * (alpha - 1) / (2 * sigma ^ 2)) <= A q sigma alpha.
Proof. exact ZeroConcentrated.A_ge_sampled_part. Qed.

(** Both divergences are at most rho alpha with rho = 1/(2 sigma^2), for every q. *)
Theorem zcdp : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  renyi alpha (mu q sigma) (mu0 sigma) <= 1 / (2 * sigma ^ 2) * alpha /\
  renyi alpha (mu0 sigma) (mu q sigma) <= 1 / (2 * sigma ^ 2) * alpha.
Proof. exact ZeroConcentrated.zcdp. Qed.

(** No smaller rho works, however small q > 0 is. *)
Theorem zcdp_constant_optimal : forall q sigma rho, 0 < q <= 1 -> 0 < sigma -> rho < 1 / (2 * sigma ^ 2) ->
  exists alpha, 1 < alpha /\ rho * alpha < renyi alpha (mu q sigma) (mu0 sigma).
Proof. exact ZeroConcentrated.zcdp_constant_optimal. Qed.

(** The closed-form bound at q >= 1/2, with no condition on alpha or sigma. *)
Theorem closed_form_large_q : forall q sigma alpha, 1 / 2 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  renyi alpha (mu q sigma) (mu0 sigma) <= 2 * q ^ 2 * alpha / sigma ^ 2 /\
  renyi alpha (mu0 sigma) (mu q sigma) <= 2 * q ^ 2 * alpha / sigma ^ 2.
Proof. exact ZeroConcentrated.closed_form_large_q. Qed.

(** * Corollary 7 in divergence form at every order from 1/2 (claims C0, G8) *)

Theorem kl_order : forall q sigma, 0 <= q <= 1 -> 0 < sigma ->
  KL (mu0 sigma) (mu q sigma) <= KL (mu q sigma) (mu0 sigma).
Proof. exact DivergenceOrder.kl_order. Qed.

(** Orders below 1: A <= B, which is the same order of the divergences. *)
Theorem A_le_B_below_one : forall q sigma, 0 <= q <= 1 -> 0 < sigma ->
  forall alpha, 1 / 2 <= alpha < 1 -> A q sigma alpha <= B q sigma alpha.
Proof. exact DivergenceOrder.A_le_B_below_one. Qed.

Theorem divergence_order_below_one : forall q sigma, 0 <= q <= 1 -> 0 < sigma ->
  forall alpha, 1 / 2 <= alpha < 1 ->
  renyi alpha (mu0 sigma) (mu q sigma) <= renyi alpha (mu q sigma) (mu0 sigma).
Proof. exact DivergenceOrder.divergence_order_below_one. Qed.

Theorem divergence_equal_at_half : forall q sigma, 0 <= q <= 1 -> 0 < sigma ->
  renyi (1 / 2) (mu0 sigma) (mu q sigma) = renyi (1 / 2) (mu q sigma) (mu0 sigma).
Proof. exact DivergenceOrder.divergence_equal_at_half. Qed.

(** Near order 1 the moments are 1 + (alpha - 1) KL up to a multiple of (alpha - 1)^2. *)
Theorem A_near_order_1 : forall q sigma, 0 <= q <= 1 -> 0 < sigma -> forall h, Rabs h <= 1 ->
  Rabs (A q sigma (1 + h) - 1 - h * KL (mu q sigma) (mu0 sigma))
    <= 4 * (A q sigma 3 + A q sigma (-1)) * h ^ 2.
Proof. exact OrderOne.A_near_order_1. Qed.

Theorem B_near_order_1 : forall q sigma, 0 <= q <= 1 -> 0 < sigma -> forall h, Rabs h <= 1 ->
  Rabs (B q sigma (1 + h) - 1 - h * KL (mu0 sigma) (mu q sigma))
    <= 4 * (A q sigma 2 + A q sigma (-2)) * h ^ 2.
Proof. exact OrderOne.B_near_order_1. Qed.

(** * Small sampling rates *)

(** Both divergences are q^2 alpha (exp(1/sigma^2) - 1)/2 + O(q^3). *)
Theorem small_rate : forall sigma, 0 < sigma -> forall alpha, 1 < alpha ->
  exists C d, 0 < d /\ forall q, 0 < q < d ->
  Rabs (renyi alpha (mu q sigma) (mu0 sigma) - alpha / 2 * (exp (1 / sigma ^ 2) - 1) * q ^ 2) <= C * q ^ 3 /\
  Rabs (renyi alpha (mu0 sigma) (mu q sigma) - alpha / 2 * (exp (1 / sigma ^ 2) - 1) * q ^ 2) <= C * q ^ 3.
Proof. exact SmallRate.renyi_small_rate. Qed.

(** * Theorem 5: corrected, and refuted as stated (claim G0) *)

(** With nu preserving the integral over the line, wherever both divergences exist. *)
Theorem general_bound_on_line : forall (P Q nu : R -> R) (q alpha D D' : R),
  (forall x, nu (nu x) = x) ->
  (forall f l, int_line f l -> int_line (fun x => f (nu x)) l) ->
  (forall x, 0 < P x) -> (forall x, 0 < Q x) -> (forall x, P x = Q (nu x)) ->
  int_line P 1 -> int_line Q 1 -> 0 <= q <= 1 -> 1 < alpha ->
  let Pq := fun x => (1 - q) * P x + q * Q x in
  is_renyi alpha Pq Q D -> is_renyi alpha Q Pq D' -> D' <= D.
Proof. exact InvariantInvolution.general_bound_on_line. Qed.

(** With any additive, homogeneous, monotone integral on any space, and nu carrying Q to P: it turns
    the ratio P/Q round and transports integrals against Q to integrals against P. *)
Theorem general_bound_transport :
  forall (X : Type) (Integral : (X -> R) -> R -> Prop),
  (forall f g lf lg, Integral f lf -> Integral g lg -> Integral (fun x => f x + g x) (lf + lg)) ->
  (forall f k l, Integral f l -> Integral (fun x => k * f x) (k * l)) ->
  (forall f g lf lg, (forall x, f x <= g x) -> Integral f lf -> Integral g lg -> lf <= lg) ->
  forall (nu : X -> X) (P Q : X -> R), (forall x, 0 < P x) -> (forall x, 0 < Q x) ->
  (forall x, P (nu x) / Q (nu x) = Q x / P x) ->
  (forall f l, Integral (fun x => f x * Q x) l -> Integral (fun x => f (nu x) * P x) l) ->
  forall q, 0 <= q <= 1 -> Integral P 1 -> Integral Q 1 ->
  forall alpha A B, 1 < alpha ->
  Integral (fun x => Q x * Rpower (((1 - q) * P x + q * Q x) / Q x) alpha) A ->
  Integral (fun x => ((1 - q) * P x + q * Q x) * Rpower (Q x / ((1 - q) * P x + q * Q x)) alpha) B ->
  ln B / (alpha - 1) <= ln A / (alpha - 1).
Proof. exact InvariantInvolution.transport_divergence. Qed.

(** The same at order 1, for Kullback-Leibler divergences. *)
Theorem general_bound_kl :
  forall (X : Type) (Integral : (X -> R) -> R -> Prop),
  (forall f g lf lg, Integral f lf -> Integral g lg -> Integral (fun x => f x + g x) (lf + lg)) ->
  (forall f g lf lg, (forall x, f x <= g x) -> Integral f lf -> Integral g lg -> lf <= lg) ->
  forall (nu : X -> X) (P Q : X -> R), (forall x, 0 < P x) -> (forall x, 0 < Q x) ->
  (forall x, P (nu x) / Q (nu x) = Q x / P x) ->
  (forall f l, Integral (fun x => f x * Q x) l -> Integral (fun x => f (nu x) * P x) l) ->
  forall q, 0 <= q <= 1 -> forall K K',
  Integral (fun x => ((1 - q) * P x + q * Q x) * ln (((1 - q) * P x + q * Q x) / Q x)) K ->
  Integral (fun x => Q x * ln (Q x / ((1 - q) * P x + q * Q x))) K' -> K' <= K.
Proof. exact InvariantInvolution.kl_forward_ge_backward. Qed.

(** * The remark after Corollary 7: noise whose law is centrally symmetric *)

(** Noise with density p, added to a and to b.  Nothing but positivity and symmetry is asked of p:
    the Laplace density, which has no derivative at 0, is included. *)
Theorem symmetric_noise : forall p : R -> R, (forall x, 0 < p x) -> (forall x, p (- x) = p x) ->
  forall a b q, 0 <= q <= 1 -> forall alpha D D', 1 < alpha ->
  let P := fun x => p (x - a) in let Q := fun x => p (x - b) in
  let Pq := fun x => (1 - q) * P x + q * Q x in
  is_renyi alpha Pq Q D -> is_renyi alpha Q Pq D' -> D' <= D.
Proof.
  intros p Hp Sp a b q Hq alpha D D' Ha P Q Pq [A [HA [_ ->]]] [B [HB [HB0 ->]]].
  exact (SymmetricNoise.symmetric_noise_line p Hp Sp a b q Hq alpha A B Ha HB0 HA HB).
Qed.

(** At order 1. *)
Theorem symmetric_noise_kl : forall p : R -> R, (forall x, 0 < p x) -> (forall x, p (- x) = p x) ->
  forall a b q, 0 <= q <= 1 -> forall K K',
  let P := fun x => p (x - a) in let Q := fun x => p (x - b) in
  let Pq := fun x => (1 - q) * P x + q * Q x in
  int_line (kl_integrand Pq Q) K -> int_line (kl_integrand Q Pq) K' -> K' <= K.
Proof. exact SymmetricNoise.symmetric_noise_line_kl. Qed.

(** In every dimension: p is a function of the first d coordinates. *)
Theorem symmetric_noise_space : forall (d : nat) (p : point -> R),
  (forall x y, (forall i, (i < d)%nat -> x i = y i) -> p x = p y) ->
  (forall x, 0 < p x) -> (forall x, p (fun i => - x i) = p x) ->
  forall (a b : point) (q : R), 0 <= q <= 1 -> forall alpha A B, 1 < alpha -> 0 < B ->
  let P := fun x : point => p (fun i => x i - a i) in let Q := fun x : point => p (fun i => x i - b i) in
  let Pq := fun x => (1 - q) * P x + q * Q x in
  int_space d (fun x => Q x * Rpower (Pq x / Q x) alpha) A ->
  int_space d (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->
  ln B / (alpha - 1) <= ln A / (alpha - 1).
Proof. exact SymmetricNoise.symmetric_noise_space. Qed.

(** Discretised: a law on the integers, whose sum runs over 0, 1, 2, ... and over -1, -2, -3, ... *)
Definition sum_integers (f : Z -> R) (l : R) : Prop :=
  exists l1 l2 : R, is_series (fun n => f (Z.of_nat n)) l1 /\
                    is_series (fun n => f (- Z.of_nat (S n))%Z) l2 /\ l = l1 + l2.

Theorem symmetric_noise_integers : forall p : Z -> R,
  (forall x, 0 < p x) -> (forall x, p (- x)%Z = p x) ->
  forall (a b : Z) (q : R), 0 <= q <= 1 -> forall alpha A B, 1 < alpha -> 0 < B ->
  let P := fun x => p (x - a)%Z in let Q := fun x => p (x - b)%Z in
  let Pq := fun x => (1 - q) * P x + q * Q x in
  sum_integers (fun x => Q x * Rpower (Pq x / Q x) alpha) A ->
  sum_integers (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->
  ln B / (alpha - 1) <= ln A / (alpha - 1).
Proof. exact SymmetricNoise.symmetric_noise_integers. Qed.

(** * Theorem 5 as stated is false *)

(** The integral over (0,oo), and the densities, mixture and involution of the counterexample. *)
Definition int_half (f : R -> R) (l : R) : Prop :=
  is_RInt_gen f (at_right 0) (Rbar_locally p_infty) l.
Definition nu (x : R) : R := / x.
Definition Q (x : R) : R := 2 * x ^ 2 * (1 + 9 * x + 2 * x ^ 3) / (1 + x) ^ 7.
Definition P (x : R) : R := 2 * x ^ 2 * (2 + 9 * x ^ 2 + x ^ 3) / (1 + x) ^ 7.
Definition P_half (x : R) : R := (1 - 1 / 2) * P x + 1 / 2 * Q x.

(** All hypotheses of Theorem 5 hold on (0,oo), the conclusion fails at alpha = 2, q = 1/2. *)
Theorem involution_counterexample :
  (forall x, 0 < x -> 0 < nu x /\ nu (nu x) = x /\ ex_derive nu x) /\
  (forall x, 0 < x -> 0 < P x /\ 0 < Q x /\ P x = Q (nu x) /\ ex_derive P x /\ ex_derive Q x) /\
  int_half P 1 /\ int_half Q 1 /\
  exists A B,
    int_half (fun x => Q x * Rpower (P_half x / Q x) 2) A /\
    int_half (fun x => P_half x * Rpower (Q x / P_half x) 2) B /\
    ln A / (2 - 1) < ln B / (2 - 1).
Proof. exact InvolutionCounterexample.involution_counterexample. Qed.

(** Its two moments: one exactly, one with a rational upper bound below it. *)
Theorem counterexample_moments :
  int_half (fun x => P_half x * Rpower (Q x / P_half x) 2) (962 / 945) /\
  exists A, int_half (fun x => Q x * Rpower (P_half x / Q x) 2) A /\ 0 < A <= 509161 / 500500.
Proof. exact (conj InvolutionCounterexample.backward_moment InvolutionCounterexample.forward_moment). Qed.

(** * The reduction and the mechanism (claims R0 to R11, N3, N4), real-valued f *)

(** The density of the mechanism with f on the line, and its sensitivity. *)
Definition sampled_gaussian {U : Type} (q sigma : R) (f : list U -> R) (S : list U) (z : R) : R :=
  sum_over (sublists S) (fun T => keep_probability q S T * mu0 sigma (z - f T)).
Definition sensitivity_1 {U : Type} (f : list U -> R) : Prop :=
  forall T T', adjacent T T' -> Rabs (f T - f T') <= 1.

(** (alpha, eps)-RDP of a mechanism given by its output densities. *)
Definition is_RDP {U : Type} (M : list U -> R -> R) (alpha eps : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
    exists D, is_renyi alpha (M S) (M S') D /\ D <= eps.

(** The output is a density of mass 1. *)
Theorem mechanism_density : forall {U : Type} (q sigma : R), 0 <= q <= 1 -> 0 < sigma ->
  forall (f : list U -> R) (S : list U),
  (forall z, 0 < sampled_gaussian q sigma f S z) /\ int_line (sampled_gaussian q sigma f S) 1.
Proof. exact @MechanismDensity.mechanism_density. Qed.

(** Moments exist and are at most A and B; at order 1 and above. *)
Theorem reduction_moments : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma ->
  forall (f : list U -> R) (S S' : list U), 1 <= alpha -> sensitivity_1 f -> adjacent S S' ->
  let M := sampled_gaussian q sigma f S in let M' := sampled_gaussian q sigma f S' in
  (exists l, int_line (fun z => M z * Rpower (M' z / M z) alpha) l /\ 1 <= l <= A q sigma alpha) /\
  (exists l, int_line (fun z => M' z * Rpower (M z / M' z) alpha) l /\ 1 <= l <= B q sigma alpha).
Proof. exact @SampledGaussianRDP.reduction_moments. Qed.

(** Theorem 4, with the inequality the right way round: the divergences exist and are at most those
    between mu and mu0. *)
Theorem reduction : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall (f : list U -> R) (S S' : list U), sensitivity_1 f -> adjacent S S' ->
  (exists D, is_renyi alpha (sampled_gaussian q sigma f S') (sampled_gaussian q sigma f S) D /\
             D <= renyi alpha (mu q sigma) (mu0 sigma)) /\
  (exists D, is_renyi alpha (sampled_gaussian q sigma f S) (sampled_gaussian q sigma f S') D /\
             D <= renyi alpha (mu0 sigma) (mu q sigma)).
Proof. exact @SampledGaussianRDP.reduction. Qed.

(** The guarantee over all f holds for exactly the eps from D_alpha(mu || mu0) upwards. *)
Theorem rdp_exactly : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall (x : U) (eps : R),
  (forall f : list U -> R, sensitivity_1 f -> is_RDP (sampled_gaussian q sigma f) alpha eps) <->
  renyi alpha (mu q sigma) (mu0 sigma) <= eps.
Proof. exact @SampledGaussianRDP.rdp_exactly. Qed.

(** Theorem 11 for the mechanism. *)
Theorem mechanism_rdp : forall {U : Type} (q sigma alpha : R) (f : list U -> R),
  theorem_11_conditions q sigma alpha -> sensitivity_1 f ->
  is_RDP (sampled_gaussian q sigma f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof. exact @SampledGaussianRDP.mechanism_rdp. Qed.

(** The mechanism is zCDP with rho = 1/(2 sigma^2), for every q. *)
Theorem mechanism_zcdp : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall f : list U -> R, sensitivity_1 f ->
  is_RDP (sampled_gaussian q sigma f) alpha (1 / (2 * sigma ^ 2) * alpha).
Proof. exact @SampledGaussianRDP.mechanism_zcdp. Qed.

(** The closed form for the mechanism at q >= 1/2, every alpha > 1 and sigma > 0. *)
Theorem mechanism_rdp_large_q : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall f : list U -> R, 1 / 2 <= q -> sensitivity_1 f ->
  is_RDP (sampled_gaussian q sigma f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof. exact @SampledGaussianRDP.mechanism_rdp_large_q. Qed.

(** * Orders against order 2, for every q and sigma *)

(** Orders to 2 cost at most what the second moment says, in both directions; at order 2 exactly that. *)
Theorem excess_below_two : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 < alpha <= 2 ->
  A q sigma alpha <= 1 + alpha * (alpha - 1) / 2 * q ^ 2 * (exp (1 / sigma ^ 2) - 1).
Proof. intros q sigma alpha Hq Hs. exact (OrderGrowth.excess_below_two q sigma Hq Hs alpha). Qed.

Theorem renyi_below_two : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 < alpha <= 2 ->
  renyi alpha (mu q sigma) (mu0 sigma)
    <= ln (1 + alpha * (alpha - 1) / 2 * q ^ 2 * (exp (1 / sigma ^ 2) - 1)) / (alpha - 1) /\
  renyi alpha (mu0 sigma) (mu q sigma)
    <= ln (1 + alpha * (alpha - 1) / 2 * q ^ 2 * (exp (1 / sigma ^ 2) - 1)) / (alpha - 1).
Proof. intros q sigma alpha Hq Hs. exact (OrderGrowth.renyi_below_two q sigma Hq Hs alpha). Qed.

Theorem renyi_order_2 : forall q sigma, 0 <= q <= 1 -> 0 < sigma ->
  renyi 2 (mu q sigma) (mu0 sigma) = ln (1 + q ^ 2 * (exp (1 / sigma ^ 2) - 1)).
Proof. exact OrderGrowth.renyi_order_2. Qed.

(** From order 2 on the excess, divided by alpha (alpha - 1), does not fall. *)
Theorem excess_rising : forall q sigma alpha beta, 0 <= q <= 1 -> 0 < sigma -> 2 <= alpha <= beta ->
  (A q sigma alpha - 1) / (alpha * (alpha - 1)) <= (A q sigma beta - 1) / (beta * (beta - 1)).
Proof. intros q sigma alpha beta Hq Hs. exact (OrderGrowth.excess_rising q sigma Hq Hs alpha beta). Qed.

(** * Removing a record against adding one, for one step *)

(** The hockey stick of two densities on the line. *)
Definition hockey_line (eps : R) (P Q : R -> R) (z : R) : R := Rmax 0 (P z - exp eps * Q z).

(** Both deltas exist, and that of adding is never the larger one. *)
Theorem removing_dominates : forall q sigma eps, 0 <= q <= 1 -> 0 < sigma -> 0 <= eps ->
  exists removing adding,
    int_line (hockey_line eps (mu q sigma) (mu0 sigma)) removing /\
    int_line (hockey_line eps (mu0 sigma) (mu q sigma)) adding /\
    0 <= adding <= removing.
Proof. exact RemovingAdding.removing_dominates. Qed.
