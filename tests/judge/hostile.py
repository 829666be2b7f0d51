"""Harnesses that misbehave, each in one way; run as: python hostile.py WAY."""

import json
import os
import sys
import time

WAY = sys.argv[1] if __name__ == "__main__" else "good"


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def escape(note):
    """A child that has left its parent, its group and its session, and says in a file who it is."""
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        with open(note + ".part", "w") as file:  # noqa: PTH123  # a plain program
            file.write(str(os.getpid()))
        os.rename(note + ".part", note)  # noqa: PTH104  # same
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        time.sleep(3600)
    os.wait()
    while not os.path.exists(note):  # noqa: PTH110  # same
        time.sleep(0.001)


def main():
    previous = None
    if WAY == "escapes":
        escape(sys.argv[2])
    if WAY == "dies-at-start":
        sys.exit(3)
    if WAY == "unsolicited":
        say('{"id": "x", "value": 1.0}\n')
    for count, line in enumerate(sys.stdin):
        question = json.loads(line)
        token = question["id"]
        good = json.dumps({"id": question["id"], "value": question["q"]}) + "\n"
        if WAY == "late" and count % 3 == 1:
            time.sleep(3)
        elif WAY == "never" or (WAY == "every-second" and count % 2):
            time.sleep(3600)
        elif WAY == "twice":
            say(good)
        elif WAY == "twice-different" and count % 2:
            say(json.dumps({"id": question["id"], "value": 0.0}) + "\n")
        elif WAY == "previous" and previous:
            say(previous)
        elif WAY == "garbage":
            say("hello \x1b[31m world\n")
            continue
        elif WAY == "carriage-returns":
            say(good.replace("\n", "\r" if count % 2 else "\r\n"))
            continue
        elif WAY == "half":
            say(good[:10])
            time.sleep(3600)
        elif WAY == "half-then-dies":
            say(good[:10])
            os._exit(0)
        elif WAY == "nan-text":
            say(f'{{"id": "{token}", "value": NaN}}\n')
            continue
        elif WAY == "gigabyte":
            block = "x" * (1 << 20)
            for _ in range(1024):
                say(block)
        elif WAY == "gigabyte-of-lines":
            block = "\n" * (1 << 20)
            for _ in range(1024):
                say(block)
        elif WAY == "never-quiet":
            while True:
                say("y\n" * 1000)
        elif WAY == "gigabyte-of-log":
            block = "x" * (1 << 20)
            for _ in range(64 if count == 0 else 0):
                sys.stderr.write(block)
        elif WAY == "dies" and count % 3 == 2:
            os._exit(1)
        elif WAY == "memory":
            question["hoard"] = bytearray(1 << 30)
        elif WAY == "deep":
            say("[" * 100_000 + "\n")
            continue
        elif WAY == "long-integer":
            say(f'{{"id": "{token}", "value": {"9" * 10_000}}}\n')
            continue
        elif WAY == "true":
            say(f'{{"id": "{token}", "value": true}}\n')
            continue
        elif WAY == "both":
            say(f'{{"id": "{token}", "value": 1.0, "error": "no"}}\n')
            continue
        elif WAY == "twin-keys":
            say(f'{{"id": "{token}", "value": 1.0, "value": 2.0}}\n')
            continue
        elif WAY == "binary":
            sys.stdout.buffer.write(b"\xff\xfe\x00\n")
            sys.stdout.buffer.flush()
            continue
        elif WAY == "ignores-the-end":
            import signal

            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        say(good)
        previous = good
    if WAY == "ignores-the-end":
        time.sleep(3600)


if __name__ == "__main__":
    main()
