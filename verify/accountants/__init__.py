"""Judging whole accountants: the epsilon, delta or sigma they give for a run, against the exact one.

question  what is asked of an accountant, over the same protocol as everything else
runs      which runs: published ones, several phases, other types of numbers, fresh draws
promises  what an accountant promises, and whether an answer keeps it
panel     the accountants of the libraries known by name
judged    all answers of one accountant, judged; and a search for its worst
"""
