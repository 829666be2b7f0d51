"""What a claim says with another number in a parameter that stands in no formula: the formula, and
the domain it is then printed for.

So that a dense grid can decide it, whatever the check finds.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy

from proofs_checks.paper import BOUND, alpha, epsilon, q, sigma
from proofs_checks.tools.formula import AnyFormula, Formula, Several, written
from verify.claims import Claim

CASES = r"0 < q \le 1/5,\ \sigma \ge 4,\ (4),\ (5)"
CASE_2 = CASES + r",\ \alpha \ge 2"
Domain = Callable[[str], str]

DOMAINS: dict[tuple[str, str], Domain] = {
    ("closed-form/lemma-8/power-bound", "extent"): (
        lambda x: rf"\alpha > 1,\ -1 < w \le {x}/(\alpha-1)"
    ),
    ("closed-form/lemma-8/statement", "reach"): (
        lambda x: rf"\alpha > 1,\ 0 < q \le 1,\ x, y > 0,\ 1/r_0 \le x/y \le {x} r_0"
    ),
    ("closed-form/lemma-10/case-1/first-summand", "least"): (
        lambda x: rf"0 < q \le 1/({x}),\ 1 < \alpha < 2"
    ),
    ("closed-form/lemma-10/case-1/second-summand", "noise"): (
        lambda x: rf"L > \ln 6,\ \sigma \ge {x}"
    ),
    ("closed-form/lemma-10/case-1/second-summand", "least"): (
        lambda x: rf"L > \ln({x}),\ \sigma \ge 4"
    ),
    ("closed-form/lemma-10/case-2a/first-term", "inverse"): (
        lambda x: rf"{CASE_2},\ q(\alpha-1) < 1/({x})"
    ),
    ("closed-form/lemma-10/case-2a/conclusion", "noise"): (
        lambda x: rf"{CASE_2.replace('4,', f'{x},', 1)},\ q(\alpha-1) < 1/3"
    ),
    ("closed-form/lemma-10/case-2a/half", "least"): lambda x: rf"\alpha \ge {x}",
    ("closed-form/lemma-10/case-2b/root", "most"): lambda x: rf"-1 < x \le {x}",
    ("closed-form/lemma-10/case-2b/last-step", "least"): (
        lambda x: rf"{CASE_2},\ q(\alpha-1) \ge {x}"
    ),
    ("main-theorem/exponential", "noise"): lambda x: rf"\sigma \ge {x}",
    ("beyond/excess/below-two", "last"): (
        lambda x: rf"0 < q \le 1,\ \sigma > 0,\ 1 < \alpha \le {x}"
    ),
    ("beyond/unconditional/half", "smallest"): (
        lambda x: rf"{x} \le q \le 1,\ \sigma > 0,\ \alpha > 1"
    ),
} | {
    (f"beyond/closed-form/{name}", parameter): (
        lambda x, least=least, reach=reach, parameter=parameter: (
            rf"0 < q \le 1,\ \sigma \ge {x if parameter == 'least' else least},"
            rf"\ 1 < \alpha \le 1 + {x if parameter == 'reach' else reach} \sigma^2 \ln(1/q)"
        )
    )
    for name, least, reach, parameters in (
        ("remember", "1/2", "1", ("reach", "least")), ("in-place-of-theorem-11", "1", "3/2", ("reach", "least")),
        ("six-fifths", "1", "1", ("reach", "least")), ("every-sigma", "1/100", "1/2", ("reach",)),
        ("to-the-wall", "1/100", "2/3", ("reach",)),
    )
    for parameter in parameters
}  # fmt: skip
"""By claim and parameter: the domain, with the number as text. The formula is the claim's own."""

ROW = r"0 < q < 1/(16 \sigma),\ 1 < \alpha \le 1 + \sigma^2 \ln(1/(q \sigma))"


def _number(x: Fraction) -> sympy.Rational:
    return sympy.Rational(x.numerator, x.denominator)


STATEMENTS: dict[tuple[str, str], Callable[[Fraction], tuple[Formula, str]]] = {
    ("main-theorem/statement", "constant"): lambda x: (
        written(lambda: (epsilon, "<=", _number(x) / 2 * BOUND)),
        CASES + r",\ \alpha > 1",
    ),
    ("table-1/this-work/closed-form", "constant"): lambda x: (
        written(lambda: (epsilon, "<=", _number(x) / 2 * BOUND)),
        CASES + r",\ \alpha > 1",
    ),
    ("table-1/abadi/uniform", "constant"): lambda x: (
        written(
            lambda: (epsilon, "<=", q**2 * alpha / ((1 - q) * sigma**2) + _number(x) * (q * alpha / sigma) ** 3)
        ),
        ROW + r",\ \sigma \ge 1",
    ),
    ("table-1/abadi/uniform", "least"): lambda x: (
        written(lambda: (epsilon, "<=", q**2 * alpha / ((1 - q) * sigma**2) + (q * alpha / sigma) ** 3)),
        ROW + rf",\ \sigma \ge {x}",
    ),
}  # fmt: skip
"""The same for claims whose statement is prose: formula and domain."""


def reading(claim: Claim, parameter: str, value: Any) -> tuple[AnyFormula, str] | None:
    """Formula and domain of a claim with another formula or number in one parameter; None where
    nobody has written them down."""
    if isinstance(value, Formula | Several):
        return (value, claim.domain) if parameter == "formula" else None
    if isinstance(value, bool) or not isinstance(value, int | Fraction | sympy.Rational):
        return None
    number = Fraction(str(value))
    if made := STATEMENTS.get((claim.id, parameter)):
        return made(number)
    if (domain := DOMAINS.get((claim.id, parameter))) and claim.formula is not None:
        return claim.formula, domain(str(number))
    return None
