"""A figure of the report: the certified numbers behind it, as decimal text, and its words."""

from __future__ import annotations

from typing import Annotated

import msgspec

from verify.results.document import Part

Name = Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]+$")]  # also that of a file


class Figure(Part, frozen=True):
    """Rows over named columns; None where there is no number. The drawing is made from this alone."""

    id: Name
    kind: str
    title: str
    caption: str
    parameters: dict[str, str]
    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
