"""results.json: each part computed, or taken from the cache.

collect        all parts
claims_part    the claims
families_part  what the checks of libraries found
table_part     Table 1 at some points
run_part       what "check my run" needs
grids          the grids of built-in sweeps
cache          results that may be used again
sources        what a result depends on
imports        what a module imports, found by reading it
stale          whether a report is behind the sources
model          questions that every page asks of the results
"""
