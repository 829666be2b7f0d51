"""pytest plugin: certified values as fixtures, for the test suite of any library.

    def test_rdp(sgm_vectors):
        sgm_vectors.check(lambda q, sigma, alpha: mylib.rdp(q, sigma, alpha), flags=["DpSgd"])

    def test_one_point(sgm_oracle):
        assert mylib.rdp(0.01, 1.1, 8.5) == pytest.approx(sgm_oracle(0.01, 1.1, 8.5).to_double())

    def test_accountant(sgm_runs):
        sgm_runs.check(epsilon=lambda history, delta: mylib.epsilon(history, delta))

Known failures go into a file named by the ini option ``sgm_exceptions``
(``verify.judge.verdict.exceptions``). Beside the vectors, fresh points are asked, other ones every
time: ``--sgm-seed`` repeats those of a run that failed. One file serves all tests of a session: a
line that no test has used, although its points were asked, is an error when the session ends. The
plugin is loaded by every pytest of an environment it is installed in, so it stands outside the
package and imports nothing of it until a fixture is used.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from verify.judge.verdict.exceptions import Known
    from verify.numbers.certified import Certified
    from verify.numbers.point import Number
    from verify.results.run_vectors import RunVector
    from verify.results.vectors import Vector


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "sgm_exceptions", "TOML file with known failures of the sgm_vectors fixture", default=""
    )
    parser.addoption(
        "--sgm-seed",
        type=int,
        help="seed of the fresh points that sgm_vectors asks (default: drawn)",
    )


class KnownFailures:
    """The file of known failures, and which of its lines the tests of a session have used or could have."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.used: set[str] = set()
        self.idle: set[str] = set()

    def read(self) -> tuple[Known, ...]:
        """What the file lists."""
        from verify.judge.verdict import exceptions

        return exceptions.read(self._path) if self._path else ()

    def note(self, used: Sequence[str], stale: Sequence[str]) -> None:
        """What a test has found: lines that hid something, and lines that hid nothing at points that were asked."""
        self.used |= set(used)
        self.idle |= {line.partition(": ")[2] for line in stale}

    def stale(self) -> list[str]:
        """Lines that were of no use to any test that asked their points."""
        return sorted(self.idle - self.used)


class Vectors:
    """The published vectors, to iterate over or to check a function against."""

    def __init__(self, known: KnownFailures, seed: int) -> None:
        self._known, self._seed = known, seed

    def __call__(self, *flags: str) -> tuple[Vector, ...]:
        """The vectors that carry any of the flags; all without flags."""
        from verify.vectors import load, select

        return select(load(), flags)

    def check(
        self,
        function: Callable[[float, float, float], float],
        flags: Sequence[str] = (),
        *,
        quantity: str = "rdp",
        strict: bool = False,
        domain: str = "",
        fresh: int = 60,
    ) -> None:
        """Fail unless function(q, sigma, alpha) is right at every point of the domain with one of the flags.

        ``fresh`` is the number of points that are drawn to be asked besides, so far as they have a flag.
        """
        __tracebackhide__ = True
        from verify.judge.check import fresh as drawing
        from verify.judge.protocol import inprocess
        from verify.judge.protocol.domain import Domain
        from verify.judge.verdict import exceptions
        from verify.judge.verdict.judged import points_of_vectors

        inside = Domain(domain)
        drawn = drawing.draw_points(self._seed, fresh, quantity, inside).points
        chosen = [v for v in self(*flags) if inside.holds(v.q, v.sigma, v.alpha)]
        known = exceptions.of_steps(self._known.read())
        found = inprocess.judge_function(
            function,
            [
                *points_of_vectors(chosen, quantity),
                *(point for point in drawn if not flags or set(flags) & set(point.flags)),
            ],
            strict=strict,
            known=known,
        )
        self._known.note(found.used, found.stale)
        if wrong := inprocess.complaints(found):
            pytest.fail("\n".join([*wrong, f"again: --sgm-seed {self._seed}"]), pytrace=False)


