"""White space as the wire format's tools see it: which octets are trimmed from the ends of a header line.

Only trimming lives here. Unicode spaces count as well as the ASCII ones when they are whole UTF-8 sequences.
"""

from typing import Final

_ASCII: Final = b"\t\n\v\f\r "
_WIDE: Final = tuple(chr(point).encode() for point in (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))


def trim_space(octets: bytes) -> bytes:
    """The octets without white space at either end; cost is linear in the input."""
    start, end = 0, len(octets)
    moved = True
    while moved and start < end:
        moved = False
        while start < end and octets[start] in _ASCII:
            start, moved = start + 1, True
        if start < end and octets[start] >= 0x80:
            for wide in _WIDE:
                if octets.startswith(wide, start, end):
                    start, moved = start + len(wide), True
    moved = True
    while moved and start < end:
        moved = False
        while start < end and octets[end - 1] in _ASCII:
            end, moved = end - 1, True
        if start < end and octets[end - 1] >= 0x80:
            for wide in _WIDE:
                if octets.endswith(wide, start, end):
                    end, moved = end - len(wide), True
    return octets[start:end]
