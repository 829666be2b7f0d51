"""Known failures: who answers for them, what they hide, and that they do not outlive their reason."""

from dataclasses import replace

import pytest

from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.protocol.inprocess import ask
from verify.judge.protocol.inprocess import judge_function as judged_directly
from verify.judge.runs import notions, runs
from verify.judge.selftest import healthy
from verify.judge.verdict import effect, exceptions
from verify.judge.verdict.exceptions import (
    BadExceptions,
    Known,
    excuse,
    of_runs,
    of_steps,
    read,
    share_exceptions,
)
from verify.judge.verdict.judged import judge_answers, points_of_vectors
from verify.judge.verdict.properties import Violation
from verify.vectors import load, select

VECTORS = select(load(), ("OrderOne", "TwoModes"))
TRUNCATED = REGISTRY["truncated-order"].rdp
TWO_MODES = Known("ada", "fractions are truncated", flag="TwoModes")


def found(function, *known, points=VECTORS, **more):
    return excuse(judge_answers(points, "rdp", ask(function, points)), known, **more)


def test_an_exception_hides_failures():
    assert not found(TRUNCATED).conforms
    left = found(TRUNCATED, TWO_MODES)
    assert left.conforms
    assert left.excused


def test_it_hides_nothing_else():
    assert not found(REGISTRY["sigma-squared"].rdp, Known("a", "b", flag="OrderOne")).conforms


def test_one_that_hides_nothing_any_more_is_an_error():
    left = found(healthy.rdp, TWO_MODES)
    assert not left.conforms
    assert left.stale == ("nothing fails there any more: TwoModes (ada: fractions are truncated)",)


def test_one_vector_is_named_by_its_id():
    case = found(TRUNCATED).failures[0]
    left = found(TRUNCATED, Known("ada", "one", id=case.id))
    assert left.excused == {case.id}
    assert len(left.failures) == len(found(TRUNCATED).failures) - 1


def test_a_point_of_a_training_run_is_named_by_its_id_too(tmp_path):
    name = effect.training_points()[0].id
    file = tmp_path / "known.toml"
    file.write_text(f'[[exception]]\nid = "{name}"\nowner = "ada"\nreason = "known"\n')
    assert [known.id for known in read(file)] == [name]


def test_points_that_are_drawn_cannot_be_told_to_be_good_for_ever():
    assert found(healthy.rdp, Known("ada", "now and then", flag="Search")).conforms


def test_a_function_is_asked_only_about_what_it_can_show():
    """One file serves the command line and pytest: training runs and repetitions are asked on one side only."""
    runs = Known("ada", "known", flag=effect.FLAG)
    again = Known("ada", "known", broken="repeatable")
    points = points_of_vectors(VECTORS, "rdp")
    assert judged_directly(healthy.rdp, points, known=[runs, again]).stale == ()
    assert judged_directly(healthy.rdp, points, known=[TWO_MODES]).stale != ()


def test_a_cluster_is_named_by_its_name():
    clusters = {case.id: "fractions" for case in found(TRUNCATED).failures}
    by_name = Known("ada", "known", cluster="fractions")
    assert found(TRUNCATED, by_name, clusters=clusters).conforms
    assert not found(TRUNCATED, by_name, clusters={}).conforms


def negative_at_one(q, sigma, alpha):
    """Good enough in every value, and yet not one of a divergence."""
    return -1e-9 if q == 0.25 else healthy.rdp(q, sigma, alpha)


CHAIN = select(load(), groups=("q-chain",))


def test_an_exception_for_a_point_hides_the_properties_broken_there():
    """Also where the property is all that is broken: hiding it is no stale exception."""

    plain = judge_answers(CHAIN, "rdp", ask(healthy.rdp, CHAIN))
    case = plain.cases[3]
    broken = replace(plain, violations=(Violation("nonnegative", (case.question,), (-1e-9,)),))
    assert not broken.conforms
    assert excuse(broken, [Known("ada", "rounding", id=case.id)]).conforms
    assert excuse(broken, [Known("ada", "rounding", broken="nonnegative")]).conforms
    assert excuse(broken, [Known("ada", "rounding", flag="ChainQ", broken="nonnegative")]).conforms
    other = excuse(broken, [Known("ada", "rounding", id=plain.cases[4].id)])
    assert not other.conforms
    assert other.stale


