"""`python -m tests.fakebridge.fuzz --minutes 30`: seeds in a row against sessions without sockets and against a process on real ones.

Prints how many conversations were held. A finding is printed with its seed and the octets, status 1; `--seed N` plays it again.
"""

from __future__ import annotations

import argparse
import json
import select
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from fakebridge.faults.kinds import MEANINGS, FaultKind, Place
from tests import on_demand
from tests.fakebridge.fuzz import saying
from tests.fakebridge.fuzz.driver import Driver, new_bridge
from tests.fakebridge.fuzz.resources import HAS_PROC, memory_octets, open_files
from tests.fakebridge.worlds import PASSWORD, USER, world

ANSWER_S: Final = 30.0
READ_S: Final = 0.02
FAULTY: Final = 0.2
"""How many conversations meet a fault."""
FRESH_EVERY: Final = 500
"""Conversations before the world is loaded anew and the process is looked at."""
GROWTH_OCTETS: Final = 200 << 20
SPARE_FILES: Final = 64


class Finding(Exception):
    """Something broke; `str()` says what."""


class Process:
    """A fakebridge whose every word on stderr is a finding."""

    def __init__(self, folder: Path) -> None:
        self.world = folder / "world.json"
        self.world.write_text(json.dumps(world(profile={"offline_hang_seconds": 0.01})), encoding="utf-8")
        self.errors = folder / "stderr"
        command = [sys.executable, "-m", "fakebridge", "serve", "--control", "--world", str(self.world)]
        with self.errors.open("wb") as errors:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        self.ready = self._answer()
        self._memory, self._files = self._held()

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """A control command; its answer. Finding: there is none in time."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(json.dumps({"do": do, **fields}).encode() + b"\n")
            self._process.stdin.flush()
        return self._answer()

    def check(self) -> None:
        """Load the world anew. Finding: something was said on stderr, or memory and sockets have grown."""
        self.ask("reset", world=str(self.world))
        self._serve_one()
        said = self.errors.read_text(encoding="utf-8", errors="replace")
        if said:
            raise Finding(f"the process said: {said[-3000:]}")
        memory, files = self._held()
        if memory > self._memory + GROWTH_OCTETS or files > self._files + SPARE_FILES:
            raise Finding(f"the process holds {memory} octets and {files} files; at its start {self._memory} and {self._files}")

    def _serve_one(self) -> None:
        """A client that speaks properly is answered. Finding: it is not."""
        said = f"a LOGIN {USER} {PASSWORD}\r\nb SELECT INBOX\r\nc UID FETCH 1:* BODY.PEEK[]\r\nd LOGOUT\r\n"
        answered = b""
        with socket.create_connection(("127.0.0.1", int(self.ready["imap"])), timeout=ANSWER_S) as client:
            client.sendall(said.encode())
            try:
                while octets := client.recv(1 << 16):
                    answered += octets
            except OSError as error:
                raise Finding(f"a proper client was left with {error!r} after {answered[-500:]!r}") from error
        if b"\r\nd OK LOGOUT\r\n" not in answered:
            raise Finding(f"a proper client heard {answered[-500:]!r}")

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _held(self) -> tuple[int, int]:
        return (memory_octets(self._process.pid), open_files(self._process.pid)) if HAS_PROC else (0, 0)

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], ANSWER_S)[0]:
            raise Finding(f"no answer within {ANSWER_S:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            raise Finding(f"the process has ended: {self.errors.read_text(encoding='utf-8', errors='replace')[-3000:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def rule(draw: Random) -> dict[str, object]:
    """A fault of any kind, small enough not to take long."""
    kind = draw.choice(list(FaultKind))
    meaning = MEANINGS[kind]
    fields: dict[str, object] = {"do": kind.value, "nth": draw.randrange(1, 4), "times": draw.choice((1, 3, None))}
    if meaning.place in (Place.INSTEAD, Place.AFTER):
        fields["on"] = draw.choice(("*", "CONNECT", "UID FETCH", "FETCH", "LOGIN", "SELECT", "APPEND", "SEARCH", "STARTTLS"))
    for name in meaning.fields:
        fields[name] = {"octets": draw.randrange(2000), "count": draw.randrange(50), "seconds": 0.01}.get(name, "\x00x\xff")
    return fields


def without_sockets(draw: Random, octets: bytes, folder: Path) -> None:
    """Whole and in pieces: the same answers. Finding: they differ; anything else that escapes is one too."""
    whole, pieces = Driver(new_bridge(folder)), Driver(new_bridge(folder))
    whole.feed(octets)
    for piece in saying.cuts(draw, octets):
        pieces.feed(piece)
    if (whole.answered, whole.is_open) != (pieces.answered, pieces.is_open):
        raise Finding(f"whole: {bytes(whole.answered)[-500:]!r}; in pieces: {bytes(pieces.answered)[-500:]!r}")


def on_a_socket(draw: Random, octets: bytes, process: Process, *, smtp: bool) -> None:
    """A client that says this, reads a little or nothing, and is gone."""
    port = int(process.ready["smtp" if smtp else "imap"])
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=ANSWER_S) as client:
        client.settimeout(READ_S)
        for piece in saying.cuts(draw, octets):
            with suppress(TimeoutError):
                client.sendall(piece)
        if draw.random() < 0.3:
            client.shutdown(socket.SHUT_WR)
        if draw.random() < 0.7:
            with suppress(TimeoutError):
                while client.recv(1 << 16):
                    pass


def conversation(seed: int, process: Process, folder: Path) -> None:
    """One seed. Finding: with the seed and what was said."""
    draw = Random(seed)  # noqa: S311 - no secrets here
    smtp = draw.random() < 0.25
    octets = saying.talk(draw, smtp=smtp)
    try:
        if not smtp:
            without_sockets(draw, octets, folder)
        if draw.random() < FAULTY:
            process.ask("faults", rules=[rule(draw)])
        on_a_socket(draw, octets, process, smtp=smtp)
        if seed % FRESH_EVERY == FRESH_EVERY - 1:
            process.check()
    except (Finding, AssertionError, RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise Finding(f"seed {seed}: {type(error).__name__}: {error}\n{octets[:2000]!r}") from error


def main() -> int:
    """Until the time is over, or something breaks."""
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, help="play this one again, and no other")
    options = parser.parse_args()
    seeds = (
        range(options.seed, options.seed + 1) if options.seed is not None else range(time.time_ns() // 1_000_000_000 * 1_000_000, 1 << 62)
    )
    until, held = time.monotonic() + options.minutes * 60, 0
    progress = on_demand.Progress("conversations")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        process = Process(folder)
        (folder / "local").mkdir()
        try:
            for seed in seeds:
                if time.monotonic() > until:
                    break
                conversation(seed, process, folder / "local")
                held += 1
                progress.reached(held)
            process.check()
        except Finding as found:
            sys.stdout.write(
                f"{found}\nplay it again: python -m tests.fakebridge.fuzz --seed N\nfuzz: a finding after {held} conversations\n"
            )
            return 1
        finally:
            process.close()
    sys.stdout.write(f"fuzz: {held} conversations in {options.minutes:g} minutes, seeds from {seeds[0]}: nothing found\n")
    return 0


if __name__ == "__main__":
    on_demand.run("make fuzz", main)
