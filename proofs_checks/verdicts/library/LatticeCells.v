(** The scores of one step: cells between thresholds, their masses by the integrator, and the theorem that
    puts a refutation together. *)
From Coq Require Import Reals Lra Lia ZArith List Bool.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements StatementsRun.
From SGM Require RealAnalysis Integral HalfLine Gaussian AB SampledMechanism SpaceRDP RunSchedule ScoredEvent ScoreCells.
From SGMV Require Import Arithmetic Recurrence Integrator Products Lattice.
From SGMV Require AnyOrder Window.
Open Scope R_scope.

(** A cell: its panels, its score less that of the cell before, the bounds of its masses times 2^k. *)
Record cell : Type := Cell { parts : list panel; rise : Z; low : Z; high : Z }.

(** Vectors from cells; scores between those of two cells have no mass. *)
Fixpoint vector_of (mass : cell -> Z) (l : list cell) : list Z :=
  match l with nil => nil | c :: r => lifted (Z.to_nat (rise c - 1)) (mass c :: vector_of mass r) end.

Lemma weigh_cells (mass : cell -> Z) (c : cell) (l : list cell) (s : Z) (h : Z -> R) : (1 <= rise c)%Z ->
  weigh (vector_of mass (c :: l)) (s + 1) h
  = IZR (mass c) * h (s + rise c)%Z + weigh (vector_of mass l) (s + rise c + 1) h.
Proof.
  intros H. cbn [vector_of]. rewrite weigh_lifted. cbn [weigh].
  replace (s + 1 + Z.of_nat (Z.to_nat (rise c - 1)))%Z with (s + rise c)%Z by lia. reflexivity.
Qed.

Lemma nonneg_lifted (n : nat) (l : list Z) : nonneg l -> nonneg (lifted n l).
Proof. intros H. induction n as [|n IH]; [exact H|]. intros x [<-|I]; [lia|exact (IH x I)]. Qed.

