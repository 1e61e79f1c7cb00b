"""A long text in pieces says what it says as a whole, wherever it is cut."""

from __future__ import annotations

import base64
import quopri
from typing import TYPE_CHECKING

import pytest

from proton_safe.mime import charsets, transfer
from proton_safe.mime.long_text import LONG_OCTETS, LongText, readable_in_pieces
from proton_safe.mime.structure import Part
from proton_safe.untrusted.clean import clean

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = "".join(f"Zeile {number}: größe 𝄞 = 100 %\u200b \u202e\r\n" for number in range(400))
ENCODERS: dict[str, Callable[[bytes], bytes]] = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring, "8bit": bytes}


def part(encoding: str = "", **parameters: bytes) -> Part:
    """A long plain text."""
    return Part("1", "text/plain", parameters, encoding, LONG_OCTETS + 1)


def fed(text: LongText, encoded: bytes, step: int) -> LongText:
    """The text after pieces of so many octets."""
    for begin in range(0, len(encoded) + step, step):
        piece = encoded[begin : begin + step]
        if not text.filled:
            text.feed(piece, last=len(piece) < step)
    return text


@pytest.mark.parametrize("encoding", ENCODERS)
@pytest.mark.parametrize("step", [97, 1_000, 8_192])
def test_pieces_say_what_the_whole_says(encoding: str, step: int) -> None:
    """Characters, escapes, groups of base64 and line ends are cut everywhere; counts of what was cleaned are the same."""
    encoded = ENCODERS[encoding](TEXT.encode())
    whole = clean(charsets.decode(transfer.decode(encoded, encoding).octets, "utf-8").text)
    found = fed(LongText(part(encoding, charset=b"utf-8"), 0, 100_000), encoded, step)
    assert (found.text, found.total_chars) == (whole.text, len(whole.text))
    assert (found.escaped, found.removed, found.warnings, found.ended) == (whole.escaped, whole.removed, (), True)


@pytest.mark.parametrize("offset", [0, 1, 5_000, 99_999])
def test_a_range_is_that_of_the_whole_and_no_more_is_read_than_it_needs(offset: int) -> None:
    """`offset_chars` means the same character in every call."""
    encoded = TEXT.encode()
    whole = clean(TEXT).text
    found = fed(LongText(part(charset=b"utf-8"), offset, 700), encoded, 1_000)
    assert found.text == whole[offset : offset + 700]
    assert found.ended is (offset > len(whole))


def test_a_line_without_end_is_cut_between_characters() -> None:
    """Attack catalogue mime/one-line-25mb."""
    encoded = ("x" + "é" * 5_000).encode()
    found = fed(LongText(part(charset=b"utf-8"), 0, 9_000), encoded, 777)
    assert (found.text, found.warnings) == ("x" + "é" * 5_000, ())
    equals = fed(LongText(part("quoted-printable", charset=b"utf-8"), 0, 9_000), b"=C3=A9" * 2_000, 778)
    assert equals.text == "é" * 2_000


def test_the_first_padding_ends_base64() -> None:
    """One decoder for all readers: what follows the padding is no text (mime/base64-garbage)."""
    found = fed(LongText(part("base64"), 0, 9_000), base64.b64encode(b"one") + b"=" + base64.b64encode(b"two") * 99, 50)
    assert (found.text, found.warnings) == ("one", ("body-damaged",))


def test_flowed_text_is_joined() -> None:
    """RFC 3676; a paragraph may break where a piece ends."""
    found = fed(LongText(part(format=b"flowed"), 0, 100), b"one \r\ntwo\r\nthree\r\n", 1_000)
    assert found.text == "one two\nthree\n"


@pytest.mark.parametrize(
    "charset, size, sized, readable",
    [
        (b"utf-8", LONG_OCTETS + 1, True, True),
        (b"iso-8859-1", LONG_OCTETS + 1, True, True),
        (b"unheard-of", LONG_OCTETS + 1, True, True),
        (b"utf-16", LONG_OCTETS + 1, True, False),
        (b"iso-2022-jp", LONG_OCTETS + 1, True, False),
        (b"utf-8", LONG_OCTETS, True, False),
        (b"utf-8", LONG_OCTETS + 1, False, False),
    ],
)
def test_only_long_texts_whose_pieces_stand_alone_are_read_so(charset: bytes, size: int, sized: bool, readable: bool) -> None:
    """Charsets with states or wide units can't be begun anywhere."""
    assert readable_in_pieces(Part("1", "text/plain", {"charset": charset}, size=size, sized=sized)) is readable
