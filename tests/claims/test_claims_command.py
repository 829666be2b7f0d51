"""sgm-verify claims."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from verify import claim_runner as runner
from verify.claims import Claim, Evidence, Rejected, Verdict, claim, symbolic
from verify.cli import cli


@claim(
    "toy/right",
    lines="1",
    kind="identity",
    domain="x",
    statement="1 = 1",
    broken={"two": {"value": 2}},
)
def right(value: int = 1) -> Iterator[Evidence]:
    """One is one."""
    if value != 1:
        raise Rejected("value = 2")
    yield symbolic(detail="by \x1b[31mred\x1b[0m thought")


@claim(
    "toy/deep/wrong",
    lines="2",
    kind="inequality",
    domain="x",
    statement="2 < 1",
    broken={"three": {"value": 3}},
)
def wrong(value: int = 2) -> Iterator[Evidence]:
    """Recorded as true, found false."""
    yield symbolic()
    raise Rejected(f"value = {value}")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["claims", *arguments])


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> dict[str, Claim]:
    found = {c.id: c for c in (right, wrong)}
    monkeypatch.setattr(runner, "discover", lambda: found)
    monkeypatch.setattr(runner, "packages", lambda: iter(()))
    return found


def test_the_table_lists_every_claim(toy: dict[str, Claim]) -> None:
    result = call()
    assert result.exit_code == 0
    assert "toy/right" in result.output
    assert "2 claims" in result.output


def test_a_check_that_differs_exits_with_1(toy: dict[str, Claim]) -> None:
    result = call("--check", "--jobs", "1")
    assert result.exit_code == 1
    assert "DIFFERS: recorded holds, found rejected: value = 2" in result.output


def test_a_check_that_agrees_exits_with_0(toy: dict[str, Claim]) -> None:
    result = call("--check", "toy/right", "--jobs", "1")
    assert result.exit_code == 0
    assert "1 of 1 claims (100.0%)" in result.output


def test_an_id_selects_all_claims_below_it(toy: dict[str, Claim]) -> None:
    output = call("--check", "toy/deep", "--jobs", "1").output
    assert "toy/deep/wrong" in output
    assert "toy/right" not in output


def test_json_has_the_promised_shape_and_says_it_is_complete(toy: dict[str, Claim]) -> None:
    result = call("--check", "--json", "--jobs", "1")
    document = json.loads(result.output)
    assert document["complete"] is True
    first, second = document["claims"]
    for row in (first, second):
        assert {"id", "place", "kind", "severity", "verdict", "evidence", "seconds"} <= set(row)
    assert set(first["evidence"][0]) >= {"level", "effective", "vacuous", "detail"}
    assert second["verdict"] == "unknown"
    assert second["differs"] == "recorded holds, found rejected: value = 2"


def test_json_that_was_cut_short_is_not_json(toy: dict[str, Claim]) -> None:
    output = call("--check", "--json", "--jobs", "1").output
    cut = output[: output.index('"complete"')]
    with pytest.raises(json.JSONDecodeError):
        json.loads(cut)


def test_an_interrupted_run_is_not_marked_complete(
    toy: dict[str, Claim], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = runner.run_one

    def interrupted(c: Claim, *arguments: object) -> runner.Result:
        if c is wrong:
            raise KeyboardInterrupt
        return original(c, *arguments)  # type: ignore[arg-type]  # passed through as received

    monkeypatch.setattr(runner, "run_one", interrupted)
    result = call("--check", "--json", "--jobs", "1")
    assert result.exit_code != 0
    assert "complete" not in result.output


def test_one_claim_in_full_says_how_to_reproduce_it(toy: dict[str, Claim]) -> None:
    output = call("toy/right").output
    assert "sgm-verify claims --check toy/right" in output
    assert "must fail      two" in output


def test_control_characters_are_escaped(toy: dict[str, Claim]) -> None:
    output = call("toy/right").output
    assert "\x1b" not in output
    assert r"\x1b[31mred" in output


def test_an_unknown_id_is_one_clear_error(toy: dict[str, Claim]) -> None:
    assert "no claim 'nowhere'" in str(call("nowhere").exception)


@pytest.mark.parametrize(
    "arguments", [("--json",), ("--record",), ("--check", "--record", "toy/right")]
)
def test_options_that_make_no_sense_are_refused(
    toy: dict[str, Claim], arguments: tuple[str, ...]
) -> None:
    assert call(*arguments).exit_code != 0


def test_without_claim_packages_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "entry_points", lambda group: [])
    assert "no claims are installed" in str(call().exception)


def test_a_changed_verdict_in_the_record_is_noticed(toy: dict[str, Claim]) -> None:
    toy["toy/right"] = replace(right, verdict=Verdict.REFUTED)
    assert call("--check", "toy/right", "--jobs", "1").exit_code == 1


def test_a_value_does_not_load_the_algebra() -> None:
    program = (
        "import sys; import verify.cli, verify.commands.value; "
        "sys.exit('sympy' in sys.modules or 'proofs_checks' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
