"""The audit: what it draws, how it judges, how it adds up, and how it shows."""

from __future__ import annotations

import json
import math
import pickle
import signal
import subprocess
import sys
from fractions import Fraction as Q
from random import Random

import pytest
from click.testing import CliRunner

from tests.patience import PATIENCE, hears_interrupts
from verify.audit.campaign import Counts, CountsRow, batch, jobs_of, run
from verify.audit.containment import (
    Containment,
    complexity,
    containment_of,
    fails,
    judge,
    share,
    shrink,
    simpler,
)
from verify.audit.kinds import KINDS, AuditCase
from verify.commands.audit import command, lacking, not_reached, runnable
from verify.moments import agreement
from verify.moments.engines import Moment, family
from verify.numbers.certified import Enclosure
from verify.numbers.errors import OutOfDomain, OutOfReach
from verify.parallel import Here, open_door

COMMAND = [sys.executable, "-c", "from verify.cli import main; main()"]
CASE = AuditCase(Moment(Q(1, 10_000), Q("1.63"), Q(42)), 30)


def interval(low, high):
    return Enclosure(Q(low), Q(high), proved=True)


# -- what it draws -------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_draws_points_of_the_domain(name):
    random = Random(name)
    for _ in range(500):
        case = KINDS[name].draw(random)
        assert 0 < case.moment.q < 1
        assert case.moment.sigma > 0
        assert 1 <= case.digits <= 100
        assert agreement.closed_form(case.moment) is None


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_says_why(name):
    assert len(KINDS[name].why) > 30


def test_the_kinds_together_cover_both_directions_and_all_families():
    drawn = [kind.draw(random) for kind in KINDS.values() for random in map(Random, range(40))]
    families = {case.family for case in drawn}
    assert families == {"A, whole order", "A, other order", "B", "order one, A", "order one, B"}
    assert {case.digits > 30 for case in drawn} == {True, False}


def test_touching_blocks_are_whole_orders_with_two_modes():
    random = Random(0)
    for _ in range(30):
        case = KINDS["blocks that touch"].draw(random)
        assert case.family == "A, whole order"
        assert case.moment.order / case.moment.sigma > 1


# -- how it judges -------------------------------------------------------------------------


def test_a_narrower_interval_inside_is_contained():
    found = containment_of(interval(0, 1), iter([interval("0.1", "0.2")]))
    assert found == (Containment.CONTAINED, 0.1)


def test_a_disjoint_interval_is_outside_by_however_little():
    verdict, distance = containment_of(interval(0, 1), iter([interval(1 + Q(1, 10**30), 2)]))
    assert verdict is Containment.OUTSIDE
    assert distance == pytest.approx(-1e-30)


def test_an_interval_across_an_end_is_refined_until_it_is_on_one_side():
    across = interval("-0.1", "0.1")
    inside, outside = interval("0.01", "0.02"), interval("-0.02", "-0.01")
    assert containment_of(interval(0, 1), iter([across, inside]))[0] is Containment.CONTAINED
    assert containment_of(interval(0, 1), iter([across, outside]))[0] is Containment.OUTSIDE


def test_an_interval_that_stays_across_an_end_is_undecided():
    found = containment_of(interval(0, 1), iter([interval("-0.1", "0.1")] * 3))
    assert found[0] is Containment.UNDECIDED


def test_an_engine_that_gives_up_is_counted_not_passed(monkeypatch):
    def away(moment, digits, deadline):
        raise OutOfReach("not here")

    original = agreement.engine
    monkeypatch.setattr(agreement, "engine", lambda n: away if n == "whole" else original(n))
    assert [f.verdict for f in judge(CASE)] == [
        Containment.CONTAINED,
        *[Containment.UNANSWERED] * 2,
    ]
    monkeypatch.setattr(agreement, "engine", lambda n: away)
    assert [f.verdict for f in judge(CASE)] == [Containment.UNANSWERED] * 3
    tally = batch("0", "plain", 3)
    assert tally.total().contained == 0
    assert tally.total().unanswered >= 6
    assert len(tally.silent) == 3


