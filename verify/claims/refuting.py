"""Looking for a counterexample to a formula, which is left to the package of the claims.

A package that can do it holds a module ``refuting`` with a function ``counterexample(formula, domain, own)``:
it gives a point of the domain where the formula's sides surely fail, as a sentence, or an empty text; ``own`` is the
claim's own formula, which is proved.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

Search = Callable[[Any, str, Any], str]


def counterexample(module: str, formula: Any, domain: str, own: Any) -> str:
    """What the package of that module finds; empty if it cannot look."""
    return _search(module.partition(".")[0])(formula, domain, own)


@functools.cache
def _search(package: str) -> Search:
    name = f"{package}.refuting"
    try:
        known = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the module belongs to no package
        known = False
    if not known:
        return lambda _formula, _domain, _own: ""
    found: Search = importlib.import_module(name).counterexample
    return found
