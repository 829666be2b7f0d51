"""Runs from checkpoints, states and logs; nothing that is in a file is run."""

from __future__ import annotations

import json
import pickle
import tracemalloc
import zipfile
from collections import OrderedDict

import pytest
from click.testing import CliRunner

import verify
from verify.cli import cli
from verify.frameworks.opacus import ExactAccountant
from verify.frameworks.run import NOT_POISSON, TrainingPhase

HISTORY = [(1.0, 0.05, 60)]
STATE = OrderedDict(history=HISTORY, mechanism="rdp")
MARK = []


class Hostile:
    """Unpickling it calls a function."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def touch(path):
    MARK.append(path)


def saved(path, what, name="saved/data.pkl"):
    """A zip archive as torch.save writes it."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, pickle.dumps(what, protocol=2))
        archive.writestr("saved/version", "3")
    return path


@pytest.mark.parametrize("wrap", [lambda s: s, lambda s: {"privacy_accountant_state_dict": s}])
def test_a_checkpoint_is_read(tmp_path, wrap):
    run = verify.read_run(saved(tmp_path / "a.pt", wrap(STATE)))
    assert run.phases == (TrainingPhase(0.05, 1.0, 60),)
    assert run.epsilon(1e-5).text() == verify.epsilon(0.05, 1.0, 60, 1e-5).text()


def test_a_plain_pickle_is_read(tmp_path):
    path = tmp_path / "a.pickle"
    path.write_bytes(pickle.dumps(STATE))
    assert verify.read_run(path).phases[0].steps == 60


def test_what_a_checkpoint_has_besides_is_not_looked_at(tmp_path):
    state = {
        "privacy_accountant_state_dict": STATE,
        "module_state_dict": {"w": Hostile(touch, "x")},
    }
    assert verify.read_run(saved(tmp_path / "a.pt", state)).phases[0].steps == 60


@pytest.mark.parametrize("function", [touch, eval, print, exec])
def test_nothing_in_the_file_is_called(tmp_path, function, capsys):
    MARK.clear()
    state = {"history": HISTORY, "mechanism": Hostile(function, "MARK.append(1)")}
    verify.read_run(saved(tmp_path / "a.pt", state))
    assert MARK == []
    assert capsys.readouterr().out == ""


NAMED = b"ccollections\nOrderedDict\n)R"
GET_IS_HOSTILE = b"(X\x03\x00\x00\x00getcos\nsystem\n)Ru}"


@pytest.mark.parametrize(
    "program",
    [
        b"}r\xff\xff\xff\xff.",  # a place of the memo that would need 32 gigabytes
        NAMED + b"}" + GET_IS_HOSTILE[:-1] + b"b.",  # a dictionary with a get of its own
        b"ccollections\nOrderedDict\nN}X\x01\x00\x00\x00xK\x01s\x86b.",  # an attribute for the class itself
        b"\x8a\x01\x02" * 3 + b"R.",  # a number is called
    ],
)
def test_a_pickle_that_is_no_checkpoint_is_one_error(tmp_path, program):
    path = tmp_path / "a.pt"
    path.write_bytes(b"\x80\x02" + program)
    with pytest.raises(verify.OutOfDomain):
        verify.read_run(path)
    assert not hasattr(OrderedDict, "x")


def test_a_place_of_the_memo_costs_no_memory(tmp_path):
    """The unpickler in C would allocate eight bytes for every place below it."""
    path = tmp_path / "a.pt"
    path.write_bytes(pickle.dumps(STATE, protocol=2)[:-1] + b"r\xff\xff\xff\x01.")
    tracemalloc.start()
    try:
        assert verify.read_run(path).phases[0].steps == 60
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "state",
    [
        7,
        [HISTORY],
        {"history": "x"},
        {"history": [(1.0, 0.05)]},
        {"history": [(1.0, 0.05, 6.5)]},
        {"history": [(1.0, 0.05, True)]},
        {"history": [(1.0, 0.05, -1)]},
        {"history": [(Hostile(float, 1.0), 0.05, 5)]},
        {"history": HISTORY, "samplings": 5},
        {"history": HISTORY, "samplings": ["by-lot"]},
        {"privacy_accountant_state_dict": 5},
    ],
)
def test_a_file_without_a_history_of_plain_numbers_is_an_error(tmp_path, state):
    with pytest.raises(verify.OutOfDomain):
        verify.read_run(saved(tmp_path / "a.pt", state))


