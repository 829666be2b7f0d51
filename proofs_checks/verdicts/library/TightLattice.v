(** Upper bounds for runs on a lattice, in whole numbers.  The ratio of the two densities of a block of steps is
    replaced by points exp(h s), s whole, so that every convex test of the pair can only grow (connecting the
    dots).  Masses are those with the record, times 2^k and rounded up; what falls out of the window of the lattice
    is added to the [spill], which counts at the Lipschitz constant of the test. *)
From Coq Require Import Reals Lra Lia ZArith List.
From SGM Require Import RealAnalysis AB StepDomination RunDomination.
From SGMV Require Import Products Lattice.
Open Scope R_scope.

Record uppers : Type := Uppers { origin : Z; masses : list Z; spill : Z }.

Definition total (l : list Z) : Z := fold_right Z.add 0%Z l.
Definition up_one (k a : Z) : Z := (- Z.shiftr (- a) k)%Z.

Lemma total_weigh (l : list Z) : forall at0, IZR (total l) = weigh l at0 (fun _ => 1).
Proof. induction l as [|a l IH]; intros at0; [reflexivity|]. cbn [total fold_right weigh]. fold (total l). rewrite plus_IZR, (IH (at0 + 1)%Z). ring. Qed.

Lemma total_nonneg (l : list Z) : nonneg l -> (0 <= total l)%Z.
Proof. intros H. apply le_IZR. rewrite (total_weigh l 0). apply weigh_nonneg; [exact H|]. intros s. lra. Qed.

(** * Values of a test at the points of the lattice, for each unit of mass with the record *)

Definition node (h : R) (s : Z) : R := exp (h * IZR s).
Definition per_mass (h : R) (phi : R -> R) (y : R) (s : Z) : R := phi (y * node h s) / node h s.

Lemma node_pos (h : R) (s : Z) : 0 < node h s.
Proof. apply exp_pos. Qed.

Lemma node_plus (h : R) (a b : Z) : node h (a + b) = node h a * node h b.
Proof. unfold node. rewrite plus_IZR, <- exp_plus. f_equal. ring. Qed.

Lemma node_le (h : R) (a b : Z) : 0 < h -> (a <= b)%Z -> node h a <= node h b.
Proof. intros Hh H. apply exp_le. apply Rmult_le_compat_l; [lra|apply IZR_le, H]. Qed.

Lemma per_mass_nonneg (h K : R) (phi : R -> R) (y : R) (s : Z) : convex_test K phi -> 0 < y -> 0 <= per_mass h phi y s.
Proof.
  intros H Hy. assert (N := node_pos h s). apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, N].
  apply (proj1 H), Rmult_lt_0_compat; assumption.
Qed.

Section Uppers.
Variable k : Z.
Hypothesis Hk : (0 <= k)%Z.
Let one := IZR (2 ^ k).
Variables q sigma : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

(** So many equal steps of the pair. *)
Definition steps (T : nat) : (R -> R) -> R -> R := advances (fun _ => q) (fun _ => sigma) T.

Lemma steps_plus (T U : nat) : forall phi, steps (T + U) phi = steps T (steps U phi).
Proof.
  induction U as [|u IH]; intros phi; [rewrite Nat.add_0_r; reflexivity|].
  rewrite Nat.add_succ_r. unfold steps in *. cbn [advances]. apply IH.
Qed.

Lemma steps_test (K : R) (T : nat) (phi : R -> R) : convex_test K phi -> convex_test K (steps T phi).
Proof. apply advances_test; intros _; assumption. Qed.

(** The vector is an upper bound for T steps on the lattice of width h. *)
Definition upper (h : R) (T : nat) (v : uppers) : Prop :=
  nonneg (masses v) /\ (0 <= spill v)%Z /\
  forall K phi y, convex_test K phi -> 0 < y ->
    one * steps T phi y <= weigh (masses v) (origin v) (per_mass h phi y) + K * y * IZR (spill v).

Lemma one_pos_ : 0 < one.
Proof. apply IZR_lt, Z.pow_pos_nonneg; [lia|exact Hk]. Qed.

Lemma up_one_bound (a : Z) : IZR a <= one * IZR (up_one k a).
Proof.
  assert (S := proj1 (shiftr_bounds (- a) k Hk)). fold one in S. unfold up_one. rewrite opp_IZR in *. lra.
Qed.

Lemma up_one_nonneg (a : Z) : (0 <= a)%Z -> (0 <= up_one k a)%Z.
Proof.
  intros A. assert (N := nonneg_up k (a :: nil)). apply N; [intros b [<-|[]]; exact A|left; reflexivity].
