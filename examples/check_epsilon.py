#!/usr/bin/env python3
"""Check one (epsilon, delta) of DP-SGD with nothing but mpmath: python check_epsilon.py Q SIGMA STEPS EPSILON DELTA

Poisson sampling, one record added or removed. L is the sum of the steps' privacy losses under the first of the two
laws, phi(u) = E[e^(iuL)], and
    delta(eps) = E[(1 - e^(eps - L))_+] = 1/2 + (1/pi) int_0^inf Im(e^(-iu eps) phi(u) / (u (1 + iu))) du,
the formula of Gil-Pelaez for both terms at once. Removing: one step has the loss ln g(t), g(t) = 1 - q + q e^(t/sigma
- 1/(2 sigma^2)), and t the density n(t) g(t), n the standard Gaussian; adding: the loss -ln g(t), the density n(t).
The integrals are sums over equidistant points: accurate to some 1e-19, but not proved. It needs many steps,
the more the smaller q (43 were enough at q = 0.18, 257 were not at q = 0.001): with fewer, phi falls too slowly, and
the program says so. Exit code: 0 holds, 1 does not, 2 no answer.
"""

import sys

from mpmath import mp, mpc, mpf


def leave(why):
    print(why, file=sys.stderr)
    sys.exit(2)


def delta_of(removing, q, sigma, steps, eps):
    def points(u):
        """(weight, loss) of one step, close enough for phi up to u: ln g is analytic for |Im t| < pi sigma."""
        strip = min(3 * sigma, mpf(11))
        h = 2 * mp.pi / (u / sigma + 60 / strip + strip / 2)
        last = int((12 + 2 / sigma) / h)
        for t in (h * k for k in range(-last, last + 1)):
            loss = mp.log(1 - q + q * mp.exp(t / sigma - 1 / (2 * sigma**2)))
            yield (h * mp.npdf(t) * mp.exp(loss), loss) if removing else (h * mp.npdf(t), -loss)

    top = 8 * sigma
    step_law = list(points(top))
    # P(L > x) <= E[e^(sL)] e^(-sx), P(L < -x) <= e^(-x): L is outside (-46, reach) with 1e-20 only
    moments = [(s, sum(w * mp.exp(s * x) for w, x in step_law)) for s in (mpf(1) / 4, mpf(1) / 2, 1)]  # fmt: skip
    reach = min((46 + steps * mp.log(moment)) / s for s, moment in moments)
    width = 2 * mp.pi / (46 + reach + eps)
    total, k, quiet, work = mpf(0), 0, 0, 0
    while quiet < 40:
        u = width * (k + mpf(1) / 2)
        if u > top:
            top *= 2
            step_law = list(points(top))
        phi = sum(w * mp.expj(u * x) for w, x in step_law) ** steps
        total += mp.im(mp.expj(-u * eps) * phi / mpc(1, u)) / (k + mpf(1) / 2)
        quiet = quiet + 1 if abs(phi) < mpf(10) ** -22 else 0
        k, work = k + 1, work + len(step_law)
        if work > 2 * 10**6:
            leave("no answer: too few steps, or too little noise, for this method")
    return mpf(1) / 2 + total / mp.pi


if __name__ == "__main__":
    if len(sys.argv) != 6:
        leave(__doc__.splitlines()[0])
    mp.dps = 30
    try:
        q, sigma, steps, eps, delta = (mpf(x) for x in sys.argv[1:])
    except ValueError:
        leave(__doc__.splitlines()[0])
    if not (0 < q <= 1 and sigma > 0 and mp.isint(steps) and steps > 0 <= eps < mp.inf):
        leave("needs 0 < Q <= 1, SIGMA > 0, a whole number of STEPS, EPSILON >= 0")
    if not mpf(10) ** -15 <= delta < 1:
        leave("needs 1e-15 <= DELTA < 1")
    remove, add = (delta_of(removing, q, sigma, int(steps), eps) for removing in (True, False))
    print(
        f"delta at epsilon = {mp.nstr(eps, 12)}: removing {mp.nstr(remove, 10)}, adding {mp.nstr(add, 10)}"
    )
    holds = max(remove, add) <= delta
    print("holds" if holds else "does NOT hold", f"at delta = {mp.nstr(delta, 6)}")
    sys.exit(not holds)
