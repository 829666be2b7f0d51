"""Why points fail: a known mistake is named, shown and mended; an unknown one is not given a name it does not have."""

import ast
import functools
import math

import pytest

from verify.judge.causes import grouping
from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.causes.snippets import known_snippets, snippet
from verify.judge.causes.suspects import SUSPECTS
from verify.judge.protocol.inprocess import ask
from verify.judge.protocol.libraries import known_libraries
from verify.judge.selftest import healthy
from verify.judge.show.record import CheckRecord, document
from verify.judge.show.render import text
from verify.judge.verdict.grading import GOOD
from verify.judge.verdict.judged import judge_answers
from verify.vectors import load, select
from verify.vectors.recompute import sample

SOME = sample(load(), 250, seed=11)
MORE = (*SOME, *select(load(), ("OrderOne", "NearInteger")))
RUN = CheckRecord("mine", "1.0", "sgm-verify check --command './mine -x' --seed 0", "rdp", 0, False, "0" * 64, "0.1.0", "2026-11-16")  # fmt: skip


@functools.cache
def found(name):
    function = REGISTRY[name].rdp
    return judge_answers(SOME, "rdp", ask(function, SOME))


@functools.cache
def clusters(name):
    return grouping.clusters(found(name))


@pytest.mark.parametrize("name", [
    "dropped-sign", "interpolated", "asymptotic", "truncated-order", "sigma-squared", "q-and-1-q", "b-side",
    "base-2-logarithm", "no-amplification", "one-peak", "divided-by-alpha", "slightly-low",
])  # fmt: skip
def test_a_known_mistake_is_named_first(name):
    first = clusters(name)[0]
    assert first.name == name
    assert len(first.cases) > 0.9 * len(found(name).failures)
    assert first.mistake
    assert first.change


@pytest.mark.parametrize(("name", "cause"), [
    ("dropped-sign-1000-terms", "dropped-sign"), ("dropped-sign-absolute-stop", "dropped-sign"),
    ("absolute-stop", "absolute-stop"), ("clamped-negative", "absolute-stop"),
    ("nan-at-fractions", "nan"),
])  # fmt: skip
def test_variants_of_a_mistake_are_that_mistake(name, cause):
    assert clusters(name)[0].name.startswith(cause)


def test_two_mistakes_are_two_clusters():
    """Fractional orders lose a sign, and large orders are given up."""

    def both(q, sigma, alpha):
        name = "inf-at-large-orders" if alpha > 512 else "dropped-sign"
        return REGISTRY[name].rdp(q, sigma, alpha)

    names = [c.name for c in grouping.clusters(judge_answers(SOME, "rdp", ask(both, SOME)))]
    assert {"dropped-sign", "inf-at-large-orders"} <= set(names)


def test_every_failing_point_is_in_one_cluster():
    for name in ("dropped-sign-absolute-stop", "float32"):
        inside = [case.id for cluster in clusters(name) for case in cluster.cases]
        assert sorted(inside) == sorted(case.id for case in found(name).failures)


def test_an_unknown_mistake_is_called_unknown():
    def odd(q, sigma, alpha):
        value = healthy.rdp(q, sigma, alpha)
        return value * (1 + 0.1 * abs(math.sin(1e6 * q + 1e3 * sigma + alpha))) + 1e-9

    made = grouping.clusters(judge_answers(SOME, "rdp", ask(odd, SOME)))
    assert not any("a client of ours" in cluster.shown for cluster in made)
    assert any(cluster.notes for cluster in made)


def test_a_mistake_off_by_a_hundredth_of_its_error_is_another_one():
    def nearly(q, sigma, alpha):
        value, truth = REGISTRY["interpolated"].rdp(q, sigma, alpha), healthy.rdp(q, sigma, alpha)
        return truth + (value - truth) * 1.03 if math.isfinite(value) else value

    made = grouping.clusters(judge_answers(SOME, "rdp", ask(nearly, SOME)))
    assert "interpolated" not in [cluster.name for cluster in made if len(cluster.cases) > 3]


def test_who_refuses_everything_refuses_no_order():
    def refuses(q, sigma, alpha):
        raise TypeError("takes 2 positional arguments")

    made = grouping.clusters(judge_answers(MORE, "rdp", ask(refuses, MORE)))
    assert {cluster.name for cluster in made} == {"error"}


@pytest.mark.parametrize("constant", [0.0, 0.5, math.inf])
def test_a_constant_is_no_known_mistake(constant):
    """Whatever understates by far is 99 % of the error of everything else that does."""
    made = grouping.clusters(judge_answers(MORE, "rdp", ask(lambda *_: constant, MORE)))
    assert not any("a client of ours" in c.shown for c in made if len(c.cases) > 5)


def test_an_error_of_rounding_is_nobody_elses_mistake():
    """Next to one a sum that stops early and a sum that does not are off by the same few units of ln A."""

    def rounds(q, sigma, alpha):
        value = healthy.rdp(q, sigma, alpha)
        return value + 2e-14 / (alpha - 1) if 1 < alpha < 1.01 else value

    points = select(load(), ("NearOne",))
    names = {c.name for c in grouping.clusters(judge_answers(points, "rdp", ask(rounds, points)))}
    assert names == {"digits-lost-near-one"}


