"""Closed-form bound, the right part: cases I and IIa of Lemma 10 (lines 416-430).

The cases are parametrised exactly: q = 1/(5+p) and alpha - 1 = 1/(1+m) in case I, alpha = 2 + p and
q(alpha-1) = 1/(3+m) in case IIa; ln sigma = ln 4 + k in both.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks import errata
from proofs_checks.paper import (
    ALPHA,
    NINE_TENTHS,
    L,
    a1,
    alpha,
    ln,
    ordered,
    q,
    sigma,
    spare,
    values,
)
from proofs_checks.sections.closed_form_a2 import REGION, SCALAR, ell, h, in_ell
from proofs_checks.sections.closed_form_a2_tail import HALF, ONE
from proofs_checks.tools.algebra import factored, identity, positive
from proofs_checks.tools.balls import ball
from proofs_checks.tools.formula import Formula, Several, implies, together, written
from proofs_checks.tools.prover import prove
from proofs_checks.tools.signs import gap, positive_terms, slack
from verify.claims import Evidence, Fraction, claim, rests_on
from verify.numbers.balls import enclosure, precision

IN_CASE_1 = REGION + r",\ 1 < \alpha < 2"
IN_CASE_2A = REGION + r",\ \alpha \ge 2,\ q(\alpha-1) < 1/3"
p, k, l1 = slack("p k l1")
(m,) = gap("m")


CASE_1_LOGARITHM = written(
    lambda: (ln(q) + ln(alpha - 1) + L, "=", ln(q * (alpha - 1) + 1), ">", 0)
)


@claim(
    "closed-form/lemma-10/case-1/logarithm",
    lines="418",
    kind="identity",
    domain=r"\alpha > 1,\ q > 0",
    statement=CASE_1_LOGARITHM,
    broken={
        "alpha for alpha-1": {"formula": CASE_1_LOGARITHM.put({ln(alpha - 1): ln(alpha)})},
        "q(alpha-1) - 1": {
            "formula": CASE_1_LOGARITHM.put({q * (alpha - 1) + 1: q * (alpha - 1) - 1})
        },
    },
)
def case_1_logarithm(formula: Formula = CASE_1_LOGARITHM) -> Iterator[Evidence]:
    """L is a logarithm of a quotient whose denominator cancels."""
    total, logarithm, zero = values(formula, "=", ">")
    yield identity(total, logarithm, at=[{q: Fraction(1, 7), a1: Fraction(20)}])
    yield positive(logarithm - zero, "the logarithm of something above 1")


CASE_1 = written(
    lambda: (
        (1 - alpha) * (ln(q) + ln(alpha)) + (L - 1) * (2 * ln(sigma) - 1),
        ">",
        1 - ln(NINE_TENTHS),
    )
)
CASE_1_SUFFICES = implies(CASE_1, SCALAR)


@claim(
    "closed-form/lemma-10/case-1/suffices",
    lines="418-421",
    kind="inequality",
    domain=IN_CASE_1,
    statement=CASE_1_SUFFICES,
    broken={
        "50 ln(alpha-1)": {"formula": CASE_1_SUFFICES.put({ln(alpha - 1): 50 * ln(alpha - 1)})},
    },
)
def case_1_suffices(formula: Several = CASE_1_SUFFICES) -> Iterator[Evidence]:
    """The scalar inequality exceeds the simpler one by ln(q(alpha-1)+1) > 0."""
    simpler, full = formula.formulas
    yield identity(spare(full) - spare(simpler), ln(q * a1 + 1), "the difference")
    yield positive(ln(1 + q * a1), "which is positive")


CASE_1_FIRST = written(
    lambda: ((1 - alpha) * (ln(q) + ln(alpha)), ">", 0), note=r"\ \text{from } q < 1/5"
)


@claim(
    "closed-form/lemma-10/case-1/first-summand",
    lines="422",
    kind="inequality",
    domain=IN_CASE_1,
    statement=CASE_1_FIRST,
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\text{the hypothesis is } q \le 1/5; \text{ only } q\alpha < 1 \text{ is used}",
    erratum=errata.ENDS,
    broken={
        "q up to 1": {"least": 1},
        "sign": {"formula": CASE_1_FIRST.exchanged()},
    },
)
def case_1_first(formula: Formula = CASE_1_FIRST, least: Fraction | int = 5) -> Iterator[Evidence]:
    """Below order 2 and for q <= 1/5, q alpha stays below 1, so its logarithm is negative."""
    inverse = (least + p) * (1 + m) / (2 + m)  # 1/(q alpha) with alpha - 1 = 1/(1+m)
    identity(inverse, 1 / ((1 / (least + p)) * (1 + 1 / (1 + m))))
    identity(spare(formula), -a1 * (ln(q) + ln(ALPHA)), "(alpha-1) ln(1/(q alpha))")
    x, y = sympy.symbols("x y")
    proof = prove(1 - x * y > 0, {x: (0, Fraction(1, least)), y: (1, 2)})
    yield proof.evidence("1 - q alpha > 0 on [0, 1/5] x [1, 2]").repaired()
    yield positive(factored(inverse - 1), "1/(q alpha) > 1").repaired()


CASE_1_L = written(lambda: (L, ">", ln(1 + 1 / q), ">=", ln(6)))


@claim(
    "closed-form/lemma-10/case-1/l-bound",
    lines="422",
    kind="inequality",
    domain=IN_CASE_1,
    statement=CASE_1_L,
    broken={
        "ln 7": {"formula": CASE_1_L.put({sympy.Integer(6): 7})},
        "alpha above 2": {"below": 1 + m},
    },
)
def case_1_l_bound(
    formula: Formula = CASE_1_L, below: sympy.Expr = 1 / (1 + m)
) -> Iterator[Evidence]:
    """For alpha - 1 < 1 and q <= 1/5, by the monotone logarithm."""
    for part, detail in zip(formula.parts(), ("1/(q(alpha-1)) > 1/q", "1 + 1/q >= 6"), strict=True):
        small, large = (sympy.exp(side) for side in ordered(part))
        difference = (large - small).subs({q: 1 / (5 + p), a1: below})
        yield positive(factored(difference), detail, strict=part.strict)


CASE_1_SECOND = written(lambda: ((L - 1) * (2 * ln(sigma) - 1), ">", 1 - ln(NINE_TENTHS)))


def _in_logarithms(formula: Formula, least: sympy.Expr, noise: sympy.Expr) -> sympy.Expr:
    """Larger minus smaller side with L and ln sigma given."""
    small, large = (in_ell(side) for side in formula.ascending().sides)
    return (large - small).subs({ell: least, h: noise})


def _divide_by_logs(formula: Formula, x: sympy.Symbol, y: sympy.Symbol) -> sympy.Expr:
    """The same divided by L ln sigma, in x = 1/L and y = 1/ln sigma."""
    return sympy.expand(_in_logarithms(formula, 1 / x, 1 / y) * x * y)


@claim(
    "closed-form/lemma-10/case-1/second-summand",
    lines="422",
    kind="inequality",
    domain=r"L > \ln 6,\ \sigma \ge 4",
    statement=CASE_1_SECOND,
    broken={
        "sigma from 2": {"noise": 2},
        "L from ln 4": {"least": 4},
        "0.6": {"formula": CASE_1_SECOND.put({NINE_TENTHS: sympy.Rational(3, 5)})},
    },
)
def case_1_second(
    formula: Formula = CASE_1_SECOND, noise: Fraction | int = 4, least: Fraction | int = 6
) -> Iterator[Evidence]:
    """The numerical heart of case I: 1.4034... > 1.1053..., and both factors only grow.

    The interval proof divides by L ln sigma and uses 1/L and 1/ln sigma, down to zero.
    """
    difference = _in_logarithms(formula, ln(least) + l1, ln(noise) + k)
    x, y = sympy.symbols("x y")  # 1/L and 1/ln sigma
    box = {x: (0, _above(1 / ln(least))), y: (0, _above(1 / ln(noise)))}
    proof = prove(_divide_by_logs(formula, x, y) > 0, box)
    yield proof.evidence("1/L in [0, 1/ln 6], 1/ln sigma in [0, 1/ln 4]")
    yield positive_terms(difference, "L = ln 6 + l1, ln sigma = ln 4 + k")


def _above(x: sympy.Expr) -> Fraction:
    """A rational a little above a constant."""
    with precision(60):
        return enclosure(ball(x, {})).hi


REWRITING = written(
    lambda: (
        (2 - alpha) * ln(q) + (1 - alpha) * ln(alpha),
        "=",
        (2 - alpha) * (ln(q) + ln(alpha)) - ln(alpha),
    )
)


@claim(
    "closed-form/lemma-10/case-2a/rewriting",
    lines="427-428",
    kind="identity",
    domain=IN_CASE_2A,
    statement=REWRITING,
    broken={
        "plus ln alpha": {"formula": REWRITING.put({-ln(alpha): ln(alpha)})},
        "(1-alpha) outside": {
            "formula": REWRITING.put(
                {(2 - alpha) * (ln(q) + ln(alpha)): (1 - alpha) * (ln(q) + ln(alpha))}
            )
        },
    },
)
def case_2a_rewriting(formula: Formula = REWRITING) -> Iterator[Evidence]:
    """Collecting ln(q alpha)."""
    yield identity(*values(formula))


CASE_2A_FIRST = together(
    written(
        lambda: (
            q * alpha,
            "=",
            q * (alpha - 1) * (alpha / (alpha - 1)),
            "<",
            sympy.Rational(2, 3),
        )
    ),
    written(lambda: ((2 - alpha) * ln(q * alpha), ">=", 0)),
)


@claim(
    "closed-form/lemma-10/case-2a/first-term",
    lines="430",
    kind="inequality",
    domain=IN_CASE_2A,
    statement=CASE_2A_FIRST,
    broken={
        "q alpha < 1/2": {"formula": CASE_2A_FIRST.put({sympy.Rational(2, 3): HALF})},
        "q(alpha-1) < 1": {"inverse": 1},
    },
)
def case_2a_first(
    formula: Several = CASE_2A_FIRST, inverse: Fraction | int = 3
) -> Iterator[Evidence]:
    """With alpha = 2 + p and q(alpha-1) = 1/(3+m) the product is (2+p)/((3+m)(1+p))."""
    at = {a1: 1 + p, q: 1 / ((inverse + m) * (1 + p))}
    first, second = formula.formulas
    (name, product, most), (logarithm, zero) = values(first, "=", "<"), values(second, ">=")
    identity(name, product)
    product = product.subs(at)
    yield positive(factored(most - product), "2/3 - q alpha")
    identity((logarithm - zero).subs(at), -p * ln(product), "(2-alpha) ln(q alpha)")
    growth = ln(1 + factored(1 / product - 1))
    yield positive(p * growth, "(2-alpha) ln(q alpha) = p ln(1/(q alpha))", strict=False)


CASE_2A_HALF = written(lambda: (ln(alpha - 1) - ln(alpha), ">=", -ln(2)))


@claim(
    "closed-form/lemma-10/case-2a/half",
    lines="430",
    kind="inequality",
    domain=r"\alpha \ge 2",
    statement=CASE_2A_HALF,
    broken={
        "-ln(3/2)": {"formula": CASE_2A_HALF.put({sympy.Integer(2): sympy.Rational(3, 2)})},
        "alpha from 3/2": {"least": ONE * 3 / 2},
    },
)
def case_2a_half(
    formula: Formula = CASE_2A_HALF, least: sympy.Expr = ONE * 2
) -> Iterator[Evidence]:
    """(alpha-1)/alpha is at least 1/2."""
    small, large = (sympy.exp(side).subs(a1, least - 1 + p) for side in ordered(formula))
    yield positive(factored(large - small), "(alpha-1)/alpha - 1/2", strict=formula.strict)


CASE_2A_L = written(lambda: (L, ">", ln(4)))


@claim(
    "closed-form/lemma-10/case-2a/l-bound",
    lines="430",
    kind="inequality",
    domain=r"q(\alpha-1) < 1/3",
    statement=CASE_2A_L,
    broken={"ln 5": {"formula": CASE_2A_L.put({sympy.Integer(4): 5})}},
)
def case_2a_l_bound(formula: Formula = CASE_2A_L) -> Iterator[Evidence]:
    """1 + 1/(q(alpha-1)) = 4 + m."""
    small, large = (sympy.exp(side).subs(q, 1 / ((3 + m) * a1)) for side in ordered(formula))
    yield positive(sympy.expand(large - small), "1 + 1/(q(alpha-1)) - 4", strict=formula.strict)


CASE_2A = written(
    lambda: (
        (2 - alpha) * ln(q * alpha) - ln(alpha) + ln(alpha - 1) + 2 * (L - 1) * ln(sigma),
        ">=",
        -ln(NINE_TENTHS),
    )
)


@claim(
    "closed-form/lemma-10/case-2a/conclusion",
    lines="428-430",
    kind="inequality",
    domain=IN_CASE_2A,
    statement=CASE_2A,
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\text{strict, as the scalar inequality requires}",
    kernel="cases_I_and_IIa",
    erratum=errata.ENDS,
    broken={
        "sigma from 11/10": {"noise": Fraction(11, 10)},
        "0.6": {"formula": CASE_2A.put({NINE_TENTHS: sympy.Rational(3, 5)})},
    },
)
def case_2a_conclusion(formula: Formula = CASE_2A, noise: Fraction | int = 4) -> Iterator[Evidence]:
    """Dropping the first term, -ln 2 + 2(ln 4 - 1) ln 4 = 0.377... exceeds -ln 0.9 = 0.105...

    The display has a weak inequality where a strict one is needed and true.
    """
    dropped = CASE_2A_FIRST.formulas[1].sides[0]
    half, least_half = CASE_2A_HALF.sides
    left, right = formula.sides
    remaining = written(lambda: (left - dropped - half + least_half, formula.relation, right))
    least = sympy.expand(_in_logarithms(remaining, ln(4) + l1, ln(noise) + k))
    x, y = sympy.symbols("x y")  # 1/L and 1/ln sigma
    box = {x: (0, _above(1 / ln(4))), y: (0, _above(1 / ln(noise)))}
    proof = prove(_divide_by_logs(remaining, x, y) > 0, box)
    yield proof.evidence("1/L in [0, 1/ln 4], 1/ln sigma in [0, 1/ln 4]").repaired()
    yield positive_terms(least, "L = ln 4 + l1, ln sigma = ln 4 + k").repaired()
    yield rests_on(case_2a_rewriting, case_2a_first, case_2a_half, case_2a_l_bound)


CASE_1_STEPS = (case_1_suffices, case_1_first, case_1_l_bound, case_1_second)
