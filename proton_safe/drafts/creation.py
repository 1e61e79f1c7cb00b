"""Storing a confirmed draft: look for it, store it once, find it again, compare.

1. the parent of a reply is read again; 2. the drafts folder is found; 3. an equal draft of the last minutes is looked for; 4. the
message is composed and proven; 5. APPEND, never repeated; 6. the draft is found by APPENDUID and Message-ID; 7. it is read back.
"""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.drafts.composer import TOO_LARGE_OCTETS, compose, largest_size, text_part
from proton_safe.drafts.identity import draft_key, message_ids
from proton_safe.drafts.proof import prove
from proton_safe.drafts.reply import reply_headers
from proton_safe.drafts.stored import StoredDraft, names_message, read_back
from proton_safe.imap import search_keys
from proton_safe.imap.append import AppendUid, append
from proton_safe.mime import headers
from proton_safe.refusals import Code, Refusal
from proton_safe.state_folder import in_state_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proton_safe.call import Call, Clock
    from proton_safe.config import Config
    from proton_safe.drafts.composer import ReplyHeaders, TextPart
    from proton_safe.drafts.confirmed import ConfirmedDraft
    from proton_safe.imap.mailbox import Mailbox
    from proton_safe.imap.mailboxes import MailboxName
    from proton_safe.imap.pool import Pool
    from proton_safe.references import References

FLAGS: Final = ("\\Draft", "\\Seen")
_MAX_CANDIDATES: Final = 20


@dataclass(frozen=True, slots=True)
class Receipt:
    """Where the draft is, under which identifiers, and what Bridge kept of it."""

    folder: str
    uid: int
    uid_validity: int
    message_id: str
    digest: str
    already_existed: bool
    stored: StoredDraft
    reply: ReplyHeaders | None


@dataclass(frozen=True, slots=True)
class _Place:
    uid: int
    uid_validity: int
    message_id: str
    stored: StoredDraft


