"""What is known of numbers that stand in no formula: which way a claim gets weaker, and where it is false."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from proofs_checks.paper import bound
from proofs_checks.tools.balls import rational
from proofs_checks.tools.noise import rounded_moments
from verify import rdp
from verify.numbers.balls import enclosure, precision

CLOSEST = Fraction(27, 200), Fraction(4), Fraction(51, 10)
"""q, sigma, alpha of the main theorem's region where epsilon is largest against the bound."""


def _share() -> Fraction:
    """epsilon sigma^2/(q^2 alpha) at that point, from below: no smaller constant is true."""
    return Fraction(rdp(*CLOSEST, digits=20).lo) * 2 / bound(*CLOSEST)


def _bun() -> Fraction:
    """The same for the earlier row, next to the end of its orders."""
    q, sigma = Fraction(1, 10), Fraction(2237, 1000)
    order = (sigma**2 * Fraction(math.log(10)) / 2).limit_denominator(1000)
    return Fraction(rdp(q, sigma, order, digits=20).lo) * sigma**2 / (q**2 * order)


def _second_summand(noise: bool) -> Fraction:
    """Where (L - 1)(2 ln sigma - 1) = 1 - ln 0.9: sigma at L = ln 6, or e^L at sigma = 4; from below."""
    with precision(100):
        right = 1 - rational(Fraction(9, 10)).log()
        at_6, at_4 = arb(6).log() - 1, 2 * arb(4).log() - 1
        edge = ((right / at_6 + 1) / 2).exp() if noise else (right / at_4 + 1).exp()
        return enclosure(edge).lo


def _rounded() -> Fraction:
    """How far the two moments of rounded noise are apart, from above."""
    with precision(400):
        small, large = rounded_moments(Fraction(1, 3), Fraction(3, 10))
        return enclosure(large - small).hi


Edge = Callable[[], Fraction]
EDGES: dict[tuple[str, str], Edge] = {
    ("main-theorem/statement", "constant"): _share,
    ("table-1/this-work/closed-form", "constant"): _share,
    ("table-1/bun", "constant"): _bun,
    ("discussion/sgm-and-zcdp", "share"): lambda: Fraction(1),
    ("discussion/sgm-and-rdp", "share"): lambda: Fraction(1),
    ("beyond/zcdp/exact-constant", "rho"): lambda: Fraction(1, 2),
    ("a-geq-b/theorem-5/continuously-differentiable", "size"): lambda: Fraction(3),
    ("closed-form/lemma-10/case-1/first-summand", "least"): lambda: Fraction(2),
    ("closed-form/lemma-10/case-1/second-summand", "noise"): lambda: _second_summand(noise=True),
    ("closed-form/lemma-10/case-1/second-summand", "least"): lambda: _second_summand(noise=False),
    ("numerical/fractional/right-series", "outside"): lambda: Fraction(1),
    ("discussion/definitions/cdp", "tau_squared"): lambda: Fraction(1),
    ("beyond/conditions/monotone", "noise"): lambda: Fraction(1),
    ("beyond/order-half/sampled-gaussian", "orders"): lambda: Fraction(1, 2),
}
"""By claim and parameter: every number below is false, by a certified value or by the supremum."""

CEILINGS: dict[tuple[str, str], Edge] = {
    ("numerical/fractional/left-series", "inside"): lambda: Fraction(1),
    ("discussion/definitions/cdp", "tau_squared"): lambda: Fraction(2),
    ("beyond/conditions/monotone", "rate"): lambda: Fraction(1),
    ("beyond/minimal-hypothesis/rounded-output", "gap"): _rounded,
}
"""The same from above: every number above is false."""

