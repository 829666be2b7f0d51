"""Accountants that speak the protocol: an honest one, and some that break their promise by little.

python -m tests.judge.runs.programs NAME
"""

from __future__ import annotations

import json
import sys

import verify

MISTAKES = {
    "honest": lambda epsilon, steps: epsilon,
    "low": lambda epsilon, steps: epsilon * (1 - 2e-6),
    "unsafe": lambda epsilon, steps: epsilon * (1 - 2e-4),
    "rounded": lambda epsilon, steps: epsilon * (1 - 1e-9),
    "high": lambda epsilon, steps: epsilon * 1.05,
    "silent": lambda epsilon, steps: float("nan"),
    "wrong when long": lambda epsilon, steps: epsilon * (0.9 if steps > 50_000 else 1),
}


def main(name: str) -> None:
    for line in sys.stdin:
        question = json.loads(line)
        phases = [(p["q"], p["sigma"], p["steps"]) for p in question["history"]]
        answer: dict[str, object] = {"id": question["id"]}
        if question["quantity"] == "epsilon":
            exact = verify.history_epsilon(phases, question["delta"], 12).to_double_up()
            value = MISTAKES[name](exact, sum(p[2] for p in phases))
            answer["value"] = value if value == value else "nan"
        elif question["quantity"] == "sigma" and name != "low":
            (phase,) = question["history"]
            target = {"epsilon": question["epsilon"], "delta": question["delta"]}
            answer["value"] = verify.calibrate(q=phase["q"], steps=phase["steps"], **target).value
        elif question["quantity"] == "sigma":
            answer["value"] = 0.5
        else:
            answer["error"] = "only epsilon and sigma"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