def test_an_exact_interval_is_contained_in_itself():
    assert share(interval(1, 1), interval(1, 1)) == 0.5
    assert share(interval(1, 1), interval(2, 2)) == -math.inf


CURVE = AuditCase(Moment(Q(1, 100), Q(2), Q(5)), 12, (Q(2), Q(3), Q(8), Q(-3), Q(5, 2)))


def test_a_curve_is_judged_at_each_of_its_orders():
    findings = judge(CURVE)
    assert len(findings) == 12
    assert {f.case.moment.order for f in findings} == {5, 2, 3, 8, -3, Q(5, 2)}
    assert all(f.verdict is Containment.CONTAINED for f in findings)


def test_a_curve_is_computed_by_shared_nodes(monkeypatch):
    """The intervals judged are those of the curve, not those of one order at a time."""
    monkeypatch.setattr(
        family,
        "evaluate",
        lambda q, sigma, orders, digits, deadline: [interval(7, 8)] * len(orders),
    )
    assert all(f.verdict is Containment.OUTSIDE for f in judge(CURVE))


def test_a_sound_engine_contains_both_routes():
    findings = judge(CASE)
    assert [f.route for f in findings] == ["itself", "whole", "trapezoid"]
    assert all(f.verdict is Containment.CONTAINED for f in findings)
    assert not fails(CASE)


# -- a fault put in on purpose ----------------------------------------------------------------


@pytest.fixture
def shifted(monkeypatch):
    """The reference misses by a thousandth of its width, at orders from 40 and 5 to 30 digits."""
    original = agreement.engine

    def evaluate(moment, digits, deadline):
        found = original(agreement.REFERENCE)(moment, digits, deadline)
        if moment.order < 40 or not 5 <= digits <= 30:
            return found
        truth = original("whole")(moment, digits + 40, deadline)
        width = found.hi - found.lo
        low = truth.hi + width / 1000
        return Enclosure(low, low + width, proved=True)

    monkeypatch.setattr(
        agreement, "engine", lambda n: evaluate if n == "trapezoid" else original(n)
    )


@pytest.mark.usefixtures("shifted")
def test_a_false_interval_is_found_by_both_routes():
    *findings, answered = judge(CASE)
    assert [f.verdict for f in findings] == [Containment.OUTSIDE, Containment.OUTSIDE]
    assert all(-0.0011 < f.share < -0.0009 for f in findings)
    assert answered.verdict is Containment.CONTAINED  # the sum itself is right


def test_a_false_answer_is_found_where_the_reference_does_not_answer(monkeypatch):
    """The interval that callers get at a small whole order is off by a thousandth of its width."""
    original = agreement.engine

    def evaluate(moment, digits, deadline):
        found, truth = (original("whole")(moment, n, deadline) for n in (digits, digits + 40))
        width = found.hi - found.lo
        return Enclosure(truth.hi + width / 1000, truth.hi + width, proved=True)

    monkeypatch.setattr(agreement, "engine", lambda n: evaluate if n == "whole" else original(n))
    assert judge(CASE)[-1].verdict is Containment.OUTSIDE


@pytest.mark.usefixtures("shifted")
def test_a_failing_case_is_shrunk_to_a_simpler_one_that_fails():
    complicated = AuditCase(Moment(Q("0.000123456"), Q("1.6321"), Q(47)), 29)
    simple = shrink(complicated)
    assert fails(simple)
    assert complexity(simple) < complexity(complicated)
    assert simple == AuditCase(Moment(Q("0.0001"), Q(2), Q(50)), 5)


@pytest.mark.usefixtures("shifted")
def test_a_batch_reports_its_failures_simplest_first():
    tally = batch("0", "plain whole orders", 60)
    assert 0 < 2 * len(tally.failures) <= tally.total().outside
    assert list(tally.failures) == sorted(tally.failures, key=complexity)


