"""pytest plugin: certified values as fixtures, for the test suite of any library.

    def test_rdp(sgm_vectors):
        sgm_vectors.check(lambda q, sigma, alpha: mylib.rdp(q, sigma, alpha), flags=["DpSgd"])

    def test_one_point(sgm_oracle):
        assert mylib.rdp(0.01, 1.1, 8.5) == pytest.approx(sgm_oracle(0.01, 1.1, 8.5).to_double())

Known failures go into a file named by the ini option ``sgm_exceptions`` (``verify.conformance.exceptions``). Beside the
vectors, fresh points are asked, other ones every time: ``--sgm-seed`` repeats those of a run that failed.
The plugin is loaded by every pytest of an environment it is installed in, so it stands outside the
package and imports nothing of it until a fixture is used.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from verify.certified import Certified
    from verify.point import Number
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


class Vectors:
    """The published vectors, to iterate over or to check a function against."""

    def __init__(self, exceptions: Path | None, seed: int) -> None:
        self._exceptions, self._seed = exceptions, seed

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
        from verify.conformance import exceptions, inprocess
        from verify.conformance import fresh as drawing
        from verify.conformance.domain import Domain
        from verify.conformance.judged import asked

        inside = Domain(domain)
        drawn = drawing.drawn(self._seed, fresh, quantity, inside).points
        chosen = [v for v in self(*flags) if inside.holds(v.q, v.sigma, v.alpha)]
        wrong = inprocess.check(
            function,
            [
                *asked(chosen, quantity),
                *(point for point in drawn if not flags or set(flags) & set(point.flags)),
            ],
            strict=strict,
            known=exceptions.read(self._exceptions) if self._exceptions else (),
            whole=not (flags or domain),
        )
        if wrong:
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
        from verify.conformance.judge import GOOD, STRICTLY_GOOD, judge
        from verify.conformance.judged import Case
        from verify.conformance.question import Answer, Question
        from verify.conformance.render import case_lines
        from verify.conformance.truth import truth

        question = Question(quantity, float(q), float(sigma), float(alpha))
        answer = Answer("value", float(value))
        judgement = judge(question, truth(question), answer)
        if judgement.grade not in (STRICTLY_GOOD if strict else GOOD):
            case = Case("", (), question, truth(question), answer, judgement)
            pytest.fail("\n".join(case_lines(judgement.label, case)), pytrace=False)


@pytest.fixture(scope="session")
def sgm_vectors(pytestconfig: pytest.Config) -> Vectors:
    """Test vectors of the sampled Gaussian's Rényi divergence; ``sgm_vectors.check(function)``."""
    name, seed = pytestconfig.getini("sgm_exceptions"), pytestconfig.getoption("--sgm-seed")
    path = pytestconfig.rootpath / name if name else None
    return Vectors(path, secrets.randbits(32) if seed is None else seed)


@pytest.fixture(scope="session")
def sgm_oracle() -> Oracle:
    """Certified Rényi divergence of the sampled Gaussian at any point: ``sgm_oracle(q, sigma, alpha)``."""
    return Oracle()
