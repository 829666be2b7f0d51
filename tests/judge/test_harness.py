"""Whatever a harness does, the judge goes on, and is not fooled."""

import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.patience import PATIENCE, patient
from verify.judge.protocol.harness import (
    _WARDEN,
    Harness,
    HarnessFailed,
    Limits,
    _exit_code,
    _longest_wait,
    _resident,
    run,
)
from verify.judge.protocol.question import (
    Answer,
    Garbage,
    Question,
    parse_answer,
    printable,
    question_line,
)

HOSTILE = str(Path(__file__).with_name("hostile.py"))
QUESTIONS = [(f"p{k}", Question("rdp", k / 16, 1.0, 2.0)) for k in range(1, 9)]
CALM = Limits(PATIENCE, PATIENCE, memory=512 << 20, restarts=4)  # for answers that have to come
HASTY = Limits(seconds=0.3, start_seconds=0.6, memory=512 << 20, restarts=3)


def ask(way, limits=CALM, questions=QUESTIONS):
    with Harness([sys.executable, HOSTILE, way], limits) as harness:
        answers = run(harness, questions, seed=5)
        return answers, harness


def kinds(answers):
    return {answer.kind for answer in answers.values()}


def true_or_missing(answers):
    """No answer was attributed to a question it does not belong to."""
    truth = {name: question.q for name, question in QUESTIONS}
    return all(a.kind != "value" or a.value == truth[name] for name, a in answers.items())


def test_a_well_behaved_harness_answers_everything():
    answers, harness = ask("good")
    assert kinds(answers) == {"value"}
    assert true_or_missing(answers)
    assert (harness.starts, harness.violations) == (1, [])


@pytest.mark.parametrize(
    ("way", "kind"),
    [
        ("garbage", "garbage"),
        ("nan-text", "garbage"),
        ("deep", "garbage"),
        ("true", "garbage"),
        ("both", "garbage"),
        ("twin-keys", "garbage"),
        ("binary", "garbage"),
        ("dies-at-start", "crash"),
        ("half-then-dies", "crash"),
        ("gigabyte", "flood"),
    ],
)
def test_no_answer_has_a_name(way, kind):
    answers, _ = ask(way)
    assert kind in kinds(answers)
    assert kinds(answers) <= {kind, "not-asked"}
    assert len(answers) == len(QUESTIONS)


def test_half_a_line_is_a_time_out():
    answers, _ = ask("half", questions=QUESTIONS[:2], limits=HASTY)
    assert kinds(answers) == {"time-out"}


def test_blank_lines_without_end_are_a_flood():
    answers, _ = ask("gigabyte-of-lines", questions=QUESTIONS[:2])
    assert kinds(answers) == {"flood"}


def test_lines_without_end_do_not_pile_up():
    answers, harness = ask("never-quiet", Limits(restarts=2))
    assert kinds(answers) <= {"garbage", "flood", "not-asked", "twice"}
    assert len(harness.violations) <= 1000


def test_lines_that_nobody_asked_for_are_put_down_before_the_next_question():
    (_, first), (_, second), *_ = QUESTIONS
    with Harness([sys.executable, HOSTILE, "good"]) as harness:
        harness.ask(first)
        harness._lines.extend([b"y"] * 500)
        assert harness.ask(second).value == second.q
        assert not harness._lines
        assert len(harness.violations) == 500


def test_late_answers_reach_nobody():
    answers, harness = ask("late", HASTY)
    assert "time-out" in kinds(answers)
    assert true_or_missing(answers)
    assert harness.starts > 1


def test_a_harness_that_never_answers_costs_bounded_time():
    answers, harness = ask("never", HASTY)
    assert kinds(answers) == {"time-out", "not-asked"}
    waits = [answer for answer in answers.values() if answer.kind == "time-out"]
    assert len(waits) == harness.starts == HASTY.silent_starts <= HASTY.restarts
    assert waits[0].detail == "no answer within 0.6 s"


