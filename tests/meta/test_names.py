"""A class name means one thing; the few that do not are listed, with the reason."""

from __future__ import annotations

from tests.meta import names

SAME_NAME = {
    "Cluster": "what was found, and the part of the document that it is written as",
    "Effect": "what was found, and the part of the document that it is written as",
    "Family": "orders that share nodes, and libraries that answer alike",
    "Integrand": "two engines, which share nothing on purpose",
    "Listed": "a line of ENGINES, and values of an axis of a sweep, each used in its own file",
    "Plan": "two engines, the accountant and the report each plan before they work; none sees another's",
    "Point": "the parameters, and a point of a conformance document in full",
    "Row": "Table 1, the accountant's bench and a conformance document have rows",
    "Sketch": "where mass lies, of an engine's integrand and of an accountant's",
    "Table": "tables of nodes of an engine and of the accountant, and that of a figure",
    "Theorem": "as the kernel gives it, and as evidence: one is made into the other",
    "Verdict": "what a judgement of an answer says, and what a check says of a claim",
    "Undecided": "of a claim and of a number: neither could be confirmed nor refuted",
}


def test_a_class_name_is_used_once_or_listed():
    """After a new class: choose a name that no other class has."""
    assert sorted(names.twice()) == sorted(SAME_NAME)


def test_a_second_class_of_a_name_would_be_seen():
    assert "Containment" in names.classes()
    assert len(names.twice()["Plan"]) > 1
