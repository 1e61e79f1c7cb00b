"""Faults known from other mail servers for MCP: what each was, and which tests show its absence where no case can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import Field

from conformance.model import Case, Closed

_FILE: Final = Path(__file__).with_name("peer_faults.json")


class PeerFault(Closed):
    """What the fault was, in a few words, and the tests (`path::name`) that show it absent besides the cases."""

    about: str = Field(min_length=10)
    tests: list[str] = Field(default=[])


class _Table(Closed):
    about: str
    faults: dict[str, PeerFault]


@cache
def peer_faults() -> dict[str, PeerFault]:
    """Id → fault."""
    return _Table.from_file(_FILE).faults


def unshown(cases: Sequence[Case]) -> Iterator[str]:
    """Each fault that neither a case nor a test names."""
    shown = {fault for case in cases for fault in case.peer_faults}
    yield from (
        f"nothing shows the absence of the peer fault {name}" for name, row in peer_faults().items() if not row.tests and name not in shown
    )
