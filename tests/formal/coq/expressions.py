"""Coq statements as relations between sympy expressions, definitions unfolded.

Variables become positive symbols of the same name. A number that a statement introduces as the value of
an improper integral (``exists A1, int_left f z A1 /\\ ...``) becomes that integral.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy

from tests.formal.coq.terms import Apply, Bound, Definition, Let, Name, Number, Op, Term

COMPARISONS = ("=", "<", "<=", ">", ">=")
VARIABLE = sympy.Symbol("integration variable", positive=True)


class Untranslated(Exception):
    """Outside the part of the statements that sympy has expressions for."""


@dataclass(frozen=True)
class Relation:
    """Two sides; an inequality has the smaller one first."""

    left: sympy.Expr
    right: sympy.Expr
    kind: str  # "=", "<" or "<="

    @classmethod
    def of(cls, left: sympy.Expr, sign: str, right: sympy.Expr) -> Relation:
        if sign in (">", ">="):
            return cls(right, left, sign.replace(">", "<"))
        return cls(left, right, sign)


def symbol(name: str) -> sympy.Symbol:
    return sympy.Symbol(name, positive=True)


def _integral(f: Callable[..., Any], low: sympy.Expr, high: sympy.Expr) -> sympy.Integral:
    return sympy.Integral(f(VARIABLE), (VARIABLE, low, high))


def _sum(f: Callable[..., Any], last: sympy.Expr) -> sympy.Sum:
    k = sympy.Symbol("k", positive=True)
    return sympy.Sum(f(k), (k, 0, last))


NATIVE: dict[str, tuple[int, Callable[..., Any]]] = {
    "exp": (1, sympy.exp),
    "ln": (1, sympy.log),
    "sqrt": (1, sympy.sqrt),
    "sinh": (1, sympy.sinh),
    "Rabs": (1, sympy.Abs),
    "Rpower": (2, lambda x, a: x**a),
    "INR": (1, lambda n: n),
    "Binomial.C": (2, sympy.binomial),
    "binom": (2, sympy.binomial),
    "erfc": (1, sympy.erfc),
    "sum_f_R0": (2, _sum),
    "line_integral": (1, lambda f: _integral(f, -sympy.oo, sympy.oo)),
}
INTEGRALS: dict[str, Callable[..., tuple[sympy.Integral, Any]]] = {
    "int_line": lambda f, value: (_integral(f, -sympy.oo, sympy.oo), value),
    "int_left": lambda f, z, value: (_integral(f, -sympy.oo, z), value),
    "int_right": lambda f, z, value: (_integral(f, z, sympy.oo), value),
}
Env = Mapping[str, Any]


@dataclass(frozen=True)
class Translator:
    definitions: Mapping[str, Definition]
    instances: Mapping[str, sympy.Expr] = field(default_factory=dict)
    """Values for variables of a forall, where a claim is an instance of a theorem."""

    def term(self, e: Term, env: Env) -> Any:
        match e:
            case Number(value):
                return sympy.Rational(value.numerator, value.denominator)
            case Name(text):
                return self.name(text, env)
            case Op("neg", left):
                return -self.term(left, env)
            case Op("inv", left):
                return 1 / self.term(left, env)
            case Op("+" | "-" | "*" | "/" | "^" as sign, left, right) if right is not None:
                return _arithmetic(sign, self.term(left, env), self.term(right, env))
            case Apply(function, arguments):
                made = self.term(function, env)
                for argument in arguments:
                    made = made(self.term(argument, env))
                return made
            case Bound("fun", binders, body):
                return self.curried(tuple(b.name for b in binders), body, env)
            case Let(name, value, body):
                return self.term(body, {**env, name: self.term(value, env)})
        raise Untranslated(f"no expression for {type(e).__name__}")

    def name(self, text: str, env: Env) -> Any:
        if text in env:
            return env[text]
        if text == "PI":
            return sympy.pi
        if text in NATIVE:
            return _curry(*NATIVE[text])
        if text in self.definitions and not self.definitions[text].is_prop:
            d = self.definitions[text]
            return self.curried(d.parameters, d.body, {})
        raise Untranslated(f"{text} is not known here")

    def curried(self, parameters: tuple[str, ...], body: Term, env: Env) -> Any:
        if not parameters:
            return self.term(body, env)
        first, *others = parameters
        return lambda x: self.curried(tuple(others), body, {**env, first: x})

    def relations(self, e: Term, env: Env) -> Iterator[Relation]:
        """What a proposition concludes, its hypotheses aside."""
        match e:
            case Bound("forall" | "exists", binders, body):
                new = {b.name: self.instances.get(b.name, symbol(b.name)) for b in binders}
                yield from self.relations(body, {**env, **new})
            case Let(name, value, body):
                yield from self.relations(body, {**env, name: self.term(value, env)})
            case Op("->", hypothesis, conclusion) if conclusion is not None:
                yield from self.relations(conclusion, {**env, **self.introduced(hypothesis, env)})
            case Op("/\\", left, right) if right is not None:
                known = {**env, **self.introduced(left, env)}
                yield from self.relations(left, known)
                yield from self.relations(right, known)
            case Op(sign, left, right) if sign in COMPARISONS and right is not None:
                yield Relation.of(self.term(left, env), sign, self.term(right, env))
            case Apply(Name("filterlim"), (f, Apply(_, (place,)), Apply(_, (limit,)))):
                x = symbol("q")  # at_right place, locally limit
                approached = sympy.Limit(self.term(f, env)(x), x, self.term(place, env))
                yield Relation(approached, self.term(limit, env), "=")
            case Apply(Name(text), arguments) if text in INTEGRALS:
                whole, value = INTEGRALS[text](*(self.term(a, env) for a in arguments))
                if whole != value:
                    yield Relation(whole, value, "=")
            case Apply(Name("is_derive"), (f, at, value)):
                here = self.term(at, env)
                yield Relation(
                    sympy.diff(self.term(f, env)(here), here), self.term(value, env), "="
                )
            case Apply(Name("is_lim_seq"), (Apply(Name("sum_below"), (f,)), value)):
                yield Relation(_sum(self.term(f, env), sympy.oo), self.term(value, env), "=")
            case _:
                raise Untranslated(f"no relation: {type(e).__name__}")

    def introduced(self, e: Term, env: Env) -> dict[str, Any]:
        """Variables that a hypothesis makes names of integrals."""
        if isinstance(e, Op) and e.symbol == "/\\" and e.right is not None:
            return {**self.introduced(e.left, env), **self.introduced(e.right, env)}
        if not (isinstance(e, Apply) and isinstance(e.function, Name)):
            return {}
        last = e.arguments[-1]
        if e.function.text not in INTEGRALS or not isinstance(last, Name):
            return {}
        whole, _ = INTEGRALS[e.function.text](*(self.term(a, env) for a in e.arguments))
        return {last.text: whole}


def _curry(arity: int, call: Callable[..., Any], given: tuple[Any, ...] = ()) -> Any:
    if len(given) == arity:
        return call(*given)
    return lambda x: _curry(arity, call, (*given, x))


def _arithmetic(sign: str, x: Any, y: Any) -> Any:
    return {
        "+": lambda: x + y,
        "-": lambda: x - y,
        "*": lambda: x * y,
        "/": lambda: x / y,
        "^": lambda: x**y,
    }[sign]()


def numbers(e: Any) -> int:
    """How many numbers a term has."""
    return isinstance(e, Number) + sum(numbers(part) for part in _parts(e))


def nudged(e: Any, index: int, step: Fraction) -> tuple[Any, int]:
    """The term with its number of that index changed by a factor 1 + step; how many were passed."""
    if isinstance(e, Number):
        value = e.value * (1 + step) if e.value else step
        return (Number(value) if index == 0 else e), index - 1
    if isinstance(e, tuple):
        items = []
        for item in e:
            new, index = nudged(item, index, step)
            items.append(new)
        return tuple(items), index
    fields = getattr(e, "__dataclass_fields__", None)
    if fields is None:
        return e, index
    made = {}
    for name in fields:
        made[name], index = nudged(getattr(e, name), index, step)
    return type(e)(**made), index


def _parts(e: Any) -> list[Any]:
    if isinstance(e, tuple):
        return list(e)
    fields = getattr(e, "__dataclass_fields__", None)
    return [getattr(e, name) for name in fields] if fields and not isinstance(e, Number) else []
