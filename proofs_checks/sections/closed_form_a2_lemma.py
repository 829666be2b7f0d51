"""Closed-form bound, the right part: case IIb of Lemma 10, and the lemma (lines 375-385, 432-447).

In case IIb q(alpha-1) = 1/3 + p, and the second condition on alpha is used with a slack s >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.paper import ALPHA, LOG, R0, SLACK_1, SLACK_2, a1, conditions_hold, q, sigma
from proofs_checks.sections import closed_form_a2 as a2
from proofs_checks.sections import closed_form_a2_cases as cases
from proofs_checks.sections.closed_form_a2 import HALF, ONE, REGION, cut, ell, h, s
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from proofs_checks.tools.draws import Number, at_many, surely_below
from proofs_checks.tools.halves import upper_half
from proofs_checks.tools.prover import Box, prove
from proofs_checks.tools.signs import gap, slack
from verify.balls import precision
from verify.claims import Evidence, Fraction, Profile, Rejected, claim, rests_on

ln = sympy.log
CASE_2B = REGION + r",\ \alpha \ge 2,\ q(\alpha-1) \ge 1/3"
(p,) = slack("p")
(rate,) = gap("rate")  # q itself


@claim(
    "closed-form/lemma-10/case-2b/first-line",
    lines="433-434",
    kind="inequality",
    domain=CASE_2B,
    statement=r"\ln A_\alpha^{(2)} < \alpha\ln(q\alpha) - "
    r"\tfrac{z_0^2}{2\sigma^2} + \tfrac{\alpha z_0}{\sigma^2}",
    broken={"minus the last term": {"sign": -1}},
)
def case_2b_first(sign: int = 1) -> Iterator[Evidence]:
    """The logarithm of the bound, multiplied out."""
    bound = -cut * (cut - 2 * ALPHA) / (2 * sigma**2)
    yield identity(
        bound, -(cut**2) / (2 * sigma**2) + sign * ALPHA * cut / sigma**2, "the exponent"
    )
    yield rests_on(a2.logarithm)


@claim(
    "closed-form/lemma-10/case-2b/second-line",
    lines="435",
    kind="inequality",
    domain=CASE_2B,
    statement=r"-\tfrac{z_0^2}{2\sigma^2} + \tfrac{\alpha z_0}{\sigma^2} < "
    r"\alpha(L + \tfrac{1}{2\sigma^2}) - \tfrac{L}{2} - \tfrac{\sigma^2 L^2}{2}",
    broken={"L for L/2": {"half": ONE}, "reversed": {"sign": -1}},
)
def case_2b_second(half: sympy.Expr = HALF, sign: int = 1) -> Iterator[Evidence]:
    """Inserting z0 = 1/2 + sigma^2 L; what is dropped is exactly 1/(8 sigma^2)."""
    right = ALPHA * (ell + 1 / (2 * sigma**2)) - half * ell - sigma**2 * ell**2 / 2
    left = -(cut**2) / (2 * sigma**2) + ALPHA * cut / sigma**2
    yield identity(right - left, 1 / (8 * sigma**2), "the difference")
    yield positive(sign / (8 * sigma**2), "which is positive")


@claim(
    "closed-form/lemma-10/case-2b/denominator",
    lines="438",
    kind="identity",
    domain=r"\alpha > 1,\ q > 0",
    statement=r"L + \ln(q\alpha) = \ln(q\alpha + \tfrac{\alpha}{\alpha-1}) > 0",
    broken={"1/(alpha-1)": {"last": 1 / a1}, "q(alpha-1)": {"order": a1}},
)
def case_2b_denominator(
    last: sympy.Expr = ALPHA / a1, order: sympy.Expr = ALPHA
) -> Iterator[Evidence]:
    """The denominator of the second condition is positive, so it may be multiplied out."""
    yield identity(LOG + ln(q * order), ln(q * ALPHA + last))
    identity(q * ALPHA + ALPHA / a1, 1 + (q * ALPHA + 1 / a1))
    yield positive(ln(1 + (q * ALPHA + 1 / a1)), "the logarithm of something above 1")


@claim(
    "closed-form/lemma-10/case-2b/third-line",
    lines="436-438",
    kind="inequality",
    domain=CASE_2B,
    statement=r"\alpha(\ln(q\alpha) + L + \tfrac{1}{2\sigma^2}) - \tfrac{L}{2} "
    r"- \tfrac{\sigma^2L^2}{2} \le -\ln 5 - 2\ln\sigma - \tfrac{L}{2}",
    broken={"ln 6": {"constant": 6}, "condition reversed": {"sign": -1}},
)
def case_2b_third(constant: int = 5, sign: int = 1) -> Iterator[Evidence]:
    """The second condition multiplied by its positive denominator D; the slack s stays as s D."""
    (denominator,) = gap("D")
    order = (sigma**2 * ell**2 / 2 - ln(5) - 2 * h) / denominator - sign * s
    left = order * denominator - ell / 2 - sigma**2 * ell**2 / 2
    right = -ln(constant) - 2 * h - ell / 2
    yield identity(right - left, s * denominator, "right minus left = s D")
    yield positive(s * denominator, "s D >= 0", strict=False)
    yield rests_on(case_2b_denominator)


@claim(
    "closed-form/lemma-10/case-2b/exponentiated",
    lines="440-442",
    kind="inequality",
    domain=CASE_2B,
    statement=r"A_\alpha^{(2)} < \frac{1}{5\sigma^2\sqrt{1+1/(q(\alpha-1))}}",
    kernel=("z0_bound", "A2_estimates", "case_IIb_first_bound"),
    broken={"no root": {"power": 1}, "6": {"constant": 6}},
)
def case_2b_exponentiated(power: sympy.Expr = HALF, constant: int = 5) -> Iterator[Evidence]:
    """e^{-L/2} is one over the root of r0."""
    left = sympy.exp(-ln(5) - 2 * ln(sigma) - LOG / 2)
    yield identity(left, 1 / (constant * sigma**2 * R0**power), "exponential of the third line")
    yield rests_on(case_2b_first, case_2b_second, case_2b_third)


@claim(
    "closed-form/lemma-10/case-2b/root",
    lines="443",
    kind="inequality",
    domain=r"x \le 3",
    statement=r"\sqrt{1+x} \ge \tfrac23 x",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\text{for } -1 \le x \le 3; \text{ used at } x = 1/(q(\alpha-1)) \in (0, 3]",
    kernel="sqrt_bound",
    broken={"x up to 4": {"most": 4}, "factor 3/4": {"factor": ONE * 3 / 4}},
)
def case_2b_root(most: int = 3, factor: sympy.Expr = ONE * 2 / 3) -> Iterator[Evidence]:
    """Below x = 3 the root lies above the chord; for x < -1 there is no root.

    For -1 <= x <= 0 the right-hand side is not positive. For x = 3/(1+p) > 0 compare the squares:
    1 + x - (2x/3)^2 = (3-x)(4x+3)/9.
    """
    x = sympy.Symbol("x", real=True)
    squares = 1 + x - (factor * x) ** 2
    inside = squares.subs(x, most / (1 + p))
    positive(sympy.factor(inside), "1 + x - (2x/3)^2 on (0, 3]", strict=False)
    yield identity(squares, (3 - x) * (4 * x + 3) / 9, "the squares").repaired()
    v = 1 / (1 + p)
    yield positive(factor * v, "-(2/3)x >= 0 for -1 <= x <= 0", strict=False).repaired()
    used = 1 / (5 * factor / (q * a1))
    yield identity(used, 3 * q * a1 / 10, "at x = 1/(q(alpha-1)): 1/(5 (2/3) x)").repaired()


@claim(
    "closed-form/lemma-10/case-2b/last-step",
    lines="444",
    kind="inequality",
    domain=CASE_2B,
    statement=r"\tfrac{3}{10}\tfrac{q(\alpha-1)}{\sigma^2} < "
    r"\tfrac{9}{10}\tfrac{q^2\alpha(\alpha-1)}{\sigma^2}",
    broken={"7/10": {"constant": ONE * 7 / 10}, "q(alpha-1) >= 1/4": {"least": ONE / 4}},
)
def case_2b_last(
    constant: sympy.Expr = ONE * 9 / 10, least: sympy.Expr = ONE / 3
) -> Iterator[Evidence]:
    """Because q alpha = q(alpha-1) + q > 1/3."""
    product = least + p  # q(alpha-1)
    spare = constant * product * (product + rate) - ONE * 3 / 10 * product
    yield positive(sympy.expand(spare), "q alpha = q(alpha-1) + q, q > 0")


@claim(
    "closed-form/lemma-10/statement",
    lines="375-385",
    kind="inequality",
    domain=r"q \le 1/5,\ \sigma \ge 4,\ (14),\ (15)",
    statement=r"A_\alpha^{(2)} \le 0.9\,q^2\alpha(\alpha-1)/\sigma^2",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"0 < q \le 1/5",
    kernel="lemma_10",
    broken={
        "a thousandth of the constant": {"constant": Fraction(9, 10**4)},
        "without the conditions": {"conditions": False},
    },
)
def lemma_10(
    constant: Fraction = Fraction(9, 10),  # noqa: B008  # immutable
    conditions: bool = True,
    profile: Profile = Profile.QUICK,
) -> Iterator[Evidence]:
    """The part right of the cut is a small fraction of the second-order term.

    Three cases cover the region: alpha < 2; alpha >= 2 with q(alpha-1) < 1/3; alpha >= 2 with
    q(alpha-1) >= 1/3. At q = 0 the logarithm L is not defined, so q > 0 is meant.
    """

    def applies(q: Fraction, sigma: Fraction, a1: Fraction) -> bool:
        return not conditions or conditions_hold(q, sigma, 1 + a1)

    def below(q: Fraction, sigma: Fraction, a1: Fraction) -> bool:
        with precision(160):
            size = rational(constant * q**2 * (1 + a1) * a1 / sigma**2)
            return surely_below(upper_half(q, sigma, 1 + a1), size)

    ranges: dict[str, tuple[Number, Number]] = {
        "q": (Fraction(1, 100), Fraction(1, 5)),
        "sigma": (4, 20),
        "a1": (Fraction(1, 100), 16 if conditions else 500),
    }
    count = 60 if profile is Profile.QUICK else 3000
    if not below(Fraction(1, 5), Fraction(4), Fraction(3)):
        raise Rejected("fails at the corner q = 1/5, sigma = 4, alpha = 4")
    yield at_many(ranges, count, applies, below, "A^(2) by rigorous quadrature").repaired()
    reached = sympy.Rational(constant.numerator, constant.denominator) - ONE * 9 / 10
    yield positive(reached, "the cases end at 0.9", strict=False)
    yield rests_on(a2.reduction, *cases.CASE_1_STEPS)
    yield rests_on(a2.reduction, cases.case_2a_conclusion)
    yield rests_on(case_2b_exponentiated, case_2b_root, case_2b_last)


@claim(
    "closed-form/lemma-10/without-cases",
    lines="beyond",
    kind="inequality",
    domain=r"1/10 \le q \le 1/5,\ 4 \le \sigma \le 6,\ 5/4 \le \alpha \le 11,\ (14),\ (15)",
    statement=r"\alpha\ln(q\alpha) - \tfrac{z_0(z_0-2\alpha)}{2\sigma^2} < "
    r"\ln(0.9\,q^2\alpha(\alpha-1)/\sigma^2)",
    broken={
        "a thousandth of the constant": {"constant": ONE * 9 / 10**4},
        "without the second condition": {"conditions": 1},
    },
)
def without_cases(
    constant: sympy.Expr = ONE * 9 / 10, conditions: int = 2, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """What the case analysis proves, on a box where the region is tightest, by subdivision alone.

    No case, no rewriting of the paper is used: sub-boxes that break a condition are vacuous, on all
    others the inequality itself is enclosed. The full profile takes a larger box.
    """
    x, y, v = sympy.symbols("q y sigma")  # y = alpha - 1; symbols of a box carry no assumptions
    at = {q: x, a1: y, sigma: v}
    ell, order = LOG.subs(at), 1 + y
    bound = order * ln(x * order) - (HALF**2 / v**2 + ell + v**2 * ell**2) / 2
    bound += order * (1 / (2 * v**2) + ell)
    identity(bound.subs({x: q, y: a1, v: sigma}), ALPHA * ln(q * ALPHA) + _exponent())
    target = ln(constant) + 2 * ln(x) + ln(order) + ln(y) - 2 * ln(v)
    given = [SLACK_1.subs(at), SLACK_2.subs(at)][:conditions]
    boxes: list[Box] = [{x: (Fraction(1, 10), Fraction(1, 5)), v: (4, 6), y: (Fraction(1, 4), 10)}]
    if profile is Profile.FULL:
        boxes.append({x: (Fraction(1, 100), Fraction(1, 5)), v: (4, 8), y: (Fraction(1, 10), 30)})
    for box in boxes:
        where = ", ".join(f"{n} in [{low}, {high}]" for n, (low, high) in box.items())
        yield prove(target > bound, box, given=given).evidence(f"{where} (y = alpha - 1)")


def _exponent() -> sympy.Expr:
    cut_at = HALF + sigma**2 * LOG
    return -cut_at * (cut_at - 2 * ALPHA) / (2 * sigma**2)
