"""Results beyond the paper: what its methods, or better ones, give in addition."""
