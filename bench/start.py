"""Start-up, memory and leaving: `python -m bench.start [ROUNDS]`. Linux.

All contenders run in one environment that holds the built wheel only, in turn, a fresh process each time, the bytecode cache present.
The floor is a loop that imports json and sys only; "SDK" is the SDK's bare low-level server. Medians in milliseconds; the ratios are
those of the same run, and they are what counts: absolute times depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.conversation import Conversation
from bench.installed import Installed, install

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PROGRAMS: Final = Path(__file__).parent / "programs"
WARM_UP: Final = 2
IDLE_S: Final = 2.0
WARM_CALLS: Final = 30
_CALL: Final = {"name": "list_sender_addresses", "arguments": {}}


def contenders(installed: Installed, config: Path) -> dict[str, list[str]]:
    """Name and command line of each."""
    python, command = str(installed.python), str(installed.command)
    return {
        "floor": [python, str(PROGRAMS / "floor_loop.py")],
        "SDK": [python, str(PROGRAMS / "sdk_low_level.py")],
        "command": [command, "serve"],
        "module": [python, "-m", "proton_safe", "serve"],
        "--config": [command, "serve", "--config", str(config)],
    }


class Samples:
    """What was measured, by contender and figure."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], list[float]] = {}

    def add(self, contender: str, figure: str, value: float) -> None:
        """Note one value."""
        self._values.setdefault((contender, figure), []).append(value)

    def median(self, contender: str, figure: str) -> float:
        """The middle one."""
        return statistics.median(self._values[contender, figure])


def start_up(commands: Mapping[str, Sequence[str]], environment: Mapping[str, str], rounds: int) -> Samples:
    """Spawn to initialize, to tools/list, memory then, and closing the input to the end.

    In turn over all contenders, each round in another order: whoever runs after the SDK finds the processor's caches full of it.
    """
    samples = Samples()
    order = list(commands.items())
    for number in range(rounds + WARM_UP):
        random.Random(number).shuffle(order)  # noqa: S311 - the same orders in each run
        for name, command in order:
            with Conversation(command, environment) as talk:
                opened, listed = talk.open()
                memory = talk.memory_mib()
                ended = talk.end()
            if number >= WARM_UP:
                for figure, value in (("initialize", opened), ("tools/list", listed), ("memory", memory), ("end", ended)):
                    samples.add(name, figure, value)
    return samples


def first_call(installed: Installed, environment: Mapping[str, str], rounds: int) -> Samples:
    """The first tool call, the same call warm, and the imports of the engine alone; the slowest ping while the engine loads."""
    samples = Samples()
    imports = [str(installed.python), str(PROGRAMS / "engine_imports.py")]
    for number in range(rounds + WARM_UP):
        with Conversation([str(installed.command), "serve"], environment) as talk:
            talk.open()
            first = talk.ask("first", "tools/call", _CALL)[1]
            warm = statistics.median(talk.ask(index, "tools/call", _CALL)[1] for index in range(WARM_CALLS))
            memory = talk.memory_mib()
        with Conversation([str(installed.command), "serve"], environment) as talk:
            talk.open()
            talk.send(id="first", method="tools/call", params=_CALL)
            slowest = max(_pings(talk))
        run = subprocess.run(imports, env=dict(environment), check=True, capture_output=True, cwd="/", timeout=60)  # noqa: S603 - our own
        if number >= WARM_UP:
            figures = {"first": first, "warm": warm, "imports": float(run.stdout), "memory": memory, "ping": slowest}
            for figure, value in figures.items():
                samples.add("command", figure, value)
    return samples


def _pings(talk: Conversation) -> Iterator[float]:
    """Ping until the first call is answered."""
    number = 0
    while True:
        asked = f"ping {number}"
        talk.send(id=asked, method="ping")
        number += 1
        sent = talk.now()
        if talk.next_id() == "first":
            return
        yield talk.now() - sent


