"""Introduction: the setting and the definitions (lines 91-131)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise

import sympy

from proofs_checks import errata
from proofs_checks.paper import allowed, bound, density, sigma, z
from proofs_checks.quantities.bell import bell
from proofs_checks.quantities.lower_bound import tangent
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.finite import bernoulli, moment
from proofs_checks.tools.monotone import rises_from_zero
from proofs_checks.tools.set_functions import weights
from verify import rdp, rdp_reverse
from verify.claims import (
    Evidence,
    Rejected,
    StepFails,
    Undecided,
    all_of,
    certified_points,
    claim,
    symbolic,
)

DIGITS = 20
a1 = sympy.Symbol("a1", positive=True)
alpha = 1 + a1


@claim(
    "introduction/history",
    lines="91-101",
    kind="not-mathematical",
    domain=r"\text{literature}",
    statement=r"\text{who introduced sampling, Gaussian noise, CDP, zCDP, tCDP, the moments accountant}",
    verdict="unknown",
    unknown="not a mathematical statement: it is about who published what first",
    unbreakable="not a mathematical statement",
)
def history() -> Iterator[Evidence]:
    """Who came first. Nothing here can be computed, and nothing later depends on it."""
    return iter(())


@claim(
    "introduction/relaxed",
    lines="102",
    kind="assertion",
    domain=r"q \le 1/5,\ \sigma \ge 4",
    statement=r"\text{assumptions of the earlier bound are relaxed and the bound is strengthened}",
    kernel=("conditions_met_case_I", "conditions_met_case_IIb", "space_mechanism_rdp"),
    broken={
        "a whole order and a small rate": {"order": Fraction(2)},
        "an order the theorem excludes": {"order": Fraction(121, 2)},
    },
)
def relaxed(order: Fraction = Fraction(3, 2)) -> Iterator[Evidence]:
    """There are points that the earlier result does not reach and the new bound does.

    At q = 1/100, sigma = 4 the order 3/2 is fractional; at q = 1/5, sigma = 4, alpha = 4 the sampling rate is far
    above 1/(16 sigma). The new conditions hold at both, and the explicit bound replaces an asymptotic one with
    an unnamed constant.
    """
    found = []
    for rate, alpha_ in ((Fraction(1, 100), order), (Fraction(1, 5), Fraction(4))):
        noise = Fraction(4)
        if rate < 1 / (16 * noise) and alpha_.denominator == 1:
            raise StepFails("the earlier conditions cover this point")
        value = rdp(rate, noise, alpha_, digits=DIGITS)
        if not allowed(rate, noise, alpha_) or value.hi > bound(rate, noise, alpha_):
            raise StepFails(f"the new bound says nothing at q = {rate}, alpha = {alpha_}")
        closed = f"{float(bound(rate, noise, alpha_)):.6}"
        told = f"epsilon = {value:.12} <= {closed} at q = {rate}, sigma = 4, alpha = {alpha_}"
        found.append(certified_points(detail=told))
    yield all_of(*found)


@claim(
    "introduction/divergence",
    lines="109-114",
    kind="definition",
    domain=r"\alpha \ne 1\ \text{finite}",
    statement=r"D_\alpha(P\|Q) = \frac1{\alpha-1}\ln\int q (p/q)^\alpha",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\alpha > 0, densities with respect to a common measure, and a convention where q(x) = 0",
    erratum=errata.ORDERS,
    broken={"a negative order": {"orders": (2, 3, -1)}},
)
def divergence(orders: tuple[int, ...] = (2, 3, 7)) -> Iterator[Evidence]:
    """The divergence is not negative, and zero for equal laws only; for that the order has to be positive.

    At order -1 the laws Bernoulli(1/2) and Bernoulli(1/4) have the divergence -ln(5/4)/2. The letter q also
    clashes with the sampling rate, and what the laws share is a measurable space, not a probability space.
    """
    yield all_of(*tangent(), *_tangent_below_one()).repaired()
    half, quarter = bernoulli(Fraction(1, 2)), bernoulli(Fraction(1, 4))
    for order in orders:
        if order == 1:
            raise StepFails("order 1: the definition divides by 0")
        value = moment(half, quarter, order)
        if (order > 1) != (value > 1):  # the sign of ln(value)/(order - 1)
            raise Rejected(f"order {order}: D = ln({value})/({order - 1}) < 0")
        if moment(half, half, order) != 1:
            raise StepFails(f"order {order}: D(P||P) is not 0")
    yield certified_points(len(orders), detail="Bernoulli laws, exact").repaired()
    below = moment(half, quarter, -1)
    if below <= 1:
        raise StepFails("order -1 is harmless after all")
    yield certified_points(detail=f"order -1: D = -ln({below})/2 is negative").repaired()


def _tangent_below_one() -> Iterator[Evidence]:
    """a t - t^a + 1 - a > 0 for orders a = 1/(1+m) below 1 and t not 1: the sign is the other one."""
    m, s = sympy.symbols("m s", positive=True)
    order, rest = 1 / (1 + m), m / (1 + m)
    for sign in (1, -1):
        t = sympy.exp(sign * s)
        gap = order * t - t**order + 1 - order
        steep = 2 * order * t**order * sympy.exp(sign * rest * s / 2) * sympy.sinh(rest * s / 2)
        yield rises_from_zero(gap, s, steep, "tangent of the power, orders below 1")


@claim(
    "introduction/divergence-limits",
    lines="113",
    kind="limit",
    domain=r"\alpha \to 1,\ \alpha \to \infty",
    statement=r"D_1 = \int p \ln(p/q),\quad D_\infty = \ln \operatorname{ess\,sup} p/q",
    broken={"the reverse relative entropy": {"reverse": True}},
)
def divergence_limits(reverse: bool = False) -> Iterator[Evidence]:
    """At order 1 the definition continues to the relative entropy, at infinity to the largest ratio.

    From above this needs a finite divergence at some order above 1, which the mechanism has: then the integrands
    of (moment - 1)/(alpha - 1) fall to that of the relative entropy, and their integrals with them.
    """
    p, w = sympy.symbols("p w", positive=True)
    slope = sympy.diff(w * (p / w) ** alpha, a1).subs(a1, 0)
    entropy = w * sympy.log(w / p) if reverse else p * sympy.log(p / w)
    at_order_one = identity(
        slope, sympy.expand_log(entropy), "The derivative of the moment at order 1"
    )
    at_one = (rdp_reverse if reverse else rdp)(Fraction(1, 5), 1, 1, digits=DIGITS)
    near = Fraction(1, 10**6)
    above = rdp(Fraction(1, 5), 1, 1 + near, digits=DIGITS)
    if not at_one.hi < above.lo < at_one.lo * (1 + 2 * near):
        raise StepFails(f"order 1: {at_one}, order 1 + 1e-6: {above}")
    yield certified_points(detail="q = 1/5, sigma = 1: orders 1 and 1 + 1e-6")
    yield all_of(at_order_one, *_monotone_quotients(), *_largest_ratio())


def _monotone_quotients() -> Iterator[Evidence]:
    """(r^h - 1)/h falls with h -> 0: monotone convergence takes the limit into the integral.

    With u = h ln r the derivative in h is (u e^u - e^u + 1)/h^2, not negative for either sign of u.
    """
    u, h, s = sympy.symbols("u h s", positive=True)
    for sign in (1, -1):
        quotient = (sympy.exp(sign * h * s) - 1) / h
        above = sign * u * sympy.exp(sign * u) - sympy.exp(sign * u) + 1
        slope = above.subs(u, h * s) / h**2
        yield identity(sympy.diff(quotient, h), slope, "The slope of (r^h - 1)/h")
        told = f"it is not negative for r {'above' if sign > 0 else 'below'} 1"
        yield rises_from_zero(above, u, u * sympy.exp(sign * u), told)


def _largest_ratio() -> Iterator[Evidence]:
    """ln c + ln P(r >= c)/(alpha-1) <= D <= ln(sup r): p r^(alpha-1) on r >= c, and everywhere."""
    ratio, more, mass = sympy.symbols("c d m", positive=True)
    most = a1 * (sympy.log(ratio * (1 + more)) - sympy.log(ratio))
    yield positive(sympy.expand_log(most), "r^(alpha-1) grows with r: bounds from both sides")
    low = (a1 * sympy.log(ratio) + sympy.log(mass)) / a1
    yield identity(
        sympy.limit(low, a1, sympy.oo), sympy.log(ratio), "the lower bound tends to ln c"
    )


@claim(
    "introduction/rdp",
    lines="117-121",
    kind="definition",
    domain=r"\alpha > 1",
    statement=r"(\alpha,\varepsilon)\text{-RDP}:\ D_\alpha(M(S)\|M(S')) \le \varepsilon"
    r"\ \text{for all adjacent } S, S'",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"with \alpha > 1 (or \alpha \ge 1), which the text does not say",
    erratum=errata.ORDERS,
    broken={"a negative order allowed": {"orders": (2, 3, -1)}},
)
def renyi_privacy(orders: tuple[int, ...] = (2, 3)) -> Iterator[Evidence]:
    """Both orders of the pair are covered because adjacency is symmetric, and they do differ.

    At a negative order every mechanism would satisfy the definition with epsilon = 0.
    """
    half, quarter = bernoulli(Fraction(1, 2)), bernoulli(Fraction(1, 4))
    for order in orders:
        there, back = moment(half, quarter, order), moment(quarter, half, order)
        if there == back:
            raise StepFails(f"order {order}: the two orders agree")
        if order < 1 < min(there, back):
            raise StepFails(
                f"order {order}: different laws satisfy the definition with epsilon = 0"
            )
    yield certified_points(
        len(orders), detail="Bernoulli laws: the orders of a pair differ"
    ).repaired()
    yield all_of(*tangent()).repaired()


@claim(
    "introduction/adjacency",
    lines="122",
    kind="definition",
    domain=r"S, S' \subseteq \text{universe}",
    statement=r"S' = S \cup \{x\}\ \text{or vice versa}",
    broken={"replacing one person": {"distance": 2}},
)
def adjacency(distance: int = 1) -> Iterator[Evidence]:
    """Datasets are adjacent if one person is in one of them and not in the other: a symmetric relation.

    Person by person: the two memberships differ or agree. One difference, wherever, is a person added or
    removed, and there is no third way.
    """
    universe = range(2**4)
    union = {(s, s | 1 << x) for s in universe for x in range(4) if not s >> x & 1}
    related = union | {(b, a) for a, b in union}
    near = {(a, b) for a in universe for b in universe if (a ^ b).bit_count() == distance}
    if related != near:
        raise StepFails(f"not the pairs at distance {distance}")
    yield certified_points(len(near), detail="all pairs of subsets of four people")
    if distance != 1:
        raise Undecided("adding or removing one person is one difference")
    # All four cases of one person's memberships in S and S'; sets of any size are made of such persons.
    cases = {(here, there): abs(here - there) for here in (0, 1) for there in (0, 1)}
    added_or_removed = {case for case, differs in cases.items() if differs}
    if added_or_removed != {(0, 1), (1, 0)} or any(cases[b, a] != d for (a, b), d in cases.items()):
        raise StepFails("a person can differ in another way, or in one direction only")
    yield symbolic(
        4,
        detail="a person differs by being added or by being removed, any universe; S and S' may be exchanged",
    )


@claim(
    "introduction/mechanism",
    lines="124-129",
    kind="definition",
    domain=r"0 < q \le 1,\ \sigma > 0",
    statement=r"SG_{q,\sigma}(S) = f(\text{each } x \in S \text{ with probability } q) + \mathcal N(0,\sigma^2 I)",
    verdict="holds-but-for-typography",
    severity="typography",
    repair=r"one letter for the set of datasets and another for the universe; independent draws have no"
    r" replacement",
    broken={"samples of fixed size": {"fixed_size": True}},
)
def mechanism(fixed_size: bool = False) -> Iterator[Evidence]:
    """Poisson sampling: every person is in the sample with probability q, independently of the others."""
    size, rate = 4, Fraction(1, 2)
    law = weights(size, rate)
    if fixed_size:
        chosen = {sum(1 << i for i in c) for c in combinations(range(size), 2)}
        law = [Fraction(1, len(chosen)) if s in chosen else Fraction(0) for s in range(2**size)]
    for x, y in pairwise(range(size)):
        one = sum(w for s, w in enumerate(law) if s >> x & 1)
        both = sum(w for s, w in enumerate(law) if s >> x & 1 and s >> y & 1)
        if one != rate or both != rate**2:
            raise Rejected(f"persons {x} and {y}: {one}, {both}")
    yield certified_points(3, detail="marginals and pairs of four people, exact").repaired()
    share, n = sympy.symbols("q n", positive=True)
    others = share + (1 - share)  # what the coin of somebody else sums to
    yield all_of(
        identity(share * others ** (n - 1), share, "a person's probability, n people"),
        identity(share**2 * others ** (n - 2), share * share, "two persons are independent"),
    ).repaired()


@claim(
    "introduction/mechanism-density",
    lines="124-129",
    kind="definition",
    domain=r"0 \le q \le 1,\ \sigma > 0",
    statement=r"SG_{q,\sigma}(S)\ \text{has a positive density of mass 1 on}\ \mathbb{R}^d",
    kernel=("normal_space_normalised", "space_mechanism_density"),
    broken={"without the samples of nobody": {"nobody": False}},
)
def mechanism_density(nobody: bool = True) -> Iterator[Evidence]:
    """What the mechanism puts out is a probability distribution, whatever the data, the function and the dimension.

    It is a mixture of Gaussians, one for each sample; the weights of the samples add up to 1, as one more
    person's coin splits each of them in two, and every Gaussian has mass 1.
    """
    for size in range(5):
        total = sum(weights(size, Fraction(1, 3))[0 if nobody else 1 :])
        if total != 1:
            raise Rejected(f"{size} people: the weights add up to {total}")
    share, rest, weight = sympy.symbols("q p w", positive=True)
    one = sympy.Integer(1)
    yield all_of(
        identity(
            (share * weight + rest * weight).subs(rest, 1 - share), weight, "one more person's coin"
        ),
        *bell(density(z), z, sympy.Integer(0), sigma, one),
        identity(one**share, one, "and in d coordinates the masses multiply"),
        positive(density(z), "the density is positive"),
    )


@claim(
    "introduction/lines-of-work",
    lines="131",
    kind="not-mathematical",
    domain=r"\text{literature}",
    statement=r"\text{asymptotic, numerical and closed-form analyses of the mechanism}",
    verdict="unknown",
    unknown="not a mathematical statement: it sorts publications",
    unbreakable="not a mathematical statement",
)
def lines_of_work() -> Iterator[Evidence]:
    """A classification of earlier work into three kinds; nothing to compute."""
    return iter(())
