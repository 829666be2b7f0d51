"""The course of a check: what is asked twice, how long, and what is compared."""

import math
import sys
import time
from pathlib import Path

from tests.patience import PATIENCE
from verify.judge.check.fresh import draw_points
from verify.judge.protocol.domain import Domain
from verify.judge.protocol.harness import Harness, Limits
from verify.judge.protocol.question import Answer, Question
from verify.judge.protocol.session import Extent, Session, answer_key
from verify.judge.verdict.judged import points_of_vectors
from verify.vectors import load, select

HOSTILE = str(Path(__file__).with_name("hostile.py"))
VECTORS = points_of_vectors(select(load(), groups=("q-chain",)), "rdp")
CALM = Limits(PATIENCE, PATIENCE)


def heard(way="good", plan=None, limits=CALM, slept=None, domain=None):
    waits = [] if slept is None else slept
    with Harness([sys.executable, HOSTILE, way], limits) as harness:
        plan = plan or Extent(fresh=20, calls=300, age=50.0, busy=PATIENCE)
        fresh = draw_points(7, plan.fresh, "rdp", domain).points
        return Session(harness, 7, plan, waits.append).ask(VECTORS, fresh)


def test_one_process_is_asked_as_often_as_planned():
    found = heard()
    assert found.calls >= 300
    assert found.repeated >= 300 - len(found.points)
    assert found.changed == []


def test_the_program_is_left_alone_until_it_is_old_enough():
    slept = []
    heard(slept=slept)
    assert len(slept) == 1
    assert 3.0 <= slept[0] <= 50.0


def test_a_quick_look_waits_for_nothing_and_repeats_nothing():
    slept = []
    found = heard(plan=Extent.quick(), slept=slept)
    assert (slept, found.repeated) == ([], 0)
    assert len(found.points) == len(VECTORS) + 60


def test_a_program_that_never_answers_is_not_kept_waiting_for():
    slept = []
    found = heard("never", limits=Limits(0.2, 0.2), slept=slept)
    assert (slept, found.repeated) == ([], 0)


def test_fresh_points_keep_to_the_domain():
    found = heard(domain=Domain("whole, sigma>=1"))
    new = [p for p in found.points if "Fresh" in p.flags]
    assert new
    assert all(p.question.alpha.is_integer() and p.question.sigma >= 1 for p in new)


def test_an_answer_that_changes_is_seen_whatever_it_was():
    class Fickle(Harness):
        asked = 0

        def ask(self, question: Question) -> Answer:
            self.asked += 1
            answer = super().ask(question)
            return Answer("error", detail="now I cannot") if self.asked == 250 else answer

    with Fickle([sys.executable, HOSTILE, "good"], CALM) as harness:
        plan = Extent(fresh=20, calls=300, age=0.0, busy=PATIENCE)
        found = Session(harness, 7, plan).ask(VECTORS, draw_points(7, 20).points)
    (change,) = found.changed
    assert change.property == "repeatable"
    assert change.values[0] == change.questions[0].q
    assert math.isnan(change.values[1])


def test_the_same_double_is_the_same_answer_and_nan_is_one():
    assert answer_key(Answer("value", math.nan)) == answer_key(Answer("value", math.nan))
    assert answer_key(Answer("value", 0.5)) != answer_key(Answer("value", math.nextafter(0.5, 1)))
    assert answer_key(Answer("value", 0.0)) != answer_key(Answer("value", -0.0))


def test_the_seconds_in_which_others_had_the_processor_do_not_end_the_questions():
    class Starved(Harness):
        """Whatever time passes, the program waits for its turn."""

        def _seconds_queued(self) -> float:
            return time.monotonic()

    plan = Extent(fresh=20, calls=300, age=0.0, busy=0.005)
    with Starved([sys.executable, HOSTILE, "good"], CALM) as harness:
        assert Session(harness, 7, plan).ask(VECTORS, draw_points(7, 20).points).calls >= 300
        assert harness.worked < 0.005


def test_a_program_that_works_long_is_asked_no_more_than_its_time():
    plan = Extent(fresh=20, calls=10**6, age=0.0, busy=0.2)
    with Harness([sys.executable, HOSTILE, "good"], CALM) as harness:
        found = Session(harness, 7, plan).ask(VECTORS, draw_points(7, 20).points)
    assert len(found.points) < found.calls < 10**6