@pytest.mark.parametrize("data", [b"PK\x03\x04 cut off", b"\x80\x04 no pickle", b"\x80\x04N."])
def test_a_damaged_file_is_an_error(tmp_path, data):
    path = tmp_path / "a.pt"
    path.write_bytes(data)
    with pytest.raises(verify.OutOfDomain):
        verify.read_run(path)


def test_what_is_no_pickle_is_told_so(tmp_path):
    path = tmp_path / "a.pt"
    path.write_bytes(b"\x80\x04 no pickle")
    with pytest.raises(
        verify.OutOfDomain,
        match=r"^a\.pt: cannot be read as a checkpoint: no file of torch\.save, or a damaged",
    ):
        verify.read_run(path)


def test_a_log_in_another_encoding_is_told_so(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("q,sigma,steps\n0.05,1,60\n", encoding="utf-16")
    with pytest.raises(verify.OutOfDomain, match=r"a\.csv: must be text in UTF-8"):
        verify.read_run(path)


def test_another_zip_archive_is_an_error(tmp_path):
    with pytest.raises(verify.OutOfDomain, match=r"torch\.save"):
        verify.read_run(saved(tmp_path / "a.pt", STATE, "somewhere.pkl"))


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(verify.OutOfDomain, match="cannot be read"):
        verify.read_run(tmp_path / "none.pt")


def test_logs_in_csv_and_json_are_read(tmp_path):
    table, objects = tmp_path / "a.csv", tmp_path / "a.json"
    table.write_text("q,sigma,steps\n0.05,1,60\n")
    objects.write_text(json.dumps([{"q": "0.05", "sigma": 1, "steps": 60}]))
    for path in (table, objects):
        exact = verify.epsilon("0.05", 1, 60, "1e-5").text()
        assert verify.read_run(str(path)).epsilon("1e-5").text() == exact
        assert verify.read_run(path).phases[0].steps == 60


@pytest.mark.parametrize(
    "row", [{"q": 0.1, "sigma": 1, "steps": 0}, {"q": 0.1, "sigma": 1, "steps": None}]
)
def test_a_log_without_steps_is_no_log_of_one_step(tmp_path, row):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([row]))
    with pytest.raises(verify.OutOfDomain):
        verify.read_run(path)


def test_a_log_may_say_that_nobody_was_sampled_or_where_batches_were_cut(tmp_path):
    path = tmp_path / "a.json"
    cut = {"q": 0.1, "sigma": 1, "steps": 2, "sampling": "truncated-poisson"}
    path.write_text(json.dumps([{"q": 0, "sigma": 1, "steps": 2}]))
    assert verify.read_run(path).epsilon(1e-5).hi == 0
    path.write_text(json.dumps([cut | {"records": 50, "limit": 8}]))
    (phase,) = verify.read_run(path).phases
    assert (phase.records, phase.limit) == (50, 8)


def test_an_accountant_its_state_and_its_history_are_one_run():
    made = ExactAccountant()
    made.history = list(HISTORY)
    for source in (
        made,
        made.state_dict(),
        list(HISTORY),
        {"privacy_accountant_state_dict": STATE},
    ):
        assert verify.read_run(source).phases == (TrainingPhase(0.05, 1.0, 60),)


@pytest.mark.parametrize("source", [5, None, object(), {}, {"history": 5}])
def test_anything_else_is_an_error(source):
    with pytest.raises((verify.OutOfDomain, TypeError)):
        verify.read_run(source)


def shell(*words):
    return CliRunner().invoke(cli, words, standalone_mode=False)


def test_the_command_line_reads_a_checkpoint(tmp_path):
    path = saved(tmp_path / "a.pt", {"privacy_accountant_state_dict": STATE})
    done = shell("epsilon", "--checkpoint", str(path), "--delta", "1e-5")
    assert done.exit_code == 0
    assert verify.epsilon(0.05, 1.0, 60, "1e-5").text() in done.output
    assert "None" not in done.output


def test_a_checkpoint_of_shuffled_batches_is_not_answered_as_poisson(tmp_path):
    state = {**STATE, "samplings": [NOT_POISSON]}
    done = shell("epsilon", "--checkpoint", str(saved(tmp_path / "a.pt", state)), "--delta", "1e-5")
    assert done.exit_code != 0
    assert "upper end" in f"{done.output}{done.exception}"


def test_a_checkpoint_and_numbers_exclude_each_other(tmp_path):
    path = saved(tmp_path / "a.pt", STATE)
    done = shell("epsilon", "--checkpoint", str(path), "--q", "0.1", "--delta", "1e-5")
    assert "excludes" in f"{done.output}{done.exception}"
