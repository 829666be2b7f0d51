"""Closed-form bound, the right part: from the tail to a scalar inequality (Lemma 10, lines 396-414).

Where only the size of L and ln sigma matters they are symbols of their own, ell > 0 and h > 0. The
first condition on alpha is used with a slack s >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from flint import arb

from proofs_checks.paper import (
    ABOVE_ONE,
    ALPHA,
    CONDITION_1,
    DEFINITIONS,
    NINE_TENTHS,
    Z0,
    A_right,
    L,
    alpha,
    exp,
    ln,
    ordered,
    q,
    sigma,
    spare,
    value,
    z0,
)
from proofs_checks.sections.closed_form_a2_tail import (
    DOMAIN,
    GAUSSIAN_TAIL,
    HALF,
    exponent,
    gaussian_tail,
    integrand,
    substitution,
    t,
)
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.counterexample import certified_counterexample
from proofs_checks.tools.formula import Formula, Several, evaluated, implies, written
from proofs_checks.tools.signs import gap, slack
from verify.claims import Evidence, Fraction, StepFails, claim, rests_on

REGION = r"0 < q \le 1/5,\ \sigma \ge 4,\ (4),\ (5)"
p, s, d = slack("p s d")
ell, h = gap("ell h")


def in_ell(expr: sympy.Expr) -> sympy.Expr:
    """An expression in which L and ln sigma are symbols of their own."""
    return evaluated(expr, {z0: DEFINITIONS[z0], L: ell, **ABOVE_ONE}).subs(ln(sigma), h)


# The first condition says right - alpha = s >= 0; here it is solved for L.
_L_UNDER_FIRST = sympy.solve(in_ell(CONDITION_1.sides[1]) - ALPHA - s, ell)[0]


def under_first(expr: sympy.Expr) -> sympy.Expr:
    """An expression where the first condition holds with the slack s."""
    return in_ell(expr).subs(ell, _L_UNDER_FIRST)


def room_under_first(formula: Formula) -> sympy.Expr:
    """Larger minus smaller side of an inequality where the first condition holds."""
    small, large = (under_first(side) for side in formula.ascending().sides)
    return sympy.expand(large - small)


Z0_BOUND = written(lambda: (z0, ">=", 2 * alpha + 4 * ln(sigma)))


@claim(
    "closed-form/lemma-10/z0-bound",
    lines="400-402",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ (4)",
    statement=Z0_BOUND,
    kernel="z0_bound",
    broken={
        "5 ln sigma": {"formula": Z0_BOUND.put({4 * ln(sigma): 5 * ln(sigma)})},
        "3 alpha": {"formula": Z0_BOUND.put({2 * alpha: 3 * alpha})},
    },
)
def z0_bound(formula: Formula = Z0_BOUND) -> Iterator[Evidence]:
    """The first condition on alpha, doubled; the difference is 1/2 plus twice the slack."""
    room = room_under_first(formula)
    positive(room, strict=formula.strict)
    yield identity(room, HALF + 2 * s, "z0 - 2 alpha - 4 ln sigma = 1/2 + 2s")
    yield positive(HALF + 2 * s, "which is positive")


Z0_ABOVE = written(lambda: (z0, ">", 2 * alpha))


@claim(
    "closed-form/lemma-10/z0-above-2-alpha",
    lines="403",
    kind="inequality",
    domain=r"\sigma > 1,\ (4)",
    statement=Z0_ABOVE,
    broken={"sigma below 1": {"noise": 1 / (2 + p) ** 3}},
)
def z0_above(formula: Formula = Z0_ABOVE, noise: sympy.Expr = 1 + p) -> Iterator[Evidence]:
    """For sigma > 1 the logarithm only helps."""
    margin = room_under_first(formula).subs(h, sympy.log(noise))
    yield positive(margin, "z0 - 2 alpha = 1/2 + 2s + 4 ln sigma")


@claim(
    "closed-form/lemma-10/tail-applies",
    lines="399",
    kind="assertion",
    domain=r"\sigma > 1,\ (4)",
    statement=r"z_0 - \alpha \ge 0 \text{ is needed for the tail bound, and holds}",
    broken={"the tail bound at -1/100": {"t": Fraction(-1, 100)}},
)
def tail_applies(t: Fraction = Fraction(-1)) -> Iterator[Evidence]:  # noqa: B008  # immutable
    """Below zero the tail bound fails (at t = -sigma); z0 > 2 alpha keeps clear of that."""
    x = arb(t.numerator) / arb(t.denominator)
    weight = (x / arb(2).sqrt()).erfc() / 2
    shown = certified_counterexample(
        weight, "<", (-x * x / 2).exp(), f"tail bound at t = {t} sigma"
    )
    yield Evidence(shown.level, detail=shown.detail)
    room = room_under_first(written(lambda: (z0 - alpha, ">", alpha)))
    yield identity(room, HALF + 2 * s + 4 * h, "z0 - alpha exceeds alpha")
    yield rests_on(z0_above)


TAIL = written(
    lambda: (
        A_right,
        "<=",
        (q * alpha) ** alpha * exp((alpha**2 - alpha - (z0 - alpha) ** 2) / (2 * sigma**2)),
    )
)


@claim(
    "closed-form/lemma-10/tail",
    lines="396",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ (4),\ \alpha > 1",
    statement=TAIL,
    kernel=("z0_bound", "A2_estimates"),
    broken={
        "z0 in place of z0 - alpha": {"formula": TAIL.put({z0 - alpha: z0})},
        "z0 + alpha": {"formula": TAIL.put({z0 - alpha: z0 + alpha})},
    },
)
def tail(formula: Formula = TAIL) -> Iterator[Evidence]:
    """The Gaussian tail bound at t = z0 - alpha, times the constant in front."""
    part, bound = formula.ascending().sides
    if part != A_right:
        raise StepFails(f"{part} is not the part right of the cut")
    start = Z0 - ALPHA  # where y = z - alpha begins
    front = ALPHA * ln(q * ALPHA) + (ALPHA**2 - ALPHA) / (2 * sigma**2)
    reached = front + ln(ordered(GAUSSIAN_TAIL)[1].subs(t, d)).subs(d, start)
    claimed = sympy.expand_log(ln(value(bound)))
    yield identity(sympy.expand_log(reached), claimed, "the exponents add up")
    yield rests_on(integrand, exponent, substitution, gaussian_tail, tail_applies)


DROPPED = written(lambda: (alpha**2 - alpha - (z0 - alpha) ** 2, "<", -z0 * (z0 - 2 * alpha)))


@claim(
    "closed-form/lemma-10/dropped-alpha",
    lines="397",
    kind="inequality",
    domain=DOMAIN,
    statement=DROPPED,
    broken={
        "reversed": {"formula": DROPPED.exchanged()},
        "z0 - alpha": {"formula": DROPPED.put({z0 - 2 * alpha: z0 - alpha})},
    },
)
def dropped_alpha(formula: Formula = DROPPED) -> Iterator[Evidence]:
    """The difference of the two exponents is alpha."""
    yield identity(spare(formula), ALPHA, "the difference is alpha")
    yield positive(ALPHA, "alpha > 0")


LOGARITHM = written(
    lambda: (ln(A_right), "<", alpha * ln(q * alpha) - z0 * (z0 - 2 * alpha) / (2 * sigma**2))
)


@claim(
    "closed-form/lemma-10/logarithm",
    lines="407",
    kind="inequality",
    domain=r"\sigma > 1,\ (4)",
    statement=LOGARITHM,
    broken={
        "z0 for z0 - 2 alpha": {"formula": LOGARITHM.put({z0 - 2 * alpha: z0})},
    },
)
def logarithm(formula: Formula = LOGARITHM) -> Iterator[Evidence]:
    """The logarithm of the bound; strict because alpha was dropped."""
    part, bound = formula.ascending().sides
    identity(part, ln(A_right))
    (small, large), tail_bound = ordered(DROPPED), ordered(TAIL)[1]
    before = sympy.expand_log(ln(tail_bound))
    after = before + (large - small) / (2 * sigma**2)
    yield identity(after, value(bound), "logarithm of the product")
    yield rests_on(tail, dropped_alpha)


USE_OF_Z0_BOUND = written(
    lambda: (z0 * (z0 - 2 * alpha) / (2 * sigma**2), ">", 2 * z0 * ln(sigma) / sigma**2)
)


@claim(
    "closed-form/lemma-10/use-of-z0-bound",
    lines="408",
    kind="inequality",
    domain=r"\sigma > 1,\ (4)",
    statement=USE_OF_Z0_BOUND,
    broken={
        "3 z0 ln sigma": {"formula": USE_OF_Z0_BOUND.put({2 * z0 * ln(sigma): 3 * z0 * ln(sigma)})},
        "reversed": {"formula": USE_OF_Z0_BOUND.exchanged()},
    },
)
def use_of_z0_bound(formula: Formula = USE_OF_Z0_BOUND) -> Iterator[Evidence]:
    """What was dropped is z0 (1/2 + 2s) / (2 sigma^2)."""
    dropped = under_first(z0) * (HALF + 2 * s) / (2 * sigma**2)
    yield identity(room_under_first(formula), dropped, "the difference")
    yield positive(dropped, "which is positive")


USE_OF_Z0 = written(lambda: (2 * z0 * ln(sigma) / sigma**2, ">", 2 * L * ln(sigma)))


@claim(
    "closed-form/lemma-10/use-of-z0",
    lines="409",
    kind="inequality",
    domain=r"\sigma > 1",
    statement=USE_OF_Z0,
    broken={
        "reversed": {"formula": USE_OF_Z0.exchanged()},
        "3 L ln sigma": {"formula": USE_OF_Z0.put({2 * L * ln(sigma): 3 * L * ln(sigma)})},
    },
)
def use_of_z0(formula: Formula = USE_OF_Z0) -> Iterator[Evidence]:
    """What was dropped is ln(sigma)/sigma^2, because z0/sigma^2 = L + 1/(2 sigma^2)."""
    small, large = (in_ell(side) for side in formula.ascending().sides)
    yield identity(large - small, h / sigma**2, "the difference")
    yield positive(h / sigma**2, "which is positive")


SCALAR = written(
    lambda: (
        (2 - alpha) * ln(q) + (1 - alpha) * ln(alpha) + ln(alpha - 1) + 2 * (L - 1) * ln(sigma),
        ">",
        -ln(NINE_TENTHS),
    )
)
REDUCTION = implies(
    SCALAR,
    written(lambda: (ln(A_right), "<", ln(NINE_TENTHS * q**2 * alpha * (alpha - 1) / sigma**2))),
)


@claim(
    "closed-form/lemma-10/reduction",
    lines="411-414",
    kind="assertion",
    domain=REGION,
    statement=REDUCTION,
    broken={
        "q^40 for q^2": {"formula": REDUCTION.put({q**2: q**40})},
    },
)
def reduction(formula: Several = REDUCTION) -> Iterator[Evidence]:
    """Subtracting the two logarithms leaves the scalar inequality, nothing more."""
    premise, conclusion = formula.formulas
    identity(conclusion.ascending().sides[0], ln(A_right))
    target = sympy.expand_log(ordered(conclusion)[1])
    # The bound of ln A^(2) after both replacements, each of which added its room.
    reached = ordered(LOGARITHM)[1] + spare(USE_OF_Z0_BOUND) + spare(USE_OF_Z0)
    yield identity(target - reached, spare(premise), "target minus bound = left side + ln 0.9")
    yield rests_on(logarithm, use_of_z0_bound, use_of_z0)
