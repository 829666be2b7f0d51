"""pyvacy's RDP accountant, loaded by itself: importing the package imports torch."""

NAME = "pyvacy"
VERSION = "0.0.32"
NEEDS = ("numpy", "scipy", "six")
SNIPPET = """\
from pyvacy.analysis.rdp_accountant import compute_rdp
print(compute_rdp(q, sigma, 1, alpha))
"""


def load():
    from serve import file_module

    compute = file_module("pyvacy", "analysis/rdp_accountant.py").compute_rdp

    def rdp(q, sigma, alpha):
        return compute(q, sigma, 1, alpha)

    return {"rdp": rdp}
