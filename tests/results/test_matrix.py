"""The matrix of accountants says of each use what the recorded answers are, and nothing kinder."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from verify.results import document
from verify.results.accountants import Accountants, JudgedAccountant, RunAnswer, RunPhase
from verify.results.matrix import RECORDS, USES, cell, command, exact, matrix, question

ROOT = Path(__file__).parents[2]
ORDINARY, TINY, NOISE, DELTA, REPLACE, FIXED, ALLOCATION = USES


def answer(error: float | None = 0.001, ruling: str = "kept", **changed: object) -> RunAnswer:
    """One recorded answer; by default an epsilon at delta = 1e-5 that is a thousandth too large."""
    case = RunAnswer(
        "a run", "epsilon", "float", (RunPhase(0.01, 1.0, 1000),), 1e-5, None, 2.0, "",
        "1.998", "1.998", error, "kept", 0.1,
    )  # fmt: skip
    return replace(case, ruling=ruling, **changed)


def words(*cases: RunAnswer) -> str:
    return cell(ORDINARY, cases).words


def test_small_excess_is_tight() -> None:
    assert words(answer(), answer(0.02), answer(0.002)) == "safe and tight, by 0.2 % (worst: 2 %)"


def test_an_excess_of_more_than_a_hundredth_at_half_of_the_questions_is_loose() -> None:
    assert cell(ORDINARY, [answer(0.01)]).standing == "tight"
    assert cell(ORDINARY, [answer(0.01 + 1e-6)]).standing == "loose"


def test_one_answer_below_the_exact_value_outweighs_all_others() -> None:
    found = cell(ORDINARY, [*[answer()] * 99, answer(-0.114, "UNSAFE")])
    assert found.words == "too small, by 11 % (1 of 100)"
    assert found.worst == answer(-0.114, "UNSAFE")


def test_an_answer_that_is_a_little_low_is_too_small() -> None:
    assert words(answer(), answer(-2e-5, "low")) == "too small, by 0.002 % (1 of 2)"


@pytest.mark.parametrize(("error", "standing"), [(-2e-6, "too small"), (-0.5e-6, "tight")])
def test_an_estimate_is_too_small_from_a_millionth_on(error: float, standing: str) -> None:
    assert cell(ORDINARY, [answer(error, "estimated")]).standing == standing


def test_infinite_and_missing_answers_are_silence() -> None:
    silent = [answer(None, "vacuous", answer="inf"), answer(None, "no answer", answer=None)]
    assert words(*silent) == "no answer"
    assert words(answer(), *silent) == "safe and tight, by 0.1 %; no answer to 2 of 3"


def test_what_is_undecided_is_told_apart() -> None:
    assert words(answer(None, "undecided")) == "undecided (1)"
    assert words(answer(), answer(None, "undecided")) == "safe and tight, by 0.1 %; 1 undecided"


def test_an_excess_is_that_of_the_answers_for_epsilon() -> None:
    delta = answer(1e9, quantity="delta", delta=None, epsilon=2.0, truth_hi="1e-20")
    assert (
        cell(TINY, [answer(0.2, delta=1e-20), delta]).words == "safe, loose by 20 % (worst: 20 %)"
    )
    assert cell(TINY, [delta]).words == "safe, loose by 1e9 times"
    low = replace(delta, error=-0.9, ruling="UNSAFE")
    assert cell(TINY, [answer(0.2, delta=1e-20), low]).words == "too small, by 90 % (1 of 2)"


@pytest.mark.parametrize(
    ("changed", "use"),
    [
        ({}, ORDINARY),
        ({"delta": 1e-10}, ORDINARY),
        ({"delta": 0.99e-10}, TINY),
        ({"quantity": "sigma", "epsilon": 2.0}, NOISE),
        ({"quantity": "delta", "delta": None, "epsilon": 2.0}, DELTA),
        ({"quantity": "sigma", "epsilon": 2.0, "delta": 0.99e-10}, TINY),
        ({"quantity": "delta", "delta": None, "epsilon": 2.0, "truth_hi": "0.99e-10"}, TINY),
        ({"relation": "replace-one"}, REPLACE),
        ({"relation": "zero-out"}, REPLACE),
        ({"sampling": "sequential", "relation": "replace-one"}, FIXED),
        ({"sampling": "truncated-poisson"}, ALLOCATION),
        ({"sampling": "fixed-size", "relation": "replace-one"}, FIXED),
        ({"sampling": "allocation", "relation": "add/remove"}, ALLOCATION),
    ],
)
def test_every_question_tells_about_one_use(changed: dict[str, object], use: str) -> None:
    asked = answer(**changed)  # type: ignore[arg-type]  # names of fields with their values
    assert [name for name, belongs in USES.items() if belongs(asked)] == [use]


def test_what_users_get_by_default_comes_first_and_a_lower_bound_not_at_all() -> None:
    def one(library: str, name: str, promise: str = "upper") -> JudgedAccountant:
        return JudgedAccountant(library, "1", name, promise, (answer(),))  # type: ignore[arg-type]  # a promise

    asked = (one("x", "y"), one("x", "z", "lower"), one("opacus", "rdp"), one("opacus", "prv"))
    found = matrix(Accountants(date="2026-11-18", sgm_verify="0", seed=0, accountants=asked))
    assert [row.slug for row in found.rows] == ["opacus-1-prv", "opacus-1-rdp", "x-1-y"]
    assert found.rows[0].default == "the default of PrivacyEngine"


def test_what_was_chosen_in_asking_is_told() -> None:
    (row,) = [r for r in matrix(*RECORDED).rows if r.name == "prv upper"]
    assert row.how == "with eps_error = 0.1"


def test_the_command_asks_the_same_question() -> None:
    assert command(answer()) == "sgm-verify epsilon --q 0.01 --sigma 1.0 --steps 1000 --delta 1e-05"
    noise = answer(quantity="sigma", epsilon=2.0, history=(RunPhase(0.01, None, 1000),))
    assert (
        command(noise) == "sgm-verify calibrate --q 0.01 --steps 1000 --delta 1e-05 --epsilon 2.0"
    )
    assert command(answer(history=(RunPhase(0.01, 1.0, 1),) * 2)) == ""


def test_a_question_names_its_sampling_and_numbers_where_they_are_not_the_usual_ones() -> None:
    assert question(answer()) == "q = 0.01, σ = 1, 1000 steps; δ = 1e-05"
    other = answer(sampling="fixed-size", relation="replace-one", numbers="int")
    assert question(other).endswith("; δ = 1e-05, fixed-size, replace-one, numbers as int")


def test_of_a_bracket_both_ends_are_told() -> None:
    assert exact(answer(truth_lo="1.998", truth_hi="1.9980000001")) == "1.9980000001"
    assert exact(answer(truth_lo="1.998", truth_hi="1.99801")) == "1.998 to 1.99801"
    assert exact(answer(truth_lo=None, truth_hi=None)) == "unknown"


def test_answers_of_two_records_stand_in_one_row() -> None:
    def record(date: str, *cases: RunAnswer) -> Accountants:
        return Accountants(date, "1", 7, (JudgedAccountant("some", "1.0", "rdp", "upper", cases),))

    fixed = answer(-0.7, "UNSAFE", sampling="fixed-size", relation="replace-one")
    found = matrix(record("2026-01-02", answer()), record("2026-01-01", fixed))
    (row,) = found.rows
    standings = {c.use: c.standing for c in row.cells}
    assert (standings[ORDINARY], standings[FIXED]) == ("tight", "too small")
    assert found.date == "2026-01-02"


def test_no_recorded_answer_is_left_out() -> None:
    cases = [case for record in RECORDED for one in record.accountants for case in one.cases]
    assert {sum(belongs(case) for belongs in USES.values()) for case in cases} == {1}


RECORDED = [document.read(ROOT / "reports" / name, Accountants) for name in RECORDS]


def test_the_recorded_answers_about_other_samplings_show_one_that_is_far_too_small() -> None:
    """dp-accounting's RDP accountant, batches of a fixed size with one record replaced."""
    (row,) = [r for r in matrix(*RECORDED).rows if (r.library, r.name) == ("dp-accounting", "rdp")]
    (fixed,) = [c for c in row.cells if c.use == FIXED]
    assert fixed.standing == "too small"
    assert fixed.worst is not None
    assert (fixed.worst.error or 0) < -0.7


def test_the_recorded_answers_fill_the_matrix() -> None:
    found = matrix(*RECORDED)
    assert all(len(row.cells) == len(USES) for row in found.rows)
    assert {"tight", "loose", "too small"} <= {c.standing for row in found.rows for c in row.cells}
