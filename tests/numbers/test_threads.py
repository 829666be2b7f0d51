"""Eight threads get what one gets; waiting has an end; processes of every kind get it too."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction as Q

import mpmath
import pytest
from flint import arb, ctx

import verify
from tests.numbers.test_turns import Visitor, in_child
from tests.patience import PATIENCE, patient
from verify.moments.engines import Moment, quadrature, series, witness
from verify.numbers import balls
from verify.numbers.errors import BudgetExceeded

THREADS = 8
POINTS = [
    (q, sigma, alpha)
    for q in ("0.001", "0.3", "0.999999")
    for sigma in ("0.4", "3")
    for alpha in ("1", "1.5", "4", "20.25", "inf")
]
QUANTITIES = (verify.log_a, verify.log_b, verify.rdp, verify.rdp_reverse)


@pytest.fixture(autouse=True)
def _impatient_interpreter():
    """Threads change places as often as the interpreter lets them: a race shows sooner."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def ends(job):
    quantity, point, digits, cross_check = job
    value = quantity(*point, digits=digits, cross_check=cross_check, max_seconds=PATIENCE)
    return value.lo, value.hi, value.witnesses, value.to_double(), value.to_double_up()


def in_threads(jobs):
    """All jobs by eight threads, which a failure does not keep alive."""
    results, todo = [None] * len(jobs), iter(enumerate(jobs))

    def work():
        for number, job in todo:
            results[number] = ends(job)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    wait = patient()
    for thread in threads:
        thread.join(wait.left())
    return results


def test_every_bit_is_the_same_in_eight_threads():
    jobs = [
        (quantity, point, digits, False)
        for quantity in QUANTITIES
        for point in POINTS
        for digits in (3, 17, 60)
    ]
    assert [ends(job) for job in jobs] == in_threads(jobs)


def test_cross_checks_in_eight_threads_end_and_agree():
    point = ("0.1", "1", "2.5")
    jobs = [
        (quantity, point, digits, True)
        for digits in (10, 14, 18, 30)
        for quantity in (verify.rdp, verify.rdp_reverse)
    ]
    assert [ends(job) for job in jobs] == in_threads(jobs)


def test_the_callers_precision_is_what_it_was():
    before, ctx.prec = ctx.prec, 77
    try:
        in_threads([(verify.rdp, point, 30, False) for point in POINTS])
        assert ctx.prec == 77
    finally:
        ctx.prec = before


def test_a_thread_that_ends_leaves_no_constants_behind(monkeypatch):
    freed = []
    monkeypatch.setattr(balls, "forget", lambda: freed.append(threading.get_ident()))
    in_threads([(verify.rdp, point, 30, False) for point in POINTS])
    assert 1 <= len(freed) <= THREADS
    assert threading.get_ident() not in freed


def test_what_a_thread_made_outlives_it():
    """Freeing its constants does not touch balls that others still hold."""
    made = []

    def make():
        with balls.precision(2000):
            made.append(arb(2).sqrt().exp())

    for _ in range(20):
        thread = threading.Thread(target=make)
        thread.start()
        thread.join(PATIENCE)
    with balls.precision(2000):
        make()
        assert all(balls.enclosure(x) == balls.enclosure(made[-1]) for x in made)


def test_mpmath_itself_is_not_touched():
    with mpmath.workdps(23):
        in_threads([(verify.rdp, ("0.1", "1", "2.5"), 12, True)] * 2)
        assert mpmath.mp.dps == 23


@pytest.mark.parametrize("alpha", ["1", "2", "2.5", "inf"])
def test_waiting_for_the_balls_counts_as_time(alpha):
    with Visitor(balls._TURN), pytest.raises(BudgetExceeded):
        verify.rdp_reverse("0.3", 1, alpha, max_seconds=0.01)


