"""Mailbox names as they stand on the wire (RFC 3501 5.1.3), through the codec of imapclient: its one typed wrapper."""

from __future__ import annotations


def decode(raw: bytes) -> str | None:
    """The name that printable ASCII octets stand for; None when they aren't modified UTF-7 or hold half a character."""
    if not raw.isascii():
        return None
    if b"&" not in raw:
        return raw.decode("ascii")
    from imapclient import imap_utf7  # noqa: PLC0415 - its package costs 60 ms to import, and most accounts have ASCII names only

    try:
        name: str = imap_utf7.decode(raw)
        name.encode("utf-8")
    except (UnicodeError, ValueError):
        return None
    return name
