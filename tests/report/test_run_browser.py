"""Check my run in a real browser: typed, read, linked to, and wrong input; from disk, offline."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from tests.report.browser import CHROMIUM, SECONDS, Page, page
from tests.report.test_browser import AXE, DARK
from verify.report.collect import families_part, run_part
from verify.report.pages import run_cells

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed (apt-get install chromium)"
)
RATE = "#run:q=256/60000;sigma=1.1;count=14062;unit=steps;delta=1e-5;loader=poisson"
RECORDED = Path(__file__).parents[2] / "reports" / "conformance"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("run") / "run.html"
    path.write_text(run_part.standalone(families_part.read_all(RECORDED)[0]), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with page(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture
def first(browser: Page, address: str) -> Page:
    """The page as one finds it: records, batch size, epochs."""
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=1280,
        height=900,
        deviceScaleFactor=1,
        mobile=False,
    )
    browser.call("Emulation.setEmulatedMedia", features=[])
    browser.open("about:blank")  # another address than the last: a link differs only after the #
    browser.open(address)
    return browser


@pytest.fixture
def tab(first: Page, address: str) -> Page:
    """The page by a link to a run with a rate and steps."""
    first.open("about:blank")
    first.open(f"{address}{RATE}")
    return first


def text(tab: Page, name: str) -> str:
    return str(tab.evaluate(f"document.getElementById('run-{name}').textContent"))


def until(tab: Page, condition: str) -> None:
    """Wait for what a script does a moment later."""
    deadline = time.monotonic() + SECONDS
    while not tab.evaluate(condition):
        assert time.monotonic() < deadline, condition
        time.sleep(0.03)


def says(tab: Page, epsilon: str) -> None:
    until(tab, f"document.getElementById('run-epsilon').textContent === {epsilon!r}")


def type_into(tab: Page, name: str, value: str) -> None:
    """As a keyboard does, over what is there."""
    tab.evaluate(f"document.getElementById('run-{name}').select()")
    tab.evaluate(f"document.getElementById('run-{name}').focus()")
    tab.call("Input.insertText", text=value)


def test_it_answers_at_once_for_the_run_it_shows(tab: Page) -> None:
    says(tab, "ε = 2.381596921")
    assert text(tab, "remove") == "2.381596921"
    assert text(tab, "add") == "2.243559373"


def choose(tab: Page, name: str, value: str) -> None:
    tab.evaluate(
        f"(() => {{ const f = document.getElementById('run-{name}'); f.value = {value!r};"
        " f.dispatchEvent(new Event('input')); })()"
    )


def visible(tab: Page) -> list[str]:
    return list(
        tab.evaluate(
            "Array.from(document.querySelectorAll('#run-form input')).filter(i => i.offsetParent).map(i => i.id.slice(4))"
        )
    )


def problems(tab: Page) -> list[str]:
    return list(
        tab.evaluate(
            "Array.from(document.querySelectorAll('#run .run-problem')).map(p => p.textContent).filter(Boolean)"
        )
    )


def test_it_begins_with_what_one_knows(first: Page) -> None:
    says(first, "ε = 3.279716868")
    assert visible(first) == ["records", "batch", "epochs", "dropped", "sigma", "delta"]
    assert text(first, "epochs-note") == "= 1960 steps: 98 batches an epoch"
    assert text(first, "batch-note") == "rate 512/50000 = 0.01024"
    assert "1/98" in text(first, "opacus")
    assert "float64, unproved" in text(first, "said")


def test_the_last_batch_is_dropped_by_a_click(first: Page) -> None:
    first.evaluate("document.getElementById('run-dropped').click()")
    until(first, "location.hash.includes('dropped=1')")
    assert text(first, "epochs-note") == "= 1940 steps: 97 batches an epoch"
    link, there = first.evaluate("location.href"), text(first, "epsilon")
    first.open("about:blank")
    first.open(link)
    says(first, there)
    assert first.evaluate("document.getElementById('run-dropped').checked")


def test_a_run_is_given_in_one_way_or_the_other(first: Page) -> None:
    choose(first, "way", "rate")
    until(first, "location.hash.startsWith('#run:q=')")
    assert visible(first) == ["q", "count", "sigma", "delta"]
    says(first, "ε = 3.279716868")  # the same run
    assert text(first, "epochs-note") == "= 1960 steps: 98 batches an epoch"
    choose(first, "way", "records")
    until(first, "location.hash.startsWith('#run:records=')")
    assert "q" not in visible(first)


def test_a_shuffled_loader_has_no_rate(first: Page) -> None:
    choose(first, "loader", "shuffle")
    says(first, "no number here")
    assert (text(first, "batch-note"), text(first, "opacus")) == ("", "")
    assert text(first, "code") == (
        "sgm-verify epsilon --records 50000 --batch 512 --epochs 20 --sigma 0.9 --sampling shuffle --delta 1e-5"
    )


def test_clear_empties_everything(first: Page) -> None:
    says(first, "ε = 3.279716868")
    type_into(first, "batch", "x")
    first.evaluate("document.getElementById('run-dropped').click()")
    first.evaluate("document.getElementById('run-clear').click()")
    left = "Array.from(document.querySelectorAll('#run-form input')).filter(i => i.value && i.type === 'text' || i.checked)"
    assert first.evaluate(f"{left}.length") == 0
    assert problems(first) == []
    assert [text(first, name) for name in ("epsilon", "epochs-note", "batch-note", "opacus")] == [""] * 4  # fmt: skip
    for name in ("answer", "command", "libraries", "drawings"):
        assert first.evaluate(f"document.getElementById('run-{name}').hidden")
    assert first.evaluate("[document.activeElement.id, location.hash]") == ["run-records", "#run"]
    for name, value in (("records", "50000"), ("batch", "512"), ("epochs", "20"), ("sigma", "0.9")):
        type_into(first, name, value)
    until(first, "location.hash.includes('sigma=0.9')")
    assert problems(first) == []  # delta is not a mistake yet
    type_into(first, "delta", "1e-5")
    says(first, "ε = 3.279716868")


def test_a_batch_above_the_records_is_told_at_the_batch(first: Page) -> None:
    type_into(first, "batch", "50001")
    until(first, "document.getElementById('run-batch').getAttribute('aria-invalid') === 'true'")
    assert problems(first) == ["The batch size must not be above the number of records, 50000."]
    assert text(first, "epsilon") == ""


def test_a_run_typed_in_is_answered(tab: Page) -> None:
    for name, value in (("q", "512/25000"), ("sigma", "0.56"), ("count", "975")):
        type_into(tab, name, value)
    says(tab, "ε = 17.39717271")
    assert text(tab, "code") == (
        "sgm-verify epsilon --q 512/25000 --sigma 0.56 --steps 975 --sampling poisson --delta 1e-5"
    )
    assert tab.complaints() == []


def test_the_form_by_keyboard_alone(tab: Page) -> None:
    tab.evaluate("document.getElementById('run-way').focus()")
    order = []
    for _ in range(9):
        order.append(tab.evaluate("document.activeElement.id"))
        tab.press("Tab")
    assert order == [
        f"run-{x}"
        for x in ("way", "q", "count", "unit", "sigma", "loader", "delta", "clear", "copy")
    ]


def test_epochs(tab: Page) -> None:
    type_into(tab, "count", "60")
    tab.press("Tab")
    tab.type("e")
    until(tab, "document.getElementById('run-steps-note').textContent !== ''")
    assert text(tab, "steps-note") == "= 14100 steps: 235 batches an epoch"


def test_a_shuffled_loader_gets_no_poisson_number(tab: Page) -> None:
    says(tab, "ε = 2.381596921")
    choose(tab, "loader", "shuffle")
    says(tab, "no number here")
    assert "not valid for it" in text(tab, "said")
    assert text(tab, "code") == (
        "sgm-verify epsilon --sigma 1.1 --steps 235 --epochs 60 --sampling shuffle --delta 1e-5"
    )


def test_what_rdp_makes_of_it(tab: Page) -> None:
    says(tab, "ε = 2.381596921")
    rows = tab.evaluate(
        "Array.from(document.querySelectorAll('#run-rdp tr')).map(r => Array.from(r.cells).map(c => c.textContent))"
    )
    assert rows[0] == ["CKS, Balle, dp-accounting", "2.5965559", "8.1000", "+9.03 %"]
    assert rows[5] == ["Mironov, all real orders", "3.0082628", "8.8189", "+26.3 %"]
    losses = tab.evaluate(
        "Array.from(document.querySelectorAll('#run-losses td')).map(c => c.textContent)"
    )
    assert losses == ["0.215", "0.412", "1.39e-5", "1.39e-5"]


def test_both_drawings_appear(tab: Page) -> None:
    until(tab, "!document.getElementById('run-drawings').hidden")
    count = tab.evaluate("document.querySelectorAll('#run-curve path.curve').length")
    assert count == 2
    assert "NaN" not in tab.evaluate("document.getElementById('run-drawings').innerHTML")


def test_two_peaks_are_shown_as_two(tab: Page) -> None:
    for name, value in (("q", "1/1000"), ("sigma", "0.7"), ("count", "10000"), ("delta", "1e-6")):
        type_into(tab, name, value)
    says(tab, "ε = 1.636916420")
    until(tab, "!document.getElementById('run-drawings').hidden")
    assert "two peaks" in text(tab, "modes")
    assert tab.evaluate("document.querySelectorAll('#run-integrand line.exact').length") == 2


def test_libraries_that_are_off_here(tab: Page) -> None:
    says(tab, "ε = 2.381596921")
    assert "dp-accounting 0.6.0" in text(tab, "off")
    assert "opacus 1.6.0" in text(tab, "fine")


def test_the_page_may_give_its_own_data(tab: Page) -> None:
    cell = [7, 4, 3, 0, 1, 40, 2, 64]
    given = {
        "q": run_cells.Q,
        "sigma": run_cells.SIGMA,
        "asked": [[7, 4, 9]],
        "families": [{"name": "mine 1", "cells": [cell]}],
    }
    tab.evaluate(f"sgmRun.libraries = {json.dumps(given)}; 0")
    type_into(tab, "delta", "1e-6")
    until(tab, "document.getElementById('run-off').textContent.startsWith('mine 1')")
    assert text(tab, "off") == (
        "mine 1: 3 wrong or inexact (relative error up to 0.00012; 1 too small, that is UNSAFE); "
        "orders from 2 to 64, a range with the best order in it"
    )


def test_the_address_is_the_run(tab: Page, address: str) -> None:
    type_into(tab, "sigma", "1.2")
    until(tab, "location.hash.includes('sigma=1.2')")
    link = tab.evaluate("location.href")
    assert link == address + RATE.replace("sigma=1.1", "sigma=1.2")
    there = text(tab, "epsilon")
    tab.open("about:blank")
    tab.open(link)
    assert tab.evaluate("document.getElementById('run-sigma').value") == "1.2"
    says(tab, there)


def test_a_hostile_address_is_only_text(tab: Page, address: str) -> None:
    tab.open("about:blank")
    tab.open(f"{address}#run:q=%3Cimg%20src=x%20onerror=alert(1)%3E;sigma=%E0%A4%A;unit=x;delta")
    until(tab, "document.getElementById('run-q-problem').textContent !== ''")
    assert tab.evaluate("document.querySelectorAll('#run img').length") == 0
    assert tab.complaints() == []


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("q", "two", "The sampling rate must be a number such as 0.01 or 1e-5, or a fraction such as 1/100."),
        ("sigma", "0", "The noise multiplier must be from 0.05 to 1000000."),
        ("count", "1.5", "The number of steps must be whole."),
        ("delta", "2", "delta must be above 0 and below 1, such as 1e-5."),
    ],
)  # fmt: skip
def test_bad_input_is_told_at_its_field(tab: Page, field: str, value: str, sentence: str) -> None:
    type_into(tab, field, value)
    until(tab, f"document.getElementById('run-{field}').getAttribute('aria-invalid') === 'true'")
    assert problems(tab) == [sentence]
    assert "NaN" not in tab.evaluate("document.getElementById('run').innerText")
    assert text(tab, "epsilon") == ""
    assert tab.evaluate("document.getElementById('run-answer').hidden")


def test_it_recovers_from_bad_input(tab: Page) -> None:
    type_into(tab, "sigma", "x")
    until(tab, "document.getElementById('run-epsilon').textContent === ''")
    type_into(tab, "sigma", "1.1")
    says(tab, "ε = 2.381596921")


@pytest.mark.parametrize(("field", "value"), [("q", "1e-8"), ("sigma", "0.1")])
def test_where_it_cannot_it_says_so_and_gives_the_command(
    tab: Page, field: str, value: str
) -> None:
    type_into(tab, field, value)
    says(tab, "no number here")
    assert "Ask the command below" in text(tab, "said")
    assert f"--{field} {value} " in text(tab, "code")
    shown = tab.evaluate("document.getElementById('run').innerText")
    assert "NaN" not in shown
    assert "undefined" not in shown


def test_the_command_can_be_copied(tab: Page) -> None:
    says(tab, "ε = 2.381596921")
    tab.evaluate("document.getElementById('run-copy').focus()")
    tab.press("Enter", "\r")
    until(tab, "document.getElementById('run-copied').textContent !== ''")


def test_no_complaint_and_no_request(tab: Page, address: str) -> None:
    until(tab, "!document.getElementById('run-drawings').hidden")
    assert tab.complaints() == []
    assert set(tab.requests()) <= {"about:blank", address}


@pytest.mark.parametrize("width", [360, 390, 768])
@pytest.mark.parametrize("way", ["records", "rate"])
def test_no_sideways_scrolling(tab: Page, width: int, way: str) -> None:
    choose(tab, "unit", "dropped")  # the longest word beside a field
    choose(tab, "way", way)
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=800,
        deviceScaleFactor=2,
        mobile=True,
    )
    until(tab, "!document.getElementById('run-drawings').hidden")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    least = "Math.min(...Array.from(document.querySelectorAll('#run-form input[type=text]')).filter(i => i.offsetParent).map(i => i.offsetWidth))"
    assert tab.evaluate(least) >= 60


@pytest.mark.parametrize("features", [[], DARK])
@pytest.mark.parametrize("way", ["records", "rate"])
def test_axe_finds_nothing_to_complain_of(
    tab: Page, way: str, features: list[dict[str, str]]
) -> None:
    choose(tab, "way", way)
    tab.call("Emulation.setEmulatedMedia", features=features)
    until(tab, "!document.getElementById('run-drawings').hidden")
    tab.evaluate((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8") + ";0")
    passed, violations = tab.evaluate(AXE)
    assert violations == []
    assert passed > 15
