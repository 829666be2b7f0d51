"""The file under attack: kills, readers, damage, other versions, other names."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweeps.injecting import finish
from tests.sweeps.test_run import OVERLAPPING, SMALL, rows, spec, swept
from verify.numbers.errors import OutOfDomain
from verify.parallel import Here
from verify.sweeps import database, schema, work
from verify.sweeps import run as running
from verify.sweeps.checksum import hash_of
from verify.sweeps.computations import Outcome, Status
from verify.sweeps.database import SweepFailed
from verify.sweeps.export import export
from verify.sweeps.place import FileInUse, file_system, is_network, lock
from verify.sweeps.run import How
from verify.sweeps.store import Store

ROOT = Path(__file__).parents[2]


@pytest.fixture
def toml(tmp_path):
    path = tmp_path / "spec.toml"
    path.write_text(SMALL)
    return path


def change(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


# -- kills -----------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler for the step that kills")
@pytest.mark.parametrize("journal", ["wal", "rollback"])
def test_killed_at_any_step_on_the_disk_it_is_finished_by_the_next_run(tmp_path, journal):
    library, source = tmp_path / "dying.so", Path(__file__).with_name("dying_sync.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    words = [sys.executable, "-m", "tests.sweeps.killed", tmp_path, journal]
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


# -- readers and copies ----------------------------------------------------------------


def half_done(path: Path, journal: str = "wal", text: str = SMALL) -> None:
    with Store.begin(path, spec(text), journal) as store:
        store.write(work.compute(work.Batch(spec(text).text, 0, 10, frozenset(), 9, 60)), 0)
        store.commit()


def test_a_log_that_a_reader_keeps_from_being_folded_is_told_and_folded_by_the_next_run(
    toml, tmp_path
):
    path, copy = tmp_path / "x.sqlite", tmp_path / "copy.sqlite"
    half_done(path)
    with contextlib.closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM results").fetchone()
        done = finish(toml, "--out", path, "--jobs", 0)
        assert done.returncode == 0
        assert "a reader has it open, so that x.sqlite-wal still belongs to it" in done.stderr
    done = finish("--out", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert {entry.name for entry in tmp_path.iterdir()} == {"spec.toml", "x.sqlite"}
    shutil.copy(path, copy)
    with Store.read(copy) as store:
        store.verify()


def test_a_log_that_an_idle_reader_kept_is_folded_by_the_next_run_as_well(toml, tmp_path):
    path = tmp_path / "x.sqlite"
    half_done(path)
    with contextlib.closing(sqlite3.connect(path)) as reader:
        reader.execute("SELECT * FROM results").fetchall()
        done = finish(toml, "--out", path, "--jobs", 0)
        assert "a reader has it open" in done.stderr
    done = finish("--out", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert path.read_bytes()[18:20] == b"\x01\x01"
    assert {entry.name for entry in tmp_path.iterdir()} == {"spec.toml", "x.sqlite"}


def test_a_finished_file_that_is_opened_again_stays_plain(tmp_path):
    path = tmp_path / "x.sqlite"
    swept(path)
    before = path.read_bytes()
    swept(path)
    swept(path, how=How(retry_errors=True))
    assert b"\x01\x01" == before[18:20] == path.read_bytes()[18:20]


def test_a_copy_without_its_log_is_told_what_it_lacks(toml, tmp_path):
    path, copy = tmp_path / "x.sqlite", tmp_path / "copy.sqlite"
    with Store.begin(path, spec(), "wal"):
        shutil.copy(path, copy)
    done = finish("--out", copy)
    assert done.returncode == 2
    assert "copy.sqlite-wal, which belongs to it, was not copied with it" in done.stderr


# -- damage ----------------------------------------------------------------------------

DAMAGE = {
    "one ulp": "UPDATE results SET epsilon = epsilon * (1 + 2.3e-16) WHERE point = 9",
    "one digit": "UPDATE results SET epsilon_lo = '1' || epsilon_lo WHERE point = 9",
    "a status": "UPDATE results SET status = 'none' WHERE point = 9",
    "an index": "UPDATE results SET point = 17 WHERE point = 9",
    "a kind": "UPDATE results SET note = x'00' WHERE point = 9",
    "a row less": "DELETE FROM results WHERE point = 9",
    "a row too many": "INSERT INTO results (point, q_exact, sigma_exact, alpha_exact, status, note) "
    "VALUES (24, '', '', '', 'value', '')",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_half_finished_file_with_a_changed_row_is_never_closed(tmp_path, damage):
    path = tmp_path / "x.sqlite"
    half_done(path)
    change(path, DAMAGE[damage])
    with pytest.raises(SweepFailed, match="move it away and run again"):
        swept(path)
    with Store.read(path) as store:
        assert store.closed is None


def test_two_rows_that_changed_places_are_noticed(tmp_path):
    path = tmp_path / "x.sqlite"
    half_done(path)
    change(
        path,
        "UPDATE results SET point = -1 WHERE point = 6",
        "UPDATE results SET point = 6 WHERE point = 7",
        "UPDATE results SET point = 7 WHERE point = -1",
    )
    with pytest.raises(
        SweepFailed, match="points 0 to 9: these are not the rows that were written"
    ):
        swept(path)


def test_errors_are_not_tried_again_in_a_range_that_was_changed(tmp_path):
    path = tmp_path / "x.sqlite"
    swept(path, how=How(max_seconds=1e-9))
    change(path, DAMAGE["a status"])
    with pytest.raises(SweepFailed, match="these are not the rows that were written"):
        swept(path, how=How(retry_errors=True))


ONE = '[compute]\nwhat = "epsilon"\n[[points]]\nq = 0.5\nsigma = 1\nalpha = 2'


def kept(path: Path, monkeypatch, outcome: Outcome) -> tuple[object, ...]:
    """Status, note and columns of a point where a computation says this, as they are in a closed file."""
    monkeypatch.setattr(work, "_prepare_run", lambda text: lambda where, seconds: outcome)
    chunk = work.compute(work.Batch(spec(ONE).text, 0, 1, frozenset(), 9, 60))
    with Store.begin(path, spec(ONE), "wal") as store:
        store.write(chunk, 0)
        store.finish()
        store.verify()
        return next(store.rows())[7:]


@pytest.mark.parametrize(
    ("given", "found"),
    [(-0.0, 0.0), (1, 1.0), (2**62 + 1, 2.0**62), (5e-324, 5e-324), (float("inf"), float("inf")), (None, None)],
)  # fmt: skip
def test_what_sqlite_keeps_differently_is_no_damage(tmp_path, monkeypatch, given, found):
    said = Outcome(Status.VALUE, "", (given, 1.0, "1", "1"))
    assert kept(tmp_path / "x.sqlite", monkeypatch, said)[2] == found


@pytest.mark.parametrize("note", ["a\ud800b", "a\0b", "a\x1b[31mb", "a\rb"])
def test_a_note_that_no_text_file_can_hold_is_spelled_out(tmp_path, monkeypatch, note):
    said = Outcome(Status.VALUE, note, (1.0, 1.0, "1", "1"))
    assert kept(tmp_path / "x.sqlite", monkeypatch, said)[1].startswith("a\\")


MISFITS = [(10**400, 1.0, "1", "1"), (float("nan"), 1.0, "1", "1"), ("1", 1.0, "1", "1"), (1.0, 1.0, 1, "1"),
           (1.0, 1.0, "\ud800", "1"), (1.0, 1.0, b"1", "1"), (1.0, 1.0, "1")]  # fmt: skip


@pytest.mark.parametrize("values", MISFITS)
def test_what_no_column_can_hold_is_an_error_of_the_point(tmp_path, monkeypatch, values):
    found = kept(tmp_path / "x.sqlite", monkeypatch, Outcome(Status.VALUE, "", values))
    assert (found[0], found[2:]) == ("error", (None,) * 4)


def test_an_error_in_half_a_character_is_recorded(tmp_path, monkeypatch):
    def broken(where, seconds):
        raise FileNotFoundError("no \udcff")

    monkeypatch.setattr(work, "_prepare_run", lambda text: broken)
    swept(tmp_path / "x.sqlite", ONE)
    assert rows(tmp_path / "x.sqlite")[0]["note"] == r"FileNotFoundError: no \udcff"


COLUMNS = [name for name, _ in (*schema.FIXED, *spec().computation.columns)]
VALUES = ("'abc'", "x'ff'", "x'414243'", "1.5", "1e999", "9223372036854775807", "NULL")


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("how", ["verify", "x.csv", "x.parquet"])
def test_no_column_of_a_finished_file_can_be_changed(tmp_path, column, how):
    path, tried = tmp_path / "x.sqlite", 0
    swept(path)
    whole = path.read_bytes()
    for value in VALUES:
        path.write_bytes(whole)
        try:
            change(path, f"UPDATE results SET {column} = {value} WHERE point = 9")
        except sqlite3.IntegrityError:
            continue
        tried += 1
        with pytest.raises(SweepFailed, match="was changed after it was closed"):
            read_again(path, tmp_path / how)
    assert tried


def read_again(path: Path, target: Path) -> None:
    if target.suffix:
        export(path, target)
        return
    with Store.read(path) as store:
        store.verify()


@pytest.mark.parametrize("text", [SMALL, OVERLAPPING])
@pytest.mark.parametrize("half", [False, True])
def test_a_bit_changed_anywhere_is_refused_or_changes_nothing(tmp_path, text, half):
    """Every byte of the file was tried once; here some are, others in each case."""
    path, target = tmp_path / "x.sqlite", tmp_path / "x.csv"
    swept(path, text)
    export(path, target)
    expected = target.read_bytes()
    if half:
        path.unlink()
        half_done(path, "rollback", text)
    whole, chance, refused = path.read_bytes(), random.Random(text), 0
    step = 400 if half else 100
    for at in range(chance.randrange(step), len(whole), step):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        try:
            if half:
                swept(path, text)
            export(path, target)
        except (SweepFailed, OutOfDomain):
            refused += 1
        else:
            assert target.read_bytes() == expected, at
    assert refused


def test_an_index_that_lost_a_point_does_not_let_it_in_twice(tmp_path):
    path = tmp_path / "x.sqlite"
    half_done(path, "rollback", OVERLAPPING)
    lose_from_index(path)
    with pytest.raises(SweepFailed, match="damaged"):
        swept(path, OVERLAPPING)


def test_an_index_that_is_damaged_while_the_sweep_runs_is_noticed_at_its_end(tmp_path):
    path, made = tmp_path / "x.sqlite", spec()
    with Store.begin(path, made, "rollback") as store:
        store.write(work.compute(work.Batch(made.text, 0, 24, frozenset(), 9, 60)), 0)
        store.commit()
        store.connection.execute("PRAGMA shrink_memory")  # else it knows better than the disk
        lose_from_index(path)
        with pytest.raises(SweepFailed, match="damaged"):
            store.finish()


def lose_from_index(path: Path) -> None:
    """Overwrite the first digits of one key in the index, and nothing in the table."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_results_1'"
        (page,) = connection.execute(query).fetchone()
    content = path.read_bytes()
    at = content.index(b"0.01", (page - 1) * 4096)
    assert at < page * 4096
    path.write_bytes(content[:at] + b"0.02" + content[at + 4 :])


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE done SET stop = 'x'",
        "UPDATE done SET stop = start",
        "UPDATE done SET stop = 10000 WHERE start = (SELECT max(start) FROM done)",
        "UPDATE done SET checksum = 'x'",
        "UPDATE done SET checksum = x'00'",
        "UPDATE done SET rows = 'x'",
    ],
)
@pytest.mark.parametrize("text", [SMALL, OVERLAPPING])
@pytest.mark.parametrize("closed", [False, True])
def test_ranges_that_make_no_sense_are_refused(tmp_path, damage, text, closed):
    path = tmp_path / "x.sqlite"
    if closed:
        swept(path, text, How(max_seconds=1e-9))
    else:
        half_done(path, "wal", text)
    change(path, damage)
    with pytest.raises(SweepFailed):
        swept(path, text, How(retry_errors=closed))


