"""Text for people is as wide as their terminal, and the same everywhere where there is none."""

from __future__ import annotations

import io
import os
import shutil

import pytest

from verify.support.screen import width


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "wide"), [(60, 60), (200, 80), (12, 40)])
def test_it_is_that_of_the_terminal(monkeypatch, columns: int, wide: int) -> None:
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((columns, 24)))
    assert width() == wide


def test_a_pipe_has_eighty_columns_whatever_the_terminal_has(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert width() == 80
