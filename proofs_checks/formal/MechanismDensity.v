(** What the mechanism puts out is a probability density: positive, and of mass 1. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From SGM Require Import Integral Gaussian SampledMechanism QuasiConvexity SpaceIntegral SpaceBranch
  SpaceReduction SampledGaussianRDP.
Open Scope R_scope.

Section Density.
Context {U : Type}.
Variables q sigma : R.
Hypothesis Hq : 0 <= q <= 1.
Hypothesis Hs : 0 < sigma.

Theorem space_mechanism_density (d : nat) (f : list U -> point) (S : list U) :
  (forall x, 0 < sampled_gaussian_space q sigma d f S x) /\
  int_space d (sampled_gaussian_space q sigma d f S) 1.
Proof.
  split.
  - intros x. refine (sum_over_pos (sublists S) (keep_probability q S) _ _ (keep_probability_total q S) _).
    + intros T _. apply keep_probability_nonneg, Hq.
    + intros T. apply normal_space_pos, Hs.
  - rewrite <- (keep_probability_total q S). unfold sampled_gaussian_space, mechanism, sum_over.
    generalize (sublists S). intros L. induction L as [|T L IH]; simpl; [apply int_space_zero|].
    apply (int_space_plus d (fun x => keep_probability q S T * normal_space sigma d (f T) x)); [|exact IH].
    assert (M := int_space_scal d _ (keep_probability q S T) _ (normal_space_normalised sigma d (f T) Hs)).
    rewrite Rmult_1_r in M. exact M.
Qed.

Theorem mechanism_density (f : list U -> R) (S : list U) :
  (forall z, 0 < sampled_gaussian q sigma f S z) /\ int_line (sampled_gaussian q sigma f S) 1.
Proof.
  set (g := fun (T : list U) (_ : nat) => f T).
  assert (E : forall x, sampled_gaussian_space q sigma 1 g S x = sampled_gaussian q sigma f S (x 0%nat)).
  { intros x. apply sum_over_ext. intros T _. unfold normal_space, normal, g. simpl. ring. }
  destruct (space_mechanism_density 1 g S) as [P [F' [I E1]]]. split.
  - intros z. rewrite <- (E (fun _ => z)). apply P.
  - simpl in E1. rewrite <- E1. apply (int_line_ext _ _ _) with (2 := I (fun _ => 0)).
    intros t. rewrite E, update_same. reflexivity.
Qed.
End Density.
