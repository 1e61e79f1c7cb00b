"""Which charset a misspelt label means: mail names them in many ways, and Bridge takes many of them (bridge-behaviour 8.1).

One function and its tables. Labels come in lower case; what is not recognised stays as it is.
"""

from itertools import product
from typing import Final

_SEPARATORS: Final = ("", " ", "-", "_")
_KOI: Final = {"": "koi8-r", "r": "koi8-r", "ru": "koi8-r", "u": "koi8-u", "uk": "koi8-u"}
_KOI_ENDINGS: Final = {
    f"{first}{eight}{second}{kind}": charset
    for first, eight, second, (kind, charset) in product(_SEPARATORS, ("", "8"), _SEPARATORS, _KOI.items())
}
_CODE_PAGES: Final = ("874", *map(str, range(1250, 1259)))
_CODE_PAGE_STARTS: Final = tuple(map("".join, product(("cp", "win", "windows"), _SEPARATORS)))
_ISO_PARTS: Final = frozenset(map(str, (*range(1, 6), *range(7, 12), *range(13, 17))))
_LATIN_STARTS: Final = frozenset(map("".join, product(("", "cs", "csiso"), ("l", "latin"), _SEPARATORS)))
_LATIN_NUMBERS: Final = {
    **{part: f"iso-8859-{part}" for part in "2345"},
    "1": "windows-1252",
    "10": "iso-8859-16",
    "6": "iso-8859-10",
    "8": "iso-8859-14",
    "9": "iso-8859-15",
}
_OTHER_NAMES: Final = {
    "ascii": (
        "ansi_x3.110-1983 ansi_x3.4-1986 cp367 cp850 cp858 csascii ibm-367 ibm367 iso-646 iso-ir-6 iso646 iso646-us iso_646.irv:1991 us"
    ),
    "big5": "cp950 zht16mswin950",
    "euc-jp": "eucjp ibm-eucjp",
    "euc-kr": "cp949 euckr ibm-euckr",
    "gbk": "euccn ibm-euccn",
    "iso-8859-14": "iso-celtic iso-ir-199",
    "iso-8859-16": "iso-ir-226",
    "iso-8859-2": "ibm852",
    "macintosh": "macroman",
    "shift_jis": "cp932 cp943 ibm-943 windows-932",
    "utf-8": "csutf8 iso-utf-8 utf8mb4",
}
_CHARSET_OF: Final = {name: charset for charset, names in _OTHER_NAMES.items() for name in names.split()}


def usual_name(label: str) -> str:
    """The usual label for one that is spelt otherwise. Each family is asked in turn, with what the one before made of it."""
    for family in (_koi, _code_page, _iso, _latin):
        label = family(label) or label
    return _CHARSET_OF.get(label, label)


def _koi(label: str) -> str | None:
    _, koi, ending = label.rpartition("koi")
    return _KOI_ENDINGS.get(ending) if koi else None


def _code_page(label: str) -> str | None:
    for page in _CODE_PAGES:
        if label.endswith(page) and label.removesuffix(page).endswith(_CODE_PAGE_STARTS):
            return f"windows-{page}"
    return None


def _iso(label: str) -> str | None:
    for rest in map(_without_separator, label.split("iso")[1:]):
        kind = _without_separator(rest[4:])
        if rest.startswith("2022"):
            return "iso-2022-jp" if kind.startswith("jp") else None
        if rest.startswith("8859"):
            part = kind[: len(kind) - len(kind.lstrip("0123456789"))]
            if not part:
                return "iso-8859-1"
            order = "-i" if _without_separator(kind[len(part) :]).startswith("i") else ""
            return f"iso-8859-{part}{order}" if part in _ISO_PARTS else None
    return None


def _latin(label: str) -> str | None:
    start = label.rstrip("0123456789")
    return _LATIN_NUMBERS.get(label[len(start) :]) if start in _LATIN_STARTS else None


def _without_separator(text: str) -> str:
    return text[1:] if text[:1] and text[0] in " -_" else text
