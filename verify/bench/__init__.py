"""What things cost, as ratios measured in one run.

engines     the certified engine against mpmath and doubles
accounting  whole runs against other accountants
mixtures    replaced records against the PLD accountant
epochs      random allocation at many batches an epoch
spread      the slowest of random runs against their median
sweeps      a sweep against a plain loop
"""
