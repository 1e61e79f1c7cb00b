"""How long a ping takes while tools run: `python -m bench.ping`. Linux, from a checkout, on a fakebridge.

Twelve calls are made at once, of which four run: on a PDF that never ends, on the heaviest HTML that is read in the server's own
process, on a newsletter, and on HTML that is given up. The goal is 200 ms for the slowest ping.
"""

from __future__ import annotations

import argparse
import base64
import statistics
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.conversation import Conversation
from conformance.bombs import bomb
from conformance.worlds_at_hand import world_file
from fakebridge import testing

ROOT: Final = Path(__file__).parent.parent
CALLS: Final = 12
PAUSE_S: Final = 0.005
BOUND_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Work:
    """What the calls do: which tool, on a ninth message with this content."""

    name: str
    tool: str
    content: str

    @property
    def call(self) -> dict[str, Any]:
        """The parameters of each call."""
        arguments = {"uid": "9"} if self.tool == "read_message" else {"uid": "9", "attachment_index": 0}
        return {"name": self.tool, "arguments": arguments}


_HEAD: Final = (
    "From: Someone <someone@stranger.example>\r\nTo: Ada Keller <ada@keller.example>\r\nSubject: A file\r\n"
    "Date: Tue, 01 Dec 2026 08:00:00 +0000\r\nMessage-ID: <bench-ping@fixtures.example>\r\nMIME-Version: 1.0\r\n"
)
_ROW: Final = (
    '<tr><td style="font-family:Arial,sans-serif;font-size:14px;color:#333333;padding:10px 20px" class="mobile" align="left">'
    '<a href="https://shop.example/track/0123456789abcdef" style="color:#0a66c2">An offer of today</a><br>'
    "Some ordinary words that stand in newsletters, price 39&nbsp;EUR.</td></tr>\r\n"
)


def _pdf(document: bytes) -> str:
    encoded = base64.encodebytes(document).decode().replace("\n", "\r\n")
    return (
        'Content-Type: application/pdf; name="offer.pdf"\r\nContent-Transfer-Encoding: base64\r\n'
        f'Content-Disposition: attachment; filename="offer.pdf"\r\n\r\n{encoded}'
    )


def _html(page: str) -> str:
    return f"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n{page}\r\n"


def works() -> tuple[Work, ...]:
    """What is measured."""
    return (
        Work("PDFs that never end", "extract_attachment_text", _pdf(bomb("quadratic"))),
        Work("HTML of 590 tags, read in the server's process", "read_message", _html("<table>" + _ROW * 84)),
        Work(
            "HTML of 590 slow tags, read in the server's process", "read_message", _html("<li><marquee><td>" * 120 + "<tbody></tr>" * 115)
        ),
        Work("a newsletter of 300 kB", "read_message", _html("<table>" + _ROW * 950)),
        Work("HTML that is given up", "read_message", _html("<rt><div></b>\r\n" * 10_000 + "</template><tr>\r\n" * 10_000)),
    )


def measure(environment: dict[str, str], call: dict[str, Any]) -> tuple[list[float], int]:
    """Seconds of each ping until all calls are answered, and how many calls those were."""
    pings: list[float] = []
    with Conversation([sys.executable, "-m", "proton_safe", "serve"], environment) as talk:
        talk.open()
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
    argparse.ArgumentParser(prog="python -m bench.ping", description="How soon a ping is answered during hostile work.").parse_args()
    for work in works():
        _told(work)
    return 0


def _told(work: Work) -> None:
    with testing.start(world_file("small")) as bridge, tempfile.TemporaryDirectory(prefix="proton-safe-bench-") as folder:
        bridge.deliver(_HEAD + work.content)
        bridge.poll()
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": folder,
            "PYTHONPATH": str(ROOT),
            "PROTON_BRIDGE_USER": bridge.user,
            "PROTON_IMAP_PORT": str(bridge.imap_port),
            "PROTON_BRIDGE_PASSWORD": bridge.password,
        }
        pings, answered = measure(environment, work.call)
    pings.sort()
    sys.stdout.write(
        f"{work.name}: {len(pings)} pings while {answered} of {CALLS} calls ran: median {1000 * statistics.median(pings):.1f} ms, "
        f"99th of 100 {1000 * pings[len(pings) * 99 // 100]:.1f} ms, slowest {1000 * pings[-1]:.0f} ms (goal: at most 200)\n"
    )


if __name__ == "__main__":
    sys.exit(main())
