(** Scores of blocks of steps on a lattice, in whole numbers: lower bounds of the masses on the data set with
    the record, upper bounds without it.  Blocks are doubled; scores may be divided and clipped on the
    way, for a score of a score is a score: only the event changes, and nothing is lost to rounding of scores. *)
From Coq Require Import Reals Lra Lia ZArith List.
From SGM Require Import ScoredEvent.
From SGMV Require Import Products.
Open Scope R_scope.

(** * Rounding, to multiples of 1/2^k *)

Definition down (k : Z) (l : list Z) : list Z := map (fun a => Z.shiftr a k) l.
Definition up (k : Z) (l : list Z) : list Z := map (fun a => (- Z.shiftr (- a) k)%Z) l.

Lemma shiftr_bounds (a k : Z) : (0 <= k)%Z ->
  IZR (2 ^ k) * IZR (Z.shiftr a k) <= IZR a < IZR (2 ^ k) * IZR (Z.shiftr a k) + IZR (2 ^ k).
Proof.
  intros Hk. rewrite Z.shiftr_div_pow2 by exact Hk. assert (P := Z.pow_pos_nonneg 2 k ltac:(lia) Hk).
  assert (D := Z.div_mod a (2 ^ k) ltac:(lia)). assert (M := Z.mod_pos_bound a (2 ^ k) P).
  rewrite <- mult_IZR, <- plus_IZR. split; [apply IZR_le|apply IZR_lt]; lia.
Qed.

Section Rounding.
Variable k : Z.
Hypothesis Hk : (0 <= k)%Z.
Let one := IZR (2 ^ k).

Lemma weigh_down (l : list Z) : forall at0 h, (forall s, 0 <= h s) -> one * weigh (down k l) at0 h <= weigh l at0 h.
Proof.
  induction l as [|a l IH]; intros at0 h H; simpl; [lra|]. assert (K := IH (at0 + 1)%Z h H).
  rewrite Rmult_plus_distr_l, <- Rmult_assoc. apply Rplus_le_compat; [|exact K].
  apply Rmult_le_compat_r; [apply H|exact (proj1 (shiftr_bounds a k Hk))].
Qed.

Lemma weigh_up (l : list Z) : forall at0 h, (forall s, 0 <= h s) -> weigh l at0 h <= one * weigh (up k l) at0 h.
Proof.
  induction l as [|a l IH]; intros at0 h H; simpl; [lra|]. assert (K := IH (at0 + 1)%Z h H).
  rewrite Rmult_plus_distr_l, <- Rmult_assoc. apply Rplus_le_compat; [|exact K].
  apply Rmult_le_compat_r; [apply H|]. assert (S := proj1 (shiftr_bounds (- a) k Hk)). fold one in S.
  rewrite opp_IZR in S. rewrite opp_IZR. lra.
Qed.

Lemma nonneg_down (l : list Z) : nonneg l -> nonneg (down k l).
Proof. intros H x I. apply in_map_iff in I. destruct I as [a [<- I]]. apply Z.shiftr_nonneg, H, I. Qed.

Lemma nonneg_up (l : list Z) : nonneg l -> nonneg (up k l).
Proof.
  intros H x I. apply in_map_iff in I. destruct I as [a [<- I]]. assert (A := H a I).
  destruct (Z.eq_dec a 0) as [->|N]; [rewrite Z.shiftr_0_l; lia|].
  assert (B : (Z.shiftr (- a) k < 0)%Z) by (apply Z.shiftr_neg; lia). lia.
Qed.
End Rounding.

(** * Other names for scores *)

Section Regrouping.
Variable phi : Z -> Z.
Hypothesis climbs : forall s, phi (s + 1)%Z = phi s \/ phi (s + 1)%Z = (phi s + 1)%Z.

Fixpoint regroup (at0 : Z) (l : list Z) (t acc : Z) : list Z :=
  match l with
  | nil => acc :: nil
  | a :: r => if Z.eqb (phi at0) t then regroup (at0 + 1) r t (acc + a) else acc :: regroup (at0 + 1) r (t + 1) a
  end.

Lemma regroup_weigh (h : Z -> R) (l : list Z) : forall at0 t acc, phi at0 = t \/ phi at0 = (t + 1)%Z ->
  weigh (regroup at0 l t acc) t h = IZR acc * h t + weigh l at0 (fun s => h (phi s)).
Proof.
  induction l as [|a l IH]; intros at0 t acc H; simpl; [ring|].
  destruct (Z.eqb_spec (phi at0) t) as [E|E].
  - rewrite IH by (rewrite <- E; apply climbs). rewrite plus_IZR, E. ring.
  - destruct H as [H|H]; [contradiction|]. cbn [weigh]. rewrite IH by (rewrite <- H; apply climbs). rewrite H. ring.
