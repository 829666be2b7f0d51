"""Questions and answers, and the processes that exchange them.

question   the protocol: one JSON object a line
harness    runs somebody else's program and asks it
warden     ends a program together with everything that it started
session    what is asked, in which order
inprocess  asks a Python function directly, for test suites
targets    releases, checkouts, functions and programs: how each is started
libraries  libraries known by name, and their environments
domain     which parameters an implementation supports
"""
