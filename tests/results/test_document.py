"""A document is read whole or refused with one line."""

from __future__ import annotations

import json

import jsonschema
import pytest

from verify.numbers.errors import OutOfDomain
from verify.results import document
from verify.results.document import BadDocument, Document, Part


class Leaf(Part, frozen=True):
    name: str
    count: int = 0


class Sizes(Document, frozen=True, tag="sgm-verify sizes 1"):
    size: float


class Tree(Document, frozen=True, tag="sgm-verify tree 1"):
    leaves: tuple[Leaf, ...]
    about: dict[str, str]


TREE = Tree(leaves=(Leaf(name="é", count=3), Leaf(name="b")), about={"z": "1", "a": "2"})
TEXT = document.as_text(TREE)


def changed(**fields: object) -> str:
    return json.dumps({**json.loads(TEXT), **fields})


def test_what_was_written_is_read():
    found = document.from_text(TEXT, Tree)
    assert (found.leaves, found.about) == (TREE.leaves, TREE.about)


def test_the_format_stands_first_and_the_closing_record_last():
    assert list(json.loads(TEXT)) == ["format", "leaves", "about", "closing"]


def test_a_document_that_was_read_is_written_with_the_same_bytes():
    assert document.as_text(document.from_text(TEXT, Tree)) == TEXT


def test_a_whole_number_in_a_doubles_place_is_read_back():
    assert document.from_text(document.as_text(Sizes(size=0)), Sizes).size == 0.0


class OldLeaf(Part, frozen=True):
    name: str


class OldTree(Document, frozen=True, tag="sgm-verify tree 1"):
    leaves: tuple[OldLeaf, ...]
    about: dict[str, str]


OLD = document.as_text(OldTree(leaves=(OldLeaf(name="b"),), about={}))


def test_a_file_from_before_a_field_with_a_default_is_read():
    assert document.from_text(OLD, Tree).leaves == (Leaf(name="b", count=0),)


def test_a_changed_file_from_before_a_field_is_refused():
    with pytest.raises(BadDocument, match="digest"):
        document.from_text(OLD.replace('"b"', '"c"'), Tree)


def test_the_schema_accepts_what_is_written():
    jsonschema.validate(json.loads(TEXT), document.schema(Tree))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "truncated"),
        (TEXT[:-30], "truncated"),
        ("[]", "object"),
        (changed(format="sgm-verify tree 2"), "format"),
        (changed(more=1), "unknown field `more`"),
        (changed(leaves=[{"name": 3}]), "$.leaves[0].name"),
        (changed(leaves=[{"name": "b", "size": 1}]), "unknown field `size`"),
        (changed(closing=None), "closing record is missing"),
        (changed(closing={"complete": False, "sha256": ""}), "complete"),
        (changed(about={"a": "2"}), "digest"),
        (TEXT.replace('"leaves"', '"about":{},"leaves"', 1), "'about' stands twice"),
        ("[" * 100_000, ""),
        (b"\xff\xfe", ""),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_one_line(text, says):
    with pytest.raises(BadDocument) as caught:
        document.from_text(text, Tree)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_bad_input(tmp_path):
    with pytest.raises(OutOfDomain, match="cannot be read"):
        document.read(tmp_path / "none.json", Tree)


def test_a_bad_file_is_named(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(changed(more=1))
    with pytest.raises(OutOfDomain, match=r"bad\.json: not a whole 'sgm-verify tree 1' file"):
        document.read(path, Tree)


def test_a_file_that_cannot_be_written_is_one_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutOfDomain, match="cannot be written"):
        document.write(tmp_path / "file" / "x.json", "{}")