EXACT: dict[tuple[str, str], Fraction] = {
    ("discussion/sgm-and-zcdp", "limit"): Fraction(1),
    ("beyond/zcdp/exact-constant", "rho"): Fraction(1, 2),
    ("a-geq-b/theorem-5/average-a", "weight"): Fraction(1, 2),
    ("a-geq-b/theorem-5/average-b", "weight"): Fraction(1, 2),
    ("a-geq-b/corollary-7/exponent", "shift"): Fraction(1),
    ("discussion/definitions/zcdp", "extra"): Fraction(1),
    ("discussion/definitions/rho-zcdp", "factor"): Fraction(2),
    ("discussion/definitions/going-down", "factor"): Fraction(2),
    ("numerical/whole/moments-suffice", "linear"): Fraction(1),
    ("table-1/caption", "changes"): Fraction(2),
    ("discussion/definitions/going-down", "counts"): Fraction(2),
}
"""Numbers of equations: every other one is false."""


def false_number(claim: str, parameter: str, new: Fraction) -> bool:
    """Whether that number in that place is known to be false."""
    key = claim, parameter
    if key in EXACT:
        return new != EXACT[key]
    below = key in EDGES and new < EDGES[key]()
    return below or (key in CEILINGS and new > CEILINGS[key]())


EXAMPLE = "a counterexample, as are those next to it"
SAMPLED = "a point where the claim is looked at: it is true there too"
ANEW = "the whole argument is run with that number"

