"""riskcal's connect-the-dots accountant of whole runs."""

NAME = "riskcal"
VERSION = "1.5.1"
NEEDS = ("absl-py", "attrs", "dm-tree", "mpmath", "numpy", "scipy", "dp-accounting==0.6.0")
ACCOUNTANTS = {"ctd": "upper"}
DOCUMENTED = {"ctd": "Returns: Epsilon value for (epsilon, delta)-DP. (CTDAccountant.get_epsilon)"}


def load():
    """No Rényi divergence of a step: this library accounts for whole runs only."""
    return {}


def accountants():
    """The history is set, which as many calls of ``step`` would make."""
    from riskcal.accountants import CTDAccountant

    def epsilon(history, delta):
        accountant = CTDAccountant()
        accountant.history = [(sigma, q, steps) for q, sigma, steps in history]
        return accountant.get_epsilon(delta=delta)

    return {"ctd epsilon": epsilon}
