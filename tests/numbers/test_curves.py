"""A privacy curve as a table and as a drawing: its doubles enclose the exact numbers, and closely."""

from __future__ import annotations

import math
import pickle
import sys
from fractions import Fraction

import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import verify
from verify.numbers import curves
from verify.numbers.certified import Certified, nearest_double
from verify.numbers.curves import CurvePoint, PrivacyCurve
from verify.numbers.errors import OutOfDomain

EPSILONS = ["0.1", "0.5", 1, "1.7", 2, 3]
MILLIONTH = Fraction(1, 10**6)


@pytest.fixture(scope="module")
def curve():
    return verify.privacy_curve("0.01", 1, 1000, epsilons=EPSILONS, digits=30)


@pytest.fixture(scope="module")
def exact():
    """delta at each epsilon with 40 digits, asked one by one."""
    return [verify.delta("0.01", 1, 1000, epsilon, 40) for epsilon in EPSILONS]


def point(epsilon, delta, delta_hi=None):
    delta = Fraction(delta)
    return CurvePoint(Certified.exactly(epsilon), Certified(delta, Fraction(delta_hi or delta)))


def encloses(frame, name, values, factor=1):
    """Whether each of the values, times a factor, lies between the two doubles of its row."""
    ends = zip(frame[f"{name}_lower"], frame[f"{name}_upper"], strict=True)
    return [
        Fraction(low) <= value.lo * factor and value.hi * factor <= Fraction(high)
        for (low, high), value in zip(ends, values, strict=True)
    ]


def test_the_columns_have_their_names(curve):
    names = ["epsilon_lower", "epsilon_upper", "delta_lower", "delta_upper"]
    assert list(curve.to_frame().columns) == names


def test_there_is_a_row_for_each_point(curve):
    assert len(curve.to_frame()) == len(EPSILONS)


def test_columns_are_doubles(curve):
    assert {str(kind) for kind in curve.to_frame().dtypes} == {"float64"}


def test_the_exact_delta_lies_between_its_ends(curve, exact):
    assert all(encloses(curve.to_frame(), "delta", exact))


@pytest.mark.parametrize("factor", [1 - MILLIONTH, 1 + MILLIONTH])
def test_a_delta_that_is_off_by_a_millionth_does_not(curve, exact, factor):
    assert not any(encloses(curve.to_frame(), "delta", exact, factor))


def test_the_epsilon_that_was_given_lies_between_its_ends(curve):
    given = [Certified.exactly(Fraction(epsilon)) for epsilon in EPSILONS]
    assert all(encloses(curve.to_frame(), "epsilon", given))


def test_ends_are_one_double_or_neighbours(curve):
    for low, high in curve.to_frame()[["delta_lower", "delta_upper"]].to_numpy():
        assert high in (low, math.nextafter(low, 1))


@pytest.mark.parametrize("name", ["double_above", "double_below"])
def test_rounding_to_nearest_would_be_seen(curve, exact, monkeypatch, name):
    monkeypatch.setattr(curves, name, nearest_double)
    assert not all(encloses(curve.to_frame(), "delta", exact))


def test_epsilon_is_enclosed_where_deltas_are_given():
    deltas = ["1e-5", "1e-6"]
    frame = verify.privacy_curve("0.01", 1, 1000, deltas=deltas).to_frame()
    assert all(encloses(frame, "epsilon", [verify.epsilon("0.01", 1, 1000, d, 40) for d in deltas]))


def test_an_infinite_epsilon_is_infinite_in_both_columns():
    frame = verify.privacy_curve("0.01", 1, 10, epsilons=["inf"]).to_frame()
    assert frame.to_numpy().tolist() == [[math.inf, math.inf, 0.0, 0.0]]


def test_a_delta_below_all_doubles_is_not_zero_above():
    frame = PrivacyCurve([point(Fraction(1), Fraction(1, 10**400))]).to_frame()
    assert frame.loc[0, "delta_lower"] == 0.0
    assert frame.loc[0, "delta_upper"] == math.ulp(0.0)


def test_no_points_are_a_table_without_rows():
    assert PrivacyCurve().to_frame().shape == (0, 4)


def test_a_curve_is_still_a_list(curve):
    assert isinstance(curve, list)
    assert [p.epsilon.lo for p in curve] == [Fraction(epsilon) for epsilon in EPSILONS]


def test_a_curve_can_be_pickled(curve):
    again = pickle.loads(pickle.dumps(curve))
    assert type(again) is PrivacyCurve
    assert again == curve


@pytest.mark.parametrize(
    ("package", "method", "extra"),
    [("pandas", "to_frame", "pandas"), ("matplotlib", "plot", "report")],
)
def test_a_package_that_is_missing_is_one_line(monkeypatch, package, method, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(OutOfDomain) as refused:
        getattr(PrivacyCurve(), method)()
    assert str(refused.value) == f"{method} needs {package}: pip install '.[{extra}]' in a checkout"


def test_the_axes_that_were_given_are_given_back(curve):
    ax = Figure().subplots()
    assert curve.plot(ax) is ax


def test_axes_are_labelled_and_delta_is_logarithmic(curve):
    ax = curve.plot(Figure().subplots())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("epsilon", "delta")
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "log")


def test_the_line_is_that_of_the_upper_ends(curve):
    (line,) = curve.plot(Figure().subplots()).lines
    frame = curve.to_frame()
    assert list(line.get_xdata()) == list(frame["epsilon_upper"])
    assert list(line.get_ydata()) == list(frame["delta_upper"])


def test_without_axes_the_current_ones_are_used(curve):
    plt.switch_backend("agg")
    ax = plt.figure().subplots()
    try:
        assert curve.plot() is ax
    finally:
        plt.close(ax.figure)


def test_points_are_drawn_from_left_to_right():
    mixed = PrivacyCurve([point(Fraction(2), Fraction(1, 8)), point(Fraction(1), Fraction(1, 4))])
    (line,) = mixed.plot(Figure().subplots()).lines
    assert list(line.get_xdata()) == [1.0, 2.0]


def test_what_a_logarithmic_axis_cannot_show_is_left_out():
    points = [point(math.inf, 0), point(Fraction(3), 0), point(Fraction(1), Fraction(1, 4))]
    (line,) = PrivacyCurve(points).plot(Figure().subplots()).lines
    assert list(line.get_xdata()) == [1.0]


def test_a_bracket_shows_both_ends():
    bracket = PrivacyCurve([point(Fraction(1), Fraction(1, 8), Fraction(1, 4))])
    above, below = bracket.plot(Figure().subplots()).lines
    assert (list(above.get_ydata()), list(below.get_ydata())) == ([0.25], [0.125])
    assert (above.get_label(), below.get_label()) == ("at most", "at least")


def test_a_bracket_of_epsilons_shows_both_ends():
    epsilon = Certified(Fraction(1), Fraction(2))
    bracket = PrivacyCurve([CurvePoint(epsilon, Certified.exactly(Fraction(1, 4)))])
    above, below = bracket.plot(Figure().subplots()).lines
    assert (list(above.get_xdata()), list(below.get_xdata())) == ([2.0], [1.0])


def test_a_bracket_without_an_upper_end_shows_its_lower_one():
    epsilon = Certified(Fraction(1), math.inf)
    bracket = PrivacyCurve([CurvePoint(epsilon, Certified.exactly(Fraction(1, 4)))])
    above, below = bracket.plot(Figure().subplots()).lines
    assert (list(above.get_xdata()), list(below.get_xdata())) == ([], [1.0])
