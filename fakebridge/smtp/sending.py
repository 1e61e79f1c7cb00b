"""What becomes of a message that a client sends: who may send it, whether it was sent already, and the Sent copy.

All checks come after the last dot, in Bridge's order: recipients, account, throttle, envelope sender, duplicate, header sender, content
(bridge-behaviour 7.2 to 7.4; dialogues 32, 33, 34). One difference: a message refused for its sender is forgotten at once; Bridge
keeps the entry, so that the same message sent again waits 90 s for a send that never ends.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from fakebridge.account.addresses import OwnAddress
from fakebridge.account.errors import ApiError
from fakebridge.bridge.recorder import Ticket
from fakebridge.message.accountserver import keep_sent
from fakebridge.message.addresses import Address, AddressError, parse_list
from fakebridge.message.draft import ContentRefused, DraftContent, content_of
from fakebridge.message.hashing import HashRefused, message_hash
from fakebridge.message.mimetree import Entity, MimeError, read
from fakebridge.message.mimewriter import with_text_part
from fakebridge.smtp.refusals import Cause, refusal
from fakebridge.smtp.submission import Refused, Submission

_MAX_FAILURES: Final = 3
_PAUSE: Final = timedelta(seconds=20)
_QUICK: Final = timedelta(seconds=1)


class Throttle:
    """Failures that follow each other within a second are counted; after too many, sending rests for 20 s."""

    def __init__(self) -> None:
        self._failures = 0
        self._last: datetime | None = None

    def allows(self, now: datetime) -> bool:
        """Whether a send may begin: not after too many failures just before."""
        if self._failures < _MAX_FAILURES:
            return True
        if self._last is not None and now - self._last < _PAUSE:
            return False
        self._failures = 0
        return True

    def note(self, now: datetime, *, failed: bool) -> None:
        """After a send that began at ``now``."""
        quick = self._last is not None and now - self._last <= _QUICK
        self._failures = self._failures + 1 if failed and quick else 0
        self._last = now


class Sending:
    """Sends messages of one account; all its SMTP sessions share it."""

    def __init__(self, submission: Submission) -> None:
        self._submission = submission
        self._throttle = Throttle()

    async def submit(self, user: str | None, envelope_from: str, recipients: tuple[str, ...], literal: bytes) -> None:
        """Send for a user who logged in (None: nobody did).

        Raises:
            Refused: with Bridge's text.
        """
        if not recipients:
            raise self._refusal(Cause.NO_RECIPIENT)
        if user is None or not self._submission.logged_in:
            raise self._refusal(Cause.NO_ACCOUNT)
        now = self._submission.now()
        if not self._throttle.allows(now):
            raise self._refusal(Cause.TOO_MANY_FAILURES)
        failed = True
        try:
            await self._send(envelope_from, recipients, literal)
            failed = False
        finally:
            self._throttle.note(now, failed=failed)

    async def _send(self, envelope_from: str, recipients: tuple[str, ...], literal: bytes) -> None:
        if self._own(envelope_from) is None:
            raise self._refusal(Cause.FOREIGN_SENDER)
        try:
            digest = message_hash(literal)
        except HashRefused as refused:
            raise Refused(refused.text) from None
        ticket = await self._submission.recorder.insert(digest, recipients)
        if ticket is None:
            # The same message went to the same recipients within the window: accepted again, sent once.
            return
        try:
            await self._send_new(ticket, envelope_from, recipients, literal)
        except Refused:
            self._submission.recorder.failed(ticket)
            raise

    async def _send_new(self, ticket: Ticket, envelope_from: str, recipients: tuple[str, ...], literal: bytes) -> None:
        try:
            tree = read(literal)
        except MimeError as broken:
            raise Refused(f"failed to create parser: {broken.text}") from None
        sender = _header_sender(tree) or envelope_from
        own = self._own(sender)
        if own is None or _has_empty_sender(tree):
            raise self._refusal(Cause.FOREIGN_SENDER)
        if not own.enabled:
            raise self._refusal(Cause.DISABLED_SENDER, own.address)
        try:
            await self._submission.read_settings()
        except ApiError as refused:
            raise Refused(f"failed to get mail settings: {refused}") from None
        try:
            content = content_of(with_text_part(tree) or tree, literal, lenient=False)
        except ContentRefused as refused:
            raise Refused(refused.text) from None
        self._submission.recorder.sent(ticket, await self._deliver(content, sender, recipients, literal))

    async def _deliver(self, content: DraftContent, sender: str, recipients: tuple[str, ...], literal: bytes) -> str:
        """Hand the message to the account; the id of the Sent copy."""
        submission = self._submission
        stated = content.sender or Address("", sender)
        address = stated.address or sender
        own = self._own(address)
        if own is None:
            raise self._refusal(Cause.UNOWNED_DRAFT_SENDER, address)
        content = _with_envelope(content, recipients)
        references = (*content.references, *((content.in_reply_to,) if content.in_reply_to else ()))
        parent = submission.find_parent(references)
        stored = keep_sent(
            content,
            sender=Address(stated.name, _tagged(address, own.address)),
            internal_id=submission.new_message_id(),
            time=int(submission.now().timestamp()),
            server=submission.server,
            in_reply_to=submission.parent_reference(parent) if parent is not None else "",
        )
        try:
            return await submission.deliver(
                stored,
                sender=sender,
                recipients=recipients,
                literal=literal,
                parent=parent,
                forwards=not content.in_reply_to or content.in_reply_to == content.forwarded_id,
                drafts=submission.draft_references(references),
            )
        except ApiError as refused:
            raise Refused(f"failed to send message: failed to create draft: {refused}") from None

    def _refusal(self, cause: Cause, address: str = "") -> Refused:
        return refusal(cause, self._submission.refusal_texts, address)

    def _own(self, address: str) -> OwnAddress | None:
        """The own address that is meant, letter case and ``+tag`` ignored."""
        wanted = _untagged(address).lower()
        return next((own for own in self._submission.addresses() if own.address.lower() == wanted), None)


def _untagged(address: str) -> str:
    parts = address.split("@")
    return f"{parts[0].split('+')[0]}@{parts[1]}" if len(parts) == 2 else address


def _tagged(address: str, own: str) -> str:
    """The own address in its canonical spelling, with the tag that the header gave."""
    tag = address.partition("@")[0].split("+")
    local, at, domain = own.partition("@")
    return f"{local}+{tag[1]}{at}{domain}" if len(tag) == 2 and address.count("@") == 1 else own


def _from(tree: Entity) -> tuple[Address, ...]:
    try:
        return parse_list(tree.get("From").encode("utf-8", "surrogateescape"))
    except AddressError:
        return ()


def _header_sender(tree: Entity) -> str:
    found = _from(tree)
    return found[0].address if found else ""


def _has_empty_sender(tree: Entity) -> bool:
    """Whether From names somebody without an address."""
    found = _from(tree)
    return bool(found) and not found[0].address


def _with_envelope(content: DraftContent, recipients: tuple[str, ...]) -> DraftContent:
    """To only holds whom the envelope names; whom no header names becomes Bcc."""
    to = tuple(address for address in content.to if address.address in recipients)
    named = {address.address for address in (*to, *content.cc, *content.bcc)}
    hidden: list[Address] = []
    for recipient in recipients:
        if recipient not in named:
            named.add(recipient)
            hidden.append(Address("", recipient))
    return replace(content, to=to, bcc=(*content.bcc, *hidden))
