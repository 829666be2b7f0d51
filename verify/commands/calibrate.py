"""sgm-verify calibrate: the least noise, the most steps, the largest rate for a target."""

from __future__ import annotations

import click

from verify.accounting.calibrate import calibrate
from verify.accounting.history import RELATION, SAMPLING
from verify.budget import checked_seconds
from verify.commands import options, runs

WORDS = {"sigma": "smallest sigma", "steps": "most steps", "q": "largest q"}


@click.command("calibrate")
@click.option("--epsilon", required=True, help="Target epsilon.")
@click.option("--delta", required=True, help="Target delta.")
@click.option("--q", help="Sampling rate; leave out to find the largest.")
@click.option("--sigma", help="Noise multiplier; leave out to find the smallest.")
@click.option("--steps", help="Number of steps; leave out to find the most.")
@click.option("--relation", default=RELATION, show_default=True, help="Which neighbours.")
@click.option("--sampling", default=SAMPLING, show_default=True, help="How batches are drawn.")
@options.as_json
@options.max_seconds
def command(
    epsilon: str,
    delta: str,
    q: str | None,
    sigma: str | None,
    steps: str | None,
    relation: str,
    sampling: str,
    as_json: bool,
    max_seconds: float,
) -> None:
    """What is missing of q, sigma and steps, as good as the target (epsilon, delta) allows.

    \b
    sgm-verify calibrate --epsilon 2 --delta 1e-5 --q 0.01 --steps 1000
    sgm-verify calibrate --epsilon 2 --delta 1e-5 --q 0.01 --sigma 1

    The answer is a double (a whole number of steps) that is proved to meet the target by evaluation at
    exactly that number; its neighbour is proved not to meet it.
    """
    found = calibrate(
        epsilon=epsilon,
        delta=delta,
        q=q,
        sigma=sigma,
        steps=steps,
        relation=relation,
        sampling=sampling,
        max_seconds=checked_seconds(max_seconds),
    )
    if as_json:
        options.emit(
            {
                "relation": relation,
                "sampling": sampling,
                "epsilon": epsilon,
                "delta": delta,
                "parameter": found.parameter,
                "value": found.value if isinstance(found.value, int) else found.value.hex(),
                "optimum": {"lo": found.optimum.lo_str(25), "hi": found.optimum.hi_str(25)},
                "delta_there": runs.certified_json(found.delta, 16),
            }
        )
        return
    click.echo(f"{WORDS[found.parameter]:<16}{found.value!r}")
    if not isinstance(found.value, int):
        click.echo(f"hexadecimal     {found.value.hex()}")
    click.echo(f"delta there     at most {found.delta.hi_str(4)} <= {delta}, proved")
    if found.parameter == "q" and found.value == 1:
        click.echo("no q is larger than 1")
    else:
        click.echo("its neighbour   does not meet the target, proved")
