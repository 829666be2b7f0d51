"""How good one answer is, and what many answers say together.

grading       the verdict on one answer
judged        everything that a check found
truth         the certified value at a point
conditioning  how much of an error the rounding of the parameters explains
properties    what must hold of any implementation
training      published runs, and the region they span
effect        what wrong answers do to the epsilon of published runs
exceptions    failures that somebody knows of
compare       two checks side by side
rejudge       recorded answers judged again by today's rules
"""
