"""Accountants of whole runs that the judge must accept, and accountants that it must find out.

contour    tight, in doubles with numpy, by an integral over a vertical line
renyi      loose, in plain Python, by way of Rényi divergence
certified  tight, by this project's certified engine
cheats     accountants that are wrong in one way each, as real programs: silence, and what once passed
own        more of them
found_out  the table: who is found out by what, after how long

    python -m verify.judge.selftest.accountants NAME        # one of them, as a program that speaks the protocol
"""