Qed.

Lemma nonneg_regroup (l : list Z) : nonneg l -> forall at0 t acc, (0 <= acc)%Z -> nonneg (regroup at0 l t acc).
Proof.
  induction l as [|a l IH]; intros H at0 t acc A; simpl; [intros x [<-|[]]; exact A|].
  assert (Ha := H a (or_introl eq_refl)). assert (Hl : nonneg l) by (intros c C; apply H; right; exact C).
  destruct (Z.eqb (phi at0) t); [apply IH; [exact Hl|lia]|].
  intros x [<-|I]; [exact A|]. apply (IH Hl (at0 + 1)%Z (t + 1)%Z a Ha x I).
Qed.
End Regrouping.

(** Scores with [shift] added, divided by m and kept between lo and hi. *)
Definition clip (m shift lo hi s : Z) : Z := Z.max lo (Z.min hi ((s + shift) / m)).

Lemma clip_climbs (m shift lo hi : Z) : (1 <= m)%Z -> forall s,
  clip m shift lo hi (s + 1) = clip m shift lo hi s \/ clip m shift lo hi (s + 1) = (clip m shift lo hi s + 1)%Z.
Proof.
  intros Hm s0. unfold clip. replace (s0 + 1 + shift)%Z with (s0 + shift + 1)%Z by lia. set (s := (s0 + shift)%Z).
  assert (K : ((s + 1) / m = s / m \/ (s + 1) / m = s / m + 1)%Z).
  { assert (D := Z.div_mod s m ltac:(lia)). assert (M := Z.mod_pos_bound s m ltac:(lia)).
    destruct (Z.eq_dec (s mod m + 1) m) as [E|E].
    - right. symmetry. apply (Z.div_unique (s + 1) m _ 0); lia.
    - left. symmetry. apply (Z.div_unique (s + 1) m _ (s mod m + 1)); lia. }
  lia.
Qed.

(** * Bounds of a pair of laws *)

Record vectors : Type := Vectors { start : Z; lows : list Z; highs : list Z }.

Section Bounded.
Variable k : Z.
Hypothesis Hk : (0 <= k)%Z.
Let one := IZR (2 ^ k).

Definition positive_law (C : law) : Prop := forall h, (forall s, 0 <= h s) -> 0 <= C h.
Definition law_above (at0 : Z) (l : list Z) (C : law) : Prop :=
  positive_law C /\ nonneg l /\ forall h, (forall s, 0 <= h s) -> weigh l at0 h <= one * C h.
Definition law_below (at0 : Z) (l : list Z) (C : law) : Prop :=
  positive_law C /\ nonneg l /\ forall h, (forall s, 0 <= h s) -> one * C h <= weigh l at0 h.

Lemma one_pos : 0 < one.
Proof. apply IZR_lt, Z.pow_pos_nonneg; [lia|exact Hk]. Qed.

Lemma join_positive (C D : law) : positive_law C -> positive_law D ->
  positive_law (fun h => C (fun a => D (fun b => h (a + b)%Z))).
Proof. intros HC HD h H. apply HC. intros a. apply HD. intros b. apply H. Qed.

Lemma join_above (x y : Z) (l m r : list Z) (C D : law) : product_of l m r -> law_above x l C -> law_above y m D ->
  law_above (x + y) (down k r) (fun h => C (fun a => D (fun b => h (a + b)%Z))).
Proof.
  intros E [PC [Nl HC]] [PD [Nm HD]]. split; [apply join_positive; assumption|].
  split; [apply (nonneg_down k), (nonneg_product l m r E); assumption|]. intros h H. assert (O := one_pos).
  assert (W := weigh_down k Hk r (x + y)%Z h H). fold one in W. rewrite E, weigh_times in W.
  apply Rmult_le_reg_l with one; [exact O|]. apply Rle_trans with (1 := W).
  apply Rle_trans with (weigh l x (fun a => one * D (fun b => h (a + b)%Z))).
  - apply weigh_le; [exact Nl|]. intros a. apply (HD (fun b => h (a + b)%Z)). intros b. apply H.
  - rewrite weigh_scal. apply Rmult_le_compat_l; [lra|]. apply HC. intros a. apply PD. intros b. apply H.
Qed.

Lemma join_below (x y : Z) (l m r : list Z) (C D : law) : product_of l m r -> law_below x l C -> law_below y m D ->
  law_below (x + y) (up k r) (fun h => C (fun a => D (fun b => h (a + b)%Z))).
