"""The last look before a draft is stored: the composed octets, read back by the reader's own rules, say what was confirmed.

A difference is a fault of ours, never of the caller; then nothing is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proton_safe.drafts.twin import text_of_twin
from proton_safe.mime import addresses, headers, transfer, words

if TYPE_CHECKING:
    from proton_safe.drafts.confirmed import ConfirmedDraft

_FIELDS: Final = frozenset(
    {"date", "message-id", "from", "to", "cc", "bcc", "subject", "in-reply-to", "references", "mime-version", "content-type"}
)
_TEXT_BEGINS: Final = b"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
_FROM_LINES: Final = (b"\r\nFrom ", b"\r\n>From ")


class ComposedWrongly(Exception):
    """The composed message does not say what was confirmed."""


def prove(message: bytes, draft: ConfirmedDraft, *, message_id: str) -> None:
    """Raise `ComposedWrongly` unless fields, text and line ends are exactly those of the draft."""
    header_ends = message.find(b"\r\n\r\n")
    fields = headers.split(message[:header_ends] if header_ends >= 0 else message)
    names = [field.name for field in fields.fields]
    proven = (
        message.isascii(),
        message.count(b"\r") == message.count(b"\n") == message.count(b"\r\n"),
        not any(line in message for line in _FROM_LINES),
        not fields.warnings,
        len(names) == len(set(names)),
        _FIELDS.issuperset(names),
        fields.first("message-id") == message_id.encode("ascii"),
        words.decode(fields.first("subject") or b"").text == draft.subject,
        *(
            _addresses(fields.first(name)) == expected
            for name, expected in (("from", (draft.sender,)), ("to", draft.to), ("cc", draft.cc), ("bcc", draft.bcc))
        ),
        _texts(message, header_ends) == [draft.body, draft.body],
    )
    if not all(proven):
        raise ComposedWrongly


def _addresses(raw: bytes | None) -> tuple[str, ...]:
    return tuple(each.address for each in addresses.parse(raw).addresses)


def _texts(message: bytes, start: int) -> list[str | None]:
    """The plain text and the text of the twin, out of the first two quoted-printable parts behind `start`. Copies no file."""
    texts: list[str] = []
    while len(texts) < 2 and (found := message.find(_TEXT_BEGINS, max(0, start))) >= 0:
        begin = found + len(_TEXT_BEGINS)
        start = message.find(b"\r\n--", begin)
        start = len(message) if start < 0 else start
        texts.append(transfer.decode(message[begin:start], "quoted-printable").octets.decode("utf-8", "replace"))
    return [*(text.replace("\r\n", "\n") for text in texts[:1]), *map(text_of_twin, texts[1:])]
