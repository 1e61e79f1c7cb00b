"""The letters of the measured mailboxes: ordinary mail of several kinds, the same octets for the same number.

Three in ten are plain, two HTML, four both, the rest have a small file or a quotation. A quarter has encoded headers, a third answers
another letter, every eighth holds the word that is searched. Bodies come from small pools, so that 50,000 letters are made in seconds.
"""

from __future__ import annotations

import base64
import hashlib
import quopri
import random
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from typing import Final

WORD: Final = "heronledger"
PHRASE: Final = b"The " + WORD.encode() + b" is closed.\r\n\r\n"
_POOL: Final = 48
_FIRST_DAY: Final = datetime(2024, 3, 4, 7, 30, tzinfo=UTC)
_BETWEEN: Final = timedelta(minutes=13)
_WORDS: Final = """
apple anchor autumn basket bicycle bottle bridge button candle canvas carpet castle cellar cherry circle copper corner cotton
cousin curtain dinner doctor engine fabric farmer feather finger forest fountain garden glass harbour hammer island jacket
kettle ladder lantern lemon letter market meadow mirror morning mountain needle office orange packet painter paper pencil pepper
piano pillow planet pocket potato printer rabbit ribbon river saddle sailor salad season shadow silver sister soup spring stable
station stone summer table teacher thread ticket timber tower train valley village violin wagon walnut water weather window
winter yellow
"""
_VOCABULARY: Final = _WORDS.split()
_PEOPLE: Final = ("Ada Keller", "Björn Lindström", "Chiara Conti", "Eva Nováková", "Gonçalo Pires", "Hana Sato", "Ivo Marin", "Jörg Weiß")


def lot(text: str) -> random.Random:
    """Numbers that the same text always gives again."""
    return random.Random(text)  # noqa: S311 - mail that is made up, no secret


def when(number: int) -> datetime:
    """When the letter with this number was sent and received."""
    return _FIRST_DAY + number * _BETWEEN


def letter(number: int, *, kind: str = "", thread: tuple[str, ...] = ()) -> bytes:
    """One letter; `kind` is drawn if it isn't given: plain, html, both, file, quoted, or small."""
    draw = lot(f"letter {number}")
    hit = number % 8 == 5
    chosen = kind or draw.choices(("plain", "html", "both", "file", "quoted"), (30, 20, 38, 8, 4))[0]
    content_type, body = _body(chosen, number, PHRASE if hit else b"")
    return _head(draw, number, thread, hit=hit) + content_type.encode() + b"\r\n" + body


def with_file(number: int, name: str, media_type: str, octets: bytes) -> bytes:
    """A letter of two lines with one file."""
    content_type, body = _mixed(
        number, _part("text/plain; charset=utf-8", "7bit", b"Hello,\r\n\r\nhere is the file.\r\n"), name, media_type, octets
    )
    return _head(lot(f"file {number}"), number, (), hit=False) + content_type.encode() + b"\r\n" + body


def message_id(number: int) -> str:
    """The Message-ID of a letter."""
    return f"<{number}.{hashlib.sha256(str(number).encode()).hexdigest()[:20]}@letters.example>"


def _sentences(draw: random.Random, chars: int) -> str:
    lines: list[str] = []
    held = 0
    while held < chars:
        words = draw.choices(_VOCABULARY, k=draw.randint(7, 12))
        lines.append(" ".join(words).capitalize() + ".")
        held += len(lines[-1]) + 2
        if draw.random() < 0.2:
            lines.append("")
    return "\r\n".join(lines) + "\r\n"


@cache
def _plain(place: int) -> bytes:
    draw = lot(f"plain {place}")
    return _sentences(draw, draw.randint(400, 3_000)).encode()


@cache
def _page(place: int) -> str:
    draw = lot(f"page {place}")
    styles = "".join(f".k{step}{{margin:{step}px;color:#{draw.randrange(1 << 24):06x}}}" for step in range(12))
    rows = "\r\n".join(
        f'<tr><td class="k{draw.randrange(12)}"><h2>{_sentences(draw, 40).strip()}</h2><p>{_sentences(draw, 160).strip()} 9&euro;</p>'
        f'<a href="https://shop.example/{draw.randrange(1 << 48):x}">More</a></td></tr>'
        for _ in range(draw.randint(2, 10))
    )
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"><style>{styles}</style></head><body><table>{rows}</table></body></html>'


@cache
def _page_quoted(place: int) -> bytes:
    return quopri.encodestring(_page(place).replace("\r\n", "\n").encode()).replace(b"\n", b"\r\n")


@cache
def _page_base64(place: int) -> bytes:
    return base64.encodebytes(_page(place).encode()).replace(b"\n", b"\r\n")


@cache
def _file(place: int) -> bytes:
    draw = lot(f"small file {place}")
    return draw.randbytes(draw.randint(3_000, 12_000))


