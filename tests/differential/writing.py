"""The octets of an ordinary mail, written here from the RFCs alone: no parser's own writer has a hand in it."""

from __future__ import annotations

import base64
import html
import re
import textwrap
from collections.abc import Iterator
from typing import Final

from tests.differential.languages import Charset
from tests.differential.ordinary import File, Ordinary, Person

MAX_WORD: Final = 75
_FLOWED_CHARS: Final = 66
_Q_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")
_ATTRIBUTE: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~")
_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_PICTURE: Final = b"\x89PNG\r\n\x1a\n inert"


def octets(mail: Ordinary) -> bytes:
    """The whole mail with CR LF line ends."""
    lines = [
        b"From: " + _mailbox(mail, mail.sender),
        b"To: " + b",\r\n ".join(_mailbox(mail, one) for one in mail.to),
        *([b"Cc: " + b",\r\n\t".join(_mailbox(mail, one) for one in mail.cc)] if mail.cc else []),
        b"Subject: " + b"\r\n ".join(_words(mail, mail.subject)),
        b"Date: " + _date(mail),
        b"Message-ID: " + mail.message_id.encode(),
        b"MIME-Version: 1.0",
    ]
    return b"\r\n".join(lines) + b"\r\n" + _root(mail)


def _date(mail: Ordinary) -> bytes:
    at = mail.date
    comment = " (local time)" if mail.number % 5 == 0 else ""
    return f"{_DAYS[at.weekday()]}, {at.day} {_MONTHS[at.month - 1]} {at.year} {at:%H:%M:%S %z}{comment}".encode()


def _mailbox(mail: Ordinary, person: Person) -> bytes:
    address = person.address.encode()
    if not person.name:
        return address
    if _ATOMS.fullmatch(person.name) and "=?" not in person.name:
        return person.name.encode() + b" <" + address + b">"
    if person.name.isascii() or mail.header_form == "raw":
        quoted = person.name.replace("\\", "\\\\").replace('"', '\\"')
        return b'"' + quoted.encode() + b'" <' + address + b">"
    return b"\r\n ".join((*_encoded(person.name, mail.charset, mail.header_form), b"<" + address + b">"))


def _words(mail: Ordinary, text: str) -> list[bytes]:
    """An unstructured text in pieces, between which a line may be folded."""
    if text.isascii() or mail.header_form == "raw":
        return [piece.encode() for piece in textwrap.wrap(text, 60)]
    return _encoded(text, mail.charset, mail.header_form)


def _encoded(text: str, charset: Charset, form: str) -> list[bytes]:
    """RFC 2047: words of at most 75 octets, each holding whole characters."""
    words: list[bytes] = []
    piece = ""
    for char in text:
        if piece and len(_word(piece + char, charset, form)) > MAX_WORD:
            words.append(_word(piece, charset, form))
            piece = ""
        piece += char
    return [*words, _word(piece, charset, form)]


def _word(text: str, charset: Charset, form: str) -> bytes:
    raw = text.encode(charset.codec)
    if form == "q":
        payload = "".join(chr(octet) if octet in _Q_PLAIN else "_" if octet == 32 else f"={octet:02X}" for octet in raw)
        return f"=?{charset.label}?Q?{payload}?=".encode()
    return f"=?{charset.label}?B?{base64.b64encode(raw).decode()}?=".encode()


def _root(mail: Ordinary) -> bytes:
    match mail.structure:
        case "plain":
            return _plain(mail)
        case "html":
            return _html(mail)
        case "alternative":
            return _multipart("alternative", "a", _plain(mail), _html(mail))
        case "related":
            return _multipart("related", "r", _html(mail), _picture())
        case "alternative-related":
            return _multipart("alternative", "a", _plain(mail), _multipart("related", "r", _html(mail), _picture()))
        case "nested":
            inner = _multipart("mixed", "i", _multipart("alternative", "a", _plain(mail), _html(mail)))
            return _multipart("mixed", "o", inner, *(_file(mail, one) for one in mail.files))
        case "forward":
            return _multipart("mixed", "o", _plain(mail), _forwarded())
        case "signed":
            return _multipart("signed", "s", _plain(mail), _signature())
        case _:
            return _multipart("mixed", "o", _plain(mail), *(_file(mail, one) for one in mail.files))


def _multipart(kind: str, name: str, *parts: bytes) -> bytes:
    boundary = f"=_{name}_{kind}_lamps"
    body = b"".join(f"--{boundary}\r\n".encode() + part + b"\r\n" for part in parts)
    return f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'.encode() + body + f"--{boundary}--\r\n".encode()


