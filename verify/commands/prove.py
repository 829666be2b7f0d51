"""sgm-verify prove: a theorem about one number or about a whole run, checked by the kernel of a proof assistant."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click

from verify.accounting.history import phase
from verify.accounting.pairs.notions import POISSON, sampling_named
from verify.claims.paper import Proved
from verify.claims.proving import prover, run_prover
from verify.commands import options, runs
from verify.numbers.budget import checked_seconds
from verify.numbers.certified import nearest_double
from verify.numbers.errors import OutOfDomain, SgmError
from verify.numbers.point import Number, Point, exact

SECONDS = 600.0


@click.command("prove")
@click.option("--q", metavar="Q", help="Sampling rate in [0, 1], exactly as written.")
@options.sigma("Noise multiplier > 0.", metavar="SIGMA")
@click.option("--alpha", metavar="ALPHA", help="Order > 1, finite.")
@click.option("--not-valid", metavar="X", help="Prove that X is too small: no valid parameter.")
@click.option("--valid", metavar="X", help="Prove that X is a valid RDP parameter.")
@click.option(
    "--digits",
    type=int,
    help="Prove an enclosure of N digits; of a run, its least provable epsilon.",
)
@click.option(
    "--run", "whole_run", is_flag=True, help="A theorem about a whole run, of (epsilon, delta)."
)
@click.option("--steps", metavar="T", help="Of a run: number of steps.")
@click.option("--delta", metavar="D", help="Of a run: failure probability between 0 and 1.")
@click.option("--epsilon", metavar="E", help="Of a run: prove that it is (E, D)-DP.")
@click.option(
    "--history",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Of a run: several phases, CSV with columns q, sigma, steps, or a JSON list of objects.",
)
@click.option("--records", metavar="N", help="Of a run: records, with --batch and --epochs.")
@options.batch("Of a run: expected size of a batch; q = B/N.", metavar="B")
@click.option("--epochs", metavar="E", help="Of a run: epochs, each of N/B batches, rounded up.")
@click.option("--drop-last", is_flag=True, help="Of a run: the loader drops a last, smaller batch.")
@click.option(
    "--tight",
    is_flag=True,
    help="Of a run: by the exact pair instead of RDP. With --epsilon E: that it is (E, D)-DP, for E down to "
    "just above the exact epsilon. Without: an epsilon that is valid and one below it that is not, of "
    "--digits N, or as near to each other as time allows.",
)
@click.option("--reverse", is_flag=True, help="Take D(mu0 || mu), the smaller direction, instead.")
@click.option(
    "--doubles",
    is_flag=True,
    help="Every number means the double next to it, exactly: as a library got it, and answered.",
)
@click.option(
    "--fast",
    is_flag=True,
    help="Machine integers instead of Coq's own: faster, and resting on further axioms, which are listed.",
)
@click.option(
    "--proof",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Check this proof instead of making one.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the proof and its check file in this folder.",
)
@options.as_json
@click.option(
    "--max-seconds",
    type=float,
    default=SECONDS,
    show_default=True,
    help="Time allowed for everything; when it runs out there is no theorem.",
)
def command(
    q: str | None,
    sigma: str | None,
    alpha: str | None,
    not_valid: str | None,
    valid: str | None,
    digits: int | None,
    reverse: bool,
    doubles: bool,
    fast: bool,
    proof: Path | None,
    out: Path | None,
    as_json: bool,
    max_seconds: float,
    **of_run: Any,
) -> None:
    """A Coq theorem about one number: X is too small, X is valid, or where epsilon lies; or about a run.

    \b
    sgm-verify prove --q 0.01 --sigma 1.1 --alpha 8 --not-valid 0.00058
    sgm-verify prove --q 0.01 --sigma 1.1 --alpha 8.5 --valid 0.00063 --out DIR
    sgm-verify prove --q 0.5 --sigma 50 --alpha 63.5 --digits 10
    sgm-verify prove --run --q 0.01 --sigma 1.1 --steps 1000 --delta 1e-5 \\
        --epsilon 1.72
    sgm-verify prove --run --history phases.csv --delta 1e-6 --digits 4
    sgm-verify prove --run --q 0.01 --sigma 1.1 --steps 1000 --delta 1e-5 \\
        --tight --digits 3

    The theorem speaks of the mechanism itself: every type of records, every dimension, every function
    of sensitivity 1. Needs Coq with Coquelicot and Interval (Debian: coq libcoq-coquelicot libcoq-interval).
    """
    asked: dict[str, Any] = {"max_seconds": checked_seconds(max_seconds), "fast": fast, "out": out}
    asked |= {"proof": _proof(proof), "digits": digits, "say": _say}
    name = "epsilon" if of_run["whole_run"] else "X"
    asked["not_valid"] = None if not_valid is None else _x(not_valid, doubles, name)
    if of_run["whole_run"]:
        if alpha is not None or valid is not None or reverse:
            raise OutOfDomain("--alpha, --valid and --reverse are not about runs")
        prove = _about_run(q, sigma, doubles, asked, **of_run)
    else:
        if given := [name for name, value in of_run.items() if value]:
            raise OutOfDomain(
                f"--{given[0].replace('file', 'history').replace('_', '-')} is about a run: add --run"
            )
        if q is None or sigma is None or alpha is None:
            raise OutOfDomain("give --q, --sigma and --alpha, or --run")
        if sum(v is not None for v in (not_valid, valid, digits)) != 1:
            raise OutOfDomain("give one of --not-valid X, --valid X and --digits N")
        named = {"q": q, "sigma": sigma, "alpha": alpha}
        point = Point.of(**{name: _number(name, text, doubles) for name, text in named.items()})
        asked |= {"valid": None if valid is None else _x(valid, doubles), "reverse": reverse}
        prove = partial(prover(), point, **asked)
    options.hear_terminate()
    try:
        verdict = prove()
    except OutOfDomain:
        raise
    except SgmError as error:
        if not as_json:
            raise
        options.emit({"verdict": "none", "error": type(error).__name__, "why": str(error)})
        raise click.exceptions.Exit(1) from None
    if as_json:
        options.emit(verdict.as_json())
    else:
        click.echo(verdict.as_text())


def _about_run(
    q: str | None,
    sigma: str | None,
    doubles: bool,
    asked: dict[str, Any],
    *,
    steps: str | None,
    delta: str | None,
    epsilon: str | None,
    file: Path | None,
    records: str | None,
    batch: str | None,
    epochs: str | None,
    drop_last: bool,
    tight: bool,
    **_: object,
) -> Callable[[], Proved]:
    """How the theorem about a run is to be proved."""
    if delta is None:
        raise OutOfDomain("give --delta")
    given = sum(v is not None for v in (epsilon, asked["not_valid"], asked["digits"]))
    if given != 1 and not (tight and given == 0):
        raise OutOfDomain("give one of --epsilon E, --not-valid E and --digits N")
    asked["tight"] = tight
    run = runs.read_run(
        q=q,
        sigma=sigma,
        steps=steps,
        file=file,
        records=records,
        batch=batch,
        epochs=epochs,
        drop_last=drop_last,
        sampling=POISSON,
    )
    for row in run.typed:
        if (sampling := sampling_named(row.get("sampling") or POISSON)) != POISSON:
            raise OutOfDomain(f"the theorems are about poisson sampling, not about {sampling}")
    if run.loader and run.phases is not None:
        phases = run.phases
        if doubles:
            phases = tuple(
                phase(nearest_double(p.q), nearest_double(p.sigma), p.steps) for p in phases
            )
    else:
        phases = tuple(
            phase(
                _exactly("q", row["q"], doubles),
                _exactly("sigma", row["sigma"], doubles),
                row["steps"],
            )
            for row in run.typed
        )
    asked["epsilon"] = None if epsilon is None else _x(epsilon, doubles, "epsilon")
    return partial(run_prover(), phases, _x(delta, doubles, "delta"), **asked)


def _exactly(name: str, value: Number, double: bool) -> Number:
    return _number(name, value, double) if isinstance(value, str) else value


def _proof(path: Path | None) -> str | None:
    try:
        return None if path is None else path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise OutOfDomain(f"{path}: cannot be read ({error.strerror})") from error


def _say(line: str) -> None:
    click.echo(line, err=True)


def _number(name: str, text: str, double: bool) -> str | float:
    """The text as it is, or the double next to what it says."""
    if not double:
        return text
    found = exact(name, text, "a number")
    return math.inf if found is None else nearest_double(found)


def _x(text: str, double: bool, name: str = "X") -> Fraction:
    found = exact(name, _number(name, text, double), "a finite number")
    if found is None:
        raise OutOfDomain(f"{name} = inf: must be a finite number")
    return found
