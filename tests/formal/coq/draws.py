"""Values for quantified variables: exact, and heavy on boundaries.

The kind of a variable is the type the text gives it, or the type of the place it is used in. Reals
come from a pool for their name, from the numbers the hypotheses compare them with, and at random.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.formal.coq import values
from tests.formal.coq.envelope import NotEvaluable
from tests.formal.coq.statements import Env, Evaluator, Native
from tests.formal.coq.terms import (
    Apply,
    Binder,
    Bound,
    If,
    Let,
    Match,
    Name,
    Op,
    Term,
)
from tests.formal.coq.values import Undefined

_RATES = [
    Fraction(0),
    Fraction(1, 1000),
    Fraction(1, 100),
    Fraction(1, 20),
    Fraction(1, 10),
    Fraction(1, 5),
    Fraction(1, 2),
    Fraction(9, 10),
    Fraction(1),
]
_POOLS = {
    "q": _RATES,
    "w": _RATES,
    "sigma": [
        Fraction(1, 2),
        Fraction(3, 4),
        Fraction(1),
        Fraction(2),
        Fraction(4),
        Fraction(5),
        Fraction(10),
    ],
    "alpha": [
        Fraction(1, 2),
        Fraction(3, 4),
        Fraction(1),
        Fraction(51, 50),
        Fraction(3, 2),
        Fraction(2),
        Fraction(5, 2),
        Fraction(3),
        Fraction(4),
        Fraction(8),
    ],
    "h": [
        Fraction(-1),
        Fraction(-1, 10),
        Fraction(-1, 10**6),
        Fraction(0),
        Fraction(1, 10**7),
        Fraction(1, 100),
        Fraction(1),
    ],
}
_ANY = [
    Fraction(-3),
    Fraction(-1),
    Fraction(-1, 2),
    Fraction(0),
    Fraction(1, 100),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(1),
    Fraction(3, 2),
    Fraction(2),
    Fraction(3),
    Fraction(5),
]
_LIST, _REAL = Apply(Name("list"), (Name("U"),)), Name("R")


@dataclass
class Draws:
    """A seeded source of values."""

    rng: random.Random

    def draw(self, binder: Binder, scope: Term, env: Env, evaluator: Evaluator) -> Any:
        """A value for one variable of a quantifier with that scope."""
        kind = binder.type or _inferred(binder.name, scope, evaluator) or _REAL
        match kind:
            case Name("R"):
                return self.real(binder.name, scope, evaluator)
            case Name("nat"):
                return Fraction(
                    self.rng.randrange(2 if binder.name in ("d", "n") and _spatial(scope) else 9)
                )
            case Name("Type"):
                return None
            case Name("U"):
                return self.rng.randrange(2)
            case Name("point"):
                return _point([self.real("", scope, evaluator) for _ in range(2)])
            case Apply(Name("list")):
                return self.data_set(binder.name, env)
            case Op("->", left, Name("R" | "point" as target)) if left == _LIST:
                return self.query(target)
            case Op("->", Name("R"), Name("R")) if binder.name == "p":
                return self.noise()
        raise NotEvaluable("a statement about all functions")

    def real(self, name: str, scope: Term, evaluator: Evaluator) -> Fraction:
        pool = _POOLS.get(name, _ANY)
        choice = self.rng.random()
        literals = _compared_with(name, scope, evaluator)
        if literals and choice < 0.2:
            return self.rng.choice(literals)
        if choice < 0.7:
            return self.rng.choice(pool)
        low, high = min(pool), max(pool)
        return low + (high - low) * Fraction(self.rng.randrange(1, 256), 256)

    def data_set(self, name: str, env: Env) -> tuple[int, ...]:
        """Short lists; a primed name is mostly its namesake with one record inserted or removed."""
        other = env.get(name.removesuffix("'")) if name.endswith("'") else None
        if not isinstance(other, tuple):
            return tuple(self.rng.randrange(2) for _ in range(self.rng.randrange(3)))
        at = self.rng.randrange(len(other) + 1)
        if len(other) > 1 or (other and self.rng.random() < 0.3):
            return other[:at] + other[at + 1 :]
        return (*other[:at], self.rng.randrange(2), *other[at:])

    def query(self, target: str) -> Native:
        """A query of sensitivity 1: weights of at most 1 each, summed, possibly cut off."""
        weights = [
            self.rng.choice(
                [Fraction(1), Fraction(-1), Fraction(3, 5), Fraction(1, 7), Fraction(0)]
            )
            for _ in range(2)
        ]
        cap = self.rng.choice([Fraction(1), Fraction(3, 2), Fraction(9)])

        def value(items: tuple[int, ...]) -> Fraction:
            return max(-cap, min(cap, sum((weights[i] for i in items), Fraction(0))))

        if target == "R":
            return Native(1, value)
        return Native(1, lambda items: _point([value(items), Fraction(0)]))

    def noise(self) -> Native:
        """The density of additive noise, up to a factor: normal, mostly about 0."""
        width = self.rng.choice([Fraction(1, 2), Fraction(1), Fraction(9, 4)])
        centre = self.rng.choice([Fraction(0), Fraction(0), Fraction(1, 3)])
        return Native(1, lambda x: values.exp(values.power(x - centre, 2) * (-1 / (2 * width))))


def _point(coordinates: list[Fraction]) -> Native:
    return Native(1, lambda i: coordinates[int(i)])


def _spatial(scope: Term) -> bool:
    return any(isinstance(t, Name) and "space" in t.text for t in subterms(scope))


def _inferred(name: str, scope: Term, evaluator: Evaluator) -> Term | None:
    """The type of the places where a variable without a type is used."""
    for t in subterms(scope):
        if isinstance(t, Apply) and isinstance(t.function, Name):
            head = t.function.text
            if head == name:
                return Op("->", _REAL, _REAL)
            if Name(name) not in t.arguments:
                continue
            if head in ("INR", "Binomial.C"):
                return Name("nat")
            if head in evaluator.definitions:
                types = evaluator.definitions[head].types
                at = t.arguments.index(Name(name))
                if at < len(types):
                    return types[at]
    return None


def _compared_with(name: str, scope: Term, evaluator: Evaluator) -> list[Fraction]:
    """The numbers that a comparison in the scope puts directly beside the variable."""
    found = []
    for t in subterms(scope):
        if isinstance(t, Op) and t.symbol in ("<", "<=", "=") and Name(name) in (t.left, t.right):
            other = t.right if t.left == Name(name) else t.left
            try:
                value = evaluator.term(other, {}) if other is not None else None
            except (NotEvaluable, Undefined):
                continue
            if isinstance(value, Fraction):
                found.append(value)
    return found


def subterms(e: Term) -> Iterator[Term]:
    """The term and everything in it."""
    yield e
    parts: tuple[Term | None, ...] = ()
    match e:
        case Op(_, left, right):
            parts = (left, right)
        case Apply(function, arguments):
            parts = (function, *arguments)
        case Bound(_, _, body):
            parts = (body,)
        case Let(_, value, body):
            parts = (value, body)
        case If(condition, yes, no):
            parts = (condition, yes, no)
        case Match(subject, empty, _, other):
            parts = (subject, empty, other)
    for part in parts:
        if part is not None:
            yield from subterms(part)
