"""Items of IMAP answers: quoted strings, NIL for what is empty, parameter lists.

``text`` quotes octets as they stand on the wire; ``nil_text`` writes NIL for an empty string; ``parameters`` writes a sorted list,
``()`` if there is none (bridge-behaviour 3.7).
"""

from collections.abc import Mapping

from fakebridge.message.goquote import go_quote


def text(value: str | bytes) -> bytes:
    """A quoted string with Go's escapes, 8-bit text raw."""
    string = value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")
    return go_quote(string).encode("utf-8", "surrogateescape")


def nil_text(value: str | bytes | None) -> bytes:
    """A quoted string, or NIL for an empty or missing value."""
    return text(value) if value else b"NIL"


def parameters(params: Mapping[str, str]) -> bytes:
    """Parameters sorted by the octets of their names; ``()`` if there are none."""
    ordered = sorted(params.items(), key=lambda item: item[0].encode("utf-8", "surrogateescape"))
    return b"(" + b" ".join(nil_text(name) + b" " + nil_text(value) for name, value in ordered) + b")"
