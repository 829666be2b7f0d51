"""dp-accounting's RDP accountant, one Poisson-sampled Gaussian event."""

NAME = "dp-accounting"
VERSION = "0.6.0"
NEEDS = ("absl-py", "attrs", "dm-tree", "mpmath", "numpy", "scipy")
ACCOUNTANTS = {"rdp": "upper", "pld": "upper", "rdp nested": "upper"}
DOCUMENTED = {
    "rdp": "Returns: The current epsilon, accounting for all composed `DpEvent`s. (PrivacyAccountant.get_epsilon)",
    "pld": (
        "the rounding is done in such a way that the resulting epsilon-hockey stick divergence "
        "computation gives an upper estimate to the real value. (pessimistic_estimate, the default)"
    ),
    "rdp nested": (
        "Returns: The current epsilon, accounting for all composed `DpEvent`s. "
        "(PrivacyAccountant.get_epsilon)"
    ),
}
SNIPPET = """\
import dp_accounting
accountant = dp_accounting.rdp.RdpAccountant(orders=[alpha])
accountant.compose(dp_accounting.PoissonSampledDpEvent(q, dp_accounting.GaussianDpEvent(sigma)))
print(accountant._rdp[0])
"""


def load():
    import dp_accounting
    from dp_accounting.rdp import RdpAccountant

    def rdp(q, sigma, alpha):
        event = dp_accounting.PoissonSampledDpEvent(q, dp_accounting.GaussianDpEvent(sigma))
        accountant = RdpAccountant(orders=[alpha])
        accountant.compose(event)
        return accountant._rdp[0]  # the value before conversion has no public name in all releases

    return {"rdp": rdp}


def accountants():
    """By composing events, and the same run with four Gaussians of twice the noise inside each sample."""
    import dp_accounting as dp

    def plain(sigma):
        return dp.GaussianDpEvent(sigma)

    def nested(sigma):
        return dp.SelfComposedDpEvent(dp.GaussianDpEvent(2 * sigma), 4)

    return {
        **_questions(dp, "rdp", dp.rdp.RdpAccountant, plain),
        **_questions(dp, "pld", dp.pld.PLDAccountant, plain),
        **_questions(dp, "rdp nested", dp.rdp.RdpAccountant, nested),  # PLD refuses such events
        **_of_notions(dp, "rdp", dp.rdp.RdpAccountant),
        **_of_notions(dp, "pld", dp.pld.PLDAccountant),
    }


def _of_notions(dp, name, make):
    """The events and relations beyond Poisson sampling and add/remove that the accountant documents."""
    from fractions import Fraction

    relations = {
        "add/remove": dp.NeighboringRelation.ADD_OR_REMOVE_ONE,
        "zero-out": dp.NeighboringRelation.REPLACE_SPECIAL,
        "replace-one": dp.NeighboringRelation.REPLACE_ONE,
    }

    def poisson(q, sigma, steps):
        return dp.PoissonSampledDpEvent(q, dp.GaussianDpEvent(sigma)), steps

    def fixed_size(q, sigma, steps):  # a double is a batch of so many of 2^k records, exactly
        rate = Fraction(float(q))
        inside = dp.GaussianDpEvent(sigma)
        return (
            dp.SampledWithoutReplacementDpEvent(rate.denominator, rate.numerator, inside),
            steps,
        )

    def sequential(q, sigma, steps, epochs):
        return dp.GaussianDpEvent(sigma), epochs

    def truncated(q, sigma, steps, records, limit):
        return dp.TruncatedSubsampledGaussianDpEvent(records, q, limit, sigma), steps

    offered = {
        "rdp": {
            ("poisson", "zero-out"): poisson,
            ("fixed-size", "replace-one"): fixed_size,
            ("sequential", "zero-out"): sequential,
            ("sequential", "replace-one"): sequential,
        },
        "pld": {
            ("poisson", "zero-out"): poisson,
            ("poisson", "replace-one"): poisson,
            ("sequential", "zero-out"): sequential,
            ("sequential", "replace-one"): sequential,
            ("truncated-poisson", "add/remove"): truncated,
        },
    }

    def functions(sampling, relation, event):
        def composed(history, beside):
            accountant = make(neighboring_relation=relations[relation])
            for phase in history:
                accountant.compose(*event(*phase, **beside))
            return accountant

        return {
            f"{name} epsilon {sampling} {relation}": lambda history, delta, **beside: composed(
                history, beside
            ).get_epsilon(delta),
            f"{name} delta {sampling} {relation}": lambda history, epsilon, **beside: composed(
                history, beside
            ).get_delta(epsilon),
        }

    found = {}
    for (sampling, relation), event in offered[name].items():
        found |= functions(sampling, relation, event)
    return found


def _questions(dp, name, make, inside):
    def composed(history):
        accountant = make()
        for q, sigma, steps in history:
            accountant.compose(dp.PoissonSampledDpEvent(q, inside(sigma)), steps)
        return accountant

    def sigma(q, steps, epsilon, delta):
        def event(noise):
            return dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(q, inside(noise)), steps)

        return dp.calibrate_dp_mechanism(make, event, epsilon, delta)

    return {
        f"{name} epsilon": lambda history, delta: composed(history).get_epsilon(delta),
        f"{name} delta": lambda history, epsilon: composed(history).get_delta(epsilon),
        f"{name} sigma": sigma,
    }
