"""What people call: ln A, ln B and epsilon, of numbers, lists or arrays.

>>> print(rdp("0.01", 2, 8, digits=20))
0.000115756147929910...
>>> [x.to_double() for x in rdp(0.01, 1.1, [2, 8.5, 32])]
[0.00012851..., 0.00062984..., 8.46...]
"""

from __future__ import annotations

from collections.abc import Iterable

from verify.moments.curve import evaluate_many
from verify.moments.divergence import DEFAULT_DIGITS, evaluate
from verify.moments.many import of_lists_too
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Number, Point


@of_lists_too
def log_a(
    q: Number,
    sigma: Number,
    alpha: Number,
    *,
    digits: int = DEFAULT_DIGITS,
    cross_check: bool = False,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """ln A_alpha, to that many significant digits of the logarithm itself.

    A_alpha = E[g(t)^alpha] with g(t) = (1-q) + q exp(t/sigma - 1/(2 sigma^2)), t standard normal.

    >>> log_a(1, "0.5", 3).to_double()
    12.0

    Args:
        q: Sampling rate, the probability with which a record is in a batch: a number in [0, 1].
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: > 0.
        alpha: Order of the divergence: >= 1, or "inf". 1 is the Kullback-Leibler divergence.
        digits: Significant digits of the result that must be certain, 1 to 10000.
        cross_check: Also compute by every other engine that reaches the point, and compare.
        max_seconds: Time allowed, in seconds; there is no approximate answer when it runs out.

    Returns:
        ln A_alpha in nats, certified. Lists of parameters give a list, numpy arrays an array.

    Raises:
        OutOfDomain: A parameter is not a number, or not in its domain.
        BudgetExceeded: The time allowed ran out.
        PrecisionExhausted: More precision did not bring the digits asked for.
        EnginesDisagree: With ``cross_check``: two engines contradict each other.
    """
    return evaluate("log_a", Point.of(q, sigma, alpha), digits, cross_check, max_seconds)


@of_lists_too
def log_b(
    q: Number,
    sigma: Number,
    alpha: Number,
    *,
    digits: int = DEFAULT_DIGITS,
    cross_check: bool = False,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """ln B_alpha, to that many significant digits of the logarithm itself.

    B_alpha = E[g(t)^(1-alpha)], with g as in :func:`log_a`: the divergence the other way round.

    >>> str(log_b("0.5", "0.1", 1e6, digits=8))
    '693146.4872'

    Args:
        q: Sampling rate, the probability with which a record is in a batch: a number in [0, 1].
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: > 0.
        alpha: Order of the divergence: >= 1, or "inf". 1 is the Kullback-Leibler divergence.
        digits: Significant digits of the result that must be certain, 1 to 10000.
        cross_check: Also compute by every other engine that reaches the point, and compare.
        max_seconds: Time allowed, in seconds; there is no approximate answer when it runs out.

    Returns:
        ln B_alpha in nats, certified. Lists of parameters give a list, numpy arrays an array.

    Raises:
        OutOfDomain: A parameter is not a number, or not in its domain.
        BudgetExceeded: The time allowed ran out.
        PrecisionExhausted: More precision did not bring the digits asked for.
        EnginesDisagree: With ``cross_check``: two engines contradict each other.
    """
    return evaluate("log_b", Point.of(q, sigma, alpha), digits, cross_check, max_seconds)


@of_lists_too
def rdp(
    q: Number,
    sigma: Number,
    alpha: Number,
    *,
    digits: int = DEFAULT_DIGITS,
    cross_check: bool = False,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """D_alpha(mu || mu0): the epsilon of one step of DP-SGD at order alpha.

    >>> rdp(0.01, 1.1, 8.5).to_double()
    0.0006298401019087922

    Lists of numbers give a list, numpy arrays (of any shapes that go together) an array; orders at
    the same q and sigma share their work, and max_seconds is for all of them:

    >>> [x.to_double() for x in rdp([0.01, 0.02], 1.1, [2, 2])]
    [0.00012851..., 0.00051394...]

    Numbers are taken exactly: the string "0.01" is one hundredth, the float 0.01 the binary number next to
    it, and the two epsilons differ in the sixteenth digit.

    >>> f"{rdp(0.01, 1.1, 8.5):.20f}", f"{rdp('0.01', '1.1', '8.5'):.20f}"
    ('0.00062984010190879215', '0.00062984010190879232')

    Args:
        q: Sampling rate, the probability with which a record is in a batch: a number in [0, 1].
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: > 0.
        alpha: Order of the divergence: >= 1, or "inf". 1 is the Kullback-Leibler divergence.
        digits: Significant digits of the result that must be certain, 1 to 10000.
        cross_check: Also compute by every other engine that reaches the point, and compare.
        max_seconds: Time allowed, in seconds; there is no approximate answer when it runs out.

    Returns:
        epsilon in nats, certified. Multiply by the number of steps for a run: 1000 * rdp(...).

    Raises:
        OutOfDomain: A parameter is not a number, or not in its domain.
        BudgetExceeded: The time allowed ran out.
        PrecisionExhausted: More precision did not bring the digits asked for.
        EnginesDisagree: With ``cross_check``: two engines contradict each other.
    """
    return evaluate("rdp", Point.of(q, sigma, alpha), digits, cross_check, max_seconds)


@of_lists_too
def rdp_reverse(
    q: Number,
    sigma: Number,
    alpha: Number,
    *,
    digits: int = DEFAULT_DIGITS,
    cross_check: bool = False,
    max_seconds: float = DEFAULT_SECONDS,
) -> Certified:
    """D_alpha(mu0 || mu), never larger than rdp.

    >>> str(rdp_reverse("1/2", 1, "inf", digits=10))
    '0.69314718056'

    Args:
        q: Sampling rate, the probability with which a record is in a batch: a number in [0, 1].
        sigma: Noise multiplier, the standard deviation of the noise over the clipping norm: > 0.
        alpha: Order of the divergence: >= 1, or "inf". 1 is the Kullback-Leibler divergence.
        digits: Significant digits of the result that must be certain, 1 to 10000.
        cross_check: Also compute by every other engine that reaches the point, and compare.
        max_seconds: Time allowed, in seconds; there is no approximate answer when it runs out.

    Returns:
        The divergence the other way round, in nats, certified; a list or an array of them.

    Raises:
        OutOfDomain: A parameter is not a number, or not in its domain.
        BudgetExceeded: The time allowed ran out.
        PrecisionExhausted: More precision did not bring the digits asked for.
        EnginesDisagree: With ``cross_check``: two engines contradict each other.
    """
    return evaluate("rdp_reverse", Point.of(q, sigma, alpha), digits, cross_check, max_seconds)


def rdp_curve(
    q: Number,
    sigma: Number,
    orders: Iterable[Number],
    *,
    reverse: bool = False,
    digits: int = DEFAULT_DIGITS,
    cross_check: bool = False,
    max_seconds: float = DEFAULT_SECONDS,
) -> list[Certified]:
    """The epsilons of one step at all orders, in the order given: D_alpha(mu || mu0) for each alpha.

    Added in version 0.2.0.

    ``reverse`` gives D_alpha(mu0 || mu). The orders share one set of nodes, so a curve costs little
    more than its hardest order; max_seconds is for the whole of it.

    >>> [str(x) for x in rdp_curve("0.2", 4, [1, "1.5", 2, "inf"], digits=6)]
    ['0.0012750166', '0.0019223698', '0.00257645644', 'inf']

    Args:
        q: Sampling rate in [0, 1].
        sigma: Noise multiplier > 0.
        orders: The orders alpha, each >= 1 or "inf".
        reverse: The other direction.
        digits: Significant digits of each result that must be certain.
        cross_check: Also compute by every other engine that reaches a point, and compare.
        max_seconds: Time allowed for all of them together, in seconds.

    Returns:
        The epsilons in nats, certified, in the order given.

    Raises:
        OutOfDomain: A parameter is not a number, or not in its domain.
        BudgetExceeded: The time allowed ran out.
        PrecisionExhausted: More precision did not bring the digits asked for.
        EnginesDisagree: With ``cross_check``: two engines contradict each other.
    """
    if isinstance(orders, str) or not isinstance(orders, Iterable):
        raise OutOfDomain(f"orders = {orders!r:.60}: must be a list of numbers >= 1, or inf")
    first = Point.of(q, sigma, 1)
    points = [first.at_order(alpha) for alpha in orders]
    quantity = "rdp_reverse" if reverse else "rdp"
    return evaluate_many(quantity, points, digits, max_seconds, check=cross_check)
