"""Time for what has to succeed: no test may fail because the machine is slow or busy."""

from __future__ import annotations

import signal

from verify.numbers.budget import Deadline

PATIENCE = 600.0
"""Seconds. Nothing comes near it unless it hangs."""


def patient() -> Deadline:
    """A deadline that counts from the call. (As a constant of a module it would count from import.)"""
    return Deadline(PATIENCE)


def hears_interrupts() -> None:
    """For a child of the suite: a suite started in the background ignores Ctrl-C, and so would it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
