"""sgm-verify vectors, from the outside."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.patience import PATIENCE
from verify.vectors.store import DATA

ID = "dp-sgd/q=0.0005,sigma=1.0,alpha=8.0"


def sgm(*arguments):
    command = [sys.executable, "-c", "from verify.cli import main; main()", "vectors", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_list():
    done = sgm("list", "--flag", "EarlyStop", "--notes")
    assert done.returncode == 0
    assert "EarlyStop" in done.stdout
    assert "catches:" in done.stdout


def test_list_ids():
    ids = sgm("list", "--ids", "--group", "infinite-order").stdout.split("\n")
    assert len(ids) == 11
    assert all(i.startswith("infinite-order/") for i in ids[:-1])


def test_show():
    done = sgm("show", ID)
    assert done.returncode == 0
    assert "confirmed by series, quadrature" in done.stdout


def test_show_has_the_enclosure_that_the_kernel_checked():
    done = sgm("show", "dp-sgd/q=0.0005,sigma=2.0,alpha=4.0")
    assert "rdp is between 1.420568469e-7 and 1.420568471e-7: a theorem" in done.stdout


def test_show_json():
    assert json.loads(sgm("show", ID, "--json").stdout)["id"] == ID


def test_a_mistyped_id_gets_a_suggestion():
    assert f"did you mean {ID}" in sgm("show", ID.replace("sgd", "sdg")).stderr


def test_list_and_verify_as_json():
    listed = json.loads(sgm("list", "--flag", "EarlyStop", "--notes", "--ids", "--json").stdout)
    assert listed["flags"]["EarlyStop"] == listed["vectors"] == len(listed["ids"])
    assert "catches" in listed["notes"]["EarlyStop"]
    found = json.loads(sgm("verify", "--sample", "3", "--jobs", "1", "--json").stdout)
    assert (found["recomputed"], found["differences"]) == (3, [])


@pytest.mark.parametrize("arguments", [("list", "--notes"), ("show", ID)])
def test_text_fits_80_columns(arguments):
    assert max(map(len, sgm(*arguments).stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    "arguments", [("show", "nonsense"), ("verify", "--sample", "0"), ("generate",)]
)
def test_bad_input_is_one_line(arguments):
    done = sgm(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_verify_a_sample():
    done = sgm("verify", "--sample", "20", "--jobs", "1")
    assert done.returncode == 0
    assert "20 of" in done.stdout
    assert "every digit agrees" in done.stdout


def test_verify_finds_a_changed_value(tmp_path):
    """A forger who repairs the checksum is still found."""
    import hashlib

    root = tmp_path / "data"
    shutil.copytree(DATA, root)
    path = root / "infinite-order.json"
    before = path.read_bytes()
    after = before.replace(b'"lo":"0.693147', b'"lo":"0.693146')
    assert before != after
    path.write_bytes(after)
    manifest = (root / "manifest.json").read_text()
    old, new = (hashlib.sha256(data).hexdigest() for data in (before, after))
    (root / "manifest.json").write_text(manifest.replace(old, new))
    done = sgm("verify", "--group", "infinite-order", "--data", str(root), "--jobs", "1")
    assert done.returncode == 1
    assert "not reproduced" in done.stderr
    told = sgm("verify", "--group", "infinite-order", "--data", str(root), "--jobs", "1", "--json")
    assert told.returncode == 1
    assert json.loads(told.stdout)["differences"]
