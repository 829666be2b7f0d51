"""ln A, ln B and the Rényi divergences of the sampled Gaussian at one point, in both directions.

With mu0 = N(0, sigma^2) and mu = (1-q) N(0, sigma^2) + q N(1, sigma^2),

    rdp          D_alpha(mu || mu0) = ln A_alpha / (alpha - 1)
    rdp_reverse  D_alpha(mu0 || mu) = ln B_alpha / (alpha - 1)

alpha = 1 is the Kullback-Leibler divergence, alpha = infinity the limit.

>>> print(evaluate("rdp", Point.of("0.01", 2, 8), 20, False, 60))
0.000115756147929910...
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from verify.moments.agreement import certified
from verify.moments.engines import Moment
from verify.numbers.balls import log_enclosure
from verify.numbers.budget import Deadline, checked_digits, checked_seconds
from verify.numbers.certified import Certified
from verify.numbers.point import Point

DEFAULT_DIGITS = 50

QUANTITIES = ("log_a", "log_b", "rdp", "rdp_reverse")


def evaluate(
    quantity: str, point: Point, digits: int, cross_check: bool, max_seconds: float
) -> Certified:
    """One of QUANTITIES at a point."""
    digits, deadline = checked_digits(digits), Deadline(checked_seconds(max_seconds))
    return before(deadline, quantity, point, digits, check=cross_check)


def before(
    deadline: Deadline, quantity: str, point: Point, digits: int, *, check: bool = False
) -> Certified:
    """The same, of numbers already checked, before a deadline that others may share."""
    if point.alpha is None:
        return _infinite_order(quantity, point, digits, deadline)
    moment, scale = moment_and_factor(quantity, point)
    return certified(moment, digits, deadline, check=check, scale=scale)


def moment_and_factor(quantity: str, point: Point) -> tuple[Moment, Fraction]:
    """The moment a quantity of finite order comes from, and the factor between them."""
    alpha = point.alpha
    if alpha is None:
        raise ValueError("infinite orders come from no moment")
    order = alpha if quantity in ("log_a", "rdp") else 1 - alpha
    if quantity in ("log_a", "log_b"):
        return Moment(point.q, point.sigma, order), Fraction(1)
    if alpha == 1:
        return Moment(point.q, point.sigma, order, log=True), Fraction(1 if order else -1)
    return Moment(point.q, point.sigma, order), 1 / (alpha - 1)


def _infinite_order(quantity: str, point: Point, digits: int, deadline: Deadline) -> Certified:
    """ln ess sup of the density ratio: unbounded for mu/mu0, 1/(1-q) for mu0/mu."""
    if point.q == 0:
        return Certified.exactly(Fraction(0))
    if quantity != "rdp_reverse" or point.q == 1:
        return Certified.exactly(math.inf)
    return _minus_log(1 - point.q, digits, deadline)


def _minus_log(x: Fraction, digits: int, deadline: Deadline) -> Certified:
    found, again = log_enclosure(x, digits, deadline), functools.partial(_minus_log, x)
    return Certified(-found.hi, -found.lo, again, max_seconds=deadline.seconds)
