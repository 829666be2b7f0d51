"""The accountants inside the real frameworks: tests/frameworks/inside runs in an environment that
has them.

Two environments (CPU torch, Opacus, dp-accounting; jax-privacy) are made once and kept with those
of other libraries; they take minutes and more than a gigabyte, so this runs with
SGM_VERIFY_FRAMEWORKS=1 only. SGM_VERIFY_FRAMEWORKS=/path/to/python takes an interpreter that has
all. Of TensorFlow Privacy only a file is used, without TensorFlow.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from verify.judge.protocol import libraries
from verify.judge.protocol.harness import HarnessFailed

ROOT = Path(__file__).parents[2]
INSIDE = ROOT / "tests" / "frameworks" / "inside"
OURS = (
    "dp-accounting==0.6.0",
    "python-flint>=0.9,<0.10",
    "mpmath>=1.3,<1.4",
    "gmpy2>=2.1",
    "msgspec>=0.19",
    "platformdirs>=4",
    "pytest>=8",
)
TORCH = ("torch==2.13.0", "opacus==1.6.0", *OURS)
JAX = ("jax-privacy==2.0.0", *OURS)
INSIDE_OF = {
    "test_opacus.py": TORCH,
    "test_dp_accounting.py": TORCH,
    "test_calibration.py": JAX,
}
TENSORFLOW_PRIVACY = "0.9.0"
ASKED = os.environ.get("SGM_VERIFY_FRAMEWORKS", "")

pytestmark = pytest.mark.skipif(
    not ASKED, reason="installs torch with pip; set SGM_VERIFY_FRAMEWORKS=1 to run"
)


def python_with(needs):
    """An interpreter with a framework and what the accountants need."""
    if ASKED != "1":
        return Path(ASKED)
    try:
        return libraries.environment_of(needs)
    except HarnessFailed as error:
        pytest.skip(f"the environment cannot be made: {error}")


def tensorflow_privacy():
    """The folder of its code, without what it needs."""
    _, folder = libraries.environment(
        libraries.known_libraries()["tensorflow-privacy"], TENSORFLOW_PRIVACY
    )
    return str(folder)


@pytest.mark.parametrize(("name", "needs"), INSIDE_OF.items())
def test_inside(name, needs):
    """Every test passes, none is skipped."""
    python = python_with(needs)
    command = [str(python), "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(ROOT)]
    command += ["-p", "no:cacheprovider", "--confcutdir", str(INSIDE), str(INSIDE / name)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    if needs is JAX:
        environment["SGM_VERIFY_TENSORFLOW_PRIVACY"] = tensorflow_privacy()
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-500:]
    assert done.returncode == 0, done.stdout[-5000:]
    assert re.search(r"\d+ passed", last)
    assert "skipped" not in last
