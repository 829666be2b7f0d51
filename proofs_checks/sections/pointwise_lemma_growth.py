"""A >= B: the pointwise lemma in one variable, and why that expression increases (lines 285-295)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy

from proofs_checks.paper import ALPHA, a1, alpha, spare, values
from proofs_checks.sections.pointwise_lemma import growth, growth_increases, s, t, y, z
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.formula import Formula, Several, equivalent, evaluated, written
from proofs_checks.tools.monotone import rises_from_zero
from verify.claims import Evidence, Sign, Undecided, claim

w = sympy.Symbol("w", positive=True)


with sympy.evaluate(False):
    y_side = (y**alpha - y ** (1 - alpha)) / (y - 1)
    z_side = (z ** (1 - alpha) - z**alpha) / (1 - z)
    weight = (y - 1) / (1 - z)
SEPARATED = written(lambda: (y_side, ">=", z_side))
COLLECTED = equivalent(
    written(
        lambda: (
            y**alpha + weight * z**alpha,
            ">=",
            y ** (1 - alpha) + weight * z ** (1 - alpha),
        )
    ),
    SEPARATED,
)


@claim(
    "a-geq-b/lemma-6/collected",
    lines="285-288",
    kind="assertion",
    domain=r"y > 1 > z > 0,\ \alpha > 1",
    statement=COLLECTED,
    broken={"sign of the second side": {"formula": COLLECTED.put({z_side: -z_side})}},
)
def collected(formula: Several = COLLECTED) -> Iterator[Evidence]:
    """Dividing by y - 1 > 0 separates the two variables: the differences agree up to that factor."""
    at = {y: 1 + t, z: 1 / (1 + w)}  # y > 1 > z
    if len({part.strict for part in formula.formulas}) > 1:
        raise Undecided("one side vanishes where the other does")
    before, after = (spare(part).subs(at) for part in formula.formulas)
    yield identity(before, t * after)
    yield positive(t, "the factor y - 1 is positive")


AT_RECIPROCAL = replace(SEPARATED.related("="), note=r"\ \text{at}\ y = 1/z")


@claim(
    "a-geq-b/lemma-6/equal-at-reciprocal",
    lines="290",
    kind="identity",
    domain=r"0 < z < 1,\ \alpha > 1",
    statement=AT_RECIPROCAL,
    kernel="growth_inverse",
    broken={"at y = 1/z^2": {"power": 2}},
)
def equal_at_reciprocal(
    formula: Formula = AT_RECIPROCAL, power: Fraction | int = 1
) -> Iterator[Evidence]:
    """Where y is the reciprocal of z the two expressions coincide."""
    below = sympy.exp(-s)
    yield identity(*(side.subs({z: below, y: below**-power}) for side in values(formula)))


@claim(
    "a-geq-b/lemma-6/increasing",
    lines="290",
    kind="assertion",
    domain=r"y \ge 1,\ \alpha > 1",
    statement=r"y \mapsto \frac{y^\alpha - y^{1-\alpha}}{y-1} \text{ increases on } [1, \infty)",
    kernel="growth_increasing",
    broken={"order below one": {"order": sympy.Rational(3, 4)}},
)
def increasing(order: sympy.Expr = ALPHA) -> Iterator[Evidence]:
    """The y-side grows with y, strictly for alpha > 1; at y = 1 it is read as its limit 2 alpha - 1."""
    quotient_of_powers = evaluated(y_side, {alpha: order}).subs(y, sympy.exp(s))
    difference = quotient_of_powers - growth(order, s).rewrite(sympy.exp)
    yield identity(difference, sympy.Integer(0), "the y-side is G(ln y)")
    yield growth_increases(order)
    yield identity(sympy.limit(growth(order, s), s, 0), 2 * order - 1, "limit at y = 1")


with sympy.evaluate(False):
    numerator_by_rule = (
        (alpha * y ** (alpha - 1) - (1 - alpha) * y ** (-alpha)) * (y - 1)
        - y**alpha
        + y ** (1 - alpha)
    )
DERIVATIVE = written(lambda: (sympy.Derivative(y_side, y), "=", numerator_by_rule / (y - 1) ** 2))


@claim(
    "a-geq-b/lemma-6/derivative",
    lines="291-292",
    kind="identity",
    domain=r"y > 1,\ \alpha > 1",
    statement=DERIVATIVE,
    kernel="growth_derivative",
    broken={
        "sign of the second power": {"formula": DERIVATIVE.put({y ** (-alpha): -(y ** (-alpha))})}
    },
)
def derivative(formula: Formula = DERIVATIVE) -> Iterator[Evidence]:
    """The derivative of the y-side by the quotient rule."""
    slope, printed = values(formula)
    yield identity(slope.doit(), printed)


NUMERATOR = written(
    lambda: (
        numerator_by_rule,
        "=",
        (alpha - 1) * (y**alpha - y ** (-alpha)) - alpha * (y ** (alpha - 1) - y ** (1 - alpha)),
    )
)


@claim(
    "a-geq-b/lemma-6/numerator",
    lines="293",
    kind="identity",
    domain=r"y > 0,\ \alpha > 1",
    statement=NUMERATOR,
    broken={
        "factors exchanged": {
            "formula": NUMERATOR.put(
                {(alpha - 1) * (y**alpha - y ** (-alpha)): alpha * (y**alpha - y ** (-alpha))}
            )
        }
    },
)
def numerator(formula: Formula = NUMERATOR) -> Iterator[Evidence]:
    """The numerator of that derivative, sorted by powers."""
    yield identity(*values(formula))


POWERS = written(
    lambda: (
        (y**alpha - y ** (-alpha)) / alpha,
        ">=",
        (y ** (alpha - 1) - y ** (1 - alpha)) / (alpha - 1),
    )
)


@claim(
    "a-geq-b/lemma-6/powers",
    lines="295",
    kind="inequality",
    domain=r"y \ge 1,\ \alpha > 1",
    statement=POWERS,
    broken={"y below one": {"direction": -1}},
)
def powers(formula: Formula = POWERS, direction: Sign = 1) -> Iterator[Evidence]:
    """Both sides vanish at y = 1; in s = ln y the slope of the difference is cosh minus cosh, 2 sinh sinh."""
    x = direction * s
    cleared = a1 * 2 * sympy.sinh(ALPHA * x) - ALPHA * 2 * sympy.sinh(a1 * x)
    printed = spare(formula.weak()).subs(y, sympy.exp(x))  # equal at y = 1
    yield identity(printed, (cleared / (ALPHA * a1)).rewrite(sympy.exp), "in s = ln y")
    angle = sympy.sinh((ALPHA + a1) * s / 2) * sympy.sinh(s / 2)  # cosh x - cosh y = 2 sinh sinh
    slope = direction * 4 * ALPHA * a1 * angle
    yield rises_from_zero(cleared, s, slope, "cleared of denominators")


@claim(
    "a-geq-b/lemma-6/sinh",
    lines="295",
    kind="inequality",
    domain=r"y \ge 1,\ \alpha > 0",
    statement=r"\alpha \mapsto \sinh(\alpha \ln y)/\alpha \text{ is nondecreasing}",
    kernel="sinh_over_a_increasing",
    broken={"y below one": {"direction": -1}},
)
def sinh_over_order(direction: Sign = 1) -> Iterator[Evidence]:
    """The derivative in alpha is (x cosh x - sinh x)/alpha^2 at x = alpha ln y, and x cosh x >= sinh x."""
    order = sympy.Symbol("alpha", positive=True)
    x = order * s
    slope = direction * (x * sympy.cosh(x) - sympy.sinh(x)) / order**2
    yield identity(sympy.diff(sympy.sinh(direction * x) / order, order), slope, "derivative")
    gap = direction * (s * sympy.cosh(s) - sympy.sinh(s))
    yield rises_from_zero(gap, s, direction * s * sympy.sinh(s), "x cosh x - sinh x > 0")
