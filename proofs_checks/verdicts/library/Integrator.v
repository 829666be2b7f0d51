(** The integral of f over a window, panel by panel, in an enclosing arithmetic: the Taylor coefficients
    at the centre of a panel by the recurrences, and the remainder from the same recurrences run on
    the whole panel, for which few bits are enough. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coquelicot Require Import Coquelicot.
From SGMV Require Import Arithmetic Shift Taylor Recurrence.
Import ListNotations.
Open Scope R_scope.

(** A panel: half its width (in units of the window), half its degree less one, the bits to work
    with at its centre, and those for the remainder. *)
Record panel : Type := Panel { half : Z; pairs : nat; fine : Z; coarse : Z }.

Fixpoint twice (i : nat) : nat := match i with O => O | S j => S (S (twice j)) end.

Section Algorithm.
Context {T : Type} (o : arithmetic T).
Variables q c s : T.

Fixpoint conv_in (a b : list T) (acc : T) : T :=
  match a, b with x :: a', y :: b' => conv_in a' b' (add o acc (mul o x y)) | _, _ => acc end.
Definition qr_in (z : T) : T := mul o q (expo o (mul o (sub o z (rat o (1, 2)%Z)) c)).
Definition p_in (z : T) : T :=
  div o c (add o (ofZ o 1) (div o (sub o (ofZ o 1) q) (qr_in z))).
(** The logarithm of f, and f on a panel [w] from f at its centre z and the mean value. *)
Definition log_in (z : T) : T :=
  sub o (mul o s (loga o (add o (sub o (ofZ o 1) q) (qr_in z)))) (mul o (mul o (mul o z z) c) (rat o (1, 2)%Z)).
Definition around_in (z h w : T) : T :=
  expo o (add o (log_in z) (mul o (sub o (mul o s (p_in w)) (mul o c w)) (hull o (sub o (ofZ o 0) h) h))).
Definition centred_in (l : list T) : list T :=
  match l with nil => nil | x :: l' => sub o c x :: map (mul o (ofZ o (-1))) l' end.
Definition tilted_in (z : T) (l : list T) : list T :=
  match l with
  | x :: y :: l' => sub o (mul o s x) (mul o c z) :: sub o (mul o s y) c :: map (mul o s) l'
  | x :: nil => sub o (mul o s x) (mul o c z) :: nil
  | nil => nil
  end.
Fixpoint coefs_in (k : nat) (z p0 f0 : T) : list T * list T :=
  match k with
  | O => ([p0], [f0])
  | S j =>
    let (ps, fs) := coefs_in j z p0 f0 in
    let ascending := rev ps in let n := ofZ o (Z.of_nat j + 1) in let zero := ofZ o 0 in
    (div o (conv_in ps (centred_in ascending) zero) n :: ps,
     div o (conv_in fs (tilted_in z ascending) zero) n :: fs)
  end.
(** The even coefficients, ascending, with the weights h^(k+1)/(k+1); g is h^(k+1). *)
Fixpoint evens_in (l : list T) (k : Z) (g h2 : T) : T :=
  match l with
  | a :: _ :: l' => add o (div o (mul o a g) (ofZ o (k + 1))) (evens_in l' (k + 2) (mul o g h2) h2)
  | _ => ofZ o 0
  end.
Fixpoint raise (h2 g : T) (i : nat) : T := match i with O => g | S j => mul o h2 (raise h2 g j) end.
Definition main_in (z h : T) (i : nat) : T :=
  mul o (ofZ o 2) (evens_in (rev (snd (coefs_in (S (twice i)) z (p_in z) (expo o (log_in z))))) 0 h (mul o h h)).
Definition rest_in (z h w : T) (i : nat) : T :=
  let n := twice (S i) in let t := hd (ofZ o 0) (snd (coefs_in n w (p_in w) (around_in z h w))) in
  mul o (raise (mul o h h) h (S i)) (div o (add o t t) (ofZ o (Z.of_nat n + 1))).
End Algorithm.

