"""Moments of one step, and the divergences made from them.

engines     one file for each way to compute a moment, one signature, listed once
agreement   the certified moment, and the agreement of the engines
divergence  epsilon at every order, in both directions
curve       many orders at one (q, sigma)
many        lists and arrays instead of single numbers
functions   what people call: log_a, log_b, rdp, rdp_reverse, rdp_curve
"""
