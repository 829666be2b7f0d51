(** The mechanism with a real-valued f: the case d = 1 of the reduction, written
    with ordinary integrals over the line.  Theorem 4 corrected, its sharpness, and
    Renyi differential privacy with the bound of Theorem 11, with the zCDP bound
    for every q, and with the closed form for q >= 1/2. *)

From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB AGeqB MainTheorem Divergence
  ZeroConcentrated DivergenceOrder SampledMechanism SpaceIntegral SpaceBranch SpaceReduction.
Open Scope R_scope.

(** The density of N(m, sigma^2), and the mechanism with that noise. *)
Definition normal (sigma m z : R) : R := mu0 sigma (z - m).
Definition sampled_gaussian {U : Type} (q sigma : R) (f : list U -> R) (S : list U) : R -> R :=
  mechanism (normal sigma) q f S.

(** Inserting one record moves f by at most 1. *)
Definition sensitivity_1 {U : Type} (f : list U -> R) : Prop :=
  forall T T', adjacent T T' -> Rabs (f T - f T') <= 1.

(** (alpha, eps)-RDP: on adjacent data sets, in both orders, the divergence exists
    and is at most eps. *)
Definition is_RDP {U : Type} (M : list U -> R -> R) (alpha eps : R) : Prop :=
  forall S S', adjacent S S' \/ adjacent S' S ->
    exists D, is_renyi alpha (M S) (M S') D /\ D <= eps.

Section Reduction.
Context {U : Type}.
Variables q sigma alpha : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

(** f as a function into R^1. *)
Let into_space (f : list U -> R) : list U -> point := fun T _ => f T.

Lemma into_space_sensitivity (f : list U -> R) : sensitivity_1 f -> sensitivity_1_space 1 (into_space f).
Proof.
  intros Hf T T' HT. unfold distance_sq, into_space. simpl.
  assert (K := Hf T T' HT). apply Rabs_le_between in K. nra.
Qed.

Lemma into_space_output (f : list U -> R) (S : list U) (x : point) :
  sampled_gaussian_space q sigma 1 (into_space f) S x = sampled_gaussian q sigma f S (x 0%nat).
Proof.
  apply sum_over_ext. intros T _. unfold normal_space, normal, into_space. simpl. ring.
Qed.

Lemma line_moment (f : list U -> R) (S S' : list U) (l : R) :
  int_space 1 (space_moment alpha (sampled_gaussian_space q sigma 1 (into_space f) S)
                                  (sampled_gaussian_space q sigma 1 (into_space f) S')) l ->
  int_line (moment_integrand alpha (sampled_gaussian q sigma f S) (sampled_gaussian q sigma f S')) l.
Proof.
  intros [F' [I E]]. simpl in E. subst l. apply (int_line_ext _ _ _) with (2 := I (fun _ => 0)).
  intros t. unfold space_moment, moment_integrand. rewrite !into_space_output, update_same. reflexivity.
Qed.

(** Claims R3 to R11 as moments: adjacent outputs have moments at most A and B. *)
Theorem reduction_moments (f : list U -> R) (S S' : list U) : 1 <= alpha ->
  sensitivity_1 f -> adjacent S S' ->
  (exists l, int_line (moment_integrand alpha (sampled_gaussian q sigma f S') (sampled_gaussian q sigma f S)) l
             /\ 1 <= l <= A q sigma alpha) /\
  (exists l, int_line (moment_integrand alpha (sampled_gaussian q sigma f S) (sampled_gaussian q sigma f S')) l
             /\ 1 <= l <= B q sigma alpha).
Proof.
  intros Ha Hf HS.
  destruct (space_reduction_moments q sigma alpha 1 Hq Hs Ha (into_space f) S S' (into_space_sensitivity f Hf) HS)
    as [[l1 [I1 B1]] [l2 [I2 B2]]].
  split; [exists l1|exists l2]; (split; [apply line_moment|]; assumption).
Qed.

Hypothesis Ha : 1 < alpha.

(** Theorem 4 corrected: the divergences of the mechanism are at most the one-dimensional ones. *)
Theorem reduction (f : list U -> R) (S S' : list U) : sensitivity_1 f -> adjacent S S' ->
  (exists D, is_renyi alpha (sampled_gaussian q sigma f S') (sampled_gaussian q sigma f S) D /\
             D <= renyi alpha (mu q sigma) (mu0 sigma)) /\
  (exists D, is_renyi alpha (sampled_gaussian q sigma f S) (sampled_gaussian q sigma f S') D /\
             D <= renyi alpha (mu0 sigma) (mu q sigma)).
Proof.
  intros Hf HS. rewrite renyi_mu_mu0, renyi_mu0_mu.
  destruct (reduction_moments f S S' ltac:(lra) Hf HS) as [[l1 [I1 B1]] [l2 [I2 B2]]].
  split; [exists (ln l1 / (alpha - 1))|exists (ln l2 / (alpha - 1))];
    (split; [apply is_renyi_of_moment; [assumption|lra]|apply divergence_le; lra]).
Qed.

(** Theorem 4 corrected, as RDP: every eps at least the larger one-dimensional divergence will do. *)
Theorem rdp_of_one_dimensional (f : list U -> R) (eps : R) : sensitivity_1 f ->
  renyi alpha (mu q sigma) (mu0 sigma) <= eps -> is_RDP (sampled_gaussian q sigma f) alpha eps.
Proof.
  intros Hf He. assert (O := renyi_order q sigma alpha Hq Hs Ha).
  intros S S' [HS|HS]; destruct (reduction f _ _ Hf HS) as [[D1 [I1 B1]] [D2 [I2 B2]]].
  - exists D2. split; [exact I2|lra].
  - exists D1. split; [exact I1|lra].
Qed.

(** * The bound is attained *)

(** The indicator that some record was sampled. *)
Definition sampled_any (T : list U) : R := match T with nil => 0 | _ :: _ => 1 end.

Lemma sampled_any_sensitivity : sensitivity_1 sampled_any.
Proof.
  intros T T' _. destruct T; destruct T'; simpl; apply Rabs_le; lra.
Qed.

Lemma sampled_any_outputs (x : U) (z : R) :
  sampled_gaussian q sigma sampled_any nil z = mu0 sigma z /\
  sampled_gaussian q sigma sampled_any (x :: nil) z = mu q sigma z.
Proof.
  unfold sampled_gaussian, mechanism, sum_over, keep_probability, normal, mu. simpl.
  rewrite mu1_shift, Rminus_0_r. split; ring.
Qed.

(** Claims N3 and N4 corrected: the guarantee for all f of sensitivity 1 holds exactly from the
    one-dimensional divergence upwards. *)
Theorem rdp_exactly (x : U) (eps : R) :
  (forall f : list U -> R, sensitivity_1 f -> is_RDP (sampled_gaussian q sigma f) alpha eps) <->
  renyi alpha (mu q sigma) (mu0 sigma) <= eps.
Proof.
  split; [|intros He f Hf; exact (rdp_of_one_dimensional f eps Hf He)].
  intros H. destruct (H sampled_any sampled_any_sensitivity (x :: nil) nil) as [D [HD He]].
  { right. exists nil, nil, x. split; reflexivity. }
  apply Rle_trans with (2 := He). right. apply (is_renyi_unique alpha _ _ _ _) with (2 := HD).
  destruct (proj1 (divergences_converge q sigma Hq Hs alpha)) as [l [I [Hl E]]].
  exists l. split; [|exact (conj Hl E)]. apply (int_line_ext _ _ _) with (2 := I).
  intros z. destruct (sampled_any_outputs x z) as [E0 E1]. rewrite E0, E1. reflexivity.
Qed.

(** * Consequences *)

(** The mechanism is zCDP with rho = 1/(2 sigma^2), for every q. *)
Theorem mechanism_zcdp (f : list U -> R) : sensitivity_1 f ->
  is_RDP (sampled_gaussian q sigma f) alpha (1 / (2 * sigma ^ 2) * alpha).
Proof.
  intros Hf. apply rdp_of_one_dimensional; [exact Hf|]. exact (proj1 (zcdp q sigma alpha Hq Hs Ha)).
Qed.

(** For q >= 1/2 the closed-form bound needs no further condition. *)
Theorem mechanism_rdp_large_q (f : list U -> R) : 1 / 2 <= q -> sensitivity_1 f ->
  is_RDP (sampled_gaussian q sigma f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof.
  intros Hlarge Hf. apply rdp_of_one_dimensional; [exact Hf|].
  exact (proj1 (closed_form_large_q q sigma alpha ltac:(lra) Hs Ha)).
Qed.
End Reduction.

(** Theorem 11 for the mechanism: (alpha, 2 q^2 alpha/sigma^2)-RDP under its conditions. *)
Theorem mechanism_rdp {U : Type} (q sigma alpha : R) (f : list U -> R) :
  theorem_11_conditions q sigma alpha -> sensitivity_1 f ->
  is_RDP (sampled_gaussian q sigma f) alpha (2 * q ^ 2 * alpha / sigma ^ 2).
Proof.
  intros C Hf. assert (M := proj1 (main_theorem q sigma alpha C)).
  destruct C as [Hq [Hs [Ha _]]].
  apply rdp_of_one_dimensional; [lra|lra|exact Ha|exact Hf|lra].
Qed.
