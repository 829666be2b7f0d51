"""The two identities and the two properties that everything else rests on, at drawn points, by
certified values.

Second moments, z0; A >= B to orders of 10^4 and with q = 1 among the rates, and the closed-form
bound. 200 examples each.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from proofs_checks.quantities.engine import log_moment
from proofs_checks.tools.balls import rational
from tests.properties.counting import VACUOUS, holds
from tests.strategies import log_uniform, noises, orders, rates
from verify import log_a, log_b
from verify.bounds.closed_form import closed_forms
from verify.bounds.table import Truth, table
from verify.numbers.balls import precision
from verify.numbers.point import Point

EXAMPLES = 200
ONE = Fraction(1)
ALL_RATES = st.one_of(rates(), st.just(ONE))
ALL_ORDERS = st.one_of(orders(), log_uniform(2, 4).map(lambda x: 1 + x), st.just(Fraction(10**4)))


@holds(least=EXAMPLES, sigma=noises(0, 3))
def test_the_second_moments_are_equal_and_known(sigma: Fraction) -> object:
    """The integrals of mu1^2/mu0 and mu0^2/mu1 are both e^{1/sigma^2}: orders 2 and -1 of the moment at q = 1."""
    for order in (2, -1):
        found = log_moment(ONE, sigma, Fraction(order), 20)
        assert found.lo <= 1 / sigma**2 <= found.hi
        assert found.hi - found.lo <= Fraction(1, 10**19) / sigma**2
    return None


@holds(least=EXAMPLES, q=ALL_RATES, sigma=noises(), alpha=ALL_ORDERS)
def test_z0_is_where_the_ratio_reaches_its_value(
    q: Fraction, sigma: Fraction, alpha: Fraction
) -> object:
    """(1-q) + q mu1(z0)/mu0(z0) = alpha/(alpha-1) at z0 = 1/2 + sigma^2 ln(1 + 1/(q(alpha-1)))."""
    with precision(400):
        variance = rational(sigma**2)
        z0 = rational(Fraction(1, 2)) + variance * rational(1 + 1 / (q * (alpha - 1))).log()
        ratio = ((2 * z0 - 1) / (2 * variance)).exp()
        base = rational(1 - q) + rational(q) * ratio
        wanted = rational(alpha / (alpha - 1))
        assert base.overlaps(wanted)
        assert base.rad() < wanted / 10**60
    return None


@holds(least=EXAMPLES, q=ALL_RATES, sigma=noises(), alpha=ALL_ORDERS)
def test_a_is_never_below_b(q: Fraction, sigma: Fraction, alpha: Fraction) -> object:
    """ln A >= ln B: equal at q = 1, and never certified the other way round."""
    a, b = log_a(q, sigma, alpha, digits=12), log_b(q, sigma, alpha, digits=12)
    assert a.hi >= b.lo
    if q == 1:
        assert a.lo <= b.hi
    return None


@holds(least=EXAMPLES, q=ALL_RATES, sigma=noises(), alpha=orders())
def test_the_closed_forms_hold_where_their_conditions_do(
    q: Fraction, sigma: Fraction, alpha: Fraction
) -> object:
    """The paper's bound and the closed forms beyond it are above epsilon on their regions."""
    point = Point.of(q, sigma, alpha)
    rows = [
        r for r in (*table(point, ["this-work"]), *closed_forms(point)) if r.applies is Truth.TRUE
    ]
    if not rows:
        return VACUOUS
    assert [r.name for r in rows if r.holds is not Truth.TRUE] == []
    return None
