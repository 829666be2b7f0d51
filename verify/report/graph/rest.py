"""What stands below the graph: claims that neither rest on another one nor carry one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verify.report.graph.columns import LINES, label, needed_width, text_width, wrap_label
from verify.report.graph.layout import (
    APART,
    BETWEEN,
    INSIDE,
    LINE,
    MARK,
    PAD,
    TITLE,
    ClaimBox,
    Frame,
)

SQUARE = 18.0
STEP = 23.0  # from square to square
NAMES = 118.0  # room for the names of sections
ROW = 400.0  # width of a section with its squares


@dataclass(frozen=True)
class Square:
    id: str
    x: float
    y: float


@dataclass(frozen=True)
class Name:
    """A section's name, left of its squares."""

    text: str
    x: float
    y: float


def by_section(names: Iterable[str]) -> dict[str, list[str]]:
    """The claims of each section, in the order given."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.partition("/")[0], []).append(name)
    return found


def strip(
    names: Iterable[str], top: float, width: float
) -> tuple[list[ClaimBox], list[Frame], float]:
    """Labelled claims, a frame for each section, in rows; with where they end."""
    boxes: list[ClaimBox] = []
    frames: list[Frame] = []
    x, high = 1.0, TITLE + LINES * LINE + 6 + INSIDE
    for section, listed in by_section(names).items():
        labels = {name: label(name, section) for name in listed}
        room = max(map(needed_width, labels.values()))
        wide = MARK + 2 * PAD + room
        long = 2 * INSIDE + len(listed) * (wide + BETWEEN) - BETWEEN
        long = max(long, 2 * INSIDE + text_width(section))
        if frames and x + long > width:
            x, top = 1.0, top + high + BETWEEN
        frames.append(Frame(section, x, top, long, high))
        for k, name in enumerate(listed):
            lines = tuple(wrap_label(labels[name], room))
            tall = len(lines) * LINE + 6
            left = x + INSIDE + k * (wide + BETWEEN)
            boxes.append(ClaimBox(name, left, top + TITLE, wide, tall, lines))
        x += long + BETWEEN
    return boxes, frames, top + high if frames else top


def rows(names: Iterable[str], top: float, width: float) -> tuple[list[Square], list[Name], float]:
    """Squares, a row for each section, rows in columns of about the same height; with where they end."""
    across = max(1, int(width / ROW))
    pitch = width / across
    fit = max(1, int((pitch - NAMES - STEP) / STEP))
    lines = list(_lines(by_section(names), fit))
    deep = -(-len(lines) // across)
    squares: list[Square] = []
    said: list[Name] = []
    for k, (title, listed) in enumerate(lines):
        x, y = (k // deep) * pitch, top + (k % deep) * (SQUARE + APART)
        if title:
            said.append(Name(title, x + 1, y + SQUARE / 2))
        squares.extend(Square(name, x + NAMES + i * STEP, y) for i, name in enumerate(listed))
    return squares, said, top + deep * (SQUARE + APART)


def _lines(sections: Mapping[str, Sequence[str]], fit: int) -> Iterator[tuple[str, Sequence[str]]]:
    """Rows of squares; a long section goes on without its name."""
    for section, listed in sections.items():
        for k in range(0, len(listed), fit):
            yield "" if k else section, listed[k : k + fit]
