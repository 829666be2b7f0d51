"""Judging whole accountants: the epsilon, delta or sigma they give for a run, against the exact one.

question   what is asked of an accountant, over the same protocol as everything else
runs       which runs are always asked about
notions    runs of other samplings and relations
draws      questions that are drawn anew
coverage   how often they reach each part of the range
truth      the exact value of what is asked
promises   what an accountant promises, and whether an answer keeps it
panel      the accountants of the libraries known by name, of a function, or of a program
options    what the command was asked for
checking   the course of a check
judged     answers, each judged
inprocess  Python functions judged directly, for test suites
history    the same runs asked of many releases
record     what was found, as a document and as text
"""
