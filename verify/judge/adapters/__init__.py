"""One file a library: its name, a version, what to install, and the call.

    '''What of the library is asked.'''

    NAME = "some-accountant"      # as pip knows it
    VERSION = "1.2.3"             # judged if no other is asked for
    NEEDS = ("numpy", "scipy")    # installed instead of its own dependencies; None: pip resolves them
    SNIPPET = "..."               # the call by hand, for somebody to whom a failing point is shown


    def load():
        from some_accountant import compute_rdp

        def rdp(q, sigma, alpha):
            return compute_rdp(q, sigma, steps=1, orders=[alpha])[0]

        return {"rdp": rdp}

The constants are read as text, nothing of the file is run for that. ``load`` runs in the library's own
environment, where this project is not installed: only the standard library, ``serve`` (beside these
files), the library itself and what ``NEEDS`` lists can be imported, inside ``load``. It gives a function for each
quantity that the library can compute, called with the parameters of the question by name.

A library that accounts for whole runs says so with ``ACCOUNTANTS = {"pld": "upper"}`` and a
function ``accountants``, which gives functions such as "pld epsilon" of (history, delta), and "pld
epsilon poisson replace-one" for another sampling or relation; see ``verify.judge.runs.panel``.
"""
