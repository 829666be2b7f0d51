"""The convolution of losses beside the contour: they meet, and a small error is noticed. The
checker in examples/, too."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

import verify
from verify.accounting.exact import witness
from verify.accounting.history import history
from verify.cli import cli
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified

DELTA = Fraction(1, 10**5)
CHECKER = Path(__file__).parents[2] / "examples" / "check_epsilon.py"
RUN = ("epsilon", "--q", "0.02", "--sigma", "1", "--steps", "100", "--delta", "1e-5")


@pytest.fixture(scope="module")
def found():
    return witness.convolved_epsilon(history([("0.02", 1, 100)]), DELTA, Deadline(3600))


def test_both_methods_meet_and_the_witness_has_digits(found):
    exact = verify.epsilon("0.02", 1, 100, DELTA)
    assert witness.checked_witness(exact, found) is found
    assert found.hi - found.lo < Fraction(1, 100)


@pytest.mark.parametrize("sign", [1, -1])
def test_an_answer_that_is_off_by_a_hundredth_is_an_error(found, sign):
    exact = verify.epsilon("0.02", 1, 100, DELTA)
    wrong = Certified.exactly(exact.lo + sign * Fraction(1, 100))
    with pytest.raises(verify.EnginesDisagree, match="convolution"):
        witness.checked_witness(wrong, found)


def shell(*words):
    return CliRunner().invoke(cli, words, standalone_mode=False)


def test_the_command_line_compares(monkeypatch, found):
    monkeypatch.setattr(witness, "convolved_epsilon", lambda *asked: found)
    assert "they agree" in shell(*RUN, "--cross-check").output
    assert "cross-check" not in shell(*RUN).output
    monkeypatch.setattr(witness, "convolved_epsilon", lambda *asked: found.scaled(Fraction(2)))
    assert isinstance(shell(*RUN, "--cross-check").exception, verify.EnginesDisagree)


def test_other_runs_are_not_compared():
    other = ("--sampling", "fixed-size", "--cross-check")
    assert "Poisson sampling" in str(shell(*RUN, *other).exception)


def test_the_checker_imports_nothing_from_here():
    lines = CHECKER.read_text(encoding="utf-8").splitlines()
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    assert imports == ["import sys", "from mpmath import mp, mpc, mpf"]


@pytest.mark.parametrize(("epsilon", "code"), [("1.8282367", 0), ("1.8282366", 1)])
def test_the_checker_decides_next_to_the_exact_epsilon(epsilon, code):
    """The exact one is 1.82823666...: a hundred-millionth above and below."""
    words = [sys.executable, str(CHECKER), "0.01", "1", "1000", epsilon, "1e-5"]
    assert subprocess.run(words, capture_output=True, check=False).returncode == code


@pytest.mark.parametrize(
    "words",
    [
        ("x", "1", "1000", "1", "1e-5"),
        ("0.01", "-1", "1000", "1", "1e-5"),
        ("0.01", "1", "1000.5", "1", "1e-5"),
        ("0.01", "1", "inf", "1", "1e-5"),
        ("0.01", "1", "1000", "nan", "1e-5"),
        ("0.01", "1", "1000", "1"),
    ],
)
def test_the_checker_judges_no_nonsense(words):
    done = subprocess.run([sys.executable, CHECKER, *words], capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("0.5", "1", "100", "60", "6.9037e-13"), 0),  # the exact delta is 6.90361e-13
        (("0.5", "1", "100", "60", "6.9035e-13"), 1),
        (("0.05", "0.5", "1000", "80", "1.0608e-9"), 0),  # 1.06073e-9
        (("0.05", "0.5", "1000", "80", "1.0606e-9"), 1),
        (("0.01", "1", "1000", "1", "1e-16"), 2),  # finer than its sums
    ],
)
def test_the_checker_is_right_at_large_epsilon_and_silent_where_it_cannot_tell(words, code):
    assert subprocess.run([sys.executable, CHECKER, *words], capture_output=True, check=False).returncode == code  # fmt: skip


def test_the_page_says_how_long_the_checker_is():
    page = (CHECKER.parents[1] / "docs" / "howto-auditor.md").read_text()
    assert f"mpmath and {len(CHECKER.read_text().splitlines())} lines" in page
