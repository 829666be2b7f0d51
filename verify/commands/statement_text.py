"""The privacy statement of a run, for a model card: its facts, and the same facts as text, Markdown and HTML."""

from __future__ import annotations

import hashlib
import json
import shlex
import textwrap
from dataclasses import dataclass
from typing import Any

from verify.accounting.pairs.notions import POISSON, RELATIONS, SAMPLINGS, TRUNCATED, Standing
from verify.accounting.tight import out_of_time
from verify.commands.runs import OUT_OF_TIME, AskedRun, attaining_data_sets, run_json
from verify.numbers.certified import Certified
from verify.numbers.point import shown
from verify.parallel.programs import programs
from verify.results.verdicts import KernelRun
from verify.support.escaping import markdown, markup
from verify.support.screen import fitted, table, width

DIGITS = 4
CONDITIONS = (
    "each record's gradient is clipped to a fixed norm C, the batch's gradients are summed, and "
    "Gaussian noise of standard deviation sigma times C is added to the sum",
    "the batches are drawn as said, and the noise multiplier and the number of steps do not depend on the data",
    "nothing else that depends on the data is released; a search for hyperparameters on the same data is not counted",
)


@dataclass(frozen=True, slots=True)
class Statement:
    """The facts that a privacy statement about a run may contain."""

    name: str
    asked: AskedRun
    delta: str
    found: Certified
    command: str
    theorem: KernelRun | None = None  # a kept one of this very run

    @property
    def epsilon(self) -> str:
        """The number to publish: the upper end, rounded up."""
        return self.found.hi_str(DIGITS)

    @property
    def facts(self) -> dict[str, Any]:
        """The JSON block: everything that the paragraph says."""
        return {
            **({"name": self.name} if self.name else {}),
            "mechanism": "DP-SGD: Gaussian noise on sums of clipped per-record gradients",
            **run_json(self.asked, self.found),
            "delta": self.delta,
            "epsilon": self.epsilon,
            "epsilon_interval": {"lo": self.found.lo_str(12), "hi": self.found.hi_str(12)},
            "conditions": list(CONDITIONS),
            "computed_by": programs(),
            "repeat": self.command,
            **({"theorem": _theorem_facts(self.theorem)} if self.theorem else {}),
        }

    @property
    def digest(self) -> str:
        """SHA-256 of the JSON block, with sorted keys and no spaces."""
        text = json.dumps(self.facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def _theorem_facts(theorem: KernelRun) -> dict[str, str]:
    return {
        "epsilon": theorem.epsilon,
        "words": theorem.words,
        "proof_sha256": theorem.proof_sha256,
        "check_sha256": theorem.check_sha256,
    }


def sentences(one: Statement) -> list[str]:
    """The paragraph, a sentence each; what was assumed comes first."""
    run = one.asked.run
    drawn = "; ".join(f"{s} ({SAMPLINGS[s.sampling]})" for s in run.stages) or "nothing is released"
    counted = f" ({one.asked.loader})" if one.asked.loader else ""
    many = f" {run.group} records at a time," if run.group > 1 else ""
    said = []
    if one.asked.assumed:
        said.append(
            "ASSUMED, because it was not said: Poisson sampling. If batches are shuffled or have a "
            "fixed size, this statement is false: ask with --sampling."
        )
    said += [
        f"The model was trained with DP-SGD{counted}. Batches and noise: {drawn}.",
        f"The run is (epsilon, delta)-differentially private with epsilon = {one.epsilon} and "
        f"delta = {one.delta}, for neighbouring data sets in the sense of {run.relation}:{many} "
        f"{RELATIONS[run.relation]}.",
    ]
    if run.standing is Standing.EXACT:
        said.append(
            "This is the exact epsilon, rounded up: the least that holds for all data sets lies in "
            f"[{one.found.lo_str(12)}, {one.found.hi_str(12)}], proved by ball arithmetic."
        )
    else:
        poisson = (
            " An epsilon of Poisson sampling is not proved for this loop."
            if all(s.sampling not in (POISSON, TRUNCATED) for s in run.stages)
            else ""
        )
        late = f" Here {OUT_OF_TIME}." if out_of_time(one.found) else ""
        said.append(
            f"WARNING: the exact epsilon is not known. It is at least {one.found.lo_str(DIGITS)} "
            f"(attained: {attaining_data_sets(run, one.found)}) and at most {one.epsilon} (proved).{late}{poisson}"
        )
    if one.asked.loader and (other := one.asked.loader.rate_of_opacus(run)):
        rate = shown(one.asked.loader.rate)
        said.append(
            f"This is about batches drawn with the rate {rate}, batch over records. {other}: "
            "a run with its loader is another run, with another epsilon."
        )
    if one.theorem is not None:
        said.append(
            "The kernel of the proof assistant Coq has checked that the run is "
            f"({one.theorem.epsilon}, {one.delta})-DP if the clipped gradients depend continuously on "
            f"the earlier outputs (SHA-256 of the check file: {one.theorem.check_sha256})."
        )
    said.append(f"This holds if {'; '.join(CONDITIONS)}.")
    return said


def _provenance(one: Statement) -> tuple[str, str, str]:
    """How it was computed, the command that repeats it, and the digest of the facts."""
    return (
        f"Computed by {programs()}; to repeat:",
        one.command,
        f"SHA-256 of the facts as JSON with sorted keys and no spaces: {one.digest}",
    )


def as_text(statements: list[Statement]) -> str:
    """80 columns, or those of the terminal; the command that repeats the answer stays in one line, to be copied."""
    parts = []
    for one in statements:
        how, command, digest = _provenance(one)
        lines = [*([one.name] if one.name else []), *map(_wrap, sentences(one))]
        parts.append("\n".join([*lines, fitted(how), f"  {command}", _wrap(digest)]))
    if len(statements) > 1:
        parts.insert(0, _table(statements))
    return "\n\n".join(parts)


def _table(statements: list[Statement]) -> str:
    rows = list(map(_cells, statements))
    widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]

    def padded(*row: str) -> str:
        return "  ".join(map(str.ljust, row, widths)).rstrip()

    return "\n".join(table(_HEAD, rows, padded))


