"""The ways of being wrong, each with its own name.

Everything this package raises on purpose derives from :class:`SgmError`; a caller who catches
that one class never meets a traceback caused by its own input.
"""

from __future__ import annotations


class SgmError(Exception):
    """Base of every error raised on purpose by this package."""


class OutOfDomain(SgmError, ValueError):
    """A parameter is not a number, or not a number the quantity is defined for."""


class BudgetExceeded(SgmError):
    """The time allowed for an answer ran out. There is no answer, not even an approximate one."""


class PrecisionExhausted(SgmError):
    """Raising the working precision did not bring the promised digits."""


class OutOfReach(SgmError):
    """This engine cannot treat this point (another one may)."""


class EnginesDisagree(SgmError):
    """Independent engines gave incompatible values: at least one of them is broken here."""
