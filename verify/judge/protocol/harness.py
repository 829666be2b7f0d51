"""Run somebody else's program and ask it questions, whatever it does.

One question is outstanding at a time, so every answer has a time of its own, and an answer to
anything else than that question is a violation. Ids are random: nobody can answer ahead. A program
that is late, dies, or floods its output is killed with everything it has started (``warden``) and started
afresh; what it had still to say can then reach nobody.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import IO

from verify.judge.protocol.question import (
    Answer,
    Askable,
    Garbage,
    parse_answer,
    printable,
    question_line,
)
from verify.numbers.errors import SgmError

MAX_ANSWER_BYTES = 1 << 20
_CHUNK = 1 << 16
_LOG_TAIL = 4000
_PATIENT = 20  # times the limit: the longest that a busy machine is an excuse
_LAST_SECONDS = 5.0  # for the warden to kill everything; it takes milliseconds
_WARDEN = (sys.executable, "-I", "-S", str(Path(__file__).with_name("warden.py")))
_LINE_END = re.compile(
    rb"[\r\n]"
)  # LF, CR or both: no answer has either inside, blank lines are none


class HarnessFailed(SgmError):
    """The program under test cannot be judged at all."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a harness may use up."""

    # a sum of a million terms in Python is slow, not wrong; waiting for a processor does not count
    seconds: float = 30.0
    start_seconds: float = 60.0  # the first answer after a start may include slow imports
    memory: int = 4 << 30
    restarts: int = 40
    silent_starts: int = 3  # starts in a row without a word, after which nothing more is asked
    lost_seconds: float = 300.0  # waited in all for answers that did not come, before giving up


