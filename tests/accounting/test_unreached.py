"""Where the digits asked cannot be had: fewer, a bracket, or one clear error; never a number that is not known."""

from __future__ import annotations

import json
import math
import time
from fractions import Fraction as Q

import pytest
from click.testing import CliRunner

import verify
from tests.patience import PATIENCE
from verify.accounting import Bracketed
from verify.accounting.contour import vertical
from verify.accounting.history import history
from verify.accounting.questions import Account
from verify.accounting.routes import Contour
from verify.accounting.tight import Curve
from verify.commands import calibrate, epsilon, runs
from verify.moments.agreement import certified
from verify.moments.engines import Moment
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded, OutOfDomain, OutOfReach, PrecisionExhausted


def test_more_digits_than_can_be_had_are_fewer_not_none():
    run = Curve(history([("1e-6", 1, 10**8)]), "remove", Deadline.of_work(20.0))
    found = run.epsilon(Q(1, 10**5), 300)
    assert isinstance(found, Bracketed)
    assert found.certain_digits() >= 8
    known = verify.epsilon("1e-6", 1, 10**8, "1e-5", 20, direction="remove")
    assert found.lo <= known.hi
    assert known.lo <= found.hi


def test_a_hundred_thousand_digits_are_twenty_at_once():
    found = verify.epsilon("0.01", 1, 1000, "1e-5", 100_000, max_seconds=PATIENCE)
    assert isinstance(found, Bracketed)
    assert found.certain_digits() >= 20


def test_a_command_keeps_to_its_time_in_all():
    """Both directions, and RDP, which runs out of it."""
    options = ["--q", "0.01", "--sigma", "1", "--steps", "1000", "--delta", "1e-5"]
    options += ["--digits", "100000", "--max-seconds", "8"]
    began = time.monotonic()
    said = CliRunner().invoke(epsilon.command, options)
    assert time.monotonic() - began < 8 + PATIENCE / 10
    assert "no answer (BudgetExceeded: no answer within 8 s" in said.stdout


def test_above_the_total_variation_of_all_steps_no_contour_is_asked(monkeypatch):
    def asked(*_):
        raise AssertionError

    monkeypatch.setattr(Contour, "at", asked)
    found = verify.epsilon("1.14e-5", "0.36", 52, "6e-4")
    assert found.lo == found.hi == 0


def test_a_bracket_without_an_upper_end_is_no_number():
    """[0, inf] must not be printed as 0."""
    nothing = Bracketed(Q(0), math.inf)
    assert nothing.certain_digits() == 0
    assert str(nothing) == "[0, inf]"
    assert "no digit certain" in runs.in_words(nothing)
    assert runs.certified_json(nothing, 20)["fewer_digits"] == 0


def test_a_bracket_shows_all_digits_that_it_says():
    """Twenty certain digits are not told beside eight."""
    narrow = Bracketed(Q(2, 3), Q(2, 3) + Q(1, 10**20))
    known = narrow.certain_digits()
    said = runs.in_words(narrow)
    assert known == 19
    assert f"{known} digits certain" in said
    assert said.startswith(f"[0.{'6' * 20}, ")


def test_an_account_keeps_the_label_of_an_endless_bracket(monkeypatch):
    monkeypatch.setattr(Curve, "epsilon", lambda self, delta, digits: Bracketed(Q(0), math.inf))
    run = Account(history([("0.01", 1, 10)]))
    assert isinstance(run.epsilon("1e-5", 400, "remove"), Bracketed)


def test_a_bracket_has_a_safe_double():
    found = runs.certified_json(Bracketed(Q(1, 3), Q(1, 2)), 20)
    assert found["double"] is None
    assert float.fromhex(found["double_up"]) == 0.5


def test_next_to_the_end_of_the_loss():
    """delta is about 1e-43 of what it was: a logarithm of next to nothing, not a crash."""
    found = verify.epsilon("0.01", "0.1", 1, "1e-30", direction="add")
    end = -math.log(0.99)
    assert 0.0100495 < found.lo <= found.hi <= Q(end) * (1 + Q(1, 10**12))


@pytest.mark.parametrize(
    ("q", "steps", "eps"), [(1, 1, 1500), ("0.01", 1000, 10**6), ("0.01", 1, 10**14)]
)
def test_a_delta_beyond_all_use_is_bounded_at_once(q, steps, eps):
    found = verify.delta(q, 1, steps, eps, direction="remove", max_seconds=PATIENCE)
    assert found.lo == 0
    assert 0 < found.hi < Q(1, 10**43000)


def test_an_epsilon_beyond_the_range_is_refused():
    with pytest.raises(OutOfDomain, match=r"^epsilon = "):
        verify.delta("0.01", 1, 1, "1e400")


def test_a_hundred_digits_by_rdp_too():
    options = [
        "--q",
        "0.01",
        "--sigma",
        "1",
        "--steps",
        "1000",
        "--delta",
        "1e-5",
        "--digits",
        "100",
        "--max-seconds",
        str(PATIENCE),
        "--json",
    ]
    found = json.loads(CliRunner().invoke(epsilon.command, options).stdout)
    assert len(found["rdp"]) == 9
    assert "rdp_unknown" not in found


