(** Refutations of histories on a lattice: the steps of each phase are doubled on a lattice of their own, brought to one
    that all phases share, and the phases are joined. *)
From Coq Require Import Reals Lra Lia ZArith List Bool.
From SGM Require Import Statements StatementsRun.
From SGM Require Integral AB Gaussian ScoredEvent.
From SGMV Require Import Arithmetic Integrator Products Lattice LatticeCells RunCertificate RunPhases.
Open Scope R_scope.

(** A phase: its numbers, the cells of one output, how blocks are doubled, how its scores are brought to the common
    lattice, and how the sum with the later phases is clipped. *)
Record stretch : Type := Stretch {
  rate : Z * Z; noise : Z * Z; unit_of : Z; left_of : Z; base_of : Z; first_of : cell; cells_of : list cell;
  levels_of : list level; common : level; kept : level }.

(** The rate 0 releases nothing: every score is 0. *)
Definition silent (s : stretch) : bool := Z.eqb (fst (rate s)) 0.

Definition block_of (k : Z) (s : stretch) : vectors :=
  if silent s then nothing k
  else squash_to (common s) (doubled k (levels_of s)
    (Vectors (base_of s + 1) (vector_of low (first_of s :: cells_of s)) (vector_of high (first_of s :: cells_of s))) (nothing k)).
Fixpoint joined (k : Z) (l : list stretch) : vectors :=
  match l with nil => nothing k | s :: r => squash_to (kept s) (join k (block_of k s) (joined k r)) end.

(** The numbers of the phases are those of the history. *)
Fixpoint described (l : list (Z * R * R)) (p : list stretch) : Prop :=
  match l, p with
  | nil, nil => True
  | (N, q, sigma) :: l', s :: p' => Z.eqb (count_of (levels_of s)) N = true /\ q = ratio_of (rate s) /\ sigma = ratio_of (noise s) /\
      0 <= q <= 1 /\ 0 < sigma /\ described l' p'
  | _, _ => False
  end.

Lemma described_proper (l : list (Z * R * R)) : forall p, described l p -> proper l.
Proof.
  induction l as [|[[N q] sigma] l IH]; intros [|s p] H; try contradiction; [exact Logic.I|].
  destruct H as [E [_ [_ [Hq [Hs H]]]]]. apply Z.eqb_eq in E. assert (C := count_nonneg (levels_of s)).
  split; [apply Z.leb_le; lia|]. split; [exact Hq|]. split; [exact Hs|exact (IH p H)].
Qed.

