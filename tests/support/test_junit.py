"""JUnit XML: what any reader of it expects, whatever the texts are."""

import xml.etree.ElementTree as ET

from verify.support.junit import JUnitCase, junit

HOSTILE = 'a<b>&"\x00\x1b[31m\ud800é]]>'


def parsed(*cases):
    return ET.fromstring(junit("suite", cases).encode("utf-8"))


def test_counts_are_those_of_the_cases():
    suite = parsed(JUnitCase("s", "a"), JUnitCase("s", "b", "wrong"), JUnitCase("s", "c", "wrong"))
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "3", "failures": "2", "errors": "0", "skipped": "0"}


def test_a_case_that_passed_has_no_failure():
    (case,) = parsed(JUnitCase("s", "a", seconds=0.25))
    assert (case.get("classname"), case.get("name"), case.get("time")) == ("s", "a", "0.25")
    assert list(case) == []


def test_a_failure_has_a_message_and_what_to_read():
    ((failure,),) = parsed(JUnitCase("s", "a", "UNSAFE", "line 1\nline 2"))
    assert (failure.get("message"), failure.text) == ("UNSAFE", "line 1\nline 2")


def test_a_long_message_is_cut_and_stands_whole_below():
    ((failure,),) = parsed(JUnitCase("s", "a", "x" * 1000))
    assert (len(failure.get("message")), len(failure.text)) == (200, 1000)


def test_texts_that_xml_cannot_hold_are_escaped():
    ((failure,),) = parsed(JUnitCase(HOSTILE, HOSTILE, HOSTILE))
    assert failure.text == 'a<b>&"\\x00\\x1b[31m\\ud800é]]>'


def test_no_cases_are_still_a_document():
    assert parsed().get("tests") == "0"


def test_what_is_skipped_says_why():
    suite = parsed(JUnitCase("s", "a", skipped="known failure: wrong, UNSAFE"))
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