def test_a_checksum_that_is_none_is_noticed_when_a_row_moves(tmp_path):
    text = SMALL.replace("sigma = [1, 2]", "sigma = [1, 1]")
    late, early = (work.Batch(spec(text).text, k, k + 4, frozenset(), 9, 60) for k in (4, 0))
    with Store.begin(tmp_path / "x.sqlite", spec(text), "wal") as store:
        store.write(work.compute(late), 0)
        store.connection.execute("UPDATE done SET checksum = 'x'")
        with pytest.raises(SweepFailed, match="'x' is no checksum"):
            store.write(work.compute(early), 0)


@pytest.mark.parametrize("finished", [False, True])
def test_a_file_of_an_older_format_is_named(toml, tmp_path, finished):
    path = tmp_path / "x.sqlite"
    swept(path) if finished else half_done(path)
    change(path, "UPDATE meta SET value = 'sgm-verify sweep 2' WHERE name = 'format'")
    done = finish(toml, "--out", path)
    assert done.returncode == 2
    assert "is a file of 'sgm-verify sweep 2', by sgm-verify" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_different_rows_have_different_hashes():
    alike = [("a", None, "b"), ("a", 0.0, "b"), ("ab", None, ""), ("", None, "ab"), ("a", None, None), ("a", "0", "b"),
             ("a", 0.1, "b"), ("a", "0.1", "b"), (None, None, "b"), ("", None, "b"), ("a", 0, "b"),
             (b"a", None, "b")]  # fmt: skip
    assert len(set(map(hash_of, alike))) == len(alike)


