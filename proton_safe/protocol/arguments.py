"""What no schema should have to judge in a call's arguments, found when the line is read and refused when the tool is called.

Belongs to the front door: imports nothing.
"""

from __future__ import annotations

MAX_DEPTH = 16


class Fault:
    """Stands where arguments, or a value in them, can't be used. `rule` is our phrase for what they must be."""

    __slots__ = ("rule",)

    def __init__(self, rule: str) -> None:
        self.rule = rule


TOO_DEEP = Fault(f"must not nest deeper than {MAX_DEPTH}")
NO_NUMBER = Fault("must hold finite numbers of at most 4300 digits only")
DUPLICATE_KEY = Fault("must not hold a key twice in one object")
NO_UNICODE = Fault("must be valid Unicode")


def fault_in(arguments: object, *, plain: bool) -> Fault | None:
    """The first fault, outermost first: a key twice, a number beyond JSON, a lone surrogate, nesting over 16.

    `plain` tells that no surrogate can be there. Works without recursion, so that depth costs nothing.
    """
    level = [arguments]
    for depth in range(MAX_DEPTH + 1):
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                if not plain:
                    below += value.keys()
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, Fault):
                return Fault(value.rule)
            elif isinstance(value, float):
                if value - value != 0:  # infinite or not a number, without importing math
                    return NO_NUMBER
            elif isinstance(value, str) and not plain and not _is_unicode(value):
                return NO_UNICODE
        if depth == MAX_DEPTH and any(isinstance(value, dict | list) for value in level):
            return TOO_DEEP
        level = below
    return None


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
