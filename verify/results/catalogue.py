"""All documents of the project, by the middle word of their format: "sgm-verify NAME VERSION"."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from verify import results
from verify.results.document import Part, format_of

FIRST = "sgm-verify"


def documents() -> dict[str, type[Part]]:
    """Every class of :mod:`verify.results` that is a whole file.

    >>> documents()["results"].__name__
    'Results'
    """
    found: dict[str, type[Part]] = {}
    for info in pkgutil.iter_modules(results.__path__):
        module = importlib.import_module(f"{results.__name__}.{info.name}")
        found |= dict(_defined_in(module.__name__, vars(module).values()))
    return dict(sorted(found.items()))


def _defined_in(module: str, values: object) -> Iterator[tuple[str, type[Part]]]:
    for value in list(values):  # type: ignore[call-overload]  # the values of a module
        if isinstance(value, type) and issubclass(value, Part) and value.__module__ == module:
            words = format_of(value).split()
            if len(words) == 3 and words[0] == FIRST:
                yield words[1], value
