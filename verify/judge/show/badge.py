"""The outcome of a check as a badge: the JSON that shields.io and others read from an address."""

from __future__ import annotations

import json

from verify.judge.verdict.grading import Direction
from verify.judge.verdict.judged import Judged


def badge(found: Judged) -> str:
    """One object: label, message, colour. What endangers privacy comes first.

    The schema is that of shields.io's endpoint badges, version 1.
    """
    message, color = _text_and_colour(found)
    fields = {"schemaVersion": 1, "label": "sgm-verify", "message": message, "color": color}
    return json.dumps(fields) + "\n"


def _text_and_colour(found: Judged) -> tuple[str, str]:
    if not found.answered:
        return "no answer", "lightgrey"
    if found.conforms:
        known = f", {len(found.excused)} known failures" if found.excused else ""
        return f"conforms{known}", "green" if known else "brightgreen"
    unsafe = sum(case.judgement.direction is Direction.UNSAFE for case in found.failures)
    if unsafe:
        return f"{unsafe} of {len(found.cases)} UNSAFE", "red"
    if found.failures:
        return f"{len(found.failures)} of {len(found.cases)} wrong", "orange"
    return "breaks a property" if found.violations else "does not conform", "orange"
