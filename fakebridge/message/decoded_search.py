"""SEARCH keys on what a reader sees: encoded words, transfer encodings and character sets decoded, every field of a name looked at.

Not what Bridge does (see ``search``): the face of a server that follows RFC 3501, 6.4.4, for contrast. Needles come folded, in UTF-8.
"""

import email
from email.message import Message

from fakebridge.message import header
from fakebridge.message.charset import UnknownCharset, decoder_for
from fakebridge.message.qword import decode_header
from fakebridge.message.search import fold


def header_contains(literal: bytes, name: bytes, needle: bytes) -> bool:
    """Whether a field of that name contains the needle; without such a field nothing matches.

    Raises:
        HeaderError: the header cannot be read.
    """
    block, _ = header.split(literal)
    return any(needle in _folded(field.value) for field in header.fields(block) if field.name and field.name.lower() == name.lower())


def text_contains(literal: bytes, needle: bytes) -> bool:
    """Whether the header or a text of the message contains the needle."""
    block, _ = header.split(literal)
    return needle in _folded(block) or body_contains(literal, needle)


def body_contains(literal: bytes, needle: bytes) -> bool:
    """Whether a text part contains the needle."""
    return any(needle in fold(text.encode("utf-8", "replace")) for _, text in texts(literal))


def texts(literal: bytes) -> list[tuple[str, str]]:
    """The media type and the decoded text of each text part, in order."""
    return [(part.get_content_type(), _text(part)) for part in email.message_from_bytes(literal).walk() if _is_text(part)]


def _folded(octets: bytes) -> bytes:
    return fold(decode_header(octets.decode("utf-8", "replace")).encode("utf-8", "replace"))


def _is_text(part: "Message[str, str]") -> bool:
    return part.get_content_maintype() == "text"


def _text(part: "Message[str, str]") -> str:
    payload = part.get_payload(decode=True)
    octets = payload if isinstance(payload, bytes) else b""
    try:
        return decoder_for(str(part.get_content_charset() or "utf-8"))(octets)
    except UnknownCharset:
        return octets.decode("utf-8", "replace")
