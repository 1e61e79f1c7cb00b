"""Address lists: reading them with Bridge's tolerance and error offsets, writing them as it writes them.

The reader backs up and reads again, and its offsets count every octet that was read, so the offset of an error says how often the
text was tried: as a mailbox with a name, as a bare address, as a group (bridge-behaviour 5.2; dialogues 22, 23, 43). Accepted beyond
RFC 5322: ``;`` between addresses, ``<>``, ``@`` in names, 8-bit octets, a closing dot, a port, a group in quotes. Text behind a
complete address that is no separator is dropped without a word.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from fakebridge.message.addressreader import AddressError, Kind, Reader, Word
from fakebridge.message.qword import encode, encode_b

_SEPARATORS: Final = frozenset(b",;")
_B_ENCODED: Final = frozenset("\"#$%&'(),.:;<>@[]^`{|}~")
_SPECIALS: Final = frozenset('()[];@\\,<>":')

__all__ = ["Address", "AddressError", "domain_and_local", "format_address", "format_list", "parse_first", "parse_list"]


@dataclass(frozen=True, slots=True)
class Address:
    """A display name (decoded, may be empty) and an address (may be empty: ``<>``)."""

    name: str
    address: str


def parse_list(value: bytes) -> tuple[Address, ...]:
    """All addresses of an unfolded header value; members of groups count as addresses.

    Raises:
        AddressError: the value is no list; ``offset`` and ``text`` as Bridge reports them. An empty value is an empty list.
    """
    return _list(Reader(value))


def parse_first(value: bytes) -> tuple[Address, ...]:
    """The first address or group of an unfolded header value; what follows it is not looked at.

    Raises:
        AddressError: as ``parse_list``.
    """
    return _address(Reader(value))[0]


def _list(reader: Reader) -> tuple[Address, ...]:
    reader.try_cfws()
    while reader.matches(_SEPARATORS):
        reader.try_cfws()
    if reader.ended():
        # An empty To is accepted and comes back as no To at all (dialogue 23).
        return ()
    found, closed = _address(reader)
    result = list(found)
    while True:
        if not reader.matches(_SEPARATORS) and (not closed or reader.ended()):
            break
        if reader.try_cfws() and (reader.ended() or reader.current in _SEPARATORS):
            continue
        if reader.ended():
            break
        found, closed = _address(reader)
        result += found
    return tuple(result)


def _address(reader: Reader) -> tuple[tuple[Address, ...], bool]:
    """A mailbox or a group, and whether a group ended in a semicolon of its own."""
    reader.try_cfws()
    if reader.current == ord("<"):
        return (Address("", _angle(reader)),), False
    state = reader.save()
    try:
        return (_mailbox(reader),), False
    except AddressError:
        reader.restore(state)
    return _group(reader)


def _mailbox(reader: Reader) -> Address:
    state = reader.save()
    try:
        return _named(reader)
    except AddressError:
        reader.restore(state)
    return Address("", _spec(reader))


def _named(reader: Reader) -> Address:
    reader.try_cfws()
    name = "" if reader.current == ord("<") else _join(_phrase(reader))
    return Address(name, _angle(reader))


def _angle(reader: Reader) -> str:
    reader.try_cfws()
    reader.consume(b"<", "expected < for angle-addr start")
    if reader.matches(b">"):
        return ""
    while reader.try_cfws() or reader.matches(b","):
        pass
    if reader.matches(b"@"):
        _route(reader)
    address = _spec(reader)
    reader.consume(b">", "expected > for angle-addr end")
    reader.try_cfws()
    return address


def _route(reader: Reader) -> None:
    """The rest of a source route, up to and with its colon; it is dropped."""
    _domain(reader)
    while reader.matches(b","):
        reader.try_cfws()
        if reader.matches(b"@"):
            _domain(reader)
    reader.consume(b":", "expected ':' for obs-route end")


def _group(reader: Reader) -> tuple[tuple[Address, ...], bool]:
    quoted = reader.matches(b'"')
    _phrase(reader)
    reader.consume(b":", "expected ':' for group start")
    members: tuple[Address, ...] = ()
    closed = reader.matches(b";")
    if not closed:
        reader.try_cfws()
        while reader.matches(b","):
            reader.try_cfws()
        if not reader.ended() and reader.current not in b';"':
            members = _members(reader)
        closed = reader.matches(b";")
    reader.try_cfws()
    if quoted:
        reader.consume(b'"', "expected '\"' for group end")
    return members, closed


def _members(reader: Reader) -> tuple[Address, ...]:
    """Members of a group. A blank behind a comma hides the member that follows it, and ends the group."""
    state = reader.save()
    try:
        members = [_mailbox(reader)]
    except AddressError:
        reader.restore(state)
        reader.cfws()
        return ()
    while reader.matches(b","):
        if not reader.try_cfws():
            members.append(_mailbox(reader))
    return tuple(members)


def _spec(reader: Reader) -> str:
    words = [reader.word()]
    while reader.matches(b"."):
        words += [Word(".", Kind.UNSPACED), reader.word()]
    local = _join(words)
    reader.consume(b"@", "expected @ after local-part")
    domain = _domain(reader)
    if reader.matches(b":"):
        return f"{local}@{domain}:{reader.atom().text}"
    return f"{local}@{domain}"


def _domain(reader: Reader) -> str:
    reader.try_cfws()
    return reader.domain_literal() if reader.matches(b"[") else reader.dot_atom()


def _phrase(reader: Reader) -> list[Word]:
    words = [reader.word()]
    while True:
        if reader.matches(b".@"):
            words.append(Word(chr(reader.previous), Kind.UNSPACED))
            continue
        reader.try_cfws()
        if not reader.begins_word():
            return words
        words.append(reader.word())


def _join(words: list[Word]) -> str:
    """Words with the blanks between them that Bridge puts there: none around dots, none between encoded words."""
    out = [words[0].text]
    for before, word in pairwise(words):
        encoded = before.kind is Kind.ENCODED
        spaced = word.kind is Kind.PLAIN if encoded else Kind.UNSPACED not in {before.kind, word.kind}
        out.append(" " + word.text if spaced else word.text)
    return "".join(out)


def domain_and_local(address: str) -> tuple[str, str]:
    """Local part and domain for ENVELOPE; both empty unless there is exactly one ``@``."""
    local, at, domain = address.partition("@")
    return (local, domain) if at and "@" not in domain else ("", "")


def format_address(address: Address) -> str:
    """``"Name" <a@b>``, an encoded name if it is not ASCII, bare ``<a@b>`` without a name; an empty address is ``<@>``."""
    local, at, domain = address.address.rpartition("@")
    if not at:
        local, domain = domain, ""
    if any(not _plain_in_local(local, position) for position in range(len(local))):
        local = _quote(local)
    spec = f"<{local}@{domain}>"
    if not address.name:
        return spec
    if all(" " <= char <= "~" or char == "\t" for char in address.name):
        return f"{_quote(address.name)} {spec}"
    encoded = encode_b(address.name) if _B_ENCODED.intersection(address.name) else encode(address.name)
    return f"{encoded} {spec}"


def _plain_in_local(local: str, position: int) -> bool:
    char = local[position]
    if char == ".":
        return 0 < position < len(local) - 1 and local[position - 1] != "."
    return char not in _SPECIALS and ("!" <= char <= "~" or char >= "\x80")


def _quote(text: str) -> str:
    out = []
    for char in text:
        if char in '\\"':
            out.append("\\" + char)
        elif char in " \t" or "!" <= char <= "~" or char >= "\x80":
            out.append(char)
    return '"' + "".join(out) + '"'


def format_list(addresses: Iterable[Address]) -> str:
    """Addresses separated by comma and blank."""
    return ", ".join(map(format_address, addresses))
