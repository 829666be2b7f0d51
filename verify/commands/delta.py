"""sgm-verify delta: the tight delta of a run."""

from __future__ import annotations

import click

from verify.accounting.history import checked_epsilon
from verify.accounting.questions import Account
from verify.commands import options, runs
from verify.commands.run_answers import answer, beside, in_lines, rates
from verify.numbers.budget import Deadline, checked_digits, checked_seconds
from verify.numbers.certified import Certified
from verify.support.screen import fitted


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
    whole = Deadline(checked_seconds(max_seconds))
    given = "inf" if exact is None else exact

    def ask(account: Account, direction: str) -> Certified:
        return account.delta(given, digits, direction)

    found = answer(run, ask, whole)
    if as_json:
        record = {**runs.run_json(run, found.whole), "epsilon": epsilon, "digits": digits}
        numbers = {"tight": found.whole, **found.directions}
        options.emit(record | {name: runs.certified_json(v, digits) for name, v in numbers.items()})
        return
    few = min(digits, 4)
    other = beside("delta", run, found.whole, lambda a, d: a.delta(given, few, d), whole)
    head = [
        *(other if run.assumed else []),
        fitted(f"{runs.describe_run(run)}; epsilon = {epsilon}"),
        "",
    ]
    body = in_lines("delta", run, found)
    body += rates("delta", run, lambda a, d: a.delta(given, few, d), whole)
    tail = [] if run.assumed else other
    click.echo("\n".join([*head, *body, *tail]))
