"""Random allocation (balls and bins): each epoch a record takes part in one of T batches, any number of epochs, exact.

side         one direction of a run: delta(epsilon), epsilon(delta)
parts        epochs, their likelihood ratio, moments of whole order
mellin       moments at complex orders, by Mellin integrals along turned rays
laplace      the Laplace transform behind them
spectrum     delta(epsilon) from the moments on one vertical line
idle         how fast the moments fall when records may sit out an epoch
outcomes     sums over outcomes for few batches, for the audit
crude        a bracket that is always there: Chernoff, Gaussian, one event
outline, ray_plan, forecast, scheme   where to integrate, in doubles (proposals only)
"""

from verify.accounting.pairs.allocation.parts import LEAST_SIGMA, Allotted, log_moment
from verify.accounting.pairs.allocation.side import Allocation

__all__ = ["LEAST_SIGMA", "Allocation", "Allotted", "log_moment"]
