"""Every number of every check moved past the truth, and what becomes of it.

    python -m tests.meta.attack [--json] [--steps 1e-6] [--jobs 2] [ID ...]

A number is a numeric parameter of a check, or one in a formula that a check takes. It is moved by a
tenth, a thousandth and a millionth both ways; and where a formula becomes false only further on, past
that point: certified counterexamples (:mod:`tests.meta.truth`) say where that is. A variant is *refuted*
(the check names a counterexample), *not proved*, or *confirmed*; then it has to be true. What is known to
be false and confirmed all the same is a hole. A check that has no answer in time has proved nothing.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from inspect import signature
from multiprocessing.connection import Connection
from typing import Any

import sympy

from proofs_checks.tools.formula import AnyFormula, Formula, Several
from tests.meta.attack_known import EDGES, WEAKER, false_number
from tests.meta.truth import certified_true, known_false
from tests.proofs_checks.changes import at, constants, put
from verify.claims import Claim
from verify.claims.discovery import discover

STEPS = (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6))
FAR = tuple(map(Fraction, ("11/10", "3/2", "3", "10", "1000")))
PATIENCE = 20  # seconds for one variant
FALSE = "confirmed false"


@dataclass(frozen=True)
class Number:
    """One number of a check: where it stands, and how to put another one there."""

    parameter: str
    place: str
    value: Fraction
    whole: Any
    path: tuple[int, ...] = ()
    part: int = -1
    side: int = -1

    def moved(self, new: Fraction) -> Any:
        """The parameter with another number."""
        if isinstance(self.whole, Several):
            formulas = list(self.whole.formulas)
            formulas[self.part] = self._in_formula(formulas[self.part], new)
            return replace(self.whole, formulas=tuple(formulas))
        if isinstance(self.whole, Formula):
            return self._in_formula(self.whole, new)
        if isinstance(self.whole, sympy.Basic):
            return (
                put(self.whole, self.path, sympy.Rational(new))
                if self.path
                else sympy.Rational(new)
            )
        if isinstance(self.whole, tuple):
            return (
                *self.whole[: self.part],
                self._like(self.whole[self.part], new),
                *self.whole[self.part + 1 :],
            )
        return self._like(self.whole, new)

    def _in_formula(self, formula: Formula, new: Fraction) -> Formula:
        sides = list(formula.sides)
        sides[self.side] = put(sides[self.side], self.path, sympy.Rational(new))
        return replace(formula, sides=tuple(sides))

    @staticmethod
    def _like(old: Any, new: Fraction) -> Any:
        return float(new) if isinstance(old, float) else new


def _leaves(side: sympy.Expr) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    paths = [()] if isinstance(side, sympy.Rational) else list(constants(side))
    for path in paths:
        number = at(side, path)
        yield path, Fraction(int(number.p), int(number.q))


def numbers(claim: Claim) -> Iterator[Number]:
    """The numbers of a check, parameter by parameter."""
    for name, parameter in signature(claim.function).parameters.items():
        whole = parameter.default
        if isinstance(whole, Formula | Several):
            formulas = whole.formulas if isinstance(whole, Several) else (whole,)
            for part, formula in enumerate(formulas):
                for index, side in enumerate(formula.sides):
                    for path, value in _leaves(side):
                        label = f"part {part}, side {index}, {path}"
                        yield Number(name, label, value, whole, path, part, index)
        elif isinstance(whole, sympy.Expr):
            for path, value in _leaves(whole):
                yield Number(name, f"{path}", value, whole, path)
        elif isinstance(whole, tuple):
            for index, item in enumerate(whole):
                if _is_number(item):
                    yield Number(name, f"item {index}", Fraction(item), whole, (), index)
        elif _is_number(whole):
            yield Number(name, "", Fraction(whole), whole)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction | float) and not isinstance(value, bool | Enum)


@dataclass(frozen=True)
class Variant:
    number: Number
    new: Fraction
    label: str


def variants(
    claim: Claim, number: Number, steps: tuple[Fraction, ...] = STEPS
) -> Iterator[Variant]:
    """The number moved by the steps, both ways; and past the point where its formula gets false."""
    for step in steps:
        for sign in (1, -1):
            new = number.value * (1 + sign * step) if number.value else sign * step
            yield Variant(number, new, f"{'+' if sign > 0 else '-'}{float(step):g}")
    known = EDGES.get((claim.id, number.parameter))
    if known is not None:
        for step in steps:
            yield Variant(number, known() * (1 - step), f"below the truth by {float(step):g}")
    if isinstance(number.whole, Formula | Several) and number.value:
        for sign in (1, -1):
            edge = _edge(number.whole, number, sign, steps[-1])
            for step in steps if edge else ():
                new = number.value * (edge * (1 + step) if sign > 0 else edge / (1 + step))
                yield Variant(number, new, f"past {float(edge):.9g} by {float(step):g}")


def _edge(own: AnyFormula, number: Number, sign: int, least: Fraction) -> Fraction | None:
    """The factor from which on a counterexample is known; None if there is none, or from the start."""

    def false(factor: Fraction) -> bool:
        real = factor if sign > 0 else 1 / factor
        return bool(known_false(own, number.moved(number.value * real)))

    if false(1 + least):
        return None
    low, high = 1 + least, next((f for f in FAR if false(f)), None)
    if high is None:
        return None
    for _ in range(24):  # to 1e-7 of the way
        middle = ((low + high) / 2).limit_denominator(10**9)
        low, high = (low, middle) if false(middle) else (middle, high)
    return high if sign > 0 else 1 / high


@dataclass
class Outcome:
    """What became of the numbers of one claim."""

    claim: str
    numbers: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    holes: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)


def fate(claim: Claim, variant: Variant) -> str:
    """refuted, not proved, out of time, crashed, true, unexplained or confirmed false.

    In a process of its own: a power with a strange exponent can end one, and must not end the attack.
    """
    context = multiprocessing.get_context("fork")  # with what the parent has checked already
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_tell, args=(there, claim, variant))
    child.start()
    there.close()
    try:
        return str(here.recv()) if here.poll(PATIENCE) else "out of time"
    except EOFError:
        return "crashed"
    finally:
        child.kill()
        child.join()
        here.close()


def _tell(there: Connection, claim: Claim, variant: Variant) -> None:
    there.send(_fate(claim, variant))


def _fate(claim: Claim, variant: Variant) -> str:
    value = variant.number.moved(variant.new)
    finding = claim.check(**{variant.number.parameter: value})
    if finding.rejected:
        return "refuted"
    if finding.crashed:
        return "crashed"
    if finding.refuses:
        return "not proved"
    return _judged(claim, variant, value)


def _judged(claim: Claim, variant: Variant, value: Any) -> str:
    """Of a confirmed variant: whether it is true."""
    number = variant.number
    if isinstance(number.whole, Formula | Several):
        if known_false(number.whole, value):
            return FALSE
        return "true" if certified_true(number.whole, value) else "unexplained"
    key = claim.id, number.parameter
    if false_number(*key, variant.new):
        return FALSE
    larger = variant.new > number.value
    return (
        "true"
        if WEAKER.get(key, ("", ""))[0] in (("both", "larger") if larger else ("both", "smaller"))
        else "unexplained"
    )


def attack(claim: Claim, steps: tuple[Fraction, ...] = STEPS) -> Outcome:
    """Move every number of a claim's check."""
    outcome = Outcome(claim.id)
    found = list(numbers(claim))
    if found:
        claim.check()  # so that its premises are checked once
    for number in found:
        outcome.numbers += 1
        for variant in variants(claim, number, steps):
            fared = fate(claim, variant)
            outcome.counts[fared] += 1
            text = f"{number.parameter} {number.place} {number.value} -> {float(variant.new):.12g} ({variant.label})"
            if fared == FALSE:
                outcome.holes.append(text)
            elif fared in ("unexplained", "crashed"):
                outcome.unexplained.append(f"{fared}: {text}")
    return outcome


