"""Octets into text by a declared charset, from a closed list.

The labels and what they mean follow the WHATWG Encoding standard (`iso-8859-1` is windows-1252, as every mail client treats it).
Charsets that transform text (utf-7, unicode_escape, punycode, rot13 and their kind) are not in the list and are never decoded:
in them, harmless octets become markup or controls. Nor are hz-gb-2312 and iso-2022-kr, which the standard gives up for that reason.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from proton_safe.mime import japanese
from proton_safe.mime.defects import Defect

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_LABEL_CHARS: Final = 40

_LABELS_OF: Final = MappingProxyType(
    {
        "utf-8": "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 utf-8-mac cp65001",
        "cp1252": "windows-1252 iso-8859-1 us-ascii ascii latin1 latin-1 l1 cp1252 x-cp1252 iso8859-1 iso88591 iso_8859-1 "
        "iso-ir-100 iso_8859-1:1987 csisolatin1 ansi_x3.4-1968 ansi_x3.4-1986 iso646-us iso_646.irv:1991 us 646 ansi 8859-1 iso8859_1 "
        "cp819 ibm819",
        "iso8859_2": "iso-8859-2 latin2 l2 iso8859-2 iso88592 iso_8859-2 iso-ir-101 iso_8859-2:1987 csisolatin2",
        "iso8859_3": "iso-8859-3 latin3 l3 iso8859-3 iso88593 iso_8859-3 iso-ir-109 iso_8859-3:1988 csisolatin3",
        "iso8859_4": "iso-8859-4 latin4 l4 iso8859-4 iso88594 iso_8859-4 iso-ir-110 iso_8859-4:1988 csisolatin4",
        "iso8859_5": "iso-8859-5 cyrillic iso8859-5 iso88595 iso_8859-5 iso-ir-144 iso_8859-5:1988 csisolatincyrillic",
        "iso8859_6": "iso-8859-6 arabic iso8859-6 iso88596 iso_8859-6 iso-ir-127 asmo-708 ecma-114 iso-8859-6-e iso-8859-6-i "
        "iso_8859-6:1987 csiso88596e csiso88596i csisolatinarabic",
        "iso8859_7": "iso-8859-7 greek greek8 iso8859-7 iso88597 iso_8859-7 iso-ir-126 ecma-118 elot_928 sun_eu_greek csisolatingreek "
        "iso_8859-7:1987",
        "iso8859_8": "iso-8859-8 hebrew visual iso8859-8 iso88598 iso_8859-8 iso-ir-138 iso-8859-8-e iso-8859-8-i logical csisolatinhebrew "
        "iso_8859-8:1988 csiso88598e csiso88598i",
        "iso8859_10": "iso-8859-10 latin6 l6 iso8859-10 iso885910 iso-ir-157 csisolatin6",
        "iso8859_13": "iso-8859-13 iso8859-13 iso885913",
        "iso8859_14": "iso-8859-14 iso8859-14 iso885914",
        "iso8859_15": "iso-8859-15 latin-9 latin9 l9 iso8859-15 iso885915 iso_8859-15 csisolatin9",
        "iso8859_16": "iso-8859-16",
        "cp1250": "windows-1250 cp1250 x-cp1250",
        "cp1251": "windows-1251 cp1251 x-cp1251 win-1251",
        "cp1253": "windows-1253 cp1253 x-cp1253",
        "cp1254": "windows-1254 cp1254 x-cp1254 iso-8859-9 latin5 l5 iso8859-9 iso88599 iso_8859-9 iso-ir-148 iso_8859-9:1989 csisolatin5",
        "cp1255": "windows-1255 cp1255 x-cp1255",
        "cp1256": "windows-1256 cp1256 x-cp1256",
        "cp1257": "windows-1257 cp1257 x-cp1257",
        "cp1258": "windows-1258 cp1258 x-cp1258",
        "cp874": "windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
        "koi8_r": "koi8-r koi koi8 koi8_r cskoi8r",
        "koi8_u": "koi8-u koi8-ru",
        "cp866": "ibm866 866 cp866 csibm866",
        "cp850": "cp850 ibm850",
        "cp437": "cp437 ibm437",
        "mac_roman": "macintosh mac x-mac-roman csmacintosh",
        "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian mac-cyrillic macintosh-cyrillic",
        "mac_latin2": "x-mac-ce x-mac-centraleurroman mac-ce",
        "mac_greek": "x-mac-greek mac-greek",
        "mac_turkish": "x-mac-turkish mac-turkish",
        "johab": "johab ks_c_5601-1992 windows-1361",
        "cp737": "cp737 ibm737",
        "cp775": "cp775 ibm775",
        "cp852": "cp852 ibm852",
        "cp855": "cp855 ibm855",
        "cp857": "cp857 ibm857",
        "cp858": "cp858 ibm00858",
        "cp862": "cp862 ibm862 dos-862",
        "cp864": "cp864 ibm864",
        "cp865": "cp865 ibm865",
        "cp869": "cp869 ibm869",
        "cp1125": "cp1125 ibm1125 ruscii",
        "koi8_t": "koi8-t",
        "kz1048": "kz-1048 strk1048-2002 rk1048",
        "ptcp154": "ptcp154 pt154 cp154 cyrillic-asian",
        "gb18030": "gb18030 gbk gb2312 gb_2312 gb_2312-80 chinese csgb2312 iso-ir-58 x-gbk cp936 ms936 csiso58gb231280",
        "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 csbig5 cp950",
        "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
        "iso2022_jp": "iso-2022-jp csiso2022jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-2004 iso-2022-jp-ext iso-2022-jp-ms "
        "csiso2022jp2 cp50220 cp50221 cp50222",
        "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis cp932",
        "cp949": "euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cseuckr csksc56011987 iso-ir-149 cp949",
        "utf-16-le": "utf-16 utf-16le ucs-2 unicode csunicode iso-10646-ucs-2 unicodefeff",
        "utf-16-be": "utf-16be unicodefffe",
        "utf-32-le": "utf-32le",
        "utf-32-be": "utf-32 utf-32be",
    }
)
_CODECS: Final[Mapping[str, str]] = MappingProxyType({label: codec for codec, labels in _LABELS_OF.items() for label in labels.split()})
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WEAK_LABELS: Final = frozenset({"", "us-ascii", "ascii", "ansi_x3.4-1968", "ansi_x3.4-1986", "iso646-us", "us", "646", "7bit", "8bit"})
_IN_HTML: Final = re.compile(rb"<meta\b[^>]{1,300}?\bcharset\s{0,9}=\s{0,9}[\"']?\s{0,9}([a-z0-9_:.-]{1,40})", re.IGNORECASE)
_WIDE: Final = ("utf-16", "utf-32")
# What no text in UTF-8 holds, and half of a character of UTF-16 may be.
_CONTROLS: Final = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1b")
_SAMPLE_OCTETS: Final = 1_024
_MISMATCH: Final[Defect] = "charset-mismatch"


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and what was wrong with its octets."""

    text: str
    warnings: tuple[Defect, ...] = ()


