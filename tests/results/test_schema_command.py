"""sgm-verify schema: every document of the project, from its class."""

from __future__ import annotations

import json
from typing import get_args

import jsonschema
import pytest
from click.testing import CliRunner, Result

from verify.bounds.table import Truth
from verify.cli import cli
from verify.numbers.errors import OutOfDomain
from verify.results import report
from verify.results.catalogue import documents
from verify.results.document import Document, format_of


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["schema", *arguments])


def test_the_list_names_every_document() -> None:
    output = call().output
    for name, kind in documents().items():
        assert name in output
        assert format_of(kind) in output


@pytest.mark.parametrize("name", documents())
def test_a_schema_is_one(name: str) -> None:
    made = json.loads(call(name).output)
    jsonschema.Draft202012Validator.check_schema(made)


@pytest.mark.parametrize("name", [n for n, k in documents().items() if issubclass(k, Document)])
def test_a_schema_asks_for_the_closing_record(name: str) -> None:
    made = json.loads(call(name).output)
    body = made["$defs"][made["$ref"].rpartition("/")[2]]
    assert "closing" in body["required"]
    assert body["additionalProperties"] is False


def test_an_unknown_document_is_bad_input() -> None:
    assert isinstance(call("poem").exception, OutOfDomain)


def test_the_truths_of_results_are_those_of_the_bounds() -> None:
    assert list(get_args(report.Truth)) == [str(truth) for truth in Truth]
