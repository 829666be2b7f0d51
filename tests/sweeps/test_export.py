"""Exports: what other programs read is what stands in the file, to the bit."""

from __future__ import annotations

import csv
import math
import os
import sqlite3
import stat

import duckdb
import pandas
import pytest

from tests.sweeps.test_run import rows, swept
from verify.numbers.errors import OutOfDomain
from verify.sweeps.database import SweepFailed
from verify.sweeps.export import export
from verify.sweeps.spec import parse
from verify.sweeps.store import Store


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "x.sqlite"
    swept(path)
    return path


def test_csv_has_hexadecimal_doubles_and_digits_as_text(finished, tmp_path):
    assert export(finished, tmp_path / "x.csv") == 24
    with (tmp_path / "x.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    for row, truth in zip(found, rows(finished), strict=True):
        assert float.fromhex(row["epsilon"]) == truth["epsilon"]
        assert row["epsilon_lo"] == truth["epsilon_lo"]
        assert row["alpha_exact"] == truth["alpha_exact"]
    assert found[-1]["alpha"] == "inf"


def test_duckdb_reads_parquet_with_doubles_as_doubles(finished, tmp_path):
    export(finished, tmp_path / "x.parquet")
    query = f"SELECT point, epsilon, epsilon_lo FROM '{tmp_path / 'x.parquet'}' ORDER BY point"
    connection = duckdb.connect()
    relation = connection.sql(query)
    assert [str(kind) for kind in relation.types] == ["BIGINT", "DOUBLE", "VARCHAR"]
    found = relation.fetchall()
    connection.close()
    assert found == [(r["point"], r["epsilon"], r["epsilon_lo"]) for r in rows(finished)]


def test_pandas_reads_parquet_with_doubles_as_doubles(finished, tmp_path):
    export(finished, tmp_path / "x.parquet")
    frame = pandas.read_parquet(tmp_path / "x.parquet")
    assert frame["epsilon"].dtype == "float64"
    assert list(frame["epsilon"]) == [row["epsilon"] for row in rows(finished)]
    assert list(frame["epsilon_hi"]) == [row["epsilon_hi"] for row in rows(finished)]
    assert math.isinf(frame["alpha"].iloc[-1])


def test_an_incomplete_file_is_not_exported(tmp_path):
    spec = parse({"compute": {"what": "epsilon"}, "points": [{"q": "0.5", "sigma": 1, "alpha": 2}]})
    Store.begin(tmp_path / "x.sqlite", spec, "wal").close()
    with pytest.raises(SweepFailed, match="no closing record"):
        export(tmp_path / "x.sqlite", tmp_path / "x.csv")
    assert not (tmp_path / "x.csv").exists()


CHANGES = {
    "one ulp": "UPDATE results SET epsilon = epsilon * (1 + 2.3e-16) WHERE point = 10",
    "one digit": "UPDATE results SET epsilon_lo = '1' || epsilon_lo WHERE point = 10",
    "a row less": "DELETE FROM results WHERE point = 10",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_changed_after_its_closing_is_not_exported(tmp_path, change):
    swept(tmp_path / "x.sqlite")
    connection = sqlite3.connect(tmp_path / "x.sqlite")
    connection.execute(CHANGES[change])
    connection.commit()
    connection.close()
    with pytest.raises(SweepFailed, match="changed after it was closed"):
        export(tmp_path / "x.sqlite", tmp_path / "x.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["x.sqlite"]


def test_an_unknown_format_is_refused(finished, tmp_path):
    with pytest.raises(OutOfDomain, match=r"\.csv or \.parquet"):
        export(finished, tmp_path / "x.xlsx")


def test_the_name_of_an_export_is_on_the_disk_too(finished, tmp_path, monkeypatch):
    synced = []
    original = os.fsync

    def noted(handle):
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        if synced[-1]:
            assert (tmp_path / "x.csv").exists()
        original(handle)

    monkeypatch.setattr(os, "fsync", noted)
    export(finished, tmp_path / "x.csv")
    assert synced == [False, True]
