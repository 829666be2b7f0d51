"""Whole sweeps in this process: what stands in the file, and when it is refused."""

from __future__ import annotations

import random
import sqlite3
import time
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

import verify
from verify.numbers.errors import BudgetExceeded, OutOfDomain
from verify.numbers.point import Point
from verify.parallel import Here
from verify.sweeps import run as running
from verify.sweeps import work
from verify.sweeps.database import SweepFailed
from verify.sweeps.place import FileInUse, file_system, is_network, lock
from verify.sweeps.run import How, sweep
from verify.sweeps.spec import Spec, parse
from verify.sweeps.store import Store, good

SMALL = """
[compute]
what = "epsilon-both"
digits = 20
[[points]]
q = [0, 0.01, 0.5]
sigma = [1, 2]
alpha = [1, 2, "8.5", "inf"]
"""


def spec(text: str = SMALL) -> Spec:
    return parse(tomllib.loads(text, parse_float=str))


def swept(path: Path, text: str = SMALL, how: How | None = None) -> dict[str, object]:
    with Here() as door:
        return sweep(spec(text), path, door, how)


def rows(path: Path) -> list[sqlite3.Row]:
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    found = connection.execute("SELECT * FROM results ORDER BY point").fetchall()
    connection.close()
    return found


def test_every_point_has_its_certified_value_once(tmp_path):
    record = swept(tmp_path / "x.sqlite")
    found = rows(tmp_path / "x.sqlite")
    assert record["counts"] == {"value": 24}
    for index, row in enumerate(found):
        assert row["point"] == index
        point = (row["q_exact"], row["sigma_exact"], row["alpha_exact"])
        truth = verify.rdp(*point, digits=20)
        assert row["epsilon"] == truth.to_double()
        assert row["epsilon_up"] == truth.to_double_up()
        assert row["epsilon_reverse"] == verify.rdp_reverse(*point, digits=20).to_double()


def test_the_digits_enclose_a_value_of_many_more(tmp_path):
    swept(tmp_path / "x.sqlite")
    for row in rows(tmp_path / "x.sqlite"):
        if row["alpha_exact"] == "inf":
            continue
        precise = verify.rdp(row["q_exact"], row["sigma_exact"], row["alpha_exact"], digits=60)
        assert Fraction(row["epsilon_lo"]) <= precise.lo
        assert precise.hi <= Fraction(row["epsilon_hi"])


def test_an_error_is_recorded_with_its_name_and_never_as_a_value(tmp_path):
    text = SMALL.replace("[0, 0.01, 0.5]", "0.01").replace('[1, 2, "8.5", "inf"]', "8.5")
    record = swept(tmp_path / "x.sqlite", text, How(max_seconds=1e-9))
    assert record["counts"] == {"error": 2}
    assert not good(record["counts"])
    for row in rows(tmp_path / "x.sqlite"):
        assert row["note"].startswith("BudgetExceeded: no answer within")
        assert [row[f"epsilon{x}"] for x in ("", "_up", "_lo", "_hi")] == [None] * 4


def test_errors_can_be_tried_again_and_the_rest_is_left_alone(tmp_path):
    path = tmp_path / "x.sqlite"
    swept(path, how=How(max_seconds=1e-9))
    before = {row["point"] for row in rows(path) if row["status"] == "value"}
    assert 0 < len(before) < 24  # closed forms need no time
    record = swept(path, how=How(retry_errors=True))
    assert record["counts"] == {"value": 24}
    swept(tmp_path / "calm.sqlite")
    assert [tuple(r) for r in rows(path)] == [tuple(r) for r in rows(tmp_path / "calm.sqlite")]


def test_any_exception_at_a_point_is_an_error_of_that_point(tmp_path, monkeypatch):
    original = work._prepare_run(spec().text)

    def broken(where, max_seconds):
        if where.alpha.text == "2":
            raise ZeroDivisionError("injected\nover two lines")
        return original(where, max_seconds)

    monkeypatch.setattr(work, "_prepare_run", lambda text: broken)
    record = swept(tmp_path / "x.sqlite")
    assert record["counts"] == {"error": 6, "value": 18}
    notes = {row["note"] for row in rows(tmp_path / "x.sqlite") if row["status"] == "error"}
    assert notes == {"ZeroDivisionError: injected over two lines"}


