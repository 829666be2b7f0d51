(** Theorem 5 of the paper is false as stated: an involution need not preserve
    volume.  On (0,oo) take nu(x) = 1/x and
      Q(x) = 2 x^2 (1 + 9x + 2x^3) / (1+x)^7,   P(x) = Q(1/x).
    Every integral over (0,oo) is moved to (0,1) by t = x/(1+x).  There the two
    masses and the integral of Q^2/P_half are integrals of polynomials, and the
    integrand of P_half^2/Q is (9/2) t^2 / k(t) with a cubic k >= 1.  For any g,
    1/k <= 2g - g^2 k + (1 - g k)^2; with a cubic g close to 1/k the right side
    is a polynomial whose integral is sharp enough. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(** [int_half f l]: the improper integral of f over (0,oo) converges to l. *)
Definition int_half (f : R -> R) (l : R) : Prop :=
  is_RInt_gen f (at_right 0) (Rbar_locally p_infty) l.

(** * Integrals over (0,oo) by the substitution t = x/(1+x) *)

Definition to_unit (x : R) : R := x / (1 + x).

Lemma to_unit_bounds (x : R) : 0 < x -> 0 < to_unit x < 1.
Proof.
  intros Hx. unfold to_unit. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with (1 + x); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Section Substitution.
Variable phi : R -> R.
Variable K : R.
Hypothesis phi_continuous : forall t, 0 <= t <= 1 -> continuous phi t.
Hypothesis phi_bound : forall t, 0 <= t <= 1 -> 0 <= phi t <= K.

Lemma phi_integrable (a b : R) : 0 <= a <= b -> b <= 1 -> ex_RInt phi a b.
Proof.
  intros Hab Hb. apply (ex_RInt_continuous (V := R_CompleteNormedModule)).
  rewrite Rmin_left, Rmax_right by lra. intros t Ht. apply phi_continuous. lra.
Qed.

Lemma phi_piece (a b : R) : 0 <= a <= b -> b <= 1 -> 0 <= RInt phi a b <= K * (b - a).
Proof.
  intros Hab Hb. split.
  - apply RInt_ge_0; [lra|apply phi_integrable; lra|].
    intros t Ht. apply phi_bound. lra.
  - replace (K * (b - a)) with (RInt (fun _ => K) a b).
    2:{ rewrite RInt_const. unfold scal; simpl; unfold mult; simpl. ring. }
    apply RInt_le; [lra|apply phi_integrable; lra|apply ex_RInt_const|].
    intros t Ht. apply phi_bound. lra.
Qed.

Lemma phi_split (a b : R) : 0 <= a <= b -> b <= 1 ->
  RInt phi 0 1 = RInt phi 0 a + RInt phi a b + RInt phi b 1.
Proof.
  intros Hab Hb.
  rewrite <- (RInt_Chasles phi 0 a 1) by (apply phi_integrable; lra).
  rewrite <- (RInt_Chasles phi a b 1) by (apply phi_integrable; lra).
  unfold plus; simpl. ring.
Qed.

Lemma phi_pulled_back (a b : R) : 0 < a -> a < b ->
  is_RInt (fun x => phi (to_unit x) / (1 + x) ^ 2) a b (RInt phi (to_unit a) (to_unit b)).
Proof.
  intros Ha Hb.
  apply is_RInt_ext with (fun x => scal (/ (1 + x) ^ 2) (phi (to_unit x))).
  { intros x _. unfold scal; simpl; unfold mult; simpl. unfold Rdiv. ring. }
  apply (is_RInt_comp (V := R_CompleteNormedModule) phi to_unit (fun x => / (1 + x) ^ 2));
    rewrite Rmin_left, Rmax_right by lra; intros x Hx.
  - assert (U := to_unit_bounds x ltac:(lra)). apply phi_continuous. lra.
  - split.
    + unfold to_unit. auto_derive; [lra|]. field. lra.
    + apply (ex_derive_continuous (V := R_NormedModule)). auto_derive.
      assert (pos1 : 0 < (1 + x) ^ 2) by (apply pow_lt; lra). simpl in *. lra.
Qed.

Lemma int_half_substitution (f : R -> R) :
  (forall x, 0 < x -> f x = phi (to_unit x) / (1 + x) ^ 2) ->
  int_half f (RInt phi 0 1).
Proof.
  intros Hf U [eps HU]. set (L := K + 1).
  assert (K0 : 0 <= K) by (assert (B := phi_bound 0 ltac:(lra)); lra).
  assert (HL : 0 < eps / (2 * L)).
  { apply Rdiv_lt_0_compat; [apply cond_pos|unfold L; lra]. }
  assert (EL : L * (eps / (2 * L)) = eps / 2) by (field; unfold L; lra).
  set (d := eps / (2 * L)) in *. assert (Pe := cond_pos eps).
  exists (fun a => 0 < a < Rmin d 1) (fun b => Rmax 1 (/ d) < b).
  - exists (mkposreal (Rmin d 1) (Rmin_pos d 1 HL Rlt_0_1)). intros a Ba Ha. split; [exact Ha|].
    unfold ball in Ba; simpl in Ba; unfold AbsRing_ball, abs, minus, plus, opp in Ba; simpl in Ba.
    apply Rabs_def2 in Ba. lra.
  - exists (Rmax 1 (/ d)). intros b Hb. exact Hb.
  - intros a b Ha Hb. simpl.
    assert (M1 := Rmin_l d 1). assert (M2 := Rmin_r d 1).
    assert (N1 := Rmax_l 1 (/ d)). assert (N2 := Rmax_r 1 (/ d)).
    exists (RInt phi (to_unit a) (to_unit b)). split.
    + apply is_RInt_ext with (fun x => phi (to_unit x) / (1 + x) ^ 2).
      { rewrite Rmin_left, Rmax_right by lra. intros x Hx. symmetry. apply Hf. lra. }
      apply phi_pulled_back; lra.
    + apply HU. unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
      assert (Ua := to_unit_bounds a ltac:(lra)). assert (Ub := to_unit_bounds b ltac:(lra)).
      assert (Ea : to_unit a * (1 + a) = a) by (unfold to_unit; field; lra).
      assert (Eb : (1 - to_unit b) * (1 + b) = 1) by (unfold to_unit; field; lra).
      assert (Sa : to_unit a < d) by nra.
      assert (Sb : 1 - to_unit b < d).
      { apply Rmult_lt_reg_r with (1 + b); [lra|]. rewrite Eb.
        assert (D : d * / d = 1) by (apply Rinv_r; lra). nra. }
      assert (Uab : to_unit a <= to_unit b) by nra.
      rewrite (phi_split (to_unit a) (to_unit b)) by lra.
      assert (P1 := phi_piece 0 (to_unit a) ltac:(lra) ltac:(lra)).
      assert (P2 := phi_piece (to_unit b) 1 ltac:(lra) ltac:(lra)).
      assert (T1 : K * (to_unit a - 0) <= K * d) by (apply Rmult_le_compat_l; lra).
      assert (T2 : K * (1 - to_unit b) <= K * d) by (apply Rmult_le_compat_l; lra).
      unfold L in EL. apply Rabs_def1; lra.
Qed.
End Substitution.

Lemma RInt_polynomial (f F : R -> R) :
  (forall t, is_derive F t (f t)) -> (forall t, continuous f t) -> RInt f 0 1 = F 1 - F 0.
Proof.
  intros HF Hf. apply (is_RInt_unique (V := R_CompleteNormedModule)).
  apply (is_RInt_derive (V := R_CompleteNormedModule) F f); intros t _; [apply HF|apply Hf].
Qed.

(** * The densities of claim G0 *)

Definition Q (x : R) : R := 2 * x ^ 2 * (1 + 9 * x + 2 * x ^ 3) / (1 + x) ^ 7.
Definition P (x : R) : R := 2 * x ^ 2 * (2 + 9 * x ^ 2 + x ^ 3) / (1 + x) ^ 7.
Definition P_half (x : R) : R := (1 - 1 / 2) * P x + 1 / 2 * Q x.
Definition nu (x : R) : R := / x.

Lemma nu_involution (x : R) : 0 < x -> 0 < nu x /\ nu (nu x) = x.
Proof. intros Hx. unfold nu. split; [apply Rinv_0_lt_compat; lra|field; lra]. Qed.

Lemma P_is_Q_nu (x : R) : 0 < x -> P x = Q (nu x).
Proof. intros Hx. unfold P, Q, nu. field. lra. Qed.

Lemma smooth (x : R) : 0 < x -> ex_derive nu x /\ ex_derive P x /\ ex_derive Q x.
Proof.
  intros Hx. assert (H : 0 < (1 + x) ^ 7) by (apply pow_lt; lra).
  unfold nu, P, Q. repeat split; auto_derive; simpl in *; lra.
Qed.

Lemma Q_pos (x : R) : 0 < x -> 0 < Q x.
Proof.
  intros Hx. assert (pos2 : 0 < x ^ 2) by (apply pow_lt; lra). assert (pos3 : 0 < x ^ 3) by (apply pow_lt; lra).
  apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra|apply pow_lt; lra].
