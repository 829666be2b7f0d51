"""Whole orders: A_n - 1 as a sum of positive terms that count graphs."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from math import comb

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.paper import exp, q, sigma
from proofs_checks.quantities.bell import ratio_moment
from proofs_checks.quantities.engine import as_ball, log_moment
from proofs_checks.quantities.graphs import by_enumeration, by_inversion, pairs, polynomial_sum
from proofs_checks.tools.algebra import identity
from proofs_checks.tools.balls import rational
from proofs_checks.tools.formula import Formula, written
from verify.claims import (
    Evidence,
    Profile,
    Rejected,
    Sign,
    StepFails,
    Undecided,
    all_of,
    certified_points,
    claim,
    doubt,
    symbolic,
)
from verify.numbers.balls import precision

t = sympy.Symbol("t", positive=True)
x = sympy.Symbol("x", positive=True)  # 1/sigma^2


def whole_moment(n: int, exponent: int = 1) -> sympy.Expr:
    """A_n by the binomial sum, with E[(mu1/mu0)^k] = (1+t)^{k(k-1)/2}."""
    return sum(
        comb(n, k) * (1 - q) ** (n - k) * q**k * (1 + t) ** (exponent * pairs(k))
        for k in range(n + 1)
    )


@claim(
    "beyond/graph-expansion/central-moments",
    lines="beyond",
    kind="identity",
    domain=r"\sigma > 0,\ k \in \{2, 3, 4, \dots\}",
    statement=r"\mathbb{E}_{\mu_0}[(\mu_1/\mu_0 - 1)^k] = \sum_{G} t^{|E(G)|},\quad t = "
    r"e^{1/\sigma^2} - 1",
    broken={
        "isolated vertices allowed": {"isolated_allowed": True},
        "moments (1+t)^{k(k+1)/2}": {"shift": 1},
    },
)
def central_moments(
    isolated_allowed: bool = False, shift: Fraction | int = 0, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """The k-th central moment of the density ratio under mu0 is the sum of t^edges over all
    graphs on k labelled vertices without isolated vertices. For every k: choose for each pair whether it
    is an edge, which gives (1+t)^(k(k-1)/2) for all graphs, the raw moment; inclusion and exclusion over
    the set of vertices that are isolated leaves the sum of (-1)^(k-j) C(k,j) (1+t)^(j(j-1)/2), and that is
    the binomial expansion of the central moment. Up to k = 5 (6 in the full profile) the graphs are
    enumerated as well."""
    last = 5 if profile is Profile.QUICK else 6
    for k in range(2, last + 1):
        moment = sum(
            (-1) ** (k - j) * comb(k, j) * (1 + t) ** (pairs(j) + shift * j) for j in range(k + 1)
        )
        counted = by_enumeration(k, isolated_allowed=isolated_allowed)
        graphs = sum(c * t**m for m, c in enumerate(counted))
        identity(moment, graphs, f"k = {k}: {sum(counted)} of {2 ** pairs(k)} graphs")
    yield certified_points(last - 1, detail=f"k = 2..{last}: every graph counted, exact")
    if isolated_allowed or shift:
        raise Undecided("inclusion and exclusion is for graphs without isolated vertices")
    yield all_of(*_inclusion_and_exclusion())


def _inclusion_and_exclusion() -> Iterator[Evidence]:
    """Both sides are the sum over j of (-1)^(k-j) C(k,j) (1+t)^(j(j-1)/2), every k.

    A graph with i > 0 isolated vertices is counted (1-1)^i = 0 times, one without them once. Graphs in
    which a given set of k - j vertices is isolated are the graphs on the other j: one factor 1 + t a pair.
    """
    i = sympy.Symbol("i", positive=True, integer=True)
    size = sympy.Symbol("j", real=True)
    yield identity((1 - sympy.Integer(1)) ** i, 0, "a graph with isolated vertices counts 0 times")
    edges = sympy.log((1 + t) ** (size * (size - 1) / 2)).subs(t, exp(1 / sigma**2) - 1)
    raw = size * (size - 1) / (2 * sigma**2)
    yield identity(
        sympy.expand_log(edges, force=False), raw, "all graphs on j vertices: the raw moment"
    )
    yield from ratio_moment(size)


@claim(
    "beyond/graph-expansion/positive",
    lines="beyond",
    kind="inequality",
    domain=r"2 \le k \le 31\ \text{(quick)},\ k \le 64\ \text{(full)}",
    statement=r"N_k(t) = \sum_m c_{k,m} t^m,\quad c_{k,m} \ge 0,\quad c_{k,0} = 0",
    broken={
        "from k = 0, where N_0 = 1": {"first": 0},
        "recombined with alternating signs": {"sign": -1},
    },
)
def positive_coefficients(
    first: int = 2, sign: Sign = 1, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """The edge polynomials have non-negative whole coefficients and no constant term: exact
    integers from the inversion formula, one polynomial after the other. They count graphs, so
    this holds for every k; the list here is what the other claims rely on. As a check on the
    inversion, the polynomials recombine to (1+t)^{k(k-1)/2}."""
    last = 31 if profile is Profile.QUICK else 64
    for k in range(first, last + 1):
        coefficients = by_inversion(k)
        if min(coefficients) < 0 or coefficients[0]:
            raise Rejected(f"N_{k} starts with {coefficients[:4]}, least {min(coefficients)}")
    for k in range(2, 13):
        whole = [0] * (pairs(k) + 1)
        for j in range(k + 1):
            for m, c in enumerate(by_inversion(j)):
                whole[m] += sign ** (k - j) * comb(k, j) * c
        if whole != [comb(pairs(k), m) for m in range(pairs(k) + 1)]:
            raise Rejected(f"N_0..N_{k} do not recombine to (1+t)^{pairs(k)}")
    yield certified_points(last - first + 1, detail=f"exact coefficients of N_2..N_{last}")
    if first < 2:  # N_0 = 1 and N_1 = 0 start the recurrence, they do not obey it
        raise Undecided("the recurrence shows it from k = 2 on")
    yield recurrence()


@functools.cache
def recurrence() -> Evidence:
    """N_(k+1) = ((1+t)^k - 1) N_k + sum_(j<k) C(k,j) t^(k-j) (1+t)^j N_j, for every k.

    The raw moments (1+t)^(k(k-1)/2) have the generating function G with G'(x) = G((1+t) x), and
    F = e^-x G that of the N_k, so F'(x) = -F(x) + e^(t x) F((1+t) x). All coefficients on the right are
    non-negative, and t divides each of them from k = 1 on: by induction from N_0 = 1, N_1 = 0 every
    N_k, k >= 2, has non-negative coefficients and no constant term.
    """
    k, y = sympy.symbols("k y", positive=True)
    raw = k * (k - 1) / 2
    for size in range(1, 13):
        terms = [comb(size, j) * t ** (size - j) * (1 + t) ** j * _edge(j) for j in range(size + 1)]
        identity(_edge(size + 1), sum(terms) - _edge(size), f"the recurrence at k = {size}")
    return all_of(
        identity(raw.subs(k, k + 1), raw + k, "G'(x) = G((1+t) x): pairs of one vertex more"),
        identity(exp(-y) * exp((1 + t) * y), exp(t * y), "F' = -F + e^(tx) F((1+t) x)"),
        symbolic(detail="non-negative coefficients by induction over k, from N_0 = 1 and N_1 = 0"),
    )


def _edge(k: int) -> sympy.Expr:
    return sum(c * t**m for m, c in enumerate(by_inversion(k)))


@claim(
    "beyond/graph-expansion/expansion",
    lines="beyond",
    kind="identity",
    domain=r"n \in \mathbb{N},\ n \ge 2,\ 0 \le q \le 1,\ \sigma > 0",
    statement=r"A_n = 1 + \sum_{k=2}^{n} \binom{n}{k} q^k N_k(t)",
    broken={"raw moments e^{k(k-1)/sigma^2}": {"exponent": 2}, "sum to n-1": {"missing": 1}},
)
def expansion(exponent: int = 1, missing: int = 0) -> Iterator[Evidence]:
    """At whole orders A - 1 is a sum of non-negative terms, free of cancellation: expanded
    exactly up to order 7, and compared with the certified integral up to order 31."""
    for n in range(2, 8):
        terms = polynomial_sum(n)
        total = 1 + sum(c * q**k * t**m for (k, m), c in terms.items() if k <= n - missing)
        identity(whole_moment(n, exponent), total, f"n = {n}")
    yield certified_points(6, detail="n = 2..7, expanded")
    count = 0
    for n in (8, 15, 31):
        for rate, noise in ((Fraction(1, 5), Fraction(4)), (Fraction(1, 50), Fraction(2))):
            with precision(300):
                edge = rational(1 / noise**2).expm1()
                sampled = rational(rate)
                value = 1 + sum(
                    (c * sampled**k * edge**m for (k, m), c in polynomial_sum(n).items()), arb(0)
                )
                integral = as_ball(log_moment(rate, noise, Fraction(n), 40)).exp()
                if not value.overlaps(integral):
                    raise Rejected(f"n = {n}, q = {rate}, sigma = {noise}: the integral differs")
            count += 1
    yield certified_points(count, detail="positive sum inside the certified integral's ball")
    w, k = sympy.symbols("w k", positive=True)
    if exponent != 1 or missing:
        doubt("the binomial theorem is for the whole sum and the raw moments of the ratio")
    yield all_of(
        identity((1 + q * w) ** k, ((1 - q) + q * (1 + w)) ** k, "1 + q (r - 1): binomial theorem"),
        *ratio_moment(sympy.Symbol("k", real=True)),
        recurrence(),
    )


@claim(
    "beyond/graph-expansion/monotone",
    lines="beyond",
    kind="inequality",
    domain=r"2 \le n \le 31\ \text{(every } n \text{ by the count of graphs)},\ 0 < q \le 1,\ "
    r"\sigma > 0",
    statement=r"R_n = \frac{(A_n-1)\sigma^2}{q^2 n(n-1)}\ \text{is nondecreasing in } q "
    r"\text{ and nonincreasing in } \sigma",
    broken={"divided by q^3": {"power": 3}, "multiplied by sigma^4": {"noise": 2}},
)
def monotone(power: int = 2, noise: int = 1) -> Iterator[Evidence]:
    """The excess of A over 1, measured in q^2 n(n-1)/sigma^2, grows with the sampling rate and
    falls with the noise. In x = 1/sigma^2 it is a sum of terms c q^{k-2} t^m/x with c >= 0, k >=
    2, m >= 1; and t/x = (e^x - 1)/x grows with x, since x e^x - (e^x - 1) vanishes at 0 and has
    the derivative x e^x."""
    for n in range(2, 32):
        for (k, m), c in polynomial_sum(n).items():
            if c < 0 or k < power or m < noise:
                raise StepFails(f"n = {n}: the term {c} q^{k} t^{m} does not have the right signs")
    yield certified_points(30, detail="c >= 0, k >= 2, m >= 1 in all terms, n = 2..31")
    if power > 2 or noise > 1:  # the least powers of q and t that occur
        raise Undecided("the term q^2 t is there at every n")
    yield recurrence()  # so that every n has such terms only
    rising = sympy.exp(x) * x - (sympy.exp(x) - 1)
    yield identity(sympy.diff((sympy.exp(x) - 1) / x, x), rising / x**2, "derivative of (e^x-1)/x")
    yield identity(sympy.diff(rising, x), x * sympy.exp(x), "its numerator rises from 0")
    if rising.subs(x, 0) != 0:
        raise StepFails("the numerator does not start at 0")


A_n = sympy.Symbol("A_n", positive=True)
LOWER_BOUND = written(
    lambda: (
        A_n,
        ">=",
        1 + sympy.Rational(1, 2) * paper.n * (paper.n - 1) * q**2 * (exp(1 / sigma**2) - 1),
    )
)


@claim(
    "beyond/graph-expansion/lower-bound",
    lines="beyond",
    kind="inequality",
    domain=r"2 \le n \le 31,\ 0 < q \le 1,\ \sigma > 0",
    statement=LOWER_BOUND,
    broken={
        "without the half": {"formula": LOWER_BOUND.put({sympy.Rational(1, 2): 1})},
        "half plus a little": {
            "formula": LOWER_BOUND.put({sympy.Rational(1, 2): sympy.Rational(51, 100)})
        },
    },
)
def lower_bound(formula: Formula = LOWER_BOUND) -> Iterator[Evidence]:
    """The pairs alone (k = 2) give a lower bound of A at whole orders; no larger constant would
    do, for q -> 0 leaves nothing else."""
    small, large = formula.weak().ascending().expanded()  # equal at n = 2
    identity(large, A_n)
    for size in range(2, 32):
        terms = polynomial_sum(size)
        rest = {key: c for key, c in terms.items() if key != (2, 1)}
        pair_term = sympy.Integer(terms[2, 1])
        claimed = sympy.simplify((small.subs(paper.n, size) - 1) / (q**2 * (exp(1 / sigma**2) - 1)))
        if not claimed.is_Rational:
            raise StepFails(f"{small} is not 1 plus a multiple of q^2 t")
        if pair_term < claimed:
            raise Rejected(f"n = {size}: as q -> 0 the coefficient of q^2 t is {pair_term}")
        if min(rest.values(), default=0) < 0:
            raise StepFails(f"n = {size}: a negative term")
    yield certified_points(
        30, detail="the coefficient of q^2 t is n(n-1)/2 and the rest is >= 0, n = 2..31"
    )
    pair = (small - 1) / (q**2 * (exp(1 / sigma**2) - 1))
    yield all_of(identity(pair, paper.n * (paper.n - 1) / 2, "the pairs, N_2 = t"), recurrence())