def _wrap(line: str) -> str:
    return textwrap.fill(line, width())


def as_markdown(statements: list[Statement]) -> str:
    """A paragraph and the facts; several runs as a table first."""
    parts = []
    if len(statements) > 1:
        rows = [f"| {' | '.join(markdown(cell) for cell in _cells(one))} |" for one in statements]
        parts.append("\n".join([f"| {' | '.join(_HEAD)} |", "|---" * len(_HEAD) + "|", *rows]))
    for one in statements:
        heading = [f"### Privacy: {markdown(one.name)}"] if one.name else ["### Privacy"]
        lines = [markdown(line) for line in sentences(one)]
        how, command, digest = _provenance(one)
        repeat = f"{markdown(how)}\n\n```sh\n{command}\n```"
        facts = f"{markdown(digest)}\n\n```json\n{json.dumps(one.facts, indent=2, ensure_ascii=False)}\n```"
        parts.append("\n\n".join([*heading, " ".join(lines), repeat, facts]))
    return "\n\n".join(parts)


def as_html(statements: list[Statement]) -> str:
    parts = []
    if len(statements) > 1:
        head = "".join(f"<th>{markup(name)}</th>" for name in _HEAD)
        rows = "".join(
            "<tr>" + "".join(f"<td>{markup(cell)}</td>" for cell in _cells(one)) + "</tr>"
            for one in statements
        )
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
    for one in statements:
        title = f"Privacy: {one.name}" if one.name else "Privacy"
        text = markup(" ".join(sentences(one)))
        facts = markup(json.dumps(one.facts, indent=2, ensure_ascii=False))
        how, command, digest = map(markup, _provenance(one))
        parts.append(
            f'<section class="privacy"><h3>{markup(title)}</h3><p>{text}</p><p>{how}</p><pre>{command}</pre>'
            f"<p>{digest}</p><pre>{facts}</pre></section>"
        )
    return "\n".join(parts)


_HEAD = ("run", "sampling", "relation", "delta", "epsilon", "answer")


def _cells(one: Statement) -> tuple[str, ...]:
    run = one.asked.run
    samplings = ", ".join(dict.fromkeys(s.sampling for s in run.stages))
    return (one.name, samplings, run.relation, one.delta, one.epsilon, str(run.standing))


def command_line(options: dict[str, Any]) -> str:
    """The command that repeats an answer."""
    words = ["sgm-verify", "epsilon"]
    for name, value in options.items():
        if value is True:
            words.append(f"--{name.replace('_', '-')}")
        elif value not in (None, False):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)
