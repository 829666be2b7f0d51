"""Debian's chromium, headless, driven over its DevTools socket with the standard library only."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-port=0",
)  # fmt: skip
SECONDS = PATIENCE


class Page:
    """One tab. Events that came in while waiting for answers are kept in ``events``."""

    def __init__(self, port: int, path: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._buffer = b""
        while b"\r\n\r\n" not in self._buffer:
            self._buffer += self._socket.recv(4096)
        self._buffer = self._buffer.partition(b"\r\n\r\n")[2]
        self._ids = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        self._socket.close()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command and its answer."""
        number = next(self._ids)
        self._send(json.dumps({"id": number, "method": method, "params": parameters}).encode())
        while True:
            message = self._receive()
            if message.get("id") == number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return dict(message["result"])
            self.events.append(message)

    def wait(self, event: str) -> None:
        while not any(e.get("method") == event for e in self.events):
            self.events.append(self._receive())

    def evaluate(self, expression: str) -> Any:
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, " ": 32, "ArrowDown": 40}
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        extra = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        for character in text:
            self.press(character, character)

    def screenshot(self, path: Path, whole: bool = False) -> None:
        found = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))

    def open(self, address: str) -> None:
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.call(f"{domain}.enable")
        self.events.clear()
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def complaints(self) -> list[str]:
        """Console errors, exceptions and entries of the browser's own log."""
        said = []
        for event in self.events:
            name, given = event.get("method"), event.get("params", {})
            if name == "Runtime.exceptionThrown" or (
                name == "Runtime.consoleAPICalled"
                and given.get("type") in ("error", "warning", "assert")
            ):
                said.append(json.dumps(given)[:400])
            elif name == "Log.entryAdded":
                said.append(given["entry"]["text"])
        return said

    def requests(self) -> list[str]:
        return [
            e["params"]["request"]["url"]
            for e in self.events
            if e.get("method") == "Network.requestWillBeSent"
        ]

    # -- websocket frames: a client masks what it sends, a server does not --------------------

    def _send(self, data: bytes) -> None:
        mask = os.urandom(4)
        size = len(data)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        self._socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def _take(self, count: int) -> bytes:
        while len(self._buffer) < count:
            more = self._socket.recv(1 << 16)
            if not more:
                raise AssertionError("the browser closed the connection")
            self._buffer += more
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _receive(self) -> dict[str, Any]:
        data = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size > 125:
                size = struct.unpack(
                    "!H" if size == 126 else "!Q", self._take(2 if size == 126 else 8)
                )[0]
            data += self._take(size)
            if first & 0x80:
                return dict(json.loads(data))


@contextlib.contextmanager
def page(profile: Path) -> Iterator[Page]:
    """A tab of a browser of its own, ended afterwards."""
    assert CHROMIUM is not None
    process = subprocess.Popen(
        [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        port_file, deadline = profile / "DevToolsActivePort", time.monotonic() + SECONDS
        while not port_file.exists() or not port_file.read_text().strip():
            assert time.monotonic() < deadline, "chromium did not start"
            assert process.poll() is None, "chromium ended"
            time.sleep(0.05)
        port = int(port_file.read_text().split()[0])
        tab = Page(port, _tab(port))
        try:
            yield tab
        finally:
            tab.close()
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        if process.poll() is None:
            process.kill()
            process.wait()


def _tab(port: int) -> str:
    import urllib.request

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=SECONDS) as answer:
        tabs = json.load(answer)
    address: str = next(t for t in tabs if t["type"] == "page")["webSocketDebuggerUrl"]
    return "/" + address.split("/", 3)[3]