def test_a_binomial_that_rounds_to_zero_is_named():
    points = (*SOME, *select(load(), ("NearInteger",)))
    wrong = next(s.wrong for s in SUSPECTS if s.name == "vanishing-binomial")
    (only,) = grouping.clusters(judge_answers(points, "rdp", ask(wrong, points)))
    assert only.name == "vanishing-binomial"
    assert "right at all of them" in only.shown


def test_errors_with_the_same_words_are_one_cluster():
    def refuses(q, sigma, alpha):
        if q > 0.3:
            raise RuntimeError(f"cannot do q = {q}")
        return healthy.rdp(q, sigma, alpha)

    (only,) = grouping.clusters(judge_answers(SOME, "rdp", ask(refuses, SOME)))
    assert only.mistake == "the program says: RuntimeError: cannot do q = #"


def test_a_healthy_program_has_no_clusters():
    assert grouping.clusters(judge_answers(SOME, "rdp", ask(healthy.rdp, SOME))) == []


def test_the_same_answers_give_the_same_text():
    made = [document(RUN, found("dropped-sign")).clusters for _ in range(2)]
    assert made[0] == made[1]
    shown = [text("mine 1.0", found("dropped-sign"), None, clusters) for clusters in made]
    assert shown[0] == shown[1]
    assert "    cause:  the generalised binomial" in shown[0]


def test_the_smallest_point_is_one_of_training_runs_if_there_is_one():
    cluster = clusters("dropped-sign")[0]
    assert cluster.smallest in cluster.cases
    assert cluster.smallest.judgement.region == "training runs"


@pytest.mark.parametrize("suspect", SUSPECTS, ids=lambda suspect: suspect.name)
def test_every_suspect_is_wrong_somewhere_and_mended_there(suspect):
    """Else it could accuse nobody, or its change would be no change."""
    failing = [case for case in judge_answers(MORE, "rdp", ask(suspect.wrong, MORE)).cases
               if case.judgement.grade not in GOOD][:25]  # fmt: skip
    assert failing
    assert any(grouping._right(suspect.mended, case) for case in failing)


# -- snippets -------------------------------------------------------------------------------------


def answers_about_steps(library):
    """Whether the adapter's function load gives any function, read from its text."""
    body = ast.parse(library.adapter.read_text()).body
    load = next(node for node in body if isinstance(node, ast.FunctionDef) and node.name == "load")
    return ast.unparse(load.body[-1]) != "return {}"


ABOUT_STEPS = [name for name, library in known_libraries().items() if answers_about_steps(library)]


@pytest.mark.parametrize("name", ABOUT_STEPS)
def test_every_library_has_a_snippet_that_is_python(name):
    case = clusters("dropped-sign")[0].smallest
    code = snippet(name, "1.0", f"sgm-verify check {name}==1.0 --seed 0", case)
    compile(code, name, "exec")
    assert repr(case.question.alpha) in code
    assert f"# true: {case.truth.lo}" in code
    assert all(word in known_snippets()[name] for word in ("q", "sigma", "alpha", "print("))


def test_a_library_has_a_snippet_if_it_answers_about_one_step():
    """Else: add SNIPPET to the adapter (docs/conformance.md), or remove it where ``load`` returns nothing."""
    assert "riskcal" in set(known_libraries()) - set(ABOUT_STEPS)  # of whole runs only
    assert sorted(known_snippets()) == sorted(ABOUT_STEPS)


@pytest.mark.parametrize("name", ["mylib.accountant:rdp", "mylib.accountant:Box.rdp"])
def test_a_function_has_a_snippet_that_runs(name, tmp_path, monkeypatch, capsys):
    body = "def rdp(q, sigma, alpha):\n    return 7.5\nclass Box:\n    rdp = staticmethod(rdp)\n"
    (tmp_path / "mylib").mkdir()
    (tmp_path / "mylib" / "accountant.py").write_text(body)
    monkeypatch.syspath_prepend(tmp_path)
    exec(
        snippet(name, "", f"sgm-verify check {name} --seed 0", clusters("dropped-sign")[0].smallest)
    )
    assert capsys.readouterr().out == "7.5\n"


def test_a_file_has_a_snippet_that_runs(tmp_path, capsys):
    file = tmp_path / "mine.py"
    file.write_text("def rdp(q, sigma, alpha):\n    return 7.5\n")
    case = clusters("dropped-sign")[0].smallest
    exec(snippet(f"{file}:rdp", "", f"sgm-verify check {file}:rdp --seed 0", case))
    assert capsys.readouterr().out == "7.5\n"


def test_a_program_is_asked_by_a_line_of_the_shell():
    case = clusters("dropped-sign")[0].smallest
    code = snippet("mine", "", RUN.reproduce, case)
    assert code.splitlines()[1].endswith("| ./mine -x")
    assert '"quantity": "rdp"' in code
