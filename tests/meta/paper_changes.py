"""Each formula of ``proofs_checks/paper.py`` changed by 1e-9 and by a sign: which claims notice; and
written in another way.

    python -m tests.meta.paper_changes [NAME ...]

A claim notices a change (is *red*) when its check no longer finds the recorded verdict. Only claims
that speak about the formula are run. A check that breaks down instead of saying no is a crash, and
a fault; so is a change that nobody notices. The same formula in another shape may leave a check
without a proof, but must not break it down.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import multiprocessing
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

MODULE = "proofs_checks.paper"
SOURCE = Path(__file__).resolve().parents[2] / "proofs_checks" / "paper.py"
TINY = "(1 + sympy.Rational(1, 10**9))"


@dataclass(frozen=True)
class Change:
    """A formula of the paper: what stands there, the two changes, and the claims that speak about it."""

    name: str
    old: str
    tiny: str
    sign: str
    claims: tuple[str, ...]


def _scaled(name: str, old: str, sign: str, *claims: str) -> Change:
    """By 1e-9: the whole line's right side multiplied."""
    left, right = (
        old.split(": ", 1)
        if ": " in old and not old.strip().startswith(("BOUND", "ORDER"))
        else old.split(" = ", 1)
    )
    joint = ": " if ": " in old and not old.strip().startswith(("BOUND", "ORDER")) else " = "
    comma = "," if right.endswith(",") else ""
    return Change(
        name, old, f"{left}{joint}{TINY} * ({right.removesuffix(',')}){comma}", sign, claims
    )


