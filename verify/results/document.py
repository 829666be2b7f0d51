"""One JSON document, one class: reading, writing and the JSON Schema come from it.

A document begins with its format and ends with a closing record: its digest. A file that was cut
short, edited, or written by something else is refused with one line, never half understood.

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
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from verify import strict_json
from verify.errors import OutOfDomain, SgmError

_SAID = 300  # characters of a message about foreign text


class BadDocument(SgmError):
    """Not a document of this format, or not a whole one."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a document. Sequences are tuples; what may be missing has a default."""


class Closing(Part, frozen=True):
    """What stands last: a file without it is the torso of a run."""

    complete: Literal[True]
    sha256: str


class Document(Part, frozen=True, tag_field="format", kw_only=True):
    """A whole file. A class gives its format's name and version as ``tag``."""

    closing: Closing | None = None


D = TypeVar("D", bound=Document)
P = TypeVar("P")


def digest(document: Document) -> str:
    """Digest of everything but the closing record."""
    body = msgspec.structs.replace(document, closing=None)
    return hashlib.sha256(msgspec.json.encode(body)).hexdigest()


def as_text(document: Document, indent: int = 1) -> str:
    """The file's text, closed: the same for the same content."""
    # As the reader will see it: a whole number in a double's place would change the digest.
    document = msgspec.convert(msgspec.to_builtins(document), type(document))
    fields = msgspec.to_builtins(document)
    fields.pop("closing")
    fields["closing"] = msgspec.to_builtins(Closing(True, digest(document)))
    return msgspec.json.format(msgspec.json.encode(fields), indent=indent).decode() + "\n"


def from_text(text: str | bytes, kind: type[D]) -> D:
    """A document from its text; one error for whatever is wrong with it."""
    document = decoded(text, kind)
    if document.closing is None:
        raise BadDocument("the closing record is missing: cut short, or not finished")
    if document.closing.sha256 != digest(document):
        raise BadDocument("the closing record's digest is not that of the content")
    return document


def decoded(text: str | bytes, kind: type[P]) -> P:
    """What the text says, whole or not; one error for a wrong type, a foreign field, a key given twice."""
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
    """All or nothing: the old file stays until the new one is whole."""
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
