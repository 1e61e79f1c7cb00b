"""What happens on the account behind Bridge's back: mail arrives, a phone moves, deletes, edits (dialogues 35 to 37).

It shows at the next poll.
"""

from __future__ import annotations

from dataclasses import replace

from fakebridge.account.account import Account
from fakebridge.account.contents import StoredContent
from fakebridge.account.message import AccountMessage
from fakebridge.account.populating import received
from fakebridge.message.stored import Origin


def by_subject(account: Account, text: str) -> list[AccountMessage]:
    """Messages whose subject contains a text."""
    return [message for message in account.messages.values() if text in message.content.subject()]


def deliver(account: Account, octets: bytes, *, now: float, unread: bool = False) -> str:
    """A mail arrives in INBOX, read (as the recordings' server delivers) unless wanted otherwise; the account's id."""
    own = account.addresses.primary
    message_id = account.new_id()
    content = account.content(received(octets, message_id, int(now), account.server), octets)
    message = AccountMessage(id=message_id, address=own.id, origin=Origin.RECEIVED, time=int(now), content=content, unread=unread)
    return account.add(message).id


def delete(account: Account, text: str) -> int:
    """Every message whose subject contains the text is deleted for good; how many."""
    found = by_subject(account, text)
    for message in found:
        del account.messages[message.id]
        account.events.message(message.id)
    return len(found)


def label(account: Account, mailbox: str, text: str) -> int:
    """Every such message gets the label, or moves to the folder; how many. KeyError: there is no such mailbox."""
    target = account.labels.by_mailbox_name(mailbox)
    if target is None:
        raise KeyError(mailbox)
    found = by_subject(account, text)
    for message in found:
        message.add_label(target)
        account.events.message(message.id)
    return len(found)


def edit_drafts(account: Account, text: str) -> int:
    """Every such draft gets " edited" behind its subject and another body; how many."""
    found = [message for message in by_subject(account, text) if message.origin is Origin.DRAFT]
    for message in found:
        stored = message.content.stored()
        subject = f"{stored.subject} edited"
        headers = tuple((name, subject if name == "Subject" else value) for name, value in stored.headers)
        edited = replace(stored, subject=subject, headers=headers, mime_type="text/plain", body=b"edited body")
        message.content = StoredContent(edited)
        account.events.message(message.id, edited=True)
    return len(found)
