"""sgm-verify delta: the tight delta of a run."""

from __future__ import annotations

import click

from verify.accounting.account import Account
from verify.accounting.history import checked_epsilon
from verify.budget import checked_digits, checked_seconds
from verify.commands import options, runs


@click.command("delta")
@runs.run_options
@click.option("--epsilon", required=True, help="epsilon >= 0, or inf.")
@runs.digits_option
@options.as_json
@options.max_seconds
def command(
    run: runs.AskedRun,
    epsilon: str,
    digits: int,
    as_json: bool,
    max_seconds: float,
) -> None:
    """The exact delta of a training run at an epsilon, certified.

    \b
    sgm-verify delta --q 256/60000 --sigma 1.1 --steps 14062 --epsilon 2.5
    """
    exact, digits = checked_epsilon(epsilon), checked_digits(digits)
    account = Account(run.phases, checked_seconds(max_seconds))
    given = "inf" if exact is None else exact
    names = {"tight": "both", "remove": "remove", "add": "add"}
    found = {name: account.delta(given, digits, direction) for name, direction in names.items()}
    if as_json:
        record = {**runs.run_json(run), "epsilon": epsilon, "digits": digits}
        options.emit(record | {name: runs.certified_json(v, digits) for name, v in found.items()})
        return
    click.echo(f"{runs.described(run)}; epsilon = {epsilon}\n")
    click.echo(f"tight delta     {runs.in_words(found['tight'])}")
    click.echo(f"  removing      {runs.in_words(found['remove'])}")
    click.echo(f"  adding        {runs.in_words(found['add'])}")
    click.echo(f"as a double     {runs.doubles_line(found['tight'])}")
