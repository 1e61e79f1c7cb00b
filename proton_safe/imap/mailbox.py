"""An examined mailbox: its index, searches, rows, and the parts of one message. Reading only, and only what is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from proton_safe.imap import items, questions
from proton_safe.imap.connection import Scan, fetched, is_news
from proton_safe.imap.deadline import Deadline
from proton_safe.imap.grammar import Atom
from proton_safe.imap.index import FAST_ROW, ITEMS, FolderIndex, IndexEntry, entry, newest_first
from proton_safe.imap.responses import Kind
from proton_safe.imap.wire import KIB, MIB, Budget
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from proton_safe.call import Call
    from proton_safe.imap.connection import Connection, Examined
    from proton_safe.imap.grammar import Value
    from proton_safe.imap.items import MessageItems, RowItems
    from proton_safe.imap.mailboxes import MailboxName
    from proton_safe.imap.pool import Lease
    from proton_safe.imap.responses import Response
    from proton_safe.imap.search_keys import Criteria

MAX_HEADER_OCTETS: Final = 256 * KIB
MAX_SECTION_OCTETS: Final = 32 * MIB
# A folder of at most this many messages gets its whole index when the dates of some are needed.
_INDEX_AT_ONCE: Final = 2_000
_ROW: Final = b"(UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)"
_MESSAGE: Final = b"(UID FLAGS INTERNALDATE RFC822.SIZE BODYSTRUCTURE ENVELOPE)"
# What senders write without limit comes last, so that what is before it survives when the answer is cut.
_ROW_BUDGET: Final = Budget(line=512 * KIB, literal=64 * KIB, total=128 * MIB, cuts=True)
_MAX_INDEX_OCTETS: Final = 64 * MIB
_GIVE_UP_AFTER: Final = 3
_PART: Final = re.compile(r"(?:[1-9][0-9]{0,3}(?:\.[1-9][0-9]{0,3}){0,40}(?:\.(?:MIME|TEXT|HEADER))?|TEXT|HEADER)")

T = TypeVar("T")


class Mailbox:
    """One folder as one call sees it. Not to be used after its `with` block."""

    def __init__(self, lease: Lease, name: MailboxName, call: Call) -> None:
        self.name = name
        self._lease = lease
        self._call = call
        self._deadline = Deadline(call)

    @property
    def uid_validity(self) -> int:
        """UIDVALIDITY of the folder, 1 to 2**32-1."""
        return self._examined.uid_validity

    @property
    def exists(self) -> int:
        """How many messages the folder holds, as far as Bridge has told."""
        return self._examined.exists

    def index(self, *, unread_only: bool = False) -> tuple[IndexEntry, ...]:
        """Every message, or every unread one: uid, date received, flags; newest first. Costs one NOOP when it was built before."""
        index = self._do(self._up_to_date_index, renumbering=True)
        return index.unread() if unread_only else index.newest()

    def search(self, criteria: Criteria) -> tuple[int, ...]:
        """The uids that match, ascending, each once."""

        def ask(connection: Connection) -> tuple[int, ...]:
            self._take_news(connection)
            return questions.search(connection, criteria, exists=self._examined.exists, deadline=self._deadline)

        return self._do(ask, renumbering=True)

    def dated(self, uids: Collection[int]) -> tuple[IndexEntry, ...]:
        """Date and flags of these messages, newest first; vanished ones are left out. Uses the index where there is one."""
        wanted = frozenset(uids)
        if not wanted:
            return ()
        if self._examined.index is not None or self._examined.exists <= _INDEX_AT_ONCE or len(wanted) > _INDEX_AT_ONCE:
            return self._do(self._built_index).of(wanted)

        def ask(connection: Connection) -> tuple[IndexEntry, ...]:
            told = questions.fetch(connection, wanted, ITEMS, budget=Budget(), deadline=self._deadline)
            if not told.accepted:
                raise Refusal(Code.BRIDGE_REFUSED)
            return newest_first(entry(items.row(each)) for each in told.items.values())

        return self._do(ask)

    def rows(self, uids: Collection[int]) -> dict[int, RowItems]:
        """What a list shows of these messages, by uid, in one FETCH; vanished ones are left out.

        A message of which Bridge tells only some items is a row without the others. Bridge answers NO to the whole command when
        it can't serve one message (bridge-behaviour 3.5): the rest is then asked for one by one.
        """
        return self._do(lambda connection: self._rows(connection, tuple(uids))) if uids else {}

    def message(self, uid: int) -> MessageItems:
        """The items of one message, BODYSTRUCTURE among them. Raises `message-not-found`."""
        return items.message(self._one(uid, _MESSAGE, _ROW_BUDGET))

    def header(self, uid: int, max_octets: int = MAX_HEADER_OCTETS) -> bytes:
        """The first `max_octets` of the message's header block."""
        return self._peek(uid, "HEADER", 0, max_octets)

    def section(self, uid: int, part: str, start: int, length: int) -> bytes:
        """Octets `start` to `start + length` of one part, still in its transfer encoding; fewer at its end.

        `part` is an IMAP section (`1.2`, `1.MIME`, `TEXT`). Raises `bridge-refused` for a part that isn't there.
        """
        if not _PART.fullmatch(part) or start < 0 or not 0 < length <= MAX_SECTION_OCTETS:
            raise ValueError("no section of a message")
        return self._peek(uid, part, start, length)

    @property
    def _examined(self) -> Examined:
        return self._lease.examined

    def _do(self, question: Callable[[Connection], T], *, renumbering: bool = False) -> T:
        """Ask; if the connection is lost, once more on a new one. `renumbering`: another UIDVALIDITY is no matter."""
        try:
            return question(self._lease.connection)
        except Refusal as refusal:
            before = self.uid_validity
            self._lease.replace(refusal, self._call)
        self._lease.examine(self.name, self._call)
        if self.uid_validity != before and not renumbering:
            raise Refusal(Code.MAILBOX_CHANGED)
        return question(self._lease.connection)

    def _take_news(self, connection: Connection) -> None:
        if not self._lease.fresh:
            questions.noop(connection, self._deadline)
        self._lease.fresh = False

    def _up_to_date_index(self, connection: Connection) -> FolderIndex:
        self._take_news(connection)
        return self._built_index(connection)

    def _built_index(self, connection: Connection) -> FolderIndex:
        examined = self._examined
        index = examined.index
        if index is not None and not index.doubtful and index.unknown:
            left_out = index.left_out
            index.asked()
            self._fetch_index(connection, b"%d:*" % min(index.highest_uid + 1, 2**32 - 1), index)
            if index.left_out > left_out:
                index.doubtful = True
        if index is None or index.doubtful:
            index = examined.index = FolderIndex(examined.exists)
            if examined.exists:
                self._fetch_index(connection, b"1:*", index)
        return index

    def _fetch_index(self, connection: Connection, uid_set: bytes, index: FolderIndex) -> None:
        def take(response: Response) -> None:
            if response.word != b"FETCH" or response.kind is not Kind.DATA:
                return
            told = fetched(response)
            # News of a message that is known, or the last message, which other servers show for a range beyond it.
            if is_news(response) and (b"UID" not in told or self._knows(index, told)):
                return
            if uid_set != b"1:*" and self._knows(index, told):
                return
            index.put_row(response.number, items.row(told))

        budget = Budget(line=64 * KIB, total=min(_MAX_INDEX_OCTETS, MIB + 512 * self._examined.exists))
        scan = Scan(FAST_ROW, index.put_fast) if uid_set == b"1:*" else None
        try:
            completion = connection.run(self._deadline, b"UID FETCH ", uid_set, b" ", ITEMS, budget=budget, take=take, scan=scan)
        except BaseException:
            self._examined.index = None
            raise
        if not completion.accepted:
            self._examined.index = None
            raise Refusal(Code.BRIDGE_REFUSED)

    @staticmethod
    def _knows(index: FolderIndex, told: dict[bytes, Value]) -> bool:
        return index.knows(items.row(told).uid)

    def _rows(self, connection: Connection, uids: tuple[int, ...]) -> dict[int, RowItems]:
        told = questions.fetch(connection, uids, _ROW, budget=_ROW_BUDGET, deadline=self._deadline)
        rows = self._read_rows(told)
        if told.accepted:
            return rows
        refused = 0
        for uid in uids:
            if uid in rows or len(uids) == 1:
                continue
            single = questions.fetch(connection, (uid,), _ROW, budget=_ROW_BUDGET, deadline=self._deadline)
            rows.update(self._read_rows(single))
            if not single.accepted:
                rows.setdefault(uid, items.RowItems(uid))
                refused += 1
            if refused >= _GIVE_UP_AFTER and refused == len(rows):
                break
        if refused == len(rows):
            raise Refusal(Code.BRIDGE_REFUSED)
        return rows

    @staticmethod
    def _read_rows(told: questions.Fetched) -> dict[int, RowItems]:
        rows = {uid: items.row(each) for uid, each in told.items.items()}
        for uid, each in told.flags_only.items():
            rows.setdefault(uid, items.row(each))
        return rows

    def _one(self, uid: int, what: bytes, budget: Budget) -> dict[bytes, Value]:
        def ask(connection: Connection) -> dict[bytes, Value] | None:
            told = questions.fetch(connection, (uid,), what, budget=budget, deadline=self._deadline)
            if not told.accepted:
                raise Refusal(Code.BRIDGE_REFUSED)
            return told.items.get(uid) or told.flags_only.get(uid)

        found = self._do(ask)
        if found is None and not self._lease.fresh:
            # Another connection may have shown it while this one had not been told of it.
            self._do(self._take_news)
            found = self._do(ask)
        if found is None:
            raise Refusal(Code.MESSAGE_NOT_FOUND)
        return found

    def _peek(self, uid: int, part: str, start: int, length: int) -> bytes:
        name = part.encode("ascii")
        budget = Budget(line=64 * KIB, literal=length, total=length + MIB)
        told = self._one(uid, b"(UID BODY.PEEK[%s]<%d.%d>)" % (name, start, length), budget)
        octets = told.get(b"BODY[%s]<%d>" % (name, start), Atom())
        if isinstance(octets, (Atom, tuple)) or len(octets or b"") > length:
            self._lease.connection.usable = False
            raise Refusal(Code.BAD_RESPONSE)
        return octets or b""