@pytest.mark.usefixtures("shifted")
def test_the_command_fails_and_prints_one_line_to_run_again():
    arguments = ["--points", "60", "--jobs", "0", "--kind", "plain whole orders"]
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 1
    line = done.stdout.strip().splitlines()[-1]
    assert line.startswith("sgm-verify audit --q ")
    again = CliRunner().invoke(command, line.split()[2:])
    assert again.exit_code == 1
    assert "outside" in again.stdout


def test_simpler_cases_stay_in_the_domain():
    for case in (CASE, AuditCase(Moment(1 - Q(1, 10**9), Q(1, 3), Q(0), log=True), 1)):
        for other in simpler(case):
            assert 0 < other.moment.q < 1
            assert other.moment.sigma > 0
            assert other.digits >= 1
            assert other.moment.log == case.moment.log


# -- how it adds up ---------------------------------------------------------------------------


def test_tallies_add_up_in_any_order():
    parts = [batch(str(n), "plain whole orders", 5) for n in range(3)]
    first = sum(parts, Counts())
    assert first == sum(reversed(parts), Counts())
    assert first.points == 15
    assert 30 <= first.total().contained <= 45  # what a short sum answers is judged, too


def test_rows_keep_the_tightest():
    assert (
        CountsRow(contained=1, tightest=0.5) + CountsRow(contained=2, tightest=0.1)
    ).tightest == 0.1


def test_points_are_counted_exactly():
    assert sum(count for _, _, count in jobs_of(0, tuple(KINDS), 777)) == 777


def test_every_batch_has_a_seed_of_its_own():
    seeds = [seed for seed, _, _ in jobs_of(0, tuple(KINDS), 5000)]
    assert len(seeds) == len(set(seeds))


def test_the_same_points_whatever_carries_them():
    kinds = ("plain whole orders", "plain")
    alone = sum(run(Here(), jobs_of(5, kinds, 150)), Counts())
    with open_door(2, None) as door:
        spread = sum(run(door, jobs_of(5, kinds, 150)), Counts())
    assert alone == spread
    assert alone.points == 150


def test_another_seed_draws_other_points():
    assert batch("0", "plain", 3) != batch("1", "plain", 3)


def test_a_tally_can_be_sent_to_another_process():
    tally = batch("0", "plain", 2)
    assert pickle.loads(pickle.dumps(tally)) == tally


def test_no_new_batch_once_told_to_stop():
    asked = iter([False, False, True, True])
    assert len(list(run(Here(), jobs_of(0, ("plain",)), stop=lambda: next(asked)))) == 2


# -- how it shows -------------------------------------------------------------------------------


def audit(*arguments):
    return subprocess.run(
        [*COMMAND, "audit", *arguments], capture_output=True, text=True, timeout=300, check=False
    )


