"""Times all contenders and the floor in turn, each round in another order, so that whatever the computer does meets all alike."""

from __future__ import annotations

import statistics
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bench.conversation import Conversation, Refused
from bench.counting_proxy import CountingProxy
from bench.floor import Floor
from bench.letters import WORD, lot
from bench.rows import DURING, FIRST_LIST, LARGE, TIMED, TURNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from bench.contenders import Contender
    from bench.dovecot import Served

WARM_UP: Final = 2
LEAST_ROUNDS: Final = 3
DRAFTS: Final = frozenset({"draft", "stage 5 MB + draft"})
PAUSE_S: Final = 0.06
LONG_S: Final = 0.3


@dataclass(frozen=True, slots=True)
class Plan:
    """Which rows, how many rounds at most, and how many seconds for a row at most (three rounds are always made)."""

    rows: frozenset[str]
    rounds: int
    seconds: float


@dataclass(slots=True)
class Times:
    """Seconds by contender ("floor" is one), and why a contender has none."""

    samples: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def median(self, name: str) -> float | None:
        """The middle one."""
        return statistics.median(self.samples[name]) if self.samples.get(name) else None

    def ratio(self, name: str, over: str) -> float | None:
        """The median of one over that of another."""
        above, below = self.median(name), self.median(over)
        return above / below if above is not None and below else None

    def spread(self, name: str) -> tuple[float, float] | None:
        """The first and third quartile."""
        held = self.samples.get(name, [])
        if len(held) < 2:
            return None
        first, _, third = statistics.quantiles(held, n=4, method="inclusive")
        return first, third


def tell(text: str) -> None:
    """Say how far the run is."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


def rounds(does: dict[str, Callable[[int], float]], plan: Plan, *, slow: bool = False, warm_up: int = WARM_UP) -> Times:
    """Let each do its work in turn. Where a round takes most of the row's time, the first one counts too, and one more is made."""
    times = Times()
    ends = time.monotonic() + plan.seconds
    warm, least = min(warm_up, 1) if slow else warm_up, LEAST_ROUNDS
    order = list(does)
    for number in range(plan.rounds + warm):
        if number >= warm + least and time.monotonic() > ends:
            break
        lot(f"order {number}").shuffle(order)
        took = _round(does, order, number, times.failed)
        if number < warm and sum(took.values()) > plan.seconds / 2:
            warm, least = number, 2
        if number >= warm:
            for name, seconds in took.items():
                times.samples.setdefault(name, []).append(seconds)
    return times


def _round(does: dict[str, Callable[[int], float]], order: Sequence[str], number: int, failed: dict[str, str]) -> dict[str, float]:
    """One round, in this order, without those that have failed; seconds by name."""
    took: dict[str, float] = {}
    for name in order:
        if name not in failed:
            try:
                took[name] = does[name](number)
            except (Refused, RuntimeError, OSError) as problem:
                failed[name] = f"{type(problem).__name__}: {problem}"[:300]
    return took


def latencies(served: Served, contenders: Sequence[Contender], folder: Path, plan: Plan, search: list[bytes] | None) -> dict[str, Times]:
    """All rows that are timed on warm servers."""
    found: dict[str, Times] = {}
    with ExitStack() as stack:
        floor = stack.enter_context(Floor(served, search))
        talks = {each.name: stack.enter_context(each.start(served, folder)) for each in contenders}
        for talk in talks.values():
            talk.open()

        def doing(contender: Contender, work: str) -> Callable[[int], float]:
            return lambda n: contender.perform(talks[contender.name], served, work, n)

        for row in TIMED:
            # Beyond its search it is the row before, and a search of so many letters takes long.
            if row.work not in plan.rows or (row.work == "search 100" and served.count >= LARGE and "search 20" in plan.rows):
                continue
            does: dict[str, Callable[[int], float]] = {"floor": lambda n, work=row.work: floor.perform(work, n)}  # type: ignore[misc]  # bound now
            does |= {each.name: doing(each, row.work) for each in contenders if each.can(row.work)}
            found[row.work] = _told(served, row.work, rounds(does, plan, slow=row.slow))
            if row.work in DRAFTS:
                floor.empty_drafts()
        found |= _while_busy(served, contenders, talks, plan)
    if FIRST_LIST.work in plan.rows:
        found[FIRST_LIST.work] = _told(served, FIRST_LIST.work, first_list(served, contenders, folder, plan))
    return found


