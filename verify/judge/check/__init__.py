"""The course of a check.

options   what the command was asked for
checking  ask, judge, search, excuse
running   run a check as the command does
fresh     points that are drawn anew for each check
many      fresh points by the ten thousand
search    a search for failures beyond the vectors
coverage  how likely a check misses a fault
history   the same vectors asked of many releases
"""
