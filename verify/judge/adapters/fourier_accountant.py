"""The Fourier accountant of Koskela, Jälkö and Honkela: a privacy loss distribution in a window, composed by FFT."""

NAME = "fourier-accountant"
VERSION = "0.12.11"
NEEDS = ("numpy", "scipy")
ACCOUNTANTS = {"fourier": "estimate"}
DOCUMENTED = {"fourier": "Note that this function relies on numerical approximations, which are influenced by choice of parameters nx and L."}  # fmt: skip


def load():
    """No Rényi divergence of a step: this library accounts for whole runs only."""
    return {}


def accountants():
    """Removing or adding a record (R), or replacing one (S), with the library's own window and number of points."""
    import numpy
    from fourier_accountant import get_delta_R, get_delta_S, get_epsilon_R, get_epsilon_S

    def run(history):
        rates, noises, steps = zip(*history, strict=True)
        return {
            "q": numpy.array(rates, dtype=float),
            "sigma": numpy.array(noises, dtype=float),
            "ncomp": numpy.array(steps, dtype=int),
        }

    return {
        "fourier epsilon": lambda history, delta: get_epsilon_R(target_delta=delta, **run(history)),
        "fourier delta": lambda history, epsilon: get_delta_R(target_eps=epsilon, **run(history)),
        "fourier epsilon poisson replace-one": lambda history, delta: get_epsilon_S(
            target_delta=delta, **run(history)
        ),
        "fourier delta poisson replace-one": lambda history, epsilon: get_delta_S(
            target_eps=epsilon, **run(history)
        ),
    }
