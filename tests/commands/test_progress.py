"""Progress goes to standard error, as bars or as lines; never to standard output."""

from __future__ import annotations

import sys

import pytest

from verify.commands import progress


def two_parts():
    with progress.parts() as (begin, advance):
        for name in ("one", "two"):
            begin(name, 2)
            advance()
            advance()


def test_plain_lines_where_nobody_sees_a_bar(capsys):
    two_parts()
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "one (2)\ntwo (2)\n")


def test_a_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    two_parts()
    said = capsys.readouterr()
    assert said.out == ""
    assert "two" in said.err
    assert "2/2" in said.err


def test_a_bar_names_what_runs(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with progress.parts() as (begin, advance):
        begin("claims", 3, "the first")
        advance("the second")
    assert "now the first" in capsys.readouterr().err


def interrupted():
    with progress.parts() as (begin, _):
        begin("one", 2)
        raise KeyboardInterrupt


def test_an_interruption_ends_the_bar_and_comes_through(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert capsys.readouterr().out == ""
