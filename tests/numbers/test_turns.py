"""Turns: one thread at a time, in order, not beyond a deadline, and not across a fork."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from random import Random

import pytest
from flint import ctx

import verify
from tests.patience import PATIENCE, patient
from verify.numbers import balls, turns
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded
from verify.numbers.turns import Ticket, Turn


class Visitor(threading.Thread):
    """Takes the turn, says so, and keeps it until told to go."""

    def __init__(self, turn, name="", order=None):
        super().__init__(name=name, daemon=True)
        self.turn, self.order = turn, [] if order is None else order
        self.has, self.go = threading.Event(), threading.Event()

    def run(self):
        with self.turn.held():
            self.order.append(self.name)
            self.has.set()
            self.go.wait(PATIENCE)

    def __enter__(self):
        self.start()
        assert self.has.wait(PATIENCE)
        return self

    def __exit__(self, *_):
        self.go.set()
        self.join(PATIENCE)


def in_child(check):
    """Whether check() is true in a forked child."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if check() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def takes(turn):
    """Whether this thread can have the turn now."""
    try:
        with turn.held(Deadline(0.0)):
            return True
    except BudgetExceeded:
        return False


def free(turn):
    """Whether another thread can have the turn now."""
    found = []
    thread = threading.Thread(target=lambda: found.append(takes(turn)))
    thread.start()
    thread.join(PATIENCE)
    return found == [True]


def somebody_waits(turn):
    """Wait until a thread stands in the queue behind another."""
    wait = patient()
    while len(turn._queue) < 2:
        wait.check()
        time.sleep(0.001)


def left_behind(turn, state=None):
    """Take the turn and end without giving it back, as an interrupt at the wrong moment does."""
    turn.take(sys._getframe()).state = state


forks = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),  # it is the subject
]


def test_a_turn_is_free_again_only_when_all_of_it_is_given_back():
    turn = Turn()
    with turn.held():
        with turn.held():
            pass
        assert not free(turn)
    assert free(turn)


def test_a_turn_is_given_back_after_an_error():
    turn = Turn()
    with pytest.raises(ZeroDivisionError), turn.held():
        raise ZeroDivisionError
    assert free(turn)


def test_waiting_ends_at_the_deadline():
    turn = Turn()
    with Visitor(turn), pytest.raises(BudgetExceeded):
        turn.take(sys._getframe(), Deadline(0.01))
    assert free(turn)


def test_waiting_behind_one_who_waits_ends_at_the_deadline():
    turn, order = Turn(), []
    with Visitor(turn, "first", order) as first:
        second = Visitor(turn, "second", order)
        second.go.set()
        second.start()
        somebody_waits(turn)
        with pytest.raises(BudgetExceeded):
            turn.take(sys._getframe(), Deadline(0.01))
        first.go.set()
        second.join(PATIENCE)
    assert order == ["first", "second"]
    assert free(turn)


def test_a_turn_left_behind_is_free_for_its_own_thread():
    turn = Turn()
    left_behind(turn)
    assert takes(turn)
    assert free(turn)


def test_a_turn_left_behind_is_free_for_others():
    turn = Turn()
    left_behind(turn)
    assert free(turn)


def test_a_place_left_behind_in_the_queue_holds_nobody_up():
    turn = Turn()
    with Visitor(turn) as visitor:
        turn._queue.append(abandoned_ticket())
        visitor.go.set()
        visitor.join(PATIENCE)
        assert takes(turn)


def abandoned_ticket():
    return Ticket(sys._getframe())


def test_what_was_left_behind_is_restored_once():
    states = []
    turn = Turn(states.append)
    left_behind(turn, 7)
    assert takes(turn)
    assert free(turn)
    assert states == [7]


def test_a_turn_in_use_is_not_taken_away():
    turn = Turn()
    with Visitor(turn):
        time.sleep(3 * turns._SLICE)
        assert not free(turn)


def test_a_generator_that_pauses_keeps_its_turn():
    turn = Turn()

    def pausing():
        with turn.held():
            yield
        yield

    steps = pausing()
    next(steps)
    assert turn.mine()
    assert not free(turn)
    next(steps)
    assert free(turn)


def test_interrupts_at_any_moment_leave_nothing_locked_and_no_digit_changed():
    """A signal raises KeyboardInterrupt between any two steps of a computation, a thousand times."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        pytest.skip("needs an interval timer and the main thread")
    expected, base, random = verify.rdp("0.01", "1.1", "8.5", digits=10), ctx.prec, Random(0)

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(1000):
            with suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, random.uniform(2e-5, 1.5e-3))
                while True:
                    verify.rdp("0.01", "1.1", "8.5", digits=10)
            assert verify.rdp("0.01", "1.1", "8.5", digits=10, max_seconds=PATIENCE) == expected
            assert ctx.prec == base
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert free(balls._TURN)


def test_endless_patience_is_no_error():
    with Turn().held(Deadline(1e300)):
        pass


def test_whoever_waits_comes_before_whoever_returns():
    turn, order = Turn(), []
    with turn.held():
        waiting = Visitor(turn, "waiting", order)
        waiting.go.set()
        waiting.start()
        somebody_waits(turn)
    with turn.held(patient()):
        order.append("returning")
    waiting.join(PATIENCE)
    assert order == ["waiting", "returning"]


class TestForks:
    pytestmark = forks

    def test_a_turn_that_another_thread_has_is_free_in_the_child(self):
        turn = Turn()
        with Visitor(turn):
            assert in_child(lambda: takes(turn))
            assert not takes(turn)

    def test_a_turn_somebody_waits_for_is_free_in_the_child(self):
        turn = Turn()
        with Visitor(turn):
            second = Visitor(turn)
            second.go.set()
            second.start()
            somebody_waits(turn)
            assert in_child(lambda: takes(turn))
        second.join(PATIENCE)

    def test_the_turn_of_the_forking_thread_stays_its_own(self):
        turn = Turn()

        def check():
            mine = turn.mine() and not free(turn)
            turn.give(turn._queue[0])
            return mine and free(turn)

        with turn.held():
            assert in_child(check)
        assert free(turn)

    def test_only_what_others_left_behind_is_cleaned_up(self):
        cleaned = []
        turn = Turn(lambda state: cleaned.append(state))
        with Visitor(turn):
            turn._queue[0].state = 5
            assert in_child(lambda: cleaned == [5])
        with turn.held():
            assert in_child(lambda: cleaned == [])
        assert in_child(lambda: cleaned == [])
        assert cleaned == []