def codec_of(label: str) -> str | None:
    """Python's codec for a charset label in any case and with stray quotes or blanks; None for what is not in the closed list."""
    if len(label) > MAX_LABEL_CHARS:
        return None
    return _CODECS.get(_name(label))


def _name(label: str) -> str:
    """The label itself: without quotes, blanks, and a comment behind it (RFC 5322 3.2.2), which servers hand on."""
    return label.partition("(")[0].strip(" \t\r\n\"';").lower()


def in_html(octets: bytes) -> str:
    """The charset that HTML names in its own first 2,048 octets (WHATWG HTML 13.2.3.2); '' if it names none."""
    found = _IN_HTML.search(octets[:2_048])
    return found[1].decode("ascii").lower() if found else ""


def decode(octets: bytes, label: str | None, *, complete: bool = True, otherwise: str = "") -> Decoded:
    """Text of `octets` as `label` declares; never raises. `otherwise`: the label that something else of the mail has.

    1. A byte order mark wins over the label. 2. Without a label, or with an unknown one, UTF-8 is tried first, then `otherwise`,
    if all octets fit, then windows-1252.
    3. Text that is UTF-8 is not read as UTF-16 or UTF-32, whatever label or mark say. 4. Octets that don't fit are U+FFFD, with a warning.
    With `complete=False` an unfinished character at the end is dropped, as the octets were cut from a longer text.
    """
    for mark, codec in _BOMS:
        if octets.startswith(mark):
            rest = octets[len(mark) :]
            return (None if codec == "utf-8" else _really_utf8(rest, complete=complete)) or _by(codec, rest, complete=complete)
    wanted = _name(label or "")
    if wanted in _WEAK_LABELS:
        if japanese.is_iso_2022_jp(octets):
            return _by("iso2022_jp", octets, complete=complete)
        return _guess(octets, complete=complete, otherwise=otherwise)
    known = codec_of(wanted)
    if known is None:
        return Decoded(_guess(octets, complete=complete, otherwise=otherwise).text, ("charset-unknown",))
    if known == "utf-8":
        return _guess(octets, complete=complete)
    if known.startswith(_WIDE):
        really = _really_utf8(octets, complete=complete)
        if really is not None:
            return really
        known = _byte_order(octets, wanted) or known
    return _by(known, octets, complete=complete)


