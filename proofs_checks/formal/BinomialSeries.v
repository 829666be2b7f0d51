(** The binomial series for real exponents with an explicit remainder:
    |(1+w)^a - sum_{k<N} C(a,k) w^k| <= |C(a,N)| w^N for w >= 0 and N >= a.

    Induction on N: the derivative of the remainder at (a, N+1) is a times the
    remainder at (a-1, N).  The coefficients tend to 0 for a >= 0, since
    n |C(a,n)| does not increase once n >= a. *)

From Coq Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis.
Open Scope R_scope.

(** The generalised binomial coefficient a(a-1)...(a-n+1)/n!. *)
Fixpoint binom (a : R) (n : nat) : R :=
  match n with O => 1 | S p => binom a p * (a - INR p) / (INR p + 1) end.

(** u 0 + ... + u (N-1). *)
Fixpoint sum_below (u : nat -> R) (N : nat) : R :=
  match N with O => 0 | S p => sum_below u p + u p end.

Lemma sum_below_ext (u v : nat -> R) (N : nat) :
  (forall k, u k = v k) -> sum_below u N = sum_below v N.
Proof. intros H. induction N as [|N IH]; simpl; [reflexivity|rewrite IH, H; reflexivity]. Qed.

Lemma sum_below_scal (c : R) (u : nat -> R) (N : nat) :
  sum_below (fun k => c * u k) N = c * sum_below u N.
Proof. induction N as [|N IH]; simpl; [ring|rewrite IH; ring]. Qed.

Definition binomial_sum (a : R) (N : nat) (w : R) : R := sum_below (fun k => binom a k * w ^ k) N.

Lemma INR_succ_pos (n : nat) : 0 < INR n + 1.
Proof. assert (X := pos_INR n). lra. Qed.

Lemma binom_succ (n : nat) : forall a, binom a (S n) = a / (INR n + 1) * binom (a - 1) n.
Proof.
  induction n as [|n IH]; intros a.
  - simpl. field.
  - change (binom a (S (S n))) with (binom a (S n) * (a - INR (S n)) / (INR (S n) + 1)).
    rewrite IH. change (binom (a - 1) (S n)) with (binom (a - 1) n * (a - 1 - INR n) / (INR n + 1)).
    rewrite S_INR. assert (X := INR_succ_pos n). field. lra.
Qed.

Lemma is_derive_scaled_power (c : R) (N : nat) (w : R) :
  is_derive (fun w => c * w ^ (S N)) w (c * (INR (S N) * w ^ N)).
Proof.
  evar_last.
  - apply (is_derive_scal (fun w => w ^ (S N)) w c). apply is_derive_pow. apply is_derive_id.
  - change (c * (INR (S N) * 1 * w ^ N) = c * (INR (S N) * w ^ N)). ring.
Qed.

Lemma binomial_sum_derive (N : nat) : forall a w,
  is_derive (binomial_sum a (S N)) w (a * binomial_sum (a - 1) N w).
Proof.
  induction N as [|N IH]; intros a w.
  - unfold binomial_sum; simpl. auto_derive; [trivial|ring].
  - apply (is_derive_ext (fun w => binomial_sum a (S N) w + binom a (S N) * w ^ (S N))).
    { intros t. reflexivity. }
    evar_last.
    + apply (is_derive_plus (binomial_sum a (S N)) (fun w => binom a (S N) * w ^ (S N)));
        [apply IH|apply is_derive_scaled_power].
    + change (a * binomial_sum (a - 1) N w + binom a (S N) * (INR (S N) * w ^ N) =
              a * (binomial_sum (a - 1) N w + binom (a - 1) N * w ^ N)).
      rewrite binom_succ, S_INR. assert (X := INR_succ_pos N). field. lra.
Qed.

Lemma binomial_sum_at_0 (a : R) (N : nat) : binomial_sum a (S N) 0 = 1.
Proof.
  induction N as [|N IH]; [unfold binomial_sum; simpl; ring|].
  change (binomial_sum a (S N) 0 + binom a (S N) * 0 ^ (S N) = 1).
  rewrite IH, pow_i by apply Nat.lt_0_succ. ring.
Qed.

(** If |f'| <= g' on [0,w] and f(0) = g(0) = 0 then |f(w)| <= g(w). *)
Lemma abs_le_of_derive (f df g dg : R -> R) (w : R) : 0 <= w ->
  (forall x, 0 <= x -> is_derive f x (df x)) -> (forall x, 0 <= x -> is_derive g x (dg x)) ->
  (forall x, 0 <= x -> Rabs (df x) <= dg x) -> f 0 = 0 -> g 0 = 0 -> Rabs (f w) <= g w.
Proof.
  intros Hw Df Dg H F0 G0. apply Rabs_le.
  assert (K1 : g 0 + f 0 <= g w + f w).
  { apply (nondecreasing_of_derive (fun x => g x + f x) (fun x => dg x + df x)); [exact Hw| |].
    - intros x Hx. apply (is_derive_plus g f); [apply Dg|apply Df]; lra.
    - intros x Hx. assert (B := H x ltac:(lra)). apply Rabs_le_between in B. lra. }
  assert (K2 : g 0 - f 0 <= g w - f w).
  { apply (nondecreasing_of_derive (fun x => g x - f x) (fun x => dg x - df x)); [exact Hw| |].
    - intros x Hx. apply (is_derive_minus g f); [apply Dg|apply Df]; lra.
    - intros x Hx. assert (B := H x ltac:(lra)). apply Rabs_le_between in B. lra. }
  lra.
