"""The table of coverage by room adds up, and a room that is not reached is seen."""

from __future__ import annotations

from tests.meta.coverage_rooms import badge, lines, rooms, share


def measured(reached: int):
    def file(covered):
        return {"summary": {"num_statements": 8, "covered_lines": covered, "num_branches": 2, "covered_branches": 2}}  # fmt: skip

    files = {"verify/a/x.py": file(8), "verify/a/y.py": file(8), "verify/b/z.py": file(reached)}
    return {"files": files, "totals": {"percent_covered": 70.0 if reached < 8 else 100.0}}


def test_rooms_add_their_files():
    assert rooms(measured(8))["verify/a"]["num_statements"] == 16
    assert [line.split()[0] for line in lines(measured(8))] == [
        "room",
        "verify/a",
        "verify/b",
        "all",
    ]


def test_lines_that_are_not_reached_are_seen():
    assert share(rooms(measured(7))["verify/b"]) == 90
    assert share(rooms(measured(8))["verify/b"]) == 100


def test_the_badge_is_red_below_the_floor():
    assert badge(measured(7), 80)["color"] == "red"
    assert badge(measured(8), 80) == {"schemaVersion": 1, "label": "coverage", "message": "100 %", "color": "brightgreen"}  # fmt: skip
