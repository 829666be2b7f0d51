"""Judging other implementations: a protocol, a runner that nothing breaks, and fair verdicts."""
