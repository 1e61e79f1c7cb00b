"""Which addresses a draft may name: a bare addr-spec in plain ASCII, taken as it is or refused, never repaired.

Narrower than RFC 5321: no quoted local part, no comment, no group, no route (`%`, `!`), no encoded word, no address literal.
"""

from __future__ import annotations

import re
from typing import Final

MAX_CHARS: Final = 254
MAX_LOCAL_CHARS: Final = 64
MAX_DOMAIN_CHARS: Final = 253

_ATOM: Final = r"[A-Za-z0-9#$&'*+/=?^_{}~-]+"
_LOCAL: Final = re.compile(rf"{_ATOM}(?:\.{_ATOM})*")
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN: Final = re.compile(rf"(?:{_LABEL}\.)+(?=[A-Za-z0-9-]*[A-Za-z]){_LABEL}")


def is_bare_address(text: str) -> bool:
    """Whether this is one address that a draft may name: one `@`, at most 254 characters, a dotted ASCII domain."""
    local, at, domain = text.partition("@")
    return (
        len(text) <= MAX_CHARS
        and bool(at)
        and len(local) <= MAX_LOCAL_CHARS
        and len(domain) <= MAX_DOMAIN_CHARS
        and "=?" not in text
        and _LOCAL.fullmatch(local) is not None
        and _DOMAIN.fullmatch(domain) is not None
    )
