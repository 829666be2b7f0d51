"""What ``sgm-verify check`` was asked for: the fields are the parameters of the command."""

from __future__ import annotations

import dataclasses
import secrets
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from verify.judge.check import many
from verify.judge.check.checking import Request
from verify.judge.protocol import targets
from verify.judge.protocol.domain import Domain
from verify.judge.protocol.harness import Limits
from verify.judge.protocol.session import Extent
from verify.judge.verdict import exceptions
from verify.judge.verdict.grading import Direction, Grade
from verify.numbers.errors import OutOfDomain
from verify.parallel import open_door
from verify.results.vectors import Vector
from verify.vectors import store

_DEFAULT = Limits()
ALLOWED: dict[str, StrEnum] = {
    "no-answer": Grade.NO_ANSWER,
    "overstated": Direction.OVERSTATED,
    "low": Direction.LOW,
}


@dataclass(frozen=True, slots=True)
class Options:
    """One check; the seed is drawn if none was given."""

    what: str | None
    program: str | None
    checkout: Path | None
    python: str | None
    beside: tuple[str, ...]
    against: str | None
    quantity: str
    flags: tuple[str, ...]
    groups: tuple[str, ...]
    domain: str
    seed: int
    quick: bool
    fresh: int
    jobs: int | None
    dask: str | None
    time_limit: float | None
    patience: float
    restarts: int
    memory: int
    strict: bool
    allow: tuple[str, ...]
    exceptions: Path | None
    search: float | None
    shrink: float
    prove: bool
    self_test: bool
    cheats: bool
    listed: bool
    date: str | None
    as_json: bool
    out: Path | None
    junit_file: Path | None
    badge_file: Path | None

    @classmethod
    def of(cls, given: dict[str, Any]) -> Options:
        """From the command line."""
        drawn = secrets.randbits(32)
        return cls(**{**given, "seed": drawn if given["seed"] is None else given["seed"]})

    def limits(self) -> Limits:
        """A time limit that is given holds from the first question on, imports or not."""
        seconds = self.time_limit or _DEFAULT.seconds
        start = self.time_limit or _DEFAULT.start_seconds
        return Limits(
            seconds, start, memory=self.memory << 20, restarts=self.restarts,
            lost_seconds=self.patience,
        )  # fmt: skip

    def vectors(self) -> tuple[Vector, ...]:
        return store.choose_vectors(self.flags, self.groups)

    def request(self) -> Request:
        """What to ask, and what counts as a failure."""
        return Request(
            vectors=self.vectors(),
            quantity=self.quantity,
            seed=self.seed,
            plan=Extent.quick() if self.quick else Extent(),
            domain=Domain(self.domain),
            strict=self.strict,
            allowed=tuple(ALLOWED[name] for name in self.allow),
            search=self.search or 0.0,
            shrink=self.shrink,
            known=exceptions.of_steps(exceptions.read(self.exceptions) if self.exceptions else ()),
            whole=not (self.flags or self.groups or self.domain or self.quick),
            training=not (self.flags or self.groups),
        )

    def target(self) -> targets.Target:
        """The program to judge."""
        if (self.what is None) == (self.program is None):
            raise OutOfDomain(
                "give either a library (such as opacus==1.6.0), a function (such as mylib:rdp) "
                "or --command PROGRAM"
            )
        if self.program is not None:
            if self.python or self.checkout or self.beside:
                raise OutOfDomain(
                    "--python, --checkout and --with go with a library, not --command"
                )
            return targets.program(self.program)
        return self._python_code(self.what or "")

    def _python_code(self, what: str) -> targets.Target:
        if ":" in what:
            if self.checkout or self.beside:
                raise OutOfDomain("--checkout and --with go with a library, not with a function")
            return targets.function(what, self.python)
        return targets.choose_target(what, self.python, self.checkout, self.beside)

    def copies(self, target: targets.Target) -> many.Copies:
        """Further copies of a program; on a cluster every machine installs a release for itself."""
        made_here = target.packages and not (self.checkout or self.python or ":" in target.name)
        release = f"{target.name}=={target.version}" if self.dask and made_here else ""
        return many.Copies(target.command, release, self.beside, self.limits())

    def further(self, target: targets.Target, say: Callable[[str], None]) -> many.FurtherAnswers:
        """What copies of a program say at more fresh points, if there are to be more."""
        if not self.fresh:
            if self.jobs is not None or self.dask is not None:
                raise OutOfDomain("--jobs and --dask go with --fresh N: copies ask fresh points")
            return many.FurtherAnswers()
        todo = many.batches(
            self.copies(target), self.quantity, Domain(self.domain), self.seed, self.fresh
        )
        with open_door(self.jobs, self.dask) as door:
            return many.gather_answers(door, todo, self.fresh, say)

    def other(self) -> targets.Target | None:
        """What to compare with, if anything."""
        if self.against is None:
            return None
        alone = dataclasses.replace(self, what=self.against, program=None, checkout=None)
        return alone.target()

    def reproduce(self, target: targets.Target) -> str:
        """The command that asks the same again, of the same code with the same packages beside it."""
        words = ["sgm-verify", "check", *self._what(target)]
        words += ["--quantity", self.quantity] if self.quantity != "rdp" else []
        words += [word for flag in self.flags for word in ("--flag", flag)]
        words += [word for group in self.groups for word in ("--group", group)]
        words += ["--domain", self.domain] if self.domain else []
        words += ["--quick"] if self.quick else []
        words += ["--fresh", str(self.fresh)] if self.fresh else []
        words += ["--strict"] if self.strict else []
        words += ["--time-limit", f"{self.time_limit:g}"] if self.time_limit else []
        words += self._words_if_changed("patience", _DEFAULT.lost_seconds)
        words += self._words_if_changed("restarts", _DEFAULT.restarts)
        words += self._words_if_changed("memory", _DEFAULT.memory >> 20)
        words += [word for name in self.allow for word in ("--allow", name)]
        words += ["--exceptions", str(self.exceptions)] if self.exceptions else []
        words += ["--search", f"{self.search:g}"] if self.search else []
        words += ["--against", self.against] if self.against else []
        return shlex.join([*words, "--seed", str(self.seed)])

    def _words_if_changed(self, name: str, default: float) -> list[str]:
        value = getattr(self, name)
        return [] if value == default else [f"--{name}", f"{value:g}"]

    def _what(self, target: targets.Target) -> list[str]:
        if self.program is not None:
            return ["--command", self.program]
        if self.checkout is not None:
            words = [self.what or "", "--checkout", str(self.checkout)]
        elif ":" in target.name:
            words = [target.name]
        else:
            words = [f"{target.name}=={target.version}"]
        if self.python is not None:
            return [*words, "--python", self.python]
        beside = target.packages if not self.checkout and ":" not in target.name else {}
        pins = (f"{n}=={v}" for n, v in beside.items() if n != target.name)
        return [*words, *(word for pin in pins for word in ("--with", pin))]
