r"""Each field of the facts mapped once to what our tools show of it, and compared.

What is mapped:

- names of files are compared without backslashes: a quoted `C:\x` is shown as it was written;
- C1 controls of an expected text are what windows-1252 has there, as the WHATWG's `iso-8859-1` has it;
- Reply-To is shown where its addresses differ from those of From; its names are compared only then;
- text of an alternative that is not the one shown is said to differ (`alternatives_differ`), text of an attached message is not
  entered, a document's title is no text of it: such facts are set aside, under these reasons, when Python's parser finds the text in
  no other place.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, Literal

from tests.corpus.folder import Fact
from tests.corpus.places import Place, places
from tests.corpus.shown import Attachment, Shown


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a fact stands; `kind` says what differs, or why nothing could be compared."""

    verdict: Literal["held", "missed", "aside"]
    kind: str = ""


HELD: Final = Outcome("held")
NOT_SHOWN: Final = Outcome("aside", "no tool shows it")

_ESCAPE: Final = re.compile(r"\\u\{[0-9a-f]{1,6}\}")
_TAG: Final = re.compile(r"<[^>]*>")
_LINK: Final = re.compile(r"<(?:https?|mailto|cid|ftp)[^>\s]*>")
_C1: Final = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
_UNNAMED: Final = "unnamed"
_BODY_TYPES: Final = frozenset({"text/plain", "text/html"})
# Without extraction a size is estimated from the encoded one.
_ESTIMATE: Final = 0.06
_ESTIMATE_OCTETS: Final = 120


def compare(fact: Fact, shown: Shown, octets: bytes) -> Outcome:
    """How the fact stands against what is shown of the mail that has these octets."""
    if fact.field not in _FIELDS:
        return NOT_SHOWN
    if shown.refused:
        return _missed(f"reading was refused with {shown.refused}")
    try:
        outcome = _FIELDS[fact.field](fact.value, shown)
    except (TypeError, ValueError, LookupError, AttributeError) as unfit:
        return _missed(f"the fact is of another form than its field has ({type(unfit).__name__})")
    return _elsewhere(fact.value, shown, octets) if outcome == _NO_TEXT else outcome


def _missed(kind: str) -> Outcome:
    return Outcome("missed", kind)


_NO_TEXT: Final = _missed("text is missing")


def _elsewhere(text: str, shown: Shown, octets: bytes) -> Outcome:
    """Why a text may rightly not be shown; `_NO_TEXT` if it should be."""
    found = places(octets, text)
    if found == {"alternative"} and not shown.said["alternatives_differ"]:
        return _missed("text of an alternative that is not said to differ")
    return Outcome("aside", _ASIDE[found.pop()]) if len(found) == 1 and found <= _ASIDE.keys() else _NO_TEXT


_ASIDE: Final[Mapping[Place, str]] = MappingProxyType(
    {
        "alternative": "text of an alternative that differs and is not the one shown",
        "attached message": "text inside an attached message",
        "title": "title of an HTML document",
    }
)


def shown_of(fact: Fact, shown: Shown) -> object:
    """What stands beside the fact in a report."""
    said = shown.said
    if not said:
        return shown.refused
    if fact.field.startswith("attachment"):
        return [(one.filename, one.content_type, one.size if one.size is not None else one.size_bytes) for one in shown.attachments]
    if "contains" in fact.field:
        return (said["body_source"], said["parse_warnings"], shown.text[:160])
    name = fact.field.removesuffix("_first")
    return {"reply_to": said["sender"]["reply_to"], "date": (said["date"], said["date_iso"])}.get(name, said.get(name))


def plain(text: str) -> str:
    """What two texts are compared by: NFC, runs of white space as one blank, without what cleaning takes away or shows as an escape."""
    kept = "".join(
        " " if char.isspace() else char
        for char in unicodedata.normalize("NFC", _ESCAPE.sub("", text.translate(_C1)))
        if char.isspace() or unicodedata.category(char) not in {"Cc", "Cf", "Cs"}
    )
    return " ".join(kept.split())


def _gist(text: str) -> str:
    """Letters, digits and signs, without the white space, the punctuation of tables, quotes and lists, and the targets of links."""
    return "".join(char for char in plain(_LINK.sub("", text)) if char.isalnum() or (ord(char) > 127 and not char.isspace()))


def _same(wanted: str, got: str, what: str) -> Outcome:
    return HELD if plain(wanted) == plain(got) else _missed(f"{what} differs")


def _subject(wanted: str, shown: Shown) -> Outcome:
    return _same(wanted, shown.said["subject"], "subject")


def _message_id(wanted: str, shown: Shown) -> Outcome:
    return _same(wanted.strip("<> \t"), shown.said["message_id"].strip("<> \t"), "message id")


def _date(wanted: str, shown: Shown) -> Outcome:
    iso = shown.said["date_iso"]
    if iso is None:
        return _missed("date unreadable")
    return HELD if _instant(iso) == _instant(wanted) else _missed("date differs")


