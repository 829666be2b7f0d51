"""The page's own arithmetic, in node, against certified values: the digits it shows are right, or it shows none."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import verify
from tests.patience import PATIENCE
from tests.report import run_references
from verify.report.collect import run_part

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

HERE = Path(__file__).parent
SCRIPTS = Path(run_part.__file__).parents[1] / "templates" / "run"
ARITHMETIC = [name for name in run_part.SCRIPTS if name not in ("drawing", "form")]
RUNS: list[dict[str, Any]] = json.loads((HERE / "data" / "runs.json").read_text())
AGREEMENT = 1e-8


def ask(runs: list[dict[str, str]], read: bool = False, **sources: str) -> list[dict[str, Any]]:
    """The answers to runs as typed, or what was read only; ``sources`` replace scripts."""
    assert NODE is not None
    given = {
        "folder": str(SCRIPTS),
        "scripts": ARITHMETIC,
        "sources": sources,
        "runs": runs,
        "read": read,
    }
    done = subprocess.run(
        [NODE, str(HERE / "run_in_node.cjs")], input=json.dumps(given), capture_output=True, text=True,
        timeout=10 * PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def typed(run: dict[str, Any]) -> dict[str, str]:
    return {"q": run["q"], "sigma": run["sigma"], "count": run["steps"], "delta": run["delta"]}


@lru_cache(maxsize=1)
def answers() -> list[dict[str, Any]]:
    return ask([typed(run) for run in RUNS])


def off(given: float, ends: list[str]) -> float:
    """How far a number is from an interval, relative to it."""
    low, high = map(float, ends)
    return max(low - given, given - high, 0.0) / (high or 1.0)


def silent(kind: str) -> list[str]:
    return [
        f"{run['q']} {run['sigma']} {run['steps']} {run['delta']}"
        for run, answer in zip(RUNS, answers(), strict=True)
        if run["kind"] == kind and "cannot" in answer["tight"]
    ]


def test_the_runs_are_many_and_of_every_kind() -> None:
    counts = {kind: sum(run["kind"] == kind for run in RUNS) for kind in run_references.KINDS}
    assert counts == {kind: len(runs) for kind, runs in run_references.KINDS.items()}
    assert len(RUNS) > 150


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_exact_epsilon_is_right_or_not_given(direction: str) -> None:
    for run, answer in zip(RUNS, answers(), strict=True):
        if "cannot" not in answer[direction]:
            assert off(answer[direction]["epsilon"], run[direction]) < AGREEMENT, run


def test_its_own_estimate_of_the_error_holds() -> None:
    """Where the reference has enough digits to tell."""
    told = 0
    for run, answer in zip(RUNS, answers(), strict=True):
        for direction in ("remove", "add"):
            low, high = map(float, run[direction])
            if "cannot" in answer[direction] or high - low > 1e-11 * high:
                continue
            told += 1
            given = answer[direction]
            assert off(given["epsilon"], run[direction]) * high <= given["unsure"] + 1e-11 * high
    assert told > 250


def test_the_larger_direction_is_the_answer() -> None:
    for answer in answers():
        if "cannot" not in answer["tight"]:
            largest = max(answer[d]["epsilon"] for d in ("remove", "add"))
            assert answer["tight"]["epsilon"] == largest


def test_published_runs_and_full_batches_are_all_answered() -> None:
    assert silent("published") == []
    assert silent("full batches") == []


def test_few_random_runs_are_not_answered() -> None:
    assert silent("random") == ["2.524e-05 1.027 227 1.553e-12"]


def test_few_runs_at_the_edges_are_not_answered() -> None:
    assert silent("at the edges") == ["0.0001095 0.9494 1495 2.453e-15"]


def test_epsilon_by_rdp() -> None:
    compared = 0
    for run, answer in zip(RUNS, answers(), strict=True):
        rows = {(row["orders"], row["conversion"]): row for row in answer["rdp"]}
        for orders, conversion, *ends in run["rdp"]:
            row = rows[orders, conversion]
            assert "cannot" not in row, run
            compared += 1
            assert off(row["epsilon"], ends) < AGREEMENT, (run, orders, conversion)
    assert compared > 900


def test_two_conversions_are_the_same_number() -> None:
    for answer in answers():
        rows = {(row["orders"], row["conversion"]): row["epsilon"] for row in answer["rdp"]}
        for orders, conversion in rows:
            if conversion == "balle":
                assert rows[orders, "cks"] == pytest.approx(
                    rows[orders, "balle"], rel=1e-9, abs=1e-12
                )


QUICK = [run for run in RUNS if run["kind"] != "random" or float(run["sigma"]) > 2][::4]
"""A quarter of those that take no second."""


def apart(one: list[str], other: list[str]) -> bool:
    return Decimal(one[1]) < Decimal(other[0]) or Decimal(other[1]) < Decimal(one[0])


@pytest.mark.parametrize("run", QUICK, ids=lambda run: "-".join(list(run.values())[1:5]))
def test_the_references_hold(run: dict[str, Any]) -> None:
    """Asked again today: the interval may be another one, but it has a point in common."""
    asked = run_references.Run(*(run[k] for k in run_references.Run._fields))
    made = run_references.certified(asked, PATIENCE)
    assert not any(apart(made[d], run[d]) for d in ("remove", "add"))
    assert [row[:2] for row in made["rdp"]] == [row[:2] for row in run["rdp"]]
    assert not any(
        apart(ours[2:], theirs[2:]) for ours, theirs in zip(made["rdp"], run["rdp"], strict=True)
    )


def test_references_off_by_a_last_digit_are_apart() -> None:
    assert apart(["1.00", "1.01"], ["1.02", "1.03"])
    assert apart(["1.02", "1.03"], ["1.00", "1.01"])
    assert not apart(["1.00", "1.01"], ["1.01", "1.03"])


# -- what must be seen -----------------------------------------------------------------------------

BREAKS = {
    "sigma off by a millionth in the transform": (
        "transform", "this.shift = 0.5 / (sigma * sigma);", "this.shift = 0.500001 / (sigma * sigma);",
    ),
    "one step too many": (
        "contour", "direction.steps * mr", "(direction.steps + 1) * mr",
    ),
    "no pole": (
        "contour", "(less + 1) ** 2", "(less + 1.000001) ** 2",
    ),
    "moments off by 1e-7": (
        "sums", "return [0.5 * Math.log1p(2 * re + re * re + im * im)", "return [1.0000001 * 0.5 * Math.log1p(2 * re + re * re + im * im)",
    ),
    "RDP off by a millionth": (
        "moments", "const scale = this.h / SQRT_2PI;", "const scale = 1.000001 * this.h / SQRT_2PI;",
    ),
    "normal tail": (
        "normal", "let tail = x;", "let tail = x; x *= 1.000001;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_a_small_error_is_seen(name: str) -> None:
    """Each break makes some answer wrong or silent; a comparison that stayed green would be worth nothing."""
    script, old, new = BREAKS[name]
    source = (SCRIPTS / f"{script}.js").read_text()
    assert source.count(old) == 1
    some = [run for run in RUNS if run["kind"] in ("published", "full batches")]
    given = ask([typed(run) for run in some], **{script: source.replace(old, new)})
    wrong = 0
    for run, answer in zip(some, given, strict=True):
        for direction in ("remove", "add"):
            found = answer[direction]
            wrong += "cannot" in found or off(found["epsilon"], run[direction]) > AGREEMENT
        rows = {(row["orders"], row["conversion"]): row for row in answer["rdp"]}
        for orders, conversion, *ends in run["rdp"]:
            wrong += off(rows[orders, conversion]["epsilon"], ends) > AGREEMENT
    assert wrong > 0


# -- what is typed ---------------------------------------------------------------------------------

GOOD = {"q": "256/60000", "sigma": "1.1", "count": "14062", "delta": "1e-5"}


@pytest.mark.parametrize(
    ("field", "text", "part"),
    [
        ("q", "", "is missing"),
        ("q", "1/0", "must be a number"),
        ("q", "0", "above 0"),
        ("q", "60000/256", "at most 1"),
        ("q", "-0.1", "must be a number"),
        ("q", "0x10", "must be a number"),
        ("q", "1/2/3", "must be a number"),
        ("q", "1,5", "must be a number"),
        ("sigma", "NaN", "must be a number"),
        ("sigma", "Infinity", "must be a number"),
        ("sigma", "1e999", "must be a number"),
        ("sigma", "0", "from 0.05"),
        ("count", "1.5", "whole"),
        ("count", "0", "above 0"),
        ("delta", "1", "below 1"),
        ("delta", "1e-5; rm -rf /", "must be a number"),
    ],
)
def test_bad_input_is_one_sentence_at_its_field(field: str, text: str, part: str) -> None:
    (answer,) = ask([GOOD | {field: text}])
    assert list(answer["problems"]) == [field]
    assert part in answer["problems"][field]
    assert answer["problems"][field].endswith(".")


@pytest.mark.parametrize(
    ("q", "epochs", "steps"), [("256/60000", "60", 14100), ("512/50000", "20", 1960), ("1/100", "10", 1000), ("0.001", "10", 10000), ("0.3", "1", 4)]
)  # fmt: skip
def test_each_epoch_is_counted_in_whole_batches(q: str, epochs: str, steps: int) -> None:
    (answer,) = ask([GOOD | {"q": q, "count": epochs, "unit": "epochs"}])
    assert f"--q {q} --sigma 1.1 --steps {steps} " in answer["command"]


@pytest.mark.parametrize(
    ("q", "steps"), [("512/50000", 1940), ("256/60000", 14040), ("1/100", 6000), ("256/65536", 15360)]
)  # fmt: skip
def test_a_loader_may_drop_its_last_batch(q: str, steps: int) -> None:
    (answer,) = ask([GOOD | {"q": q, "count": "20" if "512" in q else "60", "unit": "dropped"}])
    assert f"--q {q} --sigma 1.1 --steps {steps} " in answer["command"]


@pytest.mark.parametrize(
    ("unit", "last"), [("epochs", "--epochs 20 --sigma 1.1"), ("dropped", "--epochs 20 --drop-last --sigma 1.1")]
)  # fmt: skip
def test_the_command_of_a_shuffled_loader_knows_its_last_batch(unit: str, last: str) -> None:
    asked = {"q": "512/50000", "count": "20", "unit": unit, "loader": "shuffle"}
    (answer,) = ask([GOOD | asked])
    assert f"--records 50000 --batch 512 {last} --sampling shuffle" in answer["command"]


# -- records, batch size and epochs ----------------------------------------------------------------

LOADER = {"way": "records", "records": "50000", "batch": "512", "epochs": "20", "sigma": "0.9", "delta": "1e-5"}  # fmt: skip


def loaders(count: int = 400) -> list[dict[str, str]]:
    """Loaders at random, of all sizes; many batches divide the records, many nearly do."""
    chance = random.Random(512)
    made = []
    for i in range(count):
        batch = round(10 ** chance.uniform(0, 5))
        whole = batch * round(10 ** chance.uniform(0, 5))
        records = max(batch, whole + (0, 1, -1, chance.randrange(batch))[i % 4])
        made.append({
            "records": str(records), "batch": str(batch), "epochs": str(round(10 ** chance.uniform(0, 2))),
            "dropped": "1" if chance.random() < 0.5 else "", "loader": ("poisson", "fixed-size", "shuffle")[i % 3],
        })  # fmt: skip
    return made


def counted(loader: dict[str, str]) -> tuple[float, int, int]:
    """Rate, steps and batches of an epoch, by the exact arithmetic of Python."""
    given: dict[str, Any] = {name: loader[name] for name in ("records", "batch", "epochs")}
    given |= {"sigma": "0.9", "drop_last": bool(loader["dropped"])}
    rated = "poisson" if loader["loader"] == "shuffle" else loader["loader"]
    relation = "replace-one"  # batches of all records have no other
    (one,) = verify.Run.of_loader(**given, sampling=rated, relation=relation).stages
    (epoch,) = verify.Run.of_loader(**given, sampling="sequential").stages
    assert one.q is not None
    return float(one.q), one.steps, epoch.steps


def miscounted(**sources: str) -> int:
    given = loaders()
    found = ask([LOADER | loader for loader in given], read=True, **sources)
    return sum(
        counted(loader) != (values["q"], values["steps"], values["batches"])
        for loader, values in zip(given, found, strict=True)
    )


def test_a_loader_is_counted_as_python_counts_it() -> None:
    assert miscounted() == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("steps: batches * epochs,", "steps: Math.ceil((records / batch) * epochs),"),
        ("dropped ? Math.floor(records / batch) : Math.ceil(records / batch)", "Math.ceil(records / batch)"),
        ("q: batch / records,", "q: 1 / batches,"),
    ],
    ids=["rounded over the whole run", "nothing dropped", "the rate of Opacus"],
)  # fmt: skip
def test_a_loader_counted_in_another_way_is_seen(old: str, new: str) -> None:
    source = (SCRIPTS / "input.js").read_text()
    assert source.count(old) == 1
    assert miscounted(input=source.replace(old, new)) > 50


@pytest.mark.parametrize(("dropped", "steps"), [("", 1960), ("1", 1940)])
def test_epsilon_of_a_loader_is_that_of_python(dropped: str, steps: int) -> None:
    run = verify.Run.of_loader(
        records=50_000, batch=512, epochs=20, sigma="0.9", sampling="poisson", drop_last=bool(dropped)
    )  # fmt: skip
    asked = LOADER | {"dropped": dropped}
    (answer,), (values,) = ask([asked]), ask([asked], read=True)
    assert values["steps"] == steps
    assert off(answer["tight"]["epsilon"], run_references.ends(run.epsilon("1e-5", 12))) < AGREEMENT
    last = " --drop-last" if dropped else ""
    assert answer["command"] == (
        f"sgm-verify epsilon --records 50000 --batch 512 --epochs 20{last} --sigma 0.9 --sampling poisson --delta 1e-5"
    )


@pytest.mark.parametrize(("batch", "relation"), [("512", ""), ("50000", " --relation replace-one")])
def test_a_batch_of_all_records_cannot_lack_one(batch: str, relation: str) -> None:
    (answer,) = ask([LOADER | {"batch": batch, "loader": "fixed-size"}])
    assert f" --sampling fixed-size{relation} --delta" in answer["command"]


WHOLE = "a whole number from 1 to 1e12, such as"


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("records", "", "The number of records is missing."),
        ("records", "0", f"The number of records must be {WHOLE} 50000."),
        ("records", "1e400", f"The number of records must be {WHOLE} 50000."),
        ("records", "50000.5", f"The number of records must be {WHOLE} 50000."),
        ("records", "50,000", f"The number of records must be {WHOLE} 50000."),
        ("records", "500", "The batch size must not be above the number of records, 500."),
        ("batch", "50001", "The batch size must not be above the number of records, 50000."),
        ("batch", "512/50000", f"The batch size must be {WHOLE} 512."),
        ("batch", "-512", f"The batch size must be {WHOLE} 512."),
        ("epochs", "many", f"The number of epochs must be {WHOLE} 20."),
        ("epochs", "1.5", f"The number of epochs must be {WHOLE} 20."),
        ("epochs", "1e12", "These are more than 1e12 steps."),
        ("sigma", "", "The noise multiplier is missing."),
    ],
)
def test_a_loader_that_is_none_is_one_sentence(field: str, text: str, sentence: str) -> None:
    (answer,) = ask([LOADER | {field: text}])
    assert list(answer["problems"].values()) == [sentence]
    assert list(answer["problems"]) == ["batch" if "above" in sentence else field]


def test_fields_of_the_other_way_do_not_count() -> None:
    """What is hidden can neither be wrong nor change the answer."""
    (records,) = ask([LOADER | {"q": "x", "count": "", "unit": "epochs"}], read=True)
    (rate,) = ask([GOOD | {"way": "rate", "records": "x", "batch": "9"}], read=True)
    assert (records["steps"], rate["steps"]) == (1960, 14062)


@pytest.mark.parametrize(
    ("field", "text"), [("q", "1e-7"), ("sigma", "0.1"), ("sigma", "101"), ("count", "2e7"), ("delta", "1e-20")]
)  # fmt: skip
def test_outside_what_was_tested_there_is_no_number(field: str, text: str) -> None:
    (answer,) = ask([GOOD | {field: text}])
    assert answer["outside"]
    assert "tight" not in answer


@pytest.mark.parametrize(
    ("run", "epsilon"),
    [
        (
            {"q": "1e-5", "sigma": "30", "count": "1", "delta": "1e-3"},
            0.0,
        ),  # above the total variation
        ({"q": "1", "sigma": "10", "count": "100", "delta": "1e-5"}, 4.3771780956812246277),
    ],
)
def test_exact_cases(run: dict[str, str], epsilon: float) -> None:
    (answer,) = ask([run])
    assert answer["tight"]["epsilon"] == pytest.approx(epsilon, rel=1e-12, abs=0)


def test_one_step_agrees_with_two_ways() -> None:
    """One step has a closed form; the contour at one step, which the page never takes, must give the same."""
    run = {"q": "0.01", "sigma": "1", "count": "1", "delta": "1e-6"}
    source = (SCRIPTS / "tight.js").read_text()
    old = "if (steps === 1)"
    assert source.count(old) == 1
    (closed,) = ask([run])
    (contour,) = ask([run], tight=source.replace(old, "if (steps === 0)"))
    for direction in ("remove", "add"):
        assert contour[direction]["epsilon"] == pytest.approx(
            closed[direction]["epsilon"], rel=1e-9
        )
