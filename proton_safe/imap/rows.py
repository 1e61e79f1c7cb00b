"""What a list shows of messages, asked for in one FETCH, and one by one where Bridge refuses that (bridge-behaviour 3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.imap import items, questions
from proton_safe.imap.fast_rows import ITEMS
from proton_safe.imap.wire import KIB, MIB, Budget
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from proton_safe.imap.connection import Connection
    from proton_safe.imap.deadline import Deadline
    from proton_safe.imap.items import RowItems

ROW_BUDGET: Final = Budget(line=512 * KIB, literal=64 * KIB, total=128 * MIB, cuts=True)
"""What senders write without limit is cut, and read as far as it came."""
_GIVE_UP_AFTER: Final = 3


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows by uid. `complete`: all that were asked for, as far as they are still there; else the deadline came first."""

    by_uid: dict[int, RowItems]
    complete: bool = True


def fetch_rows(connection: Connection, uids: tuple[int, ...], deadline: Deadline, *, partly: bool) -> Rows:
    """The rows of these messages; vanished ones are left out. `partly`: at the deadline, what came until then.

    Raises `bridge-refused` when Bridge serves none of them (`Mailbox.rows`).
    """
    told = questions.fetch(connection, uids=uids, what=ITEMS, budget=ROW_BUDGET, deadline=deadline, partly=partly)
    rows = read_rows(told)
    if told.accepted:
        return Rows(rows, told.complete)
    refused = 0
    for uid in uids:
        if uid in rows or len(uids) == 1:
            continue
        single = questions.fetch(connection, uids=(uid,), what=ITEMS, budget=ROW_BUDGET, deadline=deadline, partly=partly)
        rows.update(read_rows(single))
        if not single.complete:
            return Rows(rows, complete=False)
        if not single.accepted:
            rows.setdefault(uid, items.RowItems(uid))
            refused += 1
        if refused >= _GIVE_UP_AFTER and refused == len(rows):
            break
    if refused == len(rows):
        raise Refusal(Code.BRIDGE_REFUSED)
    return Rows(rows)


def read_rows(told: questions.Fetched) -> dict[int, RowItems]:
    """The rows of an answer by uid; a message of which only flags were told is a row of these."""
    rows = dict(told.rows)
    for uid, each in told.flags_only.items():
        rows.setdefault(uid, items.row(each))
    return rows
