(** From enclosures of the divergences of single steps to a certificate for a whole run: one number is
    computed in an enclosing arithmetic, and its sign decides. *)
From Coq Require Import Reals Lra ZArith List.
From SGM Require Import Statements StatementsRun.
From SGM Require RealAnalysis.
From SGMV Require Import Arithmetic Verdict.
Open Scope R_scope.

(** ln of the delta that the conversion gives at eps, less ln delta: it has to be at most 0. *)
Definition excess (alpha rho eps delta : R) : R :=
  (alpha - 1) * (rho - eps + ln (1 - 1 / alpha)) - (ln alpha + ln delta).

Lemma conversion_of_excess (alpha rho eps delta : R) : 1 < alpha -> 0 < delta -> excess alpha rho eps delta <= 0 ->
  conversion_constant alpha * exp ((alpha - 1) * (rho - eps)) <= delta.
Proof.
  intros Ha Hd H. unfold excess in H. unfold conversion_constant, Rpower.
  rewrite <- (exp_ln (/ alpha)) by (apply Rinv_0_lt_compat; lra). rewrite ln_Rinv by lra.
  rewrite <- 2!exp_plus. rewrite <- (exp_ln delta) at 1 by exact Hd. apply RealAnalysis.exp_le. lra.
Qed.

Lemma sum_to_const (T : nat) (x : R) : sum_to T (fun _ => x) = INR T * x.
Proof. induction T as [|t IH]; cbn [sum_to]; [simpl; ring|]. rewrite IH, S_INR. ring. Qed.

(** Rate and noise the same in all steps. *)
Theorem constant_run (q sigma alpha eps delta : R) (steps : Z) : 0 <= q <= 1 -> 0 < sigma -> 1 < alpha -> 0 < delta ->
  Z.leb 0 steps = true -> excess alpha (IZR steps * renyi alpha (mu q sigma) (mu0 sigma)) eps delta <= 0 ->
  forall (U : Type) (d : nat) (f : nat -> point -> list U -> point),
  steps_sensitivity_1 d f -> steps_continuous f ->
  is_DP_space (Z.to_nat steps * d) (run (fun _ => q) (fun _ => sigma) d f (Z.to_nat steps)) eps delta.
Proof.
  intros Hq Hs Ha Hd Hz H U d f Hf Cf. apply Z.leb_le in Hz.
  apply (run_dp (fun _ => q) (fun _ => sigma) d f alpha (fun _ => Hq) (fun _ => Hs) Ha Hf Cf).
  apply conversion_of_excess; [exact Ha|exact Hd|]. unfold total_renyi. rewrite sum_to_const.
  rewrite INR_IZR_INZ, Z2Nat.id by exact Hz. exact H.
Qed.

(** Phases. *)
Definition of_phase (alpha : R) (p : Z * R * R) : R :=
  IZR (fst (fst p)) * renyi alpha (mu (snd (fst p)) (snd p)) (mu0 (snd p)).

Fixpoint proper (l : list (Z * R * R)) : Prop :=
  match l with
  | nil => True
  | (n, q, sigma) :: rest => Z.leb 0 n = true /\ 0 <= q <= 1 /\ 0 < sigma /\ proper rest
  end.

Lemma proper_in (l : list (Z * R * R)) : proper l ->
  forall n q sigma, In (n, q, sigma) l -> (0 <= n)%Z /\ 0 <= q <= 1 /\ 0 < sigma.
Proof.
  induction l as [|[[m r] s] l IH]; intros H n q sigma I; [destruct I|].
  destruct H as [H1 [H2 [H3 H4]]]. destruct I as [E|I].
  - injection E as -> -> ->. split; [apply Z.leb_le, H1|split; assumption].
  - exact (IH H4 n q sigma I).
Qed.

Theorem run_of_phases (l : list (Z * R * R)) (alpha eps delta : R) : proper l -> 1 < alpha -> 0 < delta ->
  excess alpha (sum_over l (of_phase alpha)) eps delta <= 0 ->
  forall (U : Type) (d : nat) (f : nat -> point -> list U -> point),
  steps_sensitivity_1 d f -> steps_continuous f ->
  is_DP_space (Z.to_nat (steps_of l) * d) (run_phases l d f) eps delta.
