"""Routes to delta(epsilon) that use no transform.

closed       q = 1, and a single step: closed forms
two_steps    two steps: one certified integral
brute        two or three steps by sums over their outcomes, for the audit
convolution  any number of steps: a bracket from integer weights
loss         the loss of one step, and the grid of the convolution
witness      epsilon by the convolution, beside the answer of another route
"""
