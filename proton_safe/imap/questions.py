"""The read-only commands on an authenticated connection, each a function from its arguments to typed values.

EXAMINE, NOOP, LIST, STATUS, UID SEARCH and UID FETCH with PEEK; there is no SELECT here and no FETCH that marks a mail as read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from proton_safe.imap import fast_rows, items, mailboxes
from proton_safe.imap.connection import MAX_MESSAGES, VALIDITY, Examined, fetched, is_news
from proton_safe.imap.grammar import Atom, BadSyntax, number
from proton_safe.imap.responses import Kind
from proton_safe.imap.search_keys import string
from proton_safe.imap.wire import KIB, MIB, Budget
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Collection

    from proton_safe.imap.connection import Connection
    from proton_safe.imap.deadline import Deadline
    from proton_safe.imap.grammar import Value
    from proton_safe.imap.items import RowItems
    from proton_safe.imap.mailboxes import Mailboxes, MailboxName
    from proton_safe.imap.responses import Response
    from proton_safe.imap.search_keys import Criteria

_MAX_SEARCH_LINE: Final = 16 * MIB
# Messages that may have come since EXISTS was told.
_NEWER: Final = 1_000
_SHORT: Final = Budget(line=64 * KIB, literal=0, total=1 * MIB)


@dataclass(frozen=True, slots=True)
class Fetched:
    """The FETCH answers about the messages that were asked for, by uid, and flags that were told beside them.

    `rows`: list rows, when those were asked for; they are not among `items`.
    `accepted`: Bridge said OK at the end. `complete`: it came to an end before the deadline.
    """

    accepted: bool
    items: dict[int, dict[bytes, Value]]
    flags_only: dict[int, dict[bytes, Value]]
    rows: dict[int, RowItems] = field(default_factory=dict)
    complete: bool = True


def noop(connection: Connection, deadline: Deadline) -> None:
    """Take in the news."""
    connection.run(deadline, b"NOOP")


def logout(connection: Connection, deadline: Deadline) -> None:
    """Say good-bye; the connection is of no use afterwards."""
    connection.usable = False
    connection.wire.send(b"bye LOGOUT\r\n", deadline)


def hang_up(connection: Connection, deadline: Deadline) -> None:
    """Wait for the close of a peer that was told good-bye."""
    connection.wire.drain(deadline)


def list_mailboxes(connection: Connection, deadline: Deadline) -> Mailboxes:
    """All mailboxes. Raises `bridge-refused`."""
    rows: list[tuple[Value, ...]] = []

    def take(response: Response) -> None:
        if response.word == b"LIST":
            rows.append(response.values)

    if not connection.run(deadline, b'LIST "" "*"', take=take).accepted:
        raise Refusal(Code.BRIDGE_REFUSED)
    return mailboxes.read(rows)


def status(connection: Connection, deadline: Deadline, *, raw_name: str) -> dict[bytes, int]:
    """MESSAGES and UNSEEN of a mailbox, as far as Bridge says them; what it says of another one doesn't count.

    Raises `bridge-refused`, `bad-response`.
    """
    wanted = raw_name.encode("ascii")
    found: dict[bytes, int] = {}

    def take(response: Response) -> None:
        if response.word != b"STATUS" or len(response.values) != 2 or found or not _is_named(response.values[0], wanted):
            return
        for name, value in items.pairs(response.values[1]).items():
            found[name] = number(value)

    if not connection.run(deadline, b"STATUS ", string(wanted), b" (MESSAGES UNSEEN)", budget=_SHORT, take=take).accepted:
        raise Refusal(Code.BRIDGE_REFUSED)
    return found


def _is_named(value: Value, wanted: bytes) -> bool:
    """Whether a response names the mailbox that was asked for; INBOX has no letter case (RFC 3501 5.1)."""
    return isinstance(value, bytes) and (value == wanted or wanted == value.upper() == b"INBOX")


def examine(connection: Connection, mailbox: MailboxName, deadline: Deadline) -> Examined | None:
    """Open a mailbox for reading; None when Bridge says no. Raises `bad-response` without a usable EXISTS and UIDVALIDITY."""
    connection.examined = None  # after a NO the old folder may be open or not (bridge-behaviour 3.1): it counts as closed
    exists: list[int] = []
    validity: list[int] = []

    def take(response: Response) -> None:
        if response.word == b"EXISTS" and response.kind is Kind.DATA:
            exists.append(response.number)
        elif response.kind is Kind.STATUS:
            told = VALIDITY.fullmatch(response.code)
            if told:
                validity.append(number(Atom(told[1]), lowest=1))

    completion = connection.run(deadline, b"EXAMINE ", string(mailbox.raw_name.encode("ascii")), budget=_SHORT, take=take)
    if not completion.accepted:
        return None
    if len(set(validity)) != 1 or not exists or exists[-1] > MAX_MESSAGES:
        connection.usable = False
        raise Refusal(Code.BAD_RESPONSE)
    connection.examined = Examined(mailbox, validity[0], exists[-1])
    return connection.examined


def search(connection: Connection, criteria: Criteria, *, exists: int, deadline: Deadline) -> tuple[int, ...]:
    """The uids that match, ascending, each once. Raises `bridge-refused`, and `bad-response` when OK came without a result."""
    found: set[int] = set()
    answered: list[int] = []

    def take(response: Response) -> None:
        if response.word == b"SEARCH" and response.kind is Kind.DATA:
            answered.append(len(response.values))
            if sum(answered) > exists + _NEWER:
                raise BadSyntax  # more hits than there are messages
            found.update(number(value, lowest=1) for value in response.values)

    budget = Budget(line=min(_MAX_SEARCH_LINE, MIB + 11 * exists), literal=0, total=2 * _MAX_SEARCH_LINE)
    if not connection.run(deadline, b"UID SEARCH ", *criteria, budget=budget, take=take).accepted:
        raise Refusal(Code.BRIDGE_REFUSED)
    if not answered:
        connection.usable = False
        raise Refusal(Code.BAD_RESPONSE)
    return tuple(sorted(found))


class _Answers:
    """What comes in for one FETCH."""

    def __init__(self, connection: Connection, asked: frozenset[int], *, of_rows: bool) -> None:
        self.asked = asked
        self._of_rows = of_rows
        self.found = Fetched(accepted=True, items={}, flags_only={})
        self._connection = connection

    def take(self, response: Response) -> None:
        """A response that the grammar has read."""
        if response.word != b"FETCH" or response.kind is not Kind.DATA:
            return
        told = fetched(response)
        if is_news(response):
            uid = number(told[b"UID"], lowest=1) if b"UID" in told else 0
            if uid in self.asked:
                self.found.flags_only[uid] = told
            return
        uid = number(told.get(b"UID"), lowest=1)
        self._check(uid)
        if self._of_rows:
            self.found.rows[uid] = items.row(told)  # at once: as values, a page of rows may take a hundred times their limits
        else:
            self.found.items[uid] = told
        self._reflag(response.number, uid, items.flags(told.get(b"FLAGS")))

    def fast(self, block: bytes, at: int) -> int:
        """A list row in the usual form (`connection.Fast`)."""
        read = fast_rows.read(block, at)
        if read is None:
            return at
        end, sequence, row = read
        self._check(row.uid)
        self.found.rows[row.uid] = row
        self._reflag(sequence, row.uid, row.flags)
        return end

    def _check(self, uid: int) -> None:
        if uid not in self.asked or uid in self.found.items or uid in self.found.rows:
            raise BadSyntax

    def _reflag(self, sequence: int, uid: int, flags: frozenset[str] | None) -> None:
        """At once, so that news of the same message that comes later in this answer is not undone."""
        examined = self._connection.examined
        if examined is not None and examined.index is not None and flags is not None:
            examined.index.reflag(sequence, flags, uid=uid)


def fetch(
    connection: Connection, *, uids: Collection[int], what: bytes, budget: Budget, deadline: Deadline, partly: bool = False
) -> Fetched:
    """UID FETCH. An answer about another message, or a second one about the same, is `bad-response`, whatever order they come in.

    `partly`: at the deadline, what came until then is the answer.
    """
    of_rows = what == fast_rows.ITEMS
    answers = _Answers(connection, frozenset(uids), of_rows=of_rows)
    uid_set = b",".join(b"%d" % uid for uid in sorted(answers.asked))
    fast = answers.fast if of_rows else None
    try:
        completion = connection.run(deadline, b"UID FETCH ", uid_set, b" ", what, budget=budget, take=answers.take, fast=fast)
    except Refusal as refusal:
        if refusal.code is Code.DEADLINE and partly:
            return replace(answers.found, complete=False)
        raise
    return answers.found if completion.accepted else replace(answers.found, accepted=False)
