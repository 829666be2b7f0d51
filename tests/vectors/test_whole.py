"""The published vectors of whole runs: complete, canonical, reproduced, and refused when altered."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from verify.vectors.recompute import sample
from verify.vectors.schema import run_schema
from verify.vectors.store import BadVectors
from verify.vectors.whole import RUN_FLAGS, load_runs, select_runs
from verify.vectors.whole.grid import sites
from verify.vectors.whole.recompute import compare_run
from verify.vectors.whole.store import WHOLE, check_run_files

VECTORS = load_runs()
EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_file_is_in_order():
    assert check_run_files() == len(VECTORS) == len(sites())


def test_the_schema_is_that_of_the_class():
    assert json.loads((WHOLE / "schema.json").read_text()) == run_schema()


def test_the_file_meets_its_schema():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads((WHOLE / "whole-runs.json").read_text()), run_schema())


def test_every_flag_is_carried():
    carried = Counter(flag for vector in VECTORS for flag in vector.flags)
    assert set(carried) == set(RUN_FLAGS)


def test_histories_have_up_to_twenty_phases():
    assert {1, 2, 3, 20} <= {len(vector.history) for vector in VECTORS}


def test_deltas_go_from_1e_3_to_1e_30():
    deltas = [vector.delta for vector in VECTORS if vector.delta]
    assert (min(deltas), max(deltas)) == (1e-30, 1e-3)


def test_the_answer_is_the_larger_direction():
    both = [v for v in VECTORS if v.remove is not None and v.add is not None]
    assert len(both) > 400
    assert all(v.value.bounds() == max(v.remove.bounds(), v.add.bounds()) for v in both)


def test_a_sample_is_reproduced_to_the_last_digit():
    assert [d for vector in sample(VECTORS, 8, seed=3) for d in compare_run(vector)] == []


def test_a_changed_digit_is_seen():
    vector = next(v for v in VECTORS if v.quantity == "epsilon")
    other = next(v for v in VECTORS if v.quantity == "epsilon" and v.value != vector.value)
    changed = type(vector)(**{f: getattr(vector, f) for f in vector.__struct_fields__} | {"value": other.value})  # fmt: skip
    assert [d.quantity for d in compare_run(changed)] == ["value"]


def test_an_altered_file_is_refused(tmp_path):
    for name in ("manifest.json", "whole-runs.json"):
        (tmp_path / name).write_bytes((WHOLE / name).read_bytes())
    data = (tmp_path / "whole-runs.json").read_text()
    (tmp_path / "whole-runs.json").write_text(
        data.replace("2.381596921424397", "2.381596921424398", 1)
    )
    with pytest.raises(BadVectors, match="checksum"):
        load_runs(tmp_path)


def test_flags_choose():
    assert all("Window" in vector.flags for vector in select_runs(VECTORS, ("Window",)))
    with pytest.raises(BadVectors, match="no vector has the flag"):
        select_runs(VECTORS, ("Nothing",))


def test_the_consumer_accepts_its_example():
    command = [sys.executable, EXAMPLES / "run_consumer.py", WHOLE / "whole-runs.json"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_the_consumer_finds_an_accountant_that_forgets_phases(tmp_path):
    text = (EXAMPLES / "run_consumer.py").read_text()
    broken = tmp_path / "consumer.py"
    broken.write_text(
        text.replace("for q, sigma, steps in history)", "for q, sigma, steps in history[:1])")
    )
    done = subprocess.run([sys.executable, broken, WHOLE / "whole-runs.json"], capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 1
    assert "DropsPhase" in done.stderr
