(** What is proved about the mechanism, in the order in which to read it: the definitions, the two
    theorems, and what follows from them.

    Whoever reads this file knows what the development claims.  The definitions use
    nothing but the standard library and Coquelicot's [is_RInt_gen], the limit of Riemann
    integrals as their bounds tend to the given filters.  Each proof only points to the
    file where the work is done.  The paper's lemmas are in StatementsLemmas, single steps
    of its proofs in StatementsSteps, further results in StatementsBeyond. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From SGM Require Integral Gaussian AB AGeqB MainTheorem Witnesses IntegerOrder Divergence ZeroConcentrated
  DivergenceOrder OrderOne SmallRate LowerBound SpaceIntegral SpaceBranch SpaceReduction SpaceRDP
  MechanismDensity.
Open Scope R_scope.

(** * 1. Definitions *)

(** The improper integral of f over R converges and equals l. *)
Definition int_line (f : R -> R) (l : R) : Prop :=
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) l.

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

(** Densities of N(0, sigma^2), N(1, sigma^2), of their mixture, and of N(m, sigma^2 I) on R^d. *)
Definition mu0 (sigma z : R) : R := exp (- z ^ 2 / (2 * sigma ^ 2)) / (sigma * sqrt (2 * PI)).
Definition mu1 (sigma z : R) : R := exp (- (z - 1) ^ 2 / (2 * sigma ^ 2)) / (sigma * sqrt (2 * PI)).
Definition mu (q sigma z : R) : R := (1 - q) * mu0 sigma z + q * mu1 sigma z.
Definition normal_space (sigma : R) (d : nat) (m x : point) : R := prod_to d (fun i => mu0 sigma (x i - m i)).

(** The mechanism.  A data set is a list of records of any type; each record is kept with probability
    q, f is evaluated on what was kept, Gaussian noise is added. *)
Definition sum_over {I : Type} (L : list I) (w : I -> R) : R := fold_right Rplus 0 (map w L).
Fixpoint sublists {U : Type} (S : list U) : list (list U) :=
  match S with
  | nil => nil :: nil
  | x :: rest => map (cons x) (sublists rest) ++ sublists rest
  end.
Definition keep_probability {U : Type} (q : R) (S T : list U) : R :=
  q ^ length T * (1 - q) ^ (length S - length T).
Definition sampled_gaussian_space {U : Type} (q sigma : R) (d : nat) (f : list U -> point)
  (S : list U) (x : point) : R :=
  sum_over (sublists S) (fun T => keep_probability q S T * normal_space sigma d (f T) x).

