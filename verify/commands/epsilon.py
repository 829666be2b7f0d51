"""sgm-verify epsilon: the tight epsilon of a run, and what RDP makes of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from verify.accounting.best_order import ALL_ORDERS
from verify.accounting.exact import witness
from verify.accounting.history import checked_delta
from verify.accounting.questions import Account
from verify.accounting.rdp import rdp_table
from verify.accounting.renyi import RdpEpsilon
from verify.commands import options, runs
from verify.commands.run_answers import answer, beside, in_lines, rates
from verify.numbers.budget import Deadline, checked_digits, checked_seconds
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, SgmError
from verify.support.screen import WIDEST, fitted, table, width


@click.command("epsilon")
@runs.run_options
@click.option("--delta", required=True, help="Failure probability in [0, 1].")
@click.option(
    "--cross-check",
    is_flag=True,
    help="Also by the convolution of losses, a method of its own; a disagreement is an error.",
)
@runs.digits_option
@options.as_json
@options.max_seconds
def command(
    run: runs.AskedRun,
    delta: str,
    cross_check: bool,
    digits: int,
    as_json: bool,
    max_seconds: float,
) -> None:
    """The exact epsilon of a training run at a delta, certified, and epsilon by way of RDP.

    \b
    sgm-verify epsilon --q 256/60000 --sigma 1.1 --steps 14062 --delta 1e-5
    sgm-verify epsilon --records 50000 --batch 512 --epochs 20 --sigma 0.9 \\
        --sampling shuffle --delta 1e-5
    sgm-verify epsilon --history phases.csv --delta 1e-6 --json

    The answer is exact, or a bracket where nobody knows the exact value: its lower end is attained by data sets
    that are named, its upper end is proved. What nobody can answer is refused with the reason.
    """
    exact, digits = checked_delta(delta), checked_digits(digits)
    whole = Deadline(checked_seconds(max_seconds))

    def ask(account: Account, direction: str) -> Certified:
        return account.epsilon(exact, digits, direction)

    found = answer(run, ask, whole)
    other_way = _cross_checked(run, exact, found.whole, whole) if cross_check else None
    conversions = ("cks", "balle", "mironov") if as_json else ("cks", "mironov")
    rdp: list[RdpEpsilon] = []
    unknown = ""
    if 0 < exact < 1 and run.phases is not None:
        try:
            rdp = rdp_table(run.phases, exact, digits, whole, conversions)
        except SgmError as error:  # the tight answer stands without it
            unknown = f"{type(error).__name__}: {error}"
    if as_json:
        record: dict[str, Any] = {
            **runs.run_json(run, found.whole),
            "delta": delta,
            "digits": digits,
        }
        for name, value in {"tight": found.whole, **found.directions}.items():
            record[name] = runs.certified_json(value, digits)
        if other_way is not None:
            record["cross_check"] = {"method": witness.METHOD, **_ends(other_way)}
        record["rdp"] = [_rdp_json(one, digits) for one in rdp]
        if unknown:
            record["rdp_unknown"] = unknown
        options.emit(record)
        return
    few = min(digits, 4)
    other = beside("epsilon", run, found.whole, lambda a, d: a.epsilon(exact, few, d), whole)
    head = [
        *(other if run.assumed else []),
        fitted(f"{runs.describe_run(run)}; delta = {delta}"),
        "",
    ]
    body = in_lines("epsilon", run, found)
    body += rates("epsilon", run, lambda a, d: a.epsilon(exact, few, d), whole)
    tail = [] if run.assumed else other
    if other_way is not None:
        ends = _ends(other_way)
        body += [
            "",
            fitted(
                f"cross-check     by {witness.METHOD} in [{ends['lo']}, {ends['hi']}]: they agree"
            ),
        ]
    click.echo("\n".join([*head, *body, *_rdp_lines(found.whole, rdp), *tail]))
    if unknown:
        click.echo(fitted(f"\nby RDP          no answer ({unknown})"))


def _cross_checked(
    run: runs.AskedRun, delta: Fraction, found: Certified, deadline: Deadline
) -> Certified:
    if run.phases is None or not 0 < delta < 1:
        raise OutOfDomain(
            "--cross-check: for Poisson sampling, one record added or removed, and 0 < delta < 1"
        )
    return witness.checked_witness(found, witness.convolved_epsilon(run.phases, delta, deadline))


def _ends(found: Certified) -> dict[str, str]:
    return {"lo": found.lo_str(8), "hi": found.hi_str(8)}


def _rdp_json(one: RdpEpsilon, digits: int) -> dict[str, Any]:
    return {
        "orders": one.orders,
        "conversion": one.conversion,
        "epsilon": {"lo": one.epsilon.lo_str(digits + 3), "hi": one.epsilon.hi_str(digits + 3)},
        "order": {"lo": one.order.lo_str(12), "hi": one.order.hi_str(12)},
    }


def _rdp_lines(tight: Certified, rdp: list[RdpEpsilon]) -> list[str]:
    if not rdp or tight.hi == 0:
        return []
    rows = []
    for one in rdp:
        value = f"{float(one.epsilon.hi):.15g}"
        excess = f"{100 * (float(one.epsilon.hi) / float(tight.hi) - 1):+.3g} %"
        label = {"cks": "CKS, Balle", "mironov": "Mironov"}[one.conversion]
        order = f"{float(one.order.lo):.6g}"
        rows.append((f"  {label:<14}{one.orders}", value, order, excess))
    lines = table(
        (f"{'by RDP':<16}orders", "epsilon", "order", "excess"),
        rows,
        lambda name, value, order, excess: f"{name:<34}{value:<22}{order:<10}{excess}",
    )
    return ["", *lines, "", *_losses(tight, rdp)]


def _losses(tight: Certified, rdp: list[RdpEpsilon]) -> list[str]:
    """Where the excess comes from, one cause a line."""
    value = {(one.orders, one.conversion): float(one.epsilon.hi) for one in rdp}
    best = value[ALL_ORDERS, "cks"]
    basic = value[ALL_ORDERS, "mironov"]
    lost = {
        "lost to RDP (best order, CKS conversion)": best - float(tight.hi),
        "lost to the orders of dp-accounting": value["dp-accounting", "cks"] - best,
        "lost to the orders of opacus": value["opacus", "cks"] - best,
        "lost to the basic conversion (all real orders)": basic - best,
    }
    column = 51 if width() == WIDEST else 47
    return [fitted(f"{name:<{column}}{less:.6g}") for name, less in lost.items()]
