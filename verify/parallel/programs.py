"""The versions of the programs that compute. They must be the same on all machines of a run."""

from __future__ import annotations

import importlib.metadata
from functools import lru_cache

from verify.version import __version__


@lru_cache(maxsize=1)
def programs() -> str:
    """The versions on this machine."""
    return f"sgm-verify {__version__}, python-flint {importlib.metadata.version('python-flint')}"
