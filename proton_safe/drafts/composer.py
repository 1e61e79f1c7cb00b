"""A confirmed draft as the octets of a message (RFC 5322, RFC 2045): seven-bit, CR LF only, the same octets for the same input.

Fields: Date, Message-ID, From, To, Cc, Bcc, Subject, In-Reply-To, References, MIME-Version, Content-Type; no other. Bcc is kept, as
a draft needs it. Structure: multipart/alternative of plain text and its HTML twin, inside multipart/mixed if there are files.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.drafts.encodings import base64_lines, base64_size, filename_parameter, header_field, list_field, quoted_printable
from proton_safe.drafts.twin import twin_of

if TYPE_CHECKING:
    from proton_safe.drafts.confirmed import ConfirmedDraft
    from proton_safe.staging.upload import StagedFile

# Bridge closes the connection on a literal of 30 MiB and more.
TOO_LARGE_OCTETS: Final = 31_457_280

_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MAX_HEADER_OCTETS: Final = 16_384
_PART_OVERHEAD_OCTETS: Final = 1_024


@dataclass(frozen=True, slots=True)
class ReplyHeaders:
    """What ties a reply to its parent: usable Message-IDs only."""

    in_reply_to: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextPart:
    """The multipart/alternative: its Content-Type field, folded, and its body."""

    content_type: str
    body: bytes


def text_part(draft: ConfirmedDraft) -> TextPart:
    """The plain text and its HTML twin, encoded."""
    boundary = f"proton-safe-{draft.digest()[:32]}-text"
    parts = (("text/plain", draft.body.replace("\n", "\r\n")), ("text/html", twin_of(draft.body)))
    body = b"".join(
        f"--{boundary}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n".encode("ascii")
        + quoted_printable(content)
        + b"\r\n"
        for kind, content in parts
    )
    return TextPart(f'Content-Type: multipart/alternative;\r\n boundary="{boundary}"', body + f"--{boundary}--\r\n".encode("ascii"))


def compose(draft: ConfirmedDraft, text: TextPart, *, message_id: str, when: float, reply: ReplyHeaders | None) -> bytes:
    """The message with its text part; `when` in Unix seconds."""
    content_type, body = text.content_type, [text.body]
    if draft.files:
        content_type, body = _mixed(text, draft.files, f"proton-safe-{draft.digest()[:32]}-files")
    fields = [
        f"Date: {date_text(when)}",
        f"Message-ID: {message_id}",
        list_field("From", (draft.sender,)),
        *(list_field(name, items) for name, items in (("To", draft.to), ("Cc", draft.cc), ("Bcc", draft.bcc)) if items),
        header_field("Subject", draft.subject),
    ]
    if reply is not None:
        fields += [list_field("In-Reply-To", (reply.in_reply_to,)), list_field("References", reply.references, separator="")]
    fields += ["MIME-Version: 1.0", content_type]
    return b"".join(["\r\n".join(fields).encode("ascii"), b"\r\n\r\n", *body])


def largest_size(draft: ConfirmedDraft, text: TextPart) -> int:
    """More octets than `compose` will make of this draft, whatever its identifiers are; costs no encoding of the files."""
    files = sum(base64_size(len(file.octets)) + _PART_OVERHEAD_OCTETS for file in draft.files)
    return _MAX_HEADER_OCTETS + len(text.body) + files


def date_text(when: float) -> str:
    """A Date value in UTC (RFC 5322 3.3), whatever the locale is."""
    moment = time.gmtime(when)
    day = f"{_DAYS[moment.tm_wday]}, {moment.tm_mday:02d} {_MONTHS[moment.tm_mon - 1]} {moment.tm_year:04d}"
    return f"{day} {moment.tm_hour:02d}:{moment.tm_min:02d}:{moment.tm_sec:02d} +0000"


def _mixed(text: TextPart, files: tuple[StagedFile, ...], boundary: str) -> tuple[str, list[bytes]]:
    """The Content-Type field, folded, and the body in pieces: a message is joined once."""
    pieces = [f"--{boundary}\r\n{text.content_type}\r\n\r\n".encode("ascii"), text.body]
    for file in files:
        pieces.append(
            f"\r\n--{boundary}\r\nContent-Type: {file.content_type}\r\nContent-Transfer-Encoding: base64\r\n"
            f"Content-Disposition: attachment;\r\n {filename_parameter(file.filename)}\r\n\r\n".encode("ascii")
        )
        pieces.append(base64_lines(file.octets))
    pieces.append(f"\r\n--{boundary}--\r\n".encode("ascii"))
    return f'Content-Type: multipart/mixed;\r\n boundary="{boundary}"', pieces
