"""The hash by which Bridge recognises a message it has just sent.

Over Subject, the addresses of five fields, and each leaf's type with parameters (boundary aside), disposition and decoded text. Not
over Message-ID, Date, Bcc, References (bridge-behaviour 5.5; dialogue 33).
"""

import hashlib
from typing import Final

from fakebridge.message import transfer
from fakebridge.message.addresses import AddressError, parse_list
from fakebridge.message.part import Part, parse
from fakebridge.message.transfer import TransferError
from fakebridge.message.whitespace import trim_space

_ADDRESSED: Final = (b"from", b"to", b"cc", b"reply-to", b"in-reply-to")
_TEXT: Final = frozenset({"text/plain", "text/html"})


class HashRefused(Exception):
    """A text part cannot be decoded; ``text`` stands behind ``tag NO`` or ``554 5.0.0 Error: ``."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def message_hash(literal: bytes) -> bytes:
    """32 octets.

    Raises:
        HashRefused: a text part in base64 or quoted-printable is broken.
    """
    root = parse(literal)
    digest = hashlib.sha256(root.get(b"subject") or b"")
    for name in _ADDRESSED:
        digest.update(_addresses(root.get(name) or b""))
    for leaf in _leaves(root):
        kind = leaf.media_type
        digest.update(kind.kind.encode("utf-8", "surrogateescape"))
        for key in sorted(kind.params):
            if key.lower() != "boundary":
                digest.update((key + kind.params[key]).encode("utf-8", "surrogateescape"))
        digest.update(leaf.get(b"content-disposition") or b"")
        digest.update(_content(leaf))
    return digest.digest()


def _addresses(value: bytes) -> bytes:
    try:
        return "".join(address.address for address in parse_list(value)).encode("utf-8", "surrogateescape")
    except AddressError:
        return value


def _leaves(part: Part) -> list[Part]:
    if not part.children:
        return [part]
    return [leaf for child in part.children for leaf in _leaves(child)]


def _content(leaf: Part) -> bytes:
    body = leaf.body
    encoding = (leaf.get(b"content-transfer-encoding") or b"").lower()
    if leaf.media_type.kind in _TEXT and encoding in {b"quoted-printable", b"base64"}:
        try:
            body = transfer.decode(encoding.decode(), body)
        except TransferError as broken:
            raise HashRefused(broken.text) from None
    return trim_space(body.replace(b"\r", b""))
