"""A refutation is a point of the domain where the statement's own sides fail; everything else is not proved."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy

from proofs_checks import paper
from proofs_checks.refuting import counterexample
from proofs_checks.refuting.domain import read
from proofs_checks.sections.closed_form_a2_lemma import LEMMA_10
from proofs_checks.sections.main_theorem import EXPONENTIAL
from proofs_checks.tools.formula import written
from verify.claims import Verdict
from verify.claims.discovery import discover

CLAIMS = discover()
PRINTED = {i: c for i, c in CLAIMS.items() if c.formula is not None and read(c.domain) is not None}
NINE, ELEVEN = paper.NINE_TENTHS, paper.ELEVEN_TENTHS


def lemma_10(constant: str) -> dict[str, Any]:
    return {"formula": LEMMA_10.put({NINE: sympy.Rational(constant)})}


def exponential(constant: str) -> dict[str, Any]:
    return {"formula": EXPONENTIAL.put({ELEVEN: sympy.Rational(constant)})}


TRUE_AND_REJECTED_ONCE: list[tuple[str, dict[str, Any]]] = [
    ("closed-form/lemma-10/statement", lemma_10("9/20")),
    ("closed-form/lemma-10/statement", lemma_10("4/5")),
    ("main-theorem/exponential", {"noise": 3}),
    ("main-theorem/exponential", exponential("26/25")),
    ("main-theorem/exponential", exponential("21/20")),
    ("closed-form/lemma-8/power-bound", {"extent": Fraction(3, 2)}),
    ("closed-form/lemma-8/power-bound", {"extent": Fraction(17, 10)}),
    ("closed-form/lemma-10/case-2a/first-term", {"inverse": Fraction(29, 10)}),
    ("closed-form/lemma-10/case-2a/conclusion", {"noise": 2}),
]


@pytest.mark.parametrize(("claim_id", "parameters"), TRUE_AND_REJECTED_ONCE)
def test_what_is_true_is_not_rejected(claim_id: str, parameters: dict[str, Any]) -> None:
    finding = CLAIMS[claim_id].check(**parameters)
    assert not finding.rejected
    assert not finding.crashed


def test_three_quarters_of_the_claims_with_a_formula_have_a_domain_that_can_be_read() -> None:
    formulas = [c for c in CLAIMS.values() if c.formula is not None]
    assert 4 * len(PRINTED) >= 3 * len(formulas)


TRUE = [i for i, c in PRINTED.items() if c.verdict is Verdict.HOLDS]


@pytest.mark.parametrize("claim_id", TRUE)
def test_no_statement_that_holds_has_a_counterexample(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    assert counterexample(claim.formula, claim.domain) == ""


def test_a_point_outside_of_the_domain_refutes_nothing() -> None:
    formula = written(lambda: (paper.sigma, ">=", 4))
    assert counterexample(formula, r"\sigma \ge 4") == ""
    assert "is false" in counterexample(formula, r"\sigma \ge 3/2")


def test_a_domain_in_words_refutes_nothing() -> None:
    assert counterexample(written(lambda: (paper.sigma, "<", 0)), r"\text{the table}") == ""


def test_a_statement_too_strong_by_a_millionth_is_refuted_where_it_is_sharp() -> None:
    formula = written(
        lambda: (
            paper.r0,
            ">=",
            (1 + sympy.Rational(1, 10**6)) * (1 + 1 / (paper.q * (paper.alpha - 1))),
        )
    )
    assert "is false" in counterexample(formula, r"0 < q \le 1,\ \alpha > 1")


def test_an_equation_is_refuted_by_the_side_that_is_proved() -> None:
    whole = sympy.Integral(sympy.exp(-(paper.x**2)), (paper.x, -sympy.oo, sympy.oo))
    own = written(lambda: (whole, "=", sympy.sqrt(sympy.pi)))
    changed = written(lambda: (whole, "=", 2 * sympy.sqrt(sympy.pi)))
    assert counterexample(changed, r"\sigma > 0") == ""
    assert "is false" in counterexample(changed, r"\sigma > 0", own)
