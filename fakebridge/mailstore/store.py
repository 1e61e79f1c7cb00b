"""The local store of one mailbox set (one per account, or one per address in split mode): what lies where, and who has to be told.

Every change goes through here, so that every session that has the mailbox selected gets its update. Account rules are not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.flags import Flags
from fakebridge.mailstore.mailbox import Mailbox, Visibility
from fakebridge.mailstore.message import Content, Message
from fakebridge.mailstore.updates import Arrival, Departure, FlagAction, FlagChange, RecentClaim, Update
from fakebridge.mailstore.watcher import Watcher

DELIMITER = "/"
FlagObserver = Callable[[Mailbox, int, Flags, Flags, int | None], None]


class MailStore:
    """Mailboxes by name and by label, messages by the account's id, and the sessions that watch.

    `on_flags` is told of every flag change: mailbox, UID, before, after, session (None: not by a client).
    """

    def __init__(self, *, on_flags: FlagObserver, shows_identities: bool = True) -> None:
        self.by_name: dict[str, Mailbox] = {}
        self.by_label: dict[str, Mailbox] = {}
        self.by_number: dict[int, Mailbox] = {}
        self.messages: dict[str, Message] = {}
        self.by_identity: dict[str, Message] = {}
        self.lingering: set[str] = set()
        """Names of mailboxes deleted while subscribed (2.5)."""
        self._watchers: dict[int, Watcher] = {}
        self._on_flags = on_flags
        self._shows_identities = shows_identities
        self._mailboxes_made = 0
        self._messages_made = 0

    # Sessions

    def watch(self, session: int) -> Watcher:
        """A place for a session that has logged in."""
        watcher = Watcher(session)
        self._watchers[session] = watcher
        return watcher

    def leave(self, session: int) -> None:
        """The session has ended."""
        self._watchers.pop(session, None)

    def _tell(self, updates: Iterable[Update]) -> None:
        for update in updates:
            for watcher in self._watchers.values():
                watcher.push(update)

    # Mailboxes

    def create_mailbox(
        self,
        name: str,
        *,
        label: str,
        attributes: frozenset[str],
        flags: Flags,
        uid_validity: int,
        visibility: Visibility = Visibility.VISIBLE,
    ) -> Mailbox:
        """A new, empty, subscribed mailbox."""
        self._mailboxes_made += 1
        mailbox = Mailbox(
            number=self._mailboxes_made,
            label=label,
            name=name,
            attributes=attributes,
            flags=flags,
            permanent_flags=flags,
            uid_validity=uid_validity,
            visibility=visibility,
        )
        self.by_name[name] = self.by_label[label] = self.by_number[mailbox.number] = mailbox
        self.lingering.discard(name)
        return mailbox

    def delete_mailbox(self, mailbox: Mailbox, *, by_client: bool) -> None:
        """Remove a mailbox; its messages stay wherever else they lie. Who has it selected is broken from now on."""
        for message in mailbox.messages:
            message.homes.pop(mailbox.number, None)
        del self.by_name[mailbox.name], self.by_label[mailbox.label], self.by_number[mailbox.number]
        if by_client and mailbox.subscribed:
            self.lingering.add(mailbox.name)
        for watcher in self._watchers.values():
            if watcher.view is not None and watcher.view.mailbox is mailbox:
                watcher.broken = True

    def rename_mailbox(self, mailbox: Mailbox, name: str) -> None:
        """The same mailbox under another name."""
        del self.by_name[mailbox.name]
        mailbox.name = name
        self.by_name[name] = mailbox

    # Messages

    def new_message(self, *, remote: str, date: int, content: Content, identity: str | None, flags: Flags) -> Message:
        """A message that lies nowhere yet."""
        self._messages_made += 1
        message = Message(
            number=self._messages_made,
            remote=remote,
            date=date,
            content=content,
            identity=identity,
            flags=flags,
            shows_identity=self._shows_identities,
        )
        self.messages[remote] = message
        if identity is not None:
            self.by_identity[identity] = message
        return message

    def forget_message(self, message: Message) -> None:
        """The account no longer has it: out of every mailbox."""
        for number in list(message.homes):
            self.take_out(self.by_number[number], [message])
        message.gone = True
        if self.messages.get(message.remote) is message:
            del self.messages[message.remote]

    def put(self, mailbox: Mailbox, messages: Sequence[Message], *, claim: int | None = None) -> list[int]:
        """Add messages that are not there; the UIDs. `claim` names the session that sees them as recent."""
        uids = []
        updates: list[Update] = []
        for message in messages:
            uid = mailbox.add(message)
            uids.append(uid)
            updates.append(Arrival(mailbox, message, uid, message.flags, RecentClaim(claim)))
        self._tell(updates)
        return uids

    def take_out(self, mailbox: Mailbox, messages: Sequence[Message]) -> None:
        """Remove messages from a mailbox; those that are not there are passed over."""
        updates: list[Update] = []
        for message in messages:
            if mailbox.holds(message):
                mailbox.take_out(message)
                updates.append(Departure(mailbox, message))
        self._tell(updates)

    def change_flags(
        self,
        mailbox: Mailbox,
        messages: Sequence[Message],
        action: FlagAction,
        flags: Flags,
        *,
        by: int,
        tell_uid: bool = False,
        silent: bool = False,
    ) -> None:
        r"""STORE on the local store: `\Deleted` in this mailbox only, all other flags wherever the message lies."""
        marks = flagset.has(flags, flagset.DELETED)
        common = flagset.remove(flags, frozenset((flagset.DELETED,)))
        updates: list[Update] = []
        for message in messages:
            before = mailbox.flags_of(message) if mailbox.holds(message) else message.flags
            self._mark_deleted(mailbox, message, action, marks=marks)
            message.flags = action.applied(message.flags, common)
            after = mailbox.flags_of(message) if mailbox.holds(message) else message.flags
            updates.append(FlagChange(mailbox, message, action, flags, by=by, tell_uid=tell_uid, silent=silent))
            if before != after and mailbox.holds(message):
                self._on_flags(mailbox, message.homes[mailbox.number], before, after, by)
        self._tell(updates)

    @staticmethod
    def _mark_deleted(mailbox: Mailbox, message: Message, action: FlagAction, *, marks: bool) -> None:
        uid = message.homes.get(mailbox.number)
        if uid is None:
            return
        if action is FlagAction.ADD and marks:
            mailbox.deleted.add(uid)
        elif (action is FlagAction.REMOVE and marks) or (action is FlagAction.SET and not marks):
            mailbox.deleted.discard(uid)
        elif action is FlagAction.SET:
            mailbox.deleted.add(uid)

    def set_flags(self, message: Message, flags: Flags) -> None:
        r"""What the account says about a message: exactly these flags, `\Deleted` and `\Recent` apart."""
        if flagset.same(message.flags, flags):
            return
        before = message.flags
        gone = flagset.remove(before, flags)
        message.flags = flagset.add(flagset.remove(before, gone), flags)
        for number, uid in message.homes.items():
            self._on_flags(self.by_number[number], uid, before, message.flags, None)
        updates: list[Update] = []
        if gone:
            updates.append(FlagChange(None, message, FlagAction.REMOVE, gone))
        updates.append(FlagChange(None, message, FlagAction.ADD, flags))
        self._tell(updates)

    def move_homes(self, message: Message, mailboxes: Sequence[Mailbox]) -> None:
        """What the account says about where a message lies: added first, then removed."""
        for mailbox in mailboxes:
            if not mailbox.holds(message):
                self.put(mailbox, [message])
        keep = {mailbox.number for mailbox in mailboxes}
        for number in list(message.homes):
            if number not in keep:
                self.take_out(self.by_number[number], [message])
