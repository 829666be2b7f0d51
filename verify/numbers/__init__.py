"""Exact parameters, ball arithmetic and certified intervals: what every other room computes with.

errors     everything that is raised on purpose
budget     deadlines, and the number of digits that may be asked for
point      exact, validated parameters (q, sigma, alpha)
batch      points from a CSV file or from JSON lines
balls      FLINT's ball arithmetic at a chosen precision
turns      threads take turns at FLINT's and mpmath's global precision
certified  a number known by two exact ends
deciding   comparisons and roundings, decided with as many digits as they need
decimals   rationals in decimal, rounded in a direction
arrays     lists and numpy arrays where a number goes
curves     points of a privacy curve, as a table and as a drawing
typeset    certified numbers in format strings, notebooks and LaTeX
"""
