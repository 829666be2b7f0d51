"""The tables of libraries in README and docs, written from the adapters and the recorded checks.

    python -m verify.judge.show.tables            # write them, in the project's folder
    python -m verify.judge.show.tables --check    # 1 if a page is not up to date

A page says where a table belongs: between ``<!-- table: NAME ... -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import click

from verify import rdp
from verify.claims.kernel import about_numbers, kept_verdicts
from verify.claims.paper import papers
from verify.judge.causes.families import LibraryFamily, families
from verify.judge.protocol import libraries
from verify.judge.show.gain import TARGETS, Gain, gain
from verify.numbers.errors import OutOfDomain, SgmError
from verify.results import document
from verify.results.accountants import Accountants
from verify.results.conformance import GOOD, Conformance, Effect, Region, good
from verify.results.matrix import RECORDS, USES, Matrix, command, exact, matrix, question
from verify.results.verdicts import KernelVerdict

PAGES = ("README.md", "docs/accountants.md", "docs/conformance.md", "docs/verdicts.md")
REPORTS = Path("reports")
RECORDED = REPORTS / "conformance"
_PLACE = re.compile(r"(<!-- table: (\w+)[^\n]*-->\n)(.*?)(<!-- end -->)", re.DOTALL)


def read_checks(folder: Path) -> list[Conformance]:
    """The recorded checks, by library and version; a file that is not whole is an error."""
    return [document.read(path, Conformance) for path in sorted(folder.glob("*.json"))]


def judgements_table(found: Iterable[Conformance]) -> str:
    """One row a family; every row can be reproduced with the command of its file."""
    head = (
        "family",
        "good",
        "at default orders",
        "training runs",
        "extremes",
        "no answer",
        "effect on ε",
        "cause (points)",
    )
    return _markdown(head, map(_judgement_row, families(found)))


def _judgement_row(family: LibraryFamily) -> tuple[str, ...]:
    found = family.first
    silent = ", ".join(f"{n} {kind}" for kind, n in found.no_answer.items())
    return (
        family.name,
        f"{good(found)} of {found.points}",
        _at_default_orders(found),
        *(family.worst(region) for region in Region),
        silent or "0",
        family.effect(),
        family.cause(),
    )


def _at_default_orders(found: Conformance) -> str:
    """How many are good of the vectors at the orders that libraries try if nobody names any."""
    counts = found.by_flag.get("DefaultOrder", {})
    there = sum(counts.values())
    return f"{sum(counts.get(grade, 0) for grade in GOOD)} of {there}" if there else "not asked"


def effects_table(found: Iterable[Conformance]) -> str:
    """One row a training run, one column a family: the final epsilon with its answers."""
    groups = [family for family in families(found) if family.first.effects]
    head = (
        "run",
        "q",
        "σ",
        "steps",
        "δ",
        "RDP ε, right",
        *(family.first.target for family in groups),
    )
    if not groups:
        return _markdown(head, [])
    runs = zip(*(family.first.effects for family in groups), strict=True)
    return _markdown(head, map(_effect_row, runs))


def _effect_row(run: tuple[Effect, ...]) -> tuple[str, ...]:
    first = run[0]
    about = (first.run, f"{first.q:.4g}", f"{first.sigma:g}", str(first.steps), f"{first.delta:g}")
    given = ("none" if e.given is None else f"{float(e.given):.5g}" for e in run)
    return (*about, f"{first.true:.5g}", *given)


def theorems_table(found: Iterable[KernelVerdict]) -> str:
    """One row a theorem on an answer: what the kernel says of it, and what is true there."""
    answers = (verdict for verdict in found if verdict.kind == "not-valid")
    return _markdown(
        ("answer of", "theorem, checked by Coq's kernel", "ε"), map(_theorem_row, answers)
    )


def _theorem_row(verdict: KernelVerdict) -> tuple[str, ...]:
    q, sigma, alpha, x = (
        repr(float(Fraction(number)))
        for number in (verdict.q, verdict.sigma, verdict.alpha, verdict.x)
    )
    truth = rdp(verdict.q, verdict.sigma, verdict.alpha, digits=10)
    said = f"at q = {q}, σ = {sigma} the mechanism is not ({alpha}, {x})-RDP"
    return verdict.of.removeprefix("answer of "), said, truth.text(7)


def accountants_table(found: Matrix) -> str:
    """One row for each accountant, one column for each use; a name leads to its worst answers."""
    rows = (
        (
            f"[{row.title}](docs/accountants.md#worst-answers)"
            + "".join(f", {note}" for note in (row.default, row.how) if note),
            *(f"**{c.words}**" if c.standing == "too small" else c.words for c in row.cells),
        )
        for row in found.rows
    )
    return _markdown(("accountant", *USES), rows)


def worst_answers_table(found: Matrix) -> str:
    """The worst answer of each cell, with what certifies the exact value."""
    rows = (
        (row.title, c.use, question(c.worst), str(c.worst.answer), exact(c.worst),
         f"`{command(c.worst)}`" if command(c.worst) else "several phases: `--history`")
        for row in found.rows
        for c in row.cells
        if c.worst is not None
    )  # fmt: skip
    return _markdown(
        ("accountant", "used for", "question", "answer", "exact", "certified by"), rows
    )


def gains_table(found: Iterable[Gain]) -> str:
    """One row for each target: the noise it needs, by the exact curve and by RDP."""
    head = (
        "run",
        "target ε, δ",
        "σ, exact",
        "σ by RDP",
        "noise saved",
        "exact ε of the run with RDP's σ",
    )
    rows = (
        (g.target.run, f"{g.target.epsilon}, {g.target.delta}", f"{g.exact:.6g}", str(g.rdp),
         f"{100 * g.saved:.2g} %", f"{g.spent:.5g}")
        for g in found
    )  # fmt: skip
    return _markdown(head, rows)


def adapters_table(found: Iterable[libraries.KnownLibrary]) -> str:
    """One row an adapter."""
    return _markdown(("library", "version", "what is asked"), map(_adapter_row, found))


def _adapter_row(library: libraries.KnownLibrary) -> tuple[str, ...]:
    return library.name, library.version, library.about


def _markdown(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def page_with_tables(page: str, tables: dict[str, str]) -> str:
    """The page with its tables as they should be; a place for a table that does not exist is an error.

    >>> page_with_tables("<!-- table: sum, by hand -->\\nold\\n<!-- end -->", {"sum": "new\\n"})
    '<!-- table: sum, by hand -->\\nnew\\n<!-- end -->'
    """

    def table(place: re.Match[str]) -> str:
        if place[2] not in tables:
            raise OutOfDomain(f"there is no table {place[2]!r}; there are {', '.join(tables)}")
        return f"{place[1]}{tables[place[2]]}{place[4]}"

    return _PLACE.sub(table, page)


def renew(root: Path, write: bool = True) -> list[str]:
    """The pages that were out of date; they are not any more, if they may be written."""
    found = read_checks(root / RECORDED)
    asked = matrix(*(document.read(root / REPORTS / name, Accountants) for name in RECORDS))
    tables = {
        "accountants": accountants_table(asked),
        "worst": worst_answers_table(asked),
        "gain": gains_table(map(gain, TARGETS)),
        "judged": judgements_table(found),
        "effects": effects_table(found),
        "known": adapters_table(libraries.known_libraries().values()),
        "proved": theorems_table(about_numbers(kept_verdicts(papers()))),
    }
    stale = []
    for name in PAGES:
        try:
            page = (root / name).read_text(encoding="utf-8")
        except OSError as error:
            raise OutOfDomain(f"{name}: cannot be read ({error.strerror})") from error
        if page_with_tables(page, tables) != page:
            stale.append(name)
            if write:
                document.write(root / name, page_with_tables(page, tables))
    return stale


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a page is out of date.")
@click.option("--root", type=click.Path(path_type=Path), default=Path(), help="Project's folder.")
def main(check: bool, root: Path) -> None:
    """Write the tables of libraries into README and docs."""
    try:
        stale = renew(root, write=not check)
    except SgmError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(2) from None
    click.echo(f"{'out of date' if check else 'written'}: {', '.join(stale) or 'none'}")
    raise SystemExit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
