"""delta(epsilon) as an integral of the transform over a vertical line.

vertical   the integral in balls, with its aliasing and its cut
line       moments at complex orders, and bounds on them
jumps      what aliases when the loss comes in rare, large jumps (tiny q)
plan       which line, step and cut to use, in doubles
planner    a run in doubles, in one direction
sketch     one step in doubles
nodes      where the nodes of a line lie
jump_plan  proposals for ``jumps``, in doubles
"""
