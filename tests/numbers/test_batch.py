"""Points from files: both formats, and everything that is neither."""

from __future__ import annotations

import contextlib
from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.numbers.batch import read
from verify.numbers.errors import OutOfDomain


def points(lines):
    """The points of a batch; the first row that is none is an error."""
    for row in read(lines).rows:
        if isinstance(row.point, OutOfDomain):
            raise row.point
        yield row.point


def test_csv_numbers_are_decimals():
    assert next(points(["q,sigma,alpha", "0.1,1,2"])).q == Q(1, 10)


def test_json_numbers_are_doubles_and_strings_decimals():
    lines = ['{"q": 0.1, "sigma": 1, "alpha": 2}', '{"q": "0.1", "sigma": 1, "alpha": 2}']
    assert [p.q for p in points(lines)] == [Q(0.1), Q(1, 10)]


def test_columns_in_any_order_and_extra_ones():
    point = next(points(["\ufeffAlpha,note,q,sigma", '2,"a, b",0.5,1']))
    assert (point.q, point.sigma, point.alpha) == (Q(1, 2), 1, 2)


def test_blank_lines_are_passed_over():
    assert len(list(points(["q,sigma,alpha", "", "0.5,1,2", "  "]))) == 1


def test_a_bad_row_does_not_end_the_others():
    lines = ["q,sigma,alpha,note", "7,1,2,a", "x" * 100_000, "1,2", "0.5,1,2,d"]
    rows = list(read(lines).rows)
    assert [isinstance(row.point, OutOfDomain) for row in rows] == [True, True, True, False]
    assert rows[0].fields == {"q": "7", "sigma": "1", "alpha": "2", "note": "a"}
    assert [row.line for row in rows] == [2, 3, 4, 5]


def test_a_row_of_json_keeps_all_its_fields():
    row = next(read(['{"q": 0.5, "sigma": "1.0", "alpha": 2, "id": {"a": 1}}']).rows)
    assert row.fields == {"q": 0.5, "sigma": "1.0", "alpha": 2, "id": {"a": 1}}


def test_reads_one_line_at_a_time():
    def endless():
        yield "q,sigma,alpha"
        while True:
            yield "0.5,1,2"

    assert next(points(endless())).alpha == 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "empty"),
        (["a,b,c"], "line 1: a header"),
        (["q,q,sigma,alpha"], "line 1: a header"),
        (["q,sigma,alpha", "1,2"], "line 2: 2 fields"),
        (["q,sigma,alpha", "0.5,1,2", "", "7,1,2"], "line 4: q = '7'"),
        (["q,sigma,alpha", 'x"y,1,2'], "line 2"),
        (['{"q": 1}'], "line 1: sigma, alpha missing"),
        (['{"q": 0.5, "sigma": 1, "alpha": 2}', "[1]"], "line 2: not a JSON object"),
        (['{"q": 0.5, "sigma": 1, "alpha": 2, "q": 0.1}'], "line 1: the key 'q' stands twice"),
        (["{" * 10_000], "line 1: not a JSON object"),
        (['{"q": NaN, "sigma": 1, "alpha": 2}'], "line 1: q = nan"),
        (['{"q": 1e400, "sigma": 1, "alpha": 2}'], "line 1: q = inf"),
        (['{"q": true, "sigma": 1, "alpha": 2}'], "line 1: q = True"),
        (["x" * 100_000], "line 1: not a line"),
        (["q,sigma,alpha", "0.5,1,\0"], "line 2: not a line"),
    ],
)
def test_bad_lines_are_named(lines, message):
    with pytest.raises(OutOfDomain) as caught:
        list(points(lines))
    assert message in str(caught.value)


@given(st.lists(st.text(max_size=40), max_size=4))
def test_any_lines_are_points_or_out_of_domain(lines):
    with contextlib.suppress(OutOfDomain):
        list(points(lines))
