"""What FETCH can ask for: reading the items, and their octets in the answer (bridge-behaviour 3.5; dialogues 13 to 15, 40)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from fakebridge.imap.answers import octets
from fakebridge.imap.grammar import MONTHS
from fakebridge.imap.scanner import Scanner, is_digit, is_letter
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.message import Message
from fakebridge.mailstore.view import View
from fakebridge.message import header
from fakebridge.message.section import SectionKind, section


class Item(Enum):
    """Items without arguments; the value is the name in the answer."""

    ENVELOPE = "ENVELOPE"
    FLAGS = "FLAGS"
    INTERNALDATE = "INTERNALDATE"
    BODY = "BODY"
    BODYSTRUCTURE = "BODYSTRUCTURE"
    UID = "UID"
    RFC822 = "RFC822"
    RFC822_HEADER = "RFC822.HEADER"
    RFC822_SIZE = "RFC822.SIZE"
    RFC822_TEXT = "RFC822.TEXT"


FAST = (Item.FLAGS, Item.INTERNALDATE, Item.RFC822_SIZE)
MACROS = {"all": (*FAST, Item.ENVELOPE), "fast": FAST, "full": (*FAST, Item.ENVELOPE, Item.BODY)}
WORDS = {item.value.lower(): item for item in (Item.ENVELOPE, Item.FLAGS, Item.INTERNALDATE, Item.BODYSTRUCTURE, Item.UID)}
AFTER_RFC822 = {"header": Item.RFC822_HEADER, "size": Item.RFC822_SIZE, "text": Item.RFC822_TEXT}
NEEDS_LITERAL = (Item.RFC822, Item.RFC822_HEADER, Item.RFC822_TEXT)
SETS_SEEN = (Item.RFC822, Item.RFC822_TEXT)


@dataclass(frozen=True, slots=True)
class Section:
    """`BODY[…]<…>`: `partial` is origin and length."""

    path: tuple[int, ...]
    kind: SectionKind
    fields: tuple[bytes, ...]
    peek: bool
    partial: tuple[int, int] | None

    @property
    def name(self) -> bytes:
        """The section as the answer names it: upper case, without PEEK."""
        parts = [str(number).encode() for number in self.path]
        if self.kind is not SectionKind.WHOLE:
            fields = b" (" + b" ".join(self.fields) + b")" if self.fields else b""
            parts.append(self.kind.value.encode() + fields)
        return b".".join(parts).decode("utf-8", "surrogateescape").upper().encode("utf-8", "surrogateescape")

    def text(self) -> str:
        """As sent, for the journal."""
        partial = f"<{self.partial[0]}.{self.partial[1]}>" if self.partial else ""
        return f"BODY{'.PEEK' if self.peek else ''}[{self.name.decode('utf-8', 'backslashreplace')}]{partial}"


FetchItem = Item | Section


def needs_literal(item: FetchItem) -> bool:
    """Whether the stored octets have to be read."""
    return isinstance(item, Section) or item in NEEDS_LITERAL


def sets_seen(item: FetchItem) -> bool:
    """Whether fetching it marks the message as read."""
    return not item.peek if isinstance(item, Section) else item in SETS_SEEN


# Reading


def read_items(scanner: Scanner) -> tuple[FetchItem, ...]:
    """A list in parentheses, a macro, or a single item."""
    if scanner.accept(b"("):
        items = [read_item(scanner)]
        while scanner.accept(b" "):
            items.append(read_item(scanner))
        scanner.expect(b")", "expected ) for fetch attribute list end")
        return tuple(items)
    word = scanner.word()
    return MACROS.get(word.lower()) or (_item(scanner, word.lower(), word.offset),)


def read_item(scanner: Scanner) -> FetchItem:
    """One item of a list; macros are no items."""
    word = scanner.word()
    return _item(scanner, word.lower(), word.offset)


def _item(scanner: Scanner, name: str, offset: int) -> FetchItem:
    if name in WORDS:
        return WORDS[name]
    if name == "rfc":
        return _rfc822(scanner)
    if name == "body":
        return _body(scanner)
    raise scanner.fail_at(offset, f"unknown fetch attribute '{name}'")


def _rfc822(scanner: Scanner) -> Item:
    scanner.spell(b"822")
    if not scanner.accept(b"."):
        return Item.RFC822
    word = scanner.word()
    if word.lower() not in AFTER_RFC822:
        # The quote is not closed in Bridge's text.
        raise scanner.fail_at(word.offset, f"unknown fetch attribute 'RFC822.{word.lower()}")
    return AFTER_RFC822[word.lower()]


def _body(scanner: Scanner) -> FetchItem:
    if not scanner.is_at(b"[") and not scanner.is_at(b"."):
        return Item.BODY
    peek = scanner.accept(b".")
    if peek:
        scanner.spell(b"PEEK")
    scanner.expect(b"[", "expected [ for body section start")
    path, kind, fields = ((), SectionKind.WHOLE, ()) if scanner.is_at(b"]") else _section_spec(scanner)
    scanner.expect(b"]", "expected ] for body section end")
    partial = None
    if scanner.accept(b"<"):
        origin = scanner.number()
        scanner.expect(b".", "expected '.' after partial start")
        length = scanner.positive()
        scanner.expect(b">", "expected > for end of partial specification")
        partial = (origin, length)
    return Section(path, kind, fields, peek, partial)


def _section_spec(scanner: Scanner) -> tuple[tuple[int, ...], SectionKind, tuple[bytes, ...]]:
    if not scanner.is_at_class(is_digit):
        return ((), *_section_text(scanner, is_part=False))
    path = [scanner.positive()]
    while scanner.accept(b"."):
        if not scanner.is_at_class(is_digit):
            break
        path.append(scanner.positive())
    if scanner.is_at_class(is_letter):
        return (tuple(path), *_section_text(scanner, is_part=True))
    return tuple(path), SectionKind.WHOLE, ()


def _section_text(scanner: Scanner, *, is_part: bool) -> tuple[SectionKind, tuple[bytes, ...]]:
    word = scanner.word()
    name = word.lower()
    if name == "mime" and is_part:
        return SectionKind.MIME, ()
    if name == "text":
        return SectionKind.TEXT, ()
    if name != "header":
        raise scanner.fail_at(word.offset, f"unknown section msg text value '{name}'")
    if not scanner.accept(b"."):
        return SectionKind.HEADER, ()
    if scanner.word().lower() != "fields":
        raise scanner.fail("expected 'FIELDS' after 'HEADER.'")
    kind = SectionKind.FIELDS
    if scanner.accept(b"."):
        if scanner.word().lower() != "not":
            raise scanner.fail("expected 'NOT'")
        kind = SectionKind.FIELDS_NOT
    scanner.expect(b" ", "expected space")
    scanner.expect(b"(", "expected ( for header list start")
    fields = [scanner.astring().value]
    while scanner.accept(b" "):
        fields.append(scanner.astring().value)
    scanner.expect(b")", "expected ) for header list end")
    return kind, tuple(fields)


# Answering


def render(item: FetchItem, view: View, place: int, literal: bytes) -> bytes:
    """Name and value of one item. SectionMissing: there is no such part."""
    message = view.messages[place]
    if isinstance(item, Section):
        return _render_section(item, literal)
    if item is Item.UID:
        return b"UID %d" % view.uids[place]
    if item is Item.FLAGS:
        return b"FLAGS " + octets(flagset.text(view.flags(place)))
    if item in NEEDS_LITERAL:
        return _with_literal(str(item.value).encode(), _rfc822_octets(item, literal))
    return str(item.value).encode() + b" " + _from_database(item, message)


def _from_database(item: Item, message: Message) -> bytes:
    if item is Item.ENVELOPE:
        return message.envelope()
    if item is Item.BODY:
        return message.body()
    if item is Item.BODYSTRUCTURE:
        return message.structure()
    if item is Item.RFC822_SIZE:
        return b"%d" % message.size()
    return internal_date(message.date)


def internal_date(seconds: int) -> bytes:
    """Always in UTC."""
    moment = datetime.fromtimestamp(seconds, UTC)
    month = MONTHS[moment.month - 1].capitalize()
    return f'"{moment:%d}-{month}-{moment.year:04d} {moment:%H:%M:%S} +0000"'.encode()


def _rfc822_octets(item: Item, literal: bytes) -> bytes:
    if item is Item.RFC822:
        return literal
    head, body = header.split(literal)
    return head if item is Item.RFC822_HEADER else body


def _render_section(item: Section, literal: bytes) -> bytes:
    value = section(literal, item.path, item.kind, item.fields)
    name = b"BODY[" + item.name + b"]"
    if item.partial is not None:
        origin, length = item.partial
        value = value[origin : origin + length]
        name += b"<%d>" % origin
    return _with_literal(name, value)


def _with_literal(name: bytes, value: bytes) -> bytes:
    return name + b" {%d}\r\n" % len(value) + value
