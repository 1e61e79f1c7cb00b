"""Random and mutated frames against a server process: `python -m tests.server.wire_fuzz [FRAMES] [SEED]`, or `make fuzz-wire`.

Each batch is written without waiting, and a ping stands behind it. What must hold: the ping is answered within its bound; each line
of the output is one JSON-RPC message; no id gets more answers than it was asked with; memory, descriptors and threads stay where the
first tenth has left them; the process ends with status 0 and an empty log.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests import on_demand
from tests.server.conftest import offline
from tests.server.eras import VERSIONS, Era
from tests.server.stdio import Stdio
from tests.server.transport_rows import FRAMES, REQUESTS, request

if TYPE_CHECKING:
    from collections.abc import Callable

FRAMES_IN_ALL: Final = 200_000
BATCH: Final = 100
SETTLED_SHARE: Final = 10
MAX_GROWTH_KIB: Final = 24 * 1024
_SHORT: Final = 20_000
_PIECES: Final = (
    *(b'"', b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"-1", b"1e999", b"NaN", b"\\ud800", b"\\u0000", b"\x00", b"\xff"),
    *(b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\r", b"\t", b"9" * 40, b'"id":', b'"method":', b'"params":', b'"_meta":'),
    *(b'"arguments":', b'"jsonrpc":"2.0"'),
)
_METHODS: Final = (
    "ping", "tools/list", "tools/call", "initialize", "server/discover", "notifications/cancelled", "notifications/initialized",
    "notifications/progress", "prompts/list", "resources/read", "logging/setLevel", "completion/complete", "x", "",
)  # fmt: skip  # read in groups of one kind
_TOOLS: Final = ("list_sender_addresses", "begin_attachment_upload", "discard_attachment", "upload_attachment_chunk", "send_email", "")


@dataclass(frozen=True, slots=True)
class Report:
    """What a run has seen."""

    frames: int
    answers: int
    seconds: float
    slowest_ping_s: float
    growth_kib: int
    peak_kib: int
    codes: Counter[str]

    def __str__(self) -> str:
        return (
            f"{self.frames} frames, {self.answers} answers in {self.seconds:.0f} s, slowest ping {self.slowest_ping_s:.2f} s, "
            f"memory +{self.growth_kib} KiB, peak {self.peak_kib // 1024} MiB, {dict(self.codes.most_common())}"
        )


class Frames:
    """An endless source of frames, the same for the same seed."""

    def __init__(self, seed: int, era: Era) -> None:
        self._random = random.Random(seed)  # noqa: S311 - the same frames for the same seed
        self._era = era
        seeds = [row.line for row in (*FRAMES, *REQUESTS) if len(row.line) < _SHORT]
        self._seeds = [*seeds, *(request(id=1, method=method, params=era.params()) for method in _METHODS)]

    def batch(self) -> list[bytes]:
        """Frames without their ends."""
        return [self._frame().replace(b"\n", b" ") for _ in range(BATCH)]

    def _frame(self) -> bytes:
        kind = self._random.random()
        if kind < 0.05:
            return self._random.randbytes(self._random.randrange(200))
        if kind < 0.3:
            return self._mutated(self._random.choice(self._seeds))
        message = json.dumps(self._message(), ensure_ascii=self._random.random() < 0.5)
        octets = message.encode("utf-8", "surrogatepass")
        return self._mutated(octets) if kind < 0.45 else octets

    def _mutated(self, octets: bytes) -> bytes:
        line = bytearray(octets)
        for _ in range(self._random.randrange(1, 5)):
            at = self._random.randrange(len(line) + 1)
            match self._random.randrange(5):
                case 0:
                    line[at:at] = self._random.choice(_PIECES)
                case 1:
                    del line[at : at + self._random.randrange(1, 20)]
                case 2 if line:
                    line[at % len(line)] ^= 1 << self._random.randrange(8)
                case 3:
                    line[at:at] = line[: self._random.randrange(1, 40)]
                case _:
                    line[at : at + 4] = self._random.choice(_PIECES)
        return bytes(line)

    def _message(self) -> dict[str, Any]:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": self._random.choice(_METHODS)}
        if self._random.random() < 0.8:
            message["id"] = self._random.choice([self._random.randrange(50), str(self._random.randrange(50)), self._value(1)])
        if self._random.random() < 0.8:
            message["params"] = self._params()
        if self._random.random() < 0.1:
            message[self._random.choice(["result", "error", "x", "jsonrpc"])] = self._value(2)
        return message

    def _params(self) -> Any:  # noqa: ANN401 - any JSON value
        kind = self._random.random()
        if kind < 0.2:
            return self._value(3)
        if kind < 0.4:
            return self._era.opening()[1]
        if kind < 0.6:
            return {"requestId": self._random.choice([self._random.randrange(50), str(self._random.randrange(50)), self._value(1)])}
        call = {"name": self._random.choice(_TOOLS), "arguments": self._value(3) if self._random.random() < 0.7 else {}}
        return self._era.params(**call, **({"_meta": {"progressToken": self._value(1)}} if self._random.random() < 0.3 else {}))

    def _value(self, depth: int) -> Any:  # noqa: ANN401 - any JSON value
        kinds = self._random.randrange(9 if depth else 7)
        match kinds:
            case 0:
                return self._random.choice([None, True, False])
            case 1 | 2:
                return self._random.choice([0, -1, 1, 2**63, 10**400, self._random.randrange(100)])
            case 3:
                return self._random.choice([1.5, -0.0, 1e308, 1e-320])
            case 4 | 5 | 6:
                return self._random.choice(["", "a", "\u202e", "\ud800", "\x00", "\u00e9" * 3, "x" * 300, "report.pdf", "0" * 32])
            case 7:
                return [self._value(depth - 1) for _ in range(self._random.randrange(4))]
            case _:
                names = ["upload_id", "filename", "x", "requestId", "_meta", "arguments", "\udfff"]
                return {self._random.choice(names): self._value(depth - 1) for _ in range(self._random.randrange(4))}


def run(frames: int, seed: int, *, version: str, tell: Callable[[int], None] = on_demand.untold) -> Report:
    """Play so many frames in one protocol version; `tell` hears how many were played. Raises AssertionError when something doesn't hold."""
    with tempfile.TemporaryDirectory() as state, Stdio(offline(Path(state))) as server:
        era = Era(version)
        era.open(server)
        fuzz = _Fuzz(server, era, Frames(seed, era))
        fuzz.wake()
        began = time.monotonic()
        for batch in range(max(frames // BATCH, 1)):
            fuzz.play(batch)
            tell(fuzz.frames)
            if batch == frames // BATCH // SETTLED_SHARE:
                fuzz.settle()
        growth = fuzz.growth_kib()
        peak = server.peak_kib()
        assert server.end() == (0, "")
    assert growth < MAX_GROWTH_KIB, f"memory grew by {growth} KiB"
    return Report(fuzz.frames, fuzz.answers, time.monotonic() - began, fuzz.slowest, growth, peak, fuzz.codes)


class _Fuzz:
    """One server under fire."""

    def __init__(self, server: Stdio, era: Era, frames: Frames) -> None:
        self._server = server
        self._era = era
        self._source = frames
        self._before: tuple[int, int] = (0, 0)
        self._asked: Counter[str] = Counter()
        self.frames = 0
        self.answers = 0
        self.slowest = 0.0
        self.codes: Counter[str] = Counter()

    def wake(self) -> None:
        """Have the engine loaded."""
        assert self._era.ask(self._server, "wake", "no/such")["error"]["code"] == -32601

    def play(self, batch: int) -> None:
        """Write a batch, and behind it a question for the wire and one for the engine; check all that comes before both are answered."""
        lines = self._source.batch()
        self.frames += len(lines)
        for line in lines:
            self._note(line)
        asked = time.monotonic()
        wire, engine = f"wire {batch}", f"engine {batch}"
        probes = [request(id=wire, method="tools/list" if self._era.modern else "ping", params=self._era.params())]
        probes.append(request(id=engine, method="no/such", params=self._era.params()))
        writer = threading.Thread(target=self._server.write, args=(b"\n".join([*lines, *probes]) + b"\n",))
        writer.start()
        missing = {wire, engine}
        while missing:
            message = self._server.receive()
            if message.get("id") not in missing:
                self._check(message)
                continue
            missing.discard(message["id"])
            assert "result" in message or message["error"]["code"] in {-32601, -32602}
            if message["id"] == wire:
                self.slowest = max(self.slowest, time.monotonic() - asked)
        writer.join()

    def _note(self, line: bytes) -> None:
        """Remember the id that a line asks with."""
        try:
            message = json.loads(
                line.decode().removeprefix("\ufeff"), parse_int=lambda digits: int(digits[:4_301]) if len(digits) <= 4_301 else 0
            )
        except ValueError:
            return
        if isinstance(message, dict) and isinstance(message.get("id"), str | int):
            self._asked[repr(message["id"])] += 1

    def _check(self, message: dict[str, Any]) -> None:
        if "method" in message:
            assert message["method"] == "notifications/progress"
            return
        self.answers += 1
        assert message.keys() - {"result", "error"} == {"jsonrpc", "id"}
        assert ("result" in message) is not ("error" in message)
        self.codes[str(message["error"]["code"]) if "error" in message else "result"] += 1
        if message["id"] is not None:
            self._asked[repr(message["id"])] -= 1
            assert self._asked[repr(message["id"])] >= 0, f"one answer too many for {message['id']!r:.80}"

    def settle(self) -> None:
        """From here on nothing may grow."""
        self._before = self._sizes()

    def growth_kib(self) -> int:
        """How much the resident memory has grown since; descriptors must not have."""
        memory, descriptors = self._sizes()
        assert descriptors <= self._before[1] + 2, f"{descriptors} descriptors, {self._before[1]} before"
        return memory - self._before[0]

    def _sizes(self) -> tuple[int, int]:
        process = Path(f"/proc/{self._server.process.pid}")
        status = (process / "status").read_text(encoding="ascii").splitlines()
        resident = int(next(line.split()[1] for line in status if line.startswith("VmRSS")))
        return resident, len(list((process / "fd").iterdir()))


def main() -> int:
    """Play the frames in all protocol versions, one report for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.server.wire_fuzz", description="Play random and mutated frames.")
    parser.add_argument("frames", type=int, nargs="?", default=FRAMES_IN_ALL, help=f"so many frames (default: {FRAMES_IN_ALL:,})")
    parser.add_argument("seed", type=int, nargs="?", default=1, help="play the frames of this seed (default: 1)")
    options = parser.parse_args()
    seed: int = options.seed
    sys.stdout.write(f"seed {seed}\n")
    played = 0
    for index, version in enumerate(VERSIONS):
        share = options.frames // len(VERSIONS)
        report = run(share, seed + index, version=version, tell=on_demand.Progress(f"frames of {version}", share).reached)
        played += report.frames
        sys.stdout.write(f"{version}: {report}\n")
        sys.stdout.flush()
    sys.stdout.write(f"fuzz-wire: {played} frames in {len(VERSIONS)} protocol versions from seed {seed}: nothing found\n")
    return 0


if __name__ == "__main__":
    on_demand.run("make fuzz-wire", main)
