"""The graph of what rests on what, before it has coordinates: columns, groups and labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from verify.numbers.errors import OutOfDomain

Premises = Mapping[str, Sequence[str]]
"""For each claim those that it rests on; all of them are keys."""

FONT = 12
LINES = 3  # of a label, at most
LONGEST = 48  # characters of a label
OWN_GROUP = 5  # as many claims of one lemma are a group of their own

_WIDTHS = {
    556: "abdeghnopqu0123456789",
    500: "cksvxyz",
    278: "ft/ .,",
    222: "ijl",
    333: "r-",
    833: "m",
    722: "w",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
"""Of Helvetica, Arial and Liberation Sans, in thousandths of the size; anything else counts as wide."""


def columns(premises: Premises) -> dict[str, int]:
    """A column for each claim: right of all that it rests on, and close to what rests on it.

    The longest chains come first. What else leads to a conclusion ends just left of it.
    """
    order = _in_order(premises)
    used: dict[str, list[str]] = {name: [] for name in order}
    for name in order:
        for premise in premises[name]:
            used[premise].append(name)
    depth = _depths(order, premises)
    height = _depths(order[::-1], used)
    last = max(depth.values(), default=0)
    ends = sorted((name for name in premises if not used[name]), key=lambda name: -depth[name])
    placed: dict[str, int] = {}
    for end in ends:
        behind = _behind(end, premises, placed)
        todo = [name for name in order if name in behind]
        early: dict[str, int] = {}
        for name in todo:
            left = (placed[p] if p in placed else early[p] for p in premises[name])
            early[name] = 1 + max(left, default=-1)
        for name in reversed(todo):
            right = [placed[c] for c in used[name] if c in placed]
            placed[name] = (
                min([r - 1 for r in right] + [last - height[name]]) if right else early[name]
            )
    return placed


def _depths(order: Sequence[str], joined: Premises) -> dict[str, int]:
    """How long the longest chain is that ends in each claim."""
    depth: dict[str, int] = {}
    for name in order:
        depth[name] = 1 + max((depth[other] for other in joined[name]), default=-1)
    return depth


def _in_order(premises: Premises) -> list[str]:
    """Premises first."""
    try:
        return list(TopologicalSorter(premises).static_order())
    except CycleError as error:
        raise OutOfDomain(f"claims rest on each other: {' <- '.join(error.args[1])}") from None


def _behind(end: str, premises: Premises, placed: Mapping[str, int]) -> set[str]:
    """A claim and all that it rests on, directly or not, as far as it has no place yet."""
    found, todo = {end}, [end]
    while todo:
        new = [p for p in premises[todo.pop()] if p not in placed and p not in found]
        found.update(new)
        todo.extend(new)
    return found


def groups(names: Iterable[str]) -> dict[str, str]:
    """For each claim its section, or its lemma where that has many claims."""
    listed = list(names)
    lemmas = Counter(_lemma(name) for name in listed)
    return {
        name: _lemma(name) if lemmas[_lemma(name)] >= OWN_GROUP else name.partition("/")[0]
        for name in listed
    }


def _lemma(name: str) -> str:
    """The first two parts of an id that has more.

    >>> _lemma("closed-form/lemma-10/case-1/suffices"), _lemma("main-theorem/sum")
    ('closed-form/lemma-10', 'main-theorem')
    """
    first, *rest = name.split("/")
    return f"{first}/{rest[0]}" if len(rest) > 1 else first


def label(name: str, group: str) -> str:
    """What is left of an id inside of its group; a theorem is called by its own name.

    >>> label("a-geq-b/corollary-7/statement", "a-geq-b"), label("main-theorem/statement", "main-theorem")
    ('corollary-7', 'statement')
    """
    short = name.removeprefix(f"{group}/").removesuffix("/statement")
    return short if len(short) <= LONGEST else short[: LONGEST - 1] + "…"


def text_width(text: str, size: float = FONT) -> float:
    return sum(_WIDTH.get(letter, 850) for letter in text) * size / 1000


def needed_width(text: str) -> float:
    """The width at which a label has no more than ``LINES`` lines."""
    parts = _parts(text)
    widths = {text_width("".join(parts[i:j])) for j in range(len(parts) + 1) for i in range(j)}
    return min((w for w in sorted(widths) if _fits(text, w)), default=0.0)


def _fits(text: str, width: float) -> bool:
    lines = list(wrap_label(text, width))
    return len(lines) <= LINES and all(text_width(line) <= width for line in lines)


def wrap_label(text: str, width: float) -> Iterator[str]:
    """The lines of a label; breaks are after hyphens and slashes.

    >>> list(wrap_label("mixture-of-s-prime", needed_width("mixture-of-s-prime")))
    ['mixture-', 'of-s-', 'prime']
    """
    line = ""
    for part in _parts(text):
        if line and text_width(line + part) > width:
            yield line
            line = ""
        line += part
    yield line


def _parts(text: str) -> list[str]:
    return re.findall(r"[^-/]*[-/]|[^-/]+", text)
