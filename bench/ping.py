"""How long a ping takes while tools run: `python -m bench.ping`. Linux, from a checkout, on a fakebridge with four hostile PDFs.

Four calls run at once (two extraction children fight with PDFs that never end, the other two calls wait for their places), and more
wait. The goal is 200 ms for the slowest ping.
"""

from __future__ import annotations

import base64
import json
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

from bench.conversation import Conversation
from conformance.bombs import bomb

ROOT: Final = Path(__file__).parent.parent
CALLS: Final = 12
PAUSE_S: Final = 0.005
BOUND_S: Final = 120.0


class _Bridge:
    """A fakebridge with the world `small` and a ninth message that carries the PDF."""

    def __init__(self) -> None:
        command = [
            sys.executable,
            "-m",
            "fakebridge",
            "serve",
            "--control",
            "--world",
            str(ROOT / "conformance" / "worlds" / "small" / "world.json"),
        ]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)  # noqa: S603 - our own
        self.ready = self._read()
        self._ask(do="deliver", message=_mail(bomb("quadratic")))
        self._ask(do="poll")

    def _ask(self, **command: object) -> None:
        assert self.process.stdin is not None  # noqa: S101 - a pipe that was asked for
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        if not self._read()["ok"]:
            raise RuntimeError("fakebridge refused a command")

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None  # noqa: S101 - a pipe that was asked for
        value: dict[str, Any] = json.loads(self.process.stdout.readline())
        return value


def _mail(document: bytes) -> str:
    encoded = base64.encodebytes(document).decode().replace("\n", "\r\n")
    return (
        "From: Someone <someone@stranger.example>\r\nTo: Ada Keller <ada@keller.example>\r\nSubject: A file\r\n"
        "Date: Tue, 01 Dec 2026 08:00:00 +0000\r\nMessage-ID: <bench-ping@fixtures.example>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: application/pdf; name="offer.pdf"\r\nContent-Transfer-Encoding: base64\r\n'
        f'Content-Disposition: attachment; filename="offer.pdf"\r\n\r\n{encoded}'
    )


def measure(environment: dict[str, str]) -> tuple[list[float], int]:
    """Seconds of each ping until all calls are answered, and how many calls those were."""
    pings: list[float] = []
    with Conversation([sys.executable, "-m", "proton_safe", "serve"], environment) as talk:
        talk.open()
        call = {"name": "extract_attachment_text", "arguments": {"uid": "9", "attachment_index": 0}}
        for number in range(CALLS):
            talk.send(id=number, method="tools/call", params=call)
        waiting, pause = set(range(CALLS)), threading.Event()
        while waiting and talk.now() < BOUND_S:
            asked, sent = f"ping {len(pings)}", talk.now()
            talk.send(id=asked, method="ping")
            while (identifier := talk.next_id()) != asked:
                waiting.discard(int(str(identifier)))
            pings.append(talk.now() - sent)
            pause.wait(PAUSE_S)
    return pings, CALLS - len(waiting)


def main() -> int:
    """Measure and print."""
    bridge = _Bridge()
    try:
        with tempfile.TemporaryDirectory(prefix="proton-safe-bench-") as folder:
            environment = {
                "PATH": "/usr/bin:/bin",
                "HOME": folder,
                "PYTHONPATH": str(ROOT),
                "PROTON_BRIDGE_USER": bridge.ready["addresses"][0],
                "PROTON_IMAP_PORT": str(bridge.ready["imap"]),
                "PROTON_BRIDGE_PASSWORD": bridge.ready["password"],
            }
            pings, answered = measure(environment)
    finally:
        bridge.process.communicate(timeout=30)
    pings.sort()
    sys.stdout.write(
        f"{len(pings)} pings while {answered} of {CALLS} calls ran: median {1000 * statistics.median(pings):.1f} ms, "
        f"99th of 100 {1000 * pings[len(pings) * 99 // 100]:.1f} ms, slowest {1000 * pings[-1]:.0f} ms (goal: at most 200)\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