Qed.

Lemma P_pos (x : R) : 0 < x -> 0 < P x.
Proof. intros Hx. rewrite P_is_Q_nu by exact Hx. apply Q_pos, nu_involution, Hx. Qed.

Lemma P_half_closed (x : R) : 0 < x -> P_half x = 3 * x ^ 2 / (1 + x) ^ 4.
Proof. intros Hx. unfold P_half, P, Q. field. lra. Qed.

Lemma P_half_pos (x : R) : 0 < x -> 0 < P_half x.
Proof. intros Hx. unfold P_half. assert (p := P_pos x Hx). assert (r := Q_pos x Hx). lra. Qed.

Definition k (t : R) : R := 10 * t ^ 3 - 15 * t ^ 2 + 6 * t + 1.

Lemma pow_unit (t : R) (n : nat) : 0 <= t <= 1 -> 0 <= t ^ n <= 1.
Proof. intros Ht. split; [apply pow_le; lra|rewrite <- (pow1 n); apply pow_incr; lra]. Qed.

Lemma k_bounds (t : R) : 0 <= t <= 1 -> 1 <= k t <= 17.
Proof.
  intros Ht. replace (k t) with (1 + t * (10 * (t - 3 / 4) ^ 2 + 3 / 8)) by (unfold k; field).
  assert (nonneg4 : 0 <= (t - 3 / 4) ^ 2 <= 1) by (split; [apply pow2_ge_0|nra]). split; nra.