(** Adjacent data sets differ by one inserted record, which moves f by at most 1 in Euclidean distance. *)
Definition adjacent {U : Type} (S S' : list U) : Prop :=
  exists (S1 S2 : list U) (x : U), S = S1 ++ S2 /\ S' = S1 ++ x :: S2.
Definition sensitivity_1_space {U : Type} (d : nat) (f : list U -> point) : Prop :=
  forall T T', adjacent T T' -> sum_to d (fun i => (f T' i - f T i) ^ 2) <= 1.

(** (alpha, eps)-RDP: the moment l exists and D_alpha = ln l / (alpha-1) <= eps, in both orders. *)
Definition is_RDP_space {U : Type} (d : nat) (M : list U -> point -> R) (alpha eps : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
    exists l, int_space d (fun x => M S' x * Rpower (M S x / M S' x) alpha) l /\ ln l / (alpha - 1) <= eps.

(** Renyi divergence of order alpha <> 1 of the density p from the density r, on the line: its integral
    converges, to something positive, and D is the divergence. *)
Definition is_renyi (alpha : R) (p r : R -> R) (D : R) : Prop :=
  exists l, int_line (fun z => r z * Rpower (p z / r z) alpha) l /\ 0 < l /\ D = ln l / (alpha - 1).

(** The conditions of Theorem 11, with q > 0. *)
Definition L (q alpha : R) : R := ln (1 + 1 / (q * (alpha - 1))).
Definition theorem_11_conditions (q sigma alpha : R) : Prop :=
  0 < q <= 1 / 5 /\ 4 <= sigma /\ 1 < alpha /\
  alpha <= 1 / 2 * sigma ^ 2 * L q alpha - 2 * ln sigma /\
  alpha <= (1 / 2 * sigma ^ 2 * L q alpha ^ 2 - ln 5 - 2 * ln sigma)
           / (L q alpha + ln (q * alpha) + 1 / (2 * sigma ^ 2)).

(** For use in formulas: the value of an integral over R, of a divergence, of the moments
    A_alpha = E_{mu0}[(mu/mu0)^alpha] and B_alpha = E_{mu}[(mu0/mu)^alpha], and of the Kullback-Leibler
    divergence.  They mean something where the integral converges.  For mu and mu0 it always does:
    divergences_converge, A_exists, B_exists and KL_is_integral in the next part. *)
Definition line_integral (f : R -> R) : R :=
  RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty).
Definition renyi (alpha : R) (p r : R -> R) : R :=
  ln (line_integral (fun z => r z * Rpower (p z / r z) alpha)) / (alpha - 1).
Definition A_integrand (q sigma alpha z : R) : R :=
  mu0 sigma z * Rpower (mu q sigma z / mu0 sigma z) alpha.
Definition B_integrand (q sigma alpha z : R) : R :=
  mu q sigma z * Rpower (mu0 sigma z / mu q sigma z) alpha.
Definition A (q sigma alpha : R) : R := line_integral (A_integrand q sigma alpha).
Definition B (q sigma alpha : R) : R := line_integral (B_integrand q sigma alpha).
Definition kl_integrand (P Q : R -> R) (z : R) : R := P z * ln (P z / Q z).
Definition KL (P Q : R -> R) : R := line_integral (kl_integrand P Q).

(** * 2. The definitions mean what they should *)

(** [int_line] in epsilon form. *)
Theorem int_line_meaning : forall (f : R -> R) (l : R), int_line f l <->
  (forall eps, 0 < eps -> exists M, 0 < M /\ forall a b, a < - M -> M < b ->
     exists y, is_RInt f a b y /\ Rabs (y - l) < eps).
Proof. exact Integral.int_line_epsilon. Qed.

(** The integral over R^d has at most one value; so has the divergence. *)
Theorem int_space_unique : forall d F l1 l2, int_space d F l1 -> int_space d F l2 -> l1 = l2.
Proof. exact SpaceIntegral.int_space_unique. Qed.

Theorem is_renyi_unique : forall (alpha : R) (p r : R -> R) (D D' : R),
  is_renyi alpha p r D -> is_renyi alpha p r D' -> D = D'.
Proof. exact Divergence.is_renyi_unique. Qed.

(** The densities have mass 1. *)
Theorem mu0_normalised : forall sigma, 0 < sigma -> int_line (mu0 sigma) 1.
Proof. exact Gaussian.mu0_normalised. Qed.

Theorem mu1_normalised : forall sigma, 0 < sigma -> int_line (mu1 sigma) 1.
Proof. exact Gaussian.mu1_normalised. Qed.

Theorem mu_normalised : forall q sigma, 0 < sigma -> int_line (mu q sigma) 1.
Proof. exact AB.mu_normalised. Qed.

Theorem normal_space_normalised : forall sigma d m, 0 < sigma -> int_space d (normal_space sigma d m) 1.
Proof. exact SpaceBranch.normal_space_normalised. Qed.

(** What the mechanism puts out is a probability density: positive, and of mass 1. *)
Theorem space_mechanism_density : forall {U : Type} (q sigma : R), 0 <= q <= 1 -> 0 < sigma ->
  forall (d : nat) (f : list U -> point) (S : list U),
  (forall x, 0 < sampled_gaussian_space q sigma d f S x) /\
  int_space d (sampled_gaussian_space q sigma d f S) 1.
Proof. exact @MechanismDensity.space_mechanism_density. Qed.

(** The two divergences between mu and mu0 exist, for every q, sigma and order. *)
Theorem divergences_converge : forall q sigma, 0 <= q <= 1 -> 0 < sigma -> forall alpha,
  is_renyi alpha (mu q sigma) (mu0 sigma) (renyi alpha (mu q sigma) (mu0 sigma)) /\
  is_renyi alpha (mu0 sigma) (mu q sigma) (renyi alpha (mu0 sigma) (mu q sigma)).
Proof. exact DivergenceOrder.divergences_converge. Qed.

(** A_alpha exists, for every real alpha. *)
Theorem A_exists : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma ->
  int_line (A_integrand q sigma alpha) (A q sigma alpha).
Proof. intros q sigma alpha Hq Hs. exact (AB.A_is_integral q sigma Hq Hs alpha). Qed.

(** B_alpha exists, for every real alpha. *)
Theorem B_exists : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma ->
  int_line (B_integrand q sigma alpha) (B q sigma alpha).
Proof. intros q sigma alpha Hq Hs. exact (AB.B_is_integral q sigma Hq Hs alpha). Qed.

(** So do both Kullback-Leibler divergences. *)
Theorem KL_is_integral : forall q sigma, 0 <= q <= 1 -> 0 < sigma ->
  int_line (kl_integrand (mu q sigma) (mu0 sigma)) (KL (mu q sigma) (mu0 sigma)) /\
  int_line (kl_integrand (mu0 sigma) (mu q sigma)) (KL (mu0 sigma) (mu q sigma)).
Proof. exact DivergenceOrder.KL_is_integral. Qed.

(** * 3. The two theorems *)

(** Theorem 4, corrected and sharp: over all f of sensitivity 1, in every dimension, the mechanism is
    (alpha, eps)-RDP for exactly the eps from D_alpha(mu || mu0) upwards. *)
Theorem space_rdp_exactly : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  forall (n : nat) (x : U) (eps : R),
  (forall f : list U -> point, sensitivity_1_space (S n) f ->
     is_RDP_space (S n) (sampled_gaussian_space q sigma (S n) f) alpha eps) <->
  renyi alpha (mu q sigma) (mu0 sigma) <= eps.
Proof. exact @SpaceRDP.space_rdp_exactly. Qed.

(** The same, with the divergence as a number that exists. *)
Theorem space_rdp_least : forall {U : Type} (q sigma alpha : R), 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  exists D, is_renyi alpha (mu q sigma) (mu0 sigma) D /\
  forall (n : nat) (x : U) (eps : R),
  (forall f : list U -> point, sensitivity_1_space (S n) f ->
     is_RDP_space (S n) (sampled_gaussian_space q sigma (S n) f) alpha eps) <-> D <= eps.
Proof.
  intros U q sigma alpha Hq Hs Ha. exists (renyi alpha (mu q sigma) (mu0 sigma)).
  split; [exact (proj1 (divergences_converge q sigma Hq Hs alpha))|].
  intros n x eps. exact (space_rdp_exactly q sigma alpha Hq Hs Ha n x eps).
Qed.

(** Theorem 11: the closed form, under its conditions, for every f and every dimension. *)
Theorem space_mechanism_rdp : forall {U : Type} (q sigma alpha : R) (d : nat) (f : list U -> point),
  theorem_11_conditions q sigma alpha -> sensitivity_1_space d f ->
  is_RDP_space d (sampled_gaussian_space q sigma d f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof. exact @SpaceRDP.space_mechanism_rdp. Qed.

(** The conditions can be met in each of the three cases of the paper's proof. *)
Theorem conditions_met_case_I : theorem_11_conditions (1 / 100) 4 (3 / 2) /\ 3 / 2 < 2.
Proof. exact Witnesses.witness_case_I. Qed.

Theorem conditions_met_case_IIa :
  theorem_11_conditions (1 / 100) 4 8 /\ 2 <= 8 /\ 1 / 100 * (8 - 1) < 1 / 3.
Proof. exact Witnesses.witness_case_IIa. Qed.

Theorem conditions_met_case_IIb :
  theorem_11_conditions (1 / 5) 4 4 /\ 2 <= 4 /\ 1 / 3 <= 1 / 5 * (4 - 1).
Proof. exact Witnesses.witness_case_IIb. Qed.

(** * 4. What follows, and how good the bound is *)

(** Theorem 11 on the line: both divergences, strictly.  They exist by divergences_converge. *)
Theorem theorem_11 : forall q sigma alpha, theorem_11_conditions q sigma alpha ->
  renyi alpha (mu q sigma) (mu0 sigma) < 2 * q ^ 2 * alpha / sigma ^ 2 /\
  renyi alpha (mu0 sigma) (mu q sigma) < 2 * q ^ 2 * alpha / sigma ^ 2.
Proof. exact MainTheorem.main_theorem. Qed.

(** Corollary 7: A is the larger moment, so D_alpha(mu || mu0) is the larger divergence. *)
Theorem corollary_7 : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 <= alpha ->
  A q sigma alpha >= B q sigma alpha.
Proof. intros q sigma alpha Hq Hs Ha. apply Rle_ge. exact (AGeqB.A_ge_B q sigma alpha Hq Hs Ha). Qed.

Theorem divergence_order_above_one : forall q sigma alpha, 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  renyi alpha (mu0 sigma) (mu q sigma) <= renyi alpha (mu q sigma) (mu0 sigma).
Proof. exact Divergence.renyi_order. Qed.

(** No epsilon below q^2 alpha/(2 sigma^2) will do, whatever q, sigma and alpha are. *)
Theorem renyi_lower_bound : forall q sigma, 0 <= q <= 1 -> 0 < sigma -> forall alpha, 1 < alpha ->
  q ^ 2 * alpha / (2 * sigma ^ 2) <= renyi alpha (mu q sigma) (mu0 sigma).
Proof. exact LowerBound.renyi_lower_bound. Qed.

(** So the closed form is never more than four times the truth, wherever Theorem 11 holds. *)
Theorem within_factor_4 : forall q sigma alpha, theorem_11_conditions q sigma alpha ->
  renyi alpha (mu q sigma) (mu0 sigma) < 2 * q ^ 2 * alpha / sigma ^ 2 /\
  2 * q ^ 2 * alpha / sigma ^ 2 <= 4 * renyi alpha (mu q sigma) (mu0 sigma).
Proof. exact LowerBound.within_factor_4. Qed.

(** And no smaller factor would do. *)
Theorem factor_4_optimal : forall factor, factor < 4 ->
  exists q sigma alpha, theorem_11_conditions q sigma alpha /\
    factor * renyi alpha (mu q sigma) (mu0 sigma) < 2 * q ^ 2 * alpha / sigma ^ 2.
Proof. exact LowerBound.factor_4_optimal. Qed.

(** Small sampling rates: D_alpha/q^2 has a limit as q -> 0, the same for both divergences. *)
Theorem quadratic_in_q : forall sigma, 0 < sigma -> forall alpha, 1 < alpha ->
  filterlim (fun q => renyi alpha (mu q sigma) (mu0 sigma) / q ^ 2) (at_right 0)
    (locally (alpha / 2 * (exp (1 / sigma ^ 2) - 1))) /\
  filterlim (fun q => renyi alpha (mu0 sigma) (mu q sigma) / q ^ 2) (at_right 0)
    (locally (alpha / 2 * (exp (1 / sigma ^ 2) - 1))).
Proof. exact SmallRate.renyi_quadratic. Qed.

(** Order 1: the divergences tend to the Kullback-Leibler divergences, from either side of 1. *)
Theorem kl_limit : forall q sigma, 0 <= q <= 1 -> 0 < sigma ->
  is_lim (fun alpha => renyi alpha (mu q sigma) (mu0 sigma)) 1 (KL (mu q sigma) (mu0 sigma)) /\
  is_lim (fun alpha => renyi alpha (mu0 sigma) (mu q sigma)) 1 (KL (mu0 sigma) (mu q sigma)).
Proof.
  intros q sigma Hq Hs.
  exact (conj (OrderOne.renyi_limit_forward q sigma Hq Hs) (OrderOne.renyi_limit_backward q sigma Hq Hs)).
Qed.

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

(** Moments exist and are at most A and B: what Theorem 4 rests on. *)
Theorem space_reduction_moments : forall {U : Type} (q sigma alpha : R) (d : nat),
  0 <= q <= 1 -> 0 < sigma -> 1 <= alpha ->
  forall (f : list U -> point) (S S' : list U), sensitivity_1_space d f -> adjacent S S' ->
  let M := sampled_gaussian_space q sigma d f S in let M' := sampled_gaussian_space q sigma d f S' in
  (exists l, int_space d (fun x => M x * Rpower (M' x / M x) alpha) l /\ 1 <= l <= A q sigma alpha) /\
  (exists l, int_space d (fun x => M' x * Rpower (M x / M' x) alpha) l /\ 1 <= l <= B q sigma alpha).
Proof. exact @SpaceReduction.space_reduction_moments. Qed.

(** Integer alpha: the binomial formula. *)
Theorem A_integer_order : forall q sigma n, 0 <= q <= 1 -> 0 < sigma ->
  A q sigma (INR n) =
  sum_f_R0 (fun k => Binomial.C n k * (1 - q) ^ (n - k) * q ^ k
                     * exp ((INR k ^ 2 - INR k) / (2 * sigma ^ 2))) n.
Proof. exact IntegerOrder.A_integer_order. Qed.
