"""What holds of every command: JSON, full disks, mistyped words, completion, 80 columns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.patience import PATIENCE
from verify.cli import COMMANDS, cli
from verify.commands.suggest import did_you_mean

COMMAND = [sys.executable, "-c", "from verify.cli import main; main()"]
POINT = ["--q", "0.01", "--sigma", "1.1", "--alpha", "8.5"]


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        stdout=options.pop("stdout", subprocess.PIPE),  # type: ignore[call-overload]  # a file, or the pipe
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=False,
        **options,
    )


def commands() -> dict[str, click.Command]:
    """Every command and command of a group, by its words."""
    found: dict[str, click.Command] = {}
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            found |= {f"{name} {sub}": below for sub, below in command.commands.items()}
        else:
            found[name] = command
    return found


@pytest.mark.parametrize("name", commands())
def test_json_is_a_flag_of_every_command(name: str) -> None:
    options = {o: p for p in commands()[name].params for o in p.opts}
    assert isinstance(options["--json"], click.Option)
    assert options["--json"].is_flag


@pytest.mark.parametrize(
    ("arguments", "kind", "code"),
    [
        (("value", "--q", "2", "--sigma", "1", "--alpha", "2"), "OutOfDomain", 2),
        (("value", *POINT, "--max-seconds", "1e-9"), "BudgetExceeded", 1),
        (("epsilon", "--q", "x", "--sigma", "1", "--steps", "1", "--delta", "0.1"), "OutOfDomain", 2),
        (("bounds", "--q", "0.1"), "BadUsage", 2),
        (("check", "--command", ""), "OutOfDomain", 2),
        (("schema", "poem"), "OutOfDomain", 2),
        (("nonsense",), "BadUsage", 2),
        (("value", "--nonsense"), "BadUsage", 2),
        (("curve", "--q", "1", "--sigma", "9", "--steps", "1", "--to", "1", "--svg", "/none/x.svg"), "Unwritable", 1),
    ],
)  # fmt: skip
def test_an_error_is_json_too(arguments: tuple[str, ...], kind: str, code: int) -> None:
    done = run(*arguments, "--json")
    error = json.loads(done.stdout)["error"]
    assert (error["kind"], error["exit_code"], done.returncode) == (kind, code, code)
    assert done.stderr.count("\n") == 1
    assert error["message"] in done.stderr


def test_without_json_an_error_is_one_line_and_no_output() -> None:
    done = run("value", "--q", "2", "--sigma", "1", "--alpha", "2")
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ("value", *POINT, "--digits", "9"),
        ("value", *POINT, "--digits", "9", "--json"),
        ("value", "--q", "0.1", "--sigma", "1", "--alpha", "2,3", "--digits", "9"),
        ("schema",),
        ("check", "--list"),
        ("--help",),
    ],
)
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(*arguments, stdout=full)
    assert done.returncode == 1
    assert done.stderr == "sgm-verify: the output: No space left on device\n"


@pytest.mark.parametrize(
    ("typed", "meant"), [("valu", "value"), ("eps", "epsilon"), ("claim", "claims"), ("chekc", "check")]
)  # fmt: skip
def test_a_mistyped_command_gets_a_suggestion(typed: str, meant: str) -> None:
    done = run(typed)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"did you mean {meant}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_nothing_is_suggested_where_nothing_is_alike() -> None:
    assert did_you_mean("xyzzy", COMMANDS) == ""


def test_a_shell_completes_commands_and_options() -> None:
    def completed(words: str) -> str:
        asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
        program = "import sys; sys.argv[0] = 'sgm-verify'; from verify.cli import main; main()"
        return subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "_SGM_VERIFY_COMPLETE": "bash_complete", **asked},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        ).stdout

    assert completed("sgm-verify cal").split() == ["plain,calibrate"]
    assert "plain,--cross-check" in completed("sgm-verify value --cr").split()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("value", *POINT, "--cross-check", "--digits", "20"),
        ("bounds", "--q", "0.01", "--sigma", "4", "--alpha", "14"),
        ("audit", "--points", "30", "--jobs", "0"),
        ("schema",),
        ("sweep", "--list"),
        ("check", "--list"),
        *((*name.split(), "--help") for name in commands()),
    ],
)
def test_text_fits_80_columns(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert [line for line in (done.stdout + done.stderr).splitlines() if len(line) > 80] == []
