"""Pages of messages: what `list_messages` and `search_messages` have in common once they know which messages are meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.imap import cursor as cursors
from proton_safe.imap.index import FLAGGED, SEEN, utc
from proton_safe.imap.items import RowItems
from proton_safe.imap.mailboxes import Role
from proton_safe.mime import addresses, dates, message_ids, words
from proton_safe.mime.defects import merged
from proton_safe.provenance import Origin, Sighting
from proton_safe.tools import row_doubts
from proton_safe.tools.rows import MAX_ROW_ADDRESSES, AddressRow, MessageRow
from proton_safe.untrusted.leave import octets_left
from proton_safe.untrusted.window import MAX_ANSWER_OCTETS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from proton_safe.engine import Engine
    from proton_safe.imap.index import IndexEntry
    from proton_safe.imap.items import EnvelopeAddress
    from proton_safe.imap.mailbox import Mailbox
    from proton_safe.mime.addresses import AddressList
    from proton_safe.mime.defects import Defect

# Rows leave twice, as structured content and as text, in an answer of at most 1 MiB; names and counts around them are small.
MAX_PAGE_OCTETS: Final = MAX_ANSWER_OCTETS - 32_768
# What a row's field names, figures and warnings take at most, what those of an address take, what one character takes: twice, and once an
# escape such as `\u{202e}` with its backslash doubled and doubled again.
_FRAME_OCTETS: Final = 3_300
_ADDRESS_OCTETS: Final = 60
_CHARACTER_OCTETS: Final = 20


@dataclass(frozen=True, slots=True)
class Question:
    """What a page answers: which tool, and the arguments besides folder, limit and cursor, as one text. `partly`: in time, if not whole."""

    tool: str
    text: str
    cursor: str | None
    limit: int
    partly: bool = False


@dataclass(frozen=True, slots=True)
class Slice:
    """The rows of a page, where the next one begins, and how many messages vanished. `complete`: no row ran out of time."""

    rows: list[MessageRow]
    next_cursor: str | None
    skipped: int
    complete: bool


def page(engine: Engine, mailbox: Mailbox, entries: Sequence[IndexEntry], question: Question) -> Slice:
    """What of `entries` (newest first) the question asks for.

    Its rows come from one FETCH. It ends early, with a `next_cursor`, when the answer would grow too large. Raises what
    `cursor.read` and `Mailbox.rows` raise.
    """
    begin = _begin(mailbox, entries, question)
    chosen = entries[begin : begin + question.limit]
    items, complete = _items(mailbox, chosen, partly=question.partly)
    rows: list[MessageRow] = []
    skipped = octets = done = 0
    measure: Callable[[MessageRow], int] = _octets_at_most
    for entry in chosen:
        if entry.uid in items:
            row = message_row(items[entry.uid], mailbox.uid_validity, entry)
            octets += measure(row)
            if octets > MAX_PAGE_OCTETS and measure is _octets_at_most:
                measure, octets = octets_left, sum(map(octets_left, (*rows, row)))
            if octets > MAX_PAGE_OCTETS and rows:
                break
            rows.append(row)
        else:
            skipped += 1
        done += 1
    _remember(engine, mailbox, rows)
    more = done > 0 and begin + done < len(entries)
    return Slice(rows, _cursor_behind(mailbox, question, chosen[done - 1]) if more else None, skipped, complete)


def _octets_at_most(row: MessageRow) -> int:
    """No less than `octets_left` of this row, found without encoding it; nearly all pages end before it matters."""
    addresses = (*row.from_, *row.to)
    text = "".join([row.subject, row.date, row.message_id, *(each.name for each in addresses), *(each.address for each in addresses)])
    escapes = text.count('"') + text.count("\\")
    octets = 2 * len(text) + 4 * escapes if text.isascii() else _CHARACTER_OCTETS * len(text)
    return _FRAME_OCTETS + _ADDRESS_OCTETS * len(addresses) + octets


def _items(mailbox: Mailbox, chosen: Sequence[IndexEntry], *, partly: bool) -> tuple[dict[int, RowItems], bool]:
    """The rows' items by uid, and whether they are all there. What ran out of time is known by its uid, date and flags alone."""
    uids = [entry.uid for entry in chosen]
    if not partly:
        return mailbox.rows(uids), True
    told = mailbox.rows_in_time(uids)
    late = {} if told.complete else {uid: RowItems(uid) for uid in uids}
    return late | told.by_uid, told.complete


