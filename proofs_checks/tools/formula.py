r"""Relations between expressions: what a check proves and what the report prints is one object.

A formula is written once, as Python, and kept as it was written (no term is moved or cancelled), so
that its LaTeX reads like the paper's. Its sides as *values* are the same trees, evaluated. Names that
stand for something longer (z_0, A_alpha) stay names in print and are expanded by a table of
definitions before anything is checked.

>>> x, y = sympy.symbols("x y", positive=True)
>>> square = written(lambda: ((x - y) ** 2, "=", x**2 - 2 * x * y + y**2, ">=", 0))
>>> square.latex()
'(x-y)^2 = x^2-2xy+y^2 \\ge 0'
>>> square.values({}, "=", ">=")[:2]
((x - y)**2, x**2 - 2*x*y + y**2)
>>> square.exchanged().latex()
'0 = x^2-2xy+y^2 \\ge (x-y)^2'
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import sympy

from proofs_checks.tools.typeset import typeset
from verify.claims import Undecided

Definitions = Mapping[Any, Any]
"""What names stand for: symbol -> expression, function class -> Python function of its arguments."""
Change = Callable[[sympy.Expr], sympy.Expr]

SIGNS = {"=": "=", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}


@dataclass(frozen=True)
class Formula:
    """Sides joined by relations, as written; ``note`` is text behind it, such as where it holds."""

    sides: tuple[sympy.Expr, ...]
    relations: tuple[str, ...]
    note: str = ""

    def latex(self) -> str:
        pieces = [typeset(self.sides[0])]
        for relation, side in zip(self.relations, self.sides[1:], strict=True):
            pieces += [SIGNS[relation], typeset(side)]
        return " ".join(pieces) + self.note

    @property
    def relation(self) -> str:
        """The only relation of a formula with two sides."""
        (only,) = self.relations
        return only

    def stated(self, *relations: str) -> tuple[sympy.Expr, ...]:
        """The sides as written, for an argument about these relations (equations, if none are named).

        A formula with other relations than the argument's is not what the argument shows.
        """
        shown = relations or ("=",) * len(self.relations)
        if self.relations != shown:
            raise Undecided(f"the argument is for {' '.join(shown)}, not for {self.latex()}")
        return self.sides

    def values(
        self, definitions: Definitions | None = None, *relations: str
    ) -> tuple[sympy.Expr, ...]:
        """The same, evaluated, with the names in the table replaced by what they stand for."""
        self.stated(*relations)
        return self.expanded(definitions)

    def expanded(self, definitions: Definitions | None = None) -> tuple[sympy.Expr, ...]:
        """The same, for a caller that looks at the relations itself."""
        return tuple(evaluated(side, definitions or {}) for side in self.sides)

    def mapped(self, change: Change) -> Formula:
        return replace(self, sides=tuple(change(side) for side in self.sides))

    def put(self, changes: Mapping[Any, Any]) -> Formula:
        """With other expressions in place of some, wherever they stand; nothing is evaluated."""
        return _change_sides(self, changes)

    def related(self, *relations: str) -> Formula:
        return replace(self, relations=relations)

    def exchanged(self) -> Formula:
        """First and last side exchanged: an inequality becomes its reverse."""
        first, *middle, last = self.sides
        return replace(self, sides=(last, *middle, first))

    @property
    def strict(self) -> bool:
        return self.relation in ("<", ">")

    def ascending(self) -> Formula:
        """An inequality with the smaller side first."""
        if self.relation in ("<", "<="):
            return self
        if self.relation == "=":
            raise Undecided(f"{self.latex()}: not an inequality")
        return Formula(self.sides[::-1], ("<" if self.strict else "<=",), self.note)

    def weak(self) -> Formula:
        """The same, for an argument that has equality somewhere: Undecided if a relation is strict."""
        if "<" in self.relations or ">" in self.relations:
            raise Undecided(
                f"{self.latex()}: the argument gives the weak inequality, with equality"
            )
        return self

    def parts(self) -> Iterator[Formula]:
        """One relation at a time."""
        for index, relation in enumerate(self.relations):
            yield Formula(self.sides[index : index + 2], (relation,))


def exactly(side: sympy.Expr, meant: sympy.Expr) -> None:
    """A side that an argument speaks of by its name: a multiple of it is something else."""
    if side != meant:
        raise Undecided(f"the argument is for {typeset(meant)}, not for {typeset(side)}")


@dataclass(frozen=True)
class Several:
    """Formulas that are claimed together, or one under the other."""

    formulas: tuple[Formula, ...]
    joint: str = r",\quad "

    def latex(self) -> str:
        return self.joint.join(formula.latex() for formula in self.formulas)

    def mapped(self, change: Change) -> Several:
        return replace(self, formulas=tuple(f.mapped(change) for f in self.formulas))

    def put(self, changes: Mapping[Any, Any]) -> Several:
        return _change_sides(self, changes)

    def exchanged(self) -> Several:
        return replace(self, formulas=tuple(f.exchanged() for f in self.formulas))

    def parts(self) -> Iterator[Formula]:
        for formula in self.formulas:
            yield from formula.parts()


AnyFormula = Formula | Several
F = TypeVar("F", Formula, Several)


def _change_sides(formula: F, changes: Mapping[Any, Any]) -> F:
    wanted = {evaluated(sympy.sympify(old), {}): sympy.sympify(new) for old, new in changes.items()}
    changed = formula.mapped(lambda side: _replace_parts(side, wanted))
    if changed == formula:
        raise ValueError(f"{formula.latex()}: {changes} does not occur")
    return changed


def _replace_parts(expr: sympy.Expr, wanted: Mapping[sympy.Expr, sympy.Expr]) -> sympy.Expr:
    """Parts that have the wanted values are replaced, however they were written."""
    meaning = evaluated(expr, {})
    if meaning in wanted:
        return wanted[meaning]
    arguments = [_replace_parts(argument, wanted) for argument in expr.args]
    return expr if all(map(operator.is_, arguments, expr.args)) else rebuilt(expr, arguments)


def rebuilt(expr: sympy.Expr, arguments: Iterable[sympy.Expr]) -> sympy.Expr:
    """The same node over other arguments, as written."""
    with sympy.evaluate(False):
        return expr.func(*arguments)


def written(content: Callable[[], tuple[Any, ...]], note: str = "") -> Formula:
    """The formula that the function returns (side, relation, side, ...), exactly as it is written."""
    with sympy.evaluate(False):
        items = content()
        sides = tuple(sympy.sympify(item) for item in items[::2])
    for relation in items[1::2]:
        if relation not in SIGNS:
            raise ValueError(f"{relation!r}: a relation is one of {', '.join(SIGNS)}")
    return Formula(sides, tuple(items[1::2]), note)


def bracket(expr: sympy.Expr) -> sympy.Expr:
    """An expression that is printed in parentheses although nothing asks for them."""
    return sympy.UnevaluatedExpr(expr)


def together(*formulas: Formula) -> Several:
    return Several(formulas)


def implies(premise: Formula, conclusion: Formula) -> Several:
    return Several((premise, conclusion), r" \Rightarrow ")


def equivalent(one: Formula, other: Formula) -> Several:
    return Several((one, other), r" \iff ")


def evaluated(expr: sympy.Expr, definitions: Definitions) -> sympy.Expr:
    """The tree built again with evaluation, names replaced (also inside what they stand for)."""
    if expr in definitions:
        return evaluated(sympy.sympify(definitions[expr]), definitions)
    if not expr.args:
        return expr
    if isinstance(expr, sympy.UnevaluatedExpr):
        return evaluated(expr.args[0], definitions)
    if isinstance(expr, sympy.Integral | sympy.Sum):
        return _bound(expr, definitions)
    arguments = [evaluated(argument, definitions) for argument in expr.args]
    meaning = definitions.get(expr.func)
    if meaning is not None:
        return evaluated(meaning(*arguments), definitions)
    return expr.func(*arguments)


def _bound(expr: sympy.Expr, definitions: Definitions) -> sympy.Expr:
    """A sum or an integral, left as one; its variable is nobody's name."""
    limits = [(x, *(evaluated(end, definitions) for end in ends)) for x, *ends in expr.limits]
    free = {name: value for name, value in definitions.items() if name != limits[0][0]}
    return expr.func(evaluated(expr.function, free), *limits)
