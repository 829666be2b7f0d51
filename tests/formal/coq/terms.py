"""The abstract syntax of the statements: terms, definitions, theorems."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Number:
    value: Fraction


@dataclass(frozen=True, slots=True)
class Name:
    text: str


@dataclass(frozen=True, slots=True)
class Op:
    """An operator; unary ones (neg, inv, ~) have no right side."""

    symbol: str
    left: Term
    right: Term | None = None


@dataclass(frozen=True, slots=True)
class Apply:
    function: Term
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Binder:
    """A bound variable with its type, None where the text leaves it to inference."""

    name: str
    type: Term | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """forall, exists or fun."""

    kind: str
    binders: tuple[Binder, ...]
    body: Term


@dataclass(frozen=True, slots=True)
class Let:
    name: str
    value: Term
    body: Term


@dataclass(frozen=True, slots=True)
class If:
    condition: Term
    yes: Term
    no: Term


@dataclass(frozen=True, slots=True)
class Match:
    """Two branches, the second with the names its constructor binds."""

    subject: Term
    empty: Term
    names: tuple[str, ...]
    other: Term


Term = Number | Name | Op | Apply | Bound | Let | If | Match


@dataclass(frozen=True, slots=True)
class Definition:
    name: str
    parameters: tuple[str, ...]
    types: tuple[Term | None, ...]
    is_prop: bool
    body: Term


@dataclass(frozen=True, slots=True)
class Statement:
    name: str
    body: Term
