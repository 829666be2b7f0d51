"""The short readers of the docs: they run as they stand, pass where they should, and can fail."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from verify.vectors.store import DATA

ROOT = Path(__file__).parents[2]
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
CONSUMERS = [
    pytest.param("consumer.py", (sys.executable, "-W", "ignore"), id="python"),
    pytest.param("consumer.mjs", ("node",), id="javascript", marks=needs_node),
]


def consume(program, name, data):
    command = [*program, str(ROOT / "examples" / name), str(data)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "program"), CONSUMERS)
def test_a_right_function_passes(name, program):
    assert consume(program, name, DATA / "dp-sgd.json").returncode == 0


@pytest.mark.parametrize(("name", "program"), CONSUMERS)
def test_a_truth_that_is_a_little_different_is_noticed(name, program, tmp_path):
    """By a hundred-thousandth: the same as a function that is wrong by as much."""
    text = (DATA / "dp-sgd.json").read_text()
    at = text.index('"nearest_dec":"', text.index('"rdp":', text.index("alpha=4.0"))) + 15
    old = text[at : text.index('"', at)]
    (tmp_path / "x.json").write_text(f"{text[:at]}{float(old) * 1.00001!r}{text[at + len(old) :]}")
    done = consume(program, name, tmp_path / "x.json")
    assert done.returncode != 0
    assert "and the truth is" in done.stderr


@pytest.mark.parametrize("name", ["consumer.py", "consumer.mjs"])
def test_it_is_twenty_lines_and_the_docs_show_it(name):
    text = (ROOT / "examples" / name).read_text()
    assert len(text.splitlines()) <= 20
    assert text in (ROOT / "docs" / "conformance.md").read_text()
