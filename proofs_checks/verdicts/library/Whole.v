(** Whole orders: the binomial sum in a nested form without binomial coefficients, and its enclosure. *)
From Coq Require Import Reals Lra ZArith Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements.
From SGM Require AB.
From SGMV Require Import Arithmetic Verdict.
Open Scope R_scope.

Fixpoint nested (w E : R) (n k : nat) (fuel : nat) : R :=
  match fuel with
  | O => 1
  | S f => 1 + IZR (Z.of_nat n - Z.of_nat k) / IZR (Z.of_nat k + 1) * w * E ^ k * nested w E n (S k) f
  end.

Lemma C_step (n k : nat) : (k < n)%nat ->
  Binomial.C n (S k) = Binomial.C n k * ((INR n - INR k) / (INR k + 1)).
Proof.
  intros H. unfold Binomial.C.
  replace (n - k)%nat with (S (n - S k)) by lia.
  rewrite (fact_simpl k), (fact_simpl (n - S k)), !mult_INR.
  assert (F1 := INR_fact_neq_0 k). assert (F2 := INR_fact_neq_0 (n - S k)).
  assert (F3 : INR (S (n - S k)) = INR n - INR k)
    by (replace (S (n - S k)) with (n - k)%nat by lia; apply minus_INR; lia).
  rewrite F3, S_INR.
  assert (P1 : 0 < INR n - INR k) by (assert (K := lt_INR k n H); lra).
  assert (P2 := pos_INR k). field. repeat split; lra.
Qed.

(** The same through the terms: c_(k+1) E_(k+1) = c_k E_k (n-k)/(k+1) w E^k. *)
Lemma nested_terms (t : nat -> R) (w E : R) (n : nat) :
  (forall k, (k < n)%nat ->
     t (S k) = t k * (IZR (Z.of_nat n - Z.of_nat k) / IZR (Z.of_nat k + 1) * w * E ^ k)) ->
  forall fuel k, (k + fuel = n)%nat ->
  t k * nested w E n k fuel = sum_f_R0 (fun i => t (k + i)%nat) fuel.
Proof.
  intros H. induction fuel as [|f IH]; intros k Hk; simpl nested.
  - simpl. rewrite Nat.add_0_r. ring.
  - rewrite decomp_sum by lia. rewrite Nat.add_0_r. simpl pred.
    rewrite Rmult_plus_distr_l, Rmult_1_r. f_equal.
    rewrite <- Rmult_assoc, <- H by lia. rewrite IH by lia.
    apply sum_eq. intros i _. f_equal. lia.
Qed.

Theorem A_nested (q sigma : R) (n : nat) : 0 <= q < 1 -> 0 < sigma ->
  A q sigma (IZR (Z.of_nat n)) = (1 - q) ^ n * nested (q / (1 - q)) (exp (1 / sigma ^ 2)) n 0 n.
Proof.
  intros Hq Hs. rewrite <- INR_IZR_INZ.
  rewrite Statements.A_integer_order by lra.
  set (t := fun k => Binomial.C n k * (1 - q) ^ (n - k) * q ^ k
                     * exp ((INR k ^ 2 - INR k) / (2 * sigma ^ 2))).
  assert (K := nested_terms t (q / (1 - q)) (exp (1 / sigma ^ 2)) n).
  transitivity (t 0%nat * nested (q / (1 - q)) (exp (1 / sigma ^ 2)) n 0 n).
  { symmetry. apply K; [|reflexivity]. clear K.
    intros k Hk. unfold t. rewrite C_step by exact Hk.
    replace (n - k)%nat with (S (n - S k)) by lia.
    rewrite <- (Rpower_pow k (exp (1 / sigma ^ 2))) by apply exp_pos. unfold Rpower. rewrite ln_exp.
    replace ((INR (S k) ^ 2 - INR (S k)) / (2 * sigma ^ 2))
      with ((INR k ^ 2 - INR k) / (2 * sigma ^ 2) + INR k * (1 / sigma ^ 2))
      by (rewrite S_INR; field; lra).
    rewrite exp_plus, minus_IZR, plus_IZR, <- !INR_IZR_INZ. simpl pow.
    assert (P2 := pos_INR k). field. lra. }
  f_equal. unfold t. replace (Binomial.C n 0) with 1 by (unfold Binomial.C; rewrite Nat.sub_0_r; simpl fact; simpl (INR 1); field; apply INR_fact_neq_0). rewrite Nat.sub_0_r. simpl (INR 0).
    replace ((0 ^ 2 - 0) / (2 * sigma ^ 2)) with 0 by (field; lra). rewrite exp_0. simpl. ring.
