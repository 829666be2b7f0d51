"""Closed-form bound, the right part: from A^(2) to a scalar inequality (Lemma 10, lines 386-414).

Where only the size of L and ln sigma matters they are symbols of their own, ell > 0 and h > 0. The
first condition on alpha says alpha = sigma^2 L/2 - 2 ln sigma - s with a slack s >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from flint import arb

from proofs_checks.paper import ALPHA, LOG, R0, Z0, a1, density0, density1, q, sigma, z
from proofs_checks.sections import closed_form_setup as setup
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.counterexample import certified_counterexample
from proofs_checks.tools.draws import ordered_at_points
from proofs_checks.tools.prover import prove
from proofs_checks.tools.signs import gap, slack
from verify.claims import Evidence, Fraction, claim, rests_on

ONE = sympy.Integer(1)
HALF = ONE / 2
DOMAIN = r"\alpha > 1,\ 0 < q \le 1,\ \sigma > 0"
REGION = r"0 < q \le 1/5,\ \sigma \ge 4,\ (14),\ (15)"
p, s, u, t = slack("p s u t")
ell, h = gap("ell h")
cut = HALF + sigma**2 * ell  # z0 in terms of L
order = sigma**2 * ell / 2 - 2 * h - s  # alpha, by the first condition


@claim(
    "closed-form/lemma-10/base",
    lines="386-389",
    kind="inequality",
    domain=DOMAIN + r",\ z \ge z_0",
    statement=r"(1-q) + q\,\mu_1(z)/\mu_0(z) \le q\alpha\,\mu_1(z)/\mu_0(z)",
    kernel="mixture_right_of_z0",
    broken={"alpha - 1 for alpha": {"factor": a1}, "left of the cut": {"start": 1 / R0}},
)
def base(factor: sympy.Expr = ALPHA, start: sympy.Expr = R0) -> Iterator[Evidence]:
    """Right of the cut the ratio r = r0 + p is so large that the part 1-q can be absorbed.

    The difference is q alpha + q (alpha-1) p.
    """
    r = start + p
    spare = q * factor * r - (1 - q) - q * r
    points = setup.RANGES | {p: (Fraction(1, 100), 100)}
    yield ordered_at_points((1 - q) + q * r, q * factor * r, points, "base right of the cut")
    yield identity(spare, q * ALPHA + q * a1 * p, "the difference")
    yield positive(q * ALPHA + q * a1 * p, "which is positive")
    yield rests_on(setup.r0_value, setup.ratio_decreases)


@claim(
    "closed-form/lemma-10/integrand",
    lines="391-393",
    kind="inequality",
    domain=DOMAIN,
    statement=r"A_\alpha^{(2)} \le \int_{z_0}^\infty \mu_0 (q\alpha\,\mu_1/\mu_0)^\alpha",
    broken={"power -alpha": {"power": -ALPHA}},
)
def integrand(power: sympy.Expr = ALPHA) -> Iterator[Evidence]:
    """A positive power keeps the order of the bases, the integral that of the integrands."""
    r = R0 + p
    small, spare = sympy.expand((1 - q) + q * r), q * ALPHA + q * a1 * p
    identity(small, 1 + 1 / a1 + q * p)
    yield identity(
        q * ALPHA * r, (1 + 1 / a1 + q * p) + spare, "larger base = smaller + difference"
    )
    growth = power * sympy.log(1 + spare / (1 + 1 / a1 + q * p))
    yield positive(growth, "logarithm of the quotient of the powers")
    yield rests_on(base)


@claim(
    "closed-form/lemma-10/exponent",
    lines="394",
    kind="identity",
    domain=DOMAIN,
    statement=r"\mu_0 (q\alpha\tfrac{\mu_1}{\mu_0})^\alpha = "
    r"\tfrac{(q\alpha)^\alpha}{\sigma\sqrt{2\pi}}"
    r"\exp\{-\tfrac{z^2}{2\sigma^2} + \alpha\tfrac{z^2-(z-1)^2}{2\sigma^2}\}",
    broken={"(z+1)^2": {"shift": -1}, "without alpha": {"factor": ONE}},
)
def exponent(shift: int = 1, factor: sympy.Expr = ALPHA) -> Iterator[Evidence]:
    """The exponent of the bounding integrand."""
    inner = -(z**2) / (2 * sigma**2) + factor * (z**2 - (z - shift) ** 2) / (2 * sigma**2)
    left = sympy.log(density0(z)) + ALPHA * (
        sympy.log(q * ALPHA) + sympy.log(density1(z)) - sympy.log(density0(z))
    )
    right = ALPHA * sympy.log(q * ALPHA) - sympy.log(sigma * sympy.sqrt(2 * sympy.pi)) + inner
    yield identity(
        sympy.expand_log(left, force=True), sympy.expand_log(right, force=True), "logarithms"
    )


@claim(
    "closed-form/lemma-10/substitution",
    lines="395",
    kind="identity",
    domain=DOMAIN,
    statement=r"-\tfrac{z^2}{2\sigma^2} + \alpha\tfrac{z^2-(z-1)^2}{2\sigma^2} = "
    r"\tfrac{\alpha^2-\alpha}{2\sigma^2} - \tfrac{(z-\alpha)^2}{2\sigma^2}",
    broken={"y = z + alpha": {"moved": -ALPHA}, "alpha^2 + alpha": {"sign": 1}},
)
def substitution(moved: sympy.Expr = ALPHA, sign: int = -1) -> Iterator[Evidence]:
    """Completing the square; y = z - alpha moves the lower limit to z0 - alpha."""
    left = -(z**2) + ALPHA * (z**2 - (z - 1) ** 2)
    yield identity(left, ALPHA**2 + sign * ALPHA - (z - moved) ** 2, "the exponent")
    yield identity((z - moved).subs(z, Z0), Z0 - ALPHA, "the lower limit")


@claim(
    "closed-form/lemma-10/gaussian-tail",
    lines="399",
    kind="inequality",
    domain=r"t \ge 0,\ \sigma > 0",
    statement=r"\int_t^\infty \mu_0(x)\,dx < e^{-t^2/(2\sigma^2)}",
    kernel="gaussian_tail",
    broken={"t negative": {"side": -1}, "a quarter of it": {"factor": ONE / 4}},
)
def gaussian_tail(side: int = 1, factor: sympy.Expr = ONE) -> Iterator[Evidence]:
    """A Gaussian tail weighs less than the density's factor; even half of it would do.

    Shifted by t the integrand e^{-(u+t)^2/(2 sigma^2)} is at most the product of
    e^{-t^2/(2 sigma^2)} and e^{-u^2/(2 sigma^2)} for u, t >= 0; the latter weighs 1/2 there.
    """
    x, v = sympy.symbols("x v")
    tail = sympy.erfc(side * x) / 2
    proof = prove(factor * sympy.exp(-(x**2)) - tail > 0, {x: (0, 6)})
    yield proof.evidence("0 <= t <= 6 sqrt(2) sigma")
    yield identity((u + t) ** 2 - u**2 - t**2, 2 * u * t, "the exponent gains 2ut")
    positive(side * 2 * u * t, "2ut >= 0", strict=False)
    half = sympy.integrate(sympy.exp(-(v**2)) / sympy.sqrt(sympy.pi), (v, 0, sympy.oo))
    yield identity(half, HALF, "half of the mass lies on the half-line")
    yield positive(factor - half, "1/2 < 1, so the inequality is strict for all t >= 0")


@claim(
    "closed-form/lemma-10/z0-bound",
    lines="400-402",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ (14)",
    statement=r"z_0 \ge 2\alpha + 4\ln\sigma",
    kernel="z0_bound",
    broken={"5 ln sigma": {"logs": 5}, "3 alpha": {"orders": 3}},
)
def z0_bound(logs: int = 4, orders: int = 2) -> Iterator[Evidence]:
    """The first condition on alpha, doubled; the difference is 1/2 plus twice the slack."""
    spare = cut - orders * order - logs * h
    positive(spare.subs(ell, 2 * (ALPHA + 2 * h + s) / sigma**2))
    yield identity(spare, HALF + 2 * s, "z0 - 2 alpha - 4 ln sigma = 1/2 + 2s")
    yield positive(HALF + 2 * s, "which is positive")


@claim(
    "closed-form/lemma-10/z0-above-2-alpha",
    lines="403",
    kind="inequality",
    domain=r"\sigma > 1,\ (14)",
    statement=r"z_0 > 2\alpha",
    broken={"sigma below 1": {"noise": 1 / (2 + p) ** 3}},
)
def z0_above(noise: sympy.Expr = 1 + p) -> Iterator[Evidence]:
    """For sigma > 1 the logarithm only helps."""
    margin = HALF + 2 * s + 4 * sympy.log(noise)
    identity(cut - 2 * order, HALF + 2 * s + 4 * h)
    yield positive(margin, "z0 - 2 alpha = 1/2 + 2s + 4 ln sigma")


@claim(
    "closed-form/lemma-10/tail-applies",
    lines="399",
    kind="assertion",
    domain=r"\sigma > 1,\ (14)",
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
    yield identity(cut - order, order + HALF + 2 * s + 4 * h, "z0 - alpha exceeds alpha")
    yield rests_on(z0_above)


@claim(
    "closed-form/lemma-10/tail",
    lines="396",
    kind="inequality",
    domain=r"\sigma > 1,\ (14)",
    statement=r"A_\alpha^{(2)} \le (q\alpha)^\alpha "
    r"\exp\frac{\alpha^2-\alpha-(z_0-\alpha)^2}{2\sigma^2}",
    kernel=("z0_bound", "A2_estimates"),
    broken={"z0 in place of z0 - alpha": {"start": Z0}, "z0 + alpha": {"start": Z0 + ALPHA}},
)
def tail(start: sympy.Expr = Z0 - ALPHA) -> Iterator[Evidence]:
    """The Gaussian tail bound at t = z0 - alpha, times the constant in front."""
    front = (ALPHA**2 - ALPHA) / (2 * sigma**2)
    claimed = (ALPHA**2 - ALPHA - (Z0 - ALPHA) ** 2) / (2 * sigma**2)
    yield identity(front - start**2 / (2 * sigma**2), claimed, "the exponents add up")
    yield rests_on(integrand, exponent, substitution, gaussian_tail, tail_applies)


@claim(
    "closed-form/lemma-10/dropped-alpha",
    lines="397",
    kind="inequality",
    domain=DOMAIN,
    statement=r"\alpha^2-\alpha-(z_0-\alpha)^2 < -z_0(z_0-2\alpha)",
    broken={"reversed": {"sign": -1}, "z0 - alpha": {"orders": 1}},
)
def dropped_alpha(sign: int = 1, orders: int = 2) -> Iterator[Evidence]:
    """The difference of the two exponents is alpha."""
    spare = -Z0 * (Z0 - orders * ALPHA) - (ALPHA**2 - ALPHA - (Z0 - ALPHA) ** 2)
    yield identity(spare, ALPHA, "the difference is alpha")
    yield positive(sign * ALPHA, "alpha > 0")


@claim(
    "closed-form/lemma-10/logarithm",
    lines="407",
    kind="inequality",
    domain=r"\sigma > 1,\ (14)",
    statement=r"\ln A_\alpha^{(2)} < \alpha\ln(q\alpha) - \frac{z_0(z_0-2\alpha)}{2\sigma^2}",
    broken={"plus sign": {"sign": 1}},
)
def logarithm(sign: int = -1) -> Iterator[Evidence]:
    """The logarithm of the bound; strict because alpha was dropped."""
    exponent = -cut * (cut - 2 * ALPHA) / (2 * sigma**2)
    left = sympy.log((q * ALPHA) ** ALPHA) + exponent
    right = ALPHA * sympy.log(q * ALPHA) + sign * cut * (cut - 2 * ALPHA) / (2 * sigma**2)
    yield identity(left, right, "logarithm of the product")
    yield rests_on(tail, dropped_alpha)


@claim(
    "closed-form/lemma-10/use-of-z0-bound",
    lines="408",
    kind="inequality",
    domain=r"\sigma > 1,\ (14)",
    statement=r"\frac{z_0(z_0-2\alpha)}{2\sigma^2} > \frac{2 z_0\ln\sigma}{\sigma^2}",
    broken={"3 z0 ln sigma": {"logs": 3}, "reversed": {"sign": -1}},
)
def use_of_z0_bound(logs: int = 2, sign: int = 1) -> Iterator[Evidence]:
    """What was dropped is z0 (1/2 + 2s) / (2 sigma^2)."""
    spare = cut * (cut - 2 * order) / (2 * sigma**2) - logs * cut * h / sigma**2
    yield identity(spare, cut * (HALF + 2 * s) / (2 * sigma**2), "the difference")
    yield positive(sign * cut * (HALF + 2 * s) / (2 * sigma**2), "which is positive")


@claim(
    "closed-form/lemma-10/use-of-z0",
    lines="409",
    kind="inequality",
    domain=r"\sigma > 1",
    statement=r"\frac{2 z_0\ln\sigma}{\sigma^2} > 2L\ln\sigma",
    broken={"reversed": {"sign": -1}, "3 L ln sigma": {"logs": 3}},
)
def use_of_z0(sign: int = 1, logs: int = 2) -> Iterator[Evidence]:
    """What was dropped is ln(sigma)/sigma^2, because z0/sigma^2 = L + 1/(2 sigma^2)."""
    yield identity(2 * cut * h / sigma**2 - logs * ell * h, h / sigma**2, "the difference")
    yield positive(sign * h / sigma**2, "which is positive")


def scalar(lost: sympy.Expr = LOG) -> sympy.Expr:
    """The left-hand side of the inequality that the cases prove, with L kept as given."""
    ln = sympy.log
    return (2 - ALPHA) * ln(q) + (1 - ALPHA) * ln(ALPHA) + ln(a1) + 2 * (lost - 1) * ln(sigma)


@claim(
    "closed-form/lemma-10/reduction",
    lines="411-414",
    kind="assertion",
    domain=REGION,
    statement=r"(2-\alpha)\ln q + (1-\alpha)\ln\alpha + \ln(\alpha-1) + 2(L-1)\ln\sigma > -\ln 0.9 "
    r"\Rightarrow \ln A_\alpha^{(2)} < \ln(0.9\,q^2\alpha(\alpha-1)/\sigma^2)",
    broken={
        "q for q^2": {"power": 1},
        "2L for 2(L-1)": {"lost": LOG + 1},
        "0.8": {"constant": ONE * 4 / 5},
    },
)
def reduction(
    power: int = 2, lost: sympy.Expr = LOG, constant: sympy.Expr = ONE * 9 / 10
) -> Iterator[Evidence]:
    """Subtracting the two logarithms leaves the scalar inequality, nothing more."""
    ln = sympy.log
    target = ln(constant) + power * ln(q) + ln(ALPHA) + ln(a1) - 2 * ln(sigma)
    reached = ALPHA * (ln(q) + ln(ALPHA)) - 2 * LOG * ln(sigma)
    claimed = scalar(lost) + ln(ONE * 9 / 10)
    yield identity(target - reached, claimed, "target minus bound = left side + ln 0.9")
    yield rests_on(logarithm, use_of_z0_bound, use_of_z0)