def idle(installed: Installed, environment: Mapping[str, str]) -> float:
    """Processor time, in seconds, that a server uses in two seconds of waiting for its first call."""
    with Conversation([str(installed.command), "serve"], environment) as talk:
        talk.open()
        before = talk.processor_s()
        threading.Event().wait(IDLE_S)
        return talk.processor_s() - before


def leaving(installed: Installed, environment: Mapping[str, str], rounds: int) -> Samples:
    """How long a server with its engine takes to end by the end of its input and by SIGTERM."""
    samples = Samples()
    for _ in range(rounds):
        for figure in ("end of input", "SIGTERM"):
            with Conversation([str(installed.command), "serve"], environment) as talk:
                talk.open()
                talk.ask("first", "tools/call", _CALL)
                samples.add("command", figure, talk.end() if figure == "end of input" else talk.stop())
    return samples


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.start", description="Start-up, first call and memory beside their floors.")
    parser.add_argument("rounds", type=int, nargs="?", default=15, help="fresh processes of each kind (default: 15)")
    rounds: int = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="proton-safe-bench-") as name:
        folder = Path(name)
        installed = install(folder)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PROTON_BRIDGE_USER": "ada@keller.example",
            "PROTON_BRIDGE_PASSWORD": "no-password-needed",
            "PROTON_IMAP_PORT": "1",
        }
        config = folder / "config.toml"
        config.write_text('schema_version = 1\n[bridge]\nuser = "ada@keller.example"\n', encoding="utf-8")
        config.chmod(0o600)
        commands = contenders(installed, config)
        started = start_up(commands, environment, rounds)
        called = first_call(installed, environment, rounds)
        left = leaving(installed, environment, rounds)
        waited = idle(installed, environment)
    sys.stdout.write("\n".join(report(commands, started, called, left, waited)) + "\n")
    return 0


def report(commands: Mapping[str, object], started: Samples, called: Samples, left: Samples, waited: float) -> Iterator[str]:
    """The lines of the report: what was measured, and each ratio beside its goal."""
    yield "| median of fresh processes | to initialize, ms | to tools/list, ms | of the floor | MiB then | input closed to end, ms |"
    yield "|---|---|---|---|---|---|"
    floor = started.median("floor", "tools/list")
    for name in commands:
        opened, listed, memory, ended = (started.median(name, figure) for figure in ("initialize", "tools/list", "memory", "end"))
        yield f"| {name} | {1000 * opened:.1f} | {1000 * listed:.1f} | {listed / floor:.2f} | {memory:.1f} | {1000 * ended:.1f} |"
    first, warm, imports, ping, memory = (called.median("command", figure) for figure in ("first", "warm", "imports", "ping", "memory"))
    yield ""
    for what, ratio, goal in (
        ("start to tools/list, environment mode, over the floor", started.median("command", "tools/list") / floor, 1.5),
        ("start to tools/list, --config, over the floor", started.median("--config", "tools/list") / floor, 2.5),
        ("first call over (imports alone + the same call warm)", first / (imports + warm), 1.15),
    ):
        yield f"{what}: {ratio:.2f} (goal: at most {goal})"
    sdk = started.median("SDK", "tools/list") / started.median("command", "tools/list")
    yield f"start to tools/list, the SDK's own over ours: {sdk:.1f}"
    yield f"first call {1000 * first:.0f} ms, imports alone {1000 * imports:.0f} ms, the same call warm {1000 * warm:.1f} ms"
    yield f"resident before the first call: {started.median('command', 'memory'):.1f} MiB (goal: at most 30); after it: {memory:.1f} MiB"
    yield f"processor time in {IDLE_S:.0f} s of waiting for the first call: {1000 * waited:.0f} ms (goal: 0)"
    yield f"slowest ping while the engine loads: {1000 * ping:.0f} ms (goal: at most 200)"
    for ending in ("end of input", "SIGTERM"):
        yield f"from {ending} to the end, with the engine running: {1000 * left.median('command', ending):.0f} ms (goal: at most 1000)"


if __name__ == "__main__":
    sys.exit(main())
