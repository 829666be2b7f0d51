"""One accountant as a program that speaks the protocol: ``python -m verify.judge.selftest.accountants NAME``."""

from __future__ import annotations

import json
import math
import sys
from types import ModuleType

from verify.judge.selftest.accountants import certified, cheats, contour, more, renyi

HEALTHY: dict[str, ModuleType] = {"certified": certified, "contour": contour, "renyi": renyi}


def healthy(module: ModuleType) -> cheats.Answers:
    """The three functions of a module, asked by quantity."""

    def answer(question: cheats.Question) -> cheats.Answer:
        phases = [(p["q"], p["sigma"], p["steps"]) for p in question["history"]]
        if question["quantity"] == "sigma":
            q, _, steps = phases[0]
            told: float = module.sigma(q, steps, question["epsilon"], question["delta"])
        elif question["quantity"] == "delta":
            told = module.delta(phases, question["epsilon"])
        else:
            told = module.epsilon(phases, question["delta"])
        return told

    return answer


def serve(answers: cheats.Answers) -> None:
    """Answer questions, one a line, until there are no more."""
    for line in sys.stdin:
        question = json.loads(line)
        told: dict[str, object] = {"id": question["id"]}
        notion = question["sampling"], question["relation"]
        try:
            value = answers(question) if notion == ("poisson", "add/remove") else None
            if value is None:
                told["error"] = "not this"
            else:
                finite = isinstance(value, str) or math.isfinite(value)
                told["value"] = value if finite else str(value)
        except (ValueError, ArithmeticError) as error:
            told["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(told), flush=True)


def main() -> None:
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    if name in HEALTHY:
        serve(healthy(HEALTHY[name]))
    elif name in more.REGISTRY:
        serve(more.REGISTRY[name]())
    else:
        sys.exit(f"give one of: {', '.join((*HEALTHY, *more.REGISTRY))}")


if __name__ == "__main__":
    main()
