"""Where a theorem carries a claim, its statement and the claim's formula are compared by machine.

The theorem is read from the Coq text, its definitions are unfolded, and its relations are compared with those
of the formula that the claim prints and checks: as expressions (their difference simplifies to zero), else by
balls at points.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from proofs_checks import paper
from proofs_checks.sections import pointwise_lemma, table_1
from tests.formal.comparison import MEANINGS, implies, plain, relations, same
from tests.formal.coq.expressions import Relation, Translator, Untranslated, nudged, numbers
from tests.formal.coq.statements import load
from verify.claims import Claim
from verify.claims.discovery import Installed

DEFINITIONS, STATEMENTS = load()
CLAIMS = {i: c for i, c in Installed.here().claims.items() if c.kernel and c.formula is not None}
HALF = sympy.Rational(1, 2)

ALSO = {
    "a-geq-b/lemma-6/product": pointwise_lemma.VARIABLES,
    "a-geq-b/lemma-6/equal-at-reciprocal": {pointwise_lemma.y: 1 / pointwise_lemma.z},
    "table-1/abadi/integer-orders": {table_1.A_n: MEANINGS[paper.A].subs(paper.alpha, paper.n)},
}
"""What names of these claims stand for, as their domains say."""

_Z1 = plain(paper.evaluated(paper.z1, paper.NAMES))
INSTANCES = {
    "closed-form/split": {"z": plain(paper.evaluated(paper.z0, paper.NAMES))},
    "numerical/fractional/left-integral": {"z": _Z1},
    "numerical/fractional/right-integral": {"z": _Z1},
    "numerical/whole/moment": {"a": sympy.Symbol("k", positive=True)},
    "numerical/whole/exponents": {"z": sympy.Symbol("x", positive=True)},
}
"""The theorem is about any cut, the claim takes z0 or z1; or the theorem has another letter."""

FACTOR = {
    "closed-form/lemma-9/value": HALF,
    "beyond/bound/within-four": sympy.Integer(4),
    "beyond/sharpness/limit": sympy.Symbol("sigma", positive=True) ** 2
    / (2 * sympy.Symbol("alpha", positive=True)),
}
"""The theorem's equation has to be multiplied by this."""

COMPOSED = {
    "closed-form/lemma-9/inner-ratio": {
        0: "the theorem bounds the inverse ratio: 1/r0 <= x is 1/x <= r0"
    },
    "closed-form/lemma-9/second-moments": {0: "two theorems with one value"},
    "closed-form/lemma-10/case-2b/exponentiated": {
        0: "A2_estimates and case_IIb_first_bound, chained"
    },
    "main-theorem/sum": {
        0: "A_split with lemma_9 and lemma_10 added",
        1: "exp_bound, multiplied and added",
    },
    "main-theorem/conversion": {0: "the definition of epsilon"},
    "closed-form/lemma-9/outer-bases": {1: "mixture_below_mu0 at 1 - z, by reflection"},
    "closed-form/lemma-10/case-2b/denominator": {0: "logarithms of a product; the sign is stated"},
    "numerical/ratio": {0: "mu_over_mu0, both sides raised to alpha"},
    "beyond/sharpness/limit": {1: "e^x > 1 + x at x = 1/sigma^2"},
    "numerical/fractional/crossover": {1: "the definition of z1"},
    "beyond/unconditional/half": {1: "closed_form_large_q without the middle; 2 q^2 >= 1/2"},
    "beyond/unconditional/raw-moment": {2: "A_le_unsampled without the middle; 1 <= e^x, x >= 0"},
}
"""Relations that no single theorem states, with what gives them."""


def stated(claim: Claim, bodies=None) -> list[Relation]:
    """What the theorems of a claim conclude."""
    translator = Translator(DEFINITIONS, INSTANCES.get(claim.id, {}))
    factor = FACTOR.get(claim.id, 1)
    return [
        Relation(_times(plain(r.left), factor), plain(r.right) * factor, r.kind)
        for name in claim.kernel
        for r in translator.relations((bodies or {}).get(name, STATEMENTS[name].body), {})
    ]


def _times(side: sympy.Expr, factor: sympy.Expr) -> sympy.Expr:
    """A multiple; that of a limit is the limit of the multiple."""
    if isinstance(side, sympy.Limit):
        return sympy.Limit(side.args[0] * factor, *side.args[1:])
    return side * factor


def matches(claim: Claim, formula=None, bodies=None) -> list[str]:
    """For each relation of the formula how a theorem states it: "tree", "points" or "" (not)."""
    theorems = stated(claim, bodies)
    wanted = relations(formula or claim.formula, ALSO.get(claim.id, {}))
    best = ("tree", "points", "")
    return [min((implies(t, w) for t in theorems), key=best.index, default="") for w in wanted]


@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_the_theorem_says_what_the_formula_says(claim_id: str) -> None:
    found = matches(CLAIMS[claim_id])
    missing = {index for index, how in enumerate(found) if not how}
    assert missing == set(COMPOSED.get(claim_id, {}))


