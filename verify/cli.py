"""The command line: finds the command, and turns every expected error into one line.

Exit codes: 0 done, 1 no answer or a check failed, 2 bad input, 130 interrupted. With ``--json``, standard
output holds JSON whatever happens: an error is one object there, besides its line on standard error. A
command lives in a module of its own below ``verify.commands``, loaded only when it is called: a cold
start of ``sgm-verify value`` must not pay for the others.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
from types import FrameType

import click

import verify
from verify.commands.suggest import did_you_mean
from verify.numbers.errors import OutOfDomain, SgmError
from verify.support.extras import what_to_install

COMMANDS = {
    "value": "certified ln A, ln B and epsilon at one point or many",
    "epsilon": "the exact epsilon of a training run at a delta, and by way of RDP",
    "delta": "the exact delta of a training run at an epsilon",
    "calibrate": "the least noise, most steps or largest rate for a target",
    "curve": "delta over epsilon, as a table and as a drawing",
    "statement": "what may be said about a run's privacy: a paragraph for a model card",
    "samplings": "a run in every sampling and relation: what is exact, a bracket or refused",
    "bounds": "the closed-form bounds of the paper's Table 1 at a point",
    "claims": "the paper's claims: verdicts, evidence, and checking them",
    "audit": "whether certified intervals contain the truth, at random and adversarial points",
    "vectors": "test vectors with certified values: list, show, verify, generate",
    "prove": "a Coq theorem about one number: too small, valid, or where epsilon lies",
    "check": "judge any other implementation, in any language",
    "accountants": "judge whole accountants by the exact epsilon of training runs",
    "sweep": "any computation at millions of points, resumable, over processes or a cluster",
    "report": "run the verification and write the report",
    "schema": "the JSON Schema of every file the project writes",
    "bench": "speed of the certified engine, as ratios in one run",
}


class LazyGroup(click.Group):
    """Commands by name, imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"verify.commands.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            raise click.UsageError(
                f"no command {name!r:.60}{did_you_mean(name, COMMANDS)}"
                " (sgm-verify --help lists them)"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(verify.__version__, prog_name="sgm-verify")
def cli() -> None:
    """Ground truth for the Rényi divergence of the sampled Gaussian mechanism.

    \b
    Try:  sgm-verify value --q 0.01 --sigma 1.1 --alpha 8.5
    """


def main() -> None:
    """Entry point of the console script."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted_once)
    try:
        code = _outcome()
        if sys.stdout is not None:  # the program that started this one has closed its output
            sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        _discard_output()
        code = 0
    except OSError as error:  # a full disk, a folder that cannot be written to
        if error.filename is None:
            _discard_output()
        where = error.filename or "the output"
        code = _complain("Unwritable", f"{where}: {error.strerror or error}", 1)
    sys.exit(code)


def _outcome() -> int:
    """Run the command, print every expected error, and return the exit code."""
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        kind = type(error.__cause__).__name__ if error.__cause__ else "BadUsage"
        return _complain(kind, error.format_message(), 2)
    except OutOfDomain as error:
        return _complain(type(error).__name__, str(error), 2)
    except SgmError as error:
        return _complain(type(error).__name__, str(error), 1, named=True)
    except ModuleNotFoundError as error:
        return _complain("NotInstalled", what_to_install(error), 2)
    except (click.Abort, KeyboardInterrupt) as error:
        return _complain("Interrupted", _interruption(error), 130)
    except SystemExit as error:
        code = error.code
    return code if isinstance(code, int) else 0


def _interrupted_once(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C once. The clean-up that follows must not be interrupted by a second one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _interruption(error: BaseException) -> str:
    """A command may say what state it leaves; click wraps the interruption that says it."""
    said = str(error.__cause__ or error)
    return f"interrupted; {said}" if said else "interrupted"


def _complain(kind: str, message: str, code: int, named: bool = False) -> int:
    """One line on standard error; with --json one object on standard output as well."""
    line = " ".join(message.split())
    if "--json" in sys.argv[1:]:
        told = {"error": {"kind": kind, "message": line, "exit_code": code}}
        with contextlib.suppress(OSError):  # it may be the output that is broken
            click.echo(json.dumps(told, ensure_ascii=False))
    click.echo(f"sgm-verify: {kind}: {line}" if named else f"sgm-verify: {line}", err=True)
    return code


def _discard_output() -> None:
    """Discard what is left in the buffer. Otherwise the interpreter prints an error when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
