"""The tight curve: against closed forms, against a plain integral, and against itself."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import pytest

from verify.accounting import account, delta, epsilon, history_epsilon, privacy_curve
from verify.accounting.exact.closed import gaussian, single
from verify.accounting.history import Phase, history
from verify.accounting.routes import Contour
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain


def overlap(x, y):
    return x.lo <= y.hi and y.lo <= x.hi


def at(route, eps, digits=20):
    return route.at(Fraction(eps), float(digits), float(digits), Deadline())


KNOWN = [  # from a laboratory prototype of other code
    ("0.01", 1, 1000, "1e-5", "1.8282366665165768426"),
    ("0.01", 1, 1000, "1e-10", "3.2904437508952983617"),
    ("0.1", 2, 100, "1e-5", "2.3373995931637108595"),
    ("1", 10, 100, "1e-5", "4.3771780956812246277"),
    ("1", 10, 100, "1e-10", "6.5479240668649510058"),
]


@pytest.mark.parametrize(("q", "sigma", "steps", "d", "value"), KNOWN)
def test_known_values(q, sigma, steps, d, value):
    found = epsilon(q, sigma, steps, d, direction="remove")
    assert abs(found.lo - Fraction(value)) < Fraction(2, 10**19) > abs(found.hi - Fraction(value))


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("sigma", "eps"), [(3, "0.1"), (4, "0.3"), (5, "0.02")])
def test_the_contour_contains_the_closed_form_of_one_step(direction, sigma, eps):
    phase = Phase(Fraction(1, 2), Fraction(sigma), 1)
    contour = at(Contour((phase,), direction), eps, 12)
    assert overlap(contour, at(single(phase, direction), eps, 30))


@pytest.mark.parametrize("eps", ["0", "1", "4.4"])
def test_the_contour_contains_the_closed_form_of_full_batches(eps):
    run = history([(1, 10, 60), (1, 20, 160)])
    assert overlap(at(Contour(run, "remove"), eps), at(gaussian(run), eps, 30))


def two_steps(q, sigma, eps):
    """E over the first step of the closed form of the second, by mpmath."""
    with mpmath.workdps(30):
        q, s, e = mpmath.mpf(q), mpmath.mpf(sigma), mpmath.exp(mpmath.mpf(eps))
        p = 1 - q

        def g(t):
            return p + q * mpmath.exp(t / s - 1 / (2 * s * s))

        def excess(x):  # E[(g - x)_+]
            if x <= p:
                return 1 - x
            at = s * mpmath.log((x - p) / q) + 1 / (2 * s)
            return q * mpmath.ncdf(1 / s - at) - (x - p) * mpmath.ncdf(-at)

        kink = s * mpmath.log((e / p - p) / q) + 1 / (2 * s)
        cuts = [-14, -6, -3, 0, 2, 4, kink - 1, kink - 0.1, kink, kink + 0.1, kink + 2, kink + 14]
        return mpmath.quad(lambda t: mpmath.npdf(t) * g(t) * excess(e / g(t)), sorted(cuts))


def test_two_steps_agree_with_one_integral():
    found = delta("0.3", 2, 2, "0.5", digits=15, direction="remove")
    assert (
        abs(mpmath.mpf(found.lo.numerator) / found.lo.denominator / two_steps("0.3", 2, "0.5") - 1)
        < 1e-13
    )


@pytest.mark.parametrize("x", ["0.3", "1.2"])
def test_the_directions_are_dual(x):
    """delta(x) = 1 - e^x + e^x delta*(-x)."""
    run = history([("0.02", 1, 400)])
    here, there = at(Contour(run, "remove"), x, 25), at(Contour(run, "add"), f"-{x}", 25)
    with precision(200):
        e = ball(Fraction(x)).exp()
        assert 1 - e + e * ball(there.lo) <= ball(here.hi)
        assert ball(here.lo) <= 1 - e + e * ball(there.hi)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_more_digits_stay_inside(direction):
    few = epsilon("0.004", "1.1", 5000, "1e-5", 12, direction=direction)
    many = epsilon("0.004", "1.1", 5000, "1e-5", 40, direction=direction)
    assert few.lo <= many.lo <= many.hi <= few.hi
    assert many.hi - many.lo <= many.hi / 10**40


def test_both_directions_give_the_larger():
    both = epsilon("0.01", 1, 1000, "1e-5")
    assert both.lo >= epsilon("0.01", 1, 1000, "1e-5", direction="remove").lo


@pytest.mark.parametrize("run", [("0.01", 1, 200), ("0.9", 2, 5), ("0.5", 1, 3)])
def test_the_shortcut_to_the_larger_direction_changes_nothing(run):
    each = [delta(*run, "0.7", 12, direction=d) for d in ("remove", "add")]
    both = delta(*run, "0.7", 12)
    assert (both.lo, both.hi) == (max(e.lo for e in each), max(e.hi for e in each))


def test_a_history_does_not_depend_on_its_order_or_its_pieces():
    one = history_epsilon([("0.01", 1, 300), ("0.02", 2, 100)], "1e-5")
    two = history_epsilon([("0.02", 2, 100), ("0.01", 1, 100), (0, 1, 9), ("0.01", 1, 200)], "1e-5")
    assert one == two


def test_phases_that_are_nearly_equal_are_nearly_one_phase():
    one = epsilon("0.01", 1, 1000, "1e-5", 15)
    two = history_epsilon([("0.01", 1, 500), ("0.01", "1.0000001", 500)], "1e-5", 15)
    assert 0 < one.lo - two.hi < Fraction(1, 10**5)


def test_nothing_is_released_at_rate_zero():
    assert epsilon(0, 1, 10, "1e-5").hi == 0 == delta(0, 1, 10, 0).hi


def test_delta_zero():
    assert epsilon("0.1", 1, 10, 0, direction="remove").lo == math.inf
    end = epsilon("0.1", 1, 10, 0, direction="add")
    assert end.to_double() == pytest.approx(-10 * math.log(0.9), rel=1e-15)
    assert epsilon(1, 1, 10, 0, direction="add").lo == math.inf


def test_adding_a_record_costs_nothing_beyond_the_end_of_the_loss():
    assert delta("0.1", 1, 10, "1.06", direction="add").hi == 0
    assert delta("0.1", 3, 10, "0.5", direction="add", digits=5).lo > 0


def test_epsilon_is_zero_from_the_total_variation_on():
    variation = delta("0.01", 4, 50, 0, digits=10)
    assert epsilon("0.01", 4, 50, variation.hi).hi == 0
    below = epsilon("0.01", 4, 50, variation.lo * Fraction(999, 1000), digits=10)
    assert 0 < below.lo < below.hi < Fraction(1, 1000)


def test_delta_one_and_infinite_epsilon():
    assert epsilon("0.01", 1, 10, 1).hi == 0
    assert delta("0.01", 1, 10, "inf").hi == 0


def test_doubles_are_correctly_rounded():
    number = epsilon("0.01", 1, 1000, "1e-5")
    assert number.to_double() == 1.8282366665165768 < number.to_double_up()


def test_questions_to_one_account_share_tables():
    run = account([("0.01", 1, 1000)])
    for d in ("1e-5", "0.99e-5", "1.01e-5", "0.9e-5"):
        run.epsilon(d, 10, "remove")
    assert len(run.ends.sides["remove"].route.tables) == 1


def test_a_curve_falls():
    points = privacy_curve("0.01", 1, 1000, epsilons=["0.5", 1, "1.5", 2], digits=8)
    values = [point.delta for point in points]
    assert all(after.hi < before.lo for before, after in itertools.pairwise(values))


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("2", 1, 10, "1e-5"), {}),
        (("0.1", 0, 10, "1e-5"), {}),
        (("0.1", 1, "1.5", "1e-5"), {}),
        (("0.1", 1, 0, "1e-5"), {}),
        (("0.1", 1, 10, "-1"), {}),
        (("0.1", 1, 10, "2"), {}),
        (("0.1", 1, 10, "nan"), {}),
        (("1e-13", 1, 10, "1e-5"), {}),
        (("0.1", 1, 10, "1e-5"), {"direction": "sideways"}),
        (("0.1", 1, 10, "1e-5"), {"relation": "replaced twice"}),
        (("0.1", 1, 10, "1e-5"), {"sampling": "shuffle"}),
        ((1, 1, 10, "1e-5"), {"sampling": "fixed-size batches"}),
        ((1, 1, 10, "1e-5"), {"sampling": "fixed-size"}),
        (("0.1", 1, 10, "1e-5"), {"digits": 0}),
        (("0.1", 1, 10, "1e-5"), {"max_seconds": 0}),
    ],
)
def test_bad_input_is_refused(arguments, options):
    with pytest.raises(OutOfDomain):
        epsilon(*arguments, **options)


@pytest.mark.parametrize("q", [1e-12, "1e-12"])
def test_the_least_rate_may_be_a_double_or_a_decimal(q):
    assert delta(q, 1, 1, "1e-12", 5).lo > 0
