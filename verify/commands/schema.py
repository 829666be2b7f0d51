"""sgm-verify schema: the JSON Schema of every file the project writes."""

from __future__ import annotations

import json

import click

from verify.errors import OutOfDomain
from verify.results.catalogue import documents
from verify.results.document import format_of, schema


@click.command("schema")
@click.argument("name", required=False, metavar="[NAME]")
def command(name: str | None) -> None:
    """The JSON Schema (2020-12) of a document, made from the class that reads and writes it.

    \b
    sgm-verify schema             what documents there are
    sgm-verify schema results     that of results.json
    """
    known = documents()
    if name is None:
        for title, kind in known.items():
            about = " ".join((kind.__doc__ or "").split())
            click.echo(f"{title:<12} {format_of(kind)}\n{'':<12} {about}")
    elif name not in known:
        raise OutOfDomain(f"no document {name!r:.60}; there are: {', '.join(known)}")
    else:
        click.echo(json.dumps(schema(known[name]), indent=1, ensure_ascii=False))
