"""Foreign text stays text, wherever it is put."""

from __future__ import annotations

import html
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.support import escaping


@given(st.text())
def test_markup_reads_back_as_the_printable_text(text):
    element = ElementTree.fromstring(f"<a>{escaping.markup(text)}</a>")
    assert (element.text or "") == escaping.printable(text)
    assert html.unescape(escaping.markup(text)) == escaping.printable(text)


@given(st.text())
def test_attributes_read_back(text):
    element = ElementTree.fromstring(f"<a b={escaping.attribute(text)}/>")
    assert element.attrib["b"] == escaping.printable(text)


@pytest.mark.parametrize("text", ["<script>", "[a](b)", "*bold*", "`code`", "a|b", "# head", "$x$"])
def test_nothing_is_markdown(text):
    bare = escaping.markdown(text)
    for place, character in enumerate(bare):
        if character in "<>[]*`|#$":
            assert bare[place - 1] == "\\"


def test_markdown_is_one_line():
    assert escaping.markdown("a\n\n# b") == "a \\# b"


@pytest.mark.parametrize(
    ("text", "code"), [("", ""), ("x", "`x`"), ("`", "`` ` ``"), ("a``b", "```a``b```")]
)
def test_code_spans_are_longer_than_what_they_hold(text, code):
    assert escaping.markdown_code(text) == code


def test_control_characters_are_spelled_out_everywhere():
    for made in (escaping.markup, escaping.attribute, escaping.markdown, escaping.markdown_code):
        assert "\x1b" not in made("\x1b[31mred")
