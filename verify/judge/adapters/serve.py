"""Answer questions with a library, in its own environment.

    python serve.py ADAPTER_FILE [--code FOLDER]       one of the adapters beside this file
    python serve.py ADAPTER_FILE --accountants yes     with its accountants of whole runs
    python serve.py MODULE:FUNCTION                    any function of (q, sigma, alpha); also FILE.py:FUNCTION
    python serve.py ... --about NAME                   say what would be asked, and where it is from

Standard library only. The protocol: one JSON question a line on standard input, one answer a line on
standard output; what the library itself prints goes to standard error. What ``--about`` says is found by
loading the same code in the same way, so that the version and the code judged are of one place.
"""

import importlib
import importlib.metadata
import importlib.util
import json
import math
import os
import platform
import sys
import types
from pathlib import Path

QUANTITIES = ("rdp", "rdp_reverse", "log_a", "log_b")
RUN_QUANTITIES = ("epsilon", "delta", "sigma")
BESIDE = ("epochs", "records", "limit")
USUAL = ("poisson", "add/remove")
LIMITS = ("", " of one rate", " of one phase")  # of a history, at the end of a function's name


def module_at(path, name="accountant"):
    """A module from its file, without running the __init__ of any package around it."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def package_folder(package):
    """Where a package is installed; it is not imported."""
    spec = importlib.util.find_spec(package)
    if spec is None:
        raise ModuleNotFoundError(f"no module named {package}")
    return spec.submodule_search_locations[0]


def file_module(package, *paths):
    """One file of an installed package, unmodified, without running the package's __init__.

    The first of the paths that exists: a file moves between releases.
    """
    folder = Path(package_folder(package))
    found = [folder / path for path in paths if (folder / path).exists()]
    if not found:
        raise ModuleNotFoundError(f"{package} has no {' and no '.join(paths)}")
    return module_at(found[0])


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
    convert, count = _types(question.pop("numbers"))
    rows = question.pop("history")
    rates = [None if p["q"] is None else convert(p["q"]) for p in rows]
    phases = [(q, p["sigma"], count(p["steps"])) for q, p in zip(rates, rows, strict=True)]
    question.update({name: rows[0][name] for name in BESIDE if name in rows[0]})
    if phases[0][1] is None:  # the noise is what is asked for
        ((question["q"], _, question["steps"]),) = phases
    else:
        question["history"] = [(q, convert(sigma), steps) for q, sigma, steps in phases]
    return question


def _types(kind):
    """What q and sigma are made of, and steps."""
    if kind == "float":
        return float, int
    if kind == "int":
        return lambda x: int(x) if x == int(x) else x, int
    numpy = importlib.import_module(
        "numpy"
    )  # asked for only where --about has said that it is there
    if kind == "int64":
        return lambda x: numpy.int64(x) if x == int(x) else numpy.float64(x), numpy.int64
    return getattr(numpy, kind), int


def answer(functions, question):
    """What the library says to one question: a value or an error, with the question's id."""
    token, quantity = question.pop("id"), question.pop("quantity")
    accountant = question.pop("accountant", None)
    notion = tuple(
        question.pop(word, usual)
        for word, usual in zip(("sampling", "relation"), USUAL, strict=True)
    )
    name = quantity if accountant is None else f"{accountant} {quantity}"
    if accountant and notion != USUAL:  # a function without a name accounts for what its user says
        name = " ".join((name, *notion))
    function = next((functions[name + x] for x in LIMITS if name + x in functions), None)
    if function is None:
        return {"id": token, "error": f"only {', '.join(functions)}"}
    try:
        if accountant is None:
            given = {n: float(x) if isinstance(x, str) else x for n, x in question.items()}  # "inf"
        else:
            given = of_run(question)
        value = float(function(**given))
    except Exception as error:  # noqa: BLE001  # whatever the library raises is its answer
        return {"id": token, "error": f"{type(error).__name__}: {error}"}
    return {"id": token, "value": value if math.isfinite(value) else str(value)}


