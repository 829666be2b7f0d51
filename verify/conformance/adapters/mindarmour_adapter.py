"""MindArmour's RDP monitor functions; MindSpore, which they do not use, is replaced by a name."""

import importlib.util
import json
import math
import os
import sys
import types
from pathlib import Path


def bare_package(name, path):
    """A package that can be imported from, whose own __init__ is not run."""
    module = types.ModuleType(name)
    module.__path__ = [path] if path else []
    sys.modules[name] = module
    return module


def load():
    root = importlib.util.find_spec("mindarmour").submodule_search_locations[0]
    bare_package("mindarmour", root)
    bare_package("mindarmour.utils", str(Path(root, "utils")))
    for name in ("mindspore", "mindspore.train", "mindspore.train.callback"):
        bare_package(name, "")
    sys.modules["mindspore.train.callback"].Callback = object  # base class of the monitors only
    path = Path(root, "privacy", "diff_privacy", "monitor", "monitor.py")
    spec = importlib.util.spec_from_file_location("monitor", path)
    monitor = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(monitor)

    def rdp(q, sigma, alpha):
        return monitor._compute_rdp_with_order(
            q, sigma, int(alpha) if math.isfinite(alpha) and alpha == int(alpha) else alpha
        )

    return rdp


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints is a log, not an answer
    rdp = load()
    for line in sys.stdin:
        question = json.loads(line)
        answer = {"id": question["id"]}
        if question["quantity"] != "rdp":
            print(json.dumps({**answer, "error": "only rdp"}), file=answers, flush=True)
            continue
        try:
            value = float(rdp(question["q"], question["sigma"], float(question["alpha"])))
            answer["value"] = value if math.isfinite(value) else str(value)
        except Exception as error:  # noqa: BLE001  # whatever the library raises is its answer
            answer["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
