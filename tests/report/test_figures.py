"""A figure is one file: columns by name, numbers that fit them, drawings that do not vary."""

from __future__ import annotations

import copy
import dataclasses
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from verify.report import figures
from verify.report.collect.cache import Cache
from verify.report.draw import drawing
from verify.report.draw.drawings import draw_all
from verify.report.draw.plot import Plot, Table, compute
from verify.results.figure import Figure
from verify.results.report import Results

ROOT = Path(__file__).parents[2]
ORDER = [
    "figure-1-left-sigma-4", "figure-1-left-sigma-10", "figure-1-right-sigma-4", "figure-1-right-sigma-10",
    "ratio", "frontier", "series", "times",
]  # fmt: skip


def by_id(results: Results, name: str) -> Figure:
    return next(figure for figure in results.figures if figure.id == name)


def test_the_figures_are_found_in_their_order() -> None:
    found = [plot.id for plot in figures.discover()]
    assert [name for name in found if name in ORDER] == ORDER


def test_figures_of_one_kind_are_drawn_by_one_function() -> None:
    drawn_by: dict[str, set[object]] = {}
    for plot in figures.ALL:
        drawn_by.setdefault(plot.kind, set()).add(plot.draw)
    assert all(len(functions) == 1 for functions in drawn_by.values())


def test_rows_fit_their_columns(results: Results) -> None:
    for figure in results.figures:
        assert {len(row) for row in figure.rows} == {len(figure.columns)}, figure.id


def plot_of(*rows: dict[str, str | None]) -> Plot:
    return Plot(
        id="made",
        kind="made",
        place=0,
        title="",
        caption="",
        columns=("x", "y"),
        draw=lambda axes, table: None,
        jobs=lambda profile: [()],
        rows=lambda: list(rows),
    )


def test_rows_are_put_in_the_order_of_the_columns() -> None:
    assert compute(plot_of({"y": "2", "x": "1"}), [()], 1) == [["1", "2"]]


@pytest.mark.parametrize("row", [{"x": "1"}, {"x": "1", "y": "2", "z": "3"}, {"x": "1", "Y": "2"}])
def test_a_row_without_a_column_or_with_another_is_refused(row: dict[str, str | None]) -> None:
    with pytest.raises(ValueError, match="are not its columns"):
        compute(plot_of(row), [()], 1)


def test_what_is_recorded_is_not_computed() -> None:
    times = next(plot for plot in figures.ALL if plot.id == "times")
    assert figures.compute_all("quick", Cache(None), 1, figures=[times]) == []
    with pytest.raises(ValueError, match="recorded, not computed"):
        compute(times, [()], 1)


def test_a_column_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        Table(("x",), (("1",),)).numbers("y")


def test_a_grid_is_read_by_name() -> None:
    table = Table(("v", "b", "a"), (("7", "10", "1"), (None, "10", "2"), ("8", "20", "1")))
    assert table.grid("a", "b", "v") == ([1.0, 2.0], [10.0, 20.0], [["7", None], ["8", None]])


def test_ratios_inside_the_theorem_are_near_a_quarter(results: Results) -> None:
    ratio = by_id(results, "ratio")
    inside = Table(ratio.columns, ratio.rows).where("theorem applies", "yes")
    (found,) = inside.numbers("ε/bound")
    assert found
    assert 0.25 < min(found) < max(found) < 0.27


def test_captions_begin_with_what_was_found(results: Results) -> None:
    for figure in results.figures:
        assert figure.caption.startswith("Found: "), figure.id


def test_what_was_found_is_read_off_the_numbers(results: Results) -> None:
    """A ratio above 1 where the theorem applies would be told."""
    (plot,) = (plot for plot in figures.ALL if plot.id == "ratio")
    rows = by_id(results, "ratio").rows
    inside = next(row for row in rows if row[-1] == "yes")
    assert "none of them where the theorem applies" in plot.filled(rows).caption
    spoilt = plot.filled([*rows, (inside[0], inside[1], "1.000001", "yes")])
    assert "1 of them where the theorem applies" in spoilt.caption