def _instant(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _addresses(name: str) -> Callable[[Any, Shown], Outcome]:
    def compared(wanted: list[dict[str, str]], shown: Shown) -> Outcome:
        got = _listed(name, shown)
        if len(wanted) != len(got) and len(got) < 20:
            return _missed(f"{name}: another number of addresses")
        return next((found for one, row in zip(wanted, got, strict=False) if (found := _address(name, one, row)) != HELD), HELD)

    return compared


def _first(name: str) -> Callable[[Any, Shown], Outcome]:
    def compared(wanted: dict[str, str], shown: Shown) -> Outcome:
        got = _listed(name, shown)
        return _address(name, wanted, got[0]) if got else _missed(f"{name}: no address")

    return compared


def _listed(name: str, shown: Shown) -> list[dict[str, str]]:
    if name != "reply_to":
        rows: list[dict[str, str]] = shown.said[name]
        return rows
    # It is shown where it differs from From.
    different: list[dict[str, str]] = shown.said["sender"]["reply_to"]
    return different or [{"address": row["address"]} for row in shown.said["from"]]


def _address(name: str, wanted: dict[str, str], got: dict[str, str]) -> Outcome:
    if "address" in wanted and plain(wanted["address"]).lower() != plain(got["address"]).lower():
        return _missed(f"{name}: address differs")
    if "name" in wanted and "name" in got and plain(wanted["name"].strip("\"' ")) != plain(got["name"].strip("\"' ")):
        return _missed(f"{name}: name differs")
    return HELD


def _recipients(wanted: list[str], shown: Shown) -> Outcome:
    got = {plain(row["address"]).lower() for row in (*shown.said["to"], *shown.said["cc"])}
    return HELD if {plain(one).lower() for one in wanted} <= got else _missed("recipients: an address is missing")


def _text(wanted: str, shown: Shown) -> Outcome:
    return HELD if _is_in(wanted, shown) else _NO_TEXT


def _source(wanted: str, shown: Shown) -> Outcome:
    """A fact about HTML source says something of ours where there is text between the tags."""
    text = html.unescape(_TAG.sub(" ", wanted))
    if not _gist(text):
        return NOT_SHOWN
    return _text(text, shown)


def _is_in(wanted: str, shown: Shown) -> bool:
    whole = "\n".join((shown.text, *(one.text or "" for one in shown.attachments)))
    return plain(wanted) in plain(whole) or (bool(_gist(wanted)) and _gist(wanted) in _gist(whole))


def _attachment_count(wanted: int, shown: Shown) -> Outcome:
    """We also list unnamed parts that are neither text nor declared attachments; those may be more."""
    named = sum(one.filename != _UNNAMED for one in shown.attachments)
    return HELD if named <= wanted <= shown.said["attachment_count"] else _missed("another number of attachments")


def _attachment(wanted: dict[str, Any], shown: Shown) -> Outcome:
    comparable = {key: value for key, value in wanted.items() if not key.startswith("message_")}
    if not comparable:
        return NOT_SHOWN
    if any(_fits(comparable, one) for one in shown.attachments):
        return HELD
    if "filename" not in comparable and _is_own_text(comparable, shown):
        return HELD
    if "filename" in comparable and all(_filename(one.filename) != _filename(comparable["filename"]) for one in shown.attachments):
        return _missed("attachment: file name differs" if shown.attachments else "attachment: none is listed")
    return _missed("attachment: type, size or content differs")


def _fits(wanted: dict[str, Any], one: Attachment) -> bool:
    return all(_PROPERTIES[key](value, one) for key, value in wanted.items())


def _filename(name: str) -> str:
    return plain(name).replace("\\", "")


def _is_own_text(wanted: dict[str, Any], shown: Shown) -> bool:
    """A part without a name may be the message's own text."""
    kind = wanted.get("content_type", "text/plain")
    return kind in _BODY_TYPES and shown.said["body_source"] != "none" and _is_in(wanted.get("contains", ""), shown)


def _fits_size(wanted: int, one: Attachment) -> bool:
    if one.size is not None:
        return one.size == wanted
    return abs(one.size_bytes - wanted) <= _ESTIMATE_OCTETS + _ESTIMATE * wanted


_PROPERTIES: Final[Mapping[str, Callable[[Any, Attachment], bool]]] = MappingProxyType(
    {
        "filename": lambda wanted, one: _filename(one.filename) == _filename(wanted),
        "content_type": lambda wanted, one: one.content_type == wanted.lower(),
        "disposition": lambda wanted, one: one.inline == (wanted.lower() == "inline"),
        "size": _fits_size,
        "sha256": lambda wanted, one: one.sha256 in {None, wanted},
        "contains": lambda wanted, one: one.text is None or plain(wanted) in plain(one.text),
    }
)

_FIELDS: Final[Mapping[str, Callable[[Any, Shown], Outcome]]] = MappingProxyType(
    {
        "subject": _subject,
        "message_id": _message_id,
        "date": _date,
        **{name: _addresses(name) for name in ("from", "to", "cc", "reply_to")},
        **{f"{name}_first": _first(name) for name in ("from", "to", "cc", "reply_to")},
        "recipient_addresses": _recipients,
        "text_contains": _text,
        "any_text_contains": _text,
        "html_text_contains": _text,
        "html_contains": _source,
        "attachment": _attachment,
        "attachment_count": _attachment_count,
    }
)
