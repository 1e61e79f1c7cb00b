"""Words of many scripts, and the charsets that mails in them are written in, with the labels that senders give them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_WORDS: Final[dict[str, str]] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Charset:
    """A charset under one label: the codec that encodes what the label means to the WHATWG, and words that it can hold."""

    label: str
    codec: str
    words: tuple[str, ...]

    @property
    def ascii_based(self) -> bool:
        """Whether ASCII is itself in it; other ones need base64."""
        return not self.codec.startswith("utf-16")

    @property
    def stateful(self) -> bool:
        """Whether octets below 128 stand for other characters than ASCII (ISO-2022-JP): its text fits into seven bits."""
        return self.codec == "iso2022_jp"


_ROWS: Final = (
    ("utf-8", "utf-8 UTF-8 utf8", "west central greek hebrew arabic thai japanese korean simplified pictures cyrillic vietnamese"),
    ("ascii", "us-ascii US-ASCII", "ascii"),
    ("cp1252", "windows-1252 iso-8859-1 ISO-8859-1 latin1", "west"),
    ("iso8859_2", "iso-8859-2 latin2", "central"),
    ("iso8859_3", "iso-8859-3", "south"),
    ("iso8859_4", "iso-8859-4", "baltic"),
    ("iso8859_5", "iso-8859-5", "cyrillic"),
    ("iso8859_6", "iso-8859-6", "arabic"),
    ("iso8859_7", "iso-8859-7 greek", "greek"),
    ("iso8859_8", "iso-8859-8 iso-8859-8-i", "hebrew"),
    ("iso8859_10", "iso-8859-10", "nordic"),
    ("iso8859_13", "iso-8859-13", "baltic"),
    ("iso8859_14", "iso-8859-14", "celtic"),
    ("iso8859_15", "iso-8859-15", "plain_west"),
    ("iso8859_16", "iso-8859-16", "romanian"),
    ("cp1250", "windows-1250", "central"),
    ("cp1251", "windows-1251 cp1251", "cyrillic"),
    ("cp1253", "windows-1253", "greek"),
    ("cp1254", "windows-1254 iso-8859-9", "turkish"),
    ("cp1255", "windows-1255", "hebrew"),
    ("cp1256", "windows-1256", "arabic"),
    ("cp1257", "windows-1257", "baltic"),
    ("cp1258", "windows-1258", "vietnamese"),
    ("cp874", "windows-874 tis-620", "thai"),
    ("koi8_r", "koi8-r", "cyrillic"),
    ("koi8_u", "koi8-u", "ukrainian"),
    ("cp866", "ibm866", "cyrillic"),
    ("mac_roman", "macintosh", "plain_west"),
    ("mac_cyrillic", "x-mac-cyrillic", "cyrillic"),
    ("gb18030", "gb2312 gbk gb18030", "simplified"),
    ("big5hkscs", "big5", "traditional"),
    ("euc_jp", "euc-jp", "japanese"),
    ("iso2022_jp", "iso-2022-jp", "japanese"),
    ("cp932", "shift_jis", "japanese"),
    ("cp949", "euc-kr ks_c_5601-1987", "korean"),
    ("utf-16-le", "utf-16le utf-16", "west greek japanese"),
    ("utf-16-be", "utf-16be", "west greek japanese"),
)


def _fitting(codec: str, words: str) -> tuple[str, ...]:
    found = []
    for word in words.split():
        try:
            if word.encode(codec).decode(codec) == word:
                found.append(word)
        except UnicodeError:
            continue
    return tuple(found)


CHARSETS: Final = tuple(
    Charset(label, codec, words)
    for codec, labels, scripts in _ROWS
    for label in labels.split()
    for script in scripts.split()
    if (words := _fitting(codec, _WORDS[script]))
)
PLAIN_WORDS: Final = tuple(_WORDS["ascii"].split())