Qed.

(** * One block after another *)

Definition ujoin (v w : uppers) : uppers :=
  Uppers (origin v + origin w) (up k (product (masses v) (masses w)))
    (spill v + up_one k (total (masses v) * spill w)).
Definition utwice (v : uppers) : uppers :=
  Uppers (origin v + origin v) (up k (squared (masses v))) (spill v + up_one k (total (masses v) * spill v)).
Definition unothing : uppers := Uppers 0 (2 ^ k :: nil)%Z 0.

Lemma upper_product (h : R) (T U : nat) (v w : uppers) (r : list Z) : product_of (masses v) (masses w) r ->
  upper h T v -> upper h U w ->
  upper h (T + U) (Uppers (origin v + origin w) (up k r) (spill v + up_one k (total (masses v) * spill w))).
Proof.
  intros E [Nv [Sv Hv]] [Nw [Sw Hw]]. assert (O := one_pos_).
  assert (Tv := total_nonneg _ Nv).
  split; [apply (nonneg_up k), (nonneg_product _ _ r E); assumption|].
  split; [cbn [spill]; assert (X := up_one_nonneg (total (masses v) * spill w) (Z.mul_nonneg_nonneg _ _ Tv Sw)); lia|].
  intros K phi y H Hy. rewrite steps_plus. assert (K0 := test_constant_nonneg K phi H).
  assert (H' := steps_test K U phi H).
  cbn [masses origin spill]. apply Rmult_le_reg_l with one; [exact O|].
  assert (W := weigh_up k Hk r (origin v + origin w) (per_mass h phi y)
    (fun s => per_mass_nonneg h K phi y s H Hy)). fold one in W. rewrite E, weigh_times in W.
  assert (A := Hv K _ y H' Hy).
  assert (B : weigh (masses v) (origin v) (fun a => one * per_mass h (steps U phi) y a)
    <= weigh (masses v) (origin v) (fun a => weigh (masses w) (origin w) (fun b => per_mass h phi y (a + b)%Z)
         + K * y * IZR (spill w) * 1)).
  { apply weigh_le; [exact Nv|]. intros a. assert (N := node_pos h a).
    assert (C := Hw K phi (y * node h a) H (Rmult_lt_0_compat _ _ Hy N)).
    unfold per_mass at 1. apply Rmult_le_reg_r with (node h a); [exact N|].
    replace (one * (steps U phi (y * node h a) / node h a) * node h a) with (one * steps U phi (y * node h a)) by (field; lra).
    apply Rle_trans with (1 := C). right.
    rewrite (weigh_ext _ (per_mass h phi (y * node h a)) (fun b => node h a * per_mass h phi y (a + b)%Z)).
    - rewrite weigh_scal. ring.
    - intros b. unfold per_mass. rewrite node_plus. assert (M := node_pos h b).
      rewrite <- Rmult_assoc. field. lra. }
  rewrite weigh_scal in B. rewrite weigh_add, weigh_scal, <- total_weigh in B.
  apply Rmult_le_compat_l with (r := one) in A; [|lra].
  assert (S := up_one_bound (total (masses v) * spill w)). rewrite mult_IZR in S.
  rewrite plus_IZR. set (X := IZR (up_one k (total (masses v) * spill w))) in *.
  assert (S' : K * y * (IZR (total (masses v)) * IZR (spill w)) <= K * y * (one * X))
    by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact S]).
  lra.
Qed.

Lemma upper_join (h : R) (T U : nat) (v w : uppers) : upper h T v -> upper h U w -> upper h (T + U) (ujoin v w).
Proof. apply upper_product, product_right. Qed.

Lemma upper_twice (h : R) (T : nat) (v : uppers) : upper h T v -> upper h (T + T) (utwice v).
Proof. intros H. apply upper_product; [apply squared_right|exact H|exact H]. Qed.

Lemma upper_nothing (h : R) : upper h 0 unothing.
Proof.
  assert (O := one_pos_).
  split; [intros x [<-|[]]; apply Z.pow_nonneg; lia|]. split; [simpl; lia|].
  intros K phi y H Hy. unfold steps. cbn [advances unothing masses origin spill weigh]. fold one. unfold per_mass, node.
  rewrite Rmult_0_r, exp_0, Rmult_1_r. right. field.
Qed.

(** * The window *)

(** Masses from a point on upwards: those above the last point of the window are moved to it, and spill. *)
Fixpoint fold_top (n : nat) (l : list Z) : list Z * Z :=
  match n, l with
  | _, nil => (nil, 0%Z)
  | O, a :: r => let t := total r in ((a + t)%Z :: nil, t)
  | S m, a :: r => let (l', t) := fold_top m r in (a :: l', t)
  end.

Lemma move_down (h K : R) (phi : R -> R) (y : R) (a b : Z) : 0 < h -> convex_test K phi -> 0 < y -> (a <= b)%Z ->
  per_mass h phi y b <= per_mass h phi y a + K * y.
Proof.
  intros Hh H Hy L. assert (Na := node_pos h a). assert (Nb := node_pos h b). assert (O := node_le h a b Hh L).
  assert (K0 := test_constant_nonneg K phi H).
  assert (A := proj1 (proj2 H) (y * node h b) (y * node h a) ltac:(nra) ltac:(nra)).
  replace (y * node h b - y * node h a) with (y * (node h b - node h a)) in A by ring.
  rewrite Rabs_mult, !Rabs_pos_eq in A by lra. unfold per_mass.
  assert (N : 0 <= phi (y * node h a)) by (apply (proj1 H); nra).
  apply Rle_trans with ((phi (y * node h a) + K * (y * (node h b - node h a))) / node h b).
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Nb|exact A].
  - unfold Rdiv. rewrite Rmult_plus_distr_r. apply Rplus_le_compat.
    + apply Rmult_le_compat_l; [exact N|]. apply Rinv_le_contravar; assumption.
    + apply Rmult_le_reg_r with (node h b); [exact Nb|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      replace (K * y * node h b) with (K * (y * node h b)) by ring.
      apply Rmult_le_compat_l; [exact K0|]. apply Rmult_le_compat_l; lra.
Qed.

Section Shapes.
Variables (h K : R) (phi : R -> R) (y : R).
Hypothesis Hh : 0 < h.
Hypothesis Ht : convex_test K phi.
Hypothesis Hy : 0 < y.
Let psi := per_mass h phi y.

Lemma weigh_above (r : list Z) : nonneg r -> forall a at0, (a <= at0)%Z ->
  weigh r at0 psi <= IZR (total r) * (psi a + K * y).
Proof.
  induction r as [|b r IH]; intros N a at0 L; [simpl; lra|]. destruct (nonneg_tail b r N) as [B R0].
  cbn [weigh total fold_right]. fold (total r). rewrite plus_IZR, Rmult_plus_distr_r.
  apply Rplus_le_compat; [apply Rmult_le_compat_l; [exact B|exact (move_down h K phi y a at0 Hh Ht Hy L)]|].
  apply IH; [exact R0|lia].
Qed.

Lemma fold_top_weigh (n : nat) : forall l at0, nonneg l ->
  weigh l at0 psi <= weigh (fst (fold_top n l)) at0 psi + K * y * IZR (snd (fold_top n l)) /\
  nonneg (fst (fold_top n l)) /\ (0 <= snd (fold_top n l))%Z.
Proof.
  induction n as [|n IH]; intros [|a l] at0 N; cbn [fold_top fst snd].
  - split; [simpl; lra|]. split; [exact N|lia].
  - destruct (nonneg_tail a l N) as [A L]. assert (T := total_nonneg l L).
    assert (W := weigh_above l L at0 (at0 + 1) ltac:(lia)). split.
    + simpl. rewrite plus_IZR. lra.
    + split; [|exact T]. intros x [<-|[]]. assert (X := N a (or_introl eq_refl)). lia.
  - split; [simpl; lra|]. split; [exact N|lia].
  - destruct (nonneg_tail a l N) as [A L]. destruct (IH l (at0 + 1)%Z L) as [B [C D]].
    destruct (fold_top n l) as [l' t]. cbn [fst snd] in *. split; [simpl; lra|]. split; [|exact D].
    intros x [<-|I]; [exact (N a (or_introl eq_refl))|exact (C x I)].
Qed.

(** Below: a mass that is moved up a point is multiplied by exp h, for which [rise] stands, in multiples of 2^-k. *)
Variable rise : Z.
Hypothesis Hr : exp h * one <= IZR rise.

Fixpoint fold_bottom (n : nat) (l : list Z) (acc : Z) : list Z * Z :=
  match n, l with
  | _, nil => (acc :: nil, acc)
  | O, a :: r => ((a + acc)%Z :: r, acc)
  | S m, a :: r => fold_bottom m r (up_one k ((acc + a) * rise))
  end.

(** What was gathered counts at the point a as psi a + K y, for each unit of mass. *)
Lemma move_up (a : Z) : psi a + K * y <= exp h * (psi (a + 1)%Z + K * y).
Proof.
  assert (K0 := test_constant_nonneg K phi Ht). assert (Na := node_pos h a). assert (Nb := node_pos h (a + 1)).
  assert (E : node h (a + 1) = exp h * node h a) by (rewrite node_plus; unfold node at 2; rewrite Rmult_1_r; ring).
  assert (X := exp_pos h). assert (X1 : 1 <= exp h) by (rewrite <- exp_0; apply exp_le; lra).
  assert (A := proj1 (proj2 Ht) (y * node h a) (y * node h (a + 1)) ltac:(nra) ltac:(nra)).
  assert (L := node_le h a (a + 1) Hh ltac:(lia)).
  rewrite Rabs_minus_sym in A. replace (y * node h (a + 1) - y * node h a) with (y * (node h (a + 1) - node h a)) in A by ring.
  rewrite Rabs_mult, !Rabs_pos_eq in A by lra. unfold psi, per_mass.
  apply Rmult_le_reg_r with (node h a); [exact Na|].
  replace ((phi (y * node h a) / node h a + K * y) * node h a) with (phi (y * node h a) + K * (y * node h a)) by (field; lra).
  replace (exp h * (phi (y * node h (a + 1)) / node h (a + 1) + K * y) * node h a)
    with (phi (y * node h (a + 1)) + K * (y * node h (a + 1))).
  - lra.
  - rewrite E. field. lra.
Qed.

Lemma fold_bottom_weigh (n : nat) : forall l acc at0, nonneg l -> (0 <= acc)%Z ->
  IZR acc * (psi at0 + K * y) + weigh l at0 psi
  <= weigh (fst (fold_bottom n l acc)) (at0 + Z.of_nat (Nat.min n (length l))) psi + K * y * IZR (snd (fold_bottom n l acc)) /\
  nonneg (fst (fold_bottom n l acc)) /\ (0 <= snd (fold_bottom n l acc))%Z.
Proof.
  assert (O := one_pos_). assert (E := exp_pos h). assert (R0 : 0 <= IZR rise) by nra.
  assert (R1 : (0 <= rise)%Z) by (apply le_IZR; exact R0).
  assert (K0 := test_constant_nonneg K phi Ht).
  assert (psi0 : forall s, 0 <= psi s) by (intros s; exact (per_mass_nonneg h K phi y s Ht Hy)).
  induction n as [|n IH]; intros [|a l] acc at0 N Ha.
  - cbn. rewrite Z.add_0_r. split; [lra|]. split; [intros x [<-|[]]; exact Ha|exact Ha].
  - destruct (nonneg_tail a l N) as [A L]. cbn [fold_bottom fst snd Nat.min Z.of_nat weigh]. rewrite Z.add_0_r, plus_IZR.
    split; [lra|]. split; [|exact Ha]. intros x [<-|I]; [assert (X := N a (or_introl eq_refl)); lia|exact (N x (or_intror I))].
  - cbn. rewrite Z.add_0_r. split; [lra|]. split; [intros x [<-|[]]; exact Ha|exact Ha].
  - destruct (nonneg_tail a l N) as [A L]. cbn [fold_bottom Nat.min length].
    assert (A' := N a (or_introl eq_refl)).
    set (acc' := up_one k ((acc + a) * rise)).
    assert (Ha' : (0 <= acc')%Z) by (apply up_one_nonneg, Z.mul_nonneg_nonneg; lia).
    destruct (IH l acc' (at0 + 1)%Z L Ha') as [B [C D]]. split; [|split; [exact C|exact D]].
    replace (at0 + Z.of_nat (S (Nat.min n (length l))))%Z with (at0 + 1 + Z.of_nat (Nat.min n (length l)))%Z by lia.
    apply Rle_trans with (2 := B). cbn [weigh].
    assert (U := up_one_bound ((acc + a) * rise)). fold acc' in U. rewrite mult_IZR, plus_IZR in U.
    assert (M := move_up at0). assert (P0 := psi0 at0). assert (P1 := psi0 (at0 + 1)%Z).
    assert (Ky : 0 <= K * y) by (apply Rmult_le_pos; lra).
    assert (Ac : 0 <= IZR acc) by (apply IZR_le; exact Ha).
    assert (Q : (IZR acc + IZR a) * (psi at0 + K * y) <= IZR acc' * (psi (at0 + 1)%Z + K * y)).
    { apply Rle_trans with ((IZR acc + IZR a) * (exp h * (psi (at0 + 1)%Z + K * y))); [apply Rmult_le_compat_l; lra|].
      rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_reg_l with one; [exact O|].
      apply Rle_trans with (2 := U). replace (one * ((IZR acc + IZR a) * exp h)) with ((IZR acc + IZR a) * (exp h * one)) by ring.
      apply Rmult_le_compat_l; lra. }
    assert (Z0 : 0 <= IZR a * (K * y)) by (apply Rmult_le_pos; assumption). lra.
Qed.

(** * Half as many points *)

(** A mass between two points of the coarser lattice goes to both: a share [below] of it, and [above]. *)
Variables below above : Z.
Hypothesis Hb : / (1 + exp h) * one <= IZR below.
Hypothesis Ha : exp h / (1 + exp h) * one <= IZR above.

Lemma between (s : Z) : psi s <= / (1 + exp h) * psi (s - 1)%Z + exp h / (1 + exp h) * psi (s + 1)%Z.
Proof.
  assert (X := exp_pos h). set (e := exp h) in *. assert (N := node_pos h s).
  assert (E1 : node h (s + 1) = e * node h s) by (rewrite node_plus; unfold node at 2, e; rewrite Rmult_1_r; ring).
  assert (E0 : node h (s - 1) = node h s / e).
  { replace s with (s - 1 + 1)%Z at 2 by lia. rewrite node_plus. unfold node at 3. rewrite Rmult_1_r. fold e. field. lra. }
  set (t := e / (1 + e)).
  assert (T : 0 <= t <= 1).
  { unfold t. split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with (1 + e); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (P0 : 0 < y * node h (s - 1)) by (apply Rmult_lt_0_compat; [exact Hy|apply node_pos]).
  assert (P1 : 0 < y * node h (s + 1)) by (apply Rmult_lt_0_compat; [exact Hy|apply node_pos]).
  assert (C := proj2 (proj2 Ht) _ _ t P0 P1 T).
  replace (t * (y * node h (s - 1)) + (1 - t) * (y * node h (s + 1))) with (y * node h s) in C.
  - unfold psi, per_mass. apply Rmult_le_reg_r with (node h s); [exact N|].
    replace (phi (y * node h s) / node h s * node h s) with (phi (y * node h s)) by (field; lra).
    apply Rle_trans with (1 := C). right. rewrite E0, E1. unfold t. field. repeat split; lra.
  - rewrite E0, E1. unfold t. field. lra.
Qed.

(** From an even place on: pairs of an even and an odd place; [carry] comes from below. *)
Fixpoint halved (l : list Z) (carry : Z) : list Z :=
  match l with
  | nil => carry :: nil
  | a :: nil => (a + carry)%Z :: nil
  | a :: b :: r => (a + carry + up_one k (b * below))%Z :: halved r (up_one k (b * above))
  end.

Lemma node_double (s : Z) : node (2 * h) s = node h (2 * s).
Proof. unfold node. rewrite mult_IZR. f_equal. ring. Qed.

Lemma share_nonneg : (0 <= below)%Z /\ (0 <= above)%Z.
Proof.
  assert (O := one_pos_). assert (X := exp_pos h). assert (I := Rinv_0_lt_compat (1 + exp h) ltac:(lra)).
  split; apply le_IZR; [apply Rle_trans with (2 := Hb)|apply Rle_trans with (2 := Ha)].
  - apply Rmult_le_pos; lra.
  - apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; lra.
Qed.

Lemma halved_weigh (n : nat) : forall l, (length l <= n)%nat -> forall carry s, nonneg l -> (0 <= carry)%Z ->
  IZR carry * psi (2 * s)%Z + weigh l (2 * s) psi <= weigh (halved l carry) s (per_mass (2 * h) phi y) /\
  nonneg (halved l carry).
Proof.
  assert (O := one_pos_). destruct share_nonneg as [Sb Sa].
  assert (psi0 : forall s, 0 <= psi s) by (intros s; exact (per_mass_nonneg h K phi y s Ht Hy)).
  assert (E : forall s, per_mass (2 * h) phi y s = psi (2 * s)%Z) by (intros s; unfold psi, per_mass; rewrite node_double; reflexivity).
  induction n as [|n IH]; intros [|a [|b r]] Hl carry s N Hc; cbn [length] in Hl; try lia.
  - cbn [halved weigh]. rewrite E. split; [lra|]. intros x [<-|[]]. exact Hc.
  - cbn [halved weigh]. rewrite E. split; [lra|]. intros x [<-|[]]. exact Hc.
  - cbn [halved weigh]. rewrite E, plus_IZR. split; [lra|]. intros x [<-|[]]. assert (X := N a (or_introl eq_refl)). lia.
  - destruct (nonneg_tail a (b :: r) N) as [A N1]. destruct (nonneg_tail b r N1) as [B N2].
    assert (A' := N a (or_introl eq_refl)). assert (B' := N1 b (or_introl eq_refl)).
    set (c' := up_one k (b * above)). set (d' := up_one k (b * below)).
    assert (Hc' : (0 <= c')%Z) by (apply up_one_nonneg, Z.mul_nonneg_nonneg; assumption).
    assert (Hd' : (0 <= d')%Z) by (apply up_one_nonneg, Z.mul_nonneg_nonneg; assumption).
    destruct (IH r ltac:(lia) c' (s + 1)%Z N2 Hc') as [I J].
    change (halved (a :: b :: r) carry) with ((a + carry + d')%Z :: halved r c'). split.
    + cbn [weigh]. rewrite E, !plus_IZR.
      replace (2 * (s + 1))%Z with (2 * s + 1 + 1)%Z in I by lia.
      assert (T := between (2 * s + 1)). replace (2 * s + 1 - 1)%Z with (2 * s)%Z in T by lia.
      assert (Uc := up_one_bound (b * above)). fold c' in Uc. rewrite mult_IZR in Uc.
      assert (Ud := up_one_bound (b * below)). fold d' in Ud. rewrite mult_IZR in Ud.
      assert (P0 := psi0 (2 * s)%Z). assert (P1 := psi0 (2 * s + 1 + 1)%Z).
      assert (X1 : IZR b * (/ (1 + exp h) * psi (2 * s)%Z) <= IZR d' * psi (2 * s)%Z).
      { rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [exact P0|]. apply Rmult_le_reg_l with one; [exact O|].
        apply Rle_trans with (2 := Ud). replace (one * (IZR b * / (1 + exp h))) with (IZR b * (/ (1 + exp h) * one)) by ring.
        apply Rmult_le_compat_l; assumption. }
      assert (X2 : IZR b * (exp h / (1 + exp h) * psi (2 * s + 1 + 1)%Z) <= IZR c' * psi (2 * s + 1 + 1)%Z).
      { rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [exact P1|]. apply Rmult_le_reg_l with one; [exact O|].
        apply Rle_trans with (2 := Uc). replace (one * (IZR b * (exp h / (1 + exp h)))) with (IZR b * (exp h / (1 + exp h) * one)) by ring.
        apply Rmult_le_compat_l; assumption. }
      assert (X3 := Rmult_le_compat_l (IZR b) _ _ B T). lra.
    + intros x [<-|I']; [lia|exact (J x I')].
Qed.
End Shapes.

(** * Levels *)

(** Whether the block counts; after it is doubled: whether the lattice is made coarser, with the shares, the window,
    and exp h, all times 2^k. *)
Record ulevel : Type := ULevel { ucounts : bool; halves : bool; shares : Z * Z; bottom : Z; top : Z; growth : Z }.

Definition coarser (a : ulevel) (v : uppers) : uppers :=
  if halves a then
    if Z.even (origin v) then Uppers (origin v / 2) (halved (fst (shares a)) (snd (shares a)) (masses v) 0) (spill v)
    else Uppers ((origin v - 1) / 2) (halved (fst (shares a)) (snd (shares a)) (0%Z :: masses v) 0) (spill v)
  else v.
Definition cut_top (a : ulevel) (v : uppers) : uppers :=
  if Z.leb (origin v) (top a) then
    let (l, t) := fold_top (Z.to_nat (top a - origin v)) (masses v) in Uppers (origin v) l (spill v + t)
  else v.
Definition cut_bottom (a : ulevel) (v : uppers) : uppers :=
  let n := Nat.min (Z.to_nat (bottom a - origin v)) (length (masses v)) in
  let (l, t) := fold_bottom (growth a) n (masses v) 0 in Uppers (origin v + Z.of_nat n) l (spill v + t).
Definition reshape (a : ulevel) (v : uppers) : uppers := cut_bottom a (cut_top a (coarser a v)).

(** What has to be known of the numbers of a level, on a lattice of width h before it. *)
Definition width_after (a : ulevel) (h : R) : R := if halves a then 2 * h else h.
Definition fair (a : ulevel) (h : R) : Prop :=
  (halves a = true -> / (1 + exp h) * one <= IZR (fst (shares a)) /\ exp h / (1 + exp h) * one <= IZR (snd (shares a))) /\
  exp (width_after a h) * one <= IZR (growth a).

Lemma width_after_pos (a : ulevel) (h : R) : 0 < h -> 0 < width_after a h.
Proof. intros H. unfold width_after. destruct (halves a); lra. Qed.

Lemma upper_coarser (a : ulevel) (h : R) (T : nat) (v : uppers) : 0 < h -> fair a h -> upper h T v ->
  upper (width_after a h) T (coarser a v).
Proof.
  intros Hh [F _] [N [S H]]. unfold width_after, coarser. destruct (halves a); [|split; [exact N|split; assumption]].
  destruct (F eq_refl) as [Fb Fa]. destruct (Z.even (origin v)) eqn:E.
  - assert (D : origin v = (2 * (origin v / 2))%Z).
    { apply Z.even_spec in E. destruct E as [m E]. rewrite E. rewrite Z.mul_comm, Z.div_mul by lia. lia. }
    split; [|split; [exact S|]].
    + exact (proj2 (halved_weigh h 1 (fun y => Rmax 0 (y - 1)) 1 (hockey_test 1) ltac:(lra) _ _ Fb Fa _ (masses v) (le_n _) 0 0 N ltac:(lia))).
    + intros K phi y Ht Hy. cbn [origin masses spill]. apply Rle_trans with (1 := H K phi y Ht Hy).
      apply Rplus_le_compat_r. rewrite D at 1.
      assert (X := proj1 (halved_weigh h K phi y Ht Hy _ _ Fb Fa _ (masses v) (le_n _) 0 (origin v / 2) N ltac:(lia))). lra.
  - assert (D : origin v = (2 * ((origin v - 1) / 2) + 1)%Z).
    { assert (Od : Z.odd (origin v) = true) by (rewrite <- Z.negb_even, E; reflexivity).
      apply Z.odd_spec in Od. destruct Od as [m Od]. rewrite Od. replace (2 * m + 1 - 1)%Z with (m * 2)%Z by lia.
      rewrite Z.div_mul by lia. lia. }
    assert (N' : nonneg (0%Z :: masses v)) by (intros x [<-|I]; [lia|exact (N x I)]).
    split; [|split; [exact S|]].
    + exact (proj2 (halved_weigh h 1 (fun y => Rmax 0 (y - 1)) 1 (hockey_test 1) ltac:(lra) _ _ Fb Fa _ (0%Z :: masses v) (le_n _) 0 0 N' ltac:(lia))).
    + intros K phi y Ht Hy. cbn [origin masses spill]. apply Rle_trans with (1 := H K phi y Ht Hy).
      apply Rplus_le_compat_r. rewrite D at 1.
      assert (X := proj1 (halved_weigh h K phi y Ht Hy _ _ Fb Fa _ (0%Z :: masses v) (le_n _) 0 ((origin v - 1) / 2) N' ltac:(lia))).
      cbn [weigh] in X. lra.
Qed.

Lemma upper_top (a : ulevel) (h : R) (T : nat) (v : uppers) : 0 < h -> upper h T v -> upper h T (cut_top a v).
Proof.
  intros Hh [N [S H]]. unfold cut_top. destruct (Z.leb (origin v) (top a)); [|split; [exact N|split; assumption]].
  set (n := Z.to_nat (top a - origin v)).
  assert (F := fun K phi y Ht Hy => fold_top_weigh h K phi y Hh Ht Hy n (masses v) (origin v) N).
  destruct (fold_top n (masses v)) as [l t]. cbn [fst snd] in F.
  destruct (F 1 _ 1 (hockey_test 1) ltac:(lra)) as [_ [Nl Nt]].
  split; [exact Nl|]. split; [cbn [spill]; lia|]. intros K phi y Ht Hy. cbn [origin masses spill].
  destruct (F K phi y Ht Hy) as [X _]. assert (Y := H K phi y Ht Hy). rewrite plus_IZR. lra.
Qed.

Lemma upper_bottom (a : ulevel) (h : R) (T : nat) (v : uppers) : 0 < h -> exp h * one <= IZR (growth a) -> upper h T v ->
  upper h T (cut_bottom a v).
Proof.
  intros Hh Hg [N [S H]]. unfold cut_bottom.
  set (n := Nat.min (Z.to_nat (bottom a - origin v)) (length (masses v))).
  assert (F := fun K phi y Ht Hy => fold_bottom_weigh h K phi y Hh Ht Hy (growth a) Hg n (masses v) 0 (origin v) N ltac:(lia)).
  replace (Nat.min n (length (masses v))) with n in F by (unfold n; lia).
  destruct (fold_bottom (growth a) n (masses v) 0) as [l t]. cbn [fst snd] in F.
  destruct (F 1 _ 1 (hockey_test 1) ltac:(lra)) as [_ [Nl Nt]].
  split; [exact Nl|]. split; [cbn [spill]; lia|]. intros K phi y Ht Hy. cbn [origin masses spill].
  destruct (F K phi y Ht Hy) as [X _]. assert (Y := H K phi y Ht Hy). rewrite plus_IZR. lra.
Qed.

Lemma upper_reshape (a : ulevel) (h : R) (T : nat) (v : uppers) : 0 < h -> fair a h -> upper h T v ->
  upper (width_after a h) T (reshape a v).
Proof.
  intros Hh F H. assert (W := width_after_pos a h Hh).
  apply upper_bottom; [exact W|exact (proj2 F)|]. apply upper_top; [exact W|]. apply upper_coarser; assumption.
Qed.

Fixpoint climb (l : list ulevel) (block rest : uppers) : uppers :=
  match l with
  | nil => rest
  | a :: l' =>
    let sum := if ucounts a then ujoin rest block else rest in
    match l' with nil => sum | _ => climb l' (reshape a (utwice block)) (reshape a sum) end
  end.
Fixpoint ucount (l : list ulevel) : Z :=
  match l with nil => 0%Z | a :: l' => ((if ucounts a then 1 else 0) + 2 * ucount l')%Z end.
(** The width of the lattice at the end, and what has to be known of all levels. *)
Fixpoint last_width (l : list ulevel) (h : R) : R :=
  match l with nil => h | a :: nil => h | a :: l' => last_width l' (width_after a h) end.
Fixpoint all_fair (l : list ulevel) (h : R) : Prop :=
  match l with nil => True | a :: nil => True | a :: l' => fair a h /\ all_fair l' (width_after a h) end.

Lemma ucount_nonneg (l : list ulevel) : (0 <= ucount l)%Z.
Proof. induction l as [|a l IH]; cbn [ucount]; [lia|]. destruct (ucounts a); lia. Qed.

Theorem upper_climb (l : list ulevel) : forall (h : R) (T U : nat) (block rest : uppers), 0 < h -> all_fair l h ->
  upper h T block -> upper h U rest -> upper (last_width l h) (U + T * Z.to_nat (ucount l)) (climb l block rest).
Proof.
  induction l as [|a l IH]; intros h T U block rest Hh F HB HR.
  - simpl. rewrite Nat.mul_0_r, Nat.add_0_r. exact HR.
  - set (sum := if ucounts a then ujoin rest block else rest).
    set (V := (U + T * (if ucounts a then 1 else 0))%nat).
    assert (HS : upper h V sum).
    { unfold V, sum. destruct (ucounts a); [rewrite Nat.mul_1_r; apply upper_join; assumption|].
      rewrite Nat.mul_0_r, Nat.add_0_r. exact HR. }
    destruct l as [|b l].
    + replace (U + T * Z.to_nat (ucount (a :: nil)))%nat with V; [exact HS|].
      unfold V. simpl. destruct (ucounts a); reflexivity.
    + change (last_width (a :: b :: l) h) with (last_width (b :: l) (width_after a h)).
      change (climb (a :: b :: l) block rest) with (climb (b :: l) (reshape a (utwice block)) (reshape a sum)).
      destruct F as [Fa F].
      assert (K := IH _ (T + T)%nat V _ _ (width_after_pos a h Hh) F
        (upper_reshape a h _ _ Hh Fa (upper_twice h T block HB)) (upper_reshape a h _ _ Hh Fa HS)).
      replace (U + T * Z.to_nat (ucount (a :: b :: l)))%nat
        with (V + (T + T) * Z.to_nat (ucount (b :: l)))%nat; [exact K|].
      change (ucount (a :: b :: l)) with ((if ucounts a then 1 else 0) + 2 * ucount (b :: l))%Z.
      assert (N2 : (0 <= ucount (b :: l))%Z) by apply ucount_nonneg.
      rewrite Z2Nat.inj_add, Z2Nat.inj_mul by (try destruct (ucounts a); lia).
      set (X := Z.to_nat (ucount (b :: l))). change (Z.to_nat 2) with 2%nat. unfold V.
      destruct (ucounts a); [change (Z.to_nat 1) with 1%nat|change (Z.to_nat 0) with 0%nat]; lia.
Qed.
End Uppers.