def test_most_formulas_with_a_theorem_are_compared_as_expressions() -> None:
    ways = [how for claim in CLAIMS.values() for how in matches(claim)]
    assert ways.count("tree") >= 30
    assert len(ways) - ways.count("tree") - ways.count("points") == sum(map(len, COMPOSED.values()))


NO_NUMBERS = {
    "a-geq-b/corollary-7/statement": "A >= B",
    "closed-form/split": "A = A1 + A2",
    "closed-form/z0/r0": "mu1/mu0 = r0 at z0",
    "closed-form/z0/ratio-left-of-cut": "mu1/mu0 <= r0",
    "closed-form/z0/ratio-right-of-mirror": "mu0/mu1 <= r0",
}
"""Conclusions without a number to change; those of their definitions are compared below."""

ONE_THEOREM = [i for i, c in CLAIMS.items() if i not in COMPOSED and len(c.kernel) == 1]


@pytest.mark.parametrize("claim_id", ONE_THEOREM)
@pytest.mark.parametrize("step", [Fraction(1, 10**6), Fraction(-1, 10**6)])
def test_a_theorem_with_another_constant_is_another_statement(
    claim_id: str, step: Fraction
) -> None:
    claim = CLAIMS[claim_id]
    (name,) = claim.kernel
    body = STATEMENTS[name].body
    concluded = stated(claim)
    harmful = 0
    for index in range(numbers(body)):
        changed = {name: nudged(body, index, step)[0]}
        try:
            if stated(claim, changed) == concluded:
                continue  # a number in a hypothesis
        except Untranslated:
            continue
        found = matches(claim, bodies=changed)
        harmful += any(a and not b for a, b in zip(matches(claim), found, strict=True))
    assert (harmful == 0) == (claim_id in NO_NUMBERS)


def test_a_formula_with_another_constant_is_no_longer_the_theorem() -> None:
    claim = CLAIMS["main-theorem/exponential"]
    changed = claim.formula.put({paper.ELEVEN_TENTHS: paper.ELEVEN_TENTHS + Fraction(1, 10**6)})
    assert matches(claim) == ["tree"]
    assert matches(claim, changed) == [""]


def test_a_weak_theorem_does_not_give_a_strict_claim() -> None:
    claim = CLAIMS["main-theorem/exponential"]
    assert matches(claim, claim.formula.related("<")) == [""]
    assert matches(claim, claim.formula.exchanged()) == [""]


def coq_conditions() -> list[Relation]:
    d = DEFINITIONS["theorem_11_conditions"]
    env = {name: sympy.Symbol(name, positive=True) for name in d.parameters}
    return list(Translator(DEFINITIONS).relations(d.body, env))


def test_the_conditions_of_the_main_theorem_are_the_papers() -> None:
    wanted = relations(paper.CONDITION_1, {}) + relations(paper.CONDITION_2, {})
    for condition in wanted:
        assert [t for t in coq_conditions() if implies(t, condition) == "tree"]
    ends = [Relation(sympy.Symbol("q", positive=True), sympy.Rational(paper.LARGEST_Q), "<=")]
    ends += [Relation(sympy.Integer(paper.LEAST_SIGMA), sympy.Symbol("sigma", positive=True), "<=")]
    assert all(any(implies(t, end) for t in coq_conditions()) for end in ends)


@pytest.mark.parametrize("name", ["mu0", "mu1", "mu", "r0", "L", "z0", "z1"])
def test_definitions_are_the_papers(name: str) -> None:
    d = DEFINITIONS[name]
    arguments = {p: sympy.Symbol(p, positive=True) for p in d.parameters}
    theirs = Translator(DEFINITIONS).term(d.body, arguments)
    ours = getattr(paper, name)
    value = paper.evaluated(ours(paper.z) if name.startswith("mu") else ours, paper.NAMES)
    assert same(theirs, plain(value)) == "tree"
    assert same(theirs * (1 + sympy.Rational(1, 10**6)), plain(value)) == ""


@pytest.mark.parametrize(("name", "symbol"), [("A", paper.A), ("B", paper.B)])
def test_the_moments_are_the_papers(name: str, symbol: sympy.Symbol) -> None:
    d = DEFINITIONS[name]
    arguments = {p: sympy.Symbol(p, positive=True) for p in d.parameters}
    theirs = Translator(DEFINITIONS).term(d.body, arguments)
    ours = plain(paper.evaluated(symbol, paper.DEFINITIONS))
    assert same(theirs, ours)
    assert not same(theirs, ours.subs(sympy.Symbol("alpha", positive=True), 2))


def test_what_algebra_cannot_simplify_is_compared_at_points() -> None:
    nested = sympy.sqrt(5 + 2 * sympy.sqrt(6)) * sympy.Symbol("q", positive=True)
    apart = (sympy.sqrt(2) + sympy.sqrt(3)) * sympy.Symbol("q", positive=True)
    assert same(nested, apart) == "points"
    assert same(nested, apart * (1 + sympy.Rational(1, 10**6))) == ""
