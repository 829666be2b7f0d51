(** The upper bound of one step on the lattice, its cells checked by the integrator, and the theorem that puts a
    certificate together: a run is (eps, delta)-DP, by the exact pair and not by RDP. *)
From Coq Require Import Reals Lra Lia ZArith List Bool.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Statements StatementsRun.
From SGM Require SpaceIntegral RealAnalysis Integral HalfLine Gaussian AB RunSchedule ScoreCells StepDomination RunDomination.
From SGMV Require Import Arithmetic Recurrence Integrator Products Lattice TightLattice.
From SGMV Require LatticeCells.
Open Scope R_scope.

(** A cell: its panels, the two points of the lattice that its mass goes to, and these masses times 2^k. *)
Record dots : Type := Dots { pieces : list panel; before_it : Z; after_it : Z; share_before : Z; share_after : Z }.

(** Vectors from single masses. *)
Fixpoint deposit (l : list Z) (i : nat) (a : Z) : list Z :=
  match i, l with
  | O, nil => a :: nil
  | O, b :: r => (a + b)%Z :: r
  | S j, nil => 0%Z :: deposit nil j a
  | S j, b :: r => b :: deposit r j a
  end.

Lemma weigh_deposit (i : nat) (a : Z) (h : Z -> R) : forall l at0,
  weigh (deposit l i a) at0 h = weigh l at0 h + IZR a * h (at0 + Z.of_nat i)%Z.
Proof.
  induction i as [|i IH]; intros [|b l] at0; cbn [deposit weigh].
  - rewrite Z.add_0_r. ring.
  - rewrite Z.add_0_r, plus_IZR. ring.
  - rewrite IH. simpl (weigh nil _ _). replace (at0 + 1 + Z.of_nat i)%Z with (at0 + Z.of_nat (S i))%Z by lia. ring.
  - rewrite IH. replace (at0 + 1 + Z.of_nat i)%Z with (at0 + Z.of_nat (S i))%Z by lia. ring.
Qed.

Lemma nonneg_deposit (i : nat) (a : Z) : (0 <= a)%Z -> forall l, nonneg l -> nonneg (deposit l i a).
Proof.
  intros Ha. induction i as [|i IH]; intros [|b l] N x; cbn [deposit].
  - intros [<-|[]]. exact Ha.
  - intros [<-|I]; [assert (B := N b (or_introl eq_refl)); lia|exact (N x (or_intror I))].
  - intros [<-|I]; [lia|]. exact (IH nil (fun y (K : In y nil) => match K with end) x I).
  - intros [<-|I]; [exact (N b (or_introl eq_refl))|].
    apply (IH l (fun y K => N y (or_intror K)) x I).
Qed.