def _leaf(content_type: str, transfer: str, body: bytes, *lines: bytes) -> bytes:
    head = [f"Content-Type: {content_type}".encode(), f"Content-Transfer-Encoding: {transfer}".encode(), *lines]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def _plain(mail: Ordinary) -> bytes:
    lines = [piece for line in mail.lines for piece in _flowed(line, delsp=mail.delsp)] if mail.flowed else list(mail.lines)
    flow = "; format=flowed" + ("; delsp=yes" if mail.delsp else "") if mail.flowed else ""
    return _leaf(f"text/plain; charset={mail.charset.label}{flow}", mail.transfer, _transferred(mail, "\r\n".join(lines)))


def _flowed(line: str, *, delsp: bool) -> Iterator[str]:
    """RFC 3676: a long line as soft-broken ones, each stuffed where it must be."""
    if line == "-- ":
        yield line
        return
    rest = line.rstrip(" ")
    while len(rest) > _FLOWED_CHARS:
        cut = rest.rfind(" ", 1, _FLOWED_CHARS) + 1 or _FLOWED_CHARS
        if not delsp and rest[cut - 1] != " ":
            break
        yield _stuffed(rest[:cut] + (" " if delsp else ""))
        rest = rest[cut:]
    yield _stuffed(rest)


def _stuffed(line: str) -> str:
    return f" {line}" if line.startswith((" ", "From ", ">")) else line


def _html(mail: Ordinary) -> bytes:
    paragraphs = "\r\n".join(f"<p>{html.escape(line)}</p>" for line in mail.lines if line.strip())
    page = f'<html><head><title></title></head><body style="margin:0">\r\n{paragraphs}\r\n</body></html>\r\n'
    return _leaf(f'text/html; charset="{mail.charset.label}"', mail.transfer, _transferred(mail, page))


def _transferred(mail: Ordinary, text: str) -> bytes:
    raw = text.encode(mail.charset.codec)
    if mail.transfer == "base64":
        return base64.encodebytes(raw).replace(b"\n", b"\r\n")
    return _quoted_printable(raw) if mail.transfer == "quoted-printable" else raw


def _quoted_printable(raw: bytes) -> bytes:
    """RFC 2045 6.7: lines of at most 76, no blank at the end of one."""
    written = []
    for line in raw.split(b"\r\n"):
        current = ""
        for at, octet in enumerate(line):
            last = at == len(line) - 1
            piece = chr(octet) if (33 <= octet <= 126 and octet != 61) or (octet in b" \t" and not last) else f"={octet:02X}"
            if len(current) + len(piece) > 75:
                written.append(current + "=\r\n")
                current = ""
            current += piece
        written.append(current + "\r\n")
    return "".join(written).removesuffix("\r\n").encode()


def _file(mail: Ordinary, file: File) -> bytes:
    name = _parameter("filename", file, mail.charset)
    return _leaf(
        file.content_type,
        "base64",
        base64.encodebytes(file.octets).replace(b"\n", b"\r\n"),
        b"Content-Disposition: attachment;\r\n " + b";\r\n ".join(name),
    )


def _parameter(name: str, file: File, charset: Charset) -> list[bytes]:
    """A parameter as RFC 2231 has it, whole or in sections, as an encoded word in quotes, or as it is in quotes."""
    key = name.encode()
    raw = file.name.encode(charset.codec)
    escaped = "".join(chr(octet) if octet in _ATTRIBUTE else f"%{octet:02X}" for octet in raw)
    if file.form == "rfc2231":
        return [key + f"*={charset.label}''{escaped}".encode()]
    if file.form == "sections":
        pieces = re.findall(r"(?:%..|.){1,20}", escaped)
        head = f"{charset.label}'en'"
        return [key + f"*{number}*={head if number == 0 else ''}{piece}".encode() for number, piece in enumerate(pieces)]
    if file.form == "word":
        return [key + b'="' + b" ".join(_encoded(file.name, charset, "b")) + b'"']
    return [key + b'="' + file.name.encode() + b'"']


def _picture() -> bytes:
    return _leaf(
        "image/png", "base64", base64.encodebytes(_PICTURE).replace(b"\n", b"\r\n"), b"Content-ID: <p@x>", b"Content-Disposition: inline"
    )


def _forwarded() -> bytes:
    inner = b"From: other@brook.example\r\nSubject: inner subject\r\n\r\ninner text that is not the letter's\r\n"
    return b"Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\n" + inner


def _signature() -> bytes:
    return _leaf("application/pgp-signature", "7bit", b"-----BEGIN PGP SIGNATURE-----\r\ninert\r\n", b"Content-Disposition: attachment")
