# ruff: noqa: N999  # an adapter is called like what it imports
"""PLD_accounting's subsampling of dp-accounting's privacy loss distributions."""

NAME = "pld-accounting"
VERSION = "2.0"
NEEDS = (
    "absl-py",
    "attrs",
    "dm-tree",
    "mpmath",
    "numpy",
    "scipy",
    "typing-extensions",
    "dp-accounting==0.6.0",
)
ACCOUNTANTS = {"subsampled": "upper", "allocation": "upper"}
DOCUMENTED = {
    "subsampled": "`BoundType.DOMINATES` gives an upper (pessimistic) bound. (README; subsample_pld builds that one)",
    "allocation": "Returns: A tuple ``(upper_bound, lower_bound)``. (gaussian_allocation_epsilon_range)",
}


def load():
    """No Rényi divergence of a step: this library accounts for whole runs only."""
    return {}


def accountants():
    """The Gaussian mechanism by dp-accounting, sampled by this library, composed by dp-accounting
    again; its intervals."""
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism
    from PLD_accounting import gaussian_allocation_epsilon_range, subsample_pld

    def composed(history):
        """One phase: sampled distributions of different phases have different intervals, and do not compose."""
        ((q, sigma, steps),) = history
        step = subsample_pld(
            pld=from_gaussian_mechanism(standard_deviation=sigma), sampling_probability=q
        )
        return step.self_compose(steps)

    def allotted(history, delta, epochs):
        ((_, sigma, batches),) = history
        found = gaussian_allocation_epsilon_range(
            delta=delta, sigma=sigma, num_steps=batches, num_epochs=epochs
        )
        return found[0]

    return {
        "allocation epsilon allocation add/remove": allotted,
        "subsampled epsilon of one phase": lambda history, delta: composed(
            history
        ).get_epsilon_for_delta(delta),
        "subsampled delta of one phase": lambda history, epsilon: composed(
            history
        ).get_delta_for_epsilon(epsilon),
    }
