"""A plain installation: what it can do without the report's libraries, and what it says otherwise."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from verify.support.extras import EXTRAS, what_to_install

ROOT = Path(__file__).parents[2]
BLOCK = "import sys\nfor name in ('sympy', 'jinja2', 'matplotlib', 'latex2mathml'):\n    sys.modules[name] = None\n"


def plain(code, *arguments):
    """Run with the report's libraries made unavailable."""
    command = [sys.executable, "-c", BLOCK + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


MAIN = "sys.argv[0] = 'sgm-verify'\nfrom verify.cli import main; main()"


def test_values_vectors_and_checks_need_no_extra():
    healthy = "verify.judge.selftest.healthy:rdp"
    for words in (
        ("value", "--q", "0.01", "--sigma", "1.1", "--alpha", "8.5"),
        ("vectors", "list"),
        ("check", healthy, "--group", "infinite-order", "--quick"),
    ):
        done = plain(MAIN, *words)
        assert done.returncode == 0, done.stderr


def test_the_plugin_needs_no_extra():
    code = (
        "import sgm_verify_pytest as p\nfrom verify.judge.selftest.healthy import rdp\n"
        "p.Vectors(p.KnownFailures(None), 1).check(rdp, flags=['TwoModes'])\n"
    )
    done = plain(code)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [("report", "--out", "nowhere"), ("claims", "--check")])
def test_what_needs_one_says_what_to_install(words, tmp_path):
    done = plain(MAIN, *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install '.[report]' in a checkout" in done.stderr
    assert not (ROOT / "nowhere").exists()


@pytest.mark.parametrize("words", [("claims",), ("claims", "--errata"), ("claims", "Theorem 11")])
def test_what_is_recorded_needs_none(words):
    done = plain(MAIN, *words)
    assert done.returncode == 0, done.stderr


def test_a_module_of_no_extra_is_a_bug_and_looks_like_one():
    with pytest.raises(ModuleNotFoundError):
        what_to_install(ModuleNotFoundError("no module named nonsense", name="nonsense"))


def test_extras_are_those_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = project["optional-dependencies"]
    plainly = " ".join(project["dependencies"])
    for extra, names in EXTRAS.items():
        wanted = " ".join(declared[extra])
        assert all(name.replace("_", "-") in wanted for name in names if name != "dask")
        assert not any(name in plainly for name in names)
