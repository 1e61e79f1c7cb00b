"""The bench: `python -m bench`. Measures the installed wheel, beside the floor and the published servers, on a Dovecot and on fakebridge.

Linux, from a checkout. `make bench` runs all of it; a row, a size or fewer rounds are chosen by options.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from bench import contenders, dovecot, peers, report, rows, simulated, steadiness
from bench.installed import Installed, install
from bench.mailbox import LEAST
from bench.measuring import Plan, Times, latencies, on_the_socket, recorded_search, tell
from bench.start import PROGRAMS, idle, start_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.contenders import Contender
    from bench.dovecot import Served

RESULTS: Final = Path(__file__).parent.parent / "build" / "bench" / "results.json"
DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "speed.md"
SIZES: Final = (1_000, 50_000)
START_ROUNDS: Final = 15
_SIMULATED_SHARE: Final = 0.4


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print; 1 when Dovecot can't be run."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _end)
    try:
        dovecot.program()
        with _folder(options.folder) as folder:
            found = _measure(options, folder)
    except dovecot.NoDovecot as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("stopped; what the bench started has ended\n")
        return 130
    lines = list(_report(found))
    sys.stdout.write("\n".join(lines) + "\n")
    if options.document:
        report.into_document(DOCUMENT, [*lines, f"In all: {report.summary(lines)}."])
    sys.stdout.write(f"In all: {report.summary(lines)}. Samples: {options.json}\n")
    return 0


def _end(*_: object) -> NoReturn:
    """SIGTERM unwinds like Ctrl-C, so that every process that was started is ended."""
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure the server beside its floor and beside published servers."
    )
    parser.add_argument("--only", action="append", choices=rows.ALL, metavar="ROW", help=f"a row, may be repeated: {', '.join(rows.ALL)}")
    sizes = ",".join(map(str, SIZES))
    parser.add_argument("--sizes", type=_sizes, default=sizes, help=f"sizes of the mailbox, with commas (default: {sizes})")
    parser.add_argument("--reps", type=_rounds, default=30, help="rounds of a row at most (default: 30)")
    parser.add_argument("--seconds", type=float, default=0, help="seconds for a row at most (default: 14, with the others 45)")
    parser.add_argument("--without", action="append", default=[], choices=["peers", "fakebridge"], help="leave these out, may be repeated")
    parser.add_argument("--server", type=_program, help="the server's command (default: built and installed from this checkout)")
    parser.add_argument("--folder", type=Path, help="keep mailboxes here and use those that are there (default: a new one, removed)")
    parser.add_argument("--document", action="store_true", help="write the tables into docs/speed.md")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where all samples go (default: build/bench/results.json)")
    return parser


def _sizes(text: str) -> list[int]:
    sizes = [int(one) if one.strip().isdecimal() else 0 for one in text.split(",")]
    if min(sizes) < LEAST:
        raise argparse.ArgumentTypeError(f"{text!r}: whole numbers with commas, and a mailbox holds at least {LEAST} messages")
    return sizes


def _program(text: str) -> Path:
    if not os.access(text, os.X_OK):
        raise argparse.ArgumentTypeError(f"{text!r} is no program that can be run")
    return Path(text)


def _rounds(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")
    return int(text)


@contextlib.contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="proton-safe-bench-") as name:
        Path(name).chmod(0o755)  # the mail processes of a Dovecot that root starts belong to another user
        yield Path(name)


def _measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    sizes: list[int] = options.sizes
    installed = _installed(options.server, folder)
    others = [] if "peers" in options.without else contenders.others(peers.FOLDER)
    all_of_us = [contenders.ours(installed.command), *others]
    wanted = frozenset(options.only or rows.ALL)
    plan = Plan(wanted, options.reps, options.seconds or (45.0 if others else 14.0))
    found: dict[str, Any] = {"machine": _machine(), "contenders": [each.name for each in all_of_us], "latency": {}, "socket": {}}
    tell(f"measuring {', '.join(found['contenders'])}" + ("" if others else " (the others: make bench-peers)"))
    with dovecot.running(folder / "dovecot") as port:
        for count in sizes:
            began = time.monotonic()
            served = dovecot.seed(folder / "dovecot", port, count)
            tell(f"a mailbox of {count:,} letters is there ({time.monotonic() - began:.0f} s)")
            if "start" in wanted and "start" not in found:
                found["start"] = _start(installed, all_of_us, served, folder)
            _on_dovecot(found, served, all_of_us, folder, plan)
            _keep(options.json, found)
            if "steady" in wanted and "steady" not in found:
                tell(f"{steadiness.CALLS:,} mixed calls")
                found["steady"] = steadiness.over_many_calls(served, all_of_us[0], folder)
    if "fakebridge" not in options.without:
        for count in sizes:
            _on_fakebridge(found, count, all_of_us[0], folder, plan)
            _keep(options.json, found)
    found["seconds"] = time.monotonic() - found["machine"].pop("began")
    _keep(options.json, found)
    return found


def _keep(path: Path, found: dict[str, Any]) -> None:
    """Write what was measured so far: a run that breaks off loses no more than its last part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(_as_data(found), indent=1) + "\n", encoding="utf-8")


