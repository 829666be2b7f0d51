"""Stand-alone programs, one a library, that speak the harness protocol in the library's own environment.

They import nothing of this project, and the library only when started.
"""