Proof.
  intros E [PC [Nl HC]] [PD [Nm HD]]. split; [apply join_positive; assumption|].
  split; [apply (nonneg_up k), (nonneg_product l m r E); assumption|]. intros h H. assert (O := one_pos).
  assert (W := weigh_up k Hk r (x + y)%Z h H). fold one in W. rewrite E, weigh_times in W.
  apply Rmult_le_reg_l with one; [exact O|]. apply Rle_trans with (2 := W).
  apply Rle_trans with (weigh l x (fun a => one * D (fun b => h (a + b)%Z))).
  - rewrite weigh_scal. apply Rmult_le_compat_l; [lra|]. apply HC. intros a. apply PD. intros b. apply H.
  - apply weigh_le; [exact Nl|]. intros a. apply (HD (fun b => h (a + b)%Z)). intros b. apply H.
Qed.

Variables (sigma : R) (n : nat) (p p' : R -> R).

(** So many equal steps have a score with these bounds. *)
Definition bounded (T : nat) (v : vectors) : Prop := exists C C',
  pair_scored (fun _ => sigma) n (fun _ => p) (fun _ => p') T C C' /\
  law_above (start v) (lows v) C /\ law_below (start v) (highs v) C'.

Definition join (v w : vectors) : vectors :=
  Vectors (start v + start w) (down k (product (lows v) (lows w))) (up k (product (highs v) (highs w))).
Definition squash (m shift lo hi : Z) (v : vectors) : vectors :=
  let phi := clip m shift lo hi in let t := phi (start v) in
  Vectors t (regroup phi (start v) (lows v) t 0) (regroup phi (start v) (highs v) t 0).
Definition nothing : vectors := Vectors 0 (2 ^ k :: nil)%Z (2 ^ k :: nil)%Z.

Lemma bounded_product (T U : nat) (v w : vectors) (a b : list Z) : product_of (lows v) (lows w) a ->
  product_of (highs v) (highs w) b -> bounded T v -> bounded U w ->
  bounded (T + U) (Vectors (start v + start w) (down k a) (up k b)).
Proof.
  intros Ea Eb [C [C' [H [A B]]]] [D [D' [K [E F]]]].
  exists (fun h => C (fun a => D (fun b => h (a + b)%Z))), (fun h => C' (fun a => D' (fun b => h (a + b)%Z))).
  split; [exact (pair_join _ n _ _ T U C C' D D' H K)|].
  split; [exact (join_above _ _ _ _ _ C D Ea A E)|exact (join_below _ _ _ _ _ C' D' Eb B F)].
Qed.

Lemma bounded_join (T U : nat) (v w : vectors) : bounded T v -> bounded U w -> bounded (T + U) (join v w).
Proof. apply bounded_product; apply product_right. Qed.

(** Twice the same block, by squares. *)
Definition twice (v : vectors) : vectors :=
  Vectors (start v + start v) (down k (squared (lows v))) (up k (squared (highs v))).

Lemma bounded_twice (T : nat) (v : vectors) : bounded T v -> bounded (T + T) (twice v).
Proof. intros H. apply bounded_product; [apply squared_right|apply squared_right|exact H|exact H]. Qed.

Lemma bounded_squash (m shift lo hi : Z) (T : nat) (v : vectors) : (1 <= m)%Z -> bounded T v -> bounded T (squash m shift lo hi v).
Proof.
  intros Hm [C [C' [H [[PC [NC HC]] [PD [ND HD]]]]]].
  exists (fun h => C (fun a => h (clip m shift lo hi a))), (fun h => C' (fun a => h (clip m shift lo hi a))).
  assert (W := clip_climbs m shift lo hi Hm). split; [exact (pair_relabel (clip m shift lo hi) _ n _ _ T C C' H)|].
  split; (split; [intros h Hh; first [apply PC|apply PD]; intros s; apply Hh|]);
    (split; [apply nonneg_regroup; [assumption|lia]|]); intros h Hh; simpl;
    rewrite (regroup_weigh _ W) by (left; reflexivity); rewrite Rmult_0_l, Rplus_0_l;
    first [apply HC|apply HD]; intros s; apply Hh.
Qed.

Lemma bounded_nothing : bounded 0 nothing.
Proof.
  exists (fun h => h 0%Z), (fun h => h 0%Z). split; [apply pair_none|].
  assert (N : nonneg (2 ^ k :: nil)%Z) by (intros x [<-|[]]; apply Z.pow_nonneg; lia).
  split; (split; [intros h H; apply H|]); (split; [exact N|]); intros h H; simpl; unfold one; lra.
Qed.

(** * Doubling *)

(** One level: whether the block counts, and how scores are squashed after it is doubled. *)
Record level : Type := Level { counts : bool; divisor : Z; offset : Z; least : Z; most : Z }.

Definition squash_to (a : level) (v : vectors) : vectors := squash (divisor a) (offset a) (least a) (most a) v.
Fixpoint doubled (l : list level) (block rest : vectors) : vectors :=
  match l with
  | nil => rest
  | a :: l' =>
    let sum := if counts a then join rest block else rest in
    match l' with
    | nil => sum
    | _ => doubled l' (squash_to a (twice block)) (squash_to a sum)
    end
  end.
Fixpoint count_of (l : list level) : Z :=
  match l with nil => 0%Z | a :: l' => ((if counts a then 1 else 0) + 2 * count_of l')%Z end.
Definition divides (l : list level) : bool := forallb (fun a => Z.leb 1 (divisor a)) l.

Lemma count_nonneg (l : list level) : (0 <= count_of l)%Z.
Proof. induction l as [|a l IH]; cbn [count_of]; [lia|]. destruct (counts a); lia. Qed.

Theorem bounded_doubled (l : list level) : divides l = true -> forall (T U : nat) (block rest : vectors),
  bounded T block -> bounded U rest -> bounded (U + T * Z.to_nat (count_of l)) (doubled l block rest).
Proof.
  induction l as [|a l IH]; intros Hl T U block rest HB HR.
  - simpl. rewrite Nat.mul_0_r, Nat.add_0_r. exact HR.
  - cbn [divides forallb] in Hl. apply andb_prop in Hl. destruct Hl as [Ha Hl]. apply Z.leb_le in Ha.
    set (sum := if counts a then join rest block else rest).
    set (V := (U + T * (if counts a then 1 else 0))%nat).
    assert (HS : bounded V sum).
    { unfold V, sum. destruct (counts a); [rewrite Nat.mul_1_r; apply bounded_join; assumption|].
      rewrite Nat.mul_0_r, Nat.add_0_r. exact HR. }
    assert (N := count_nonneg l).
    destruct l as [|b l].
    + replace (U + T * Z.to_nat (count_of (a :: nil)))%nat with V; [exact HS|].
      unfold V. simpl. destruct (counts a); reflexivity.
    + assert (K := IH Hl (T + T)%nat V _ _ (bounded_squash (divisor a) (offset a) (least a) (most a) _ _ Ha (bounded_twice T block HB))
        (bounded_squash (divisor a) (offset a) (least a) (most a) _ _ Ha HS)).
      replace (U + T * Z.to_nat (count_of (a :: b :: l)))%nat
        with (V + (T + T) * Z.to_nat (count_of (b :: l)))%nat; [exact K|].
      change (count_of (a :: b :: l)) with ((if counts a then 1 else 0) + 2 * count_of (b :: l))%Z.
      assert (N2 : (0 <= count_of (b :: l))%Z) by apply count_nonneg.
      rewrite Z2Nat.inj_add, Z2Nat.inj_mul by (try destruct (counts a); lia).
      set (X := Z.to_nat (count_of (b :: l))). change (Z.to_nat 2) with 2%nat. unfold V.
      destruct (counts a); [change (Z.to_nat 1) with 1%nat|change (Z.to_nat 0) with 0%nat]; lia.
Qed.

(** * The event that the score is large *)

Fixpoint total_from (cut at0 : Z) (l : list Z) : Z :=
  match l with nil => 0%Z | a :: r => ((if Z.leb cut at0 then a else 0) + total_from cut (at0 + 1) r)%Z end.
Definition reaches (cut s : Z) : R := if Z.leb cut s then 1 else 0.

Lemma total_from_weigh (cut : Z) (l : list Z) : forall at0, IZR (total_from cut at0 l) = weigh l at0 (reaches cut).
Proof.
  induction l as [|a l IH]; intros at0; simpl; [reflexivity|]. rewrite plus_IZR, IH. unfold reaches at 2.
  destruct (Z.leb cut at0); ring.
Qed.

Theorem bounded_event (T : nat) (v : vectors) (cut : Z) : bounded T v -> exists C C',
  pair_scored (fun _ => sigma) n (fun _ => p) (fun _ => p') T C C' /\
  IZR (total_from cut (start v) (lows v)) <= one * C (reaches cut) /\
  one * C' (reaches cut) <= IZR (total_from cut (start v) (highs v)).
Proof.
  intros [C [C' [H [[_ [_ A]] [_ [_ B]]]]]]. exists C, C'. split; [exact H|].
  assert (P : forall s, 0 <= reaches cut s) by (intros s; unfold reaches; destruct (Z.leb cut s); lra).
  rewrite !total_from_weigh. split; [apply A, P|apply B, P].
Qed.
End Bounded.
