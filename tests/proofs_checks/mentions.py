"""Which claims the code of a check names, itself or in the functions that it calls."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from verify.claims import Claim


def mentioned(claim: Claim) -> set[str]:
    """Ids of the claims that stand in the check's code, whatever is done with them there."""
    found: set[str] = set()
    seen: set[FunctionType] = set()
    todo: list[Any] = [claim.function]
    while todo:
        value = todo.pop()
        if isinstance(value, Claim):
            found.add(value.id)
        elif isinstance(value, tuple | list):
            todo.extend(value)
        else:
            while hasattr(value, "__wrapped__"):  # functools.cache
                value = value.__wrapped__
            if isinstance(value, FunctionType) and value not in seen and _ours(value):
                seen.add(value)
                todo.extend(_globals(value.__code__, value.__globals__))
    return found


def _ours(function: FunctionType) -> bool:
    return (function.__module__ or "").startswith("proofs_checks.")


def _globals(code: CodeType, names: dict[str, Any]) -> Iterator[Any]:
    """The module-level values that a function reads; ``module.name`` is one, too."""
    steps = list(dis.get_instructions(code))
    for k, step in enumerate(steps):
        if step.opname == "LOAD_GLOBAL":
            value = names.get(step.argval)
            after = k + 1
            while isinstance(value, ModuleType) and steps[after].opname in (
                "LOAD_ATTR",
                "LOAD_METHOD",
            ):
                value = getattr(value, steps[after].argval, None)
                after += 1
            yield value
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals(constant, names)
