"""Closed-form bound: the symmetric lemma and the quadratic bound of a power (lines 321-347)."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks import errata
from proofs_checks.paper import ALPHA, R0, a1, alpha, ordered, q, r, spare, values
from proofs_checks.tools.algebra import factored, identity, positive
from proofs_checks.tools.draws import ordered_at_points
from proofs_checks.tools.formula import Formula, Several, bracket, together, written
from proofs_checks.tools.signs import gap, slack
from verify.claims import Evidence, Fraction, Profile, claim, rests_on, shown_by

ONE = sympy.Integer(1)
DOMAIN = r"\alpha > 1,\ 0 < q \le 1,\ 1/r_0 \le r \le r_0"
(m,) = slack("m")
b, x, y = gap("b x y")
w = sympy.Symbol("w", real=True)
unit = 1 / (1 + m)  # (0, 1], all of it
RANGES = {a1: (Fraction(1, 1000), 10**4), m: (Fraction(1, 1000), 1000)}


POWER_BOUND = written(lambda: ((1 + w) ** alpha, "<=", 1 + alpha * w + alpha * (alpha - 1) * w**2))


@claim(
    "closed-form/lemma-8/power-bound",
    lines="329-332",
    kind="inequality",
    domain=r"\alpha \ge 1,\ -1 < w \le 1/(\alpha-1)",
    statement=POWER_BOUND,
    kernel="bun_lemma_15",
    broken={
        "coefficient 1/2": {"formula": POWER_BOUND.put({w**2: w**2 / 2})},
        "w up to 2/(alpha-1)": {"extent": 2},
        "reversed": {"formula": POWER_BOUND.exchanged()},
    },
)
def power_bound(
    formula: Formula = POWER_BOUND, extent: Fraction | int = 1, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """A power lies below its second-order parabola with twice the curvature.

    h(w) = (1 + alpha w + alpha(alpha-1) w^2)(1+w)^{-alpha} has h(0) = 1 and
    h'(w) = alpha(alpha-1) w (1 + (2-alpha)w) (1+w)^{-alpha-1}. Up to w = 1/(alpha-1) the bracket is
    positive, so h' has the sign of w and h >= 1. At alpha = 1 both sides are 1 + w.
    """
    count = 150 if profile is Profile.QUICK else 5000
    power, bound = ordered(formula.weak())  # equal at w = 0
    for label, at in (("w > 0", extent * unit / a1), ("w < 0", -unit)):
        yield ordered_at_points(power.subs(w, at), bound.subs(w, at), RANGES, label, count=count)
    h = bound / power
    slope = ALPHA * a1 * w * (1 + (1 - a1) * w) * (1 + w) ** (-ALPHA - 1)
    identity(sympy.diff(h, w), slope)
    identity(h.subs(w, 0), ONE)
    identity((power - bound).subs(a1, 0), 0)
    positive(1 + (1 - a1) * extent * unit / a1, "bracket positive for 0 < w <= 1/(alpha-1)")
    yield positive(1 - (1 - a1) / (1 + b), "h' has the sign of w on (-1, 1/(alpha-1)], h(0) = 1")


W_IN_RANGE = together(
    written(lambda: (-1, "<", q * (r - 1), "<=", 1 / (alpha - 1))),
    written(lambda: (-1, "<", q * (1 / r - 1), "<=", 1 / (alpha - 1))),
)


@claim(
    "closed-form/lemma-8/w-in-range",
    lines="334",
    kind="inequality",
    domain=DOMAIN,
    statement=W_IN_RANGE,
    broken={"r up to 2 r0": {"reach": 2}, "q up to 2": {"most": 2}},
)
def w_in_range(
    formula: Several = W_IN_RANGE, reach: Fraction | int = 1, most: Fraction | int = 1
) -> Iterator[Evidence]:
    """Both substitutions stay inside the range of the power bound.

    q(r-1) increases in r and equals 1/(alpha-1) at r = r0; it stays above -q >= -1 because r > 0.
    The second is the first with 1/r for r, which has the same range.
    """
    first, second = (values(part, "<", "<=") for part in formula.formulas)
    low, w_of_r, high = first
    yield identity(w_of_r.subs(r, reach * R0), high, "q(r0 - 1) = 1/(alpha-1)")
    positive(sympy.diff(w_of_r, r), "increasing in r")
    yield positive((w_of_r - low).subs(q, most * unit), "1 + q(r-1) > 0 for q <= 1")
    for one, other in zip(first, second, strict=True):
        identity(one.subs(r, 1 / r), other)


FIRST_HALF = written(
    lambda: (
        r * (1 + q * (1 / r - 1)) ** alpha,
        "<=",
        r + alpha * q * (1 - r) + q**2 * alpha * (alpha - 1) * (1 / r - 2 + r),
    )
)


def _power_bound_at(formula: Formula, v: sympy.Expr, factor: sympy.Expr) -> Iterator[Evidence]:
    """The formula is the power bound at w = v, multiplied by a positive factor."""
    positive(factor)
    for side, wanted in zip(ordered(formula), ordered(POWER_BOUND), strict=True):
        where = f"{factor} times the power bound at {v}"
        yield identity(factor * wanted.subs(w, v), side, where)


@claim(
    "closed-form/lemma-8/first-half",
    lines="336",
    kind="inequality",
    domain=DOMAIN,
    statement=FIRST_HALF,
    kernel="lemma_8_parts",
    broken={
        "sign of the linear term": {"formula": FIRST_HALF.put({1 - r: r - 1})},
        "1/r - 3 + r": {"formula": FIRST_HALF.put({1 / r - 2 + r: 1 / r - 3 + r})},
    },
)
def first_half(formula: Formula = FIRST_HALF) -> Iterator[Evidence]:
    """The power bound at w = q(1/r - 1), multiplied by r."""
    yield from _power_bound_at(formula, q * (1 / r - 1), r)
    yield rests_on(w_in_range, power_bound)


SECOND_HALF = written(
    lambda: (
        (1 + q * (r - 1)) ** alpha,
        "<=",
        1 + alpha * q * (r - 1) + q**2 * alpha * (alpha - 1) * (r**2 - 2 * r + 1),
    )
)


@claim(
    "closed-form/lemma-8/second-half",
    lines="338",
    kind="inequality",
    domain=DOMAIN,
    statement=SECOND_HALF,
    kernel="lemma_8_parts",
    broken={
        "sign of the linear term": {"formula": SECOND_HALF.put({alpha * q * (r - 1): q * (1 - r)})},
        "r^2 - 3r + 1": {"formula": SECOND_HALF.put({r**2 - 2 * r: r**2 - 3 * r})},
    },
)
def second_half(formula: Formula = SECOND_HALF) -> Iterator[Evidence]:
    """The power bound at w = q(r - 1)."""
    yield from _power_bound_at(formula, q * (r - 1), ONE)
    yield rests_on(w_in_range, power_bound)


LEMMA_8 = written(
    lambda: (
        x * (1 + q * ((y - x) / x)) ** alpha + y * (1 + q * ((x - y) / y)) ** alpha,
        "<=",
        bracket(x + y) + q**2 * alpha * (alpha - 1) * (x**2 / y + y**2 / x - (x + y)),
    )
)


@claim(
    "closed-form/lemma-8/sum",
    lines="340",
    kind="identity",
    domain=DOMAIN + r",\ x = r y",
    statement=r"\text{sum of both bounds, times } y, \text{ is the right-hand side of the lemma}",
    broken={
        "times x": {"scale": x},
        "without the factor q^2": {"formula": LEMMA_8.put({q**2: ONE})},
    },
)
def sum_of_halves(formula: Formula = LEMMA_8, scale: sympy.Expr = y) -> Iterator[Evidence]:
    """Adding the two bounds and multiplying by y gives the lemma, on both sides."""
    left, right = ordered(formula)
    for side, name in ((1, "the right-hand sides"), (0, "the left-hand sides")):
        total = ordered(FIRST_HALF)[side] + ordered(SECOND_HALF)[side]
        yield identity((scale * total).subs(r, x / y), (left, right)[side], name)


@claim(
    "closed-form/lemma-8/statement",
    lines="321-326",
    kind="inequality",
    domain=r"\alpha \ge 1,\ 0 \le q \le 1,\ x, y > 0,\ 1/r_0 \le x/y \le r_0",
    statement=LEMMA_8,
    verdict="holds-with-repair",
    severity="slip",
    repair=r"r_0 \text{ read as } +\infty \text{ at } \alpha = 1 \text{ or } q = 0",
    kernel=("lemma_8", "lemma_8_division_free"),
    erratum=errata.ENDS,
    broken={
        "half the constant": {"formula": LEMMA_8.put({q**2: q**2 / 2})},
        "x/y up to 9 r0": {"reach": 9},
    },
)
def symmetric_lemma(
    formula: Formula = LEMMA_8, reach: Fraction | int = 1, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """The two halves added: the second-order bound for a symmetric pair of powers.

    At alpha = 1 or q = 0, where r0 is not defined, both sides are x + y.
    """
    left, right = ordered(formula)
    ratio = reach * (1 + m * R0) / (1 + m)  # 1 at m = 0, r0 as m grows: [1, r0), times the reach
    at = {x: ratio, y: ONE}
    ranges = RANGES | {q: (Fraction(1, 10**4), 1), a1: (Fraction(1, 100), 50)}
    count = 150 if profile is Profile.QUICK else 5000
    yield ordered_at_points(left.subs(at), right.subs(at), ranges, "x/y in [1, r0]", count=count)
    yield from shown_by(sum_of_halves, formula=formula)
    yield rests_on(first_half, second_half)
    for where in ({a1: 0}, {q: 0}):
        yield identity(
            (left - right).subs(where), 0, "equality at alpha = 1 and at q = 0"
        ).repaired()


EXCESS = written(
    lambda: (
        x**2 / y + y**2 / x - (x + y),
        "=",
        (x / y - 1) ** 2 * (y + y**2 / x),
        ">=",
        0,
    )
)


@claim(
    "closed-form/lemma-8/excess",
    lines="343-346",
    kind="identity",
    domain=r"x, y > 0",
    statement=EXCESS,
    kernel="nonnegativity",
    broken={
        "sign of x + y": {"formula": EXCESS.put({-(x + y): x + y})},
        "x for y in the last factor": {"formula": EXCESS.put({y + y**2 / x: x + y**2 / x})},
    },
)
def excess(formula: Formula = EXCESS) -> Iterator[Evidence]:
    """What multiplies q^2 in the lemma is a square times something positive."""
    left, product, zero = values(formula, "=", ">=")
    yield identity(left, product)
    yield identity(left, (x - y) ** 2 * (x + y) / (x * y), "(x-y)^2 (x+y)/(xy)")
    yield positive((x - y) ** 2 * (x + y) / (x * y) - zero, "non-negative", strict=False)


_LEFT_TERMS, _RIGHT_TERMS = (side.args for side in LEMMA_8.sides)
TERMS = together(
    *(Formula((term, sympy.Integer(0)), (">=",)) for term in (*_LEFT_TERMS, *_RIGHT_TERMS))
)


@claim(
    "closed-form/lemma-8/terms-nonnegative",
    lines="347",
    kind="assertion",
    domain=r"\alpha \ge 1,\ 0 < q \le 1,\ x, y > 0",
    statement=TERMS,
    broken={"q up to 2": {"most": 2}, "alpha below 1": {"order": 1 - unit / 2}},
)
def terms_nonnegative(
    formula: Several = TERMS, most: Fraction | int = 1, order: sympy.Expr = ALPHA
) -> Iterator[Evidence]:
    """Every term of the lemma is non-negative; the bases are convex combinations."""
    *powers, linear, quadratic = formula.parts()
    for part in powers:
        small, large = ordered(part)
        identity(small, 0)
        (power,) = large.atoms(sympy.Pow) & {f for f in large.args if f.has(ALPHA)}
        base = power.base.subs(q, most * unit)
        found = positive(factored(base), "1 + q(y-x)/x = (1-q) + q y/x > 0")
        positive(sympy.simplify(large / power))
    yield found
    positive(spare(linear), "x + y", strict=False)
    rest = factored(spare(quadratic) / (q**2 * ALPHA * a1))
    identity(rest, values(EXCESS, "=", ">=")[0])
    yield positive(order * (order - 1), "alpha (alpha-1) >= 0", strict=False)
    yield rests_on(excess)
