(** The integral of f over [c-h, c+h] by its Taylor coefficients at c, and a remainder.  A tower holds
    the scaled derivatives: F_0 = f, F_k' = (k+1) F_(k+1), so F_k is the k-th derivative over k!. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From SGMV Require Import Shift.
Open Scope R_scope.

Definition tower (F : nat -> R -> R) : Prop := forall k x, shift_at F k x.

Lemma tower_derivatives (F : nat -> R -> R) : tower F ->
  forall k x, is_derive_n (F 0%nat) k x (INR (fact k) * F k x).
Proof.
  intros H. induction k as [|k IH]; intros x.
  - simpl. ring.
  - simpl. apply (is_derive_ext (fun y => INR (fact k) * F k y)).
    + intros y. symmetry. apply is_derive_n_unique. apply IH.
    + replace (INR (fact k + k * fact k) * F (S k) x) with (INR (fact k) * (INR (S k) * F (S k) x)).
      * exact (is_derive_scal (F k) x (INR (fact k)) _ (H k x)).
      * replace (fact k + k * fact k)%nat with (S k * fact k)%nat by (simpl; lia). rewrite mult_INR. ring.
Qed.

Lemma tower_lagrange (F : nat -> R -> R) (n : nat) (h : R) : tower F -> 0 < h ->
  exists t, 0 < t < h /\
    F 0%nat h = sum_f_R0 (fun k => h ^ k * F k 0) n + h ^ S n * F (S n) t.
Proof.
  intros H Hh. assert (D := tower_derivatives F H).
  destruct (Taylor_Lagrange (F 0%nat) n 0 h Hh) as [t [Ht E]].
  - intros x _ [|k] _; [exact I|]. eexists. exact (D (S k) x).
  - exists t. split; [exact Ht|]. rewrite E.
    rewrite (is_derive_n_unique _ _ _ _ (D (S n) t)). rewrite Rminus_0_r. f_equal.
    + apply sum_eq. intros k _. rewrite (is_derive_n_unique _ _ _ _ (D k 0)). field. apply INR_fact_neq_0.
    + field. apply INR_fact_neq_0.
Qed.

(** * The tower of G(h) = integral of f over [c-h, c+h] *)

Section Panel.
Variable F : nat -> R -> R.
Hypothesis HF : tower F.
Variable c : R.

Lemma tower_continuous (x : R) : continuous (F 0%nat) x.
Proof. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply HF. Qed.

Definition G (k : nat) (h : R) : R :=
  match k with
  | O => RInt (F 0%nat) (c - h) (c + h)
  | S j => (F j (c + h) + (-1) ^ j * F j (c - h)) / INR (S j)
  end.

Lemma G_tower : tower G.
Proof.
  intros [|j] h; unfold shift_at.
  - simpl (INR 1). unfold G at 2. simpl pow. simpl (INR 1).
    replace (1 * ((F 0 (c + h) + 1 * F 0 (c - h)) / 1)) with (F 0%nat (c + h) * 1 - F 0%nat (c - h) * (-1)) by field.
    unfold G.
    assert (K := is_derive_RInt_bound_comp (F 0%nat) (fun a b => RInt (F 0%nat) a b)
                   (fun h => c - h) (fun h => c + h) (-1) 1 h).
    replace (F 0%nat (c + h) * 1 - F 0%nat (c - h) * (-1))
      with (minus (scal 1 (F 0%nat (c + h))) (scal (-1) (F 0%nat (c - h))))
      by (unfold minus, plus, opp, scal; simpl; unfold mult; simpl; ring).
    apply K.
    + apply filter_forall. intros [a b]. apply (RInt_correct (V := R_CompleteNormedModule)).
      apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply tower_continuous.
    + apply tower_continuous.
    + apply tower_continuous.
    + auto_derive; trivial.
    + auto_derive; trivial.
  - assert (J : INR (S j) <> 0) by (apply not_0_INR; lia).
    assert (J' : INR (S (S j)) <> 0) by (apply not_0_INR; lia).
    assert (P := is_derive_comp (F j) (fun h => c + h) h _ _ (HF j (c + h)) ltac:(auto_derive; trivial; reflexivity)).
    assert (M := is_derive_comp (F j) (fun h => c - h) h _ _ (HF j (c - h)) ltac:(auto_derive; trivial; reflexivity)).
    assert (S1 := is_derive_plus _ _ h _ _ P (is_derive_scal _ h ((-1) ^ j) _ M)).
    assert (S2 := is_derive_scal _ h (/ INR (S j)) _ S1).
    unfold G.
    match type of S2 with is_derive _ _ ?d => match goal with |- is_derive _ _ ?e => replace e with d end end.
    + refine (is_derive_ext _ _ _ _ _ S2). intros t. unfold plus; simpl. unfold Rdiv. ring.
    + unfold plus, scal, mult; cbn -[INR pow]. unfold mult; cbn -[INR pow].
      rewrite <- (tech_pow_Rmult (-1) j). field. split; assumption.
Qed.

Lemma panel_sum (n : nat) (h : R) : 0 < h -> exists t, 0 < t < h /\
  RInt (F 0%nat) (c - h) (c + h)
  = sum_f_R0 (fun k => h ^ k * G k 0) n + h ^ S n * ((F n (c + t) + (-1) ^ n * F n (c - t)) / INR (S n)).
Proof. intros Hh. exact (tower_lagrange G n h G_tower Hh). Qed.
End Panel.
