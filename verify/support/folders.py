"""The cache folder: environments of judged libraries, and results that are used again. It may be
deleted at any time."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder(*parts: str) -> Path:
    """$SGM_VERIFY_CACHE, else the user's cache directory, as the system has it.

    >>> os.environ["SGM_VERIFY_CACHE"] = "somewhere"
    >>> cache_folder("report").as_posix()
    'somewhere/report'
    >>> del os.environ["SGM_VERIFY_CACHE"]
    """
    given = os.environ.get("SGM_VERIFY_CACHE")
    return Path(given or platformdirs.user_cache_path("sgm-verify"), *parts)
