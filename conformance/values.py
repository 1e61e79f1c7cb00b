"""What stands for a value in a case: captured names and generators, so that large or computed inputs stay one readable line.

`"$name"` is what an earlier step captured; `"$$"` at the start of a text stands for one `$`.
Generators: `{"$repeat": [text, times]}`, `{"$join": [values]}`, `{"$address": characters}`, `{"$canary": place}`, `{"$mail": parts}`,
`{"$character": code point}` (for those that stand in no file: surrogates),
`{"$list": {"each": template, "times": n, "from": 1}}` (`#` in the template becomes the number), `{"$base64": source}`,
`{"$sha256": source}`, `{"$size": source}`; a source is described in `sources`. `{"$uid": handle}` is the uid of the mail with this
handle in the case's world.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping

from conformance.model import Json
from conformance.sources import octets_of
from fixtures.seeding import canary

UID_KEY = "$uid"
"""Under this name `expand` is given the uids of the world's mails by handle."""
_CAPTURED = re.compile(r"^\$([a-z][a-z0-9_]*)$")


class UnknownName(Exception):
    """A value names something that no earlier step has captured."""


def expand(value: Json, names: Mapping[str, Json]) -> Json:
    """`value` with all captured names and generators replaced; matchers pass through. Raises UnknownName, KeyError, ValueError."""
    if isinstance(value, str):
        return _text(value, names)
    if isinstance(value, list):
        return [expand(one, names) for one in value]
    if isinstance(value, dict):
        if len(value) == 1:
            ((key, inner),) = value.items()
            if key == UID_KEY:
                return _uid(inner, names)
            if key in GENERATORS:
                return GENERATORS[key](expand(inner, names))
        return {key: expand(inner, names) for key, inner in value.items()}
    return value


def captured_names(value: Json) -> set[str]:
    """The names that `value` expects earlier steps to have captured."""
    if isinstance(value, str):
        return {match[1]} if (match := _CAPTURED.match(value)) else set()
    if isinstance(value, list):
        return set().union(*(captured_names(one) for one in value))
    if isinstance(value, dict):
        return set().union(*(captured_names(one) for one in value.values()))
    return set()


def at_path(value: Json, path: str) -> Json:
    """The part of `value` that `path` names: keys and list positions between dots. Raises LookupError, TypeError."""
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def _text(value: str, names: Mapping[str, Json]) -> Json:
    if (match := _CAPTURED.match(value)) is not None:
        if match[1] not in names:
            raise UnknownName(match[1])
        return names[match[1]]
    return value[1:] if value.startswith("$$") else value


def _uid(handle: Json, names: Mapping[str, Json]) -> Json:
    if UID_KEY not in names or handle not in names[UID_KEY]:
        raise UnknownName(f"uid of {handle}")
    return names[UID_KEY][handle]


def _repeat(value: Json) -> str:
    text, times = value
    return str(text) * int(times)


def _join(value: Json) -> str:
    return "".join(str(one) for one in value)


def _address(value: Json) -> str:
    """A valid bare address of so many characters: a local part of up to 64, labels of up to 60 (RFC 5321 4.5.3.1, RFC 1035 2.3.4)."""
    characters, tail = int(value), ".example"
    room = characters - len("@") - len(tail)
    local = min(64, room - 1)
    room -= local
    labels: list[str] = []
    while room > 0:
        size = min(60, room)
        size -= room - size == 1  # a dot alone is no label
        labels.append("d" * size)
        room -= size + 1
    address = "a" * local + "@" + ".".join(labels) + tail
    if len(address) != characters:
        raise ValueError(f"no address has {characters} characters")
    return address


def _list(value: Json) -> list[Json]:
    first = int(value.get("from", 1))
    return [_numbered(value["each"], number) for number in range(first, first + int(value["times"]))]


def _numbered(template: Json, number: int) -> Json:
    if isinstance(template, str):
        return template.replace("#", str(number))
    if isinstance(template, dict):
        return {key: _numbered(inner, number) for key, inner in template.items()}
    return template


def _mail(value: Json) -> str:
    """A mail with one attachment (RFC 2046 5.1), lines ending in LF: header lines, a text, and a source that is attached."""
    octets = octets_of(value["attachment"])
    name, content_type, mark = value["filename"], value["content_type"], "=_conformance"
    lines = [
        *value["headers"],
        "MIME-Version: 1.0",
        f'Content-Type: multipart/mixed; boundary="{mark}"',
        "",
        f"--{mark}",
        "Content-Type: text/plain; charset=utf-8",
        "",
        value["text"],
        f"--{mark}",
        f'Content-Type: {content_type}; name="{name}"',
        "Content-Transfer-Encoding: base64",
        f'Content-Disposition: attachment; filename="{name}"',
        "",
        base64.encodebytes(octets).decode("ascii").rstrip("\n"),
        f"--{mark}--",
        "",
    ]
    return "\n".join(lines)


GENERATORS: dict[str, Callable[[Json], Json]] = {
    "$repeat": _repeat,
    "$join": _join,
    "$address": _address,
    "$list": _list,
    "$mail": _mail,
    "$base64": lambda value: base64.b64encode(octets_of(value)).decode("ascii"),
    "$sha256": lambda value: hashlib.sha256(octets_of(value)).hexdigest(),
    "$size": lambda value: len(octets_of(value)),
    "$canary": lambda value: canary(str(value)),
    "$character": lambda value: chr(int(value)),
}
