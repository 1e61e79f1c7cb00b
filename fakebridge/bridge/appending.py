"""APPEND: what becomes of the octets, and how Recovered Messages are made and emptied.

Facts: bridge-behaviour 5; dialogues 20 to 26, 33, 38, 41 to 43.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakebridge.account import labels as ids
from fakebridge.account.addresses import OwnAddress
from fakebridge.account.contents import GLUON_ID, header_value
from fakebridge.account.message import AccountMessage
from fakebridge.bridge.connector import Connector
from fakebridge.bridge.errors import NOT_ALLOWED, ApiError, Malformed, Refused
from fakebridge.journal import Kind
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.flags import Flags
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.message import Message
from fakebridge.message import header
from fakebridge.message.accountserver import AccountServer, keep_draft
from fakebridge.message.addresses import Address
from fakebridge.message.draft import AppendRefused, DraftContent, draft_from, recipients
from fakebridge.message.hashing import HashRefused, message_hash
from fakebridge.message.imported import ImportRules, ImportTooLarge, import_from
from fakebridge.message.stored import Origin
from fakebridge.message.validate import Invalid, check_rfc5322

if TYPE_CHECKING:
    from fakebridge.bridge.service import Bridge

KNOWN_ID = "append to drafts returned an existing remote ID"
KNOWN_RECOVERED = "known recovered message, possible duplication"
UNBUILDABLE = "failed to build message: failed to sanitize MBOX header: cannot find end of mbox line"
TOO_LARGE = "failed to prepare message for import: message exceeds maximum import size of {}: message size exceeds limits"


class RawContent:
    """Octets kept exactly as they were appended (Recovered Messages)."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets

    def built(self) -> bytes:
        """As they are."""
        return self._octets


