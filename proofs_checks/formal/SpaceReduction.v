(** The reduction in d dimensions (Theorem 4 with its inequality the right way
    round): for every d, every f with values in R^d that moves by at most 1 in
    Euclidean distance when one record is inserted, and every pair of adjacent
    finite data sets, both divergences between the outputs are at most the
    one-dimensional ones.  Integrals over R^d are iterated improper integrals.

    Joint convexity bounds the moment of the mixture by that of its branches;
    each branch was reduced to one dimension in SpaceBranch. *)

From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB ShiftMonotone SampledMechanism QuasiConvexity
  SpaceIntegral SpaceBranch.
Open Scope R_scope.

(** The integrand of the divergence of P from Q on R^d. *)
Definition space_moment (alpha : R) (P Q : point -> R) (x : point) : R := Q x * Rpower (P x / Q x) alpha.

(** A density on R^d: continuous, positive, of mass 1. *)
Definition space_density (d : nat) (p : point -> R) : Prop :=
  continuous_on_space p /\ (forall x, 0 < p x) /\ int_space d p 1.

Lemma space_moment_continuous (d : nat) (alpha : R) (P Q : point -> R) :
  space_density d P -> space_density d Q -> continuous_on_space (space_moment alpha P Q).
Proof.
  intros [CP [PP _]] [CQ [PQ _]] x. assert (p := PP x). assert (r := PQ x).
  apply (continuous_mult (Q : point_space -> R) (fun x : point_space => Rpower (P x / Q x) alpha)); [apply CQ|].
  apply (continuous_comp (fun x : point_space => P x / Q x) (fun t => Rpower t alpha)).
  - apply (continuous_mult (P : point_space -> R) (fun x : point_space => / Q x)); [apply CP|].
    apply (continuous_comp (Q : point_space -> R) Rinv); [apply CQ|].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
  - apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive.
    apply Rdiv_lt_0_compat; assumption.
Qed.

