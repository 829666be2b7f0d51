"""Turns: one thread at a time, in order, not beyond a deadline, and not across a fork."""

from __future__ import annotations

import os
import threading
import time

import pytest

from tests.patience import PATIENCE, patient
from verify.budget import Deadline
from verify.errors import BudgetExceeded
from verify.turns import Turn


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
    """Wait until a thread stands between the doors."""
    wait = patient()
    while turn._outer.acquire(False):
        turn._outer.release()
        wait.check()
        time.sleep(0.001)


forks = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),  # it is the subject
]


def test_a_turn_is_free_again_only_when_all_of_it_is_given_back():
    turn = Turn()
    turn.take()
    turn.take()
    turn.give()
    assert not free(turn)
    turn.give()
    assert free(turn)


def test_a_turn_is_given_back_after_an_error():
    turn = Turn()
    with pytest.raises(ZeroDivisionError), turn.held():
        raise ZeroDivisionError
    assert free(turn)


def test_waiting_ends_at_the_deadline():
    turn = Turn()
    with Visitor(turn), pytest.raises(BudgetExceeded):
        turn.take(Deadline(0.01))
    assert free(turn)


def test_waiting_behind_one_who_waits_ends_at_the_deadline():
    turn, order = Turn(), []
    with Visitor(turn, "first", order) as first:
        second = Visitor(turn, "second", order)
        second.go.set()
        second.start()
        somebody_waits(turn)
        with pytest.raises(BudgetExceeded):
            turn.take(Deadline(0.01))
        first.go.set()
        second.join(PATIENCE)
    assert order == ["first", "second"]
    assert free(turn)


@pytest.mark.parametrize("door", ["_outer", "_inner"])
@pytest.mark.parametrize("opened", [False, True])
def test_an_interrupt_at_a_door_leaves_both_free(opened, door):
    """Ctrl-C before the lock is taken, and just after."""
    turn = Turn()

    class Interrupted:
        def __init__(self, lock):
            self.lock = lock

        def acquire(self, *_, **__):
            if opened:
                self.lock.acquire()
            raise KeyboardInterrupt

        def release(self):
            self.lock.release()

    lock = getattr(turn, door)
    setattr(turn, door, Interrupted(lock))
    with pytest.raises(KeyboardInterrupt):
        turn.take()
    setattr(turn, door, lock)
    assert free(turn)
    assert takes(turn)


def test_endless_patience_is_no_error():
    with Turn().held(Deadline(1e300)):
        pass


def test_whoever_waits_comes_before_whoever_returns():
    turn, order = Turn(), []
    turn.take()
    waiting = Visitor(turn, "waiting", order)
    waiting.go.set()
    waiting.start()
    somebody_waits(turn)
    turn.give()
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
            turn.give()
            return mine and free(turn)

        with turn.held():
            assert in_child(check)
        assert free(turn)

    def test_only_what_others_left_behind_is_cleaned_up(self):
        cleaned = []
        turn = Turn(lambda: cleaned.append(True))
        with Visitor(turn):
            assert in_child(lambda: cleaned == [True])
        with turn.held():
            assert in_child(lambda: cleaned == [])
        assert in_child(lambda: cleaned == [])
        assert cleaned == []
