"""TensorFlow Privacy's RDP accountant, loaded by itself: it needs no TensorFlow."""

NAME = "tensorflow-privacy"
VERSION = "0.8.0"
NEEDS = ("numpy", "scipy", "six")
ACCOUNTANTS = {"rdp": "upper"}
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


def accountants():
    """The orders are those of its tutorials."""
    from serve import file_module

    module = file_module("tensorflow_privacy", "privacy/analysis/rdp_accountant.py")
    orders = [1 + x / 10.0 for x in range(1, 100)] + list(range(12, 64))

    def spent(history, **target):
        rdp = sum(module.compute_rdp(q, sigma, steps, orders) for q, sigma, steps in history)
        return module.get_privacy_spent(orders, rdp, **target)

    return {
        "rdp epsilon": lambda history, delta: spent(history, target_delta=delta)[0],
        "rdp delta": lambda history, epsilon: spent(history, target_eps=epsilon)[1],
    }
