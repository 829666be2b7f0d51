"""The drawing of which claim rests on which.

picture  the drawing
columns  columns, groups and labels
layout   coordinates
rest     claims that stand alone
style    letters and colours
"""
