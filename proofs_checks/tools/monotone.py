"""Inequalities by exact calculus: zero at the start, and a derivative whose sign is plain to see.

>>> x = sympy.Symbol("x", positive=True)
>>> rises_from_zero(x * sympy.cosh(x) - sympy.sinh(x), x, x * sympy.sinh(x)).level
<Level.SYMBOLIC: 'symbolic'>
>>> rises_from_zero(sympy.sinh(x) - x * sympy.cosh(x), x, -x * sympy.sinh(x))
Traceback (most recent call last):
...
verify.claims.model.StepFails: ...
"""

from __future__ import annotations

import sympy

from proofs_checks.tools.algebra import identity, positive
from verify.claims import Evidence, StepFails, symbolic


def rises_from_zero(
    f: sympy.Expr, x: sympy.Symbol, slope: sympy.Expr, detail: str = "", *, strict: bool = True
) -> Evidence:
    """f(x) > 0 for every x > 0: f(0) = 0, f' equals ``slope``, and the slope is positive.

    ``x`` and the parameters are symbols with declared signs; ``slope`` is written so that its sign
    follows from theirs. Not ``strict``: a slope that may vanish, for f >= 0.
    """
    start = sympy.simplify(f.subs(x, 0))
    if start != 0:
        raise StepFails(f"{f} is {start}, not 0, at {x} = 0")
    identity(sympy.diff(f, x).rewrite(sympy.exp), slope.rewrite(sympy.exp))
    positive(slope, strict=strict)
    relation = ">" if strict else ">="
    return symbolic(detail=detail or f"{f} {relation} 0: it is 0 at 0 and its slope is {slope}")


def sign_of_constant(value: sympy.Expr, relation: str, detail: str = "") -> Evidence:
    """The sign of an exact constant, decided by sympy's exact comparison.

    >>> sign_of_constant(3 - sympy.E, ">").detail
    '3 - E > 0'
    """
    holds = {">": value > 0, ">=": value >= 0, "<": value < 0, "<=": value <= 0}[relation]
    if holds != sympy.true:
        raise StepFails(f"{detail}: {value} {relation} 0 is false")
    text = f"{value} {relation} 0"
    return symbolic(detail=f"{detail}: {text}" if detail else text)