def test_a_short_audit_passes_and_counts_by_kind():
    once = sum(kind.batch for kind in KINDS.values())
    done = audit("--points", str(once), "--jobs", "2", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["points"] == once
    assert found["outside"] == 0
    assert found["containments"] == sum(row["contained"] for row in found["rows"])
    assert {row["kind"] for row in found["rows"]} == set(KINDS)
    assert found["simplest_failure"] is None


def test_text_names_the_tightest():
    done = audit("--points", "20", "--jobs", "1", "--kind", "plain")
    assert done.returncode == 0
    assert "of the width inside the nearer end" in done.stdout


def test_one_interval_can_be_audited_alone():
    for case, routes in ((CASE, 3), (CURVE, 2)):
        done = audit(*runnable(case).split()[2:])
        assert done.returncode == 0
        assert done.stdout.count("contained") == routes


@pytest.mark.parametrize(
    "case",
    [CASE, AuditCase(Moment(Q(1, 3), Q(2, 7), Q(-5, 2)), 7), AuditCase(Moment(Q(1, 10**50), Q(1), Q(1), log=True), 3), CURVE],
    ids=str,
)  # fmt: skip
def test_the_runnable_line_means_the_same_case(case):
    arguments = command.make_context("audit", runnable(case).split()[2:]).params
    read = Moment(*(Q(arguments[name]) for name in ("q", "sigma", "order")), arguments["log"])
    beside = tuple(Q(x) for x in (arguments["beside"] or "").split(",") if x)
    assert AuditCase(read, arguments["digits"], beside) == case


@pytest.mark.parametrize(
    "arguments",
    [["--kind", "no such"], ["--points", "0"], ["--seconds", "-1"], ["--seconds", "nan"], ["--jobs", "-1"],
     ["--seconds", "1", "--points", "1"], ["--q", "0.5"], ["--q", "2", "--sigma", "1", "--order", "2", "--digits", "5"],
     ["--q", "0.5", "--sigma", "1", "--order", "x", "--digits", "5"],
     ["--q", "0.5", "--sigma", "1", "--order", "2", "--digits", "0"],
     ["--q", "0.5", "--sigma", "1", "--order", "2", "--digits", "5", "--log"]],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_two(arguments):
    done = audit(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1


def test_an_interrupt_gives_the_counts_so_far():
    process = subprocess.Popen(
        [*COMMAND, "audit", "--seconds", "600", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears_interrupts,
    )
    try:
        first = process.stderr.readline()  # said when the first counts are in
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert "points" in first
    assert process.returncode == 130
    assert "containments in" in out
    assert "interrupted" in error
    assert "Traceback" not in error


def test_kinds_that_the_time_did_not_reach_are_named():
    tally = Counts(1, {("plain", "B", "rigorous"): CountsRow(contained=9)}, busy={"plain": 1.0})
    assert not_reached(tally, ("plain", "far modes")) == ["far modes"]
    short = audit("--kind", "plain", "--kind", "far modes", "--jobs", "1", "--seconds", "0.001")
    assert "hence not tested: " in short.stdout
    whole = audit("--kind", "plain", "--jobs", "1", "--points", "1", "--json")
    assert json.loads(whole.stdout)["not_reached"] == []


def test_an_audit_that_shows_too_little_is_no_success():
    """An engine that always gives up leaves no failure, and nothing shown."""
    silent = {("plain", "B", "itself"): CountsRow(contained=5), ("plain", "B", "rigorous"): CountsRow(unanswered=5)}  # fmt: skip
    tally = Counts(5, silent, busy={"plain": 1.0})
    assert "no containment by the other route" in lacking(tally, ("plain",))


@pytest.mark.parametrize(("row", "said"), [
    (CountsRow(contained=500, undecided=1), "undecided"), (CountsRow(contained=90, unanswered=10), "without an answer"),
])  # fmt: skip
def test_what_is_not_known_is_no_success(row, said):
    tally = Counts(1, {("plain", "B", "rigorous"): row}, busy={"plain": 1.0})
    assert said in lacking(tally, ("plain",))


def test_an_audit_without_gaps_is_a_success():
    tally = Counts(1, {("plain", "B", "rigorous"): CountsRow(contained=9)}, busy={"plain": 1.0})  # fmt: skip
    assert lacking(tally, ("plain",)) is None


@pytest.mark.parametrize("arguments", [
    ["--seconds", "0"], ["--log"], ["--with", "3"], ["--jobs", "5000"], ["--points", "-1"],
    ["--q", "0.1", "--sigma", "1", "--order", "", "--digits", "3"], ["--q", "0.1", "--sigma", "1", "--order", ".", "--digits", "3"],
    ["--q", "0.1", "--sigma", "1", "--order", "2", "--digits", "3", "--kind", "plain"],
    ["--q", "0.1", "--sigma", "1", "--order", "2", "--digits", "3", "--with", "3,,4"],
])  # fmt: skip
def test_bad_options_are_one_error(arguments):
    with pytest.raises(OutOfDomain):
        command.main(arguments, standalone_mode=False)
