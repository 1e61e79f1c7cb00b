r"""Domains that look like another one: the skeleton of UTS 39, section 4, with a table of our own.

Two texts with one skeleton look alike. The table holds the letters of Latin, Cyrillic, Greek and Armenian (and a few of Georgian) whose
usual shape is that of an ASCII letter, figure or hyphen, and what of ASCII looks alike itself: `0` and `o`; `1`, `I`, `|` and `l`;
`m` and `rn`; `w` and `vv`; `d` and `cl`. The last two, and letter case, go beyond the table that Unicode publishes; other scripts,
and pairs of letters that are alike outside ASCII only, are left out. Marks count: `\u00e9` is not taken for `e`. What stands for one
letter in another form (fullwidth, mathematical, ligature) is found by its compatibility decomposition.
"""

from __future__ import annotations

import unicodedata
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from proton_safe.addr_spec import folded
from proton_safe.mime.scripts import unicode_label
from proton_safe.untrusted.clean import clean_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# RFC 1035 2.3.4; a longer name is no domain, and is not looked at.
MAX_DOMAIN_CHARS: Final = 253
# What IDNA takes for the dot between labels (UTS 46, section 4).
_DOTS: Final = str.maketrans("\u3002\uff0e\uff61", "...")
_SHAPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "a": "\u0251\u03b1\u0391\u0430\u0410\u1d00\u237a",
        "ae": "\u00e6\u00c6\u04d5\u04d4",
        "b": "\u0184\u0185\u0392\u0412\u0432\u042c\u044c\u0299",
        "c": "\u03f2\u03f9\u0441\u0421\u1d04",
        "d": "\u0501\u0500\u1d05",
        "e": "\u0395\u0435\u0415\u04bd\u212e\u1d07",
        "f": "\u017f\u0192\u03dc\u03dd\u0584\u1e9d\ua730",
        "g": "\u018d\u0261\u0581\u0262\u050c",
        "h": "\u0397\u04bb\u04ba\u043d\u041d\u0570\u029c",
        "i": "\u0131\u0269\u026a\u03b9\u0456\u1d7c\ua647",
        "j": "\u0237\u037f\u03f3\u0458\u0408\u0575\u1d0a",
        "k": "\u0138\u03ba\u039a\u043a\u041a\u1d0b",
        "l": "\u0196\u01c0\u0399\u0406\u04c0\u04cf\u056c\u029f",
        "m": "\u039c\u03fa\u043c\u041c\u1d0d",
        "n": "\u039d\u0274\u0578\u057c",
        "o": "\u03bf\u039f\u03c3\u043e\u041e\u0585\u0555\u10ff\u1d0f\u1d11",
        "oe": "\u0153\u0152",
        "p": "\u03c1\u03a1\u0440\u0420\u1d18",
        "q": "\u051b\u051a\u0563\u0566",
        "r": "\u01a6\u0280\u0433\u1d26",
        "s": "\u01bd\u0455\u0405\u054f\ua731",
        "t": "\u03c4\u03a4\u0442\u0422\u1d1b",
        "u": "\u028b\u03c5\u057d\u054d\u1d1c",
        "v": "\u03bd\u0475\u0474\u1d20",
        "w": "\u026f\u03c9\u0461\u0460\u051d\u051c\u0561\u1d21",
        "x": "\u00d7\u03c7\u03a7\u0445\u0425",
        "y": "\u0263\u028f\u03b3\u03a5\u0443\u0423\u04af\u04ae\u10e7",
        "z": "\u0396\u1d22",
        "2": "\u01a7\u01a8",
        "3": "\u01b7\u021c\u021d\u025c\u0292\u0417\u0437\u04e0\u04e1",
        "4": "\u0427",
        "5": "\u01bc",
        "6": "\u0431",
        "8": "\u0222\u0223",
        "-": "\u02d7\u2010\u2011\u2012\u2013\u2014\u2043\u2212",
    }
)
_SHAPE_OF: Final = MappingProxyType({char: shape for shape, chars in _SHAPES.items() for char in chars})
# Before letter case goes: a capital I looks like l, a small one does not.
_FIGURES: Final = str.maketrans({"0": "o", "1": "l", "I": "l", "|": "l"})
_PAIRS: Final = str.maketrans({"m": "rn", "w": "vv", "d": "cl"})


def skeleton(text: str) -> str:
    """The text with every letter in the shape that it looks like; what nobody sees is left out."""
    text = text[:MAX_DOMAIN_CHARS]
    if text.isascii() and text.isprintable():
        return text.translate(_FIGURES).lower().translate(_PAIRS)  # most domains: nothing to decompose, to leave out or to look up
    seen = clean_line(unicodedata.normalize("NFD", text)).text
    shapes = "".join(map(_shape, seen))
    return unicodedata.normalize("NFD", shapes.translate(_FIGURES).lower().translate(_PAIRS))


def _shape(char: str) -> str:
    return _SHAPE_OF.get(char) or "".join(_SHAPE_OF.get(each, each) for each in unicodedata.normalize("NFKC", char))


def unicode_domain(domain: str) -> str:
    """A domain with its `xn--` labels undone, as far as they can be, and its dots as dots."""
    return ".".join(unicode_label(label) for label in domain.translate(_DOTS).split("."))


def imitates(domain: str, known: Iterable[str]) -> bool:
    """Whether a domain, or one that it lies under, looks like one of these and is neither it nor under it."""
    written = folded(domain)
    if not domain or len(domain) > MAX_DOMAIN_CHARS:
        return False
    own = {folded(each) for each in known}
    if any(written == each or written.endswith(f".{each}") for each in own):
        return False
    labels = unicode_domain(domain).split(".")
    looks = {count: skeleton(".".join(labels[-count:])) for count in {each.count(".") + 1 for each in own}}
    return any(looks[each.count(".") + 1] == skeleton(unicode_domain(each)) for each in own)
