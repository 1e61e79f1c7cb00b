"""The keys of SEARCH as values, and reading them (bridge-behaviour 3.8; dialogues 06, 16, 17)."""

from __future__ import annotations

from dataclasses import dataclass

from fakebridge.imap import grammar
from fakebridge.imap.grammar import SequenceSet
from fakebridge.imap.printing import name_text, set_text
from fakebridge.imap.scanner import Scanner, Text, is_digit

FLAG_KEYS = {
    "answered": ("\\Answered", True),
    "deleted": ("\\Deleted", True),
    "draft": ("\\Draft", True),
    "flagged": ("\\Flagged", True),
    "recent": ("\\Recent", True),
    "seen": ("\\Seen", True),
    "old": ("\\Recent", False),
    "unanswered": ("\\Answered", False),
    "undeleted": ("\\Deleted", False),
    "undraft": ("\\Draft", False),
    "unflagged": ("\\Flagged", False),
    "unseen": ("\\Seen", False),
}
HEADER_KEYS = ("bcc", "cc", "from", "subject", "to")
DATE_KEYS = ("before", "on", "since", "sentbefore", "senton", "sentsince")


@dataclass(frozen=True, slots=True)
class All:
    """ALL: every message."""

    def text(self) -> str:
        """As sent."""
        return "ALL"


@dataclass(frozen=True, slots=True)
class New:
    """NEW: recent and unseen."""

    def text(self) -> str:
        """As sent."""
        return "NEW"


@dataclass(frozen=True, slots=True)
class HasFlag:
    """A flag or keyword that is or is not there."""

    name: str
    flag: str
    present: bool

    def text(self) -> str:
        """As sent."""
        return f"{self.name} {self.flag}" if self.name.endswith("KEYWORD") else self.name


@dataclass(frozen=True, slots=True)
class HeaderHas:
    """A header field whose value contains something."""

    field: bytes
    needle: bytes

    def text(self) -> str:
        """As understood."""
        return f"HEADER {name_text(self.field)} {name_text(self.needle)}"


@dataclass(frozen=True, slots=True)
class OctetsHave:
    """TEXT or BODY."""

    name: str
    needle: bytes

    def text(self) -> str:
        """As sent."""
        return f"{self.name} {name_text(self.needle)}"


@dataclass(frozen=True, slots=True)
class Size:
    """LARGER or SMALLER."""

    name: str
    octets: int

    def text(self) -> str:
        """As sent."""
        return f"{self.name} {self.octets}"


@dataclass(frozen=True, slots=True)
class Dated:
    """One of the six date keys."""

    name: str
    day: tuple[int, int, int]

    def text(self) -> str:
        """As sent."""
        year, month, day = self.day
        return f"{self.name.upper()} {day}-{grammar.MONTHS[month - 1].capitalize()}-{year:04d}"


@dataclass(frozen=True, slots=True)
class Numbers:
    """A sequence set, or UID with a set."""

    numbers: SequenceSet
    by_uid: bool

    def text(self) -> str:
        """As sent."""
        return ("UID " if self.by_uid else "") + set_text(self.numbers)


@dataclass(frozen=True, slots=True)
class Not:
    """NOT."""

    key: Key

    def text(self) -> str:
        """As sent."""
        return f"NOT {self.key.text()}"


@dataclass(frozen=True, slots=True)
class Or:
    """OR."""

    left: Key
    right: Key

    def text(self) -> str:
        """As sent."""
        return f"OR {self.left.text()} {self.right.text()}"


@dataclass(frozen=True, slots=True)
class Every:
    """Keys in parentheses."""

    keys: tuple[Key, ...]

    def text(self) -> str:
        """As sent."""
        return "(" + " ".join(key.text() for key in self.keys) + ")"


Key = All | New | HasFlag | HeaderHas | OctetsHave | Size | Dated | Numbers | Not | Or | Every


def read_key(scanner: Scanner) -> Key:
    """One key with its arguments."""
    scanner.nest()
    key = _key(scanner)
    scanner.unnest()
    return key


def _key(scanner: Scanner) -> Key:
    if scanner.accept(b"("):
        keys = [read_key(scanner)]
        while scanner.accept(b" "):
            keys.append(read_key(scanner))
        scanner.expect(b")", "expected ) for search key list end")
        return Every(tuple(keys))
    if scanner.is_at_class(is_digit) or scanner.is_at(b"*"):
        return Numbers(grammar.sequence_set(scanner), by_uid=False)
    return read_key_after(scanner, scanner.word())


def read_key_after(scanner: Scanner, word: Text) -> Key:
    """The key that this word begins."""
    name = word.lower()
    if name in FLAG_KEYS:
        flag, present = FLAG_KEYS[name]
        return HasFlag(name.upper(), flag, present)
    if name in HEADER_KEYS:
        return HeaderHas(name.upper().encode(), _astring(scanner))
    if name in DATE_KEYS:
        grammar.space(scanner, "expected space")
        return Dated(name, grammar.search_date(scanner))
    return _other_key(scanner, name, word.offset)


def _other_key(scanner: Scanner, name: str, offset: int) -> Key:
    if name == "not":
        grammar.space(scanner, "expected space after NOT")
        return Not(read_key(scanner))
    if name == "or":
        grammar.space(scanner, "expected space after OR")
        left = read_key(scanner)
        grammar.space(scanner, "expected space after first OR key")
        return Or(left, read_key(scanner))
    if name == "uid":
        grammar.space(scanner, "expected space")
        return Numbers(grammar.sequence_set(scanner), by_uid=True)
    if name in ("keyword", "unkeyword"):
        grammar.space(scanner, "expected space")
        return HasFlag(name.upper(), scanner.atom().value.decode("utf-8", "surrogateescape"), name == "keyword")
    if name in ("text", "body"):
        return OctetsHave(name.upper(), _astring(scanner))
    if name in ("larger", "smaller"):
        grammar.space(scanner, "expected space")
        return Size(name.upper(), scanner.number())
    if name == "header":
        return HeaderHas(_astring(scanner), _astring(scanner))
    if name in ("all", "new"):
        return All() if name == "all" else New()
    raise scanner.fail_at(offset, f"unknown search key '{name}'")


def _astring(scanner: Scanner) -> bytes:
    grammar.space(scanner, "expected space")
    return scanner.astring().value
