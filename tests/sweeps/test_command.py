"""sgm-verify sweep, as its users meet it."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.sweeps import injecting
from tests.sweeps.injecting import finish, half_finished, has_rows, start, write_spec

SPEC = '[compute]\nwhat = "epsilon"\n[[points]]\nq = [0.01, 0.1]\nsigma = 1\nalpha = [2, 3]\n'
ROOT = Path(__file__).parents[2]


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    return path


def test_a_sweep_says_what_it_did(spec, tmp_path):
    done = finish(spec, "--out", tmp_path / "x.sqlite", "--export", tmp_path / "x.csv", "--jobs", 1)
    assert done.returncode == 0
    assert "x.sqlite: complete, 4 rows (4 value)" in done.stdout
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 5


def test_json_has_the_closing_record(spec, tmp_path):
    done = finish(spec, "--out", tmp_path / "x.sqlite", "--json", "--jobs", 0)
    found = json.loads(done.stdout)
    assert (found["points"], found["rows"], found["counts"]) == (4, 4, {"value": 4})


def test_a_finished_file_is_exported_without_its_spec(spec, tmp_path):
    finish(spec, "--out", tmp_path / "x.sqlite", "--jobs", 0)
    done = finish("--out", tmp_path / "x.sqlite", "--export", tmp_path / "x.parquet")
    assert done.returncode == 0
    assert (tmp_path / "x.parquet").exists()


def test_errors_show_in_counts_and_exit_code(spec, tmp_path):
    done = finish(spec, "--out", tmp_path / "x.sqlite", "--jobs", 0, "--max-seconds", "1e-9")
    assert done.returncode == 1
    assert "4 error" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.toml", "--out", "x.sqlite"], "cannot be read"),
        (["frontier"], "--out FILE is missing"),
        (["frontier", "--out", "x.sqlite", "--export", "x.xlsx"], ".csv or .parquet"),
        (["frontier", "--out", "x.sqlite", "--export", "no/where.csv"], "no directory"),
        (["frontier", "--out", "no/where.sqlite"], "cannot be written"),
        (["frontier", "--out", "x.sqlite", "--library", "opacus"], "asks no library"),
        (["frontier", "--out", "x.sqlite", "--jobs", "-1"], "--jobs"),
        (["frontier", "--out", "x.sqlite", "--max-seconds", "nan"], "max_seconds"),
        (["--out", "nothing.sqlite"], "no such file"),
        (["frontier", "--out", "x.sqlite", "--dask", "nowhere.json"], "no such scheduler file"),
        (["frontier", "--out", "x.sqlite", "--dask", "::::"], "must be tcp://HOST:PORT"),
        (["frontier", "--out", "x.sqlite", "--dask", "127.0.0.1:1"], "no scheduler answers"),
    ],
)
def test_bad_input_gets_one_line(tmp_path, words, said):
    program = Path(sys.executable).with_name("sgm-verify")
    done = subprocess.run([program, "sweep", *words], cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_many_points_need_a_yes(tmp_path):
    path = tmp_path / "many.toml"
    path.write_text(SPEC.replace("[2, 3]", "{ from = 2, to = 3, count = 500000000000 }"))
    done = finish(path, "--out", tmp_path / "x.sqlite")
    assert done.returncode == 2
    assert "1,000,000,000,000 points" in done.stderr
    assert not (tmp_path / "x.sqlite").exists()


def test_no_resume_refuses_an_existing_file(spec, tmp_path):
    half = write_spec(tmp_path)
    half_finished(half, tmp_path / "x.sqlite")
    done = finish(half, "--out", tmp_path / "x.sqlite", "--no-resume")
    assert done.returncode == 2
    assert "exists already" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_ends_at_once_and_can_go_on(tmp_path, number):
    spec, file = write_spec(tmp_path), tmp_path / "x.sqlite"
    process = start(spec, "--out", file)
    while not has_rows(file):
        time.sleep(0.01)
    process.send_signal(number)
    _, log = process.communicate()
    assert process.returncode == 130
    assert b"run the same command again to continue" in log
    assert b"Traceback" not in log
    assert not injecting.children(process.pid)


def test_a_point_that_kills_its_worker_is_named_and_everything_else_is_done(tmp_path):
    client = tmp_path / "client.py"
    client.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if asked['alpha'] == 7.0:\n"  # its parent is the warden, the parent of that the worker
        "        os.kill(int(open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]), 9)\n"
        "    print(json.dumps({'id': asked['id'], 'value': 1.0}), flush=True)\n"
    )
    spec = tmp_path / "spec.toml"
    spec.write_text(
        f'[compute]\nwhat = "library"\ncommand = "{sys.executable} {client}"\n'
        "[[points]]\nq = 0.5\nsigma = 1\nalpha = { from = 2, to = 30, step = 1 }\n"
    )
    done = finish(spec, "--out", tmp_path / "x.sqlite", "--jobs", 2)
    assert done.returncode == 1
    assert "WorkerDied" in done.stderr
    assert "point 5 (q = 0.5, sigma = 1, alpha = 7): the worker died 3 times" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    connection = sqlite3.connect(tmp_path / "x.sqlite")
    assert connection.execute("SELECT count(*) FROM results").fetchone() == (28,)
    connection.close()


def test_a_library_is_judged_at_every_point(tmp_path):
    spec = tmp_path / "spec.toml"
    client = ROOT / "examples" / "client.py"
    spec.write_text(
        f'[compute]\nwhat = "library"\ncommand = "{sys.executable} {client}"\n'
        "[[points]]\nrandom = { count = 30, seed = 1 }\n"
        'q = { from = "1e-3", to = "0.5", scale = "log" }\n'
        'sigma = { from = "0.5", to = 10, scale = "log" }\nalpha = { from = 2, to = 60, whole = true }\n'
    )
    done = finish(spec, "--out", tmp_path / "x.sqlite", "--jobs", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    connection = sqlite3.connect(tmp_path / "x.sqlite")
    (worst,) = connection.execute("SELECT max(abs(relative_error)) FROM results").fetchone()
    connection.close()
    assert 0 < worst < 1e-9


def test_everything_built_in_is_listed():
    done = finish("--list")
    for name in ("frontier", "slack", "library-errors", "million", "bound-ratio"):
        assert name in done.stdout


def test_progress_is_told_with_rate_and_time_left():
    from verify.sweeps.progress import _Lines

    lines = _Lines(1000, 200)
    lines.done = 600
    assert lines.line(seconds=4.0) == "600 of 1,000 points, 100/s, 4 s left"


def test_a_sweep_needs_no_standard_output(spec, tmp_path):
    words = injecting.command(spec, "--out", tmp_path / "x.sqlite", "--jobs", 0)
    script = ["sh", "-c", '"$@" >&-', "sh", *words]
    done = subprocess.run(script, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
