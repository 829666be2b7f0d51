"""Claim packages made for a test, as another paper's would be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from verify.claims import Paper


@pytest.fixture
def package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Callable[..., Paper]:
    """Writes a package of modules given as text, under a name of its own: a paper."""

    def make(**modules: str) -> Paper:
        name = "toy_" + "".join(c for c in request.node.name if c.isalnum())
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text.replace("{package}", name))
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *_own()]))
        return Paper(name)

    return make


def _own() -> list[str]:
    given = os.environ.get("PYTHONPATH")
    return [given] if given else []
