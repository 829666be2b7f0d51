"""sgm-verify prove: a theorem about one number, checked by the kernel of a proof assistant."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import click

from verify.budget import checked_seconds
from verify.certified import nearest_double
from verify.claims.proving import prover
from verify.commands import options
from verify.errors import OutOfDomain, SgmError
from verify.point import Point, exact

SECONDS = 600.0


@click.command("prove")
@click.option(
    "--q", metavar="Q", required=True, help="Sampling rate in [0, 1], exactly as written."
)
@click.option("--sigma", metavar="SIGMA", required=True, help="Noise multiplier > 0.")
@click.option("--alpha", metavar="ALPHA", required=True, help="Order > 1, finite.")
@click.option("--not-valid", metavar="X", help="Prove that X is too small: no valid RDP parameter.")
@click.option("--valid", metavar="X", help="Prove that X is a valid RDP parameter.")
@click.option("--digits", type=int, help="Prove an enclosure of epsilon by decimals of N digits.")
@click.option("--reverse", is_flag=True, help="Of D(mu0 || mu), the smaller direction, instead.")
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
    q: str,
    sigma: str,
    alpha: str,
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
) -> None:
    """A Coq theorem about one number: X is too small, X is valid, or where epsilon lies.

    \b
    sgm-verify prove --q 0.01 --sigma 1.1 --alpha 8 --not-valid 0.00058
    sgm-verify prove --q 0.01 --sigma 1.1 --alpha 8.5 --valid 0.00063 --out DIR
    sgm-verify prove --q 0.5 --sigma 50 --alpha 63.5 --digits 10

    The theorem speaks of the mechanism itself: every type of records, every dimension, every function
    of sensitivity 1. Needs Coq with Coquelicot and Interval (Debian: coq libcoq-coquelicot libcoq-interval).
    """
    if sum(v is not None for v in (not_valid, valid, digits)) != 1:
        raise OutOfDomain("give one of --not-valid X, --valid X and --digits N")
    named = {"q": q, "sigma": sigma, "alpha": alpha}
    point = Point.of(**{name: _number(name, text, doubles) for name, text in named.items()})
    try:
        given = None if proof is None else proof.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise OutOfDomain(f"{proof}: cannot be read ({error.strerror})") from error
    options.hear_terminate()
    try:
        verdict = prover().prove(
            point,
            not_valid=None if not_valid is None else _x(not_valid, doubles),
            valid=None if valid is None else _x(valid, doubles),
            digits=digits,
            reverse=reverse,
            fast=fast,
            proof=given,
            out=out,
            max_seconds=checked_seconds(max_seconds),
            say=lambda line: click.echo(line, err=True),
        )
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


def _number(name: str, text: str, double: bool) -> str | float:
    """The text as it is, or the double next to what it says."""
    if not double:
        return text
    found = exact(name, text, "a number")
    return math.inf if found is None else nearest_double(found)


def _x(text: str, double: bool) -> Fraction:
    found = exact("X", _number("X", text, double), "a finite number")
    if found is None:
        raise OutOfDomain("X = inf: must be a finite number")
    return found
