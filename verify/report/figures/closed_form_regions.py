"""Up to which orders the closed forms speak, beside the paper's main theorem: their regions at two noises."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from verify.bounds.closed_form import FORMS, ClosedForm
from verify.bounds.largest_order import Ending, largest_order, shared_digits
from verify.numbers.balls import ball, enclosure, precision
from verify.numbers.certified import Certified
from verify.report.draw.drawing import COLOURS, INK
from verify.report.draw.plot import Job, Plot, Row, Table, geometric

BY_NAME = {form.name: form for form in FORMS}
REPLACEMENT, REMEMBER, EVERY = (
    BY_NAME[name] for name in ("in-place-of-theorem-11", "remember", "every-sigma")
)
COLUMNS = Q, THEOREM, SAME, KEPT, ALL, EXACT = (
    "q", "main theorem, 2q²α/σ²", "2q²α/σ²", "q²α(e^(1/σ²) − 1)", "0.7 q²α(e^(1/σ²) − 1)", "2q²α/σ² true",
)  # fmt: skip


def jobs(sigma: str, profile: str) -> list[Job]:
    return [(sigma, q) for q in geometric(1e-6, 0.9, 40 if profile == "full" else 20)]


def largest_order_of_form(form: ClosedForm, q: Fraction, sigma: Fraction) -> str | None:
    """The end of a closed form's orders, 1 + reach sigma^2 ln(1/q); None where it asks for more noise.

    >>> largest_order_of_form(REMEMBER, Fraction(1, 10), Fraction(1)), largest_order_of_form(REMEMBER, Fraction(1, 10), Fraction(1, 4))
    ('3.302585', None)
    """
    if form.reach is None or sigma < form.least:
        return None
    with precision(60):
        ends = enclosure(1 - ball(form.reach * sigma**2) * ball(q).log())
    return Certified(ends.lo, ends.hi).lo_str(7)


def largest_order_of_theorem(q: Fraction, sigma: Fraction) -> str | None:
    """The largest order of the main theorem; None where it says nothing at any order."""
    if q > Fraction(1, 5) or sigma < 4:
        return None
    ends = [largest_order(condition, q, sigma) for condition in (Ending.FIRST, Ending.SECOND)]
    return shared_digits(min(end for end in ends if end)) if all(ends) else None


def rows(sigma: str, q: str) -> list[Row]:
    """The ends of all regions at one rate."""
    rate, noise = Fraction(q), Fraction(sigma)
    return [
        {
            Q: q,
            THEOREM: largest_order_of_theorem(rate, noise),
            SAME: largest_order_of_form(REPLACEMENT, rate, noise),
            KEPT: largest_order_of_form(REMEMBER, rate, noise),
            ALL: largest_order_of_form(EVERY, rate, noise),
            # from q = 1/2 on the formula is true at every order
            EXACT: shared_digits(largest_order(Ending.BOUND, rate, noise))
            if 2 * rate < 1
            else None,
        }
    ]


def draw(axes: Any, table: Table) -> None:
    axes.loglog(*table.numbers(Q, EXACT), color=INK, label=f"{EXACT} up to here")
    lines = ((SAME, COLOURS[0], "--"), (KEPT, COLOURS[1], "-."), (ALL, COLOURS[2], ":"))
    for name, colour, style in lines:
        axes.loglog(*table.numbers(Q, name), style, color=colour, label=name)
    axes.loglog(
        *table.numbers(Q, THEOREM), "o", color=COLOURS[0], markersize=3.5, label=THEOREM
    )  # fmt: skip
    axes.set(xlabel="sampling rate q", ylabel="largest order α")
    axes.legend(fontsize="small")


def finding(table: Table) -> str:
    theorem, same = table.numbers(THEOREM, SAME)
    if not theorem:
        return (
            "the main theorem says nothing at this noise; the closed forms reach the orders drawn."
        )
    gain = [b / a for a, b in zip(theorem, same, strict=True)]
    return (
        f"with the main theorem's formula the new region reaches {min(gain):.3g} to {max(gain):.3g} times its order, "
        "and rates above 1/5."
    )


FIGURES = tuple(
    Plot(
        id=f"closed-form-regions-sigma-{sigma}",
        kind="closed-form-regions",
        place=45,
        title=f"Regions of the closed forms against the main theorem's, σ = {sigma}",
        caption=(
            "How to read it: below a line the formula of that name is a proved bound for ε, at "
            "every order from 1 up. Dots: the paper's main theorem, which asks for q ≤ 1/5 and σ "
            "≥ 4. Solid: 2q²α/σ² is true up to there (certified change of sign)."
        ),
        parameters={"sigma": sigma},
        columns=COLUMNS,
        jobs=functools.partial(jobs, sigma),
        rows=rows,
        draw=draw,
        found=finding,
    )
    for sigma in ("4", "1")
)
