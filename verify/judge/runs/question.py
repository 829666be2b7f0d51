"""What an accountant is asked: a quantity of a whole run.

One line of JSON, as in ``verify.judge.protocol.question``:

    {"id": "7", "quantity": "epsilon", "accountant": "pld", "sampling": "poisson", "relation": "add/remove", "delta": 1e-05,
     "history": [{"q": 0.01, "sigma": 1.0, "steps": 1000}], "numbers": "float"}

``quantity`` is epsilon (with delta), delta (with epsilon) or sigma (with epsilon and delta; the
history has one phase, whose sigma is what is asked for and null). ``numbers`` says which type of
numbers a Python library is to be called with. Where the sampling has other numbers, the phase says
so: ``"q": null`` and ``epochs`` for samplings by epochs, whose steps are the batches of one epoch;
``records`` and ``limit`` for truncated-poisson. A program that has one accountant may ignore
``accountant`` and ``numbers``; what it does not account for (a sampling, a relation) it refuses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from verify.results.run_vectors import RunVector

Phases = tuple[tuple[float, float, int], ...]
"""(q, sigma, steps) of each phase, in doubles; sigma is nan where it is asked for, q where the sampling has no rate."""
POISSON, ADD_REMOVE = "poisson", "add/remove"


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


NUMPY = (NumberType.FLOAT32, NumberType.FLOAT64, NumberType.INT64)


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """One question; every number is the exact one that the accountant gets.

    ``beside`` are epochs, records and limit, where the sampling has them; such runs have one phase.
    """

    quantity: Quantity
    history: Phases
    delta: float | None = None
    epsilon: float | None = None
    accountant: str = ""
    numbers: NumberType = NumberType.FLOAT
    sampling: str = POISSON
    relation: str = ADD_REMOVE
    beside: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, vector: RunVector) -> RunQuestion:
        """The question of a published vector."""
        return cls(
            Quantity(vector.quantity),
            vector.phases,
            vector.delta,
            vector.epsilon,
            sampling=vector.sampling,
            relation=vector.relation,
        )

    @property
    def usual(self) -> bool:
        """Whether it is about Poisson sampling and add/remove."""
        return (self.sampling, self.relation) == (POISSON, ADD_REMOVE)

    def fields(self) -> dict[str, Any]:
        """The question as sent, without its id.

        >>> RunQuestion(Quantity.EPSILON, ((0.01, 1.0, 1000),), 1e-5).fields()["history"]
        [{'q': 0.01, 'sigma': 1.0, 'steps': 1000}]
        """
        asked: dict[str, Any] = {"quantity": str(self.quantity), "accountant": self.accountant}
        asked |= {"sampling": self.sampling, "relation": self.relation}
        wanted = self.quantity is Quantity.SIGMA
        asked["history"] = [
            {
                "q": None if math.isnan(q) else q,
                "sigma": None if wanted else sigma,
                "steps": steps,
                **dict(self.beside),
            }
            for q, sigma, steps in self.history
        ]
        asked |= {
            name: x for name in ("delta", "epsilon") if (x := getattr(self, name)) is not None
        }
        return {**asked, "numbers": str(self.numbers)}

    def names(self) -> dict[str, tuple[float, ...]]:
        """Every number of the question by its name, for conditions on the domain."""
        found: dict[str, tuple[float, ...]] = {
            "q": tuple(q for q, _, _ in self.history if not math.isnan(q)),
            "sigma": tuple(sigma for _, sigma, _ in self.history if not math.isnan(sigma)),
            "steps": (float(sum(steps for _, _, steps in self.history)),),
            "phases": (float(len(self.history)),),
        }
        given = {"delta": self.delta, "epsilon": self.epsilon}
        return found | {name: () if x is None else (x,) for name, x in given.items()}

    def __str__(self) -> str:
        noise = self.quantity is Quantity.SIGMA
        more = "".join(f", {x} {name}" for name, x in self.beside)
        phases = " + ".join(
            "("
            + ("" if math.isnan(q) else f"q {q!r}, ")
            + ("" if noise else f"sigma {sigma!r}, ")
            + f"{steps} {'batches' if math.isnan(q) else 'steps'}{more})"
            for q, sigma, steps in self.history
        )
        given = [
            f"{name} {x!r}"
            for name in ("epsilon", "delta")
            if (x := getattr(self, name)) is not None
        ]
        kind = "" if self.numbers is NumberType.FLOAT else f", as {self.numbers}"
        notion = "" if self.usual else f", {self.sampling}, {self.relation}"
        return f"{self.quantity} of {phases} at {', '.join(given)}{notion}{kind}"
