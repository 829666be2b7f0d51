"""Where the claims stand in the drawing of what rests on what.

Columns from left to right, groups as frames that span some of the columns. Lines leave their column to
the right and cross groups only between columns, so that no line runs behind a claim: one that goes on to
a later column has a place of its own, a rail, in every column between.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verify.report.graph import columns as before
from verify.report.graph.columns import FONT, Premises

WIDTH = 1200.0
MARK = 14.0  # width of the letter's field
PAD = 3.0
LINE = FONT + 1.0  # distance of lines of text
RAIL = 5.0
APART = 6.0  # claims of a column
INSIDE = 6.0  # between a frame and what is in it
TITLE = 17.0  # height of a frame's title
BETWEEN = 10.0  # frames
NARROW, MEAN, WIDE = 13.0, 18.0, 60.0  # gaps between columns, for the lines
ROUNDS = 3
SWEEPS = 8
RELAXED = 40

Item = tuple[str, int]
"""A claim in its own column, or its rail in a later one."""
Part = tuple[str, int]
"""A frame: a group, or of a group that has empty columns the part that begins in this one."""
Stacks = dict[Part, dict[int, list[Item]]]
"""For each frame and column what stands there, from top to bottom."""


@dataclass(frozen=True)
class ClaimBox:
    """A claim with the lines of its label."""

    id: str
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Frame:
    title: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Hop:
    """A line through the gap between two columns, and where it is half-way up or down."""

    x1: float
    y1: float
    x2: float
    y2: float
    bend: float


@dataclass(frozen=True)
class Arrow:
    """A line from a premise to a conclusion."""

    premise: str
    conclusion: str
    hops: tuple[Hop, ...]


@dataclass(frozen=True)
class Layout:
    boxes: tuple[ClaimBox, ...]
    frames: tuple[Frame, ...]
    edges: tuple[Arrow, ...]
    width: float
    height: float
    free: tuple[tuple[float, float], ...]
    """Below which height the drawing is empty, up to which width: the more, the lower."""


def layout(premises: Premises) -> Layout:
    """The drawing of all these claims."""
    return _Drawing(premises).best()


class _Drawing:
    """What is fixed (columns, groups, sizes), and the search for an order with short lines."""

    def __init__(self, premises: Premises) -> None:
        self.premises = premises
        self.column = before.columns(premises)
        self.group = before.groups(premises)
        self.hops = [hop for end in premises for p in premises[end] for hop in self._hops(p, end)]
        self._place_columns()
        self.beside: dict[Item, tuple[list[Item], list[Item]]] = {}
        for left, right in dict.fromkeys(self.hops):
            self.beside.setdefault(left, ([], []))[1].append(right)
            self.beside.setdefault(right, ([], []))[0].append(left)

    def _hops(self, premise: str, conclusion: str) -> Iterator[tuple[Item, Item]]:
        """From column to column; lines that leave the same premise share its rails."""
        first, last = self.column[premise], self.column[conclusion]
        way = [*((premise, k) for k in range(first, last)), (conclusion, last)]
        yield from itertools.pairwise(way)

    def _place_columns(self) -> None:
        labels = {name: before.label(name, self.group[name]) for name in self.premises}
        count = 1 + max(self.column.values(), default=0)
        needed = [0.0] * count
        for name, text in labels.items():
            k = self.column[name]
            needed[k] = max(needed[k], before.needed_width(text))
        self.widths = [MARK + 2 * PAD + width for width in needed]
        self.lines = {
            name: tuple(before.wrap_label(text, needed[self.column[name]]))
            for name, text in labels.items()
        }
        lines = [len({left for left, _ in self.hops if left[1] == k}) for k in range(count - 1)]
        least = len(lines) * MEAN
        room = max(least, WIDTH - 2 * INSIDE - 2 - sum(self.widths)) - len(lines) * NARROW
        self.gaps = [min(WIDE, NARROW + room * n / sum(lines)) for n in lines]
        steps = (width + gap for width, gap in zip(self.widths, self.gaps, strict=False))
        self.lefts = list(itertools.accumulate(steps, initial=1 + INSIDE))

    def height(self, item: Item) -> float:
        name, k = item
        return len(self.lines[name]) * LINE + 6 if k == self.column[name] else RAIL

    def best(self) -> Layout:
        """A few sweeps over columns and over frames; what costs least is kept."""
        stacks = self._first_stacks()
        frames = list(stacks)
        cost, places = self._places_and_cost(stacks, frames)
        for _ in range(ROUNDS):
            swept, where = stacks, places
            for k in range(SWEEPS):
                swept = self._sort_columns(swept, where, k % 2)
                found, where = self._places_and_cost(swept, frames)
                if found < cost:
                    cost, places, stacks = found, where, swept
            for frame in list(frames):
                others = [f for f in frames if f != frame]
                for k in range(len(frames)):
                    tried = [*others[:k], frame, *others[k:]]
                    found, where = self._places_and_cost(stacks, tried)
                    if found < cost:
                        cost, places, frames = found, where, tried
        return self._lay_out(stacks, frames)

    def _first_stacks(self) -> Stacks:
        own = [(name, self.column[name]) for name in self.premises]
        rails = [item for hop in self.hops for item in hop]
        lanes: dict[str, dict[int, list[Item]]] = {}
        for item in dict.fromkeys([*own, *rails]):
            lanes.setdefault(self.group[item[0]], {}).setdefault(item[1], []).append(item)
        stacks: Stacks = {}
        for group, lane in lanes.items():
            start = min(lane)
            for k in sorted(lane):
                start = start if k - 1 in lane else k
                stacks.setdefault((group, start), {})[k] = lane[k]
        return stacks

    def _places_and_cost(
        self, stacks: Stacks, frames: Sequence[Part]
    ) -> tuple[float, dict[Item, float]]:
        """Middles of all items, and what the drawing costs: rises of lines, and its height."""
        tops, free = self._pack_frames(stacks, frames)
        places: dict[Item, float] = {}
        for frame in frames:
            high = max(map(self._stack_height, stacks[frame].values()))
            for stack in stacks[frame].values():
                y = tops[frame] + TITLE + (high - self._stack_height(stack)) / 2
                for item in stack:
                    places[item] = y + self.height(item) / 2
                    y += self.height(item) + APART
        return max(free) + sum(abs(places[a] - places[b]) for a, b in self.hops), places

    def _stack_height(self, stack: Sequence[Item]) -> float:
        return sum(map(self.height, stack)) + APART * (len(stack) - 1)

    def _pack_frames(
        self, stacks: Stacks, frames: Sequence[Part]
    ) -> tuple[dict[Part, float], list[float]]:
        """The top of each frame, one after the other, as high as its columns are free; and what stays so."""
        free = [1.0] * len(self.widths)
        tops = {}
        for frame in frames:
            span = range(min(stacks[frame]), max(stacks[frame]) + 1)
            tops[frame] = max(free[k] for k in span)
            high = max(map(self._stack_height, stacks[frame].values()))
            for k in span:
                free[k] = tops[frame] + TITLE + high + INSIDE + BETWEEN
        return tops, free

    def _sort_columns(self, stacks: Stacks, places: Mapping[Item, float], side: int) -> Stacks:
        """Column after column in the order of the mean of what its items are joined to on one side."""
        now = dict(places)

        def mean(item: Item) -> float:
            beside = self.beside.get(item, ([], []))
            joined = beside[side] or beside[1 - side]
            return sum(now[i] for i in joined) / len(joined) if joined else now[item]

        swept = {frame: dict(lane) for frame, lane in stacks.items()}
        columns = range(len(self.widths))
        for k in reversed(columns) if side else columns:
            for lane in swept.values():
                if k in lane:
                    lane[k] = sorted(lane[k], key=mean)
                    now.update(zip(lane[k], sorted(now[i] for i in lane[k]), strict=True))
        return swept

    def _lay_out(self, stacks: Stacks, frames: Sequence[Part]) -> Layout:
        tops, free = self._pack_frames(stacks, frames)
        places = self._places_and_cost(stacks, frames)[1]
        for k in range(RELAXED):
            for frame in frames:
                high = max(map(self._stack_height, stacks[frame].values()))
                low = tops[frame] + TITLE
                for stack in stacks[frame].values():
                    self._relax(stack, places, low, low + high, upwards=bool(k % 2))
        boxes = tuple(
            ClaimBox(name, self.lefts[k], places[name, k] - self.height((name, k)) / 2, self.widths[k],
                self.height((name, k)), self.lines[name])
            for name in self.premises  # in the order of the paper, also for the keyboard
            for k in [self.column[name]]
        )  # fmt: skip
        edges = tuple(self._edges(places))
        shown = tuple(self._frame(frame[0], stacks[frame], tops[frame]) for frame in frames)
        width = max(WIDTH, self.lefts[-1] + self.widths[-1] + INSIDE + 1)
        rights = [*(x - INSIDE - BETWEEN for x in self.lefts[1:]), width]
        empty = tuple(zip(itertools.accumulate(free, max), rights, strict=True))
        return Layout(boxes, shown, edges, width, max(free), empty)

    def _relax(
        self, stack: list[Item], places: dict[Item, float], low: float, high: float, upwards: bool
    ) -> None:
        """Towards the mean of what an item is joined to, as far as its neighbours and frame allow."""
        wanted = []
        for item in stack:
            joined = [places[i] for side in self.beside.get(item, ()) for i in side]
            wanted.append(sum(joined) / len(joined) if joined else places[item])
        heights = [self.height(item) for item in stack]
        tops = [y - h / 2 for y, h in zip(wanted, heights, strict=True)]
        for direction in (upwards, not upwards):
            if direction:
                end = high
                for i in reversed(range(len(stack))):
                    tops[i] = min(tops[i], end - heights[i])
                    end = tops[i] - APART
            else:
                end = low
                for i in range(len(stack)):
                    tops[i] = max(tops[i], end)
                    end = tops[i] + heights[i] + APART
        for item, top, h in zip(stack, tops, heights, strict=True):
            places[item] = top + h / 2

    def _bends(self, places: Mapping[Item, float]) -> dict[Item, float]:
        """Lines from different premises rise at different places of a gap, as far as there is room."""
        found: dict[Item, float] = {}
        for k in range(len(self.gaps)):
            leaving = {left for left, right in self.hops if left[1] == k}
            turning = sorted(leaving, key=lambda item: (places[item], item))
            right = self.lefts[k] + self.widths[k]
            for n, item in enumerate(turning, 1):
                found[item] = right + self.gaps[k] * (0.2 + 0.5 * n / (len(turning) + 1))
        return found

    def _edges(self, places: Mapping[Item, float]) -> Iterator[Arrow]:
        bends = self._bends(places)
        for end in self.premises:
            for premise in self.premises[end]:
                hops = (
                    Hop(self.lefts[a[1]] + self.widths[a[1]], places[a], self.lefts[b[1]], places[b], bends[a])
                    for a, b in self._hops(premise, end)
                )  # fmt: skip
                yield Arrow(premise, end, tuple(hops))

    def _frame(self, title: str, lane: Mapping[int, Iterable[Item]], top: float) -> Frame:
        first, last = min(lane), max(lane)
        left = self.lefts[first] - INSIDE
        right = self.lefts[last] + self.widths[last] + INSIDE
        high = max(self._stack_height(list(stack)) for stack in lane.values())
        return Frame(title, left, top, right - left, TITLE + high + INSIDE)
