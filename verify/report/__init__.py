"""The report: results.json first, and everything a reader sees made from that file alone.

    collect    runs the parts of the verification, or takes what is unchanged from the cache
    pages      results to pages, Markdown and JUnit
    figures    one file for each figure: numbers, words, drawing
    draw       how figures are drawn
    graph      the drawing of which claim rests on which
    templates  HTML, CSS and JavaScript of the pages
    fonts      the font of the formulas

Nothing here is imported on the way to a value: the command line loads it with ``sgm-verify report``.
"""
