"""The parent of a reply, read again right before the draft is stored: it must still be the message that was confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proton_safe.drafts.composer import ReplyHeaders
from proton_safe.mime import headers, message_ids
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.drafts.confirmed import Parent
    from proton_safe.imap.pool import Pool
    from proton_safe.references import References

MAX_REFERENCES: Final = 20
MAX_REFERENCES_CHARS: Final = 2_000


def reply_headers(parent: Parent, pool: Pool, references: References, call: Call) -> ReplyHeaders:
    """In-Reply-To and References for the parent.

    Raises `mailbox-changed` when the caller's UIDVALIDITY is not the folder's, and `reply-target-changed` when folder, uid and
    Message-ID don't agree any more: the Message-ID is compared octet for octet, and the folder must not have been renumbered since
    the message was shown.
    """
    with pool.examine(parent.folder, call) as mailbox:
        if parent.uid_validity not in (None, mailbox.uid_validity):
            raise Refusal(Code.MAILBOX_CHANGED)
        try:
            references.check(mailbox.name.raw_name, parent.uid, current=mailbox.uid_validity, claimed=None)
            fields = headers.split(mailbox.header(parent.uid))
        except Refusal as refusal:
            if refusal.code in {Code.MAILBOX_CHANGED, Code.MESSAGE_NOT_FOUND}:
                raise Refusal(Code.REPLY_TARGET_CHANGED) from None
            raise
    if message_ids.usable(fields.first("message-id")) != parent.message_id:
        raise Refusal(Code.REPLY_TARGET_CHANGED)
    return ReplyHeaders(parent.message_id, trimmed((*message_ids.references(fields.first("references")), parent.message_id)))


def trimmed(identifiers: tuple[str, ...]) -> tuple[str, ...]:
    """Each identifier once, at most 20 and 2,000 characters with blanks between; what goes is taken out behind the root.

    The last one, the parent, always stays.
    """
    kept = list(dict.fromkeys((*(each for each in identifiers if each != identifiers[-1]), identifiers[-1])))
    while len(kept) > MAX_REFERENCES or sum(map(len, kept)) + len(kept) - 1 > MAX_REFERENCES_CHARS:
        del kept[1 if len(kept) > 2 else 0]
    return tuple(kept)
