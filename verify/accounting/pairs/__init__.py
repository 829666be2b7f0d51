"""Which two distributions a run compares: samplings, relations, and the engines for pairs beyond Poisson add/remove.

notions     the vocabulary, and what is exact, a bracket or refused
run         what was run
side        what an engine answers
sides       from a run to the sides that answer for it
renyi       Rényi divergences where they are exact
mixtures    Poisson replace-one, and groups of records
allocation  random allocation
fixed       batches of a fixed size, events of shuffling, truncated batches
"""
