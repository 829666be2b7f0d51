"""sgm-verify bounds: Table 1 of the paper at a point."""

from __future__ import annotations

import textwrap

import click

from verify.bounds import Row, table
from verify.budget import checked_seconds
from verify.commands import options
from verify.point import Point


@click.command("bounds")
@click.option("--q", required=True, help="Sampling rate in (0, 1].")
@click.option("--sigma", required=True, help="Noise multiplier > 0.")
@click.option("--alpha", required=True, help="Order > 1.")
@options.as_json
@options.max_seconds
def command(q: str, sigma: str, alpha: str, as_json: bool, max_seconds: float) -> None:
    """The bounds of the paper's Table 1: conditions met or not, value, true or not at this point.

    \b
    sgm-verify bounds --q 0.01 --sigma 4 --alpha 14
    """
    point = Point.of(q, sigma, alpha)
    rows = table(point, max_seconds=checked_seconds(max_seconds))
    if as_json:
        typed = {"q": q, "sigma": sigma, "alpha": alpha}
        options.emit({**typed, "rows": [_json(row) for row in rows]})
        return
    click.echo(f"q = {q}, sigma = {sigma}, alpha = {alpha}\n")
    for row in rows:
        click.echo(f"{row.name}  ({row.source})")
        for condition in row.conditions:
            click.echo(_wrapped(f"  {condition.truth:<10} {condition.text}", 13))
        value = "no value at a point" if row.epsilon is None else str(row.epsilon)
        click.echo(f"  epsilon <= {row.formula}")
        click.echo(f"           = {value}")
        if row.holds is not None:
            click.echo(f"  conditions met: {row.applies}; bound holds here: {row.holds}")
        click.echo(_wrapped(f"  {row.remark}", 2))
        click.echo()


def _wrapped(text: str, indent: int) -> str:
    return textwrap.fill(text, 80, subsequent_indent=" " * indent, break_on_hyphens=False)


def _json(row: Row) -> dict[str, object]:
    return {
        "row": row.name,
        "conditions": [{"condition": c.text, "truth": str(c.truth)} for c in row.conditions],
        "applies": str(row.applies),
        "formula": row.formula,
        "epsilon": None if row.epsilon is None else options.number_json(row.epsilon, 30),
        "holds": None if row.holds is None else str(row.holds),
        "remark": row.remark,
    }