class OneAtATime:
    """Equal drafts wait for each other, so that the second one finds what the first one stored."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy: set[str] = set()

    @contextlib.contextmanager
    def turn(self, digest: str, call: Call) -> Iterator[None]:
        """While inside, no other call works on a draft of this digest."""
        with call.interruptible(self._wake), self._changed:
            while digest in self._busy:
                self._changed.wait(call.remaining())
            call.check()
            self._busy.add(digest)
        try:
            yield
        finally:
            with self._changed:
                self._busy.discard(digest)
                self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


_TURNS: Final = OneAtATime()


@dataclass(frozen=True, slots=True)
class DraftWriter:
    """What storing a draft needs of a server."""

    config: Config
    clock: Clock
    pool: Pool
    references: References

    def create(self, draft: ConfirmedDraft, call: Call) -> Receipt:
        """Store the draft unless an equal one is there.

        Raises `draft-too-large` before it connects; then the connection codes, `reply-target-changed`, `drafts-unavailable`,
        `draft-refused`, and `draft-unknown` with the Message-ID to look for.
        """
        text = text_part(draft)
        if largest_size(draft, text) >= TOO_LARGE_OCTETS:
            raise Refusal(Code.DRAFT_TOO_LARGE)
        with in_state_folder():
            key = draft_key(self.config.state_dir, remaining=call.remaining)
        digest = draft.digest()
        with _TURNS.turn(digest, call):
            reply = reply_headers(draft.parent, self.pool, self.references, call) if draft.parent is not None else None
            folder = self.pool.drafts(call)
            wanted = message_ids(key, digest=digest, sender=draft.sender, now=self.clock.time())
            place = self._existing(folder, draft, wanted, call)
            existed = place is not None
            if place is None:
                place = self._new(folder, draft, wanted[0], self._composed(draft, text, wanted[0], reply), call)
        return Receipt(folder.name, place.uid, place.uid_validity, place.message_id, digest, existed, place.stored, reply)

    def _composed(self, draft: ConfirmedDraft, text: TextPart, message_id: str, reply: ReplyHeaders | None) -> bytes:
        octets = compose(draft, text, message_id=message_id, when=self.clock.time(), reply=reply)
        prove(octets, draft, message_id=message_id)
        return octets

    def _existing(self, folder: MailboxName, draft: ConfirmedDraft, wanted: tuple[str, ...], call: Call) -> _Place | None:
        """An equal draft of this or the last ten minutes."""
        with self.pool.examine(folder.name, call) as mailbox:
            for message_id in wanted:
                uid = _find(mailbox, message_id)
                if uid is not None:
                    return _Place(uid, mailbox.uid_validity, message_id, _compared(mailbox, uid, draft))
        return None

    def _new(self, folder: MailboxName, draft: ConfirmedDraft, message_id: str, octets: bytes, call: Call) -> _Place:
        call.progress(1, 3, "Storing the draft.")
        try:
            with self.pool.connection(call) as connection:
                told = append(connection, raw_name=folder.raw_name, octets=octets, flags=FLAGS, call=call)
        except Refusal as refusal:
            if refusal.code is Code.DRAFT_UNKNOWN:
                raise Refusal(Code.DRAFT_UNKNOWN, message_id=message_id) from None
            if refusal.code is Code.DRAFT_REFUSED:
                return self._stored_all_the_same(refusal, folder, draft, message_id, call)
            raise
        del octets  # it may be large, and only what Bridge kept matters now
        call.progress(2, 3, "Reading the draft back.")
        return self._found_again(folder, draft, message_id, told, call)

    def _stored_all_the_same(self, refused: Refusal, folder: MailboxName, draft: ConfirmedDraft, message_id: str, call: Call) -> _Place:
        """Bridge said no, and a no may come after storing. Raises `refused` when the draft isn't there, and `draft-unknown`."""
        try:
            place = self._looked_for(folder, draft, message_id, None, call)
        except Refusal:
            raise Refusal(Code.DRAFT_UNKNOWN, message_id=message_id) from None
        if place is None:
            raise refused
        return place

    def _found_again(self, folder: MailboxName, draft: ConfirmedDraft, message_id: str, told: AppendUid | None, call: Call) -> _Place:
        """The stored draft. Bridge said that it exists: only a look that finds nothing may contradict, and no failure of the look."""
        try:
            place = self._looked_for(folder, draft, message_id, told, call)
        except Refusal:
            place = None if told is None else _Place(told.uid, told.uid_validity, message_id, StoredDraft())
        if place is None:
            raise Refusal(Code.DRAFT_UNKNOWN, message_id=message_id)
        return place

    def _looked_for(self, folder: MailboxName, draft: ConfirmedDraft, message_id: str, told: AppendUid | None, call: Call) -> _Place | None:
        """The draft where APPENDUID told, or else by its Message-ID; None when it is not in the folder."""
        with self.pool.examine(folder.name, call) as mailbox:
            uid = _confirmed_uid(mailbox, told, message_id) or _find(mailbox, message_id)
            return None if uid is None else _Place(uid, mailbox.uid_validity, message_id, _compared(mailbox, uid, draft))


def _compared(mailbox: Mailbox, uid: int, draft: ConfirmedDraft) -> StoredDraft:
    """The comparison, or an unverified one when the draft can't be read back."""
    try:
        return read_back(mailbox, uid, draft)
    except Refusal:
        return StoredDraft()


def _confirmed_uid(mailbox: Mailbox, told: AppendUid | None, message_id: str) -> int | None:
    """The uid that APPENDUID told, if that message carries our Message-ID."""
    if told is None or told.uid_validity != mailbox.uid_validity:
        return None
    try:
        found = headers.split(mailbox.header(told.uid))
    except Refusal as refusal:
        if refusal.code is Code.MESSAGE_NOT_FOUND:
            return None
        raise
    return told.uid if names_message(found, message_id) else None


def _find(mailbox: Mailbox, message_id: str) -> int | None:
    """The newest message with exactly this Message-ID; HEADER searches are substring searches, so each hit is compared."""
    for uid in reversed(mailbox.search(search_keys.header("Message-Id", message_id))[-_MAX_CANDIDATES:]):
        if names_message(headers.split(mailbox.header(uid)), message_id):
            return uid
    return None
