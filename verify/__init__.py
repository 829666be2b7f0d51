"""sgm-verify: certified Rényi divergences of the sampled Gaussian mechanism.

The epsilon of one step of DP-SGD at an order, to any number of digits, each of them certain:

>>> import verify
>>> print(verify.rdp("0.01", "1.1", "8.5", digits=20))
0.00062984010190879...
>>> 1000 * verify.rdp("0.01", "1.1", "8.5")  # a thousand steps
Certified(0.62984010190879232…, 52 digits certain)

The exact epsilon of a whole training run, and the noise that a target needs:

>>> float(verify.epsilon("0.01", 1, 1000, "1e-5"))
1.8282366665165768
>>> verify.calibrate(epsilon=2, delta="1e-5", q="0.01", steps=1000).value
0.9591015524135982

A string or a Fraction means exactly that number, a float the binary number that it is. Results are
:class:`Certified`; everything raised on purpose is an :class:`SgmError`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from verify.certified import Certified
from verify.errors import (
    BudgetExceeded,
    EnginesDisagree,
    OutOfDomain,
    OutOfReach,
    PrecisionExhausted,
    SgmError,
)
from verify.functions import log_a, log_b, rdp, rdp_curve, rdp_reverse
from verify.point import Point
from verify.version import __version__

if TYPE_CHECKING:
    from verify.accounting.account import (
        delta,
        epsilon,
        history_delta,
        history_epsilon,
        privacy_curve,
    )
    from verify.accounting.calibrate import calibrate


_ACCOUNTING = {  # loaded when asked for: an RDP value must not pay for them
    "calibrate": "calibrate",
    "delta": "account",
    "epsilon": "account",
    "history_delta": "account",
    "history_epsilon": "account",
    "privacy_curve": "account",
}


def __getattr__(name: str) -> Any:
    if name in _ACCOUNTING:
        return getattr(importlib.import_module(f"verify.accounting.{_ACCOUNTING[name]}"), name)
    raise AttributeError(f"module 'verify' has no attribute {name!r}")


__all__ = [
    "BudgetExceeded",
    "Certified",
    "EnginesDisagree",
    "OutOfDomain",
    "OutOfReach",
    "Point",
    "PrecisionExhausted",
    "SgmError",
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
]
