"""Answer questions with an adapter: ``python serve.py ADAPTER_FILE``, in the library's environment.

Standard library only. The protocol: one JSON question a line on standard input, one answer a line on
standard output; what the library itself prints goes to standard error.
"""

import importlib.util
import json
import math
import os
import sys
import types
from pathlib import Path


def module_at(path):
    """A module from its file, without running the __init__ of any package around it."""
    spec = importlib.util.spec_from_file_location("accountant", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def package_folder(package):
    """Where a package is installed; it is not imported."""
    return importlib.util.find_spec(package).submodule_search_locations[0]


def file_module(package, path):
    """One file of an installed package, unmodified, without running the package's __init__."""
    return module_at(Path(package_folder(package), path))


def whole(alpha):
    """The order as an int if it is one, for libraries that choose their path by the type."""
    return int(alpha) if math.isfinite(alpha) and alpha == int(alpha) else alpha


def without_init(package, *inside):
    """Let modules of a package be imported without running its __init__, nor those of the packages named."""
    for name in (package, *(f"{package}.{one}" for one in inside)):
        module = types.ModuleType(name)
        module.__path__ = [str(Path(package_folder(package), *name.split(".")[1:]))]
        sys.modules[name] = module


def of_run(question):
    """The arguments of an accountant's function: the history as tuples, in numbers of the type asked for."""
    kind = question.pop("numbers")
    convert = {"float": float, "int": _int_if_whole}.get(kind)
    if convert is None:
        convert = getattr(importlib.import_module("numpy"), kind)  # every library here has it
    phases = [(convert(p["q"]), p["sigma"], p["steps"]) for p in question.pop("history")]
    if phases[0][1] is None:  # the noise is what is asked for
        ((question["q"], _, question["steps"]),) = phases
    else:
        question["history"] = [(q, convert(sigma), steps) for q, sigma, steps in phases]
    return question


def _int_if_whole(x):
    return int(x) if x == int(x) else x


def answer(functions, question):
    """What the library says to one question: a value or an error, with the question's id."""
    token, quantity = question.pop("id"), question.pop("quantity")
    accountant = question.pop("accountant", None)
    name = quantity if accountant is None else f"{accountant} {quantity}"
    if name not in functions:
        return {"id": token, "error": f"only {', '.join(functions)}"}
    try:
        if accountant is None:
            given = {n: float(x) if isinstance(x, str) else x for n, x in question.items()}  # "inf"
        else:
            given = of_run(question)
        value = float(functions[name](**given))
    except Exception as error:  # noqa: BLE001  # whatever the library raises is its answer
        return {"id": token, "error": f"{type(error).__name__}: {error}"}
    return {"id": token, "value": value if math.isfinite(value) else str(value)}


def main(adapter, wanted=""):
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints is a log, not an answer
    module = module_at(adapter)
    functions = module.load()
    if wanted == "accountants":
        functions |= module.accountants()
    for line in sys.stdin:
        print(json.dumps(answer(functions, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent  # its adapters are called like the libraries they ask
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != here]
    sys.modules["serve"] = sys.modules["__main__"]  # adapters say: from serve import file_module
    main(*sys.argv[1:])
