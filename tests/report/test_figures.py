"""The figures' numbers against values known otherwise, and drawings that do not vary."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from xml.etree import ElementTree

import mpmath
import msgspec
import pytest

from verify.bounds import Truth, table
from verify.errors import PrecisionExhausted
from verify.point import Point
from verify.report import curves, drawing, error_map, figures, series_error
from verify.report.drawings import draw_all
from verify.results.report import Results


@pytest.mark.parametrize(("which", "q", "sigma", "expected"), [
    (curves.EXACT, "0.01", 4, "147.701"), (curves.EXACT, "0.2", 10, "347.418"),
    (curves.FIRST, "0.01", 4, "14.343"), (curves.SECOND, "0.01", 4, "33.434"),
])  # fmt: skip
def test_largest_orders_are_those_of_an_independent_computation(
    which: int, q: str, sigma: int, expected: str
) -> None:
    bracket = curves.largest_order(which, Fraction(q), Fraction(sigma))
    assert bracket is not None
    assert abs(bracket[0] - Fraction(expected)) < Fraction(1, 1000)


def test_both_ends_of_a_bracket_are_certified() -> None:
    bracket = curves.largest_order(curves.EXACT, Fraction(1, 10), Fraction(4))
    assert bracket is not None
    truths = [table(Point.of("0.1", 4, a), ["this-work"])[0].holds for a in bracket]
    assert truths == [Truth.TRUE, Truth.FALSE]


def test_no_order_where_the_bound_fails_from_the_start() -> None:
    assert curves.largest_order(curves.EXACT, Fraction(1, 1000), Fraction("0.6")) is None


def test_an_undecided_condition_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.bounds.nonnegative", lambda _: Truth.UNDECIDED)
    with pytest.raises(PrecisionExhausted):
        curves.largest_order(curves.FIRST, Fraction(1, 10), Fraction(4))


def test_the_accelerated_error_stays_below_its_bound() -> None:
    rows = series_error.series_rows()
    pairs = [(float(str(r[2])), float(str(r[3]))) for r in rows if r[2] is not None]
    assert len(pairs) > 10
    assert all(error <= bound for error, bound in pairs)


def test_the_plain_sum_is_the_slow_one() -> None:
    """Known from elsewhere: 1.1e-8 after 100 terms, 8.5e-12 after 1000."""
    plain = {r[0]: float(str(r[1])) for r in series_error.series_rows()}
    assert plain["100"] == pytest.approx(1.1e-8, rel=0.02)
    assert plain["1000"] == pytest.approx(8.5e-12, rel=0.02)


def test_acceleration_of_a_known_series() -> None:
    """ln 2 = 1 - 1/2 + 1/3 - ..."""
    with mpmath.workdps(40):
        total, bound = series_error.accelerated(
            mpmath.mp, [mpmath.mpf(1) / (k + 1) for k in range(20)], 20
        )
        assert abs(total - mpmath.log(2)) < bound < 1e-14


def test_ratios_inside_the_theorem_are_near_a_quarter(results: Results) -> None:
    ratio = next(f for f in results.figures if f.id == "ratio")
    inside = [float(str(row[2])) for row in ratio.rows if row[3] == "yes"]
    assert inside
    assert 0.25 < min(inside) < max(inside) < 0.27


def test_the_same_rows_give_the_same_drawing(results: Results, drawings: dict[str, str]) -> None:
    assert draw_all(copy.deepcopy(results)) == drawings


def test_other_rows_give_another_drawing(results: Results) -> None:
    figure = json.loads(msgspec.json.encode(results.figures[0]))
    before = figures.draw(figure)
    figure["rows"][0][4] = "999"
    assert figures.draw(figure) != before


def test_drawings_are_xml_without_bitmaps_dates_or_clashing_ids(drawings: dict[str, str]) -> None:
    seen: set[str] = set()
    for svg in drawings.values():
        root = ElementTree.fromstring(drawing.standalone(svg))
        ids = [e.attrib["id"] for e in root.iter() if "id" in e.attrib]
        assert len(ids) == len(set(ids))
        assert not seen & set(ids)
        seen |= set(ids)
        assert "<image" not in svg
        assert "dc:date" not in svg
        assert "$" not in svg  # an unformatted tick


def test_hostile_names_stay_out_of_file_names_and_markup() -> None:
    library = {"file": "../../<script>x.json", "target": "<script>", "version": '"&', "map": []}
    assert figures.library_names([library]) == ["library-script-x"]
    assert "<script" not in error_map.draw("library-1", library)