Section Masses.
Context {T : Type} (o : Z -> arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : forall bits, sound (o bits) enc.
Variables (bits k unit : Z) (q sigma : Z * Z).
Let m := o bits.

(** The mass of a cell that begins at [at0], under the density of exponent s: 1 with the record, 0 without. *)
Definition mass_in (s at0 : Z) (c : cell) : T :=
  let g := rat m sigma in
  div m (integral_in o (rat m q) (div m (ofZ m 1) (mul m g g)) (ofZ m s) bits unit at0 (parts c))
    (mul m g (root m (mul m (ofZ m 2) (pi m)))).
Definition unscaled_in (a : Z) : T := div m (ofZ m a) (ofZ m (2 ^ k)).
(** [extra] is what a tail adds to the upper bound. *)
Definition fits_cell (at0 : Z) (extra : T) (c : cell) : bool :=
  (forallb wide (parts c) && (Z.ltb at0 (end_of at0 (parts c)) && (Z.leb 1 (rise c) && (Z.leb 0 (low c) && (Z.leb 0 (high c)
   && (at_most m (unscaled_in (low c)) (mass_in 1 at0 c)
   && at_most m (add m (mass_in 0 at0 c) extra) (unscaled_in (high c))))))))%bool.
Fixpoint fit_cells (at0 : Z) (last : T) (l : list cell) : bool :=
  match l with
  | nil => true
  | c :: r => (fits_cell at0 (match r with nil => last | _ => ofZ m 0 end) c && fit_cells (end_of at0 (parts c)) last r)%bool
  end.
(** Half of exp(-z^2/(2 sigma^2)), which is above the tail of the noise beyond z. *)
Definition tail_in (z : Z) : T :=
  let d := div m (rat m (z, unit)) (rat m sigma) in
  div m (expo m (sub m (ofZ m 0) (div m (mul m d d) (ofZ m 2)))) (ofZ m 2).
Fixpoint right_end (at0 : Z) (l : list cell) : Z :=
  match l with nil => at0 | c :: r => right_end (end_of at0 (parts c)) r end.
(** The first cell stands apart: the left tail is added to it, the right one to the last. *)
Definition fit_all (left : Z) (first : cell) (l : list cell) : bool :=
  (Z.leb left 0 && (Z.leb 0 (right_end left (first :: l))
   && (match l with nil => false | _ => true end
   && (fits_cell left (tail_in left) first
   && fit_cells (end_of left (parts first)) (tail_in (right_end left (first :: l))) l))))%bool.

Hypothesis Hq : 0 < ratio_of q <= 1.
Hypothesis Hs : 0 < ratio_of sigma.
Hypothesis Hu : (0 < unit)%Z.
Hypothesis Hk : (0 <= k)%Z.
Let qq := ratio_of q.
Let ss := ratio_of sigma.
Let one := IZR (2 ^ k).
Let place (z : Z) : R := IZR z / IZR unit.
Let P := ScoreCells.mix_tail ss qq.
Let Q := ScoreCells.gauss_tail ss.
Let F (s : Z) := f qq (1 / (ss * ss)) (IZR s).
Let N := ss * sqrt (2 * PI).

Lemma one_positive : 0 < one.
Proof. apply IZR_lt, Z.pow_pos_nonneg; [lia|exact Hk]. Qed.

Lemma plain_density (z : R) : Gaussian.mu0 ss z = / N * F 0 z.
Proof.
  unfold F. rewrite <- AnyOrder.kernel_f by exact Hs. unfold Window.kernel, Gaussian.mu0, N.
  rewrite Rmult_0_l, Rplus_0_r. unfold Rdiv. ring.
Qed.

Lemma mixed_density (z : R) : AB.mu qq ss z = / N * F 1 z.
Proof.
  unfold F. rewrite <- AnyOrder.kernel_f by exact Hs. unfold Window.kernel, AB.mu.
  rewrite Gaussian.mu1_eq_ratio by exact Hs. unfold Gaussian.ratio, Gaussian.mu0. fold N.
  assert (E := exp_pos ((2 * z - 1) / (2 * ss ^ 2))).
  rewrite exp_plus, Rmult_1_l, exp_ln; [unfold Rdiv; ring|].
  fold qq in Hq. destruct (Rle_lt_or_eq_dec qq 1) as [L|L]; [lra| |rewrite L; lra].
  apply Rplus_lt_le_0_compat; [lra|]. apply Rmult_le_pos; lra.
Qed.

Lemma mass_as_integral (p tail : R -> R) (s a b : Z) : (forall z, continuous p z) ->
  (forall z, HalfLine.int_right p z (tail z)) -> (forall z, p z = / N * F s z) ->
  tail (place a) - tail (place b) = RInt (F s) (place a) (place b) / N.
Proof.
  intros Cp Ht E. rewrite <- (is_RInt_unique p _ _ _ (ScoreCells.mass_between p tail Cp Ht (place a) (place b))).
  rewrite (RInt_ext p (fun z => scal (/ N) (F s z))) by (intros z _; apply E).
  rewrite (RInt_scal (V := R_CompleteNormedModule)) by apply (f_integrable qq (1 / (ss * ss)) (IZR s) Hq).
  unfold scal; simpl; unfold mult; simpl. unfold Rdiv. ring.
Qed.

Lemma mass_sound (s at0 : Z) (c : cell) : forallb wide (parts c) = true ->
  enc (mass_in s at0 c) (RInt (F s) (place at0) (place (end_of at0 (parts c))) / N).
Proof.
  intros W. assert (G := s_rat _ _ (H bits) sigma). assert (One := s_ofZ (H bits) 1). assert (Two := s_ofZ (H bits) 2).
  assert (C := s_div (H bits) _ _ _ _ One (s_mul (H bits) _ _ _ _ G G)).
  apply (s_div (H bits)).
  - exact (integral_sound o enc H _ _ _ bits unit _ _ _ (s_rat _ _ (H bits) q) C (s_ofZ (H bits) s) Hq Hu (parts c) W at0).
  - apply (s_mul (H bits)); [exact G|]. apply (s_root (H bits)), (s_mul (H bits)); [exact Two|exact (s_pi (H bits))].
Qed.

Lemma unscaled_sound (a : Z) : enc (unscaled_in a) (IZR a / one).
Proof. apply (s_div (H bits)); apply (s_ofZ (H bits)). Qed.

Lemma cell_facts (at0 : Z) (extra : T) (x : R) (c : cell) : enc extra x -> fits_cell at0 extra c = true ->
  place at0 < place (end_of at0 (parts c)) /\ (1 <= rise c)%Z /\ (0 <= low c)%Z /\ (0 <= high c)%Z /\
  IZR (low c) <= one * (P (place at0) - P (place (end_of at0 (parts c)))) /\
  one * (Q (place at0) - Q (place (end_of at0 (parts c))) + x) <= IZR (high c).
Proof.
  intros Ex K. unfold fits_cell in K. repeat (apply andb_prop in K; let K1 := fresh in destruct K as [K1 K]).
  rename H0 into W. apply Z.ltb_lt in H1. apply Z.leb_le in H2. apply Z.leb_le in H3. apply Z.leb_le in H4.
  assert (O := one_positive).
  assert (U : 0 < IZR unit) by (apply IZR_lt; exact Hu).
  assert (LP := s_at_most (H bits) _ _ _ _ (unscaled_sound (low c)) (mass_sound 1 at0 c W) H5).
  assert (UQ := s_at_most (H bits) _ _ _ _ (s_add (H bits) _ _ _ _ (mass_sound 0 at0 c W) Ex) (unscaled_sound (high c)) K).
  rewrite <- (mass_as_integral _ P 1 at0 _ (ScoreCells.mu_continuous ss qq) (ScoreCells.mix_tail_is ss Hs qq) mixed_density) in LP.
  rewrite <- (mass_as_integral _ Q 0 at0 _ (Gaussian.mu0_continuous ss) (ScoreCells.gauss_tail_is ss Hs) plain_density) in UQ.
  split; [unfold place; apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, U|apply IZR_lt; assumption]|].
  do 3 (split; [assumption|]). split.
  - apply Rmult_le_compat_l with (r := one) in LP; [|lra].
    replace (one * (IZR (low c) / one)) with (IZR (low c)) in LP by (field; lra). exact LP.
  - apply Rmult_le_compat_l with (r := one) in UQ; [|lra].
    replace (one * (IZR (high c) / one)) with (IZR (high c)) in UQ by (field; lra). exact UQ.
