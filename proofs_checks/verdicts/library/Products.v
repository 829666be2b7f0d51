(** Vectors of whole numbers on a lattice: what they weigh, and their products.  A product of long vectors is put
    together from three of half the length (Karatsuba), for each single product costs the kernel much. *)
From Coq Require Import Reals Lra Lia ZArith List.
Open Scope R_scope.

(** The vector l from the score [at0] on, applied to a function of the score. *)
Fixpoint weigh (l : list Z) (at0 : Z) (h : Z -> R) : R :=
  match l with nil => 0 | a :: r => IZR a * h at0 + weigh r (at0 + 1)%Z h end.

Definition nonneg (l : list Z) : Prop := forall a, In a l -> (0 <= a)%Z.

Lemma nonneg_tail (a : Z) (l : list Z) : nonneg (a :: l) -> 0 <= IZR a /\ nonneg l.
Proof. intros H. split; [apply IZR_le, H; left; reflexivity|]. intros b I. apply H. right. exact I. Qed.

Lemma weigh_le (l : list Z) : nonneg l -> forall at0 h k, (forall s, h s <= k s) -> weigh l at0 h <= weigh l at0 k.
Proof.
  induction l as [|a l IH]; intros H at0 h k K; simpl; [lra|]. destruct (nonneg_tail a l H) as [A L].
  apply Rplus_le_compat; [apply Rmult_le_compat_l; [exact A|apply K]|apply IH; assumption].
Qed.

Lemma weigh_scal (l : list Z) (c : R) : forall at0 h, weigh l at0 (fun s => c * h s) = c * weigh l at0 h.
Proof. induction l as [|a l IH]; intros at0 h; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma weigh_zero (l : list Z) : forall at0, weigh l at0 (fun _ => 0) = 0.
Proof. induction l as [|a l IH]; intros at0; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Lemma weigh_nonneg (l : list Z) : nonneg l -> forall at0 h, (forall s, 0 <= h s) -> 0 <= weigh l at0 h.
Proof. intros H at0 h K. rewrite <- (weigh_zero l at0). apply weigh_le; assumption. Qed.

(** * Products *)

Fixpoint scaled (a : Z) (l : list Z) : list Z := match l with nil => nil | b :: r => (a * b)%Z :: scaled a r end.
Fixpoint plus (l m : list Z) : list Z :=
  match l, m with nil, _ => m | _, nil => l | a :: l', b :: m' => (a + b)%Z :: plus l' m' end.
Fixpoint times (l m : list Z) : list Z :=
  match l with nil => nil | a :: r => plus (scaled a m) (0%Z :: times r m) end.

Lemma weigh_scaled (a : Z) (l : list Z) : forall at0 h, weigh (scaled a l) at0 h = IZR a * weigh l at0 h.
Proof. induction l as [|b l IH]; intros at0 h; simpl; [ring|]. rewrite IH, mult_IZR. ring. Qed.

Lemma weigh_plus (l : list Z) : forall m at0 h, weigh (plus l m) at0 h = weigh l at0 h + weigh m at0 h.
Proof.
  induction l as [|a l IH]; intros [|b m] at0 h; simpl; try ring. rewrite IH, plus_IZR. ring.
Qed.

(** A square takes half the products. *)
Fixpoint square (l : list Z) : list Z :=
  match l with
  | nil => nil
  | a :: r => plus ((a * a)%Z :: scaled (2 * a) r) (match r with nil => nil | _ => 0%Z :: 0%Z :: square r end)
  end.

Lemma weigh_shift (k : list Z) (h : Z -> R) : forall x y, weigh k (x + y) h = weigh k y (fun b => h (x + b)%Z).
Proof. induction k as [|c k IH]; intros x y; simpl; [reflexivity|]. rewrite <- IH. do 2 f_equal. lia. Qed.

Lemma weigh_times (m : list Z) (at2 : Z) (h : Z -> R) : forall l at1,
  weigh (times l m) (at1 + at2) h = weigh l at1 (fun a => weigh m at2 (fun b => h (a + b)%Z)).
Proof.
  induction l as [|a l IH]; intros at1; [reflexivity|]. cbn [times]. rewrite weigh_plus, weigh_scaled. simpl weigh.
  rewrite weigh_shift. replace (at1 + at2 + 1)%Z with (at1 + 1 + at2)%Z by lia. rewrite IH. ring.
Qed.

Lemma nonneg_scaled (a : Z) (l : list Z) : (0 <= a)%Z -> nonneg l -> nonneg (scaled a l).
Proof.
  intros A H. induction l as [|b l IH]; intros x; simpl; [contradiction|]. intros [<-|I].
  - apply Z.mul_nonneg_nonneg; [exact A|apply H; left; reflexivity].
  - apply IH; [intros c C; apply H; right; exact C|exact I].
