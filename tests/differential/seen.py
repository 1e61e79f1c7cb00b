"""The same values of a mail as four see them: who wrote it, the real server, and Python's parser under its two policies."""

from __future__ import annotations

import email
import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email import policy
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.utils import collapse_rfc2231_value, getaddresses, parsedate_to_datetime
from types import MappingProxyType
from typing import Any, Final

from tests.differential.ordinary import Ordinary

FIELDS: Final = ("subject", "from", "to", "cc", "date", "message_id", "text", "files")
_TAG: Final = re.compile(r"<head>.*?</head>|<[^>]*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Raised:
    """What a parser raised instead of giving a value."""

    name: str


def put_in(mail: Ordinary) -> dict[str, object]:
    """The values that the mail was written from."""
    return {
        "subject": mail.subject,
        "from": [(mail.sender.name, mail.sender.address)],
        "to": [(one.name, one.address) for one in mail.to],
        "cc": [(one.name, one.address) for one in mail.cc],
        "date": mail.date.isoformat(),
        "message_id": mail.message_id,
        "text": mail.text if mail.has_plain else _one_line(mail.text),
        "files": [(one.name, one.content_type) for one in mail.files],
    }


def by_server(mail: Ordinary, said: Mapping[str, Any]) -> dict[str, object]:
    """What `read_message` says. Parts that are no files of the mail (a forwarded mail, a signature, a picture) have no name."""
    return {
        "subject": said["subject"],
        **{name: _rows(said[name]) for name in ("from", "to", "cc")},
        "date": said["date_iso"],
        "message_id": said["message_id"],
        "text": said["body_text"] if mail.has_plain else _one_line(said["body_text"]),
        "files": [(row["filename"], row["content_type"]) for row in said["attachments"] if row["filename"] != "unnamed"],
    }


def by_list(row: Mapping[str, Any]) -> dict[str, object]:
    """What a row of `list_messages` says; fewer values."""
    return {
        "subject": row["subject"],
        **{name: _rows(row[name]) for name in ("from", "to")},
        "date": row["date_iso"],
        "message_id": row["message_id"],
    }


def _rows(rows: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(row["name"], row["address"]) for row in rows]


def by_default(mail: Ordinary, octets: bytes) -> dict[str, object]:
    """Python's parser under `email.policy.default`."""
    message: EmailMessage = email.message_from_bytes(octets, policy=policy.default)
    return _tried(
        {
            "subject": lambda: str(message["subject"]),
            "from": lambda: _structured(message, "from"),
            "to": lambda: _structured(message, "to"),
            "cc": lambda: _structured(message, "cc"),
            "date": lambda: _moment(message),
            "message_id": lambda: str(message["message-id"]),
            "text": lambda: _content(mail, message),
            "files": lambda: [(one.get_filename(), one.get_content_type()) for one in message.iter_attachments() if one.get_filename()],
        }
    )


def by_compat32(mail: Ordinary, octets: bytes) -> dict[str, object]:
    """Python's parser under `email.policy.compat32`, with the functions that its documentation names for decoding."""
    message = email.message_from_bytes(octets)
    return _tried(
        {
            "subject": lambda: _words(message, "subject"),
            "from": lambda: _listed(message, "from"),
            "to": lambda: _listed(message, "to"),
            "cc": lambda: _listed(message, "cc"),
            "date": lambda: parsedate_to_datetime(str(message["date"])).isoformat(),
            "message_id": lambda: str(message["message-id"]),
            "text": lambda: _payload(mail, message),
            "files": lambda: _named(message),
        }
    )


PARSERS: Final[Mapping[str, Callable[[Ordinary, bytes], dict[str, object]]]] = MappingProxyType(
    {"email, policy default": by_default, "email, policy compat32": by_compat32}
)


def _tried(getters: Mapping[str, Callable[[], object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, get in getters.items():
        try:
            found[name] = get()
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            found[name] = Raised(type(error).__name__)
    return found


def _structured(message: EmailMessage, name: str) -> list[tuple[str, str]]:
    header = message[name]
    return [] if header is None else [(one.display_name, one.addr_spec) for one in header.addresses]


def _moment(message: EmailMessage) -> str:
    return str(message["date"].datetime.isoformat())


def _content(mail: Ordinary, message: EmailMessage) -> str:
    part = message.get_body(("plain",) if mail.has_plain else ("html",))
    if part is None:
        return ""
    return _comparable(mail, part.get_content())


def _words(message: Message, name: str) -> str:
    return re.sub(r"\r?\n([ \t])", r"\1", str(make_header(decode_header(str(message[name])))))


def _listed(message: Message, name: str) -> list[tuple[str, str]]:
    values = [str(value) for value in message.get_all(name, [])]
    return [(str(make_header(decode_header(shown))), address) for shown, address in getaddresses(values)]


def _payload(mail: Ordinary, message: Message) -> str:
    kind = "text/plain" if mail.has_plain else "text/html"
    part = next(part for part in message.walk() if part.get_content_type() == kind)
    payload = part.get_payload(decode=True)
    octets = payload if isinstance(payload, bytes) else b""
    return _comparable(mail, octets.decode(str(part.get_content_charset())))


def _named(message: Message) -> list[tuple[str, str]]:
    return [(collapse_rfc2231_value(name), part.get_content_type()) for part in message.walk() if (name := part.get_filename())]


def _comparable(mail: Ordinary, text: str) -> str:
    if mail.has_plain:
        return text.replace("\r\n", "\n").strip("\n")
    return _one_line(html.unescape(_TAG.sub(" ", text)))


def _one_line(text: str) -> str:
    return " ".join(text.split())
