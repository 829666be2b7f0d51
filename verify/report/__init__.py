"""The report: results.json first, and everything a reader sees made from that file alone.

    collect   runs the parts (or takes them from the cache); verify.results.report has a class for each
    conclusions   the numbers at the top, what failed, what is not covered
    figures   one file a figure: numbers, words, drawing
    html, markdown, drawings, junit, diff   results to something to read
    build, stale   the files of a report, and whether they are behind the sources

Nothing here is imported on the way to a value: the command line loads it with ``sgm-verify report``.
"""
