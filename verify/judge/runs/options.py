"""What ``sgm-verify accountants`` was asked for: the fields are the parameters of the command."""

from __future__ import annotations

import datetime
import itertools
import secrets
import shlex
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import verify
from verify.judge.check.options import ALLOWED
from verify.judge.protocol.domain import RunDomain
from verify.judge.protocol.harness import Harness, Limits
from verify.judge.protocol.session import Extent
from verify.judge.runs import draws, notions, panel, record, runs
from verify.judge.runs.checking import USUAL, RunExamination, RunRequest, check
from verify.judge.runs.promises import Promise, Ruling
from verify.judge.runs.question import Quantity
from verify.judge.verdict import exceptions
from verify.numbers.errors import OutOfDomain
from verify.results.accountants import Accountants
from verify.vectors.whole import load_runs, select_runs

_QUICK = Extent(fresh=15, calls=0, age=0.0, busy=0.0)
_ALLOWED = {**ALLOWED, "no-answer": Ruling.NO_ANSWER}
_USUAL_LIMITS = {"time-limit": 60.0, "memory": 4096}  # as the command has them


@dataclass(frozen=True, slots=True)
class RunOptions:
    """One check of accountants; the seed is drawn if none was given."""

    specs: tuple[str, ...]
    program: str | None
    promise: str
    checkout: Path | None
    python: str | None
    beside: tuple[str, ...]
    only: tuple[str, ...]
    quantities: tuple[str, ...]
    samplings: tuple[str, ...]
    relations: tuple[str, ...]
    flags: tuple[str, ...]
    groups: tuple[str, ...]
    domain: str
    ordinary: bool
    quick: bool
    fresh: int | None
    seed: int
    search: float
    time_limit: float
    memory: int
    strict: bool
    allow: tuple[str, ...]
    exceptions: Path | None
    cheats: bool
    listed: bool
    date: str | None
    as_json: bool
    out: Path | None
    junit_file: Path | None

    @classmethod
    def of(cls, given: dict[str, Any]) -> RunOptions:
        """From the command line."""
        drawn = secrets.randbelow(10**9)
        return cls(**{**given, "seed": drawn if given["seed"] is None else given["seed"]})

    def accountants(self) -> list[panel.Accountant]:
        """Whom to ask."""
        if self.program is not None:
            if self.specs or self.python or self.checkout or self.beside or self.only:
                raise OutOfDomain("give either libraries or --command PROGRAM")
            return [panel.program(self.program, Promise(self.promise), self._notions())]
        if (self.python or self.checkout) and len(self.specs) != 1:
            raise OutOfDomain("--python and --checkout go with one library")
        found = [one for spec in self.specs or panel.ORDINARY for one in self._of(spec)]
        chosen = [one for one in found if not self.only or one.name in self.only]
        if not chosen:
            names = ", ".join(sorted({one.name for one in found}))
            raise OutOfDomain(f"--only {', '.join(self.only)}: there are {names}")
        return chosen

    def _of(self, spec: str) -> list[panel.Accountant]:
        if ":" not in spec:
            return panel.accountants(spec, self.python, self.checkout, self.beside)
        if self.checkout or self.beside:
            raise OutOfDomain("--checkout and --with go with a library, not with a function")
        return [panel.function(spec, Promise(self.promise), self.python, self._notions())]

    def _notions(self) -> panel.Notions:
        """Samplings and relations that are asked about."""
        return tuple(itertools.product(self.samplings, self.relations))

    def request(self, asked: list[panel.Accountant]) -> RunRequest:
        """What to ask, and what counts as a failure."""
        domain = RunDomain(self.domain)
        quantities = tuple(map(Quantity, self.quantities)) or draws.EVERYTHING
        known = exceptions.of_runs(exceptions.read(self.exceptions) if self.exceptions else ())
        plan = Extent(0, 0, 0.0, 0.0) if self.ordinary else _QUICK if self.quick else USUAL
        narrowed = bool(self.flags or self.groups)
        count = 0 if narrowed else plan.fresh
        drawn = draws.draw_questions(
            self.seed, count if self.fresh is None else self.fresh, domain, quantities
        )
        return RunRequest(
            points=tuple(self._points(narrowed, asked)),
            drawn=drawn,
            seed=self.seed,
            plan=plan,
            domain=domain,
            quantities=quantities,
            strict=self.strict,
            allowed=tuple(_ALLOWED[name] for name in self.allow),
            search=self.search,
            known=known,
            whole=not (narrowed or self.domain or self.quick or self.ordinary or self.quantities),
        )

    def _points(
        self, narrowed: bool, asked: list[panel.Accountant]
    ) -> Sequence[draws.DrawnQuestion]:
        flags = tuple(flag for flag in self.flags if flag != notions.FLAG)
        others = list(notions.questions_for(asked)) if notions.FLAG in self.flags else []
        if others and not (flags or self.groups):
            return others
        vectors = select_runs(load_runs(), flags, self.groups)
        if narrowed:
            return [*runs.published_questions(vectors), *others]
        if self.ordinary:
            return list(runs.with_exact_values(runs.ordinary()))
        first = runs.always()
        if self.quick:
            return first
        return [*first, *runs.published_questions(vectors), *notions.questions_for(asked)]

    def run(
        self,
        begin: Callable[[str, int], None] = lambda name, total: None,
        advance: Callable[[], None] = lambda: None,
    ) -> list[RunExamination]:
        """One program a library; every accountant is asked everything."""
        RunDomain(self.domain)  # a mistake there is said before libraries are installed
        asked = self.accountants()
        request = self.request(asked)
        limits = Limits(self.time_limit, max(self.time_limit, 60.0), memory=self.memory << 20)
        examined = []
        with ExitStack() as stack:
            programs = {
                one.command: stack.enter_context(Harness(list(one.command), limits, self.seed))
                for one in asked
            }
            for one in asked:
                begin(str(one), 1)
                examined.append(check(one, programs[one.command], request))
                advance()
        if not any(one.found.cases for one in examined):
            raise OutOfDomain(
                "nothing to ask: no question is in the domain that an accountant has a function for"
            )
        lines = exceptions.share_exceptions(one.found for one in examined)
        return [replace(one, found=found) for one, found in zip(examined, lines, strict=True)]

    def document(self, examined: Sequence[RunExamination]) -> Accountants:
        """The document that is written."""
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        told = self.reproduce()
        return Accountants(
            date=self.date or today,
            sgm_verify=verify.__version__,
            seed=self.seed,
            accountants=tuple(record.as_result(one, told) for one in examined),
        )

    def reproduce(self) -> str:
        """The command that asks the same again."""
        words = ["sgm-verify", "accountants", *self.specs]
        words += ["--command", self.program] if self.program is not None else []
        words += ["--promise", self.promise] if self.promise != Promise.UPPER else []
        words += ["--checkout", str(self.checkout)] if self.checkout else []
        words += ["--python", self.python] if self.python else []
        lists = {"with": self.beside, "only": self.only, "quantity": self.quantities,
                 "flag": self.flags, "group": self.groups, "allow": self.allow}  # fmt: skip
        words += [w for name, values in lists.items() for v in values for w in (f"--{name}", v)]
        if self._notions() != panel.USUAL:
            words += [w for x in self.samplings for w in ("--sampling", x)]
            words += [w for x in self.relations for w in ("--relation", x)]
        words += ["--domain", self.domain] if self.domain else []
        words += [f"--{name}" for name in ("ordinary", "quick", "strict") if getattr(self, name)]
        words += ["--fresh", str(self.fresh)] if self.fresh is not None else []
        words += ["--search", f"{self.search:g}"] if self.search else []
        given = {"time-limit": self.time_limit, "memory": self.memory}
        changed = {name: x for name, x in given.items() if x != _USUAL_LIMITS[name]}
        words += [word for name, x in changed.items() for word in (f"--{name}", f"{x:g}")]
        words += ["--exceptions", str(self.exceptions)] if self.exceptions else []
        return shlex.join([*words, "--seed", str(self.seed)])
