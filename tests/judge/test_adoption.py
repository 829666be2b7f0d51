"""The files that maintainers copy: what they run is run here, with a library of theirs."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

EXAMPLES = Path(__file__).parents[2] / "examples"
ACTION = yaml.safe_load((EXAMPLES / "github-action" / "action.yml").read_text())
HOOK = yaml.safe_load((EXAMPLES / "pre-commit-config.yaml").read_text())["repos"][0]["hooks"][0]
RIGHT = "from verify.judge.selftest.healthy import rdp\n"
WRONG = "def rdp(q, sigma, alpha):\n    return alpha / (2 * sigma**2)\n"
FEW = "--group two-modes --quick --shrink 0"


@pytest.fixture
def place(tmp_path):
    """A checkout of somebody's library, and sgm-verify on the path."""

    def make(accountant):
        (tmp_path / "mylib").mkdir()
        (tmp_path / "mylib" / "__init__.py").write_text("")
        (tmp_path / "mylib" / "accountant.py").write_text(accountant)
        program = tmp_path / "bin" / "sgm-verify"
        program.parent.mkdir()
        program.write_text(f"#!{sys.executable}\nfrom verify.cli import main\nmain()\n")
        program.chmod(0o755)
        return tmp_path

    return make


def run(place, command, **more):
    env = os.environ | {"PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"} | more
    root = str(EXAMPLES.parent)
    env["PYTHONPATH"] = os.pathsep.join([root, *env.get("PYTHONPATH", "").split(os.pathsep)])
    return subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)


def step(name):
    return next(s for s in ACTION["runs"]["steps"] if s.get("name") == name)


@pytest.mark.parametrize(("accountant", "code"), [(RIGHT, 0), (WRONG, 1)])
def test_the_action_checks_and_keeps_what_it_found(place, tmp_path, accountant, code):
    here = place(accountant)
    summary = tmp_path / "summary.md"
    done = run(
        here,
        ["bash", "-e", "-o", "pipefail", "-c", step("Check")["run"]],
        WHAT="mylib.accountant:rdp",
        ARGUMENTS=FEW,
        GITHUB_STEP_SUMMARY=str(summary),
    )
    assert done.returncode == code, done.stderr
    kept = {path.name for path in (here / "sgm-verify").iterdir()}
    assert kept == {"outcome.json", "junit.xml", "badge.json", "outcome.txt"}
    badge = json.loads((here / "sgm-verify" / "badge.json").read_text())
    assert badge["color"] == ("brightgreen" if code == 0 else "orange")
    assert "mylib.accountant:rdp" in summary.read_text()


def test_an_input_of_the_action_is_no_code(place):
    here = place(RIGHT)
    script = step("Check")["run"]
    done = run(here, ["bash", "-c", script], WHAT="x; touch pwned", ARGUMENTS="$(touch pwned)")
    assert done.returncode == 2
    assert not (here / "pwned").exists()
    assert not re.search(r"\$\{\{", script)


def test_the_action_declares_what_it_uses():
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(ACTION["runs"])))
    assert used == set(ACTION["inputs"])
    assert ACTION["runs"]["using"] == "composite"
    assert all("shell" in s for s in ACTION["runs"]["steps"] if "run" in s)


@pytest.mark.parametrize(("accountant", "code"), [(RIGHT, 0), (WRONG, 1)])
def test_the_hook_looks_at_the_accountant(place, accountant, code):
    here = place(accountant)
    words = [*shlex.split(HOOK["entry"]), "--group", "two-modes"]
    assert run(here, words).returncode == code


def test_the_hook_runs_when_the_accountant_changes():
    assert HOOK["pass_filenames"] is False
    assert re.search(HOOK["files"], "mylib/accountant.py")
    assert not re.search(HOOK["files"], "docs/index.md")
