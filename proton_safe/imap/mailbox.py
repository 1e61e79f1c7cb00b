"""An examined mailbox: its index, searches, rows, and the parts of one message. Reading only, and only what is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from proton_safe.imap import fast_rows, items, questions
from proton_safe.imap.connection import fetched, is_news
from proton_safe.imap.deadline import Deadline
from proton_safe.imap.grammar import Atom
from proton_safe.imap.index import ITEMS, FolderIndex, IndexEntry, entry, newest_first
from proton_safe.imap.responses import Kind
from proton_safe.imap.rows import ROW_BUDGET, Rows, fetch_rows, read_rows
from proton_safe.imap.wire import KIB, MIB, Budget
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

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
# So many messages are dated one by one; for more, the whole index is built.
_INDEX_AT_ONCE: Final = 2_000
# So few messages fit on one page: they are dated by their rows, which are then at hand.
_ROWS_AT_ONCE: Final = 100
# What senders write without limit comes last, so that what is before it survives when the answer is cut.
_MESSAGE: Final = b"(UID FLAGS INTERNALDATE RFC822.SIZE BODYSTRUCTURE ENVELOPE)"
_MESSAGE_WITH_HEADER: Final = b"(UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER]<0.%d> BODYSTRUCTURE ENVELOPE)"
_FIELD_NAME: Final = re.compile(r"[a-z-]{1,50}")
_MAX_INDEX_OCTETS: Final = 64 * MIB
_PART: Final = re.compile(r"(?:[1-9][0-9]{0,3}(?:\.[1-9][0-9]{0,3}){0,40}(?:\.(?:MIME|TEXT|HEADER))?|TEXT|HEADER)")

T = TypeVar("T")


class Mailbox:
    """One folder as one call sees it. Not to be used after its `with` block."""

    def __init__(self, lease: Lease, name: MailboxName, call: Call) -> None:
        self.name = name
        self._lease = lease
        self._call = call
        self._deadline = Deadline(call)
        self._known_rows: dict[int, RowItems] = {}
        self._uid_validity = lease.examined.uid_validity

    @property
    def uid_validity(self) -> int:
        """UIDVALIDITY of the folder, 1 to 2**32-1; the last that was told, when opening it again has failed."""
        examined = self._lease.connection.examined
        if examined is not None:
            self._uid_validity = examined.uid_validity
        return self._uid_validity

    @property
    def exists(self) -> int:
        """How many messages the folder holds, as far as Bridge has told."""
        return self._examined.exists

    def index(self, *, unread_only: bool = False) -> tuple[IndexEntry, ...]:
        """Every message, or every unread one: uid, date received, flags; newest first. Costs one NOOP when it was built before."""
        index = self._do(self._up_to_date_index, renumbering=True)
        return index.unread() if unread_only else index.newest()

    def search(self, criteria: Criteria, deadline: Deadline | None = None) -> tuple[int, ...]:
        """The uids that match, ascending, each once. `deadline`: how long Bridge may search, when that is less than the call."""

        def ask(connection: Connection) -> tuple[int, ...]:
            self._take_news(connection)
            return questions.search(connection, criteria, exists=self._examined.exists, deadline=deadline or self._deadline)

        return self._do(ask, renumbering=True)

    def dated(self, uids: Collection[int]) -> tuple[IndexEntry, ...]:
        """Date and flags of these messages, newest first; vanished ones are left out. Uses the index where there is one."""
        wanted = frozenset(uids)
        if not wanted:
            return ()
        if self._examined.index is not None or len(wanted) > _INDEX_AT_ONCE:
            return self._do(self._same_index).of(wanted)

        def ask(connection: Connection) -> tuple[IndexEntry, ...]:
            if len(wanted) <= _ROWS_AT_ONCE:
                told = questions.fetch(connection, uids=wanted, what=fast_rows.ITEMS, budget=ROW_BUDGET, deadline=self._deadline)
                if told.accepted:
                    self._known_rows = read_rows(told)
                    return newest_first(entry(row) for row in self._known_rows.values())
            told = questions.fetch(connection, uids=wanted, what=ITEMS, budget=Budget(), deadline=self._deadline)
            if not told.accepted:
                raise Refusal(Code.BRIDGE_REFUSED)
            return newest_first(entry(items.row(each)) for each in told.items.values())

        return self._do(ask)

    def rows(self, uids: Collection[int]) -> dict[int, RowItems]:
        """What a list shows of these messages, by uid, in one FETCH; vanished ones are left out.

        A message of which Bridge tells only some items is a row without the others. Bridge answers NO to the whole command when
        it can't serve one message (bridge-behaviour 3.5): the rest is then asked for one by one.
        """
        return self._some_rows(uids, partly=False).by_uid

    def rows_in_time(self, uids: Collection[int]) -> Rows:
        """The same, but at the deadline what came until then."""
        return self._some_rows(uids, partly=True)

    def _some_rows(self, uids: Collection[int], *, partly: bool) -> Rows:
        if all(uid in self._known_rows for uid in uids):
            return Rows({uid: self._known_rows[uid] for uid in uids})
        return self._do(lambda connection: fetch_rows(connection, tuple(uids), self._deadline, partly=partly))

    def message(self, uid: int) -> MessageItems:
        """The items of one message, BODYSTRUCTURE among them. Raises `message-not-found`."""
        return items.message(self._one(uid, _MESSAGE, ROW_BUDGET))

    def message_with_header(self, uid: int, max_octets: int = MAX_HEADER_OCTETS) -> tuple[MessageItems, bytes]:
        """What `message` and `header` say, in one question. Raises `message-not-found`."""
        # A structure may be ten times as long as its mail (attack catalogue, mime/parts-4m); what is cut is thrown away as it comes.
        budget = Budget(line=512 * KIB, literal=max_octets, total=512 * MIB, cuts=True)
        told = self._one(uid, _MESSAGE_WITH_HEADER % max_octets, budget)
        block = told.get(b"BODY[HEADER]<0>")
        if isinstance(block, (Atom, tuple)) or block is None:
            block = self.header(uid, max_octets)  # too long, cut off, or not there: asked alone, it has an answer of its own
        return items.message(told), block

    def header(self, uid: int, max_octets: int = MAX_HEADER_OCTETS) -> bytes:
        """The first `max_octets` of the header block; of a mail that is all an attached message, that one's (bridge-behaviour 3.5)."""
        return self._peek(uid, "HEADER", 0, max_octets)

    def beginning(self, uid: int, max_octets: int) -> bytes:
        """The first `max_octets` of the message as it stands."""
        return self._peek(uid, "", 0, max_octets)

    def fields(self, uid: int, names: Sequence[str], max_octets: int) -> bytes:
        """Those fields of the header that have one of these names (RFC 5322 3.6.8), in the message's order: the first `max_octets`."""
        if not all(_FIELD_NAME.fullmatch(name) for name in names):
            raise ValueError("no field name")
        return self._peek(uid, f"HEADER.FIELDS ({' '.join(names).upper()})", 0, max_octets)

    def structure(self, uid: int) -> tuple[Value, ...] | None:
        """BODYSTRUCTURE asked for alone; None where Bridge has none that can be read."""
        return items.message(self._one(uid, b"(UID BODYSTRUCTURE)", ROW_BUDGET)).structure

    def section(self, uid: int, part: str, start: int, length: int) -> bytes:
        """Octets `start` to `start + length` of one part, still in its transfer encoding; fewer at its end.

        `part` is an IMAP section (`1.2`, `1.MIME`, `TEXT`). Raises `bridge-refused` for a part that isn't there.
        """
        if not _PART.fullmatch(part) or start < 0 or not 0 < length <= MAX_SECTION_OCTETS:
            raise ValueError("no section of a message")
        return self._peek(uid, part, start, length)

    def sections(self, uid: int, wanted: Mapping[str, int]) -> dict[str, bytes]:
        """The beginnings of several sections, each with the most octets that are wanted of it, in one question.

        A section that isn't there is left out: Bridge answers NO to the whole command then, and each is asked for alone.
        """
        for part, length in wanted.items():
            if not _PART.fullmatch(part) or not 0 < length <= MAX_SECTION_OCTETS:
                raise ValueError("no section of a message")
        found: dict[str, bytes] = {}
        if len(wanted) > 1:
            told = self._peek_all(uid, wanted)
            if told is not None:
                return told
        for part, length in wanted.items():
            told = self._peek_all(uid, {part: length})
            found.update(told or {})
        return found

    @property
    def _examined(self) -> Examined:
        return self._lease.examined

    def _do(self, question: Callable[[Connection], T], *, renumbering: bool = False) -> T:
        """Ask; if the connection is lost, once more on a new one. `renumbering`: another UIDVALIDITY is no matter."""
        before = self.uid_validity
        try:
            return question(self._lease.connection)
        except Refusal as refusal:
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

    def _same_index(self, connection: Connection) -> FolderIndex:
        """The index, for uids that were told before: they must not be of another numbering."""
        before = self.uid_validity
        index = self._built_index(connection)
        if self.uid_validity != before:
            raise Refusal(Code.MAILBOX_CHANGED)
        return index

    def _built_index(self, connection: Connection) -> FolderIndex:
        index = self._examined.index
        if index is not None and index.unknown and not self._is_doubtful():
            left_out = index.left_out
            index.asked()
            self._fetch_index(connection, b"%d:*" % min(index.highest_uid + 1, 2**32 - 1), index)
            if index.left_out > left_out:
                index.doubtful = True
        if self._is_doubtful():
            self._examine_again(connection)
            index = None
        if index is None:
            examined = self._examined
            index = examined.index = FolderIndex(examined.exists)
            if examined.exists:
                self._fetch_index(connection, b"1:*", index)
                self._expect_messages(connection, index)
        return index

    def _expect_messages(self, connection: Connection, index: FolderIndex) -> None:
        """A folder of which no message was described is empty only if their EXPUNGEs say so, which a FETCH may not bring."""
        if index.highest_uid:
            return
        questions.noop(connection, self._deadline)
        if self._examined.exists:
            connection.usable = False
            raise Refusal(Code.BAD_RESPONSE)

    def _is_doubtful(self) -> bool:
        """Whether news did not fit: then neither the index nor the count of messages is believed."""
        examined = self._examined
        return examined.doubtful or (examined.index is not None and examined.index.doubtful)

    def _examine_again(self, connection: Connection) -> None:
        """Open the folder anew, for a count that can be believed. The caller looks at UIDVALIDITY."""
        connection.examined = None
        self._lease.examine(self.name, self._call)

    def _fetch_index(self, connection: Connection, uid_set: bytes, index: FolderIndex) -> None:
        def take(response: Response) -> None:
            if response.word != b"FETCH" or response.kind is not Kind.DATA:
                return
            told = fetched(response)
            # News of a message that is known, or the last message, which other servers show for a range beyond it.
            if is_news(response) and (b"UID" not in told or self._knows(index, told)):
                return
            if uid_set != b"1:*" and self._knows(index, told):
                index.stands(response.number, items.row(told).uid)
                return
            index.put_row(response.number, items.row(told))

        exists = self._examined.exists
        budget = Budget(line=64 * KIB, total=min(_MAX_INDEX_OCTETS, MIB + 512 * exists), responses=Budget().responses + exists)
        fast = index.read_fast if uid_set == b"1:*" else None
        try:
            completion = connection.run(self._deadline, b"UID FETCH ", uid_set, b" ", ITEMS, budget=budget, take=take, fast=fast)
        except BaseException:
            self._examined.index = None
            raise
        if not completion.accepted:
            self._examined.index = None
            raise Refusal(Code.BRIDGE_REFUSED)

    @staticmethod
    def _knows(index: FolderIndex, told: dict[bytes, Value]) -> bool:
        return index.knows(items.row(told).uid)

    def _one(self, uid: int, what: bytes, budget: Budget) -> dict[bytes, Value]:
        def ask(connection: Connection) -> dict[bytes, Value] | None:
            told = questions.fetch(connection, uids=(uid,), what=what, budget=budget, deadline=self._deadline)
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

    def _peek_all(self, uid: int, wanted: Mapping[str, int]) -> dict[str, bytes] | None:
        """The sections in one question; None when Bridge refuses it."""
        names = {part: part.encode("ascii") for part in wanted}
        what = b" ".join(b"BODY.PEEK[%s]<0.%d>" % (name, wanted[part]) for part, name in names.items())
        budget = Budget(line=64 * KIB, literal=max(wanted.values()), total=sum(wanted.values()) + MIB)
        try:
            told = self._one(uid, b"(UID %s)" % what, budget)
        except Refusal as refusal:
            if refusal.code is Code.BRIDGE_REFUSED and self._lease.connection.usable:
                return None
            raise
        return {part: self._octets(told, b"BODY[%s]<0>" % name, wanted[part]) for part, name in names.items()}

    def _peek(self, uid: int, part: str, start: int, length: int) -> bytes:
        name = part.encode("ascii")
        budget = Budget(line=64 * KIB, literal=length, total=length + MIB)
        told = self._one(uid, b"(UID BODY.PEEK[%s]<%d.%d>)" % (name, start, length), budget)
        return self._octets(told, b"BODY[%s]<%d>" % (name, start), length)

    def _octets(self, told: dict[bytes, Value], name: bytes, at_most: int) -> bytes:
        """A section that was asked for. Raises `bad-response` when it isn't there, under this origin, or is longer."""
        octets = told.get(name, Atom())
        if isinstance(octets, (Atom, tuple)) or len(octets or b"") > at_most:
            self._lease.connection.usable = False
            raise Refusal(Code.BAD_RESPONSE)
        return octets or b""