WEAKER: dict[tuple[str, str], tuple[str, str]] = {
    ("numerical/fractional/accountant", "digits"): ("smaller", "fewer digits"),
    ("numerical/fractional/accountant", "small_bits"): ("both", ANEW),
    ("introduction/relaxed", "order"): ("both", "an example: any fractional order near it is one"),
    ("table-1/abadi/asymptotic", "sigma"): ("both", EXAMPLE),
    ("introduction/divergence", "orders"): ("both", SAMPLED),
    ("introduction/rdp", "orders"): ("both", SAMPLED),
    ("table-1/abadi/asymptotic", "least"): ("larger", "more noise"),
    ("table-1/abadi/asymptotic", "constant"): ("larger", "a weaker bound"),
    ("table-1/bun", "constant"): ("larger", "a weaker bound"),
    ("table-1/this-work/numerical", "order"): ("both", SAMPLED),
    ("one-dimensional/roadmap", "factor"): ("larger", "a weaker bound"),
    ("reduction/theorem-4/added-noise", "c"): ("both", EXAMPLE),
    ("a-geq-b/theorem-5/statement", "order"): ("larger", "fewer orders"),
    ("a-geq-b/theorem-5/continuously-differentiable", "size"): ("both", "an example from 3 on"),
    ("a-geq-b/theorem-5/exchange", "maps item 0, (0,)"): ("both", "c - x is an involution, any c"),
    ("a-geq-b/theorem-5/domination", "order"): ("larger", "fewer orders"),
    ("a-geq-b/lemma-6/statement", "order"): ("larger", "fewer orders"),
    ("a-geq-b/lemma-6/statement", "rate"): ("both", "k/(c + k) runs over all rates, any c > 0"),
    ("a-geq-b/lemma-6/order-of-variables", "ratio"): ("larger", "u further above v"),
    ("a-geq-b/lemma-6/increasing", "order"): ("larger", "fewer orders"),
    ("a-geq-b/corollary-7/statement", "orders"): ("both", SAMPLED),
    ("closed-form/lemma-8/power-bound", "extent"): ("smaller", "a shorter range of w"),
    ("closed-form/lemma-8/w-in-range", "most"): ("smaller", "fewer rates"),
    ("closed-form/lemma-10/tail-applies", "t"): ("both", EXAMPLE),
    ("closed-form/lemma-10/z0-above-2-alpha", "noise"): ("larger", "more noise"),
    ("closed-form/lemma-10/case-1/first-summand", "least"): ("both", "q alpha < 1 from 2 on"),
    ("closed-form/lemma-10/case-1/l-bound", "below"): ("larger", "fewer orders"),
    ("closed-form/lemma-10/case-1/second-summand", "noise"): ("both", ANEW),
    ("closed-form/lemma-10/case-1/second-summand", "least"): ("both", ANEW),
    ("closed-form/lemma-10/case-2a/first-term", "inverse"): ("larger", "a smaller q(alpha-1)"),
    ("closed-form/lemma-10/case-2a/half", "least"): ("larger", "fewer orders"),
    ("closed-form/lemma-10/case-2b/root", "most"): ("smaller", "a shorter range of x"),
    ("closed-form/lemma-10/case-2b/last-step", "least"): ("larger", "a larger q(alpha-1)"),
    ("closed-form/lemma-10/without-cases", "formula"): ("both", "the box is subdivided anew"),
    ("main-theorem/exponential", "noise"): ("both", "true from 2.31 on; the slope is proved anew"),
    ("numerical/overview/swap", "orders"): ("both", SAMPLED),
    ("numerical/fractional/left-series", "inside"): ("both", SAMPLED),
    ("numerical/fractional/right-series", "outside"): ("both", SAMPLED),
    ("figure-1/left", "factor"): ("both", "the crossing is computed for that bound"),
    ("figure-1/right", "factor"): ("both", "the crossing is computed for that bound"),
    ("figure-1/right", "last"): ("smaller", "fewer orders"),
    ("discussion/moment-and-divergence", "second"): ("both", EXAMPLE),
    ("discussion/definitions/cdp", "tau_squared"): ("both", "an example from 1 to 2"),
    ("discussion/definitions/tcdp", "order"): ("larger", "infinite from order 1 on"),
    ("discussion/definitions/tcdp", "rate"): ("both", "1/2 is not the least rho: 0.4621 is"),
    ("discussion/definitions/rdp", "orders"): ("both", SAMPLED),
    ("discussion/accountant", "factor"): ("larger", "a weaker bound"),
    **{
        (f"beyond/closed-form/{name}", parameter): reason
        for name in (
            "remember",
            "in-place-of-theorem-11",
            "six-fifths",
            "every-sigma",
            "to-the-wall",
        )
        for parameter, reason in (
            ("reach", ("smaller", "fewer orders")),
            ("least", ("larger", "more noise")),
        )
        if (name, parameter) not in {("every-sigma", "least"), ("to-the-wall", "least")}
    },
    ("beyond/closed-form/runs", "factor"): ("larger", "a weaker bound"),
    ("beyond/closed-form/runs", "linear"): ("larger", "a weaker bound"),
    ("beyond/conditions/monotone", "rate"): ("both", "any factor up to 1"),
    ("beyond/conditions/monotone", "noise"): ("both", "any factor from 1 on"),
    ("beyond/conditions/second-interval", "threshold"): ("larger", "proved anew: true up to 7.17"),
    ("beyond/graph-expansion/monotone", "power"): ("smaller", "times q, which rises"),
    ("beyond/graph-expansion/monotone", "noise"): ("smaller", "over sigma^2, which rises"),
    ("beyond/graph-expansion/nonnegative", "least"): ("smaller", "a weaker bound"),
    ("beyond/graph-expansion/nonnegative", "first"): ("larger", "fewer k"),
    ("beyond/graph-expansion/positive", "first"): ("larger", "fewer k"),
    ("beyond/minimal-hypothesis/rounded-output", "gap"): ("both", ANEW),
    ("beyond/minimal-hypothesis/rounded-output", "shift"): ("both", ANEW),
    ("beyond/order-half/theorem", "smallest"): ("larger", "fewer orders"),
    ("beyond/order-half/reversed", "largest"): ("smaller", "fewer orders"),
    ("beyond/order-half/sampled-gaussian", "orders"): ("both", SAMPLED),
    ("beyond/samplings/shuffle", "factor"): ("both", ANEW),
}
"""Which way the claim still follows (larger, smaller, both), and why; of a parameter, or of one place in it."""


def weaker(claim: str, parameter: str, place: str, larger: bool) -> bool:
    """Whether a claim with a larger or smaller number there says less: then it is true, whatever the number is."""
    direction, _ = WEAKER.get(
        (claim, f"{parameter} {place}"), WEAKER.get((claim, parameter), ("", ""))
    )
    return direction == ("larger" if larger else "smaller")


def follows(claim: str, parameter: str, place: str, larger: bool) -> bool:
    """Whether a claim with a larger or smaller number there is known to be true."""
    direction, _ = WEAKER.get(
        (claim, f"{parameter} {place}"), WEAKER.get((claim, parameter), ("", ""))
    )
    return direction in ("both", "larger" if larger else "smaller")