def test_processes_give_the_rows_of_one() -> None:
    plot = next(p for p in figures.ALL if p.id == "figure-1-right-sigma-4")
    jobs = [("0.01", "4", alpha) for alpha in ("1.25", "8", "60")]
    assert compute(plot, jobs, 2) == compute(plot, jobs, 1)


def test_the_same_rows_give_the_same_drawing(results: Results, drawings: dict[str, str]) -> None:
    assert draw_all(copy.deepcopy(results)) == drawings


def test_a_drawing_that_is_known_is_not_drawn_again(
    results: Results, drawings: dict[str, str], tmp_path: Path
) -> None:
    some = msgspec.structs.replace(results, figures=results.figures[-2:], families=())
    first, second = Cache(tmp_path), Cache(tmp_path)
    made = draw_all(some, first)
    assert draw_all(some, second) == made == {n: drawings[n] for n in made}
    assert (first.computed, second.computed, second.reused) == (2, 0, 2)


def test_other_rows_give_another_drawing(results: Results) -> None:
    figure = by_id(results, "figure-1-left-sigma-4")
    place = figure.columns.index("exact")
    first = (*figure.rows[0][:place], "999", *figure.rows[0][place + 1 :])
    other = msgspec.structs.replace(figure, rows=(first, *figure.rows[1:]))
    assert figures.draw(other) != figures.draw(figure)


def nothing(axes: Any, table: Table) -> None:
    """A drawing of nothing; its source is in its key, so that it stands at the top level."""


def test_drawings_are_made_by_the_figures_given(results: Results) -> None:
    """Nothing is looked up elsewhere: another drawing of a kind is drawn, and a kind that is not given is none."""
    figure = by_id(results, "series")
    only = msgspec.structs.replace(results, figures=(figure,), families=())
    plot = dataclasses.replace(figures.of_kind(figure.kind), draw=nothing)
    assert draw_all(only, plots=[plot]) != draw_all(only)
    with pytest.raises(ValueError, match="no figure is of the kind"):
        draw_all(only, plots=[])


def test_an_unknown_kind_is_an_error(results: Results) -> None:
    figure = msgspec.structs.replace(by_id(results, "series"), kind="os.system")
    with pytest.raises(ValueError, match="no figure is of the kind"):
        figures.draw(figure)


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


# -- adding one ------------------------------------------------------------------------------

DOCS = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
ADDED = """
from verify.report import figures
from verify.report.collect.cache import Cache
names = [plot.id for plot in figures.ALL]
print(names.index("ratio") < names.index("squares") < names.index("frontier"))
(made,) = figures.compute_all("quick", Cache(None), 1, figures=[p for p in figures.ALL if p.id == "squares"])
print(made.rows)
print(figures.draw(made).count("Squares"))
"""


def test_a_figure_is_added_by_one_file(tmp_path: Path) -> None:
    """The file of the documentation, in a copy of the package: nothing else is touched."""
    example = DOCS.partition("## Adding a figure")[2].partition("```python")[2].partition("```")[0]
    copied = shutil.copytree(
        ROOT / "verify", tmp_path / "verify", ignore=shutil.ignore_patterns("data", "__pycache__")
    )
    (copied / "report" / "figures" / "squares.py").write_text(example)
    done = subprocess.run(
        [sys.executable, "-c", ADDED], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["True", "(('2', '4'), ('3', '9'), ('5', '25'))", "1"]


def test_two_figures_of_one_name_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from verify.report.figures import frontier, ratio

    twin = dataclasses.replace(ratio.FIGURES[0], id="frontier")
    monkeypatch.setattr(frontier, "FIGURES", (*frontier.FIGURES, twin))
    with pytest.raises(ValueError, match="two figures are called frontier"):
        figures.discover()
