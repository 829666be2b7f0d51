"""Judging other implementations: a protocol, a runner that nothing breaks, and fair verdicts.

adapters   one file for each library: what to install, and the call
plain      three correct clients in doubles, written independently
protocol   questions and answers, and the processes that exchange them
verdict    how good one answer is, and what many answers say together
causes     why points fail
check      the course of a check: options, points, order
show       results as text, documents, tables and badges
selftest   programs that the judge must accept or must find out
runs       accountants of whole runs
"""
