"""sgm-verify calibrate: the least noise, the most steps, the largest rate for a target."""

from __future__ import annotations

import click

from verify.accounting.calibration import calibrate
from verify.accounting.pairs.notions import BY_EPOCHS, POISSON, sampling_named
from verify.accounting.pairs.run import usual_relation
from verify.commands import options, runs
from verify.commands.loader import loader_to_fill
from verify.commands.run_answers import field
from verify.numbers.budget import checked_seconds
from verify.numbers.errors import OutOfDomain
from verify.support.screen import fitted

WORDS = {
    "sigma": "smallest sigma",
    "steps": "most steps",
    "epochs": "most epochs",
    "q": "largest q",
}

_OTHER_SIDE = {
    True: "its neighbour   does not meet the target, proved",
    False: "slightly more   is not shown to meet it: the exact delta is not known",
}


@click.command("calibrate")
@click.option("--epsilon", required=True, help="Target epsilon.")
@click.option("--delta", required=True, help="Target delta.")
@click.option("--q", help="Sampling rate; leave out to find the largest.")
@options.sigma("Noise multiplier; leave out to find the smallest.")
@click.option(
    "--steps", help="Number of steps; leave out to find the most. Or the batches of one epoch."
)
@click.option(
    "--epochs",
    help="Number of epochs, for samplings by epochs or with --records and --batch; leave out to find the most.",
)
@click.option("--records", help="Number of records, with --batch instead of --q and --steps.")
@options.batch("Batch size, with --records.")
@click.option("--drop-last", is_flag=True, help="The loader drops a last, smaller batch.")
@runs.notion_options
@options.as_json
@options.max_seconds
def command(
    epsilon: str,
    delta: str,
    q: str | None,
    sigma: str | None,
    steps: str | None,
    epochs: str | None,
    records: str | None,
    batch: str | None,
    drop_last: bool,
    relation: str | None,
    sampling: str | None,
    group: str,
    as_json: bool,
    max_seconds: float,
) -> None:
    """The least noise, the most steps or epochs, or the largest rate that meets a target (epsilon, delta).

    \b
    sgm-verify calibrate --epsilon 2 --delta 1e-5 --q 0.01 --steps 1000
    sgm-verify calibrate --epsilon 2 --delta 1e-5 --q 0.01 --sigma 1
    sgm-verify calibrate --epsilon 3 --delta 1e-5 --records 50000 --batch 512 \\
        --epochs 20 --sampling poisson
    sgm-verify calibrate --epsilon 8 --delta 1e-5 --steps 100 --epochs 10 \\
        --sampling shuffle

    The answer is a double (a whole number of steps) that is proved to meet the target by evaluation at
    exactly that number; its neighbour is proved not to meet it.
    """
    drawn = sampling_named(sampling or POISSON)
    neighbours = relation or usual_relation(drawn)
    rows = {"q": q, "sigma": sigma, "steps": steps, "epochs": epochs}
    loader = loader_to_fill(rows, records, batch, drop_last)
    if loader is not None and drawn in BY_EPOCHS and loader.full().stage(drawn).idle:
        raise OutOfDomain(
            f"{drawn} with a smaller last batch is not calibrated: choose a batch size that divides the number of "
            f"records, or give --steps {loader.batches} instead of --records and --batch, for epochs of as many equal "
            "batches, and check what is found with sgm-verify epsilon"
        )
    found = calibrate(
        epsilon=epsilon,
        delta=delta,
        q=q,
        sigma=sigma,
        steps=steps,
        epochs=epochs,
        records=records,
        batch=batch,
        drop_last=drop_last,
        relation=neighbours,
        sampling=drawn,
        group=group,
        max_seconds=checked_seconds(max_seconds),
    )
    if as_json:
        options.emit(
            {
                "relation": neighbours,
                "sampling": drawn,
                **({} if sampling else {"assumption": runs.ASSUMPTION}),
                **({"loader": loader.as_json(drawn)} if loader else {}),
                "exact": found.exact,
                "epsilon": epsilon,
                "delta": delta,
                "parameter": found.parameter,
                "value": found.value if isinstance(found.value, int) else found.value.hex(),
                "optimum": {"lo": found.optimum.lo_str(25), "hi": found.optimum.hi_str(25)},
                "delta_there": runs.certified_json(found.delta, 16),
            }
        )
        return
    if sampling is None:
        click.echo(
            fitted("Assumed: Poisson sampling. A shuffled loader needs much more noise: ask")
        )
        click.echo("with --sampling shuffle.\n")
    if loader is not None:
        click.echo(fitted(str(loader)))
    click.echo(f"{drawn}, {neighbours}\n")
    click.echo(f"{WORDS[found.parameter]:<16}{found.value!r}")
    if not isinstance(found.value, int):
        click.echo(f"hexadecimal     {found.value.hex()}")
    elif loader is not None and found.parameter == "steps":
        click.echo(f"in epochs       {found.value // loader.batches} of {loader.batches} batches")
    click.echo(fitted(f"delta there     at most {found.delta.hi_str(4)} <= {delta}, proved"))
    if found.parameter == "q" and found.value == 1:
        click.echo("no q is larger than 1")
    else:
        click.echo(fitted(_OTHER_SIDE[found.exact]))
    if loader is not None and drawn == POISSON and (other := loader.other_rate()):
        click.echo(field("rate", other))
