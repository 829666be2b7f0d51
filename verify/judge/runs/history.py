"""When did an accountant's fault come, and when did it go? The same published runs asked of many releases of a library.

    python -m verify.judge.runs.history dp-accounting 0.4.3 0.4.4 0.5.0 0.6.0 --only pld

Only the published vectors are asked, in one order, so that two releases are compared at the same
questions. Each line has the counts of one accountant of one release, and a digest of its answers:
two releases with the same digest answer alike to the last bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from verify.judge.protocol import libraries
from verify.judge.protocol.domain import RunDomain
from verify.judge.protocol.harness import Harness, HarnessFailed
from verify.judge.protocol.session import Extent
from verify.judge.runs import panel, runs
from verify.judge.runs.checking import RunExamination, RunRequest, check
from verify.judge.runs.judged import JudgedRuns
from verify.numbers.errors import SgmError
from verify.vectors.whole import load_runs, select_runs

_NOTHING_ELSE = Extent(fresh=0, calls=0, age=0.0, busy=0.0)


@dataclass(frozen=True, slots=True)
class AccountantRelease:
    """One accountant of one release, with the counts of its verdicts; or why it cannot be asked."""

    title: str
    found: JudgedRuns | None = None
    problem: str = ""

    @property
    def digest(self) -> str:
        """Of all answers, by the question's name."""
        cases = sorted(self.found.cases, key=lambda case: case.id) if self.found else []
        said = "\n".join(f"{case.id} {case.answer.value!r}" for case in cases)
        return hashlib.sha256(said.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        if self.found is None:
            return f"{self.title:<34} cannot be asked: {self.problem}"
        counts = ", ".join(f"{n} {ruling}" for ruling, n in self.found.counts.items() if n)
        return f"{self.title:<34} {counts}; answers {self.digest}"


def request(flags: Iterable[str] = (), domain: str = "") -> RunRequest:
    """Published runs with one of the flags, all of them by default."""
    points = tuple(runs.published_questions(select_runs(load_runs(), tuple(flags))))
    return RunRequest(points, plan=_NOTHING_ELSE, domain=RunDomain(domain), whole=False)


def history(
    name: str, versions: Iterable[str], asked: RunRequest, only: tuple[str, ...] = ()
) -> Iterator[AccountantRelease]:
    """Every accountant of every release; a release that cannot be asked is one line with the reason."""
    for version in versions:
        title = f"{name} {version}"
        try:
            for one in panel.accountants(f"{name}=={version}"):
                if not only or one.name in only:
                    yield AccountantRelease(
                        f"{title} {one.name}", _examine_release(one, asked).found
                    )
        except HarnessFailed as error:
            yield AccountantRelease(title, problem=libraries.reason(error))


def _examine_release(accountant: panel.Accountant, asked: RunRequest) -> RunExamination:
    with Harness(list(accountant.command), seed=asked.seed) as harness:
        return check(accountant, harness, asked)


@click.command()
@click.argument("name")
@click.argument("versions", nargs=-1, required=True)
@click.option("--only", multiple=True, help="Only this accountant, such as pld (repeatable).")
@click.option("--flag", "flags", multiple=True, help="Only vectors with this flag (repeatable).")
@click.option("--domain", default="", help="What is asked: 'phases<=1, delta>=1e-12', ...")
def main(
    name: str, versions: tuple[str, ...], only: tuple[str, ...], flags: tuple[str, ...], domain: str
) -> None:
    """Ask the published runs of many releases of a library."""
    try:
        libraries.parse(name)  # an unknown library is an error, an unknown release a line
        for release in history(name, versions, request(flags, domain), only):
            click.echo(str(release))
    except SgmError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