Section Step.
Context {T : Type} (o : Z -> arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : forall bits, sound (o bits) enc.
Variables (bits k unit : Z) (q sigma : Z * Z) (width : Z * Z).
Let m := o bits.

Definition mass_at (s at0 : Z) (c : dots) : T :=
  LatticeCells.mass_in o bits unit q sigma s at0 (LatticeCells.Cell (pieces c) 0 0 0).
Definition unscaled (a : Z) : T := div m (ofZ m a) (ofZ m (2 ^ k)).
Definition node_in (s : Z) : T := expo m (mul m (rat m width) (ofZ m s)).
Definition ratio_at (z : Z) : T :=
  let c := div m (ofZ m 1) (mul m (rat m sigma) (rat m sigma)) in
  add m (sub m (ofZ m 1) (rat m q)) (qr_in m (rat m q) c (rat m (z, unit))).

Definition fits_dots (base at0 : Z) (c : dots) : bool :=
  let b := end_of at0 (pieces c) in
  let P := mass_at 1 at0 c in let Q := mass_at 0 at0 c in
  let low := node_in (before_it c) in let high := node_in (after_it c) in
  let d := sub m high low in
  (forallb wide (pieces c) && (Z.ltb at0 b && (Z.leb base (before_it c) && (Z.ltb (before_it c) (after_it c)
   && (Z.leb 0 (share_before c) && (Z.leb 0 (share_after c)
   && (at_most m low (ratio_at at0) && (at_most m (ratio_at b) high
   && (at_most m (div m (mul m (sub m (mul m high Q) P) low) d) (unscaled (share_before c))
   && at_most m (div m (mul m (sub m P (mul m low Q)) high) d) (unscaled (share_after c)))))))))))%bool.
Fixpoint fit_dots (base at0 : Z) (l : list dots) : bool :=
  match l with nil => true | c :: r => (fits_dots base at0 c && fit_dots base (end_of at0 (pieces c)) r)%bool end.
Fixpoint end_dots (at0 : Z) (l : list dots) : Z :=
  match l with nil => at0 | c :: r => end_dots (end_of at0 (pieces c)) r end.
Fixpoint pile (base : Z) (l : list dots) : list Z :=
  match l with
  | nil => nil
  | c :: r => deposit (deposit (pile base r) (Z.to_nat (before_it c - base)) (share_before c))
                (Z.to_nat (after_it c - base)) (share_after c)
  end.

(** The tails: [lefty] is the mass that is left of all cells, and moved up to the point [low_end]; [righty] the
    mass that is right of them, moved down to [high_end].  Both spill. *)
Definition tail_at (z : Z) : T := LatticeCells.tail_in o bits unit sigma z.
Definition fit_tails (base left : Z) (l : list dots) (low_end high_end lefty righty : Z) : bool :=
  let right := end_dots left l in
  (Z.leb left 0 && (Z.leb unit right && (Z.leb base low_end && (Z.leb base high_end && (Z.leb 0 lefty && (Z.leb 0 righty
   && (at_most m (ratio_at left) (node_in low_end) && (at_most m (node_in high_end) (ratio_at right)
   && (at_most m (mul m (tail_at left) (node_in low_end)) (unscaled lefty)
   && (at_most m (mul m (tail_at right) (node_in high_end)) (unscaled righty)
   && at_most m (add m (mul m (sub m (ofZ m 1) (rat m q)) (tail_at right)) (mul m (rat m q) (tail_at (right - unit))))
        (unscaled righty)))))))))))%bool.
Definition one_step (base : Z) (l : list dots) (low_end high_end lefty righty : Z) : uppers :=
  Uppers base (deposit (deposit (pile base l) (Z.to_nat (low_end - base)) lefty) (Z.to_nat (high_end - base)) righty)
    (lefty + righty).

Hypothesis Hq : 0 < ratio_of q <= 1.
Hypothesis Hs : 0 < ratio_of sigma.
Hypothesis Hu : (0 < unit)%Z.
Hypothesis Hk : (0 <= k)%Z.
Hypothesis Hw : 0 < ratio_of width.
Let qq := ratio_of q.
Let ss := ratio_of sigma.
Let h := ratio_of width.
Let one := IZR (2 ^ k).
Let place (z : Z) : R := IZR z / IZR unit.
Let Ptail := ScoreCells.mix_tail ss qq.
Let Qtail := ScoreCells.gauss_tail ss.
Let g := AB.mix_ratio qq ss.

Lemma one_positive : 0 < one.
Proof. apply IZR_lt, Z.pow_pos_nonneg; [lia|exact Hk]. Qed.

Lemma rate_range : 0 <= qq <= 1.
Proof. unfold qq. lra. Qed.

Lemma unit_positive : 0 < IZR unit.
Proof. apply IZR_lt, Hu. Qed.

Lemma unscaled_sound (a : Z) : enc (unscaled a) (IZR a / one).
Proof. apply (s_div (H bits)); apply (s_ofZ (H bits)). Qed.

Lemma node_sound (s : Z) : enc (node_in s) (node h s).
Proof. apply (s_expo (H bits)), (s_mul (H bits)); [apply (s_rat _ _ (H bits))|apply (s_ofZ (H bits))]. Qed.

Lemma ratio_sound (z : Z) : enc (ratio_at z) (g (place z)).
Proof.
  assert (G := s_rat _ _ (H bits) sigma). assert (One := s_ofZ (H bits) 1).
  assert (C := s_div (H bits) _ _ _ _ One (s_mul (H bits) _ _ _ _ G G)).
  assert (X := s_add (H bits) _ _ _ _ (s_sub (H bits) _ _ _ _ One (s_rat _ _ (H bits) q))
    (qr_sound m enc (H bits) _ _ qq _ (s_rat _ _ (H bits) q) C _ _ (s_rat _ _ (H bits) (z, unit)))).
  replace (g (place z)) with (1 - qq + qr qq (1 / (ratio_of sigma * ratio_of sigma)) (ratio_of (z, unit))); [exact X|].
  change (ratio_of (z, unit)) with (place z). fold ss. unfold g, AB.mix_ratio, qr, Gaussian.ratio.
  assert (S0 : ss <> 0) by (apply Rgt_not_eq, Hs).
  replace ((place z - 1 / 2) * (1 / (ss * ss))) with ((2 * place z - 1) / (2 * ss ^ 2)) by (field; exact S0). reflexivity.
Qed.

Lemma masses_sound (at0 : Z) (c : dots) : forallb wide (pieces c) = true ->
  enc (mass_at 1 at0 c) (Ptail (place at0) - Ptail (place (end_of at0 (pieces c)))) /\
  enc (mass_at 0 at0 c) (Qtail (place at0) - Qtail (place (end_of at0 (pieces c)))).
Proof.
  intros W. split.
  - unfold Ptail, place, ss, qq.
    rewrite (LatticeCells.mass_as_integral unit q sigma Hq _ _ 1 at0 _ (ScoreCells.mu_continuous ss qq)
      (ScoreCells.mix_tail_is ss Hs qq) (LatticeCells.mixed_density q sigma Hq Hs)).
    exact (LatticeCells.mass_sound o enc H bits unit q sigma Hq Hu 1 at0 (LatticeCells.Cell (pieces c) 0 0 0) W).
  - unfold Qtail, place, ss.
    rewrite (LatticeCells.mass_as_integral unit q sigma Hq _ _ 0 at0 _ (Gaussian.mu0_continuous ss)
      (ScoreCells.gauss_tail_is ss Hs) (LatticeCells.plain_density q sigma Hs)).
    exact (LatticeCells.mass_sound o enc H bits unit q sigma Hq Hu 0 at0 (LatticeCells.Cell (pieces c) 0 0 0) W).
Qed.

Lemma ratio_increases (x y : R) : x <= y -> g x <= g y.
Proof.
  intros L. unfold g, AB.mix_ratio. apply Rplus_le_compat_l, Rmult_le_compat_l; [apply rate_range|].
  apply Gaussian.ratio_nondecreasing; [exact Hs|exact L].
Qed.

(** * Every convex test *)

Section Test.
Variables (K : R) (phi : R -> R) (y : R).
Hypothesis Ht : StepDomination.convex_test K phi.
Hypothesis Hy : 0 < y.
Let F (z : R) : R := Gaussian.mu0 ss z * phi (y * g z).
Let psi := per_mass h phi y.

Lemma g_pos (z : R) : 0 < g z.
Proof. apply AB.mix_ratio_pos, rate_range. Qed.

Lemma F_nonneg (z : R) : 0 <= F z.
Proof.
  apply Rmult_le_pos; [left; apply Gaussian.mu0_pos, Hs|]. apply (proj1 Ht), Rmult_lt_0_compat; [exact Hy|apply g_pos].
Qed.

Lemma F_continuous (z : R) : continuous F z.
Proof.
  apply (continuous_mult (Gaussian.mu0 ss) (fun z => phi (y * g z))); [apply Gaussian.mu0_continuous|].
  apply (continuous_comp (fun z => y * g z) phi).
  - apply (ex_derive_continuous (V := R_NormedModule)). unfold g, AB.mix_ratio, Gaussian.ratio. auto_derive. trivial.
  - apply (StepDomination.test_continuous K phi _ Ht), Rmult_lt_0_compat; [exact Hy|apply g_pos].
Qed.

Let Ftail (a : R) : R := RInt_gen F (at_point a) (Rbar_locally p_infty).

Lemma F_line : Integral.int_line F (StepDomination.advance qq ss phi y).
Proof. exact (StepDomination.pair_integral qq ss rate_range Hs K phi y Ht Hy). Qed.

Lemma Ftail_is (a : R) : HalfLine.int_right F a (Ftail a).
Proof.
  destruct (HalfLine.int_right_exists F F_continuous F_nonneg a _ F_line) as [l [Hl _]].
  unfold HalfLine.int_right, Ftail. rewrite (is_RInt_gen_unique F l Hl). exact Hl.
Qed.

(** The chord of a test between two points of the lattice. *)
Lemma chord (a b : Z) (v : R) : node h a < node h b -> node h a <= v <= node h b ->
  phi (y * v) <= ((node h b - v) * phi (y * node h a) + (v - node h a) * phi (y * node h b)) / (node h b - node h a).
Proof.
  intros L V. assert (Na := node_pos h a). assert (Nb := node_pos h b).
  set (t := (node h b - v) / (node h b - node h a)).
  assert (I := Rinv_0_lt_compat (node h b - node h a) ltac:(lra)).
  assert (B : 0 <= t <= 1).
  { unfold t, Rdiv. split; [apply Rmult_le_pos; lra|].
    apply Rmult_le_reg_r with (node h b - node h a); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (C := proj2 (proj2 Ht) (y * node h a) (y * node h b) t ltac:(nra) ltac:(nra) B).
  replace (t * (y * node h a) + (1 - t) * (y * node h b)) with (y * v) in C by (unfold t; field; lra).
  apply Rle_trans with (1 := C). right. unfold t. field. lra.
Qed.

Lemma cell_bound (base at0 : Z) (c : dots) : fits_dots base at0 c = true ->
  one * (Ftail (place at0) - Ftail (place (end_of at0 (pieces c))))
  <= IZR (share_before c) * psi (before_it c) + IZR (share_after c) * psi (after_it c) /\
  (base <= before_it c)%Z /\ (before_it c < after_it c)%Z /\ (0 <= share_before c)%Z /\ (0 <= share_after c)%Z.
Proof.
  intros E. unfold fits_dots in E. cbv zeta in E. repeat (apply andb_prop in E; let E1 := fresh E in destruct E as [E1 E]).
  apply Z.ltb_lt in E1. apply Z.leb_le in E2. apply Z.ltb_lt in E3. apply Z.leb_le in E4. apply Z.leb_le in E5.
  destruct (masses_sound at0 c E0) as [MP MQ].
  set (a := place at0) in *. set (b := place (end_of at0 (pieces c))) in *.
  set (P := Ptail a - Ptail b) in *. set (Q := Qtail a - Qtail b) in *.
  set (rl := node h (before_it c)). set (rh := node h (after_it c)).
  assert (Sl := node_sound (before_it c)). assert (Sh := node_sound (after_it c)). fold rl in Sl. fold rh in Sh.
  assert (Ll := s_at_most (H bits) _ _ _ _ Sl (ratio_sound at0) E6).
  assert (Lh := s_at_most (H bits) _ _ _ _ (ratio_sound (end_of at0 (pieces c))) Sh E7). fold a in Ll. fold b in Lh.
  assert (Sd := s_sub (H bits) _ _ _ _ Sh Sl).
  assert (B1 := s_at_most (H bits) _ _ _ _ (s_div (H bits) _ _ _ _ (s_mul (H bits) _ _ _ _
    (s_sub (H bits) _ _ _ _ (s_mul (H bits) _ _ _ _ Sh MQ) MP) Sl) Sd) (unscaled_sound (share_before c)) E8).
  assert (B2 := s_at_most (H bits) _ _ _ _ (s_div (H bits) _ _ _ _ (s_mul (H bits) _ _ _ _
    (s_sub (H bits) _ _ _ _ MP (s_mul (H bits) _ _ _ _ Sl MQ)) Sh) Sd) (unscaled_sound (share_after c)) E).
  assert (rl0 : 0 < rl) by apply node_pos. assert (rh0 : 0 < rh) by apply node_pos.
  assert (Lr : rl < rh).
  { unfold rl, rh, node. apply exp_increasing, Rmult_lt_compat_l; [exact Hw|apply IZR_lt, E3]. }
  assert (U := unit_positive). assert (O := one_positive).
  assert (ab : a < b).
  { unfold a, b, place. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, U|apply IZR_lt, E1]. }
  split; [|repeat split; assumption].
  set (fl := phi (y * rl)). set (fh := phi (y * rh)).
  assert (fl0 : 0 <= fl) by (apply (proj1 Ht); nra). assert (fh0 : 0 <= fh) by (apply (proj1 Ht); nra).
  set (alpha := (rh * fl - rl * fh) / (rh - rl)). set (beta := (fh - fl) / (rh - rl)).
  assert (I1 := ScoreCells.mass_between F Ftail F_continuous Ftail_is a b).
  assert (I2 : is_RInt (fun z => alpha * Gaussian.mu0 ss z + beta * AB.mu qq ss z) a b (alpha * Q + beta * P)).
  { apply (is_RInt_plus (V := R_NormedModule) (fun z => alpha * Gaussian.mu0 ss z) (fun z => beta * AB.mu qq ss z));
      apply (is_RInt_scal (V := R_NormedModule)).
    - exact (ScoreCells.mass_between _ Qtail (Gaussian.mu0_continuous ss) (ScoreCells.gauss_tail_is ss Hs) a b).
    - exact (ScoreCells.mass_between _ Ptail (ScoreCells.mu_continuous ss qq) (ScoreCells.mix_tail_is ss Hs qq) a b). }
  assert (L : Ftail a - Ftail b <= alpha * Q + beta * P).
  { refine (is_RInt_le _ _ _ _ _ _ (Rlt_le _ _ ab) I1 I2 _). intros z Hz.
    assert (Gz : rl <= g z <= rh).
    { split; [apply Rle_trans with (1 := Ll)|apply Rle_trans with (2 := Lh)]; apply ratio_increases; lra. }
    assert (C := chord (before_it c) (after_it c) (g z) Lr Gz). fold rl rh fl fh in C.
    unfold F. rewrite (AB.mu_eq_mix_ratio qq ss Hs z). fold (g z).
    assert (M := Gaussian.mu0_pos ss z Hs). apply Rmult_le_compat_l with (r := Gaussian.mu0 ss z) in C; [|lra].
    apply Rle_trans with (1 := C). right. unfold alpha, beta. field. lra. }
  apply Rmult_le_compat_l with (r := one) in L; [|lra]. apply Rle_trans with (1 := L).
  unfold psi, per_mass. fold rl rh fl fh.
  replace (one * (alpha * Q + beta * P))
    with (one * ((rh * Q - P) * rl / (rh - rl)) * (fl / rl) + one * ((P - rl * Q) * rh / (rh - rl)) * (fh / rh))
    by (unfold alpha, beta; field; repeat split; lra).
  assert (X : forall s v, v <= IZR s / one -> one * v <= IZR s).
  { intros s v V. apply Rmult_le_compat_l with (r := one) in V; [|lra].
    replace (one * (IZR s / one)) with (IZR s) in V by (field; lra). exact V. }
  apply Rplus_le_compat; apply Rmult_le_compat_r; try (apply X; assumption);
    apply Rmult_le_pos; try assumption; left; apply Rinv_0_lt_compat; assumption.
Qed.

Lemma cells_bound (base : Z) (l : list dots) : forall at0, fit_dots base at0 l = true ->
  one * (Ftail (place at0) - Ftail (place (end_dots at0 l))) <= weigh (pile base l) base psi /\ nonneg (pile base l).
Proof.
  induction l as [|c l IH]; intros at0 E.
  - simpl. split; [|intros x []]. rewrite Rminus_eq_0. lra.
  - cbn [fit_dots] in E. apply andb_prop in E. destruct E as [E1 E2].
    destruct (cell_bound base at0 c E1) as [A [B [C [D G]]]]. destruct (IH _ E2) as [I J].
    cbn [pile end_dots]. split; [|apply nonneg_deposit; [exact G|apply nonneg_deposit; assumption]].
    rewrite !weigh_deposit, !Z2Nat.id by lia.
    replace (base + (before_it c - base))%Z with (before_it c) by lia.
    replace (base + (after_it c - base))%Z with (after_it c) by lia. lra.
Qed.

Lemma scaled_le (s : Z) (v : R) : v <= IZR s / one -> one * v <= IZR s.
Proof.
  intros V. assert (O := one_positive). apply Rmult_le_compat_l with (r := one) in V; [|lra].
  replace (one * (IZR s / one)) with (IZR s) in V by (field; lra). exact V.
Qed.

Lemma left_bound (left : Z) (low_end lefty : Z) (l1 : R) : (left <= 0)%Z ->
  g (place left) <= node h low_end -> exp (0 - place left / ss * (place left / ss) / 2) / 2 * node h low_end <= IZR lefty / one ->
  HalfLine.int_left F (place left) l1 -> one * l1 <= IZR lefty * (psi low_end + K * y).
Proof.
  intros L G B I. set (r := node h low_end) in *. assert (r0 : 0 < r) by apply node_pos.
  assert (K0 := StepDomination.test_constant_nonneg K phi Ht).
  assert (U := unit_positive). assert (Iu := Rinv_0_lt_compat _ U).
  assert (pl : place left <= 0) by (unfold place, Rdiv; apply IZR_le in L; nra).
  assert (TB := LatticeCells.left_tail_bound sigma Hs (place left) pl). fold ss in TB. fold Qtail in TB.
  destruct (HalfLine.int_line_split (Gaussian.mu0 ss) (place left) 1 (Gaussian.mu0_continuous ss)
    (ScoreCells.mu0_nonneg ss Hs) (Gaussian.mu0_normalised ss Hs)) as [a [b [Ia [Ib E]]]].
  assert (Eb := HalfLine.int_right_unique _ _ _ _ Ib (ScoreCells.gauss_tail_is ss Hs (place left))). fold Qtail in Eb.
  assert (N : 0 <= phi (y * r)) by (apply (proj1 Ht); nra).
  assert (La : l1 <= (phi (y * r) + K * y * r) * a).
  { refine (HalfLine.int_left_le _ _ (place left) _ _ _ I (HalfLine.int_left_scal _ _ (phi (y * r) + K * y * r) _ Ia)).
    intros z Hz. unfold F. rewrite (Rmult_comm (phi (y * r) + K * y * r)).
    apply Rmult_le_compat_l; [left; apply Gaussian.mu0_pos, Hs|].
    assert (Gz := Rle_trans _ _ _ (ratio_increases z (place left) ltac:(lra)) G). assert (g0 := g_pos z).
    assert (A := proj1 (proj2 Ht) (y * g z) (y * r) ltac:(nra) ltac:(nra)).
    rewrite Rabs_minus_sym in A. replace (y * r - y * g z) with (y * (r - g z)) in A by ring.
    rewrite Rabs_mult, !Rabs_pos_eq in A by lra.
    assert (X : K * (y * (r - g z)) <= K * (y * r)) by (apply Rmult_le_compat_l; [exact K0|]; apply Rmult_le_compat_l; lra).
    lra. }
  set (e := exp (0 - place left / ss * (place left / ss) / 2) / 2) in *.
  assert (O := one_positive). assert (Bs := scaled_le lefty _ B).
  apply Rle_trans with (one * ((phi (y * r) + K * y * r) * e)).
  - apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := La). apply Rmult_le_compat_l; [|lra].
    apply Rplus_le_le_0_compat; [exact N|]. apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra].
  - unfold psi, per_mass. fold r.
    replace (one * ((phi (y * r) + K * y * r) * e)) with (one * (e * r) * (phi (y * r) / r + K * y)) by (field; lra).
    apply Rmult_le_compat_r; [|exact Bs]. apply Rplus_le_le_0_compat; [|apply Rmult_le_pos; lra].
    apply Rmult_le_pos; [exact N|left; apply Rinv_0_lt_compat, r0].
