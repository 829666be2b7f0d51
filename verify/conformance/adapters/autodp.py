"""autodp's Poisson-sampled Gaussian mechanism with its improved bound."""

NAME = "autodp"
VERSION = "0.2.3.1"
NEEDS = ("numpy", "scipy", "absl-py", "matplotlib")
ACCOUNTANTS = {"rdp": "upper"}
SNIPPET = """\
from autodp.mechanism_zoo import GaussianMechanism
from autodp.transformer_zoo import AmplificationBySampling
sample = AmplificationBySampling(PoissonSampling=True)
print(sample(GaussianMechanism(sigma=sigma), q, improved_bound_flag=True).RenyiDP(alpha))
"""


def load():
    from autodp.mechanism_zoo import GaussianMechanism
    from autodp.transformer_zoo import AmplificationBySampling
    from serve import whole

    def rdp(q, sigma, alpha):
        sample = AmplificationBySampling(PoissonSampling=True)
        mechanism = sample(GaussianMechanism(sigma=sigma), q, improved_bound_flag=True)
        return mechanism.RenyiDP(whole(alpha))

    return {"rdp": rdp}


def accountants():
    from autodp.mechanism_zoo import GaussianMechanism
    from autodp.transformer_zoo import AmplificationBySampling, Composition

    def composed(history):
        sample = AmplificationBySampling(PoissonSampling=True)
        steps = [
            sample(GaussianMechanism(sigma=s), q, improved_bound_flag=True) for q, s, _ in history
        ]
        return Composition()(steps, [n for _, _, n in history])

    return {
        "rdp epsilon": lambda history, delta: composed(history).get_approxDP(delta),
        "rdp delta": lambda history, epsilon: composed(history).approx_delta(epsilon),
    }
