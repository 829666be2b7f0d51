(** Joint convexity behind the quasi-convexity step of the reduction: for finite
    mixtures P = sum w_i p_i and Q = sum w_i r_i with the same weights,
      Q (P/Q)^b <= sum w_i r_i (p_i/r_i)^b
    at every point, for exponents b outside (0,1).  Each term on the right lies
    above the tangent of the power at P/Q, and the tangents add up to the left
    side. *)

From Coq Require Import Reals Lra List.
From SGM Require Import RealAnalysis ShiftMonotone SampledMechanism.
Open Scope R_scope.

Section Pointwise.
Context {I : Type}.
Variable L : list I.
Variables w p r : I -> R.
Hypothesis w_nonneg : forall i, In i L -> 0 <= w i.
Hypothesis p_pos : forall i, 0 < p i.
Hypothesis r_pos : forall i, 0 < r i.
Let P := sum_over L (fun i => w i * p i).
Let Q := sum_over L (fun i => w i * r i).

(** Claim R3, pointwise part: joint convexity for finite mixtures. *)
Theorem joint_convexity (b : R) : convex_exponent b -> 0 < P -> 0 < Q ->
  Q * Rpower (P / Q) b <= sum_over L (fun i => w i * (r i * Rpower (p i / r i) b)).
Proof.
  intros Hb HP HQ. set (t := P / Q).
  assert (Ht : 0 < t) by (apply Rdiv_lt_0_compat; assumption).
  set (slope := b * Rpower t (b - 1)).
  apply Rle_trans with (sum_over L (fun i =>
    (Rpower t b - slope * t) * (w i * r i) + slope * (w i * p i))).
  - rewrite sum_over_plus, !sum_over_scal. fold P Q. right.
    replace (slope * P) with (slope * t * Q) by (unfold t; field; lra). ring.
  - apply sum_over_le. intros i Hi.
    assert (Wi := w_nonneg i Hi). assert (Pi := p_pos i). assert (Ri := r_pos i).
    assert (T := power_above_tangent b (p i / r i) t Hb ltac:(apply Rdiv_lt_0_compat; assumption) Ht).
    fold slope in T.
    replace ((Rpower t b - slope * t) * (w i * r i) + slope * (w i * p i))
      with (w i * (r i * (Rpower t b + slope * (p i / r i - t)))) by (field; lra).
    apply Rmult_le_compat_l; [exact Wi|]. apply Rmult_le_compat_l; lra.
Qed.
End Pointwise.

Lemma sum_over_pos {I : Type} (L : list I) (w p : I -> R) :
  (forall i, In i L -> 0 <= w i) -> sum_over L w = 1 -> (forall i, 0 < p i) ->
  0 < sum_over L (fun i => w i * p i).
Proof.
  intros Hw H1 Hp.
  assert (G : 0 < sum_over L w -> 0 < sum_over L (fun i => w i * p i)).
  { clear H1. induction L as [|i L' IH]; unfold sum_over in *; simpl; [lra|]. intros H.
    assert (Wi := Hw i (or_introl eq_refl)). assert (Pi := Hp i).
    assert (Tail : 0 <= fold_right Rplus 0 (map (fun i => w i * p i) L')).
    { apply (sum_over_nonneg L'). intros j Hj.
      apply Rmult_le_pos; [apply Hw; right; exact Hj|left; apply Hp]. }
    destruct (Rle_lt_or_eq_dec 0 (w i) Wi) as [Wp|Wz].
    - assert (pos1 : 0 < w i * p i) by (apply Rmult_lt_0_compat; assumption). lra.
    - rewrite <- Wz in *. assert (T := IH (fun j Hj => Hw j (or_intror Hj)) ltac:(lra)). lra. }
  apply G. lra.
Qed.
