(** A run that is not (eps, delta)-DP, by the event that some output lies above a threshold. *)
From Coq Require Import Reals Lra ZArith List.
From SGM Require Import Statements StatementsRun.
From SGM Require RunSchedule ThresholdEvent.
From SGMV Require Import Arithmetic.
Open Scope R_scope.

Theorem not_dp_by_threshold (q sigma a b eps delta : R) (steps : Z) :
  0 <= q <= 1 -> 0 < sigma -> 1 < a -> a < b -> Z.leb 0 steps = true ->
  0 < q * (((sigma * sigma) / (a - 1) - (sigma * sigma * (sigma * sigma)) / ((a - 1) * (a - 1) * (a - 1)))
             * (exp (0 - (a - 1) * (a - 1) / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI)))
           - ((sigma * sigma) / b - (sigma * sigma * (sigma * sigma)) / (b * b * b))
             * (exp (0 - b * b / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI)))) ->
  (let t := q * (((sigma * sigma) / (a - 1) - (sigma * sigma * (sigma * sigma)) / ((a - 1) * (a - 1) * (a - 1)))
             * (exp (0 - (a - 1) * (a - 1) / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI)))
           - ((sigma * sigma) / b - (sigma * sigma * (sigma * sigma)) / (b * b * b))
             * (exp (0 - b * b / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI)))) in
   exp eps * (IZR steps * (sigma * sigma / a * (exp (0 - a * a / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI))))) + delta
   < IZR steps * t / (1 + IZR steps * t)) ->
  forall (U : Type) (u : U) (n : nat), exists f : nat -> point -> list U -> point,
    steps_sensitivity_1 (S n) f /\ steps_continuous f /\
    ~ is_DP_tests (Z.to_nat steps * S n) (run (fun _ => q) (fun _ => sigma) (S n) f (Z.to_nat steps)) eps delta.
Proof.
  intros Hq Hs Ha Hb Hz Ht H U u n. apply Z.leb_le in Hz.
  assert (N : forall z, ThresholdEvent.mills_low sigma z
    = ((sigma * sigma) / z - (sigma * sigma * (sigma * sigma)) / (z * z * z))
      * (exp (0 - z * z / (2 * (sigma * sigma))) / (sigma * sqrt (2 * PI)))).
  { intros z. unfold ThresholdEvent.mills_low, Gaussian.mu0. simpl pow. rewrite !Rmult_1_r.
    replace (- (z * z) / (2 * (sigma * sigma))) with (0 - z * z / (2 * (sigma * sigma))) by (unfold Rdiv; ring).
    rewrite !Rmult_assoc. reflexivity. }
  destruct (ThresholdEvent.not_dp_by_threshold U u n q sigma a b eps delta (Z.to_nat steps) Hq Hs Ha Hb)
    as [f [Hf [Cf D]]].
  - cbv zeta. rewrite !N. rewrite INR_IZR_INZ, Z2Nat.id by exact Hz. split; [left; exact Ht|].
    cbv zeta in H. unfold Gaussian.mu0.
    replace (sigma ^ 2) with (sigma * sigma) by ring.
    replace (- a ^ 2 / (2 * (sigma * sigma))) with (0 - a * a / (2 * (sigma * sigma))) by (unfold Rdiv; ring).
    exact H.
  - exists f. split; [exact Hf|]. split; [apply RunSchedule.continuous_in_outputs_iff, Cf|exact D].
Qed.

(** * Enclosures of expressions as they stand *)

Section Enclosed.
Context {T : Type} (o : arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : sound o enc.
Lemma positive (t : T) (x : R) : enc t x -> less o (ofZ o 0) t = true -> 0 < x.
Proof. intros E. exact (s_less H _ _ _ _ (s_ofZ H 0) E). Qed.
End Enclosed.

(** With [sound o enc] among the hypotheses, builds the enclosure of an expression. *)
Ltac enclosed := lazymatch goal with H : sound ?o ?enc |- ?enc _ ?e => lazymatch e with
  | IZR ?n => exact (s_ofZ H n)
  | PI => exact (s_pi H)
  | ?x + ?y => refine (s_add H _ _ x y _ _); enclosed
  | ?x - ?y => refine (s_sub H _ _ x y _ _); enclosed
  | ?x * ?y => refine (s_mul H _ _ x y _ _); enclosed
  | ?x / ?y => refine (s_div H _ _ x y _ _); enclosed
  | exp ?x => refine (s_expo H _ x _); enclosed
  | sqrt ?x => refine (s_root H _ x _); enclosed
  end end.
