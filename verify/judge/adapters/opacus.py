"""Opacus's RDP analysis module, loaded by itself: importing the package imports torch."""

NAME = "opacus"
VERSION = "1.6.0"
NEEDS = ("numpy", "scipy")
ACCOUNTANTS = {"rdp": "upper", "prv": "upper", "gdp": "estimate"}
DOCUMENTED = {
    "rdp": "Return privacy budget (epsilon) expended so far. (IAccountant.get_epsilon)",
    "prv": "return upper bound as we want guarantee, not just estimate (PRVAccountant.get_epsilon)",
    "gdp": "GDP accounting is experimental and can underestimate privacy expenditure. (GaussianAccountant)",
}
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


def accountants():
    """The accountants' own classes; the optimizer, which needs torch, is named there as a type only."""
    import sys
    import types

    from serve import without_init

    without_init("opacus")
    sys.modules["opacus.optimizers"] = types.SimpleNamespace(DPOptimizer=object)
    from opacus.accountants import create_accountant
    from opacus.accountants.utils import get_noise_multiplier

    def questions(name):
        def epsilon(history, delta):
            accountant = create_accountant(name)
            for q, sigma, _ in history:  # its own refusal, if it accounts for one phase only
                accountant.step(noise_multiplier=sigma, sample_rate=q)
            accountant.history = [(sigma, q, steps) for q, sigma, steps in history]
            return accountant.get_epsilon(delta)

        def sigma(q, steps, epsilon, delta):
            return get_noise_multiplier(
                target_epsilon=epsilon,
                target_delta=delta,
                sample_rate=q,
                steps=steps,
                accountant=name,
            )

        return {f"{name} epsilon": epsilon, f"{name} sigma": sigma}

    return questions("rdp") | questions("prv") | questions("gdp")
