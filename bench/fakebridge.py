"""How fast fakebridge is with many messages: `python -m bench.fakebridge [COUNT …]` (1000 and 50000 if nothing is said). Linux.

Ready: from the start of the process to its ready line. Memory: resident, after all that was measured. SELECT, and a list-shaped UID SEARCH
followed by FETCH of 100: medians over a session, in milliseconds. Clients: 50 sessions that each log in, EXAMINE, search and fetch 100
at the same time; the slowest beside the fastest shows whether one starves. Absolute times depend on the machine.
"""

from __future__ import annotations

import json
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.measuring import tell

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTS: Final = (1_000, 50_000)
OCTETS: Final = 2_048
PAGE: Final = 100
ROUNDS: Final = 20
CLIENTS: Final = 50
USER: Final = "ada@bench.example"
PASSWORD: Final = "bench-password-inert00"  # noqa: S105 - of a mailbox that exists for seconds
WAIT_S: Final = 120
_LITERAL: Final = re.compile(rb"\{(\d+)\}\r\n\Z")
ITEMS: Final = "UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE"


class Session:
    """One plaintext IMAP session (Bridge allows LOGIN without TLS, so that its cost is not measured here)."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        self._file = self._socket.makefile("rb")
        self._file.readline()

    def ask(self, command: str) -> float:
        """Send a command, read to its tagged OK, give the milliseconds."""
        begun = time.perf_counter()
        self._socket.sendall(f"a {command}\r\n".encode())
        while not (line := self._file.readline()).startswith(b"a "):
            if literal := _LITERAL.search(line):
                self._file.read(int(literal[1]))
        if not line.startswith(b"a OK"):
            raise RuntimeError(f"{command}: {line!r}")
        return (time.perf_counter() - begun) * 1000

    def close(self) -> None:
        """Drop the connection."""
        self._file.close()
        self._socket.close()


def world(count: int) -> dict[str, object]:
    """A mailbox of `count` generated messages of 2 kB on average."""
    return {
        "addresses": [{"address": USER, "display_name": "Ada"}],
        "password": PASSWORD,
        "seed": 1,
        "mailboxes": {"INBOX": [{"recipe": {"kind": "bulk", "count": count, "seed": 1, "octets": OCTETS}}]},
    }


def page(session: Session, number: int, count: int) -> float:
    """A list-shaped look at 100 messages: UID SEARCH of their range, then FETCH."""
    first = 1 + number * PAGE % max(count - PAGE, 1)
    uids = f"{first}:{first + PAGE - 1}"
    return session.ask(f"UID SEARCH UID {uids} UNDELETED") + session.ask(f"UID FETCH {uids} ({ITEMS})")


def at_once(port: int, count: int) -> list[float]:
    """The milliseconds of each of 50 clients that do the same at the same time."""
    times: list[float] = []
    start = threading.Barrier(CLIENTS)

    def client(number: int) -> None:
        session = Session(port)
        start.wait(WAIT_S)
        took = session.ask(f"LOGIN {USER} {PASSWORD}") + session.ask("EXAMINE INBOX") + page(session, number, count)
        times.append(took)
        session.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    if len(times) != CLIENTS:
        raise RuntimeError(f"{CLIENTS - len(times)} clients got no answer")
    return sorted(times)


def measure(count: int) -> dict[str, float]:
    """All figures for one mailbox."""
    with tempfile.TemporaryDirectory(prefix="fakebridge-bench-") as folder:
        path = Path(folder) / "world.json"
        path.write_text(json.dumps(world(count)), encoding="utf-8")
        begun = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", "fakebridge", "serve", "--control", "--world", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            line = process.stdout.readline() if process.stdout else ""
            ready_s = time.perf_counter() - begun
            ready: dict[str, Any] = json.loads(line)
            return {"ready_s": ready_s, **_sessions(ready["imap"], count), "memory_mb": _resident_mb(process.pid)}
        finally:
            process.communicate(timeout=WAIT_S)


def _sessions(port: int, count: int) -> dict[str, float]:
    session = Session(port)
    session.ask(f"LOGIN {USER} {PASSWORD}")

    def median(look: Callable[[int], float]) -> float:
        return statistics.median(look(number) for number in range(ROUNDS))

    selects = median(lambda _: session.ask("SELECT INBOX"))
    first = page(session, 0, count)
    pages = median(lambda number: page(session, number + 1, count))
    session.close()
    times = at_once(port, count)
    return {
        "select_ms": selects,
        "first_page_ms": first,
        "page_ms": pages,
        "clients_fastest_ms": times[0],
        "clients_median_ms": statistics.median(times),
        "clients_slowest_ms": times[-1],
    }


def _resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024 if "VmRSS" in status else 0.0  # type: ignore[index]  # just looked


ROWS: Final = (
    ("world ready", "ready_s", "{:.1f} s"),
    ("resident memory", "memory_mb", "{:.0f} MB"),
    ("SELECT", "select_ms", "{:.1f} ms"),
    ("UID SEARCH + FETCH of 100, first look", "first_page_ms", "{:.1f} ms"),
    ("UID SEARCH + FETCH of 100, median of 20 pages", "page_ms", "{:.1f} ms"),
    ("50 clients at once, fastest", "clients_fastest_ms", "{:.0f} ms"),
    ("50 clients at once, median", "clients_median_ms", "{:.0f} ms"),
    ("50 clients at once, slowest", "clients_slowest_ms", "{:.0f} ms"),
)


def main(arguments: list[str]) -> int:
    """Measure and print a table in Markdown."""
    counts = [int(text) for text in arguments] or list(COUNTS)
    began = time.monotonic()
    figures = []
    try:
        for count in counts:
            tell(f"measuring fakebridge with {count:,} messages")
            figures.append(measure(count))
    except KeyboardInterrupt:
        tell("stopped; what the bench started has ended")
        return 130
    lines = [f"| | {' | '.join(f'{count:,} messages' for count in counts)} |", f"|---|{'---|' * len(counts)}"]
    lines += [f"| {name} | {' | '.join(form.format(row[key]) for row in figures)} |" for name, key, form in ROWS]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.write(f"fakebridge: {len(ROWS)} rows of {len(counts)} sizes measured in {time.monotonic() - began:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
