"""Making, renaming, deleting and subscribing mailboxes (bridge-behaviour 2.5 to 2.7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fakebridge.account.labels import Label, LabelKind
from fakebridge.bridge.connector import Connector
from fakebridge.bridge.errors import NOT_ALLOWED, NoSuchMailbox, Refused
from fakebridge.bridge.layout import RECOVERED, create
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.store import DELIMITER
from fakebridge.message.goquote import go_quote
from fakebridge.profile import Profile

EXISTS = "a mailbox with that name already exists"
NO_SUCH_LABEL = "no such label"
PREFIXES = {"Folders": LabelKind.FOLDER, "Labels": LabelKind.LABEL}


def superiors(name: str) -> list[str]:
    """The names of all parents, outermost first."""
    parts = name.split(DELIMITER)
    return [DELIMITER.join(parts[:count]) for count in range(1, len(parts))]


class Mailboxes:
    """The mailbox operations of one connector."""

    def __init__(self, connector: Connector, profile: Profile, new_validity: Callable[[], int]) -> None:
        self._connector = connector
        self._store = connector.store
        self._account = connector.account
        self._profile = profile
        self._new_validity = new_validity

    # CREATE

    async def create(self, name: str) -> None:
        """CREATE (2.6): missing parents first. What the account made before a refusal shows at the next poll."""
        validity = self._new_validity()
        if name.lower().startswith(RECOVERED.lower()):
            raise Refused(NOT_ALLOWED)
        if name.startswith(DELIMITER):
            raise Refused("invalid mailbox name: begins with hierarchy separator")
        if DELIMITER * 2 in name:
            raise Refused("invalid mailbox name: has adjacent hierarchy separators")
        name = name.rstrip(DELIMITER)
        if name in self._store.by_name:
            raise Refused(EXISTS)
        # Nothing is kept locally if a later one is refused.
        made = [await self._create_label(one) for one in [*superiors(name), name] if one not in self._store.by_name]
        for label in made:
            create(self._store, label, uid_validity=validity, profile=self._profile)

    async def _create_label(self, name: str) -> Label:
        kind, path = self._kind_and_path(name)
        parent = self._parent(kind, path)
        await self._connector.request()
        return self._account.create_label(kind, path[-1], parent)

    @staticmethod
    def _kind_and_path(name: str) -> tuple[LabelKind, tuple[str, ...]]:
        parts = name.split(DELIMITER)
        kind = PREFIXES.get(parts[0])
        if len(parts) < 2 or kind is None:
            raise Refused(f"invalid mailbox name {_go_list(parts)}: {NOT_ALLOWED}")
        return kind, tuple(parts[1:])

    def _parent(self, kind: LabelKind, path: tuple[str, ...]) -> str:
        if len(path) == 1:
            return ""
        if kind is LabelKind.LABEL:
            raise Refused(f"a label cannot have children: {NOT_ALLOWED}")
        parent = self._account.labels.by_path(kind, path[:-1])
        if parent is None:
            raise Refused(f"parent folder {_go_list(path[:-1])} does not exist: {NOT_ALLOWED}")
        return parent.id

    # DELETE

    async def delete(self, name: str) -> Mailbox:
        """DELETE (2.7): the account decides; the messages stay. The mailbox that is gone."""
        if name.lower() == RECOVERED.lower():
            raise Refused(NOT_ALLOWED)
        mailbox = self._connector.mailbox(name)
        await self._connector.request()
        self._account.delete_label(mailbox.label)
        self._store.delete_mailbox(mailbox, by_client=True)
        return mailbox

    # RENAME

    async def rename(self, old: str, new: str, *, session: int) -> None:
        """RENAME (2.7): within folders or within labels; children follow. INBOX gives away its messages and stays."""
        if RECOVERED.lower() in (old.lower(), new.lower()):
            raise Refused(NOT_ALLOWED)
        mailbox = self._connector.mailbox(old)
        if new in self._store.by_name or old in superiors(new):
            raise Refused(EXISTS)
        for superior in superiors(new):
            if superior not in self._store.by_name:
                label = await self._create_label(superior)
                create(self._store, label, uid_validity=self._new_validity(), profile=self._profile)
        if old == "INBOX":
            await self._empty_inbox(mailbox, new, session)
            return
        await self._rename_label(mailbox, new)
        inferiors = [one for one in self._store.by_name.values() if one.name.startswith(old + DELIMITER)]
        self._store.rename_mailbox(mailbox, new)
        for inferior in inferiors:
            self._store.rename_mailbox(inferior, new + inferior.name[len(old) :])

    async def _rename_label(self, mailbox: Mailbox, new: str) -> None:
        kind, path = self._kind_and_path(new)
        parent = self._parent(kind, path)
        await self._connector.request()
        label = self._account.labels.get(mailbox.label)
        if label is None or label.kind is not kind:
            raise Refused(NO_SUCH_LABEL)
        self._account.update_label(label.id, path[-1], parent)

    async def _empty_inbox(self, inbox: Mailbox, new: str, session: int) -> None:
        label = await self._create_label(new)
        target = create(self._store, label, uid_validity=self._new_validity(), profile=self._profile)
        if inbox.messages:
            await self._connector.move(inbox, list(inbox.messages), target, session=session)

    # Subscriptions

    def subscribe(self, name: str) -> None:
        """SUBSCRIBE; twice is refused (2.5)."""
        mailbox = self._connector.mailbox(name)
        if mailbox.subscribed:
            raise Refused("already subscribed to this mailbox")
        mailbox.subscribed = True

    def unsubscribe(self, name: str) -> None:
        """UNSUBSCRIBE; also takes back the subscription of a mailbox that is gone."""
        mailbox = self._store.by_name.get(name)
        if mailbox is None:
            if name not in self._store.lingering:
                raise NoSuchMailbox
            self._store.lingering.discard(name)
            return
        if not mailbox.subscribed:
            raise Refused("not subscribed to this mailbox")
        mailbox.subscribed = False


def _go_list(parts: Sequence[str]) -> str:
    return "[" + " ".join(go_quote(part) for part in parts) + "]"
