"""The command as a user meets it: real processes, real exit codes."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys

import pytest

import verify
from tests.patience import PATIENCE, hears_interrupts
from verify.commands.value import Record, Wanted
from verify.moments import agreement
from verify.numbers.point import Point

COMMAND = [sys.executable, "-c", "from verify.cli import main; main()"]


def run(*arguments, **options):
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        **options,
    )


def test_one_point():
    result = run("value", "--q", "0.01", "--sigma", "1.1", "--alpha", "8.5")
    assert result.returncode == 0
    assert "0.00062984010190879231538004554912525093793010577108161" in result.stdout


def test_json_has_the_promised_keys():
    found = json.loads(
        run(
            "value", "--q", "1/100", "--sigma", "2", "--alpha", "8", "--digits", "20", "--json"
        ).stdout
    )
    assert list(found) == ["q", "sigma", "alpha", "digits", "log_a", "log_b", "rdp", "rdp_reverse"]
    for name in ("log_a", "log_b", "rdp", "rdp_reverse"):
        assert list(found[name]) == ["lo", "hi", "double", "double_up"]
        assert float(found[name]["lo"]) <= float.fromhex(found[name]["double_up"])


def test_json_double_is_the_api_double():
    found = json.loads(run("value", "--q", "0.01", "--sigma", "2", "--alpha", "8", "--json").stdout)
    assert float.fromhex(found["rdp"]["double"]) == verify.rdp("0.01", 2, 8).to_double()


def test_cross_check_shows_all_engines():
    found = json.loads(
        run(
            "value",
            "--q",
            "0.1",
            "--sigma",
            "2",
            "--alpha",
            "2.5",
            "--digits",
            "20",
            "--json",
            "--cross-check",
        ).stdout
    )
    check = found["cross_check"]["rdp"]
    assert set(check["engines"]) >= {"trapezoid", "rigorous", "series", "quadrature"}
    assert check["agreement_digits"] >= 20


@pytest.mark.parametrize("cross_check", [False, True])
@pytest.mark.parametrize(
    ("alpha", "computed"),
    [("2.5", 2), ("1", 2), ("inf", 0)],  # at 1: ln A = 0 and ln B = 0 need no engine, both KL do
)
def test_each_moment_is_computed_once(monkeypatch, cross_check, alpha, computed):
    calls = []
    real = agreement.engine

    def engine(name):
        def evaluate(moment, digits, deadline):
            calls.append(name)
            return real(name)(moment, digits, deadline)

        return evaluate

    monkeypatch.setattr(agreement, "engine", engine)
    Record.of(Point.of("0.1", 2, alpha), Wanted(20, cross_check, PATIENCE))
    assert calls.count(agreement.REFERENCE) == computed
    assert all(calls.count(name) == computed * cross_check for name in agreement.WITNESSES)


@pytest.mark.parametrize("alpha", ["1", "1.5", "8"])
def test_a_moment_computed_once_gives_the_numbers_of_the_library(alpha):
    record = Record.of(Point.of("0.1", 2, alpha), Wanted(20, True, PATIENCE))
    for name, value in record.values.items():
        again = getattr(verify, name)("0.1", 2, alpha, digits=20)
        assert max(value.lo, again.lo) <= min(value.hi, again.hi)
        assert value.to_double() == getattr(verify, name)("0.1", 2, alpha).to_double()


def test_digits_are_those_asked_at_infinite_order():
    point = ["value", "--q", "0.3", "--sigma", "1", "--alpha", "inf", "--digits"]
    assert "epsilon reverse  0.35667494394\n" in run(*point, "10").stdout


def test_time_counts_at_infinite_order():
    result = run("value", "--q", "0.3", "--sigma", "1", "--alpha", "inf", "--max-seconds", "1e-9")
    assert result.returncode == 1
    assert result.stderr.startswith("sgm-verify: BudgetExceeded")


def test_digits_are_those_asked_of_an_exact_number_without_end():
    result = run("value", "--q", "1", "--sigma", "3", "--alpha", "2", "--digits", "70")
    assert f"epsilon          0.{'1' * 70}\n" in result.stdout


def test_cross_check_in_text_names_an_engine_out_of_reach():
    result = run(
        "value",
        "--q",
        "0.5",
        "--sigma",
        "0.01",
        "--alpha",
        "20000",
        "--digits",
        "15",
        "--cross-check",
    )
    assert "out of reach" in result.stdout
    assert result.returncode == 0


def test_many_points_stream_as_csv():
    result = run("value", "--input", "-", "--digits", "10", input="q,sigma,alpha\n0.5,1,2\n1,2,3\n")
    assert result.stdout.splitlines()[2].startswith("1,2,3,0.75,0.75,0.375,0.375,0.375")


def test_many_points_stream_as_json_lines(tmp_path):
    file = tmp_path / "points.jsonl"
    file.write_text('{"q": 0.5, "sigma": 1, "alpha": "inf"}\n{"q": 1, "sigma": 2, "alpha": 3}\n')
    lines = run("value", "--input", str(file), "--json").stdout.splitlines()
    assert [json.loads(line)["alpha"] for line in lines] == ["inf", 3]


def test_json_lines_in_are_json_lines_out():
    lines = run(
        "value", "--input", "-", input='{"q": 1, "sigma": "2.0", "alpha": 3, "id": [7]}\n'
    ).stdout.splitlines()
    found = json.loads(lines[0])
    assert (found["sigma"], found["id"]) == ("2.0", [7])
    assert float(found["rdp"]["lo"]) == 0.375


BAD_IN_THE_MIDDLE = "q,note,sigma,alpha\n1.0,mine,2,3\nx,bad,1,2\n1,2\n0.5,last,1,1e1\n"


def test_a_bad_row_is_reported_and_the_rest_goes_on():
    result = run("value", "--input", "-", "--digits", "9", input=BAD_IN_THE_MIDDLE)
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [bool(row["rdp"]) for row in rows] == [True, False, False, True]
    assert rows[1]["error"] == "line 3: q = 'x': must be a number in [0, 1]"
    assert result.stderr.splitlines() == [f"sgm-verify: {row['error']}" for row in rows[1:3]]
    assert result.returncode == 2


def test_other_columns_are_kept_and_numbers_are_as_typed():
    result = run("value", "--input", "-", "--digits", "9", input=BAD_IN_THE_MIDDLE)
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["note"] for row in rows] == ["mine", "bad", "2", "last"]
    assert (rows[0]["q"], rows[3]["alpha"]) == ("1.0", "1e1")


def test_strict_stops_at_a_bad_row_and_keeps_what_was_before():
    result = run("value", "--input", "-", "--strict", input=BAD_IN_THE_MIDDLE)
    assert result.returncode == 2
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr == "sgm-verify: line 3: q = 'x': must be a number in [0, 1]\n"


def test_a_row_out_of_time_is_no_answer_and_no_bad_input():
    hard = "q,sigma,alpha\n1e-300,0.01,1.5\n1,2,3\n"
    result = run("value", "--input", "-", "--json", "--max-seconds", "1e-9", input=hard)
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert (first["line"], first["error"]["kind"]) == (2, "BudgetExceeded")
    assert float(second["rdp"]["lo"]) == 0.375  # a closed form takes no time
    assert result.returncode == 1


def test_the_output_of_a_run_is_the_input_of_another():
    some = "alpha,note,q,sigma\n2,a,0.1,1.0\n2,b,7,1\n"
    once = run("value", "--input", "-", "--digits", "9", input=some).stdout
    assert run("value", "--input", "-", "--digits", "9", input=once).stdout == once


def test_what_is_no_json_number_is_told_as_text():
    line = '{"q": NaN, "sigma": 1, "alpha": 2}\n'
    found = json.loads(
        run("value", "--input", "-", input=line).stdout, parse_constant=lambda name: 1 / 0
    )
    assert found["q"] == "nan"


def test_numbers_are_echoed_as_typed():
    point = ["--q", "0.010", "--sigma", "1.10", "--alpha", "85e-1", "--digits", "9"]
    assert run("value", *point).stdout.startswith("q = 0.010, sigma = 1.10, alpha = 85e-1\n")
    found = json.loads(run("value", *point, "--json").stdout)
    assert (found["q"], found["sigma"], found["alpha"]) == ("0.010", "1.10", "85e-1")


@pytest.mark.parametrize(
    "arguments",
    [
        ["value"],
        ["value", "--q", "0.5"],
        ["value", "--q", "2", "--sigma", "1", "--alpha", "2"],
        ["value", "--q", "0.5", "--sigma", "nan", "--alpha", "2"],
        ["value", "--q", "0.5", "--sigma", "1", "--alpha", "1e999999999"],
        ["value", "--q", "0.5", "--sigma", "1", "--alpha", "2", "--digits", "0"],
        ["value", "--q", "0.5", "--sigma", "1", "--alpha", "2", "--digits", "many"],
        ["value", "--q", "0.5", "--sigma", "1", "--alpha", "2", "--max-seconds", "-1"],
        ["value", "--q", "0.5", "--input", "-"],
        ["value", "--input", "/nonexistent/points.csv"],
        ["value", "--nonsense"],
        ["nonsense"],
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(arguments):
    result = run(*arguments, input="")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("sgm-verify: ")
    assert result.stdout == ""


def test_binary_input_is_refused():
    result = subprocess.run(
        [*COMMAND, "value", "--input", "-"],
        input=b"\xff\xfe\x00q",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr.count(b"\n") == 1


def test_a_spent_budget_is_an_error():
    result = run(
        "value", "--q", "1e-300", "--sigma", "0.01", "--alpha", "1.5", "--max-seconds", "1e-9"
    )
    assert result.returncode == 1
    assert result.stderr.startswith("sgm-verify: BudgetExceeded")
    assert result.stdout == ""


def test_interrupt_leaves_quietly():
    """In the middle of a long number, or of waiting for the next: the first one says that it is up."""
    with subprocess.Popen(
        [*COMMAND, "value", "--input", "-", "--digits", "3000", "--max-seconds", str(PATIENCE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears_interrupts,
    ) as process:
        process.stdin.write("q,sigma,alpha\n1,2,3\n1e-300,0.01,1.5\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("q,sigma,alpha,")
        assert process.stdout.readline().startswith("1,2,3,")
        process.send_signal(signal.SIGINT)
        process.wait()
        assert process.returncode == 130
        assert process.stderr.read().strip() == "sgm-verify: interrupted"


def test_a_closed_pipe_is_no_error():
    script = f"yes '0.5,1,2' | head -300 | (echo q,sigma,alpha; cat) | {sys.executable} -c 'from verify.cli import main; main()' value --input - --digits 5 | head -1"
    result = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {script}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in result.stderr


def test_cold_start_loads_nothing_heavy():
    code = (
        "import sys; sys.argv = ['sgm-verify', 'value', '--q', '0.01', '--sigma', '1', '--alpha', '2'];"
        "from verify.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'sympy', 'matplotlib', 'numpy', 'scipy', 'hypothesis', 'rich', 'mpmath', 'socket'} & set(sys.modules)\n"
        "print('heavy:', sorted(heavy))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert result.stdout.splitlines()[-1] == "heavy: []"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["value", "--help"],
        ["bounds", "--help"],
        ["bench", "--help"],
        ["report", "--help"],
        ["--version"],
    ],
)
def test_help_is_there(arguments):
    result = run(*arguments)
    assert result.returncode == 0
    assert result.stdout


def test_bounds_at_a_point():
    """At order 14 every row applies and is true, but for the closed form that ends at order 2."""
    found = json.loads(
        run("bounds", "--q", "0.01", "--sigma", "4", "--alpha", "14", "--json").stdout
    )
    holds = {row["row"]: row["holds"] for row in found["rows"]}
    applies = {row["row"]: row["applies"] for row in found["rows"]}
    assert holds == {
        "abadi-asymptotic": None,
        "abadi-numerical": "true",
        "bun": "true",
        "this-work": "true",
        "this-work-numerical": "true",
        "orders-to-two": "false",
        "remember": "true",
        "in-place-of-theorem-11": "true",
        "six-fifths": "true",
        "every-sigma": "true",
        "to-the-wall": "true",
    }
    assert [name for name, truth in applies.items() if truth != "true"] == ["orders-to-two"]


def test_several_orders_give_a_line_each():
    result = run(
        "value", "--q", "0.01", "--sigma", "1.1", "--alpha", "1,1.5,2,3", "--alpha", "4,inf"
    )
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["alpha"] for row in rows] == ["1", "1.5", "2", "3", "4", "inf"]
    assert rows[2]["rdp"].startswith("0.000128510081605161")


def test_several_orders_as_json_are_what_each_gives_alone():
    both = run("value", "--q", "1/3", "--sigma", "2", "--alpha", "2,4.5", "--digits", "8", "--json")
    lines = [json.loads(line) for line in both.stdout.splitlines()]
    for line, alpha in zip(lines, ("2", "4.5"), strict=True):
        alone = run(
            "value", "--q", "1/3", "--sigma", "2", "--alpha", alpha, "--digits", "8", "--json"
        )
        assert line["rdp"]["double"] == json.loads(alone.stdout)["rdp"]["double"]


def test_an_empty_order_in_a_list_is_an_error():
    result = run("value", "--q", "0.1", "--sigma", "1", "--alpha", "2,,4")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("sgm-verify: alpha = ''")