def _body(kind: str, number: int, note: bytes) -> tuple[str, bytes]:
    """Content-Type and transfer encoding fields, and the body."""
    place = number % _POOL
    if kind == "small":
        return "Content-Type: text/plain; charset=us-ascii\r\n", _sentences(lot(f"small {number}"), 700).encode()
    if kind == "plain":
        return "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n", note + _plain(place)
    if kind == "quoted":
        old = b"".join(b"> " + line for line in _plain((number + 5) % _POOL).splitlines(keepends=True))
        return "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n", note + _plain(place) + b"\r\n" + old
    if kind == "html" and number % 3 and not note:
        return "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n", _page_base64(place)
    if kind == "html":
        return "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n", note + _page_quoted(place)
    mark = f"=_both_{number}"
    texts = (
        _part("text/plain; charset=utf-8", "8bit", note + _plain(place)),
        _part("text/html; charset=utf-8", "quoted-printable", _page_quoted(place)),
    )
    content_type, body = f'Content-Type: multipart/alternative; boundary="{mark}"\r\n', _joined(mark, texts)
    if kind == "both":
        return content_type, body
    return _mixed(number, content_type.encode() + b"\r\n" + body, "plan.png", "image/png", _file(place))


def _part(media_type: str, encoding: str, body: bytes, more: str = "") -> bytes:
    return f"Content-Type: {media_type}\r\nContent-Transfer-Encoding: {encoding}\r\n{more}\r\n".encode() + body


def _joined(mark: str, parts: tuple[bytes, ...]) -> bytes:
    return b"".join(f"--{mark}\r\n".encode() + part + b"\r\n" for part in parts) + f"--{mark}--\r\n".encode()


def _mixed(number: int, text: bytes, name: str, media_type: str, octets: bytes) -> tuple[str, bytes]:
    mark = f"=_mixed_{number}"
    encoded = base64.encodebytes(octets).replace(b"\n", b"\r\n")
    file = _part(f'{media_type}; name="{name}"', "base64", encoded, f'Content-Disposition: attachment; filename="{name}"\r\n')
    return f'Content-Type: multipart/mixed; boundary="{mark}"\r\n', _joined(mark, (text, file))


def _head(draw: random.Random, number: int, thread: tuple[str, ...], *, hit: bool) -> bytes:
    person = draw.choice(_PEOPLE)
    subject = " ".join(draw.choices(_VOCABULARY, k=draw.randint(3, 8))).capitalize()
    if draw.random() < 0.25:
        subject = f"Été: {subject} ✓"
    if hit and draw.random() < 0.3:
        subject += f" {WORD}"
    if not thread and number > 60 and draw.random() < 0.33:
        thread = tuple(message_id(number - 1 - draw.randrange(50)) for _ in range(draw.randint(1, 5)))
    if thread:
        subject = f"Re: {subject}"
    date = format_datetime(when(number))
    others = "".join(
        f",\r\n {draw.choice(_VOCABULARY)}.{draw.choice(_VOCABULARY)}@people.example" for _ in range(draw.choice((0, 0, 0, 1, 3)))
    )
    sender = f"{draw.choice(_VOCABULARY)}@{draw.choice(('people.example', 'shop.example'))}"
    signature = base64.b64encode(draw.randbytes(192)).decode()
    relay = f"relay{number % 5}.letters.example"
    lines = [
        f"Return-Path: <{sender}>",
        f"Received: from {relay} ([127.0.0.1])\r\n\tby mx.letters.example with ESMTPS id {draw.randrange(1 << 48):012X};\r\n\t{date}",
        f"DKIM-Signature: v=1; a=rsa-sha256; d=letters.example; bh={signature[:44]};\r\n\tb={signature[44:120]}\r\n\t {signature[120:]}",
        f"From: {_encoded(person)} <{sender}>",
        f"To: Bench <bench@letters.example>{others}",
        f"Subject: {_encoded(subject)}",
        f"Date: {date}",
        f"Message-ID: {message_id(number)}",
        "MIME-Version: 1.0",
        f"List-Unsubscribe: <https://shop.example/leave/{number}>",
    ]
    if draw.random() < 0.25:
        lines.insert(5, f"Cc: {draw.choice(_VOCABULARY)}@people.example, {draw.choice(_VOCABULARY)}@shop.example")
    if thread:
        lines += [f"In-Reply-To: {thread[-1]}", "References: " + "\r\n ".join(thread)]
    return "\r\n".join(lines).encode() + b"\r\n"


def _encoded(text: str) -> str:
    """As encoded words of RFC 2047, one for every thirty characters."""
    if text.isascii():
        return text
    pieces = (text[at : at + 30].encode() for at in range(0, len(text), 30))
    return "\r\n ".join(f"=?utf-8?b?{base64.b64encode(piece).decode()}?=" for piece in pieces)
