"""jax-privacy's accountants of DP-SGD, which configure those of dp-accounting."""

NAME = "jax-privacy"
VERSION = "2.0.0"
NEEDS = (
    "absl-py",
    "attrs",
    "dm-tree",
    "mpmath",
    "numpy",
    "scipy",
    "jax",
    "chex",
    "optax",
    "dp-accounting==0.6.0",
)
ACCOUNTANTS = {"rdp": "upper", "pld": "upper"}
DOCUMENTED = {
    "rdp": (
        "Keeping track of the differential privacy guarantee. (accounting.analysis; "
        "compute_epsilon: Compute DP epsilon given the `dp_params`.)"
    ),
    "pld": (
        "Keeping track of the differential privacy guarantee. (accounting.analysis; "
        "compute_epsilon: Compute DP epsilon given the `dp_params`.)"
    ),
}


def load():
    """No Rényi divergence of a step of its own."""
    return {}


def accountants():
    """A rate is a batch of so many of 2^k examples, which is exact; runs have one rate and a schedule of noise.

    Its schedule of batch sizes goes through jax's numbers of 32 bits, which cannot hold these.
    """
    from fractions import Fraction
    from itertools import accumulate

    from serve import without_init

    without_init("jax_privacy")
    from jax_privacy.accounting import analysis, calibrate
    from jax_privacy.accounting.accountants import PldAccountantConfig, RdpAccountantConfig

    def questions(name, config):
        accountant = analysis.DpsgdTrainingAccountant(config)

        def asked(history, delta, **more):
            rate = Fraction(float(history[0][0]))
            begins = [0, *accumulate(steps for _, _, steps in history)]
            params = analysis.DpParams(
                noise_multipliers=[(t, s) for t, (_, s, _) in zip(begins, history, strict=False)],
                num_samples=rate.denominator,
                batch_size=rate.numerator,
                delta=delta,
                **more,
            )
            return accountant.compute_epsilon(begins[-1], params)

        def epsilon(history, delta):
            return asked(history, delta)

        def fixed_size(history, delta):
            return asked(history, delta, sampling_method=analysis.SamplingMethod.FIXED_BATCH_SIZE)

        def sigma(q, steps, epsilon, delta):
            rate = Fraction(float(q))
            return calibrate.calibrate_noise_multiplier(
                target_epsilon=epsilon,
                accountant=accountant,
                batch_sizes=rate.numerator,
                num_updates=steps,
                num_samples=rate.denominator,
                target_delta=delta,
            )

        return {
            f"{name} epsilon of one rate": epsilon,
            f"{name} sigma": sigma,
            f"{name} epsilon poisson zero-out of one rate": epsilon,
            **{
                f"{name} epsilon fixed-size {relation} of one rate": fixed_size
                for relation in ("add/remove", "replace-one", "zero-out")
            },
        }

    return questions("rdp", RdpAccountantConfig()) | questions("pld", PldAccountantConfig())