Qed.

Ltac prove_continuous := apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; trivial.

(** Q has mass 1. *)
Theorem Q_mass : int_half Q 1.
Proof.
  replace 1 with (RInt (fun t => 2 * t ^ 2 * k t) 0 1).
  - apply (int_half_substitution (fun t => 2 * t ^ 2 * k t) 34).
    + intros t _. unfold k. prove_continuous.
    + intros t Ht. assert (B := k_bounds t Ht). assert (T2 := pow_unit t 2 Ht). split; nra.
    + intros x Hx. unfold Q, k, to_unit. field. lra.
  - rewrite (RInt_polynomial _ (fun t => 10 / 3 * t ^ 6 - 6 * t ^ 5 + 3 * t ^ 4 + 2 / 3 * t ^ 3)).
    + simpl. field.
    + intros t. unfold k. auto_derive; [trivial|]. field.
    + intros t. unfold k. prove_continuous.
Qed.

(** P has mass 1. *)
Theorem P_mass : int_half P 1.
Proof.
  set (p := fun t => 2 * t ^ 2 * (2 * (1 - t) ^ 3 + 9 * t ^ 2 * (1 - t) + t ^ 3)).
  replace 1 with (RInt p 0 1).
  - apply (int_half_substitution p 24).
    + intros t _. unfold p. prove_continuous.
    + intros t Ht. unfold p.
      assert (T2 := pow_unit t 2 Ht). assert (T3 := pow_unit t 3 Ht).
      assert (V3 := pow_unit (1 - t) 3 ltac:(lra)).
      assert (nonneg5 : 0 <= t ^ 2 * (1 - t) <= 1) by (split; nra). split; nra.
    + intros x Hx. unfold P, p, to_unit. field. lra.
  - rewrite (RInt_polynomial p (fun t => 4 / 3 * t ^ 3 - 3 * t ^ 4 + 6 * t ^ 5 - 10 / 3 * t ^ 6)).
    + simpl. field.
    + intros t. unfold p. auto_derive; [trivial|]. field.
    + intros t. unfold p. prove_continuous.