class Harness:
    """A program that speaks the protocol, started on demand and restarted after a failure."""

    def __init__(self, command: list[str], limits: Limits | None = None, seed: int = 0) -> None:
        self.command, self.limits = command, limits or Limits()
        self.violations: list[str] = []
        self.log = b""
        self.starts = 0
        self.renewals = 0
        self.calls = 0  # answered by the process that runs now
        self.lost = 0.0  # seconds waited for nothing
        self.worked = 0.0  # seconds of all answers, without those in which others had the processor
        self._begun = 0.0
        self._ids = random.Random(seed)
        self._process: subprocess.Popen[bytes] | None = None
        self._selector = selectors.DefaultSelector()
        self._lines: deque[bytes] = deque()  # whole lines not looked at yet
        self._half = b""  # what came after the last of them
        self._fresh = True
        self._silent_starts = 0

    def __enter__(self) -> Harness:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    # -- one question ------------------------------------------------------------------

    def ask(self, question: Askable) -> Answer:
        """The answer, or how it is missing. Raises only if the program cannot even be started."""
        if self._process is None:
            if self.starts - self.renewals > self.limits.restarts:
                return Answer("not-asked", detail=f"gave up after {self.limits.restarts} restarts")
            if self._silent_starts >= self.limits.silent_starts:
                return Answer("not-asked", detail=f"silent after {self._silent_starts} starts")
            if self.lost >= self.limits.lost_seconds:
                return Answer("not-asked", detail=f"gave up after {self.lost:.0f} s of waiting")
            self._start()
        token = f"{self._ids.getrandbits(64):016x}"
        allowed = self.limits.start_seconds if self._fresh else self.limits.seconds
        begin, queued = time.monotonic(), self._seconds_queued()
        if self._drain_unasked():
            detail = f"more than {MAX_ANSWER_BYTES} bytes that nobody had asked for"
            answer = Answer("flood", detail=detail)
        else:
            answer = self._exchange(token, question, begin, allowed)
        if self._fresh:
            self._silent_starts = self._silent_starts + 1 if answer.kind == "time-out" else 0
        self._fresh = False
        self.calls += 1
        taken = time.monotonic() - begin
        self.worked += max(0.0, taken - max(0.0, self._seconds_queued() - queued))
        if answer.kind in ("time-out", "crash", "flood"):
            self.lost += taken
            self.stop()
        return replace(answer, seconds=taken)

    def renew(self) -> None:
        """End a program that did nothing wrong: the next question starts it again, without a memory of earlier ones."""
        if self._process is not None:
            self.stop()
            self.renewals += 1

    @property
    def restarts(self) -> int:
        """How often it had to be started again through its own fault."""
        return max(0, self.starts - 1 - self.renewals)

    @property
    def running(self) -> bool:
        return self._process is not None

    @property
    def age(self) -> float:
        """Seconds since the process that runs now was started; 0 if none runs."""
        return 0.0 if self._process is None else time.monotonic() - self._begun

    def settle(self, seconds: float = 0.05) -> bool:
        """Listen after an answer: whether the program kept quiet, as it should."""
        before = len(self.violations)
        self._drain_unasked(seconds)
        if self._half:
            self._violation(self._half)
            self._half = b""
        return len(self.violations) == before

    def _drain_unasked(self, seconds: float = 0.0) -> bool:
        """Put down what was said between two questions, and keep none of it; whether it was a flood."""
        flooded = self._drain(seconds)
        while self._lines:
            self._violation(self._lines.popleft())
        return flooded

    def _exchange(self, token: str, question: Askable, begin: float, allowed: float) -> Answer:
        process = self._process
        if process is None or process.stdin is None:
            return Answer("crash", detail="not running")
        try:
            process.stdin.write(question_line(token, question))
            process.stdin.flush()
        except (BrokenPipeError, OSError):
            return self._crash_answer()
        received, queued = 0, self._seconds_queued()
        while True:
            while self._lines:
                answer = self._answer_in_line(self._lines.popleft(), token)
                if answer is not None:
                    return answer
            remaining = begin + allowed - time.monotonic()
            if remaining <= 0:
                remaining += min(self._seconds_queued() - queued, _PATIENT * allowed)
            if remaining <= 0:
                return Answer("time-out", detail=f"no answer within {allowed:g} s")
            alive, count = self._read(remaining)
            received += count
            if received > MAX_ANSWER_BYTES:
                return Answer(
                    "flood", detail=f"more than {MAX_ANSWER_BYTES} bytes for one question"
                )
            if not alive and not self._lines:
                return self._crash_answer()

    def _seconds_queued(self) -> float:
        """Seconds that the program has waited for a processor: others had it, so they are not the program's.

        The longest wait of any of its threads, as Linux counts it; 0 where nobody counts.
        """
        if self._process is None:
            return 0.0
        return max(map(_longest_wait, _below(self._process.pid)), default=0.0)

    @property
    def memory(self) -> int:
        """Bytes that the program and all it has started have in memory; 0 where nobody counts."""
        return 0 if self._process is None else sum(map(_resident, _below(self._process.pid)))

    def _answer_in_line(self, line: bytes, token: str) -> Answer | None:
        """The answer in the line if it is ours; garbage counts as an answer to what was asked."""
        try:
            found, answer = parse_answer(line)
        except Garbage as error:
            self._violation(line)
            return Answer("garbage", detail=str(error))
        if found == token:
            return answer
        self._violation(line)
        return None

    def _violation(self, line: bytes) -> None:
        if len(self.violations) < 1000:
            self.violations.append(printable(line.decode("utf-8", "replace")))

    def _crash_answer(self) -> Answer:
        code = None if self._process is None else _exit_code(self._process, 1.0)
        rest = self._half.decode("utf-8", "replace")
        half = f", half a line: {printable(rest)}" if rest else ""
        return Answer("crash", detail=f"the program ended (exit code {code}){half}")

    # -- bytes -------------------------------------------------------------------------

    def _read(self, seconds: float) -> tuple[bool, int]:
        """Wait for output; whether stdout is still open, and how much came."""
        count = 0
        for key, _ in self._selector.select(seconds):
            stream: IO[bytes] = key.fileobj  # type: ignore[assignment]  # only our pipes are registered
            data = os.read(stream.fileno(), _CHUNK)
            if key.data == "log":
                self.log = (self.log + data)[-_LOG_TAIL:]
                if not data:
                    self._selector.unregister(stream)
            elif not data:
                return False, count
            else:
                *whole, self._half = _LINE_END.split(self._half + data)
                self._lines.extend(line for line in whole if line.strip())
                count += len(data)
        return True, count

    def _drain(self, seconds: float) -> bool:
        """Take what is there without waiting for more than that long; whether it was more than is allowed."""
        taken, deadline = 0, time.monotonic() + seconds
        while self._process is not None and taken < MAX_ANSWER_BYTES:
            alive, count = self._read(max(0.0, deadline - time.monotonic()))
            taken += count
            if not alive or (count == 0 and time.monotonic() >= deadline):
                return False
        return taken >= MAX_ANSWER_BYTES

    # -- the process -------------------------------------------------------------------

    def _start(self) -> None:
        self.starts += 1
        self.calls, self._fresh = 0, True
        self._begun = time.monotonic()
        if shutil.which(self.command[0]) is None:
            raise HarnessFailed(f"cannot start {self._command_text()}: no such program")
        told, status = os.pipe()
        try:
            process = subprocess.Popen(
                [*_WARDEN, str(os.getpid()), str(status), str(self.limits.memory), *self.command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=(status,),
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            os.close(told)
            raise HarnessFailed(f"cannot start {self._command_text()}: {error}") from error
        finally:
            os.close(status)
        with os.fdopen(told, "rb") as pipe:
            problem = printable(pipe.read().decode("utf-8", "replace"))  # until the program runs
        self._process = process
        self._selector.register(process.stdout, selectors.EVENT_READ, "answers")  # type: ignore[arg-type]  # PIPE was asked for
        self._selector.register(process.stderr, selectors.EVENT_READ, "log")  # type: ignore[arg-type]  # same
        if problem:
            self.stop()
            raise HarnessFailed(f"cannot start {self._command_text()}: {problem}")

    def _command_text(self) -> str:
        return printable(" ".join(self.command))

    def stop(self) -> None:
        """End the program and everything it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(BrokenPipeError, OSError):
            if process.stdin is not None:
                process.stdin.close()  # a healthy harness ends when its input does
        if _exit_code(process, 0.2) is None:
            process.terminate()
            _exit_code(process, _LAST_SECONDS)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # the warden, should it not have ended
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(KeyError):
                    self._selector.unregister(stream)
                stream.close()
        self._lines.clear()
        self._half = b""


def _below(process: int) -> list[int]:
    """All that a process has started, and what those have started."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [one for child in map(int, children) for one in (child, *_below(child))]


def _longest_wait(process: int) -> float:
    """The longest that a thread of it has waited for a processor; it may end while we look."""
    waits = [0.0]
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError, ValueError, IndexError):
                waits.append(int((task / "schedstat").read_text().split()[1]) / 1e9)
    return max(waits)


def _resident(process: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _exit_code(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit code if the program ends in time. It is not reaped: its id must not be reused yet."""
    deadline = time.monotonic() + seconds
    while True:
        ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if ended is not None:
            return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.005)


def run(harness: Harness, questions: Iterable[tuple[str, Askable]], seed: int) -> dict[str, Answer]:
    """Ask everything, in an order that depends on the seed only."""
    todo = list(questions)
    random.Random(seed).shuffle(todo)
    answers: dict[str, Answer] = {}
    previous = ""
    for name, question in todo:
        before = len(harness.violations)
        answer = harness.ask(question)
        # A line that was no answer to this question was one too many for the one before.
        if previous and len(harness.violations) > before and answer.kind != "garbage":
            answers[previous] = Answer("twice", detail=harness.violations[before])
        answers[name] = answer
        previous = name
    if previous and not harness.settle():
        answers[previous] = Answer("twice", detail=harness.violations[-1])
    return answers
