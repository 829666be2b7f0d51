"""Suggestions for a mistyped word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word; empty if nothing known is like it.

    >>> did_you_mean("valu", ["value", "vectors"])
    '; did you mean value?'
    >>> did_you_mean("eps", ["epsilon", "delta"]), did_you_mean("xyz", ["value"])
    ('; did you mean epsilon?', '')
    """
    names = list(known)
    alike = difflib.get_close_matches(word, names, 3)
    alike += [name for name in names if word and name.startswith(word) and name not in alike]
    return f"; did you mean {' or '.join(alike[:3])}?" if alike else ""
