"""What claims are checked with: exact algebra, balls, an interval prover, counterexamples."""
