"""Claims are found in installed packages, once, in the order of the paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from tests.claims.toys import HELPERS, SECTION
from verify.claims import MisstatedClaim
from verify.claims.discovery import Installed, discover
from verify.claims.paper import Paper, papers


def test_claims_are_found_once_in_the_order_of_the_paper(
    package: Callable[..., Paper],
) -> None:
    assert list(discover([package(section=SECTION, helpers=HELPERS)])) == [
        "toy/section/right",
        "toy/section/blind",
        "toy/borrowed/claim",
        "toy/section/mistaken",
    ]


def test_an_id_may_not_be_defined_twice(package: Callable[..., Paper]) -> None:
    made = package(helpers=HELPERS, again=HELPERS)
    with pytest.raises(MisstatedClaim, match="defined twice"):
        discover([made])


def test_the_paper_of_this_project_is_installed() -> None:
    assert [paper.package for paper in papers()] == ["proofs_checks"]
    here = Installed.here()
    assert len(here.claims) > 150
    assert all(name == claim.id for name, claim in here.claims.items())


def test_without_packages_there_are_no_claims() -> None:
    assert discover([]) == {}


def test_lines_are_named_as_the_paper_prints_them(package: Callable[..., Paper]) -> None:
    made = replace(package(helpers=HELPERS), published=lambda lines: f"page {lines}")
    assert discover([made])["toy/borrowed/claim"].published == "page 9"


def test_an_entry_point_that_names_something_else_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = EntryPoint("other", "json:loads", "sgm_verify.claims")
    monkeypatch.setattr("verify.claims.paper.entry_points", lambda group: [entry])
    with pytest.raises(MisstatedClaim, match=r"json:loads: not a verify\.claims\.Paper"):
        list(papers())
