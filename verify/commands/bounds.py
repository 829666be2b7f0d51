"""sgm-verify bounds: Table 1 of the paper and the closed forms beyond it, at a point or for a run."""

from __future__ import annotations

import textwrap
from typing import Any

import click

from verify.accounting import epsilon
from verify.bounds.closed_form import closed_forms, for_run
from verify.bounds.table import Row, Truth, table
from verify.commands import options, runs
from verify.numbers.budget import checked_seconds
from verify.numbers.certified import Certified
from verify.numbers.errors import BudgetExceeded, OutOfDomain, OutOfReach, PrecisionExhausted
from verify.numbers.point import Point, exact, exact_text
from verify.support.screen import fitted, width


@click.command("bounds")
@click.option("--q", help="Sampling rate in (0, 1].")
@options.sigma("Noise multiplier > 0.", required=True)
@click.option("--alpha", help="Order > 1, for one step.")
@click.option("--steps", type=click.IntRange(min=1), help="Number of steps, for a whole run.")
@click.option("--delta", help="Delta in (0, 1), for a whole run.")
@click.option(
    "--records", help="Number of records; with --batch and --epochs, in place of --q and --steps."
)
@options.batch("Batch size.")
@click.option("--epochs", help="Number of epochs.")
@click.option("--drop-last", is_flag=True, help="The loader drops a last, smaller batch.")
@options.as_json
@options.max_seconds
def command(
    q: str | None,
    sigma: str,
    alpha: str | None,
    steps: int | None,
    delta: str | None,
    records: str | None,
    batch: str | None,
    epochs: str | None,
    drop_last: bool,
    as_json: bool,
    max_seconds: float,
) -> None:
    """Closed forms: the rows of the paper's Table 1 and what is proved beyond it, at a point or for a run.

    \b
    sgm-verify bounds --q 0.01 --sigma 4 --alpha 14
    sgm-verify bounds --q 256/60000 --sigma 1.1 --steps 14062 --delta 1e-5
    sgm-verify bounds --records 60000 --batch 256 --epochs 60 --sigma 1.1 \\
        --delta 1e-5
    """
    if any((records, batch, epochs, drop_last)):
        typed: dict[str, Any] = {
            "q": q,
            "sigma": sigma,
            "steps": None if steps is None else str(steps),
        }
        counted: dict[str, Any] = {"records": records, "batch": batch, "epochs": epochs}
        (stage,) = runs.read_run(**typed, **counted, drop_last=drop_last).run.stages
        q, steps = exact_text(stage.q), stage.steps
    if q is None:
        raise click.UsageError("Missing option '--q'.")
    if (alpha is None) == (steps is None or delta is None) or (steps is None) != (delta is None):
        raise click.UsageError("give --alpha for one step, or --steps and --delta for a run")
    if alpha is None:
        assert steps is not None
        assert delta is not None
        _tell_run(q, sigma, steps, delta, as_json, checked_seconds(max_seconds))
        return
    point = Point.of(q, sigma, alpha)
    seconds = checked_seconds(max_seconds)
    rows = [*table(point, max_seconds=seconds), *closed_forms(point, seconds)]
    if as_json:
        typed = {"q": q, "sigma": sigma, "alpha": alpha}
        options.emit({**typed, "rows": [_json(row) for row in rows]})
        return
    click.echo(fitted(f"q = {q}, sigma = {sigma}, alpha = {alpha}\n"))
    for row in rows:
        click.echo(fitted(f"{row.name}  ({row.source})"))
        for condition in row.conditions:
            click.echo(_wrap(f"  {condition.truth:<10} {condition.text}", 13))
        value = "no value at a point" if row.epsilon is None else str(row.epsilon)
        click.echo(fitted(f"  epsilon <= {row.formula}"))
        click.echo(fitted(f"           = {value}"))
        if row.holds is not None:
            click.echo(f"  conditions met: {row.applies}; bound holds here: {row.holds}")
        click.echo(_wrap(f"  {row.remark}", 2))
        click.echo()
    click.echo("L = ln(1 + 1/(q (alpha-1))), t = e^(1/sigma^2) - 1")


def _tell_run(
    q: str, sigma: str, steps: int, delta: str, as_json: bool, max_seconds: float
) -> None:
    """The closed form for a run beside the exact epsilon, and what it loses; numbers are rounded up."""
    point = Point.of(q, sigma, 2)
    at = exact("delta", delta, "a number in (0, 1)")
    if at is None:
        raise OutOfDomain(f"delta = {delta!r:.60}: must be a number in (0, 1)")
    run = for_run(point.q, point.sigma, steps, at)
    applies = run.applies == Truth.TRUE
    valid = run.epsilon if applies else run.at_the_end
    tight, why = _tight(q, sigma, steps, delta, max_seconds)
    loss = float(valid) / float(tight) if valid is not None and tight and tight.lo > 0 else None
    if as_json:
        options.emit(
            {
                "q": q, "sigma": sigma, "steps": steps, "delta": delta,
                "conditions": [{"condition": run.condition.text, "truth": str(run.condition.truth)}],
                "applies": str(run.applies),
                "rho": options.number_json(run.rho, 30),
                "order": options.number_json(run.order, 30) if applies else None,
                "epsilon": options.number_json(run.epsilon, 30) if applies else None,
                "at_the_end": run.at_the_end and options.number_json(run.at_the_end, 30),
                "tight": tight and options.number_json(tight, 10),
                "times_tight": loss,
            }
        )  # fmt: skip
        return
    click.echo(
        fitted(
            f"q = {q}, sigma = {sigma}, {steps} steps, delta = {delta}; Poisson sampling, add/remove\n"
        )
    )
    click.echo(_wrap(f"  {run.condition.truth:<10} {run.condition.text}", 13))
    click.echo(f"  rho      = T q^2 (e^(1/sigma^2) - 1) = {run.rho.hi_str(8)}")
    if applies:
        told = f"rho + 2 sqrt(rho ln(1/delta)) = {run.epsilon.hi_str(8)}, at order {run.order.hi_str(6)}"
        click.echo(fitted(f"  epsilon  = {told}"))
    elif valid is not None:
        click.echo(fitted(f"  the best order is not reached; at the largest one, e = {run.reach}:"))
        click.echo(fitted(f"  epsilon  = rho (1 + e) + ln(1/delta)/e = {valid.hi_str(8)}"))
    else:
        click.echo("  the closed form says nothing here: a condition is not met")
    if tight is None:
        click.echo(_wrap(f"  tight epsilon: {why}", 2))
        return
    beside = "" if loss is None else f"; the closed form is {loss:.4g} times it"
    click.echo(fitted(f"  tight epsilon {tight.hi_str(8)}{beside}"))


def _tight(
    q: str, sigma: str, steps: int, delta: str, max_seconds: float
) -> tuple[Certified | None, str]:
    """The exact epsilon, or why there is none: the closed form does not need it."""
    try:
        return epsilon(q, sigma, steps, delta, digits=10, max_seconds=max_seconds), ""
    except (BudgetExceeded, OutOfDomain, OutOfReach, PrecisionExhausted) as error:
        return None, str(error)


def _wrap(text: str, indent: int) -> str:
    return textwrap.fill(text, width(), subsequent_indent=" " * indent, break_on_hyphens=False)


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
