"""What the closed form for runs loses: its epsilon over the exact one, at published and ordinary runs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.accounting.history import history
from verify.accounting.published import RUNS
from verify.accounting.questions import Account
from verify.bounds import table as table_1
from verify.bounds.closed_form import for_run
from verify.bounds.table import Truth
from verify.numbers.balls import ball, enclosure, precision
from verify.numbers.point import Point
from verify.report.draw.drawing import COLOURS
from verify.report.draw.plot import Job, Plot, Row, Table

DIGITS = 6
COLUMNS = RUN, Q, SIGMA, STEPS, DELTA, EXACT, CLOSED, LOSS, THEOREM, THEOREM_LOSS = (
    "run", "q", "σ", "steps", "δ", "exact ε", "closed form", "closed form / exact ε",
    "by the main theorem", "main theorem / exact ε",
)  # fmt: skip


def jobs(profile: str) -> list[Job]:
    del profile  # twelve runs in each
    return [
        (name, str(q), repr(sigma), str(steps), repr(delta))
        for name, q, sigma, steps, delta in RUNS
    ]


def by_theorem(q: Fraction, sigma: Fraction, steps: int, delta: Fraction) -> Fraction | None:
    """rho + 2 sqrt(rho ln(1/delta)) with rho = 2 T q^2/sigma^2; None where the main theorem does
    not hold at the order it takes.

    >>> by_theorem(Fraction(1, 100), Fraction(1), 1000, Fraction(1, 10**5)) is None
    True
    """
    rho = 2 * steps * q**2 / sigma**2
    with precision(100):
        length = -ball(delta).log()
        order = enclosure(1 + (length / ball(rho)).sqrt()).hi
        total = enclosure(ball(rho) + 2 * (ball(rho) * length).sqrt()).hi
    applies = table_1.table(Point.of(q, sigma, Fraction(order)), ["this-work"])[0].applies
    return Fraction(total) if applies is Truth.TRUE else None


def rows(name: str, q: str, sigma: str, steps: str, delta: str) -> list[Row]:
    """One run, both directions of neighbours."""
    exact = Account(history([(q, sigma, steps)])).epsilon(delta, DIGITS)
    run = Fraction(q), Fraction(sigma), int(steps), Fraction(delta)
    bound = for_run(*run)
    closed = Fraction(bound.epsilon.hi) if bound.applies is Truth.TRUE else None
    theorem = by_theorem(*run)
    ratios = [f"{float(e / Fraction(exact.hi)):.4g}" if e else None for e in (closed, theorem)]
    shown = [f"{float(e):.6g}" if e else None for e in (closed, theorem)]
    return [
        {
            RUN: name,
            Q: q,
            SIGMA: sigma,
            STEPS: steps,
            DELTA: delta,
            EXACT: exact.hi_str(DIGITS),
            CLOSED: shown[0],
            LOSS: ratios[0],
            THEOREM: shown[1],
            THEOREM_LOSS: ratios[1],
        }
    ]


def draw(axes: Any, table: Table) -> None:
    """A line a run; a run without a mark is one that the formula does not speak about."""
    run = table.columns.index(RUN)
    names = [str(row[run]) for row in table.rows][::-1]
    for column, marker, colour in ((LOSS, "o", COLOURS[1]), (THEOREM_LOSS, "s", COLOURS[0])):
        place = table.columns.index(column)
        kept = [(float(str(row[place])), str(row[run])) for row in table.rows if row[place]]
        axes.plot(
            [x for x, _ in kept], [names.index(n) for _, n in kept], marker, color=colour, label=column
        )  # fmt: skip
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(left=1)
    axes.set(xlabel="times the exact ε", ylim=(-0.5, len(names) - 0.5))
    axes.legend(fontsize="small")


def finding(table: Table) -> str:
    (loss,), (theorem,) = table.numbers(LOSS), table.numbers(THEOREM_LOSS)
    there = f"{min(loss):.3g} to {max(loss):.3g} times the exact ε" if loss else "nowhere"
    return (
        f"the closed form speaks about {len(loss)} of {len(table.rows)} runs, {there}; the main theorem about "
        f"{len(theorem)}{f' ({max(theorem):.3g} times)' if theorem else ''}."
    )


FIGURES = (
    Plot(
        id="closed-form-loss",
        kind="closed-form-loss",
        place=72,
        title="What the closed form for runs loses, at twelve runs",
        caption=(
            "How to read it: a mark is the ε of a formula over the exact ε of the run, both "
            "directions of neighbours. Closed form: ρ + 2√(ρ ln(1/δ)) with ρ = T q²(e^(1/σ²) − 1), "
            "for σ ≥ 1/2 and ln(1/δ) ≤ ρ(σ² ln(1/q))². Main theorem: the same with ρ = 2Tq²/σ², "
            "where its conditions hold at the order 1 + √(ln(1/δ)/ρ). No mark: the formula says "
            "nothing about this run."
        ),
        columns=COLUMNS,
        jobs=jobs,
        rows=rows,
        draw=draw,
        found=finding,
    ),
)
