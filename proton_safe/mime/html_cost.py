"""What of HTML is parsed, and whether it is so light that reading it costs a fraction of a second whatever it holds.

The parser's cost can grow with the square of the tags (measured: 0.1 s for 600 tags chosen to be slow, 7 s for 6,000), and with the
formatting elements that it opens again in each block. Both are counted before anything is parsed; what is heavier belongs into a child
process that can be killed.
"""

from __future__ import annotations

import re
from typing import Final

MAX_HTML_CHARS: Final = 1_048_576
MAX_TAGS: Final = 250_000
FLOOD_TAGS: Final = 30_000
MAX_LIGHT_CHARS: Final = 65_536
MAX_LIGHT_TAGS: Final = 600
MAX_LIGHT_CLONES: Final = 20_000
LIGHT_STEPS: Final = 30_000
_FLOOD: Final = re.compile(r"(?:(?:<br ?/?>|<p>(?:&nbsp;|\xa0)?</p>|&nbsp;|\xa0)\s*+){40,}", re.IGNORECASE)
# Formatting elements that the parser opens again (WHATWG HTML 13.2.4.3), `a` left out, of which one is open at most.
_FORMATTING: Final = re.compile(r"<(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(>|[\s/])", re.IGNORECASE)
# Equal formatting elements without attributes are opened again three times at most.
_MAX_EQUAL: Final = 3


def is_light(html: str, *, beside: str = "") -> bool:
    """Whether this HTML, with what is read `beside` it for the same message, is light."""
    whole = html + beside
    tags = whole.count("<")
    if len(whole) > MAX_LIGHT_CHARS or tags > MAX_LIGHT_TAGS:
        return False
    found = [(match[1].lower(), match[2] == ">") for match in _FORMATTING.finditer(whole)]
    plain = {name for name, bare in found if bare}
    open_again = sum(not bare for _, bare in found) + _MAX_EQUAL * len(plain)
    return tags * open_again <= MAX_LIGHT_CLONES


def bounded(html: str) -> tuple[str, bool]:
    """The part that is parsed, its floods shortened, and whether anything was cut off."""
    kept = html[:MAX_HTML_CHARS]
    if kept.count("<") > FLOOD_TAGS or kept.count("\xa0") + kept.count("&nbsp;") > FLOOD_TAGS:
        kept = _FLOOD.sub(lambda run: "<br><br>" if "<" in run[0] else " ", kept)
    if kept.count("<") > MAX_TAGS:
        rest = kept.split("<", MAX_TAGS + 1)[-1]
        return kept[: len(kept) - len(rest) - 1], True
    return kept, len(html) > MAX_HTML_CHARS
