"""What this package hands over to ``sgm-verify``: its entry point names ``PAPER``."""

from __future__ import annotations

from proofs_checks.places import printed_place
from verify.claims.paper import Paper, Prove, ProveRun
from verify.results.kernel import Formal
from verify.results.verdicts import KernelRuns, KernelVerdicts


def _formal() -> Formal | None:
    from proofs_checks.kernel import read_result

    return read_result()


def _verdicts() -> KernelVerdicts:
    from proofs_checks.verdicts import read_kept

    return read_kept()


def _runs() -> KernelRuns:
    from proofs_checks.runs import kept

    return kept.read()


def _prover() -> Prove:
    from proofs_checks.verdicts import prove

    return prove


def _run_prover() -> ProveRun:
    from proofs_checks.runs import run_theorem

    return run_theorem


PAPER = Paper(
    package="proofs_checks",
    published=printed_place,
    read_formal=_formal,
    read_verdicts=_verdicts,
    read_runs=_runs,
    prover=_prover,
    run_prover=_run_prover,
    foundations={
        "main-theorem/statement": "the main theorem",
        "a-geq-b/corollary-7/statement": "A ≥ B",
    },
    figures=("proofs_checks.figures.series",),
)
