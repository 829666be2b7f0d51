"""Which commit a report names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from verify.report.collect.sources import commit_in


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "source.py").write_text("1")
    commit_all(tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    name = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    done = subprocess.run(
        ["git", *name, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit_all(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "change")
    return git(folder, "rev-parse", "HEAD")


def test_committing_the_report_does_not_make_it_out_of_date(checkout: Path) -> None:
    before = commit_in(checkout)
    (checkout / "reports").mkdir()
    (checkout / "reports" / "report.md").write_text("made from it")
    assert commit_in(checkout) == before
    commit_all(checkout)
    assert commit_in(checkout) == before == (before[0], True)


def test_a_change_of_the_sources_is_another_commit(checkout: Path) -> None:
    before = commit_in(checkout)
    (checkout / "source.py").write_text("2")
    assert commit_in(checkout) == (before[0], False)
    after = commit_all(checkout)
    assert after != before[0]
    assert commit_in(checkout) == (after, True)


def test_a_folder_that_is_no_checkout_has_no_commit(tmp_path: Path) -> None:
    assert commit_in(tmp_path) == (None, None)