def _installed(server: Path | None, folder: Path) -> Installed:
    if server is not None:
        command = server.absolute()
        return Installed(command.parent / "python", command)
    tell("building and installing the wheel")
    (folder / "installed").mkdir(exist_ok=True)
    place = tempfile.mkdtemp(dir=folder / "installed")
    return install(Path(place))


def _start(installed: Installed, all_of_us: Sequence[Contender], served: Served, folder: Path) -> dict[str, Any]:
    """Start and memory of each, and the processor time of waiting."""
    tell("start-up")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "FASTMCP_CHECK_FOR_UPDATES": "off"}
    for each in reversed(all_of_us):
        home = folder / f"start-{each.name}"
        home.mkdir(exist_ok=True)
        environment |= each.settings(served, served.port, home)
    commands = {"floor": [str(installed.python), str(PROGRAMS / "floor_loop.py")]} | {each.name: list(each.command) for each in all_of_us}
    samples = start_up(commands, environment, START_ROUNDS)
    found: dict[str, Any] = {
        name: {"listed_s": samples.median(name, "tools/list"), "memory_mib": samples.median(name, "memory")} for name in commands
    }
    return {**found, "idle_s": idle(installed, environment)}


def _on_dovecot(found: dict[str, Any], served: Served, all_of_us: Sequence[Contender], folder: Path, plan: Plan) -> None:
    search = recorded_search(served, all_of_us[0], folder) if {"search 20", "search 100"} & plan.rows else None
    found["latency"][f"dovecot {served.count}"] = latencies(served, all_of_us, folder, plan, search)
    if "socket" in plan.rows:
        tell(f"dovecot {served.count:,} through the proxy")
        found["socket"][str(served.count)] = on_the_socket(served, all_of_us, folder)


def _on_fakebridge(found: dict[str, Any], count: int, us: Contender, folder: Path, plan: Plan) -> None:
    """Beside the others, without a goal: a simulation in Python is no measure of speed."""
    less = Plan(plan.rows, max(5, plan.rounds // 3), min(plan.seconds, 14.0) * _SIMULATED_SHARE)
    with simulated.running(folder / "fakebridge", count) as served:
        search = recorded_search(served, us, folder) if {"search 20", "search 100"} & plan.rows else None
        found["latency"][f"fakebridge {count}"] = latencies(served, [us], folder, less, search)


def _machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "python": platform.python_version(), "load": os.getloadavg(), "began": time.monotonic()}


def _as_data(found: dict[str, Any]) -> dict[str, Any]:
    """With the samples as plain values."""
    latency = {
        place: {work: {"seconds": each.samples, "failed": each.failed} for work, each in times.items()}
        for place, times in found["latency"].items()
    }
    return {**found, "latency": latency}


def _report(found: dict[str, Any]) -> Iterator[str]:
    latency: dict[str, dict[str, Times]] = found["latency"]
    machine = found["machine"]
    peers = report.peers_of(found)
    took = f"load {machine['load'][0]:.1f} at the start, {found['seconds'] / 60:.1f} minutes"
    beside = "".join(f", {name} not installed" for name in report.PEERS if name not in peers)
    yield f"{machine['cores']} cores, Python {machine['python']}, {took}{beside}"
    yield ""
    if "start" in found:
        yield from report.start_lines(found["start"])
    for place, times in latency.items():
        server, _, count = place.partition(" ")
        if server == "dovecot" and times:
            yield from report.latency_table(int(count), times, latency.get(f"fakebridge {count}", {}), peers)
    for count, socket in found["socket"].items():
        yield from report.socket_lines(int(count), socket, peers)
    if "steady" in found:
        yield from report.steady_lines(found["steady"])
    yield from report.failures(latency)


if __name__ == "__main__":
    sys.exit(main())
