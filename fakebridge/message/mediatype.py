"""Content-Type and Content-Disposition values: reading them as Bridge's two readers do, writing them as it writes them.

``parse`` is the reader of the IMAP side (encoded words decoded first, a parameter given twice keeps its last value, RFC 2231 in any
character set); ``parse_plain`` is the stricter one underneath, which the MIME parser of the draft path asks first. RFC 2045, 2231;
bridge-behaviour 3.7; dialogues 13, 21.
"""

import re
from dataclasses import dataclass
from typing import Final

from fakebridge.message.charset import UnknownCharset, decoder_for
from fakebridge.message.goquote import go_quote
from fakebridge.message.qword import WordError, decode_header

_TOKEN: Final = re.compile(r"[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]+")
_TOKEN_CHARS: Final = frozenset("!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz{|}~")
_SPACE: Final = "\t\n\v\f\r \x85\xa0"
_BLANKS: Final = re.compile(r"[\t\n\v\f\r \x85\xa0]+")
_PERCENT: Final = re.compile(r"%([0-9A-Fa-f]{2})?")


class MediaTypeError(Exception):
    """The value is no media type; ``text`` is Bridge's sentence, ``kind`` what could be read of the type before the fault."""

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.kind = kind


@dataclass(frozen=True, slots=True)
class MediaType:
    """A lower-case type (or disposition) and its parameters, names lower-case, values decoded, in order of appearance."""

    kind: str
    params: dict[str, str]

    @property
    def main(self) -> str:
        """What stands before the slash; empty if there is no slash."""
        return self.kind.split("/", 1)[0] if "/" in self.kind else ""

    @property
    def sub(self) -> str:
        """What stands behind the slash; empty if there is no slash."""
        return self.kind.split("/", 1)[1] if "/" in self.kind else ""


def parse(value: str) -> MediaType:
    """Read a value the lenient way.

    Raises:
        MediaTypeError: an empty value (``empty content type``), octets that are not UTF-8, or no media type.
    """
    if not value:
        raise MediaTypeError("empty content type")
    try:
        decoded = decode_header(value)
    except WordError:
        decoded = value
    if any(0xDC80 <= ord(char) <= 0xDCFF for char in decoded):
        raise MediaTypeError("header contains non utf8 chars: <nil>")
    return parse_plain(_last_definitions(decoded))


def parse_plain(value: str) -> MediaType:
    """Read a value strictly: no parameter twice with two values, RFC 2231 in US-ASCII and UTF-8 only.

    Raises:
        MediaTypeError: no media type, or parameters that cannot be read (``kind`` is then known).
    """
    base = value.split(";", 1)[0]
    kind = base.lower().strip(_SPACE)
    _check_kind(kind)
    plain: dict[str, str] = {}
    pieces: dict[str, dict[str, str]] = {}
    position = len(base)
    while (position := _skip(value, position)) < len(value):
        found = _consume(value, position)
        if found is None:
            if value[position:].strip(_SPACE) == ";":
                return MediaType(kind, plain)
            raise MediaTypeError("mime: invalid media parameter", kind)
        key, content, position = found
        target = pieces.setdefault(key.split("*", 1)[0], {}) if "*" in key else plain
        if target.get(key, content) != content:
            raise MediaTypeError("mime: duplicate parameter name")
        target[key] = content
    for name, parts in pieces.items():
        joined = _join(name, parts)
        if joined is not None:
            plain[name] = joined
    return MediaType(kind, plain)


def _check_kind(kind: str) -> None:
    head = _TOKEN.match(kind)
    if head is None:
        raise MediaTypeError("mime: no media type")
    rest = kind[head.end() :]
    if not rest:
        return
    if not rest.startswith("/"):
        raise MediaTypeError("mime: expected slash after first token")
    tail = _TOKEN.match(rest, 1)
    if tail is None:
        raise MediaTypeError("mime: expected token after slash")
    if tail.end() != len(rest):
        raise MediaTypeError("mime: unexpected content after media subtype")


def _skip(text: str, position: int) -> int:
    """The offset behind white space."""
    found = _BLANKS.match(text, position)
    return found.end() if found else position


def _consume(text: str, position: int) -> tuple[str, str, int] | None:
    """The parameter at ``position`` (where its semicolon stands) and the offset behind it; None if there is none."""
    if not text.startswith(";", position):
        return None
    name = _TOKEN.match(text, _skip(text, position + 1))
    if name is None:
        return None
    position = _skip(text, name.end())
    if not text.startswith("=", position):
        return None
    position = _skip(text, position + 1)
    value, end = _value(text, position)
    if end == position:
        return None
    return name.group().lower(), value, end


