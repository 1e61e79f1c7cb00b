"""Address lists (RFC 5322 3.4 and 4.4) read without ever raising: groups, comments, quoted and damaged parts.

Structure is found in the octets as they were sent; encoded words are decoded afterwards and in names only, so that no encoded
text can become an address. One pass from left to right, no recursion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from proton_safe.addr_spec import MAX_ADDRESS_CHARS
from proton_safe.mime import charsets, words
from proton_safe.mime.address_tokens import Kind, Token, tokens
from proton_safe.mime.defects import MAX_FIELD_OCTETS, merged
from proton_safe.untrusted.clean import clean_line
from proton_safe.untrusted.marks import MAX_ADDRESS_CHARS as MAX_SHOWN_CHARS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from proton_safe.mime.defects import Defect

# Bridge decodes an envelope's words in ISO-8859-1 to the letter; every mail program reads windows-1252 there (`charsets`).
_C1: Final = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
MAX_ADDRESSES: Final = 100
UNSEEN: Final = "\ufffd"
_SEPARATORS: Final = frozenset({",", ";"})
# One element as most are written: 1 a name in quotes or 2 without them and then 3 an address in angle brackets, or 4 a bare address.
# All repetitions are possessive, so that no input makes the pattern try again. Nothing here is a comment, a group, a route or an escape.
_LOCAL_AT_DOMAIN: Final = r"[A-Za-z0-9._+-]{1,64}+@[A-Za-z0-9.-]{1,180}+"
_USUAL: Final = re.compile(
    r'[ \t]*+(?:(?:"([ !#-\[\]-~]*+)"|([^\x00-\x20\x7f<>,;:@()\[\]"\\][^\x00-\x08\x0a-\x1f\x7f<>,;:@()\[\]"\\]*+))[ \t]*+'
    rf"<({_LOCAL_AT_DOMAIN})>|({_LOCAL_AT_DOMAIN}))[ \t]*+(?:,|\Z)"
)
# RFC 5322 3.2.3, and what is beyond ASCII: a local part of these needs no quotes.
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_DOT_ATOM: Final = re.compile(r"[^\x00-\x20\x7f()<>\[\]:;@\\,\".]+(?:\.[^\x00-\x20\x7f()<>\[\]:;@\\,\".]+)*")


@dataclass(frozen=True, slots=True)
class MailAddress:
    """A mailbox: decoded display name, addr-spec as written ('' if unreadable), each character of it that nobody sees as U+FFFD.

    `doubtful` is True where readers could disagree about which address is meant; such a one is shown and never suggested.
    """

    name: str
    address: str
    doubtful: bool = False

    @property
    def domain(self) -> str:
        """What follows the last `@`; '' if there is none."""
        return self.address.rpartition("@")[2] if "@" in self.address else ""


@dataclass(frozen=True, slots=True)
class AddressList:
    """The first 100 addresses of a field, how many were read in all, and what was wrong."""

    addresses: tuple[MailAddress, ...] = ()
    count: int = 0
    warnings: tuple[Defect, ...] = ()


@dataclass(slots=True)
class _Element:
    """What was read of one list element so far."""

    phrase: list[Token] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    angle: list[Token] | None = None
    after: list[Token] = field(default_factory=list)
    closed: bool = False
    # A comment that touches a word of the address, a route outside angle brackets: some readers drop it, some take what is in it.
    touched: bool = False
    routed: bool = False
    last: Token | None = None


def parse(raw: bytes | None) -> AddressList:
    """The mailboxes of a field's value, of its first 8 KiB. Members of groups stand in their place; group names are left out."""
    if not raw:
        return AddressList()
    return _usual(raw) or _by_tokens(raw)


def _usual(raw: bytes) -> AddressList | None:
    """The mailboxes of a field in which all are written as most are; None for any other. Nothing here is doubtful or worth a warning."""
    if len(raw) > MAX_FIELD_OCTETS or not raw.isascii():
        return None
    text = words.unfold(raw).decode("ascii")
    read: list[MailAddress] = []
    at = 0
    while at < len(text):
        found = _USUAL.match(text, at)
        if found is None:
            return None
        quoted, phrase, angled, bare = found.groups()
        name = quoted.strip() if quoted else " ".join(phrase.split()) if phrase else ""
        if "=?" in name:
            name = words.decode(name.encode("ascii")).text.strip()
        read.append(MailAddress(name, angled or bare))
        at = found.end()
    return AddressList(tuple(read[:MAX_ADDRESSES]), len(read))


