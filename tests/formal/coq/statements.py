"""Evaluates the statements of the Coq development at points, as their text says.

Everything is taken from the text: the theorem, and the definitions it uses. Only the integrals are
supplied: A, B, the two divergences and KL of the pair (mu, mu0) by the certified engine, erfc by ball
arithmetic, all other improper integrals by quadrature with an explicit tail. Names in ``literal``
are not supplied but unfolded like any other, which ties the supplied values to the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import acb, arb, arb_series, ctx

from proofs_checks.kernel import FOLDER
from tests.formal.coq import values
from tests.formal.coq.envelope import NotEvaluable, integral
from tests.formal.coq.integrands import Expression, exponential_variable, variable
from tests.formal.coq.syntax import read
from tests.formal.coq.terms import (
    Apply,
    Bound,
    Definition,
    If,
    Let,
    Match,
    Name,
    Number,
    Op,
    Statement,
    Term,
)
from tests.formal.coq.values import Undefined, arithmetic

FILES = ("Statements.v", "StatementsLemmas.v", "StatementsSteps.v", "StatementsBeyond.v")
Env = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Closure:
    """A function of the text, or a definition, with the arguments it has got so far."""

    parameters: tuple[str, ...]
    body: Term
    env: Env
    name: str = ""
    given: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Native:
    """A function supplied here."""

    arity: int
    call: Callable[..., Any]
    given: tuple[Any, ...] = ()


def load(folder: Path = FOLDER) -> tuple[dict[str, Definition], dict[str, Statement]]:
    """All definitions and theorems of the Statements files."""
    texts = [(folder / name).read_text(encoding="utf-8") for name in FILES]
    return load_texts(texts)


def load_texts(texts: list[str]) -> tuple[dict[str, Definition], dict[str, Statement]]:
    definitions: dict[str, Definition] = {}
    statements: dict[str, Statement] = {}
    for text in texts:
        found, stated = read(text)
        definitions.update({d.name: d for d in found})
        statements.update({s.name: s for s in stated})
    return definitions, statements


@dataclass
class Evaluator:
    """Values of terms and truth of propositions; unknown is None, never a pass."""

    definitions: Mapping[str, Definition]
    literal: frozenset[str] = frozenset()
    natives: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.natives = {n: Native(arity, call) for n, (arity, call) in values.FUNCTIONS.items()}
        self.natives |= {
            "ln": Native(1, values.ln),
            "Rpower": Native(2, values.rpower),
            "RInt_gen": Native(3, self.improper),
            "sum_f_R0": Native(2, self.sum_to),
            "map": Native(2, lambda f, items: tuple(self.apply(f, (x,)) for x in items)),
            "fold_right": Native(3, self.fold_right),
            "Rbar_locally": Native(1, lambda end: end),
            "at_point": Native(1, lambda x: x),
            "at_right": Native(1, lambda x: ("right of", x)),
            "locally": Native(1, lambda x: x),
            "cons": Native(2, lambda x, rest: (x, *rest)),
            "S": Native(1, lambda n: n + 1),
            "O": Fraction(0),
            "nil": (),
            "m_infty": None,
            "p_infty": None,
            "Rplus": Native(2, lambda a, b: arithmetic("+", a, b)),
        }
        supplied = {
            "A": Native(3, values.engine_a),
            "B": Native(3, values.engine_b),
            "erfc": Native(1, values.erfc),
            "renyi": Native(3, self.renyi),
            "KL": Native(2, self.kl),
        }
        self.natives |= {n: f for n, f in supplied.items() if n not in self.literal}

    # terms

    def term(self, e: Term, env: Env) -> Any:
        match e:
            case Number(value):
                return value
            case Name(text):
                return self.lookup(text, env)
            case Op("neg", left):
                return -self.term(left, env)
            case Op("inv", left):
                return arithmetic("/", Fraction(1), self.term(left, env))
            case Op("^", left, right) if right is not None:
                return values.power(self.term(left, env), self.term(right, env))
            case Op("+" | "-" | "*" | "/" as symbol, left, right) if right is not None:
                return arithmetic(symbol, self.term(left, env), self.term(right, env))
            case Op("++", left, right) if right is not None:
                return (*self.term(left, env), *self.term(right, env))
            case Op("::", left, right) if right is not None:
                return (self.term(left, env), *self.term(right, env))
            case Apply(function, arguments):
                return self.apply(
                    self.term(function, env), tuple(self.term(a, env) for a in arguments)
                )
            case Bound("fun", binders, body):
                return Closure(tuple(b.name for b in binders), body, env)
            case Let(name, value, body):
                return self.term(body, {**env, name: self.term(value, env)})
            case If(condition, yes, no):
                return self.term(yes if self.term(condition, env) else no, env)
            case Match():
                return self.match(e, env)
        raise NotEvaluable(f"no value for {type(e).__name__}")

    def lookup(self, text: str, env: Env) -> Any:
        if text in env:
            return env[text]
        if text == "PI":
            return arb.pi()
        if text in self.natives:
            return self.natives[text]
        if text in self.definitions:
            d = self.definitions[text]
            return Closure(d.parameters, d.body, {}, text)
        raise NotEvaluable(f"{text} is not known here")

    def match(self, e: Match, env: Env) -> Any:
        subject = self.term(e.subject, env)
        if isinstance(subject, tuple):
            parts: tuple[Any, ...] = (subject[0], subject[1:]) if subject else ()
        else:
            n = values.natural(subject)
            parts = (Fraction(n - 1),) if n else ()
        if not parts:
            return self.term(e.empty, env)
        return self.term(e.other, {**env, **dict(zip(e.names, parts, strict=True))})

    def apply(self, function: Any, arguments: tuple[Any, ...]) -> Any:
        if not arguments:
            return function
        if isinstance(function, Native):
            given = (*function.given, *arguments)
            if len(given) < function.arity:
                return Native(function.arity, function.call, given)
            result = function.call(*given[: function.arity])
            return self.apply(result, given[function.arity :])
        if isinstance(function, Closure):
            n = min(len(arguments), len(function.parameters))
            env = {**function.env, **dict(zip(function.parameters[:n], arguments[:n], strict=True))}
            given = (*function.given, *arguments[:n])
            if n < len(function.parameters):
                return Closure(function.parameters[n:], function.body, env, function.name, given)
            return self.apply(self.term(function.body, env), arguments[n:])
        raise NotEvaluable("application of something that is no function")

    def sum_to(self, f: Any, n: Any) -> Any:
        total: Any = Fraction(0)
        for k in range(values.natural(n) + 1):
            total = arithmetic("+", total, self.apply(f, (Fraction(k),)))
        return total

    def fold_right(self, f: Any, start: Any, items: tuple[Any, ...]) -> Any:
        for x in reversed(items):
            start = self.apply(f, (x, start))
        return start

    # integrals and derivatives

    def improper(self, f: Any, lower: Any, upper: Any) -> Any:
        """The integral between two ends: numbers, None for infinity, or ("right of", 0)."""
        if isinstance(lower, tuple):  # over (0, oo), by x = e^s
            x = exponential_variable()
            integrand, lower = arithmetic("*", self.apply(f, (x,)), x), None
        else:
            integrand = self.apply(f, (variable(),))
        ends = (None if e is None else values.lifted(e) for e in (lower, upper))
        if isinstance(integrand, Fraction) and integrand == 0:
            return integrand
        if not isinstance(integrand, Expression):
            raise NotEvaluable("the integrand is constant")

        def at(x: Any, analytic: bool) -> Any:
            try:
                return integrand.at(x, analytic)
            except Undefined:
                if isinstance(x, acb):
                    return acb("nan")
                raise

        return integral(at, *ends)

    def renyi(self, alpha: Any, p: Any, r: Any) -> Any:
        forward = _is_pair(p, r)
        if forward is None and _is_pair(r, p) is None:
            d = self.definitions["renyi"]
            return self.apply(Closure(d.parameters, d.body, {}), (alpha, p, r))
        if forward is not None:
            q, sigma, order = *forward, alpha
        else:
            q, sigma, order = *_pair(r), 1 - alpha
        values.engine_a(q, sigma, order)  # refuses what the engine cannot do
        return arithmetic("/", values.moment(q, sigma, order), alpha - 1)

    def kl(self, p: Any, r: Any) -> Any:
        if (pair := _is_pair(p, r)) is not None:
            return values.moment(*pair, Fraction(1), True)
        if _is_pair(r, p) is not None:
            return -values.moment(*_pair(r), Fraction(0), True)
        raise NotEvaluable("KL of another pair")

    def derivative(self, f: Any, x: Any) -> Any:
        cap, ctx.cap = ctx.cap, 2
        try:
            series = self.apply(f, (arb_series([values.lifted(x), 1]),))
            return series[1] if isinstance(series, arb_series) else Fraction(0)
        finally:
            ctx.cap = cap


def _pair(mixture: Closure) -> tuple[Any, Any]:
    return mixture.given[0], mixture.given[1]


def _is_pair(p: Any, r: Any) -> tuple[Any, Any] | None:
    """(q, sigma) if p, r are the functions mu q sigma and mu0 sigma."""
    if not isinstance(p, Closure) or not isinstance(r, Closure):
        return None
    if (p.name, r.name) != ("mu", "mu0") or len(p.given) != 2 or len(r.given) != 1:
        return None
    return _pair(p) if p.given[1] == r.given[0] else None
