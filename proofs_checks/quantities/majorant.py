"""Central moments of the density ratio from above, all at once.

Write v = 1/sigma^2, t = e^v - 1, r = mu1/mu0, N_k = E[(r-1)^k] under mu0. A shift by 1 turns mu0 into mu1 and r
into e^v r, so E[r h(r)] = E[h((1+t) r)], and with h(r) = (r-1)^(k-1)

    N_k  =  ((1+t)^(k-1) - 1) N_{k-1}  +  sum over j <= k-2 of C(k-1, j) (1+t)^j t^(k-1-j) N_j.

Every term is at least 0. Divided by (1+t)^{k(k-1)/2}, whose exponent is at least j(j+1)/2 for j <= k-1, it gives
N_k <= (1+t)^{k(k-1)/2} g_k, where g_0 = 1, g_1 = 0 and

    g_k  =  (k-1) t g_{k-1}  +  sum over j <= k-2 of C(k-1, j) t^(k-1-j) g_j,

for 1 - (1+t)^(1-k) <= (k-1) t. These g_k have the generating function G(z) = sum g_k z^k/k! with
G'/G = (e^{tz} - 1)/(1 - tz), so ln G(z) <= t z^2/2 * e^w/(1-w), w = t z < 1.

At a whole order n, with n!/(n-k)! <= n (n-1) n^(k-2), y = n q and T = y sqrt(v),

    R_n  =  (A_n - 1)/(q^2 n (n-1) v)  <=  1/T^2  sum over 2 <= k <= n of  y^k e^{v k (k-1)/2} g_k/k!.

Up to k = K the exponential is at most e^{v K (K-1)/2}, and the rest sums up to G(y) - 1
(:func:`head`). Beyond, g_k/k! <= G(z)/z^k for each z > 0; with z = l/sqrt(v) and v (k-1) <= s a
term is at most (T e^{s/2}/l)^k G(z)/T^2.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from flint import arb

from proofs_checks.tools.algebra import identity, positive
from verify.claims import Evidence, Undecided

LAST = 9  # K
RADIUS = 3  # l of the terms that follow


def head(v: arb, top: arb) -> arb:
    """The terms up to K from above, for all 1/sigma^2 <= v and T <= top."""
    return (v * LAST * (LAST - 1) / 2).exp() * log_generating(v, top).expm1() / top**2


def following(v: arb, top: arb, growth: arb) -> arb:
    """The terms beyond K from above, if e^{v k (k-1)/2} is at most growth^k in them."""
    ratio = top * growth / RADIUS
    if not ratio < 1:
        raise Undecided(f"the terms beyond {LAST} do not fall")
    return ratio ** (LAST + 1) / (1 - ratio) * log_generating(v, arb(RADIUS)).exp() / top**2


def log_generating(v: arb, scaled: arb) -> arb:
    """ln G(scaled/sqrt(v)) from above; it falls when v falls."""
    w = v.expm1() / v.sqrt() * scaled
    if not w < 1:
        raise Undecided("outside of the generating function's disc")
    return v.expm1() / v * scaled**2 / 2 * w.exp() / (1 - w)


z, v, t, m, k, j, u, c = sympy.symbols("z v t m k j u c", positive=True)


def steps() -> Iterator[Evidence]:
    """The exact steps of the argument."""
    ratio = sympy.exp(v * (2 * z - 1) / 2)
    yield identity(ratio.subs(z, z + 1), sympy.exp(v) * ratio, "a shift by 1 multiplies r by e^v")
    yield identity((1 + t) * u - 1, (1 + t) * (u - 1) + t, "(1+t) r - 1 in powers of r - 1")
    pairs = k * (k - 1) / 2
    yield identity(pairs - (k - 1) * (k - 2) / 2, k - 1, "the exponents of k and of k - 1")
    yield identity(
        pairs - j * (j + 1) / 2, (k - 1 - j) * (k + j) / 2, "no exponent is larger, j <= k - 1"
    )
    bend = sympy.diff((1 + t) ** (-m) - (1 - m * t), t, 2)
    yield positive(bend, "1 - (1+t)^(-m) <= m t: convex in t, and 0 with its slope at t = 0")
    share = sympy.binomial(k - 1, j) / sympy.factorial(k - 1)
    parts = 1 / (sympy.factorial(j) * sympy.factorial(k - 1 - j))
    yield identity(
        sympy.gammasimp(share.rewrite(sympy.gamma)),
        sympy.gammasimp(parts.rewrite(sympy.gamma)),
        "the sum over j is a product of generating functions",
    )
    yield positive(sympy.diff(u * sympy.exp(u) - sympy.exp(u) + 1, u), "e^u - 1 <= u e^u")
    slope = sympy.diff(sympy.exp(u) / (1 - u), u).subs(u, 1 / (1 + c))
    yield positive(sympy.factor(sympy.together(slope)), "e^u/(1-u) rises for 0 < u < 1")
    rise = sympy.diff((sympy.exp(u) - 1) / u, u) * u**2
    yield identity(rise, u * sympy.exp(u) - sympy.exp(u) + 1, "so (e^v - 1)/v rises with v")