def _by_tokens(raw: bytes) -> AddressList:
    warnings: set[Defect] = set()
    if len(raw) > MAX_FIELD_OCTETS:
        warnings.add("header-truncated")
    # One character per octet: the octets of 8-bit text are given back before they are decoded.
    text = words.unfold(_whole(raw)).decode("latin-1")
    read: list[MailAddress] = []
    element = _Element()
    for token in tokens(text):
        element = _step(element, token, read, warnings)
    _finish(element, read, warnings)
    return AddressList(tuple(read[:MAX_ADDRESSES]), len(read), merged(warnings))


def from_envelope(name: bytes | None, mailbox: bytes | None, host: bytes | None) -> MailAddress:
    """One address of an IMAP ENVELOPE (RFC 3501 7.4.2), whose name Bridge has decoded already and other servers have not."""
    local, domain = (charsets.guess((part or b"")[:MAX_FIELD_OCTETS]) for part in (mailbox, host))
    # Servers give the local part without its quotes; `a@b> <c` must not come out as two addresses.
    if local and not _DOT_ATOM.fullmatch(local) and not _QUOTED.fullmatch(local):
        local = '"' + local.replace("\\", "\\\\").replace('"', '\\"') + '"'
    address = visible(f"{local}@{domain}" if domain else local)
    return MailAddress(words.decode(name or b"").text.translate(_C1).strip(), address, doubtful=not (local and domain) or _odd(address))


def visible(address: str) -> str:
    """An address with U+FFFD for each character that cleaning would take away: without it, it would be another address.

    One that is too long to be shown ends in `…`: cut without a mark, a domain's beginning would pass for the whole.
    """
    if address.isascii() and address.isprintable():
        return address if len(address) <= MAX_SHOWN_CHARS else address[: MAX_SHOWN_CHARS - 1] + "…"
    address = "".join(UNSEEN if clean_line(char).removed or (char.isspace() and char != " ") else char for char in address)
    cleaned = clean_line(address).text
    return address if len(cleaned) <= MAX_SHOWN_CHARS else cleaned[: MAX_SHOWN_CHARS - 1] + "…"


def _odd(address: str) -> bool:
    """Whether it is none, is longer than one may be (RFC 5321 4.5.3.1), or holds what some readers drop or decode."""
    return not address or len(address) > MAX_ADDRESS_CHARS or UNSEEN in address or "=?" in address


def from_envelopes(entries: Iterable[tuple[bytes | None, bytes | None, bytes | None]]) -> AddressList:
    """A whole ENVELOPE list of (name, mailbox, host); group marks are left out.

    A list that Bridge gave up on (bridge-behaviour 3.6: one entry, the raw text as its name) is parsed here. An entry without
    anything ends a group; where no group is open it stands for an address that Bridge could not take apart.
    """
    read: list[MailAddress] = []
    warnings: set[Defect] = set()
    in_group = False
    for name, mailbox, host in entries:
        if name and not mailbox and not host:
            again = parse(name)
            read.extend(again.addresses)
            warnings.update(again.warnings, ("address-unreadable",))
        elif mailbox and host:
            read.append(from_envelope(name, mailbox, host))
            if read[-1].doubtful:
                warnings.add("address-unreadable")
        elif host:
            read.append(from_envelope(name, mailbox, host))
            warnings.add("address-unreadable")
        elif mailbox:
            in_group = True
        elif in_group:
            in_group = False
        else:
            warnings.add("address-unreadable")
    return AddressList(tuple(read[:MAX_ADDRESSES]), len(read), merged(warnings))


def _whole(raw: bytes) -> bytes:
    """The first 8 KiB, without the element that the cut falls into: half an address is another address."""
    if len(raw) <= MAX_FIELD_OCTETS:
        return raw
    before, comma, _ = raw[:MAX_FIELD_OCTETS].rpartition(b",")
    return before if comma else raw[:MAX_FIELD_OCTETS]


def _step(element: _Element, token: Token, read: list[MailAddress], warnings: set[Defect]) -> _Element:
    """Take one token; gives the element to go on with."""
    inside = element.angle is not None and not element.closed
    before, element.last = element.last, token
    if before is not None and _touch(before, token):
        element.touched = True
    if token.kind is Kind.COMMENT:
        element.comments.append(token.text)
    elif token.kind is not Kind.SPECIAL:
        (element.angle if inside and element.angle is not None else element.after if element.closed else element.phrase).append(token)
    elif token.text == ">" and inside:
        element.closed = True
    elif token.text in _SEPARATORS and not (inside and _in_route(element)):
        _finish(element, read, warnings)
        return _Element()
    elif token.text == "<" and (element.angle is None or element.closed):
        return _open_angle(element, read, warnings)
    elif token.text == ":" and not inside:
        # `name:` opens a group; what follows are its members. `@host:` is a route that stands where none may.
        return _Element(routed=any(part.text == "@" for part in element.phrase))
    else:
        (element.angle if inside and element.angle is not None else element.after if element.closed else element.phrase).append(token)
    return element