def test_only_silent_starts_in_a_row_count():
    """A word in between, and the program is started again."""

    class Scripted(Harness):
        said = iter(["time-out", "time-out", "value", "time-out"] * 3)

        def _exchange(self, *_):
            return Answer(next(self.said))

    with Scripted([sys.executable, HOSTILE, "good"], Limits(restarts=9)) as harness:
        found = [harness.ask(question).kind for _, question in QUESTIONS]
    assert found == ["time-out", "time-out", "value", "time-out"] * 2
    assert harness.starts == 6


def test_a_line_may_end_with_a_carriage_return():
    answers, harness = ask("carriage-returns")
    assert kinds(answers) == {"value"}
    assert true_or_missing(answers)
    assert harness.violations == []


@pytest.mark.parametrize("way", ["twice", "twice-different"])
def test_answering_twice_voids_the_answer(way):
    answers, harness = ask(way)
    assert "twice" in kinds(answers)
    assert harness.violations
    assert true_or_missing(answers)


def test_answers_to_other_questions_are_violations():
    answers, harness = ask("previous")
    assert harness.violations
    assert true_or_missing(answers)


def test_an_answer_before_the_question_is_a_violation():
    _, harness = ask("unsolicited")
    assert len(harness.violations) == 1


def test_a_crash_costs_one_point_and_a_restart():
    answers, harness = ask("dies")
    found = [answer.kind for answer in answers.values()]
    assert found.count("crash") == 2
    assert found.count("value") == 6
    assert harness.starts == 3


def test_the_memory_limit_holds():
    answers, _ = ask("memory")
    assert kinds(answers) <= {"crash", "not-asked"}


def test_a_long_log_does_not_block_or_pile_up():
    answers, harness = ask("gigabyte-of-log")
    assert kinds(answers) == {"value"}
    assert len(harness.log) <= 4000


def test_a_number_of_ten_thousand_digits_is_infinite():
    answers, _ = ask("long-integer")
    assert {answer.value for answer in answers.values()} == {math.inf}


def test_a_program_that_does_not_end_is_killed():
    with Harness([sys.executable, HOSTILE, "ignores-the-end"], CALM) as harness:
        harness.ask(QUESTIONS[0][1])
        process = harness._process
    assert process.poll() is not None


def test_a_program_that_does_not_exist_is_one_clear_error():
    with pytest.raises(HarnessFailed, match="cannot start"):
        Harness(["/no/such/program"]).ask(QUESTIONS[0][1])


def test_no_shell_is_involved(tmp_path):
    target = tmp_path / "made"
    with Harness([sys.executable, HOSTILE, f"good; touch {target}"], CALM) as harness:
        harness.ask(QUESTIONS[0][1])
    assert not target.exists()


def test_the_order_depends_on_the_seed_only():
    class Recorder(Harness):
        def ask(self, question):
            self.order = [*getattr(self, "order", []), question.q]
            return super().ask(question)

    orders = []
    for seed in (1, 1, 2):
        with Recorder([sys.executable, HOSTILE, "good"], CALM) as harness:
            run(harness, QUESTIONS, seed)
            orders.append(harness.order)
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


def test_questions_read_back_exactly():
    import json

    point = Question("rdp", 0.1, 1 / 3, 1 + 2.0**-52)
    data = json.loads(question_line("t", point))
    assert (data["q"], data["sigma"], data["alpha"]) == (point.q, point.sigma, point.alpha)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        ('"0x1.8p1"', 3.0),
        ('"inf"', math.inf),
        ("1e999", math.inf),
        ("7", 7.0),
        ('"-inf"', -math.inf),
    ],
)
def test_values_in_every_notation(text, value):
    assert parse_answer(f'{{"id": "a", "value": {text}}}'.encode())[1].value == value


def test_nan_is_said_as_a_string():
    assert math.isnan(parse_answer(b'{"id": "a", "value": "nan"}')[1].value)


@pytest.mark.parametrize(
    "line",
    [b"", b"[]", b'{"id": 1, "value": 2}', b'{"id": "a"}', b'{"id": "a", "value": "0.5x"}', b'{"id": "a", "value": null}',
     b'{"id": "a", "value": -Infinity}', b'{"id": "a", "error": 5}', b'{"id": "a", "value": 1} {}'],
)  # fmt: skip
def test_everything_else_is_garbage(line):
    with pytest.raises(Garbage):
        parse_answer(line)


