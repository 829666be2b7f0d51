"""What rests on what, read from small packages written for the purpose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from verify.report.collect import imports

Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Files of a package called made_up, which is on the path and never imported."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(**files: str) -> None:
        for name, text in {"__init__": "", **files}.items():
            path = tmp_path / "made_up" / f"{name.replace('__of__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        imports.source.cache_clear()

    return put


def reached(*names: str) -> set[str]:
    found = imports.reachable_modules([f"made_up.{name}" for name in names], {"made_up"})
    return {name.removeprefix("made_up.") for name in found}


@pytest.mark.parametrize("line", [
    "import made_up.b", "import made_up.b as x", "from made_up import b", "from made_up.b import f",
    "from made_up.b import *", "from . import b", "from .b import f", "def g():\n    from made_up import b",
    "try:\n    import made_up.b\nexcept ImportError:\n    pass", "X = ['made_up.b']",
    "if not TYPE_CHECKING:\n    import made_up.b", "if TYPE_CHECKING:\n    pass\nelse:\n    import made_up.b",
])  # fmt: skip
def test_every_way_to_import_counts(write: Write, line: str) -> None:
    write(a=line, b="")
    assert reached("a") == {"a", "b"}


@pytest.mark.parametrize("line", [
    "if TYPE_CHECKING:\n    import made_up.b", "if typing.TYPE_CHECKING:\n    from made_up import b",
    "'''made_up.b and more'''", "X = 'made_up.c'", "import b", "import made_upper.b",
])  # fmt: skip
def test_what_is_no_import_does_not(write: Write, line: str) -> None:
    write(a=line, b="")
    assert reached("a") == {"a"}


def test_imports_are_followed_and_may_go_in_circles(write: Write) -> None:
    write(a="from made_up import b", b="from made_up import c", c="from made_up import a", d="")
    assert reached("a") == {"a", "b", "c"}


def test_a_package_counts_where_something_is_taken_from_it(write: Write) -> None:
    write(
        a="from made_up.p import x", p__of____init__="from made_up.p.q import x", p__of__q="x = 1"
    )
    assert reached("a") == {"a", "p", "p.q"}
    write(a="from made_up.p import q")
    assert reached("a") == {"a", "p.q"}


def test_relative_imports_of_a_package_are_its_own(write: Write) -> None:
    write(p__of____init__="from .q import x", p__of__q="from ..b import y", b="")
    assert reached("p") == {"p", "p.q", "b"}


def test_other_packages_are_not_followed(write: Write) -> None:
    write(a="import json, verify.numbers.point")
    assert reached("a") == {"a"}
    both = imports.reachable_modules(["made_up.a"], {"made_up", "verify"})
    assert {"made_up.a", "verify.numbers.point", "verify.numbers.errors"} <= set(both)


def test_engines_are_reached_by_their_names() -> None:
    found = imports.reachable_modules(["verify.moments.agreement"], {"verify"})
    assert {
        "verify.moments.engines.rigorous",
        "verify.moments.engines.series",
        "verify.moments.engines.mass",
    } <= set(found)


# -- functions -------------------------------------------------------------------------------

MODULE = """
'''Words.'''
from made_up import b
from made_up.c import f as g, h
import made_up.d
if TYPE_CHECKING:
    from made_up import e
SIZE = 3
OTHER = 4
def used(x):
    return x * SIZE
def wanted():
    return used(g())
def another():
    return b, h, made_up.d, OTHER
"""


def test_a_function_rests_on_what_it_uses(write: Write) -> None:
    write(a=MODULE, b="", c="", d="", e="")
    found = imports.slice_of("made_up.a", "wanted")
    assert found.modules == ("made_up.c",)
    assert len(found.text) == 4  # the import, SIZE, used, wanted


@pytest.mark.parametrize("changed", [
    ("f as g", "ff as g"), ("f as g, h", "f, h as g"), ("OTHER = 4", "OTHER = 4\nfrom made_up.e import *"),
    ("    from made_up import e\n", "    from made_up import e\nelse:\n    g = 3\n"),
    ("SIZE = 3", "SIZE = 5"), ("x * SIZE", "x + SIZE"), ("used(g())", "used(-g())"),
    ("OTHER = 4", "OTHER = 4\nused.__code__ = x"), ("OTHER = 4", "OTHER = 4\nprint()"),
    ("OTHER = 4", "OTHER = 4\nif OTHER:\n    def used(x): return 0"), ("OTHER = 4", "OTHER = 4\nSIZE += 1"),
])  # fmt: skip
def test_its_text_changes_with_all_that_may_matter(write: Write, changed: tuple[str, str]) -> None:
    write(a=MODULE)
    before = imports.slice_of("made_up.a", "wanted")
    write(a=MODULE.replace(*changed))
    assert imports.slice_of("made_up.a", "wanted") != before


@pytest.mark.parametrize("changed", [
    ("OTHER = 4", "OTHER = 5"), ("return b,", "return 0,"), ("Words", "Other words"),
    ("SIZE = 3", "SIZE = 3  # a remark"),
])  # fmt: skip
def test_and_with_nothing_else(write: Write, changed: tuple[str, str]) -> None:
    write(a=MODULE)
    before = imports.slice_of("made_up.a", "wanted")
    write(a=MODULE.replace(*changed))
    assert imports.slice_of("made_up.a", "wanted") == before


@pytest.mark.parametrize("name", ["<lambda>", "outer.<locals>.inner", "absent"])
def test_a_function_that_cannot_be_followed_is_an_error(write: Write, name: str) -> None:
    write(a=MODULE)
    with pytest.raises(ValueError, match="not at the top level"):
        imports.slice_of("made_up.a", name)


def test_a_module_without_a_source_is_an_error() -> None:
    with pytest.raises(ValueError, match="no source"):
        imports.slice_of("made_up.nowhere", "f")
