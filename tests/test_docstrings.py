"""Every public function says what it takes, in which units, and what it raises."""

from __future__ import annotations

import inspect
import re

import pytest

import verify

FUNCTIONS = [name for name in verify.__all__ if inspect.isroutine(getattr(verify, name))]


def sections(function: object) -> dict[str, str]:
    text = inspect.getdoc(function) or ""
    parts = {}
    for title, after in (("Args", "Returns"), ("Returns", "Raises"), ("Raises", "")):
        part = text.partition(f"\n{title}:\n")[2]
        parts[title] = part.partition(f"\n{after}:\n")[0] if after else part
    return parts


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_explained_and_no_other(name: str) -> None:
    function = getattr(verify, name)
    lines = sections(function)["Args"].splitlines()
    told = [line.split(":")[0].strip() for line in lines if line[:5].strip() and ":" in line]
    assert told == list(inspect.signature(function).parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_error_that_is_named_exists(name: str) -> None:
    lines = sections(getattr(verify, name))["Raises"].splitlines()
    told = [line.split(":")[0].strip() for line in lines if line[:5].strip()]
    assert "OutOfDomain" in told
    assert all(issubclass(getattr(verify, error), verify.SgmError) for error in told)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_comes_back_is_told(name: str) -> None:
    assert sections(getattr(verify, name))["Returns"].strip()


@pytest.mark.parametrize("name", verify.__all__)
def test_everything_public_has_a_docstring(name: str) -> None:
    thing = getattr(verify, name)
    assert isinstance(thing, str) or inspect.getdoc(thing)


OF_0_1_0 = {
    "BudgetExceeded", "Certified", "EnginesDisagree", "OutOfDomain", "OutOfReach", "Point",
    "PrecisionExhausted", "SgmError", "__version__", "log_a", "log_b", "rdp", "rdp_reverse",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted({*verify.__all__} - OF_0_1_0))
def test_a_newer_name_says_since_when_it_exists(name: str) -> None:
    """Versions to come write theirs; a release that is not out yet stands here by its number."""
    told = re.findall(
        r"^ *Added in version (\d+\.\d+\.\d+)\.$", inspect.getdoc(getattr(verify, name)) or "", re.M
    )
    assert len(told) == 1
    version = tuple(int(part) for part in told[0].split("."))
    ours = tuple(int(part) for part in verify.__version__.partition(".dev")[0].split("."))
    assert (0, 1, 0) < version <= ours