Qed.

Lemma nonneg_plus (l : list Z) : forall m, nonneg l -> nonneg m -> nonneg (plus l m).
Proof.
  induction l as [|a l IH]; intros [|b m] H K; simpl; try assumption. intros x [<-|I].
  - assert (A := H a (or_introl eq_refl)). assert (B := K b (or_introl eq_refl)). lia.
  - apply (IH m); [intros c C; apply H; right; exact C|intros c C; apply K; right; exact C|exact I].
Qed.

Lemma nonneg_times (m : list Z) (l : list Z) : nonneg l -> nonneg m -> nonneg (times l m).
Proof.
  intros H K. induction l as [|a l IH]; [intros x []|]. cbn [times]. apply nonneg_plus.
  - apply nonneg_scaled; [apply H; left; reflexivity|exact K].
  - intros x [<-|I]; [lia|]. apply IH; [intros c C; apply H; right; exact C|exact I].
Qed.

Lemma plus_nil (l : list Z) : plus l nil = l.
Proof. destruct l; reflexivity. Qed.

Lemma plus_comm (l : list Z) : forall m, plus l m = plus m l.
Proof. induction l as [|a l IH]; intros [|b m]; simpl; try reflexivity. rewrite IH, Z.add_comm. reflexivity. Qed.

Lemma plus_assoc (l : list Z) : forall m n, plus l (plus m n) = plus (plus l m) n.
Proof.
  induction l as [|a l IH]; intros [|b m] [|c n]; simpl; try reflexivity. rewrite IH, Z.add_assoc. reflexivity.
Qed.

Lemma scaled_twice (a : Z) (l : list Z) : plus (scaled a l) (scaled a l) = scaled (2 * a) l.
Proof. induction l as [|b l IH]; [reflexivity|]. cbn [scaled plus]. rewrite IH. f_equal. ring. Qed.

Lemma times_cons (a : Z) (m : list Z) : m <> nil -> forall l, l <> nil ->
  times l (a :: m) = plus (scaled a l) (0%Z :: times l m).
Proof.
  intros M. induction l as [|b l IH]; intros N; [contradiction|]. cbn [times scaled plus].
  rewrite !Z.add_0_r, (Z.mul_comm b a). f_equal. destruct l as [|c l].
  - destruct m as [|d m]; [contradiction|]. cbn [times scaled plus]. rewrite Z.add_0_r, plus_nil. reflexivity.
  - rewrite IH by discriminate. rewrite !plus_assoc, (plus_comm (scaled b m)). reflexivity.
Qed.

Lemma square_times (l : list Z) : square l = times l l.
Proof.
  induction l as [|a l IH]; [reflexivity|]. destruct l as [|b l].
  - cbn [square times scaled plus]. rewrite Z.add_0_r. reflexivity.
  - set (r := b :: l) in *. change (square (a :: r)) with (plus ((a * a)%Z :: scaled (2 * a) r) (0%Z :: 0%Z :: square r)).
    change (times (a :: r) (a :: r)) with (plus ((a * a)%Z :: scaled a r) (0%Z :: times r (a :: r))).
    rewrite IH, (times_cons a r) by discriminate. rewrite <- scaled_twice. cbn [plus]. rewrite <- plus_assoc. reflexivity.
Qed.

(** * Long vectors *)

Fixpoint lifted (n : nat) (l : list Z) : list Z := match n with O => l | S m => 0%Z :: lifted m l end.
Definition opposite (l : list Z) : list Z := map Z.opp l.

(** From the products of the lower halves, of the upper halves, and of the sums of both. *)
Definition assembled (n : nat) (lower upper both : list Z) : list Z :=
  plus lower (lifted n (plus (plus both (opposite (plus lower upper))) (lifted n upper))).
Definition middle (l m : list Z) : nat := Nat.div2 (S (Nat.max (length l) (length m))).
Fixpoint karatsuba (depth : nat) (l m : list Z) : list Z :=
  match depth with
  | O => times l m
  | S d =>
    match l, m with
    | nil, _ => nil
    | _, nil => nil
    | _, _ =>
      let n := middle l m in
      let l0 := firstn n l in let l1 := skipn n l in let m0 := firstn n m in let m1 := skipn n m in
      assembled n (karatsuba d l0 m0) (karatsuba d l1 m1) (karatsuba d (plus l0 l1) (plus m0 m1))
    end
  end.
Fixpoint karatsuba_square (depth : nat) (l : list Z) : list Z :=
  match depth with
  | O => square l
  | S d =>
    let n := middle l l in let l0 := firstn n l in let l1 := skipn n l in
    assembled n (karatsuba_square d l0) (karatsuba_square d l1) (karatsuba_square d (plus l0 l1))
  end.

