(** The Taylor coefficients of the integrand f = exp(-z^2 c/2) m^s, m = (1-q) + q exp((z-1/2) c),
    c = 1/sigma^2, by recurrences: p = m'/m satisfies p' = c p - p^2, and f' = (s p - c z) f. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coquelicot Require Import Coquelicot.
From SGMV Require Import Arithmetic Shift Tower Taylor.
Import ListNotations.
Open Scope R_scope.

(** * Convolution of lists, newest coefficient first *)

Fixpoint conv (a b : list R) (acc : R) : R :=
  match a, b with x :: a', y :: b' => conv a' b' (acc + x * y) | _, _ => acc end.
Definition down (u : nat -> R) (k : nat) : list R := map u (rev (seq 0 (S k))).

Lemma down_S (u : nat -> R) (k : nat) : down u (S k) = u (S k) :: down u k.
Proof. unfold down. rewrite (seq_S (S k) 0), rev_app_distr. reflexivity. Qed.

Lemma rev_down (u : nat -> R) (k : nat) : rev (down u k) = map u (seq 0 (S k)).
Proof. unfold down. rewrite <- map_rev, rev_involutive. reflexivity. Qed.

Lemma rev_seq (k : nat) : rev (seq 0 (S k)) = map (fun i => k - i)%nat (seq 0 (S k)).
Proof.
  induction k as [|k IH]; [reflexivity|].
  rewrite (seq_S (S k) 0) at 1. rewrite rev_app_distr, IH.
  change (seq 0 (S (S k))) with (0%nat :: seq 1 (S k)). rewrite <- seq_shift. cbn [map rev app plus].
  rewrite map_map. reflexivity.
Qed.

Lemma conv_last (a b : list R) (x y acc : R) : length a = length b ->
  conv (a ++ [x]) (b ++ [y]) acc = conv a b acc + x * y.
Proof.
  revert b acc. induction a as [|a0 a IH]; intros [|b0 b] acc L; simpl in L; try discriminate; [reflexivity|].
  simpl. apply IH. lia.
Qed.

Lemma conv_maps (u v : nat -> R) (k : nat) :
  conv (map u (seq 0 (S k))) (map v (seq 0 (S k))) 0 = sum_f_R0 (fun i => u i * v i) k.
Proof.
  induction k as [|k IH]; [simpl; ring|].
  rewrite seq_S, !map_app. simpl (map _ [_]). rewrite conv_last by (rewrite !map_length; reflexivity).
  rewrite IH. reflexivity.
Qed.

Lemma conv_down (u v : nat -> R) (k : nat) :
  conv (down u k) (rev (down v k)) 0 = sum_f_R0 (fun i => v i * u (k - i)%nat) k.
Proof.
  rewrite rev_down. unfold down. rewrite rev_seq, map_map, conv_maps.
  apply sum_eq. intros i _. ring.
Qed.

(** Both right-hand sides as one convolution: this form keeps what cancels in one place, c - p_0 and
    s p_0 - c z, where an interval would lose it. *)
Lemma conv_acc (a b : list R) (acc : R) : conv a b acc = acc + conv a b 0.
Proof.
  revert b acc. induction a as [|x a IH]; intros [|y b] acc; simpl; try ring.
  rewrite IH, (IH b (0 + x * y)). ring.
Qed.

Lemma conv_scaled (r : R) (a b : list R) : conv a (map (Rmult r) b) 0 = r * conv a b 0.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; simpl; try ring.
  rewrite conv_acc, (conv_acc a b), IH. ring.
Qed.

Definition centred (c : R) (l : list R) : list R :=
  match l with nil => nil | x :: l' => c - x :: map (Rmult (-1)) l' end.
Definition tilted (c s z : R) (l : list R) : list R :=
  match l with
  | x :: y :: l' => s * x - c * z :: s * y - c :: map (Rmult s) l'
  | x :: nil => s * x - c * z :: nil
  | nil => nil
  end.

Lemma conv_centred (c : R) (a l : list R) : length a = length l ->
  conv a (centred c l) 0 = c * hd 0 a - conv a l 0.
Proof.
  destruct a as [|x a], l as [|y l]; intros L; try discriminate; simpl; [ring|].
  rewrite conv_acc, (conv_acc a l), conv_scaled. ring.
Qed.

Lemma conv_tilted (c s z : R) (a l : list R) : length a = length l ->
  conv a (tilted c s z l) 0 = s * conv a l 0 - c * (z * hd 0 a + hd 0 (tl a)).
Proof.
  destruct a as [|x [|x' a]], l as [|y [|y' l]]; intros L; try discriminate; simpl; try ring.
  rewrite conv_acc, (conv_acc a l), conv_scaled. ring.
Qed.

(** * The coefficients at a point *)

Section Coefficients.
Variables q c s : R.
Definition qr (z : R) : R := q * exp ((z - 1 / 2) * c).
Definition p (z : R) : R := c / (1 + (1 - q) / qr z).
Definition f (z : R) : R := exp (s * ln ((1 - q) + qr z) - z * z * c * (1 / 2)).

Fixpoint coefs (k : nat) (z : R) : list R * list R :=
  match k with
  | O => ([p z], [f z])
  | S j =>
    let (ps, fs) := coefs j z in
    let ascending := rev ps in
    ((c * hd 0 ps - conv ps ascending 0) / IZR (Z.of_nat j + 1) :: ps,
     (s * conv fs ascending 0 - c * (z * hd 0 fs + hd 0 (tl fs))) / IZR (Z.of_nat j + 1) :: fs)
  end.
Definition P (k : nat) (z : R) : R := hd 0 (fst (coefs k z)).
Definition F (k : nat) (z : R) : R := hd 0 (snd (coefs k z)).

Lemma coefs_down (k : nat) (z : R) :
  coefs k z = (down (fun i => P i z) k, down (fun i => F i z) k).
Proof.
  induction k as [|k IH]; [reflexivity|]. rewrite !down_S, (surjective_pairing (coefs (S k) z)).
  unfold P at 1, F at 1. simpl coefs. rewrite IH. reflexivity.
Qed.

Lemma hd_down (u : nat -> R) (k : nat) : hd 0 (down u k) = u k.
Proof. destruct k; [reflexivity|rewrite down_S; reflexivity]. Qed.

Lemma successor (j : nat) : IZR (Z.of_nat j + 1) = INR (S j).
Proof. rewrite plus_IZR, <- INR_IZR_INZ, S_INR. reflexivity. Qed.

Lemma P_recurrence (k : nat) (z : R) :
  INR (S k) * P (S k) z = c * P k z - sum_f_R0 (fun i => P i z * P (k - i)%nat z) k.
Proof.
  unfold P at 1. simpl coefs. rewrite coefs_down. simpl fst. simpl hd at 1.
  rewrite conv_down, hd_down, successor. field. apply not_0_INR. lia.
Qed.

Lemma F_recurrence (k : nat) (z : R) :
  INR (S k) * F (S k) z = s * sum_f_R0 (fun i => P i z * F (k - i)%nat z) k
    - c * (z * F k z + match k with O => 0 | S j => F j z end).
Proof.
  unfold F at 1. simpl coefs. rewrite coefs_down. simpl snd. simpl hd at 1.
  rewrite conv_down, hd_down, successor.
  replace (hd 0 (tl (down (fun i => F i z) k))) with (match k with O => 0 | S j => F j z end).
  - field. apply not_0_INR. lia.
  - destruct k as [|j]; [reflexivity|]. rewrite down_S. simpl tl. rewrite hd_down. reflexivity.
Qed.

Hypothesis Hq : 0 < q <= 1.

Lemma qr_pos (z : R) : 0 < qr z.
Proof. apply Rmult_lt_0_compat; [lra|apply exp_pos]. Qed.

Lemma p_alternative (z : R) : p z = c * qr z / ((1 - q) + qr z).
Proof. assert (K := qr_pos z). unfold p. field. lra. Qed.

Lemma p_derive (z : R) : is_derive p z (c * p z - p z ^ 2).
Proof.
  assert (K := qr_pos z).
  apply (is_derive_ext (fun z => c * qr z / ((1 - q) + qr z))); [intros; symmetry; apply p_alternative|].
  rewrite p_alternative. unfold qr in *. auto_derive; change (z + - (1 / 2)) with (z - 1 / 2); [|field]; lra.
Qed.

Lemma f_derive (z : R) : is_derive f z ((s * p z - c * z) * f z).
Proof.
  assert (K := qr_pos z). rewrite p_alternative. unfold f, qr in *. auto_derive; change (z + - (1 / 2)) with (z - 1 / 2); [lra|].
  apply (f_equal2 Rmult); [field; lra|reflexivity].
Qed.

(** f at y from f at x, by the mean value of its logarithmic derivative. *)
Lemma f_mean_value (x y : R) : exists t, Rmin x y <= t <= Rmax x y /\
  f y = exp (s * ln ((1 - q) + qr x) - x * x * c * (1 / 2) + (s * p t - c * t) * (y - x)).
Proof.
  destruct (MVT_gen (fun z => s * ln ((1 - q) + qr z) - z * z * c * (1 / 2)) x y (fun z => s * p z - c * z))
    as [t [Ht E]].
  - intros z _. assert (K := qr_pos z). rewrite p_alternative. unfold qr in *.
    auto_derive; change (z + - (1 / 2)) with (z - 1 / 2); [lra|]. field. lra.
  - intros z _. apply continuity_pt_filterlim.
    apply (ex_derive_continuous (V := R_NormedModule)
      (fun z => s * ln ((1 - q) + qr z) - z * z * c * (1 / 2)) z). assert (K := qr_pos z). unfold qr in *.
    auto_derive. change (z + - (1 / 2)) with (z - 1 / 2). lra.
  - exists t. split; [exact Ht|]. unfold f. f_equal. lra.
Qed.

Theorem F_tower : tower F.
Proof.
  intros k z.
  exact (F_shift c s p f p_derive f_derive P F (fun _ => eq_refl) P_recurrence (fun _ => eq_refl) F_recurrence
           k k z (le_n k)).
Qed.
End Coefficients.
