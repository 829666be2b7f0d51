"""delta(epsilon) as an integral over a hyperbola, where a vertical line is too expensive.

bent        the integral in balls
sector      bounds on the transform beyond the cut
bend        which hyperbola to use, in doubles
bend_lines  lines of integration for the nodes of a hyperbola
bend_walls  how far a hyperbola may bend
"""