def test_foreign_text_is_escaped_and_bounded():
    assert printable("\x1b]0;x\x07") == "\\x1b]0;x\\x07"
    assert len(printable("x" * 10_000)) < 300


def test_the_time_spent_waiting_is_bounded_in_all():
    """A program that hangs at every second question does not get a time limit for each of forty starts."""
    limits = Limits(seconds=0.2, start_seconds=PATIENCE, restarts=40, lost_seconds=0.5)
    answers, harness = ask("every-second", limits)
    found = [answer.kind for answer in answers.values()]
    assert 1 <= found.count("time-out") <= 3
    assert found[-1] == "not-asked"
    assert harness.lost >= 0.5
    assert list(answers.values())[-1].detail.startswith("gave up after ")


def test_a_file_that_is_no_program_is_one_clear_error(tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"\x00\x01 no program")
    path.chmod(0o755)
    with pytest.raises(HarnessFailed, match="cannot start"):
        Harness([str(path)]).ask(QUESTIONS[0][1])


def test_the_exit_code_is_that_of_the_program():
    answers, _ = ask("dies-at-start", questions=QUESTIONS[:1])
    assert "exit code 3" in answers["p1"].detail


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt orphans")


@linux
def test_a_child_that_has_left_the_process_group_is_killed(tmp_path):
    note = tmp_path / "pid"
    with Harness([sys.executable, HOSTILE, "escapes", str(note)], CALM) as harness:
        assert harness.ask(QUESTIONS[0][1]).kind == "value"
        child = Path("/proc", note.read_text())
        assert _alive(child)
    assert not _alive(child)


@linux
def test_it_is_killed_too_when_the_program_has_ended_by_itself(tmp_path):
    note = tmp_path / "pid"
    with Harness([sys.executable, HOSTILE, "escapes", str(note)], CALM) as harness:
        harness.ask(QUESTIONS[0][1])
        harness._process.stdin.close()
        assert _exit_code(harness._process, PATIENCE) == 0
        assert not _alive(Path("/proc", note.read_text()))


@linux
def test_nothing_survives_a_judge_that_is_killed(tmp_path):
    note = tmp_path / "pid"
    code = (
        "import sys; from verify.judge.protocol.harness import Harness; "
        "from verify.judge.protocol.question import Question\n"
        f"h = Harness([sys.executable, {HOSTILE!r}, 'escapes', {str(note)!r}])\n"
        "h.ask(Question('rdp', 0.5, 1.0, 2.0)); print(h._process.pid, flush=True)\n"
        "import time; time.sleep(3600)"
    )
    judge = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    found = [Path("/proc", judge.stdout.readline().strip()), Path("/proc", note.read_text())]
    judge.kill()
    judge.wait()
    judge.stdout.close()
    wait = patient()
    while any(map(_alive, found)) and wait.left():
        time.sleep(0.05)
    assert not any(map(_alive, found))


@linux
def test_a_program_whose_judge_died_before_it_began_is_ended():
    nobody = 2**22 + 1
    with warden(nobody) as process:
        assert process.wait(PATIENCE) == 0


@linux
def test_a_signal_that_comes_while_the_warden_cannot_listen_is_heard():
    with warden(os.getpid()) as process:
        process.send_signal(signal.SIGSTOP)
        process.terminate()
        process.send_signal(signal.SIGCONT)
        assert process.wait(PATIENCE) == 0


def warden(judge):
    """A warden whose program has begun, and would run for an hour."""
    begun, status = os.pipe()
    words = [*_WARDEN, str(judge), str(status), str(1 << 30), "sleep", "3600"]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, pass_fds=[status])
    os.close(status)
    with os.fdopen(begun, "rb") as pipe:
        assert pipe.read() == b""
    return process


def _alive(process):
    try:
        return "\nState:\tZ" not in (process / "status").read_text()
    except OSError:
        return False


def test_a_process_that_has_ended_has_waited_for_nothing_and_needs_no_memory():
    """It may end between being listed and being looked at."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert (_longest_wait(ended.pid), _resident(ended.pid)) == (0.0, 0)
