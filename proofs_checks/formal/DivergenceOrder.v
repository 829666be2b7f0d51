(** Corollary 7 in divergence form outside alpha > 1: at alpha = 1, where it
    compares two Kullback-Leibler divergences, and for 1/2 <= alpha < 1, where
    A <= B and the factor 1/(alpha-1) is negative.  At alpha = 1/2 both agree.

    The reflection z -> 1-z exchanges mu0 and mu1 and preserves the integral, so
    the corrected Theorem 5 applies.  The two Kullback-Leibler integrals exist
    because t ln t and -ln t are bounded by t^2 + 1 and t + 1/t at t = mu/mu0. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian Pointwise AB AGeqB MainTheorem Divergence InvariantInvolution.
Open Scope R_scope.

(** Integrability of a function of either sign below an integrable one. *)
Lemma int_line_exists_between (f g : R -> R) (lg : R) :
  (forall x, continuous f x) -> (forall x, continuous g x) ->
  (forall x, - g x <= f x <= g x) -> int_line g lg -> exists lf, int_line f lf.
Proof.
  intros Cf Cg H Hg.
  destruct (int_line_exists_dominated (fun x => f x + g x) (fun x => 2 * g x) (2 * lg)) as [l [Hl _]].
  - intros x. apply (continuous_plus (V := R_NormedModule)); [apply Cf|apply Cg].
  - intros x. apply (continuous_scal_r (V := R_NormedModule) 2), Cg.
  - intros x. specialize (H x). lra.
  - apply int_line_scal, Hg.
  - exists (l - lg). apply (int_line_ext (fun x => f x + g x - g x)); [intros x; ring|].
    apply int_line_minus; assumption.
Qed.

(** The integrands of KL(mu || mu0) and KL(mu0 || mu). *)
Definition kl_integrand (P Q : R -> R) (z : R) : R := P z * ln (P z / Q z).
Definition KL (P Q : R -> R) : R := line_integral (kl_integrand P Q).

Section Fixed_q_sigma.
Variables q sigma : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

Lemma mu_as_mixture (z : R) : mu q sigma z = (1 - (1 - q)) * mu1 sigma z + (1 - q) * mu0 sigma z.
Proof. unfold mu. ring. Qed.

Lemma mu1_is_mu0_reflected (z : R) : mu1 sigma z = mu0 sigma (1 - z).
Proof. symmetry. apply mu0_reflect. Qed.

Lemma reflection_involution (z : R) : 1 - (1 - z) = z.
Proof. ring. Qed.

Lemma reflection_ratio (z : R) : mu1 sigma (1 - z) / mu0 sigma (1 - z) = mu0 sigma z / mu1 sigma z.
Proof. exact (ratio_of_involution (fun z => 1 - z) reflection_involution _ _ mu1_is_mu0_reflected z). Qed.

Lemma reflection_transport (f : R -> R) (l : R) :
  int_line (fun z => f z * mu0 sigma z) l -> int_line (fun z => f (1 - z) * mu1 sigma z) l.
Proof.
  exact (transport_of_invariance int_line (fun z => 1 - z) (fun f l => int_line_reflect f 1 l)
           _ _ mu1_is_mu0_reflected f l).
Qed.

Lemma A_pos (alpha : R) : 0 < A q sigma alpha.
Proof.
  apply (int_line_pos (A_integrand q sigma alpha) _ 0).
  - apply A_integrand_continuous; assumption.
  - intros z. left. apply A_integrand_pos, Hs.
  - apply A_integrand_pos, Hs.
  - apply A_is_integral; assumption.
Qed.

(** Both divergences of the pair exist, at every real order. *)
Theorem divergences_converge (alpha : R) :
  is_renyi alpha (mu q sigma) (mu0 sigma) (renyi alpha (mu q sigma) (mu0 sigma)) /\
  is_renyi alpha (mu0 sigma) (mu q sigma) (renyi alpha (mu0 sigma) (mu q sigma)).
Proof.
  rewrite renyi_mu_mu0, renyi_mu0_mu. split; apply is_renyi_of_moment.
  - exact (A_is_integral q sigma Hq Hs alpha).
  - apply A_pos.
  - exact (B_is_integral q sigma Hq Hs alpha).
  - rewrite (B_eq_A q sigma Hq Hs). apply A_pos.
Qed.

(** Claim C0 below order 1: the inequality between A and B turns round. *)
Theorem A_le_B_below_one (alpha : R) : 1 / 2 <= alpha < 1 -> A q sigma alpha <= B q sigma alpha.
Proof.
  intros Ha.
  refine (forward_le_backward R int_line int_line_plus int_line_le (fun z => 1 - z) (mu1 sigma) (mu0 sigma)
    (fun z => mu1_pos sigma z Hs) (fun z => mu0_pos sigma z Hs) reflection_ratio reflection_transport
    (1 - q) ltac:(lra) alpha _ _ Ha _ _).
  - apply (int_line_ext (A_integrand q sigma alpha)); [|apply A_is_integral; assumption].
    intros z. unfold forward, A_integrand. rewrite mu_as_mixture. reflexivity.
  - apply (int_line_ext (B_integrand q sigma alpha)); [|apply B_is_integral; assumption].
    intros z. unfold backward, B_integrand. rewrite mu_as_mixture. reflexivity.
Qed.

(** Claim C0 in divergence form for 1/2 <= alpha < 1. *)
Theorem divergence_order_below_one (alpha : R) : 1 / 2 <= alpha < 1 ->
  renyi alpha (mu0 sigma) (mu q sigma) <= renyi alpha (mu q sigma) (mu0 sigma).
Proof.
  intros Ha. rewrite renyi_mu_mu0, renyi_mu0_mu.
  assert (L : ln (A q sigma alpha) <= ln (B q sigma alpha))
    by (apply ln_le; [apply A_pos|apply A_le_B_below_one, Ha]).
  assert (N : 0 < 1 / (1 - alpha)) by (apply Rdiv_lt_0_compat; lra).
  replace (ln (B q sigma alpha) / (alpha - 1)) with (- (1 / (1 - alpha) * ln (B q sigma alpha))) by (field; lra).
  replace (ln (A q sigma alpha) / (alpha - 1)) with (- (1 / (1 - alpha) * ln (A q sigma alpha))) by (field; lra).
  apply Ropp_le_contravar, Rmult_le_compat_l; [lra|exact L].
Qed.

(** Claim C0: at alpha = 1/2 the two divergences are equal. *)
Theorem divergence_equal_at_half :
  renyi (1 / 2) (mu0 sigma) (mu q sigma) = renyi (1 / 2) (mu q sigma) (mu0 sigma).
Proof.
  rewrite renyi_mu_mu0, renyi_mu0_mu, (B_eq_A q sigma Hq Hs).
  replace (1 - 1 / 2) with (1 / 2) by field. reflexivity.
Qed.

(** * Order 1 *)

Lemma mu0_times_function_continuous (h : R -> R) : (forall y, 0 < y -> ex_derive h y) ->
  forall z, continuous (fun z => mu0 sigma z * h (mix_ratio q sigma z)) z.
Proof.
  intros Hh z. apply (ex_derive_continuous (V := R_NormedModule)).
  apply (ex_derive_mult (mu0 sigma) (fun z => h (mix_ratio q sigma z))).
  - unfold mu0. auto_derive. trivial.
  - apply (ex_derive_comp h (mix_ratio q sigma)); [apply Hh, mix_ratio_pos, Hq|].
    unfold mix_ratio, ratio. auto_derive. trivial.
Qed.

Lemma t_ln_t_bounds (t : R) : 0 < t -> - (t ^ 2 + 1) <= t * ln t <= t ^ 2 + 1.
Proof.
  intros Ht. assert (U := ln_le_minus_1 t Ht).
  assert (L := ln_le_minus_1 (/ t) (Rinv_0_lt_compat t Ht)). rewrite ln_Rinv in L by exact Ht.
  assert (E : t * / t = 1) by (apply Rinv_r; lra).
  split; nra.
Qed.

Lemma minus_ln_bounds (t : R) : 0 < t -> - (t + / t) <= - ln t <= t + / t.
Proof.
  intros Ht. assert (I := Rinv_0_lt_compat t Ht). assert (U := ln_le_minus_1 t Ht).
  assert (L := ln_le_minus_1 (/ t) I). rewrite ln_Rinv in L by exact Ht. lra.
Qed.

Lemma kl_mu_mu0_exists : exists K, int_line (kl_integrand (mu q sigma) (mu0 sigma)) K.
Proof.
  destruct (int_line_exists_between (fun z => mu0 sigma z * (mix_ratio q sigma z * ln (mix_ratio q sigma z)))
    (fun z => mu0 sigma z * (mix_ratio q sigma z ^ 2 + 1)) (A q sigma 2 + 1)) as [K HK].
  - apply (mu0_times_function_continuous (fun t => t * ln t)). intros t Ht. auto_derive. exact Ht.
  - apply (mu0_times_function_continuous (fun t => t ^ 2 + 1)). intros t Ht. auto_derive. trivial.
  - intros z. assert (P := mu0_pos sigma z Hs).
    assert (T := t_ln_t_bounds (mix_ratio q sigma z) (mix_ratio_pos q sigma Hq z)).
    rewrite Ropp_mult_distr_r. split; apply Rmult_le_compat_l; lra.
  - apply (int_line_ext (fun z => A_integrand q sigma 2 z + mu0 sigma z)).
    + intros z. rewrite A_integrand_eq by exact Hs. unfold power_integrand.
      replace 2 with (INR 2) at 1 by (simpl; ring). rewrite Rpower_pow by (apply mix_ratio_pos, Hq). ring.
    + apply int_line_plus; [apply A_is_integral; assumption|apply mu0_normalised, Hs].
  - exists K. apply (int_line_ext _ _ K) with (2 := HK). intros z.
    unfold kl_integrand. rewrite mu_over_mu0, mu_eq_mix_ratio by exact Hs. ring.
Qed.

Lemma kl_mu0_mu_exists : exists K, int_line (kl_integrand (mu0 sigma) (mu q sigma)) K.
Proof.
  destruct (int_line_exists_between (fun z => mu0 sigma z * - ln (mix_ratio q sigma z))
    (fun z => mu0 sigma z * (mix_ratio q sigma z + / mix_ratio q sigma z)) (1 + B q sigma 2)) as [K HK].
  - apply (mu0_times_function_continuous (fun t => - ln t)). intros t Ht. auto_derive. exact Ht.
  - apply (mu0_times_function_continuous (fun t => t + / t)). intros t Ht. auto_derive. lra.
  - intros z. assert (P := mu0_pos sigma z Hs).
    assert (T := minus_ln_bounds (mix_ratio q sigma z) (mix_ratio_pos q sigma Hq z)).
    rewrite Ropp_mult_distr_r. split; apply Rmult_le_compat_l; lra.
  - apply (int_line_ext (fun z => mu q sigma z + B_integrand q sigma 2 z)).
    + intros z. rewrite B_integrand_eq, mu_eq_mix_ratio by assumption. unfold power_integrand.
      replace (1 - 2) with (- (1)) by ring.
      rewrite Rpower_Ropp, Rpower_1 by (apply mix_ratio_pos, Hq). ring.
    + apply int_line_plus; [apply mu_normalised, Hs|apply B_is_integral; assumption].
  - exists K. apply (int_line_ext _ _ K) with (2 := HK). intros z. unfold kl_integrand.
    assert (P := mu0_pos sigma z Hs). assert (M := mix_ratio_pos q sigma Hq z).
    replace (mu0 sigma z / mu q sigma z) with (/ mix_ratio q sigma z)
      by (rewrite mu_eq_mix_ratio by exact Hs; field; lra).
    rewrite ln_Rinv by exact M. reflexivity.
Qed.

(** Both Kullback-Leibler integrals converge. *)
Theorem KL_is_integral :
  int_line (kl_integrand (mu q sigma) (mu0 sigma)) (KL (mu q sigma) (mu0 sigma)) /\
  int_line (kl_integrand (mu0 sigma) (mu q sigma)) (KL (mu0 sigma) (mu q sigma)).
Proof.
  destruct kl_mu_mu0_exists as [K1 H1]. destruct kl_mu0_mu_exists as [K2 H2].
  split; [exact (line_integral_correct _ K1 H1)|exact (line_integral_correct _ K2 H2)].
Qed.

(** Claim G8 repaired: Corollary 7 at alpha = 1. *)
Theorem kl_order : KL (mu0 sigma) (mu q sigma) <= KL (mu q sigma) (mu0 sigma).
Proof.
  destruct KL_is_integral as [H1 H2].
  refine (kl_forward_ge_backward R int_line int_line_plus int_line_le (fun z => 1 - z) (mu1 sigma) (mu0 sigma)
    (fun z => mu1_pos sigma z Hs) (fun z => mu0_pos sigma z Hs) reflection_ratio reflection_transport
    (1 - q) ltac:(lra) _ _ _ _).
  - apply (int_line_ext _ _ _) with (2 := H1). intros z. unfold kl_integrand. rewrite mu_as_mixture. reflexivity.
  - apply (int_line_ext _ _ _) with (2 := H2). intros z. unfold kl_integrand. rewrite mu_as_mixture. reflexivity.
Qed.
End Fixed_q_sigma.
