"""sgm-verify: certified Rényi divergences of the sampled Gaussian mechanism.

The epsilon of one step of DP-SGD at an order, to any number of digits, each of them certain:

>>> import verify
>>> print(verify.rdp("0.01", "1.1", "8.5", digits=20))
0.00062984010190879...
>>> 1000 * verify.rdp("0.01", "1.1", "8.5")  # a thousand steps
Certified(0.62984010190879232…, 52 digits certain)

The same for one record replaced, for groups, and for other samplings (arguments of
:func:`verify.accounting.pairs.renyi.rdp`):

>>> print(verify.rdp("0.01", "1.1", "8.5", relation="replace-one", digits=10))
0.0015866035683...

The exact epsilon of a whole training run, and the noise that a target needs:

>>> float(verify.epsilon("0.01", 1, 1000, "1e-5"))
1.8282366665165768
>>> verify.calibrate(epsilon=2, delta="1e-5", q="0.01", steps=1000).value
0.9591015524135982

A string or a Fraction means exactly that number, a float the binary number that it is. Results are
:class:`Certified`; everything raised on purpose is an :class:`SgmError`.
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Any

from verify.moments.functions import log_a, log_b, rdp_curve, rdp_reverse
from verify.moments.functions import rdp as _rdp_of_a_step
from verify.numbers.arrays import Many
from verify.numbers.certified import Certified
from verify.numbers.errors import (
    BudgetExceeded,
    EnginesDisagree,
    OutOfDomain,
    OutOfReach,
    PrecisionExhausted,
    SgmError,
)
from verify.numbers.point import Point
from verify.version import __version__

if TYPE_CHECKING:
    from verify.accounting.calibration import Calibrated, calibrate
    from verify.accounting.pairs.run import Run, Stage
    from verify.accounting.questions import (
        delta,
        epsilon,
        history_delta,
        history_epsilon,
        privacy_curve,
    )
    from verify.accounting.tight import Bracketed
    from verify.frameworks.reading import read_run
    from verify.frameworks.run import TrainingRun
    from verify.numbers.curves import CurvePoint, PrivacyCurve


_LATER = {  # loaded when asked for: an RDP value must not pay for them
    "Bracketed": "accounting.tight",
    "Calibrated": "accounting.calibration",
    "CurvePoint": "numbers.curves",
    "PrivacyCurve": "numbers.curves",
    "Run": "accounting.pairs.run",
    "Stage": "accounting.pairs.run",
    "TrainingRun": "frameworks.run",
    "calibrate": "accounting.calibration",
    "delta": "accounting.questions",
    "epsilon": "accounting.questions",
    "history_delta": "accounting.questions",
    "history_epsilon": "accounting.questions",
    "privacy_curve": "accounting.questions",
    "read_run": "frameworks.reading",
}


_OF_RUNS = {"relation", "sampling", "group", "steps", "epochs"}


@functools.wraps(
    _rdp_of_a_step, assigned=("__doc__", "__annotations__")
)  # pickled under its own name
def rdp(q: Many | None, sigma: Many, alpha: Many, **options: Any) -> Any:
    """The Rényi divergence of a step; with relation, sampling, group, steps or epochs, that of such a run."""
    if _OF_RUNS.isdisjoint(options):
        return _rdp_of_a_step(q, sigma, alpha, **options)
    return importlib.import_module("verify.accounting.pairs.renyi").rdp(q, sigma, alpha, **options)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"verify.{_LATER[name]}"), name)
    raise AttributeError(f"module 'verify' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Bracketed",
    "BudgetExceeded",
    "Calibrated",
    "Certified",
    "CurvePoint",
    "EnginesDisagree",
    "OutOfDomain",
    "OutOfReach",
    "Point",
    "PrecisionExhausted",
    "PrivacyCurve",
    "Run",
    "SgmError",
    "Stage",
    "TrainingRun",
    "__version__",
    "calibrate",
    "delta",
    "epsilon",
    "history_delta",
    "history_epsilon",
    "log_a",
    "log_b",
    "privacy_curve",
    "rdp",
    "rdp_curve",
    "rdp_reverse",
    "read_run",
]