Qed.

(** Remainder of the binomial series: at most the modulus of the first omitted term. *)
Theorem binomial_remainder (N : nat) : forall a w, a <= INR N -> 0 <= w ->
  Rabs (Rpower (1 + w) a - binomial_sum a N w) <= Rabs (binom a N) * w ^ N.
Proof.
  induction N as [|N IH]; intros a w Ha Hw.
  - unfold binomial_sum; simpl. rewrite Rminus_0_r, Rabs_R1, Rmult_1_r.
    rewrite Rabs_pos_eq by (left; apply Rpower_pos). simpl in Ha.
    apply Rle_trans with (Rpower (1 + w) 0); [apply Rle_Rpower; lra|rewrite Rpower_O; lra].
  - rewrite S_INR in Ha. set (c := Rabs (binom a (S N))).
    apply (abs_le_of_derive (fun w => Rpower (1 + w) a - binomial_sum a (S N) w)
      (fun x => a * Rpower (1 + x) (a - 1) - a * binomial_sum (a - 1) N x)
      (fun w => c * w ^ S N) (fun x => c * (INR (S N) * x ^ N)) w Hw).
    + intros x Hx. apply (is_derive_minus (fun w => Rpower (1 + w) a) (binomial_sum a (S N))).
      * apply is_derive_Rpower_1plus. lra.
      * apply binomial_sum_derive.
    + intros x _. apply is_derive_scaled_power.
    + intros x Hx. rewrite <- Rmult_minus_distr_l, Rabs_mult. unfold c.
      rewrite binom_succ, Rabs_mult, S_INR. assert (Y := INR_succ_pos N).
      unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (left; apply Rinv_0_lt_compat; exact Y).
      replace (Rabs a * / (INR N + 1) * Rabs (binom (a - 1) N) * ((INR N + 1) * x ^ N))
        with (Rabs a * (Rabs (binom (a - 1) N) * x ^ N)) by (field; lra).
      apply Rmult_le_compat_l; [apply Rabs_pos|]. apply IH; lra.
    + rewrite binomial_sum_at_0, Rplus_0_r, Rpower_base_1. ring.
    + rewrite pow_i by apply Nat.lt_0_succ. ring.
Qed.

Lemma binom_decay (a : R) (N n : nat) : 0 <= a -> a <= INR N ->
  INR (N + n) * Rabs (binom a (N + n)) <= INR N * Rabs (binom a N).
Proof.
  intros Ha HN. induction n as [|n IH].
  - rewrite Nat.add_0_r. lra.
  - apply Rle_trans with (2 := IH). rewrite Nat.add_succ_r.
    change (binom a (S (N + n))) with (binom a (N + n) * (a - INR (N + n)) / (INR (N + n) + 1)).
    rewrite S_INR. assert (Y := INR_succ_pos (N + n)).
    unfold Rdiv. rewrite !Rabs_mult, (Rabs_pos_eq (/ _)) by (left; apply Rinv_0_lt_compat; exact Y).
    replace ((INR (N + n) + 1) * (Rabs (binom a (N + n)) * Rabs (a - INR (N + n)) * / (INR (N + n) + 1)))
      with (Rabs (a - INR (N + n)) * Rabs (binom a (N + n))) by (field; lra).
    apply Rmult_le_compat_r; [apply Rabs_pos|].
    assert (fact1 : INR N <= INR (N + n)) by (rewrite plus_INR; assert (X := pos_INR n); lra).
    rewrite Rabs_left1 by lra. lra.
Qed.

(** The coefficients tend to 0: for a >= 0, every multiple of |C(a,n)| is eventually small. *)
Theorem binom_vanishes (a C eps : R) : 0 <= a -> 0 <= C -> 0 < eps ->
  exists N, forall n, (N <= n)%nat -> a <= INR n /\ Rabs (binom a n) * C < eps.
Proof.
  intros Ha HC He. destruct (nfloor_ex a Ha) as [n0 Hn0]. set (N0 := S n0).
  assert (HN0 : a <= INR N0) by (unfold N0; rewrite S_INR; lra).
  set (K := INR N0 * Rabs (binom a N0)).
  assert (HK : 0 <= K) by (unfold K; apply Rmult_le_pos; [apply pos_INR|apply Rabs_pos]).
  assert (HQ : 0 <= K * C / eps) by (apply Rdiv_le_0_compat; [apply Rmult_le_pos; assumption|exact He]).
  destruct (nfloor_ex (K * C / eps) HQ) as [n1 Hn1].
  exists (N0 + S n1)%nat. intros n Hn.
  assert (X1 : INR N0 <= INR n) by (apply le_INR; lia).
  assert (X2 : INR (S n1) <= INR n) by (apply le_INR; lia). rewrite S_INR in X2.
  split; [lra|].
  assert (D := binom_decay a N0 (n - N0) Ha HN0). replace (N0 + (n - N0))%nat with n in D by lia.
  fold K in D. assert (np : 0 < INR n) by lra.
  apply Rmult_lt_reg_l with (INR n); [exact np|].
  apply Rle_lt_trans with (K * C).
  - rewrite <- Rmult_assoc. apply Rmult_le_compat_r; assumption.
  - assert (X : K * C / eps < INR n) by lra.
    apply Rmult_lt_compat_r with (r := eps) in X; [|exact He].
    replace (K * C / eps * eps) with (K * C) in X by (field; lra). exact X.
Qed.
