"""What is shown at once, without the checks, is what the sources say: errata and claims, word by word."""

from __future__ import annotations

from pathlib import Path

import proofs_checks
from verify.claims.discovery import Installed
from verify.claims.kernel import theorems
from verify.commands.claims import outcome
from verify.results import document
from verify.results.claims import Recorded

RECORDED = document.read(Path(proofs_checks.__path__[0]) / "recorded.json", Recorded)
INSTALLED = Installed.here()


def test_the_errata_are_recorded_as_they_are_written() -> None:
    written = {claim.erratum for claim in INSTALLED.claims.values() if claim.erratum}
    told = {
        (e.number, e.date, e.title, e.says, e.charitable, e.repair, e.user) for e in written if e
    }
    names = ("the paper says", "read charitably", "repair", "for a user")
    kept = {
        (e.number, e.date, e.title, *(dict(e.told)[name] for name in names))
        for e in RECORDED.errata
    }
    assert kept == told  # else: sgm-verify claims --check --record


def test_the_claims_are_recorded_as_they_are_written() -> None:
    proved = theorems(INSTALLED.formal)
    for one in RECORDED.outcomes:
        assert one == outcome(INSTALLED.claims[one.id], RECORDED.levels, proved)
