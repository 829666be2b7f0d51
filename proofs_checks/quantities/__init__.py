"""The quantities of the paper as balls and certified values: moments, halves, series, largest orders."""
