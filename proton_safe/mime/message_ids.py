"""Message-IDs (RFC 5322 3.6.4): which ones may be used, and which ones a References field holds."""

from __future__ import annotations

import re
from typing import Final

from proton_safe.mime.charsets import Decoded
from proton_safe.mime.defects import MAX_FIELD_OCTETS

MIN_OCTETS: Final = 3
MAX_OCTETS: Final = 998
MAX_REFERENCES: Final = 200
_USABLE: Final = re.compile(rb"<(?!@)[!-;=?-~]{1,996}(?<!@)>")
# A literal that is opened and not closed.
_HALF_LITERAL: Final = re.compile(rb"@\[[^\]]*>")


def usable(raw: bytes | None) -> str:
    """The identifier if it is `<`, printable ASCII without blank or angle bracket, `>`, 3 to 998 octets; else the empty string.

    Where there is an `@`, something stands on both sides of it, and a literal behind it is closed. Only such an
    identifier may go into a command or into a reply's headers.
    """
    value = (raw or b"").strip(b" \t\r\n")
    return value.decode("ascii") if _USABLE.fullmatch(value) and not _HALF_LITERAL.search(value) else ""


def shown(raw: bytes | None) -> Decoded:
    """The identifier if it is usable; else the empty string, with `message-id-invalid` where the field isn't empty.

    What a reader shows, some client will search for or answer to: so nothing is shown that is no identifier.
    """
    known = usable(raw)
    return Decoded(known, ("message-id-invalid",) if not known and (raw or b"").strip(b" \t\r\n") else ())


def references(raw: bytes | None) -> tuple[str, ...]:
    """The usable identifiers of a References or In-Reply-To field in order, each once, at most 200."""
    found = (match[0].decode("ascii") for match in _USABLE.finditer((raw or b"")[:MAX_FIELD_OCTETS]))
    return tuple(dict.fromkeys(found))[:MAX_REFERENCES]
