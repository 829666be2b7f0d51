"""Truth of propositions at a point, and sampling of the points.

A theorem is a chain of quantifiers, hypotheses and lets with a conclusion at its end. One draw walks
down the chain: variables are drawn (or computed, where a hypothesis defines one as an integral), a
hypothesis that does not certainly hold makes the draw vacuous, and the conclusion is then judged.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

from tests.formal.coq import values
from tests.formal.coq.draws import Draws
from tests.formal.coq.envelope import NotEvaluable
from tests.formal.coq.statements import Closure, Env, Evaluator, Native
from tests.formal.coq.terms import Apply, Bound, Let, Name, Number, Op, Term
from tests.formal.coq.values import Undefined, compare
from verify.numbers.balls import precision

BITS = 200
COMPARISONS = ("=", "<", "<=", ">", ">=", "<>")


class Outcome(Enum):
    """What one draw says about the statement."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"
    VACUOUS = "vacuous"


_OUTCOMES = {True: Outcome.HOLDS, False: Outcome.FAILS, None: Outcome.OPEN}


@dataclass
class Judge:
    """Judges propositions with an evaluator and a source of points."""

    evaluator: Evaluator
    draws: Draws

    def chain(self, e: Term, env: Env) -> tuple[Outcome, Env]:
        """One draw: the outcome and the values drawn."""
        pending: set[str] = set()
        while True:
            match e:
                case Bound("forall", binders, body):
                    for b in binders:
                        if _defining(body, b.name) is not None:
                            pending.add(b.name)
                        else:
                            env = {**env, b.name: self.draws.draw(b, body, env, self.evaluator)}
                    e = body
                case Let(name, value, body):
                    env, e = {**env, name: self.evaluator.term(value, env)}, body
                case Op("->", left, right) if right is not None:
                    defined = [n for n in pending if _defines(left, n)]
                    if defined:
                        env = {**env, defined[0]: self.integral_of(left, env)}
                        pending.remove(defined[0])
                    elif self.truth(left, env, certain=True) is not True:
                        return Outcome.VACUOUS, env
                    e = right
                case _:
                    return _OUTCOMES[self.truth(e, env)], env

    def truth(self, e: Term, env: Env, certain: bool = False) -> bool | None:
        """True, False or (not decided by the balls) None."""
        match e:
            case Op("/\\", left, right) if right is not None:
                return _all(self.truth(part, env, certain) for part in (left, right))
            case Op("\\/", left, right) if right is not None:
                return _not(_all(_not(self.truth(p, env, certain)) for p in (left, right)))
            case Op("~", left):
                return _not(self.truth(left, env, certain=True))
            case Op("->", left, right) if right is not None:
                hypothesis = self.truth(left, env, certain=True)
                return self.truth(right, env, certain) if hypothesis else _not(hypothesis)
            case Op("<->"):
                raise NotEvaluable("an equivalence with a statement about all functions")
            case Op(symbol, left, right) if symbol in COMPARISONS and right is not None:
                a, b = self.evaluator.term(left, env), self.evaluator.term(right, env)
                return compare(symbol, a, b, certain)
            case Let(name, value, body):
                inner = {**env, name: self.evaluator.term(value, env)}
                return self.truth(body, inner, certain)
            case Bound("forall"):
                return self.everywhere(e, env)
            case Bound("exists", binders, body):
                return self.exists([b.name for b in binders], body, env)
            case Apply(Name(text), arguments):
                return self.predicate(text, arguments, env, certain)
        raise NotEvaluable(f"no truth value for {type(e).__name__}")

    def everywhere(self, e: Term, env: Env) -> bool | None:
        """A quantifier inside a statement, at one point that satisfies its hypotheses."""
        for _ in range(60):
            outcome, _values = self.chain(e, env)
            if outcome is not Outcome.VACUOUS:
                return {Outcome.HOLDS: True, Outcome.FAILS: False}.get(outcome)
        return None

    def exists(self, names: list[str], body: Term, env: Env) -> bool | None:
        """Integrals are computed; a real number is searched among powers of two."""
        for name in names:
            defining = _defining(body, name)
            if defining is None:
                if len(names) > 1 or isinstance(body, Bound) or _mentions(body, "is_RDP_space"):
                    raise NotEvaluable("the existence of something that is not an integral")
                return self.search(name, body, env)
            env = {**env, name: self.integral_of(defining, env)}
        return self.truth(body, env)

    def search(self, name: str, body: Term, env: Env) -> bool | None:
        for k in range(1, 15):
            if self.truth(body, {**env, name: Fraction(2**k)}) is True:
                return True
        return None

    def predicate(
        self, text: str, arguments: tuple[Term, ...], env: Env, certain: bool
    ) -> bool | None:
        ev = self.evaluator
        if text == "adjacent":
            return _one_inserted(*(ev.term(a, env) for a in arguments))
        if text in ("is_RInt_gen", "int_space"):
            value = self.integral_of(Apply(Name(text), arguments), env)
            return compare("=", value, ev.term(arguments[-1], env), strict_only=False)
        if text == "is_derive":
            f, x, slope = (ev.term(a, env) for a in arguments)
            return compare("=", ev.derivative(f, x), slope, strict_only=False)
        if text == "ex_derive":
            slope = ev.derivative(*(ev.term(a, env) for a in arguments))
            return True if values.lifted(slope).is_finite() else None
        if text == "is_lim_seq":
            return _approaches(ev, *(ev.term(a, env) for a in arguments))
        if text == "is_lim":
            f, x, limit = (ev.term(a, env) for a in arguments)
            return _all(_tends(ev, f, x, step, limit) for step in (1, -1))
        if text == "filterlim":
            f, (_, x), limit = (ev.term(a, env) for a in arguments)  # at_right x, locally limit
            return _tends(ev, f, x, 1, limit)
        definition = ev.definitions.get(text)
        if definition is None or not definition.is_prop:
            raise NotEvaluable(f"{text} is not known here")
        given = [ev.term(a, env) for a in arguments]
        return self.truth(
            definition.body, dict(zip(definition.parameters, given, strict=True)), certain
        )

    def integral_of(self, e: Term, env: Env) -> Any:
        """The value l for which ``int_... f l`` or ``is_renyi alpha p r l`` holds."""
        assert isinstance(e, Apply)
        assert isinstance(e.function, Name)
        ev, text = self.evaluator, e.function.text
        given = [ev.term(a, env) for a in e.arguments[:-1]]
        if text == "is_RInt_gen":
            return ev.improper(*given)
        if text == "int_space":
            return _space_integral(ev, *given)
        if text == "is_renyi":
            return ev.renyi(*given)
        d = ev.definitions[text]
        return self.integral_of(d.body, dict(zip(d.parameters, given, strict=False)))


