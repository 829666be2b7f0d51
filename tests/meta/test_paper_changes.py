"""Every formula of the paper has its two changes, and a change is noticed by a claim."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.meta.paper_changes import CHANGES, SHAPES, SOURCE, outcomes

TEXT = SOURCE.read_text(encoding="utf-8")
HELPERS = {
    "value", "values", "ordered", "spare", "_cleared", "point", "slacks", "conditions_hold", "allowed", "bound",
    "constant_of_bound", "_exact",
    "HALF", "NINE_TENTHS", "ABOVE_ONE", "NAMES", "ALPHA", "SLACK_1", "SLACK_2",
    "_A",  # the integrands by their functions
    "density0",  # density at mean 0
}  # fmt: skip
"""What is made of formulas, and numbers that stand in claims."""


def formulas() -> Iterator[tuple[str, str]]:
    """Name and text of each formula: a function, a definition, a constant in capitals."""
    for node in ast.walk(ast.parse(TEXT)):
        if isinstance(node, ast.FunctionDef):
            yield node.name, ast.get_source_segment(TEXT, node) or ""
        elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                name, said = (ast.get_source_segment(TEXT, n) if n else "" for n in (key, value))
                if said and not said.isidentifier():  # mu0: density0 is the function's
                    yield name or "", f"        {name}: {said},"
        elif isinstance(node, ast.Assign):
            target = (
                node.targets[0].elts[0]
                if isinstance(node.targets[0], ast.Tuple)
                else node.targets[0]
            )
            if (
                isinstance(target, ast.Name)
                and target.id.lstrip("_").isupper()
                and len(target.id) > 1
            ):
                yield target.id, f"    {ast.get_source_segment(TEXT, node)}"


def test_every_formula_of_the_paper_is_changed() -> None:
    asked = [(name, said) for name, said in formulas() if name not in HELPERS]
    assert len(asked) > 20
    missed = [name for name, said in asked if not any(c.old in said for c in CHANGES)]
    assert missed == []


def test_every_change_is_of_one_place_and_changes_it() -> None:
    for change in CHANGES:
        assert TEXT.count(change.old) == 1
        assert len({change.old, change.tiny, change.sign}) == 3
    for shape in SHAPES:
        assert TEXT.count(shape.old) == 1
        assert shape.new != shape.old


def test_a_cut_moved_by_a_billionth_is_noticed_and_its_own_text_is_not() -> None:
    (change,) = (c for c in CHANGES if c.name == "left part of A")
    assert outcomes(change, change.tiny) == {"closed-form/split": "red"}
    assert outcomes(change, change.old) == {"closed-form/split": "green"}
