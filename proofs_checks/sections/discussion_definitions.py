"""Discussion: CDP, zCDP, tCDP and RDP in terms of the moments of the loss (lines 562-586)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import sympy

from proofs_checks import errata
from proofs_checks.paper import a1, sigma, z
from proofs_checks.quantities.bell import bell, ratio_moment
from proofs_checks.sections.discussion import gaussian_loss
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.finite import bernoulli, moment
from proofs_checks.tools.monotone import sign_of_constant
from verify.claims import (
    Evidence,
    StepFails,
    all_of,
    certified_points,
    claim,
    rests_on,
    shown_by,
    symbolic,
)

a, xi, rho, tau, mean = sympy.symbols("a xi rho tau mu", positive=True)
real = sympy.Symbol("l", real=True)
HALF = sympy.Rational(1, 2)
EACH_PAIR = r"\text{all adjacent } S, S'"

CDP_SHOWN = r"(\mu,\tau)\text{-CDP}:\ E[c] \le \mu,\ M_\alpha \le e^{\alpha^2\beta^2/2}"
ZCDP_SHOWN = r"(\xi,\rho)\text{-zCDP}:\ M_\alpha \le \exp(\alpha(\xi + \rho(\alpha+1)))"
TCDP_SHOWN = (
    r"(\rho,\omega)\text{-tCDP}:\ M_\alpha \le \exp(\rho\alpha(\alpha+1))\ \text{on}\ (0,\omega)"
)
RDP_SHOWN = r"(\alpha,\varepsilon)\text{-RDP}:\ M_{\alpha-1} \le \exp((\alpha-1)\varepsilon)"
"""The four definitions as displayed."""


@claim(
    "discussion/definitions/cdp",
    lines="564-568",
    kind="definition",
    domain=EACH_PAIR + r",\ \alpha \ge 1",
    statement=CDP_SHOWN,
    verdict="holds-with-repair",
    severity="not the published definition",
    repair=r"E[c] \le \mu and E\,e^{\lambda(c - E c)} \le e^{\lambda^2\tau^2/2} for all real \lambda",
    erratum=errata.DEFINITIONS,
    broken={
        "a tau that the printed form allows": {"tau_squared": 2},
        "centred at another value": {"centre": sympy.Integer(0)},
    },
)
def cdp(tau_squared: Fraction | int = 1, centre: sympy.Expr | None = None) -> Iterator[Evidence]:
    """CDP asks that the centred loss be subgaussian; in print it is not centred and beta is undefined.

    Gaussian noise with sigma = 1 and shift 1 is (1/2, 1)-CDP: the centred loss is a standard Gaussian. But its
    uncentred moment of order 1 is e, above e^(1/2); the printed condition needs tau = sqrt(2).
    """
    first = sympy.exp(1)  # M_1 = e^{a(a+1)/2} at a = 1, sigma = 1
    moment_of_loss = ratio_moment(-a, sympy.exp(a * (a + 1) / (2 * sigma**2)))
    allowed = sympy.exp(sympy.Rational(tau_squared, 2))
    above = sign_of_constant(
        first - allowed,
        ">",
        "the uncentred moment of order 1",
    )
    tau = sympy.sqrt(sympy.Rational(tau_squared))
    sign_of_constant(tau**2 - 1, ">=", "the centred loss has the variance 1")
    told = (
        f"Gaussian noise with sigma = 1 is (1/2, {tau})-CDP, but its uncentred moment of order 1 is e, above the "
        f"e^({tau**2 / 2}) that is printed"
    )
    shown = all_of(*moment_of_loss, above)
    yield Evidence(shown.level, shown.effective, detail=told).against_the_wording()
    middle = 1 / (2 * sigma**2) if centre is None else centre
    value = sympy.exp(real**2 / (2 * sigma**2))
    integrand = gaussian_loss(real, middle)
    yield from (e.repaired() for e in bell(integrand, z, -real, sigma, value))


@claim(
    "discussion/definitions/zcdp",
    lines="569-572",
    kind="definition",
    domain=EACH_PAIR + r",\ \alpha > 0",
    statement=ZCDP_SHOWN,
    verdict="holds-but-for-typography",
    severity="typography",
    repair=r"the same with balanced parentheses; equivalent to D_\alpha \le \xi + \rho\alpha for all \alpha > 1",
    broken={"without the one": {"extra": 0}},
)
def zcdp(extra: Fraction | int = 1) -> Iterator[Evidence]:
    """The bound on the moment is the linear bound on the divergence at the order one higher."""
    exponent = a * (xi + rho * (a + extra))
    divergence = exponent / a  # ln M_a = a D_(a+1)
    by_order = xi + rho * (a + 1)
    yield identity(divergence, by_order, "D at order a + 1").repaired()
    yield positive(a, "every order above 1 is a + 1 with a > 0").repaired()


@claim(
    "discussion/definitions/rho-zcdp",
    lines="573-576",
    kind="definition",
    domain=EACH_PAIR + r",\ \alpha > 0",
    statement=r"\rho\text{-zCDP} = (0,\rho)\text{-zCDP}:\ M_\alpha \le \exp(\rho\alpha(\alpha+1))",
    broken={"half the constant": {"factor": 4}},
)
def rho_zcdp(factor: Fraction | int = 2) -> Iterator[Evidence]:
    """The shorthand with xi = 0; Gaussian noise attains it with rho = 1/(2 sigma^2) at every order."""
    full, short = a * (xi + rho * (a + 1)), rho * a * (a + 1)
    yield identity(full.subs(xi, 0), short, "xi = 0")
    value = sympy.exp(short.subs(rho, 1 / (factor * sigma**2)))
    yield from ratio_moment(-a, value)


@claim(
    "discussion/definitions/tcdp",
    lines="577-580",
    kind="definition",
    domain=EACH_PAIR + r",\ \alpha \in (0,\omega)",
    statement=TCDP_SHOWN,
    verdict="holds-with-repair",
    severity="not the published definition",
    repair=r"on (0,\omega-1), that is D_\alpha \le \rho\alpha on (1,\omega)",
    erratum=errata.DEFINITIONS,
    broken={
        "an order inside the corrected range": {"order": Fraction(1, 4)},
        "a smaller rho": {"rate": sympy.Rational(1, 4)},
    },
)
def tcdp(order: Fraction = Fraction(1), rate: sympy.Expr = HALF) -> Iterator[Evidence]:
    """The range of orders is off by one: a moment of order alpha is a divergence of order alpha + 1.

    Exponential laws with rates 1 and 2 are (1/2, 3/2)-tCDP, but the moment of order 1 < 3/2 is infinite.
    """
    omega = Fraction(3, 2)
    if not 0 < order < omega:
        raise StepFails("an order outside the printed range")
    # p^(k+1)/q^k for rates 1 and 2 decays like e^{-(1-k)x}: infinite from order 1 on
    x = sympy.Symbol("x", positive=True)
    k = sympy.Rational(order.numerator, order.denominator)
    integrand = sympy.exp(-x) * (sympy.exp(x) / 2) ** k
    integral_value = sympy.integrate(sympy.powsimp(sympy.expand(integrand)), (x, 0, sympy.oo))
    if integral_value != sympy.oo:
        raise StepFails(f"no counterexample: the moment of order {order} is {integral_value}")
    yield symbolic(
        detail=f"The exponential laws of rates 1 and 2 are (1/2, 3/2)-tCDP, but their moment of order {order}, "
        "which is below 3/2, is infinite"
    ).against_the_wording()
    yield all_of(*_exponential_pair(rate)).repaired()


def _exponential_pair(rate: sympy.Expr) -> Iterator[Evidence]:
    """D_o <= rate o on orders 1 < o <= 3/2 for Exp(1) and Exp(2), both ways; o = 1 + s, s in (0, 1/2]."""
    x, s = sympy.symbols("x s", positive=True)
    u = sympy.Symbol("u", positive=True)
    order = 1 + s
    one_two = 2 ** (1 - order) / (2 - order)  # the moments, for order < 2
    two_one = 2**order / (1 + order)
    for value, decay, start in ((one_two, u, 2 ** (-s)), (two_one, 2 + s, 2**order)):
        # the integrand is start e^{-decay x}; decay 2 - order is positive here, called u
        found = sympy.integrate(start * sympy.exp(-decay * x), (x, 0, sympy.oo))
        yield identity(found.subs(u, 1 - s), value, "the moment", at=[{s: Fraction(1, 3)}])
    first = rate * order * s - sympy.log(one_two)
    second = rate * order * s - sympy.log(two_one)
    half = sympy.Rational(1, 2)
    # first is concave on [0, 1/2]: 0 at 0 and positive at 1/2
    bend = sympy.diff(sympy.expand_log(first), s, 2)
    yield identity(bend, 2 * rate - 1 / (1 - s) ** 2, "curvature", at=[{s: Fraction(1, 3)}])
    yield sign_of_constant(2 * rate - 1, "<=", "concave")
    yield sign_of_constant(sympy.simplify(first.subs(s, half)), ">", "Exp(1) against Exp(2) at 3/2")
    # second is 0 at 0, its slope positive there and increasing
    slope = sympy.diff(sympy.expand_log(second), s)
    yield sign_of_constant(
        sympy.simplify(slope.subs(s, 0)), ">", "Exp(2) against Exp(1): slope at 1"
    )
    yield identity(sympy.diff(slope, s), 2 * rate - 1 / (2 + s) ** 2, "curvature")
    yield sign_of_constant(2 * rate - sympy.Rational(1, 4), ">=", "convex")


@claim(
    "discussion/definitions/rdp",
    lines="581-584",
    kind="definition",
    domain=EACH_PAIR + r",\ \alpha > 1",
    statement=RDP_SHOWN,
    broken={"order 1 included": {"orders": (2, 1)}},
)
def rdp_by_moments(orders: tuple[int, ...] = (2, 3)) -> Iterator[Evidence]:
    """For orders above 1, where the definition of RDP is meant, the bound on the moment is the bound on the divergence. (At order
    1 it would be empty: 1 <= 1.)"""
    for order in orders:
        if order < 1:
            raise StepFails(f"order {order}: divided by {order - 1}, the inequality turns round")
        laws = bernoulli(Fraction(1, 2)), bernoulli(Fraction(1, 4))
        if moment(*laws, order) == 1:  # M_(order-1); e^{(order-1) 0} = 1
            raise StepFails(f"order {order}: different laws satisfy the condition with epsilon = 0")
    yield certified_points(len(orders), detail="Bernoulli laws, epsilon = 0")
    eps = sympy.Symbol("epsilon", positive=True)
    yield identity(sympy.log(sympy.exp(a1 * eps)) / a1, eps, "D = ln M/(alpha-1)")


@claim(
    "discussion/definitions/equivalent",
    lines="562",
    kind="assertion",
    domain=EACH_PAIR,
    statement=r"\text{the four displayed conditions are equivalent to CDP, zCDP, tCDP and RDP}",
    verdict="holds-with-repair",
    severity="not the published definition",
    repair=r"zCDP, and RDP for \alpha > 1, as displayed; CDP and tCDP as corrected",
    erratum=errata.DEFINITIONS,
    broken={
        "CDP taken as equivalent": {"tau_squared": 2},
        "tCDP taken as equivalent": {"order": Fraction(1, 4)},
    },
)
def equivalent(
    tau_squared: Fraction | int = 1, order: Fraction = Fraction(1)
) -> Iterator[Evidence]:
    """Two of the four displayed conditions are not equivalent to the original definitions."""
    yield from shown_by(cdp, tau_squared=tau_squared)
    yield from shown_by(tcdp, order=order)
    yield rests_on(zcdp, rdp_by_moments).repaired()


def _parameters(displayed: str) -> int:
    """How many parameters a displayed definition has: it begins with them, in parentheses."""
    return displayed.partition(")")[0].count(",") + 1


@claim(
    "discussion/definitions/going-down",
    lines="586",
    kind="assertion",
    domain=EACH_PAIR,
    statement=r"\text{going down the list, definitions get less restrictive and have more parameters}",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"less restrictive up to the parameters; each has two, or one in the shorthand",
    erratum=errata.PARAMETERS,
    broken={
        "a list with growing counts": {"counts": (1, 2, 3, 4)},
        "another rho": {"factor": 1},
    },
)
def going_down(
    counts: tuple[int, ...] = (2, 2, 2, 2), factor: Fraction | int = 2
) -> Iterator[Evidence]:
    """Each definition implies the next; the number of parameters does not grow.

    The counts are those of (mu, tau), (xi, rho), (rho, omega) and (alpha, epsilon). A (mu, tau)-CDP mechanism is
    (mu - tau^2/2, tau^2/2)-zCDP, zCDP with xi = 0 is tCDP for every omega, and tCDP is RDP below omega.
    """
    displayed = tuple(map(_parameters, (CDP_SHOWN, ZCDP_SHOWN, TCDP_SHOWN, RDP_SHOWN)))
    if counts != displayed or all(x < y for x, y in pairwise(counts)):
        raise StepFails(f"the numbers of parameters are {displayed}, and do not grow")
    told = ", ".join(map(str, counts))
    yield certified_points(
        len(counts),
        detail=f"CDP, zCDP, tCDP and RDP as displayed have {told} parameters: the number does not grow",
    ).against_the_wording()
    subgaussian = a * mean + a**2 * tau**2 / 2  # ln E e^{a c} from the centred bound
    zero = a * ((mean - tau**2 / 2) + tau**2 / factor * (a + 1))
    yield identity(subgaussian, zero, "CDP gives zCDP").repaired()
    yield identity(rho * a * (a + 1) / a, rho * (a + 1), "tCDP gives RDP at order a + 1").repaired()
