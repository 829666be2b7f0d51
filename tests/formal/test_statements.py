"""The theorems of the Statements files, evaluated as their text says, at points that can refute them."""

from __future__ import annotations

import os

import pytest

from proofs_checks.kernel import FOLDER, theorems
from tests.formal.coq.statements import FILES, Evaluator, load, load_texts
from tests.formal.coq.syntax import NotUnderstood, parse
from tests.formal.coq.truth import examine

POINTS = 25
ALL_FUNCTIONS = "a statement about all functions"
EQUIVALENCE = "an equivalence with a statement about all functions"
NOT_ANALYTIC = "Rmax is not known here"  # the certified quadrature is for analytic integrands
SOME_NUMBERS = "the existence of something that is not an integral"

NOT_EVALUABLE = {
    "int_line_meaning": ALL_FUNCTIONS,
    "general_bound_on_line": ALL_FUNCTIONS,
    "general_bound_transport": ALL_FUNCTIONS,
    "general_bound_kl": ALL_FUNCTIONS,
    "int_space_unique": ALL_FUNCTIONS,
    "is_renyi_unique": ALL_FUNCTIONS,
    "symmetric_noise_space": ALL_FUNCTIONS,
    "symmetric_noise_integers": ALL_FUNCTIONS,
    "rdp_exactly": EQUIVALENCE,
    "space_rdp_exactly": EQUIVALENCE,
    "space_rdp_least": EQUIVALENCE,
    "space_zcdp_constant_optimal": SOME_NUMBERS,
    "factor_4_optimal": SOME_NUMBERS,
    "small_rate": SOME_NUMBERS,
    "removing_dominates": NOT_ANALYTIC,
}
"""What no finite number of points can speak about, with the evaluator's reason."""

CLOSED = (
    "conditions_met_case_I", "conditions_met_case_IIa", "conditions_met_case_IIb",
    "theorem_11_instance", "involution_counterexample", "counterexample_moments",
)  # fmt: skip
"""Statements without variables: one point is all there is."""

SLOW = ("involution_counterexample", "counterexample_moments")
"""Quadrature of the rational densities takes minutes: only in the thorough profile."""

FEWER = {"symmetric_noise": 6, "symmetric_noise_kl": 4}
"""Points of statements whose integrals are all done by quadrature."""

DEFINITIONS, STATEMENTS = load()
EVALUABLE = [name for name in STATEMENTS if name not in NOT_EVALUABLE]


def verdict(name, texts=None, literal=()):
    definitions, statements = load_texts(texts) if texts else (DEFINITIONS, STATEMENTS)
    evaluator = Evaluator(definitions, frozenset(literal))
    return examine(evaluator, name, statements[name].body, FEWER.get(name, POINTS))


def changed(old, new):
    """The texts of all Statements files with one passage replaced in the first file that has it."""
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in FILES]
    place = next(i for i, text in enumerate(texts) if old in text)
    texts[place] = texts[place].replace(old, new, 1)
    return texts


NOT_READ = {
    "StatementsRun.v": "every theorem is about all functions and all outputs of a run; its definitions and numbers "
    "are tried by tests/runs, which proves, refutes and compares with the exact epsilon",
    "StatementsTight.v": "every theorem is about all functions and all outputs of a run; tests/runs encloses exact epsilons "
    "with them and compares with the certified engine",
}
"""Statements files that are not evaluated, with the reason."""


def test_every_theorem_is_read():
    assert list(STATEMENTS) == [t.name for t in theorems() if t.file not in NOT_READ]
    assert {t.file for t in theorems()} == {*FILES, *NOT_READ}


def test_most_theorems_can_be_evaluated():
    assert set(NOT_EVALUABLE) < set(STATEMENTS)
    assert len(EVALUABLE) > 7 * len(NOT_EVALUABLE)


@pytest.mark.parametrize("name", EVALUABLE)
def test_the_statement_holds_where_its_hypotheses_do(name):
    if name in SLOW and os.environ.get("HYPOTHESIS_PROFILE") != "thorough":
        pytest.skip("takes minutes; HYPOTHESIS_PROFILE=thorough runs it")
    tally = verdict(name)
    assert not tally.failures, str(tally)
    assert tally.holds >= (1 if name in CLOSED else FEWER.get(name, POINTS)), str(tally)


@pytest.mark.parametrize(("name", "reason"), NOT_EVALUABLE.items())
def test_what_cannot_be_evaluated_says_why(name, reason):
    tally = verdict(name)
    assert tally.reason == reason
    assert tally.holds == 0


@pytest.mark.parametrize(
    ("name", "literal"),
    [
        ("renyi_A_B", ["renyi"]),
        ("A_rate_1", ["A"]),
        ("corollary_7_equality", ["A", "B"]),
        ("divergence_equal_at_half", ["renyi"]),
        ("moment_left", ["erfc"]),
        ("moment_right", ["erfc"]),
    ],
)
def test_supplied_values_are_those_of_the_definitions(name, literal):
    tally = verdict(name, literal=literal)
    assert not tally.failures, str(tally)
    assert tally.holds >= POINTS, str(tally)


