"""dp-accounting's RDP accountant, one Poisson-sampled Gaussian event."""

NAME = "dp-accounting"
VERSION = "0.6.0"
NEEDS = ("absl-py", "attrs", "dm-tree", "mpmath", "numpy", "scipy")
ACCOUNTANTS = {"rdp": "upper", "pld": "upper", "rdp nested": "upper"}
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
    }


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
