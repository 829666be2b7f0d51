"""Domains of claims as they are printed, and hypotheses of theorems: is the one inside the other?

A domain is a list of chains such as ``0 < q \\le 1/5``. Chains are read into relations; both are then looked
at with exact numbers at many points, ends of ranges among them.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks import paper
from proofs_checks.tools.balls import ball, rational
from tests.formal.comparison import plain
from tests.formal.coq.expressions import Relation, Translator, Untranslated, symbol
from tests.formal.coq.terms import Apply, Bound, Let, Name, Op, Term
from verify.numbers.balls import precision

SIGNS = {r"\le": "<=", r"\ge": ">=", "<": "<", ">": ">"}
CONDITIONS = {"(4)": paper.CONDITION_1, "(5)": paper.CONDITION_2}
GRID = {
    "q": ("0", "1/1000000", "1/100", "1/5", "1/4", "1/2", "9/10", "1", "3/2"),
    "sigma": ("1/100", "1/2", "1", "11/10", "4", "10", "50"),
    "alpha": ("-1", "0", "1/4", "1/2", "3/4", "1", "1000001/1000000", "3/2", "2", "7/2", "8", "40"),
}
OTHERS = ("-3", "-1/2", "0", "1/1000", "1/2", "1", "2", "7")
TRIED = 150


class Unread(Exception):
    """A part of a domain that is no chain of inequalities."""


def _expression(text: str) -> sympy.Expr:
    for latex, name in (
        (r"\alpha", "alpha"),
        (r"\beta", "beta"),
        (r"\varepsilon", "eps"),
        (r"\sigma", "sigma"),
        ("z_0", "z0"),
        ("z_1", "z1"),
        ("r_0", "r0"),
    ):
        text = text.replace(latex, name)
    text = re.sub(r"\\tfrac(\d)(\d)", r"\1/\2", text)
    text = re.sub(r"(?<=[a-z0-9])\(", "*(", text)
    if not re.fullmatch(r"[a-z0-9+\-*/() ]+", text):
        raise Unread(text)
    names = {n: symbol(n) for n in re.findall(r"[a-z]+\d?", text)}
    named = {n: plain(paper.evaluated(getattr(paper, n), paper.NAMES)) for n in ("z0", "z1", "r0")}
    return sympy.sympify(text, locals={**names, **named})


def of_claim(domain: str) -> Iterator[Relation]:
    """The relations of a domain; Unread if a part of it is prose."""
    for part in re.split(r",\\ ", domain):
        if part.strip() in CONDITIONS:
            left, right = CONDITIONS[part.strip()].expanded(paper.NAMES)
            yield Relation(plain(left), plain(right), "<=")
        elif part.endswith((r"\in \mathbb{R}", r"\in \mathbb{N}")):
            continue
        elif part == r"q \in [0,1]":
            yield from of_claim(r"0 \le q \le 1")
        else:
            pieces = re.split(r"(\\le|\\ge|<|>)", part)
            if len(pieces) < 3:
                raise Unread(part)
            for first, sign, last in zip(pieces[:-2:2], pieces[1::2], pieces[2::2], strict=True):
                for one in first.split(","):  # u, v > 0
                    yield Relation.of(_expression(one), SIGNS[sign], _expression(last))


def hypotheses(body: Term, translator: Translator) -> Iterator[Relation]:
    """What a theorem asks of numbers; what it asks of functions and integrals is left out."""
    env: dict[str, sympy.Expr] = {}
    while True:
        match body:
            case Bound("forall", binders, inner):
                env |= {b.name: translator.instances.get(b.name, symbol(b.name)) for b in binders}
                body = inner
            case Let(name, value, inner):
                env[name] = translator.term(value, env)
                body = inner
            case Op("->", hypothesis, conclusion) if conclusion is not None:
                yield from _asked(hypothesis, translator, env)
                body = conclusion
            case _:
                return


def _asked(hypothesis: Term, translator: Translator, env: dict[str, sympy.Expr]) -> list[Relation]:
    try:
        if isinstance(hypothesis, Apply) and isinstance(hypothesis.function, Name):
            known = translator.definitions[hypothesis.function.text]
            given = [translator.term(argument, env) for argument in hypothesis.arguments]
            return list(
                translator.relations(known.body, dict(zip(known.parameters, given, strict=True)))
            )
        return list(translator.relations(hypothesis, env))
    except (Untranslated, KeyError):
        return []


def holds(relation: Relation, point: dict[sympy.Symbol, sympy.Rational]) -> bool | None:
    """Exactly for rational numbers, by balls otherwise; None where neither tells, or nothing is defined."""
    left, right = (plain(side).subs(point) for side in (relation.left, relation.right))
    if left.is_Rational and right.is_Rational:
        return {"<": left < right, "<=": left <= right, "=": left == right}[
            relation.kind
        ] == sympy.true
    try:
        with precision(120):
            room = ball(right - left, {})
    except (TypeError, KeyError, ValueError, ZeroDivisionError):
        return None
    if room > rational(0):
        return relation.kind != "="
    return False if room < rational(0) else None


def points(names: set[str]) -> Iterator[dict[sympy.Symbol, sympy.Rational]]:
    """Values for these names, in an order that is mixed but always the same."""
    ranges = [[(n, v) for v in GRID.get(n, OTHERS)] for n in sorted(names)]
    every = list(itertools.product(*ranges))
    random.Random(2).shuffle(every)
    for chosen in every:
        yield {symbol(n): sympy.Rational(Fraction(v)) for n, v in chosen}


def outside(domain: list[Relation], theorems: list[list[Relation]]) -> tuple[int, list[str]]:
    """How many points of a domain were looked at, and those where every one of the theorems asks for more.

    Variables that the domain does not name are the theorem's own, unless they are the paper's parameters.
    """
    known = _names(domain) | set(GRID)
    asked = [[r for r in relations if _names([r]) <= known] for relations in theorems]
    names = _names([*domain, *itertools.chain(*asked)])
    tried, failing = 0, []
    for point in points(names):
        if all(holds(r, point) for r in domain):
            tried += 1
            if all(any(holds(r, point) is False for r in relations) for relations in asked):
                failing.append(str(point))
        if tried == TRIED:
            break
    return tried, failing


def _names(relations: list[Relation]) -> set[str]:
    return {s.name for r in relations for side in (r.left, r.right) for s in side.free_symbols}
