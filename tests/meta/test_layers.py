"""Imports point downwards, the drawing of them is true, and an import upwards would be seen."""

from __future__ import annotations

import shutil

import pytest

from tests.meta import layers


def test_no_import_points_upwards():
    assert layers.upwards(layers.edges()) == []


def test_no_module_imports_itself_by_way_of_others():
    assert layers.circles() == []


def test_every_room_has_its_place():
    placed = [name for row in layers.LAYERS for name in row]
    rooms = {layers.room(name) for name in layers.modules()} - {"proofs_checks"}
    assert sorted(placed) == sorted(rooms)


def test_the_drawing_is_up_to_date():
    """After a change: python -m tests.meta.layers"""
    assert layers.DRAWING.read_text(encoding="utf-8") == layers.drawing(layers.edges())


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("verify/moments/engines/whole.py", "from verify.report import build"),
        ("verify/numbers/balls.py", "import verify.moments.agreement"),
        ("verify/moments/agreement.py", "def f():\n    from proofs_checks.tools import prover"),
    ],
)
def test_an_import_upwards_is_seen(tmp_path, module, line):
    for package in ("verify", "proofs_checks"):
        shutil.copytree(
            layers.ROOT / package,
            tmp_path / package,
            ignore=lambda folder, names: [n for n in names if "." in n and not n.endswith(".py")],
        )
    with (tmp_path / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert len(layers.upwards(layers.edges(tmp_path))) == 1


def test_a_circle_is_seen(tmp_path):
    (tmp_path / "verify").mkdir()
    (tmp_path / "verify" / "a.py").write_text("import verify.b\n")
    (tmp_path / "verify" / "b.py").write_text("from verify import a\n")
    (tmp_path / "verify" / "c.py").write_text("")
    assert layers.circles(tmp_path) == ["verify.a", "verify.b"]
