"""sgm-verify vectors: list, show, verify and generate the published test vectors."""

from __future__ import annotations

import math
import os
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import click
import msgspec

from verify.claims.kernel import about_numbers, kept_verdicts
from verify.claims.paper import papers
from verify.commands import options, progress
from verify.commands.suggest import did_you_mean
from verify.numbers.errors import OutOfDomain, SgmError
from verify.numbers.point import shown
from verify.results.run_vectors import RunVector
from verify.results.vectors import QUANTITIES, Confirmed, Flag, Vector
from verify.support.screen import fitted, width
from verify.vectors import store
from verify.vectors.flags import FLAGS
from verify.vectors.generate import Written, alone, confirmed_vector, generate
from verify.vectors.recompute import Difference, differences, sample
from verify.vectors.whole import RUN_FLAGS, load_runs, select_runs
from verify.vectors.whole.generate import NAME
from verify.vectors.whole.generate import generate as generate_runs
from verify.vectors.whole.recompute import run_differences
from verify.vectors.whole.store import WHOLE, check_run_files

SAMPLE = 200


class VectorsDiffer(SgmError):
    """A published vector is not what a fresh computation gives."""


_flag = click.option(
    "--flag", "flags", multiple=True, help="Only vectors with this flag (repeatable)."
)
_group = click.option("--group", "groups", multiple=True, help="Only this group (repeatable).")
_jobs = click.option(
    "--jobs", type=click.IntRange(1), default=min(2, os.cpu_count() or 1), show_default=True,
    help="Processes.",
)  # fmt: skip
_root = click.option(
    "--data",
    "root",
    type=click.Path(path_type=Path),
    default=store.DATA,
    help="Directory of vectors.",
)


@click.group("vectors")
def command() -> None:
    """Test vectors with certified values, for implementations in any language.

    \b
    sgm-verify vectors list --flag EarlyStop
    sgm-verify vectors show "dp-sgd/q=0.0005,sigma=1.0,alpha=8.0"
    sgm-verify vectors verify --all
    """


_runs = click.option("--runs", is_flag=True, help="The vectors of whole runs, for accountants.")


@command.command("list")
@_flag
@_group
@_runs
@_root
@click.option("--ids", is_flag=True, help="Print the ids, one a line.")
@click.option("--notes", is_flag=True, help="Print what each flag catches.")
@options.as_json
def list_(
    flags: tuple[str, ...],
    groups: tuple[str, ...],
    runs: bool,
    root: Path,
    ids: bool,
    notes: bool,
    as_json: bool,
) -> None:
    """Groups, flags and ids."""
    chosen: Sequence[Vector] | Sequence[RunVector]
    if runs:
        chosen = select_runs(load_runs(_whole(root)), flags, groups)
    else:
        chosen = store.select(store.load(root), flags, groups)
    noted = RUN_FLAGS if runs else FLAGS
    if as_json:
        options.emit(_listing(chosen, noted, ids, notes))
        return
    if ids:
        for vector in chosen:
            click.echo(vector.id)
        return
    by_flag = Counter(flag for vector in chosen for flag in vector.flags)
    click.echo(f"{len(chosen)} vectors")
    for name, count in Counter(vector.group for vector in chosen).items():
        click.echo(f"  {name:<18} {count:>5}")
    click.echo("flags")
    for name in sorted(by_flag):
        click.echo(f"  {name:<18} {by_flag[name]:>5}")
        if notes and name in noted:
            click.echo(_note("      catches: ", noted[name].mistake))
            click.echo(_note("      looks like: ", noted[name].looks_like))


def _note(head: str, text: str) -> str:
    return textwrap.fill(head + text, width(), subsequent_indent=" " * 8, break_on_hyphens=False)


def _whole(root: Path) -> Path:
    """Where the vectors of whole runs are: the published ones, unless a directory was given."""
    return WHOLE if root == store.DATA else root


def _listing(
    chosen: Sequence[Vector] | Sequence[RunVector], noted: dict[str, Flag], ids: bool, notes: bool
) -> dict[str, object]:
    by_flag = Counter(flag for vector in chosen for flag in vector.flags)
    result: dict[str, object] = {
        "vectors": len(chosen),
        "groups": dict(Counter(vector.group for vector in chosen)),
        "flags": dict(sorted(by_flag.items())),
    }
    if ids:
        result["ids"] = [vector.id for vector in chosen]
    if notes:
        result["notes"] = {
            name: {"catches": noted[name].mistake, "looks_like": noted[name].looks_like}
            for name in sorted(by_flag)
            if name in noted
        }
    return result


@command.command("show")
@click.argument("id_")
@_runs
@_root
@options.as_json
def show(id_: str, runs: bool, root: Path, as_json: bool) -> None:
    """One vector, with the notes of its flags."""
    every: Sequence[Vector] | Sequence[RunVector]
    every = load_runs(_whole(root)) if runs else store.load(root)
    found = [vector for vector in every if vector.id == id_]
    if not found:
        alike = did_you_mean(id_, (vector.id for vector in every))
        raise OutOfDomain(
            f"no vector has the id {id_!r:.150}{alike} (sgm-verify vectors list --ids)"
        )
    if as_json:
        options.emit(msgspec.to_builtins(found[0]))
    elif isinstance(found[0], Vector):
        click.echo(fitted(_text(found[0], store.confirmed_by(root))))
    else:
        click.echo(fitted(_run_text(found[0])))


