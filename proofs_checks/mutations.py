"""Proofs that must break: the development with one statement made false or unprovable.

``python -m proofs_checks.mutations`` compiles each mutated file in a scratch folder beside the compiled
files it rests on. A mutation that still compiles means that a constant or a hypothesis of the
statement is not really used by its proof; the command then exits with 1. Needs Coq and a finished
``make formal``; the library of verdicts is compiled here if it is not compiled yet.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from proofs_checks.kernel import FOLDER, FormalError, sources
from proofs_checks.verdicts import library

SECONDS = 300
"""A proof that no longer ends has not gone through either, but that is reported, not counted."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One text replaced in one file."""

    name: str
    file: str
    old: str
    new: str
    library: bool = False
    """Whether the file is one of the library of verdicts, above the development."""

    @property
    def folder(self) -> Path:
        return library.FOLDER if self.library else FOLDER


MUTATIONS = (
    Mutation(
        "Lemma 15 with half its quadratic term", "Lemma15.v",
        "1 + alpha * w + alpha * (alpha - 1) * w ^ 2.\nProof.\n  intros Ha Hw H1.",
        "1 + alpha * w + alpha * (alpha - 1) / 2 * w ^ 2.\nProof.\n  intros Ha Hw H1.",
    ),
    Mutation(
        "Lemma 15 without w (alpha - 1) <= 1", "Lemma15.v",
        "-1 < w -> w * (alpha - 1) <= 1 ->\n  Rpower (1 + w) alpha <= 1 + alpha * w + alpha * (alpha - 1) * w ^ 2.\nProof.\n  intros Ha Hw H1.",
        "-1 < w ->\n  Rpower (1 + w) alpha <= 1 + alpha * w + alpha * (alpha - 1) * w ^ 2.\nProof.\n  intros Ha Hw.",
    ),
    Mutation(
        "Lemma 6 reversed", "Pointwise.v",
        "Rpower (Qq / P) alpha >=\n  Pq", "Rpower (Qq / P) alpha <=\n  Pq",
    ),
    Mutation("Lemma 6 for every order", "Pointwise.v",
        "0 <= q <= 1 -> 1 <= alpha ->\n  let Pq", "0 <= q <= 1 -> 0 < alpha ->\n  let Pq",
    ),
    Mutation(
        "sinh(a t)/a for negative t", "Pointwise.v",
        "(t a b : R) : 0 < t -> 0 < a < b -> sinh", "(t a b : R) : t < 0 -> 0 < a < b -> sinh",
    ),
    Mutation(
        "exp(1/sigma^2) - 1 <= 1.03/sigma^2", "LogBounds.v",
        "exp (1 / sigma ^ 2) - 1 <= 1.1 / sigma ^ 2.", "exp (1 / sigma ^ 2) - 1 <= 1.03 / sigma ^ 2.",
    ),
    Mutation(
        "exp(1/sigma^2) - 1 <= 1.1/sigma^2 from sigma = 2", "LogBounds.v",
        "(sigma : R) : 4 <= sigma -> exp", "(sigma : R) : 2 <= sigma -> exp",
    ),
    Mutation(
        "Lemma 8 without the factor alpha - 1, an eighth", "SymmetricLemma.v",
        "(x + y) + q ^ 2 * alpha * (alpha - 1) * (x ^ 2 / y + y ^ 2 / x - (x + y)).\nProof.\n  intros Ha Hq Hx Hy H1 H2.",
        "(x + y) + q ^ 2 * alpha * (x ^ 2 / y + y ^ 2 / x - (x + y)) / 8.\nProof.\n  intros Ha Hq Hx Hy H1 H2.",
    ),
    Mutation(
        "Gaussian tail with the factor 1/4", "Gaussian.v",
        "T <= 1 / 2 * exp (- t ^ 2 / (2 * sigma ^ 2)).", "T <= 1 / 4 * exp (- t ^ 2 / (2 * sigma ^ 2)).",
    ),
    Mutation(
        "mu0 with the wrong sign in its exponent", "Gaussian.v",
        "mu0 (sigma z : R) : R := exp (- z ^ 2", "mu0 (sigma z : R) : R := exp (z ^ 2",
    ),
    Mutation(
        "Lemma 9 with a quarter of its second term", "A1Bound.v",
        "A1 <= 1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1).\nProof.\n  intros HA1.",
        "A1 <= 1 + q ^ 2 * alpha * (alpha - 1) * (exp (1 / sigma ^ 2) - 1) / 4.\nProof.\n  intros HA1.",
    ),
    Mutation(
        "Theorem 11 with the constant 2/5", "MainTheorem.v",
        "(mu0 sigma) < 2 * q ^ 2 * alpha / sigma ^ 2 /\\", "(mu0 sigma) < 2 / 5 * q ^ 2 * alpha / sigma ^ 2 /\\",
    ),
    Mutation(
        "A > 1 + 2 q^2 alpha (alpha - 1)/sigma^2", "MainTheorem.v",
        "A q sigma alpha < 1 + 2 *", "A q sigma alpha > 1 + 2 *",
    ),
    Mutation(
        "zCDP with rho = 1/(4 sigma^2)", "ZeroConcentrated.v",
        "(mu q sigma) (mu0 sigma) <= 1 / (2 * sigma ^ 2) * alpha /\\",
        "(mu q sigma) (mu0 sigma) <= 1 / (4 * sigma ^ 2) * alpha /\\",
    ),
    Mutation(
        "closed form for every q from 1/10", "ZeroConcentrated.v",
        "(q sigma alpha : R) : 1 / 2 <= q <= 1 ->", "(q sigma alpha : R) : 1 / 10 <= q <= 1 ->",
    ),
    Mutation(
        "rho = 1/(2 sigma^2) itself is not enough", "ZeroConcentrated.v",
        "rho < 1 / (2 * sigma ^ 2) ->", "rho <= 1 / (2 * sigma ^ 2) ->",
    ),
    Mutation(
        "binomial remainder without N >= a", "BinomialSeries.v",
        "forall a w, a <= INR N -> 0 <= w ->\n  Rabs (Rpower (1 + w) a - binomial_sum a N w)",
        "forall a w, 0 <= w ->\n  Rabs (Rpower (1 + w) a - binomial_sum a N w)",
    ),
    Mutation(
        "half-line moment with the cut on the wrong side", "Erfc.v",
        "* erfc ((k - z) / (sqrt 2 * sigma))).", "* erfc ((z - k) / (sqrt 2 * sigma))).",
    ),
    Mutation(
        "Lemma 10, Case I, up to alpha = 3", "A2Cases.v",
        "case_I : alpha < 2 ->", "case_I : alpha < 3 ->",
    ),
    Mutation(
        "Lemma 10, Case IIa, up to q (alpha - 1) = 1/2", "A2Cases.v",
        "case_IIa : 2 <= alpha -> q * (alpha - 1) < 1 / 3 ->", "case_IIa : 2 <= alpha -> q * (alpha - 1) < 1 / 2 ->",
    ),
    Mutation(
        "Lemma 10 with 0.9 a millionth lower", "A2Cases.v",
        "exp ln_A2_target = 0.9 * q ^ 2", "exp ln_A2_target = 0.899999 * q ^ 2",
    ),
    Mutation(
        "Lemma 10 with z0 above 3 alpha", "A2Cases.v",
        "Lemma z0_gt_2alpha : 2 * alpha <", "Lemma z0_gt_2alpha : 3 * alpha <",
    ),
    Mutation(
        "fractional order, error bound one term early", "FractionalOrder.v",
        "Theorem A_series_error (N : nat) : alpha <= INR N ->", "Theorem A_series_error (N : nat) : alpha <= INR N + 1 ->",
    ),
    Mutation(
        "fractional order without the right half", "FractionalOrder.v",
        "sum_below (left_term q sigma alpha) N + sum_below (right_term q sigma alpha) N.",
        "sum_below (left_term q sigma alpha) N.",
    ),
    Mutation(
        "sampling that drops a record too often", "SampledMechanism.v",
        "q ^ length T * (1 - q) ^ (length S - length T).", "q ^ length T * (1 - q) ^ length S.",
    ),
    Mutation(
        "sampling, weights that add up to 1.000001", "SampledMechanism.v",
        "sum_over (sublists S) (keep_probability q S) = 1.", "sum_over (sublists S) (keep_probability q S) = 1.000001.",
    ),
    Mutation(
        "sampling, the new record kept with 1 - q", "SampledMechanism.v",
        "((1 - q) * noise (centre b) z + q * noise (centre_x b) z)",
        "(q * noise (centre b) z + (1 - q) * noise (centre_x b) z)",
    ),
    Mutation(
        "joint convexity for every positive exponent", "QuasiConvexity.v",
        "(b : R) : convex_exponent b -> 0 < P", "(b : R) : 0 < b -> 0 < P",
    ),
    Mutation(
        "dimension d, normal density of mass 1.000001", "SpaceBranch.v",
        "int_space d (normal_space sigma d m) 1.", "int_space d (normal_space sigma d m) 1.000001.",
    ),
    Mutation(
        "dimension d, the sum of the coefficients for their length", "SpaceBranch.v",
        "mu0 sigma w * H (sqrt (sum_to d (fun i => c i ^ 2)) * w)) l ->", "mu0 sigma w * H (sum_to d c * w)) l ->",
    ),
    Mutation(
        "dimension d, Theorem 4 with B for A", "SpaceReduction.v",
        "/\\ 1 <= l <= A q sigma alpha) /\\", "/\\ 1 <= l <= B q sigma alpha) /\\",
    ),
    Mutation(
        "dimension d, Theorem 4 with moments above 1", "SpaceReduction.v",
        "/\\ 1 <= l <= B q sigma alpha).", "/\\ 1 < l <= B q sigma alpha).",
    ),
    Mutation(
        "dimension d, rho = 1/(2 sigma^2) is not enough", "SpaceRDP.v",
        "0 < q -> rho < 1 / (2 * sigma ^ 2) ->", "0 < q -> rho <= 1 / (2 * sigma ^ 2) ->",
    ),
    Mutation(
        "counterexample, Q with another coefficient", "InvolutionCounterexample.v",
        "Definition Q (x : R) : R := 2 * x ^ 2 * (1 + 9 * x", "Definition Q (x : R) : R := 2 * x ^ 2 * (1 + 8 * x",
    ),
    Mutation(
        "counterexample, nu(x) = 2/x", "InvolutionCounterexample.v",
        "Definition nu (x : R) : R := / x.", "Definition nu (x : R) : R := 2 / x.",
    ),
    Mutation(
        "counterexample, a moment a millionth higher", "InvolutionCounterexample.v",
        "2) (962 / 945).\nProof.\n  set (p := fun t => 4 / 3 * t ^ 2 * k t ^ 2).\n  replace (962 / 945) with",
        "2) (962001 / 945000).\nProof.\n  set (p := fun t => 4 / 3 * t ^ 2 * k t ^ 2).\n  replace (962001 / 945000) with",
    ),
    Mutation(
        "order 1, the limit a millionth too high", "OrderOne.v",
        "mu0 sigma)) 1 (KL (mu q sigma) (mu0 sigma)).", "mu0 sigma)) 1 (1.000001 * KL (mu q sigma) (mu0 sigma)).",
    ),
    Mutation(
        "order 1, the limit of the other divergence", "OrderOne.v",
        "mu0 sigma)) 1 (KL (mu q sigma) (mu0 sigma)).", "mu0 sigma)) 1 (KL (mu0 sigma) (mu q sigma)).",
    ),
    Mutation(
        "order 1, remainder of third order", "OrderOne.v",
        "<= 4 * (A q sigma 3 + A q sigma (-1)) * h ^ 2.", "<= 4 * (A q sigma 3 + A q sigma (-1)) * Rabs h ^ 3.",
    ),
    Mutation(
        "small q, the coefficient a millionth too low", "SmallRate.v",
        "Rabs (A q sigma s - 1 - s * (s - 1) / 2 * (exp", "Rabs (A q sigma s - 1 - 0.999999 * s * (s - 1) / 2 * (exp",
    ),
    Mutation(
        "small q, error of fourth order", "SmallRate.v",
        "* (exp (1 / sigma ^ 2) - 1) * q ^ 2) <= rest s * q ^ 3.", "* (exp (1 / sigma ^ 2) - 1) * q ^ 2) <= rest s * q ^ 4.",
    ),
    Mutation(
        "lower bound a millionth too high", "LowerBound.v",
        "exp (q ^ 2 * alpha * (alpha - 1) / (2 * sigma ^ 2)) <= A q sigma alpha.",
        "exp (1.000001 * q ^ 2 * alpha * (alpha - 1) / (2 * sigma ^ 2)) <= A q sigma alpha.",
    ),
    Mutation(
        "closed form within a factor 3.999999", "LowerBound.v",
        "<= 4 * renyi alpha (mu q sigma) (mu0 sigma).", "<= 3.999999 * renyi alpha (mu q sigma) (mu0 sigma).",
    ),
    Mutation(
        "factor 4 itself is not enough", "LowerBound.v",
        "Theorem factor_4_optimal (factor : R) : factor < 4 ->", "Theorem factor_4_optimal (factor : R) : factor <= 4 ->",
    ),
    Mutation(
        "the mechanism's density with mass 1.000001", "MechanismDensity.v",
        "int_space d (sampled_gaussian_space q sigma d f S) 1.", "int_space d (sampled_gaussian_space q sigma d f S) 1.000001.",
    ),
    Mutation(
        "the mechanism's density for q up to 2", "MechanismDensity.v",
        "Hypothesis Hq : 0 <= q <= 1.", "Hypothesis Hq : 0 <= q <= 2.",
    ),
    Mutation(
        "noise on the line that is not symmetric", "SymmetricNoise.v",
        "Hypothesis p_symmetric : forall x, p (- x) = p x.\nVariables a b q : R.",
        "Hypothesis p_symmetric : forall x, p (1 - x) = p x.\nVariables a b q : R.",
    ),
    Mutation(
        "noise on the line, the other way round", "SymmetricNoise.v",
        "int_line (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->\n  ln B / (alpha - 1) <= ln A / (alpha - 1).",
        "int_line (fun x => Pq x * Rpower (Q x / Pq x) alpha) B ->\n  ln A / (alpha - 1) <= ln B / (alpha - 1).",
    ),
    Mutation(
        "noise in R^d that depends on other coordinates", "SymmetricNoise.v",
        "Hypothesis p_on_space : on_space d p.", "Hypothesis p_on_space : on_space (S d) p.",
    ),
    Mutation(
        "noise on the integers, summed from -2 down", "SymmetricNoise.v",
        "is_series (fun n => f (- Z.of_nat (S n))%Z) l2", "is_series (fun n => f (- Z.of_nat (S (S n)))%Z) l2",
    ),
    Mutation(
        "conversion with a constant a millionth smaller", "Conversion.v",
        "conversion_constant (alpha : R) : R := / alpha * Rpower", "conversion_constant (alpha : R) : R := 0.999999 * / alpha * Rpower",
    ),
    Mutation(
        "conversion at order 1/2", "Conversion.v",
        "Lemma hockey_below_power (alpha u c : R) : 1 < alpha ->", "Lemma hockey_below_power (alpha u c : R) : 1 / 2 < alpha ->",
    ),
    Mutation(
        "tests above 1", "Conversion.v",
        "forall (chi : point -> R) (a b : R), (forall x, 0 <= chi x <= 1) ->", "forall (chi : point -> R) (a b : R), (forall x, 0 <= chi x <= 2) ->",
    ),
    Mutation(
        "a step that multiplies the moment by less", "RunStep.v",
        "l' <= A q sigma alpha * l.", "l' <= 0.999999 * A q sigma alpha * l.",
    ),
    Mutation(
        "composition without the last step", "RunComposition.v",
        "Definition total_renyi (T : nat) : R := sum_to T", "Definition total_renyi (T : nat) : R := sum_to (T - 1)",
    ),
    Mutation(
        "composition without sensitivity 1", "RunComposition.v",
        "forall t h, sensitivity_1_space d (f t h).", "forall t h, sensitivity_1_space d (f t h) \\/ True.",
    ),
    Mutation(
        "composition of functions with jumps by integrals that need not exist", "RunAnyChoice.v",
        "(forall t, (t <= T)%nat -> exists l, int_space (t * d) (moment t) l) ->\n  forall (chi",
        "(forall t, (t < T)%nat -> exists l, int_space (t * d) (moment t) l) ->\n  forall (chi",
    ),
    Mutation(
        "phases that count one step less", "RunSchedule.v",
        "match l with nil => 0%Z | (n, _, _) :: rest => (n + steps_of rest)%Z end.", "match l with nil => 0%Z | (n, _, _) :: rest => (n - 1 + steps_of rest)%Z end.",
    ),
    Mutation(
        "a threshold event twice as likely", "ThresholdEvent.v",
        "INR T * t / (1 + INR T * t) <= 1 - (1 - t) ^ T.\nProof.", "2 * (INR T * t) / (1 + INR T * t) <= 1 - (1 - t) ^ T.\nProof.",
    ),
    Mutation(
        "Mills' upper bound a millionth lower", "ThresholdEvent.v",
        "l <= sigma ^ 2 / a * mu0 sigma a.", "l <= 0.999999 * (sigma ^ 2 / a) * mu0 sigma a.",
    ),
    Mutation(
        "scores of blocks that do not add", "ScoredEvent.v",
        "(fun v => (s v + s' (block k v))%Z)\n    (fun h => C (fun a => C' (fun b => h (a + b)%Z))).\nProof.", "(fun v => (s v + s' (block k v))%Z)\n    (fun h => C (fun a => C' (fun b => h (a - b)%Z))).\nProof.",
    ),
    Mutation(
        "orders to 2.1 below the second moment", "OrderGrowth.v",
        "(alpha : R) : 1 < alpha <= 2 ->\n  A q sigma", "(alpha : R) : 1 < alpha <= 2.1 ->\n  A q sigma",
    ),
    Mutation(
        "orders to 2 a millionth cheaper", "OrderGrowth.v",
        "A q sigma alpha <= 1 + alpha * (alpha - 1) / 2 *", "A q sigma alpha <= 1 + 0.999999 * alpha * (alpha - 1) / 2 *",
    ),
    Mutation(
        "the pair of powers for exponents from -2", "OrderGrowth.v",
        "(s : R) : -1 <= s <= 0 -> paired", "(s : R) : -2 <= s <= 0 -> paired",
    ),
    Mutation(
        "the excess falls", "OrderGrowth.v",
        "(alpha beta : R) : 2 <= alpha <= beta ->", "(alpha beta : R) : 2 <= beta <= alpha ->",
    ),
    Mutation(
        "removing dominates for every eps", "RemovingAdding.v",
        "0 < sigma -> 0 <= eps ->\n  exists removing", "0 < sigma -> -1 <= eps ->\n  exists removing",
    ),
    Mutation(
        "adding dominates", "RemovingAdding.v",
        "0 <= adding <= removing.", "0 <= removing <= adding.",
    ),
    Mutation(
        "domination for concave tests", "StepDomination.v",
        "phi (t * x + (1 - t) * y) <= t * phi x", "phi (t * x + (1 - t) * y) >= t * phi x",
    ),
    Mutation(
        "domination at distance 2", "StepDomination.v",
        "(d : nat) (m m' : point) : distance_sq d m m' <= 1 ->", "(d : nat) (m m' : point) : distance_sq d m m' <= 2 ->",
    ),
    Mutation(
        "the hockey stick with half its Lipschitz constant", "StepDomination.v",
        "convex_test 1 (fun y => Rmax 0 (y - c))", "convex_test (1 / 2) (fun y => Rmax 0 (y - c))",
    ),
    Mutation(
        "DP of the pair with twice delta in one order", "RunDomination.v",
        "(fun y => Rmax 0 (1 - exp eps * y)) 1 <= delta ->\n  is_DP_space", "(fun y => Rmax 0 (1 - exp eps * y)) 1 <= 2 * delta ->\n  is_DP_space",
    ),
    Mutation(
        "the exact delta, halved", "RunExact.v",
        "(advances q sigma T (fun y => Rmax 0 (y - exp eps)) 1 <= delta /\\", "(advances q sigma T (fun y => Rmax 0 (y - exp eps)) 1 <= delta / 2 /\\",
    ),
    Mutation(
        "Karatsuba with a sign lost", "Products.v",
        "(opposite (plus lower upper))", "(plus lower upper)", library=True,
    ),
    Mutation(
        "masses of the upper bound rounded down", "TightLattice.v",
        "Definition up_one (k a : Z) : Z := (- Z.shiftr (- a) k)%Z.", "Definition up_one (k a : Z) : Z := Z.shiftr a k.", library=True,
    ),
    Mutation(
        "what is above the window does not spill", "TightLattice.v",
        "((a + t)%Z :: nil, t)", "((a + t)%Z :: nil, 0%Z)", library=True,
    ),
    Mutation(
        "half as many points without the lower share", "TightLattice.v",
        "(a + carry + up_one k (b * below))%Z :: halved r", "(a + carry)%Z :: halved r", library=True,
    ),
    Mutation(
        "the spill counted once in the order without the record", "TightCells.v",
        "(mul m (expo m (rat m eps)) (ofZ m (spill v)))) room", "(ofZ m (spill v))) room", library=True,
    ),
    Mutation(
        "a cell that reaches beyond its two points", "TightCells.v",
        "(at_most m low (ratio_at at0) && (at_most m (ratio_at b) high\n", "(at_most m low (ratio_at b) && (at_most m (ratio_at b) high\n", library=True,
    ),
    Mutation(
        "what is shown at an epsilon, shown at every smaller one", "TightCells.v",
        "0 < sigma -> smaller <= eps ->\n", "0 < sigma -> eps <= smaller ->\n", library=True,
    ),
)  # fmt: skip

