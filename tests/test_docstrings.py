"""Every public function says what it takes, in which units, and what it raises."""

from __future__ import annotations

import inspect

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
    told = [line.split(":")[0].strip() for line in lines if line.strip()]
    assert "OutOfDomain" in told
    assert all(issubclass(getattr(verify, error), verify.SgmError) for error in told)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_comes_back_is_told(name: str) -> None:
    assert sections(getattr(verify, name))["Returns"].strip()


@pytest.mark.parametrize("name", verify.__all__)
def test_everything_public_has_a_docstring(name: str) -> None:
    thing = getattr(verify, name)
    assert isinstance(thing, str) or inspect.getdoc(thing)