TAMPERING = {
    "program": "UPDATE meta SET value = 'sgm-verify 99' WHERE name = 'made by'",
    "counts": "UPDATE meta SET value = replace(value, '\"value\": 24', '\"value\": 23') "
    "WHERE name = 'closed'",
    "rows": "UPDATE meta SET value = replace(value, '\"rows\": 24', '\"rows\": 23') WHERE name = 'closed'",
    "a value": DAMAGE["one ulp"],
}


@pytest.mark.parametrize("what", TAMPERING)
def test_a_finished_file_that_was_changed_is_not_called_complete(toml, tmp_path, what):
    path = tmp_path / "x.sqlite"
    swept(path)
    change(path, TAMPERING[what])
    done = finish(toml, "--out", path)
    assert done.returncode == 1
    assert "was changed after it was closed" in done.stderr
    assert done.stdout == ""


def test_the_closing_digest_covers_the_spec(tmp_path):
    path = tmp_path / "x.sqlite"
    swept(path)
    change(path, "UPDATE meta SET value = replace(value, '20', '21') WHERE name = 'spec'")
    done = finish("--out", path, "--export", tmp_path / "x.csv")
    assert done.returncode == 1
    assert "was changed after it was closed" in done.stderr


def test_columns_that_are_not_those_of_the_spec_are_noticed(tmp_path):
    path = tmp_path / "x.sqlite"
    swept(path)
    change(path, "ALTER TABLE results RENAME COLUMN epsilon TO epsilon_new")
    with pytest.raises(SweepFailed, match="columns are not those of its spec"):
        Store.read(path)


