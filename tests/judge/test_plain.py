"""Plainly written double programs conform: at the vectors, at fresh points and in searches.

SGM_VERIFY_SEEDS=10 asks more: ten seeds for each program, with a search each.
"""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from verify.judge.check.search import search, truth
from verify.judge.plain import PROGRAMS
from verify.judge.protocol.harness import Harness, Limits
from verify.judge.protocol.inprocess import ask
from verify.judge.protocol.question import Answer, Question
from verify.judge.verdict import effect
from verify.judge.verdict.grading import GOOD, judge
from verify.judge.verdict.judged import judge_answers
from verify.numbers.errors import SgmError
from verify.vectors import load

SEEDS = range(int(os.environ.get("SGM_VERIFY_SEEDS", "1")))
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_plain_program_conforms_at_every_vector(name):
    vectors = load() if len(SEEDS) > 1 else load()[::3]
    assert judge_answers(vectors, "rdp", ask(PROGRAMS[name], vectors)).conforms


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_plain_program_is_right_at_every_order_of_every_training_run(name):
    for point in effect.training_points()[::3]:
        q = point.question
        answer = Answer("value", PROGRAMS[name](q.q, q.sigma, q.alpha))
        assert judge(q, point.truth, answer).grade in GOOD


def fresh(seed, count):
    """Full mantissas, and rates like 256/60000, near and far."""
    rng = random.Random(seed)
    for _ in range(count):
        q = rng.choice((10 ** rng.uniform(-9, 0), rng.randint(1, 5000) / rng.randint(5001, 10**7)))
        alpha = rng.choice((1 + 10 ** rng.uniform(-12, 3), float(rng.randint(2, 1500))))
        yield Question("rdp", q, 10 ** rng.uniform(-1, 2.5), alpha)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_plain_program_is_right_at_fresh_points(name, seed):
    judgements = {
        q: judge(q, truth(q), Answer("value", PROGRAMS[name](q.q, q.sigma, q.alpha)))
        for q in fresh(seed, 150)
    }
    assert {q: j.label for q, j in judgements.items() if j.grade not in GOOD} == {}


def hunted(command, seed):
    ticks = iter(range(10**9))
    with Harness(command, Limits(PATIENCE, PATIENCE)) as harness:
        return search(harness, "rdp", 120, seed=seed, clock=lambda: float(next(ticks)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_search_finds_nothing_in_a_plain_program(name, seed):
    found = hunted([sys.executable, "-W", "error", "-m", "verify.judge.plain", name], seed)
    assert found.asked > 50
    assert found.smallest == {}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("client", ["client.py", "client.mjs", "client.c"])
def test_a_search_finds_nothing_in_the_example_clients(client, seed, tmp_path):
    source = str(EXAMPLES / client)
    command = {"py": [sys.executable, source], "mjs": ["node", source], "c": [str(tmp_path / "c")]}
    tool = {"py": sys.executable, "mjs": "node", "c": "cc"}[client.rpartition(".")[2]]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    if tool == "cc":
        subprocess.run(["cc", "-O2", "-o", tmp_path / "c", source, "-lm"], check=True)
    assert hunted(command[client.rpartition(".")[2]], seed).smallest == {}


def test_a_program_without_care_next_to_one_is_found():
    """ln A / (alpha - 1), as everybody writes it first."""
    import math

    def naive(q, sigma, alpha):
        return math.log(math.exp(PROGRAMS["plain-series"](q, sigma, alpha) * (alpha - 1))) / (
            alpha - 1
        )

    wrong = 0
    for q in fresh(1, 150):
        try:
            value = naive(q.q, q.sigma, q.alpha)
            wrong += judge(q, truth(q), Answer("value", value)).grade not in GOOD
        except (ArithmeticError, ValueError, SgmError):
            wrong += 1
    assert wrong > 5