class Appending:
    """APPEND for one connector."""

    def __init__(self, bridge: Bridge, connector: Connector) -> None:
        self._bridge = bridge
        self._connector = connector
        self._account = connector.account
        self._store = connector.store

    async def append(
        self, mailbox: Mailbox, literal: bytes, flags: Flags, *, date: int | None = None, session: int, is_selected: bool
    ) -> int:
        """The UID in the mailbox. Malformed: the header check; Refused or ApiError: NO, and the octets are in Recovered Messages."""
        if mailbox.label != ids.DRAFTS:
            try:
                check_rfc5322(literal)
            except Invalid as invalid:
                raise Malformed(invalid.text) from invalid
        try:
            uid = await self._append(mailbox, literal, flags, claim=session if is_selected else None)
        except (Refused, ApiError) as refusal:
            self._note(mailbox, literal, session, uid=None)
            if isinstance(refusal, Refused) and refusal.too_large:
                raise
            if self._recover(literal, flags, date):
                raise
            raise Refused(f"{refusal}: {KNOWN_RECOVERED}") from refusal
        self._note(mailbox, literal, session, uid=uid)
        return uid

    async def _append(self, mailbox: Mailbox, literal: bytes, flags: Flags, *, claim: int | None) -> int:
        if mailbox.label == ids.DRAFTS:
            literal = _without_identity(literal)
        else:
            known = self._known_by_identity(literal)
            if known is not None:
                return (await self._connector.add(mailbox, [known], claim=claim))[0]
        message = await self._create(mailbox, literal, flags)
        local = self._store.messages.get(message.id)
        if local is not None:
            if mailbox.label == ids.DRAFTS:
                raise Refused(KNOWN_ID)
            return (await self._connector.add(mailbox, [local], claim=claim))[0]
        return self._store.put(mailbox, [self._take_in(message)], claim=claim)[0]

    def _known_by_identity(self, literal: bytes) -> Message | None:
        """The local message whose own octets are put back: moving by APPEND (5.1, step 6)."""
        identity = header_value(literal, GLUON_ID)
        if not identity:
            return None
        try:
            wanted = str(uuid.UUID(identity))
        except ValueError:
            raise Refused(f"invalid UUID length: {len(identity)}") from None
        known = self._store.by_identity.get(wanted)
        return known if known is not None and not known.gone else None

    def _take_in(self, message: AccountMessage) -> Message:
        return self._store.new_message(
            remote=message.id,
            date=message.time,
            content=message.content,
            identity=self._bridge.new_identity(),
            flags=message.flags(),
        )

    # On the account

    async def _create(self, mailbox: Mailbox, literal: bytes, flags: Flags) -> AccountMessage:
        if mailbox.label == ids.ALL_MAIL:
            raise Refused(NOT_ALLOWED)
        try:
            addressed = recipients(literal)
            sent = await self._bridge.outgoing.recorder.find(message_hash(literal), addressed)
        except AppendRefused as refusal:
            raise Refused(refusal.text) from refusal
        except HashRefused as refusal:
            raise Refused(refusal.text) from refusal
        if sent is not None and sent in self._account.messages:
            await self._connector.request()
            self._account.reach("GET", f"/mail/v4/messages/{sent}")
            return self._account.messages[sent]
        created = await (self._create_draft(literal) if mailbox.label == ids.DRAFTS else self._import(mailbox, literal, flags))
        if not created.content.buildable():
            raise Refused(UNBUILDABLE)
        return created

    async def _create_draft(self, literal: bytes) -> AccountMessage:
        try:
            content = draft_from(literal)
        except AppendRefused as refusal:
            raise Refused(refusal.text) from refusal
        own = self._sender(content)
        await self._connector.request()
        try:
            self._account.reach("POST", "/mail/v4/messages")
        except ApiError as error:
            raise Refused(f"failed to create draft: failed to create draft: {error}") from error
        message_id, now = self._account.new_id(), int(self._bridge.clock.now())
        stored = keep_draft(
            content,
            sender=Address(own.display_name or own.address, own.address),
            internal_id=message_id,
            time=now,
            server=self._account.server,
        )
        message = AccountMessage(
            id=message_id, address=own.id, origin=Origin.DRAFT, time=now, content=self._account.content(stored, literal)
        )
        return self._account.add(message)

    def _sender(self, content: DraftContent) -> OwnAddress:
        """The address that the draft gets (5.3): never a refusal."""
        book = self._account.addresses
        if self._connector.address is not None:
            return book.exact(self._connector.address) or book.primary
        wanted = book.find(content.wanted_sender) if content.wanted_sender else None
        return wanted if wanted is not None and wanted.enabled else book.primary

    async def _import(self, mailbox: Mailbox, literal: bytes, flags: Flags) -> AccountMessage:
        if len(literal) > self._bridge.profile.import_limit_octets:
            raise Refused(TOO_LARGE.format(self._bridge.profile.import_limit_text), too_large=True)
        await self._connector.request()
        message_id, now = self._account.new_id(), int(self._bridge.clock.now())
        origin = self._origin(mailbox, literal)
        try:
            stored = import_from(
                literal,
                internal_id=message_id,
                time=now,
                origin=origin,
                server=self._account.server,
                rules=self._import_rules(),
            )
        except AppendRefused as refusal:
            raise Refused(refusal.text, too_large=isinstance(refusal, ImportTooLarge)) from refusal
        message = AccountMessage(
            id=message_id,
            address=self._import_address(),
            origin=origin,
            time=now if self._account.server is AccountServer.SIMULATED else stored.time,
            content=self._account.content(stored, literal),
            unread=not flagset.has(flags, flagset.SEEN),
            replied=flagset.has(flags, flagset.ANSWERED),
        )
        try:
            return self._account.import_message(message, mailbox.label, starred=flagset.has(flags, flagset.FLAGGED))
        except ApiError as error:
            raise Refused(f"failed to import message: failed to import message: {error}") from error

    def _import_rules(self) -> ImportRules:
        profile = self._bridge.profile
        return ImportRules(
            limit_octets=profile.import_limit_octets,
            limit_text=profile.import_limit_text,
            several_texts_whole=profile.import_text_alternatives_as_pgp_mime,
        )

    def _import_address(self) -> str:
        return self._connector.address or self._account.addresses.primary.id

    def _origin(self, mailbox: Mailbox, literal: bytes) -> Origin:
        if mailbox.label == ids.INBOX:
            return Origin.RECEIVED
        if mailbox.label == ids.SENT:
            return Origin.SENT
        return Origin.RECEIVED if header_value(literal, b"Received") else Origin.SENT

    # Recovered Messages

    def _recover(self, literal: bytes, flags: Flags, date: int | None) -> bool:
        """Keep a raw copy, with the date of the APPEND if it had one; False if the same is there already."""
        try:
            digest = message_hash(literal)
        except HashRefused:
            digest = literal
        known = self._connector.recovered_digests
        if digest in known.values():
            return False
        message = self._store.new_message(
            remote=f"recovered-{len(self._store.messages)}-{self._bridge.new_identity()}",
            date=int(self._bridge.clock.now()) if date is None else date,
            content=RawContent(literal),
            identity=None,
            flags=flags,
        )
        known[message.remote] = digest
        self._store.put(self._connector.recovered, [message])
        return True

    async def copy_recovered(self, messages: Sequence[Message], target: Mailbox, *, session: int) -> list[int]:
        """COPY out of Recovered Messages: imported now."""
        uids = []
        for message in messages:
            created = await self._create(target, message.literal(), message.flags)
            local = self._store.messages.get(created.id) or self._take_in(created)
            if not target.holds(local):
                uids += self._store.put(target, [local], claim=session)
        return uids

    async def move_recovered(self, messages: Sequence[Message], target: Mailbox, *, session: int) -> list[int]:
        """MOVE out of Recovered Messages: imported, and gone from there."""
        uids = await self.copy_recovered(messages, target, session=session)
        await self._connector.take_out(self._connector.recovered, messages)
        return uids

    def _note(self, mailbox: Mailbox, literal: bytes, session: int, *, uid: int | None) -> None:
        head, _ = header.split(literal)
        try:
            names = [field.name.decode("ascii", "replace") for field in header.fields(head) if field.name]
            addressed = list(recipients(literal))
        except (header.HeaderError, AppendRefused):
            names, addressed = [], []
        kept: list[str] = []
        if uid is not None and mailbox.uids:
            built = header.split(self._literal_of(mailbox, uid))[0]
            kept = sorted({field.name.decode("ascii", "replace") for field in header.fields(built) if field.name})
        low = {name.lower() for name in kept}
        self._bridge.journal.record(
            Kind.APPEND,
            session=session,
            mailbox=mailbox.name,
            octets=len(literal),
            uid=uid,
            recipients=addressed,
            headers_given=names,
            headers_kept=kept,
            headers_dropped=[name for name in names if uid is not None and name.lower() not in low],
        )

    @staticmethod
    def _literal_of(mailbox: Mailbox, uid: int) -> bytes:
        return mailbox.messages[mailbox.uids.index(uid)].literal()


def _without_identity(literal: bytes) -> bytes:
    """A draft without the store's own header; one whose header cannot be read stays as it is and is refused later."""
    try:
        return header.erase(literal, GLUON_ID)
    except header.HeaderError:
        return literal
