"""A terminal of 60 columns: no line of a table is longer; wide terminals and pipes get what they always got."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from functools import cache

import pytest

from tests.patience import PATIENCE

RUN = "--q 0.01 --sigma 1.1 --steps 100"
LOADER = "--records 5000 --batch 501 --epochs 2 --sigma 2 --delta 1e-5"
RUNS = """name,records,batch,epochs,sigma,sampling,relation,delta
a run with a name,5000,501,2,2,poisson,replace-one,1e-5
another one,5000,501,2,2,shuffle,replace-one,1e-5
"""
TABLES = (
    "samplings", "samplings --records 10 --batch 10 --epochs 1 --sigma 2 --delta 1e-5", "claims", "claims --errata", "claims main-theorem", "vectors list --notes",
    "accountants --list", "check --list", "sweep --list", "schema",
    "value --q 0.01 --sigma 1.1 --alpha 8.5", f"epsilon {RUN} --delta 1e-5 --cross-check",
    f"epsilon {LOADER} --sampling shuffle", f"calibrate {LOADER.replace('--sigma 2', '--epsilon 1')}",
    f"curve {LOADER.replace('--delta 1e-5', '--to 2 --points 3 --digits 40')}", "bounds --q 0.01 --sigma 1.1 --alpha 8.5",
    f"bounds {RUN} --delta 1e-5", "statement --runs runs.csv", "audit --points 20",
)  # fmt: skip
Printed = Callable[[int | None], dict[str, list[str]]]


END = "\x1e"
PROGRAM = f"""
import sys
from verify.cli import cli
for words in sys.argv[1:]:
    cli.main(words.split(), standalone_mode=False)
    print({END!r}, flush=True)
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """What the commands print on a terminal of so many columns; to a pipe without."""
    folder = tmp_path_factory.mktemp("narrow")
    (folder / "runs.csv").write_text(RUNS)

    @cache
    def every(columns: int | None) -> dict[str, list[str]]:
        environment = {k: v for k, v in os.environ.items() if k != "FORCE_COLOR"}
        environment |= {"COLUMNS": str(columns or 60), "TERM": "xterm", "NO_COLOR": "1"}
        mine, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *TABLES],
            stdin=subprocess.DEVNULL,
            stdout=theirs if columns else subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=folder,
        )
        os.close(theirs)
        if columns:
            said = b"".join(iter(lambda: received(mine), b""))
        else:
            said = process.communicate(timeout=20 * PATIENCE)[0]
        os.close(mine)
        assert process.wait(PATIENCE) == 0, said.decode()
        *answers, _ = said.decode().replace("\r", "").split(f"{END}\n")
        return {words: text.splitlines() for words, text in zip(TABLES, answers, strict=True)}

    return every


def received(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the program has ended
        return b""


def too_long(lines: list[str], columns: int) -> list[str]:
    """Lines that are wider, but for commands to copy, and words that cannot be broken."""
    return [
        line
        for line in lines
        if len(line) > columns and "sgm-verify " not in line and len(line.split()) > 1
    ]


@pytest.mark.parametrize("words", TABLES)
def test_no_line_is_longer_than_a_narrow_terminal(printed: Printed, words: str) -> None:
    assert too_long(printed(60)[words], 60) == []


@pytest.mark.parametrize("words", [w for w in TABLES if not w.startswith("audit")])  # seconds
def test_wide_terminals_and_pipes_are_served_alike(printed: Printed, words: str) -> None:
    assert printed(100)[words] == printed(None)[words]


@pytest.mark.parametrize("words", TABLES)
def test_there_is_something_to_see(printed: Printed, words: str) -> None:
    """What these commands print to a pipe is wider, so that the first test could fail."""
    assert too_long(printed(None)[words], 60)