Qed.

(** * The law of the score of one step *)

Fixpoint thresholds (at0 s : Z) (l : list cell) : list (R * Z) :=
  match l with
  | nil => nil
  | c :: r => (IZR (end_of at0 (parts c)) / IZR unit, (s + rise c)%Z) :: thresholds (end_of at0 (parts c)) (s + rise c) r
  end.
Fixpoint last_score (s : Z) (l : list cell) : Z := match l with nil => s | c :: r => last_score (s + rise c) r end.
Let above (tail : R -> R) (at0 s : Z) (l : list cell) (top : Z) (h : Z -> R) : R :=
  ScoreCells.law_of (ScoreCells.cells_above tail (place at0) (thresholds at0 s l) top) h.

Lemma above_step (tail : R -> R) (at0 s : Z) (c : cell) (l : list cell) (top : Z) (h : Z -> R) :
  above tail at0 s (c :: l) top h
  = (tail (place at0) - tail (place (end_of at0 (parts c)))) * h (s + rise c)%Z
    + above tail (end_of at0 (parts c)) (s + rise c) l top h.
Proof. reflexivity. Qed.

Lemma above_end (tail : R -> R) (at0 s top : Z) (h : Z -> R) : above tail at0 s nil top h = tail (place at0) * h top.
Proof. unfold above, ScoreCells.law_of, SampledMechanism.sum_over. simpl. ring. Qed.

Section Cells.
Variables (last : T) (e : R).
Hypothesis He : enc last e.

Let extra_of (r : list cell) : R := match r with nil => e | _ => 0 end.
Lemma extra_sound (r : list cell) : enc (match r with nil => last | _ => ofZ m 0 end) (extra_of r).
Proof. destruct r; [exact He|apply (s_ofZ (H bits))]. Qed.

