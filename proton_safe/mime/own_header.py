"""What a part's own MIME header says (`BODY[n.MIME]`), read by our own tolerant reader.

BODYSTRUCTURE is what the server made of that header. It says nothing of a field that the server couldn't read, and where the two
contradict each other, the structure describes something else than the octets that come under its numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from proton_safe.mime import charsets, headers, parameters
from proton_safe.mime.structure import MAX_TYPE_CHARS, OPAQUE, Part, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proton_safe.mime.defects import Defect

MAX_OCTETS: Final = 16_384
MAX_DOUBTFUL: Final = 20
_TYPE: Final = re.compile(r"[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]{1,126}/[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]{1,126}")
_OTHER_KINDS: Final = frozenset({"application", "audio", "font", "image", "message", "model", "multipart", "video"})
_DAMAGE: Final[frozenset[Defect]] = frozenset({"duplicate-header", "header-damaged"})


@dataclass(frozen=True, slots=True)
class OwnHeader:
    """The fields that describe a part. `media_type` is '' where there is none that can be read; `declared`: the field is there.

    `textual`: it says nothing, something that is no type, or begins with `text`, so that for a whole message text is the best guess
    (RFC 2045 5.2).
    """

    declared: bool = False
    textual: bool = True
    media_type: str = ""
    parameters: Mapping[str, bytes] = field(default_factory=dict)
    encoding: str = ""
    disposition: str = ""
    disposition_parameters: Mapping[str, bytes] = field(default_factory=dict)
    content_id: str = ""
    warnings: tuple[Defect, ...] = ()


def read(block: bytes) -> OwnHeader:
    """The header of a part, or of a message, out of its first 16 KiB; never raises."""
    return of(headers.split(block[:MAX_OCTETS]))


def of(fields: headers.Headers) -> OwnHeader:
    """The same out of a block that was split before. The first of several fields of one name counts."""
    content_type = fields.first("content-type")
    word, kinds = parameters.split(content_type or b"")
    disposition, details = parameters.split(fields.first("content-disposition") or b"")
    encoding, _ = parameters.split(fields.first("content-transfer-encoding") or b"")
    return OwnHeader(
        content_type is not None,
        ("/" not in word and word not in _OTHER_KINDS) or word.startswith("text"),
        word if _TYPE.fullmatch(word) and len(word) <= MAX_TYPE_CHARS else "",
        kinds,
        encoding,
        disposition,
        details,
        charsets.guess((fields.first("content-id") or b"")[:MAX_TYPE_CHARS]).strip("<> \t"),
        tuple(warning for warning in fields.warnings if warning in _DAMAGE),
    )


def doubtful(tree: Tree) -> tuple[Part, ...]:
    """The leaves whose own header decides what they are, the first 20.

    Those whose type the server couldn't read or says nothing of, and texts behind the first part of a multipart that show no
    disposition: where the server couldn't read that field, a file would pass for text.
    """
    found: list[Part] = []
    waiting = [(tree.root, False)]
    while waiting and len(found) < MAX_DOUBTFUL:
        part, follows = waiting.pop()
        if part.children:
            mixed = part.media_type not in {"multipart/alternative", "multipart/related"}
            waiting.extend((child, mixed and at > 0) for at, child in reversed(list(enumerate(part.children))))
        elif part is not tree.root and (part.unreadable or ((follows or part.silent) and _passes_for_text(part))):
            found.append(part)
    return tuple(found)


def _passes_for_text(part: Part) -> bool:
    return part.text and part.size > 0 and not part.disposition and not part.filename


def repaired(tree: Tree, own: Mapping[str, OwnHeader]) -> Tree:
    """The tree with what the parts' own headers (by section) add to it.

    A type that contradicts the structure makes the part `withheld`: its octets are not what they are said to be. A type, an encoding,
    a disposition and a name that the structure lacks are taken over. Each repair is a warning.
    """
    if not own:
        return tree
    warnings: set[Defect] = set(tree.warnings)
    root = _repaired(tree.root, own, warnings)
    return Tree(root, tuple(sorted(warnings)))


def _repaired(part: Part, own: Mapping[str, OwnHeader], warnings: set[Defect]) -> Part:
    """The tree is at most 20 levels deep (`structure.MAX_DEPTH`)."""
    if part.children:
        return replace(part, children=tuple(_repaired(child, own, warnings) for child in part.children))
    header = own.get(part.section)
    return part if header is None else _leaf(part, header, warnings)


def _leaf(part: Part, own: OwnHeader, warnings: set[Defect]) -> Part:
    if own.warnings:
        warnings.add("part-header-damaged")
    if part.unreadable:
        warnings.add("part-header-damaged")
        if own.media_type.startswith("multipart/"):
            warnings.add("bad-boundary")
            return replace(part, media_type="text/plain", unreadable=False, undivided=True)
        media_type = own.media_type or OPAQUE
        part = replace(part, media_type=media_type, parameters=own.parameters, unreadable=not own.media_type)
    elif part.silent and own.media_type == part.media_type:
        part = replace(part, parameters=own.parameters)
    elif part.silent and own.media_type:
        warnings.add("part-header-damaged")
        undivided = own.media_type.startswith("multipart/")
        part = replace(part, media_type="text/plain" if undivided else own.media_type, parameters=own.parameters, undivided=undivided)
    elif _contradicts(part, own):
        warnings.add("structure-mismatch")
        return replace(part, withheld=True)
    # RFC 2045 6.1: where nothing is said it is 7bit, and servers may say so.
    if (own.encoding or "7bit") != (part.encoding or "7bit") and part.size and not own.media_type.startswith("multipart/"):
        warnings.add("structure-mismatch")
        part = replace(part, encoding=own.encoding)
    if own.disposition and not part.disposition:
        warnings.add("part-header-damaged")
        part = replace(part, disposition=own.disposition, disposition_parameters=own.disposition_parameters)
    return _named(part, own)


def _contradicts(part: Part, own: OwnHeader) -> bool:
    """Whether the header names another type than the structure. A field that isn't there or can't be read contradicts nothing but files."""
    if own.media_type:
        return own.media_type != part.media_type and not (part.undivided and own.media_type.startswith("multipart/"))
    return not own.declared and not part.text and not part.media_type.startswith("message/")


def _named(part: Part, own: OwnHeader) -> Part:
    """With the name out of the own header, where the structure has none or one whose octets were lost on the way."""
    seen = parameters.value(own.disposition_parameters, "filename")
    if seen and seen != parameters.value(part.disposition_parameters, "filename"):
        part = replace(part, disposition_parameters=own.disposition_parameters)
    told = parameters.value(own.parameters, "name")
    if told and told != parameters.value(part.parameters, "name"):
        part = replace(part, parameters={**part.parameters, **_names(own.parameters)})
    return part


def _names(found: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: octets for name, octets in found.items() if name.partition("*")[0] == "name"}
