"""Tests of whole runs with other samplings and relations.

mixtures            replaced records and groups
allocation          random allocation
allocation_moments  its single moments
fixed               batches of a fixed size, shuffled and truncated runs
fixed_case          what such a test is given
fixed_opposite      allocation with one record replaced, two batches
fixed_states        the grids behind its lower ends
"""