Qed.

Lemma Rpower_2 (t : R) : 0 < t -> Rpower t 2 = t ^ 2.
Proof. intros Ht. rewrite <- Rpower_pow by exact Ht. f_equal. Qed.

(** The exact value of the integral of Q^2/P_half. *)
Theorem backward_moment : int_half (fun x => P_half x * Rpower (Q x / P_half x) 2) (962 / 945).
Proof.
  set (p := fun t => 4 / 3 * t ^ 2 * k t ^ 2).
  replace (962 / 945) with (RInt p 0 1).
  - apply (int_half_substitution p (4 / 3 * 289)).
    + intros t _. unfold p, k. prove_continuous.
    + intros t Ht. unfold p. assert (B := k_bounds t Ht).
      assert (T2 := pow_unit t 2 Ht). assert (nonneg6 : 0 <= k t ^ 2 <= 289) by (split; nra).
      rewrite !Rmult_assoc. split; [nra|]. apply Rmult_le_compat_l; nra.
    + intros x Hx. assert (H := P_half_pos x Hx). assert (r := Q_pos x Hx).
      rewrite Rpower_2 by (apply Rdiv_lt_0_compat; lra).
      rewrite P_half_closed by exact Hx. unfold Q, p, k, to_unit. field. lra.
  - rewrite (RInt_polynomial p (fun t => 4 / 3 * (1 / 3 * t ^ 3 + 3 * t ^ 4 + 6 / 5 * t ^ 5
               - 80 / 3 * t ^ 6 + 345 / 7 * t ^ 7 - 75 / 2 * t ^ 8 + 100 / 9 * t ^ 9))).
    + simpl. field.
    + intros t. unfold p, k. auto_derive; [trivial|]. field.
    + intros t. unfold p, k. prove_continuous.
Qed.

Definition g (t : R) : R := (8 - 22 * t + 58 * t ^ 2 - 39 * t ^ 3) / 10.

