"""One local store and its account: what each change of a mailbox means on the account (bridge-behaviour 2.6, 2.7, 6).

Every operation asks the account first and changes the local store afterwards. What the account does on its own account
of it shows at the next poll.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from fakebridge.account import labels as ids
from fakebridge.account.account import Account
from fakebridge.account.labels import LabelKind
from fakebridge.bridge.errors import NOT_ALLOWED, NoSuchMailbox, Refused
from fakebridge.bridge.layout import RECOVERED
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.flags import Flags
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.message import Message
from fakebridge.mailstore.store import MailStore
from fakebridge.mailstore.updates import FlagAction

VIEWS = (ids.ALL_MAIL, ids.SCHEDULED)


class Connector:
    """`address` is the one address of the store in split mode, None in combined mode. `gate` waits while the account's server is away."""

    def __init__(self, account: Account, store: MailStore, *, address: str | None, gate: Callable[[], Awaitable[None]]) -> None:
        self.account = account
        self.store = store
        self.address = address
        self._gate = gate
        self.recovered_digests: dict[str, bytes] = {}

    def mailbox(self, name: str) -> Mailbox:
        """The mailbox of that name; `NoSuchMailbox` if there is none."""
        found = self.store.by_name.get(name)
        if found is None:
            raise NoSuchMailbox
        return found

    @property
    def recovered(self) -> Mailbox:
        """Recovered Messages."""
        return self.store.by_name[RECOVERED]

    async def request(self) -> None:
        """Before any request to the account: waits if its server is away."""
        await self._gate()

    # Copying and moving

    async def add(self, mailbox: Mailbox, messages: Sequence[Message], *, claim: int | None) -> list[int]:
        """Put messages into a mailbox; those that are there already are taken out first and get a new UID (6.2)."""
        there = [message for message in messages if mailbox.holds(message)]
        if there:
            await self.take_out(mailbox, there)
        if mailbox.label in VIEWS:
            raise Refused(NOT_ALLOWED)
        await self.request()
        self.account.label_messages([message.remote for message in messages], mailbox.label)
        return self.store.put(mailbox, messages, claim=claim)

    async def take_out(self, mailbox: Mailbox, messages: Sequence[Message]) -> None:
        """Remove messages from a mailbox; out of Trash and Drafts they are destroyed if nothing else holds them (6.5)."""
        if mailbox is self.recovered:
            for message in messages:
                self.recovered_digests.pop(message.remote, None)
            self.store.take_out(mailbox, messages)
            return
        if mailbox.label in VIEWS:
            raise Refused(NOT_ALLOWED)
        await self.request()
        remote = [message.remote for message in messages]
        self.account.unlabel_messages(remote, mailbox.label)
        if mailbox.label in (ids.TRASH, ids.DRAFTS):
            lost = [message for message in remote if not self.account.is_elsewhere(message)]
            if lost:
                self.account.delete_messages(lost)
        self.store.take_out(mailbox, messages)

    async def expunge(self, mailbox: Mailbox, messages: Sequence[Message]) -> None:
        """EXPUNGE these; those that another session was quicker with are passed over."""
        there = [message for message in messages if mailbox.holds(message)]
        if there:
            await self.take_out(mailbox, there)

    async def move(self, source: Mailbox, messages: Sequence[Message], target: Mailbox, *, session: int) -> list[int]:
        """MOVE (6.3): the UIDs in the target."""
        if source is target:
            await self.take_out(source, messages)
            return await self.add(target, messages, claim=None)
        there = [message for message in messages if target.holds(message)]
        if there:
            await self.take_out(target, there)
        moving = [message for message in messages if source.holds(message)]
        pair = (source.label, target.label)
        if pair in ((ids.INBOX, ids.SENT), (ids.SENT, ids.INBOX)) or source.label in VIEWS or target.label in VIEWS:
            raise Refused(NOT_ALLOWED)
        await self.request()
        remote = [message.remote for message in moving]
        self.account.label_messages(remote, target.label)
        leaves = self._is_kind(source, LabelKind.LABEL) or self._is_kind(target, LabelKind.FOLDER, LabelKind.SYSTEM)
        if leaves:
            self.account.unlabel_messages(remote, source.label)
        uids = self.store.put(target, moving, claim=session)
        if leaves:
            self.store.take_out(source, moving)
        return uids

    def _is_kind(self, mailbox: Mailbox, *kinds: LabelKind) -> bool:
        label = self.account.labels.get(mailbox.label)
        return label is not None and label.kind in kinds

    # Flags

    async def change_flags(
        self,
        mailbox: Mailbox,
        messages: Sequence[Message],
        action: FlagAction,
        flags: Flags,
        *,
        by: int,
        tell_uid: bool,
        silent: bool,
    ) -> None:
        r"""STORE (6.4): `\Seen`, `\Flagged` and the forward keywords go to the account, the rest stays here."""
        known = [message for message in messages if not message.recovered]
        if flagset.has_forwarded(flags):
            flags = flagset.add(flags, frozenset(flagset.FORWARDED))
        await self._account_flag(known, action, flagset.has(flags, flagset.SEEN), _is_seen, self._mark_read)
        await self._account_flag(known, action, flagset.has(flags, flagset.FLAGGED), _is_flagged, self._mark_starred)
        await self._account_flag(known, action, flagset.has_forwarded(flags), _is_forwarded, self._mark_forwarded)
        self.store.change_flags(mailbox, messages, action, flags, by=by, tell_uid=tell_uid, silent=silent)

    async def _account_flag(
        self,
        messages: Sequence[Message],
        action: FlagAction,
        is_named: bool,  # noqa: FBT001 - which of STORE's flags this is about
        test: Callable[[Flags], bool],
        request: Callable[[list[str], bool], None],
    ) -> None:
        if not is_named and action is not FlagAction.SET:
            return
        wanted = is_named and action is not FlagAction.REMOVE
        changing = [message.remote for message in messages if test(message.flags) is not wanted]
        if changing:
            await self.request()
            request(changing, wanted)

    def _mark_read(self, messages: list[str], read: bool) -> None:  # noqa: FBT001 - the value itself
        self.account.mark_read(messages, read=read)

    def _mark_starred(self, messages: list[str], starred: bool) -> None:  # noqa: FBT001 - the value itself
        if starred:
            self.account.label_messages(messages, ids.STARRED)
        else:
            self.account.unlabel_messages(messages, ids.STARRED)

    def _mark_forwarded(self, messages: list[str], forwarded: bool) -> None:  # noqa: FBT001 - the value itself
        self.account.mark_forwarded(messages, forwarded=forwarded)


def _is_seen(flags: Flags) -> bool:
    return flagset.has(flags, flagset.SEEN)


def _is_flagged(flags: Flags) -> bool:
    return flagset.has(flags, flagset.FLAGGED)


def _is_forwarded(flags: Flags) -> bool:
    return flagset.has_forwarded(flags)
