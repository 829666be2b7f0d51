(** No continuity: f may depend on the earlier outputs in any way for which the moments of the first t
    steps exist as iterated integrals, t = 1, ..., T (step functions, clipped gradients of networks with
    kinks, ...).  For every test of the output whose probabilities exist: a <= exp(eps) b + delta. *)

From Coq Require Import Reals Lra Psatz List PeanoNat Lia.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian Pointwise AB AGeqB SampledMechanism
  SpaceIntegral SpaceBranch SpaceReduction Divergence SpaceRDP MechanismDensity.
From SGM Require Import SteadyIntegral Conversion RunLayout RunStep RunComposition.
Open Scope R_scope.

Section AnyChoice.
Context {U : Type}.
Variables (q sigma : nat -> R) (d : nat) (f : nat -> point -> list U -> point) (alpha : R).
Hypothesis Hq : forall t, 0 <= q t <= 1.
Hypothesis Hs : forall t, 0 < sigma t.
Hypothesis Hf : steps_sensitivity_1 d f.
Hypothesis Ha : 1 < alpha.
Variables S S' : list U.
Hypothesis HS : adjacent S S' \/ adjacent S' S.
Let moment (t : nat) : point -> R := space_moment alpha (run q sigma d f t S) (run q sigma d f t S').

Lemma moment_nonneg (t : nat) (v : point) : 0 <= moment t v.
Proof.
  left. apply Rmult_lt_0_compat; [apply (run_pos q sigma d f Hq Hs)|apply Rpower_pos].
Qed.

Theorem moments_any_choice (T : nat) : (forall t, (t <= T)%nat -> exists l, int_space (t * d) (moment t) l) ->
  forall l, int_space (T * d) (moment T) l -> l <= exp ((alpha - 1) * total_renyi q sigma alpha T).
Proof.
  rewrite <- (prod_A q sigma alpha Hq Hs Ha).
  induction T as [|t IH]; intros Ex l Il.
  - simpl in Il. unfold moment, space_moment in Il. simpl in Il. replace (1 / 1) with 1 in Il by field.
    rewrite Rpower_base_1 in Il. simpl. lra.
  - destruct (Ex t ltac:(lia)) as [l0 Il0]. assert (B0 := IH (fun u Hu => Ex u ltac:(lia)) l0 Il0).
    destruct (int_space_split (t * d) d _ l Il) as [G [IG HG]].
    assert (A1 : 1 <= A (q t) (sigma t) alpha).
    { assert (X := B_ge_1 (q t) (sigma t) alpha (Hq t) (Hs t) ltac:(lra)).
      assert (Y := A_ge_B (q t) (sigma t) alpha (Hq t) (Hs t) ltac:(lra)). lra. }
    assert (L : l <= A (q t) (sigma t) alpha * l0).
    { refine (int_space_le (t * d) G (fun v => A (q t) (sigma t) alpha * moment t v) l _ _ IG
        (int_space_scal (t * d) (moment t) _ l0 Il0)).
      intros v. set (h := before (t * d) v).
      assert (X : exists a, int_space d (space_moment alpha (sampled_gaussian_space (q t) (sigma t) d (f t h) S)
                    (sampled_gaussian_space (q t) (sigma t) d (f t h) S')) a /\ a <= A (q t) (sigma t) alpha).
      { destruct HS as [HS1|HS1];
          destruct (space_reduction_moments (q t) (sigma t) alpha d (Hq t) (Hs t) ltac:(lra) (f t h) _ _ (Hf t h) HS1)
            as [[l1 [I1 B1]] [l2 [I2 B2]]].
        - exists l2. split; [exact I2|]. assert (O := A_ge_B (q t) (sigma t) alpha (Hq t) (Hs t) ltac:(lra)). lra.
        - exists l1. split; [exact I1|apply B1]. }
      destruct X as [a [Ia Ba]].
      assert (E : G v = moment t v * a).
      { apply (int_space_unique d _ _ _ (HG v)).
        apply (int_space_ext d _ _ _) with (2 := int_space_scal d _ (moment t v) _ Ia). intros y. symmetry.
        unfold moment at 1. cbn [run].
        rewrite (moment_of_product alpha (run q sigma d f t S) (run q sigma d f t S')
          (fun v => sampled_gaussian_space (q t) (sigma t) d (f t (before (t * d) v)) S (block (t * d) v))
          (fun v => sampled_gaussian_space (q t) (sigma t) d (f t (before (t * d) v)) S' (block (t * d) v))
          (splice (t * d) v y)); try apply (run_pos q sigma d f Hq Hs);
          try apply (step_pos (q t) (sigma t) d (t * d) (f t) (Hq t) (Hs t)).
        fold (moment t). unfold space_moment at 1. rewrite before_splice, block_splice. fold h. f_equal.
        unfold moment, space_moment.
        rewrite (looks_below_splice (t * d) _ v y (run_looks_below q sigma d f t S)),
                (looks_below_splice (t * d) _ v y (run_looks_below q sigma d f t S')). reflexivity. }
      rewrite E, Rmult_comm. apply Rmult_le_compat_r; [apply moment_nonneg|exact Ba]. }
    cbn [prod_to]. apply Rle_trans with (1 := L). rewrite Rmult_comm. apply Rmult_le_compat_r; lra.
Qed.

Theorem events_any_choice (T : nat) (eps : R) :
  (forall t, (t <= T)%nat -> exists l, int_space (t * d) (moment t) l) ->
  forall (chi : point -> R) (a b : R), (forall x, 0 <= chi x <= 1) ->
    int_space (T * d) (fun x => chi x * run q sigma d f T S x) a ->
    int_space (T * d) (fun x => chi x * run q sigma d f T S' x) b ->
    a <= exp eps * b + conversion_constant alpha * exp ((alpha - 1) * (total_renyi q sigma alpha T - eps)).
Proof.
  intros Ex chi a b Hchi Hia Hib. destruct (Ex T (le_n T)) as [l Il]. assert (B := moments_any_choice T Ex l Il).
  assert (Hd := int_space_plus (T * d) _ _ _ _ Hia (int_space_scal (T * d) _ (- exp eps) _ Hib)).
  set (k := conversion_constant alpha * exp ((1 - alpha) * eps)).
  assert (k0 : 0 < k) by (apply Rmult_lt_0_compat; [apply conversion_constant_bounds, Ha|apply exp_pos]).
  assert (K : a + - exp eps * b <= k * l).
  { refine (int_space_le (T * d) _ _ _ _ _ Hd (int_space_scal (T * d) _ k _ Il)). intros x.
    assert (C := Hchi x).
    assert (Hh := hockey_below_moment alpha eps (run q sigma d f T S) (run q sigma d f T S') Ha
      (run_pos q sigma d f Hq Hs T S) (run_pos q sigma d f Hq Hs T S') x). fold k in Hh. fold (moment T) in Hh.
    apply Rle_trans with (2 := Hh). unfold hockey. set (h := run q sigma d f T S x - exp eps * run q sigma d f T S' x).
    assert (M0 := Rmax_l 0 h). assert (M1 := Rmax_r 0 h). set (m := Rmax 0 h) in *.
    replace (chi x * run q sigma d f T S x + - exp eps * (chi x * run q sigma d f T S' x)) with (chi x * h) by (unfold h; ring).
    apply Rle_trans with (chi x * m); [apply Rmult_le_compat_l; lra|]. nra. }
  replace ((alpha - 1) * (total_renyi q sigma alpha T - eps)) with ((1 - alpha) * eps + (alpha - 1) * total_renyi q sigma alpha T) by ring.
  rewrite exp_plus, <- Rmult_assoc. fold k.
  assert (X : k * l <= k * exp ((alpha - 1) * total_renyi q sigma alpha T)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End AnyChoice.
