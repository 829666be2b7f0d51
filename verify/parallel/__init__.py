"""One interface (a *door*) to many workers: processes of this machine, or a dask cluster.

Whatever is to be done many times, and would take a night, is a plain function of a batch that can be
pickled. :func:`run_batches` gives batches to any ``concurrent.futures.Executor``, keeps only so many in
flight that no queue grows, and yields results as they come.

A worker that dies (out of memory, a lost node, kill -9) is survived. Nobody can tell which of the
batches in flight killed it, so each of them is given out again, alone; a batch that kills its worker
when alone is split, and a piece that cannot be split is tried a few times before it is given up.
Workers that fall silent count as dead, if the batches say how long they may take.

    doors     where work is done
    cluster   the door to a dask cluster
    dispatch  batches out, results in
    ordered   results in the order of the work
    programs  which programs the digits come from

>>> with Here() as door:
...     print([result for _, result in run_batches(door, abs, iter_source([-1, 2, -3]))])
[1, 2, 3]
"""

from verify.parallel.dispatch import WorkerDied, iter_source, run_batches
from verify.parallel.doors import CannotStart, Door, Here, Processes, cores, open_door
from verify.parallel.ordered import each, in_order

__all__ = [
    "CannotStart",
    "Door",
    "Here",
    "Processes",
    "WorkerDied",
    "cores",
    "each",
    "in_order",
    "iter_source",
    "open_door",
    "run_batches",
]
