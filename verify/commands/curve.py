"""sgm-verify curve: delta over epsilon, as a table and as a drawing."""

from __future__ import annotations

import contextlib
import errno
import io
import os
from fractions import Fraction
from pathlib import Path

import click

from verify.accounting.history import checked_epsilon
from verify.accounting.questions import Account, curve_points
from verify.accounting.tight import out_of_time
from verify.commands import options, runs
from verify.numbers.budget import checked_digits, checked_seconds
from verify.numbers.curves import PrivacyCurve
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import exact_text
from verify.results import document
from verify.support.screen import fitted, table


@click.command("curve")
@runs.run_options
@click.option("--from", "start", default="0", show_default=True, help="First epsilon.")
@click.option("--to", "end", required=True, help="Last epsilon.")
@click.option("--points", type=int, default=21, show_default=True, help="How many.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Also draw the curve into this file.",
)
@click.option("--digits", type=int, default=12, show_default=True, help="Significant digits.")
@options.as_json
@options.max_seconds
def command(
    run: runs.AskedRun,
    start: str,
    end: str,
    points: int,
    svg: Path | None,
    digits: int,
    as_json: bool,
    max_seconds: float,
) -> None:
    """delta over epsilon, every number certified; neighbouring points share their work.

    \b
    sgm-verify curve --q 0.01 --sigma 1 --steps 1000 --to 4 --svg curve.svg
    """
    low, high = checked_epsilon(start), checked_epsilon(end)
    if low is None or high is None or not low < high or not 2 <= points <= 10_000:
        raise OutOfDomain("a curve needs --from < --to, both finite, and 2 to 10000 points")
    if svg is not None and svg.exists() and not svg.is_file():  # a device would be replaced
        raise OutOfDomain(f"--svg {svg}: not a regular file")
    if svg is not None and not svg.parent.is_dir():  # before the work, not after it
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(svg))
    grid = [low + (high - low) * Fraction(i, points - 1) for i in range(points)]
    account = Account(run.run, checked_seconds(max_seconds))
    found = curve_points(account, grid, (), checked_digits(digits))
    if svg is not None:
        draw(found, svg, runs.describe_run(run).splitlines()[0])
    if as_json:
        rows = [
            {
                "epsilon": exact_text(e),
                **runs.certified_json(p.delta, digits),
                **({"out_of_time": runs.OUT_OF_TIME} if out_of_time(p.delta) else {}),
            }
            for e, p in zip(grid, found, strict=True)
        ]
        options.emit({**runs.run_json(run), "digits": digits, "points": rows})
        return
    if run.assumed:
        click.echo(
            fitted("Assumed: Poisson sampling. A shuffled loader has another curve: ask with")
        )
        click.echo("--sampling shuffle.\n")
    click.echo(fitted(f"{runs.describe_run(run)}\n"))
    cells = [
        (runs.in_short(e), runs.in_words(point.delta, digits))
        for e, point in zip(grid, found, strict=True)
    ]
    click.echo("\n".join(table(("epsilon", "delta"), cells, lambda e, delta: f"{e:<24}{delta}")))
    if any(out_of_time(point.delta) for point in found):
        click.echo(fitted(f"\nout of time: {runs.OUT_OF_TIME}"))


def draw(points: PrivacyCurve, path: Path, title: str) -> None:
    """delta over epsilon, delta on a logarithmic axis."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    drawn = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "sgm-verify", "svg.fonttype": "path"}):
        figure = Figure(figsize=(7, 4.5), layout="constrained")
        axes = figure.subplots()
        points.plot(axes)
        axes.set(title=title)
        axes.grid(visible=True, which="major", alpha=0.3)
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    try:
        document.write(path, drawn.getvalue())
    except OutOfDomain as error:  # a full disk is no bad input
        with contextlib.suppress(OSError):
            path.with_name(f"{path.name}.partial").unlink()
        raise (error.__cause__ if isinstance(error.__cause__, OSError) else error) from None
