"""Signs on unbounded domains by exact calculus: parametrise the domain, differentiate, read signs.

A domain is parametrised by symbols that carry nothing but a sign: x in [c, oo) as x = c + p with
p >= 0, x in (0, 1] as x = 1/(1 + p). What then has to be positive is a sum of positive terms, or
its derivatives are.

>>> p = sympy.Symbol("p", nonnegative=True)
>>> rises(sympy.exp(p) - 1 - p, p, 2).level
<Level.SYMBOLIC: 'symbolic'>
>>> rises(1 + p - sympy.exp(p), p, 1)
Traceback (most recent call last):
...
verify.claims.model.StepFails: p - exp(p) + 1 is negative at p = ...
"""

from __future__ import annotations

import sympy

from proofs_checks.tools.algebra import positive
from proofs_checks.tools.balls import ball
from verify.claims import Evidence, StepFails, Undecided, symbolic
from verify.numbers.balls import precision


def slack(names: str) -> tuple[sympy.Symbol, ...]:
    """Symbols for how far inside a closed constraint one is: any value >= 0."""
    found = sympy.symbols(names, nonnegative=True)
    return found if isinstance(found, tuple) else (found,)


def gap(names: str) -> tuple[sympy.Symbol, ...]:
    """Symbols for how far inside an open constraint one is: any value > 0."""
    found = sympy.symbols(names, positive=True)
    return found if isinstance(found, tuple) else (found,)


def rises(expr: sympy.Expr, x: sympy.Symbol, order: int, detail: str = "") -> Evidence:
    """expr >= 0 for x >= 0: it and its first derivatives are >= 0 at 0, the last one everywhere."""
    derivative = expr
    for _ in range(order):
        start = derivative.subs(x, 0)
        if start != 0:
            positive(start, strict=False)
        derivative = sympy.diff(derivative, x)
    try:
        positive(derivative, strict=False)
    except StepFails:
        positive(expr, strict=False)  # says where expr itself fails, if it does
        raise
    return symbolic(
        detail=detail or f"{expr} >= 0: derivative {order} in {x} is >= 0, the others start >= 0"
    )


def positive_terms(expr: sympy.Expr, detail: str) -> Evidence:
    """expr > 0 for non-negative symbols: a polynomial in them whose coefficients balls show >= 0,
    with a positive constant term."""
    names = sorted(expr.free_symbols, key=lambda s: s.name)
    terms = sympy.Poly(sympy.expand(expr), *names).terms() if names else [((), expr)]
    constant = False
    with precision(120):
        for powers, coefficient in terms:
            value = ball(coefficient, {})
            if value > 0:
                constant = constant or not any(powers)
            elif value < 0 and not any(powers):
                raise StepFails(f"{detail}: {coefficient} is negative")
            else:
                raise Undecided(f"{detail}: the coefficient {coefficient} is not shown positive")
    if not constant:
        raise Undecided(f"{detail}: no positive constant term")
    shown = f"{len(terms)} terms, each of them positive"
    return symbolic(detail=f"{detail}: {shown}")
