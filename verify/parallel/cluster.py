"""The door to a ``dask.distributed`` cluster: dask supplies the workers, and replaces dead ones.

Needs the extra: pip install '.[dask]' in a checkout. The workers need the same version of this package.
"""

from __future__ import annotations

import logging
import re
import socket
import time
from concurrent.futures import CancelledError, Executor
from pathlib import Path

from verify.numbers.errors import OutOfDomain, SgmError
from verify.parallel.doors import BATCH_SECONDS, Opened
from verify.parallel.programs import programs

CONNECT_SECONDS = 20.0
WORKERLESS_SECONDS = 120.0  # a queue system may take its time to replace workers
_LOOK_SECONDS = 5.0
_TALKATIVE = (
    "distributed",
    "distributed.client",
    "distributed.core",
    "tornado.application",
    "asyncio",
)
_ADDRESS = re.compile(r"(?:(\w+)://)?(\[[0-9a-fA-F:.]+\]|[\w.-]+):(\d{1,5})", re.ASCII)
_SCHEDULER_SECONDS = 0.002  # what a task costs the scheduler, with a reserve


class ClusterGone(SgmError):
    """The cluster cannot be reached, or has no workers."""


class DaskCluster(Opened):
    """A running cluster, by the address of its scheduler or the file that it wrote."""

    shared_fate = False  # dask gives the others' work to other workers itself

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise OutOfDomain("--dask needs dask: pip install '.[dask]' in a checkout") from error
        for name in _TALKATIVE:  # losses are reported here, in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self.address = address
        where = _where(address)
        try:
            self._client = Client(**where, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise OutOfDomain(f"--dask {address}: no scheduler answers ({error})") from error
        self._threads, self._looked, self._seen = 0, 0.0, time.monotonic()
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            self._same_programs()
        except BaseException as error:
            self._client.close()
            if isinstance(error, OSError):  # dask's TimeoutError is one
                raise ClusterGone(f"--dask {address}: the cluster has no workers") from error
            raise
        # Batches are told apart by what they do, not by their arguments: the same one may come again.
        self.executor: Executor = self._client.get_executor(pure=False)

    def _same_programs(self) -> None:
        """Asked before anything begins; those who join later are asked with each batch of a sweep."""
        found = self._client.run(programs, on_error="return")
        for worker, said in found.items():
            if said != programs():
                has = said if isinstance(said, str) else f"no sgm-verify ({said})"
                raise OutOfDomain(f"worker {worker} has {has}; here it is {programs()}")

    @property
    def seconds(self) -> float:
        """Longer batches on large clusters: every batch passes through the one scheduler."""
        return max(BATCH_SECONDS, _SCHEDULER_SECONDS * self.width())

    def width(self) -> int:
        now = time.monotonic()
        if now - self._looked > _LOOK_SECONDS or not self._threads:
            self._look(now)
        return 2 * self._threads + 1

    def _look(self, now: float) -> None:
        try:
            self._threads = sum(self._client.nthreads().values())
        except (OSError, CancelledError) as error:
            raise self._gone_error() from error
        self._looked = now
        if self._threads:
            self._seen = now

    def is_death(self, error: BaseException) -> bool:
        from distributed.scheduler import KilledWorker

        return isinstance(error, KilledWorker)

    def healthy(self) -> bool:
        if self._client.status != "running":
            raise self._gone_error()
        self._look(time.monotonic())
        if time.monotonic() - self._seen > WORKERLESS_SECONDS:
            raise ClusterGone(
                f"the cluster at {self.address} has had no workers for {WORKERLESS_SECONDS:g} s"
            )
        return True

    def renew(self) -> None:
        """Dask replaces its workers; only a lost scheduler is the end."""
        if self._client.status != "running":
            raise self._gone_error()

    def close(self) -> None:
        self._client.close(timeout=5)

    def _gone_error(self) -> ClusterGone:
        return ClusterGone(
            f"the scheduler at {self.address} is gone; what was done is safe: run it again"
        )


def _where(address: str) -> dict[str, str]:
    """What a client is told; tried first, since a client that fails takes most of a minute to end."""
    if address.endswith(".json"):
        if not Path(address).is_file():
            raise OutOfDomain(f"--dask {address}: there is no such scheduler file")
        return {"scheduler_file": address}
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise OutOfDomain(f"--dask {address}: must be tcp://HOST:PORT, or a scheduler file .json")
    if match[1] in (None, "tcp", "tls"):
        try:
            socket.create_connection((match[2].strip("[]"), int(match[3])), CONNECT_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise OutOfDomain(f"--dask {address}: no scheduler answers ({error})") from error
    return {"address": address}
