"""The table of one run in Markdown, out of what was measured: medians, quartiles, ratios, and how each stands to its goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bench import rows
from bench.rows import verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.measuring import Times
    from bench.rows import Row, Verdict

PEERS: Final = ("A", "B")


def milliseconds(seconds: float | None) -> str:
    """With three figures."""
    if seconds is None:
        return "-"
    value = 1000 * seconds
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def peers_of(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Those of the two published servers that took part in the run: one that isn't installed gets no column."""
    started = found.get("start") or {}
    timed = {name for times in found["latency"].values() for each in times.values() for name in (*each.samples, *each.failed)}
    counted = {name for socket in found["socket"].values() for told in socket.values() for name in told}
    return tuple(name for name in PEERS if any(one.split()[0] == name for one in (*started, *timed, *counted)))


def latency_table(count: int, measured: Mapping[str, Times], simulated: Mapping[str, Times], peers: Sequence[str]) -> Iterator[str]:
    """The rows of one size, with two columns for each peer that took part."""
    yield f"### {count:,} messages"
    yield ""
    head = ["what", "floor, ms", "us, ms (quartiles)", "over the floor", "goal", ""]
    head += [cell for name in peers for cell in (f"{name} slower", "goal")]
    yield from _head(*head, "on fakebridge: floor, us, ms")
    for row in (*rows.TIMED, rows.FIRST_LIST):
        if row.work in measured:
            yield _line(row, count, measured[row.work], simulated.get(row.work), peers)
    for work, _, _ in rows.DURING:
        if work in measured:
            yield _busy_line(work, measured[work], simulated.get(work), peers)
    yield ""


def _head(*cells: str) -> Iterator[str]:
    """The head of a table and the rule below it."""
    yield "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"
    yield "|---" * len(cells) + "|"


def _line(row: Row, count: int, times: Times, simulated: Times | None, peers: Sequence[str]) -> str:
    cells = [row.work, milliseconds(times.median("floor")), _with_spread(times, "us")]
    ratio, goal = times.ratio("us", "floor"), row.goal("floor", count)
    cells += [_ratio(ratio), "" if goal is None else f"≤ {goal:g}", _verdict(ratio, goal)]
    for name in peers:
        slower, least = times.ratio(name, "us"), row.goal("A" if name == "A" else "B", count)
        mark = "" if slower is None or least is None else f"≥ {least:g} {verdict(slower, least, at_least=True)}"
        cells += ["failed" if name in times.failed else _ratio(slower), mark]
    cells.append(_beside(simulated, "floor", "us"))
    return "| " + " | ".join(cells) + " |"


def _busy_line(work: str, times: Times, simulated: Times | None, peers: Sequence[str]) -> str:
    """The ratio is that of the busy read over the quiet one; the peers' cells say how much slower their busy read is than ours."""
    cells = [work, f"quiet {milliseconds(times.median('us quiet'))}", _with_spread(times, "us busy")]
    ratio = times.ratio("us busy", "us quiet")
    cells += [_ratio(ratio), f"≤ {rows.DURING_GOAL:g}", _verdict(ratio, rows.DURING_GOAL)]
    for name in peers:
        cells += [_ratio(times.ratio(f"{name} busy", "us busy")), ""]
    cells.append(_beside(simulated, "us quiet", "us busy"))
    return "| " + " | ".join(cells) + " |"


def start_lines(start: Mapping[str, Any]) -> Iterator[str]:
    """Start and memory."""
    floor, ours = start["floor"]["listed_s"], start["us"]["listed_s"]
    goal = rows.START.over[0]
    yield "### Start, memory"
    yield ""
    yield from _head("what", "figure", "goal", "")
    beside = f"{ours / floor:.2f} ({milliseconds(ours)} over {milliseconds(floor)} ms)"
    yield _figure("start to tools/list over the floor", beside, f"≤ {goal:g}", verdict(ours / floor, goal))
    for name, goals in (("A", rows.START.than_a), ("B", rows.START.than_b)):
        if name in start:
            slower = start[name]["listed_s"] / ours
            told = f"{slower:.1f} ({milliseconds(start[name]['listed_s'])} ms)"
            yield _figure(f"{name}'s start over ours", told, f"≥ {goals[0]:g}", verdict(slower, goals[0], at_least=True))
    held = start["us"]["memory_mib"]
    others = "".join(f", {name} {start[name]['memory_mib']:.0f}" for name in PEERS if name in start)
    limit = rows.MEMORY_GOAL_MIB
    yield _figure("memory before the first call, MiB", f"{held:.1f}{others}", f"≤ {limit:g}", verdict(held, limit))
    waited = start["idle_s"]
    yield _figure("processor time in two seconds of waiting for it, ms", f"{1000 * waited:.1f}", "0", verdict(round(waited, 3), 0))
    yield ""