def _by_id(order: tuple[str, tuple[Fraction, ...]]) -> Outcome:
    return attack(discover()[order[0]], order[1])


FATES = ("refuted", "not proved", "out of time", "crashed", "true", "unexplained", FALSE)


def summary(outcomes: list[Outcome]) -> dict[str, int]:
    total = sum((o.counts for o in outcomes), Counter())
    return {
        "claims": len(outcomes),
        "parameters": sum(o.numbers for o in outcomes),
        "variants": sum(total.values()),
        **{name: total[name] for name in FATES},
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("ids", nargs="*", help="claims, or what stands above them; all by default")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--steps", type=Fraction, nargs="*", default=list(STEPS))
    given = parser.parse_args()
    known = discover()
    chosen = [
        i for i in known if not given.ids or any(f"{i}/".startswith(f"{g}/") for g in given.ids)
    ]
    if not chosen:
        parser.error(f"no claim {', '.join(given.ids)}")
    orders = [(i, tuple(given.steps)) for i in chosen]
    outcomes = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for outcome in pool.map(_by_id, orders):
            outcomes.append(outcome)
            print(
                f"{outcome.claim:<52} {outcome.numbers:>4} {dict(outcome.counts)}",
                file=sys.stderr,
                flush=True,
            )
    if given.json:
        rows = [vars(o) | {"counts": dict(o.counts)} for o in outcomes]
        print(json.dumps({"summary": summary(outcomes), "claims": rows}, indent=1))
    else:
        for outcome in outcomes:
            for text in (*outcome.holes, *outcome.unexplained):
                print(f"{outcome.claim}: {text}")
        print("\n".join(f"{name:<15} {count:>6}" for name, count in summary(outcomes).items()))
    return 1 if any(o.holes for o in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