(** Vectors of some ten numbers are multiplied one by one. *)
Definition depth_for (n : nat) : nat := Nat.log2 (Nat.div n 8).
Definition product (l m : list Z) : list Z := karatsuba (depth_for (Nat.min (length l) (length m))) l m.
Definition squared (l : list Z) : list Z := karatsuba_square (depth_for (length l)) l.

Lemma weigh_add (l : list Z) (h g : Z -> R) : forall at0, weigh l at0 (fun s => h s + g s) = weigh l at0 h + weigh l at0 g.
Proof. induction l as [|a l IH]; intros at0; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma weigh_ext (l : list Z) (h g : Z -> R) : (forall s, h s = g s) -> forall at0, weigh l at0 h = weigh l at0 g.
Proof. intros E. induction l as [|a l IH]; intros at0; simpl; [reflexivity|]. rewrite E, IH. reflexivity. Qed.

Lemma weigh_lifted (n : nat) (l : list Z) (h : Z -> R) : forall at0, weigh (lifted n l) at0 h = weigh l (at0 + Z.of_nat n) h.
Proof.
  induction n as [|n IH]; intros at0; [simpl; rewrite Z.add_0_r; reflexivity|]. cbn [lifted weigh]. rewrite IH.
  replace (at0 + 1 + Z.of_nat n)%Z with (at0 + Z.of_nat (S n))%Z by lia. ring.
Qed.

Lemma weigh_opposite (l : list Z) (h : Z -> R) : forall at0, weigh (opposite l) at0 h = - weigh l at0 h.
Proof. induction l as [|a l IH]; intros at0; simpl; [ring|]. fold (opposite l). rewrite IH, opp_IZR. ring. Qed.

Lemma weigh_halves (n : nat) (h : Z -> R) : forall l at0,
  weigh l at0 h = weigh (firstn n l) at0 h + weigh (skipn n l) (at0 + Z.of_nat n) h.
Proof.
  induction n as [|n IH]; intros l at0; [simpl; rewrite Z.add_0_r; ring|]. destruct l as [|a l]; [simpl; ring|].
  cbn [firstn skipn weigh]. rewrite (IH l (at0 + 1)%Z).
  replace (at0 + 1 + Z.of_nat n)%Z with (at0 + Z.of_nat (S n))%Z by lia. ring.
Qed.

(** What a product weighs, without the product. *)
Definition weigh_both (l m : list Z) (at0 : Z) (h : Z -> R) : R := weigh l at0 (fun a => weigh m 0 (fun b => h (a + b)%Z)).

Lemma weigh_both_times (l m : list Z) (at0 : Z) (h : Z -> R) : weigh (times l m) at0 h = weigh_both l m at0 h.
Proof. rewrite <- (Z.add_0_r at0) at 1. apply weigh_times. Qed.

Lemma both_plus (l1 l2 m1 m2 : list Z) (at0 : Z) (h : Z -> R) : weigh_both (plus l1 l2) (plus m1 m2) at0 h
  = weigh_both l1 m1 at0 h + weigh_both l1 m2 at0 h + (weigh_both l2 m1 at0 h + weigh_both l2 m2 at0 h).
Proof.
  unfold weigh_both. rewrite weigh_plus, <- !weigh_add.
  f_equal; apply weigh_ext; intros a; apply weigh_plus.
Qed.

Lemma both_halves (n : nat) (l m : list Z) (at0 : Z) (h : Z -> R) :
  let N := Z.of_nat n in let l0 := firstn n l in let l1 := skipn n l in let m0 := firstn n m in let m1 := skipn n m in
  weigh_both l m at0 h = weigh_both l0 m0 at0 h + (weigh_both l0 m1 (at0 + N) h + weigh_both l1 m0 (at0 + N) h)
    + weigh_both l1 m1 (at0 + N + N) h.
Proof.
  intros N l0 l1 m0 m1. unfold weigh_both.
  assert (S : forall (r : list Z) x, weigh r x (fun a => weigh m 0 (fun b => h (a + b)%Z))
    = weigh r x (fun a => weigh m0 0 (fun b => h (a + b)%Z)) + weigh r (x + N) (fun a => weigh m1 0 (fun b => h (a + b)%Z))).
  { intros r x. rewrite (Z.add_comm x N), (weigh_shift r _ N x), <- weigh_add. apply weigh_ext. intros a.
    rewrite (weigh_halves n _ m 0). fold m0 m1 N. f_equal.
    rewrite (Z.add_comm 0 N), weigh_shift. apply weigh_ext. intros b. f_equal. lia. }
  rewrite (weigh_halves n _ l at0). fold l0 l1 N. rewrite (S l0 at0), (S l1 (at0 + N)%Z). ring.
