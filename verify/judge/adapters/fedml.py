"""FedML's RDP analysis, loaded by itself: importing the package starts a platform."""

NAME = "fedml"
VERSION = "0.9.6"
NEEDS = ("numpy", "scipy")
SNIPPET = """\
from fedml.core.dp.budget_accountant.rdp_analysis import compute_rdp
print(compute_rdp(q=q, noise_multiplier=sigma, steps=1, orders=[alpha])[0])
"""


def load():
    from serve import file_module

    compute = file_module("fedml", "core/dp/budget_accountant/rdp_analysis.py").compute_rdp

    def rdp(q, sigma, alpha):
        return compute(q=q, noise_multiplier=sigma, steps=1, orders=[alpha])[0]

    return {"rdp": rdp}
