(** The theorems that go beyond the one-dimensional paper text, restated from
    definitions that can be checked by eye: those of Statements, and the ones
    below.  Each proof only points to the file where the work is done. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements.
From SGM Require ZeroConcentrated DivergenceOrder InvariantInvolution InvolutionCounterexample
  Divergence ShiftMonotone SampledMechanism QuasiConvexity SampledGaussianRDP
  GaussianRotation SpaceIntegral SpaceBranch SpaceReduction SpaceRDP.
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

Theorem divergence_order_above_one : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  renyi alpha (mu0 sigma) (mu q sigma) <= renyi alpha (mu q sigma) (mu0 sigma).
Proof. exact Divergence.renyi_order. Qed.

(** Order 1: the Kullback-Leibler divergence, whose integrals converge. *)
Definition kl_integrand (P Q : R -> R) (z : R) : R := P z * ln (P z / Q z).
Definition KL (P Q : R -> R) : R := line_integral (kl_integrand P Q).

Theorem KL_is_integral : forall q sigma, 0 <= q <= 1 -> 0 < sigma ->
  int_line (kl_integrand (mu q sigma) (mu0 sigma)) (KL (mu q sigma) (mu0 sigma)) /\
  int_line (kl_integrand (mu0 sigma) (mu q sigma)) (KL (mu0 sigma) (mu q sigma)).
Proof. exact DivergenceOrder.KL_is_integral. Qed.

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

(** * Theorem 5: corrected, and refuted as stated (claim G0) *)

(** With nu preserving the integral over the line, and both moments finite. *)
Theorem general_bound_on_line : forall (P Q nu : R -> R) (q alpha A B : R),
  (forall x, nu (nu x) = x) ->
  (forall f l, int_line f l -> int_line (fun x => f (nu x)) l) ->
  (forall x, 0 < P x) -> (forall x, 0 < Q x) -> (forall x, P x = Q (nu x)) ->
  int_line P 1 -> int_line Q 1 -> 0 <= q <= 1 -> 1 < alpha ->
  let Pq := fun x => (1 - q) * P x + q * Q x in
  int_line (fun x => Q x * Rpower (Pq x / Q x) alpha) A ->
  int_line (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->
  renyi alpha Q Pq <= renyi alpha Pq Q.
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

(** Sublists, the probability of sampling one of them, the density of the mechanism. *)
Definition sum_over {I : Type} (L : list I) (w : I -> R) : R := fold_right Rplus 0 (map w L).
Fixpoint sublists {U : Type} (S : list U) : list (list U) :=
  match S with
  | nil => nil :: nil
  | x :: rest => map (cons x) (sublists rest) ++ sublists rest
  end.
Definition keep_probability {U : Type} (q : R) (S T : list U) : R :=
  q ^ length T * (1 - q) ^ (length S - length T).
Definition sampled_gaussian {U : Type} (q sigma : R) (f : list U -> R) (S : list U) (z : R) : R :=
  sum_over (sublists S) (fun T => keep_probability q S T * mu0 sigma (z - f T)).

(** Adjacent data sets differ by one inserted record, which moves f by at most 1. *)
Definition adjacent {U : Type} (S S' : list U) : Prop :=
  exists (S1 S2 : list U) (x : U), S = S1 ++ S2 /\ S' = S1 ++ x :: S2.
Definition sensitivity_1 {U : Type} (f : list U -> R) : Prop :=
  forall T T', adjacent T T' -> Rabs (f T - f T') <= 1.

(** (alpha, eps)-RDP of a mechanism given by its output densities. *)
Definition is_RDP {U : Type} (M : list U -> R -> R) (alpha eps : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
    (exists l, int_line (fun z => M S' z * Rpower (M S z / M S' z) alpha) l) /\
    renyi alpha (M S) (M S') <= eps.

(** Moments exist and are at most A and B; at order 1 and above. *)
Theorem reduction_moments : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma ->
  forall (f : list U -> R) (S S' : list U), 1 <= alpha -> sensitivity_1 f -> adjacent S S' ->
  let M := sampled_gaussian q sigma f S in let M' := sampled_gaussian q sigma f S' in
  (exists l, int_line (fun z => M z * Rpower (M' z / M z) alpha) l /\ 1 <= l <= A q sigma alpha) /\
  (exists l, int_line (fun z => M' z * Rpower (M z / M' z) alpha) l /\ 1 <= l <= B q sigma alpha).
Proof. exact @SampledGaussianRDP.reduction_moments. Qed.

(** Theorem 4, with the inequality the right way round. *)
Theorem reduction : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall (f : list U -> R) (S S' : list U), sensitivity_1 f -> adjacent S S' ->
  renyi alpha (sampled_gaussian q sigma f S') (sampled_gaussian q sigma f S)
    <= renyi alpha (mu q sigma) (mu0 sigma) /\
  renyi alpha (sampled_gaussian q sigma f S) (sampled_gaussian q sigma f S')
    <= renyi alpha (mu0 sigma) (mu q sigma).
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

(** * The same with f in R^d, every d *)

(** Points of R^d are the first d values of a function on the naturals.  Integrals over R^d are
    iterated improper integrals, last coordinate first; unused coordinates are set to 0. *)
Definition point : Type := nat -> R.
Definition update (v : point) (i : nat) (t : R) : point := fun j => if Nat.eqb j i then t else v j.
Fixpoint int_space (d : nat) (F : point -> R) (l : R) : Prop :=
  match d with
  | O => F (fun _ => 0) = l
  | S n => exists F', (forall v, int_line (fun t => F (update v n t)) (F' v)) /\ int_space n F' l
  end.
Fixpoint sum_to (d : nat) (a : nat -> R) : R := match d with O => 0 | S n => sum_to n a + a n end.
Fixpoint prod_to (d : nat) (a : nat -> R) : R := match d with O => 1 | S n => prod_to n a * a n end.

(** The density of N(m, sigma^2 I), the mechanism with that noise, and l2-sensitivity 1. *)
Definition normal_space (sigma : R) (d : nat) (m x : point) : R := prod_to d (fun i => mu0 sigma (x i - m i)).
Definition sampled_gaussian_space {U : Type} (q sigma : R) (d : nat) (f : list U -> point)
  (S : list U) (x : point) : R :=
  sum_over (sublists S) (fun T => keep_probability q S T * normal_space sigma d (f T) x).
Definition sensitivity_1_space {U : Type} (d : nat) (f : list U -> point) : Prop :=
  forall T T', adjacent T T' -> sum_to d (fun i => (f T' i - f T i) ^ 2) <= 1.

(** (alpha, eps)-RDP: the moment l exists and D_alpha = ln l / (alpha-1) <= eps, in both orders. *)
Definition is_RDP_space {U : Type} (d : nat) (M : list U -> point -> R) (alpha eps : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
    exists l, int_space d (fun x => M S' x * Rpower (M S x / M S' x) alpha) l /\ ln l / (alpha - 1) <= eps.

(** The iterated integral has at most one value, and gives the normal density mass 1. *)
Theorem int_space_unique : forall d F l1 l2, int_space d F l1 -> int_space d F l2 -> l1 = l2.
Proof. exact SpaceIntegral.int_space_unique. Qed.

Theorem normal_space_normalised : forall sigma d m, 0 < sigma -> int_space d (normal_space sigma d m) 1.
Proof. exact SpaceBranch.normal_space_normalised. Qed.

(** Moments exist and are at most A and B (claims R3 to R11). *)
Theorem space_reduction_moments : forall {U : Type} (q sigma alpha : R) (d : nat),
  0 <= q <= 1 -> 0 < sigma -> 1 <= alpha ->
  forall (f : list U -> point) (S S' : list U), sensitivity_1_space d f -> adjacent S S' ->
  let M := sampled_gaussian_space q sigma d f S in let M' := sampled_gaussian_space q sigma d f S' in
  (exists l, int_space d (fun x => M x * Rpower (M' x / M x) alpha) l /\ 1 <= l <= A q sigma alpha) /\
  (exists l, int_space d (fun x => M' x * Rpower (M x / M' x) alpha) l /\ 1 <= l <= B q sigma alpha).
Proof. exact @SpaceReduction.space_reduction_moments. Qed.

(** Theorem 4 corrected and sharp: over all f, exactly the eps from D_alpha(mu || mu0) upwards. *)
Theorem space_rdp_exactly : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall (n : nat) (x : U) (eps : R),
  (forall f : list U -> point, sensitivity_1_space (S n) f ->
     is_RDP_space (S n) (sampled_gaussian_space q sigma (S n) f) alpha eps) <->
  renyi alpha (mu q sigma) (mu0 sigma) <= eps.
Proof. exact @SpaceRDP.space_rdp_exactly. Qed.

(** Theorem 11 for the mechanism, every dimension. *)
Theorem space_mechanism_rdp : forall {U : Type} (q sigma alpha : R) (d : nat) (f : list U -> point),
  theorem_11_conditions q sigma alpha -> sensitivity_1_space d f ->
  is_RDP_space d (sampled_gaussian_space q sigma d f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof. exact @SpaceRDP.space_mechanism_rdp. Qed.

(** zCDP with rho = 1/(2 sigma^2) for every q, and with no smaller rho. *)
Theorem space_mechanism_zcdp : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall (d : nat) (f : list U -> point), sensitivity_1_space d f ->
  is_RDP_space d (sampled_gaussian_space q sigma d f) alpha (1 / (2 * sigma ^ 2) * alpha).
Proof. exact @SpaceRDP.space_mechanism_zcdp. Qed.

Theorem space_zcdp_constant_optimal : forall {U : Type} (q sigma : R), 0 <= q <= 1 -> 0 < sigma ->
  forall (n : nat) (x : U) (rho : R), 0 < q -> rho < 1 / (2 * sigma ^ 2) ->
  exists order, 1 < order /\ exists f : list U -> point, sensitivity_1_space (S n) f /\
    ~ is_RDP_space (S n) (sampled_gaussian_space q sigma (S n) f) order (rho * order).
Proof. exact @SpaceRDP.space_zcdp_constant_optimal. Qed.

(** The closed form at q >= 1/2, every alpha > 1, sigma > 0 and d. *)
Theorem space_mechanism_rdp_large_q : forall {U : Type} (q sigma alpha : R),
  0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall (d : nat) (f : list U -> point), 1 / 2 <= q -> sensitivity_1_space d f ->
  is_RDP_space d (sampled_gaussian_space q sigma d f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof. exact @SpaceRDP.space_mechanism_rdp_large_q. Qed.