@pytest.mark.parametrize("name", ["spec", "closed"])
def test_a_record_that_cannot_be_read_gets_one_line(toml, tmp_path, name):
    path = tmp_path / "x.sqlite"
    swept(path)
    change(path, f"UPDATE meta SET value = '[1' WHERE name = '{name}'")
    done = finish("--out", path)
    assert done.returncode == 1
    assert "cannot be read" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_too_long_to_be_read_again_is_not_called_verified(toml, tmp_path, monkeypatch):
    from click.testing import CliRunner

    from verify.commands import sweep as command

    monkeypatch.setattr(
        command.options, "hear_terminate", lambda: None
    )  # this process is not a sweep
    path = tmp_path / "x.sqlite"
    swept(path)
    words = [str(toml), "--out", str(path), "--json"]
    assert json.loads(CliRunner().invoke(command.command, words).stdout)["verified"] is True
    monkeypatch.setattr(command, "VERIFIED", 23)
    assert json.loads(CliRunner().invoke(command.command, words).stdout)["verified"] is False
    assert "too many to be read again" in CliRunner().invoke(command.command, words[:-1]).stdout


# -- errors tried again ----------------------------------------------------------------


def test_another_program_does_not_try_errors_again_in_a_finished_file(tmp_path, monkeypatch):
    path = tmp_path / "x.sqlite"
    record = swept(path, how=How(max_seconds=1e-9))
    monkeypatch.setattr("verify.sweeps.schema.programs", lambda: "sgm-verify 99")
    with pytest.raises(OutOfDomain, match=r"begun by sgm-verify .*, this is sgm-verify 99"):
        swept(path, how=How(retry_errors=True))
    assert swept(path) == record