Section Soundness.
Context {T : Type} (o : arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : sound o enc.
Variables tq tc ts : T.
Variables q c s : R.
Hypothesis Eq : enc tq q.
Hypothesis Ec : enc tc c.
Hypothesis Es : enc ts s.

Lemma conv_sound (a b : list T) (x y : list R) : Forall2 enc a x -> Forall2 enc b y ->
  forall t v, enc t v -> enc (conv_in o a b t) (conv x y v).
Proof.
  intros A. revert b y. induction A as [|a0 x0 a x A0 A IH]; intros b y B t v E; [exact E|].
  destruct B as [|b0 y0 b y B0 B]; [exact E|]. simpl. apply IH; [exact B|].
  exact (s_add H _ _ _ _ E (s_mul H _ _ _ _ A0 B0)).
Qed.

Lemma reversed (a : list T) (x : list R) : Forall2 enc a x -> Forall2 enc (rev a) (rev x).
Proof.
  induction 1 as [|a0 x0 a x A0 A IH]; simpl; [constructor|].
  apply Forall2_app; [exact IH|repeat constructor; exact A0].
Qed.

Lemma head (a : list T) (x : list R) : Forall2 enc a x -> enc (hd (ofZ o 0) a) (hd 0 x).
Proof. destruct 1; [apply (s_ofZ H)|assumption]. Qed.

Lemma rest (a : list T) (x : list R) : Forall2 enc a x -> Forall2 enc (tl a) (tl x).
Proof. destruct 1; [constructor|assumption]. Qed.

Lemma qr_sound (t : T) (z : R) : enc t z -> enc (qr_in o tq tc t) (qr q c z).
Proof.
  intros E. apply (s_mul H); [exact Eq|]. apply (s_expo H), (s_mul H); [|exact Ec].
  apply (s_sub H); [exact E|exact (s_rat o enc H (1, 2)%Z)].
Qed.

Lemma p_sound (t : T) (z : R) : enc t z -> enc (p_in o tq tc t) (p q c z).
Proof.
  intros E. assert (One := s_ofZ H 1). apply (s_div H); [exact Ec|]. apply (s_add H); [exact One|].
  apply (s_div H); [exact (s_sub H _ _ _ _ One Eq)|apply qr_sound, E].
Qed.

Lemma log_sound (t : T) (z : R) : enc t z ->
  enc (log_in o tq tc ts t) (s * ln ((1 - q) + qr q c z) - z * z * c * (1 / 2)).
Proof.
  intros E. apply (s_sub H).
  - apply (s_mul H); [exact Es|]. apply (s_loga H), (s_add H); [|apply qr_sound, E].
    apply (s_sub H); [apply (s_ofZ H)|exact Eq].
  - apply (s_mul H); [|exact (s_rat o enc H (1, 2)%Z)]. repeat apply (s_mul H); assumption.
Qed.

Lemma around_sound (z h w : T) (x r y : R) : 0 < q <= 1 -> enc z x -> enc h r ->
  (forall t, x - r <= t <= x + r -> enc w t) -> x - r <= y <= x + r ->
  enc (around_in o tq tc ts z h w) (f q c s y).
Proof.
  intros Hq Ez Eh Ew Hy. destruct (f_mean_value q c s Hq x y) as [t [Ht ->]].
  assert (K : x - r <= t <= x + r).
  { assert (A := Rmin_l x y). assert (B := Rmax_l x y). revert Ht. unfold Rmin, Rmax. destruct (Rle_dec x y); lra. }
  apply (s_expo H), (s_add H); [apply log_sound, Ez|]. apply (s_mul H).
  - apply (s_sub H); apply (s_mul H); try assumption; [apply p_sound|]; apply Ew, K.
  - apply (s_hull H _ _ _ _ _ (s_sub H _ _ _ _ (s_ofZ H 0) Eh) Eh). lra.
Qed.

Lemma mapped (t : T) (r : R) (a : list T) (x : list R) : enc t r -> Forall2 enc a x ->
  Forall2 enc (map (mul o t) a) (map (Rmult r) x).
Proof. intros E. induction 1; simpl; constructor; [apply (s_mul H)|]; assumption. Qed.

Lemma centred_sound (a : list T) (x : list R) : Forall2 enc a x ->
  Forall2 enc (centred_in o tc a) (centred c x).
Proof.
  destruct 1; simpl; constructor; [apply (s_sub H); assumption|].
  apply mapped; [apply (s_ofZ H)|assumption].
Qed.

Lemma tilted_sound (t : T) (z : R) (a : list T) (x : list R) : enc t z -> Forall2 enc a x ->
  Forall2 enc (tilted_in o tc ts t a) (tilted c s z x).
Proof.
  intros E A. assert (K : forall a0 x0, enc a0 x0 -> enc (sub o (mul o ts a0) (mul o tc t)) (s * x0 - c * z)).
  { intros a0 x0 A0. apply (s_sub H); apply (s_mul H); assumption. }
  destruct A as [|a0 x0 a x A0 [|a1 x1 a' x' A1 A]]; simpl; [constructor| |].
  - constructor; [apply K, A0|constructor].
  - constructor; [apply K, A0|]. constructor; [|apply mapped; assumption].
    apply (s_sub H); [apply (s_mul H)|]; assumption.
Qed.

Lemma coefs_length (k : nat) (z : R) :
  length (fst (coefs q c s k z)) = S k /\ length (snd (coefs q c s k z)) = S k.
Proof.
  rewrite coefs_down. simpl fst. simpl snd. unfold down. rewrite !map_length, rev_length, seq_length. auto.
Qed.

Lemma coefs_sound (k : nat) (t tp tf : T) (z : R) : enc t z -> enc tp (p q c z) -> enc tf (f q c s z) ->
  Forall2 enc (fst (coefs_in o tc ts k t tp tf)) (fst (coefs q c s k z)) /\
  Forall2 enc (snd (coefs_in o tc ts k t tp tf)) (snd (coefs q c s k z)).
Proof.
  intros E Ep Ef. assert (Zero := s_ofZ H 0).
  induction k as [|k IH]; simpl; [split; repeat constructor; assumption|].
  assert (L := coefs_length k z).
  destruct (coefs_in o tc ts k t tp tf) as [ps fs], (coefs q c s k z) as [xs ys].
  destruct IH as [A B], L as [L1 L2]. simpl in A, B, L1, L2.
  rewrite <- (conv_centred c xs (rev xs)) by (rewrite rev_length; reflexivity).
  rewrite <- (conv_tilted c s z ys (rev xs)) by (rewrite rev_length; congruence).
  split; (constructor; [|assumption]); (apply (s_div H); [|apply (s_ofZ H)]).
  - apply conv_sound; [exact A|apply centred_sound, reversed, A|exact Zero].
  - apply conv_sound; [exact B|apply tilted_sound; [exact E|apply reversed, A]|exact Zero].
Qed.

(** * One panel *)

Section Panel.
Variables (x h : R).
Let F := F q c s.

Fixpoint evens (j k : nat) : R :=
  match j with O => 0 | S i => F k x * h ^ S k / INR (S k) + evens i (S (S k)) end.

Lemma evens_sound (th : T) (j : nat) : enc th h ->
  forall k l g, Forall2 enc l (map (fun i => F i x) (seq k (twice j))) -> enc g (h ^ S k) ->
  enc (evens_in o l (Z.of_nat k) g (mul o th th)) (evens j k).
Proof.
  intros Eh. induction j as [|j IH]; intros k l g L G; simpl in L.
  - inversion L. apply (s_ofZ H).
  - inversion L as [|a x0 l1 x1 A L1 E1 E2]. subst. inversion L1 as [|b y0 l2 y1 B L2 E1 E2]. subst.
    cbn [evens_in evens]. apply (s_add H).
    + rewrite <- successor. apply (s_div H); [|apply (s_ofZ H)]. apply (s_mul H); [exact A|exact G].
    + replace (Z.of_nat k + 2)%Z with (Z.of_nat (S (S k))) by lia. apply IH; [exact L2|].
      replace (h ^ S (S (S k))) with (h ^ S k * (h * h)) by (simpl; ring).
      apply (s_mul H); [exact G|]. apply (s_mul H); exact Eh.
Qed.

Lemma evens_last (j : nat) : forall k,
  evens (S j) k = evens j k + F (k + twice j)%nat x * h ^ S (k + twice j) / INR (S (k + twice j)).
Proof.
  induction j as [|j IH]; intros k.
  - cbn [evens twice]. rewrite Nat.add_0_r. ring.
  - change (evens (S (S j)) k) with (F k x * h ^ S k / INR (S k) + evens (S j) (S (S k))).
    rewrite IH. cbn [evens twice].
    replace (S (S k) + twice j)%nat with (k + S (S (twice j)))%nat by lia. ring.
Qed.

Lemma sign_twice (j : nat) : (-1) ^ twice j = 1.
Proof. induction j as [|j IH]; [reflexivity|]. simpl. rewrite IH. ring. Qed.

Lemma even_sum (j : nat) : sum_f_R0 (fun k => h ^ k * G F x k 0) (twice j) = 2 * evens j 0.
Proof.
  induction j as [|j IH].
  - simpl. rewrite Rplus_0_r, Rminus_0_r, RInt_point. unfold zero; simpl. ring.
  - rewrite evens_last. cbn [twice plus]. rewrite !tech5, IH.
    unfold G. rewrite Rplus_0_r, Rminus_0_r.
    rewrite <- (tech_pow_Rmult (-1) (twice j)), sign_twice.
    change (0 + twice j)%nat with (twice j). field. split; apply not_0_INR; lia.
Qed.

Lemma raise_sound (a g : T) (i : nat) : enc a (h * h) -> enc g h -> enc (raise o a g i) (h ^ S (twice i)).
Proof.
  intros A B. induction i as [|i IH]; [simpl; rewrite Rmult_1_r; exact B|].
  replace (h ^ S (twice (S i))) with (h * h * h ^ S (twice i)) by (simpl; ring).
  exact (s_mul H _ _ _ _ A IH).
Qed.

Lemma main_sound (tx th : T) (i : nat) : enc tx x -> enc th h ->
  enc (main_in o tq tc ts tx th i) (2 * evens (S i) 0).
Proof.
  intros Ex Eh. apply (s_mul H); [apply (s_ofZ H)|].
  apply (evens_sound th (S i) Eh 0); [|simpl; rewrite Rmult_1_r; exact Eh].
  assert (K := proj2 (coefs_sound (S (twice i)) tx _ _ x Ex (p_sound tx x Ex) (s_expo H _ _ (log_sound tx x Ex)))).
  rewrite coefs_down in K. apply reversed in K. simpl snd in K. rewrite rev_down in K. exact K.
Qed.

Lemma rest_sound (tx tw th : T) (i : nat) (y z : R) : 0 < q <= 1 -> enc tx x -> enc th h ->
  (forall t, x - h <= t <= x + h -> enc tw t) -> x - h <= y <= x + h -> x - h <= z <= x + h ->
  enc (rest_in o tq tc ts tx th tw i)
    (h ^ S (twice (S i)) * ((F (twice (S i)) y + F (twice (S i)) z) / INR (S (twice (S i))))).
Proof.
  intros Hq Ex Eh Ew Hy Hz. apply (s_mul H).
  - apply raise_sound; [apply (s_mul H)|]; assumption.
  - rewrite <- successor. apply (s_div H); [|apply (s_ofZ H)].
    assert (K : forall v, x - h <= v <= x + h ->
      enc (hd (ofZ o 0) (snd (coefs_in o tc ts (twice (S i)) tw (p_in o tq tc tw) (around_in o tq tc ts tx th tw))))
        (F (twice (S i)) v)).
    { intros v Hv. apply head, coefs_sound; [apply Ew, Hv|apply p_sound, Ew, Hv|].
      exact (around_sound tx th tw x h v Hq Ex Eh Ew Hv). }
    apply (s_add H); apply K; assumption.
Qed.
End Panel.
End Soundness.

(** * All panels of a window, with numbers of bits that may differ from panel to panel *)

Section Window.
Context {T : Type} (o : Z -> arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : forall bits, sound (o bits) enc.
Variables tq tc ts : T.
Variable bits : Z.          (* for the sum of the panels *)
Variable unit : Z.          (* positions are multiples of 1/unit *)

Definition at_ (k : Z) : R := IZR k / IZR unit.

Definition panel_in (at0 : Z) (a : panel) : T :=
  let m := o (fine a) in let w := o (coarse a) in let b := (at0 + half a)%Z in
  add (o bits)
    (main_in m tq tc ts (rat m (b, unit)) (rat m (half a, unit)) (pairs a))
    (rest_in w tq tc ts (rat w (b, unit)) (rat w (half a, unit))
      (hull w (rat w (at0, unit)) (rat w (b + half a, unit)%Z)) (pairs a)).
Fixpoint integral_in (at0 : Z) (l : list panel) : T :=
  match l with
  | nil => ofZ (o bits) 0
  | a :: l' => add (o bits) (panel_in at0 a) (integral_in (at0 + half a + half a) l')
  end.
Fixpoint end_of (at0 : Z) (l : list panel) : Z :=
  match l with nil => at0 | a :: l' => end_of (at0 + half a + half a) l' end.
Definition wide (a : panel) : bool := Z.ltb 0 (half a).

Variables q c s : R.
Hypothesis Eq : enc tq q.
Hypothesis Ec : enc tc c.
Hypothesis Es : enc ts s.
Hypothesis Hq : 0 < q <= 1.
Hypothesis Hu : (0 < unit)%Z.

Lemma f_integrable (a b : R) : ex_RInt (f q c s) a b.
Proof.
  apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z _.
  exact (tower_continuous (F q c s) (F_tower q c s Hq) z).
Qed.

Lemma panel_sound (at0 : Z) (a : panel) : wide a = true ->
  enc (panel_in at0 a) (RInt (f q c s) (at_ at0) (at_ (at0 + half a + half a))).
Proof.
  intros W. apply Z.ltb_lt in W.
  assert (U : 0 < IZR unit) by (apply IZR_lt in Hu; exact Hu).
  assert (h : 0 < at_ (half a)) by (apply Rdiv_lt_0_compat; [apply IZR_lt in W; exact W|exact U]).
  set (x := at_ (at0 + half a)).
  assert (L : at_ at0 = x - at_ (half a)) by (unfold x, at_; rewrite plus_IZR; field; lra).
  assert (Rr : at_ (at0 + half a + half a) = x + at_ (half a))
    by (unfold x, at_; rewrite (plus_IZR (at0 + half a)); field; lra).
  destruct (panel_sum (F q c s) (F_tower q c s Hq) x (twice (S (pairs a))) (at_ (half a)) h) as [t [Ht E]].
  rewrite L, Rr. change (f q c s) with (F q c s 0). rewrite E.
  rewrite even_sum, sign_twice, Rmult_1_l. unfold panel_in.
  apply (s_add (H bits)).
  - apply (main_sound (o (fine a)) enc (H _) tq tc ts q c s Eq Ec Es); apply (s_rat _ _ (H _)).
  - assert (X := s_rat _ _ (H (coarse a)) (at0, unit)). assert (Y := s_rat _ _ (H (coarse a)) (at0 + half a + half a, unit)%Z).
    change (ratio_of (at0, unit)) with (at_ at0) in X. change (ratio_of (at0 + half a + half a, unit)%Z) with (at_ (at0 + half a + half a)) in Y.
    rewrite L in X. rewrite Rr in Y.
    apply (rest_sound (o (coarse a)) enc (H _) tq tc ts q c s Eq Ec Es x (at_ (half a)) (rat (o (coarse a)) (at0 + half a, unit)%Z)); try (apply (s_rat _ _ (H _))); try lra.
    intros v Hv. exact (s_hull (H _) _ _ _ _ _ X Y Hv).
Qed.

Theorem integral_sound (l : list panel) : forallb wide l = true -> forall at0,
  enc (integral_in at0 l) (RInt (f q c s) (at_ at0) (at_ (end_of at0 l))).
Proof.
  induction l as [|a l IH]; intros W at0; simpl in *.
  - rewrite RInt_point. apply (s_ofZ (H bits)).
  - apply andb_prop in W. destruct W as [W1 W2].
    rewrite <- (RInt_Chasles (f q c s) _ (at_ (at0 + half a + half a)) _) by apply f_integrable.
    apply (s_add (H bits)); [apply panel_sound, W1|apply IH, W2].
Qed.
End Window.
