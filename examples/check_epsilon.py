#!/usr/bin/env python3
"""Check one (epsilon, delta) of DP-SGD with nothing but mpmath: python check_epsilon.py Q SIGMA STEPS EPSILON DELTA

Poisson sampling, one record added or removed. L is the sum of the steps' privacy losses; for removing,
    delta(eps) = P(L > eps) - e^eps Q(L > eps),
and both probabilities follow from the characteristic functions M(1 + iu)^T and M(iu)^T, M(z) = E[g(t)^z], by the
formula of Gil-Pelaez, P(L > x) = 1/2 + (1/pi) int_0^inf Im(e^{-iux} phi(u)) du/u. Adding exchanges the two and the
sign of L. The sums below are trapezoidal and midpoint rules: accurate, but not proved. It needs some tens of steps;
with fewer, phi falls too slowly, and the program says so.
"""

import sys

from mpmath import mp, mpc, mpf


def deltas(q, sigma, steps, eps):
    """delta when removing and when adding a record."""
    mp.dps = 30
    h = mpf(1) / 8
    nodes = [h * k for k in range(-12 * 8, int((12 + 2 / sigma) * 8))]
    weight = [h * mp.npdf(t) for t in nodes]
    log_g = [mp.log(1 - q + q * mp.exp(t / sigma - 1 / (2 * sigma**2))) for t in nodes]
    mean = steps * sum(w * x for w, x in zip(weight, log_g, strict=True))
    spread = mp.sqrt(steps * sum(w * x * x for w, x in zip(weight, log_g, strict=True)))
    step = 2 * mp.pi / (abs(mean) + abs(eps) + 40 * spread + 40)  # period of the midpoint rule

    def above(tilt, sign):
        """Probability that sign * L > eps, under the mixture (tilt 1) or the Gaussian (tilt 0)."""
        total, k = mpf(0), 0
        while True:
            u = step * (k + mpf(1) / 2)
            phi = (
                sum(w * mp.exp(mpc(tilt, sign * u) * x) for w, x in zip(weight, log_g, strict=True))
                ** steps
            )
            total += mp.im(mp.exp(mpc(0, -u * eps)) * phi) / (k + mpf(1) / 2)
            k += 1
            if abs(phi) < mpf(10) ** -22:
                return mpf(1) / 2 + total / mp.pi
            if k > 4000:
                sys.exit("too few steps for this method")

    return above(1, 1) - mp.exp(eps) * above(0, 1), above(0, -1) - mp.exp(eps) * above(1, -1)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__.splitlines()[0])
    try:
        q, sigma, steps, eps, delta = (mpf(x) for x in sys.argv[1:])
    except ValueError:
        sys.exit(__doc__.splitlines()[0])
    if not (
        0 < q <= 1 and sigma > 0 and mp.isint(steps) and steps > 0 <= eps < mp.inf and 0 < delta < 1
    ):
        sys.exit(
            "needs 0 < Q <= 1, SIGMA > 0, a whole number of STEPS, EPSILON >= 0, 0 < DELTA < 1"
        )
    remove, add = deltas(q, sigma, int(steps), eps)
    print(
        f"delta at epsilon = {mp.nstr(eps, 12)}: removing {mp.nstr(remove, 10)}, adding {mp.nstr(add, 10)}"
    )
    print(
        "holds" if max(remove, add) <= delta else "does NOT hold", f"at delta = {mp.nstr(delta, 6)}"
    )
    sys.exit(max(remove, add) > delta)
