"""From a world to an account: messages in the order of their arrival, so that the first sync gives them the UIDs that the world says."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fakebridge.account import labels as ids
from fakebridge.account.account import Account
from fakebridge.account.addresses import AddressBook, OwnAddress
from fakebridge.account.bulk import BulkMail
from fakebridge.account.contents import GLUON_ID, AccountContent, LazyContent, ServedContent, header_value, with_crlf
from fakebridge.account.labels import Label, LabelKind
from fakebridge.account.message import NOWHERE, AccountMessage
from fakebridge.account.padding import padded
from fakebridge.message.accountserver import AccountServer
from fakebridge.message.imported import received_from
from fakebridge.message.stored import Origin, StoredMessage
from fakebridge.profile import Profile
from fakebridge.world import Bulk, MailEntry, World

ORIGINS = {ids.SENT: Origin.SENT, ids.DRAFTS: Origin.DRAFT}


def received(octets: bytes, message_id: str, time: int, server: AccountServer, *, origin: Origin = Origin.RECEIVED) -> StoredMessage:
    """A mail as the account keeps it. LF line ends become CRLF."""
    return received_from(with_crlf(octets), internal_id=message_id, origin=origin, time=time, server=server)


def populate(world: World, profile: Profile, *, new_id: Callable[[], str], now: Callable[[], float]) -> Account:
    """The account that a world describes."""
    addresses = AddressBook(tuple(OwnAddress(one.address, one.display_name, one.enabled) for one in world.addresses))
    account = Account(addresses, server=profile.account_server, new_id=new_id, keeps_octets=profile.keeps_appended_octets)
    return _Populating(world, account, now).fill()


class _Populating:
    """`_columns` are the mailboxes, newest mail first."""

    def __init__(self, world: World, account: Account, now: Callable[[], float]) -> None:
        self._world = world
        self._account = account
        self._now = int(now())
        self._used: set[str] = set()

    def fill(self) -> Account:
        account = self._account
        for path in self._world.folders:
            self._make_folder(tuple(path.split("/")))
        for name in self._world.labels:
            account.labels.create(LabelKind.LABEL, name)
        columns = [
            [message for entry in entries for message in self._messages(self._target(name), entry)]
            for name, entries in self._world.mailboxes
        ]
        for message in reversed(_woven(columns)):
            account.messages[message.id] = message
        return account

    def _make_folder(self, path: tuple[str, ...]) -> Label:
        labels = self._account.labels
        known = labels.by_path(LabelKind.FOLDER, path)
        if known is not None:
            return known
        parent = self._make_folder(path[:-1]).id if len(path) > 1 else ""
        return labels.create(LabelKind.FOLDER, path[-1], parent)

    def _target(self, mailbox: str) -> Label:
        label = self._account.labels.by_mailbox_name(mailbox)
        if label is None:
            raise LookupError(mailbox)
        return label

    def _messages(self, target: Label, entry: MailEntry) -> list[AccountMessage]:
        if entry.bulk is not None:
            return [self._bulk(target, entry, entry.bulk, index) for index in range(entry.bulk.count)]
        return [self._single(target, entry)]

    def _bulk(self, target: Label, entry: MailEntry, recipe: Bulk, index: int) -> AccountMessage:
        message_id = self._account.new_id()
        primary = self._account.addresses.primary
        mail = BulkMail(recipe.seed, index, recipe.octets, primary.address, primary.display_name, message_id)
        content = ServedContent(mail.built, partial(self._understood, message_id=message_id, time=mail.time, origin=Origin.RECEIVED))
        message = self._placed(target, entry, message_id, mail.time, content)
        if not entry.flags:
            chance = random.Random(f"{recipe.seed}:{index}").random()  # noqa: S311 - invented flags
            message.unread, message.starred = chance < 0.2, chance > 0.97
        return message

    def _single(self, target: Label, entry: MailEntry) -> AccountMessage:
        read = _reader(entry)
        octets = read() if entry.padded is None else b""
        if entry.as_served or self._account.keeps_octets:
            message_id = self._free_id(header_value(octets, b"X-Pm-Internal-Id"))
            time = entry.internal_date if entry.internal_date is not None else self._date(octets)
            content: AccountContent = ServedContent(
                read if entry.as_served else lambda: with_crlf(read()),
                partial(self._understood, message_id=message_id, time=time, origin=ORIGINS.get(target.id, Origin.RECEIVED)),
            )
            message = self._placed(target, entry, message_id, time, content)
            message.identity = header_value(octets, GLUON_ID) or None
            return message
        message_id = self._account.new_id()
        time = entry.internal_date if entry.internal_date is not None else self._date(octets)
        origin = ORIGINS.get(target.id, Origin.RECEIVED)
        content = LazyContent(lambda: self._understood(read(), message_id=message_id, time=time, origin=origin))
        return self._placed(target, entry, message_id, time, content)

    def _understood(self, octets: bytes, *, message_id: str, time: int, origin: Origin) -> StoredMessage:
        return received(octets, message_id, time, self._account.server, origin=origin)

    def _free_id(self, wanted: str) -> str:
        message_id = wanted if wanted and wanted not in self._used else self._account.new_id()
        self._used.add(message_id)
        return message_id

    def _date(self, octets: bytes) -> int:
        """The moment of the Date header; now, if there is none that can be read."""
        if not octets:
            return self._now
        stored = received(octets[: octets.find(b"\n\n") + 2] or octets, "date", self._now, AccountServer.PROTON)
        return stored.time

    def _placed(self, target: Label, entry: MailEntry, message_id: str, time: int, content: AccountContent) -> AccountMessage:
        message = AccountMessage(
            id=message_id,
            address=(entry.address or self._account.addresses.primary.address).lower(),
            origin=ORIGINS.get(target.id, Origin.RECEIVED),
            time=time,
            content=content,
            unread="\\Seen" not in entry.flags and target.id != ids.DRAFTS,
            starred="\\Flagged" in entry.flags,
            replied="\\Answered" in entry.flags,
            forwarded="$Forwarded" in entry.flags or "Forwarded" in entry.flags,
        )
        if target.kind is LabelKind.LABEL or target.id in (ids.STARRED, ids.ALL_MAIL):
            message.place = NOWHERE
        if target.id != ids.ALL_MAIL:
            message.add_label(target)
        for name in entry.labels:
            label = self._account.labels.by_path(LabelKind.LABEL, (name,))
            if label is not None:
                message.add_label(label)
        return message


def _reader(entry: MailEntry) -> Callable[[], bytes]:
    if entry.text is not None:
        octets = entry.text.encode("utf-8", "surrogateescape")
        return lambda: octets
    if entry.padded is not None:
        return partial(padded, entry.padded)
    return partial(Path.read_bytes, entry.file or Path())


def _woven(columns: list[list[AccountMessage]]) -> list[AccountMessage]:
    """All mailboxes in one row, newest first, each in its own order: of the heads the newest goes first."""
    if len(columns) == 1:
        return columns[0]
    heads = [0] * len(columns)
    row: list[AccountMessage] = []
    for _ in range(sum(map(len, columns))):
        best = max(
            (index for index, column in enumerate(columns) if heads[index] < len(column)),
            key=lambda index: columns[index][heads[index]].time,
        )
        row.append(columns[best][heads[best]])
        heads[best] += 1
    return row
