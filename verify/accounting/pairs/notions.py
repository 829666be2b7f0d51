"""The words for what was run: how batches are drawn, and which data sets are neighbours.

One vocabulary for Python, the command line, JSON, vectors and the judge. ``TABLE`` says for each pair of words
whether the answer is exact, a bracket, or refused, and by which data sets the lower end is attained.

>>> sampling_named("Without Replacement"), relation_named("REPLACE_ONE")
('fixed-size', 'replace-one')
>>> sampling_named("bootstrap")
Traceback (most recent call last):
...
verify.numbers.errors.OutOfDomain: sampling = bootstrap: must be one of poisson, fixed-size, ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from verify.numbers.errors import OutOfDomain

POISSON, FIXED, TRUNCATED = "poisson", "fixed-size", "truncated-poisson"
ALLOCATION, SHUFFLE, SHUFFLE_ONCE, SEQUENTIAL = (
    "allocation",
    "shuffle",
    "shuffle-once",
    "sequential",
)
ADD_REMOVE, ZERO_OUT, REPLACE_ONE = "add/remove", "zero-out", "replace-one"

SAMPLINGS: Mapping[str, str] = {
    POISSON: "each record is in a batch with probability q, independently",
    FIXED: "each batch is a fresh random subset of fixed size, q = batch size / number of records",
    ALLOCATION: "in each epoch each record goes to one batch, chosen at random and independently",
    SHUFFLE: "each epoch shuffles all records and cuts them into batches",
    SHUFFLE_ONCE: "the records are shuffled once, and all epochs use the same batches",
    SEQUENTIAL: "the batches are fixed and known, nothing is shuffled",
    TRUNCATED: "Poisson sampling, and a batch above a limit is cut to the limit at random",
}
RELATIONS: Mapping[str, str] = {
    ADD_REMOVE: "one data set has one record more",
    ZERO_OUT: "the gradient of one record is replaced by zero",
    REPLACE_ONE: "one record is replaced by another one",
}
BY_EPOCHS = frozenset({ALLOCATION, SHUFFLE, SHUFFLE_ONCE, SEQUENTIAL})
"""Samplings in which each record takes part once in each epoch: they have batches and epochs instead of a rate q."""

_SPELLINGS = {
    "add-or-remove": ADD_REMOVE,
    "add-remove": ADD_REMOVE,
    "add-or-remove-one": ADD_REMOVE,
    "unbounded": ADD_REMOVE,
    "replace": REPLACE_ONE,
    "replacement": REPLACE_ONE,
    "replace-one-record": REPLACE_ONE,
    "substitute": REPLACE_ONE,
    "substitution": REPLACE_ONE,
    "bounded": REPLACE_ONE,
    "replace-special": ZERO_OUT,
    "zero": ZERO_OUT,
    "zeroout": ZERO_OUT,
    "fixed": FIXED,
    "fixed-size-batches": FIXED,
    "fixed-batch-size": FIXED,
    "without-replacement": FIXED,
    "sampled-without-replacement": FIXED,
    "random-allocation": ALLOCATION,
    "balls-and-bins": ALLOCATION,
    "shuffling": SHUFFLE,
    "shuffled": SHUFFLE,
    "truncated": TRUNCATED,
    "no-shuffling": SEQUENTIAL,
    "deterministic": SEQUENTIAL,
}


class Standing(StrEnum):
    """What an answer is."""

    EXACT = "exact"
    BRACKET = "bracket"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class NotionEntry:
    """One row of the table: what an answer is, and why.

    ``attained`` names data sets whose two output distributions give the exact answer, or the lower end of a
    bracket. ``why`` says why a bracket is none better, or why the question is refused.
    """

    standing: Standing
    attained: str = ""
    why: str = ""


_EXACT, _BRACKET, _REFUSED = Standing.EXACT, Standing.BRACKET, Standing.REFUSED
# a batch of random others is noise that helps: with poisson sampling and allocation they have to be zero
_LONE = "the record's gradient has the clipping norm, all others are zero"
_OPPOSITE = (
    "the record's gradient has the clipping norm, its replacement is the opposite gradient, "
    "all others are zero"
)
_AGAINST = "the record's gradient has the clipping norm, all others are the opposite gradient"
_NO_BATCHES = (
    "With one record fewer the batches of {} are not defined; ask for replace-one or zero-out."
)
_NO_TIGHT = "no pair of distributions is known that is attained and dominates {}"

TABLE: Mapping[tuple[str, str], NotionEntry] = {
    (POISSON, ADD_REMOVE): NotionEntry(_EXACT, _LONE),
    (POISSON, ZERO_OUT): NotionEntry(_EXACT, _LONE),
    (POISSON, REPLACE_ONE): NotionEntry(_EXACT, _OPPOSITE),
    (FIXED, ADD_REMOVE): NotionEntry(_EXACT, _AGAINST),
    (FIXED, REPLACE_ONE): NotionEntry(
        _BRACKET,
        f"{_AGAINST}, and so is its replacement",
        _NO_TIGHT.format("several steps with batches of a fixed size"),
    ),
    (FIXED, ZERO_OUT): NotionEntry(
        _BRACKET, _AGAINST, _NO_TIGHT.format("several steps with batches of a fixed size")
    ),
    (TRUNCATED, ADD_REMOVE): NotionEntry(
        _BRACKET,
        _LONE,
        _NO_TIGHT.format("truncated batches"),
    ),
    (TRUNCATED, ZERO_OUT): NotionEntry(
        _REFUSED,
        why="No bound is proved here for zeroing a record out of truncated batches; ask for add/remove.",
    ),
    (TRUNCATED, REPLACE_ONE): NotionEntry(
        _REFUSED,
        why="No bound is proved here for replacing a record of truncated batches; ask for add/remove.",
    ),
    (ALLOCATION, ADD_REMOVE): NotionEntry(_EXACT, _LONE),
    (ALLOCATION, ZERO_OUT): NotionEntry(_EXACT, _LONE),
    (ALLOCATION, REPLACE_ONE): NotionEntry(
        _BRACKET,
        "the record's gradient has the clipping norm, its replacement and all others are zero",
        "no tight pair is known for replacing a record under random allocation",
    ),
    (SHUFFLE, ADD_REMOVE): NotionEntry(_REFUSED, why=_NO_BATCHES.format("a shuffled epoch")),
    (SHUFFLE, ZERO_OUT): NotionEntry(_BRACKET, _AGAINST, _NO_TIGHT.format("shuffled epochs")),
    (SHUFFLE, REPLACE_ONE): NotionEntry(
        _BRACKET, f"{_AGAINST}, and so is its replacement", _NO_TIGHT.format("shuffled epochs")
    ),
    (SHUFFLE_ONCE, ADD_REMOVE): NotionEntry(_REFUSED, why=_NO_BATCHES.format("a shuffled epoch")),
    (SHUFFLE_ONCE, ZERO_OUT): NotionEntry(
        _BRACKET, _AGAINST, _NO_TIGHT.format("epochs that share one shuffle")
    ),
    (SHUFFLE_ONCE, REPLACE_ONE): NotionEntry(
        _BRACKET,
        f"{_AGAINST}, and so is its replacement",
        _NO_TIGHT.format("epochs that share one shuffle"),
    ),
    (SEQUENTIAL, ADD_REMOVE): NotionEntry(
        _REFUSED,
        why="With one record fewer all later batches change; ask for replace-one or zero-out.",
    ),
    (SEQUENTIAL, ZERO_OUT): NotionEntry(_EXACT, _LONE),
    (SEQUENTIAL, REPLACE_ONE): NotionEntry(_EXACT, _OPPOSITE),
}


def sampling_named(text: str) -> str:
    """The sampling that is meant, whatever its spelling."""
    return _known_spelling("sampling", text, SAMPLINGS)


def relation_named(text: str) -> str:
    """The relation that is meant, whatever its spelling."""
    return _known_spelling("relation", text, RELATIONS)


def _known_spelling(what: str, text: str, known: Mapping[str, str]) -> str:
    spelled = str(text).strip().lower().replace("_", "-").replace(" ", "-")
    name = spelled if spelled in known else _SPELLINGS.get(spelled, "")
    if name not in known:
        raise OutOfDomain(f"{what} = {text!s:.40}: must be one of {', '.join(known)}")
    return name


def answerable_entry(sampling: str, relation: str) -> NotionEntry:
    """The row of the table; refused with its sentence where there is no answer.

    >>> answerable_entry("shuffle", "add/remove")
    Traceback (most recent call last):
    ...
    verify.numbers.errors.OutOfDomain: With one record fewer the batches of a shuffled epoch are not defined; ...
    """
    entry = TABLE[sampling, relation]
    if entry.standing is Standing.REFUSED:
        raise OutOfDomain(entry.why)
    return entry