Proof.
  intros Hl Ha Hd H U d f Hf Cf.
  exact (phases_dp l d f alpha eps delta (proper_in l Hl) Ha Hf Cf
    (conversion_of_excess alpha _ eps delta Ha Hd H)).
Qed.

(** * Enclosures *)

Section Enclosed.
Context {T : Type} (o : arithmetic T) (enc : T -> R -> Prop).
Hypothesis H : sound o enc.

Definition excess_in (alpha eps delta : Z * Z) (total : T) : T :=
  let a := rat o alpha in let one := ofZ o 1 in
  sub o (mul o (sub o a one) (add o (sub o total (rat o eps)) (loga o (sub o one (div o one a)))))
        (add o (loga o a) (loga o (rat o delta))).
Definition within (alpha eps delta : Z * Z) (total : T) : bool :=
  at_most o (excess_in alpha eps delta total) (ofZ o 0).

Lemma within_sound (A E D : Z * Z) (alpha rho eps delta : R) (total : T) :
  alpha = ratio_of A -> eps = ratio_of E -> delta = ratio_of D -> enc total rho ->
  within A E D total = true -> excess alpha rho eps delta <= 0.
Proof.
  intros -> -> -> Ht. unfold within. apply (s_at_most H); [|apply (s_ofZ H)].
  unfold excess_in, excess. assert (a := s_rat o enc H A). assert (one := s_ofZ H 1).
  apply (s_sub H).
  - apply (s_mul H); [apply (s_sub H); assumption|]. apply (s_add H).
    + apply (s_sub H); [exact Ht|apply (s_rat o enc H)].
    + apply (s_loga H), (s_sub H); [exact one|]. apply (s_div H); assumption.
  - apply (s_add H); apply (s_loga H); [exact a|apply (s_rat o enc H)].
Qed.

(** So many steps at one divergence, and phases one after the other. *)
Lemma total_steps (n : Z) (r : T) (x : R) : enc r x -> enc (mul o (ofZ o n) r) (IZR n * x).
Proof. intros E. apply (s_mul H); [apply (s_ofZ H)|exact E]. Qed.

Lemma total_none (alpha : R) : enc (ofZ o 0) (sum_over nil (of_phase alpha)).
Proof. exact (s_ofZ H 0). Qed.

Lemma total_phase (n : Z) (q sigma alpha : R) (l : list (Z * R * R)) (r t : T) :
  enc r (renyi alpha (mu q sigma) (mu0 sigma)) -> enc t (sum_over l (of_phase alpha)) ->
  enc (add o (mul o (ofZ o n) r) t) (sum_over ((n, q, sigma) :: l) (of_phase alpha)).
Proof. intros E F. exact (s_add H _ _ _ _ (total_steps n r _ E) F). Qed.

(** Rates 0 and 1. *)
Lemma never (sigma alpha : R) : 0 < sigma -> 1 < alpha -> enc (ofZ o 0) (renyi alpha (mu 0 sigma) (mu0 sigma)).
Proof. intros Hs Ha. rewrite (proj1 (renyi_never sigma alpha Hs Ha)). apply (s_ofZ H). Qed.

Lemma always (S A : Z * Z) (sigma alpha : R) : sigma = ratio_of S -> alpha = ratio_of A -> 0 < sigma -> 1 < alpha ->
  enc (div o (rat o A) (mul o (ofZ o 2) (mul o (rat o S) (rat o S)))) (renyi alpha (mu 1 sigma) (mu0 sigma)).
Proof.
  intros -> -> Hs Ha. rewrite (proj1 (renyi_always _ _ Hs Ha)).
  replace (2 * ratio_of S ^ 2) with (2 * (ratio_of S * ratio_of S)) by ring.
  apply (s_div H); [apply (s_rat o enc H)|].
  apply (s_mul H); [apply (s_ofZ H)|]. apply (s_mul H); apply (s_rat o enc H).
Qed.
End Enclosed.
