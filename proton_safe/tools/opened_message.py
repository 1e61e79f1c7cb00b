"""One message as the two reading tools open it: its items and its header block in one question, its texts in another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from proton_safe.extract.extractor import Allotment
from proton_safe.extract.frames import Task
from proton_safe.imap.mailboxes import Role
from proton_safe.mime import addresses, calendar, charsets, headers, own_split, structure, words
from proton_safe.mime import body as bodies
from proton_safe.mime.defects import MAX_FIELD_OCTETS, merged
from proton_safe.mime.html_cost import LIGHT_STEPS, is_light
from proton_safe.mime.html_text import HtmlText, html_text, received
from proton_safe.mime.mentions import mentioned
from proton_safe.provenance import Origin, Sighting
from proton_safe.refusals import Code, Refusal
from proton_safe.tools import message_header
from proton_safe.tools.message_rows import address_list
from proton_safe.tools.message_texts import fetch_texts, outer, reread, settled, taken_apart
from proton_safe.untrusted.clean import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from proton_safe.call import Call
    from proton_safe.engine import Engine
    from proton_safe.imap.items import Envelope, EnvelopeAddress, MessageItems
    from proton_safe.imap.mailbox import Mailbox
    from proton_safe.imap.mailboxes import MailboxName
    from proton_safe.mime.addresses import AddressList, MailAddress
    from proton_safe.mime.body import Source
    from proton_safe.mime.charsets import Decoded
    from proton_safe.mime.defects import Defect
    from proton_safe.mime.headers import Headers
    from proton_safe.mime.long_text import LongText
    from proton_safe.mime.own_split import Whole
    from proton_safe.mime.structure import Part, Tree
    from proton_safe.mime.visibility import HiddenKind


@dataclass(frozen=True, slots=True)
class OpenedMessage:
    """What was read of one message. `texts` holds the octets of its text parts by section, still in their transfer encoding.

    `long` is the one text that was too long to be read whole, `found` what was wrong with what was fetched, `calendars` are the
    beginnings of the calendar parts.
    """

    mailbox: MailboxName
    uid_validity: int
    items: MessageItems
    headers: Headers
    tree: Tree
    texts: Mapping[str, bytes]
    long: LongText | None = None
    found: tuple[Defect, ...] = ()
    calendars: tuple[tuple[Part, bytes], ...] = ()

    @property
    def folder(self) -> str:
        """The folder's decoded name."""
        return self.mailbox.name

    @property
    def received(self) -> str:
        """INTERNALDATE as RFC 3339 in UTC; '' if Bridge did not say."""
        return self.items.received.strftime("%Y-%m-%dT%H:%M:%SZ") if self.items.received else ""

    @property
    def warnings(self) -> tuple[Defect, ...]:
        """What was wrong with the message's header block and structure."""
        missing: tuple[Defect, ...] = ("item-missing",) if self.items.incomplete or self.items.structure is None else ()
        encoded: tuple[Defect, ...] = ("encoding-ignored",) if self._encoded_multipart() else ()
        # Bridge gives an empty header where a field's name is broken; the fields are then in the text.
        empty: tuple[Defect, ...] = () if self.headers.fields else ("header-damaged",)
        return merged(self.headers.warnings, self.tree.warnings, missing, encoded, empty, self.found)

    def _encoded_multipart(self) -> bool:
        """RFC 2045 6.4: a multipart has no transfer encoding of its own; one that is declared all the same is not undone."""
        declared = (self.headers.first("content-transfer-encoding") or b"").strip().lower()
        return bool(self.tree.root.children) and declared in {b"base64", b"quoted-printable"}

    def header(self, name: str) -> bytes:
        """The raw value of a header field (lower case name), out of the header block or else the envelope; empty if absent."""
        found = self.headers.first(name)
        if found is not None or self.items.envelope is None:
            return found or b""
        envelope = self.items.envelope
        return {"subject": envelope.subject, "date": envelope.date, "message-id": envelope.message_id}.get(name, b"")

    def text(self, value: bytes) -> str:
        """A header field's value on one line, nothing decoded but its octets."""
        return charsets.guess(words.unfold(value))

    @property
    def likely_charset(self) -> str:
        """The charset that undeclared octets are in, if not UTF-8: that of a text part, else that of Subject's or From's encoded words."""
        declared = (part.charset for part in self.tree.leaves() if part.media_type.startswith("text/"))
        in_words = (words.charset_of(self.headers.first(name) or b"") for name in ("subject", "from"))
        return next((label for labels in (declared, in_words) for label in labels if label), "")

    @property
    def subject(self) -> Decoded:
        """The Subject, decoded."""
        value = self.header("subject")
        return words.decode(value, otherwise="" if value.isascii() else self.likely_charset)

    def addresses(self, name: str) -> AddressList:
        """The addresses of a header field, or those of the envelope where the field is too long to be read whole or is missing."""
        found = self.headers.first(name)
        if found is not None and len(found) <= MAX_FIELD_OCTETS:
            return addresses.parse(found)
        if self.items.envelope is None or (found is None and not _cut(self.headers)):
            return addresses.parse(found)
        return address_list(_entries(self.items.envelope, name))

    def remember(self, engine: Engine, named: Iterable[MailAddress], text: str) -> None:
        """Note what is shown: the uid under its validity, and where the addresses come from."""
        engine.references.show(self.mailbox.raw_name, self.uid_validity, (self.items.uid,))
        origin = Origin.SENT if self.mailbox.role is Role.SENT else Origin.HEADER
        for each in named:
            if each.address:
                engine.provenance.shown(each.address, Sighting(origin, folder=self.folder, uid=self.items.uid))
        for address in mentioned(text):
            engine.provenance.shown(address, Sighting(Origin.BODY, folder=self.folder, uid=self.items.uid))


