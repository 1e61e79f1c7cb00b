"""The last look before a draft is stored: the composed octets, read back by the reader's own rules, say what was confirmed.

A difference is a fault of ours, never of the caller; then nothing is stored.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proton_safe.drafts.twin import text_of_twin
from proton_safe.mime import addresses, headers, transfer, words

if TYPE_CHECKING:
    from proton_safe.drafts.confirmed import ConfirmedDraft

_FIELDS: Final = frozenset(
    {"date", "message-id", "from", "to", "cc", "bcc", "subject", "in-reply-to", "references", "mime-version", "content-type"}
)
_BARE_LINE_END: Final = re.compile(rb"\r(?!\n)|(?<!\r)\n|\r\n(?:>?From )")


class ComposedWrongly(Exception):
    """The composed message does not say what was confirmed."""


def prove(message: bytes, draft: ConfirmedDraft, *, message_id: str) -> None:
    """Raise `ComposedWrongly` unless fields, text and line ends are exactly those of the draft."""
    block, _, body = message.partition(b"\r\n\r\n")
    fields = headers.split(block)
    names = [field.name for field in fields.fields]
    proven = (
        message.isascii(),
        _BARE_LINE_END.search(message) is None,
        not fields.warnings,
        len(names) == len(set(names)),
        _FIELDS.issuperset(names),
        fields.first("message-id") == message_id.encode("ascii"),
        words.decode(fields.first("subject") or b"").text == draft.subject,
        *(
            _addresses(fields.first(name)) == expected
            for name, expected in (("from", (draft.sender,)), ("to", draft.to), ("cc", draft.cc), ("bcc", draft.bcc))
        ),
        _texts(body) == [draft.body, draft.body],
    )
    if not all(proven):
        raise ComposedWrongly


def _addresses(raw: bytes | None) -> tuple[str, ...]:
    return tuple(each.address for each in addresses.parse(raw).addresses)


def _texts(body: bytes) -> list[str | None]:
    """The plain text and the text of the twin, out of the first two quoted-printable parts."""
    _, *parts = body.split(b"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
    texts = [transfer.decode(part.partition(b"\r\n--")[0], "quoted-printable").octets.decode("utf-8", "replace") for part in parts[:2]]
    return [*(text.replace("\r\n", "\n") for text in texts[:1]), *map(text_of_twin, texts[1:])]
