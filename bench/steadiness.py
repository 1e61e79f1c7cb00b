"""Memory over many mixed calls of one server: what the process tree holds after a tenth of them, and at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bench.conversation import Refused
from bench.mailbox import small

if TYPE_CHECKING:
    from pathlib import Path

    from bench.contenders import Contender
    from bench.conversation import Ask
    from bench.dovecot import Served

CALLS: Final = 10_000
MARKS: Final = 10
_RARELY: Final = 250


def asks(contender: Contender, served: Served, n: int) -> Ask:
    """The `n`th call: lists and reads for the most, now and then a search, a draft, a PDF, and calls that are refused."""
    words = contender.words
    if n % _RARELY == 0:
        return (words["PDF text"], words["draft"], words["search 20"])[n // _RARELY % 3](served, n)
    turn = n % 10
    if turn == 0:
        return "read_message", {"uid": "4000000000"}
    if turn == 1:
        return "list_messages", {"limit": 0}
    if turn == 2:
        return "list_folders", {}
    if turn in {3, 4}:
        return words["list 20"](served, n)
    if turn == 5:
        return words["list 100"](served, n) if n % 50 == 5 else words["status"](served, n)
    if turn == 6:
        return words["reply context"](served, n)
    if turn == 7:
        return "read_message", {"uid": str(1 + n * 37 % (served.count - 100))}
    return "read_message", {"uid": str(served.uids[small(n)])}


def over_many_calls(served: Served, contender: Contender, folder: Path, calls: int = CALLS) -> dict[str, Any]:
    """Resident memory of the tree, MiB, after each tenth of the calls, and how many of them were refused."""
    held: list[float] = []
    refused = 0
    with contender.start(served, folder) as talk:
        talk.open()
        for n in range(calls):
            try:
                talk.call(asks(contender, served, n))
            except Refused:
                refused += 1
            if (n + 1) % max(1, calls // MARKS) == 0:
                held.append(talk.memory_mib())
    return {"calls": calls, "refused": refused, "mib": held, "growth_mib": held[-1] - held[0]}
