"""Whether a report still says what the sources say: claims, theorems, libraries, records."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claims.kernel import about_numbers, about_runs
from verify.claims.model import Claim
from verify.report.collect.collect import Plan, accountants, families, recorded_figures
from verify.results.claims import ClaimResult
from verify.results.report import Results

_FIELDS = ("statement", "domain", "words", "repair", "severity")


def reasons(results: Results, plan: Plan) -> Iterator[str]:
    """Every way in which a report is behind what the plan would find; none if it is current."""
    declared = plan.installed.claims
    shown = {row.id: row for row in results.claims}
    for name in sorted({*declared, *shown}):
        if name not in shown or name not in declared:
            yield f"claim {name} is " + ("not in the report" if name in declared else "gone")
        else:
            yield from (f"claim {name}: {what}" for what in _behind(declared[name], shown[name]))
    present = plan.installed.formal[0].digest if plan.installed.formal else None
    if present != (results.kernel.digest if results.kernel else None):
        yield "the formal development has another digest"
    if results.kernel and about_numbers(plan.installed.verdicts) != results.kernel.verdicts:
        yield "the theorems about single numbers are others"
    if results.kernel and about_runs(plan.installed.runs) != results.kernel.runs:
        yield "the theorems about whole runs are others"
    if families(plan)[0] != results.families:
        yield "the results on libraries are others"
    if accountants(plan)[0] != results.accountants:
        yield "the recorded answers of accountants are others"
    records, _ = recorded_figures(plan)
    for plot in (plot for plot in plan.figures if plot.file):
        record = records.get(plot.id)
        if (record.sha256 if record else None) != results.provenance.inputs.get(plot.file):
            yield f"the recorded {plot.id} are others"
        if record and record.outdated:
            yield f"the recorded {plot.id} are {record.outdated}"


def _behind(claim: Claim, row: ClaimResult) -> Iterator[str]:
    if claim.verdict is not row.recorded:
        yield "verdict"
    yield from (field for field in _FIELDS if getattr(claim, field) != getattr(row, field))