def _run_text(vector: RunVector) -> str:
    lines = [vector.id, f"{vector.quantity}; {vector.sampling} sampling, {vector.relation}"]
    for q, sigma, steps in vector.phases:
        noise = "asked for" if math.isnan(sigma) else f"{sigma!r}"
        lines.append(f"phase        q {q!r}, sigma {noise}, {steps} steps")
    given = {"delta": vector.delta, "epsilon": vector.epsilon}
    lines += [f"{name:<12} {x!r:<22} {x.hex()}" for name, x in given.items() if x is not None]
    for name, value in (("value", vector.value), ("remove", vector.remove), ("add", vector.add)):
        if value is not None:
            lines.append(f"{name:<12} lo {value.lo}")
            lines.append(f"{'':<12} hi {value.hi}")
            lines.append(f"{'':<12} nearest {value.nearest!r}  up {value.up!r}")
    for name in vector.flags:
        note = f"{RUN_FLAGS[name].mistake} Looks like: {RUN_FLAGS[name].looks_like}"
        lines.append(_note(f"{name}: ", note))
    return "\n".join(lines)


def _text(vector: Vector, attested: Confirmed) -> str:
    lines = [vector.id]
    lines += [
        f"{n:<12} {x!r:<22} {x.hex()}"
        for n, x in zip(
            ("q", "sigma", "alpha"), (vector.q, vector.sigma, vector.alpha), strict=True
        )
    ]
    for name in QUANTITIES:
        value = vector[name]
        lines.append(f"{name:<12} lo {value.lo}")
        lines.append(f"{'':<12} hi {value.hi}")
        lines.append(f"{'':<12} nearest {value.nearest!r}  up {value.up!r}")
    sides = attested.others.get(vector.id, attested.usual)
    lines.append(f"confirmed by {', '.join(sides.a)} (A) and {', '.join(sides.b)} (B)")
    lines += [
        f"rdp is between {_short(proved.x)} and {_short(proved.upper)}: a theorem, checked by Coq"
        for proved in about_numbers(kept_verdicts(papers()))
        if proved.of == f"vector {vector.id}"
    ]
    for name in vector.flags:
        note = f"{FLAGS[name].mistake} Looks like: {FLAGS[name].looks_like}"
        lines.append(_note(f"{name}: ", note))
    return "\n".join(lines)


def _short(number: str | None) -> str:
    return shown(Fraction(number or 0))


@command.command("verify")
@click.option("--all", "everything", is_flag=True, help="Every vector, not a sample.")
@click.option(
    "--sample",
    "count",
    type=click.IntRange(1),
    default=SAMPLE,
    show_default=True,
    help="How many to recompute.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which sample.")
@_flag
@_group
@_runs
@_jobs
@_root
@options.as_json
def verify_(
    everything: bool,
    count: int,
    seed: int,
    flags: tuple[str, ...],
    groups: tuple[str, ...],
    runs: bool,
    jobs: int,
    root: Path,
    as_json: bool,
) -> None:
    """Check the files, then recompute vectors with the certified engine and compare every digit."""
    total = check_run_files(_whole(root)) if runs else store.check_files(root)
    say = (lambda _: None) if as_json else click.echo
    say(f"{total} vectors: checksums, schema, canonical form, ids and flags are in order")
    names, found_again = _recompute(
        root, runs, flags, groups, None if everything else (count, seed), jobs
    )
    wrong = []
    with progress.parts() as (begin, advance):
        ids = iter([*names, ""])
        begin("vectors", len(names), next(ids))
        for found in found_again:
            advance(next(ids))
            for difference in found:
                wrong.append(difference)
                say(f"{difference.id} {difference.quantity}: published {difference.published}")
                say(f"    recomputed {difference.recomputed}")
    if as_json:
        told = [asdict(difference) for difference in wrong]
        options.emit({"vectors": total, "recomputed": len(names), "differences": told})
        raise click.exceptions.Exit(1 if wrong else 0)
    if wrong:
        raise VectorsDiffer(f"{len(wrong)} published values are not reproduced")
    click.echo(f"{len(names)} of {total} recomputed: every digit agrees")


def _recompute(
    root: Path,
    runs: bool,
    flags: tuple[str, ...],
    groups: tuple[str, ...],
    sampled: tuple[int, int] | None,
    jobs: int,
) -> tuple[list[str], Iterator[list[Difference]]]:
    """The ids of the vectors that are computed again, and what differs for each in turn."""
    if runs:
        whole = select_runs(load_runs(_whole(root)), flags, groups)
        whole = sample(whole, *sampled) if sampled else whole
        return [vector.id for vector in whole], run_differences(whole, jobs)
    steps = store.select(store.load(root), flags, groups)
    steps = sample(steps, *sampled) if sampled else steps
    return [vector.id for vector in steps], differences(steps, jobs)


@command.command("generate")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Directory to write.")
@click.option("--no-witnesses", is_flag=True, help="Certified engine only; not fit to publish.")
@_runs
@_jobs
@options.as_json
def generate_(out: Path, no_witnesses: bool, runs: bool, jobs: int, as_json: bool) -> None:
    """Write all vectors and their manifest (some minutes: every engine computes every point)."""
    with progress.parts() as (begin, advance):

        def show_progress(done: int, total: int) -> None:
            if done == 1:
                begin("vectors", total)
            advance()

        if runs:
            size = generate_runs(out, jobs, show_progress)
            written = Written(1, size, (out / NAME).stat().st_size)
        else:
            written = generate(
                out, jobs, alone if no_witnesses else confirmed_vector, show_progress
            )
    if as_json:
        options.emit({"vectors": written.vectors, "files": written.files, "bytes": written.size,
                      "folder": str(out)})  # fmt: skip
        return
    click.echo(
        f"{written.vectors} vectors in {written.files} files, {written.size} bytes, in {out}"
    )
