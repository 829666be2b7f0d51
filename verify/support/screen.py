"""How wide text for people may be."""

from __future__ import annotations

import shutil
import sys

WIDEST, NARROWEST = 80, 40


def width() -> int:
    """Columns of the terminal, from 40 to 80; 80 where the output goes to a file or a pipe, which
    is the same everywhere."""
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDEST
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))