def _touch(before: Token, after: Token) -> bool:
    """Whether a comment stands directly beside a word."""
    return (before.kind is Kind.COMMENT and _is_part(after)) or (after.kind is Kind.COMMENT and _is_part(before))


def _is_part(token: Token) -> bool:
    return token.kind in {Kind.ATOM, Kind.QUOTED}


def _in_route(element: _Element) -> bool:
    """Whether a comma inside the angle brackets belongs to a source route (`<@a,@b:c@d>`, RFC 5322 4.4)."""
    first = next((token.text for token in element.angle or () if token.text.strip()), "")
    return first == "@"


def _open_angle(element: _Element, read: list[MailAddress], warnings: set[Defect]) -> _Element:
    if element.angle is None:
        # What stood before is a name.
        element.angle, element.touched = [], False
        return element
    # A second address without a comma before it: what stood between is its name.
    following = _Element(phrase=element.after, angle=[])
    element.after = []
    _finish(element, read, warnings, doubtful=True)
    return following


def _finish(element: _Element, read: list[MailAddress], warnings: set[Defect], *, doubtful: bool = False) -> None:
    found = _bare(element) if element.angle is None else _angled(element)
    if found is None:
        if element.angle is not None:
            warnings.add("address-unreadable")
        return
    if doubtful or found.doubtful or _odd(found.address) or element.routed or element.touched:
        warnings.add("address-unreadable")
        found = MailAddress(found.name, found.address, doubtful=True)
    read.append(found)


def _angled(element: _Element) -> MailAddress | None:
    name = _name(element.phrase) or _name_of_comment(element)
    inner = _stripped(element.angle or [])
    route = bool(inner) and inner[0].text == "@"
    if route:
        colon = next((at for at, token in enumerate(inner) if token.text == ":"), -1)
        inner = inner[colon + 1 :]
    address, sound = _addr_spec(inner)
    trailing = any(token.text.strip() for token in element.after)
    # An unquoted phrase that looks like another address: some readers take that one.
    named = any(token.kind is not Kind.QUOTED and "@" in token.text for token in element.phrase)
    rival = named and _octets(element.phrase).strip() != address.encode("latin-1", "replace")
    if not address and not name:
        return None
    return MailAddress(name, _text(address), doubtful=trailing or rival or route or not sound or not element.closed)


def _bare(element: _Element) -> MailAddress | None:
    inner = _stripped(element.phrase)
    if not inner:
        return None
    address, sound = _addr_spec(inner)
    # `a @ b` is an obsolete form, `a b@c` is not an address at all.
    glued = not any(
        token.kind is Kind.BLANK and _is_word(before) and _is_word(after)
        for before, token, after in zip(element.phrase, element.phrase[1:], element.phrase[2:], strict=False)
    )
    if "@" in address and glued:
        return MailAddress(_name_of_comment(element), _text(address), doubtful=not sound)
    name = _name(element.phrase)
    return MailAddress(name, "", doubtful=True) if name else None


def _stripped(inner: list[Token]) -> list[Token]:
    """Without blanks at both ends."""
    solid = [at for at, token in enumerate(inner) if token.kind is not Kind.BLANK]
    return inner[solid[0] : solid[-1] + 1] if solid else []


def _is_word(token: Token) -> bool:
    return token.kind in {Kind.ATOM, Kind.QUOTED} and token.text not in {"@", "."}


def _addr_spec(inner: list[Token]) -> tuple[str, bool]:
    """The address as written without blanks and comments, and whether it is one local part, one `@`, one domain, in one piece."""
    address = "".join(token.source for token in inner if token.kind is not Kind.BLANK)
    ats = sum(token.text == "@" for token in inner)
    local, _, domain = address.rpartition("@")
    stray = any(token.kind is Kind.SPECIAL for token in inner)
    whole = all(token.kind is not Kind.BLANK for token in inner)
    sound = ats == 1 and bool(local) and bool(domain) and not stray and whole
    return address, sound


def _octets(phrase: list[Token]) -> bytes:
    return "".join(token.text for token in phrase).encode("latin-1")


def _name(phrase: list[Token]) -> str:
    return words.decode(_octets(phrase).strip()).text.strip()


def _name_of_comment(element: _Element) -> str:
    return words.decode(" ".join(element.comments).encode("latin-1")).text.strip() if element.comments else ""


def _text(address: str) -> str:
    return visible(charsets.guess(address.encode("latin-1", "replace")))
