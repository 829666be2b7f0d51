"""The harness protocol: one JSON object a line, questions out, answers in.

Nothing that comes back is trusted: an answer is a value, a refusal or a named kind of silence, and
whatever is not exactly an answer is garbage.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Protocol

MAX_TEXT = 200
_HEX = re.compile(r"[+-]?0[xX][0-9a-fA-F]{1,32}(\.[0-9a-fA-F]{1,32})?[pP][+-]?[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a quantity at a point."""

    quantity: str
    q: float
    sigma: float
    alpha: float

    def fields(self) -> dict[str, Any]:
        """The question as sent, without its id; infinity is a string."""
        alpha = "inf" if self.alpha == math.inf else self.alpha
        return {"quantity": self.quantity, "q": self.q, "sigma": self.sigma, "alpha": alpha}

    def __str__(self) -> str:
        return f"q={self.q!r} sigma={self.sigma!r} alpha={self.alpha!r}"


class Askable(Protocol):
    """Whatever can be put as one line of JSON."""

    def fields(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a number (possibly inf or nan), or None and the reason why there is none.

    ``kind`` is "value", or how the answer is missing: "error" (the harness said so), "time-out",
    "crash", "garbage", "flood", "twice", "not-asked".
    """

    kind: str
    value: float | None = None
    detail: str = ""
    seconds: float = 0.0


class Garbage(ValueError):
    """A line that is not an answer."""


def question_line(token: str, question: Askable) -> bytes:
    """The question as sent; a number reads back as the exact double.

    >>> question_line("7", Question("rdp", 0.01, 1.1, math.inf))
    b'{"id": "7", "quantity": "rdp", "q": 0.01, "sigma": 1.1, "alpha": "inf"}\\n'
    """
    fields = {"id": token, **question.fields()}
    return json.dumps(fields, allow_nan=False).encode("ascii") + b"\n"


def parse_answer(line: bytes) -> tuple[str, Answer]:
    """The id and the answer in a line; Garbage for everything else.

    >>> parse_answer(b'{"id": "7", "value": 0.5}')
    ('7', Answer(kind='value', value=0.5, detail='', seconds=0.0))
    >>> parse_answer(b'{"id": "7", "value": NaN}')
    Traceback (most recent call last):
    ...
    verify.judge.protocol.question.Garbage: not JSON: NaN is not a JSON number
    """
    try:
        fields = json.loads(
            line.decode("utf-8"),
            parse_constant=_no_constant,
            parse_int=_integer,
            object_pairs_hook=_no_duplicates,
        )
    except (ValueError, RecursionError) as error:
        raise Garbage(f"not JSON: {printable(str(error))}") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("id"), str):
        raise Garbage("not a JSON object with a string id")
    if set(fields) == {"id", "value"}:
        return fields["id"], Answer("value", _value(fields["value"]))
    if set(fields) == {"id", "error"} and isinstance(fields["error"], str):
        return fields["id"], Answer("error", detail=printable(fields["error"]))
    raise Garbage('an answer has "id" and either "value" or "error"')


def _value(given: object) -> float:
    if isinstance(given, float):
        return given
    if isinstance(given, str):
        text = given.strip().lower()
        if text in ("inf", "+inf", "-inf", "nan"):
            return float(text)
        if _HEX.fullmatch(text):
            try:
                return float.fromhex(text)
            except OverflowError:
                return -math.inf if text.startswith("-") else math.inf
    raise Garbage("a value is a number, a hexadecimal float, or one of the strings inf, -inf, nan")


def _no_constant(name: str) -> float:
    raise Garbage(f"{name} is not a JSON number")


def _integer(text: str) -> float:
    return float(text)  # a float straight away: an integer of a million digits is not worth making


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise Garbage("a key occurs twice")
    return dict(pairs)


def printable(text: str) -> str:
    """Foreign text as data: one line, bounded, control characters escaped.

    >>> printable("a\\x1b[31m\\nb")
    'a\\\\x1b[31m\\\\nb'
    """
    cut = text[:MAX_TEXT] + ("..." if len(text) > MAX_TEXT else "")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
