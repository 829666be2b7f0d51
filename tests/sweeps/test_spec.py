"""Specs: exact points by their index, and one clear error for each kind of badness."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

from verify.numbers.errors import BudgetExceeded, OutOfDomain
from verify.parallel import Here
from verify.sweeps import boundary
from verify.sweeps.axes import Coordinate
from verify.sweeps.boundary import Edge, largest
from verify.sweeps.computations import Where
from verify.sweeps.run import How, sweep
from verify.sweeps.spec import Spec, built_in, check_size, from_text, load, parse, read
from verify.sweeps.store import Store

GOOD = """
[compute]
what = "epsilon"
digits = 20
[[points]]
q = [0.01, "1/3"]
sigma = { from = 1, to = 2, count = 3 }
alpha = { from = 2, to = 64, step = 1 }
"""


def spec(text: str) -> Spec:
    return parse(read(text))


def with_axes(q="0.01", sigma="1", alpha="2", more="", compute='what = "epsilon"') -> str:
    return f"[compute]\n{compute}\n[[points]]\nq = {q}\nsigma = {sigma}\nalpha = {alpha}\n{more}\n"


LONG = "0x" + "f" * 3600  # more decimal digits than Python prints, fewer bits than are refused

BAD = {
    "unknown key": (GOOD + "foo = 1", "unknown key 'foo'"),
    "unknown key at the top": ("colour = 1\n" + GOOD, "unknown key 'colour'"),
    "unknown key of the computation": (
        GOOD.replace("digits", 'row = "bun"\ndigits'),
        "unknown key 'row'",
    ),
    "unknown key of an axis": (with_axes(q="{ from = 0, to = 1, counts = 3 }"), "'counts'"),
    "no computation": ("[[points]]\nq = 1", r"\[compute\]"),
    "unknown computation": (GOOD.replace('"epsilon"', '"delta"'), "compute.what = 'delta'"),
    "computation of a wrong type": (GOOD.replace('"epsilon"', "7"), "compute.what = 7"),
    "no points": ('[compute]\nwhat = "epsilon"', "no points"),
    "points not a list": ('points = 3\n[compute]\nwhat = "epsilon"', "no points"),
    "a block that is no table": (
        'points = [3]\n[compute]\nwhat = "epsilon"',
        r"points\[0\]: must be a table",
    ),
    "empty list": (with_axes(q="[]"), "empty list"),
    "empty grid": (with_axes(q="{ from = 0, to = 1, count = 0 }"), "empty grid"),
    "grid from above": (with_axes(q="{ from = 1, to = 0, count = 2 }"), "is above"),
    "one value for two ends": (with_axes(q="{ from = 0, to = 1, count = 1 }"), "two or more"),
    "negative count": (with_axes(q="{ from = 0, to = 1, count = -3 }"), "whole number"),
    "fractional count": (with_axes(q="{ from = 0, to = 1, count = 2.5 }"), "whole number"),
    "count and step": (with_axes(alpha="{ from = 2, to = 9, count = 3, step = 1 }"), "not both"),
    "neither count nor step": (with_axes(q="{ from = 0, to = 1 }"), "count or step is missing"),
    "zero step": (with_axes(alpha="{ from = 2, to = 9, step = 0 }"), "step = 0"),
    "logarithm of zero": (
        with_axes(q='{ from = 0, to = 1, count = 3, scale = "log" }'),
        "begin above 0",
    ),
    "unknown scale": (with_axes(q='{ from = 0, to = 1, count = 3, scale = "cubic" }'), "'cubic'"),
    "missing axis": (GOOD.replace("sigma =", "#"), "sigma is missing"),
    "missing end": (with_axes(q="{ from = 0, count = 3 }"), "to is missing"),
    "rate out of domain": (with_axes(q="[0.5, 1.5]"), "q = '1.5': must be a number in"),
    "noise out of domain": (with_axes(sigma="{ from = 0, to = 1, count = 3 }"), "sigma = '0'"),
    "order out of domain": (with_axes(alpha="0.5"), "alpha = '0.5'"),
    "infinite range": (with_axes(alpha='{ from = 2, to = "inf", count = 3 }'), "must be finite"),
    "not a number": (with_axes(q='"much"'), "must be a number"),
    "a truth value": (with_axes(q="true"), "must be a number"),
    "a date": (with_axes(q="2020-01-01"), "must be a number"),
    "a number of a gigabyte": (with_axes(sigma='"1e999999999"'), "must be a number"),
    "a number of too many digits": (with_axes(q='"1e-3999"'), "as a ratio has more than 4000"),
    "a number of too many bits": (with_axes(sigma='"1e-4000"', q='"1e4000"'), "more than 4000"),
    "values of too many digits": (
        with_axes(sigma=f'{{ from = "1/{3**8000}", to = "1/{7**4500}", count = 3 }}'),
        "give significant",
    ),
    "a step that nobody can count": (
        with_axes(alpha='{ from = 2, to = 9, step = "1e-400" }'),
        r"10\^400 points are more than can be counted",
    ),
    "a curve that is a list": (with_axes(alpha='{ curve = ["bound"] }'), "curve = ..bound"),
    "a curve that is a table": (with_axes(alpha="{ curve = { a = 1 } }"), "alpha.curve = "),
    "a computed curve that is a list": (
        '[compute]\nwhat = "largest-order"\ncurve = ["bound"]\n[[points]]\nq = 0.1\nsigma = 1',
        "compute.curve = ..bound",
    ),
    "a property that is a list": (
        with_axes(compute='what = "property"\nproperty = ["theorem"]'),
        "compute.property = ..theorem",
    ),
    "a quantity that is a list": (
        with_axes(compute='what = "epsilon"\nquantity = ["rdp"]'),
        "compute.quantity = ..rdp",
    ),
    "a row that is a table": (
        with_axes(compute='what = "bound-ratio"\nrow = { a = 1 }'),
        "compute.row = ",
    ),
    "a parameter too long to print": (with_axes(q=LONG), "q = <int>"),
    "a count too long to print": (with_axes(q=f"{{ from = 0, to = 1, count = {LONG} }}"), "<int>"),
    "a seed too long to print": (
        with_axes(more=f"random = {{ count = 3, seed = {LONG} }}"),
        "seed = <int>",
    ),
    "a title too long to print": (f"title = {LONG}\n" + GOOD, "title = <int>"),
    "a flag too long to print": (f"doubles = {LONG}\n" + GOOD, "doubles = <int>"),
    "a computation too long to print": (GOOD.replace('"epsilon"', LONG), "what = <int>"),
    "a library too long to print": (
        with_axes(compute=f'what = "library"\nlibrary = {LONG}'),
        "library = <int>",
    ),
    "digits too long to print": (GOOD.replace("20", LONG, 1), "digits = <int>"),
    "noise beyond the doubles": (
        "doubles = true\n" + with_axes(sigma='"1e400"'),
        "beyond the largest double",
    ),
    "an order beyond the doubles": (
        "doubles = true\n" + with_axes(alpha='{ from = 2, to = "1e400", count = 3 }'),
        "beyond the largest double",
    ),
    "noise that is zero as a double": (
        "doubles = true\n" + with_axes(sigma='"1e-400"'),
        "sigma = '0'",
    ),
    "a rate that is one half as a double": (
        "doubles = true\n" + with_axes(q='"0.49999999999999999999"', alpha='{ curve = "bound" }'),
        "0 < q < 1/2",
    ),
    "not a number, but nan": (with_axes(q="nan"), "must be a number"),
    "digits": (GOOD.replace("20", "0", 1), "digits = 0"),
    "digits of a wrong type": (GOOD.replace("digits = 20", "digits = 20.5"), "digits = .?20.5"),
    "too many points to count": (
        with_axes(
            q="{ from = 0, to = 1, count = 9000000000000000000 }",
            sigma="{ from = 1, to = 2, count = 9000000000000000000 }",
        ),
        "more than can be counted",
    ),
    "random without seed": (with_axes(more="random = { count = 3 }"), "seed is missing"),
    "random of nothing": (
        with_axes(more="random = { count = 0, seed = 1 }"),
        "random.count = 0",
    ),
    "random of a wrong type": (with_axes(more="random = 3"), "random: must be a table"),
    "unknown curve": (with_axes(alpha='{ curve = "third" }'), "curve = 'third'"),
    "unknown side": (
        with_axes(alpha='{ curve = "bound", at = ["beside"] }'),
        "must be .inside., .outside. or a factor",
    ),
    "no side": (with_axes(alpha='{ curve = "bound", at = [] }'), "must be a list"),
    "curve without end": (with_axes(q="0.5", alpha='{ curve = "bound" }'), "0 < q < 1/2"),
    "outside the table": (
        with_axes(q="0", compute='what = "bound-ratio"'),
        "needs q > 0 and 1 < alpha",
    ),
    "unknown row": (with_axes(compute='what = "bound-ratio"\nrow = "x"'), "compute.row"),
    "unknown quantity": (with_axes(compute='what = "epsilon"\nquantity = "x"'), "quantity"),
    "no property": (
        with_axes(compute='what = "property"'),
        "property is missing; there are theorem",
    ),
    "unknown property": (with_axes(compute='what = "property"\nproperty = "x"'), "property"),
    "unknown library": (with_axes(compute='what = "library"\nlibrary = "numpy"'), "no library"),
    "library and command": (
        with_axes(compute='what = "library"\nlibrary = "opacus"\ncommand = "x"'),
        "one of them",
    ),
    "empty command": (with_axes(compute='what = "library"\ncommand = ""'), "command: empty"),
    "an order where none is wanted": (
        with_axes(compute='what = "largest-order"'),
        "unknown key 'alpha'",
    ),
    "exact points for a library": (
        "doubles = false\n" + with_axes(compute='what = "library"\ncommand = "x"'),
        "at doubles only",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_spec_gets_one_clear_error(kind):
    text, words = BAD[kind]
    with pytest.raises(OutOfDomain, match=words):
        spec(text)


def test_points_run_through_alpha_then_sigma_then_q():
    found = spec(GOOD)
    assert found.count == 2 * 3 * 63
    assert [x.text for x in found.at(0)] == ["0.01", "1", "2"]
    assert [x.text for x in found.at(62)] == ["0.01", "1", "64"]
    assert [x.text for x in found.at(63)] == ["0.01", "1.5", "2"]
    assert [x.text for x in found.at(377)] == ["1/3", "2", "64"]


def test_a_number_means_the_decimal_that_is_written():
    assert spec(with_axes(q="0.1")).at(0).q.exact == Fraction(1, 10)


def test_doubles_are_the_nearest_to_what_is_written():
    assert spec("doubles = true\n" + with_axes(q="0.1")).at(0).q.exact == Fraction(0.1)


def test_the_last_of_10_to_the_12_points_is_made_alone():
    found = spec(
        with_axes(
            q="{ from = 0, to = 1, count = 1000001 }",
            alpha='{ from = 1, to = 1000, count = 1000000, scale = "log" }',
        )
    )
    assert [x.text for x in found.at(found.count - 1)] == ["1", "1", "1000"]


def test_10_to_the_12_points_must_be_meant():
    found = spec(with_axes(q="{ from = 0, to = 1, count = 1000000000000 }"))
    with pytest.raises(OutOfDomain, match=r"1,000,000,000,000 points.*--yes"):
        check_size(found, yes=False)
    check_size(found, yes=True)


def test_logarithmic_grids_are_rounded_where_told_and_keep_their_ends():
    axis = '{ from = "1e-4", to = "0.3", count = 4, scale = "log", significant = 3 }'
    found = spec(with_axes(q=axis))
    assert [found.at(k).q.text for k in range(4)] == ["0.0001", "0.00144", "0.0208", "0.3"]


def test_random_points_depend_on_seed_and_index_only():
    text = with_axes(q="{ from = 0, to = 1 }", more="random = { count = 50, seed = 7 }")
    first, second = spec(text), spec(text)
    backwards = [second.at(k) for k in reversed(range(50))]
    assert [first.at(k) for k in range(50)] == backwards[::-1]
    assert len({first.at(k).q.text for k in range(50)}) == 50
    assert spec(text.replace("seed = 7", "seed = 8")).at(0) != first.at(0)


def test_random_values_fill_their_range_and_stay_in_it():
    text = with_axes(
        q='{ from = "1e-6", to = 1, scale = "log" }',
        alpha="{ from = 2, to = 9, whole = true }",
        more="random = { count = 2000, seed = 1 }",
    )
    found = [spec(text).at(k) for k in range(2000)]
    rates = [p.q.double for p in found]
    assert min(rates) >= 1e-6
    assert max(rates) <= 1
    assert all(sum(10.0**e <= q < 10.0 ** (e + 1) for q in rates) > 200 for e in range(-6, 0))
    assert {p.alpha.text for p in found} == {str(n) for n in range(2, 10)}


def test_a_curve_gives_orders_on_both_sides_of_the_boundary():
    found = spec(with_axes(q="0.2", sigma="4", alpha='{ curve = "bound" }'))
    inside, outside = (
        found.at(k).alpha.resolve(found.at(k).q, found.at(k).sigma, False) for k in range(2)
    )
    assert isinstance(found.at(0).alpha, Edge)
    assert inside.double < 56.28293050 < outside.double


@pytest.mark.parametrize("name", built_in())
def test_built_in_specs_survive_their_canonical_form(name):
    found = load(name)
    again = from_text(found.text)
    assert (again.text, again.count) == (found.text, found.count)
    assert again.at(found.count - 1) == found.at(found.count - 1)


def test_comments_and_layout_do_not_change_a_spec_but_a_digit_does():
    base = spec(GOOD)
    assert spec(GOOD.replace("count = 3 }", "count   = 3 } # three")).digest == base.digest
    assert spec(GOOD.replace("0.01", "0.010000001")).digest != base.digest


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"q = = 1", "not TOML"),
        (b"q = " + b"1" * 5000, "not TOML"),
        (b"\xff\xfe", "not UTF-8"),
        (b"#" * 300_000, "at most"),
    ],
)
def test_a_file_that_is_no_spec_is_refused(tmp_path, content, words):
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    with pytest.raises(OutOfDomain, match=words):
        load(str(path))


def test_a_missing_file_is_told_with_what_is_built_in():
    with pytest.raises(OutOfDomain, match="built in are boundary, frontier"):
        load("frontiers")


def test_underscores_in_numbers_are_those_of_toml():
    assert spec(with_axes(sigma="1_000.5")).at(0).sigma.text == "1000.5"


def test_whatever_a_hostile_spec_provokes_is_bad_input(monkeypatch):
    def overflows(*_):
        raise OverflowError("int too large")

    monkeypatch.setattr("verify.sweeps.spec.checked_digits", overflows)
    with pytest.raises(OutOfDomain, match="OverflowError: int too large"):
        spec(GOOD)


def test_a_program_that_is_not_there_is_refused_at_once(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(with_axes(compute='what = "library"\ncommand = "/nonexistent/x --fast"'))
    with pytest.raises(OutOfDomain, match=r"nonexistent/x.*no such program"):
        load(str(path))
    missing = from_text(spec(path.read_text()).text)  # of a file made elsewhere: it can be read
    with pytest.raises(OutOfDomain, match="no such program"):
        missing.computation.prepare(20, missing.options)


REPEATING = {
    "rounded": with_axes(q='{ from = "0.1", to = "0.3", count = 1200, significant = 2 }'),
    "rounded, logarithmic": with_axes(
        q='{ from = "0.1", to = "0.3", count = 1200, scale = "log", significant = 2 }'
    ),
    "rounded without a word": with_axes(
        sigma='{ from = 1, to = "1.00000000001", count = 99, scale = "log" }'
    ),
    "rounded, and too many to look at": with_axes(
        q='{ from = "0.1", to = "0.3", count = 1200000, significant = 2 }'
    ),
    "doubles": "doubles = true\n"
    + with_axes(sigma='{ from = 1, to = "1.000000000000000001", count = 7 }'),
    "a list": with_axes(q='[0.1, "1/10"]'),
    "a list of doubles": "doubles = true\n" + with_axes(q='["0.1", "0.10000000000000000001"]'),
    "drawn, then rounded": with_axes(
        q='{ from = "0.1", to = "0.3", significant = 2 }',
        more="random = { count = 1200, seed = 1 }",
    ),
    "drawn from next to nothing": with_axes(
        q='{ from = "0.1", to = "0.1000000001" }', more="random = { count = 1200, seed = 1 }"
    ),
}
DISTINCT = {
    "exact": with_axes(q='{ from = "0.1", to = "0.3", count = 1200000 }'),
    "rounded enough": with_axes(q='{ from = "0.1", to = "0.3", count = 1200, significant = 9 }'),
    "a list": with_axes(q='["0.1", "0.10000000000000000001"]'),
    "drawn": with_axes(q='{ from = "0.1", to = "0.3" }', more="random = { count = 99, seed = 1 }"),
}


@pytest.mark.parametrize("kind", REPEATING)
def test_points_that_rounding_makes_equal_are_known_to_repeat(kind):
    found = spec(REPEATING[kind])
    assert found.may_repeat
    points = {tuple(x.text for x in found.at(k)) for k in range(min(found.count, 1200))}
    assert len(points) < min(found.count, 1200)


@pytest.mark.parametrize("kind", DISTINCT)
def test_points_that_differ_are_not_looked_up(kind):
    found = spec(DISTINCT[kind])
    assert not found.may_repeat
    points = {tuple(x.text for x in found.at(k)) for k in range(min(found.count, 1200))}
    assert len(points) == min(found.count, 1200)


def test_doubles_of_a_boundary_are_rounded_away_from_it(monkeypatch):
    tenth = Fraction(0.1)  # a little above one tenth
    bracket = (1 + Fraction(3, 10), 1 + Fraction(7, 10))
    monkeypatch.setattr("verify.sweeps.boundary.largest", lambda *_: bracket)
    q = sigma = Coordinate.of(tenth)
    inside, outside, within, beyond = (
        Edge("bound", side).resolve(q, sigma, True).exact
        for side in ("inside", "outside", "1/3", "4/3")
    )
    assert bracket[0] - Fraction(1, 2**51) < inside < bracket[0]
    assert bracket[1] < outside < bracket[1] + Fraction(1, 2**51)
    assert within < 1 + Fraction(1, 10)
    assert beyond > 1 + Fraction(4, 10)
    exact = Edge("bound", "inside").resolve(q, sigma, False).exact
    assert exact == bracket[0]


def test_doubles_of_the_frontier_are_rounded_away_from_it(monkeypatch):
    found = spec('[compute]\nwhat = "largest-order"\n[[points]]\nq = 0.1\nsigma = 1')
    bracket = (Fraction(13, 10), Fraction(17, 10))
    monkeypatch.setattr("verify.sweeps.computations.largest_order.largest", lambda *_: bracket)
    run = found.computation.prepare(10, found.options)
    true_at, false_at, *_ = run(Where(found.at(0).q, found.at(0).sigma, None), 60.0).values
    assert Fraction(true_at) < bracket[0] < Fraction(1.3) + Fraction(1, 2**51)
    assert Fraction(false_at) > bracket[1]


def test_a_side_given_twice_is_one_side():
    alpha = '{ curve = "bound", at = ["inside", "0.5", "1/2", "inside"] }'
    found = spec(with_axes(alpha=alpha))
    assert [found.at(k).alpha.side for k in range(found.count)] == ["inside", "0.5"]


def test_a_search_for_a_boundary_keeps_to_the_time():
    with pytest.raises(BudgetExceeded):
        largest("bound", Fraction(1, 7), Fraction(4), 1e-9)


def test_every_point_keeps_its_row_where_boundaries_cannot_be_found(tmp_path):
    sides = 'at = ["inside", "outside", "0.5"]'
    found = spec(
        with_axes(q='"0.49999999"', sigma="4", alpha=f'{{ curve = "bound", {sides} }}')
        + f'[[points]]\nq = "0.49999999"\nsigma = 4\nalpha = {{ curve = "first-condition", {sides} }}'
    )
    path = tmp_path / "x.sqlite"
    with Here() as door:
        record = sweep(found, path, door, How(max_seconds=1e-9))
    assert (record["points"], record["rows"], record["counts"]) == (6, 6, {"error": 6})
    with Store.read(path) as store:
        assert [row[6] for row in store.rows()][:3] == [
            "bound:inside",
            "bound:outside",
            "bound:0.5",
        ]


def test_boundaries_found_at_the_second_try_are_those_of_an_undisturbed_run(tmp_path):
    alpha = '{ curve = "bound", at = ["inside", "1", "outside", "0.5"] }'
    found = spec(with_axes(q="0.2", sigma="4", alpha=alpha))
    with Here() as door:
        calm = sweep(found, tmp_path / "calm.sqlite", door)
        boundary.largest.cache_clear()
        failed = sweep(found, tmp_path / "x.sqlite", door, How(max_seconds=1e-9))
        again = sweep(found, tmp_path / "x.sqlite", door, How(retry_errors=True))
    assert failed["counts"] == {"error": 4}
    assert again == calm
    assert calm["rows"] == 3  # the first two meet


def test_the_sign_of_a_zero_is_kept(tmp_path):
    client = tmp_path / "client.py"
    client.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'value': -0.0}), flush=True)\n"
    )
    command = f"{sys.executable} {client}"
    found = spec(with_axes(compute=f'what = "library"\ncommand = "{command}"'))
    run = found.computation.prepare(20, found.options)
    values = run(Where(*found.at(0)), 60.0).values
    assert dict(zip((n for n, _ in found.computation.columns), values, strict=True))["kind"] == "-0"