Lemma cells_rising (l : list cell) : forall at0 s, fit_cells at0 last l = true ->
  ScoreCells.rising (place at0) (thresholds at0 s l).
Proof.
  induction l as [|c l IH]; intros at0 s K; [exact Logic.I|]. cbn [fit_cells] in K. apply andb_prop in K. destruct K as [K L].
  split; [apply (cell_facts at0 _ _ c (extra_sound l) K)|exact (IH _ _ L)].
Qed.

Lemma cells_nonneg (l : list cell) : forall at0, fit_cells at0 last l = true ->
  nonneg (vector_of low l) /\ nonneg (vector_of high l).
Proof.
  induction l as [|c l IH]; intros at0 K; [split; intros x []|]. cbn [fit_cells] in K. apply andb_prop in K. destruct K as [K L].
  destruct (cell_facts at0 _ _ c (extra_sound l) K) as [_ [_ [A [B _]]]]. destruct (IH _ L) as [C D].
  split; apply nonneg_lifted; intros x [<-|I]; auto.
Qed.

Variable h : Z -> R.
Hypothesis Hh : forall s, 0 <= h s.

Lemma cells_lower (top : Z) (l : list cell) : forall at0 s, fit_cells at0 last l = true ->
  weigh (vector_of low l) (s + 1) h <= one * above P at0 s l top h.
Proof.
  induction l as [|c l IH]; intros at0 s K.
  - rewrite above_end. simpl. assert (B := ScoreCells.mix_tail_bounds ss Hs qq (place at0) ltac:(unfold qq; lra)).
    assert (O := one_positive). apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply B|apply Hh].
  - cbn [fit_cells] in K. apply andb_prop in K. destruct K as [K L].
    destruct (cell_facts at0 _ _ c (extra_sound l) K) as [_ [R1 [_ [_ [A _]]]]].
    rewrite weigh_cells by exact R1. rewrite above_step, Rmult_plus_distr_l, <- Rmult_assoc.
    apply Rplus_le_compat; [apply Rmult_le_compat_r; [apply Hh|exact A]|exact (IH _ _ L)].
Qed.

Lemma cells_upper (l : list cell) : l <> nil -> forall at0 s, fit_cells at0 last l = true ->
  Q (place (right_end at0 l)) <= e -> one * above Q at0 s l (last_score s l) h <= weigh (vector_of high l) (s + 1) h.
Proof.
  induction l as [|c l IH]; intros N0 at0 s K B; [contradiction|].
  cbn [fit_cells] in K. apply andb_prop in K. destruct K as [K L].
  destruct (cell_facts at0 _ _ c (extra_sound l) K) as [_ [R1 [_ [_ [_ A]]]]].
  rewrite weigh_cells by exact R1. rewrite above_step, Rmult_plus_distr_l, <- Rmult_assoc. cbn [last_score].
  assert (X := Hh (s + rise c)%Z). assert (O := one_positive).
  destruct l as [|d l].
  - rewrite above_end. cbn [last_score vector_of weigh right_end] in *. unfold extra_of in A.
    rewrite Rplus_0_r, <- Rmult_assoc, <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [exact X|].
    apply Rle_trans with (2 := A). rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; lra.
  - unfold extra_of in A. rewrite Rplus_0_r in A.
    apply Rplus_le_compat; [apply Rmult_le_compat_r; [exact X|exact A]|].
    apply (IH ltac:(discriminate) _ _ L). exact B.
Qed.
End Cells.

Lemma tail_sound (z : Z) : enc (tail_in z) (exp (0 - place z / ss * (place z / ss) / 2) / 2).
Proof.
  assert (D := s_div (H bits) _ _ _ _ (s_rat _ _ (H bits) (z, unit)) (s_rat _ _ (H bits) sigma)).
  apply (s_div (H bits)); [|apply (s_ofZ (H bits))]. apply (s_expo (H bits)), (s_sub (H bits)); [apply (s_ofZ (H bits))|].
  apply (s_div (H bits)); [apply (s_mul (H bits)); exact D|apply (s_ofZ (H bits))].