@pytest.mark.parametrize("text", [SMALL, OVERLAPPING])
def test_errors_tried_again_are_kept_when_that_is_interrupted(tmp_path, monkeypatch, text):
    path = tmp_path / "x.sqlite"
    swept(tmp_path / "calm.sqlite", text)
    before = swept(path, text, How(max_seconds=1e-9))["counts"]
    monkeypatch.setattr(Here, "seconds", 1e-9)
    monkeypatch.setattr(running, "COMMIT_SECONDS", -1.0)
    written, left = Store.write, [3]

    def interrupted(store, chunk, skipped):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        written(store, chunk, skipped)

    monkeypatch.setattr(Store, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        swept(path, text, How(retry_errors=True))
    assert sum(row["status"] == "value" for row in rows(path)) == before["value"] + 3
    monkeypatch.setattr(Store, "write", written)
    swept(path, text)
    found, calm = rows(path), rows(tmp_path / "calm.sqlite")
    assert [tuple(row) for row in found] == [tuple(row) for row in calm]


@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_order_the_checksums_of_the_ranges_hold(tmp_path, seed):
    chance, made = random.Random(seed), spec(OVERLAPPING)
    cuts = [0, *sorted(chance.sample(range(1, made.count), 12)), made.count]
    batches = [work.Batch(made.text, a, b, frozenset(), 9, 60) for a, b in itertools.pairwise(cuts)]  # fmt: skip
    chance.shuffle(batches)
    with Store.begin(tmp_path / "x.sqlite", made, "wal") as store:
        for batch in batches:
            store.write(work.compute(batch), 0)
        record = store.finish()
    assert record == swept(tmp_path / "calm.sqlite", OVERLAPPING)


def test_a_range_written_twice_is_refused_and_not_called_safe(tmp_path):
    chunk = work.compute(work.Batch(spec().text, 0, 10, frozenset(), 9, 60))
    with Store.begin(tmp_path / "x.sqlite", spec(), "wal") as store:
        store.write(chunk, 0)
        with pytest.raises(SweepFailed, match="contradicts what is there") as caught:
            store.write(chunk, 0)
    assert "safe" not in str(caught.value)


# -- names and places ------------------------------------------------------------------


def test_two_names_of_one_file_are_one_lock(tmp_path):
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "x.sqlite")
    with lock(tmp_path / "x.sqlite"), pytest.raises(FileInUse):
        swept(tmp_path / "link.sqlite")
    assert swept(tmp_path / "link.sqlite")["rows"] == 24
    assert {entry.name for entry in tmp_path.iterdir()} == {"x.sqlite", "link.sqlite"}


