"""Closed-form bound, the left part: the doubled integral and its majorant (Lemma 9, lines 355-367).

The two densities are written x = mu0 and y = mu1 where the symmetric lemma is applied; a point
beside the cut is the cut plus or minus d >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.paper import (
    ABOVE_ONE,
    ALPHA,
    HALF,
    R0,
    Z0,
    A_left,
    a1,
    alpha,
    base,
    density0,
    density1,
    integrand_a,
    mu0,
    mu1,
    oo,
    ordered,
    q,
    ratio,
    rest,
    sigma,
    spare,
    value,
    values,
    z,
    z0,
)
from proofs_checks.sections import closed_form_setup as setup
from proofs_checks.sections import closed_form_symmetric as symmetric
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.formula import Formula, Several, bracket, evaluated, together, written
from proofs_checks.tools.signs import rises, slack
from verify.claims import Evidence, StepFails, claim, rests_on

DOMAIN = r"\alpha > 1,\ 0 < q \le 1,\ \sigma > 0"
d, m = slack("d m")
ONE = sympy.Integer(1)


DOUBLING = written(
    lambda: (
        sympy.Integral(integrand_a(z), (z, -oo, z0)),
        "=",
        sympy.Integral(mu1(z) * (rest + q * (mu0(z) / mu1(z))) ** alpha, (z, 1 - z0, oo)),
    )
)


@claim(
    "closed-form/lemma-9/doubling",
    lines="355-358",
    kind="identity",
    domain=DOMAIN,
    statement=DOUBLING,
    broken={
        "reflection at 0": {"centre": 0},
        "densities not exchanged": {"formula": DOUBLING.put({mu0(z) / mu1(z): mu1(z) / mu0(z)})},
    },
)
def doubling(formula: Formula = DOUBLING, centre: sympy.Expr = ONE / 2) -> Iterator[Evidence]:
    """Reflecting z to 1 - z turns the integral left of z0 into one right of 1 - z0."""
    left, right = values(formula)
    mirror = 2 * centre - z
    ((_, far_left, high),), ((_, low, far_right),) = left.limits, right.limits
    moved = left.function.subs(z, mirror)
    yield identity(moved, right.function, "the integrand after z -> 1 - z")
    yield identity(mirror.subs(z, high), low, "z0 goes to 1 - z0")
    if (far_left, far_right) != (-oo, oo):
        raise StepFails("the far ends are not -oo and oo")
    yield identity(sympy.Abs(sympy.diff(mirror, z)), 1, "the substitution keeps lengths")


with sympy.evaluate(False):
    f_left, f_right = (side.function for side in DOUBLING.sides)
THREE_PIECES = written(
    lambda: (
        A_left,
        "=",
        HALF * sympy.Integral(f_left, (z, -oo, 1 - z0))
        + HALF * sympy.Integral(bracket(f_left + f_right), (z, 1 - z0, z0))
        + HALF * sympy.Integral(f_right, (z, z0, oo)),
    )
)


@claim(
    "closed-form/lemma-9/three-pieces",
    lines="359-361",
    kind="identity",
    domain=DOMAIN,
    statement=THREE_PIECES,
    broken={
        "cut at -z0": {"formula": THREE_PIECES.put({1 - z0: -z0})},
        "overlapping pieces": {"formula": THREE_PIECES.put({f_left + f_right: f_right})},
    },
)
def three_pieces(formula: Formula = THREE_PIECES) -> Iterator[Evidence]:
    """The doubled integral falls into three pieces because 1 - z0 < z0.

    With primitives F and G of the two integrands, the pieces telescope.
    """
    part, pieces = formula.values()
    identity(part, A_left)
    doubled, total = (_telescope(whole) for whole in (HALF * sum(DOUBLING.values()), pieces))
    yield identity(doubled - total, 0, "telescoping")
    high = value(z0)
    cuts = {value(end) for whole in pieces.atoms(sympy.Integral) for end in whole.limits[0][1:]}
    if cuts != {-oo, 1 - high, high, oo}:
        raise StepFails(f"the cuts are {cuts}")
    yield identity(value(1 - z0), 1 - high, "the lower cut is the mirror image of the upper")
    yield positive(high - (1 - high), "1 - z0 < z0")


def _telescope(total: sympy.Expr) -> sympy.Expr:
    """A sum of multiples of integrals, by primitives F and G of the two integrands."""
    known = {evaluated(f, {}): sympy.Function(name) for f, name in ((f_left, "F"), (f_right, "G"))}
    found = sympy.Integer(0)
    for whole, factor in sympy.expand(total).as_coefficients_dict().items():
        ((_, low, high),) = whole.limits
        for term in sympy.Add.make_args(whole.function):
            if term not in known:
                raise StepFails(f"{term} is neither integrand")
            found += factor * (known[term](high) - known[term](low))
    return found


OUTER_BASES = together(
    written(lambda: (base(z), "<", 1), note=r"\ (z \le 1-z_0)"),
    written(lambda: (rest + q * (mu0(z) / mu1(z)), "<", 1), note=r"\ (z \ge z_0)"),
)


@claim(
    "closed-form/lemma-9/outer-bases",
    lines="363",
    kind="inequality",
    domain=DOMAIN,
    statement=OUTER_BASES,
    kernel=("mixture_below_mu0", "reflection"),
    broken={
        "z near z0": {"left": Z0},
        "z from 1 - z0 on": {"right": 1 - Z0},
        "1 - q/2 for 1 - q": {"formula": OUTER_BASES.put({1 - q: 1 - q / 2})},
    },
)
def outer_bases(
    formula: Several = OUTER_BASES, left: sympy.Expr = 1 - Z0, right: sympy.Expr = Z0
) -> Iterator[Evidence]:
    """Outside the two cuts the bases are below 1: both ratios equal e^{-d/sigma^2}/r0 there."""
    there = sympy.exp(-d / sigma**2) / R0
    rises(1 - sympy.exp(-d / sigma**2), d, 1)
    identity(1 - there, (R0 - 1 + 1 - sympy.exp(-d / sigma**2)) / R0)
    yield positive((1 - 1 / R0).subs(q, 1 / (1 + m)), "1/r0 < 1, and the ratio is at most 1/r0")
    for part, place in zip(formula.parts(), (left - d, right + d), strict=True):
        room = spare(part).subs(z, place)
        yield identity(room, q * (1 - there), f"1 - base = q (1 - ratio) at {place}")


@claim(
    "closed-form/lemma-9/inner-ratio",
    lines="363",
    kind="inequality",
    domain=DOMAIN + r",\ 1-z_0 \le z \le z_0",
    statement=setup.INNER_RATIO,
    kernel="ratios_bounded_by_r0",
    broken={"a longer interval": {"extra": 1}},
)
def inner_ratio(formula: Formula = setup.INNER_RATIO, extra: sympy.Expr = 0) -> Iterator[Evidence]:
    """Between the cuts the ratio lies between 1/r0 and r0, so that the symmetric lemma applies."""
    yield from setup.between_the_cuts(extra, formula)


MAJORANT = written(
    lambda: (
        A_left,
        "<=",
        HALF
        * sympy.Integral(
            mu0(z)
            + mu1(z)
            + q**2
            * alpha
            * (alpha - 1)
            * (mu0(z) ** 2 / mu1(z) + mu1(z) ** 2 / mu0(z) - (mu0(z) + mu1(z))),
            (z, -oo, oo),
        ),
    )
)


def in_densities(half_integral: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """The factor before an integral, and its integrand with x = mu0(z), y = mu1(z)."""
    factor, whole = evaluated(half_integral, ABOVE_ONE).as_coeff_Mul()
    names = {mu0(z): symmetric.x, mu1(z): symmetric.y}
    return factor, whole.function.subs(names)


@claim(
    "closed-form/lemma-9/integrand",
    lines="365-367",
    kind="inequality",
    domain=DOMAIN,
    statement=MAJORANT,
    broken={
        "twice the density outside": {"outside": 2 * symmetric.x + symmetric.y},
        "a third of the constant": {"formula": MAJORANT.put({q**2: q**2 / 3})},
    },
)
def integrand_bound(
    formula: Formula = MAJORANT, outside: sympy.Expr = symmetric.x
) -> Iterator[Evidence]:
    """The doubled integrand lies below the bound on each of the three pieces.

    Outside the cuts a base below 1 makes the power at most the density, and what the bound adds is
    non-negative; between them the symmetric lemma is applied to x = mu0, y = mu1.
    """
    x, y = symmetric.x, symmetric.y
    small, large = formula.ascending().sides
    if small != A_left:
        raise StepFails(f"{small} is not the part left of the cut")
    half, right = in_densities(large)
    left, lemma_right = ordered(symmetric.LEMMA_8)
    identity(half, ONE / 2, "A^(1) is half of the doubled integral")
    excess = q**2 * ALPHA * a1 * (x - y) ** 2 * (x + y) / (x * y)
    identity(right - x, y + excess)
    room = y + excess - (outside - x)
    yield positive(room, "outside the cuts: bound minus density = mu1 + q^2 alpha(alpha-1)(...)")
    yield identity(right, lemma_right, "the bound of the middle piece is the lemma's")
    yield rests_on(symmetric.symmetric_lemma, outer_bases, inner_ratio)
    inner = sum(side.function for side in values(DOUBLING))
    at = {x: density0(z), y: density1(z)}
    same = sympy.powsimp(left).subs(at)
    yield identity(sympy.simplify(density1(z) / density0(z)), ratio(z), "x = mu0, y = mu1")
    yield identity(inner, same, "the middle piece is the left-hand side of the lemma")