Qed.

Lemma right_bound (right high_end righty : Z) : (unit <= right)%Z -> node h high_end <= g (place right) ->
  exp (0 - place right / ss * (place right / ss) / 2) / 2 * node h high_end <= IZR righty / one ->
  (1 - qq) * (exp (0 - place right / ss * (place right / ss) / 2) / 2)
    + qq * (exp (0 - place (right - unit) / ss * (place (right - unit) / ss) / 2) / 2) <= IZR righty / one ->
  one * Ftail (place right) <= IZR righty * (psi high_end + K * y).
Proof.
  intros L G B1 B2. set (r := node h high_end) in *. assert (r0 : 0 < r) by apply node_pos.
  assert (K0 := StepDomination.test_constant_nonneg K phi Ht). assert (O := one_positive).
  assert (U := unit_positive). assert (Iu := Rinv_0_lt_compat _ U). assert (Q0 := rate_range).
  assert (pr : place (right - unit) = place right - 1) by (unfold place; rewrite minus_IZR; field; lra).
  assert (p1 : 1 <= place right).
  { unfold place, Rdiv. apply IZR_le in L. apply Rmult_le_reg_r with (IZR unit); [exact U|].
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  rewrite pr in B2.
  assert (T1 := LatticeCells.right_tail_bound sigma Hs (place right) ltac:(lra)).
  assert (T2 := LatticeCells.right_tail_bound sigma Hs (place right - 1) ltac:(lra)). fold ss in T1, T2.
  set (e1 := exp (0 - place right / ss * (place right / ss) / 2) / 2) in *.
  set (e2 := exp (0 - (place right - 1) / ss * ((place right - 1) / ss) / 2) / 2) in *.
  assert (N : 0 <= phi (y * r)) by (apply (proj1 Ht); nra).
  assert (La : Ftail (place right) <= phi (y * r) * Qtail (place right) + K * y * Ptail (place right)).
  { refine (HalfLine.int_right_le _ _ (place right) _ _ _ (Ftail_is (place right)) (HalfLine.int_right_plus _ _ _ _ _
      (HalfLine.int_right_scal _ _ (phi (y * r)) _ (ScoreCells.gauss_tail_is ss Hs (place right)))
      (HalfLine.int_right_scal _ _ (K * y) _ (ScoreCells.mix_tail_is ss Hs qq (place right))))).
    intros z Hz. cbv beta. unfold F. rewrite (AB.mu_eq_mix_ratio qq ss Hs z). fold (g z).
    assert (M := Gaussian.mu0_pos ss z Hs).
    assert (Gz := Rle_trans _ _ _ G (ratio_increases (place right) z ltac:(lra))). assert (g0 := g_pos z).
    assert (A := proj1 (proj2 Ht) (y * g z) (y * r) ltac:(nra) ltac:(nra)).
    replace (y * g z - y * r) with (y * (g z - r)) in A by ring.
    rewrite Rabs_mult, !Rabs_pos_eq in A by lra.
    assert (X : K * (y * (g z - r)) <= K * (y * g z)) by (apply Rmult_le_compat_l; [exact K0|]; apply Rmult_le_compat_l; lra).
    assert (A' : phi (y * g z) <= phi (y * r) + K * (y * g z)) by lra.
    apply Rmult_le_compat_l with (r := Gaussian.mu0 ss z) in A'; [|lra]. lra. }
  assert (Bs1 := scaled_le righty _ B1). assert (Bs2 := scaled_le righty _ B2).
  assert (PT : Ptail (place right) <= (1 - qq) * e1 + qq * e2).
  { unfold Ptail, ScoreCells.mix_tail. apply Rplus_le_compat; apply Rmult_le_compat_l; lra. }
  assert (Ky : 0 <= K * y) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (one * (phi (y * r) * e1 + K * y * ((1 - qq) * e1 + qq * e2))).
  - apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := La).
    apply Rplus_le_compat; apply Rmult_le_compat_l; assumption.
  - unfold psi, per_mass. fold r.
    replace (one * (phi (y * r) * e1 + K * y * ((1 - qq) * e1 + qq * e2)))
      with (one * (e1 * r) * (phi (y * r) / r) + one * ((1 - qq) * e1 + qq * e2) * (K * y)) by (field; lra).
    rewrite (Rmult_plus_distr_l (IZR righty)). apply Rplus_le_compat; apply Rmult_le_compat_r; try assumption.
    apply Rmult_le_pos; [exact N|left; apply Rinv_0_lt_compat, r0].
Qed.
End Test.

(** One step has this upper bound. *)
Theorem upper_step (base left : Z) (l : list dots) (low_end high_end lefty righty : Z) :
  fit_dots base left l = true -> fit_tails base left l low_end high_end lefty righty = true ->
  upper k qq ss h 1 (one_step base l low_end high_end lefty righty).
Proof.
  intros E1 E. unfold fit_tails in E. cbv zeta in E. set (right := end_dots left l) in *.
  repeat (apply andb_prop in E; let E1 := fresh E in destruct E as [E1 E]).
  apply Z.leb_le in E0. apply Z.leb_le in E2. apply Z.leb_le in E3. apply Z.leb_le in E4. apply Z.leb_le in E5. apply Z.leb_le in E6.
  assert (TL := LatticeCells.tail_sound o enc H bits unit sigma left).
  assert (TR := LatticeCells.tail_sound o enc H bits unit sigma right).
  assert (TR1 := LatticeCells.tail_sound o enc H bits unit sigma (right - unit)).
  assert (GL := s_at_most (H bits) _ _ _ _ (ratio_sound left) (node_sound low_end) E7).
  assert (GR := s_at_most (H bits) _ _ _ _ (node_sound high_end) (ratio_sound right) E8).
  assert (BL := s_at_most (H bits) _ _ _ _ (s_mul (H bits) _ _ _ _ TL (node_sound low_end)) (unscaled_sound lefty) E9).
  assert (BR := s_at_most (H bits) _ _ _ _ (s_mul (H bits) _ _ _ _ TR (node_sound high_end)) (unscaled_sound righty) E10).
  assert (BM := s_at_most (H bits) _ _ _ _ (s_add (H bits) _ _ _ _
    (s_mul (H bits) _ _ _ _ (s_sub (H bits) _ _ _ _ (s_ofZ (H bits) 1) (s_rat _ _ (H bits) q)) TR)
    (s_mul (H bits) _ _ _ _ (s_rat _ _ (H bits) q) TR1)) (unscaled_sound righty) E).
  assert (CB := fun K phi y Ht Hy => cells_bound K phi y Ht Hy base l left E1). fold right in CB.
  split; [|split].
  - cbn [one_step masses]. apply nonneg_deposit; [exact E6|]. apply nonneg_deposit; [exact E5|].
    exact (proj2 (CB 1 _ 1 (StepDomination.hockey_test 1) Rlt_0_1)).
  - cbn [one_step spill]. lia.
  - intros K phi y Ht Hy. change (steps qq ss 1 phi) with (StepDomination.advance qq ss phi).
    cbn [one_step masses origin spill]. rewrite !weigh_deposit, !Z2Nat.id by lia.
    replace (base + (low_end - base))%Z with low_end by lia. replace (base + (high_end - base))%Z with high_end by lia.
    destruct (CB K phi y Ht Hy) as [C _].
    destruct (HalfLine.int_line_split _ (place left) _ (F_continuous K phi y Ht Hy) (F_nonneg K phi y Ht Hy) (F_line K phi y Ht Hy))
      as [l1 [l2 [I1 [I2 Sum]]]].
    rewrite (HalfLine.int_right_unique _ _ _ _ I2 (Ftail_is K phi y Ht Hy (place left))) in Sum.
    assert (A := left_bound K phi y Ht Hy left low_end lefty l1 E0 GL BL I1).
    assert (B := right_bound K phi y Ht Hy right high_end righty E2 GR BR BM).
    rewrite Sum, plus_IZR. fold one in C, A, B |- *. lra.
Qed.

(** * Levels *)

Definition wider (a : ulevel) (w : Z * Z) : Z * Z := if halves a then ((2 * fst w)%Z, snd w) else w.
Definition fit_level (w : Z * Z) (a : ulevel) : bool :=
  let e := expo m (rat m w) in let s := add m (ofZ m 1) e in
  ((negb (halves a) || (at_most m (div m (ofZ m 1) s) (unscaled (fst (shares a)))
      && at_most m (div m e s) (unscaled (snd (shares a)))))
   && at_most m (expo m (rat m (wider a w))) (unscaled (growth a)))%bool.
Fixpoint fit_levels (w : Z * Z) (l : list ulevel) : bool :=
  match l with
  | nil => true
  | a :: r => match r with nil => true | _ => (fit_level w a && fit_levels (wider a w) r)%bool end
  end.
Fixpoint last_pair (l : list ulevel) (w : Z * Z) : Z * Z :=
  match l with nil => w | a :: nil => w | a :: r => last_pair r (wider a w) end.

Lemma wider_ratio (a : ulevel) (w : Z * Z) : ratio_of (wider a w) = width_after a (ratio_of w).
Proof. unfold wider, width_after. destruct (halves a); [|reflexivity]. unfold ratio_of. cbn [fst snd]. rewrite mult_IZR. unfold Rdiv. ring. Qed.

Lemma level_sound (w : Z * Z) (a : ulevel) : fit_level w a = true -> fair k a (ratio_of w).
Proof.
  intros E. unfold fit_level in E. cbv zeta in E. apply andb_prop in E. destruct E as [E1 E2].
  assert (O := one_positive). assert (X := s_expo (H bits) _ _ (s_rat _ _ (H bits) w)).
  assert (S := s_add (H bits) _ _ _ _ (s_ofZ (H bits) 1) X). split.
  - intros Ha. rewrite Ha in E1. cbn [negb orb] in E1. apply andb_prop in E1. destruct E1 as [F1 F2].
    assert (B1 := s_at_most (H bits) _ _ _ _ (s_div (H bits) _ _ _ _ (s_ofZ (H bits) 1) S) (unscaled_sound (fst (shares a))) F1).
    assert (B2 := s_at_most (H bits) _ _ _ _ (s_div (H bits) _ _ _ _ X S) (unscaled_sound (snd (shares a))) F2).
    apply scaled_le in B1. apply scaled_le in B2. fold one.
    split; [unfold Rdiv in B1; rewrite Rmult_1_l in B1|]; lra.
  - assert (B := s_at_most (H bits) _ _ _ _ (s_expo (H bits) _ _ (s_rat _ _ (H bits) (wider a w))) (unscaled_sound (growth a)) E2).
    apply scaled_le in B. fold one. rewrite <- wider_ratio. lra.
Qed.

Lemma levels_sound (l : list ulevel) : forall w, fit_levels w l = true ->
  all_fair k l (ratio_of w) /\ last_width l (ratio_of w) = ratio_of (last_pair l w).
Proof.
  induction l as [|a l IH]; intros w E; [split; [exact I|reflexivity]|].
  destruct l as [|b l]; [split; [exact I|reflexivity]|].
  change (fit_levels w (a :: b :: l)) with (fit_level w a && fit_levels (wider a w) (b :: l))%bool in E.
  apply andb_prop in E. destruct E as [E1 E2]. destruct (IH _ E2) as [A B]. rewrite wider_ratio in A, B.
  split; [split; [exact (level_sound w a E1)|exact A]|exact B].
Qed.

(** * The two hockey sticks *)

(** s times the width is at most eps, decided in whole numbers. *)
Definition small (w eps : Z * Z) (s : Z) : bool := Z.leb (fst w * s * snd eps) (fst eps * snd w).

Lemma small_sound (w eps : Z * Z) (s : Z) : (0 < snd w)%Z -> (0 < snd eps)%Z ->
  if small w eps s then ratio_of w * IZR s <= ratio_of eps else ratio_of eps <= ratio_of w * IZR s.
Proof.
  intros Pw Pe. apply IZR_lt in Pw. apply IZR_lt in Pe. unfold small, ratio_of.
  assert (I1 := Rinv_0_lt_compat _ Pw). assert (I2 := Rinv_0_lt_compat _ Pe).
  assert (E : forall x z, x / IZR (snd w) * z = x * z * IZR (snd eps) * (/ IZR (snd w) * / IZR (snd eps))) by (intros; field; lra).
  assert (E' : forall x, x / IZR (snd eps) = x * IZR (snd w) * (/ IZR (snd w) * / IZR (snd eps))) by (intros; field; lra).
  rewrite E, E'. assert (J : 0 <= / IZR (snd w) * / IZR (snd eps)) by (apply Rmult_le_pos; lra).
  destruct (Z.leb_spec (fst w * s * snd eps) (fst eps * snd w)) as [L|L].
  - apply Rmult_le_compat_r; [exact J|]. apply IZR_le in L. rewrite !mult_IZR in L. exact L.
  - apply Rmult_le_compat_r; [exact J|]. apply IZR_lt in L. rewrite !mult_IZR in L. lra.
Qed.

Fixpoint forward_in (w eps : Z * Z) (s : Z) (l : list Z) : T :=
  match l with
  | nil => ofZ m 0
  | a :: r => let rest := forward_in w eps (s + 1) r in
    if small w eps s then rest
    else add m (mul m (ofZ m a) (sub m (ofZ m 1) (expo m (sub m (rat m eps) (mul m (rat m w) (ofZ m s)))))) rest
  end.
Fixpoint backward_in (w eps : Z * Z) (s : Z) (l : list Z) : T :=
  match l with
  | nil => ofZ m 0
  | a :: r => let rest := backward_in w eps (s + 1) r in
    if small w eps (- s) then rest
    else add m (mul m (ofZ m a) (sub m (expo m (mul m (rat m w) (ofZ m (- s)))) (expo m (rat m eps)))) rest
  end.

Lemma forward_sound (w eps : Z * Z) : (0 < snd w)%Z -> (0 < snd eps)%Z -> forall l s,
  enc (forward_in w eps s l) (weigh l s (per_mass (ratio_of w) (fun y => Rmax 0 (y - exp (ratio_of eps))) 1)).
Proof.
  intros Pw Pe. induction l as [|a l IH]; intros s; [apply (s_ofZ (H bits))|]. cbn [forward_in weigh].
  assert (D := small_sound w eps s Pw Pe). assert (N := node_pos (ratio_of w) s).
  assert (E : per_mass (ratio_of w) (fun y => Rmax 0 (y - exp (ratio_of eps))) 1 s
    = if small w eps s then 0 else 1 - exp (ratio_of eps - ratio_of w * IZR s)).
  { unfold per_mass. rewrite Rmult_1_l. destruct (small w eps s).
    - rewrite Rmax_left; [unfold Rdiv; ring|]. unfold node. apply RealAnalysis.exp_le in D. lra.
    - unfold Rminus at 3. rewrite exp_plus, exp_Ropp. fold (node (ratio_of w) s).
      rewrite Rmax_right; [field; lra|]. apply RealAnalysis.exp_le in D. fold (node (ratio_of w) s) in D. lra. }
  rewrite E. destruct (small w eps s); [rewrite Rmult_0_r, Rplus_0_l; apply IH|].
  apply (s_add (H bits)); [|apply IH]. apply (s_mul (H bits)); [apply (s_ofZ (H bits))|].
  apply (s_sub (H bits)); [apply (s_ofZ (H bits))|]. apply (s_expo (H bits)), (s_sub (H bits)); [apply (s_rat _ _ (H bits))|].
  apply (s_mul (H bits)); [apply (s_rat _ _ (H bits))|apply (s_ofZ (H bits))].
Qed.

Lemma backward_sound (w eps : Z * Z) : (0 < snd w)%Z -> (0 < snd eps)%Z -> forall l s,
  enc (backward_in w eps s l) (weigh l s (per_mass (ratio_of w) (fun y => Rmax 0 (1 - exp (ratio_of eps) * y)) 1)).
Proof.
  intros Pw Pe. induction l as [|a l IH]; intros s; [apply (s_ofZ (H bits))|]. cbn [backward_in weigh].
  assert (D := small_sound w eps (- s) Pw Pe). assert (N := node_pos (ratio_of w) s).
  assert (M : exp (ratio_of w * IZR (- s)) = / node (ratio_of w) s).
  { unfold node. rewrite <- exp_Ropp, opp_IZR. f_equal. ring. }
  assert (E : per_mass (ratio_of w) (fun y => Rmax 0 (1 - exp (ratio_of eps) * y)) 1 s
    = if small w eps (- s) then 0 else exp (ratio_of w * IZR (- s)) - exp (ratio_of eps)).
  { unfold per_mass. rewrite Rmult_1_l. rewrite M. destruct (small w eps (- s)).
    - rewrite Rmax_left; [unfold Rdiv; ring|]. apply RealAnalysis.exp_le in D. rewrite M in D.
      apply Rmult_le_compat_r with (r := node (ratio_of w) s) in D; [|lra]. rewrite Rinv_l in D by lra. lra.
    - rewrite Rmax_right; [field; lra|]. apply RealAnalysis.exp_le in D. rewrite M in D.
      apply Rmult_le_compat_r with (r := node (ratio_of w) s) in D; [|lra]. rewrite Rinv_l in D by lra. lra. }
  rewrite E. destruct (small w eps (- s)); [rewrite Rmult_0_r, Rplus_0_l; apply IH|].
  apply (s_add (H bits)); [|apply IH]. apply (s_mul (H bits)); [apply (s_ofZ (H bits))|].
  apply (s_sub (H bits)); apply (s_expo (H bits)); [|apply (s_rat _ _ (H bits))].
  apply (s_mul (H bits)); [apply (s_rat _ _ (H bits))|apply (s_ofZ (H bits))].
Qed.

(** * The certificate *)

Definition certifies (base left low_end high_end lefty righty : Z) (l : list dots) (levels : list ulevel) (eps delta : Z * Z) : bool :=
  let v := climb k levels (one_step base l low_end high_end lefty righty) (unothing k) in
  let w := last_pair levels width in let room := mul m (rat m delta) (ofZ m (2 ^ k)) in
  (Z.ltb 0 (snd w) && (Z.ltb 0 (snd eps) && (fit_levels width levels
   && (fit_dots base left l && (fit_tails base left l low_end high_end lefty righty
   && (at_most m (add m (forward_in w eps (origin v) (masses v)) (ofZ m (spill v))) room
   && at_most m (add m (backward_in w eps (origin v) (masses v)) (mul m (expo m (rat m eps)) (ofZ m (spill v)))) room))))))%bool.

Theorem dp_by_dots (base left low_end high_end lefty righty : Z) (l : list dots) (levels : list ulevel) (eps delta : Z * Z) :
  certifies base left low_end high_end lefty righty l levels eps delta = true ->
  forall (U : Type) (d : nat) (f : nat -> point -> list U -> point), steps_sensitivity_1 d f -> steps_continuous f ->
  is_DP_space (Z.to_nat (ucount levels) * d)
    (run (fun _ => ratio_of q) (fun _ => ratio_of sigma) d f (Z.to_nat (ucount levels))) (ratio_of eps) (ratio_of delta).
Proof.
  intros C U d f Hf Cf. unfold certifies in C. cbv zeta in C. set (v := climb k levels _ _) in C. set (w := last_pair levels width) in C.
  repeat (apply andb_prop in C; let C1 := fresh C in destruct C as [C1 C]).
  apply Z.ltb_lt in C0. apply Z.ltb_lt in C1. destruct (levels_sound levels width C2) as [A W].
  assert (V := upper_climb k Hk qq ss rate_range Hs levels h 1 0 _ _ Hw A (upper_step base left l _ _ _ _ C3 C4) (upper_nothing k Hk qq ss h)).
  fold v in V. rewrite Nat.add_0_l, Nat.mul_1_l in V. unfold h in V. rewrite W in V. fold w in V.
  destruct V as [_ [_ V]]. assert (O := one_positive). fold one in V.
  assert (Room := s_mul (H bits) _ _ _ _ (s_rat _ _ (H bits) delta) (s_ofZ (H bits) (2 ^ k))). fold one in Room.
  assert (E := s_expo (H bits) _ _ (s_rat _ _ (H bits) eps)). assert (E0 := exp_pos (ratio_of eps)).
  assert (Cf' := proj1 (RunSchedule.continuous_in_outputs_iff f) Cf).
  apply (RunDomination.dp_of_pair (fun _ => qq) (fun _ => ss) (fun _ => rate_range) (fun _ => Hs) d f Cf' Hf).
  - assert (B := s_at_most (H bits) _ _ _ _ (s_add (H bits) _ _ _ _ (forward_sound w eps C0 C1 (masses v) (origin v)) (s_ofZ (H bits) (spill v))) Room C5).
    assert (X := V 1 _ 1 (StepDomination.hockey_test (exp (ratio_of eps))) Rlt_0_1).
    apply Rmult_le_reg_l with one; [exact O|]. unfold steps in X. lra.
  - assert (B := s_at_most (H bits) _ _ _ _ (s_add (H bits) _ _ _ _ (backward_sound w eps C0 C1 (masses v) (origin v))
      (s_mul (H bits) _ _ _ _ E (s_ofZ (H bits) (spill v)))) Room C).
    assert (X := V (exp (ratio_of eps)) _ 1 (StepDomination.hockey_test_back (exp (ratio_of eps)) ltac:(lra)) Rlt_0_1).
    apply Rmult_le_reg_l with one; [exact O|]. unfold steps in X. lra.
Qed.
End Step.

(** The same with numbers as a statement writes them. *)
Theorem tight_certificate {T : Type} (o : Z -> arithmetic T) (enc : T -> R -> Prop) (H : forall bits, sound (o bits) enc)
  (bits k unit : Z) (Q S width : Z * Z) (base left low_end high_end lefty righty : Z) (l : list dots) (levels : list ulevel)
  (E D : Z * Z) (steps : Z) (q sigma eps delta : R) :
  q = ratio_of Q -> sigma = ratio_of S -> eps = ratio_of E -> delta = ratio_of D ->
  0 < q <= 1 -> 0 < sigma -> 0 < ratio_of width -> Z.ltb 0 unit = true -> Z.leb 0 k = true -> Z.eqb (ucount levels) steps = true ->
  certifies o bits k unit Q S width base left low_end high_end lefty righty l levels E D = true ->
  forall (U : Type) (d : nat) (f : nat -> point -> list U -> point), steps_sensitivity_1 d f -> steps_continuous f ->
  is_DP_space (Z.to_nat steps * d) (run (fun _ => q) (fun _ => sigma) d f (Z.to_nat steps)) eps delta.
Proof.
  intros -> -> -> -> Hq Hs Hw Hu Hk Hc. apply Z.ltb_lt in Hu. apply Z.leb_le in Hk. apply Z.eqb_eq in Hc. subst steps.
  exact (dp_by_dots o enc H bits k unit Q S width Hq Hs Hu Hk Hw base left low_end high_end lefty righty l levels E D).
Qed.

(** What is shown at an epsilon is shown at every larger one, so that the lattice may be asked about a smaller one. *)
Theorem larger_epsilon (steps : Z) (q sigma smaller eps delta : R) : 0 <= q <= 1 -> 0 < sigma -> smaller <= eps ->
  (forall (U : Type) (d : nat) (f : nat -> point -> list U -> point), steps_sensitivity_1 d f -> steps_continuous f ->
    is_DP_space (Z.to_nat steps * d) (run (fun _ => q) (fun _ => sigma) d f (Z.to_nat steps)) smaller delta) ->
  forall (U : Type) (d : nat) (f : nat -> point -> list U -> point), steps_sensitivity_1 d f -> steps_continuous f ->
  is_DP_space (Z.to_nat steps * d) (run (fun _ => q) (fun _ => sigma) d f (Z.to_nat steps)) eps delta.
Proof.
  intros Hq Hs E K U d f Hf Cf S S' A. destruct (K U d f Hf Cf S S' A) as [l [Il B]].
  destruct (run_hockey_exists (fun _ => q) (fun _ => sigma) d f (fun _ => Hq) (fun _ => Hs) Cf (Z.to_nat steps) eps S S')
    as [l' Il'].
  exists l'. split; [exact Il'|]. apply Rle_trans with (2 := B).
  refine (SpaceIntegral.int_space_le _ _ _ _ _ _ Il' Il). intros x. unfold hockey.
  apply Rle_max_compat_l, Rplus_le_compat_l, Ropp_le_contravar, Rmult_le_compat_r; [|apply RealAnalysis.exp_le, E].
  left. exact (proj1 (run_density (fun _ => q) (fun _ => sigma) d f (fun _ => Hq) (fun _ => Hs) Cf _ S') x).
Qed.
