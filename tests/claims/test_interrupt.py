"""Ctrl-C while claims are checked: the end, at once, and nothing stays behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.patience import PATIENCE, hears_interrupts

ENDLESS = '''
import os, pathlib, time
from verify.claims import claim, symbolic

def wait_for_ever():
    (pathlib.Path(os.environ["TOY_PIDS"]) / str(os.getpid())).touch()
    while True:
        time.sleep(1)

@claim("toy/first", lines="1", kind="identity", domain="x", statement="x", unbreakable="endless")
def first():
    """Never ends."""
    wait_for_ever()
    yield symbolic()

@claim("toy/second", lines="2", kind="identity", domain="x", statement="x", unbreakable="endless")
def second():
    """Never ends."""
    wait_for_ever()
    yield symbolic()
'''
PROGRAM = """
import sys
from verify import cli
from verify.claims import Paper
from verify.claims.discovery import Installed, discover
toy = Paper("endless_claims")
if __name__ == "__main__":
    given = Installed(discover([toy]), (toy,))
    main, cli.cli.main = cli.cli.main, lambda **options: main(obj=given, **options)
    cli.main()
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def waited_for(true: object) -> None:
    end = time.monotonic() + PATIENCE
    while not true():  # type: ignore[operator]  # a function without arguments
        assert time.monotonic() < end, "hangs"
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize(("jobs", "signals"), [(1, 1), (2, 1), (2, 3)])
def test_ctrl_c_ends_everything_at_once(tmp_path: Path, jobs: int, signals: int) -> None:
    (tmp_path / "endless_claims").mkdir()
    (tmp_path / "endless_claims" / "__init__.py").write_text("")
    (tmp_path / "endless_claims" / "section.py").write_text(ENDLESS)
    (tmp_path / "program.py").write_text(PROGRAM)
    pids = tmp_path / "pids"
    pids.mkdir()
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    command = [sys.executable, str(tmp_path / "program.py")]
    run = subprocess.Popen(
        [*command, "claims", "--check", "--json", "--jobs", str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "TOY_PIDS": str(pids)},
        start_new_session=True,
        preexec_fn=hears_interrupts,
    )
    try:
        waited_for(lambda: len(list(pids.iterdir())) == jobs)
        for _ in range(signals):  # a terminal sends it to the whole group; people press it again
            os.killpg(run.pid, signal.SIGINT)
            time.sleep(0.02)
        out, err = run.communicate(timeout=PATIENCE)
    finally:
        run.kill()
    assert run.returncode == 130
    assert json.loads(out)["error"]["kind"] == "Interrupted"
    assert [line for line in err.splitlines() if line] == ["claims (2)", "sgm-verify: interrupted"]
    waited_for(lambda: not any(alive(int(p.name)) for p in pids.iterdir()))