Section Refuting.
Context {T : Type} (o : Z -> arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : forall bits, sound (o bits) enc.
Variables (bits k : Z).
Hypothesis Hk : (0 <= k)%Z.
Let m := o bits.
Let one := IZR (2 ^ k).

Definition sound_stretch (s : stretch) : bool :=
  (Z.leb 1 (divisor (common s)) && (Z.leb 1 (divisor (kept s))
   && (silent s || (Z.ltb 0 (fst (rate s)) && (Z.ltb 0 (snd (rate s)) && (Z.ltb 0 (unit_of s) && (divides (levels_of s)
     && fit_all o bits k (unit_of s) (rate s) (noise s) (left_of s) (first_of s) (cells_of s))))))))%bool.
Definition refutes_phases (cut : Z) (p : list stretch) (eps delta : Z * Z) : bool :=
  let v := joined k p in
  (forallb sound_stretch p
   && less m (add m (mul m (expo m (rat m eps)) (ofZ m (total_from cut (start v) (highs v)))) (mul m (rat m delta) (ofZ m (2 ^ k))))
        (ofZ m (total_from cut (start v) (lows v))))%bool.

(** Steps at the rate 0. *)
Lemma silent_scored (sigma : R) (n t : nat) : 0 < sigma -> phase_scored t 0 sigma n (fun h => h 0%Z) (fun h => h 0%Z).
Proof.
  intros Hs. unfold phase_scored.
  assert (E : AB.mu 0 sigma = Gaussian.mu0 sigma).
  { apply FunctionalExtensionality.functional_extensionality. intros z. unfold AB.mu. ring. }
  rewrite E. induction t as [|t IH]; [apply ScoredEvent.pair_none|].
  assert (S1 : ScoredEvent.scored_by (Gaussian.mu0 sigma) (fun _ => 0%Z) (fun h => h 0%Z)).
  { intros h. assert (I := Integral.int_line_scal _ (h 0%Z) _ (Gaussian.mu0_normalised sigma Hs)).
    rewrite Rmult_1_r in I. exact I. }
  rewrite <- Nat.add_1_l.
  exact (ScoredEvent.pair_join _ n _ _ 1 t _ _ _ _ (ScoredEvent.pair_one (fun _ => sigma) n (fun _ => Gaussian.mu0 sigma)
    (fun _ => Gaussian.mu0 sigma) _ _ _ Hs S1 S1) IH).
Qed.

Lemma bounded_block (n : nat) (s : stretch) : sound_stretch s = true -> 0 <= ratio_of (rate s) <= 1 -> 0 < ratio_of (noise s) ->
  bounded k (ratio_of (noise s)) n (AB.mu (ratio_of (rate s)) (ratio_of (noise s))) (Gaussian.mu0 (ratio_of (noise s)))
    (Z.to_nat (count_of (levels_of s))) (block_of k s).
Proof.
  intros K Hq Hs. unfold sound_stretch in K. apply andb_prop in K. destruct K as [K1 K].
  apply andb_prop in K. destruct K as [_ K]. apply Z.leb_le in K1. unfold block_of. destruct (silent s) eqn:Z0.
  - apply Z.eqb_eq in Z0. assert (E : ratio_of (rate s) = 0) by (unfold ratio_of; rewrite Z0; unfold Rdiv; ring).
    rewrite E. exists (fun h => h 0%Z), (fun h => h 0%Z). split; [exact (silent_scored _ n _ Hs)|].
    assert (N : nonneg (2 ^ k :: nil)%Z) by (intros x [<-|[]]; apply Z.pow_nonneg; lia).
    split; (split; [intros h Hh; apply Hh|]); (split; [exact N|]); intros h _; simpl; lra.
  - cbn [orb] in K. do 4 (apply andb_prop in K; let K0 := fresh in destruct K as [K0 K]).
    apply Z.ltb_lt in H0, H1, H2.
    assert (Hq' : 0 < ratio_of (rate s) <= 1).
    { split; [|apply Hq]. apply Rdiv_lt_0_compat; apply IZR_lt; assumption. }
    apply bounded_squash; [exact K1|].
    assert (B := bounded_doubled k Hk (ratio_of (noise s)) n _ _ (levels_of s) H3 1 0 _ _
      (bounded_step o enc H bits k (unit_of s) (rate s) (noise s) Hq' Hs H2 Hk n (left_of s) (base_of s) (first_of s) (cells_of s) K)
      (bounded_nothing k (ratio_of (noise s)) n _ _)).
    rewrite Nat.add_0_l, Nat.mul_1_l in B. exact B.
Qed.

(** The score of a history, with its bounds. *)
Definition bounded_history (l : list (Z * R * R)) (n : nat) (v : vectors) : Prop := exists C C',
  history_scored l n C C' /\ law_above k (start v) (lows v) C /\ law_below k (start v) (highs v) C'.

Lemma bounded_joined (n : nat) (p : list stretch) : forallb sound_stretch p = true -> forall l, described l p ->
  bounded_history l n (joined k p).
Proof.
  induction p as [|s p IH]; intros K [|[[N q] sigma] l] D; try contradiction.
  - exists (fun h => h 0%Z), (fun h => h 0%Z). split; [apply history_none|].
    assert (P : nonneg (2 ^ k :: nil)%Z) by (intros x [<-|[]]; apply Z.pow_nonneg; lia).
    split; (split; [intros h Hh; apply Hh|]); (split; [exact P|]); intros h _; simpl; lra.
  - cbn [forallb] in K. apply andb_prop in K. destruct K as [K1 K].
    destruct D as [E [-> [-> [Hq [Hs D]]]]]. apply Z.eqb_eq in E. subst N.
    destruct (bounded_block n s K1 Hq Hs) as [C [C' [HC [A B]]]].
    destruct (IH K l D) as [F [F' [HF [A' B']]]].
    assert (G := history_cons _ _ _ l n _ _ _ _ (count_nonneg (levels_of s)) (steps_nonneg l (described_proper l p D)) HC HF).
    assert (X := join_above k Hk _ _ _ _ _ C F (product_right _ _) A A'). assert (Y := join_below k Hk _ _ _ _ _ C' F' (product_right _ _) B B').
    assert (Hm : (1 <= divisor (kept s))%Z).
    { unfold sound_stretch in K1. apply andb_prop in K1. destruct K1 as [_ K1]. apply andb_prop in K1.
      apply Z.leb_le, K1. }
    set (phi := clip (divisor (kept s)) (offset (kept s)) (least (kept s)) (most (kept s))).
    assert (W : forall t, phi (t + 1)%Z = phi t \/ phi (t + 1)%Z = (phi t + 1)%Z) by exact (clip_climbs _ _ _ _ Hm).
    destruct X as [PX [NX HX]]. destruct Y as [PY [NY HY]].
    exists (fun h => C (fun a => F (fun b => h (phi (a + b)%Z)))), (fun h => C' (fun a => F' (fun b => h (phi (a + b)%Z)))).
    split; [exact (ScoredEvent.pair_relabel phi _ n _ _ _ _ _ G)|].
    cbn [joined]. unfold squash_to, squash. fold phi. unfold join. cbn [start lows highs].
    split; (split; [intros h Hh; first [apply (PX (fun s => h (phi s)))|apply (PY (fun s => h (phi s)))]; intros t; apply Hh|]);
      (split; [apply nonneg_regroup; [assumption|lia]|]); intros h Hh;
      rewrite (regroup_weigh _ W) by (left; reflexivity); rewrite Rmult_0_l, Rplus_0_l;
      first [apply (HX (fun s => h (phi s)))|apply (HY (fun s => h (phi s)))]; intros t; apply Hh.
Qed.

Theorem history_refutation (cut : Z) (p : list stretch) (E D : Z * Z) (l : list (Z * R * R)) (eps delta : R) :
  described l p -> eps = ratio_of E -> delta = ratio_of D -> refutes_phases cut p E D = true ->
  forall (U : Type) (u : U) (n : nat), exists f : nat -> point -> list U -> point,
    steps_sensitivity_1 (S n) f /\ steps_continuous f /\
    ~ is_DP_tests (Z.to_nat (steps_of l) * S n) (run_phases l (S n) f) eps delta.
Proof.
  intros Dl -> -> K U u n. unfold refutes_phases in K. cbv zeta in K. apply andb_prop in K. destruct K as [Kp K].
  destruct (bounded_joined n p Kp l Dl) as [C [C' [S1 [[_ [_ A]] [_ [_ B]]]]]].
  set (v := joined k p) in *.
  assert (P : forall s, 0 <= reaches cut s) by (intros s; unfold reaches; destruct (Z.leb cut s); lra).
  specialize (A _ P). specialize (B _ P). rewrite <- total_from_weigh in A. rewrite <- total_from_weigh in B.
  assert (L := s_less (H bits) _ _ _ _
    (s_add (H bits) _ _ _ _ (s_mul (H bits) _ _ _ _ (s_expo (H bits) _ _ (s_rat _ _ (H bits) E)) (s_ofZ (H bits) _))
      (s_mul (H bits) _ _ _ _ (s_rat _ _ (H bits) D) (s_ofZ (H bits) _))) (s_ofZ (H bits) _) K).
  assert (O : 0 < one) by (apply IZR_lt, Z.pow_pos_nonneg; [lia|exact Hk]). fold one in L, A, B.
  assert (X := exp_pos (ratio_of E)).
  apply (history_not_dp l U u n C C' (ratio_of E) (ratio_of D) (reaches cut) S1).
  - intros s. unfold reaches. destruct (Z.leb cut s); lra.
  - apply Rmult_lt_reg_l with one; [exact O|].
    assert (Y : exp (ratio_of E) * (one * C' (reaches cut)) <= exp (ratio_of E) * IZR (total_from cut (start v) (highs v)))
      by (apply Rmult_le_compat_l; lra).
    lra.
Qed.
End Refuting.
