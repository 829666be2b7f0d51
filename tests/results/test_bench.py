"""A bench is read whole or refused with one line."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest

from tests.report.conftest import bench_file, bench_record
from verify.results import document
from verify.results.bench import Bench, DigitTime, PointTimes
from verify.results.document import BadDocument


def test_what_was_written_is_read():
    read = document.from_text(bench_file(), Bench)
    assert msgspec.structs.replace(read, closing=None) == bench_record()


def test_the_schema_accepts_what_is_written():
    jsonschema.validate(json.loads(bench_file()), document.schema(Bench))


def with_digits(**engines: object) -> str:
    plain = json.loads(bench_file())
    plain["against_digits"]["engines"] |= engines
    return json.dumps(plain)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (with_digits(series="long"), "Expected `array`"),
        (with_digits(series=[7]), "Expected `object`"),
        (with_digits(series=[{"digits": 15}]), "missing required field `seconds`"),
        (with_digits(series=[{"digits": 15, "seconds": 1.0}]), "same numbers of digits"),
        (with_digits(trapezoid=[], series=[], quadrature=[]), "digits do not rise"),
        (
            with_digits(
                trapezoid=[{"digits": d, "seconds": None} for d in (15, 100, 1000)]
            ),
            "nothing to compare with",
        ),
        (with_digits(series=[{"digits": 15, "seconds": -1.0}]), "> 0.0"),
        (with_digits(series=[{"digits": 0, "seconds": 1.0}]), ">= 1"),
        (with_digits(series=[{"digits": True, "seconds": 1.0}]), "Expected `int`"),
        (with_digits(series=[{"digits": 15, "seconds": "1"}]), "Expected `float | null`"),
        (with_digits(series=[{"digits": 15, "seconds": 1.0, "x": 1}]), "unknown field `x`"),
        (bench_file().replace("0.004", "0.005"), "digest"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(text, says):
    with pytest.raises(BadDocument, match=says) as found:
        document.from_text(text, Bench)
    assert "\n" not in str(found.value)


def test_an_empty_list_of_engines_is_no_bench():
    digits = json.loads(bench_file())
    digits["against_digits"]["engines"] = {}
    with pytest.raises(BadDocument, match="same numbers of digits"):
        document.from_text(json.dumps(digits), Bench)


def test_numbers_survive_to_the_last_bit():
    point = PointTimes(1e-6, 0.3, 1.5, 0.0023832189999666298, None, 5e-324, None)
    record = msgspec.structs.replace(bench_record(), points=(point,))
    assert document.from_text(document.as_text(record), Bench).points == (point,)


def test_digits_that_fall_are_refused():
    with pytest.raises(ValueError, match="do not rise"):
        msgspec.structs.replace(
            bench_record().against_digits, engines={"a": (DigitTime(30, 1.0), DigitTime(15, 1.0))}
        )
