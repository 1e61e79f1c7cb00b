"""Message-IDs that may be used, and those that may only be shown."""

from __future__ import annotations

import pytest

from proton_safe.mime import message_ids
from proton_safe.mime.charsets import Decoded

USABLE = [b"<a@b>", b" <a@[127.0.0.1]>\r\n", b'<"a"@b>', b"<" + b"a" * 996 + b">"]
UNUSABLE = [
    *(
        b"<>",
        b"<a",
        b"a b",
        b"<a b@c>",
        b"<a@b><c@d>",
        b"<a@b> (x)",
        b"a@b",
        b"<a\x00@b>",
        b"<a\r\n@b>",
        b"<\xff@b>",
        b"<" + b"a" * 997 + b">",
    ),
    b'x"\r\nX1 STORE 1:* +FLAGS (\\Deleted)',
]


@pytest.mark.parametrize("raw", USABLE)
def test_a_plain_identifier_is_usable(raw: bytes) -> None:
    """Attack catalogue header/message-id-forms; RFC 5322 3.6.4."""
    assert message_ids.usable(raw).encode() == raw.strip()
    assert message_ids.shown(raw).warnings == ()


@pytest.mark.parametrize("raw", UNUSABLE)
def test_anything_else_never_reaches_a_command(raw: bytes) -> None:
    """Attack catalogue header/message-id-search: it is shown with a warning, and used for nothing."""
    assert message_ids.usable(raw) == ""
    assert message_ids.shown(raw).warnings == ("message-id-invalid",)


def test_an_absent_identifier_is_no_defect() -> None:
    """Product page 14."""
    assert message_ids.usable(None) == ""
    assert message_ids.shown(None) == Decoded("")


def test_references_are_the_usable_identifiers_each_once() -> None:
    """Peer fault B18: identifiers are validated and counted before they are used."""
    assert message_ids.references(b"<a@b> junk <c d@e>\r\n <f@g> <a@b>") == ("<a@b>", "<f@g>")
    assert len(message_ids.references(b"".join(b"<%d@x>" % number for number in range(5_000)))) == message_ids.MAX_REFERENCES
    assert message_ids.references(None) == ()
