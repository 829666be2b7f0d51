(** The sampled mechanism on finite data sets, for any additive noise.

    A data set is a list of records of any type and f a function of such lists;
    every function of finite sets is of this kind.  Each record is kept with
    probability q, so the output density is the sum over the sublists T of S of
    q^|T| (1-q)^(|S|-|T|) times the noise density around f(T).  Proved here: if S'
    is S with one record x inserted, then the outputs on S and S' are mixtures
    with the same weights w of pairs  N(m)  and  (1-q) N(m) + q N(m'),  where m and
    m' are values of f on two lists that differ by x only. *)

From Coq Require Import Reals Lra List PeanoNat.
Import ListNotations.
Open Scope R_scope.

Definition sum_over {I : Type} (L : list I) (w : I -> R) : R := fold_right Rplus 0 (map w L).

Fixpoint sublists {U : Type} (S : list U) : list (list U) :=
  match S with
  | [] => [[]]
  | x :: rest => map (cons x) (sublists rest) ++ sublists rest
  end.

Definition keep_probability {U : Type} (q : R) (S T : list U) : R :=
  q ^ length T * (1 - q) ^ (length S - length T).

(** Claim R1: the output density of the mechanism on S. *)
Definition mechanism {U V X : Type} (noise : V -> X -> R) (q : R) (f : list U -> V)
  (S : list U) (z : X) : R :=
  sum_over (sublists S) (fun T => keep_probability q S T * noise (f T) z).

(** [adjacent S S']: S' is S with one record inserted. *)
Definition adjacent {U : Type} (S S' : list U) : Prop :=
  exists (S1 S2 : list U) (x : U), S = S1 ++ S2 /\ S' = S1 ++ x :: S2.

(** * Finite sums *)

Section Sums.
Context {I : Type}.

Lemma sum_over_app (L1 L2 : list I) (w : I -> R) :
  sum_over (L1 ++ L2) w = sum_over L1 w + sum_over L2 w.
Proof.
  induction L1 as [|i L1 IH]; unfold sum_over in *; simpl; [ring|]. rewrite IH. ring.
Qed.

Lemma sum_over_ext (L : list I) (w v : I -> R) :
  (forall i, In i L -> w i = v i) -> sum_over L w = sum_over L v.
Proof.
  intros H. unfold sum_over. f_equal. apply map_ext_in. exact H.
Qed.

Lemma sum_over_scal (L : list I) (k : R) (w : I -> R) :
  sum_over L (fun i => k * w i) = k * sum_over L w.
Proof.
  induction L as [|i L IH]; unfold sum_over in *; simpl; [ring|]. rewrite IH. ring.
Qed.

Lemma sum_over_plus (L : list I) (w v : I -> R) :
  sum_over L (fun i => w i + v i) = sum_over L w + sum_over L v.
Proof.
  induction L as [|i L IH]; unfold sum_over in *; simpl; [ring|]. rewrite IH. ring.
Qed.

Lemma sum_over_le (L : list I) (w v : I -> R) :
  (forall i, In i L -> w i <= v i) -> sum_over L w <= sum_over L v.
Proof.
  induction L as [|i L IH]; unfold sum_over in *; simpl; intros H; [lra|].
  apply Rplus_le_compat; [apply H; left; reflexivity|apply IH; intros j Hj; apply H; right; exact Hj].
Qed.

Lemma sum_over_nonneg (L : list I) (w : I -> R) :
  (forall i, In i L -> 0 <= w i) -> 0 <= sum_over L w.
Proof.
  intros H. assert (K := sum_over_le L (fun i => 0 * w i) w).
  rewrite sum_over_scal, Rmult_0_l in K. apply K.
  intros i Hi. rewrite Rmult_0_l. apply H, Hi.
Qed.

Lemma sum_over_map {J : Type} (g : J -> I) (L : list J) (w : I -> R) :
  sum_over (map g L) w = sum_over L (fun j => w (g j)).
Proof. unfold sum_over. rewrite map_map. reflexivity. Qed.
End Sums.

(** * One record at a time *)

Section Mechanism.
Context {U V X : Type}.
Variable noise : V -> X -> R.
Variable q : R.

Lemma sublists_length (S T : list U) : In T (sublists S) -> (length T <= length S)%nat.
Proof.
  revert T. induction S as [|x S IH]; simpl; intros T H.
  - destruct H as [H|[]]. subst T. apply le_n.
  - apply in_app_or in H. destruct H as [H|H].
    + apply in_map_iff in H. destruct H as [T' [E H]]. subst T. simpl. apply le_n_S, IH, H.
    + apply le_S, IH, H.
Qed.

(** Claim R2: the record at the front is kept with probability q. *)
Lemma mechanism_cons (f : list U -> V) (x : U) (S : list U) (z : X) :
  mechanism noise q f (x :: S) z =
  q * mechanism noise q (fun T => f (x :: T)) S z + (1 - q) * mechanism noise q f S z.
Proof.
  unfold mechanism. simpl. rewrite sum_over_app, sum_over_map, <- !sum_over_scal. f_equal.
  - apply sum_over_ext. intros T _. unfold keep_probability. simpl. ring.
  - apply sum_over_ext. intros T HT. unfold keep_probability.
    assert (L := sublists_length S T HT). simpl length. rewrite Nat.sub_succ_l by exact L. simpl. ring.
Qed.

Lemma keep_probability_nonneg (S T : list U) : 0 <= q <= 1 -> 0 <= keep_probability q S T.
Proof. intros Hq. apply Rmult_le_pos; apply pow_le; lra. Qed.
End Mechanism.

Lemma keep_probability_total {U : Type} (q : R) (S : list U) :
  sum_over (sublists S) (keep_probability q S) = 1.
Proof.
  assert (H : forall S : list U, mechanism (fun (_ : unit) (_ : unit) => 1) q (fun _ => tt) S tt = 1).
  { intros S'. induction S' as [|x S' IH].
    - unfold mechanism, sum_over, keep_probability. simpl. ring.
    - rewrite mechanism_cons. rewrite IH. ring. }
  rewrite <- (H S). unfold mechanism. apply sum_over_ext. intros T _. ring.
Qed.

(** * Adjacent data sets give coupled mixtures *)

(** A branch: its weight, the centre without x and the centre with x. *)
Record branch (V : Type) : Type := Branch { weight : R; centre : V; centre_x : V }.
Arguments Branch {V}. Arguments weight {V}. Arguments centre {V}. Arguments centre_x {V}.

Definition scale_branch {V : Type} (k : R) (b : branch V) : branch V :=
  Branch (k * weight b) (centre b) (centre_x b).

Section Coupling.
Context {U V X : Type}.
Variable noise : V -> X -> R.
Variable q : R.
Hypothesis Hq : 0 <= q <= 1.

Definition without_x (L : list (branch V)) (z : X) : R :=
  sum_over L (fun b => weight b * noise (centre b) z).
Definition with_x (L : list (branch V)) (z : X) : R :=
  sum_over L (fun b => weight b * ((1 - q) * noise (centre b) z + q * noise (centre_x b) z)).

Lemma coupling (close : V -> V -> Prop) (x : U) (S1 S2 : list U) (f : list U -> V) :
  (forall T1 T2, close (f (T1 ++ T2)) (f (T1 ++ x :: T2))) ->
  exists L : list (branch V),
    (forall b, In b L -> 0 <= weight b /\ close (centre b) (centre_x b)) /\
    sum_over L weight = 1 /\
    (forall z, mechanism noise q f (S1 ++ S2) z = without_x L z) /\
    (forall z, mechanism noise q f (S1 ++ x :: S2) z = with_x L z).
Proof.
  revert f. induction S1 as [|y S1 IH]; intros f Hf.
  - exists (map (fun T => Branch (keep_probability q S2 T) (f T) (f (x :: T))) (sublists S2)).
    repeat split.
    + apply in_map_iff in H. destruct H as [T [E HT]]. subst b. apply keep_probability_nonneg, Hq.
    + apply in_map_iff in H. destruct H as [T [E HT]]. subst b. exact (Hf [] T).
    + rewrite sum_over_map. apply keep_probability_total.
    + intros z. unfold without_x. rewrite sum_over_map. reflexivity.
    + intros z. simpl app. rewrite mechanism_cons. unfold with_x, mechanism.
      rewrite sum_over_map, <- !sum_over_scal, <- sum_over_plus.
      apply sum_over_ext. intros T _. simpl. ring.
  - destruct (IH (fun T => f (y :: T)) (fun T1 T2 => Hf (y :: T1) T2)) as [L1 [B1 [W1 [M1 M1x]]]].
    destruct (IH f Hf) as [L0 [B0 [W0 [M0 M0x]]]].
    exists (map (scale_branch q) L1 ++ map (scale_branch (1 - q)) L0).
    assert (Sum : forall (F : branch V -> R), (forall k b, F (scale_branch k b) = k * F b) ->
      sum_over (map (scale_branch q) L1 ++ map (scale_branch (1 - q)) L0) F
      = q * sum_over L1 F + (1 - q) * sum_over L0 F).
    { intros F HF. rewrite sum_over_app, !sum_over_map, <- !sum_over_scal.
      f_equal; apply sum_over_ext; intros b _; apply HF. }
    split; [|split; [|split]].
    + intros b Hb. apply in_app_or in Hb.
      destruct Hb as [Hb|Hb]; apply in_map_iff in Hb; destruct Hb as [b' [E Hb]]; subst b; simpl.
      * destruct (B1 b' Hb) as [W C]. split; [apply Rmult_le_pos; lra|exact C].
      * destruct (B0 b' Hb) as [W C]. split; [apply Rmult_le_pos; lra|exact C].
    + rewrite (Sum weight) by (intros k b; reflexivity). rewrite W1, W0. ring.
    + intros z. simpl app. rewrite mechanism_cons, M1, M0. unfold without_x.
      rewrite Sum by (intros k b; simpl; ring). reflexivity.
    + intros z. simpl app. rewrite mechanism_cons, M1x, M0x. unfold with_x.
      rewrite Sum by (intros k b; simpl; ring). reflexivity.
Qed.
End Coupling.
