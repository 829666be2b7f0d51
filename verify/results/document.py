"""One JSON document, one class: reading, writing and the JSON Schema come from it.

A document begins with its format and ends with a closing record: its digest. A file that was cut
short, edited, or written by something else is refused with one line, and none of it is used.

msgspec rather than attrs and cattrs: decoding checks types and refuses unknown fields by itself, the
schema is made from the same classes, and it brings no dependencies.

>>> class Note(Document, frozen=True, tag="sgm-verify note 1"):
...     words: tuple[str, ...]
>>> text = as_text(Note(words=("one", "two")))
>>> from_text(text, Note).words
('one', 'two')
>>> from_text(text.replace("two", "too"), Note)
Traceback (most recent call last):
...
verify.results.document.BadDocument: the closing record's digest is not that of the content
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

import msgspec

from verify.numbers.errors import OutOfDomain, SgmError
from verify.support import strict_json

_SAID = 300  # characters of a message about foreign text


class BadDocument(SgmError):
    """Not a document of this format, or not a whole one."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a document. Sequences are tuples; what may be missing has a default."""


class Closing(Part, frozen=True):
    """The last record of a file. A file without it was cut short, or its run has not ended."""

    complete: Literal[True]
    sha256: str


class Document(Part, frozen=True, tag_field="format", kw_only=True):
    """A whole file. A class gives its format's name and version as ``tag``.

    One with long tables sets ``in_rows``: each row stands on one line, so that a diff shows rows.
    """

    in_rows: ClassVar[bool] = False
    closing: Closing | None = None


D = TypeVar("D", bound=Document)
P = TypeVar("P")


def digest(document: Document) -> str:
    """Digest of everything but the closing record."""
    body = msgspec.structs.replace(document, closing=None)
    return hashlib.sha256(msgspec.json.encode(body)).hexdigest()


def _digest_as_written(text: str | bytes, kind: type[Document]) -> str:
    """Digest of what the file says: a field that has come later, with a default, is not in it."""
    said = {**msgspec.json.decode(text), "closing": None}
    body = {name: said[name] for name in ("format", *kind.__struct_fields__) if name in said}
    return hashlib.sha256(msgspec.json.encode(body)).hexdigest()


def as_text(document: Document, indent: int = 1) -> str:
    """The file's text, closed: the same for the same content."""
    # As the reader will see it: a whole number in a double's place would change the digest.
    document = msgspec.convert(msgspec.to_builtins(document), type(document))
    fields = msgspec.to_builtins(document)
    fields.pop("closing")
    fields["closing"] = msgspec.to_builtins(Closing(True, digest(document)))
    text = msgspec.json.format(msgspec.json.encode(fields), indent=indent).decode() + "\n"
    return _in_rows(text) if document.in_rows else text


_ROW = re.compile(r"^( +)\[\n(.*?)^\1\]", re.DOTALL | re.MULTILINE)


def _in_rows(text: str) -> str:
    """Indented JSON with each list inside a list on one line; strings hold no line breaks there.

    >>> _in_rows('{\\n "t": [\\n  [\\n   1,\\n   "a"\\n  ],\\n  [\\n   2\\n  ]\\n ]\\n}')
    '{\\n "t": [\\n  [1, "a"],\\n  [2]\\n ]\\n}'
    """

    def row(found: re.Match[str]) -> str:
        lines = (
            found[2].rstrip("\n").split("\n")
        )  # not splitlines: strings may hold other ends of lines
        return f"{found[1]}[{' '.join(line.lstrip(' ') for line in lines)}]"

    return _ROW.sub(row, text)


def from_text(text: str | bytes, kind: type[D]) -> D:
    """A document from its text; one error for whatever is wrong with it."""
    document = decode(text, kind)
    if document.closing is None:
        raise BadDocument("the closing record is missing: cut short, or not finished")
    if document.closing.sha256 not in (digest(document), _digest_as_written(text, kind)):
        raise BadDocument("the closing record's digest is not that of the content")
    return document


def decode(text: str | bytes, kind: type[P]) -> P:
    """The content of the text, whether or not it is complete; one error for a wrong type, an
    unknown field or a repeated key."""
    try:
        found = msgspec.json.decode(text, type=kind)
        strict_json.loads(
            text
        )  # msgspec takes the last of equal keys; another reader may take the first
    except (ValueError, RecursionError) as error:
        raise BadDocument(" ".join(str(error).split())[:_SAID]) from None
    return found


def read(path: Path, kind: type[D]) -> D:
    """A document from a file; one error if it is missing, foreign, damaged or cut short."""
    try:
        return from_text(path.read_bytes(), kind)
    except OSError as error:
        raise OutOfDomain(f"{path}: cannot be read ({error.strerror})") from error
    except BadDocument as error:
        raise OutOfDomain(f"{path}: not a whole {format_of(kind)!r} file ({error})") from error


def format_of(kind: type[Part]) -> str:
    """The name that stands first in such files."""
    return str(kind.__struct_config__.tag)


def schema(kind: type[Part]) -> dict[str, Any]:
    """The JSON Schema (2020-12) of such files."""
    made = msgspec.json.schema(kind)
    body = made["$defs"][kind.__name__]
    if "closing" in body["properties"]:  # missing only while a document is being made
        body["properties"]["closing"] = {"$ref": "#/$defs/Closing"}
        body["required"].append("closing")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def write(path: Path, content: str | bytes) -> None:
    """Write the whole file or nothing: the old file is kept until the new one is complete."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.partial")
        with partial.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    except OSError as error:
        raise OutOfDomain(f"{path}: cannot be written ({error.strerror})") from error
