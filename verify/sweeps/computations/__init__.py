"""What can be computed at each point of a sweep: one file each, listed once below.

To add one: a file here that makes a :class:`~verify.sweeps.computations.model.Computation`, and its
name in ``COMPUTATIONS``. Everything else (specs, workers, file, export, docs of ``--list``) follows.
"""

from __future__ import annotations

from verify.sweeps.computations.bound_ratio import BOUND_RATIO
from verify.sweeps.computations.epsilon import EPSILON, EPSILON_BOTH
from verify.sweeps.computations.largest_order import LARGEST_ORDER
from verify.sweeps.computations.library import LIBRARY
from verify.sweeps.computations.model import GOOD, Computation, Outcome, Run, Status, Where
from verify.sweeps.computations.property import PROPERTY

COMPUTATIONS: dict[str, Computation] = {
    computation.name: computation
    for computation in (EPSILON, EPSILON_BOTH, BOUND_RATIO, LARGEST_ORDER, PROPERTY, LIBRARY)
}

__all__ = ["COMPUTATIONS", "GOOD", "Computation", "Outcome", "Run", "Status", "Where"]
