"""The flags of the test vectors: which mistake a vector catches, and how that mistake looks.

The note of a flag tells a maintainer whose library fails at such a vector where to look first.
"""

from __future__ import annotations

from verify.results.vectors import Flag

_ALL = (
    Flag(
        "DpSgd",
        "A wrong formula anywhere: these are the settings people train with.",
        "Errors of any size at points nobody calls extreme.",
    ),
    Flag(
        "DefaultOrder",
        "An order that some library tries by default is computed on a path of its own.",
        "The reported epsilon after conversion is off although most orders are right: the minimum "
        "over the orders picks the wrong one.",
    ),
    Flag(
        "IntegerOrder",
        "Order off by one, a term of the binomial sum lost, or q and 1-q exchanged.",
        "Relative errors of order one, the same at every integer order.",
    ),
    Flag(
        "FractionalOrder",
        "The order is rounded, or the value is interpolated between the two integers around it.",
        "Right at integers, too large between them (ln A is convex, so chords lie above it).",
    ),
    Flag(
        "NearInteger",
        "The series divides by, or takes the sign of, a quantity that vanishes at integers.",
        "A jump of epsilon when the order passes an integer; nan from 0 times infinity.",
    ),
    Flag(
        "NearOne",
        "ln A is divided by alpha - 1 after all its digits are gone.",
        "Epsilon 0, negative, or larger by orders of magnitude, as alpha approaches 1.",
    ),
    Flag(
        "OrderOne",
        "The limit alpha = 1 is the Kullback-Leibler divergence, not a division by zero.",
        "nan, inf, an exception, or the value of a neighbouring order.",
    ),
    Flag(
        "InfiniteOrder",
        "At infinite order the divergence is +inf in one direction and -ln(1-q) in the other.",
        "A finite number, nan, or the two directions exchanged.",
    ),
    Flag(
        "NoSampling",
        "q = 1 is the plain Gaussian mechanism, alpha / (2 sigma^2), and q = 0 releases nothing.",
        "log of zero: nan, or an exception.",
    ),
    Flag(
        "TinyQ",
        "q^2 underflows, or 1 - q rounds to 1 and takes the answer with it.",
        "Epsilon 0 or nan; or a value that stops depending on q.",
    ),
    Flag(
        "QNearOne",
        "ln(1-q) of a number that carries no digits, or q and 1-q exchanged.",
        "nan, or the epsilon of almost no sampling.",
    ),
    Flag(
        "SmallSigma",
        "exp(1/sigma^2) overflows a double outside the logarithm.",
        "inf or nan where the true value is an ordinary number.",
    ),
    Flag(
        "LargeSigma",
        "The split point of the two half-lines runs away with sigma^2, and erfc underflows there.",
        "Epsilon 0, negative, or stuck at a value that no longer depends on sigma.",
    ),
    Flag(
        "LargeOrder",
        "Binomial coefficients of such orders overflow a double (the central one from order 1030).",
        "inf, nan or an OverflowError from some order on.",
    ),
    Flag(
        "Cancellation",
        "A = 1 + x is formed although x is below the rounding error, and the log is taken of that.",
        "Epsilon exactly 0, negative, or a multiple of 2.2e-16 / (alpha - 1).",
    ),
    Flag(
        "SlowSeries",
        "The half-line series decays only like k^(-alpha-2); a small term does not mean a small rest.",
        "Errors around 1e-9 to 1e-4 at small fractional orders; a maximum of terms reached.",
    ),
    Flag(
        "TwoModes",
        "The integrand has two separated peaks, and a quadrature sees only one of them.",
        "ln A misses ln 2, or everything: epsilon close to 0 where it is large.",
    ),
    Flag(
        "Alternating",
        "The generalised binomial coefficient changes sign beyond the order; the sign is dropped.",
        "Overstated at fractional orders, by more the larger q is; exact at integers.",
    ),
    Flag(
        "EarlyStop",
        "The sum is stopped by an absolute threshold before its large terms have been reached.",
        "Epsilon negative (ln A close to alpha ln(1-q)), or negative clamped to 0.",
    ),
    Flag(
        "ChainAlpha",
        "Neighbouring orders take different paths.",
        "Epsilon decreases with the order, or ln A is not convex in it.",
    ),
    Flag(
        "ChainQ",
        "A switch of formula at some q.",
        "Epsilon decreases although the sampling rate grows.",
    ),
    Flag(
        "ChainSigma",
        "A switch of formula at some sigma.",
        "Epsilon grows although the noise grows.",
    ),
    Flag(
        "Random",
        "A mistake at points nobody thought of.",
        "Anything.",
    ),
)

FLAGS: dict[str, Flag] = {flag.name: flag for flag in _ALL}
