"""The running Bridge: one account, its local stores, who may log in, and everything that happens to it from outside.

Combined mode has one store for all addresses, split mode one for each. Nothing here opens a socket; sessions register
themselves so that they can be
closed when the account is switched, repaired or logged out.
"""

from __future__ import annotations

import random
import uuid
from typing import Protocol

from fakebridge.account.account import Account
from fakebridge.account.identifiers import message_id
from fakebridge.account.populating import populate
from fakebridge.bridge.appending import Appending
from fakebridge.bridge.connector import Connector
from fakebridge.bridge.errors import NO_SUCH_USER, Refused
from fakebridge.bridge.layout import add_forward_keywords, lay_out
from fakebridge.bridge.mailboxes import Mailboxes
from fakebridge.bridge.outgoing import Outgoing
from fakebridge.bridge.polling import Poller
from fakebridge.clock import Clock
from fakebridge.faults.plan import FaultPlan
from fakebridge.journal import Journal, Kind
from fakebridge.mailstore.flags import Flags
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.message import Message
from fakebridge.mailstore.store import MailStore
from fakebridge.mailstore.validity import UidValidities
from fakebridge.world import World


class Closable(Protocol):
    """A connected client."""

    def close(self) -> None:
        """Close its socket without a word."""
        ...


class Bridge:
    """Made from a world. `validity_shift` is what a fault adds to every UIDVALIDITY."""

    def __init__(self, world: World, *, clock: Clock, journal: Journal, faults: FaultPlan, password: str) -> None:
        self.world = world
        self.profile = world.profile
        self.seed = world.seed
        self.clock = clock
        self.journal = journal
        self.faults = faults
        self.password = world.password or password
        self.validity_shift = 0
        self.split_mode = world.split_mode
        self.logged_in = True
        self._random = random.Random(f"fakebridge/{world.seed}")  # noqa: S311 - ids of a simulation, no secrets
        self._validities = UidValidities(clock.now, base=world.uid_validity)
        self._failures = 0
        self._clients: set[Closable] = set()
        self.account: Account = populate(world, self.profile, new_id=self.new_message_id, now=clock.now)
        self.account.events.take()
        self._poller = Poller(self.account, self.profile, new_validity=self._validities.new, new_identity=self.new_identity)
        self._connectors: dict[str, Connector] = {}
        self.outgoing = Outgoing(self)
        self._read_account(keep_identities=True)

    # Ids

    def new_identity(self) -> str:
        """The UUID that a store gives to a message."""
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def new_message_id(self) -> str:
        """The id that the account gives to a message."""
        return message_id(self._random, self.profile.account_server)

    # Stores

    def _read_account(self, *, keep_identities: bool) -> None:
        """The first sync, or a new one: the newest message gets UID 1 (bridge-behaviour 1.11, 2.4)."""
        self._connectors = {}
        scopes: list[str | None] = [own.id for own in self.account.addresses.all] if self.split_mode else [None]
        for scope in scopes:
            store = MailStore(on_flags=self._note_flags, shows_identities=not self.profile.keeps_appended_octets)
            lay_out(store, self.account.labels, self._validities, self.profile)
            connector = Connector(self.account, store, address=scope, gate=self._gate)
            self._connectors[scope or ""] = connector
            self._fill(connector, keep_identities=keep_identities)

    def _fill(self, connector: Connector, *, keep_identities: bool) -> None:
        store = connector.store
        lying: dict[str, list[Message]] = {}
        for message in reversed(self.account.messages.values()):
            if (connector.address is not None and message.address != connector.address) or not message.content.buildable():
                continue
            local = store.new_message(
                remote=message.id,
                date=message.time,
                content=message.content,
                identity=(keep_identities and message.identity) or self.new_identity(),
                flags=message.flags(),
            )
            for label in message.label_ids():
                lying.setdefault(label, []).append(local)
        for label, messages in lying.items():
            if label in store.by_label:
                store.by_label[label].fill(messages)

    @property
    def connectors(self) -> list[Connector]:
        """One for combined mode, one for each address in split mode."""
        return list(self._connectors.values())

    def mailboxes(self, connector: Connector) -> Mailboxes:
        """Operations on mailboxes."""
        return Mailboxes(connector, self.profile, self._validities.new)

    def appending(self, connector: Connector) -> Appending:
        """APPEND and what else brings octets in."""
        return Appending(self, connector)

    async def _gate(self) -> None:
        if not self.account.online:
            await self.clock.pause(self.profile.offline_hang_seconds)

    def _note_flags(self, mailbox: Mailbox, uid: int, before: Flags, after: Flags, session: int | None) -> None:
        self.journal.record(Kind.FLAGS, session=session, mailbox=mailbox.name, uid=uid, before=sorted(before), after=sorted(after))

    # Logging in

    async def log_in(self, user: str, password: str, *, session: int) -> Connector:
        """The connector behind a user name; `Refused` with the text of the throttle (1.6)."""
        connector = self._connector_for(user) if self.logged_in and password == self.password else None
        self.journal.record(Kind.LOGIN, session=session, user=user, accepted=connector is not None)
        if connector is not None:
            self._failures = 0
            return connector
        self._failures += 1
        if self._failures < self.profile.login_failure_limit:
            raise Refused(NO_SUCH_USER)
        self._failures = 0
        if self.profile.login_jail_seconds:
            await self.clock.pause(self.profile.login_jail_seconds)
        raise Refused("too many login attempts")

    def _connector_for(self, user: str) -> Connector | None:
        own = self.account.addresses.exact(user)
        if own is None or not own.enabled:
            return None
        return self._connectors.get(own.id if self.split_mode else "")

    # Clients

    def connect(self, client: Closable) -> None:
        """A client is there."""
        self._clients.add(client)

    def disconnect(self, client: Closable) -> None:
        """A client is gone."""
        self._clients.discard(client)

    def close_clients(self) -> None:
        """Close all sockets without a word."""
        for client in list(self._clients):
            client.close()

    # From outside

    def poll(self) -> int:
        """The event poll happens now. A fixed clock moves on by one period."""
        if self.clock.is_fixed:
            self.clock.advance(self.profile.poll_clock_seconds)
        count = self._poller.poll(self.connectors)
        self.journal.record(Kind.EVENT, what="poll", messages=count)
        return count

    def restart(self) -> None:
        """Bridge ends and starts again: everything stays, but All Mail's flags (2.4). The servers count sessions anew."""
        self.close_clients()
        for connector in self.connectors:
            add_forward_keywords(connector.store)
        self._failures = 0
        self.journal.record(Kind.EVENT, what="restart")

    def repair(self) -> None:
        """The cache is thrown away, the account read again."""
        self.close_clients()
        self.account.events.take()
        self._read_account(keep_identities=False)
        self.journal.record(Kind.EVENT, what="repair")

    def switch_mode(self, *, split: bool) -> None:
        """The address mode is switched: the same as a repair."""
        self.close_clients()
        self.split_mode = split
        self.account.events.take()
        self._read_account(keep_identities=False)
        self.journal.record(Kind.EVENT, what="mode", to="split" if split else "combined")

    def log_out(self) -> None:
        """The account is logged out of Bridge."""
        self.close_clients()
        self.logged_in = False
        self.journal.record(Kind.EVENT, what="logout")

    def set_online(self, *, online: bool) -> None:
        """The account's server is away, or back."""
        self.account.online = online
        self.journal.record(Kind.EVENT, what="online" if online else "offline")
