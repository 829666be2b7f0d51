"""What a public project has is there, and says what the make targets do."""

from __future__ import annotations

import importlib.util
import os
import pkgutil
import re
import subprocess
from pathlib import Path

import pytest
import yaml

import verify

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


def commands(workflow):
    """What the steps of a workflow run, with the values of a matrix put in."""
    for job in yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        for step in job.get("steps", ()):
            line = step.get("run", "")
            values = matrix.get("what", [""]) if "matrix.what" in line else [""]
            yield from (line.replace("${{ matrix.what }}", value) for value in values if line)


PAGES = sorted([*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")])
PACKAGES = r"(?:sgm_verify|verify|proofs_checks|tests)"


def named(text):
    """What a page says can be run or imported: ``python -m a.b``, ``from a.b import c, d``."""
    yield from re.findall(rf"python -m ({PACKAGES}[\w.]*)", text)
    for module, names in re.findall(rf"from ({PACKAGES}[\w.]*) import ([\w, ]+)", text):
        yield from (f"{module}.{name.split(' as ')[0].strip()}" for name in names.split(","))


def exists(name):
    """A module, or what a module has."""
    try:
        if importlib.util.find_spec(name):
            return True
    except ModuleNotFoundError:  # its package is none
        pass
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_names_what_exists(page):
    assert [x for x in named(page.read_text(encoding="utf-8")) if not exists(x)] == []


def test_a_name_that_has_gone_would_be_seen():
    text = (
        "python -m verify.gone\nfrom verify.report import figures, drawing\nfrom verify import rdp"
    )
    assert [x for x in named(text) if not exists(x)] == ["verify.gone", "verify.report.drawing"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_make_targets_that_exist(workflow):
    for line in commands(workflow):
        words = line.split()
        assert words[0] == "make"
        assert {w for w in words[1:] if "=" not in w} <= TARGETS


def test_ci_runs_make_targets_that_exist():
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    asked = re.findall(r"^\s*make ([a-z-]+)", text, re.M)
    assert asked
    assert set(asked) <= TARGETS


def test_what_ci_runs_a_workflow_runs_too():
    """Some at every push, the long ones every night."""
    asked = re.findall(r"^\s*make ([a-z-]+)", (ROOT / ".ci" / "run").read_text("utf-8"), re.M)
    lines = [line.split() for workflow in WORKFLOWS for line in commands(workflow)]
    assert sorted(set(asked) - {word for line in lines for word in line}) == []


@pytest.mark.parametrize(("kind", "tag", "passes"), [
    ("tag", f"v{verify.__version__}", True),
    ("tag", f"v{verify.__version__}1", False),
    ("tag", "v0.1.0", False),
    ("branch", "main", True),
    ("", "", True),
])  # fmt: skip
def test_a_release_has_the_tag_of_its_version(kind, tag, passes):
    """Or a tag set before the version was changed would publish a .dev version."""
    environment = {**os.environ, "GITHUB_REF_TYPE": kind, "GITHUB_REF_NAME": tag}
    done = subprocess.run(
        ["make", "-s", "tagged"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) == passes
    assert ("is not the version" in done.stdout) == (not passes)


def test_what_is_built_for_a_release_is_compared_with_the_tag():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^dist: .*\btagged\b", text, re.M)


def test_a_target_that_does_not_exist_would_be_seen():
    assert "reprot" not in TARGETS


def test_the_constraints_record_no_addresses():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"#.*|[A-Za-z0-9_.-]+==[0-9A-Za-z.+]+", line) for line in lines)


def test_the_changelog_has_a_section_for_this_version():
    """Between releases the version ends in ``.devN``, and its section says that it is not released."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    number, coming, _ = verify.__version__.partition(".dev")
    first = re.search(r"^## (.*)$", text, re.M)[1]
    assert first.startswith(number)
    assert ("not released" in first) == bool(coming)
    assert re.fullmatch(r"\S+( \((not released|\d{4}-\d\d-\d\d)\))?", first)


def test_a_version_of_the_changelog_has_known_parts():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = text.split("\n## ")[1]
    parts = re.findall(r"^### (.*)$", newest, re.M)
    assert parts == [
        x for x in ("Added", "Changed", "Deprecated", "Removed", "Fixed") if x in parts
    ]
    assert "\n- " not in newest.partition("\n### ")[0]  # a line without a part
    lines = re.findall(r"^- .*$", newest, re.M)
    assert len({line[:60] for line in lines}) == len(lines)  # said twice


def test_the_glossary_is_sorted():
    rows = re.findall(
        r"^\| ([^|]+) \|", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.M
    )
    words = [row.lower() for row in rows[1:]]
    assert words == sorted(words)
