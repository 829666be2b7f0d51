"""How figures are drawn.

drawing          SVG, the same bytes for the same content
drawings         the drawings of a report by the name of their file
plot             what a figure is
ticks            labels of logarithmic axes
accountant_marks answers of accountants as marks
family_map       where a family of libraries fails
history_figure   releases of libraries over time
"""