(** Jensen's inequality: moments of order at least 1 are at least 1. *)
Lemma space_moment_ge_1 (d : nat) (alpha : R) (P Q : point -> R) (l : R) : 1 <= alpha ->
  space_density d P -> space_density d Q -> int_space d (space_moment alpha P Q) l -> 1 <= l.
Proof.
  intros Ha [_ [PP MP]] [_ [PQ MQ]] Hl.
  assert (T := int_space_plus d _ _ _ _ (int_space_scal d _ (1 - alpha) _ MQ) (int_space_scal d _ alpha _ MP)).
  replace 1 with ((1 - alpha) * 1 + alpha * 1) by ring.
  refine (int_space_le d _ _ _ _ _ T Hl). intros x. unfold space_moment.
  assert (p := PP x). assert (r := PQ x).
  assert (R0 : 0 < P x / Q x) by (apply Rdiv_lt_0_compat; lra).
  assert (K := bernoulli_exponent_ge_1 alpha (P x / Q x - 1) Ha ltac:(lra)).
  replace (1 + (P x / Q x - 1)) with (P x / Q x) in K by ring.
  apply Rle_trans with (Q x * (1 + alpha * (P x / Q x - 1))).
  - right. field. lra.
  - apply Rmult_le_compat_l; lra.
Qed.

(** * Finite mixtures on R^d *)

Lemma int_line_zero : int_line (fun _ => 0) 0.
Proof.
  assert (Z := int_line_scal (mu0 1) 0 1 (mu0_normalised 1 Rlt_0_1)). rewrite Rmult_0_l in Z.
  apply (int_line_ext (fun z => 0 * mu0 1 z)); [intros z; ring|exact Z].
Qed.

Lemma int_space_zero (d : nat) : int_space d (fun _ => 0) 0.
Proof.
  induction d as [|d IH]; [reflexivity|]. exists (fun _ => 0). split; [intros v; exact int_line_zero|exact IH].
Qed.

Lemma dominated_zero (d : nat) : dominated d (fun _ => 0).
Proof.
  exists 0, (fun _ => mu0 1). split; [lra|]. split; [|split; [|split]].
  - intros _ t. left. apply mu0_pos, Rlt_0_1.
  - intros _. apply mu0_continuous.
  - intros _. exists 1. apply mu0_normalised, Rlt_0_1.
  - intros x. rewrite Rmult_0_l. apply Rle_refl.
Qed.

Section Mixtures.
Context {I : Type}.
Variable d : nat.
Variable L : list I.
Variable w : I -> R.
Hypothesis w_nonneg : forall i, In i L -> 0 <= w i.
Hypothesis w_total : sum_over L w = 1.

Lemma sum_dominated (F : I -> point -> R) : (forall i, In i L -> dominated d (F i)) ->
  dominated d (fun x => sum_over L (fun i => w i * F i x)).
Proof.
  clear w_total. unfold sum_over. induction L as [|i L' IH]; simpl; intros H; [apply dominated_zero|].
  apply (dominated_plus d (fun x => w i * F i x)).
  - apply dominated_scal; [apply w_nonneg|apply H]; left; reflexivity.
  - apply IH; intros j Hj; [apply w_nonneg|apply H]; right; exact Hj.
Qed.

Lemma sum_integral_bounded (F : I -> point -> R) (l : R) :
  (forall i, In i L -> exists li, int_space d (F i) li /\ li <= l) ->
  exists total, int_space d (fun x => sum_over L (fun i => w i * F i x)) total /\ total <= sum_over L w * l.
Proof.
  clear w_total. unfold sum_over. induction L as [|i L' IH]; simpl; intros H.
  - exists 0. split; [apply int_space_zero|lra].
  - destruct (H i (or_introl eq_refl)) as [li [Ii Bi]].
    destruct (IH (fun j Hj => w_nonneg j (or_intror Hj)) (fun j Hj => H j (or_intror Hj))) as [t [It Bt]].
    exists (w i * li + t). split.
    + apply (int_space_plus d (fun x => w i * F i x)); [apply int_space_scal, Ii|exact It].
    + assert (fact1 : w i * li <= w i * l) by (apply Rmult_le_compat_l; [apply w_nonneg; left; reflexivity|exact Bi]). lra.
Qed.

Lemma sum_density (p : I -> point -> R) : (forall i, space_density d (p i)) ->
  space_density d (fun x => sum_over L (fun i => w i * p i x)).
Proof.
  intros Hp. split; [|split].
  - intros x. clear w_total w_nonneg. unfold sum_over. induction L as [|i L' IH]; simpl; [apply continuous_const|].
    apply (continuous_plus (V := R_NormedModule)); [|exact IH].
    apply (continuous_scal_r (V := R_NormedModule) (w i)), (proj1 (Hp i)).
  - intros x. apply sum_over_pos; [exact w_nonneg|exact w_total|]. intros i. apply (Hp i).
  - rewrite <- w_total. clear w_total w_nonneg. unfold sum_over. induction L as [|i L' IH]; simpl.
    + apply int_space_zero.
    + apply (int_space_plus d (fun x => w i * p i x)); [|exact IH].
      assert (M := int_space_scal d _ (w i) _ (proj2 (proj2 (Hp i)))). rewrite Rmult_1_r in M. exact M.
Qed.

(** Claim R3 on R^d: the moment of a mixture is at most the largest moment of its branches. *)
Lemma mixture_space_moment (alpha l : R) (p r : I -> point -> R) : 1 <= alpha ->
  (forall i, space_density d (p i)) -> (forall i, space_density d (r i)) ->
  (forall i, In i L -> dominated d (space_moment alpha (p i) (r i)) /\
     exists li, int_space d (space_moment alpha (p i) (r i)) li /\ li <= l) ->
  exists k, int_space d (space_moment alpha (fun x => sum_over L (fun i => w i * p i x))
                                            (fun x => sum_over L (fun i => w i * r i x))) k /\ 1 <= k <= l.
Proof.
  intros Ha Dp Dr H. assert (DP := sum_density p Dp). assert (DR := sum_density r Dr).
  set (F := space_moment alpha (fun x => sum_over L (fun i => w i * p i x))
                               (fun x => sum_over L (fun i => w i * r i x))).
  set (S := fun x => sum_over L (fun i => w i * space_moment alpha (p i) (r i) x)).
  assert (Le : forall x, F x <= S x).
  { intros x. exact (joint_convexity L w (fun i => p i x) (fun i => r i x) w_nonneg
      (fun i => proj1 (proj2 (Dp i)) x) (fun i => proj1 (proj2 (Dr i)) x) alpha (or_intror Ha)
      (proj1 (proj2 DP) x) (proj1 (proj2 DR) x)). }
  destruct (sum_integral_bounded (fun i => space_moment alpha (p i) (r i)) l (fun i Hi => proj2 (H i Hi)))
    as [t [It Bt]]. rewrite w_total, Rmult_1_l in Bt.
  destruct (int_space_exists d F) as [k Ik].
  - exact (space_moment_continuous d alpha _ _ DP DR).
  - intros x. left. apply Rmult_lt_0_compat; [apply (proj1 (proj2 DR))|apply Rpower_pos].
  - apply (dominated_le d F S Le). apply sum_dominated. intros i Hi. exact (proj1 (H i Hi)).
  - exists k. split; [exact Ik|]. split.
    + exact (space_moment_ge_1 d alpha _ _ k Ha DP DR Ik).
    + assert (K := int_space_le d F S k t Le Ik It). lra.
Qed.
End Mixtures.

(** * The mechanism *)

Definition sampled_gaussian_space {U : Type} (q sigma : R) (d : nat) (f : list U -> point)
  (S : list U) : point -> R :=
  mechanism (normal_space sigma d) q f S.

(** Inserting one record moves f by at most 1 in Euclidean distance. *)
Definition sensitivity_1_space {U : Type} (d : nat) (f : list U -> point) : Prop :=
  forall T T', adjacent T T' -> distance_sq d (f T) (f T') <= 1.

Section Mechanism.
Context {U : Type}.
Variables (q sigma alpha : R) (d : nat).
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.
Hypothesis Ha : 1 <= alpha.

Lemma normal_space_density (m : point) : space_density d (normal_space sigma d m).
Proof.
  split; [|split].
  - apply (prod_continuous d (fun i t => mu0 sigma (t - m i))). intros i t. apply mu0_shift_continuous.
  - intros x. apply normal_space_pos, Hs.
  - apply normal_space_normalised, Hs.
Qed.

Lemma mixed_space_density (m m' : point) :
  space_density d (fun x => (1 - q) * normal_space sigma d m x + q * normal_space sigma d m' x).
Proof.
  destruct (normal_space_density m) as [C0 [_ M0]]. destruct (normal_space_density m') as [C1 [_ M1]].
  split; [|split].
  - intros x. apply (continuous_plus (V := R_NormedModule)).
    + apply (continuous_scal_r (V := R_NormedModule) (1 - q)), C0.
    + apply (continuous_scal_r (V := R_NormedModule) q), C1.
  - intros x. apply mixed_space_pos; assumption.
  - assert (M := int_space_plus d _ _ _ _ (int_space_scal d _ (1 - q) _ M0) (int_space_scal d _ q _ M1)).
    replace ((1 - q) * 1 + q * 1) with 1 in M by ring. exact M.
Qed.

(** Claims R3 to R11 as moments on R^d: adjacent outputs have moments at most A and B. *)
Theorem space_reduction_moments (f : list U -> point) (S S' : list U) :
  sensitivity_1_space d f -> adjacent S S' ->
  (exists l, int_space d (space_moment alpha (sampled_gaussian_space q sigma d f S')
                                             (sampled_gaussian_space q sigma d f S)) l
             /\ 1 <= l <= A q sigma alpha) /\
  (exists l, int_space d (space_moment alpha (sampled_gaussian_space q sigma d f S)
                                             (sampled_gaussian_space q sigma d f S')) l
             /\ 1 <= l <= B q sigma alpha).
Proof.
  intros Hf [S1 [S2 [x [E E']]]]. subst S S'.
  destruct (coupling (normal_space sigma d) q Hq (fun m m' => distance_sq d m m' <= 1) x S1 S2 f)
    as [L [HL [HW [E0 E1]]]].
  { intros T1 T2. apply Hf. exists T1, T2, x. split; reflexivity. }
  set (n := fun b : branch point => normal_space sigma d (centre b)).
  set (n_x := fun (b : branch point) z => (1 - q) * normal_space sigma d (centre b) z
                                          + q * normal_space sigma d (centre_x b) z).
  assert (Dn : forall b, space_density d (n b)) by (intros b; apply normal_space_density).
  assert (Dx : forall b, space_density d (n_x b)) by (intros b; apply mixed_space_density).
  assert (W : forall b, In b L -> 0 <= weight b) by (intros b Hb; apply (HL b Hb)).
  split.
  - destruct (mixture_space_moment d L weight W HW alpha (A q sigma alpha) n_x n Ha Dx Dn) as [l [Il Bl]].
    + intros b Hb. exact (branch_space_forward q sigma d (centre b) (centre_x b) Hq Hs (proj2 (HL b Hb)) alpha Ha).
    + exists l. split; [|exact Bl]. apply (int_space_ext d _ _ l) with (2 := Il).
      intros z. unfold space_moment, sampled_gaussian_space. rewrite E0, E1. reflexivity.
  - destruct (mixture_space_moment d L weight W HW alpha (B q sigma alpha) n n_x Ha Dn Dx) as [l [Il Bl]].
    + intros b Hb. exact (branch_space_backward q sigma d (centre b) (centre_x b) Hq Hs (proj2 (HL b Hb)) alpha Ha).
    + exists l. split; [|exact Bl]. apply (int_space_ext d _ _ l) with (2 := Il).
      intros z. unfold space_moment, sampled_gaussian_space. rewrite E0, E1. reflexivity.
Qed.
End Mechanism.
