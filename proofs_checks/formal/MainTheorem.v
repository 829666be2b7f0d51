(** Theorem 11 (main theorem), its one-dimensional content: under the conditions
    on q, sigma and alpha both Renyi divergences between mu and mu0 are below
    2 q^2 alpha / sigma^2.

    A_alpha = A1 + A2, Lemmas 9 and 10 and exp(1/sigma^2) - 1 <= 1.1/sigma^2 give
    A_alpha < 1 + 2 q^2 alpha (alpha-1)/sigma^2; then ln x <= x - 1, and B <= A
    for the other direction. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian LogBounds AB AGeqB SplitPoint
  A1Bound A2Cases A2Bound.
Open Scope R_scope.

(** Renyi divergence of order alpha > 1 between two densities on the line. *)
Definition renyi (alpha : R) (p r : R -> R) : R :=
  ln (line_integral (fun z => r z * Rpower (p z / r z) alpha)) / (alpha - 1).

Lemma renyi_mu_mu0 (alpha q sigma : R) :
  renyi alpha (mu q sigma) (mu0 sigma) = ln (A q sigma alpha) / (alpha - 1).
Proof. reflexivity. Qed.

Lemma renyi_mu0_mu (alpha q sigma : R) :
  renyi alpha (mu0 sigma) (mu q sigma) = ln (B q sigma alpha) / (alpha - 1).
Proof. reflexivity. Qed.

(** The conditions of Theorem 11, with q > 0 added (L is undefined at q = 0). *)
Definition theorem_11_conditions (q sigma alpha : R) : Prop :=
  0 < q <= 1 / 5 /\ 4 <= sigma /\ 1 < alpha /\
  alpha <= 1 / 2 * sigma ^ 2 * L q alpha - 2 * ln sigma /\
  alpha <= (1 / 2 * sigma ^ 2 * L q alpha ^ 2 - ln 5 - 2 * ln sigma)
           / (L q alpha + ln (q * alpha) + 1 / (2 * sigma ^ 2)).

(** The closed-form bound on A_alpha in the proof of Theorem 11. *)
Theorem A_closed_form (q sigma alpha : R) : theorem_11_conditions q sigma alpha ->
  A q sigma alpha < 1 + 2 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2.
Proof.
  intros [Hq [Hs [Ha [C1 C2]]]].
  destruct (A_split q sigma alpha (z0 q sigma alpha) ltac:(lra) ltac:(lra)) as [A1 [A2 [H1 [H2 E]]]].
  assert (B1 := A1_bound q sigma alpha ltac:(lra) ltac:(lra) Ha A1 H1).
  assert (B2 := A2_bound q sigma alpha A2 Hq Hs Ha C1 C2 H2).
  assert (X := exp_inverse_square_bound sigma Hs).
  assert (C := coefficient_nonneg q alpha Ha).
  apply Rmult_le_compat_l with (r := q ^ 2 * alpha * (alpha - 1)) in X; [|exact C].
  assert (S : 0 < sigma ^ 2) by nra.
  replace (2 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2)
    with (q ^ 2 * alpha * (alpha - 1) * (1.1 / sigma ^ 2) + 0.9 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2)
    by (unfold Rdiv; lra).
  lra.
Qed.

(** Theorem 11 (main theorem), one-dimensional part, strict. *)
Theorem main_theorem (q sigma alpha : R) : theorem_11_conditions q sigma alpha ->
  renyi alpha (mu q sigma) (mu0 sigma) < 2 * q ^ 2 * alpha / sigma ^ 2 /\
  renyi alpha (mu0 sigma) (mu q sigma) < 2 * q ^ 2 * alpha / sigma ^ 2.
Proof.
  intros C. assert (CF := A_closed_form q sigma alpha C).
  destruct C as [Hq [Hs [Ha _]]].
  assert (AB := A_ge_B q sigma alpha ltac:(lra) ltac:(lra) ltac:(lra)).
  assert (B1 := B_ge_1 q sigma alpha ltac:(lra) ltac:(lra) ltac:(lra)).
  assert (S : 0 < sigma ^ 2) by nra.
  rewrite renyi_mu_mu0, renyi_mu0_mu.
  assert (LN : forall X, 1 <= X <= A q sigma alpha -> ln X / (alpha - 1) < 2 * q ^ 2 * alpha / sigma ^ 2).
  { intros X HX. assert (LX := ln_le_minus_1 X ltac:(lra)).
    apply Rmult_lt_reg_r with (alpha - 1); [lra|].
    replace (ln X / (alpha - 1) * (alpha - 1)) with (ln X) by (field; lra).
    apply Rle_lt_trans with (1 := LX).
    replace (2 * q ^ 2 * alpha / sigma ^ 2 * (alpha - 1))
      with (2 * q ^ 2 * alpha * (alpha - 1) / sigma ^ 2) by (field; lra).
    lra. }
  split; apply LN; lra.
Qed.

(** At q = 0, where L is undefined, both divergences are 0, which is the bound. *)
Theorem main_theorem_rate_0 (sigma alpha : R) : 0 < sigma -> 1 < alpha ->
  renyi alpha (mu 0 sigma) (mu0 sigma) = 0 /\ renyi alpha (mu0 sigma) (mu 0 sigma) = 0.
Proof.
  intros Hs Ha. rewrite renyi_mu_mu0, renyi_mu0_mu.
  rewrite <- (A_eq_B 0 sigma alpha ltac:(lra) Hs (or_introl eq_refl)).
  rewrite (A_rate_0 0 sigma alpha ltac:(lra) Hs eq_refl), ln_1.
  split; field; lra.
Qed.