QUICK = (
    "exp(1/sigma^2) - 1 <= 1.03/sigma^2",
    "Lemma 15 with half its quadratic term",
    "closed form for every q from 1/10",
    "joint convexity for every positive exponent",
)
"""Four in files that compile in seconds."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one mutation."""

    mutation: Mutation
    broke: bool
    where: str
    seconds: float


def ready(folder: Path = FOLDER) -> str:
    """Why mutations cannot be tried here; empty if they can."""
    if not shutil.which("coqc"):
        return "Coq is not installed here"
    if any(not p.with_suffix(".vo").exists() for p in sources(folder)):
        return "the development is not compiled here (make formal)"
    return ""


def mutate(text: str, mutation: Mutation) -> str:
    """The text with the mutation; an error if its place is gone or not unique."""
    if text.count(mutation.old) != 1:
        raise FormalError(f"{mutation.file}: no single place for '{mutation.name}'")
    return text.replace(mutation.old, mutation.new)


def attempt(mutation: Mutation) -> Trial:
    """Compile the mutated file beside the compiled others."""
    folder = mutation.folder
    text = mutate((folder / mutation.file).read_text(encoding="utf-8"), mutation)
    return Trial(mutation, *compile_text(text, mutation.file, folder))


def compile_text(text: str, name: str, folder: Path = FOLDER) -> tuple[bool, str, float]:
    """Whether a changed text of that file fails to compile, where, and how long it took."""
    with tempfile.TemporaryDirectory() as scratch:
        above = folder == library.FOLDER
        for path in library.sources() if above else sources(folder):
            if path.name == name:
                break  # later files rest on this one
            compiled = path.with_suffix(".vo")
            if not compiled.exists():
                raise FormalError(f"{compiled.name} is not compiled here (make formal)")
            (Path(scratch) / compiled.name).symlink_to(compiled.resolve())
        (Path(scratch) / name).write_text(text, encoding="utf-8")
        start = time.monotonic()
        paths = library.paths(Path()) if above else ["-Q", ".", "SGM"]
        command = ["coqc", "-q", "-w", "none", *paths, name]
        try:
            done = subprocess.run(
                command, cwd=scratch, capture_output=True, text=True, check=False, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            raise FormalError(f"{name}: no answer in {SECONDS} s") from None
        taken = time.monotonic() - start
    lines = done.stderr.strip().splitlines()
    where = next((line.split(", ", 1)[1] for line in lines if line.startswith("File ")), "")
    if done.returncode and not where:
        raise FormalError(f"{name}: {' '.join(lines)[:300]}")
    return done.returncode != 0, where.split(",")[0], taken


def main(arguments: Sequence[str] = (), mutations: Sequence[Mutation] = MUTATIONS) -> int:
    """Try all, or those whose file or name has one of the words; 1 if one survives."""
    if why := ready():
        print(f"mutations: {why}", file=sys.stderr)
        return 2
    chosen = [
        m
        for m in mutations
        if not arguments or any(word in f"{m.file} {m.name}" for word in arguments)
    ]
    survivors = 0
    try:
        if any(mutation.library for mutation in chosen):
            library.ready(lambda line: print(line, flush=True))
    except FormalError as error:
        print(f"mutations: {error}", file=sys.stderr)
        return 2
    for mutation in chosen:
        try:
            trial = attempt(mutation)
        except FormalError as error:
            print(f"mutations: {error}", file=sys.stderr)
            return 2
        survivors += not trial.broke
        verdict = f"breaks at {trial.where}" if trial.broke else "SURVIVES"
        print(
            f"{mutation.file:27} {mutation.name:57} {verdict} ({trial.seconds:.1f} s)", flush=True
        )
    print(f"{len(chosen)} mutations, {survivors} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
