"""TensorFlow Privacy's RDP accountant, loaded by itself: it needs no TensorFlow."""

NAME = "tensorflow-privacy"
VERSION = "0.8.0"
NEEDS = (
    "numpy",
    "scipy",
    "six",
    "dp-accounting==0.4.3",
)  # the last since 0.9, whose accountant it is
ACCOUNTANTS = {"rdp": "upper"}
DOCUMENTED = {
    "rdp": (
        "DP-SGD with sampling rate = {:.3g}% and noise_multiplier = {} iterated over {} steps "
        "satisfies differential privacy with eps = {:.3g} and delta = {}. (compute_dp_sgd_privacy, "
        "which prints it)"
    ),
}
SNIPPET = """\
from tensorflow_privacy.privacy.analysis.rdp_accountant import compute_rdp
print(compute_rdp(q, sigma, 1, alpha))
"""


def load():
    from serve import file_module

    try:
        module = file_module("tensorflow_privacy", "privacy/analysis/rdp_accountant.py")
    except ModuleNotFoundError:  # since 0.9 the divergence of a step is dp-accounting's
        return {}

    def rdp(q, sigma, alpha):
        return module.compute_rdp(q, sigma, 1, alpha)

    return {"rdp": rdp}


def accountants():
    """The orders are those of its tutorials; since 0.9 those of its own function."""
    from serve import file_module

    try:
        module = file_module("tensorflow_privacy", "privacy/analysis/rdp_accountant.py")
    except ModuleNotFoundError:
        return _since_0_9()
    orders = [1 + x / 10.0 for x in range(1, 100)] + list(range(12, 64))

    def spent(history, **target):
        rdp = sum(module.compute_rdp(q, sigma, steps, orders) for q, sigma, steps in history)
        return module.get_privacy_spent(orders, rdp, **target)

    def replaced(history, delta):
        """Subsets of a fixed size. Its noise is a multiple of the sensitivity, which is twice the clipping norm here."""
        bound = module.compute_rdp_sample_without_replacement
        typed = [int(a) if a == int(a) else a for a in orders]  # it fails at 2.0, which is no int
        rdp = sum(bound(q, sigma / 2, steps, typed) for q, sigma, steps in history)
        return module.get_privacy_spent(typed, rdp, target_delta=delta)[0]

    return {
        "rdp epsilon": lambda history, delta: spent(history, target_delta=delta)[0],
        "rdp delta": lambda history, epsilon: spent(history, target_eps=epsilon)[1],
        "rdp epsilon fixed-size replace-one": replaced,
    }


def _since_0_9():
    """A rate is a batch of so many of 2^k examples, and epochs are a fraction: the steps come out exactly."""
    from fractions import Fraction

    from serve import file_module

    module = file_module("tensorflow_privacy", "privacy/analysis/compute_dp_sgd_privacy_lib.py")

    def epsilon(history, delta):
        ((q, sigma, steps),) = history
        rate = Fraction(float(q))
        batch, examples = rate.numerator, rate.denominator
        found = module.compute_dp_sgd_privacy(examples, batch, sigma, steps * rate, delta)
        return found[0]

    return {"rdp epsilon of one phase": epsilon}
