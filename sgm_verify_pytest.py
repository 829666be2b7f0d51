"""pytest plugin: certified values as fixtures, for the test suite of any library.

    def test_rdp(sgm_vectors):
        sgm_vectors.check(lambda q, sigma, alpha: mylib.rdp(q, sigma, alpha), flags=["DpSgd"])

    def test_one_point(sgm_oracle):
        assert mylib.rdp(0.01, 1.1, 8.5) == pytest.approx(sgm_oracle(0.01, 1.1, 8.5).to_double())

Known failures go into a file named by the ini option ``sgm_skips`` (see ``verify.conformance.inprocess``).
The plugin is loaded by every pytest of an environment it is installed in, so it stands outside the
package and imports nothing of it until a fixture is used.
"""

from __future__ import annotations

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
        "sgm_skips", "TOML file with known failures of the sgm_vectors fixture", default=""
    )


class Vectors:
    """The published vectors, to iterate over or to check a function against."""

    def __init__(self, skip_file: Path | None) -> None:
        self._skip_file = skip_file

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
    ) -> None:
        """Fail unless function(q, sigma, alpha) is right at every vector with one of the flags."""
        __tracebackhide__ = True
        from verify.conformance import inprocess

        chosen = self(*flags)
        skips = inprocess.read_skips(self._skip_file, self()) if self._skip_file else []
        wrong = inprocess.check(function, chosen, quantity=quantity, strict=strict, skips=skips)
        if wrong:
            pytest.fail("\n".join(wrong), pytrace=False)


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
        from verify.conformance.search import truth

        question = Question(quantity, float(q), float(sigma), float(alpha))
        answer = Answer("value", float(value))
        judgement = judge(question, truth(question), answer)
        if judgement.grade not in (STRICTLY_GOOD if strict else GOOD):
            case = Case("", (), question, truth(question), answer, judgement)
            pytest.fail("\n".join(case_lines(judgement.label, case)), pytrace=False)


@pytest.fixture(scope="session")
def sgm_vectors(pytestconfig: pytest.Config) -> Vectors:
    """Test vectors of the sampled Gaussian's Rényi divergence; ``sgm_vectors.check(function)``."""
    name = pytestconfig.getini("sgm_skips")
    return Vectors(pytestconfig.rootpath / name if name else None)


@pytest.fixture(scope="session")
def sgm_oracle() -> Oracle:
    """Certified Rényi divergence of the sampled Gaussian at any point: ``sgm_oracle(q, sigma, alpha)``."""
    return Oracle()