CHANGES = (
    Change(
        "density of mu0, mu1", "return exp(-((at - mean) ** 2) / (2 * sigma**2)) / (sigma * sqrt(2 * sympy.pi))",
        f"return {TINY} * exp(-((at - mean) ** 2) / (2 * sigma**2)) / (sigma * sqrt(2 * sympy.pi))",
        "return exp(((at - mean) ** 2) / (2 * sigma**2)) / (sigma * sqrt(2 * sympy.pi))",
        ("one-dimensional/densities",),
    ),
    Change(
        "mean of mu1", "return density(at, sympy.Integer(1))", f"return density(at, {TINY})", "return density(at, sympy.Integer(-1))",
        ("one-dimensional/densities", "closed-form/z0/reflection"),
    ),
    Change(
        "mu", "return (1 - q) * density0(at) + q * density1(at)", f"return (1 - q) * density0(at) + q * {TINY} * density1(at)",
        "return (1 + q) * density0(at) + q * density1(at)", ("one-dimensional/densities",),
    ),
    Change(
        "integrand of A", "return mu0(at) * base(at) ** alpha", f"return {TINY} * mu0(at) * base(at) ** alpha",
        "return mu0(at) * base(at) ** (-alpha)", ("one-dimensional/moments",),
    ),
    Change(
        "integrand of B", "return mu(at) * (mu0(at) / mu(at)) ** alpha", f"return mu(at) * (mu0(at) / mu(at)) ** (alpha * {TINY})",
        "return mu(at) * (mu0(at) / mu(at)) ** (-alpha)", ("one-dimensional/moments",),
    ),
    Change(
        "ratio of the densities", "return rest + q * (mu1(at) / mu0(at))", f"return rest + {TINY} * q * (mu1(at) / mu0(at))",
        "return rest - q * (mu1(at) / mu0(at))", ("one-dimensional/moments", "closed-form/z0/definition"),
    ),
    _scaled("r0", "        r0: 1 + 1 / (q * (alpha - 1)),", "        r0: 1 - 1 / (q * (alpha - 1)),", "closed-form/z0/r0"),
    _scaled("L", "        L: ln(1 + 1 / (q * (alpha - 1))),", "        L: -ln(1 + 1 / (q * (alpha - 1))),", "closed-form/z0/definition"),
    _scaled("z0", "        z0: HALF + sigma**2 * L,", "        z0: HALF - sigma**2 * L,", "closed-form/z0/definition"),
    _scaled("z1", "        z1: HALF + sigma**2 * ln(1 / q - 1),", "        z1: HALF - sigma**2 * ln(1 / q - 1),", "numerical/fractional/crossover"),
    Change(
        "ratio, multiplied out", "return exp((2 * at - 1) / (2 * sigma**2))", f"return exp({TINY} * (2 * at - 1) / (2 * sigma**2))",
        "return exp((2 * at + 1) / (2 * sigma**2))", ("closed-form/split",),
    ),
    Change(
        "range of A", "A: sympy.Integral(_A, (z, -oo, oo))", "A: sympy.Integral(_A, (z, -oo, 10**9))", "A: sympy.Integral(_A, (z, oo, -oo))",
        ("one-dimensional/moments", "closed-form/split"),
    ),
    Change(
        "range of B", "B: sympy.Integral(_B, (z, -oo, oo))", "B: sympy.Integral(_B, (z, -oo, 10**9))", "B: sympy.Integral(_B, (z, oo, -oo))",
        ("one-dimensional/moments",),
    ),
    Change(
        "left part of A", "A_left: sympy.Integral(_A, (z, -oo, z0))", f"A_left: sympy.Integral(_A, (z, -oo, {TINY} * z0))",
        "A_left: sympy.Integral(_A, (z, -oo, -z0))", ("closed-form/split",),
    ),
    Change(
        "right part of A", "A_right: sympy.Integral(_A, (z, z0, oo))", f"A_right: sympy.Integral({TINY} * _A, (z, z0, oo))",
        "A_right: sympy.Integral(_A, (z, -z0, oo))", ("closed-form/split",),
    ),
    Change(
        "largest q", "LARGEST_Q, LEAST_SIGMA = Fraction(1, 5), 4", "LARGEST_Q, LEAST_SIGMA = Fraction(1, 5) + Fraction(1, 10**9), 4",
        "LARGEST_Q, LEAST_SIGMA = Fraction(-1, 5), 4", ("main-theorem/statement",),
    ),
    Change(
        "least sigma", "LARGEST_Q, LEAST_SIGMA = Fraction(1, 5), 4", "LARGEST_Q, LEAST_SIGMA = Fraction(1, 5), 4 - Fraction(1, 10**9)",
        "LARGEST_Q, LEAST_SIGMA = Fraction(1, 5), -4", ("main-theorem/statement",),
    ),
    Change(
        "epsilon", "        epsilon: ln(A) / (alpha - 1),", "        epsilon: ln(A) / (alpha - 1 + sympy.Rational(1, 10**9)),",
        "        epsilon: ln(A) / alpha,", ("one-dimensional/moments", "main-theorem/conversion"),
    ),
    Change(
        "condition (4)", '(alpha, "<=", HALF * sigma**2 * L - 2 * ln(sigma))', f'(alpha, "<=", {TINY} * HALF * sigma**2 * L - 2 * ln(sigma))',
        '(alpha, "<=", HALF * sigma**2 * L + 2 * ln(sigma))', ("closed-form/lemma-10/z0-bound",),
    ),
    Change(
        "condition (5)", "(HALF * sigma**2 * L**2 - ln(5) - 2 * ln(sigma))", f"({TINY} * HALF * sigma**2 * L**2 - ln(5) - 2 * ln(sigma))",
        "(HALF * sigma**2 * L**2 + ln(5) - 2 * ln(sigma))", ("closed-form/lemma-10/case-2b/third-line",),
    ),
    Change(
        "condition (5), below", "(L + ln(q * alpha) + 1 / (2 * sigma**2))", f"(L + ln(q * alpha) + {TINY} / (2 * sigma**2))",
        "(L - ln(q * alpha) + 1 / (2 * sigma**2))", ("closed-form/lemma-10/case-2b/third-line",),
    ),
    _scaled("bound of the paper", "    BOUND = 2 * q**2 * alpha / sigma**2", "    BOUND = -2 * q**2 * alpha / sigma**2", "main-theorem/conversion"),
    _scaled("row of Bun et al.", "    BOUND_BUN = 6 * q**2 * alpha / sigma**2", "    BOUND_BUN = -6 * q**2 * alpha / sigma**2", "table-1/bun"),
    _scaled("row of Abadi et al.", "    BOUND_ABADI = q**2 * alpha / ((1 - q) * sigma**2)", "    BOUND_ABADI = q**2 * alpha / ((1 + q) * sigma**2)", "table-1/abadi/uniform"),
    _scaled("orders of Bun et al.", "    ORDER_BUN = HALF * sigma**2 * ln(1 / q)", "    ORDER_BUN = -HALF * sigma**2 * ln(1 / q)", "table-1/bun"),
    _scaled("orders of Abadi et al.", "    ORDER_ABADI = 1 + sigma**2 * ln(1 / (q * sigma))", "    ORDER_ABADI = 1 - sigma**2 * ln(1 / (q * sigma))", "table-1/abadi/uniform"),
    Change(
        "left moment", "LEFT_MOMENT = HALF * exp", f"LEFT_MOMENT = {TINY} * HALF * exp", "LEFT_MOMENT = -HALF * exp", ("numerical/fractional/left-integral",),
    ),
    Change(
        "right moment", "RIGHT_MOMENT = (\n        HALF * exp", f"RIGHT_MOMENT = (\n        {TINY} * HALF * exp", "RIGHT_MOMENT = (\n        -HALF * exp",
        ("numerical/fractional/right-integral",),
    ),
    Change(
        "left weight", "LEFT_WEIGHT = (1 - q) ** (alpha - k) * q**k", f"LEFT_WEIGHT = {TINY} * (1 - q) ** (alpha - k) * q**k",
        "LEFT_WEIGHT = (1 - q) ** (alpha + k) * q**k", ("numerical/fractional/left-series",),
    ),
    Change(
        "right weight", "RIGHT_WEIGHT = (1 - q) ** k * q ** (alpha - k)", f"RIGHT_WEIGHT = {TINY} * (1 - q) ** k * q ** (alpha - k)",
        "RIGHT_WEIGHT = (1 - q) ** k * q ** (alpha + k)", ("numerical/fractional/right-series",),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """A formula of the paper in another shape that has the same value, and claims that use it."""

    name: str
    old: str
    new: str
    claims: tuple[str, ...]


SHAPES = (
    Shape(
        "density of mu0, mu1", "/ (sigma * sqrt(2 * sympy.pi))", "/ sqrt(2 * sympy.pi * sigma**2)",
        ("one-dimensional/densities", "closed-form/z0/reflection"),
    ),
    Shape(
        "ratio of the densities", "return rest + q * (mu1(at) / mu0(at))", "return 1 + q * (mu1(at) / mu0(at) - 1)",
        ("one-dimensional/moments", "closed-form/z0/definition", "closed-form/lemma-10/integrand"),
    ),
    Shape(
        "integrand of B", "return mu(at) * (mu0(at) / mu(at)) ** alpha", "return mu(at) ** (1 - alpha) * mu0(at) ** alpha",
        ("one-dimensional/moments",),
    ),
    Shape(
        "L", "        L: ln(1 + 1 / (q * (alpha - 1))),", "        L: ln((q * (alpha - 1) + 1) / (q * (alpha - 1))),",
        ("closed-form/z0/definition", "closed-form/lemma-10/z0-bound"),
    ),
    Shape("epsilon", "ln(A) / (alpha - 1)", "ln(A) * (alpha - 1) ** -1", ("one-dimensional/moments", "main-theorem/conversion")),
    Shape(
        "condition (4)", '"<=", HALF * sigma**2 * L - 2 * ln(sigma))', '"<=", (sigma**2 * L - 4 * ln(sigma)) / 2)',
        ("closed-form/lemma-10/z0-bound",),
    ),
    Shape(
        "condition (5)", "(HALF * sigma**2 * L**2 - ln(5) - 2 * ln(sigma)) / (L + ln(q * alpha) + 1 / (2 * sigma**2))",
        "2 * sigma**2 * (HALF * sigma**2 * L**2 - ln(5) - 2 * ln(sigma)) / (2 * sigma**2 * (L + ln(q * alpha)) + 1)",
        ("closed-form/lemma-10/case-2b/third-line",),
    ),
    Shape("bound of the paper", "    BOUND = 2 * q**2 * alpha / sigma**2", "    BOUND = alpha * (q / sigma) ** 2 * 2", ("main-theorem/conversion",)),
    Shape(
        "row of Abadi et al.", "q**2 * alpha / ((1 - q) * sigma**2)", "alpha * q**2 / (sigma**2 - q * sigma**2)", ("table-1/abadi/uniform",),
    ),
    Shape(
        "left weight", "LEFT_WEIGHT = (1 - q) ** (alpha - k) * q**k", "LEFT_WEIGHT = (1 - q) ** alpha * (q / (1 - q)) ** k",
        ("numerical/fractional/left-series",),
    ),
)  # fmt: skip


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives another text for one module."""

    def __init__(self, text: str) -> None:
        self.text = text

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name == MODULE else None

    def exec_module(self, module: object) -> None:
        exec(compile(self.text, str(SOURCE), "exec"), vars(module))  # the project's own text


def outcomes(change: Change | Shape, new: str) -> dict[str, str]:
    """What becomes of the claims with the new text: red, green or crashed, in a process of its own."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(there, change, new))
    child.start()
    there.close()
    try:
        found: dict[str, str] = here.recv()
    except EOFError:
        found = dict.fromkeys(change.claims, "crashed: the process ended")
    child.join()
    return found


def _run(there: Connection, change: Change | Shape, new: str) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    if text.count(change.old) != 1:
        there.send(
            dict.fromkeys(
                change.claims, f"crashed: {text.count(change.old)} places for {change.old!r}"
            )
        )
        return
    for name in [n for n in sys.modules if n.startswith("proofs_checks")]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Changed(text.replace(change.old, new)))
    found = {}
    try:
        claims = importlib.import_module("verify.claims.discovery").discover()
    except Exception as error:  # noqa: BLE001  # what the change does to an import is the finding
        there.send(
            dict.fromkeys(change.claims, f"crashed on import: {type(error).__name__}: {error}")
        )
        return
    for name in change.claims:
        claim = claims[name]
        finding = claim.check()
        if finding.crashed:
            found[name] = f"crashed: {finding.why[:80]}"
        else:
            found[name] = "green" if finding.verdict is claim.verdict else "red"
    there.send(found)


def main(names: Sequence[str] = ()) -> int:
    """Print the table; 1 if a change goes unnoticed or crashes a check."""
    importlib.import_module("sympy")
    importlib.import_module("verify.claims.discovery")
    faults = 0
    for change in CHANGES:
        if names and not any(n in change.name for n in names):
            continue
        for label, new in (("1e-9", change.tiny), ("sign", change.sign)):
            found = outcomes(change, new)
            red = [name for name, fate in found.items() if fate == "red"]
            crashed = [fate for fate in found.values() if fate.startswith("crashed")]
            faults += not red or bool(crashed)
            told = ", ".join(red) or "NOBODY"
            print(
                f"{change.name:<24} {label:<5} {told}{'; ' if crashed else ''}{'; '.join(crashed)}",
                flush=True,
            )
    for shape in SHAPES:
        if names and not any(n in shape.name for n in names):
            continue
        found = outcomes(shape, shape.new)
        faults += any(fate.startswith("crashed") for fate in found.values())
        told = ", ".join(f"{name} {fate}" for name, fate in found.items())
        print(f"{shape.name:<24} shape {told}", flush=True)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
