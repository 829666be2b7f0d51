"""TensorFlow Privacy's RDP accountant, loaded by itself: it needs no TensorFlow."""

NAME = "tensorflow-privacy"
VERSION = "0.8.0"
NEEDS = ("numpy", "scipy", "six")
SNIPPET = """\
from tensorflow_privacy.privacy.analysis.rdp_accountant import compute_rdp
print(compute_rdp(q, sigma, 1, alpha))
"""


def load():
    from serve import file_module

    compute = file_module("tensorflow_privacy", "privacy/analysis/rdp_accountant.py").compute_rdp

    def rdp(q, sigma, alpha):
        return compute(q, sigma, 1, alpha)

    return {"rdp": rdp}