def test_links_in_a_circle_get_one_line(toml, tmp_path):
    (tmp_path / "x.sqlite").symlink_to(tmp_path / "x.sqlite")
    done = finish(toml, "--out", tmp_path / "x.sqlite")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_link_lies_where_it_leads(tmp_path):
    far = tmp_path / "far"
    far.mkdir()
    (tmp_path / "x.sqlite").symlink_to(far / "x.sqlite")
    table = tmp_path / "mountinfo"
    table.write_text(f"21 1 8:1 / / rw - ext4 a rw\n30 21 0:40 / {far.resolve()} rw - nfs4 b rw\n")
    assert file_system(tmp_path / "x.sqlite", table) == "nfs4"


FAR = "autofs fuse fuse.sshfs fuse.unheard-of panfs wekafs ocfs2 gfs2 vboxsf kafs afs fhgfs beegfs_nodev"
NEAR = "ext4 xfs btrfs tmpfs overlay zfs fuseblk fuse.fuse-overlayfs fuse.ntfs-3g"


@pytest.mark.parametrize("kind", FAR.split())
def test_a_network_file_system_is_known(kind):
    assert is_network(kind)


@pytest.mark.parametrize("kind", NEAR.split())
def test_a_local_file_system_is_known(kind):
    assert not is_network(kind)


TARGETS = ["x.csv", "x.csv-wal", "./y/../x.csv", "link.csv", "hard.csv", "spec.csv"]


@pytest.mark.parametrize("target", TARGETS)
def test_an_export_never_overwrites_results_or_spec(tmp_path, target):
    (tmp_path / "y").mkdir()
    (tmp_path / "spec.csv").write_text(SMALL)
    swept(tmp_path / "x.csv")
    (tmp_path / "link.csv").symlink_to("x.csv")
    os.link(tmp_path / "x.csv", tmp_path / "hard.csv")
    before = (tmp_path / "x.csv").read_bytes()
    words = [tmp_path / "spec.csv", "--out", tmp_path / "x.csv", "--export", f"{tmp_path}/{target}"]
    done = finish(*words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert (tmp_path / "x.csv").read_bytes() == before
    assert (tmp_path / "spec.csv").read_text() == SMALL


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal", ".lock"])
def test_an_export_never_overwrites_what_belongs_to_the_results(toml, tmp_path, end):
    (tmp_path / "link.csv").symlink_to(f"x.sqlite{end}")
    done = finish(toml, "--out", tmp_path / "x.sqlite", "--export", tmp_path / "link.csv")
    assert done.returncode == 2
    assert "would overwrite --out" in done.stderr


def test_two_exports_need_two_names(toml, tmp_path):
    targets = [word for _ in range(2) for word in ("--export", tmp_path / "x.csv")]
    done = finish(toml, "--out", tmp_path / "x.sqlite", *targets)
    assert done.returncode == 2
    assert "would overwrite another --export" in done.stderr


# -- errors of SQLite ------------------------------------------------------------------


def sqlite_error(code: int, message: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (sqlite3.SQLITE_FULL, "disk is full"),
        (sqlite3.SQLITE_IOERR_WRITE, "what was committed is safe"),
        (sqlite3.SQLITE_READONLY_ROLLBACK, "cannot be opened or written"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "damaged"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "another program has locked it"),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, "do not trust it"),
        (sqlite3.SQLITE_ERROR, "cannot be read or written"),
    ],
)
def test_errors_are_told_by_their_code_and_not_by_their_words(tmp_path, code, said):
    told = str(database.plain(tmp_path / "x.sqlite", sqlite_error(code, "full of surprises")))
    assert said in told
    assert ("disk is full" in told) == (code == sqlite3.SQLITE_FULL)


def test_an_unknown_failure_of_the_disk_is_a_full_one_if_there_is_no_room(tmp_path, monkeypatch):
    error = sqlite_error(sqlite3.SQLITE_IOERR_SHMSIZE, "disk I/O error")
    room = os.statvfs(tmp_path)
    full = os.statvfs_result([0 if i in (3, 4) else x for i, x in enumerate(room)])
    monkeypatch.setattr(os, "statvfs", lambda path: full)
    assert "the disk is full" in str(database.plain(tmp_path / "x.sqlite", error))