def test_an_exception_for_a_property_hides_no_wrong_value():
    left = found(negative_at_one, Known("a", "b", broken="nonnegative"), points=CHAIN)
    assert left.by_property()["nonnegative"] == 0
    assert left.failures


def test_after_a_part_only_what_was_asked_can_be_stale():
    elsewhere = Known("ada", "large", flag="LargeOrder")
    assert found(healthy.rdp, elsewhere, whole=False).conforms
    assert not found(healthy.rdp, elsewhere, whole=True).conforms


GOOD = '[[exception]]\nflag = "TwoModes"\nowner = "ada"\nreason = "because"\n'


def test_a_file_is_read(tmp_path):
    path = tmp_path / "known.toml"
    path.write_text(GOOD + GOOD.replace('flag = "TwoModes"', 'property = "bounded"'))
    assert read(path) == (
        Known("ada", "because", flag="TwoModes"),
        Known("ada", "because", broken="bounded"),
    )


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace('reason = "because"\n', ""),
        GOOD.replace('owner = "ada"\n', ""),
        GOOD.replace("because", " "),
        GOOD.replace("TwoModes", "NoSuchFlag"),
        GOOD.replace('flag = "TwoModes"', 'id = "x/y"'),
        GOOD.replace('flag = "TwoModes"', 'property = "pretty"'),
        GOOD.replace('flag = "TwoModes"', 'flag = "TwoModes"\nid = "x"'),
        GOOD.replace('flag = "TwoModes"\n', ""),
        GOOD.replace("owner", "author"),
        GOOD.replace('"ada"', "7"),
        GOOD.replace("[[exception]]", "[[skip]]"),
        "[[exception",
    ],
)
def test_anything_else_is_one_clear_error(tmp_path, text):
    path = tmp_path / "known.toml"
    path.write_text(text)
    with pytest.raises(BadExceptions):
        read(path)


def test_a_missing_file_is_one_clear_error(tmp_path):
    with pytest.raises(BadExceptions, match="No such file"):
        read(tmp_path / "nothing.toml")


def test_questions_to_accountants_are_named_by_their_ids_too(tmp_path):
    """Also those that are no vectors: dp-accounting refuses whole numbers of NumPy."""
    file = tmp_path / "known.toml"
    names = ("numbers as int64", "growing/200 steps", "sequential, zero-out: ")
    whole = [
        next(n for n, _ in (*runs.named_runs(), *notions.named_questions()) if n.startswith(x))
        for x in names
    ]
    lines = [f"[[exception]]\nid = '{x}'\nowner = 'ada'\nreason = 'known'\n" for x in whole]
    file.write_text("".join(lines) + GOOD.replace("TwoModes", "Ordinary"))
    assert [known.id for known in read(file)] == [*whole, ""]


def test_a_check_without_exceptions_loads_no_vectors_for_their_names(monkeypatch):
    def unwanted():
        raise AssertionError("vectors are loaded for the names of no exception")

    for name in ("_ids_of_steps", "_ids_of_runs"):
        monkeypatch.setattr(exceptions, name, unwanted)
    assert of_steps(()) == of_runs(()) == ()


def test_one_file_serves_checks_of_steps_and_of_runs():
    step, run = Known("ada", "b", id=VECTORS[0].id), Known("ada", "b", id="numbers as int64")
    window, cause = Known("ada", "b", flag="Window"), Known("ada", "b", cluster="fractions")
    assert of_steps([step, run, window, cause]) == (step, cause)
    assert of_runs([step, run, window, cause]) == (run, window)


def test_a_line_that_one_accountant_needs_is_stale_for_none():
    plain = judge_answers(CHAIN, "rdp", ask(healthy.rdp, CHAIN))
    one, other = (
        excuse(f, [TWO_MODES])
        for f in (judge_answers(VECTORS, "rdp", ask(TRUNCATED, VECTORS)), plain)
    )
    assert other.stale
    assert [f.stale for f in share_exceptions([one, other])] == [(), ()]
    assert share_exceptions([other])[0].stale == other.stale
