"""Families of libraries in the report: grouped, counted, with the theorem about their answers; bad files are listed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.report.conftest import conformance_file
from verify.report.collect import families_part
from verify.report.pages import cells
from verify.results import conformance
from verify.results.conformance import Cluster, Conformance, Direction, Grade, Region
from verify.results.families import Cell, Family
from verify.results.verdicts import KernelVerdict, KernelVerdicts

FILE = msgspec.convert(conformance_file(), Conformance)


def written(folder: Path, **files: dict[str, Any]) -> Path:
    """Files of checks, each closed by its digest."""
    for name, content in files.items():
        found = msgspec.convert({**content, "closing": None}, Conformance)
        (folder / f"{name}.json").write_text(conformance.as_text(found))
    return folder


def one(folder: Path, *verdicts: KernelVerdict, **change: Any) -> Family:
    """The family of one file."""
    written(folder, some={**conformance_file(), **change})
    kept = KernelVerdicts(coq="9", verdicts=verdicts)
    [made], bad = families_part.read_all(folder, [kept])
    assert bad == ()
    return made


def test_a_library_is_a_family_of_its_own(tmp_path: Path) -> None:
    made = one(tmp_path)
    assert (made.name, made.slug) == ("some-accountant 1.2.3", "some-accountant")
    assert [(m.file, m.target, m.seed) for m in made.members] == [
        ("some.json", "some-accountant", "0")
    ]


def test_every_point_is_counted_or_listed(tmp_path: Path) -> None:
    made = one(tmp_path)
    assert (made.points, made.good, len(made.failing)) == (100, 70, 30)
    assert sum(cell.points for cell in made.cells) == 100


def test_a_failing_point_tells_its_answer_and_its_silence(tmp_path: Path) -> None:
    made = one(tmp_path)
    wrong = next(p for p in made.failing if p.verdict is Grade.WRONG)
    silent = next(p for p in made.failing if p.verdict is Grade.NO_ANSWER)
    assert (wrong.answer, wrong.direction, wrong.silence) == (0.001, "UNSAFE", "")
    assert (silent.answer, silent.direction, silent.silence) == (None, None, "crash")


def test_libraries_that_answer_alike_are_one_family(tmp_path: Path) -> None:
    twin, other = conformance_file("twin"), conformance_file("another")
    other["cases"]["rows"][0][4] = 0.5
    written(tmp_path, a=conformance_file(), b=twin, c=other)
    made, _ = families_part.read_all(tmp_path)
    assert [family.slug for family in made] == ["some-accountant-twin", "another"]


def test_families_of_one_library_have_names_of_their_own(tmp_path: Path) -> None:
    other = conformance_file()
    other["cases"]["rows"][0][4] = 0.5
    made, _ = families_part.read_all(written(tmp_path, a=conformance_file(), b=other))
    assert [family.slug for family in made] == ["some-accountant", "some-accountant-2"]


@pytest.mark.parametrize(
    "target", ["../../etc", "<script>", "\x00", "ünï", "x" * 500, "-", "a.html"]
)
def test_a_slug_is_safe_whatever_the_library_is_called(tmp_path: Path, target: str) -> None:
    made = one(tmp_path, target=target)
    assert set(made.slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert 0 < len(made.slug) <= 60


def test_long_text_is_cut(tmp_path: Path) -> None:
    assert len(one(tmp_path, rule="x" * 10_000).rule) == 2000


# -- causes ----------------------------------------------------------------------------------------


def cluster(name: str, region: Region, kind: str) -> Cluster:
    smallest = FILE.failures[Grade.WRONG][0]
    return Cluster(name, 1, {region: 1}, {kind: 1}, "", "", "", (), smallest, "")


def test_a_cause_is_told_where_region_and_kind_leave_one() -> None:
    row = next(row for row in FILE.cases.rows if row.direction is Direction.UNSAFE)
    clusters = [
        cluster("elsewhere", Region.TRAINING, "UNSAFE"),
        cluster("this", row.region, "UNSAFE"),
        cluster("other kind", row.region, "overstated"),
    ]
    assert families_part.possible(row, clusters) == (1,)


def test_a_cause_is_not_guessed() -> None:
    row = next(row for row in FILE.cases.rows if row.direction is Direction.UNSAFE)
    both = [cluster(name, row.region, "UNSAFE") for name in "ab"]
    assert families_part.possible(row, both) == (0, 1)
    assert families_part.possible(row, []) == ()


# -- theorems --------------------------------------------------------------------------------------


def verdict(**change: Any) -> KernelVerdict:
    """About the first UNSAFE answer of the file, all numbers exact."""
    row = next(row for row in FILE.cases.rows if row.direction is Direction.UNSAFE)
    q, sigma, alpha, x = (
        "/".join(map(str, float(value).as_integer_ratio()))
        for value in (row.q, row.sigma, row.alpha, row.answer or 0)
    )
    made = KernelVerdict(
        "answer of somebody 9", "not-valid", q, sigma, alpha, False, x, None, "too small", "Coq", (), 1, "", ""
    )  # fmt: skip
    return replace(made, **change)


def test_a_theorem_about_a_recorded_answer_is_the_family_s(tmp_path: Path) -> None:
    theorem = one(tmp_path, verdict()).theorem
    assert theorem is not None
    assert (theorem.coq, theorem.verdict.words) == ("9", "too small")


@pytest.mark.parametrize(
    "change", [{"x": "0.001"}, {"alpha": "7"}, {"kind": "valid"}, {"reverse": True}]
)
def test_a_theorem_about_another_number_is_not(tmp_path: Path, change: dict[str, Any]) -> None:
    """0.001 is not the double of that name."""
    assert one(tmp_path, verdict(**change)).theorem is None


def test_a_theorem_that_names_the_library_and_version_is(tmp_path: Path) -> None:
    named = [
        verdict(of=f"answer of some-accountant {version} (and others)", x="5", words=version)
        for version in ("1.2", "1.2.3")
    ]
    theorem = one(tmp_path, *named).theorem
    assert theorem is not None
    assert theorem.verdict.words == "1.2.3"


# -- bad files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [
    {"complete": False}, {"points": 101}, {"verdicts": {}}, {"verdicts": {"wrong": -1}}, {"verdicts": [1]},
    {"target": ""}, {"properties": {"x": "many"}},
])  # fmt: skip
def test_a_file_that_is_not_whole_is_no_library(tmp_path: Path, change: dict[str, object]) -> None:
    (tmp_path / "bad.json").write_text(json.dumps({**conformance_file(), **change}))
    made, unreadable = families_part.read_all(tmp_path)
    assert (made, len(unreadable)) == ((), 1)


def test_a_cut_file_is_listed_beside_a_whole_one(tmp_path: Path) -> None:
    written(tmp_path, whole=conformance_file())
    (tmp_path / "cut.json").write_text(json.dumps(conformance_file())[:500])
    made, [bad] = families_part.read_all(tmp_path)
    assert (len(made), bad.file) == (1, f"{tmp_path.name}/cut.json")


def test_a_file_with_a_name_that_is_no_text_is_named_visibly(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"a\xff.json")).write_text("no JSON")
    [bad] = families_part.read_all(tmp_path)[1]
    assert bad.file.endswith("/a\\udcff.json")


# -- the record --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", [{"points": 99}, {"failing": []}, {"cells": []}, {"slug": "../x"}, {"members": []}]
)
def test_a_record_that_contradicts_itself_is_refused(
    tmp_path: Path, change: dict[str, object]
) -> None:
    body = msgspec.to_builtins(one(tmp_path))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**body, **change}, Family)


def test_a_point_of_a_cluster_that_is_not_there_is_refused(tmp_path: Path) -> None:
    body = msgspec.to_builtins(one(tmp_path))
    first, *others = body["failing"]
    body["failing"] = [[*first[:-1], [0]], *others]
    with pytest.raises(msgspec.ValidationError, match="cluster"):
        msgspec.convert(body, Family)


def test_the_cells_are_those_of_the_map() -> None:
    cell = msgspec.json.schema(Cell)["$defs"]["Cell"]["prefixItems"]
    most = [column["maximum"] for column in cell[:3]]
    assert most == [len(edges) - 1 for edges in (cells.SIGMA, cells.Q, cells.ALPHA)]


# -- the recorded checks -----------------------------------------------------------------------------


def test_every_kept_theorem_about_an_answer_belongs_to_a_family() -> None:
    from verify.claims.discovery import Installed

    verdicts = Installed.here().verdicts
    folder = Path(__file__).parents[2] / "reports" / "conformance"
    made, unreadable = families_part.read_all(folder, verdicts)
    assert unreadable == ()
    shown = {family.theorem.verdict.of for family in made if family.theorem}
    kept = {v.of for each in verdicts for v in each.verdicts if v.of.startswith("answer of ")}
    assert shown == kept
    assert all(family.understates for family in made if family.theorem)
