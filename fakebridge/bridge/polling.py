"""The event poll: what happened on the account becomes local (bridge-behaviour 3.2, 5.6, 6). The only way that it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fakebridge.account.account import Account
from fakebridge.account.message import AccountMessage
from fakebridge.bridge.connector import Connector
from fakebridge.bridge.layout import create
from fakebridge.mailstore.message import Message
from fakebridge.profile import Profile


class Poller:
    """Applies the account's events to the stores. `new_identity` makes the UUID that a store gives to a message."""

    def __init__(self, account: Account, profile: Profile, *, new_validity: Callable[[], int], new_identity: Callable[[], str]) -> None:
        self._account = account
        self._profile = profile
        self._new_validity = new_validity
        self._new_identity = new_identity

    def poll(self, connectors: Iterable[Connector]) -> int:
        """One poll; the number of messages that it was about. Does nothing while the account's server is away."""
        if not self._account.online:
            return 0
        events = self._account.events.take()
        known = list(connectors)
        for label in events.labels:
            for connector in known:
                self._apply_label(connector, label)
        for message in events.messages:
            for connector in known:
                self._apply_message(connector, message, edited=message in events.edited)
        return len(events.messages)

    def _apply_label(self, connector: Connector, label_id: str) -> None:
        store = connector.store
        label = self._account.labels.get(label_id)
        mailbox = store.by_label.get(label_id)
        if label is None:
            if mailbox is not None:
                store.delete_mailbox(mailbox, by_client=False)
        elif mailbox is None:
            create(store, label, uid_validity=self._new_validity(), profile=self._profile)
        elif mailbox.name != label.mailbox_name:
            store.rename_mailbox(mailbox, label.mailbox_name)

    def _apply_message(self, connector: Connector, message_id: str, *, edited: bool) -> None:
        store = connector.store
        local = store.messages.get(message_id)
        message = self._account.messages.get(message_id)
        if message is None or (connector.address is not None and message.address != connector.address):
            if local is not None:
                store.forget_message(local)
            return
        if local is not None and edited and local.content.built() != message.content.built():
            # Other octets are another message: gone everywhere, new everywhere, with new UIDs (dialogue 37).
            store.forget_message(local)
            local = None
        if local is None:
            if not message.content.buildable():
                return
            local = self.take_in(connector, message)
        store.move_homes(local, [store.by_label[label] for label in message.label_ids() if label in store.by_label])
        store.set_flags(local, message.flags())

    def take_in(self, connector: Connector, message: AccountMessage) -> Message:
        """A local message for one of the account's, not yet in any mailbox."""
        return connector.store.new_message(
            remote=message.id,
            date=message.time,
            content=message.content,
            identity=self._new_identity(),
            flags=message.flags(),
        )
