"""Opacus's RDP analysis module, loaded by itself: importing the package imports torch."""

NAME = "opacus"
VERSION = "1.6.0"
NEEDS = ("numpy", "scipy")
SNIPPET = """\
from opacus.accountants.analysis.rdp import compute_rdp
print(compute_rdp(q=q, noise_multiplier=sigma, steps=1, orders=[alpha])[0])
"""


def load():
    from serve import file_module

    compute = file_module(
        "opacus",
        "accountants/analysis/rdp.py",
        "privacy_analysis.py",  # before 1.0
    ).compute_rdp

    def rdp(q, sigma, alpha):
        return compute(q=q, noise_multiplier=sigma, steps=1, orders=[alpha])[0]

    return {"rdp": rdp}