def of_runs(given):
    """What accounts for runs: methods epsilon, delta and sigma of an object, or a function of (history, delta)."""
    found = {name: getattr(given, name) for name in RUN_QUANTITIES if hasattr(given, name)}
    found = found or {"epsilon": given}
    by_place = {  # whatever the function calls its parameters
        "epsilon": lambda history, delta, **more: found["epsilon"](history, delta, **more),
        "delta": lambda history, epsilon, **more: found["delta"](history, epsilon, **more),
        "sigma": lambda q, steps, epsilon, delta: found["sigma"](q, steps, epsilon, delta),
    }
    return {f" {name}": by_place[name] for name in found}


def called(spec, accountants=False):
    """The functions of MODULE:FUNCTION, and the file they are from."""
    place, _, path = spec.rpartition(":")
    sys.path.insert(0, str(Path.cwd()))
    file = place.endswith(".py")
    if file:
        sys.path.insert(0, str(Path(place).resolve().parent))  # as Python does for a program
    function = module = module_at(place, "called") if file else importlib.import_module(place)
    for name in path.split("."):
        function = getattr(function, name)
    if not callable(function) and not (accountants and hasattr(function, "epsilon")):
        raise TypeError(f"{spec} is not a function")
    if accountants:
        return of_runs(function), getattr(module, "__file__", None)
    # Which quantity it computes is said by whoever asks (--quantity): a function has no name for it.
    asked = dict.fromkeys(QUANTITIES, lambda q, sigma, alpha: function(q, sigma, alpha))
    return asked, getattr(module, "__file__", None)


def loaded(spec, code, accountants=False):
    """The functions to ask, and where the code is from."""
    if ":" in Path(spec).name:
        return called(spec, accountants)
    if code:
        sys.path.insert(0, str(Path(code).resolve()))
    # An adapter is called like what it imports. Looked for first: afterwards it may be a bare package without a place.
    package = importlib.util.find_spec(Path(spec).stem)
    adapter = module_at(spec, "adapter")
    functions = {**adapter.load(), **(adapter.accountants() if accountants else {})}
    places = [*(package.submodule_search_locations or ()), package.origin] if package else [None]
    return functions, places[0]


def about(name, code):
    """Version, place and surroundings of what was loaded; one JSON object."""
    return {
        "version": version_at(name, code),
        "code": code and str(Path(code).resolve()),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": dict(sorted(packages())),
    }


def version_at(name, code):
    """The version of the distribution the code belongs to; None if it is from somewhere else."""
    try:
        found = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None
    homes = [Path(found.locate_file(""))]
    origin = json.loads(found.read_text("direct_url.json") or "{}")  # PEP 610: editable installs
    if origin.get("dir_info", {}).get("editable"):
        homes.append(Path(origin["url"].removeprefix("file://")))
    inside = code and any(home.resolve() in Path(code).resolve().parents for home in homes)
    return found.version if inside else None


def packages():
    """Distributions that were imported, with their versions: another numpy can give other answers."""
    owners = importlib.metadata.packages_distributions()
    loaded_now = {module for module in sys.modules if "." not in module}
    found = {name for module in loaded_now for name in owners.get(module, ())}
    for name in found - {"pip", "setuptools", "wheel"}:
        yield name.lower(), importlib.metadata.version(name)


def main(spec, *options):
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints is a log, not an answer
    given = dict(zip(options[::2], options[1::2], strict=True))
    functions, code = loaded(spec, given.get("--code"), "--accountants" in given)
    if "--about" in given:
        told = {**about(given["--about"], code), "functions": sorted(functions)}
        told["numpy"] = importlib.util.find_spec("numpy") is not None
        print(json.dumps(told), file=answers, flush=True)
        return
    for line in sys.stdin:
        print(json.dumps(answer(functions, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent  # its adapters are called like the libraries they ask
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != here]
    sys.modules["serve"] = sys.modules["__main__"]  # adapters say: from serve import file_module
    main(*sys.argv[1:])
