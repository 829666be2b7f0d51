"""autodp's Poisson-sampled Gaussian mechanism with its improved bound."""

NAME = "autodp"
VERSION = "0.2.3.1"
NEEDS = ("numpy", "scipy", "absl-py", "matplotlib")
ACCOUNTANTS = {"rdp": "upper"}
DOCUMENTED = {
    "rdp": (
        "Given a fixed randomized algorithm and a desired parameter `delta` it calculates the "
        "corresponding (eps,delta)-DP guarantee. (dp_bank)"
    ),
}
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

    def replaced(history):
        """Subsets of a fixed size; sigma is that of the sensitivity, which is twice the clipping
        norm when a record is replaced."""
        sample, steps = AmplificationBySampling(PoissonSampling=False), []
        for q, sigma, _ in history:
            noise = GaussianMechanism(sigma=sigma / 2)
            noise.neighboring = "replace_one"
            steps.append(sample(noise, q, improved_bound_flag=True))
        return Composition()(steps, [n for _, _, n in history])

    return {
        "rdp epsilon": lambda history, delta: composed(history).get_approxDP(delta),
        "rdp delta": lambda history, epsilon: composed(history).approx_delta(epsilon),
        "rdp epsilon fixed-size replace-one": lambda history, delta: replaced(history).get_approxDP(
            delta
        ),
    }