def test_without_rdp_the_tight_answer_stands(monkeypatch):
    def fails(*_):
        raise PrecisionExhausted("no order")

    monkeypatch.setattr(epsilon, "rdp_table", fails)
    options = ["--q", "0.01", "--sigma", "1", "--steps", "1000", "--delta", "1e-5"]
    said = CliRunner().invoke(epsilon.command, options)
    assert said.exit_code == 0
    assert "1.8282366665165768426" in said.stdout
    assert "no answer (PrecisionExhausted: no order)" in said.stdout


def test_calibration_claims_no_neighbour_above_one():
    options = ["--epsilon", "5", "--delta", "1e-5", "--sigma", "20", "--steps", "10"]
    said = CliRunner().invoke(calibrate.command, options).stdout
    assert "no q is larger than 1" in said
    assert "neighbour" not in said


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe\x00garbage", b"[" * 100_000, b"", b"q,sigma\n1,2\n", b"[1, 2]", b"{}", b"null"],
)
def test_a_bad_history_is_one_error(tmp_path, content):
    file = tmp_path / "phases"
    file.write_bytes(content)
    with pytest.raises(OutOfDomain):
        runs.read_run(file=file, relation="add/remove", sampling="poisson")


@pytest.mark.parametrize("content", ["q, sigma, steps\n0.01, 1.1, 100\n", "\ufeffq,sigma,steps\n0.01,1.1,100\n",
                                     '{"q": "0.01", "sigma": "1.1", "steps": 100}'])  # fmt: skip
def test_histories_as_people_write_them(tmp_path, content):
    file = tmp_path / "phases"
    file.write_text(content, encoding="utf-8")
    found = runs.read_run(file=file, relation="add/remove", sampling="poisson").phases
    assert found == history([("0.01", "1.1", 100)])


def test_full_batches_with_a_huge_epsilon_are_exact_at_once():
    """The first guess was cut off at a million, and the search got lost."""
    found = verify.epsilon(1, "0.3", 10**8, "0.1", 15, direction="remove", max_seconds=PATIENCE)
    assert found.certain_digits() >= 15
    assert found.to_double() == pytest.approx(555598272.941093)


def test_losses_beyond_the_doubles_are_an_error():
    with pytest.raises((OutOfReach, BudgetExceeded)):
        verify.epsilon(1, "0.05", 10**12, "0.5", 15, direction="remove", max_seconds=5)


def test_an_epsilon_above_a_million_is_found_at_once():
    found = verify.epsilon("0.35", "0.9", 27_000_000, "1e-10", 15, max_seconds=PATIENCE)
    assert found.certain_digits() >= 15
    assert found.lo > 10**6


@pytest.mark.parametrize("sigma", ["0.05", "0.3", 1, 1000])
@pytest.mark.parametrize("q", ["1e-6", "0.01", "0.999"])
def test_an_epsilon_beyond_all_losses_takes_neither_memory_nor_time(q, sigma):
    """Its order is so large that the nodes of a moment would fill the memory."""
    found = verify.delta(q, sigma, 10, "1e12", 6, direction="remove")
    assert found.lo == 0
    assert found.hi < Q(1, 10**43348)


@pytest.mark.parametrize("order", ["1.01", "1.5", 30, 400])
@pytest.mark.parametrize("run", [("1e-6", "0.3"), ("0.01", 1), ("0.9", 5)])
def test_the_bound_without_nodes_is_above_the_moment(run, order):
    (phase,) = history([(*run, 1)])
    moment = certified(Moment(phase.q, phase.sigma, Q(order)), 20, Deadline())
    with precision(128):
        assert vertical._log_chord(phase, ball(Q(order))) >= ball(Q(moment.lo))


def test_how_busy_the_machine_is_does_not_decide_between_all_digits_and_fewer(monkeypatch):
    """A wall clock that runs ten times as fast as the work stops nothing before its end, and changes no answer."""
    began = time.monotonic()
    healthy = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: began + 10 * (healthy() - began))
    run = Curve(history([("0.01", 1, 1000)]), "remove", Deadline(PATIENCE))
    found = run.epsilon(Q(1, 10**5), 20)
    assert not isinstance(found, Bracketed)


def test_work_beyond_its_share_is_a_bracket_and_time_beyond_the_wall_an_error():
    """More than half of the work was done before, less than three quarters."""
    run = history([("0.01", 1, 1000)])
    worked = Deadline(PATIENCE, work=time.thread_time() - 0.6 * PATIENCE)
    assert isinstance(Curve(run, "remove", worked).epsilon(Q(1, 10**5), 30), Bracketed)
    with pytest.raises(BudgetExceeded):
        Curve(run, "remove", Deadline(1e-9)).epsilon(Q(1, 10**5), 30)