Qed.

(** * The same in an enclosing arithmetic; e is E^k *)

Section Enclosure.
Context {T : Type} (o : arithmetic T).

Fixpoint power (a : T) (n : nat) : T := match n with O => ofZ o 1 | S m => mul o a (power a m) end.
Fixpoint nested_in (w E e : T) (n k : Z) (fuel : nat) : T :=
  match fuel with
  | O => ofZ o 1
  | S f => add o (ofZ o 1)
      (mul o (mul o (mul o (rat o (n - k, k + 1)%Z) w) e) (nested_in w E (mul o e E) n (k + 1) f))
  end.
Definition moment (q sigma : Z * Z) (n : nat) : T :=
  let r := sub o (ofZ o 1) (rat o q) in
  mul o (power r n)
    (nested_in (div o (rat o q) r) (expo o (div o (ofZ o 1) (power (rat o sigma) 2))) (ofZ o 1) (Z.of_nat n) 0 n).
(** The Renyi divergence of order n. *)
Definition divergence (q sigma : Z * Z) (n : nat) : T :=
  div o (loga o (moment q sigma n)) (sub o (ofZ o (Z.of_nat n)) (ofZ o 1)).

Variable enc : T -> R -> Prop.
Hypothesis H : sound o enc.

Lemma power_sound (a : T) (x : R) (n : nat) : enc a x -> enc (power a n) (x ^ n).
Proof. intros A. induction n as [|n IH]; [apply (s_ofZ H)|exact (s_mul H _ _ _ _ A IH)]. Qed.

Lemma nested_sound (w E : T) (x y : R) (n : nat) : enc w x -> enc E y ->
  forall fuel k e, enc e (y ^ k) -> enc (nested_in w E e (Z.of_nat n) (Z.of_nat k) fuel) (nested x y n k fuel).
Proof.
  intros Hw HE. induction fuel as [|f IH]; intros k e He; simpl; [apply (s_ofZ H)|].
  apply (s_add H); [apply (s_ofZ H)|]. repeat apply (s_mul H); try assumption.
  - exact (s_rat o enc H (Z.of_nat n - Z.of_nat k, Z.of_nat k + 1)%Z).
  - replace (Z.of_nat k + 1)%Z with (Z.of_nat (S k)) by lia. apply IH.
    simpl. rewrite Rmult_comm. apply (s_mul H); assumption.
Qed.

Theorem divergence_sound (q sigma : Z * Z) (n : nat) : 0 <= ratio_of q < 1 -> 0 < ratio_of sigma ->
  enc (divergence q sigma n)
    (renyi (IZR (Z.of_nat n)) (mu (ratio_of q) (ratio_of sigma)) (mu0 (ratio_of sigma))).
Proof.
  intros Hq Hs. rewrite renyi_forward, A_nested by assumption. unfold divergence, moment.
  assert (Q := s_rat o enc H q). assert (S := s_rat o enc H sigma). assert (One := s_ofZ H 1).
  assert (Rest := s_sub H _ _ _ _ One Q).
  apply (s_div H); [|apply (s_sub H); [apply (s_ofZ H)|exact One]].
  apply (s_loga H), (s_mul H); [apply power_sound, Rest|].
  apply (fun w E x y Hw HE => nested_sound w E x y n Hw HE n 0%nat); [exact (s_div H _ _ _ _ Q Rest)| |exact One].
  apply (s_expo H), (s_div H); [exact One|apply power_sound, S].
Qed.
End Enclosure.