def late(times: int, seconds_of_work: float):
    """A computation whose time runs out so many times, after so much work, and then has its answer."""
    left = [times]

    def run(where, max_seconds):
        if not left[0]:
            return original(where, max_seconds)
        left[0] -= 1
        begin = time.thread_time()
        while time.thread_time() - begin < seconds_of_work:
            pass
        raise BudgetExceeded("no answer")

    original = work._prepare_run(spec().text)
    return run


@pytest.mark.parametrize(
    ("times", "seconds_of_work", "errors"), [(2, 0.0, 0), (3, 0.0, 1), (1, 0.2, 1)]
)
def test_a_point_that_had_no_processor_is_tried_again(
    tmp_path, monkeypatch, times, seconds_of_work, errors
):
    run = late(times, seconds_of_work)
    monkeypatch.setattr(work, "_prepare_run", lambda text: run)
    record = swept(tmp_path / "x.sqlite", how=How(max_seconds=0.3))
    assert record["counts"].get("error", 0) == errors


OVERLAPPING = (
    SMALL
    + """
[[points]]
q = ["0.010", 0.25]
sigma = [2, "4/2"]
alpha = [2, 3]
[[points]]
random = { count = 40, seed = 1 }
q = [0.01]
sigma = [1, 2]
alpha = { from = 2, to = 4, whole = true }
"""
)


@pytest.mark.parametrize("seconds", [1e-9, 0.1])
def test_a_point_given_more_than_once_is_computed_once(tmp_path, monkeypatch, seconds):
    asked = []
    original = work._row
    monkeypatch.setattr(
        work, "_row", lambda s, r, index, m: asked.append(index) or original(s, r, index, m)
    )
    monkeypatch.setattr(Here, "seconds", seconds)  # many small batches, or few
    path = tmp_path / "x.sqlite"
    record = swept(path, OVERLAPPING)
    found = spec(OVERLAPPING)
    first: dict[tuple[str, ...], int] = {}
    for index in range(found.count):
        first.setdefault(tuple(x.text for x in found.at(index)), index)
    assert record["points"] == found.count
    assert record["rows"] == len(first) < found.count
    assert sorted(asked) == sorted(first.values())
    assert [row["point"] for row in rows(path)] == sorted(first.values())


@pytest.mark.parametrize("seed", range(5))
def test_interrupted_anywhere_repeated_points_end_up_the_same(tmp_path, monkeypatch, seed):
    swept(tmp_path / "calm.sqlite", OVERLAPPING)
    monkeypatch.setattr(Here, "seconds", 1e-9)
    monkeypatch.setattr(running, "COMMIT_SECONDS", -1.0)
    moments = random.Random(seed)
    written = Store.write

    def interrupted(store, chunk, skipped):
        if moments.random() < 0.2:
            raise KeyboardInterrupt
        written(store, chunk, skipped)

    monkeypatch.setattr(Store, "write", interrupted)
    interruptions, record = 0, None
    while record is None:
        try:
            record = swept(tmp_path / "x.sqlite", OVERLAPPING)
        except KeyboardInterrupt:
            interruptions += 1
    assert interruptions > 2
    found, calm = rows(tmp_path / "x.sqlite"), rows(tmp_path / "calm.sqlite")
    assert [tuple(row) for row in found] == [tuple(row) for row in calm]


def test_boundary_points_that_meet_are_stored_once(tmp_path):
    text = """
        [compute]
        what = "property"
        property = "theorem"
        [[points]]
        q = 0.01
        sigma = 4
        alpha = { curve = "first-condition", at = ["inside", "1", "outside"] }
    """
    record = swept(tmp_path / "x.sqlite", text)
    assert (record["points"], record["rows"]) == (3, 2)
    assert [row["point"] for row in rows(tmp_path / "x.sqlite")] == [0, 2]


def test_where_there_is_no_boundary_there_is_no_point(tmp_path):
    text = """
        [compute]
        what = "epsilon"
        [[points]]
        q = 0.4
        sigma = 0.1
        alpha = { curve = "second-condition", at = ["inside", "outside"] }
    """
    record = swept(tmp_path / "x.sqlite", text)
    assert record["counts"] == {"none": 1}
    assert rows(tmp_path / "x.sqlite")[0]["value"] is None


def test_a_finished_file_is_not_computed_again(tmp_path, monkeypatch):
    first = swept(tmp_path / "x.sqlite")
    monkeypatch.setattr(running, "run_batches", None)
    assert swept(tmp_path / "x.sqlite") == first


