r"""The printed domain of a claim as conditions that balls decide.

>>> [str(c) for c in read(r"0 < q \le 1/5,\ \sigma \ge 4,\ x, y > 0")]
['0 < q', 'q <= 1/5', 'sigma >= 4', 'x > 0', 'y > 0']
>>> [str(c) for c in read(r"q(\alpha-1) \ge 1/3,\ L > \ln 6")]
['q*(alpha - 1) >= 1/3', 'L > log(6)']
>>> read(r"\text{the table}") is None
True
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.tools.balls import ball
from proofs_checks.tools.formula import evaluated

RELATIONS = {r"\le": "<=", r"\ge": ">=", "<": "<", ">": ">", r"\ne": "!="}
_RELATION = re.compile(r"\\le(?![a-z])|\\ge(?![a-z])|\\ne(?![a-z])|<|>")
_NUMBERED = {"(4)": paper.SLACK_1, "(5)": paper.SLACK_2}
_ALL = re.compile(r"\\in\s*\\mathbb\{R\}")
_WHOLE = re.compile(r"\\in\s*\\mathbb\{N\}")
_CLOSED = re.compile(r"\\in\s*\[([^,\]]+),\s*([^,\]]+)\]")
_OWN: Mapping[str, sympy.Symbol] = {
    s.name: s
    for s in (
        paper.q, paper.sigma, paper.alpha, paper.z0, paper.z1, paper.r0, paper.L, paper.n,
    )
}  # fmt: skip


@dataclass(frozen=True)
class DomainCondition:
    """One relation of a domain; ``whole`` asks for a whole number."""

    left: sympy.Expr
    relation: str
    right: sympy.Expr

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"

    def surely(self, where: Mapping[sympy.Symbol, arb]) -> bool:
        """Whether balls show it; what balls cannot tell is not inside."""
        left, right = (ball(_evaluate_names(e), where) for e in (self.left, self.right))
        if self.relation == "real":
            return bool(left.is_finite())
        if self.relation == "in":
            return bool(left.is_exact() and left.is_integer() and left >= right)
        if self.relation == "!=":
            return bool(left < right or left > right)
        found = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
        return bool(found[self.relation]) or (left.overlaps(right) and self._at_the_end(where))

    def _at_the_end(self, where: Mapping[sympy.Symbol, arb]) -> bool:
        """Equality, which balls cannot show: the two sides are rational at a rational point, and equal."""
        numbers: Mapping[str, Fraction] = getattr(where, "exact", {})
        difference = _evaluate_names(self.left - self.right)
        if self.relation not in ("<=", ">=") or any(
            s.name not in numbers for s in difference.free_symbols
        ):
            return False
        value = difference.subs(
            {s: sympy.Rational(numbers[s.name]) for s in difference.free_symbols}
        )
        return bool(value.is_Rational and value == 0)


@functools.cache
def _evaluate_names(expression: sympy.Expr) -> sympy.Expr:
    return evaluated(expression, paper.NAMES)


@functools.cache
def read(domain: str) -> tuple[DomainCondition, ...] | None:
    """The conditions, or None where a part of the domain is not a relation between expressions."""
    found: list[DomainCondition] = []
    for piece in domain.split(r",\ "):
        try:
            found.extend(_conditions(piece.strip()))
        except (_UnreadError, SyntaxError, TypeError, sympy.SympifyError):
            return None
    return tuple(found)


def mentioned_letters(conditions: tuple[DomainCondition, ...]) -> frozenset[str]:
    """The letters that a domain says something about; of any other letter nobody knows what it may be."""
    expressions = (e for c in conditions for e in (c.left, c.right))
    return frozenset(s.name for e in expressions for s in evaluated(e, paper.NAMES).free_symbols)


class _UnreadError(Exception):
    pass


def _conditions(piece: str) -> Iterator[DomainCondition]:
    if piece in _NUMBERED:
        yield DomainCondition(_NUMBERED[piece], ">=", sympy.Integer(0))
        return
    if "text" in piece or r"\to" in piece:
        raise _UnreadError(piece)
    for pattern, made in ((_ALL, _any), (_WHOLE, _whole), (_CLOSED, _between)):
        if match := pattern.search(piece):
            if piece[match.end() :].strip():
                raise _UnreadError(piece)
            for name in piece[: match.start()].split(","):
                yield from made(_expression(name), match)
            return
    relations = _RELATION.findall(piece)
    sides = _RELATION.split(piece)
    if not relations:
        raise _UnreadError(piece)
    names = [s for s in sides[0].split(",") if s.strip()]
    for name in names:
        previous = _expression(name)
        for relation, side in zip(relations, sides[1:], strict=True):
            right = _expression(side)
            yield DomainCondition(previous, RELATIONS[relation], right)
            previous = right


def _any(name: sympy.Expr, _: re.Match[str]) -> Iterator[DomainCondition]:
    yield DomainCondition(name, "real", sympy.Integer(0))


def _whole(name: sympy.Expr, _: re.Match[str]) -> Iterator[DomainCondition]:
    yield DomainCondition(name, "in", sympy.Integer(1))


def _between(name: sympy.Expr, match: re.Match[str]) -> Iterator[DomainCondition]:
    yield DomainCondition(name, ">=", _expression(match[1]))
    yield DomainCondition(name, "<=", _expression(match[2]))


_TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*)|\\(sigma|alpha|ln)(?![a-z])|([a-zA-Z](?:_[0-9a-z])?)|([-+/()^]))"
)


def _expression(text: str) -> sympy.Expr:
    """Numbers, letters, sigma, alpha, ln, + - / ^ and parentheses; products are written without a sign."""
    tokens: list[str] = []
    rest = text.strip()
    while rest:
        match = _TOKEN.match(rest)
        if match is None:
            raise _UnreadError(text)
        number, greek, letter, sign = match.groups()
        tokens.append(number or greek or letter or sign)
        rest = rest[match.end() :].strip()
    parser = _Parser(tokens)
    value = parser.total()
    if parser.left():
        raise _UnreadError(text)
    return value


class _Parser:
    """Sums of products of powers."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def left(self) -> bool:
        return bool(self.tokens)

    def total(self) -> sympy.Expr:
        sign = -1 if self._next() == "-" and self.tokens.pop(0) else 1
        value = sign * self._product()
        while self._next() in ("+", "-"):
            sign = 1 if self.tokens.pop(0) == "+" else -1
            value += sign * self._product()
        return value

    def _next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def _product(self) -> sympy.Expr:
        value = self._power()
        while self._next() not in ("", "+", "-", ")"):
            if self._next() == "/":
                self.tokens.pop(0)
                value /= self._power()
            else:
                value *= self._power()
        return value

    def _power(self) -> sympy.Expr:
        value = self._atom()
        if self._next() == "^":
            self.tokens.pop(0)
            value **= self._atom()
        return value

    def _atom(self) -> sympy.Expr:
        if not self.tokens:
            raise _UnreadError("an expression ends too early")
        token = self.tokens.pop(0)
        if token == "(":
            value = self.total()
            if not self.tokens or self.tokens.pop(0) != ")":
                raise _UnreadError("parentheses")
            return value
        if token == "ln":
            return sympy.log(self._power())
        if token[0].isdigit():
            return sympy.Rational(token)
        if token[0].isalpha():
            return _OWN.get(token) or sympy.Symbol(token)
        raise _UnreadError(token)
