"""What the server shows of one mail, over all calls, so that facts are compared with one value each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from tests.served.reader import Broken, Reader

MOST_CHARS: Final = 100_000
MOST_READS: Final = 50


@dataclass(frozen=True, slots=True)
class Attachment:
    """One attachment's row; `text`, `size` and `sha256` are None where its text is not for extraction or was refused."""

    filename: str
    content_type: str
    size_bytes: int
    inline: bool
    text: str | None = None
    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """One mail: what `read_message` says, its whole text, its attachments; or the code with which reading was refused."""

    said: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    attachments: tuple[Attachment, ...] = ()
    refused: str = ""


def read(reader: Reader, uid: int) -> Shown:
    """Read a mail to its end, prepare a reply to it, extract what can be extracted. Raises what Reader raises."""
    code, said = reader.call("read_message", uid=str(uid), max_chars=MOST_CHARS)
    context, _ = reader.call("get_reply_context", uid=str(uid))
    if code or context:
        if code != context:
            raise Broken(f"read_message ended with {code or 'a result'} and get_reply_context with {context or 'a result'}")
        return Shown(refused=code)
    return Shown(said, _whole(reader, uid, said), tuple(_attachment(reader, uid, row) for row in said["attachments"]))


def _whole(reader: Reader, uid: int, said: dict[str, Any]) -> str:
    text: str = said["body_text"]
    after = said["next_offset_chars"]
    for _ in range(MOST_READS):
        if after is None:
            return text
        more = reader.result("read_message", uid=str(uid), max_chars=MOST_CHARS, offset_chars=after)
        text += more["body_text"]
        after = more["next_offset_chars"]
    raise Broken("reading on does not end")


def _attachment(reader: Reader, uid: int, row: dict[str, Any]) -> Attachment:
    known = (row["filename"], row["content_type"], row["size_bytes"], row["inline"])
    if not row["text_extractable"]:
        return Attachment(*known)
    code, found = reader.call("extract_attachment_text", uid=str(uid), attachment_index=row["attachment_index"], max_chars=MOST_CHARS)
    return Attachment(*known) if code else Attachment(*known, found["text"], found["size_bytes"], found["sha256"])
