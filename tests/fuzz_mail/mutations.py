"""Mutated mails: each is made of one or two seeds by a few steps, all drawn from one number."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from tests.fuzz_mail.pieces import CHARSETS, ENCODINGS, HEADERS, MARKUP, TEXTS, VALUES

MOST_OCTETS: Final = 400_000
MOST_STEPS: Final = 5
_BOUNDARY: Final = re.compile(rb'boundary="?([^"\r\n;]{1,70})')
_CHARSET: Final = re.compile(rb'(charset=)"?[^"\r\n;]*"?', re.IGNORECASE)
_ENCODING: Final = re.compile(rb"(Content-Transfer-Encoding:)[^\r\n]*", re.IGNORECASE)
_PARAMETER: Final = re.compile(rb"((?:file)?name[*0-9]*=)[^\r\n;]*", re.IGNORECASE)
_TYPE: Final = re.compile(rb"(Content-Type:)[^\r\n]*", re.IGNORECASE)

Step = Callable[[Random, bytes], bytes]


class Mutator:
    """An endless list of mails over a set of seeds: the same number gives the same mail as long as the seeds are the same.

    Each is changed in 1 to `steps` steps; with 0 it stays as it is.
    """

    def __init__(self, seeds: Sequence[bytes], start: int, *, steps: int = MOST_STEPS) -> None:
        self._seeds = tuple(seeds)
        self._start = start
        self._steps = steps

    def mail(self, number: int) -> bytes:
        """The mail of this number, at most 400,000 octets."""
        draw = Random(f"{self._start} {number}")  # noqa: S311 - the same mails for the same seed
        octets = draw.choice(self._seeds)
        for _ in range(draw.randrange(1, self._steps + 1) if self._steps else 0):
            octets = self._spliced(draw, octets) if draw.random() < 0.12 else draw.choice(STEPS)(draw, octets)
        return octets[:MOST_OCTETS]

    def _spliced(self, draw: Random, octets: bytes) -> bytes:
        """The beginning of one mail and the end of another, cut anywhere or at line ends; or the one as a part of the other."""
        other = draw.choice(self._seeds)
        kind = draw.randrange(3)
        if kind == 0:
            return octets[: _at(draw, octets)] + other[_at(draw, other) :]
        if kind == 1:
            return octets[: _line(draw, octets)] + other[_line(draw, other) :]
        boundaries = _BOUNDARY.findall(octets)
        if not boundaries:
            return other + octets
        mark = b"--" + draw.choice(boundaries)
        cut = octets.find(mark, _at(draw, octets))
        as_part = draw.choice((b"\r\nContent-Type: message/rfc822\r\n\r\n", b"\r\n")) + other + b"\r\n"
        return octets if cut < 0 else octets[:cut] + mark + as_part + octets[cut:]


def _at(draw: Random, octets: bytes) -> int:
    return draw.randrange(len(octets) + 1)


def _line(draw: Random, octets: bytes) -> int:
    """The beginning of a line."""
    return octets.find(b"\n", _at(draw, octets)) + 1


def _body_at(octets: bytes) -> int:
    found = octets.find(b"\r\n\r\n")
    return len(octets) if found < 0 else found + 4


def _flipped(draw: Random, octets: bytes) -> bytes:
    changed = bytearray(octets)
    for _ in range(draw.choice((1, 3, 20)) if changed else 0):
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _truncated(draw: Random, octets: bytes) -> bytes:
    return octets[: _at(draw, octets)]


def _cut_out(draw: Random, octets: bytes) -> bytes:
    start = _at(draw, octets)
    return octets[:start] + octets[start + draw.choice((1, 2, 30, 500)) :]


def _repeated(draw: Random, octets: bytes) -> bytes:
    """A stretch of the mail several times: an octet, a line, a part."""
    start, length = _line(draw, octets), draw.choice((1, 80, 2_000))
    stretch = octets[start : start + length]
    return octets[:start] + stretch * min(draw.choice((2, 10, 400)), 1 + 100_000 // max(1, len(stretch))) + octets[start:]


def _inserted(draw: Random, octets: bytes) -> bytes:
    at = _at(draw, octets)
    return octets[:at] + draw.choice((*TEXTS, *MARKUP, draw.randbytes(draw.randrange(1, 60)))) + octets[at:]


def _inserted_in_body(draw: Random, octets: bytes) -> bytes:
    start = _body_at(octets)
    at = start + octets[start:].find(b"\n", draw.randrange(len(octets) - start + 1)) + 1
    return octets[:at] + draw.choice((*TEXTS, *MARKUP)) + octets[at:]


def _header_added(draw: Random, octets: bytes) -> bytes:
    line = draw.choice(HEADERS) + b": " + draw.choice(VALUES) + b"\r\n"
    return line + octets if draw.random() < 0.5 else octets.replace(b"\r\n\r\n", b"\r\n" + line + b"\r\n", 1)


def _header_changed(draw: Random, octets: bytes) -> bytes:
    """The value of one header line, anywhere in the mail."""
    name = draw.choice(HEADERS[:16])
    found = list(re.finditer(re.escape(name) + rb":[^\r\n]*", octets, re.IGNORECASE))
    if not found:
        return _header_added(draw, octets)
    one = draw.choice(found)
    return octets[: one.start()] + name + b":" + draw.choice(VALUES) + octets[one.end() :]


def _replaced(pattern: re.Pattern[bytes], values: Sequence[bytes]) -> Step:
    def step(draw: Random, octets: bytes) -> bytes:
        found = list(pattern.finditer(octets))
        if not found:
            return _header_changed(draw, octets)
        one = draw.choice(found)
        return octets[: one.start()] + one[1] + draw.choice(values) + octets[one.end() :]

    return step


def _boundary_changed(draw: Random, octets: bytes) -> bytes:
    """A boundary line or its declaration: blanks, dashes, cut short, or the boundary of another level."""
    found = _BOUNDARY.findall(octets)
    if not found:
        return _header_changed(draw, octets)
    one = draw.choice(found)
    instead = draw.choice((one + b"  ", one + b"-", one[:-1], one + b"--", draw.choice(found), b" " + one, one.swapcase(), b""))
    count = draw.choice((1, 2, -1))
    return octets.replace(one, instead, count)


def _line_ends(draw: Random, octets: bytes) -> bytes:
    ends = draw.choice((b"\n", b"\r", b"\r\r\n", b"\n\r"))
    start, stop = sorted((_at(draw, octets), _at(draw, octets)))
    return octets[:start] + octets[start:stop].replace(b"\r\n", ends) + octets[stop:]


def _wrapped(draw: Random, octets: bytes) -> bytes:
    """The whole mail inside of some levels of multiparts or messages."""
    for level in range(draw.choice((1, 3, 30))):
        if draw.random() < 0.3:
            octets = b"Subject: outer\r\nContent-Type: message/rfc822\r\n\r\n" + octets
        else:
            kind, mark = draw.choice((b"mixed", b"alternative", b"related", b"signed", b"digest", b"report")), b"w%d" % level
            head = b"Subject: outer\r\nContent-Type: multipart/" + kind + b"; boundary=" + mark + b"\r\n\r\n--" + mark + b"\r\n"
            octets = head + octets + b"\r\n--" + mark + draw.choice((b"--\r\n", b"\r\n", b"", b"\r\n\r\nmore\r\n--" + mark + b"--\r\n"))
        if len(octets) > MOST_OCTETS // 2:
            break
    return octets


def _body_encoded(draw: Random, octets: bytes) -> bytes:
    """The body in base64, declared or not, whole or damaged."""
    at = _body_at(octets)
    body = base64.encodebytes(octets[at:]).replace(b"\n", b"\r\n")
    if draw.random() < 0.5:
        body = _cut_out(draw, body)
    line = b"Content-Transfer-Encoding: base64\r\n" if draw.random() < 0.8 else b""
    return line + octets[:at] + body


STEPS: Final[tuple[Step, ...]] = (
    _flipped,
    _truncated,
    _cut_out,
    _repeated,
    _inserted,
    _inserted_in_body,
    _header_added,
    _header_changed,
    _replaced(_CHARSET, CHARSETS),
    _replaced(_ENCODING, ENCODINGS),
    _replaced(_PARAMETER, VALUES),
    _replaced(_TYPE, VALUES),
    _boundary_changed,
    _line_ends,
    _wrapped,
    _body_encoded,
)
