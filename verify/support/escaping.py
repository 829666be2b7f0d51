"""Foreign text as text: what it becomes in XML, HTML and Markdown, each rule once.

Control characters are spelled out first, everywhere: XML cannot hold them, and terminals obey them.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|!~$&])")


def printable(text: str) -> str:
    """Without characters that XML cannot hold.

    >>> printable("a\\x00b\\x1b[31m")
    'a\\\\x00b\\\\x1b[31m'
    """
    return "".join(
        c if c in "\n\t" or c.isprintable() else c.encode("unicode_escape").decode() for c in text
    )


def markup(text: str) -> str:
    """Text between tags of XML or HTML, also inside quotes.

    >>> markup('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return escape(printable(text), {'"': "&quot;", "'": "&#x27;"})


def attribute(text: str) -> str:
    """An attribute's value of XML, with its quotes.

    >>> attribute('say "no"')
    '\\'say "no"\\''
    """
    return quoteattr(printable(text))


def markdown(text: object) -> str:
    """Text that no Markdown reader takes for markup, on one line.

    >>> markdown("<b>|x|\\n")
    '\\\\<b\\\\>\\\\|x\\\\|'
    """
    return _MARKDOWN.sub(r"\\\1", printable(" ".join(str(text).split())))


def markdown_code(text: object) -> str:
    """Text in a code span of Markdown, whatever back-ticks and bars it holds.

    >>> markdown_code("a|`b`")
    '`` a\\\\|`b` ``'
    """
    plain = printable(" ".join(str(text).split())).replace("|", "\\|")
    if not plain:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if plain[0] == "`" or plain[-1] == "`" else ""
    return f"{fence}{pad}{plain}{pad}{fence}"
