"""Formulas of claims: printed from what is checked, so a change of one is a change of both."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest
import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import AnyFormula, Formula, written
from tests.proofs_checks.changes import changes
from verify.claims import Kind, Undecided
from verify.claims.discovery import Installed
from verify.numbers.balls import precision
from verify.report.pages.mathml import mathml

CLAIMS = {i: c for i, c in Installed.here().claims.items() if c.formula is not None}
TRIED = 6

SLOW = {
    "closed-form/lemma-8/terms-nonnegative": "sympy takes minutes over powers such as x^1.000001",
    "closed-form/lemma-9/statement": "rigorous quadrature at many points",
    "closed-form/lemma-10/statement": "rigorous quadrature at many points",
    "closed-form/lemma-10/without-cases": "subdivision into thousands of boxes",
    "closed-form/split": "rigorous quadrature at many points",
    "beyond/closed-form/in-place-of-theorem-11": "subdivision into thousands of boxes",
    "beyond/closed-form/every-sigma": "subdivision into thousands of boxes",
    "beyond/closed-form/six-fifths": "subdivision into thousands of boxes",
    "beyond/closed-form/to-the-wall": "rests on the bound to remember",
    "beyond/closed-form/remember": "subdivision into thousands of boxes",
    "numerical/comparison": "certified engine at 80 points",
    "numerical/fractional/left-integral": "sympy integrates",
    "numerical/fractional/right-integral": "sympy integrates",
    "numerical/whole/moment": "sympy integrates",
    "closed-form/lemma-9/second-moments": "sympy integrates",
    "beyond/sharpness/limit": "limits and the certified engine",
    "figure-1/strictly-below": "rests on the main theorem",
    "beyond/bound/from-below": "certified engine at many points",
    "beyond/bound/within-four": "certified engine at many points",
    "beyond/sharpness/upper": "certified engine at hundreds of orders",
    "beyond/unconditional/half": "certified engine at many points",
    "beyond/unconditional/raw-moment": "certified engine at many points",
}
"""Checks that are not run again and again here; their broken variants are changed formulas, too."""

TRUE_IDENTITIES = {r"\mu_0(z) = \mu_1(1+z)": "a Gaussian density is even about its mean"}
"""Changed identities that are true as well; sympy shows it below."""

PLACES = [
    Place(*map(Fraction, at))
    for at in (
        ("1/100", 4, "3/2"),
        ("1/100", 4, 8),
        ("1/5", 4, 4),
        ("1/10", 6, 5),
        ("1/7", 5, "5/4"),
    )
]
OTHER = {"x": "3/2", "y": "5/4", "w": "1/9", "r": "9/8", "v": "7/3", "t": "1/2", "u": "2", "z": "1/3",
         "k": "5/2", "S_n": "1", "a_0": "1", "d_n": "99", "n": "3"}  # fmt: skip
"""Where inequalities are looked at independently of their checks: points of the main theorem's region."""


