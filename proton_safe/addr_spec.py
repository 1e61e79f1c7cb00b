"""The one rule for addresses that people or callers give us: bare, ASCII, without quoting; and when two addresses are the same.

Addresses that stand in mail are read by `mime`, which is tolerant.
"""

from __future__ import annotations

import re
import string
from typing import Final

MAX_ADDRESS_CHARS: Final = 254
MAX_LOCAL_CHARS: Final = 64

# RFC 5321 Dot-string "@" Domain, with at least two labels of letters, digits and inner hyphens.
_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z"
)
_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def is_bare_address(text: str) -> bool:
    """Whether `text` is an addr-spec that a draft may use: at most 254 characters, one `@`, dotted ASCII domain."""
    return len(text) <= MAX_ADDRESS_CHARS and len(text.partition("@")[0]) <= MAX_LOCAL_CHARS and _ADDRESS.match(text) is not None


def folded(address: str) -> str:
    """The form in which addresses are compared: ASCII letters in lower case, any other character as it is.

    Full case folding would make one of two: `straße` and `strasse`, LONG S and s, KELVIN SIGN and k.
    """
    return address.translate(_LOWER)
