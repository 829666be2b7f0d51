"""Which programs the digits come from: the same everywhere, or two halves of a run do not fit."""

from __future__ import annotations

import importlib.metadata
from functools import lru_cache

from verify.version import __version__


@lru_cache(maxsize=1)
def programs() -> str:
    """The versions on this machine."""
    return f"sgm-verify {__version__}, python-flint {importlib.metadata.version('python-flint')}"
