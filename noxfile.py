"""The suite on every Python that is installed: nox, or nox -s tests-3.12."""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = False


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """pytest, on two cores."""
    session.install("-c", "constraints.txt", "-e", ".[dev]")
    session.run("python", "-m", "pytest", "-n", "2", "--dist", "loadfile", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """ruff and mypy."""
    session.install("-c", "constraints.txt", "-e", ".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
