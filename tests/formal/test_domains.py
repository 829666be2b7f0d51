"""A theorem that carries a claim asks for no more than the claim's domain gives."""

from __future__ import annotations

import itertools

import pytest
import sympy

from tests.formal.coq.expressions import Relation, Translator, symbol
from tests.formal.coq.statements import load
from tests.formal.domains import Unread, hypotheses, of_claim, outside
from tests.formal.test_claims_and_theorems import INSTANCES
from verify.claims import Claim, Verdict
from verify.claims.discovery import discover

DEFINITIONS, STATEMENTS = load()
CLAIMS = {i: c for i, c in discover().items() if c.kernel and c.verdict is Verdict.HOLDS}

PROSE = {
    "abstract/quadratic": "a limit at fixed alpha > 1 and sigma > 0",
    "abstract/nearly-tight": "theorem_11_conditions",
    "reduction/theorem-4/without-the-person": "adjacent data sets; the mechanism's own q and sigma",
    "reduction/theorem-4/with-the-person": "the same",
    "one-dimensional/roadmap": "what the section announces",
    "numerical/comparison": "two noises, and the conditions in the formula's note",
    "figure-1/strictly-below": "theorem_11_conditions, as largest orders",
    "beyond/bound/four-is-needed": "theorem_11_conditions",
    "beyond/order-one/limit": "a limit at fixed q and sigma",
    "beyond/sharpness/limit": "a limit at fixed alpha > 1 and sigma > 0",
    "beyond/unconditional/half-mechanism": "the sensitivity of f",
    "beyond/run/composition": "the sensitivity of f, and its continuity",
    "beyond/run/certificate": "the same",
}
"""Domains that are not all numbers, and what the rest is."""

SPLIT = {
    "a-geq-b/lemma-6/statement": "lemma_6; the two others say where it is strict and where equal",
    "a-geq-b/corollary-7/statement": "corollary_7; the two others say where it is strict and where equal",
    "beyond/order-half/sampled-gaussian": "orders above 1, 1, between 1/2 and 1, and 1/2",
}
"""Claims whose theorems share the domain among them: one of them applies at each point."""


def asked(claim: Claim) -> list[list[Relation]]:
    """What each theorem asks; what all of them together ask, where all are needed."""
    translator = Translator(DEFINITIONS, INSTANCES.get(claim.id, {}))
    each = [list(hypotheses(STATEMENTS[name].body, translator)) for name in claim.kernel]
    return each if claim.id in SPLIT else [list(itertools.chain(*each))]


EXAMPLES = {"introduction/relaxed": "two points are shown, not all of the domain"}


@pytest.mark.parametrize("claim_id", [i for i in CLAIMS if i not in {*PROSE, *EXAMPLES}])
def test_the_domain_lies_inside_the_hypotheses(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    tried, failing = outside(list(of_claim(claim.domain)), asked(claim))
    assert tried
    assert failing[:3] == []


@pytest.mark.parametrize("claim_id", list(PROSE))
def test_what_is_called_prose_cannot_be_read(claim_id: str) -> None:
    with pytest.raises(Unread):
        list(of_claim(CLAIMS[claim_id].domain))


def test_a_domain_that_is_too_large_is_found_out() -> None:
    claim = CLAIMS["main-theorem/exponential"]
    _, failing = outside(list(of_claim(r"\sigma \ge 1")), asked(claim))
    assert failing


def test_an_end_too_many_is_found_out() -> None:
    q = symbol("q")
    inside = [Relation(sympy.Integer(0), q, "<")]
    assert outside(list(of_claim(r"0 \le q \le 1")), [inside])[1]
    assert not outside(list(of_claim(r"0 < q \le 1")), [inside])[1]
