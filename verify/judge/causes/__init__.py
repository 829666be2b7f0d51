"""Why points fail.

grouping     failing points grouped by cause
suspects     known mistakes, in words
mistakes     the half-line series in doubles, with switches for known mistakes
known_wrong  implementations with one mistake each
families     libraries that answer alike
snippets     a failing point as a few lines of code
theorems     a Coq theorem about an UNSAFE answer
"""