def test_a_file_with_a_missing_range_is_not_closed(tmp_path):
    path = tmp_path / "x.sqlite"
    with Store.begin(path, spec(), "wal") as store:
        store.write(work.compute(work.Batch(spec().text, 0, 23, frozenset(), 9, 60)), 0)
        with pytest.raises(SweepFailed, match="points from 23 on are missing"):
            store.finish()
    assert swept(path)["rows"] == 24


def test_a_range_done_twice_is_noticed(tmp_path):
    with Store.begin(tmp_path / "x.sqlite", spec(), "wal") as store:
        store.write(work.compute(work.Batch(spec().text, 0, 10, frozenset(), 9, 60)), 0)
        store.connection.execute("INSERT INTO done VALUES (9, 12, 3, '')")
        with pytest.raises(SweepFailed, match="point 9 was done twice"):
            store.gaps()


def test_a_row_that_vanished_from_the_file_is_missed_at_the_end(tmp_path):
    with Store.begin(tmp_path / "x.sqlite", spec(), "wal") as store:
        store.write(work.compute(work.Batch(spec().text, 0, 24, frozenset(), 9, 60)), 0)
        store.connection.execute("DELETE FROM results WHERE point = 7")
        with pytest.raises(SweepFailed, match="24 rows were written, 23 are there"):
            store.finish()


def test_a_point_met_twice_keeps_its_first_index_whichever_comes_first(tmp_path):
    text = SMALL.replace("sigma = [1, 2]", "sigma = [1, 1]")
    batches = [work.Batch(spec(text).text, k, k + 4, frozenset(), 9, 60) for k in range(0, 24, 4)]
    with Store.begin(tmp_path / "x.sqlite", spec(text), "wal") as store:
        for batch in reversed(batches):
            store.write(work.compute(batch), 0)
        assert store.finish()["rows"] == 12
    swept(tmp_path / "calm.sqlite", text)
    found, calm = rows(tmp_path / "x.sqlite"), rows(tmp_path / "calm.sqlite")
    assert [tuple(row) for row in found] == [tuple(row) for row in calm]


def test_a_chunk_that_lacks_a_row_is_refused(tmp_path):
    chunk = work.compute(work.Batch(spec().text, 0, 10, frozenset(), 9, 60))
    del chunk.rows[3]
    with (
        Store.begin(tmp_path / "x.sqlite", spec(), "wal") as store,
        pytest.raises(SweepFailed, match="rows are missing"),
    ):
        store.write(chunk, 0)


def test_a_batch_that_turns_out_long_comes_back_early():
    chunk = work.compute(work.Batch(spec().text, 0, 24, frozenset(), 1e-9, 60))
    assert (chunk.start, chunk.stop, len(chunk.rows)) == (0, 1, 1)


def test_another_program_is_not_allowed_to_finish_the_file(tmp_path, monkeypatch):
    path = tmp_path / "x.sqlite"
    Store.begin(path, spec(), "wal").close()
    monkeypatch.setattr("verify.sweeps.schema.programs", lambda: "sgm-verify 99")
    with pytest.raises(OutOfDomain, match=r"begun by sgm-verify .*, this is sgm-verify 99"):
        swept(path)


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough" * 9, b"SQLite format 3"]
)
def test_a_foreign_file_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "x.sqlite"
    path.write_bytes(content)
    with pytest.raises((SweepFailed, OutOfDomain)):
        swept(path)
    assert path.read_bytes() == content


def test_a_foreign_database_is_refused(tmp_path):
    connection = sqlite3.connect(tmp_path / "x.sqlite")
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    with pytest.raises(OutOfDomain, match="not a file of"):
        swept(tmp_path / "x.sqlite")


def test_a_locked_file_names_its_holder(tmp_path):
    path = tmp_path / "x.sqlite"
    with (
        lock(path),
        pytest.raises(FileInUse, match=r"another sweep is writing it \(process \d+ on"),
    ):
        swept(path)
    swept(path)  # and the lock is gone with its holder
    assert not path.with_name("x.sqlite.lock").exists()


