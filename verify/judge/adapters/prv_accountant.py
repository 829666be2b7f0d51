"""prv-accountant's RDP of the Poisson-subsampled Gaussian mechanism."""

NAME = "prv-accountant"
VERSION = "0.2.0"
NEEDS = None
ACCOUNTANTS = {"prv lower": "lower", "prv estimate": "estimate", "prv upper": "upper"}
DOCUMENTED = {
    "prv lower": "Return lower bound for epsilon, estimate for epsilon and upper bound for epsilon (compute_epsilon)",
    "prv estimate": (
        "Return lower bound for epsilon, estimate for epsilon and upper bound for epsilon "
        "(compute_epsilon)"
    ),
    "prv upper": "Return lower bound for epsilon, estimate for epsilon and upper bound for epsilon (compute_epsilon)",
}
SNIPPET = """\
from prv_accountant import PoissonSubsampledGaussianMechanism
mechanism = PoissonSubsampledGaussianMechanism(sampling_probability=q, noise_multiplier=sigma)
print(mechanism.rdp(alpha))
"""


def load():
    from prv_accountant import PoissonSubsampledGaussianMechanism

    def rdp(q, sigma, alpha):
        mechanism = PoissonSubsampledGaussianMechanism(
            sampling_probability=q, noise_multiplier=sigma
        )
        return mechanism.rdp(alpha)

    return {"rdp": rdp}


def accountants():
    """As the documentation has it: an error of 0.1 in epsilon and a thousandth of delta."""
    from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant
    from prv_accountant.dpsgd import find_noise_multiplier

    def epsilon(history, delta, which):
        prvs = [
            PoissonSubsampledGaussianMechanism(sampling_probability=q, noise_multiplier=sigma)
            for q, sigma, _ in history
        ]
        counts = [steps for _, _, steps in history]
        accountant = PRVAccountant(
            prvs=prvs, max_self_compositions=counts, eps_error=0.1, delta_error=delta / 1000
        )
        return accountant.compute_epsilon(delta=delta, num_self_compositions=counts)[which]

    def sigma(q, steps, epsilon, delta):
        return find_noise_multiplier(
            sampling_probability=q, num_steps=steps, target_epsilon=epsilon, target_delta=delta
        )

    names = ("prv lower", "prv estimate", "prv upper")
    found = {
        f"{name} epsilon": lambda history, delta, which=which: epsilon(history, delta, which)
        for which, name in enumerate(names)
    }
    return {**found, "prv upper sigma": sigma}