def _figure(what: str, figure: str, goal: str, stands: str) -> str:
    return f"| {what} | {figure} | {goal} | {stands} |"


def socket_lines(count: int, socket: Mapping[str, Mapping[str, Mapping[str, float]]], peers: Sequence[str]) -> Iterator[str]:
    """What one warm call costs on the socket."""
    all_of_them = ("us", *peers)
    whose = ", ".join(all_of_them)
    yield f"### One warm call on the socket, {count:,} messages"
    yield ""
    yield from _head("call", f"round trips: {whose}", "goal", "", f"octets: {whose}", "goal", "", f"more memory, MiB: {whose}", "goal", "")
    for work, told in socket.items():
        cells = [work]
        turns = rows.TURNS.get(work)
        octets = rows.SOCKET_GOAL_OCTETS if work == "read beside 10 MB" else None
        memory = rows.EXTRA_MEMORY_GOAL_MIB if work == "read beside 10 MB" else None
        for figure, goal, form in (("turns", turns, "{:.0f}"), ("octets", octets, "{:,.0f}"), ("more_memory_mib", memory, "{:.1f}")):
            cells.append(", ".join(form.format(told[name][figure]) if name in told else "-" for name in all_of_them))
            cells += ["" if goal is None else f"≤ {goal:,}", verdict(told["us"][figure], goal) if "us" in told else ""]
        yield "| " + " | ".join(cells) + " |"
    yield ""


def steady_lines(steady: Mapping[str, Any]) -> Iterator[str]:
    """Memory over many calls."""
    course = ", ".join(f"{value:.0f}" for value in steady["mib"])
    yield f"### Memory over {steady['calls']:,} mixed calls"
    yield ""
    yield f"MiB of the process tree after each tenth of them: {course} ({steady['refused']:,} were refused, as they should be)."
    growth, goal = steady["growth_mib"], rows.GROWTH_GOAL_MIB
    yield f"Growth from the first tenth to the end: {growth:.1f} MiB, goal at most {goal:g}: {verdict(max(0.0, growth), goal)}."
    yield ""


def failures(measured: Mapping[str, Mapping[str, Times]]) -> Iterator[str]:
    """Who could not do what."""
    for place, times in measured.items():
        for work, each in times.items():
            for name, why in each.failed.items():
                yield f"- {place}, {work}: {name} failed ({why})"


def _with_spread(times: Times, name: str) -> str:
    if name in times.failed:
        return "failed"
    spread = times.spread(name)
    beside = f" ({milliseconds(spread[0])} to {milliseconds(spread[1])})" if spread else ""
    return milliseconds(times.median(name)) + beside


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _verdict(value: float | None, goal: float | None) -> Verdict | str:
    return "" if value is None else verdict(value, goal)


def _beside(times: Times | None, *names: str) -> str:
    return "" if times is None else ", ".join(milliseconds(times.median(name)) for name in names)


def into_document(path: Path, lines: Sequence[str]) -> None:
    """Put the tables between the document's marks."""
    text = path.read_text(encoding="utf-8")
    begin = text.index("\n", text.index("<!-- speed:begin")) + 1
    end = text.index("<!-- speed:end -->")
    path.write_text(text[:begin] + "\n".join(lines) + "\n" + text[end:], encoding="utf-8")


def summary(lines: Sequence[str]) -> str:
    """How many figures stand how."""
    words = [cell.split()[-1].rstrip(".") for line in lines for cell in line.strip("| ").split("|") if cell.split()]
    return ", ".join(f"{words.count(word)} {word}" for word in ("met", "near", "missed"))
