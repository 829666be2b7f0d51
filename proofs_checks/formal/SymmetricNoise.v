(** The remark after Corollary 7 as a theorem: additive noise whose law is centrally
    symmetric, p(-x) = p(x).  With P and Q the noise around two outputs a and b, the
    reflection nu(x) = a + b - x exchanges P and Q and preserves the integral, so the
    corrected Theorem 5 applies: D_alpha(P_q || Q) >= D_alpha(Q || P_q).  Nothing is asked of p beyond
    positivity, symmetry and convergence of the two integrals: no derivative, which
    the Laplace density does not have at 0.  Three kinds of noise: densities on the line,
    densities on R^d, and laws on the integers, where integrals are sums. *)

From Coq Require Import Reals Lra Psatz ZArith PeanoNat FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Divergence SpaceIntegral InvariantInvolution.
Open Scope R_scope.

(** * Any space *)

Section Reflection.
Context {X : Type}.
Variable Integral : (X -> R) -> R -> Prop.
Hypothesis Integral_plus : forall f g lf lg,
  Integral f lf -> Integral g lg -> Integral (fun x => f x + g x) (lf + lg).
Hypothesis Integral_le : forall f g lf lg,
  (forall x, f x <= g x) -> Integral f lf -> Integral g lg -> lf <= lg.
Variable nu : X -> X.
Hypothesis nu_involution : forall x, nu (nu x) = x.
Hypothesis Integral_nu : forall f l, Integral f l -> Integral (fun x => f (nu x)) l.
Variables P Q : X -> R.
Hypothesis P_pos : forall x, 0 < P x.
Hypothesis Q_pos : forall x, 0 < Q x.
Hypothesis P_Q_nu : forall x, P x = Q (nu x).
Variable q : R.
Hypothesis Hq : 0 <= q <= 1.
Let Pq x := (1 - q) * P x + q * Q x.

