"""Closed-form bound, the right part: case IIb of Lemma 10, and the lemma (lines 375-385, 432-447).

In case IIb q(alpha-1) = 1/3 + p, and the second condition on alpha is used with a slack s >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import sympy

from proofs_checks import errata
from proofs_checks.paper import (
    ALPHA,
    CONDITION_2,
    LOG,
    NINE_TENTHS,
    SLACK_1,
    SLACK_2,
    A_right,
    L,
    a1,
    alpha,
    conditions_hold,
    ln,
    ordered,
    q,
    sigma,
    spare,
    sqrt,
    value,
    values,
    x,
    z0,
)
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.sections import closed_form_a2 as a2
from proofs_checks.sections import closed_form_a2_cases as cases
from proofs_checks.sections.closed_form_a2 import REGION, s
from proofs_checks.sections.closed_form_a2_tail import HALF, ONE
from proofs_checks.tools.algebra import factored, identity, positive
from proofs_checks.tools.draws import Number, at_many
from proofs_checks.tools.formula import Formula, exactly, written
from proofs_checks.tools.prover import Box, prove
from proofs_checks.tools.signs import gap, slack
from verify.claims import Evidence, Fraction, Profile, Rejected, StepFails, all_of, claim, rests_on

CASE_2B = REGION + r",\ \alpha \ge 2,\ q(\alpha-1) \ge 1/3"
(p,) = slack("p")
LAST_STEP = written(
    lambda: (
        sympy.Rational(3, 10) * (q * (alpha - 1) / sigma**2),
        "<",
        NINE_TENTHS * (q**2 * alpha * (alpha - 1) / sigma**2),
    )
)


with sympy.evaluate(False):
    z0_terms = -(z0**2) / (2 * sigma**2) + alpha * z0 / sigma**2
FIRST_LINE = written(
    lambda: (
        ln(A_right), "<", alpha * ln(q * alpha) - z0**2 / (2 * sigma**2) + alpha * z0 / sigma**2,
    )
)  # fmt: skip


@claim(
    "closed-form/lemma-10/case-2b/first-line",
    lines="433-434",
    kind="inequality",
    domain=CASE_2B,
    statement=FIRST_LINE,
    broken={
        "minus the last term": {
            "formula": FIRST_LINE.put({alpha * z0 / sigma**2: -alpha * z0 / sigma**2})
        }
    },
)
def case_2b_first(formula: Formula = FIRST_LINE) -> Iterator[Evidence]:
    """The logarithm of the bound, multiplied out."""
    for side, known in zip(formula.ascending().sides, a2.LOGARITHM.sides, strict=True):
        found = identity(value(side), value(known), "the exponent")
    yield found
    yield rests_on(a2.logarithm)


SECOND_LINE = written(
    lambda: (
        z0_terms,
        "<",
        alpha * (L + 1 / (2 * sigma**2)) - L / 2 - sigma**2 * L**2 / 2,
    )
)


@claim(
    "closed-form/lemma-10/case-2b/second-line",
    lines="435",
    kind="inequality",
    domain=CASE_2B,
    statement=SECOND_LINE,
    broken={
        "L for L/2": {"formula": SECOND_LINE.put({-L / 2: -L})},
        "reversed": {"formula": SECOND_LINE.exchanged()},
    },
)
def case_2b_second(formula: Formula = SECOND_LINE) -> Iterator[Evidence]:
    """Inserting z0 = 1/2 + sigma^2 L; what is dropped is exactly 1/(8 sigma^2)."""
    small, large = (a2.in_ell(side) for side in formula.ascending().sides)
    yield identity(large - small, 1 / (8 * sigma**2), "the difference")
    yield positive(1 / (8 * sigma**2), "which is positive")


DENOMINATOR = written(lambda: (L + ln(q * alpha), "=", ln(q * alpha + alpha / (alpha - 1)), ">", 0))


@claim(
    "closed-form/lemma-10/case-2b/denominator",
    lines="438",
    kind="identity",
    domain=r"\alpha > 1,\ q > 0",
    statement=DENOMINATOR,
    kernel="condition_2_denominator",
    broken={
        "1/(alpha-1)": {"formula": DENOMINATOR.put({alpha / (alpha - 1): 1 / (alpha - 1)})},
        "q(alpha-1)": {"formula": DENOMINATOR.put({ln(q * alpha): ln(q * (alpha - 1))})},
    },
)
def case_2b_denominator(formula: Formula = DENOMINATOR) -> Iterator[Evidence]:
    """The denominator of the second condition is positive, so it may be multiplied out."""
    total, logarithm, zero = values(formula, "=", ">")
    yield identity(total, logarithm)
    identity(sympy.exp(logarithm), 1 + (q * ALPHA + 1 / a1))
    yield positive(ln(1 + (q * ALPHA + 1 / a1)) - zero, "the logarithm of something above 1")


THIRD_LINE = written(
    lambda: (
        alpha * (ln(q * alpha) + L + 1 / (2 * sigma**2)) - L / 2 - sigma**2 * L**2 / 2,
        "<=",
        -ln(5) - 2 * ln(sigma) - L / 2,
    )
)


@claim(
    "closed-form/lemma-10/case-2b/third-line",
    lines="436-438",
    kind="inequality",
    domain=CASE_2B,
    statement=THIRD_LINE,
    broken={
        "ln 6": {"formula": THIRD_LINE.put({sympy.Integer(5): 6})},
        "reversed": {"formula": THIRD_LINE.exchanged()},
    },
)
def case_2b_third(formula: Formula = THIRD_LINE) -> Iterator[Evidence]:
    """The second condition multiplied by its positive denominator D; the slack s stays as s D."""
    yield identity(spare(formula), SLACK_2, "right minus left = s D")
    (denominator,) = gap("D")
    right = value(CONDITION_2.sides[1])
    below = 1 / value(CONDITION_2.sides[1].args[1])  # the denominator, positive
    identity(SLACK_2, (right - ALPHA) * below, nonzero=[below])
    yield positive(s * denominator, "s D >= 0", strict=False)
    yield rests_on(case_2b_denominator)


EXPONENTIATED = written(
    lambda: (A_right, "<", 1 / (5 * sigma**2 * sqrt(1 + 1 / (q * (alpha - 1)))))
)


@claim(
    "closed-form/lemma-10/case-2b/exponentiated",
    lines="440-442",
    kind="inequality",
    domain=CASE_2B,
    statement=EXPONENTIATED,
    kernel=("z0_bound", "A2_estimates", "case_IIb_first_bound"),
    broken={
        "10^9": {"formula": EXPONENTIATED.put({sympy.Integer(5): 10**9})},
    },
)
def case_2b_exponentiated(formula: Formula = EXPONENTIATED) -> Iterator[Evidence]:
    """e^{-L/2} is one over the root of r0."""
    part, bound = formula.ascending().sides
    identity(part, A_right)
    # alpha ln(q alpha) is in the first and the third line: the second leaves it alone.
    power = ALPHA * ln(q * ALPHA)
    identity(ordered(FIRST_LINE)[1] - power, ordered(SECOND_LINE)[0])
    identity(ordered(SECOND_LINE)[1] + power, ordered(THIRD_LINE)[0])
    last = sympy.exp(ordered(THIRD_LINE)[1])
    yield identity(last, value(bound), "exponential of the third line")
    yield rests_on(case_2b_first, case_2b_second, case_2b_third)


ROOT = written(lambda: (sqrt(1 + x), ">=", sympy.Rational(2, 3) * x))


@claim(
    "closed-form/lemma-10/case-2b/root",
    lines="443",
    kind="inequality",
    domain=r"x \le 3",
    statement=ROOT,
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\text{for } -1 \le x \le 3; \text{ used at } x = 1/(q(\alpha-1)) \in (0, 3]",
    kernel="sqrt_bound",
    erratum=errata.ENDS,
    broken={
        "x up to 4": {"most": 4},
        "factor 3/4": {"formula": ROOT.put({sympy.Rational(2, 3): sympy.Rational(3, 4)})},
    },
)
def case_2b_root(formula: Formula = ROOT, most: Fraction | int = 3) -> Iterator[Evidence]:
    """Below x = 3 the root lies above the chord; for x < -1 there is no root.

    For -1 <= x <= 0 the right-hand side is not positive. For x = 3/(1+p) > 0 compare the squares:
    1 + x - (2x/3)^2 = (3-x)(4x+3)/9.
    """
    line, root = ordered(formula.weak())  # equal at x = 3
    squares = root**2 - line**2
    if not squares.is_polynomial(x):
        raise StepFails(f"{squares} is no polynomial")
    inside = squares.subs(x, most / (1 + p))
    positive(factored(inside), "1 + x - (2x/3)^2 on (0, 3]", strict=False)
    yield identity(squares, (3 - x) * (4 * x + 3) / 9, "the squares").repaired()
    v = 1 / (1 + p)
    yield positive(-line.subs(x, -v), "-(2/3)x >= 0 for -1 <= x <= 0", strict=False).repaired()
    used = 1 / (5 * line.subs(x, 1 / (q * a1)))
    last = ordered(LAST_STEP)[0] * sigma**2
    yield identity(used, last, "at x = 1/(q(alpha-1)): 1/(5 (2/3) x)").repaired()


@claim(
    "closed-form/lemma-10/case-2b/last-step",
    lines="444",
    kind="inequality",
    domain=CASE_2B,
    statement=LAST_STEP,
    broken={
        "7/10": {"formula": LAST_STEP.put({NINE_TENTHS: sympy.Rational(7, 10)})},
        "q(alpha-1) >= 1/4": {"least": ONE / 4},
    },
)
def case_2b_last(formula: Formula = LAST_STEP, least: sympy.Expr = ONE / 3) -> Iterator[Evidence]:
    """Because q alpha = q(alpha-1) + q > 1/3."""
    room = (spare(formula) * sigma**2).subs(a1, (least + p) / q)  # q(alpha-1) = 1/3 + p
    yield positive(sympy.expand(room), "q alpha = q(alpha-1) + q, q > 0", strict=formula.strict)


LEMMA_10 = written(lambda: (A_right, "<=", NINE_TENTHS * q**2 * alpha * (alpha - 1) / sigma**2))


@claim(
    "closed-form/lemma-10/statement",
    lines="375-385",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ (4),\ (5)",
    statement=LEMMA_10,
    kernel="lemma_10",
    broken={
        "a thousandth of the constant": {
            "formula": LEMMA_10.put({NINE_TENTHS: sympy.Rational(9, 10**4)})
        },
        "without the conditions": {"conditions": False},
    },
)
def lemma_10(
    formula: Formula = LEMMA_10,
    conditions: bool = True,
    profile: Profile = Profile.QUICK,
) -> Iterator[Evidence]:
    """The part right of the cut is a small fraction of the second-order term.

    Three cases cover the region: alpha < 2; alpha >= 2 with q(alpha-1) < 1/3; alpha >= 2 with
    q(alpha-1) >= 1/3. The rate is positive by Definition 3.
    """

    def applies(q: Fraction, sigma: Fraction, a1: Fraction) -> bool:
        return not conditions or conditions_hold(q, sigma, 1 + a1)

    def below(q: Fraction, sigma: Fraction, a1: Fraction) -> bool:
        return holds(formula, Place(q, sigma, 1 + a1))

    ranges: dict[str, tuple[Number, Number]] = {
        "q": (Fraction(1, 100), Fraction(1, 5)),
        "sigma": (4, 20),
        "a1": (Fraction(1, 100), 16 if conditions else 500),
    }
    count = 60 if profile is Profile.QUICK else 3000
    if not below(Fraction(1, 5), Fraction(4), Fraction(3)):
        raise Rejected("fails at the corner q = 1/5, sigma = 4, alpha = 4")
    yield at_many(ranges, count, applies, below, "A^(2) by rigorous quadrature")
    exactly(formula.stated("<=")[0], A_right)
    claimed = ordered(formula)[1]
    for end in (ordered(LAST_STEP)[1], sympy.exp(ordered(a2.REDUCTION.formulas[1])[1])):
        reached = positive(factored(claimed - end), "the cases end at 0.9", strict=False)
    yield all_of(
        reached,
        rests_on(a2.reduction, *cases.CASE_1_STEPS, cases.case_2a_conclusion),
        rests_on(case_2b_exponentiated, case_2b_root, case_2b_last),
    )


WITHOUT_CASES = written(lambda: (a2.LOGARITHM.sides[1], "<", a2.REDUCTION.formulas[1].sides[1]))


@claim(
    "closed-form/lemma-10/without-cases",
    lines="beyond",
    kind="inequality",
    domain=r"1/10 \le q \le 1/5,\ 4 \le \sigma \le 6,\ 5/4 \le \alpha \le 11,\ (4),\ (5)",
    statement=WITHOUT_CASES,
    broken={
        "a thousandth of the constant": {
            "formula": WITHOUT_CASES.put({NINE_TENTHS: sympy.Rational(9, 10**4)})
        },
        "without the second condition": {"conditions": 1},
    },
)
def without_cases(
    formula: Formula = WITHOUT_CASES,
    conditions: Literal[0, 1, 2] = 2,
    profile: Profile = Profile.QUICK,
) -> Iterator[Evidence]:
    """What the case analysis proves, on a box where the region is tightest, by subdivision alone.

    No case, no rewriting of the paper is used: sub-boxes that break a condition are vacuous, on all
    others the inequality itself is enclosed. The full profile takes a larger box.
    """
    small, large = ordered(formula)
    x, y, v = sympy.symbols("q y sigma")  # y = alpha - 1; symbols of a box carry no assumptions
    at = {q: x, a1: y, sigma: v}
    length, order = LOG.subs(at), 1 + y
    # The same with z0 multiplied out: fewer times the same symbol, sharper balls.
    bound = order * ln(x * order) - (HALF**2 / v**2 + length + v**2 * length**2) / 2
    bound += order * (1 / (2 * v**2) + length)
    back = {x: q, y: a1, v: sigma}
    identity(bound.subs(back), small)
    target = sympy.expand_log(large).subs(at)
    given = [SLACK_1.subs(at), SLACK_2.subs(at)][:conditions]
    boxes: list[Box] = [{x: (Fraction(1, 10), Fraction(1, 5)), v: (4, 6), y: (Fraction(1, 4), 10)}]
    if profile is Profile.FULL:
        boxes.append({x: (Fraction(1, 100), Fraction(1, 5)), v: (4, 8), y: (Fraction(1, 10), 30)})
    for box in boxes:
        where = ", ".join(f"{n} in [{low}, {high}]" for n, (low, high) in box.items())
        yield prove(target > bound, box, given=given, statement=True).evidence(
            f"{where} (y = alpha - 1)"
        )
