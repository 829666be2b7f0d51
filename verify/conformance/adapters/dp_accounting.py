"""dp-accounting's RDP accountant, one Poisson-sampled Gaussian event."""

NAME = "dp-accounting"
VERSION = "0.6.0"
NEEDS = ("absl-py", "attrs", "dm-tree", "mpmath", "numpy", "scipy")
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
