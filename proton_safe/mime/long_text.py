"""A long plain text, read piece by piece up to the range that is asked for: what lies before it is counted and forgotten.

Pieces are cut at fixed places of the encoded text, so that an offset means the same character in every call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from proton_safe.mime import charsets, transfer
from proton_safe.mime.defects import merged
from proton_safe.mime.flowed import unflow
from proton_safe.mime.parameters import value
from proton_safe.untrusted.clean import clean

if TYPE_CHECKING:
    from proton_safe.mime.defects import Defect
    from proton_safe.mime.structure import Part

# Pieces grow, since Bridge opens the whole mail for each; their places are the same in every call.
PIECE_OCTETS: Final = 262_144
LARGEST_PIECE_OCTETS: Final = 4_194_304
# Shorter texts are read whole, so that their length is known.
LONG_OCTETS: Final = PIECE_OCTETS
# More encoded octets than this for one character, beyond the first 4 MiB, are no text: nothing of them would be seen.
_OCTETS_A_CHARACTER: Final = 16
_LONG_LINE: Final = 65_536
_LONGEST_CHARACTER: Final = 4
_ALPHABET: Final = 4


def readable_in_pieces(part: Part) -> bool:
    """Whether a text is long, and in a charset whose octets below 128 are ASCII wherever a piece begins."""
    codec = charsets.codec_of(part.charset) if part.charset else "utf-8"
    return part.sized and part.size > LONG_OCTETS and part.media_type == "text/plain" and codec in {"utf-8", "cp1252", None}


@dataclass(slots=True)
class LongText:
    """The range `offset` to `offset + max_chars` of a part's cleaned text, filled by `feed`."""

    part: Part
    offset: int
    max_chars: int
    text: str = ""
    total_chars: int = 0
    escaped: int = 0
    removed: int = 0
    ended: bool = False
    warnings: tuple[Defect, ...] = ()
    _encoded: bytes = b""
    _octets: bytes = b""
    _seen: list[str] = field(default_factory=list)

    @property
    def filled(self) -> bool:
        """Whether the range is full, and one character more is known to follow, or the text has ended."""
        return self.ended or self.total_chars > self.offset + self.max_chars

    @property
    def most_octets(self) -> int:
        """How many encoded octets are read at most, however little of them is text."""
        return LARGEST_PIECE_OCTETS + _OCTETS_A_CHARACTER * (self.offset + self.max_chars)

    def give_up(self) -> None:
        """Take the text for ended where it is, with a warning."""
        self.text = "".join(self._seen)
        self.ended = True
        self.warnings = merged(self.warnings, ("body-truncated",))

    def feed(self, encoded: bytes, *, last: bool) -> None:
        """Take the next octets of the part, still in their transfer encoding. `last`: none follow.

        As everywhere, the first padding ends base64 data, though more may follow.
        """
        last = last or (self.part.encoding == "base64" and b"=" in encoded)
        whole, self._encoded = (self._encoded + encoded, b"") if last else _whole_groups(self._encoded + encoded, self.part.encoding)
        decoded = transfer.decode(whole, self.part.encoding, complete=last)
        octets, self._octets = (self._octets + decoded.octets, b"") if last else _whole_lines(self._octets + decoded.octets)
        read = charsets.decode(octets, self.part.charset, complete=last)
        self.warnings = merged(self.warnings, decoded.warnings, read.warnings)
        self._take(read.text)
        self.ended = last
        if self.filled:
            self.text = "".join(self._seen)

    def _take(self, text: str) -> None:
        if value(self.part.parameters, "format").lower() == "flowed":
            text = unflow(text, delete_space=value(self.part.parameters, "delsp").lower() == "yes")
        if not self.total_chars:
            text = text.lstrip("\r\n")
        cleaned = clean(text)
        begin = max(0, self.offset - self.total_chars)
        end = max(0, self.offset + self.max_chars - self.total_chars)
        if piece := cleaned.text[begin:end]:
            self._seen.append(piece)
        self.total_chars += len(cleaned.text)
        self.escaped += cleaned.escaped
        self.removed += cleaned.removed


def _whole_groups(encoded: bytes, encoding: str) -> tuple[bytes, bytes]:
    """The octets that can be decoded by themselves, and those that belong to what follows: no escape and no group of four is cut."""
    name = encoding.strip().lower()
    if name == "base64":
        surplus = len(encoded.translate(None, transfer.NOT_BASE64)) % _ALPHABET
        at = len(encoded)
        while surplus:
            at -= 1
            surplus -= encoded[at] not in transfer.NOT_BASE64
        return encoded[:at], encoded[at:]
    if name == "quoted-printable":
        # A soft line break is the longest escape that can be cut; blanks may stand inside it.
        at = encoded.rfind(b"\n") + 1
        if not at or len(encoded) - at >= PIECE_OCTETS:
            at = encoded.rfind(b"=", len(encoded) - 2)
        return (encoded, b"") if at < 0 else (encoded[:at], encoded[at:])
    return encoded, b""


def _whole_lines(octets: bytes) -> tuple[bytes, bytes]:
    """The octets up to the last line end, or up to the last whole character where a line is very long."""
    at = octets.rfind(b"\n") + 1
    if not at or len(octets) - at > _LONG_LINE:
        at = len(octets) - _begun(octets[-_LONGEST_CHARACTER:])
        if octets[at - 1 : at] == b"\r":
            at -= 1
    return octets[:at], octets[at:]


def _begun(octets: bytes) -> int:
    """How many octets at the end belong to a character of UTF-8 that may go on; 0 where the last one is ASCII."""
    for count in range(1, len(octets) + 1):
        if octets[-count] < 0x80:
            return 0
        if octets[-count] >= 0xC0:
            return count
    return 0