Lemma inverse_upper_bound (y w : R) : 1 <= y -> / y <= 2 * w - w ^ 2 * y + (1 - w * y) ^ 2.
Proof.
  intros Hy. assert (E : / y = 2 * w - w ^ 2 * y + (1 - w * y) ^ 2 * / y) by (field; lra).
  assert (I : 0 < / y <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (S := pow2_ge_0 (1 - w * y)). rewrite E at 1. nra.
Qed.

Lemma forward_integrand_continuous (t : R) : 0 <= t <= 1 ->
  continuous (fun t => 9 / 2 * t ^ 2 * / k t) t.
Proof.
  intros Ht. assert (B := k_bounds t Ht). unfold k in *.
  apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. simpl in *. lra.
Qed.

(** The integral of P_half^2/Q exists and has a rational upper bound below 962/945. *)
Theorem forward_moment : exists A,
  int_half (fun x => Q x * Rpower (P_half x / Q x) 2) A /\ 0 < A <= 509161 / 500500.
Proof.
  set (p := fun t => 9 / 2 * t ^ 2 * / k t).
  assert (I : forall t, 0 <= t <= 1 -> 0 < / k t <= 1).
  { intros t Ht. assert (B := k_bounds t Ht).
    split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
  exists (RInt p 0 1). split.
  - apply (int_half_substitution p (9 / 2)).
    + exact forward_integrand_continuous.
    + intros t Ht. unfold p. assert (B := I t Ht).
      assert (T2 := pow_unit t 2 Ht). rewrite Rmult_assoc. split; [nra|].
      rewrite <- (Rmult_1_r (9 / 2)) at 2. apply Rmult_le_compat_l; nra.
    + intros x Hx. assert (H := P_half_pos x Hx). assert (r := Q_pos x Hx).
      rewrite Rpower_2 by (apply Rdiv_lt_0_compat; lra).
      rewrite P_half_closed by exact Hx. unfold Q, p, to_unit, k.
      assert (pos7 : 0 < x ^ 3) by (apply pow_lt; lra).
      field. lra.
  - set (h := fun t => 9 / 2 * t ^ 2 * (2 * g t - g t ^ 2 * k t + (1 - g t * k t) ^ 2)).
    assert (Ch : forall t, continuous h t) by (intros t; unfold h, g, k; prove_continuous).
    split.
    { apply RInt_gt_0; [lra| |exact forward_integrand_continuous].
      intros t Ht. unfold p. apply Rmult_lt_0_compat; [nra|apply I; lra]. }
    apply Rle_trans with (RInt h 0 1).
    + apply RInt_le; [lra| | |].
      * apply (ex_RInt_continuous (V := R_CompleteNormedModule)).
        rewrite Rmin_left, Rmax_right by lra. exact forward_integrand_continuous.
      * apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros t _. apply Ch.
      * intros t Ht. unfold p, h. apply Rmult_le_compat_l; [nra|].
        apply inverse_upper_bound. apply k_bounds. lra.
    + right. rewrite (RInt_polynomial h (fun t =>
        3 / 2 * t ^ 3 - 162 / 25 * t ^ 4 + 4806 / 125 * t ^ 5 - 936 / 5 * t ^ 6
        + 267741 / 350 * t ^ 7 - 990441 / 400 * t ^ 8 + 306599 / 50 * t ^ 9
        - 11267991 / 1000 * t ^ 10 + 32828589 / 2200 * t ^ 11 - 219657 / 16 * t ^ 12
        + 4301901 / 520 * t ^ 13 - 81783 / 28 * t ^ 14 + 4563 / 10 * t ^ 15)).
      * simpl. field.
      * intros t. unfold h, g, k. auto_derive; [trivial|]. field.
      * exact Ch.
Qed.

(** Claim G0: the data satisfy every hypothesis of Theorem 5 and, at alpha = 2
    and q = 1/2, the divergence of P_half from Q is the smaller one. *)
Theorem involution_counterexample :
  (forall x, 0 < x -> 0 < nu x /\ nu (nu x) = x /\ ex_derive nu x) /\
  (forall x, 0 < x -> 0 < P x /\ 0 < Q x /\ P x = Q (nu x) /\ ex_derive P x /\ ex_derive Q x) /\
  int_half P 1 /\ int_half Q 1 /\
  exists A B,
    int_half (fun x => Q x * Rpower (P_half x / Q x) 2) A /\
    int_half (fun x => P_half x * Rpower (Q x / P_half x) 2) B /\
    ln A / (2 - 1) < ln B / (2 - 1).
Proof.
  split; [|split; [|split; [exact P_mass|split; [exact Q_mass|]]]].
  - intros x Hx. destruct (nu_involution x Hx) as [N1 N2]. destruct (smooth x Hx) as [S1 _].
    exact (conj N1 (conj N2 S1)).
  - intros x Hx. destruct (smooth x Hx) as [_ S2].
    exact (conj (P_pos x Hx) (conj (Q_pos x Hx) (conj (P_is_Q_nu x Hx) S2))).
  - destruct forward_moment as [A [HA BA]]. exists A, (962 / 945).
    split; [exact HA|]. split; [exact backward_moment|].
    apply Rmult_lt_compat_r; [lra|]. apply ln_increasing; lra.
Qed.
