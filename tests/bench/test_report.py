"""The tables of docs/speed.md hold a column for whoever took part, and none for others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bench import report
from bench.measuring import Times

if TYPE_CHECKING:
    from collections.abc import Sequence

US = {"floor": [0.001, 0.001], "us": [0.002, 0.002], "us quiet": [0.002, 0.002], "us busy": [0.003, 0.003]}


def _found(peers: Sequence[str]) -> dict[str, Any]:
    """A run with three rows at one size, in which these peers took part."""
    told = {"turns": 2, "octets": 100, "more_memory_mib": 0.1}
    times = {work: Times(samples={**US, **{name: [0.02, 0.02] for name in peers}}) for work in ("status", "list 20")}
    times["small read during a PDF"] = Times(samples={**US, **{f"{name} busy": [0.03, 0.03] for name in peers}})
    return {
        "latency": {"dovecot 1000": times, "fakebridge 1000": {}},
        "socket": {"1000": {"list 20": dict.fromkeys(("us", *peers), told)}},
    }


def _tables(peers: Sequence[str]) -> list[str]:
    found = _found(peers)
    there = report.peers_of(found)
    return [
        *report.latency_table(1000, found["latency"]["dovecot 1000"], {}, there),
        *report.socket_lines(1000, found["socket"]["1000"], there),
    ]


@pytest.mark.parametrize("peers", [(), ("A",), ("B",), ("A", "B")], ids=lambda peers: "+".join(peers) or "nobody")
def test_a_peer_that_is_not_installed_has_no_column(peers: tuple[str, ...]) -> None:
    """Rows have as many cells as their head, and name exactly those who took part."""
    lines = _tables(peers)
    head = next(line for line in lines if line.startswith("| what "))
    rows = [line for line in lines if line.startswith(("| status ", "| list 20 | 1", "| small read "))]
    assert [name for name in report.PEERS if f"| {name} slower |" in head] == list(peers)
    assert {line.count("|") for line in rows[:3]} == {head.count("|")}
    assert f"| round trips: {', '.join(('us', *peers))} |" in "\n".join(lines)


def test_a_peer_that_failed_at_everything_keeps_its_column() -> None:
    """What it could not do is told, not left out."""
    found = _found(())
    found["latency"]["dovecot 1000"]["status"].failed["B"] = "no answer"
    assert report.peers_of(found) == ("B",)


def test_a_peer_that_only_started_is_told_in_the_columns() -> None:
    """Start-up alone is taking part."""
    assert report.peers_of({**_found(()), "start": {"floor": {}, "us": {}, "A": {}, "idle_s": 0.0}}) == ("A",)
