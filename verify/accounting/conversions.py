"""From the Rényi curve to (epsilon, delta): three published conversions, as functions of K = ln
psi(alpha).

K(alpha) = sum_j T_j ln A_alpha(q_j, sigma_j) = (alpha-1) times the RDP of the run when a record is
removed; adding one gives no more, as B <= A. With L = ln(1/delta):

    mironov   epsilon = (K + L)/(alpha-1)                                                arXiv:1702.07476, Proposition 3
    cks       epsilon = (K + L - ln alpha)/(alpha-1) + ln(1 - 1/alpha)                    arXiv:2004.00010, Proposition 12
    balle     epsilon = K/(alpha-1) + ln((alpha-1)/alpha) - (ln delta + ln alpha)/(alpha-1)  arXiv:1905.09982, Theorem 21

The last two are the same number (and not the best there is: Asoodeh et al., arXiv:2001.05990,
derive the optimal conversion). None is below the tight epsilon: (e^x - 1)_+ <= kappa e^{alpha x}
for all x, kappa = (alpha-1)^{alpha-1}/alpha^alpha (equality at e^x = alpha/(alpha-1)), hence
delta(eps) = E[e^eps (e^{L-eps} - 1)_+] <= kappa e^{K - (alpha-1) eps}, which solved for eps is cks;
mironov is larger, as kappa <= 1 (ln kappa < 0). An epsilon below 0 means delta(0) <= delta, so 0 is
reported.

All have the form F(alpha) = (K(alpha) + L + r(alpha))/(alpha-1), where (alpha-1)^2 F' = (alpha-1)
K' - K - L + (ln alpha for cks) has the derivative (alpha-1) K'' + (1/alpha) >= 0: K is convex, so F
first falls, then rises. That makes a minimum between two larger values the global one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

Conversion = Callable[[arb, arb, arb], arb]


def mironov(alpha: arb, k: arb, log_inverse_delta: arb) -> arb:
    return (k + log_inverse_delta) / (alpha - 1)


def cks(alpha: arb, k: arb, log_inverse_delta: arb) -> arb:
    return (k + log_inverse_delta - alpha.log()) / (alpha - 1) + (1 - 1 / alpha).log()


def balle(alpha: arb, k: arb, log_inverse_delta: arb) -> arb:
    one_less = alpha - 1
    gain = (one_less / alpha).log()
    return k / one_less + gain - (alpha.log() - log_inverse_delta) / one_less


CONVERSIONS: dict[str, Conversion] = {"mironov": mironov, "cks": cks, "balle": balle}

_TENTHS = tuple(Fraction(1 + x / 10.0) for x in range(1, 100))  # the doubles the libraries use

ORDERS: dict[str, tuple[Fraction, ...]] = {
    # dp_accounting 0.6.0, rdp_privacy_accountant.py: DEFAULT_RDP_ORDERS
    "dp-accounting": _TENTHS + tuple(map(Fraction, (*range(11, 64), 128, 256, 512, 1024))),
    # opacus 1.x, accountants/rdp.py: RDPAccountant.DEFAULT_ALPHAS
    "opacus": _TENTHS + tuple(map(Fraction, range(12, 64))),
}
"""The orders two libraries minimise over by default, as the exact values of their doubles."""
