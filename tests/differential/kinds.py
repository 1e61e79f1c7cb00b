"""Why Python's parser gives another value than was put in: each kind with what it is and how it is recognised.

A difference that no kind explains is a finding: either of ours, or of this table.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.differential.ordinary import Ordinary


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of one mail in which a parser's value is another one."""

    mail: Ordinary
    parser: str
    field: str
    wanted: object
    got: object

    @property
    def compat32(self) -> bool:
        """Whether it is the older policy."""
        return self.parser.endswith("compat32")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of difference."""

    name: str
    about: str
    explains: Callable[[Difference], bool]


def kind_of(difference: Difference) -> str:
    """The name of the first kind that explains it; `unexplained`."""
    return next((kind.name for kind in KINDS if kind.explains(difference)), UNEXPLAINED)


UNEXPLAINED: Final = "unexplained"


def _unknown_label(difference: Difference) -> bool:
    try:
        codecs.lookup(difference.mail.charset.label)
    except LookupError:
        return True
    return False


def _octets_kept_apart(value: object) -> bool:
    """Whether octets above 127 stand in it as surrogates, or as one mark of replacement each."""
    return any(0xDC80 <= ord(char) <= 0xDCFF or char == "\ufffd" for char in _letters(value))


def _letters(value: object) -> str:
    """All texts of a value in a row."""
    if isinstance(value, str):
        return value
    return "".join(_letters(one) for one in value) if isinstance(value, list | tuple) else ""


def _c1(difference: Difference) -> bool:
    label_is_latin = difference.mail.charset.label.lower() in {"iso-8859-1", "latin1"}
    return label_is_latin and any(0x80 <= ord(char) <= 0x9F for char in _letters(difference.got))


def _only_blanks_differ(difference: Difference) -> bool:
    return re.sub(r"\s", "", _letters(difference.got)) == re.sub(r"\s", "", _letters(difference.wanted))


def _has_raw_header(difference: Difference) -> bool:
    return difference.field in {"subject", "from", "to", "cc"} and difference.mail.header_form == "raw"


def _name_forms(difference: Difference) -> set[str]:
    return {file.form for file in difference.mail.files} if difference.field == "files" else set()


KINDS: Final = (
    Kind(
        "label unknown",
        "Python has no codec under this label (iso-8859-8-i, windows-874, x-mac-cyrillic), so it raises or gives octets",
        _unknown_label,
    ),
    Kind(
        "C1 controls",
        "Python takes iso-8859-1 at its word; every mail program reads windows-1252, and so do we: the euro sign, quotes, dashes",
        _c1,
    ),
    Kind(
        "flowed",
        "Python leaves format=flowed as it is sent: broken lines, stuffed blanks",
        lambda one: one.field == "text" and one.mail.flowed,
    ),
    Kind(
        "raw header octets",
        "UTF-8 in a header without encoded words: Python gives surrogates or marks of replacement",
        lambda one: _has_raw_header(one) and _octets_kept_apart(one.got),
    ),
    Kind(
        "raw name octets",
        "a file name that is not ASCII and stands in quotes as it is: the same",
        lambda one: "raw" in _name_forms(one) and _octets_kept_apart(one.got),
    ),
    Kind(
        "names are not decoded",
        "compat32 gives encoded words in file names as they are written",
        lambda one: one.compat32 and "word" in _name_forms(one) and "=?" in _letters(one.got),
    ),
    Kind(
        "blanks at word ends",
        "a blank is added or lost where two encoded words meet, or behind the last one",
        lambda one: one.field in {"subject", "from", "to", "cc"} and _only_blanks_differ(one),
    ),
    Kind(
        "sections alone",
        "Python decodes each section of an RFC 2231 name by itself, and a character that lies in two is lost",
        lambda one: "sections" in _name_forms(one) and one.mail.charset.codec not in {"ascii", "utf-8"},
    ),
)
