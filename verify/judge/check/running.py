"""Run a check as the command does, and say what is said after it."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import verify
from verify.judge.check.checking import Examination, check
from verify.judge.check.options import Options
from verify.judge.protocol.harness import Harness
from verify.judge.protocol.question import printable
from verify.judge.protocol.targets import Target
from verify.judge.show import record
from verify.judge.verdict.compare import Compared, compare
from verify.results.conformance import Surroundings
from verify.vectors import store


@dataclass(frozen=True, slots=True)
class Done:
    """A check that was run: of what, what came out, and how to run it again."""

    target: Target
    checked: Examination
    reproduce: str
    log: bytes = b""
    against: str = ""
    compared: Compared | None = None

    @property
    def exit_code(self) -> int:
        """That of the check; of a comparison, 1 if something is worse than it was."""
        if self.compared is not None and self.checked.found.answered:
            return 1 if self.compared.worse or self.compared.unsafe else 0
        return self.checked.found.exit_code

    def lines(self) -> list[str]:
        """What stands below the verdict."""
        lines = list(self.checked.course)
        if self.compared is not None:
            lines += self.compared.lines(self.target.title, self.against)
        if surroundings := self.target.surroundings():
            lines.append(f"ran with: {surroundings}")
        if self.target.commit:
            lines.append(f"code: {self.target.code} at {self.target.commit}")
        return [*lines, f"reproduce: {self.reproduce}"]

    def warnings(self) -> list[str]:
        """What a program that never answered has left in its log."""
        if self.checked.found.answered or not self.log:
            return []
        return [f"the program's log ends: {printable(self.log[-180:].decode('utf-8', 'replace'))}"]

    def about(self, options: Options) -> record.CheckRecord:
        """What is recorded beside the outcome."""
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        target = self.target
        return record.CheckRecord(
            target=target.name,
            version=target.version,
            reproduce=self.reproduce,
            quantity=options.quantity,
            seed=options.seed,
            strict=options.strict,
            vectors_sha256=hashlib.sha256((store.DATA / "manifest.json").read_bytes()).hexdigest(),
            tool_version=verify.__version__,
            date=options.date or today,
            surroundings=Surroundings(
                target.python, target.platform, target.packages, target.commit
            ),
            course=self.checked.course,
        )


def run(options: Options, say: Callable[[str], None] = lambda _: None) -> Done:
    """Ask, and ask the other one too if there is one."""
    target, other = options.target(), options.other()
    checked, log = _check_program(options, target, say)
    reproduce = options.reproduce(target)
    if other is None:
        return Done(target, checked, reproduce, log)
    before, _ = _check_program(options, other, say)
    compared = compare(checked.found, before.found)
    return Done(target, checked, reproduce, log, other.title, compared)


def _check_program(
    options: Options, target: Target, say: Callable[[str], None]
) -> tuple[Examination, bytes]:
    """A check of one program, and the end of its log."""
    request, further = options.request(), options.further(target, say)
    with Harness(list(target.command), options.limits(), options.seed) as harness:
        return check(harness, request, further), harness.log
