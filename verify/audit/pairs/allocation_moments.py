"""What the audit of random allocation asks of single moments: plans of rays with one number spoilt,
whole orders, the fall."""

from __future__ import annotations

import dataclasses
import math
import random
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from verify.accounting.contour.planner import Direction
from verify.accounting.history import History
from verify.accounting.pairs.allocation.forecast import Epochs, Forecast
from verify.accounting.pairs.allocation.idle import Fall, fall_below
from verify.accounting.pairs.allocation.laplace import Ray
from verify.accounting.pairs.allocation.mellin import RayHeights, moments
from verify.accounting.pairs.allocation.outline import Outline
from verify.accounting.pairs.allocation.parts import Allotted
from verify.accounting.pairs.allocation.ray_plan import planned_ray, stretch
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline

RAYS = ("ray step", "ray ends", "inner cut")


@dataclass(frozen=True, slots=True)
class AllocationCase:
    """One question: what to compare, for which run, where."""

    kind: str
    parts: tuple[Allotted, ...]
    poisson: History
    direction: Direction
    epsilon: Fraction
    digits: int
    seconds: float = 30.0

    def forecast(self, direction: Direction | None = None) -> Forecast:
        return Forecast(
            [Epochs(part) for part in self.parts], self.poisson, direction or self.direction
        )


@dataclass(frozen=True, slots=True)
class AllocationResult:
    """ok is None for a vacuous case; ``detail`` says what was seen."""

    case: AllocationCase
    ok: bool | None
    detail: str


def rays(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    """A ray with one number of its plan spoilt, against another n and more digits."""
    outline = Outline(case.parts[0])
    rng = random.Random(str(case))
    a, goal = -rng.choice((0.5, 2.0, 12.0)), 14.0
    top = 3 * outline.s * math.sqrt(outline.t)
    if outline.idle:
        top = min(top, 20 - 20 * a)
    count, n = 8, rng.choice((0, 1))
    h = top / count
    finer, _ = moments(outline, 1 - n, a, h, count, 60.0, deadline)
    angle, reach = stretch(n - a, 0.0, h * count)
    end = min(count, max(1, int(reach / h)))
    ray = spoilt(planned_ray(outline, n, n - a, angle, (0.0, h * end), goal), case.kind)
    with precision(ray.bits):
        values, above = RayHeights(outline, n, a, ray).values(h, 0, end, None, deadline)
    ok = all(_inside(one, other) for one, other in zip(values, finer, strict=False))
    ok &= bool(above >= finer[0].real.lower())
    return ok, f"{values[-1].str(5)} holds {finer[end].str(12)}"


def spoilt(ray: Ray, kind: str) -> Ray:
    """One number of the plan changed for the worse; the bounds say what that costs."""
    if kind == "ray step":
        step = 1.25 * ray.step
        ends = {"first": math.floor(ray.first / 1.25), "last": math.ceil(ray.last / 1.25)}
        return dataclasses.replace(ray, step=step, fine=math.ceil(1.25 * ray.fine), **ends)
    if kind == "ray ends":
        cut = (ray.last - ray.first) // 8
        return dataclasses.replace(ray, first=ray.first + cut, last=ray.last - cut)
    return dataclasses.replace(ray, nats=0.5 * ray.nats)  # fewer nodes, more factors put to 0


def _inside(wide: acb, sharp: acb) -> bool:
    return bool(wide.real.contains(sharp.real) and wide.imag.contains(sharp.imag))


def whole(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    part = case.parts[0]
    outline = Outline(part)
    goal = 2.3 * case.digits
    zero = moments(outline, 1, 0.0, 1.0, 0, goal, deadline)[0][0].real
    one = moments(outline, 2, 1.0, 1.0, 0, goal, deadline)[0][0].real
    return bool(zero.contains(1) and one.contains(1)), f"{zero.str(12)} {one.str(12)}"


def fall(case: AllocationCase, deadline: Deadline) -> tuple[bool, str]:
    """|E S'^{a+iy}| against the bound with the planned level, and with others."""
    outline, a = Outline(case.parts[0]), -1.5
    y = outline.s * math.sqrt(outline.t) * random.Random(str(case)).uniform(4, 8)
    values, top = moments(outline, 0, a, y, 1, 40.0, deadline)
    ok, said = True, []
    for level in (0.3, 0.5, 0.8, 0.95, 1.5):
        share = (1 - outline.idle) * level / (outline.idle + (1 - outline.idle) * level)
        eta = min(y * share / (outline.s * outline.t), 2.5 * outline.s)
        with precision(120):
            at = Fall(eta, level, 30.0)
            bound = fall_below(outline, a, arb(y), at, top, deadline).exp()
            ok &= bool(abs(values[1]).lower() <= bound)
            said.append(bound.str(5))
    return ok, f"{abs(values[1]).str(5)} <= {', '.join(said)}"