def _told(served: Served, work: str, times: Times) -> Times:
    figures = ", ".join(f"{name} {1000 * (times.median(name) or 0):.2f} ms" for name in sorted(times.samples))
    problems = "".join(f"; {name}: {why}" for name, why in times.failed.items())
    tell(f"{served.server} {served.count:,} {work}: {figures}{problems}")
    return times


def _while_busy(served: Served, contenders: Sequence[Contender], talks: dict[str, Conversation], plan: Plan) -> dict[str, Times]:
    """Short work alone, and the same asked for while a long call runs. The search must be long enough to be met."""
    found: dict[str, Times] = {}
    for row, short, long in DURING:
        if row not in plan.rows:
            continue
        does: dict[str, Callable[[int], float]] = {}
        for each in contenders:
            if not (each.can(long) and each.can(short)) or each.perform(talks[each.name], served, long, 0) < LONG_S / 2:
                continue
            does[f"{each.name} quiet"] = _quiet(each, talks[each.name], served, short)
            does[f"{each.name} busy"] = _busy(each, talks[each.name], served, short, long)
        if does:
            found[row] = _told(served, row, rounds(does, plan, slow=True))
    return found


def _quiet(contender: Contender, talk: Conversation, served: Served, short: str) -> Callable[[int], float]:
    return lambda n: contender.perform(talk, served, short, n + 20)


def _busy(contender: Contender, talk: Conversation, served: Served, short: str, long: str) -> Callable[[int], float]:
    return lambda n: talk.meanwhile(contender.words[long](served, n), PAUSE_S, contender.words[short](served, n))[0]


def first_list(served: Served, contenders: Sequence[Contender], folder: Path, plan: Plan) -> Times:
    """The first list of the folder by a fresh server that has asked for nothing but its status."""

    def first(contender: Contender) -> Callable[[int], float]:
        def measure(n: int) -> float:
            with contender.start(served, folder) as talk:
                talk.open()
                contender.perform(talk, served, "status", n)
                return contender.perform(talk, served, "list 20", n)

        return measure

    def bare(n: int) -> float:
        with Floor(served, None) as floor:
            return floor.perform(FIRST_LIST.work, n)

    does: dict[str, Callable[[int], float]] = {"floor": bare}
    does |= {each.name: first(each) for each in contenders if each.name == "us"}
    return rounds(does, Plan(plan.rows, min(plan.rounds, 9), plan.seconds), slow=True)


def on_the_socket(served: Served, contenders: Iterable[Contender], folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Octets, round trips and commands of one warm call, and the memory that reading beside a large file takes more."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for each in contenders:
        with CountingProxy(served.port, served.folder) as proxy, each.start(served, folder, proxy.port) as talk:
            talk.open()
            for work in (*TURNS, "status", "reply context", "read beside 10 MB"):
                if not each.can(work):
                    continue
                try:
                    # The letter that was read last may be kept ready; the one beside 10 MB is one of a kind.
                    each.perform(talk, served, work, 0)
                    each.perform(talk, served, "read small", 30)
                    before = talk.memory_mib()
                    talk.forget_peak()
                    proxy.take()
                    each.perform(talk, served, work, 1)
                except (Refused, RuntimeError, OSError) as problem:
                    tell(f"{served.server} {served.count:,} {work} through the proxy: {each.name}: {problem}")
                    continue
                counts = proxy.take()
                found.setdefault(work, {})[each.name] = {
                    "octets": counts.octets,
                    "turns": counts.turns,
                    "commands": len(counts.commands),
                    "connections": counts.connections,
                    "more_memory_mib": max(0.0, talk.peak_mib() - before),
                }
    return found


def recorded_search(served: Served, contender: Contender, folder: Path) -> list[bytes]:
    """The SEARCH command that our server sends for the word, with all its keys, as the pieces between go-aheads."""
    with CountingProxy(served.port, served.folder) as proxy, contender.start(served, folder, proxy.port) as talk:
        talk.open()
        talk.call(("search_messages", {"query": WORD, "limit": 1}))
        searches: list[Any] = [command for command in proxy.take().commands if command[0].startswith(b"UID SEARCH")]
    if not searches:
        raise RuntimeError("the server sent no SEARCH")
    pieces: list[bytes] = searches[0]
    return pieces
