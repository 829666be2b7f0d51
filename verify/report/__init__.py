"""The report: results.json first, and everything a reader sees made from that file alone.

    collect   runs the parts (or takes them from the cache) and makes results.json
    model     its format, schema and closing record
    figures   one file a figure: numbers, words, drawing
    html, markdown, junit, diff   results.json to something to read

Nothing here is imported on the way to a value: the command line loads it with ``sgm-verify report``.
"""
