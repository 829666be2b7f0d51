"""Text for people is as wide as their terminal, and the same everywhere where there is none."""

from __future__ import annotations

import io
import os
import shutil

import pytest

from verify.support.screen import blocks, fitted, table, width


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


@pytest.fixture
def narrow(monkeypatch) -> None:
    """A terminal of 40 columns."""
    monkeypatch.setattr("verify.support.screen.width", lambda: 40)


LONG = "why             a reason that needs a second line on a narrow page"
HEAD = ("run", "answer", "why")
ROWS = [("one", "exact", ""), ("another", "bracket", "no pair is known that dominates it")]


def line(*cells: str) -> str:
    return "".join(f"{cell:<20}" for cell in cells).rstrip()


def test_a_file_gets_text_and_tables_as_they_are() -> None:
    assert fitted(LONG) == LONG
    assert table(HEAD, ROWS, line) == [line(*row) for row in (HEAD, *ROWS)]


def test_a_long_line_is_folded_below_its_second_column(narrow: None) -> None:
    assert fitted(LONG + "\n  short") == (
        "why             a reason that needs a\n"
        "                second line on a narrow\n"
        "                page\n"
        "  short"
    )


def test_a_long_word_is_never_broken(narrow: None) -> None:
    digest, path = "d" * 38, "/" + "p" * 50
    assert fitted(f"SHA-256         {digest}") == f"SHA-256\n  {digest}"
    assert fitted(f"  file  {path}").split() == ["file", path]


def test_a_table_that_fits_stays_one(narrow: None) -> None:
    assert table(HEAD, ROWS[:1], line) == ["run  answer  why", "one  exact"]  # moved together
    assert table(("a", "b"), [("c", "d")], line) == [line("a", "b"), line("c", "d")]


def test_a_table_that_is_too_wide_becomes_blocks(narrow: None) -> None:
    assert table(HEAD, ROWS, line) == [
        "run",
        "one",
        "  answer: exact",
        "another",
        "  answer: bracket, why: no pair is known\n  that dominates it",
    ]


def test_a_cell_that_has_room_on_a_line_is_not_torn(narrow: None) -> None:
    assert blocks(("", "a", "b"), [("x", "1 1 1 1 1 1 1 1 1 1 1", "2 2 2 2 2 2")]) == [
        "x",
        "  a: 1 1 1 1 1 1 1 1 1 1 1,\n  b: 2 2 2 2 2 2",
    ]