BROKEN = {
    "constant too small": ("theorem_11", "(mu0 sigma) < 2 * q", "(mu0 sigma) < 2 / 5 * q"),
    "constant at its boundary": ("exp_bound", "- 1 <= 1.1 / sigma", "- 1 <= 1.03 / sigma"),
    "coefficient": ("bun_lemma_15", "alpha * (alpha - 1) * w ^ 2", "alpha * (alpha - 1) / 3 * w ^ 2"),
    "rho halved": ("zcdp", "(mu0 sigma) <= 1 / (2 *", "(mu0 sigma) <= 1 / (4 *"),
    "inequality reversed": ("corollary_7", "A q sigma alpha >= B", "A q sigma alpha <= B"),
    "strict where equality occurs": ("A_le_mixture", "A q sigma alpha <= (1 - q)", "A q sigma alpha < (1 - q)"),
    "tail bound halved": ("gaussian_tail_half", "T <= 1 / 2 *", "T <= 1 / 4 *"),
    "hypothesis dropped": ("lemma_6", "0 <= q <= 1 -> 1 <= alpha ->\n  let", "0 <= q <= 1 -> 0 < alpha ->\n  let"),
    "range widened": ("closed_form_large_q", "1 / 2 <= q <= 1 -> 0 < sigma", "0 <= q <= 1 -> 0 < sigma"),
    "mu0, wrong sign": ("reflection", "exp (- z ^ 2 / (2", "exp (z ^ 2 / (2"),
    "mu0, wrong factor": ("mu0_normalised", "/ (sigma * sqrt (2 * PI))", "/ (sigma * sqrt PI)"),
    "mu1, wrong centre": ("A_exists", "- (z - 1) ^ 2", "- (z + 1 / 2) ^ 2"),
    "B the wrong way round": ("B_exists", "(mu0 sigma z / mu q sigma z) alpha", "(mu q sigma z / mu0 sigma z) alpha"),
    "z0": ("z0_facts", "1 / 2 + sigma ^ 2 * ln (1 + 1", "1 / 2 + sigma * ln (1 + 1"),
    "r0": ("lemma_8", "1 + 1 / (q * (alpha - 1)).\nDef", "1 + 9 / (q * (alpha - 1)).\nDef"),
    "z1": ("z1_defining", "ln (1 / q - 1).", "ln (1 / q - 1) + 1."),
    "binomial formula": ("A_integer_order", "(1 - q) ^ (n - k) * q ^ k\n", "(1 - q) ^ k * q ^ (n - k)\n"),
    "erfc argument": ("moment_left", "erfc ((k - z) /", "erfc ((z - k) /"),
    "keeping probability": ("reduction_moments", "q ^ length T * (1 - q)", "(1 - q) ^ length T * (1 - q)"),
    "limit at order 1, the other divergence": ("kl_limit", "1 (KL (mu q sigma) (mu0 sigma))", "1 (KL (mu0 sigma) (mu q sigma))"),
    "limit at order 1, a millionth": ("kl_limit", "1 (KL (mu q sigma) (mu0 sigma))", "1 (1.000001 * KL (mu q sigma) (mu0 sigma))"),
    "linear in q": ("quadratic_in_q", "(mu0 sigma) / q ^ 2) (at_right", "(mu0 sigma) / q) (at_right"),
    "limit at q = 0, a millionth": ("quadratic_in_q", "(locally (alpha / 2 *", "(locally (alpha / 2.000002 *"),
    "lower bound, a millionth": ("renyi_lower_bound", "q ^ 2 * alpha / (2 * sigma ^ 2) <= renyi", "q ^ 2 * alpha / (1.999998 * sigma ^ 2) <= renyi"),
    "within a factor 3": ("within_factor_4", "<= 4 * renyi", "<= 3 * renyi"),
    "near order 1": ("A_near_order_1", "- h * KL (mu q sigma)", "- 2 * h * KL (mu q sigma)"),
    "mass a millionth high": ("space_mechanism_density", "d f S) 1.\nProof", "d f S) 1.000001.\nProof"),
    "divergence of another moment": ("divergences_converge", "0 < l /\\ D = ln l", "0 < l /\\ D = ln (l + 1)"),
    "symmetric noise, reversed": ("symmetric_noise", "is_renyi alpha Q Pq D' -> D' <= D.\nProof.\n", "is_renyi alpha Q Pq D' -> D <= D'.\nProof.\n"),
    "symmetric noise, order 1, reversed": ("symmetric_noise_kl", "(kl_integrand Q Pq) K' -> K' <= K.", "(kl_integrand Q Pq) K' -> K <= K'."),
    "derivative": ("growth_derivative", "- alpha * (Rpower y (alpha - 1)", "+ alpha * (Rpower y (alpha - 1)"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_text_does_not_pass(what):
    name, old, new = BROKEN[what]
    tally = verdict(name, changed(old, new))
    assert not tally.reason
    assert tally.failures or tally.holds < FEWER.get(name, POINTS), str(tally)


def test_a_divergence_with_the_wrong_prefactor_is_noticed():
    texts = changed("alpha)) / (alpha - 1).", "alpha)) / alpha.")
    assert verdict("renyi_A_B", texts, literal=["renyi"]).failures


def test_vacuous_points_are_counted_not_passed():
    statement = parse("forall x, x < 0 -> 0 < x -> x = x")
    tally = examine(Evaluator({}), "empty", statement, POINTS)
    assert (tally.holds, tally.failures) == (0, [])
    assert tally.vacuous > POINTS


def test_what_balls_leave_open_is_not_a_pass():
    tally = examine(Evaluator({}), "open", parse("forall x, 0 < x -> exp (ln x) < x"), POINTS)
    assert tally.holds == 0
    assert tally.open > 0


@pytest.mark.parametrize("text", ["a + ", "forall x y", "(a", "a ; b", "let x = 1 in x"])
def test_what_is_not_understood_is_an_error(text):
    with pytest.raises(NotUnderstood):
        parse(text)
