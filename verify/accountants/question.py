"""What an accountant is asked: a quantity of a whole run.

One line of JSON, as in ``verify.conformance.question``:

    {"id": "7", "quantity": "epsilon", "accountant": "pld", "delta": 1e-05,
     "history": [{"q": 0.01, "sigma": 1.0, "steps": 1000}], "numbers": "float"}

``quantity`` is epsilon (with delta), delta (with epsilon) or sigma (with epsilon and delta; the history has one phase, whose
sigma is what is asked for and null). ``numbers`` says which type of numbers a Python library is to be called with.
A program that has one accountant may ignore ``accountant`` and ``numbers``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Phases = tuple[tuple[float, float, int], ...]
"""(q, sigma, steps) of each phase, in doubles."""


class Quantity(StrEnum):
    """What is asked for."""

    EPSILON = "epsilon"
    DELTA = "delta"
    SIGMA = "sigma"


class NumberType(StrEnum):
    """The type of q and sigma that the library's function is called with; int and int64 are for whole numbers only.

    Steps are Python integers, or int64.
    """

    FLOAT = "float"
    INT = "int"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    INT64 = "int64"


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """One question; every number is the exact one that the accountant gets."""

    quantity: Quantity
    history: Phases
    delta: float | None = None
    epsilon: float | None = None
    accountant: str = ""
    numbers: NumberType = NumberType.FLOAT

    def fields(self) -> dict[str, Any]:
        """The question as sent, without its id.

        >>> RunQuestion(Quantity.EPSILON, ((0.01, 1.0, 1000),), 1e-5).fields()["history"]
        [{'q': 0.01, 'sigma': 1.0, 'steps': 1000}]
        """
        asked: dict[str, Any] = {"quantity": str(self.quantity), "accountant": self.accountant}
        wanted = self.quantity is Quantity.SIGMA
        asked["history"] = [
            {"q": q, "sigma": None if wanted else sigma, "steps": steps}
            for q, sigma, steps in self.history
        ]
        asked |= {
            name: x for name in ("delta", "epsilon") if (x := getattr(self, name)) is not None
        }
        return {**asked, "numbers": str(self.numbers)}

    def __str__(self) -> str:
        phases = " + ".join(f"(q {q!r}, sigma {s!r}, {n} steps)" for q, s, n in self.history)
        given = [
            f"{name} {x!r}"
            for name in ("epsilon", "delta")
            if (x := getattr(self, name)) is not None
        ]
        kind = "" if self.numbers is NumberType.FLOAT else f", as {self.numbers}"
        return f"{self.quantity} of {phases} at {', '.join(given)}{kind}"