@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_the_statement_is_the_formulas_latex_and_can_be_set(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    assert claim.formula is not None
    assert claim.statement == claim.formula.latex()
    assert '<code class="tex">' not in mathml(claim.statement)


@pytest.mark.parametrize(("beyond", "typed"), [(False, 25), (True, 28)])
def test_no_more_statements_are_typed_than_are_counted_here(beyond: bool, typed: int) -> None:
    """Of the paper's identities and inequalities 79 of 104 are printed from an expression, of ours 23 of 51."""
    found = Installed.here().claims.values()
    wanted = [c for c in found if c.kind in (Kind.IDENTITY, Kind.INEQUALITY)]
    own = [c for c in wanted if (c.lines == "beyond") == beyond]
    assert sum(c.formula is None for c in own) <= typed
    assert sum(c.formula is not None for c in own) >= (23 if beyond else 79)


def formula_of(claim_id: str) -> AnyFormula:
    formula = CLAIMS[claim_id].formula
    assert formula is not None
    return formula


@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_every_change_of_the_expression_changes_what_is_printed(claim_id: str) -> None:
    formula = formula_of(claim_id)
    variants = {**dict(changes(formula)), "sides exchanged": formula.exchanged()}
    assert [label for label, new in variants.items() if new.latex() == formula.latex()] == []


def picked(formula: AnyFormula) -> Iterator[tuple[str, AnyFormula]]:
    """A few changes, spread over the formula, and the exchange of sides."""
    found = list(changes(formula))
    step = max(1, len(found) // TRIED)
    yield from found[::step][:TRIED]
    yield from (c for c in found if "exchanged" in c[0])


class _Numbers(Mapping[sympy.Symbol, arb]):
    """A place, and the numbers above for symbols that are not the paper's."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def __getitem__(self, name: sympy.Symbol) -> arb:
        if name.name == "A_n":
            return self.place.moment(Fraction(OTHER["n"]))
        own = name not in (paper.q, paper.sigma, paper.alpha, paper.a1)
        return (
            rational(Fraction(OTHER[name.name])) if own and name.name in OTHER else self.place[name]
        )

    def __iter__(self) -> Iterator[sympy.Symbol]:
        return iter(self.place)

    def __len__(self) -> int:
        return len(self.place)


def surely(part, place) -> bool | None:
    """Whether an inequality holds there; None where balls cannot tell."""
    try:
        return holds(part.mapped(_expanded), place)
    except Undecided:
        return None


def _expanded(side: sympy.Expr) -> sympy.Expr:
    plain = paper.evaluated(side, paper.NAMES)
    return plain.doit() if plain.has(sympy.Derivative) else plain


def certified_true(formula: AnyFormula, changed: AnyFormula) -> bool:
    """Identities are untouched, and changed inequalities hold at all points where the claim's own do."""
    looked = 0
    for old, new in zip(formula.parts(), changed.parts(), strict=True):
        if old == new:
            continue
        if new.relation == "=":
            return new.latex() in TRUE_IDENTITIES
        for place in map(_Numbers, PLACES):
            if surely(old, place):
                looked += 1
                if surely(new, place) is not True:
                    return False
    return looked > 0


@pytest.mark.parametrize("claim_id", [i for i in CLAIMS if i not in SLOW])
def test_a_check_refuses_a_changed_formula_unless_it_is_true(claim_id: str) -> None:
    claim, formula = CLAIMS[claim_id], formula_of(claim_id)
    refused = []
    for label, changed in picked(formula):
        outcome = claim.check(formula=changed)
        assert not outcome.crashed, (label, outcome.why)
        if outcome.confirms:
            assert "exchanged" not in label
            assert certified_true(formula, changed), label
        else:
            refused.append(label)
    assert refused or not list(changes(formula))


def test_the_true_variants_of_identities_are_true() -> None:
    assert sympy.simplify(paper.density0(paper.z) - paper.density1(1 + paper.z)) == 0


def test_a_formula_is_kept_as_it_was_written() -> None:
    x, y = sympy.symbols("x y", positive=True)
    formula = written(lambda: (y + x - 2 * (x - y), "<=", (1 + 1 / x) ** 2))
    assert formula.latex() == r"y+x-2(x-y) \le \left(1+\frac{1}{x}\right)^2"
    assert formula.expanded()[0] == 3 * y - x


def test_an_unknown_relation_is_refused() -> None:
    with pytest.raises(ValueError, match="relation"):
        written(lambda: (1, "!=", 2))


def test_changing_what_does_not_occur_is_refused() -> None:
    with pytest.raises(ValueError, match="does not occur"):
        paper.CONDITION_1.put({paper.z: 1})


def test_names_expand_to_what_is_checked() -> None:
    with precision(100):
        place = Place(Fraction(1, 5), Fraction(4), Fraction(4))
        by_name = ball(paper.CONDITION_1.expanded()[1], place)
        expanded = ball(paper.values(paper.CONDITION_1, "<=")[1], place)
        assert by_name.overlaps(expanded)
        assert by_name > 4


def test_slow_checks_have_changed_formulas_among_their_broken_variants() -> None:
    without = [i for i in SLOW if not any("formula" in b for b in CLAIMS[i].broken.values())]
    assert without == ["closed-form/lemma-8/terms-nonnegative", "closed-form/split"]


# -- relations -------------------------------------------------------------------------------

OTHER_RELATIONS = {"<": (">", "="), "<=": (">=", "="), ">": ("<", "="), ">=": ("<=", "="), "=": ("<", ">")}  # fmt: skip
"""Turned, or made an equation or none."""


def otherwise_related(formula: AnyFormula) -> Iterator[AnyFormula]:
    """The formula with one of its relations turned, or made an equation or none."""
    if isinstance(formula, Formula):
        for place, relation in enumerate(formula.relations):
            for other in OTHER_RELATIONS[relation]:
                yield formula.related(
                    *formula.relations[:place], other, *formula.relations[place + 1 :]
                )
    else:
        for place, part in enumerate(formula.formulas):
            for changed in otherwise_related(part):
                parts = (*formula.formulas[:place], changed, *formula.formulas[place + 1 :])
                yield dataclasses.replace(formula, formulas=parts)


@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_another_relation_is_not_what_the_check_shows(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    assert claim.formula is not None
    for changed in otherwise_related(claim.formula):
        finding = claim.check(formula=changed)
        assert finding.refuses, (changed.latex(), finding.why)


NOTES = {
    "figure-1/strictly-below": ["beyond the conditions"],
    "closed-form/lemma-9/outer-bases": ["z near z0", "z from 1 - z0 on"],
    "numerical/comparison": ["beyond the orders that are allowed"],
    "closed-form/lemma-10/case-1/first-summand": ["q up to 1"],
    "a-geq-b/lemma-6/equal-at-reciprocal": ["at y = 1/z^2"],
    "beyond/series/factors-are-moments": ["right of z1"],
}
"""Words beside a formula that say where it holds, and the variants that leave that place."""


def notes(formula: AnyFormula) -> list[str]:
    parts = [formula] if isinstance(formula, Formula) else formula.formulas
    return [part.note for part in parts if part.note.strip(":,;. ")]


def test_what_is_printed_beside_a_formula_is_checked() -> None:
    counts = {i: len(notes(formula_of(i))) for i in CLAIMS if notes(formula_of(i))}
    assert counts == {i: len(variants) for i, variants in NOTES.items()}


@pytest.mark.parametrize(("claim_id", "variant"), [(i, v) for i, vs in NOTES.items() for v in vs])
def test_a_formula_away_from_where_it_is_printed_to_hold_is_refused(
    claim_id: str, variant: str
) -> None:
    claim = CLAIMS[claim_id]
    assert claim.check(**claim.broken[variant]).refuses


STRICT = {"<=": "<", ">=": ">"}
STRICTLY_TRUE = {
    "closed-form/lemma-10/z0-bound": "the difference is 1/2 plus twice the slack",
    "main-theorem/exponential": "1.0319 against 1.1 at sigma = 4, and v > 0",
}
"""Weak inequalities that are strict on their whole domains, and checks that show it."""


def made_strict(formula: AnyFormula) -> Iterator[AnyFormula]:
    """The formula with one of its weak relations made strict."""
    if isinstance(formula, Formula):
        for place, relation in enumerate(formula.relations):
            if relation in STRICT:
                others = formula.relations[:place], formula.relations[place + 1 :]
                yield formula.related(*others[0], STRICT[relation], *others[1])
    else:
        for place, part in enumerate(formula.formulas):
            for changed in made_strict(part):
                parts = (*formula.formulas[:place], changed, *formula.formulas[place + 1 :])
                yield dataclasses.replace(formula, formulas=parts)


@pytest.mark.parametrize("claim_id", [i for i, c in CLAIMS.items() if any(made_strict(c.formula))])
def test_strict_is_more_than_an_argument_for_weak_shows(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    assert claim.formula is not None
    findings = [claim.check(formula=changed) for changed in made_strict(claim.formula)]
    assert not any(f.crashed for f in findings), [f.why for f in findings]
    assert any(f.confirms for f in findings) == (claim_id in STRICTLY_TRUE)


@pytest.mark.parametrize(
    ("claim_id", "factor"),
    [
        ("a-geq-b/corollary-7/statement", "0.999999999999"),
        ("closed-form/lemma-9/statement", "1.000000000001"),
        ("closed-form/lemma-10/statement", "100"),
        ("beyond/series/proved-error", "1.001"),
    ],
)
def test_a_multiple_of_what_the_argument_names_is_refused(claim_id: str, factor: str) -> None:
    """Points see it only where both sides are close; the argument itself has to."""
    claim = CLAIMS[claim_id]
    assert isinstance(claim.formula, Formula)
    first, *rest = claim.formula.sides
    with sympy.evaluate(False):
        larger = sympy.Mul(sympy.Rational(factor), first)
    assert claim.check(formula=dataclasses.replace(claim.formula, sides=(larger, *rest))).refuses
