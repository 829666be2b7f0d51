"""prv-accountant's RDP of the Poisson-subsampled Gaussian mechanism."""

NAME = "prv-accountant"
VERSION = "0.2.0"
NEEDS = None
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
