"""report.md: the same report for repositories and terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verify.report.collect import model
from verify.report.pages import captions, family_lines
from verify.report.pages.answers import answers
from verify.report.pages.family_lines import table
from verify.report.pages.mathml import words
from verify.results import matrix
from verify.results.claims import ClaimResult
from verify.results.document import digest
from verify.results.evidence import Verdict
from verify.results.figure import Figure
from verify.results.report import Kernel, Results, TablePoint
from verify.support.escaping import markdown as escaped
from verify.support.escaping import markdown_code as code


def formula(latex: str) -> str:
    """A formula as repositories show it; what could end it early is shown as it is written.

    Back-ticks inside the dollars keep Markdown from reading the formula first: it would drop the backslash of a brace.

    >>> formula(r"\\alpha \\ge |x| where q < 1")
    '$`\\\\alpha \\\\ge \\\\vert x\\\\vert \\\\text{ where } q < 1`$'
    """
    text = " ".join(words(latex).split())
    if not text or "`" in text or "$" in text or not text.isprintable():
        return code(latex)
    text = text.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
    return f"$`{' '.join(text.split())}`$"


def markdown(results: Results) -> str:
    """The whole report."""
    return "\n".join(_lines(results)).rstrip() + "\n"


def _lines(r: Results) -> Iterator[str]:
    n, p = r.numbers, r.provenance
    yield "# Which ε of DP-SGD can be trusted\n"
    for number, answer in enumerate(answers(r), start=1):
        yield f"{number}. **{escaped(answer.head)}** {escaped(answer.text)}"
    yield (
        f"\n{n.claims} claims of the paper checked, {n.proved} proved by kernel or symbolically, "
        f"{n.refuted} refuted; {n.beyond} results beyond the paper, {n.beyond_proved} proved; "
        f"{n.libraries} libraries judged.\n"
    )
    if r.failures:
        yield "## This run failed\n"
        yield from (f"* {escaped(line)}" for line in r.failures)
        yield ""
    yield from _accountants(r.accountants)
    yield from _runs(r.kernel)
    yield from _errata(r.claims)
    yield from _claims(r.claims)
    yield from _table_1(r.table_1)
    yield from family_lines.lines(r.families)
    yield from _figures(r.figures)
    yield "## Method and trust\n"
    yield from (f"* {line}" for line in captions.METHOD)
    yield "\n### Ground truth\n"
    checks = (
        [
            escaped(c.name),
            "passed" if c.passed else "**FAILED**",
            str(c.effective),
            str(c.vacuous),
            escaped(c.failure or c.statement),
        ]
        for c in r.ground_truth
    )
    yield from table(["check", "result", "effective", "vacuous", "shown"], checks)
    yield from _kernel(r.kernel)
    yield "### Not covered\n"
    yield from (f"* {escaped(line)}" for line in r.not_covered)
    yield ""
    if r.changes:
        yield "## Changes\n"
        rows = ([escaped(c.what), escaped(c.before), escaped(c.after)] for c in r.changes.rows)
        yield from table(["what", "before", "after"], rows)
    yield "## Provenance\n"
    state = {True: "clean", False: "with changes", None: "not a checkout"}[p.clean]
    yield f"sgm-verify {escaped(p.sgm_verify)}, commit {code(p.commit or 'unknown')} ({state}), Python {escaped(p.python)}, profile {p.profile}."
    yield (
        "Libraries: "
        + ", ".join(f"{escaped(k)} {escaped(v)}" for k, v in p.libraries.items())
        + "."
    )
    yield f"Digest of the results: {code(digest(r))}."


def _accountants(found: matrix.Matrix | None) -> Iterator[str]:
    if found is None:
        return
    yield "## Accountants of whole runs\n"
    head = ["accountant", *matrix.USES]
    yield from table(
        head, ([escaped(row.title), *(escaped(c.words) for c in row.cells)] for row in found.rows)
    )
    yield matrix.legend(found) + "\n"
    yield "Worst answers:\n"
    for row in found.rows:
        for cell in row.cells:
            if worst := cell.worst:
                asked = escaped(f"{row.title}, {cell.use}: {matrix.question(worst)}")
                yield f"* {asked}: answer {worst.answer}, exact {escaped(matrix.exact(worst))}"
    yield ""


def _runs(kernel: Kernel | None) -> Iterator[str]:
    if kernel is None or not kernel.runs:
        return
    yield "## Whole runs, by theorem\n"
    rows = (
        [escaped(run.of), escaped(run.words), escaped(run.how), code(run.proof_sha256[:16])]
        for run in kernel.runs
    )
    yield from table(["of", "theorem, checked by Coq's kernel", "by", "SHA-256 of the proof"], rows)


def _errata(claims: Iterable[ClaimResult]) -> Iterator[str]:
    yield "## Errata\n"
    known = list(claims)
    for error in model.errata(known):
        yield f"### {escaped(error.erratum.title)} ({escaped(error.severity)})\n"
        yield from (f"* **{name}**: {escaped(text)}" for name, text in error.told())
        yield "* claims: " + ", ".join(f"{code(c.id)} ({escaped(c.place)})" for c in error.claims)
        yield ""
    rows = []
    for c in model.by_severity([c for c in known if not c.erratum], Verdict.REFUTED):
        rows.append(
            [
                escaped(c.severity),
                f"{code(c.id)} ({escaped(c.place)})",
                formula(c.statement),
                formula(c.repair),
                escaped(model.counterexample(c)),
            ]
        )
    if rows:
        yield from table(
            ["severity", "claim", "the paper says", "what is true", "counterexample"], rows
        )


def _claims(claims: Iterable[ClaimResult]) -> Iterator[str]:
    yield "## Claims by section\n"
    yield captions.SYMBOLS + "\n"
    for section, those in model.by_section(claims).items():
        yield f"### {escaped(section)}\n"
        rows = []
        for c in those:
            counts = (
                sum(e.effective for e in c.evidence),
                sum(e.vacuous for e in c.evidence),
            )
            verdict = "holds" if c.verdict is Verdict.HOLDS else f"**{c.verdict}**"
            domain = formula(c.domain)
            rows.append(
                [
                    code(c.id),
                    escaped(c.place),
                    formula(c.statement),
                    domain,
                    verdict,
                    escaped(c.severity),
                    (c.strongest or "none")
                    + (f" (counterexample: {c.against})" if c.against else ""),
                    f"{counts[0]} / {counts[1]}",
                ]
            )
        yield from table(
            [
                "id",
                "place",
                "statement",
                "domain",
                "verdict",
                "severity",
                "evidence",
                "effective / vacuous",
            ],
            rows,
        )
    yield "Check one again: `sgm-verify claims --check ID`.\n"


def _table_1(points: Iterable[TablePoint]) -> Iterator[str]:
    yield "## Table 1 re-derived\n"
    for point in points:
        yield f"q = {escaped(point.q)}, sigma = {escaped(point.sigma)}, alpha = {escaped(point.alpha)}: epsilon = {escaped(point.epsilon)}\n"
        rows = (
            [
                escaped(x.source),
                code(x.formula),
                escaped(x.applies),
                escaped(x.bound or "–"),
                escaped(x.holds or "–"),
            ]
            for x in point.rows
        )
        yield from table(["source", "bound", "conditions hold", "value", "true here"], rows)


def _figures(figures: Iterable[Figure]) -> Iterator[str]:
    yield "## Figures\n"
    for figure in figures:
        yield f"![{escaped(figure.title)}](figures/{figure.id}.svg)\n"
        yield f"**{escaped(figure.title)}.** {escaped(figure.caption)} Data: `results.json`.\n"


def _kernel(kernel: Kernel | None) -> Iterator[str]:
    yield "### Formal proofs\n"
    if kernel is None:
        yield "No result made from the present sources.\n"
        return
    yield f"Coq {escaped(kernel.coq)}: {len(kernel.theorems)} theorems, no admitted proof. Axioms allowed: {', '.join(map(code, kernel.allowed))}.\n"
    for v in kernel.enclosures:
        yield f"* {escaped(v.words)}"
    yield from [""] if kernel.enclosures else []