@dataclass(frozen=True, slots=True)
class CleanBody:
    """A message's text, cleaned, so that offsets into it are offsets into what the client sees.

    `text` begins at character `begin` of the whole text, of which `total_chars` are known; `more`: others follow those.
    """

    text: str
    escaped: int
    removed: int
    source: Source
    alternatives_differ: bool
    hidden: tuple[tuple[HiddenKind, int], ...]
    link_mismatches: int
    warnings: tuple[Defect, ...]
    begin: int = 0
    total_chars: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a tool reads: `max_chars` characters of the text from `offset` on. Long plain texts are not fetched beyond that.

    Of a calendar part, so many encoded octets.
    """

    max_chars: int
    offset: int = 0
    calendar_octets: int = 0


def open_message(engine: Engine, call: Call, *, folder: str, uid: int, uid_validity: int | None, reach: Reach) -> OpenedMessage:
    """Read items, header block and texts of one message.

    Raises `mailbox-not-found`, `mailbox-changed`, `message-not-found`, `content-unreadable` and the connection codes.
    """
    with engine.pool.examine(folder, call) as mailbox:
        engine.references.check(mailbox.name.raw_name, uid, current=mailbox.uid_validity, claimed=uid_validity)
        items, block = mailbox.message_with_header(uid, headers.MAX_BLOCK_OCTETS)
        items, head = message_header.whole(mailbox, uid, items, block)
        tree = structure.tree(items.structure)
        head = outer(mailbox, uid, tree, head)
        if (whole := reread(mailbox, uid, items, tree, head)) is not None:
            return _taken_apart(mailbox, items, whole, reach)
        tree = settled(mailbox, uid, tree, head)
        texts = fetch_texts(mailbox, uid, tree, offset=reach.offset, max_chars=reach.max_chars, calendar_octets=reach.calendar_octets)
        if own_split.overlooked(tree, texts.octets):
            return _taken_apart(mailbox, items, taken_apart(mailbox, uid), reach)
        return OpenedMessage(
            mailbox.name, mailbox.uid_validity, items, head, texts.tree, texts.octets, texts.long, texts.warnings, texts.calendars
        )


def _taken_apart(mailbox: Mailbox, items: MessageItems, whole: Whole, reach: Reach) -> OpenedMessage:
    dates = calendar.calendar_parts(whole.tree) if reach.calendar_octets else ()
    told = tuple((part, whole.octets[part.section][: reach.calendar_octets]) for part in dates)
    return OpenedMessage(mailbox.name, mailbox.uid_validity, items, whole.head, whole.tree, whole.octets, calendars=told)


@lru_cache(maxsize=8)
def _light_text(html: str) -> HtmlText:
    """The text of light HTML. A reply is asked for to a mail that was just read, so the last few texts are kept."""
    return html_text(html, steps=LIGHT_STEPS)


def read_body(engine: Engine, call: Call, opened: OpenedMessage) -> CleanBody:
    """The text of an opened message. Raises `content-unreadable` when HTML can't be read within its limits and there is no other text.

    Where another text is there it is given alone, with the warning `html-unreadable` and the two said to differ, since nobody can tell.
    Both limits, of what is parsed here and of what children may take, are the message's: its parts share them.
    """
    if opened.long is not None:
        return _of_long_text(opened.long)
    parsed_here = ""
    given_up: Refusal | None = None
    allotted = Allotment()

    def fetch(part: Part, octets: int) -> bytes:
        return opened.texts.get(part.section, b"")[:octets]

    def read_html(html: str) -> HtmlText:
        nonlocal parsed_here, given_up
        if is_light(html, beside=parsed_here):
            parsed_here += html
            here = _light_text(html)
            if "style-unread" not in here.warnings:
                return here
        try:
            in_child = received(engine.extractor.html(html, call=call, allotted=allotted))
        except TypeError:
            given_up = Refusal(Code.CONTENT_UNREADABLE)
        except Refusal as refusal:
            if refusal.code is not Code.CONTENT_UNREADABLE:
                raise
            given_up = refusal
        else:
            engine.extractor.warm(Task.HTML)
            return in_child
        return HtmlText("", "", (), 0)

    body = bodies.read(opened.tree, fetch=fetch, read_html=read_html, charset=opened.likely_charset)
    if given_up is not None and not body.text.strip():
        raise given_up
    cleaned = clean(body.text)
    return CleanBody(
        cleaned.text,
        cleaned.escaped,
        cleaned.removed,
        body.source,
        body.alternatives_differ or given_up is not None,
        body.hidden,
        body.link_mismatches,
        merged(body.warnings, ("html-unreadable",) if given_up is not None else ()),
        total_chars=len(cleaned.text),
    )


def _of_long_text(long: LongText) -> CleanBody:
    source: Source = "plain" if long.total_chars else "none"
    return CleanBody(
        long.text,
        long.escaped,
        long.removed,
        source,
        alternatives_differ=False,
        hidden=(),
        link_mismatches=0,
        warnings=long.warnings,
        begin=long.offset,
        total_chars=long.total_chars,
        more=not long.ended or long.offset + len(long.text) < long.total_chars,
    )


def _cut(block: Headers) -> bool:
    """Whether fields may be missing because the block was longer than is read, or was not there."""
    return not block.fields or "header-truncated" in block.warnings


def _entries(envelope: Envelope, name: str) -> tuple[EnvelopeAddress, ...]:
    known = {"from": envelope.from_, "to": envelope.to, "cc": envelope.cc, "reply-to": envelope.reply_to, "sender": envelope.sender}
    # A server that finds no Reply-To or Sender gives From in their place (RFC 3501 7.4.2).
    return () if name in {"reply-to", "sender"} and known[name] == envelope.from_ else known[name]
