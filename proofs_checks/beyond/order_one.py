"""Order 1 and the orders around it, for the sampled Gaussian: which divergence is larger, and the limit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.beyond.order_one_half import theorem
from proofs_checks.quantities.engine import divergence, reverse_divergence
from proofs_checks.sections.a_geq_b_corollary import involution
from proofs_checks.tools.algebra import identity
from verify import rdp, rdp_reverse
from verify.claims import (
    Evidence,
    Rejected,
    Sign,
    StepFails,
    Undecided,
    all_of,
    certified_points,
    claim,
    rests_on,
)

PLACES = (
    (Fraction(1, 3), Fraction(1)),
    (Fraction(1, 100), Fraction(2)),
    (Fraction(9, 10), Fraction(3)),
)
DIGITS = 25


@claim(
    "beyond/order-half/sampled-gaussian",
    lines="beyond",
    kind="inequality",
    domain=r"\alpha \ge 1/2,\ 0 \le q \le 1,\ \sigma > 0",
    statement=r"D_\alpha(\mu \,\|\, \mu_0) \ge D_\alpha(\mu_0 \,\|\, \mu),\quad \text{equal at}\ \alpha = 1/2",
    kernel=(
        "divergence_order_above_one",
        "kl_order",
        "divergence_order_below_one",
        "divergence_equal_at_half",
    ),
    broken={
        "from order 1/4 on": {"orders": (Fraction(1, 4), Fraction(2))},
        "the other way round": {"sign": -1},
    },
)
def sampled_gaussian(
    orders: tuple[Fraction, ...] = (Fraction(1, 2), Fraction(3, 4), Fraction(2)), sign: Sign = 1
) -> Iterator[Evidence]:
    """Adding a person never costs more than removing one, at every order from 1/2 on, order 1 included.

    The two Gaussians are exchanged by the reflection at 1/2, so this is the corrected theorem for them.
    """
    for rate, noise in PLACES:
        for order in orders:
            there, back = divergence(rate, noise, order), reverse_divergence(rate, noise, order)
            small, large = (back, there) if sign > 0 else (there, back)
            if small.lo > large.hi:
                raise Rejected(f"q = {rate}, sigma = {noise}, alpha = {order}")
    if min(orders) < Fraction(1, 2) or sign < 0:
        raise Undecided("the theorem is for orders from 1/2 on")
    yield rests_on(theorem.given(), involution.given())
    yield certified_points(
        len(PLACES) * len(orders), detail="orders 1/2, 3/4 and 2 at three places"
    )


@claim(
    "beyond/order-one/limit",
    lines="beyond",
    kind="limit",
    domain=r"0 \le q \le 1,\ \sigma > 0,\ \alpha \to 1\ \text{from either side}",
    statement=r"D_\alpha(\mu \,\|\, \mu_0) \to \int \mu \ln\frac{\mu}{\mu_0},\quad "
    r"D_\alpha(\mu_0 \,\|\, \mu) \to \int \mu_0 \ln\frac{\mu_0}{\mu}",
    kernel=("kl_limit", "A_near_order_1", "B_near_order_1"),
    broken={"the two limits exchanged": {"exchanged": True}},
)
def limit(exchanged: bool = False) -> Iterator[Evidence]:
    """As the order tends to 1 both divergences tend to the relative entropies, so order 1 needs no convention.

    The derivative of either integrand at order 1 is that of the relative entropy; near order 1 the moments are
    1 + (alpha - 1) times it, up to a multiple of (alpha - 1)^2 that the proof gives.
    """
    mixture, component, h = sympy.symbols("mu mu0 h", positive=True)
    slope = sympy.diff(component * (mixture / component) ** (1 + h), h).subs(h, 0)
    near = Fraction(1, 10**6)
    for rate, noise in PLACES:
        for at_one, above in ((rdp, divergence), (rdp_reverse, reverse_divergence)):
            entropy = Fraction(
                (rdp if exchanged and at_one is rdp_reverse else at_one)(
                    rate, noise, 1, digits=DIGITS
                ).lo
            )
            for order in (1 - near, 1 + near):
                off = abs(Fraction(above(rate, noise, order).lo) / entropy - 1)
                if off > 10 * near:
                    raise StepFails(
                        f"q = {rate}, sigma = {noise}, alpha = {float(order)}: off by {float(off):.3g}"
                    )
    yield all_of(
        identity(
            slope,
            sympy.expand_log(mixture * sympy.log(mixture / component)),
            "the slope at order 1",
        ),
        certified_points(
            4 * len(PLACES), detail="both divergences at 1 - 1e-6 and 1 + 1e-6 against order 1"
        ),
    )
