(** Fractional orders: A_alpha as a series of erfc terms.  The two expansions of
    BinomialRatio are integrated term by term over the two half lines cut at z1;
    the remainders, integrated, bound the truncation error by the two first
    omitted terms, and the error tends to 0. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral HalfLine Gaussian AB A2Bound Erfc BinomialSeries BinomialRatio.
Open Scope R_scope.

(** * Half-line integrals of finite sums, and comparison in absolute value *)

Lemma int_left_sum (F : nat -> R -> R) (l : nat -> R) (z : R) (N : nat) :
  (forall k, int_left (F k) z (l k)) ->
  int_left (fun x => sum_below (fun k => F k x) N) z (sum_below l N).
Proof.
  intros H. induction N as [|N IH]; simpl.
  - assert (X := int_left_scal _ _ 0 _ (H O)). rewrite Rmult_0_l in X.
    apply (int_left_ext (fun x => 0 * F O x)); [intros x; ring|exact X].
  - apply (int_left_plus (fun x => sum_below (fun k => F k x) N) (F N)); [exact IH|apply H].
Qed.

Lemma int_right_sum (F : nat -> R -> R) (l : nat -> R) (z : R) (N : nat) :
  (forall k, int_right (F k) z (l k)) ->
  int_right (fun x => sum_below (fun k => F k x) N) z (sum_below l N).
Proof.
  intros H. induction N as [|N IH]; simpl.
  - assert (X := int_right_scal _ _ 0 _ (H O)). rewrite Rmult_0_l in X.
    apply (int_right_ext (fun x => 0 * F O x)); [intros x; ring|exact X].
  - apply (int_right_plus (fun x => sum_below (fun k => F k x) N) (F N)); [exact IH|apply H].
Qed.

Lemma int_left_abs_le (f g e : R -> R) (z lf lg le : R) :
  (forall x, x <= z -> Rabs (f x - g x) <= e x) ->
  int_left f z lf -> int_left g z lg -> int_left e z le -> Rabs (lf - lg) <= le.
Proof.
  intros H Hf Hg He.
  assert (X1 := int_left_le f (fun x => g x + e x) z _ _
    ltac:(intros x Hx; assert (B := H x Hx); apply Rabs_le_between in B; lra)
    Hf (int_left_plus _ _ _ _ _ Hg He)).
  assert (X2 := int_left_le g (fun x => f x + e x) z _ _
    ltac:(intros x Hx; assert (B := H x Hx); apply Rabs_le_between in B; lra)
    Hg (int_left_plus _ _ _ _ _ Hf He)).
  apply Rabs_le. lra.
Qed.

Lemma int_right_abs_le (f g e : R -> R) (z lf lg le : R) :
  (forall x, z <= x -> Rabs (f x - g x) <= e x) ->
  int_right f z lf -> int_right g z lg -> int_right e z le -> Rabs (lf - lg) <= le.
Proof.
  intros H Hf Hg He.
  assert (X1 := int_right_le f (fun x => g x + e x) z _ _
    ltac:(intros x Hx; assert (B := H x Hx); apply Rabs_le_between in B; lra)
    Hf (int_right_plus _ _ _ _ _ Hg He)).
  assert (X2 := int_right_le g (fun x => f x + e x) z _ _
    ltac:(intros x Hx; assert (B := H x Hx); apply Rabs_le_between in B; lra)
    Hg (int_right_plus _ _ _ _ _ Hf He)).
  apply Rabs_le. lra.
Qed.

(** * The terms of the series *)

Definition left_moment (q sigma k : R) : R :=
  1 / 2 * exp ((k ^ 2 - k) / (2 * sigma ^ 2)) * erfc ((k - z1 q sigma) / (sqrt 2 * sigma)).
Definition right_moment (q sigma k : R) : R :=
  1 / 2 * exp ((k ^ 2 - k) / (2 * sigma ^ 2)) * erfc ((z1 q sigma - k) / (sqrt 2 * sigma)).

Definition left_term (q sigma alpha : R) (k : nat) : R :=
  binom alpha k * Rpower (1 - q) (alpha - INR k) * q ^ k * left_moment q sigma (INR k).
Definition right_term (q sigma alpha : R) (k : nat) : R :=
  binom alpha k * (1 - q) ^ k * Rpower q (alpha - INR k) * right_moment q sigma (alpha - INR k).

(** The sum of the first N terms of both series. *)
Definition A_partial (q sigma alpha : R) (N : nat) : R :=
  sum_below (left_term q sigma alpha) N + sum_below (right_term q sigma alpha) N.

Section Fixed_parameters.
Variables q sigma alpha : R.
Hypothesis Hq : 0 < q < 1.
Hypothesis Hs : 0 < sigma.
Let z := z1 q sigma.
Let Hq' : 0 <= q <= 1. Proof. lra. Qed.

(** mu0 times a summand integrates to the corresponding term. *)
Lemma int_left_summand (k : nat) :
  int_left (fun x => mu0 sigma x * left_summand q sigma alpha x k) z (left_term q sigma alpha k).
Proof.
  apply (int_left_ext (fun x => binom alpha k * Rpower (1 - q) (alpha - INR k) * q ^ k
     * (mu0 sigma x * Rpower (mu1 sigma x / mu0 sigma x) (INR k)))).
  - intros x. unfold left_summand. ring.
  - apply int_left_scal, moment_left, Hs.
Qed.

Lemma int_right_summand (k : nat) :
  int_right (fun x => mu0 sigma x * right_summand q sigma alpha x k) z (right_term q sigma alpha k).
Proof.
  apply (int_right_ext (fun x => binom alpha k * (1 - q) ^ k * Rpower q (alpha - INR k)
     * (mu0 sigma x * Rpower (mu1 sigma x / mu0 sigma x) (alpha - INR k)))).
  - intros x. unfold right_summand. ring.
  - apply int_right_scal, moment_right, Hs.
Qed.

(** The same with absolute values, since the moments are nonnegative. *)
Lemma left_moment_nonneg (k : R) : 0 <= left_moment q sigma k.
Proof.
  apply Rmult_le_pos; [|apply erfc_nonneg]. apply Rmult_le_pos; [lra|left; apply exp_pos].
Qed.

Lemma right_moment_nonneg (k : R) : 0 <= right_moment q sigma k.
Proof.
  apply Rmult_le_pos; [|apply erfc_nonneg]. apply Rmult_le_pos; [lra|left; apply exp_pos].
Qed.

Lemma int_left_abs_summand (k : nat) :
  int_left (fun x => mu0 sigma x * Rabs (left_summand q sigma alpha x k)) z
           (Rabs (left_term q sigma alpha k)).
Proof.
  set (c := binom alpha k * Rpower (1 - q) (alpha - INR k) * q ^ k).
  apply (int_left_ext (fun x => Rabs c * (mu0 sigma x * Rpower (mu1 sigma x / mu0 sigma x) (INR k)))).
  - intros x. unfold left_summand. fold c.
    rewrite Rabs_mult, (Rabs_pos_eq (Rpower _ _)) by (left; apply Rpower_pos). ring.
  - unfold left_term. fold c. rewrite Rabs_mult, (Rabs_pos_eq (left_moment _ _ _)) by apply left_moment_nonneg.
    apply int_left_scal, moment_left, Hs.
Qed.

Lemma int_right_abs_summand (k : nat) :
  int_right (fun x => mu0 sigma x * Rabs (right_summand q sigma alpha x k)) z
            (Rabs (right_term q sigma alpha k)).
Proof.
  set (c := binom alpha k * (1 - q) ^ k * Rpower q (alpha - INR k)).
  apply (int_right_ext (fun x => Rabs c * (mu0 sigma x * Rpower (mu1 sigma x / mu0 sigma x) (alpha - INR k)))).
  - intros x. unfold right_summand. fold c.
    rewrite Rabs_mult, (Rabs_pos_eq (Rpower _ _)) by (left; apply Rpower_pos). ring.
  - unfold right_term. fold c. rewrite Rabs_mult, (Rabs_pos_eq (right_moment _ _ _)) by apply right_moment_nonneg.
    apply int_right_scal, moment_right, Hs.
Qed.

(** From pointwise remainders on the two half lines to the truncation error. *)
Lemma truncation_error (N : nat) (eL eR : R -> R) (lL lR : R) :
  (forall x, x <= z -> Rabs (Rpower (mu q sigma x / mu0 sigma x) alpha
                             - sum_below (left_summand q sigma alpha x) N) <= eL x) ->
  (forall x, z <= x -> Rabs (Rpower (mu q sigma x / mu0 sigma x) alpha
                             - sum_below (right_summand q sigma alpha x) N) <= eR x) ->
  int_left (fun x => mu0 sigma x * eL x) z lL -> int_right (fun x => mu0 sigma x * eR x) z lR ->
  Rabs (A q sigma alpha - A_partial q sigma alpha N) <= lL + lR.
Proof.
  intros HL HR IL IR.
  destruct (A_split q sigma alpha z Hq' Hs) as [A1 [A2 [H1 [H2 E]]]].
  assert (step : forall c s e m : R, 0 < m -> Rabs (c - s) <= e -> Rabs (m * c - m * s) <= m * e).
  { intros c s e m Hm H. rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq m) by lra.
    apply Rmult_le_compat_l; lra. }
  assert (BL : Rabs (A1 - sum_below (left_term q sigma alpha) N) <= lL).
  { refine (int_left_abs_le _ _ _ z _ _ _ _ H1 (int_left_sum _ _ z N int_left_summand) IL).
    intros x Hx. cbv beta. rewrite sum_below_scal. apply step; [apply mu0_pos, Hs|apply HL, Hx]. }
  assert (BR : Rabs (A2 - sum_below (right_term q sigma alpha) N) <= lR).
  { refine (int_right_abs_le _ _ _ z _ _ _ _ H2 (int_right_sum _ _ z N int_right_summand) IR).
    intros x Hx. cbv beta. rewrite sum_below_scal. apply step; [apply mu0_pos, Hs|apply HR, Hx]. }
  rewrite E. unfold A_partial. apply Rabs_le_between in BL. apply Rabs_le_between in BR.
  apply Rabs_le. lra.
Qed.

(** Truncation error of the fractional series: at most the two first omitted terms. *)
Theorem A_series_error (N : nat) : alpha <= INR N ->
  Rabs (A q sigma alpha - A_partial q sigma alpha N)
    <= Rabs (left_term q sigma alpha N) + Rabs (right_term q sigma alpha N).
Proof.
  intros HN.
  apply (truncation_error N (fun x => Rabs (left_summand q sigma alpha x N))
                            (fun x => Rabs (right_summand q sigma alpha x N))).
  - intros x _. exact (proj1 (left_remainder q sigma Hq Hs alpha x N HN)).
  - intros x _. exact (proj1 (right_remainder q sigma Hq Hs alpha x N HN)).
  - apply int_left_abs_summand.
  - apply int_right_abs_summand.
Qed.

(** A simpler bound: |C(alpha,N)| times a constant that does not depend on N. *)
Definition series_error_constant : R :=
  Rpower (1 - q) alpha * left_moment q sigma 0 + Rpower q alpha * right_moment q sigma alpha.

(** Truncation error with that constant. *)
Theorem A_series_error_simple (N : nat) : alpha <= INR N ->
  Rabs (A q sigma alpha - A_partial q sigma alpha N) <= Rabs (binom alpha N) * series_error_constant.
Proof.
  intros HN. unfold series_error_constant. rewrite Rmult_plus_distr_l.
  apply (truncation_error N (fun _ => Rabs (binom alpha N) * Rpower (1 - q) alpha)
    (fun x => Rabs (binom alpha N) * (Rpower q alpha * Rpower (mu1 sigma x / mu0 sigma x) alpha))).
  - intros x Hx. exact (proj2 (left_remainder q sigma Hq Hs alpha x N HN) Hx).
  - intros x Hx. exact (proj2 (right_remainder q sigma Hq Hs alpha x N HN) Hx).
  - assert (H := int_left_scal _ _ (Rabs (binom alpha N) * Rpower (1 - q) alpha) _ (moment_left sigma 0 z Hs)).
    fold z in H. rewrite <- Rmult_assoc. refine (int_left_ext _ _ _ _ _ H).
    intros x. rewrite mu1_over_mu0, Rpower_O by (exact Hs || apply ratio_pos). ring.
  - assert (H := int_right_scal _ _ (Rabs (binom alpha N) * Rpower q alpha) _ (moment_right sigma alpha z Hs)).
    rewrite <- Rmult_assoc. refine (int_right_ext _ _ _ _ _ H). intros x. ring.
Qed.

(** The fractional series converges to A_alpha. *)
Theorem A_series_limit : 0 <= alpha -> is_lim_seq (A_partial q sigma alpha) (A q sigma alpha).
Proof.
  intros Ha. apply (limit_from_remainder alpha series_error_constant); [exact Ha| |exact A_series_error_simple].
  apply Rplus_le_le_0_compat; apply Rmult_le_pos.
  - left. apply Rpower_pos.
  - apply left_moment_nonneg.
  - left. apply Rpower_pos.
  - apply right_moment_nonneg.
Qed.
End Fixed_parameters.
