(** Moments and Renyi divergences of densities on the line: how a bound on the
    moment becomes a bound on the divergence, and Corollary 7 as a statement about
    divergences. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB AGeqB MainTheorem.
Open Scope R_scope.

(** The integrand of the divergence of P from Q. *)
Definition moment_integrand (alpha : R) (P Q : R -> R) (z : R) : R := Q z * Rpower (P z / Q z) alpha.

Lemma renyi_of_moment (alpha : R) (P Q : R -> R) (l : R) :
  int_line (moment_integrand alpha P Q) l -> renyi alpha P Q = ln l / (alpha - 1).
Proof.
  intros H. change (renyi alpha P Q) with (ln (line_integral (moment_integrand alpha P Q)) / (alpha - 1)).
  rewrite (line_integral_eq _ l H). reflexivity.
Qed.

(** The divergence as a relation: its integral converges, to something positive, and D is its value. *)
Definition is_renyi (alpha : R) (P Q : R -> R) (D : R) : Prop :=
  exists l, int_line (fun z => Q z * Rpower (P z / Q z) alpha) l /\ 0 < l /\ D = ln l / (alpha - 1).

Lemma is_renyi_of_moment (alpha : R) (P Q : R -> R) (l : R) :
  int_line (moment_integrand alpha P Q) l -> 0 < l -> is_renyi alpha P Q (ln l / (alpha - 1)).
Proof. intros I Hl. exists l. exact (conj I (conj Hl eq_refl)). Qed.

Lemma is_renyi_unique (alpha : R) (P Q : R -> R) (D D' : R) :
  is_renyi alpha P Q D -> is_renyi alpha P Q D' -> D = D'.
Proof.
  intros [l [I [_ E]]] [l' [I' [_ E']]]. rewrite E, E', (int_line_unique _ l l' I I'). reflexivity.
Qed.

Lemma divergence_le (alpha x y : R) : 1 < alpha -> 0 < x -> x <= y ->
  ln x / (alpha - 1) <= ln y / (alpha - 1).
Proof.
  intros Ha Hx H. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|apply ln_le; assumption].
Qed.

Lemma divergence_le_exponent (alpha x k : R) : 1 < alpha -> 0 < x ->
  x <= exp (k * (alpha - 1)) -> ln x / (alpha - 1) <= k.
Proof.
  intros Ha Hx H.
  apply Rle_trans with (1 := divergence_le alpha x _ Ha Hx H). rewrite ln_exp. right. field. lra.
Qed.

(** Corollary 7 in divergence form, alpha > 1. *)
Theorem renyi_order (q sigma alpha : R) : 0 <= q <= 1 -> 0 < sigma -> 1 < alpha ->
  renyi alpha (mu0 sigma) (mu q sigma) <= renyi alpha (mu q sigma) (mu0 sigma).
Proof.
  intros Hq Hs Ha. rewrite renyi_mu_mu0, renyi_mu0_mu.
  assert (B1 := B_ge_1 q sigma alpha Hq Hs ltac:(lra)).
  apply divergence_le; [exact Ha|lra|apply A_ge_B; [exact Hq|exact Hs|lra]].
Qed.