def message_row(items: RowItems, uid_validity: int, entry: IndexEntry) -> MessageRow:
    """One row, of what Bridge told; what it left out is taken from the folder's index, and named in `parse_warnings`."""
    told = _TOLD.get(items.spelling) or _told(items)
    flags = entry.flags if items.flags is None else items.flags
    received = items.received or utc(entry)
    missing: tuple[Defect, ...] = ("item-missing",) if items.incomplete else ()
    return MessageRow(
        uid=str(items.uid),
        uid_validity=uid_validity,
        from_=told.from_,
        to=told.to,
        to_count=told.to_count,
        subject=told.subject,
        date=told.date,
        date_iso=told.date_iso,
        received=received.isoformat(timespec="seconds").replace("+00:00", "Z") if received else "",
        message_id=told.message_id,
        unread=SEEN not in flags,
        starred=FLAGGED in flags,
        size_bytes=items.size,
        parse_warnings=list(merged(told.warnings, missing)),
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What a row shows of an envelope."""

    from_: list[AddressRow]
    to: list[AddressRow]
    to_count: int
    subject: str
    date: str
    date_iso: str | None
    message_id: str
    warnings: tuple[Defect, ...]


# Lists are asked for again and again: what an envelope says is worked out once for each spelling of it. 1,000 of at most 4 KiB.
_TOLD: Final[dict[bytes, _Told]] = {}
_MAX_TOLD: Final = 1_000


def _told(items: RowItems) -> _Told:
    envelope = items.envelope
    from_ = address_list(envelope.from_ if envelope else ())
    to = address_list(envelope.to if envelope else ())
    subject = words.decode(envelope.subject if envelope else b"")
    date = dates.parse(envelope.date if envelope else b"")
    message_id = message_ids.shown(envelope.message_id if envelope else b"")
    damaged: tuple[Defect, ...] = ("address-unreadable",) if envelope and envelope.damaged else ()
    doubtful = row_doubts.doubts(envelope, from_, to) if envelope else ()
    # RFC 5322 3.6 wants Date and From in every message.
    empty: tuple[Defect, ...] = ("header-damaged",) if envelope and not (envelope.date or envelope.from_ or envelope.subject) else ()
    told = _Told(
        address_rows(from_),
        address_rows(to),
        to.count,
        subject.text,
        date.text,
        date.iso,
        message_id.text,
        merged(from_.warnings, to.warnings, subject.warnings, date.warnings, message_id.warnings, damaged, empty, doubtful),
    )
    if items.spelling:
        if len(_TOLD) >= _MAX_TOLD:
            _TOLD.clear()
        _TOLD[items.spelling] = told
    return told


def address_list(entries: Sequence[EnvelopeAddress]) -> AddressList:
    """The addresses of an ENVELOPE list."""
    return addresses.from_envelopes((entry.name, entry.mailbox, entry.host) for entry in entries)


def address_rows(found: AddressList) -> list[AddressRow]:
    """The first 20 of them as they are shown."""
    return [AddressRow(name=each.name, address=each.address) for each in found.addresses[:MAX_ROW_ADDRESSES]]


def _begin(mailbox: Mailbox, entries: Sequence[IndexEntry], question: Question) -> int:
    """The place of the page's first entry."""
    if question.cursor is None:
        return 0
    position = cursors.read(
        question.cursor,
        tool=question.tool,
        raw_name=mailbox.name.raw_name,
        question=question.text,
        uid_validity=mailbox.uid_validity,
    )
    return position.place_in(entries)


def _cursor_behind(mailbox: Mailbox, question: Question, last: IndexEntry) -> str:
    return cursors.write(
        tool=question.tool, raw_name=mailbox.name.raw_name, question=question.text, uid_validity=mailbox.uid_validity, last=last
    )


def _remember(engine: Engine, mailbox: Mailbox, rows: Sequence[MessageRow]) -> None:
    """What was shown: the uids under this validity, and whose addresses they brought."""
    engine.references.show(mailbox.name.raw_name, mailbox.uid_validity, (int(row.uid) for row in rows))
    origin = Origin.SENT if mailbox.name.role is Role.SENT else Origin.HEADER
    for row in rows:
        sighting = Sighting(origin, folder=mailbox.name.name, uid=int(row.uid))
        for each in (*row.from_, *row.to):
            if each.address:
                engine.provenance.shown(each.address, sighting)
