"""A figure of the report: the certified numbers behind it, as decimal text, and its words."""

from __future__ import annotations

from verify.results.document import Part


class Figure(Part, frozen=True):
    """Rows over named columns; None where there is no number. The drawing is made from this alone."""

    id: str
    kind: str
    title: str
    caption: str
    parameters: dict[str, str]
    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
