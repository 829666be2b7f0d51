"""sgm-verify epsilon: the tight epsilon of a run, and what RDP makes of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from verify.accounting.account import Account
from verify.accounting.best_order import ALL_ORDERS
from verify.accounting.history import checked_delta
from verify.accounting.rdp import rdp_table
from verify.accounting.renyi import RdpEpsilon
from verify.budget import Deadline, checked_digits, checked_seconds
from verify.certified import Certified
from verify.commands import options, runs
from verify.errors import BudgetExceeded, SgmError

_PART = 0.75  # of the time that is left, for a direction; the rest is for what follows


@click.command("epsilon")
@runs.run_options
@click.option("--delta", required=True, help="Failure probability in [0, 1].")
@runs.digits_option
@options.as_json
@options.max_seconds
def command(
    run: runs.AskedRun,
    delta: str,
    digits: int,
    as_json: bool,
    max_seconds: float,
) -> None:
    """The exact epsilon of a training run at a delta, certified, and epsilon by way of RDP.

    \b
    sgm-verify epsilon --q 256/60000 --sigma 1.1 --steps 14062 --delta 1e-5
    sgm-verify epsilon --history phases.csv --delta 1e-6 --json
    """
    exact, digits, seconds = (
        checked_delta(delta),
        checked_digits(digits),
        checked_seconds(max_seconds),
    )
    whole = Deadline(seconds)
    account = Account(run.phases, seconds)
    remove, add = (_asked(account, exact, digits, d, whole) for d in ("remove", "add"))
    tight = account.epsilon(exact, digits)
    conversions = ("cks", "balle", "mironov") if as_json else ("cks", "mironov")
    rdp: list[RdpEpsilon] = []
    unknown = ""
    if 0 < exact < 1:
        try:
            rdp = rdp_table(run.phases, exact, digits, whole, conversions)
        except SgmError as error:  # the tight answer stands without it
            unknown = f"{type(error).__name__}: {error}"
    if as_json:
        record: dict[str, Any] = {**runs.run_json(run), "delta": delta}
        record["digits"] = digits
        for name, value in (("tight", tight), ("remove", remove), ("add", add)):
            record[name] = runs.certified_json(value, digits)
        record["rdp"] = [_rdp_json(one, digits) for one in rdp]
        if unknown:
            record["rdp_unknown"] = unknown
        options.emit(record)
        return
    click.echo(_text(f"{runs.described(run)}; delta = {delta}", remove, add, tight, rdp))
    if unknown:
        click.echo(f"\nby RDP          no answer ({unknown})")


def _asked(
    account: Account, delta: Fraction, digits: int, direction: str, whole: Deadline
) -> Certified:
    """epsilon in one direction, within its part of the time left."""
    account.max_seconds = max(_PART * whole.left(), 1e-9)
    try:
        return account.epsilon(delta, digits, direction)
    except BudgetExceeded:
        raise whole.exceeded() from None


def _rdp_json(one: RdpEpsilon, digits: int) -> dict[str, Any]:
    return {
        "orders": one.orders,
        "conversion": one.conversion,
        "epsilon": {"lo": one.epsilon.lo_str(digits + 3), "hi": one.epsilon.hi_str(digits + 3)},
        "order": {"lo": one.order.lo_str(12), "hi": one.order.hi_str(12)},
    }


def _text(
    head: str,
    remove: Certified,
    add: Certified,
    tight: Certified,
    rdp: list[RdpEpsilon],
) -> str:
    lines = [head, ""]
    lines += [
        f"tight epsilon   {runs.in_words(tight)}",
        f"  removing      {runs.in_words(remove)}",
        f"  adding        {runs.in_words(add)}",
        f"as a double     {runs.doubles_line(tight)}",
    ]
    if rdp and tight.hi != 0:
        lines += ["", f"{'by RDP':<16}{'orders':<18}{'epsilon':<22}{'order':<10}excess"]
        for one in rdp:
            value = f"{float(one.epsilon.hi):.15g}"
            excess = f"{100 * (float(one.epsilon.hi) / float(tight.hi) - 1):+.3g} %"
            label = {"cks": "CKS, Balle", "mironov": "Mironov"}[one.conversion]
            order = f"{float(one.order.lo):.6g}"
            lines.append(f"  {label:<14}{one.orders:<18}{value:<22}{order:<10}{excess}")
        lines += ["", *_losses(tight, rdp)]
    return "\n".join(lines)


def _losses(tight: Certified, rdp: list[RdpEpsilon]) -> list[str]:
    """Where the excess comes from, one cause a line."""
    value = {(one.orders, one.conversion): float(one.epsilon.hi) for one in rdp}
    best = value[ALL_ORDERS, "cks"]
    lines = [f"lost to RDP (best order, CKS conversion)           {best - float(tight.hi):.6g}"]
    lines += [
        f"{f'lost to the orders of {name}':<51}{value[name, 'cks'] - best:.6g}"
        for name in ("dp-accounting", "opacus")
    ]
    lines.append(
        f"{'lost to the basic conversion (all real orders)':<51}"
        f"{value[ALL_ORDERS, 'mironov'] - best:.6g}"
    )
    return lines