def _value(text: str, position: int) -> tuple[str, int]:
    """A token or a quoted string at ``position`` and the offset behind it; the same offset if there is none."""
    if not text.startswith('"', position):
        token = _TOKEN.match(text, position)
        return (token.group(), token.end()) if token else ("", position)
    out: list[str] = []
    at = position + 1
    while at < len(text):
        char = text[at]
        if char == '"':
            return "".join(out), at + 1
        if char == "\\" and at + 1 < len(text) and text[at + 1] not in _TOKEN_CHARS:
            at += 1
        elif char in "\r\n":
            return "", position
        out.append(text[at])
        at += 1
    return "", position


def _join(name: str, parts: dict[str, str]) -> str | None:
    """One value out of RFC 2231 pieces; None if nothing of it can be read."""
    single = parts.get(name + "*")
    if single is not None:
        return _extended(single)
    out: list[str] = []
    number = 0
    while True:
        simple = parts.get(f"{name}*{number}")
        encoded = parts.get(f"{name}*{number}*")
        if simple is not None:
            out.append(simple)
        elif encoded is not None:
            decoded = _extended(encoded) if number == 0 else _unescape(encoded)
            out.append(decoded or "")
        else:
            break
        number += 1
    return "".join(out) if number else None


def _extended(value: str) -> str | None:
    """``charset'language'text`` in US-ASCII or UTF-8; None in any other form."""
    parts = value.split("'", 2)
    if len(parts) != 3 or parts[0].lower() not in {"us-ascii", "utf-8"}:
        return None
    return _unescape(parts[2])


def _unescape(value: str) -> str | None:
    octets = _percent(value)
    return None if octets is None else octets.decode("utf-8", "surrogateescape")


def _percent(value: str) -> bytes | None:
    """Percent escapes decoded; None if one of them is broken."""
    raw = value.encode("utf-8", "surrogateescape")
    if b"%" not in raw:
        return raw
    text = raw.decode("latin-1")
    if any(match.group(1) is None for match in _PERCENT.finditer(text)):
        return None
    return _PERCENT.sub(lambda match: chr(int(match.group(1), 16)), text).encode("latin-1")


def _last_definitions(value: str) -> str:
    """The value rewritten so that the strict reader takes it: last of equal names wins, RFC 2231 text turned into UTF-8."""
    base = value.split(";", 1)[0]
    position = len(base)
    plain: dict[str, str] = {}
    pieces: dict[str, dict[str, str]] = {}
    keep = True
    while (position := _skip(value, position)) < len(value):
        found = _consume(value, position)
        if found is None:
            break
        key, content, position = found
        target = plain
        if "*" in key:
            target = pieces.setdefault(key.split("*", 1)[0], {})
            if key[key.index("*") :] in {"*", "*0*"}:
                parts = content.split("'", 2)
                if len(parts) != 3:
                    continue
                keep = keep and parts[0].lower() in {"utf-8", "us-ascii"}
        keep = keep and key not in target
        target[key] = content
    if keep:
        return value
    for name, parts_of in pieces.items():
        merged = _as_utf8(name, parts_of)
        if merged is None:
            plain.update(parts_of)
        else:
            plain[name + "*"] = merged
    return base.lower().strip(_SPACE) + "".join(f";{key}={content}" for key, content in plain.items())


def _as_utf8(name: str, parts: dict[str, str]) -> str | None:
    """RFC 2231 pieces in any character set as one ``utf-8''…`` text; None if they cannot be read."""
    value = parts.get(name + "*")
    if value is None:
        number, value = 0, ""
        while True:
            simple = parts.get(f"{name}*{number}")
            piece = simple if simple is not None else parts.get(f"{name}*{number}*")
            if piece is None:
                return None
            value += piece
            number += 1
            if simple is not None:
                break
    label = value.split("'", 2)
    if len(label) != 3 or not label[0]:
        return None
    octets = _percent(label[2])
    if octets is None:
        return None
    try:
        text = decoder_for(label[0])(octets)
    except UnknownCharset:
        return None
    return "utf-8''" + "".join(f"%{octet:x}" for octet in text.encode("utf-8", "surrogateescape"))


def write(kind: str, params: dict[str, str]) -> str:
    """The value as Bridge writes it: parameters sorted, quoted where they are no token, RFC 2231 where they are not ASCII.

    Returns the empty string for a type or a name that cannot be written.
    """
    main, slash, sub = kind.partition("/")
    if not _TOKEN.fullmatch(main) or (slash and not _TOKEN.fullmatch(sub)):
        return ""
    out = [kind.lower()]
    for name in sorted(params):
        if not _TOKEN.fullmatch(name):
            return ""
        value = params[name]
        if any((char < " " or char > "~") and char != "\t" for char in value):
            octets = value.encode("utf-8", "surrogateescape")
            text = "".join(chr(o) if chr(o) in _TOKEN_CHARS and chr(o) not in "*'%" else f"%{o:02X}" for o in octets)
            out.append(f"; {name.lower()}*=utf-8''{text}")
        elif value and _TOKEN.fullmatch(value):
            out.append(f"; {name.lower()}={value}")
        else:
            out.append(f"; {name.lower()}={go_quote(value, escape_unprintable=False)}")
    return "".join(out)
