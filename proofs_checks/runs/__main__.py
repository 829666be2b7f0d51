"""``python -m proofs_checks.runs [--kept | --record] [WORD ...]``; ``make verdicts`` runs it.

Proves one certificate by RDP, one by the exact pair, two refutations, and tries the known ways to
deceive. With --kept, the kept theorems whose names hold one of the words (all without words) are
proved again and compared; --record proves them and keeps what is found.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction

from proofs_checks.kernel import FormalError
from proofs_checks.runs import attempts, kept
from proofs_checks.runs.prove import ProvedRun, prove_run
from proofs_checks.verdicts import library
from proofs_checks.verdicts.attempts import holes, outcome
from proofs_checks.verdicts.kept import Changed
from proofs_checks.verdicts.proving import SECONDS
from verify.accounting.history import phase
from verify.numbers.errors import SgmError


def example_proofs() -> Iterator[ProvedRun]:
    """A certificate by RDP and one by the exact pair, a refutation by a threshold and one by a lattice."""
    ordinary, tenth = (phase("0.01", "1.1", 1000),), Fraction(1, 10**5)
    yield prove_run(ordinary, tenth, epsilon=Fraction("1.72"))
    yield prove_run((phase("0.1", 2, 20),), tenth, epsilon=Fraction("1.2"), tight=True)
    yield prove_run((phase("0.0002", "0.65", 5000),), Fraction(1, 10**13), not_valid=Fraction(3))
    yield prove_run(ordinary, tenth, not_valid=Fraction("1.45"))


def main(arguments: Sequence[str] = ()) -> int:
    """0 if all is as it should be, 1 and why if not, 130 if interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs_checks.runs", description="Theorems about runs: examples, lies."
    )
    parser.add_argument("--kept", action="store_true", help="prove the kept ones again, compare")
    parser.add_argument("--record", action="store_true", help="prove them again, and keep them")
    parser.add_argument("words", nargs="*", help="only those whose names hold one of these")
    options = parser.parse_args(arguments)
    try:
        library.ready(_say)
        if options.kept or options.record:
            return _again(options.record, options.words)
        for proved in example_proofs():
            _say(proved.as_text() + "\n")
        return _try_all()
    except (FormalError, SgmError, OSError) as error:
        print(f"runs: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("runs: interrupted", file=sys.stderr)
        return 130


def _again(record: bool, words: Sequence[str]) -> int:
    before = {part.of: part for part in kept.read().runs} if kept.PATH.exists() else {}
    proofs = dict(kept.proofs(2 * SECONDS))
    for name, again in proofs.items():
        if words and not any(word in name for word in words):
            continue
        proved = again()
        part = proved.as_part(name)
        if record:
            before[name] = part
            kept.record([before[n] for n in proofs if n in before])
        else:
            kept.compare(part, kept.read())
        _say(f"{name}: proved in {proved.seconds:.0f} s, {proved.lines} lines")
    if not words and not record and list(proofs) != [part.of for part in kept.read().runs]:
        raise Changed("other theorems are kept than are proved")
    return 0


def _try_all() -> int:
    wrong = count = 0
    for tried, (question, proof) in (
        (attempts.ATTEMPTS, attempts.honest()),
        (attempts.TIGHT_ATTEMPTS, attempts.honest_tight()),
    ):
        for attempt in tried:
            said = attempts.refusals(attempt, question, proof, SECONDS)
            wrong += len(holes(attempt, said))
            _say(outcome(attempt, said))
        count += len(tried) - 1
    _say(f"{count} lies tried, {wrong} holes")
    return 1 if wrong else 0


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
