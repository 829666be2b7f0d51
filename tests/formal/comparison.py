"""Whether a relation that a theorem states is one that a claim's formula prints."""

from __future__ import annotations

import random
from fractions import Fraction

import sympy

from proofs_checks import paper
from proofs_checks.sections import pointwise_lemma as lemma_6
from proofs_checks.tools.algebra import is_zero
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import AnyFormula
from tests.formal.coq.expressions import Relation
from verify.numbers.balls import precision

MEANINGS = {
    **paper.DEFINITIONS,
    lemma_6.P_q: lemma_6.MIXTURES[lemma_6.P_q],
    lemma_6.Q_q: lemma_6.MIXTURES[lemma_6.Q_q],
}
POINTS = 8
TINY = Fraction(1, 2**150)


def plain(expr: sympy.Expr) -> sympy.Expr:
    """The same expression with every symbol positive and known by its name alone."""
    named = {s: sympy.Symbol(s.name, positive=True) for s in expr.atoms(sympy.Symbol)}
    renamed = expr.xreplace(named)
    return renamed.doit(integrals=False) if renamed.has(sympy.Derivative) else renamed


def relations(formula: AnyFormula, extra: dict[sympy.Symbol, sympy.Expr]) -> list[Relation]:
    """The relations of a formula, names expanded."""
    return [
        Relation.of(plain(left), part.relation, plain(right))
        for part in formula.parts()
        for left, right in [part.expanded({**MEANINGS, **extra})]
    ]


def _apart_or_equal(difference: sympy.Expr, seed: int) -> bool | None:
    """False: balls tell them apart. True: equal to 150 bits at every point. None: no balls."""
    draw = random.Random(seed)
    names = sorted(difference.free_symbols, key=lambda s: s.name)
    with precision(400):
        for _ in range(POINTS):
            env = {}
            for name in names:
                low, high = (2, 98) if name.name in ("q", "z") else (101, 400)
                env[name] = rational(Fraction(draw.randint(low, high), 100))
            try:
                value = ball(difference, env)
            except (TypeError, KeyError):
                return None
            if value > 0 or value < 0:
                return False
            if not (value.is_finite() and value.rad() < rational(TINY)):
                return None
    return True


def same(left: sympy.Expr, right: sympy.Expr) -> str:
    """How two expressions are the same: "tree", "points", or "" where they are not shown to be."""
    if left == right:
        return "tree"
    if isinstance(left, sympy.Limit) and isinstance(right, sympy.Limit):
        return same(left.args[0], right.args[0]) if left.args[1:] == right.args[1:] else ""
    found = "tree"
    for number, whole in enumerate(sorted(left.atoms(sympy.Integral), key=str)):
        pairs = [(o, _same_integral(whole, o)) for o in right.atoms(sympy.Integral)]
        partners = [(other, how) for other, how in pairs if how]
        if not partners:
            return ""
        other, how = partners[0]
        value = sympy.Symbol(f"I{number}", positive=True)
        left, right, found = left.subs(whole, value), right.subs(other, value), weaker(found, how)
    if right.atoms(sympy.Integral):
        return ""
    if isinstance(left, sympy.Sum) and isinstance(right, sympy.Sum):
        return _same_sum(left, right)
    return weaker(found, _same_values(left, right))


def _same_values(left: sympy.Expr, right: sympy.Expr) -> str:
    difference = left - right
    if difference == 0:
        return "tree"
    numerically = _apart_or_equal(difference, 1)
    if numerically is False:
        return ""
    if is_zero(difference):
        return "tree"
    return "points" if numerically else ""


def _same_integral(one: sympy.Integral, other: sympy.Integral) -> str:
    (x, *ends), (y, *others) = one.limits[0], other.limits[0]
    z = sympy.Symbol("z", positive=True)
    how = _same_values(one.function.subs(x, z), other.function.subs(y, z))
    for end, another in zip(ends, others, strict=True):
        how = weaker(how, "tree" if end == another else _same_values(end, another))
    return how


def _same_sum(one: sympy.Sum, other: sympy.Sum) -> str:
    (k, *ends), (j, *others) = one.limits[0], other.limits[0]
    common = sympy.Symbol("k", positive=True)
    if [plain(e) for e in ends] != [plain(e) for e in others]:
        return ""
    terms = (one.function.subs(k, common), other.function.subs(j, common))
    return _same_values(*(plain(t).rewrite(sympy.gamma) for t in terms))


def weaker(one: str, other: str) -> str:
    if not one or not other:
        return ""
    return "points" if "points" in (one, other) else "tree"


def implies(theorem: Relation, claim: Relation) -> str:
    """How a theorem's relation gives the claim's: same sides, and < gives <=."""
    if (theorem.kind == "=") != (claim.kind == "=") or (theorem.kind, claim.kind) == ("<=", "<"):
        return ""
    how = weaker(same(theorem.left, claim.left), same(theorem.right, claim.right))
    if not how and claim.kind == "=":
        how = weaker(same(theorem.left, claim.right), same(theorem.right, claim.left))
    return how
