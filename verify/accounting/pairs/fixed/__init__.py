"""Runs whose exact value is not known: a certified upper end, and a lower end that named data sets attain.

sized      batches of a fixed size, replace-one and zero-out
shuffled   shuffled epochs
allocated  random allocation, replace-one
truncated  Poisson samples cut to a largest size
merged     the pairs that dominate one step
kinds      outcomes of one step for given gradients
policies   adversaries who choose the other gradients from earlier outputs
composing  ends of a run that are computed on a grid
layout     where the grid lies, in doubles
ends       the largest of several lower ends, the least of several upper ends
"""
