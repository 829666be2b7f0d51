(** Theorem 5 with the hypothesis it needs: nu carries Q to P as measures, that
    is, it transports integrals against Q to integrals against P and turns the
    ratio P/Q into Q/P.  Then D_alpha(P_q || Q) >= D_alpha(Q || P_q) for
    P_q = (1-q)P + qQ, at every order alpha >= 1/2 (alpha = 1 being the
    Kullback-Leibler divergence).  An involution with P = Q o nu has the two
    properties if it preserves the integral; that case comes last.

    The integral is any additive, homogeneous and monotone one on any space.
    Adding to each integrand its image under nu doubles both integrals and
    reduces the claim to the pointwise lemmas. *)

From Coq Require Import Reals Lra Psatz FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Pointwise PointwiseAllOrders MainTheorem Divergence.
Open Scope R_scope.

Section Transport.
Variable X : Type.
Variable Integral : (X -> R) -> R -> Prop.
Hypothesis Integral_plus : forall f g lf lg,
  Integral f lf -> Integral g lg -> Integral (fun x => f x + g x) (lf + lg).
Hypothesis Integral_scal : forall f k l, Integral f l -> Integral (fun x => k * f x) (k * l).
Hypothesis Integral_le : forall f g lf lg,
  (forall x, f x <= g x) -> Integral f lf -> Integral g lg -> lf <= lg.
Variable nu : X -> X.
Variables P Q : X -> R.
Hypothesis P_pos : forall x, 0 < P x.
Hypothesis Q_pos : forall x, 0 < Q x.
Hypothesis ratio_nu : forall x, P (nu x) / Q (nu x) = Q x / P x.
Hypothesis transport : forall f l,
  Integral (fun x => f x * Q x) l -> Integral (fun x => f (nu x) * P x) l.
Variable q : R.
Hypothesis Hq : 0 <= q <= 1.
Let Pq x := (1 - q) * P x + q * Q x.

Lemma Pq_pos (x : X) : 0 < Pq x.
Proof.
  replace (Pq x) with (Q x * ((1 - (1 - q)) + (1 - q) * (P x / Q x))).
  - apply Rmult_lt_0_compat; [apply Q_pos|]. apply mixture_ratio_pos; [lra|].
    apply Rdiv_lt_0_compat; [apply P_pos|apply Q_pos].
  - unfold Pq. field. assert (t := Q_pos x). lra.
Qed.

Lemma Pq_over_Q (x : X) : Pq x / Q x = (1 - (1 - q)) + (1 - q) * (P x / Q x).
Proof. unfold Pq. field. assert (t := Q_pos x). lra. Qed.

(** Two integrands that are functions h, k of the ratio P/Q times Q: compare the doubled ones. *)
Lemma compare_doubled (h k : R -> R) (f g : X -> R) (lf lg : R) :
  (forall x, f x = Q x * h (P x / Q x)) -> (forall x, g x = Q x * k (P x / Q x)) ->
  (forall u v, 0 < u -> 0 < v -> v * h (u / v) + u * h (v / u) <= v * k (u / v) + u * k (v / u)) ->
  Integral f lf -> Integral g lg -> lf <= lg.
