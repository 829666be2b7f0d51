"""Closed-form bound, the right part: cases I and IIa of Lemma 10 (lines 416-430).

The cases are parametrised exactly: q = 1/(5+p) and alpha - 1 = 1/(1+m) in case I, alpha = 2 + p and
q(alpha-1) = 1/(3+m) in case IIa; ln sigma = ln 4 + k in both.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.paper import ALPHA, LOG, a1, q, sigma
from proofs_checks.sections.closed_form_a2 import HALF, ONE, REGION, scalar
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import ball
from proofs_checks.tools.prover import prove
from proofs_checks.tools.signs import gap, positive_terms, slack
from verify.balls import enclosure, precision
from verify.claims import Evidence, Fraction, claim, rests_on

ln = sympy.log
CASE_1 = REGION + r",\ 1 < \alpha < 2"
CASE_2A = REGION + r",\ \alpha \ge 2,\ q(\alpha-1) < 1/3"
p, k, l1 = slack("p k l1")
(m,) = gap("m")
LIMIT = ln(ONE * 9 / 10)  # negative: the cases have to end above -LIMIT


@claim(
    "closed-form/lemma-10/case-1/logarithm",
    lines="418",
    kind="identity",
    domain=r"\alpha > 1,\ q > 0",
    statement=r"\ln q + \ln(\alpha-1) + L = \ln(q(\alpha-1)+1) > 0",
    broken={"alpha for alpha-1": {"inner": ALPHA}, "q(alpha-1) - 1": {"shift": -1}},
)
def case_1_logarithm(inner: sympy.Expr = a1, shift: int = 1) -> Iterator[Evidence]:
    """L is a logarithm of a quotient whose denominator cancels."""
    yield identity(
        ln(q) + ln(inner) + LOG, ln(q * a1 + shift), at=[{q: Fraction(1, 7), a1: Fraction(20)}]
    )
    yield positive(ln(1 + q * a1), "the logarithm of something above 1")


@claim(
    "closed-form/lemma-10/case-1/suffices",
    lines="418-421",
    kind="inequality",
    domain=CASE_1,
    statement=r"(1-\alpha)(\ln q+\ln\alpha) + (L-1)(2\ln\sigma-1) > 1 - \ln 0.9 "
    r"\Rightarrow (\text{ln})",
    broken={"2 ln sigma + 1": {"shift": 1}, "right side -ln 0.9": {"constant": 0}},
)
def case_1_suffices(shift: int = -1, constant: int = 1) -> Iterator[Evidence]:
    """The scalar inequality exceeds the simpler one by ln(q(alpha-1)+1) > 0."""
    simpler = (1 - ALPHA) * (ln(q) + ln(ALPHA)) + (LOG - 1) * (2 * ln(sigma) + shift) - constant
    yield identity(scalar() - simpler, ln(q * a1 + 1), "the difference")
    yield positive(ln(1 + q * a1), "which is positive")


@claim(
    "closed-form/lemma-10/case-1/first-summand",
    lines="422",
    kind="inequality",
    domain=CASE_1,
    statement=r"(1-\alpha)(\ln q + \ln\alpha) > 0 \text{ from } q < 1/5",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\text{the hypothesis is } q \le 1/5; \text{ only } q\alpha < 1 \text{ is used}",
    broken={"q up to 1": {"least": 1}, "sign": {"sign": -1}},
)
def case_1_first(least: int = 5, sign: int = 1) -> Iterator[Evidence]:
    """Below order 2 and for q <= 1/5, q alpha stays below 1, so its logarithm is negative."""
    inverse = (least + p) * (1 + m) / (2 + m)  # 1/(q alpha) with alpha - 1 = 1/(1+m)
    identity(inverse, 1 / ((1 / (least + p)) * (1 + 1 / (1 + m))))
    x, y = sympy.symbols("x y")
    proof = prove(sign * (1 - x * y) > 0, {x: (0, Fraction(1, least)), y: (1, 2)})
    yield proof.evidence("1 - q alpha > 0 on [0, 1/5] x [1, 2]").repaired()
    yield positive(sympy.factor(inverse - 1), "1/(q alpha) > 1").repaired()


@claim(
    "closed-form/lemma-10/case-1/l-bound",
    lines="422",
    kind="inequality",
    domain=CASE_1,
    statement=r"L > \ln(1+1/q) \ge \ln 6",
    broken={"ln 7": {"least": 7}, "alpha above 2": {"below": 1 + m}},
)
def case_1_l_bound(least: int = 6, below: sympy.Expr = 1 / (1 + m)) -> Iterator[Evidence]:
    """For alpha - 1 < 1 and q <= 1/5, by the monotone logarithm."""
    yield positive(sympy.factor((5 + p) / below - (5 + p)), "1/(q(alpha-1)) > 1/q")
    yield positive(1 + (5 + p) - least, "1 + 1/q >= 6", strict=False)


@claim(
    "closed-form/lemma-10/case-1/second-summand",
    lines="422",
    kind="inequality",
    domain=r"L > \ln 6,\ \sigma \ge 4",
    statement=r"(L-1)(2\ln\sigma-1) > 1 - \ln 0.9",
    broken={
        "sigma from 2": {"noise": 2},
        "L from ln 4": {"least": 4},
        "0.6": {"constant": ONE * 3 / 5},
    },
)
def case_1_second(
    noise: int = 4, least: int = 6, constant: sympy.Expr = ONE * 9 / 10
) -> Iterator[Evidence]:
    """The numerical heart of case I: 1.4034... > 1.1053..., and both factors only grow.

    The interval proof divides by L ln sigma and uses 1/L and 1/ln sigma, down to zero.
    """
    difference = (ln(least) + l1 - 1) * (2 * (ln(noise) + k) - 1) - (1 - ln(constant))
    x, y = sympy.symbols("x y")  # 1/L and 1/ln sigma
    box = {x: (0, _above(1 / ln(least))), y: (0, _above(1 / ln(noise)))}
    proof = prove((1 - x) * (2 - y) > (1 - ln(constant)) * x * y, box)
    yield proof.evidence("1/L in [0, 1/ln 6], 1/ln sigma in [0, 1/ln 4]")
    yield positive_terms(difference, "L = ln 6 + l1, ln sigma = ln 4 + k")


def _above(x: sympy.Expr) -> Fraction:
    """A rational a little above a constant."""
    with precision(60):
        return enclosure(ball(x, {})).hi


@claim(
    "closed-form/lemma-10/case-2a/rewriting",
    lines="427-428",
    kind="identity",
    domain=CASE_2A,
    statement=r"(2-\alpha)\ln q + (1-\alpha)\ln\alpha = (2-\alpha)(\ln q+\ln\alpha) - \ln\alpha",
    broken={"plus ln alpha": {"sign": 1}, "(1-alpha) outside": {"outer": 1 - ALPHA}},
)
def case_2a_rewriting(sign: int = -1, outer: sympy.Expr = 2 - ALPHA) -> Iterator[Evidence]:
    """Collecting ln(q alpha)."""
    rewritten = outer * (ln(q) + ln(ALPHA)) + sign * ln(ALPHA) + ln(a1) + 2 * (LOG - 1) * ln(sigma)
    yield identity(scalar(), rewritten)


@claim(
    "closed-form/lemma-10/case-2a/first-term",
    lines="430",
    kind="inequality",
    domain=CASE_2A,
    statement=r"q\alpha = q(\alpha-1)\tfrac{\alpha}{\alpha-1} < 2/3,\quad "
    r"(2-\alpha)\ln(q\alpha) \ge 0",
    broken={"q alpha < 1/2": {"most": HALF}, "q(alpha-1) < 1": {"inverse": 1}},
)
def case_2a_first(most: sympy.Expr = ONE * 2 / 3, inverse: int = 3) -> Iterator[Evidence]:
    """With alpha = 2 + p and q(alpha-1) = 1/(3+m) the product is (2+p)/((3+m)(1+p))."""
    product = (2 + p) / ((inverse + m) * (1 + p))
    identity(q * ALPHA, (q * a1) * ALPHA / a1)
    yield positive(sympy.factor(most - product), "2/3 - q alpha")
    logarithm = ln(1 + sympy.factor(1 / product - 1))
    yield positive(p * logarithm, "(2-alpha) ln(q alpha) = p ln(1/(q alpha))", strict=False)


@claim(
    "closed-form/lemma-10/case-2a/half",
    lines="430",
    kind="inequality",
    domain=r"\alpha \ge 2",
    statement=r"\ln(\alpha-1) - \ln\alpha \ge -\ln 2",
    broken={"-ln(3/2)": {"most": ONE * 3 / 2}, "alpha from 3/2": {"least": ONE * 3 / 2}},
)
def case_2a_half(most: sympy.Expr = ONE * 2, least: sympy.Expr = ONE * 2) -> Iterator[Evidence]:
    """(alpha-1)/alpha is at least 1/2."""
    order = least + p
    yield positive(sympy.factor(most * (order - 1) - order), "2(alpha-1) - alpha", strict=False)


@claim(
    "closed-form/lemma-10/case-2a/l-bound",
    lines="430",
    kind="inequality",
    domain=r"q(\alpha-1) < 1/3",
    statement=r"L > \ln 4",
    broken={"ln 5": {"least": 5}},
)
def case_2a_l_bound(least: int = 4) -> Iterator[Evidence]:
    """1 + 1/(q(alpha-1)) = 4 + m."""
    yield positive(1 + (3 + m) - least, "1 + 1/(q(alpha-1)) - 4")


@claim(
    "closed-form/lemma-10/case-2a/conclusion",
    lines="428-430",
    kind="inequality",
    domain=CASE_2A,
    statement=r"(2-\alpha)\ln(q\alpha) - \ln\alpha + \ln(\alpha-1) + 2(L-1)\ln\sigma \ge -\ln 0.9",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\text{strict, as the scalar inequality requires}",
    kernel="cases_I_and_IIa",
    broken={"sigma from 2": {"noise": 2}, "0.6": {"constant": ONE * 3 / 5}},
)
def case_2a_conclusion(noise: int = 4, constant: sympy.Expr = ONE * 9 / 10) -> Iterator[Evidence]:
    """Dropping the first term, -ln 2 + 2(ln 4 - 1) ln 4 = 0.377... exceeds -ln 0.9 = 0.105...

    The display has a weak inequality where a strict one is needed and true.
    """
    least = -ln(2) + 2 * (ln(4) + l1 - 1) * (ln(noise) + k) + ln(constant)
    x, y = sympy.symbols("x y")  # 1/L and 1/ln sigma
    box = {x: (0, _above(1 / ln(4))), y: (0, _above(1 / ln(noise)))}
    proof = prove(2 * (1 - x) + (ln(constant) - ln(2)) * x * y > 0, box)
    yield proof.evidence("1/L in [0, 1/ln 4], 1/ln sigma in [0, 1/ln 4]").repaired()
    yield positive_terms(least, "L = ln 4 + l1, ln sigma = ln 4 + k").repaired()
    yield rests_on(case_2a_rewriting, case_2a_first, case_2a_half, case_2a_l_bound)


CASE_1_STEPS = (case_1_suffices, case_1_first, case_1_l_bound, case_1_second)