Lemma reflected_divergence (alpha A B : R) : 1 < alpha -> 0 < B ->
  Integral (fun x => Q x * Rpower (Pq x / Q x) alpha) A ->
  Integral (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->
  ln B / (alpha - 1) <= ln A / (alpha - 1).
Proof.
  intros Ha HB0 HA HB. apply divergence_le; [exact Ha|exact HB0|].
  refine (forward_ge_backward X Integral Integral_plus Integral_le nu P Q P_pos Q_pos
    (ratio_of_involution nu nu_involution P Q P_Q_nu)
    (transport_of_invariance Integral nu Integral_nu P Q P_Q_nu) q Hq alpha A B _ HA HB). lra.
Qed.

Lemma reflected_kl (K K' : R) :
  Integral (fun x => Pq x * ln (Pq x / Q x)) K -> Integral (fun x => Q x * ln (Q x / Pq x)) K' -> K' <= K.
Proof.
  exact (kl_forward_ge_backward X Integral Integral_plus Integral_le nu P Q P_pos Q_pos
    (ratio_of_involution nu nu_involution P Q P_Q_nu)
    (transport_of_invariance Integral nu Integral_nu P Q P_Q_nu) q Hq K K').
Qed.
End Reflection.

(** * The line *)

Lemma turn_twice (c x : R) : c - (c - x) = x.
Proof. ring. Qed.

Section Line.
Variable p : R -> R.
Hypothesis p_pos : forall x, 0 < p x.
Hypothesis p_symmetric : forall x, p (- x) = p x.
Variables a b q : R.
Hypothesis Hq : 0 <= q <= 1.
Let P x := p (x - a).
Let Q x := p (x - b).
Let Pq x := (1 - q) * P x + q * Q x.

Lemma line_exchange (x : R) : P x = Q (a + b - x).
Proof. unfold P, Q. rewrite <- p_symmetric. f_equal. ring. Qed.

Theorem symmetric_noise_line (alpha A B : R) : 1 < alpha -> 0 < B ->
  int_line (fun x => Q x * Rpower (Pq x / Q x) alpha) A ->
  int_line (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->
  ln B / (alpha - 1) <= ln A / (alpha - 1).
Proof.
  exact (reflected_divergence int_line int_line_plus int_line_le (fun x => a + b - x)
    (turn_twice (a + b)) (fun f l => int_line_reflect f (a + b) l) P Q
    (fun x => p_pos (x - a)) (fun x => p_pos (x - b)) line_exchange q Hq alpha A B).
Qed.

Theorem symmetric_noise_line_kl (K K' : R) :
  int_line (fun x => Pq x * ln (Pq x / Q x)) K ->
  int_line (fun x => Q x * ln (Q x / Pq x)) K' -> K' <= K.
Proof.
  exact (reflected_kl int_line int_line_plus int_line_le (fun x => a + b - x)
    (turn_twice (a + b)) (fun f l => int_line_reflect f (a + b) l) P Q
    (fun x => p_pos (x - a)) (fun x => p_pos (x - b)) line_exchange q Hq K K').
Qed.
End Line.

(** * Every dimension *)

(** F is a function of the first d coordinates. *)
Definition on_space (d : nat) (F : point -> R) : Prop :=
  forall x y, (forall i, (i < d)%nat -> x i = y i) -> F x = F y.

Definition mirror (c x : point) : point := fun i => c i - x i.

Lemma int_space_mirror (d : nat) (c : point) : forall (F : point -> R) (l : R),
  on_space d F -> int_space d F l -> int_space d (fun x => F (mirror c x)) l.
Proof.
  induction d as [|d IH]; simpl; intros F l HF H.
  - rewrite <- H. apply HF. intros i Hi. destruct (Nat.nlt_0_r i Hi).
  - destruct H as [F' [H1 H2]]. exists (fun v => F' (mirror c v)). split.
    + intros v. apply (int_line_ext (fun t => F (update (mirror c v) d (c d - t)))).
      * intros t. apply HF. intros i Hi. unfold mirror, update.
        destruct (Nat.eqb_spec i d) as [E|_]; [rewrite E|]; reflexivity.
      * exact (int_line_reflect (fun t => F (update (mirror c v) d t)) (c d) _ (H1 (mirror c v))).
    + apply IH; [|exact H2]. intros x y E. apply (int_line_unique _ _ _ (H1 x)).
      apply (int_line_ext (fun t => F (update y d t))); [|apply H1]. intros t. apply HF. intros i Hi.
      unfold update. destruct (Nat.eqb_spec i d) as [Ei|Ni]; [reflexivity|].
      symmetry. apply E, Nat.le_neq. split; [apply Nat.lt_succ_r, Hi|exact Ni].
Qed.

(** The integral of functions on R^d, which [int_space] alone does not insist on. *)
Definition space_integral (d : nat) (F : point -> R) (l : R) : Prop := on_space d F /\ int_space d F l.

Section Space.
Variable d : nat.
Variable p : point -> R.
Hypothesis p_on_space : on_space d p.
Hypothesis p_pos : forall x, 0 < p x.
Hypothesis p_symmetric : forall x, p (fun i => - x i) = p x.
Variables a b : point.
Variable q : R.
Hypothesis Hq : 0 <= q <= 1.
Let P x := p (fun i => x i - a i).
Let Q x := p (fun i => x i - b i).
Let Pq x := (1 - q) * P x + q * Q x.

Lemma space_exchange (x : point) : P x = Q (mirror (fun i => a i + b i) x).
Proof.
  unfold P, Q, mirror. rewrite <- p_symmetric. f_equal. apply functional_extensionality. intros i. ring.
Qed.

Lemma noise_on_space (m : point) : on_space d (fun x => p (fun i => x i - m i)).
Proof. intros x y E. apply p_on_space. intros i Hi. rewrite (E i Hi). reflexivity. Qed.

Lemma mirror_involution (c x : point) : mirror c (mirror c x) = x.
Proof. apply functional_extensionality. intros i. unfold mirror. ring. Qed.

Lemma space_integral_plus (F G : point -> R) (lF lG : R) :
  space_integral d F lF -> space_integral d G lG -> space_integral d (fun x => F x + G x) (lF + lG).
Proof.
  intros [F1 F2] [G1 G2]. split; [|apply int_space_plus; assumption].
  intros x y E. rewrite (F1 x y E), (G1 x y E). reflexivity.
Qed.

Lemma space_integral_le (F G : point -> R) (lF lG : R) :
  (forall x, F x <= G x) -> space_integral d F lF -> space_integral d G lG -> lF <= lG.
Proof. intros H [_ F2] [_ G2]. exact (int_space_le d F G lF lG H F2 G2). Qed.

Lemma space_integral_mirror (c : point) (F : point -> R) (l : R) :
  space_integral d F l -> space_integral d (fun x => F (mirror c x)) l.
Proof.
  intros [F1 F2]. split; [|apply int_space_mirror; assumption].
  intros x y E. apply F1. intros i Hi. unfold mirror. rewrite (E i Hi). reflexivity.
Qed.

Theorem symmetric_noise_space (alpha A B : R) : 1 < alpha -> 0 < B ->
  int_space d (fun x => Q x * Rpower (Pq x / Q x) alpha) A ->
  int_space d (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->
  ln B / (alpha - 1) <= ln A / (alpha - 1).
Proof.
  intros Ha HB0 HA HB.
  refine (reflected_divergence (space_integral d) space_integral_plus space_integral_le
    (mirror (fun i => a i + b i)) (mirror_involution _) (space_integral_mirror _) P Q
    (fun x => p_pos _) (fun x => p_pos _) space_exchange q Hq alpha A B Ha HB0 (conj _ HA) (conj _ HB));
  intros x y E; unfold P, Q; rewrite (noise_on_space a x y E), (noise_on_space b x y E); reflexivity.
Qed.
End Space.

(** * The integers *)

(** The sum of f over all integers: over 0, 1, 2, ... and over -1, -2, -3, ... *)
Definition sum_integers (f : Z -> R) (l : R) : Prop :=
  exists l1 l2 : R, is_series (fun n => f (Z.of_nat n)) l1 /\
                is_series (fun n => f (- Z.of_nat (S n))%Z) l2 /\ l = l1 + l2.

Lemma sum_integers_plus (f g : Z -> R) (lf lg : R) :
  sum_integers f lf -> sum_integers g lg -> sum_integers (fun x => f x + g x) (lf + lg).
Proof.
  intros [f1 [f2 [F1 [F2 Ef]]]] [g1 [g2 [G1 [G2 Eg]]]]. exists (f1 + g1), (f2 + g2).
  split; [exact (is_series_plus _ _ _ _ F1 G1)|]. split; [exact (is_series_plus _ _ _ _ F2 G2)|].
  rewrite Ef, Eg. ring.
Qed.

Lemma is_series_le (u v : nat -> R) (lu lv : R) :
  (forall n, u n <= v n) -> is_series u lu -> is_series v lv -> lu <= lv.
Proof.
  intros H Hu Hv. apply (is_lim_seq_le (sum_n u) (sum_n v) lu lv).
  - intros n. induction n as [|n IH]; [rewrite !sum_O; apply H|].
    rewrite !sum_Sn. apply Rplus_le_compat; [exact IH|apply H].
  - exact Hu.
  - exact Hv.
Qed.

Lemma sum_integers_le (f g : Z -> R) (lf lg : R) :
  (forall x, f x <= g x) -> sum_integers f lf -> sum_integers g lg -> lf <= lg.
Proof.
  intros H [f1 [f2 [F1 [F2 Ef]]]] [g1 [g2 [G1 [G2 Eg]]]]. rewrite Ef, Eg.
  apply Rplus_le_compat; [apply (is_series_le _ _ _ _) with (2 := F1) (3 := G1)
                         |apply (is_series_le _ _ _ _) with (2 := F2) (3 := G2)]; intros n; apply H.
Qed.

Lemma sum_integers_ext (f g : Z -> R) (l : R) :
  (forall x, f x = g x) -> sum_integers f l -> sum_integers g l.
Proof. intros H. replace g with f; [trivial|]. apply functional_extensionality, H. Qed.

Lemma sum_integers_turn (f : Z -> R) (l : R) :
  sum_integers f l -> sum_integers (fun x => f (-1 - x)%Z) l.
Proof.
  intros [l1 [l2 [H1 [H2 E]]]]. exists l2, l1. split; [|split; [|rewrite E; ring]].
  - apply (is_series_ext _ _ _) with (2 := H2). intros n. f_equal. lia.
  - apply (is_series_ext _ _ _) with (2 := H1). intros n. f_equal. lia.
Qed.

Lemma sum_integers_next (f : Z -> R) (l : R) :
  sum_integers f l -> sum_integers (fun x => f (x + 1)%Z) l.
Proof.
  intros [l1 [l2 [H1 [H2 E]]]]. exists (l1 - f 0%Z), (l2 + f 0%Z). split; [|split; [|rewrite E; ring]].
  - apply (is_series_ext (fun n => f (Z.of_nat (S n)))); [intros n; f_equal; lia|].
    apply (is_series_incr_1 (fun n => f (Z.of_nat n))).
    match goal with |- is_series _ ?x => replace x with l1; [exact H1|] end.
    change (l1 = l1 - f 0%Z + f 0%Z). ring.
  - apply is_series_decr_1.
    match goal with |- is_series _ ?x => replace x with l2 end.
    + apply (is_series_ext _ _ _) with (2 := H2). intros n. f_equal. lia.
    + change (l2 = l2 + f 0%Z + - f 0%Z). ring.
Qed.

Lemma sum_integers_previous (f : Z -> R) (l : R) :
  sum_integers f l -> sum_integers (fun x => f (x - 1)%Z) l.
Proof.
  intros H. apply sum_integers_turn in H. apply sum_integers_next in H. apply sum_integers_turn in H.
  apply (sum_integers_ext _ _ _) with (2 := H). intros x. f_equal. lia.
Qed.

Lemma sum_integers_shift (f : Z -> R) (l : R) (c : Z) :
  sum_integers f l -> sum_integers (fun x => f (x + c)%Z) l.
Proof.
  intros H. induction c as [|c IH|c IH] using Z.peano_ind.
  - apply (sum_integers_ext f); [intros x; f_equal; lia|exact H].
  - apply sum_integers_next in IH. apply (sum_integers_ext _ _ _) with (2 := IH). intros x. f_equal. lia.
  - apply sum_integers_previous in IH. apply (sum_integers_ext _ _ _) with (2 := IH). intros x. f_equal. lia.
Qed.

Lemma sum_integers_reflect (f : Z -> R) (l : R) (c : Z) :
  sum_integers f l -> sum_integers (fun x => f (c - x)%Z) l.
Proof.
  intros H. apply (sum_integers_shift f l (c + 1)), sum_integers_turn in H.
  apply (sum_integers_ext _ _ _) with (2 := H). intros x. f_equal. lia.
Qed.

Lemma turn_integer_twice (c x : Z) : (c - (c - x))%Z = x.
Proof. ring. Qed.

Section Integers.
Variable p : Z -> R.
Hypothesis p_pos : forall x, 0 < p x.
Hypothesis p_symmetric : forall x, p (- x)%Z = p x.
Variables a b : Z.
Variable q : R.
Hypothesis Hq : 0 <= q <= 1.
Let P x := p (x - a)%Z.
Let Q x := p (x - b)%Z.
Let Pq x := (1 - q) * P x + q * Q x.

Lemma integers_exchange (x : Z) : P x = Q (a + b - x)%Z.
Proof. unfold P, Q. rewrite <- p_symmetric. f_equal. ring. Qed.

Theorem symmetric_noise_integers (alpha A B : R) : 1 < alpha -> 0 < B ->
  sum_integers (fun x => Q x * Rpower (Pq x / Q x) alpha) A ->
  sum_integers (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->
  ln B / (alpha - 1) <= ln A / (alpha - 1).
Proof.
  exact (reflected_divergence sum_integers sum_integers_plus sum_integers_le (fun x => a + b - x)%Z
    (turn_integer_twice (a + b)) (fun f l => sum_integers_reflect f l (a + b)) P Q
    (fun x => p_pos (x - a)%Z) (fun x => p_pos (x - b)%Z) integers_exchange q Hq alpha A B).
Qed.
End Integers.