Qed.

Lemma weigh_assembled (n : nat) (l m lower upper both : list Z) :
  let l0 := firstn n l in let l1 := skipn n l in let m0 := firstn n m in let m1 := skipn n m in
  (forall at0 h, weigh lower at0 h = weigh_both l0 m0 at0 h) -> (forall at0 h, weigh upper at0 h = weigh_both l1 m1 at0 h) ->
  (forall at0 h, weigh both at0 h = weigh_both (plus l0 l1) (plus m0 m1) at0 h) ->
  forall at0 h, weigh (assembled n lower upper both) at0 h = weigh_both l m at0 h.
Proof.
  intros l0 l1 m0 m1 L U B at0 h. unfold assembled.
  rewrite weigh_plus, weigh_lifted, !weigh_plus, weigh_lifted, weigh_opposite, weigh_plus, !L, !U, B, both_plus.
  rewrite (both_halves n l m at0 h). fold l0 l1 m0 m1. ring.
Qed.

Lemma weigh_karatsuba (depth : nat) : forall l m at0 h, weigh (karatsuba depth l m) at0 h = weigh_both l m at0 h.
Proof.
  induction depth as [|d IH]; intros l m; [exact (weigh_both_times l m)|].
  destruct l as [|a l]; [intros at0 h; reflexivity|]. destruct m as [|b m].
  - intros at0 h. exact (eq_sym (weigh_zero (a :: l) at0)).
  - cbn [karatsuba]. cbv zeta. apply weigh_assembled; intros; apply IH.
Qed.

Lemma weigh_karatsuba_square (depth : nat) : forall l at0 h, weigh (karatsuba_square depth l) at0 h = weigh_both l l at0 h.
Proof.
  induction depth as [|d IH]; intros l; [intros at0 h; cbn [karatsuba_square]; rewrite square_times; apply weigh_both_times|].
  cbn [karatsuba_square]. cbv zeta. apply weigh_assembled; intros; apply IH.
Qed.

(** r weighs what the product of l and m weighs. *)
Definition product_of (l m r : list Z) : Prop := forall at0 h, weigh r at0 h = weigh (times l m) at0 h.

Theorem product_right (l m : list Z) : product_of l m (product l m).
Proof. intros at0 h. unfold product. rewrite weigh_karatsuba, weigh_both_times. reflexivity. Qed.

Theorem squared_right (l : list Z) : product_of l l (squared l).
Proof. intros at0 h. unfold squared. rewrite weigh_karatsuba_square, weigh_both_times. reflexivity. Qed.

(** A vector that weighs as much as a nonnegative one is nonnegative. *)
Lemma weigh_ext_from (l : list Z) (h g : Z -> R) : forall at0, (forall s, (at0 <= s)%Z -> h s = g s) -> weigh l at0 h = weigh l at0 g.
Proof.
  induction l as [|a l IH]; intros at0 E; simpl; [reflexivity|]. rewrite E by lia. rewrite IH; [reflexivity|].
  intros s Hs. apply E. lia.
Qed.

Lemma nonneg_of_weigh (l : list Z) : forall at0, (forall h, (forall s, 0 <= h s) -> 0 <= weigh l at0 h) -> nonneg l.
Proof.
  induction l as [|a l IH]; intros at0 H x; [intros []|]. intros [<-|I].
  - apply le_IZR. set (here := fun s => if Z.eqb s at0 then 1 else 0).
    assert (P : forall s, 0 <= here s) by (intros s; unfold here; destruct (Z.eqb s at0); lra).
    assert (K := H here P). unfold here in K. cbn [weigh] in K. rewrite Z.eqb_refl in K. rewrite (weigh_ext_from l _ (fun _ => 0)), weigh_zero in K; [lra|].
    intros s Hs. destruct (Z.eqb_spec s at0); [lia|reflexivity].
  - apply (IH (at0 + 1)%Z); [|exact I]. intros h Hh.
    set (rest := fun s => if Z.eqb s at0 then 0 else h s).
    assert (P : forall s, 0 <= rest s) by (intros s; unfold rest; destruct (Z.eqb s at0); [lra|apply Hh]).
    assert (K := H rest P). unfold rest in K. cbn [weigh] in K. rewrite Z.eqb_refl in K. rewrite (weigh_ext_from l _ h) in K; [lra|].
    intros s Hs. destruct (Z.eqb_spec s at0); [lia|reflexivity].
Qed.

Lemma nonneg_product (l m r : list Z) : product_of l m r -> nonneg l -> nonneg m -> nonneg r.
Proof.
  intros E L M. apply (nonneg_of_weigh _ 0). intros h Hh. rewrite E.
  apply weigh_nonneg; [apply nonneg_times; assumption|exact Hh].
Qed.
