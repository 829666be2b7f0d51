"""results.json: its format, its schema, and the closing record that says nothing is missing."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from verify.errors import OutOfDomain, SgmError

FORMAT = "sgm-verify results 3"
SEVERITIES = ("theorem false", "statement false", "gap", "slip", "none")
VERDICTS = ("refuted", "holds-with-repair", "holds", "unknown")
LEVELS = ("kernel", "symbolic", "certified-region", "certified-points", "sampled")

Results = dict[str, Any]


class BadResults(SgmError):
    """Not a results file of this format, or not a whole one."""


@functools.cache
def schema() -> Mapping[str, Any]:
    text = (files("verify.report") / "schema.json").read_text(encoding="utf-8")
    loaded: Mapping[str, Any] = json.loads(text)
    return loaded


def closed(body: Mapping[str, Any]) -> Results:
    """The body with its closing record, checked against the schema."""
    content = {"format": FORMAT, **body}
    record = {"complete": True, "claims": len(body["claims"]), "sha256": body_digest(content)}
    results = {**content, "closing": record}
    validate(results)
    return results


def body_digest(results: Mapping[str, Any]) -> str:
    """Digest of everything but the closing record."""
    body = {key: value for key, value in results.items() if key != "closing"}
    text = json.dumps(body, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def validate(results: object) -> None:
    """One clear error for whatever is wrong with results."""
    import jsonschema

    problem = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(schema()).iter_errors(results)
    )
    if problem is not None:
        where = "/".join(map(str, problem.absolute_path)) or "top level"
        raise BadResults(f"{where}: {problem.message[:200]}")
    whole: Any = results  # an object with all its keys, says the schema
    closing = whole["closing"]
    if closing["claims"] != len(whole["claims"]):
        raise BadResults("the closing record counts other claims than there are")
    if closing["sha256"] != body_digest(whole):
        raise BadResults("the closing record's digest is not that of the content")


def load(path: Path) -> Any:
    """A file's JSON; ValueError in plain words if it is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError("no JSON, or cut short") from error


def read(path: Path) -> Results:
    """Results from a file; one error if it is missing, foreign, damaged or cut short."""
    try:
        results = load(path)
    except OSError as error:
        raise OutOfDomain(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise OutOfDomain(f"{path}: {error}") from error
    try:
        validate(results)
    except BadResults as error:
        raise OutOfDomain(f"{path}: not a whole results file ({error})") from error
    whole: Results = results
    return whole


def as_text(results: Mapping[str, Any]) -> str:
    """The bytes of results.json, the same for the same results."""
    return json.dumps(results, indent=1, ensure_ascii=True) + "\n"


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
        raise OutOfDomain(f"--out {path.parent}: cannot be written ({error.strerror})") from error


def strongest(claim: Mapping[str, Any]) -> str:
    """The strongest level of a claim's evidence, "none" if there is none."""
    found = [e["level"] for e in claim["evidence"] if e["effective"] > 0]
    return min(found, key=LEVELS.index, default="none")


def by_severity(claims: list[dict[str, Any]], verdict: str) -> list[dict[str, Any]]:
    """The claims of a verdict, gravest first; the order of the paper within a severity."""
    those = [claim for claim in claims if claim["verdict"] == verdict]
    return sorted(those, key=lambda claim: SEVERITIES.index(claim["severity"]))


def counterexample(claim: Mapping[str, Any]) -> str:
    """A claim's counterexample in the fewest words; all of them stand with the claim itself."""
    against = [e for e in claim["evidence"] if e["role"] == "counterexample"]
    computed = [e["detail"] for e in against if e["level"] != "kernel"]
    proved = [e["detail"].split(" (")[0] for e in against if e["level"] == "kernel"]
    said = [min(computed, key=len)] if computed else []
    if said:  # steps of a proof in formulas of sympy are for the claim's own page
        steps = said[0].split("; ")
        said = ["; ".join([step for step in steps if "**" not in step] or steps)]
    return "; ".join([*said, *(f"proved by the kernel as {name}" for name in proved)])


def by_section(claims: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Claims by the first part of their id, in order."""
    sections: dict[str, list[dict[str, Any]]] = {}
    for claim in claims:
        sections.setdefault(claim["section"], []).append(claim)
    return sections
