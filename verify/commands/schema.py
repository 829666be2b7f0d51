"""sgm-verify schema: the JSON Schema of every file the project writes."""

from __future__ import annotations

import json
import textwrap

import click

from verify.commands import options
from verify.numbers.errors import OutOfDomain
from verify.results.catalogue import documents
from verify.results.document import format_of, schema
from verify.support.screen import width


@click.command("schema")
@click.argument("name", required=False, metavar="[NAME]")
@options.as_json
def command(name: str | None, as_json: bool) -> None:
    """The JSON Schema (2020-12) of a document, made from the class that reads and writes it.

    \b
    sgm-verify schema             what documents there are
    sgm-verify schema results     that of results.json

    A schema is JSON, with --json or without.
    """
    known = documents()
    about = {title: " ".join((kind.__doc__ or "").split()) for title, kind in known.items()}
    if name is None and as_json:
        options.emit({t: {"format": format_of(k), "about": about[t]} for t, k in known.items()})
    elif name is None:
        for title, kind in known.items():
            click.echo(f"{title:<12} {format_of(kind)}")
            click.echo(textwrap.indent(textwrap.fill(about[title], width() - 14), " " * 13))
    elif name not in known:
        raise OutOfDomain(f"no document {name!r:.60}; there are: {', '.join(known)}")
    else:
        click.echo(json.dumps(schema(known[name]), indent=1, ensure_ascii=False))
