r"""Quoted strings as Go spells them: the form of every string in ENVELOPE, BODYSTRUCTURE, LIST and STATUS answers.

Letters, marks, figures and signs of any script stand as raw UTF-8; quotes and backslashes are escaped; what cannot be printed gets
a sequence like ``\t``, ``\x00``, ``\u00a0`` (bridge-behaviour 3.6, dialogues 13 and 43).
"""

import re
from typing import Final

_PLAIN: Final = re.compile(r"[ !#-\[\]-~]*")
_NAMED: Final = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", '"': '\\"', "\\": "\\\\"}


def go_quote(text: str, *, escape_unprintable: bool = True) -> str:
    """``text`` in quotes. Without ``escape_unprintable`` only quotes and backslashes are escaped, as in header parameters."""
    if _PLAIN.fullmatch(text):
        return f'"{text}"'
    if not escape_unprintable:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return '"' + "".join(map(_escape, text)) + '"'


def _escape(char: str) -> str:
    named = _NAMED.get(char)
    if named is not None:
        return named
    point = ord(char)
    if 0xDC80 <= point <= 0xDCFF:
        # An octet that is no UTF-8, carried as a surrogate.
        return f"\\x{point - 0xDC00:02x}"
    if char.isprintable():
        return char
    if point < 0x20 or point == 0x7F:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
