(** One step: removing a record is never cheaper than adding one.  At every eps >= 0 the hockey stick of mu
    against mu0 is at least that of mu0 against mu.

    The reflection z -> 1 - z exchanges mu0 and mu1.  Where mu1 >= mu0, the hockey sticks at z and at 1 - z pair
    up: of the two for adding only the reflected one is left, and it is below the one for removing at z, by
    (1 - q) (e^eps - 1) (mu1 - mu0). *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SGM Require Import RealAnalysis Integral Gaussian AB AGeqB Conversion.
Open Scope R_scope.

Definition hockey_line (eps : R) (P Q : R -> R) (z : R) : R := Rmax 0 (P z - exp eps * Q z).

(** * At one point *)

Lemma sticks_ordered (q g u v : R) : 0 <= q <= 1 -> 1 <= g -> 0 < u <= v ->
  let m := (1 - q) * u + q * v in let m' := (1 - q) * v + q * u in
  Rmax 0 (u - g * m) + Rmax 0 (v - g * m') <= Rmax 0 (m - g * u) + Rmax 0 (m' - g * v).
Proof.
  intros Hq Hg Hu m m'. assert (M0 : 0 <= q * (v - u)) by nra. assert (M : u <= m) by (unfold m; nra).
  assert (N : Rmax 0 (u - g * m) = 0) by (apply Rmax_left; nra).
  assert (D : 0 <= (1 - q) * (g - 1) * (v - u)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  assert (E : m - g * u - (v - g * m') = (1 - q) * (g - 1) * (v - u)) by (unfold m, m'; ring).
  assert (K := Rmax_l 0 (m' - g * v)).
  assert (L : Rmax 0 (v - g * m') <= Rmax 0 (m - g * u)).
  { apply Rmax_lub; [apply Rmax_l|]. apply Rle_trans with (m - g * u); [lra|apply Rmax_r]. }
  lra.
Qed.

Lemma sticks_pair (q g u v : R) : 0 <= q <= 1 -> 1 <= g -> 0 < u -> 0 < v ->
  let m := (1 - q) * u + q * v in let m' := (1 - q) * v + q * u in
  Rmax 0 (u - g * m) + Rmax 0 (v - g * m') <= Rmax 0 (m - g * u) + Rmax 0 (m' - g * v).
Proof.
  intros Hq Hg Hu Hv. destruct (Rle_dec u v) as [C|C].
  - exact (sticks_ordered q g u v Hq Hg (conj Hu C)).
  - assert (K := sticks_ordered q g v u Hq Hg ltac:(lra)). cbv zeta in *. lra.
Qed.

(** * The integrals *)

Lemma hockey_line_exists (eps : R) (P Q : R -> R) (l : R) :
  (forall z, continuous P z) -> (forall z, continuous Q z) -> (forall z, 0 < P z) -> (forall z, 0 < Q z) ->
  int_line P l -> exists d, int_line (hockey_line eps P Q) d /\ 0 <= d <= l.
Proof.
  intros CP CQ P0 Q0 I. assert (E := exp_pos eps).
  destruct (int_line_exists_dominated (hockey_line eps P Q) P l) as [d [H D]].
  - intros z. apply (continuous_comp (fun z => P z - exp eps * Q z) (fun y => Rmax 0 y)).
    + apply (continuous_minus (V := R_NormedModule)); [apply CP|].
      apply (continuous_scal_r (V := R_NormedModule) (exp eps)), CQ.
    + apply positive_part_continuous.
  - exact CP.
  - intros z. split; [apply Rmax_l|]. assert (X := P0 z). assert (Y := Q0 z). unfold hockey_line.
    apply Rmax_lub; nra.
  - exact I.
  - exists d. split; [exact H|]. split; [|exact D].
    apply (int_line_nonneg (hockey_line eps P Q)); [intros z; apply Rmax_l|exact H].
Qed.

Theorem removing_dominates (q sigma eps : R) : 0 <= q <= 1 -> 0 < sigma -> 0 <= eps ->
  exists removing adding,
    int_line (hockey_line eps (mu q sigma) (mu0 sigma)) removing /\
    int_line (hockey_line eps (mu0 sigma) (mu q sigma)) adding /\
    0 <= adding <= removing.
Proof.
  intros Hq Hs He.
  assert (C0 := mu0_continuous sigma). assert (P0 := fun z => mu0_pos sigma z Hs).
  assert (C : forall z, continuous (mu q sigma) z).
  { intros z. apply (continuous_plus (V := R_NormedModule)).
    - apply (continuous_scal_r (V := R_NormedModule) (1 - q)), mu0_continuous.
    - apply (continuous_scal_r (V := R_NormedModule) q), mu1_continuous. }
  assert (P := fun z => mu_pos q sigma Hq Hs z).
  destruct (hockey_line_exists eps _ _ 1 C C0 P P0 (mu_normalised q sigma Hs)) as [r [R R1]].
  destruct (hockey_line_exists eps _ _ 1 C0 C P0 P (mu0_normalised sigma Hs)) as [a [A A1]].
  exists r, a. split; [exact R|]. split; [exact A|]. split; [lra|].
  assert (S : a + a <= r + r); [|lra].
  refine (int_line_le _ _ _ _ _ (int_line_plus _ _ _ _ A (int_line_reflect _ 1 _ A))
    (int_line_plus _ _ _ _ R (int_line_reflect _ 1 _ R))).
  intros z. unfold hockey_line. rewrite mu_reflect, mu0_reflect.
  apply sticks_pair; [exact Hq| |apply P0|apply mu1_pos, Hs].
  rewrite <- exp_0. apply exp_le, He.
Qed.
