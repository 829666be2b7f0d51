"""Abstract: what the paper promises (lines 69-71)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks import errata
from proofs_checks.beyond.bound import SHARP
from proofs_checks.paper import (
    BOUND,
    allowed,
    alpha,
    constant_of_bound,
    epsilon,
    exp,
    point,
    sigma,
    value,
)
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.quantities.engine import as_ball
from proofs_checks.quantities.graphs import excess
from proofs_checks.quantities.lower_bound import lower_bound
from proofs_checks.quantities.small_rate import second_order
from proofs_checks.sections.main_theorem import theorem
from proofs_checks.tools.algebra import identity
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.draws import Number, at_many
from proofs_checks.tools.formula import Formula, exactly, written
from verify import rdp
from verify.claims import (
    Evidence,
    Profile,
    Rejected,
    StepFails,
    all_of,
    certified_points,
    claim,
    rests_on,
)
from verify.numbers.balls import precision

DIGITS = 20
a1, q = sympy.symbols("a1 q", positive=True)


QUADRATIC = written(
    lambda: (sympy.Limit(epsilon / q**2, q, 0), "=", alpha / 2 * (exp(1 / sigma**2) - 1))
)


@claim(
    "abstract/quadratic",
    lines="69",
    kind="limit",
    domain=r"q \to 0,\ \alpha > 1\ \text{and}\ \sigma > 0\ \text{fixed}",
    statement=QUADRATIC,
    kernel="quadratic_in_q",
    broken={
        "linear": {"formula": QUADRATIC.put({epsilon / q**2: epsilon / q})},
        "cubic": {"formula": QUADRATIC.put({epsilon / q**2: epsilon / q**3})},
        "half the constant": {"formula": QUADRATIC.put({alpha / 2: alpha / 4})},
    },
)
def quadratic(formula: Formula = QUADRATIC) -> Iterator[Evidence]:
    """The cost of one step falls like the square of the sampling rate, for a fixed order.

    It is not uniform in the order: epsilon/alpha tends to 1/(2 sigma^2) as alpha grows, for every q > 0.
    """
    left, right = formula.values()
    if not isinstance(left, sympy.Limit) or left.args[1:3] != (q, 0):
        raise StepFails(f"{left} is no limit as q -> 0")
    for noise, order in ((Fraction(4), Fraction(8)), (Fraction(1), Fraction(5, 2))):
        for exponent in (5, 7):
            rate = Fraction(1, 10**exponent)
            found = rdp(rate, noise, order, digits=DIGITS)
            with precision(200):
                env = {**point(rate, noise, order), epsilon: as_ball(found)}
                off = abs(ball(left.args[0], env) / ball(right, env) - 1)
            if not off < rational(1000 * rate):
                raise StepFails(f"q = {rate}, sigma = {noise}, alpha = {order}: {found}")
    yield certified_points(effective=4, detail="epsilon/q^2 over its limit at q = 1e-5 and 1e-7")
    exactly(left, QUADRATIC.expanded()[0])
    limit, steps = second_order()
    yield all_of(steps, identity(value(right), limit / a1, "the limit of ln A/((alpha-1) q^2)"))


@claim(
    "abstract/numerically-stable",
    lines="71",
    kind="assertion",
    domain=r"0 < q \le 1,\ \sigma > 0,\ \alpha \ge 1",
    statement=r"\text{a numerically stable procedure for the precise computation of } \varepsilon",
    verdict="holds-with-repair",
    severity="gap",
    repair=r"stable for A; for \varepsilon sum A - 1 = \sum_{k\ge2}\binom nk q^k N_k and use \ln(1+x),"
    r" and give an error bound for the truncated series",
    erratum=errata.STABILITY,
    broken={"logarithm of the summed A": {"form": "sum"}},
)
def numerically_stable(form: str = "excess") -> Iterator[Evidence]:
    """The sums for A are well conditioned, but epsilon is the logarithm of something close to 1.

    In double precision at sigma = 4, alpha = 8 the relative error of epsilon is above 1e-6 at q = 1e-5 and
    above 1 at q = 1e-8. Summing A - 1, which has positive terms only, repairs that at integer orders.
    """
    order, sigma = 8, 4.0
    worst: dict[str, float] = {"sum": 0.0, "excess": 0.0, "A": 0.0}
    for rate in (1e-1, 1e-2, 1e-5, 1e-8):
        exact = Fraction(rdp(rate, sigma, order, digits=30).lo)
        summed = math.fsum(
            math.comb(order, k)
            * (1 - rate) ** (order - k)
            * rate**k
            * math.exp(k * (k - 1) / (2 * sigma**2))
            for k in range(order + 1)
        )
        eps = {
            "sum": math.log(summed) / (order - 1),
            "excess": math.log1p(excess(order, rate, sigma)) / (order - 1),
        }
        for name, found in eps.items():
            worst[name] = max(worst[name], abs(float((Fraction(found) - exact) / exact)))
        with precision(200):
            a = rational(exact * (order - 1)).exp()
            worst["A"] = max(worst["A"], float(abs(rational(Fraction(summed)) / a - 1).upper()))
    if worst["A"] > 1e-14:
        raise StepFails(f"A itself is off by {worst['A']:.2g}")
    yield certified_points(effective=4, detail=f"A in doubles: error {worst['A']:.1e}")
    if worst["sum"] < 1e-6:
        raise StepFails("no loss of digits: nothing to repair")
    yield certified_points(
        effective=4, detail=f"ln A in doubles: error {worst['sum']:.1e}"
    ).repaired()
    if worst[form] > 1e-14:
        raise StepFails(f"the repaired form is off by {worst[form]:.2g}")
    yield certified_points(effective=4, detail=f"ln(1+(A-1)): error {worst[form]:.1e}").repaired()


NEARLY_TIGHT = written(lambda: (epsilon, "<=", BOUND, "<=", 4 * epsilon))


@claim(
    "abstract/nearly-tight",
    lines="71",
    kind="assertion",
    domain=r"\text{the region of the closed-form theorem}",
    statement=NEARLY_TIGHT,
    kernel="within_factor_4",
    broken={
        "within a factor 3": {"formula": NEARLY_TIGHT.put({4 * epsilon: 3 * epsilon})},
        "a factor smaller by a millionth": {
            "formula": NEARLY_TIGHT.put({4 * epsilon: (4 - sympy.Rational(4, 10**6)) * epsilon})
        },
    },
)
def nearly_tight(
    formula: Formula = NEARLY_TIGHT, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """The closed form is never below the truth and never more than four times as large.

    The second part needs no condition: epsilon >= q^2 alpha/(2 sigma^2) for every q, sigma and real order. For
    small q and much noise the factor is close to 4.
    """
    for place in SHARP[1:]:  # inside the theorem's region
        if not holds(formula, Place(*place)):
            raise Rejected("q = {}, sigma = {}, alpha = {}".format(*place))

    def close(rate: Fraction, noise: Fraction, order: Fraction) -> bool:
        return holds(formula, Place(rate, noise, order, DIGITS))

    ranges: dict[str, tuple[Number, Number]] = {
        "rate": (Fraction(1, 10**5), Fraction(1, 5)),
        "noise": (4, 40),
        "order": (Fraction(11, 10), 12),
    }
    count = 60 if profile is Profile.QUICK else 600
    yield at_many(ranges, count, allowed_at, close, "closed form over truth, in [1, factor]")
    name, closed, rough = formula.values({}, "<=", "<=")
    factor = sympy.simplify(rough / name)
    above = constant_of_bound(closed)
    below = sympy.Rational(above) / factor
    yield all_of(*lower_bound(below), rests_on(theorem.given(constant=above)))


def allowed_at(rate: Fraction, noise: Fraction, order: Fraction) -> bool:
    return allowed(rate, noise, order)
