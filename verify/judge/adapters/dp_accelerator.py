"""dp-accelerator's RDP curve."""

NAME = "dp-accelerator"
VERSION = "0.1.0"
NEEDS = None
SNIPPET = """\
from dp_accelerator import DPSGDAccountant
accountant = DPSGDAccountant(noise_multiplier=sigma, batch_size=1, dataset_size=1)
accountant.q, accountant.orders = q, [alpha]
print(accountant.get_rdp_curve(1)[alpha])
"""


def load():
    from dp_accelerator import DPSGDAccountant

    def rdp(q, sigma, alpha):
        accountant = DPSGDAccountant(noise_multiplier=sigma, batch_size=1, dataset_size=1)
        accountant.q = q  # any rate and order, not only ratios of counts
        accountant.orders = [alpha]
        return accountant.get_rdp_curve(1)[alpha]

    return {"rdp": rdp}