_INTEGRALS = (
    "int_line", "int_left", "int_right", "int_half", "int_space", "is_RInt_gen", "is_renyi",
)  # fmt: skip


def _defines(e: Term, name: str) -> bool:
    """Whether e says that ``name`` is an integral."""
    return (
        isinstance(e, Apply)
        and isinstance(e.function, Name)
        and e.function.text in _INTEGRALS
        and e.arguments[-1] == Name(name)
    )


def _defining(e: Term, name: str) -> Term | None:
    """The part of a chain or conjunction that defines ``name`` as an integral."""
    if _defines(e, name):
        return e
    if isinstance(e, Op) and e.symbol in ("->", "/\\") and e.right is not None:
        return _defining(e.left, name) or _defining(e.right, name)
    if isinstance(e, (Bound, Let)):
        return _defining(e.body, name)
    return None


def _mentions(e: Any, text: str) -> bool:
    if isinstance(e, Name):
        return e.text == text
    parts = e if isinstance(e, tuple) else tuple(
        getattr(e, s) for s in getattr(type(e), "__slots__", ()) if not isinstance(e, Number)
    )  # fmt: skip
    return any(_mentions(p, text) for p in parts if not isinstance(p, str))


def _all(parts: Any) -> bool | None:
    unknown = False
    for part in parts:
        if part is False:
            return False
        unknown = unknown or part is None
    return None if unknown else True


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _one_inserted(shorter: tuple[Any, ...], longer: tuple[Any, ...]) -> bool:
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))


def _approaches(ev: Evaluator, sequence: Any, limit: Any) -> bool | None:
    """A limit cannot be evaluated; its distance must shrink from 6 terms to 36."""
    goal = values.lifted(limit)
    early, late = (abs(values.lifted(ev.apply(sequence, (Fraction(n),))) - goal) for n in (6, 36))
    if late < early / 2 or late < (1 + abs(goal)) * values.AGREEMENT:
        return True
    return False if late > early / 2 else None


def _tends(ev: Evaluator, f: Any, x: Any, side: int, limit: Any) -> bool | None:
    """A limit cannot be evaluated; at 2^-30 from its place the distance must be 2^-15 of that at 2^-10."""
    goal = values.lifted(limit)
    early, late = (
        abs(values.lifted(ev.apply(f, (x + side * Fraction(1, 2**k),))) - goal) for k in (10, 30)
    )
    if late < early / 2**15 or late < (1 + abs(goal)) * values.AGREEMENT:
        return True
    return False if late > early / 2**15 else None


def _space_integral(ev: Evaluator, d: Any, f: Any) -> Any:
    origin = Closure(("_",), Number(Fraction(0)), {})
    if d == 0:
        return ev.apply(f, (origin,))
    if d > 1:
        raise NotEvaluable("iterated integrals in two dimensions or more")
    update = ev.lookup("update", {})
    along = Native(1, lambda t: ev.apply(f, (ev.apply(update, (origin, Fraction(0), t)),)))
    return ev.improper(along, None, None)


@dataclass
class Tally:
    """How a statement fared over many draws."""

    name: str
    holds: int = 0
    open: int = 0
    vacuous: int = 0
    failures: list[str] = field(default_factory=list)
    reason: str = ""

    def __str__(self) -> str:
        if self.reason:
            return f"{self.name}: not evaluable: {self.reason}"
        state = f"FAILS at {self.failures[0]}" if self.failures else "holds"
        return f"{self.name}: {state}; {self.holds} effective, {self.open} open, {self.vacuous} vacuous"


def examine(
    evaluator: Evaluator, name: str, statement: Term, effective: int = 25, seed: int = 0
) -> Tally:
    """Draw until that many points satisfied the hypotheses and the conclusion was decided."""
    tally = Tally(name)
    closed = not isinstance(statement, Bound)
    draws = Draws(random.Random(f"{seed} {name}"))
    judge = Judge(evaluator, draws)
    with precision(BITS):
        for _ in range(400 * effective):
            try:
                outcome, env = judge.chain(statement, {})
            except Undefined:
                outcome, env = Outcome.OPEN, {}
            except NotEvaluable as error:
                tally.reason = str(error)
                return tally
            if outcome is Outcome.HOLDS:
                tally.holds += 1
            elif outcome is Outcome.FAILS:
                tally.failures.append(", ".join(f"{k} = {v}" for k, v in env.items()))
                return tally
            elif outcome is Outcome.OPEN:
                tally.open += 1
            else:
                tally.vacuous += 1
            if tally.holds >= effective or tally.open > 4 * effective or closed:
                break
    return tally
