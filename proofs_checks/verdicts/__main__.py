"""``python -m proofs_checks.verdicts [--kept | --record]``; ``make verdicts`` runs it.

Compiles the library, proves two verdicts at whole orders and one at a fractional order, and tries the
known ways to deceive. With --kept, the kept verdicts are proved again and compared; --record keeps them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction

from proofs_checks.kernel import FormalError
from proofs_checks.verdicts import attempts, kept, library
from proofs_checks.verdicts.proving import SECONDS, ProvedVerdict, prove
from verify.numbers.budget import Deadline
from verify.numbers.errors import SgmError
from verify.numbers.point import Point


def example_proofs() -> Iterator[ProvedVerdict]:
    """Two whole orders, one fractional order."""
    whole, fractional = Point.of("0.01", "1.1", 8), Point.of("0.01", 4, "2.5")
    yield prove(whole, not_valid=Fraction("0.000584"))
    yield prove(whole.at_order(64), valid=Fraction("22"))
    yield prove(fractional, digits=6)


def main(arguments: Sequence[str] = ()) -> int:
    """0 if all is as it should be, 1 and why if not, 130 if interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs_checks.verdicts", description="Kernel verdicts: library, examples."
    )
    parser.add_argument(
        "--kept", action="store_true", help="prove the kept verdicts again, compare"
    )
    parser.add_argument(
        "--record", action="store_true", help="prove them again, and keep what is found"
    )
    options = parser.parse_args(arguments)
    try:
        library.ready(_say)
        if options.kept or options.record:
            return _again(options.record)
        for verdict in example_proofs():
            _say(verdict.as_text() + "\n")
        return _try_all()
    except (FormalError, SgmError, OSError) as error:
        print(f"verdicts: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("verdicts: interrupted", file=sys.stderr)
        return 130


def _again(record: bool) -> int:
    found = []
    for name, again in kept.proofs(SECONDS):
        verdict = again()
        found.append(verdict.as_part(name))
        if not record:
            kept.compare(found[-1], kept.read())
        _say(f"{name}: proved in {verdict.seconds:.0f} s, {verdict.lines} lines")
    if record:
        kept.record(found)
    elif len(found) != len(kept.read().verdicts):
        raise kept.Changed("more verdicts are kept than are proved")
    return 0


def _try_all() -> int:
    question, proof = attempts.honest(Deadline())
    holes = 0
    for attempt in attempts.ATTEMPTS:
        said = attempts.refusals(attempt, question, proof, SECONDS)
        holes += len(attempts.holes(attempt, said))
        _say(attempts.outcome(attempt, said))
    _say(f"{len(attempts.ATTEMPTS) - 1} lies tried, {holes} holes")
    return 1 if holes else 0


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
