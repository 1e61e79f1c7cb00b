"""The HTML twin of a plain text, and the exact way back.

Bridge keeps a draft's HTML and throws its plain text away, so the twin carries every character: line breaks, runs of blanks, blanks
at either end of a line (the signature separator `-- `), tabs and no-break spaces. Everything is escaped; the twin holds no markup
but its own. Each source line begins with a tag: Bridge deletes body lines that begin with `From ` or `>From `.

Lines are `<div>` elements. A blank that HTML would drop is `&nbsp;`; a no-break space of the text is `&#160;`, which browsers show
alike and the way back tells apart.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

LINE_BREAK: Final = "\r\n"

_OPEN: Final = "<div>"
_CLOSE: Final = "</div>"
_EMPTY: Final = "<br>"
_ESCAPES: Final = MappingProxyType(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        "\u00a0": "&#160;",
        "\t": '<span style="white-space:pre">&#9;</span>',
    }
)
_MEANINGS: Final = MappingProxyType({written: char for char, written in _ESCAPES.items()} | {"&nbsp;": " "})
_ESCAPED: Final = re.compile("[&<>\"'\u00a0\t]")
_DROPPED_BLANKS: Final = re.compile(r"^ +| +$|  +")
_TOKEN: Final = re.compile("|".join(re.escape(written) for written in _MEANINGS) + "|[^&<>\"'\u00a0\t\r\n]+")
_LINE: Final = re.compile(rf"{_OPEN}(.*){_CLOSE}")


def twin_of(text: str) -> str:
    """The twin of a text whose line breaks are line feeds."""
    return LINE_BREAK.join(_OPEN + (_line(line) or _EMPTY) + _CLOSE for line in text.split("\n"))


def text_of_twin(html: str) -> str | None:
    """The text whose twin this is; None if it is no twin. Line breaks at the end of the source don't count."""
    lines: list[str] = []
    for source in html.rstrip("\r\n").split("\n"):
        found = _LINE.fullmatch(source.removesuffix("\r"))
        line = None if found is None else _text(found[1])
        if line is None:
            return None
        lines.append(line)
    return "\n".join(lines)


def _line(line: str) -> str:
    return _DROPPED_BLANKS.sub(_kept_blanks, _ESCAPED.sub(lambda found: _ESCAPES[found[0]], line))


def _kept_blanks(found: re.Match[str]) -> str:
    """No-break blanks; between words the last one stays breakable, so that long lines wrap."""
    count = len(found[0])
    at_edge = found.start() == 0 or found.end() == len(found.string)
    return "&nbsp;" * count if at_edge else "&nbsp;" * (count - 1) + " "


def _text(source: str) -> str | None:
    if source == _EMPTY:
        return ""
    pieces: list[str] = []
    place = 0
    while place < len(source):
        found = _TOKEN.match(source, place)
        if found is None:
            return None
        pieces.append(_MEANINGS.get(found[0], found[0]))
        place = found.end()
    return "".join(pieces)
