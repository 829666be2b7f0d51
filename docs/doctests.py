"""Examples in docstrings become blocks of code: mkdocstrings would take ``>>>`` for a quotation."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)
_ROLE = re.compile(r":(?:class|func|meth|mod):`~?\.?([^`]+)`")


class Doctests(griffe.Extension):
    """Runs over every object that has a docstring, before it is parsed."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            text = _EXAMPLE.sub(
                lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", obj.docstring.value
            )
            obj.docstring.value = _ROLE.sub(r"`\1`", text)
