"""The language between the server and its extraction child: length-prefixed frames over two pipes.

A frame is four octets of length (big-endian) and that many octets. The child first says what holds it (`Ready`), then reads one
request (a JSON frame and a frame of octets), answers with one JSON frame and ends. Plain data only, never pickled objects.
Neither side trusts the other's lengths: each names the longest frame that it will take.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import IO, Any, Final

HEADER_OCTETS: Final = 4
MAX_REQUEST_OCTETS: Final = 4_096
MAX_INPUT_OCTETS: Final = 26_214_400
MAX_READY_OCTETS: Final = 1_024
MAX_ANSWER_OCTETS: Final = 1024 * 1024
MAX_HTML_ANSWER_OCTETS: Final = 16 * 1024 * 1024


class Task(StrEnum):
    """What a child is for: it imports one parser only."""

    PDF = "pdf"
    HTML = "html"


class Outcome(StrEnum):
    """How a child's work ended, in the child's own words."""

    TEXT = "text"
    ENCRYPTED = "encrypted"
    MALFORMED = "malformed"
    NO_TEXT = "no-text"
    LIMIT = "limit"
    MEMORY = "memory"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Request:
    """What to do with the octets that follow. `nonce` comes back in the answer; the figures bound a PDF's text."""

    nonce: str
    max_pages: int = 0
    offset_chars: int = 0
    max_chars: int = 0


class BadFrame(Exception):
    """The other side sent something that is not the next frame."""


def frame(payload: bytes) -> bytes:
    """The payload behind its length."""
    return len(payload).to_bytes(HEADER_OCTETS, "big") + payload


def length_of(header: bytes, *, at_most: int) -> int:
    """The length that a header names; `BadFrame` when it is longer than the reader wants."""
    length = int.from_bytes(header, "big")
    if length > at_most:
        raise BadFrame
    return length


def _exactly(stream: IO[bytes], count: int) -> bytes:
    pieces: list[bytes] = []
    while count:
        piece = stream.read(count)
        if not piece:
            raise BadFrame
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def read_frame(stream: IO[bytes], *, at_most: int) -> bytes:
    """The next frame's payload from a blocking stream; `BadFrame` when it is too long or the stream ends."""
    return _exactly(stream, length_of(_exactly(stream, HEADER_OCTETS), at_most=at_most))


def encode(value: dict[str, Any]) -> bytes:
    """A JSON object as a frame."""
    return frame(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))


def encode_request(request: Request, octets: bytes) -> bytes:
    """The two frames that ask for work."""
    return encode(asdict(request)) + frame(octets)


def decode_object(payload: bytes) -> dict[str, Any]:
    """The JSON object of a payload; `BadFrame` when it is anything else."""
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise BadFrame from error
    if not isinstance(value, dict):
        raise BadFrame
    return value


def decode_request(payload: bytes) -> Request:
    """The request of a payload; `BadFrame` when a field is missing, unknown or of another type."""
    value = decode_object(payload)
    figures = ("max_pages", "offset_chars", "max_chars")
    if set(value) != {"nonce", *figures} or not isinstance(value["nonce"], str) or any(type(value[name]) is not int for name in figures):
        raise BadFrame
    return Request(value["nonce"], value["max_pages"], value["offset_chars"], value["max_chars"])
