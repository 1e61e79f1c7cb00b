"""Which names an outgoing file may have. A name is taken as it is or refused, never repaired.

The rules hold on every platform, because the recipient's may be another one. Sources: Win32 naming rules, RFC 2047 (a name that
looks like an encoded word would be decoded after it was approved), UTS 36 (characters that reorder or hide).
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from proton_safe.refusals import Code, Refusal

MAX_OCTETS: Final = 180

_FORBIDDEN: Final = frozenset('/\\<>:"|?*')
# Categories: controls, format characters (bidi, zero-width, tags), surrogates, private use, unassigned, line and paragraph separators.
_FORBIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters that draw nothing: combining grapheme joiner, Hangul fillers, Khmer inherent vowels.
_BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_DEVICES: Final = re.compile(r"(?i:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\..*)?")
_ESCAPED_PATH: Final = re.compile(r"%(?:2e|2f|5c|00|0a|0d)", re.IGNORECASE)
_PROGRAMS: Final = frozenset(
    {
        *("apk", "app", "bat", "bin", "cmd", "com", "cpl", "dll", "dmg", "exe", "hta", "htm"),
        *("html", "iso", "jar", "js", "jse", "lnk", "msi", "msp", "pif", "pkg", "ps1", "reg"),
        *("scr", "sh", "svg", "sys", "url", "vb", "vbe", "vbs", "wsf", "xhtml"),
    }
)


def check_filename(name: str) -> None:
    """Raise `arguments-invalid` with the rule that the name breaks."""
    for rule, broken in (
        ("must be at most 180 octets in UTF-8", _too_long),
        ('must be a base name without path separators or the characters < > : " | ? *', _FORBIDDEN.intersection),
        ("must not hold controls, format characters or other characters that cannot be seen", _unseen),
        ("must not begin with a dot, a dash or a blank, nor end with a dot or a blank", _bad_edge),
        ("must not hold =? or escaped path characters", _escaped),
        ("must not be a device name of any system", _DEVICES.fullmatch),
        ("must not have the ending of a program before its last ending", _hidden_program),
    ):
        if broken(name):
            raise Refusal(Code.ARGUMENTS_INVALID, field="filename", rule=rule)


def ending(name: str) -> str:
    """What follows the last dot, ASCII letters lowered; empty if there is no dot."""
    _, dot, last = name.rpartition(".")
    return last.lower() if dot and last.isascii() else ""


def _too_long(name: str) -> bool:
    return len(name.encode("utf-8", "surrogatepass")) > MAX_OCTETS


def _unseen(name: str) -> bool:
    return any(char in _BLANK_LETTERS or unicodedata.category(char) in _FORBIDDEN_CATEGORIES for char in name)


def _bad_edge(name: str) -> bool:
    return name[0] in ".-" or name[0].isspace() or name[-1] == "." or name[-1].isspace()


def _escaped(name: str) -> bool:
    return "=?" in name or _ESCAPED_PATH.search(name) is not None


def _hidden_program(name: str) -> bool:
    return not _PROGRAMS.isdisjoint(part.strip().lower() for part in name.split(".")[1:-1])
