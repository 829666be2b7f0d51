"""Closed-form bound, the left part: Lemma 9 bounds A^(1) for every order (lines 349-373).

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
    A,
    A_left,
    a1,
    alpha,
    base,
    density0,
    density1,
    exp,
    integrand_a,
    ln,
    mu0,
    mu1,
    oo,
    ordered,
    point,
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
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.sections import closed_form_setup as setup
from proofs_checks.sections import closed_form_symmetric as symmetric
from proofs_checks.tools.algebra import identity, integral, positive
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.draws import at_many
from proofs_checks.tools.formula import Formula, Several, bracket, evaluated, together, written
from proofs_checks.tools.signs import rises, slack
from verify.balls import precision
from verify.claims import Evidence, Fraction, Profile, Rejected, certified_points, claim, rests_on
from verify.functions import rdp

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
        raise Rejected("the far ends are not -oo and oo")
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
    doubled, total = (_telescoped(whole) for whole in (HALF * sum(DOUBLING.values()), pieces))
    yield identity(doubled - total, 0, "telescoping")
    high = value(z0)
    cuts = {value(end) for whole in pieces.atoms(sympy.Integral) for end in whole.limits[0][1:]}
    if cuts != {-oo, 1 - high, high, oo}:
        raise Rejected(f"the cuts are {cuts}")
    yield identity(value(1 - z0), 1 - high, "the lower cut is the mirror image of the upper")
    yield positive(high - (1 - high), "1 - z0 < z0")


def _telescoped(total: sympy.Expr) -> sympy.Expr:
    """A sum of multiples of integrals, by primitives F and G of the two integrands."""
    known = {evaluated(f, {}): sympy.Function(name) for f, name in ((f_left, "F"), (f_right, "G"))}
    found = sympy.Integer(0)
    for whole, factor in sympy.expand(total).as_coefficients_dict().items():
        ((_, low, high),) = whole.limits
        for term in sympy.Add.make_args(whole.function):
            if term not in known:
                raise Rejected(f"{term} is neither integrand")
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
    broken={
        "z near z0": {"left": Z0},
        "1 - q/2 for 1 - q": {"formula": OUTER_BASES.put({1 - q: 1 - q / 2})},
    },
)
def outer_bases(formula: Several = OUTER_BASES, left: sympy.Expr = 1 - Z0) -> Iterator[Evidence]:
    """Outside the two cuts the bases are below 1: both ratios equal e^{-d/sigma^2}/r0 there."""
    there = sympy.exp(-d / sigma**2) / R0
    rises(1 - sympy.exp(-d / sigma**2), d, 1)
    identity(1 - there, (R0 - 1 + 1 - sympy.exp(-d / sigma**2)) / R0)
    yield positive((1 - 1 / R0).subs(q, 1 / (1 + m)), "1/r0 < 1, and the ratio is at most 1/r0")
    for part, place in zip(formula.parts(), (left - d, Z0 + d), strict=True):
        room = sympy.simplify(spare(part).subs(z, place))
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
        raise Rejected(f"{small} is not the part left of the cut")
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


def _gauss_integral(power: int) -> tuple[sympy.Expr, sympy.Expr]:
    """mu0 (mu1/mu0)^power in one exponential, and a primitive of it."""
    k = sympy.Integer(power)
    scale = sympy.exp((k**2 - k) / (2 * sigma**2))
    integrand = (
        scale * sympy.exp(-((z - k) ** 2) / (2 * sigma**2)) / (sigma * sympy.sqrt(2 * sympy.pi))
    )
    return integrand, scale * sympy.erf((z - k) / (sympy.sqrt(2) * sigma)) / 2


SECOND_MOMENTS = written(
    lambda: (
        sympy.Integral(mu0(z) ** 2 / mu1(z), (z, -oo, oo)),
        "=",
        sympy.Integral(mu1(z) ** 2 / mu0(z), (z, -oo, oo)),
        "=",
        exp(1 / sigma**2),
    )
)


@claim(
    "closed-form/lemma-9/second-moments",
    lines="370",
    kind="identity",
    domain=r"\sigma > 0",
    statement=SECOND_MOMENTS,
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\int \mu_0^2/\mu_1 \text{ needs the moment formula at } k = -1, "
    r"\text{the section cited has } k \ge 0",
    kernel=("int_mu0_sq_over_mu1", "int_mu1_sq_over_mu0"),
    broken={
        "e^{2/sigma^2}": {"formula": SECOND_MOMENTS.put({1 / sigma**2: 2 / sigma**2})},
        "k = 1 for k = 2": {"orders": (-1, 1)},
    },
)
def second_moments(
    formula: Formula = SECOND_MOMENTS, orders: tuple[int, int] = (-1, 2)
) -> Iterator[Evidence]:
    """Both integrals are e^{1/sigma^2}: the moments of order 2 and -1 of the ratio.

    Each is checked twice: a primitive is differentiated and its limits taken, and sympy integrates.
    The section that the text refers to has the formula for k >= 0 only; it holds for all real k.
    """
    *integrals, closed = values(formula)
    for k, whole in zip(orders, integrals, strict=True):
        ((_, low, high),) = whole.limits
        integrand, primitive = _gauss_integral(k)
        identity(sympy.powsimp(sympy.simplify(whole.function)), integrand)
        for evidence in integral(integrand, z, low, high, closed, primitive):
            yield evidence if k > 0 else evidence.repaired()


MAJORANT_VALUE = written(
    lambda: (
        MAJORANT.sides[1],
        "=",
        1 + q**2 * alpha * (alpha - 1) * (exp(1 / sigma**2) - 1),
    )
)


@claim(
    "closed-form/lemma-9/value",
    lines="368",
    kind="identity",
    domain=DOMAIN,
    statement=MAJORANT_VALUE,
    kernel="A1_majorant_integral",
    broken={
        "without the half": {"formula": MAJORANT_VALUE.put({HALF: ONE})},
        "e^{1/sigma^2} + 1": {
            "formula": MAJORANT_VALUE.put({exp(1 / sigma**2) - 1: exp(1 / sigma**2) + 1})
        },
    },
)
def majorant_value(formula: Formula = MAJORANT_VALUE) -> Iterator[Evidence]:
    """Term by term: the densities integrate to 1, the quotients to e^{1/sigma^2}."""
    integrand, primitive = _gauss_integral(0)
    identity(integrand, density0(z))
    yield from integral(density0(z), z, -sympy.oo, sympy.oo, ONE, primitive)
    half, inside = in_densities(formula.sides[0])
    x, y = symmetric.x, symmetric.y
    second = values(SECOND_MOMENTS)[2]
    # What the powers x^i y^j that may occur integrate to, exactly these.
    known = {(1, 0): ONE, (0, 1): ONE, (2, -1): second, (-1, 2): second}
    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(inside)):
        powers = term.as_powers_dict()
        monomial = (powers[x], powers[y])
        if monomial not in known:
            raise Rejected(f"{term}: no integral for the powers {monomial}")
        total += half * known[monomial] * term / (x ** powers[x] * y ** powers[y])
    yield identity(total, values(formula)[1])


LEMMA_9 = written(lambda: (A_left, "<=", MAJORANT_VALUE.sides[1]))


@claim(
    "closed-form/lemma-9/statement",
    lines="349-353",
    kind="inequality",
    domain=r"\alpha \ge 1,\ 0 \le q \le 1,\ \sigma > 0",
    statement=LEMMA_9,
    verdict="holds-with-repair",
    severity="slip",
    repair=r"z_0 \text{ read as } +\infty \text{ at } \alpha = 1 \text{ or } q = 0",
    kernel=("lemma_9", "lemma_9_degenerate"),
    broken={
        "half the constant": {"formula": LEMMA_9.put({q**2: q**2 / 2})},
        "reversed": {"formula": LEMMA_9.exchanged()},
    },
)
def lemma_9(formula: Formula = LEMMA_9, profile: Profile = Profile.QUICK) -> Iterator[Evidence]:
    """The part left of the cut obeys the second-order bound for every order and every sigma.

    The doubled integrand is bounded piece by piece, and the bound integrates exactly. At alpha = 1
    and at q = 0, where z0 is not defined, both sides are 1.
    """

    def below(q: Fraction, sigma: Fraction, a1: Fraction) -> bool:
        return holds(formula, Place(q, sigma, 1 + a1))

    ranges = {
        "q": (Fraction(1, 1000), 1),
        "sigma": (Fraction(1, 3), 30),
        "a1": (Fraction(1, 9), 50),
    }
    count = 25 if profile is Profile.QUICK else 1500
    yield at_many(ranges, count, lambda **_: True, below, "A^(1) by rigorous quadrature")
    yield rests_on(doubling, three_pieces, integrand_bound, majorant_value, second_moments)
    bound = ordered(formula)[1]
    identity(bound, values(MAJORANT_VALUE)[1], "the bound is the value of the majorant")
    for where in ({a1: 0}, {q: 0}):
        yield identity(bound.subs(where), 1, "1 <= 1 at alpha = 1 and at q = 0").repaired()


DEPENDENCY = written(lambda: (sympy.Limit(ln(LEMMA_9.sides[1]) / ln(A), q, 0), "=", 2))


@claim(
    "closed-form/lemma-9/dependency",
    lines="373",
    kind="assertion",
    domain=r"q \to 0,\ \alpha > 1,\ \sigma > 0",
    statement=DEPENDENCY,
    broken={
        "factor 1": {
            "formula": DEPENDENCY.put({sympy.Limit(ln(LEMMA_9.sides[1]) / ln(A), q, 0): 4})
        },
        "factor 4": {"formula": DEPENDENCY.put({exp(1 / sigma**2): exp(2 / sigma**2)})},
    },
)
def dependency(formula: Formula = DEPENDENCY) -> Iterator[Evidence]:
    """The bound has the right dependency and, after the logarithm, is off by a factor of about 2.

    For integer orders the moment is a polynomial in q and the limit is computed exactly. For real
    orders the quotient is certified at small q.
    """
    quotient_, limit = formula.values(ABOVE_ONE)
    if not isinstance(quotient_, sympy.Limit) or quotient_.args[1:3] != (q, 0):
        raise Rejected(f"{quotient_} is no limit as q -> 0")
    # ln(1 + u)/ln A has the limit of u/(A - 1): the coefficients of q^2
    gain_bound = sympy.exp((quotient_.args[0] * ln(A)).subs(A, 2)) - 1
    for n in range(2, 7):
        terms = [
            sympy.binomial(n, k)
            * (1 - q) ** (n - k)
            * q**k
            * sympy.exp((k**2 - k) / (2 * sigma**2))
            for k in map(sympy.Integer, range(n + 1))
        ]
        gain = sympy.expand(sum(terms) - 1)
        identity(gain.coeff(q, 0), 0)
        identity(gain.coeff(q, 1), 0)
        yield identity(
            limit * sympy.powsimp(sympy.expand(gain.coeff(q, 2))),
            sympy.powsimp(sympy.expand(gain_bound.subs(a1, n - 1)).coeff(q, 2)),
            f"coefficient of q^2 at alpha = {n}",
        )
    for a, s in (
        (Fraction(11, 10), Fraction(1, 2)),
        (Fraction(5, 2), Fraction(4)),
        (Fraction(40), 9),
    ):
        small = Fraction(1, 10**12)
        epsilon = rdp(small, s, a, digits=15)
        with precision(200):
            env = point(small, Fraction(s), a)
            quotient = ball(gain_bound, env) / ball(a1, env) / rational(Fraction(epsilon.lo))
            if not abs(quotient - ball(limit, env)) < rational(Fraction(1, 1000)):
                raise Rejected(f"quotient {quotient.str(8)} at alpha = {a}, sigma = {s}")
    yield certified_points(
        effective=3, detail="real orders at q = 1e-12: quotient within 0.001 of 2"
    )