class Runs:
    """The published vectors of whole runs, to iterate over or to check an accountant against."""

    def __init__(self, known: KnownFailures, seed: int) -> None:
        self._known, self._seed = known, seed

    def __call__(self, *flags: str) -> tuple[RunVector, ...]:
        """The vectors that carry any of the flags; all without flags."""
        from verify.vectors.whole import load_runs, select_runs

        return select_runs(load_runs(), flags)

    def check(
        self,
        epsilon: Callable[..., float] | None = None,
        delta: Callable[..., float] | None = None,
        sigma: Callable[..., float] | None = None,
        *,
        flags: Sequence[str] = (),
        promise: str = "upper",
        domain: str = "",
        fresh: int = 12,
    ) -> None:
        """Fail unless epsilon(history, delta), delta(history, epsilon) and sigma(q, steps, epsilon=,
        delta=) keep their promise.

        A history is a list of (q, sigma, steps). ``fresh`` is the number of questions drawn to be asked besides.
        """
        __tracebackhide__ = True
        from verify.judge.protocol.domain import RunDomain
        from verify.judge.runs import draws, inprocess, runs
        from verify.judge.runs.promises import Promise
        from verify.judge.runs.question import Quantity
        from verify.judge.verdict.exceptions import excuse, of_runs

        given = {"epsilon": epsilon, "delta": delta, "sigma": sigma}
        functions = {Quantity(name): f for name, f in given.items() if f is not None}
        if not functions:
            raise TypeError("give at least one of epsilon, delta and sigma")
        inside, known = RunDomain(domain), of_runs(self._known.read())
        drawn = draws.draw_questions(
            self._seed, 0 if flags else fresh, inside, tuple(functions)
        ).points
        points = [
            p
            for p in runs.published_questions(self(*flags))
            if inside.holds_for(p.question.names())
        ]
        found = inprocess.judge_functions(functions, [*points, *drawn], Promise(promise))
        if not found.cases:
            raise ValueError(
                "nothing is asked: no vector of Poisson sampling and add/remove is left"
            )
        found = excuse(found, known, {}, whole=False)
        self._known.note(found.used, found.stale)
        if wrong := inprocess.complaints(found):
            pytest.fail("\n".join([*wrong, f"again: --sgm-seed {self._seed}"]), pytrace=False)


class Oracle:
    """The certified value at any point."""

    def __call__(
        self, q: Number, sigma: Number, alpha: Number, quantity: str = "rdp", digits: int = 30
    ) -> Certified:
        import verify

        functions = {
            "rdp": verify.rdp,
            "rdp_reverse": verify.rdp_reverse,
            "log_a": verify.log_a,
            "log_b": verify.log_b,
        }
        return functions[quantity](q, sigma, alpha, digits=digits)

    def check(
        self,
        value: float,
        q: float,
        sigma: float,
        alpha: float,
        *,
        quantity: str = "rdp",
        strict: bool = False,
    ) -> None:
        """Fail unless the value is adequate at this point (strict: of full accuracy)."""
        __tracebackhide__ = True
        from verify.judge.protocol.question import Answer, Question
        from verify.judge.show.render import case_lines
        from verify.judge.verdict.grading import GOOD, STRICTLY_GOOD, judge
        from verify.judge.verdict.judged import Case
        from verify.judge.verdict.truth import truth

        question = Question(quantity, float(q), float(sigma), float(alpha))
        answer = Answer("value", float(value))
        judgement = judge(question, truth(question), answer)
        if judgement.grade not in (STRICTLY_GOOD if strict else GOOD):
            case = Case("", (), question, truth(question), answer, judgement)
            pytest.fail("\n".join(case_lines(judgement.label, case)), pytrace=False)


@pytest.fixture(scope="session")
def sgm_known_failures(pytestconfig: pytest.Config) -> Iterator[KnownFailures]:
    """The lines of ``sgm_exceptions``; those that served no test are an error at the end of the session."""
    name = pytestconfig.getini("sgm_exceptions")
    known = KnownFailures(pytestconfig.rootpath / name if name else None)
    yield known
    # A worker of pytest-xdist sees a part only. (The variable PYTEST_XDIST_WORKER would be
    # inherited by a pytest inside a test.)
    stale = [] if hasattr(pytestconfig, "workerinput") else known.stale()
    if stale:
        lines = (f"stale exception, nothing fails there any more: {line}" for line in stale)
        pytest.fail("\n".join(lines), pytrace=False)


@pytest.fixture(scope="session")
def sgm_seed(pytestconfig: pytest.Config) -> int:
    """The seed of what is drawn in this session."""
    seed = pytestconfig.getoption("--sgm-seed")
    return secrets.randbits(32) if seed is None else int(seed)


@pytest.fixture(scope="session")
def sgm_vectors(sgm_known_failures: KnownFailures, sgm_seed: int) -> Vectors:
    """Test vectors of the sampled Gaussian's Rényi divergence; ``sgm_vectors.check(function)``."""
    return Vectors(sgm_known_failures, sgm_seed)


@pytest.fixture(scope="session")
def sgm_runs(sgm_known_failures: KnownFailures, sgm_seed: int) -> Runs:
    """Test vectors of whole runs; ``sgm_runs.check(epsilon=function)``."""
    return Runs(sgm_known_failures, sgm_seed)


@pytest.fixture(scope="session")
def sgm_oracle() -> Oracle:
    """Certified Rényi divergence of the sampled Gaussian at any point: ``sgm_oracle(q, sigma, alpha)``."""
    return Oracle()