Qed.

Lemma right_tail_bound (z : R) : 0 <= z -> Q z <= exp (0 - z / ss * (z / ss) / 2) / 2.
Proof.
  intros Hz. destruct (Gaussian.gaussian_tail_half ss z Hs Hz) as [t [It B]].
  rewrite (HalfLine.int_right_unique _ _ _ _ It (ScoreCells.gauss_tail_is ss Hs z)) in B.
  replace (0 - z / ss * (z / ss) / 2) with (- z ^ 2 / (2 * ss ^ 2)) by (field; unfold ss; lra). unfold Q. lra.
Qed.

Lemma left_tail_bound (z : R) : z <= 0 -> 1 - Q z <= exp (0 - z / ss * (z / ss) / 2) / 2.
Proof.
  intros Hz.
  assert (L := HalfLine.int_left_of_right (Gaussian.mu0 ss) 0 z _ (ScoreCells.gauss_tail_is ss Hs (0 - z))).
  assert (L2 : HalfLine.int_left (Gaussian.mu0 ss) z (Q (0 - z))).
  { apply (HalfLine.int_left_ext _ _ _ _) with (2 := L). intros x. rewrite Rminus_0_l. apply Gaussian.mu0_even. }
  assert (E := Integral.int_line_unique _ _ _ (HalfLine.int_line_of_halves _ z _ _ L2 (ScoreCells.gauss_tail_is ss Hs z))
    (Gaussian.mu0_normalised ss Hs)). fold Q in E.
  assert (B := right_tail_bound (0 - z) ltac:(lra)).
  replace ((0 - z) / ss * ((0 - z) / ss)) with (z / ss * (z / ss)) in B by (unfold Rdiv; ring). lra.
Qed.

(** One step has a score with these bounds. *)
Theorem bounded_step (n : nat) (left base : Z) (first : cell) (l : list cell) : fit_all left first l = true ->
  bounded k ss n (AB.mu qq ss) (Gaussian.mu0 ss) 1
    (Vectors (base + 1) (vector_of low (first :: l)) (vector_of high (first :: l))).
