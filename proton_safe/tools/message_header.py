"""What a message's monstrous header would hide: the fields behind the cut, and the structure behind an ENVELOPE without end.

An ordinary message costs no question here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from proton_safe.mime import headers
from proton_safe.mime.defects import merged

if TYPE_CHECKING:
    from proton_safe.imap.items import MessageItems
    from proton_safe.imap.mailbox import Mailbox
    from proton_safe.mime.headers import Headers

# What the reading tools look at; each is asked for only where the block was cut before it.
_LOOKED_AT: Final = (
    *("from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id"),
    *("content-type", "content-transfer-encoding", "content-disposition"),
)
_MAX_RESCUED_OCTETS: Final = 65_536


def whole(mailbox: Mailbox, uid: int, items: MessageItems, block: bytes) -> tuple[MessageItems, Headers]:
    """The items with their structure, and the fields of the header: those of the block, then the known ones that it was cut before."""
    if items.structure is None:
        items = replace(items, structure=mailbox.structure(uid))
    found = headers.split(block)
    if "header-truncated" not in found.warnings:
        return items, found
    missing = [name for name in _LOOKED_AT if found.first(name) is None]
    if not missing:
        return items, found
    more = headers.split(mailbox.fields(uid, missing, _MAX_RESCUED_OCTETS))
    return items, headers.Headers(
        (*found.fields, *more.fields),
        merged(found.warnings, more.warnings),
        tuple(dict.fromkeys((*found.duplicates, *more.duplicates))),
    )
