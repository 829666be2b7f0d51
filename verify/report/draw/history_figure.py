"""When did a fault come, and when did it go: the recorded releases of some libraries, as one drawing.

python -m verify.report.draw.history_figure reports/history --out docs/history.svg
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from verify.numbers.errors import OutOfDomain, SgmError
from verify.report.draw.drawing import COLOURS, INK, draw_svg, standalone
from verify.results import document
from verify.results.conformance import Direction, Grade
from verify.results.history import History, Release

KINDS = ("UNSAFE", "overstated", "no answer")


def counts(release: Release) -> tuple[int, int, int]:
    """Points that are not good, by kind; zeros for a release that could not be asked."""
    unsafe, overstated = (
        release.directions.get(way, 0) for way in (Direction.UNSAFE, Direction.OVERSTATED)
    )
    return unsafe, overstated, release.verdicts.get(Grade.NO_ANSWER, 0)


def read_histories(folder: Path) -> list[History]:
    """Every history in a folder, by name; a file that is not whole is an error."""
    found = [document.read(path, History) for path in sorted(folder.glob("*.json"))]
    if not found:
        raise OutOfDomain(f"{folder}: no history is recorded there")
    return found


def svg(histories: list[History]) -> str:
    """One panel a library: bars of failing points, one a release."""

    def fill(figure: Any) -> None:
        panels = figure.subplots(len(histories), 1, squeeze=False)[:, 0]
        for axes, history in zip(panels, histories, strict=True):
            _panel(axes, history)
        panels[0].legend(loc="upper right", ncols=3, fontsize=8)

    points = max(history.points for history in histories)
    title = f"Points of {points} at which an answer is not good, over releases"
    size = (7.2, 0.6 + 1.7 * len(histories))
    return standalone(draw_svg("history", title, fill, size))


def _panel(axes: Any, history: History) -> None:
    places = range(len(history.releases))
    base = [0] * len(history.releases)
    for kind, (name, colour) in enumerate(zip(KINDS, COLOURS, strict=True)):
        heights = [counts(release)[kind] for release in history.releases]
        axes.bar(places, heights, bottom=base, color=colour, label=name, width=0.7)
        base = [low + height for low, height in zip(base, heights, strict=True)]
    for place, release in zip(places, history.releases, strict=True):
        if release.problem:
            axes.text(place, 0, "not\nasked", ha="center", va="bottom", fontsize=7, color=INK)
    axes.set_xticks(list(places), [release.version for release in history.releases], fontsize=8)
    axes.set_ylim(0, max(1.0, 1.35 * max(base)))
    axes.set_ylabel("points", fontsize=9)
    axes.set_title(history.target, loc="left", fontsize=10)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="SVG file to write.")
def main(folder: Path, out: Path) -> None:
    """Draw the recorded histories of a folder."""
    try:
        document.write(out, svg(read_histories(folder)))
    except SgmError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