Proof.
  intros K. unfold fit_all in K. repeat (apply andb_prop in K; let K1 := fresh in destruct K as [K1 K]).
  apply Z.leb_le in H0. apply Z.leb_le in H1. rename H2 into Nn, H3 into K1.
  assert (U : 0 < IZR unit) by (apply IZR_lt; exact Hu).
  assert (sign : forall z, ((z <= 0)%Z -> place z <= 0) /\ ((0 <= z)%Z -> 0 <= place z)).
  { intros z. assert (I := Rinv_0_lt_compat _ U). split; intros Hz; apply IZR_le in Hz; unfold place, Rdiv; nra. }
  set (r := right_end left (first :: l)) in *. set (mid := end_of left (parts first)) in *.
  set (e := exp (0 - place r / ss * (place r / ss) / 2) / 2).
  assert (Er : Q (place r) <= e) by (apply right_tail_bound, sign, H1).
  set (e0 := exp (0 - place left / ss * (place left / ss) / 2) / 2).
  assert (El : 1 - Q (place left) <= e0) by (apply left_tail_bound, sign, H0).
  destruct (cell_facts left _ _ first (tail_sound left) K1) as [G [R1 [A [B [C D]]]]]. fold e0 mid in C, D, G.
  assert (Nl : l <> nil) by (destruct l; [discriminate|discriminate]).
  assert (O := one_positive). assert (Hqq : 0 <= qq <= 1) by (unfold qq; lra).
  destruct (cells_nonneg _ e (tail_sound r) l mid K) as [NL NH].
  set (c0 := (base + rise first)%Z).
  set (top := last_score c0 l).
  destruct (ScoreCells.step_scored ss Hs qq (place left) c0 ((place mid, c0) :: thresholds mid c0 l) top Hqq) as [SP SQ].
  { split; [exact G|]. exact (cells_rising _ e (tail_sound r) l mid c0 K). }
  set (CP := ScoreCells.law_of (ScoreCells.all_cells P (place left) c0 ((place mid, c0) :: thresholds mid c0 l) top)) in *.
  set (CQ := ScoreCells.law_of (ScoreCells.all_cells Q (place left) c0 ((place mid, c0) :: thresholds mid c0 l) top)) in *.
  exists CP, CQ.
  assert (EP : forall h, CP h = (1 - P (place left)) * h c0
     + ((P (place left) - P (place mid)) * h c0 + above P mid c0 l top h)) by (intros h; reflexivity).
  assert (EQ : forall h, CQ h = (1 - Q (place left)) * h c0
     + ((Q (place left) - Q (place mid)) * h c0 + above Q mid c0 l top h)) by (intros h; reflexivity).
  assert (PP := ScoreCells.mix_tail_bounds ss Hs qq (place left) Hqq). fold P in PP.
  assert (pos : forall (p : R -> R) (C : ScoredEvent.law), (forall z, 0 <= p z) ->
    ScoredEvent.scored_by p (ScoreCells.score_of ((place left, c0) :: (place mid, c0) :: thresholds mid c0 l) top) C -> positive_law C).
  { intros p C0 Hp Sp h Hh. apply (Integral.int_line_nonneg _ (C0 h)) with (2 := Sp h).
    intros z. apply Rmult_le_pos; [apply Hh|apply Hp]. }
  split; [exact (ScoredEvent.pair_one (fun _ => ss) n (fun _ => AB.mu qq ss) (fun _ => Gaussian.mu0 ss) _ CP CQ Hs SP SQ)|].
  split; (split; [|split]); cbn [start lows highs].
  - exact (pos _ _ (fun z => ScoreCells.mu_nonneg ss Hs qq z Hqq) SP).
  - apply nonneg_lifted. intros x [<-|I]; [exact A|exact (NL x I)].
  - intros h Hh. fold one. rewrite weigh_cells by exact R1. fold c0. rewrite EP.
    assert (X := cells_lower _ e (tail_sound r) h Hh top l mid c0 K).
    assert (Y : IZR (low first) * h c0 <= one * (P (place left) - P (place mid)) * h c0)
      by (apply Rmult_le_compat_r; [apply Hh|exact C]).
    assert (Z0 : 0 <= one * ((1 - P (place left)) * h c0))
      by (apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; [lra|apply Hh]).
    lra.
  - exact (pos _ _ (fun z => ScoreCells.mu0_nonneg ss Hs z) SQ).
  - apply nonneg_lifted. intros x [<-|I]; [exact B|exact (NH x I)].
  - intros h Hh. fold one. rewrite weigh_cells by exact R1. fold c0. rewrite EQ.
    assert (X := cells_upper _ e (tail_sound r) h Hh l Nl mid c0 K Er). fold top in X.
    assert (Y : one * (Q (place left) - Q (place mid) + (1 - Q (place left))) * h c0 <= IZR (high first) * h c0).
    { apply Rmult_le_compat_r; [apply Hh|]. apply Rle_trans with (2 := D). apply Rmult_le_compat_l; lra. }
    lra.
Qed.

(** * The refutation *)

Definition refutes (left base cut : Z) (first : cell) (l : list cell) (levels : list level) (eps delta : Z * Z) : bool :=
  let v := doubled k levels
    (Vectors (base + 1) (vector_of low (first :: l)) (vector_of high (first :: l))) (nothing k) in
  (divides levels && (fit_all left first l
   && less m (add m (mul m (expo m (rat m eps)) (ofZ m (total_from cut (start v) (highs v)))) (mul m (rat m delta) (ofZ m (2 ^ k))))
        (ofZ m (total_from cut (start v) (lows v)))))%bool.

