"""A headless Chromium for tests, driven over its debugging pipe with nothing but the standard library.

https://chromedevtools.github.io/devtools-protocol/ describes the commands and events. With
`--remote-debugging-pipe` they pass as JSON, each ended by a NUL, in on descriptor 3 and out on descriptor 4.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)
PATIENCE = 30.0
KEY_CODES = {
    "Tab": 9,
    "Enter": 13,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}


def find_chromium() -> str | None:
    """Return the program, None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)


class Browser:
    """A running Chromium with one page."""

    def __init__(self, program: str, profile: Path) -> None:
        # The shell puts the two pipes where the browser looks for them.
        pipes = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
        self._process = subprocess.Popen(
            ["sh", "-c", pipes, "sh", program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        self._buffer = b""
        self._last_id = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result; events on the way are kept in `events`."""
        self._last_id += 1
        command = {"id": self._last_id, "method": method, "params": params}
        if self._session is not None:
            command["sessionId"] = self._session
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command).encode() + b"\0")
        while True:
            message = self._receive()
            if message.get("id") == self._last_id:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                result: dict[str, Any] = message["result"]
                return result
            self.events.append(message)

    def open(self, address: str) -> None:
        """Load a page and wait until it is there."""
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.protocol !== 'about:'")

    def run(self, script: str) -> Any:
        """Run an expression in the page and return its value."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE
        while not self.run(script):
            assert time.monotonic() < end, f"in vain waited for {script}"
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        """Press and release keys, one after the other."""
        for key in keys:
            code = KEY_CODES[key]
            event = {"key": key, "code": key, "windowsVirtualKeyCode": code}
            if key == "Enter":
                event["text"] = "\r"
            self.call("Input.dispatchKeyEvent", type="keyDown", **event)
            self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def resize(self, width: int, height: int) -> None:
        """Take the size of a screen, in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)

    def prefer(self, **features: str) -> None:
        """Set what the reader prefers: `color_scheme="dark"`, `reduced_motion="reduce"`."""
        wanted = [{"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", features=wanted)

    def close(self) -> None:
        """End the browser and all its processes."""
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def _receive(self) -> dict[str, Any]:
        """Return the next message of the browser."""
        end = time.monotonic() + PATIENCE
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            part = os.read(pipe, 1 << 20)
            assert part, "the browser has ended"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message