MOUNTS = """\
21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 21 0:40 / /home rw - nfs4 server:/home rw
31 21 0:41 / /home/local\\040disk rw - xfs /dev/sdb rw
32 21 0:42 / /mnt/far rw - fuse.sshfs host: rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/tmp/x.sqlite", "ext4"),
        ("/home/me/x.sqlite", "nfs4"),
        ("/home/local disk/x.sqlite", "xfs"),
        ("/homework/x.sqlite", "ext4"),
        ("/mnt/far/x.sqlite", "fuse.sshfs"),
    ],
)
def test_the_file_system_is_the_one_of_the_deepest_mount(tmp_path, path, kind):
    table = tmp_path / "mountinfo"
    table.write_text(MOUNTS)
    assert file_system(Path(path), table) == kind


def test_this_very_machine_tells_its_file_system(tmp_path):
    assert file_system(tmp_path / "x.sqlite") != ""
    assert not is_network(file_system(tmp_path / "x.sqlite"))


def test_on_a_network_file_system_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "file_system", lambda path: "nfs4")
    with pytest.raises(OutOfDomain, match=r"network file system \(nfs4\).*--journal rollback"):
        swept(tmp_path / "x.sqlite")
    with pytest.raises(OutOfDomain, match="unsafe on nfs4"):
        swept(tmp_path / "x.sqlite", how=How(journal="wal"))
    assert swept(tmp_path / "x.sqlite", how=How(journal="rollback"))["rows"] == 24


def test_a_finished_file_is_one_plain_file(tmp_path):
    swept(tmp_path / "x.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["x.sqlite"]


def test_the_bound_ratio_is_certified_epsilon_over_the_bound(tmp_path):
    text = '[compute]\nwhat = "bound-ratio"\n[[points]]\nq = 0.01\nsigma = 4\nalpha = [8, 500]'
    swept(tmp_path / "x.sqlite", text)
    low, high = rows(tmp_path / "x.sqlite")
    bound = 2 * Fraction(1, 10**4) * 8 / 16
    precise = verify.rdp("0.01", 4, 8, digits=60)
    assert Fraction(low["ratio_lo"]) <= precise.lo / bound
    assert precise.hi / bound <= Fraction(low["ratio_hi"])
    assert (low["applies"], low["holds"]) == ("true", "true")
    assert (high["applies"], high["holds"]) == ("false", "false")
    assert high["ratio"] > 1


def test_a_false_property_fails_and_a_vacuous_one_says_so(tmp_path):
    text = '[compute]\nwhat = "property"\nproperty = "theorem"\n[[points]]\nq = 0.01\nsigma = 4\nalpha = [8, 500]'
    record = swept(tmp_path / "x.sqlite", text)
    assert [row["note"] for row in rows(tmp_path / "x.sqlite")] == ["", "vacuous"]
    assert good(record["counts"])


def test_a_property_reversed_is_refuted(tmp_path, monkeypatch):
    from verify.bounds.table import Truth
    from verify.sweeps.computations import property as module

    def reversed_inequality(point: Point, digits: int, seconds: float):
        truth, note = module.reverse_at_most_forward(point, digits, seconds)
        return {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE}[truth], note

    monkeypatch.setitem(module.PROPERTIES, "sampling-helps", reversed_inequality)
    work._prepare_run.cache_clear()
    text = '[compute]\nwhat = "property"\nproperty = "sampling-helps"\n[[points]]\nq = 0.3\nsigma = 1\nalpha = [2, 3]'
    try:
        assert swept(tmp_path / "x.sqlite", text)["counts"] == {"failed": 2}
    finally:
        work._prepare_run.cache_clear()


def test_intervals_that_overlap_decide_nothing():
    from verify.bounds.table import Truth
    from verify.sweeps.computations.property import _at_most

    millionth = Fraction(1, 10**6)
    assert _at_most((0, 1), (1, 2)) is Truth.TRUE
    assert _at_most((0, 1 + millionth), (1, 2)) is Truth.UNDECIDED
    assert _at_most((2 + millionth, 3), (1, 2)) is Truth.FALSE


def test_the_frontier_is_a_certified_change_of_sign(tmp_path):
    from verify.bounds.table import table

    text = '[compute]\nwhat = "largest-order"\n[[points]]\nq = 0.2\nsigma = 4'
    swept(tmp_path / "x.sqlite", text)
    (row,) = rows(tmp_path / "x.sqlite")
    assert row["true_at"] < 56.28293050 < row["false_at"]
    inside, outside = (
        table(Point.of("0.2", 4, row[name]), ["this-work"])[0].holds
        for name in ("true_at_lo", "false_at_hi")
    )
    assert (inside, outside) == ("true", "false")