Theorem not_dp_by_lattice (left base cut : Z) (first : cell) (l : list cell) (levels : list level) (eps delta : Z * Z) :
  refutes left base cut first l levels eps delta = true ->
  forall (U : Type) (u : U) (n : nat), exists f : nat -> point -> list U -> point,
    steps_sensitivity_1 (S n) f /\ steps_continuous f /\
    ~ is_DP_tests (Z.to_nat (count_of levels) * S n)
        (run (fun _ => ratio_of q) (fun _ => ratio_of sigma) (S n) f (Z.to_nat (count_of levels)))
        (ratio_of eps) (ratio_of delta).
Proof.
  intros K U u n. unfold refutes in K. cbv zeta in K. apply andb_prop in K. destruct K as [Kd K].
  apply andb_prop in K. destruct K as [Kf K].
  set (v := doubled k levels _ _) in K.
  assert (B : bounded k ss n (AB.mu qq ss) (Gaussian.mu0 ss) (0 + 1 * Z.to_nat (count_of levels)) v)
    by exact (bounded_doubled k Hk ss n _ _ levels Kd 1 0 _ _ (bounded_step n left base first l Kf) (bounded_nothing k ss n _ _)).
  rewrite Nat.add_0_l, Nat.mul_1_l in B.
  destruct (bounded_event k _ n _ _ _ v cut B) as [C [C' [S1 [LP UQ]]]]. fold one in LP, UQ.
  assert (L := s_less (H bits) _ _ _ _
    (s_add (H bits) _ _ _ _ (s_mul (H bits) _ _ _ _ (s_expo (H bits) _ _ (s_rat _ _ (H bits) eps)) (s_ofZ (H bits) _))
      (s_mul (H bits) _ _ _ _ (s_rat _ _ (H bits) delta) (s_ofZ (H bits) _))) (s_ofZ (H bits) _) K).
  fold one in L. assert (O := one_positive). assert (X := exp_pos (ratio_of eps)).
  exists (fun _ _ => SpaceRDP.sampled_any_space).
  split; [exact (ScoredEvent.constant_steps_sensitivity n)|].
  split; [apply RunSchedule.continuous_in_outputs_iff, ScoredEvent.constant_steps_continuous|].
  apply (ScoredEvent.run_not_dp (fun _ => qq) (fun _ => ss) n _ u C C' (ratio_of eps) (ratio_of delta) (reaches cut) S1).
  - intros s. unfold reaches. destruct (Z.leb cut s); lra.
  - apply Rmult_lt_reg_l with one; [exact O|].
    assert (Y : exp (ratio_of eps) * (one * C' (reaches cut)) <= exp (ratio_of eps) * IZR (total_from cut (start v) (highs v)))
      by (apply Rmult_le_compat_l; lra).
    lra.
Qed.
End Masses.

(** The same with numbers as a statement writes them. *)
Theorem lattice_refutation {T : Type} (o : Z -> arithmetic T) (enc : T -> R -> Prop) (H : forall bits, sound (o bits) enc)
  (bits k unit : Z) (Q S : Z * Z) (left base cut : Z) (first : cell) (l : list cell) (levels : list level) (E D : Z * Z)
  (steps : Z) (q sigma eps delta : R) :
  q = ratio_of Q -> sigma = ratio_of S -> eps = ratio_of E -> delta = ratio_of D ->
  0 < q <= 1 -> 0 < sigma -> Z.ltb 0 unit = true -> Z.leb 0 k = true -> Z.eqb (count_of levels) steps = true ->
  refutes o bits k unit Q S left base cut first l levels E D = true ->
  forall (U : Type) (u : U) (n : nat), exists f : nat -> point -> list U -> point,
    steps_sensitivity_1 (Datatypes.S n) f /\ steps_continuous f /\
    ~ is_DP_tests (Z.to_nat steps * Datatypes.S n)
        (run (fun _ => q) (fun _ => sigma) (Datatypes.S n) f (Z.to_nat steps)) eps delta.
Proof.
  intros -> -> -> -> Hq Hs Hu Hk Hc. apply Z.ltb_lt in Hu. apply Z.leb_le in Hk. apply Z.eqb_eq in Hc. subst steps.
  exact (not_dp_by_lattice o enc H bits k unit Q S Hq Hs Hu Hk left base cut first l levels E D).
Qed.
