"""deepee's privacy accounting, loaded by itself: importing the package imports torch."""

NAME = "deepee"
VERSION = "0.1.9"
NEEDS = ("numpy", "scipy")
SNIPPET = """\
from deepee.privacy_accounting import compute_rdp
print(compute_rdp(q, sigma, 1, [alpha])[0])
"""


def load():
    from serve import file_module

    compute = file_module("deepee", "privacy_accounting.py").compute_rdp

    def rdp(q, sigma, alpha):
        return compute(q, sigma, 1, [alpha])[0]

    return {"rdp": rdp}
