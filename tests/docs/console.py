"""Commands as pages show them: a block of ``console`` holds ``$ command`` lines, each with what it prints.

A line ``...`` of the output stands for any lines. ``python -m tests.docs.console PAGE...`` runs the commands and
writes what they print into the pages (blocks with ``...`` are left alone).
"""

from __future__ import annotations

import doctest
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
_MAIN = 'import sys; sys.argv[0] = "sgm-verify"; from verify.cli import main; main()'
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A command, what it should print (both streams), and with which exit code it should end."""

    command: str
    expected: str

    @property
    def code(self) -> int:
        found = re.search(r"# exit code (\d+)$", self.command)
        return int(found[1]) if found else 0


def blocks(text: str) -> list[str]:
    return _BLOCK.findall(text)


def examples(block: str) -> Iterator[Example]:
    """
    >>> list(examples("$ one\\n1\\n$ two # exit code 2\\n"))[1].code
    2
    """
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield Example(command, expected)


def run(command: str, folder: Path) -> tuple[int, str]:
    """As a person would, in a terminal 80 columns wide."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    for name, words in (
        ("sgm-verify", f"-c '{_MAIN}'"),
        ("python", ""),
    ):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nexec {sys.executable} {words} "$@"\n')
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SGM": str(ROOT),
        "COLUMNS": "80",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout


_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[-+]\d+)?(?![\w.])")


def alike(expected: str, got: str) -> bool:
    """Equal, where ``...`` stands for anything; a number may have more or fewer certain digits.

    >>> alike("x = 0.123457\\n", "x = 0.12345678\\n"), alike("x = 0.1234\\n", "x = 0.1244\\n")
    (True, False)
    """
    if doctest.OutputChecker().check_output(expected, got, doctest.ELLIPSIS):
        return True
    if _NUMBER.sub("#", expected).split() != _NUMBER.sub("#", got).split():
        return False
    pairs = zip(_NUMBER.findall(expected), _NUMBER.findall(got), strict=True)
    return all(_same(Decimal(one), Decimal(other)) for one, other in pairs)


def _same(one: Decimal, other: Decimal) -> bool:
    """Whether the one with more digits rounds to the other: both are of one number."""
    shorter, longer = sorted((one, other), key=lambda x: -int(x.as_tuple().exponent))
    last = Decimal((0, (1,), int(shorter.as_tuple().exponent)))
    return len(shorter.as_tuple().digits) >= 3 and abs(shorter - longer) <= last / 2


def _renewed(block: str, folder: Path) -> str:
    shown = []
    for example in examples(block):
        code, got = run(example.command, folder)
        if code != example.code:
            sys.exit(f"{example.command}: exit code {code}\n{got}")
        keep = "..." in example.expected and alike(example.expected, got)
        shown.append(f"$ {example.command}\n{example.expected if keep else got}")
    return f"```console\n{''.join(shown)}```"


def main(pages: list[str]) -> None:
    for page in map(Path, pages):
        with TemporaryDirectory() as folder:
            text = page.read_text(encoding="utf-8")
            page.write_text(
                _BLOCK.sub(lambda found: _renewed(found[1], Path(folder)), text),
                encoding="utf-8",
            )


if __name__ == "__main__":
    main(sys.argv[1:])