@pytest.mark.parametrize("engine", [series, quadrature])
def test_waiting_for_a_witness_counts_as_time(engine):
    with Visitor(witness._TURN), pytest.raises(BudgetExceeded):
        engine.evaluate(Moment(Q(1, 10), Q(1), Q(5, 2)), 10, verify.numbers.budget.Deadline(0.01))


def test_the_next_waits_no_longer_than_the_failure_of_the_one_before():
    """An engine that gives up in the middle gives its turn back."""
    with pytest.raises(BudgetExceeded):
        series.evaluate(Moment(Q(1, 10), Q(1), Q(5, 2)), 10, verify.numbers.budget.Deadline(0.0))
    assert "series" in ends((verify.rdp, ("0.1", "1", "2.5"), 10, True))[2]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_result_survives_pickling(quantity, point):
    value = quantity(*point, digits=3)
    copy = pickle.loads(pickle.dumps(value))
    assert copy == value
    assert (copy.to_double(), copy.to_double_up()) == (value.to_double(), value.to_double_up())
    assert copy.max_seconds == value.max_seconds


def test_a_confirmed_result_survives_pickling():
    value = verify.rdp("0.1", 1, "2.5", digits=12, cross_check=True)
    assert pickle.loads(pickle.dumps(value)).witnesses == value.witnesses != ()


def test_results_come_back_from_a_fresh_process():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        value = pool.submit(verify.rdp, "0.1", 1, "2.5", digits=3).result(PATIENCE)
    assert value == verify.rdp("0.1", 1, "2.5", digits=3)
    assert value.to_double() == verify.rdp("0.1", 1, "2.5").to_double()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")  # it is the subject
class TestForks:
    def test_a_child_computes_while_a_thread_of_its_parent_has_the_turn(self):
        expected = ends((verify.rdp, ("0.1", "1", "2.5"), 20, True))
        with Visitor(balls._TURN), Visitor(witness._TURN):
            assert in_child(lambda: ends((verify.rdp, ("0.1", "1", "2.5"), 20, True)) == expected)

    def test_a_child_has_the_precision_of_the_caller_not_of_another_thread(self):
        outside = ctx.prec
        has, go = threading.Event(), threading.Event()

        def compute():
            with balls.precision(1000), balls.precision(2000):
                has.set()
                go.wait(PATIENCE)

        thread = threading.Thread(target=compute)
        thread.start()
        try:
            assert has.wait(PATIENCE)
            assert in_child(lambda: ctx.prec == outside)
        finally:
            go.set()
            thread.join(PATIENCE)

    def test_a_child_forked_inside_a_precision_keeps_it(self):
        def check():
            with balls.precision(90):
                nested = ctx.prec == 90
            return nested and ctx.prec == 321

        with balls.precision(321):
            assert in_child(check)

    def test_pools_of_processes_work_beside_busy_threads(self):
        job = (verify.rdp, ("0.1", "1", "2.5"), 20, False)
        expected, stop = ends(job), threading.Event()

        def busy():
            while not stop.is_set():
                verify.rdp("0.3", "0.4", "1.5", digits=100)

        threads = [threading.Thread(target=busy) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(5):
                context = multiprocessing.get_context("fork")
                with ProcessPoolExecutor(2, mp_context=context) as pool:
                    assert list(pool.map(ends, [job] * 4, timeout=PATIENCE)) == [expected] * 4
        finally:
            stop.set()
            for thread in threads:
                thread.join(PATIENCE)


COLLECTING = """
import gc, sys, threading, time
import verify

class SwitchesThreads:
    def __del__(self):
        time.sleep(0)

def busy():
    for _ in range(200):
        verify.rdp("0.3", "0.4", "1.5", digits=3)
        cycle = [SwitchesThreads()]
        cycle.append(cycle)

gc.set_threshold(50)
sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=busy) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("done")
"""


def test_waiting_is_safe_while_garbage_collection_switches_threads():
    """A thread that looked at another's stack crashed the interpreter here, within half a second."""
    done = subprocess.run(
        [sys.executable, "-c", COLLECTING], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
