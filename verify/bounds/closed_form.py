"""Closed forms that hold on regions users meet, at a point and for a whole run; conditions are decided by balls.

Each is a theorem: ``sgm-verify claims beyond/closed-form`` says how it is proved. v = 1/sigma^2, t = e^v - 1.

>>> row = closed_forms(Point.of("0.01", 1, 5))[1]
>>> row.name, row.applies, row.holds
('remember', <Truth.TRUE: 'true'>, <Truth.TRUE: 'true'>)
>>> run = for_run(Fraction(256, 60000), Fraction(11, 10), 14062, Fraction(1, 10**5))
>>> run.applies, f"{float(run.epsilon):.4f}"
(<Truth.TRUE: 'true'>, '4.2214')
>>> run = for_run(Fraction(1, 100), Fraction(1), 1000, Fraction(1, 10**5))
>>> run.applies, f"{float(run.at_the_end):.4f}"
(<Truth.FALSE: 'false'>, '3.4631')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.bounds.table import PaperCondition, Row, Truth, compare, nonnegative
from verify.numbers.balls import ball, enclosure, precision
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point

BITS, MORE_BITS = 100, 400
ENOUGH, WALL = Fraction(1, 2), Fraction(2, 3)
"""From this noise on the form q^2 alpha t reaches 1 + sigma^2 ln(1/q), below it two thirds as far."""
Value = Callable[[Fraction, Fraction, Fraction], arb]


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """A bound with its least noise and its reach: orders up to 1 + reach sigma^2 ln(1/q); None: orders up to 2."""

    name: str
    formula: str
    value: Value
    least: Fraction
    reach: Fraction | None
    remark: str


def _second(sigma: Fraction) -> arb:
    """t = e^{1/sigma^2} - 1."""
    return ball(1 / sigma**2).expm1()


FORMS = (
    ClosedForm(
        "orders-to-two", "ln(1 + alpha (alpha-1) q^2 t/2)/(alpha-1)",
        lambda q, s, a: (ball(a * (a - 1) * q**2 / 2) * _second(s)).log1p() / ball(a - 1),
        Fraction(0), None, "exact at order 2",
    ),
    ClosedForm(
        "remember", "q^2 alpha t", lambda q, s, a: ball(q**2 * a) * _second(s), Fraction(1, 2), Fraction(1),
        "the one to remember",
    ),
    ClosedForm(
        "in-place-of-theorem-11", "2 q^2 alpha/sigma^2", lambda q, s, a: ball(2 * q**2 * a / s**2), Fraction(1),
        Fraction(3, 2), "the paper's constant on a region that contains the paper's",
    ),
    ClosedForm(
        "six-fifths", "1.2 q^2 alpha/sigma^2", lambda q, s, a: ball(Fraction(6, 5) * q**2 * a / s**2), Fraction(1),
        Fraction(1), "a smaller constant, a shorter reach",
    ),
    ClosedForm(
        "every-sigma", "0.7 q^2 alpha t", lambda q, s, a: ball(Fraction(7, 10) * q**2 * a) * _second(s), Fraction(0),
        Fraction(1, 2), "a smaller constant, a shorter reach",
    ),
    ClosedForm(
        "to-the-wall", "q^2 alpha t", lambda q, s, a: ball(q**2 * a) * _second(s), Fraction(0), WALL,
        "for every noise; no such form reaches further for every noise",
    ),
)  # fmt: skip


def closed_forms(point: Point, max_seconds: float = DEFAULT_SECONDS) -> list[Row]:
    """All of them at a point with q > 0 and 1 < alpha < infinity."""
    if point.alpha is None or point.alpha == 1 or point.q == 0:
        raise OutOfDomain(f"{point}: the closed forms need q > 0 and 1 < alpha < inf")
    return [_row(form, point, point.alpha, max_seconds) for form in FORMS]


def _row(form: ClosedForm, point: Point, alpha: Fraction, max_seconds: float) -> Row:
    q, sigma = point.q, point.sigma
    conditions = []
    if form.least:
        conditions.append(PaperCondition(f"sigma >= {form.least}", Truth.of(sigma >= form.least)))
    if form.reach is None:
        conditions.append(PaperCondition("alpha <= 2", Truth.of(alpha <= 2)))
    else:
        text = "" if form.reach == 1 else f"({form.reach}) "
        conditions.append(
            PaperCondition(
                f"alpha <= 1 + {text}sigma^2 ln(1/q)", _within(form.reach, q, sigma, alpha)
            )
        )
    for bits in (BITS, MORE_BITS):  # next to order 2 the first form is next to equality
        with precision(bits):
            ends = enclosure(form.value(q, sigma, alpha))
        holds = compare(point, Fraction(ends.lo), max_seconds, Fraction(ends.hi))
        if holds is not Truth.UNDECIDED:
            break
    if form.reach is None and alpha == 2:
        holds = Truth.TRUE  # equality
    return Row(
        form.name, "proved beyond the paper", tuple(conditions), form.formula,
        Certified(ends.lo, ends.hi), holds, form.remark,
    )  # fmt: skip


def _certify(x: arb) -> Certified:
    ends = enclosure(x)
    return Certified(ends.lo, ends.hi)


def _within(reach: Fraction, q: Fraction, sigma: Fraction, alpha: Fraction) -> Truth:
    if q == 1:
        return Truth.of(alpha <= 1)
    return nonnegative(lambda: 1 - ball(alpha) - ball(reach * sigma**2) * ball(q).log())


@dataclass(frozen=True, slots=True)
class RunBound:
    """(epsilon, delta) of a run by the closed form: rho + 2 sqrt(rho ln(1/delta)), rho = T q^2
    (e^{1/sigma^2} - 1).

    ``at_the_end`` is what the bound gives at the largest order of its region, 1 + e with
    e = sigma^2 ln(1/q), two thirds of it for sigma < 1/2: rho (1 + e) + ln(1/delta)/e. It is None
    at q = 1, and is the answer where the best order is not reached.
    """

    rho: Certified
    order: Certified
    epsilon: Certified
    reach: str
    condition: PaperCondition
    at_the_end: Certified | None

    @property
    def applies(self) -> Truth:
        return self.condition.truth


def for_run(q: Fraction, sigma: Fraction, steps: int, delta: Fraction) -> RunBound:
    """The closed form for T steps of Poisson sampling, records added or removed.

    By the bound to remember T steps cost at most rho alpha at order alpha, and
    delta <= e^{(alpha-1)(rho alpha - epsilon)}; the best order is 1 + sqrt(ln(1/delta)/rho), which
    has to be one of the bound's: ln(1/delta) <= rho e^2, e = sigma^2 ln(1/q), or two thirds of it.
    """
    if not (0 < q <= 1 and sigma > 0 and steps >= 1 and 0 < delta < 1):
        raise OutOfDomain("a run needs 0 < q <= 1, sigma > 0, at least one step and 0 < delta < 1")

    share = Fraction(1) if sigma >= ENOUGH else WALL
    reach = "sigma^2 ln(1/q)" if share == 1 else f"({share}) sigma^2 ln(1/q)"

    def rho() -> arb:
        return ball(steps * q**2) * _second(sigma)

    def reached() -> arb:
        return rho() * (ball(share * sigma**2) * ball(q).log()) ** 2 + ball(delta).log()

    with precision(BITS):
        cost, length = rho(), -ball(delta).log()
        best, total = 1 + (length / cost).sqrt(), cost + 2 * (cost * length).sqrt()
        rho_, order, epsilon = (_certify(x) for x in (cost, best, total))
        at_the_end = None
        if q < 1:
            end = ball(share * sigma**2) * -ball(q).log()
            at_the_end = _certify(cost * (1 + end) + length / end)
    condition = PaperCondition(f"ln(1/delta) <= rho ({reach})^2", nonnegative(reached))
    return RunBound(rho_, order, epsilon, reach, condition, at_the_end)
