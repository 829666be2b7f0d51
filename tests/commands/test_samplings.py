"""Samplings, relations and loaders on the command line, and the statement for a model card."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from verify.accounting.pairs.notions import RELATIONS, SAMPLINGS, TABLE
from verify.accounting.tight import Bracketed
from verify.cli import cli
from verify.commands import prove
from verify.commands.runs import read_run, run_json
from verify.commands.samplings import in_words
from verify.numbers.errors import OutOfDomain

RUN = ["--q", "0.01", "--sigma", "1", "--steps", "100"]
LOADER = ["--records", "1000", "--batch", "10", "--epochs", "2", "--sigma", "1"]


def call(*arguments):
    result = CliRunner().invoke(cli, list(arguments), catch_exceptions=False, standalone_mode=False)
    return result.output


def test_without_a_sampling_the_answer_begins_with_what_it_assumes():
    text = call("epsilon", *RUN, "--delta", "1e-5", "--digits", "8")
    assert text.startswith("Assumed: Poisson sampling")
    assert "With a shuffled loader (1 epoch of 100 batches, one record replaced)" in " ".join(
        text.split()
    )


def test_with_a_sampling_nothing_is_assumed():
    text = call("epsilon", *RUN, "--sampling", "Poisson", "--delta", "1e-5", "--digits", "8")
    assert "Assumed" not in text


def test_json_has_the_assumption():
    record = json.loads(call("epsilon", *RUN, "--delta", "1e-5", "--json"))
    assert record["assumption"].startswith("Poisson sampling")
    said = json.loads(call("epsilon", *RUN, "--sampling", "poisson", "--delta", "1e-5", "--json"))
    assert "assumption" not in said


def test_a_loader_is_counted_an_epoch_at_a_time():
    loader = ["--records", "50000", "--batch", "512", "--epochs", "20", "--sigma", "0.9"]
    record = json.loads(call("delta", *loader, "--epsilon", "3", "--digits", "5", "--json"))
    assert record["history"][0]["steps"] == 1960
    assert record["history"][0]["q"] == "0.01024"


def test_the_last_batch_may_be_dropped():
    loader = ["--records", "1005", "--batch", "10", "--epochs", "2", "--sigma", "1"]
    record = json.loads(
        call("delta", *loader, "--drop-last", "--epsilon", "3", "--digits", "5", "--json")
    )
    assert record["history"][0]["steps"] == 200


def test_a_shuffled_loader_gets_a_bracket_and_hears_that_poisson_is_not_valid():
    text = call("epsilon", *LOADER, "--sampling", "shuffle", "--delta", "1e-5")
    assert "between" in text
    assert "is not valid for this loop" in " ".join(text.split())


def test_whole_batches_are_the_same_shuffled_or_not():
    loop = ["--records", "10", "--batch", "10", "--epochs", "2", "--sigma", "1"]
    text = call("epsilon", *loop, "--sampling", "shuffle", "--delta", "1e-5")
    assert "between 15.456155 and 15.456156" in text
    assert "not valid" not in text


HURRIED = ["--records", "50000", "--batch", "512", "--epochs", "20", "--sigma", "0.9", "--max-seconds", "0.1"]  # fmt: skip


@pytest.mark.parametrize("sampling", ["shuffle", "allocation"])
@pytest.mark.parametrize("question", [["epsilon", "--delta", "1e-5"], ["delta", "--epsilon", "2"]])
def test_an_answer_in_too_little_time_says_so(question, sampling):
    asked = [*question, *HURRIED, "--sampling", sampling]
    text = " ".join(call(*asked).split())
    assert "the time allowed ran out" in text
    assert "not valid" not in text  # the Poisson number was not had, so it is not compared
    assert "the time allowed ran out" in json.loads(call(*asked, "--json"))["out_of_time"]


def test_a_number_that_could_not_be_had_is_not_printed_beside_the_answer():
    large = ["--records", "1000000", "--batch", "256", "--epochs", "10", "--sigma", "0.7"]
    text = call("epsilon", *large, "--delta", "1e-6", "--max-seconds", "5")
    assert "With a shuffled loader epsilon is another one" in " ".join(text.split())


def test_a_curve_and_all_samplings_in_too_little_time_say_so():
    loop = [*HURRIED[:-2], "--sampling", "allocation", "--max-seconds", "0.1"]
    assert "the time allowed ran out" in call("curve", *loop, "--to", "2", "--points", "2")
    rows = json.loads(call("samplings", *HURRIED, "--delta", "1e-5", "--json"))["rows"]
    late = {(row["sampling"], row["relation"]) for row in rows if "out_of_time" in row}
    assert ("allocation", "add/remove") in late
    assert ("poisson", "add/remove") not in late


def test_a_statement_repeats_with_the_time_it_had_and_needs_a_finite_epsilon():
    text = call("statement", *HURRIED, "--sampling", "shuffle", "--delta", "1e-5")
    assert "--max-seconds 0.1" in text
    with pytest.raises(OutOfDomain, match="a statement needs a finite epsilon"):
        call("statement", *RUN, "--sampling", "poisson", "--delta", "0")


def test_a_bracket_in_json_has_both_ends_and_the_reason():
    record = json.loads(
        call("epsilon", *LOADER, "--sampling", "shuffle", "--delta", "1e-5", "--json")
    )
    assert record["answer"] == "bracket"
    assert record["relation"] == "replace-one"
    assert float(record["tight"]["lo"]) < float(record["tight"]["hi"])
    assert "shuffled epochs" in record["why"]
    assert record["attained_by"]


def test_a_history_may_name_samplings(tmp_path):
    file = tmp_path / "run.csv"
    file.write_text("q,sigma,steps,epochs,sampling\n0.01,1,100,,poisson\n,1,100,2,allocation\n")
    record = json.loads(call("epsilon", "--history", str(file), "--delta", "1e-5", "--json"))
    assert record["sampling"] == ["allocation", "poisson"]
    assert record["answer"] == "exact"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--sampling", "shuffle", "--relation", "add/remove", "--steps", "10"], "are not defined"),
        (["--sampling", "lottery", "--steps", "10"], "must be one of"),
        (["--records", "10", "--batch", "20", "--epochs", "1"], "must not be above"),
        (["--records", "10", "--batch", "2"], "--epochs is missing"),
        (["--records", "10", "--batch", "2", "--epochs", "1", "--q", "0.1"], "exclude each other"),
        (["--steps", "10"], "--q is missing"),
        (["--q", "0.1", "--steps", "10", "--group", "100"], "group = '100'"),
    ],
)
def test_bad_input_is_one_error(options, says):
    with pytest.raises(OutOfDomain, match=says):
        call("epsilon", "--sigma", "1", "--delta", "1e-5", *options)


def test_help_lists_the_choices():
    text = " ".join(call("epsilon", "--help").split())
    assert all(f"{name}:" in text for name in (*SAMPLINGS, *RELATIONS))


def test_the_table_is_printed_whole():
    record = json.loads(call("samplings", "--json"))
    rows = {(row["sampling"], row["relation"]): row["answer"] for row in record["rows"]}
    assert rows == {pair: str(entry.standing) for pair, entry in TABLE.items()}


def test_a_run_in_every_sampling():
    record = json.loads(call("samplings", *LOADER, "--delta", "1e-5", "--json"))
    assert [(row["sampling"], row["relation"]) for row in record["rows"]] == list(TABLE)
    assert all(("lo" in row) == (row["answer"] != "refused") for row in record["rows"])


def test_a_narrow_bracket_shows_both_ends_and_where_they_differ():
    found = Bracketed(Fraction("17.8565841"), Fraction("17.8565867"))
    assert in_words(found) == "17.856584 to 17.856587"


def test_a_run_in_every_sampling_needs_all_its_numbers():
    with pytest.raises(OutOfDomain, match="--delta is missing"):
        call("samplings", *LOADER)


@pytest.mark.parametrize("command", [["samplings"], ["samplings", *LOADER, "--delta", "1e-5"]])
def test_text_fits_80_columns(command):
    assert max(map(len, call(*command).splitlines())) <= 80


def test_a_statement_says_what_holds_and_under_which_conditions():
    text = " ".join(call("statement", *LOADER, "--sampling", "poisson", "--delta", "1e-5").split())
    assert "differentially private with epsilon = " in text
    assert "This is the exact epsilon, rounded up" in text
    assert "clipped to a fixed norm" in text
    assert "WARNING" not in text


def kept(*changes):
    """What a statement says about a run whose certificate is kept, or about one next to it."""
    run = {
        "--q": "0.01",
        "--sigma": "1.1",
        "--steps": "1000",
        "--sampling": "poisson",
        "--delta": "1e-5",
    }
    words = [word for pair in (run | dict(changes)).items() for word in pair]
    return json.loads(call("statement", *words, "--json"))


def test_a_statement_names_the_kept_theorem_and_its_digest():
    theorem = kept()["theorem"]
    assert float(theorem["epsilon"]) > 1.5153
    assert len(theorem["check_sha256"]) == 64
    assert "1000 steps at q = 0.01, sigma = 1.1" in theorem["words"]


def test_a_statement_says_what_the_theorem_assumes_of_the_gradients():
    run = ("--q", "0.01", "--sigma", "1.1", "--steps", "1000", "--sampling", "poisson")
    text = " ".join(call("statement", *run, "--delta", "1e-5").split())
    assert "-DP if the clipped gradients depend continuously on the earlier outputs (SHA" in text


@pytest.mark.parametrize(
    "change",
    [
        ("--steps", "1001"),
        ("--delta", "1.000001e-5"),
        ("--q", "0.01000001"),
        ("--relation", "replace-one"),
    ],
)
def test_a_statement_about_another_run_names_no_theorem(change):
    assert "theorem" not in kept(change)


def test_a_statement_about_a_shuffled_loop_warns():
    text = " ".join(call("statement", *LOADER, "--sampling", "shuffle", "--delta", "1e-5").split())
    assert "WARNING: the exact epsilon is not known" in text
    assert "An epsilon of Poisson sampling is not proved for this loop" in text


def test_a_statement_says_what_it_assumed():
    assert "ASSUMED" in call("statement", *RUN, "--delta", "1e-5")


def test_the_number_of_a_statement_is_rounded_up():
    record = json.loads(
        call("statement", *RUN, "--sampling", "poisson", "--delta", "1e-5", "--json")
    )
    assert float(record["epsilon"]) >= float(record["epsilon_interval"]["hi"])


def test_the_digest_is_that_of_the_facts():
    record = json.loads(
        call("statement", *RUN, "--sampling", "poisson", "--delta", "1e-5", "--json")
    )
    digest = record.pop("sha256")
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_the_command_of_a_statement_repeats_its_number():
    record = json.loads(
        call("statement", *LOADER, "--sampling", "poisson", "--delta", "1e-5", "--json")
    )
    words = record["repeat"].split()
    again = json.loads(call(*words[1:], "--json"))
    assert again["tight"]["hi"].startswith(record["epsilon_interval"]["lo"][:10])


def test_several_runs_are_a_table(tmp_path):
    file = tmp_path / "runs.csv"
    file.write_text(
        "name,q,sigma,steps,delta,sampling\nfirst,0.01,1,100,1e-5,poisson\nsecond <b>,0.02,1,100,1e-6,poisson\n"
    )
    text = call("statement", "--runs", str(file), "--format", "html")
    assert "<td>first</td>" in text
    assert "second &lt;b&gt;" in text
    assert call("statement", "--runs", str(file), "--format", "markdown").startswith("| run |")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name,q,sigma,steps\na,0.01,1,100\n", "a: delta is missing"),
        ("name,q,sigma,steps,delta\na,2,1,100,1e-5\n", "a: q = '2'"),
        ("name,q,sigma,steps,delta,colour\na,0.1,1,100,1e-5,red\n", "a: no option colour"),
    ],
)
def test_a_bad_row_of_several_runs_is_named(tmp_path, text, says):
    file = tmp_path / "runs.csv"
    file.write_text(text)
    with pytest.raises(OutOfDomain, match=says):
        call("statement", "--runs", str(file))


UNEVEN = ["--records", "25", "--batch", "10", "--epochs", "2"]


def test_the_rate_of_opacus_is_another_one_and_is_said():
    output = " ".join(
        call("epsilon", *UNEVEN, "--sigma", "1", "--sampling", "poisson", "--delta", "1e-5").split()
    )
    assert "10/25, batch over records. Opacus draws with 1/3" in output
    assert "(--q 1/3 --steps 6)" in output


def test_nothing_is_said_of_the_rate_where_both_are_one():
    assert "Opacus draws" not in call(
        "epsilon", *LOADER, "--sampling", "poisson", "--delta", "1e-5"
    )


def test_json_keeps_the_loader_and_its_smaller_batch():
    given = {"records": "25", "batch": "10", "epochs": "2", "sigma": "4", "sampling": "shuffle"}
    record = run_json(read_run(**given))
    assert record["loader"] == {
        "records": "25",
        "batch": "10",
        "epochs": "2",
        "drop_last": False,
        "batches_per_epoch": 3,
    }
    assert record["history"][0]["in_a_smaller_batch"] == "0.2"


def test_the_shuffled_run_beside_is_that_of_the_same_loader():
    given = {"records": "25", "batch": "10", "epochs": "2", "sigma": "4"}
    shuffled = read_run(**given, sampling="shuffle").run
    assert read_run(**given).with_sampling("shuffle") == shuffled


def test_calibrate_takes_a_loader():
    asked = ["--epsilon", "3", "--delta", "1e-5", "--sampling", "poisson", "--json"]
    by_loader = json.loads(call("calibrate", *UNEVEN, *asked))
    by_rate = json.loads(call("calibrate", "--q", "10/25", "--steps", "6", *asked))
    assert by_loader["value"] == by_rate["value"]
    assert by_loader["loader"]["batches_per_epoch"] == 3


def test_calibrate_refuses_a_shuffled_loader_with_a_smaller_batch():
    with pytest.raises(OutOfDomain, match="a smaller last batch is not calibrated"):
        call("calibrate", *UNEVEN, "--epsilon", "8", "--delta", "1e-5", "--sampling", "shuffle")


@pytest.fixture
def proved(monkeypatch):
    """The phases that a theorem was asked about; nothing is proved."""
    seen = []

    def ask(phases, *_, **__):
        seen.extend((p.q, p.steps) for p in phases)
        raise OutOfDomain("asked")

    monkeypatch.setattr(prove, "run_prover", lambda: ask)
    return seen


@pytest.mark.parametrize(("extra", "steps"), [((), 6), (("--drop-last",), 4)])
def test_bounds_and_prove_count_a_loader_as_all_other_commands_do(proved, extra, steps):
    uneven = [*UNEVEN, "--sigma", "4", "--delta", "1e-5", "--json", *extra]
    told = json.loads(call("bounds", *uneven))
    assert (told["q"], told["steps"]) == ("0.4", steps)
    with pytest.raises(OutOfDomain, match="asked"):
        call("prove", "--run", *uneven, "--epsilon", "3")
    assert proved == [(Fraction(2, 5), steps)]


def test_prove_takes_the_rate_of_a_loader_as_a_double_if_asked(proved):
    asked = [*UNEVEN, "--sigma", "4", "--delta", "1e-5", "--epsilon", "3", "--doubles"]
    with pytest.raises(OutOfDomain, match="asked"):
        call("prove", "--run", *asked)
    assert proved == [(Fraction(0.4), 6)]