Proof.
  intros Ef Eg H Hf Hg.
  assert (Move : forall (h : R -> R) (f : X -> R) (l : R), (forall x, f x = Q x * h (P x / Q x)) ->
            Integral f l -> Integral (fun x => f x + P x * h (Q x / P x)) (l + l)).
  { intros h' f' l' E I. apply (Integral_plus f'); [exact I|].
    replace (fun x => P x * h' (Q x / P x)) with (fun x => h' (P (nu x) / Q (nu x)) * P x).
    - apply (transport (fun x => h' (P x / Q x))).
      replace (fun x => h' (P x / Q x) * Q x) with f'; [exact I|].
      apply functional_extensionality. intros x. rewrite E. ring.
    - apply functional_extensionality. intros x. rewrite ratio_nu. ring. }
  assert (K : lf + lf <= lg + lg).
  { refine (Integral_le _ _ _ _ _ (Move h f lf Ef Hf) (Move k g lg Eg Hg)).
    intros x. cbv beta. rewrite Ef, Eg. exact (H (P x) (Q x) (P_pos x) (Q_pos x)). }
  lra.
Qed.

Definition forward (alpha : R) (x : X) : R := Q x * Rpower (Pq x / Q x) alpha.
Definition backward (alpha : R) (x : X) : R := Pq x * Rpower (Q x / Pq x) alpha.
Let power (b t : R) : R := Rpower ((1 - (1 - q)) + (1 - q) * t) b.

Lemma forward_as_power (alpha : R) (x : X) : forward alpha x = Q x * power alpha (P x / Q x).
Proof. unfold forward, power. rewrite Pq_over_Q. reflexivity. Qed.

Lemma backward_as_power (alpha : R) (x : X) : backward alpha x = Q x * power (1 - alpha) (P x / Q x).
Proof.
  unfold backward, power. rewrite (Rpower_ratio_swap (Pq x) (Q x) alpha (Pq_pos x) (Q_pos x)), Pq_over_Q.
  reflexivity.
Qed.

Lemma forward_ge_backward (alpha A B : R) : 1 <= alpha ->
  Integral (forward alpha) A -> Integral (backward alpha) B -> B <= A.
Proof.
  intros Ha HA HB.
  refine (compare_doubled (power (1 - alpha)) (power alpha) _ _ B A
            (backward_as_power alpha) (forward_as_power alpha) _ HB HA).
  intros u v Hu Hv. unfold power.
  assert (K := pointwise_domination u v (1 - q) alpha Hu Hv ltac:(lra) Ha). cbv zeta in K.
  destruct (pointwise_sides u v (1 - q) alpha Hu Hv ltac:(lra)) as [E1 E2].
  rewrite E1, E2 in K. exact K.
Qed.

Lemma forward_le_backward (alpha A B : R) : 1 / 2 <= alpha < 1 ->
  Integral (forward alpha) A -> Integral (backward alpha) B -> A <= B.
Proof.
  intros Ha HA HB.
  refine (compare_doubled (power alpha) (power (1 - alpha)) _ _ A B
            (forward_as_power alpha) (backward_as_power alpha) _ HA HB).
  intros u v Hu Hv. exact (pointwise_below_one u v (1 - q) alpha Hu Hv ltac:(lra) Ha).
Qed.

(** Theorem 5 corrected, order 1: KL(P_q || Q) >= KL(Q || P_q). *)
Theorem kl_forward_ge_backward (K K' : R) :
  Integral (fun x => Pq x * ln (Pq x / Q x)) K ->
  Integral (fun x => Q x * ln (Q x / Pq x)) K' -> K' <= K.
Proof.
  intros H1 H2. set (mix := fun t => (1 - (1 - q)) + (1 - q) * t).
  refine (compare_doubled (fun t => - ln (mix t)) (fun t => mix t * ln (mix t)) _ _ K' K _ _ _ H2 H1).
  - intros x. unfold mix. rewrite <- Pq_over_Q. assert (p := Pq_pos x). assert (t := Q_pos x).
    replace (Q x / Pq x) with (/ (Pq x / Q x)) by (field; lra).
    rewrite ln_Rinv by (apply Rdiv_lt_0_compat; assumption). reflexivity.
  - intros x. unfold mix. rewrite <- Pq_over_Q. field. assert (t := Q_pos x). lra.
  - intros u v Hu Hv. assert (N := pointwise_kl u v (1 - q) Hu Hv ltac:(lra)).
    fold (mix (u / v)) (mix (v / u)) in N. lra.
Qed.

Hypothesis P_mass : Integral P 1.
Hypothesis Q_mass : Integral Q 1.

Lemma backward_ge_1 (alpha B : R) : 1 <= alpha -> Integral (backward alpha) B -> 1 <= B.
Proof.
  intros Ha HB.
  assert (HPq := Integral_plus _ _ _ _ (Integral_scal _ (1 - q) _ P_mass) (Integral_scal _ q _ Q_mass)).
  assert (HT := Integral_plus _ _ _ _ (Integral_scal _ (1 - alpha) _ HPq) (Integral_scal _ alpha _ Q_mass)).
  replace 1 with ((1 - alpha) * ((1 - q) * 1 + q * 1) + alpha * 1) by ring.
  refine (Integral_le _ _ _ _ _ HT HB). intros x. unfold backward. fold (Pq x).
  assert (p := Pq_pos x). assert (t := Q_pos x).
  assert (R0 : 0 < Q x / Pq x) by (apply Rdiv_lt_0_compat; lra).
  assert (K := bernoulli_exponent_ge_1 alpha (Q x / Pq x - 1) Ha ltac:(lra)).
  replace (1 + (Q x / Pq x - 1)) with (Q x / Pq x) in K by ring.
  apply Rle_trans with (Pq x * (1 + alpha * (Q x / Pq x - 1))).
  - right. field. lra.
  - apply Rmult_le_compat_l; lra.
Qed.

(** Theorem 5 corrected, in divergence form, alpha > 1. *)
Theorem transport_divergence (alpha A B : R) : 1 < alpha ->
  Integral (forward alpha) A -> Integral (backward alpha) B ->
  ln B / (alpha - 1) <= ln A / (alpha - 1).
Proof.
  intros Ha HA HB.
  assert (B1 := backward_ge_1 alpha B ltac:(lra) HB).
  apply divergence_le; [exact Ha|lra|].
  exact (forward_ge_backward alpha A B ltac:(lra) HA HB).
Qed.
End Transport.

(** * An involution that preserves the integral *)

Section Invariant.
Context {X : Type}.
Variable Integral : (X -> R) -> R -> Prop.
Variable nu : X -> X.
Hypothesis nu_involution : forall x, nu (nu x) = x.
Hypothesis Integral_nu : forall f l, Integral f l -> Integral (fun x => f (nu x)) l.
Variables P Q : X -> R.
Hypothesis P_Q_nu : forall x, P x = Q (nu x).

Lemma ratio_of_involution (x : X) : P (nu x) / Q (nu x) = Q x / P x.
Proof. rewrite <- P_Q_nu, P_Q_nu, nu_involution. reflexivity. Qed.

Lemma transport_of_invariance (f : X -> R) (l : R) :
  Integral (fun x => f x * Q x) l -> Integral (fun x => f (nu x) * P x) l.
Proof.
  intros H. apply Integral_nu in H.
  replace (fun x => f (nu x) * P x) with (fun x => f (nu x) * Q (nu x)); [exact H|].
  apply functional_extensionality. intros x. rewrite P_Q_nu. reflexivity.
Qed.
End Invariant.

(** Theorem 5 corrected, for positive densities on the line whose two divergences exist. *)
Theorem general_bound_on_line (P Q nu : R -> R) (q alpha D D' : R) :
  (forall x, nu (nu x) = x) ->
  (forall f l, int_line f l -> int_line (fun x => f (nu x)) l) ->
  (forall x, 0 < P x) -> (forall x, 0 < Q x) -> (forall x, P x = Q (nu x)) ->
  int_line P 1 -> int_line Q 1 -> 0 <= q <= 1 -> 1 < alpha ->
  let Pq := fun x => (1 - q) * P x + q * Q x in
  is_renyi alpha Pq Q D -> is_renyi alpha Q Pq D' -> D' <= D.
Proof.
  intros Hnu Inv HP HQ HPQ MP MQ Hq Ha Pq [A [HA [_ ->]]] [B [HB [_ ->]]].
  exact (transport_divergence R int_line int_line_plus int_line_scal int_line_le nu P Q HP HQ
    (ratio_of_involution nu Hnu P Q HPQ) (transport_of_invariance int_line nu Inv P Q HPQ)
    q Hq MP MQ alpha A B Ha HA HB).
Qed.
