"""Results of checks for readers.

record  the JSON document, and JUnit XML
render  text for a terminal
tables  the tables of libraries in README and docs
gain    noise for a target: by the exact curve, and by RDP
badge   a badge for a repository
"""
