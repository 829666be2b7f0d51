"""objax's privacy accountant, loaded by itself: importing the package imports jax."""

NAME = "objax"
VERSION = "1.8.0"
NEEDS = ("numpy", "scipy", "six")
SNIPPET = """\
from objax.privacy.dpsgd.privacyaccountant import analyze_renyi
print(analyze_renyi(q, sigma, 1, alpha))
"""


def load():
    from serve import file_module

    compute = file_module("objax", "privacy/dpsgd/privacyaccountant.py").analyze_renyi

    def rdp(q, sigma, alpha):
        return compute(q, sigma, 1, alpha)

    return {"rdp": rdp}
