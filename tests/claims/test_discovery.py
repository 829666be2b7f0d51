"""Claims are found in installed packages, once, in the order of the paper."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tests.claims.toys import HELPERS, SECTION
from verify.claims import MisstatedClaim
from verify.claims.discovery import Installed, discover, packages


def test_claims_are_found_once_in_the_order_of_the_paper(
    package: Callable[..., ModuleType],
) -> None:
    assert list(discover([package(section=SECTION, helpers=HELPERS)])) == [
        "toy/section/right",
        "toy/section/blind",
        "toy/borrowed/claim",
        "toy/section/mistaken",
    ]


def test_an_id_may_not_be_defined_twice(package: Callable[..., ModuleType]) -> None:
    made = package(helpers=HELPERS, again=HELPERS)
    with pytest.raises(MisstatedClaim, match="defined twice"):
        discover([made])


def test_the_paper_of_this_project_is_installed() -> None:
    assert [p.__name__ for p in packages()] == ["proofs_checks"]
    here = Installed.here()
    assert len(here.claims) > 150
    assert all(name == claim.id for name, claim in here.claims.items())


def test_without_packages_there_are_no_claims() -> None:
    assert discover([]) == {}
