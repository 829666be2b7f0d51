"""What a module or a function rests on, found by reading the sources: nothing is imported or run.

Every import counts, wherever it stands, except those for the type checker only. So does a string that
spells a module of ours, for that is how engines are listed and loaded. A package's own file counts where
something is taken from it, not for each of its modules. Names put together at run time are not seen.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


@functools.cache
def source(name: str) -> Path | None:
    """The file of a module; None for a name that is no module (an imported function, say).

    >>> source("verify.moments.engines").name, source("verify.numbers.point").name, source("verify.numbers.point.Point")
    ('__init__.py', 'point.py', None)
    """
    top, *rest = name.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except ValueError:  # a module without a file, such as __main__
        return None
    if spec is None:
        return None
    if not rest and spec.origin and Path(spec.origin).is_file():
        return Path(spec.origin)
    for folder in spec.submodule_search_locations or ():
        path = Path(folder, *rest)
        for file in (path / "__init__.py", path.with_name(f"{path.name}.py")):
            if rest and file.is_file():
                return file
    return None


def reachable_modules(names: Iterable[str], packages: Iterable[str]) -> dict[str, Path]:
    """Modules and all they import, directly or not, as far as they are of these packages."""
    ours = set(packages)
    files: dict[str, Path] = {}
    todo = list(names)
    while todo:
        name = todo.pop()
        path = source(name) if name not in files and name.partition(".")[0] in ours else None
        if path is not None:
            files[name] = path
            todo += _modules(_parsed_mentions(path.read_bytes()), name, path)
    return files


@dataclass(frozen=True, slots=True)
class Slice:
    """A function and what it uses of its own module, as text; and what that imports."""

    text: tuple[str, ...]
    modules: tuple[str, ...]


def slice_of(module: str, function: str) -> Slice:
    """The top-level statements a function of a module needs, and the modules that those name.

    Statements that bind no name (a call, a condition, a loop, a star) may change anything: all are
    taken.
    """
    path = source(module)
    if path is None:
        raise ValueError(f"{module}: no source to be read")
    statements = _statements(path.read_bytes())
    binding: dict[str, list[int]] = {}
    for place, statement in enumerate(statements):
        for name in statement.binds:
            binding.setdefault(name, []).append(place)
    if function not in binding:
        raise ValueError(f"{module}.{function}: not at the top level of its module")
    taken: set[int] = set()
    todo = [*binding[function], *(i for i, s in enumerate(statements) if not s.binds)]
    while todo:
        place = todo.pop()
        if place not in taken:
            taken.add(place)
            todo += [i for name in statements[place].uses for i in binding.get(name, ())]
    chosen = [statements[place] for place in sorted(taken)]
    found = {m for s in chosen for m in _modules(s.mentions, module, path)}
    return Slice(tuple(s.text for s in chosen), tuple(sorted(found)))


# -- reading ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mention:
    """``from base import name``, with dots for a relative one; without a base, a whole dotted name."""

    base: str
    name: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class _Statement:
    """A top-level statement of a module. Of an import with several names each is one."""

    binds: frozenset[str]
    uses: frozenset[str]
    mentions: tuple[_Mention, ...]
    text: str


@functools.lru_cache(maxsize=1024)
def _parsed_mentions(content: bytes) -> tuple[_Mention, ...]:
    return tuple(dict.fromkeys(_mentions(ast.parse(content))))


@functools.lru_cache(maxsize=64)
def _statements(content: bytes) -> tuple[_Statement, ...]:
    found: list[_Statement] = []
    for node in ast.parse(content).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                bound = {alias.asname or alias.name.partition(".")[0]} - {"*"}
                mention = _mention_of(node, alias)
                text = f"{sorted(bound)} from {mention}"
                found.append(_Statement(frozenset(bound), frozenset(), (mention,), text))
        elif not _is_idle(node):
            uses = frozenset(n.id for n in _walk(node) if isinstance(n, ast.Name))
            mentions = tuple(_mentions(node))
            found.append(_Statement(_bound_names(node), uses, mentions, ast.dump(node)))
    return tuple(found)


def _bound_names(node: ast.stmt) -> frozenset[str]:
    """What a definition or an assignment gives a name to; nothing for statements of another kind."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return frozenset({node.name})
    targets = node.targets if isinstance(node, ast.Assign) else ()
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    inside = [n for target in targets for n in ast.walk(target)]
    if any(isinstance(n, (ast.Attribute, ast.Subscript)) for n in inside):
        return frozenset()  # changes something that has a name already
    return frozenset(n.id for n in inside if isinstance(n, ast.Name))


def _mentions(tree: ast.AST) -> Iterator[_Mention]:
    for node in _walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (_mention_of(node, alias) for alias in node.names)
        elif isinstance(node, ast.Constant) and _DOTTED.fullmatch(str(node.value)):
            yield _Mention("", str(node.value))


def _mention_of(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> _Mention:
    if isinstance(node, ast.Import):
        return _Mention("", alias.name)
    return _Mention(node.module or "", alias.name, node.level)


def _modules(mentions: Iterable[_Mention], module: str, path: Path) -> Iterator[str]:
    """What is meant by mentions in a module: the module itself, or the package it is taken from."""
    for mention in mentions:
        base = mention.base
        if mention.level:
            up = mention.level - (path.name == "__init__.py")
            package = module.split(".")[: len(module.split(".")) - up]
            base = ".".join([*package, *([base] if base else [])])
        whole = f"{base}.{mention.name}" if base else mention.name
        yield whole if not base or source(whole) is not None else base


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those for the type checker only."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        typing_only = isinstance(node, ast.If) and _typing_only(node)
        todo += node.orelse if typing_only else ast.iter_child_nodes(node)  # type: ignore[attr-defined]  # an If


def _typing_only(node: ast.If) -> bool:
    test = node.test
    name = test.id if isinstance(test, ast.Name) else getattr(test, "attr", "")
    return name == "TYPE_CHECKING"


def _is_idle(node: ast.stmt) -> bool:
    """A docstring, or imports for the type checker only."""
    if isinstance(node, ast.If):
        return _typing_only(node) and not node.orelse
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
