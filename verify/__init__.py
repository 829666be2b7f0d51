"""sgm-verify: certified Rényi divergences of the sampled Gaussian mechanism.

>>> import verify
>>> print(verify.rdp("0.01", "1.1", "8.5", digits=20))
0.00062984010190879...
"""

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

__version__ = "0.2.0"

__all__ = [
    "BudgetExceeded",
    "Certified",
    "EnginesDisagree",
    "OutOfDomain",
    "OutOfReach",
    "Point",
    "PrecisionExhausted",
    "SgmError",
    "log_a",
    "log_b",
    "rdp",
    "rdp_curve",
    "rdp_reverse",
]