def guess(octets: bytes, *, complete: bool = True, otherwise: str = "") -> str:
    """Text of octets that should be UTF-8, though broken; another charset only if hardly anything of it is UTF-8.

    That is `otherwise`, if it is known and all octets fit, else windows-1252, if not one multi-octet character of UTF-8 is in them.
    """
    return octets.decode("ascii") if octets.isascii() else _guess(octets, complete=complete, otherwise=otherwise).text


def _guess(octets: bytes, *, complete: bool, otherwise: str = "") -> Decoded:
    decoded = _by("utf-8", octets, complete=complete)
    if not decoded.warnings:
        return decoded
    broken = decoded.text.count("\ufffd")
    whole = sum(not char.isascii() for char in decoded.text) - broken
    hinted = codec_of(otherwise) if otherwise else None
    if broken > whole and hinted is not None and not hinted.startswith("utf"):
        fitting = _by(hinted, octets, complete=complete)
        if not fitting.warnings:
            return Decoded(fitting.text, (_MISMATCH,))
    return decoded if whole else Decoded(_by("cp1252", octets, complete=complete).text, (_MISMATCH,))


def _really_utf8(octets: bytes, *, complete: bool) -> Decoded | None:
    """The text of octets that are called UTF-16 or UTF-32 and are UTF-8; None if they aren't."""
    if _CONTROLS.intersection(octets):
        return None
    likely = _by("utf-8", octets, complete=complete)
    return None if likely.warnings else Decoded(likely.text, (_MISMATCH,) if octets else ())


def _byte_order(octets: bytes, label: str) -> str | None:
    """The codec for UTF-16 or UTF-32 whose label leaves the order of octets open: by where the zeros of its ASCII letters are."""
    start = octets[:_SAMPLE_OCTETS]
    if label == "utf-32":
        return "utf-32-le" if start[1:4] == b"\0\0\0" else None
    if label in {"utf-16", "ucs-2", "iso-10646-ucs-2", "unicode", "csunicode"}:
        return "utf-16-be" if start[::2].count(0) > start[1::2].count(0) else None
    return None


def _by(codec: str, octets: bytes, *, complete: bool) -> Decoded:
    if codec == "iso2022_jp":
        text, closed = japanese.iso_2022_jp(octets)
        return Decoded(text, () if "\ufffd" not in text and (closed or not complete) else (_MISMATCH,))
    if codec == "euc_jp":
        text = japanese.euc_jp(octets)
        return Decoded(text, (_MISMATCH,) if "\ufffd" in text else ())
    decoder = codecs.getincrementaldecoder(codec)
    try:
        return Decoded(decoder("strict").decode(octets, final=complete))
    except UnicodeDecodeError:
        return Decoded(decoder("replace").decode(octets, final=complete), (_MISMATCH,))
