"""How many octets a part must at least have, judged by its encoded size before anything is fetched."""

from __future__ import annotations

from typing import Final

_LINE: Final = 76
_LINE_WITH_END: Final = 78


def least_size(encoded: int, encoding: str) -> int:
    """The fewest octets that `encoded` octets of this transfer encoding (RFC 2045 6) can stand for.

    base64 is taken to come in lines of 76, as mail programs write it: four characters are three octets, the last four at least one.
    Shorter lines make the figure up to a hundredth too high. quoted-printable may spend three octets on each one.
    """
    name = encoding.strip().lower()
    if name == "base64":
        groups = (encoded - encoded // _LINE_WITH_END * (_LINE_WITH_END - _LINE)) // 4
        return max(groups * 3 - 2, 0)
    return encoded // 3 if name == "quoted-printable" else encoded
