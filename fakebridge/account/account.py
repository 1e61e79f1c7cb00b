"""The account behind Bridge: what its server can be asked for, and what comes of it. Every request may meet an unreachable server."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fakebridge.account import labels as ids
from fakebridge.account.addresses import AddressBook
from fakebridge.account.contents import AccountContent, KeptContent, StoredContent, with_crlf
from fakebridge.account.errors import ApiError, http_refusal, plain_refusal
from fakebridge.account.events import EventLog
from fakebridge.account.labels import Label, LabelBook, LabelKind
from fakebridge.account.message import NOWHERE, AccountMessage
from fakebridge.message.accountserver import AccountServer
from fakebridge.message.stored import StoredMessage

HOSTS = {AccountServer.PROTON: "https://mail-api.proton.me", AccountServer.SIMULATED: "https://127.0.0.1:9"}
MESSAGES = "/mail/v4/messages"
LABELS = "/core/v4/labels"
UNAVAILABLE = "503 Service Unavailable"


class Account:
    """Messages in the order of their arrival, oldest first. `online` is False while the server answers 503 to everything.

    `keeps_octets`: mails stay as they came; Proton keeps their parts instead.
    """

    def __init__(self, addresses: AddressBook, *, server: AccountServer, new_id: Callable[[], str], keeps_octets: bool = False) -> None:
        self.addresses = addresses
        self.server = server
        self.labels = LabelBook()
        self.messages: dict[str, AccountMessage] = {}
        self.events = EventLog()
        self.online = True
        self.new_id = new_id
        self.keeps_octets = keeps_octets

    def content(self, stored: StoredMessage, octets: bytes) -> AccountContent:
        """What a mail that came as these octets holds from now on."""
        return KeptContent(with_crlf(octets), stored) if self.keeps_octets else StoredContent(stored)

    @property
    def host(self) -> str:
        """Where the requests go, as it shows in error texts."""
        return HOSTS[self.server]

    def reach(self, method: str, path: str) -> None:
        """Every request passes here: ApiError while the server is away."""
        if not self.online:
            raise http_refusal(self.host, status=503, method=method, path=path, reason=UNAVAILABLE)

    # Messages

    def add(self, message: AccountMessage) -> AccountMessage:
        """A new message, told by the next event."""
        self.messages[message.id] = message
        self.events.message(message.id)
        return message

    def _known(self, messages: Iterable[str]) -> list[AccountMessage]:
        return [self.messages[message] for message in messages if message in self.messages]

    def label_messages(self, messages: Iterable[str], label: str) -> None:
        """PUT label."""
        self.reach("PUT", f"{MESSAGES}/label")
        for message in self._known(messages):
            message.add_label(self._label(label))
            self.events.message(message.id)

    def unlabel_messages(self, messages: Iterable[str], label: str) -> None:
        """PUT unlabel."""
        self.reach("PUT", f"{MESSAGES}/unlabel")
        for message in self._known(messages):
            message.remove_label(self._label(label))
            self.events.message(message.id)

    def delete_messages(self, messages: Iterable[str]) -> None:
        """PUT delete: gone for good."""
        self.reach("PUT", f"{MESSAGES}/delete")
        for message in self._known(messages):
            del self.messages[message.id]
            self.events.message(message.id)

    def mark_read(self, messages: Iterable[str], *, read: bool) -> None:
        """PUT read or unread."""
        self.reach("PUT", f"{MESSAGES}/{'read' if read else 'unread'}")
        for message in self._known(messages):
            message.unread = not read
            self.events.message(message.id)

    def mark_forwarded(self, messages: Iterable[str], *, forwarded: bool) -> None:
        """PUT forward or unforward."""
        self.reach("PUT", f"{MESSAGES}/{'forward' if forwarded else 'unforward'}")
        for message in self._known(messages):
            message.forwarded = forwarded
            self.events.message(message.id)

    def is_elsewhere(self, message: str) -> bool:
        """Whether a message still has a place, a star or a label beside All Mail (6.5)."""
        known = self.messages.get(message)
        return known is not None and set(known.label_ids()) != {ids.ALL_MAIL}

    def import_message(self, message: AccountMessage, label: str, *, starred: bool) -> AccountMessage:
        """POST import into one label (5.8)."""
        self.reach("POST", f"{MESSAGES}/import")
        target = self.labels.get(label)
        if target is None:
            raise plain_refusal(f"failed to import: invalid label ID: {label}", code=2001)
        if target.kind is LabelKind.LABEL or target.id == ids.STARRED:
            message.place = NOWHERE
        message.add_label(target)
        message.starred = message.starred or starred
        return self.add(message)

    # Labels

    def _label(self, label: str) -> Label:
        found = self.labels.get(label)
        if found is None:
            raise http_refusal(self.host, status=422, method="PUT", path=f"{MESSAGES}/label", reason="Label does not exist", code=2501)
        return found

    def create_label(self, kind: LabelKind, name: str, parent: str = "") -> Label:
        """POST labels. Labels and folders share one name space."""
        self.reach("POST", LABELS)
        if self.labels.is_taken(name, parent):
            raise self._name_taken("POST", LABELS)
        label = self.labels.create(kind, name, parent)
        self.events.label(label.id)
        return label

    def update_label(self, label: str, name: str, parent: str = "") -> Label:
        """PUT labels/ID: rename, and move below another folder."""
        self.reach("PUT", f"{LABELS}/{label}")
        if self.labels.is_taken(name, parent, but=label):
            raise self._name_taken("PUT", f"{LABELS}/{label}")
        changed = self.labels.update(label, name, parent)
        for one in changed:
            self.events.label(one.id)
        return changed[0]

    def delete_label(self, label: str) -> None:
        """DELETE labels/ID, children included; messages lose it and stay."""
        path = f"{LABELS}/{label}"
        self.reach("DELETE", path)
        found = self.labels.get(label)
        if found is None or found.kind is LabelKind.SYSTEM:
            raise http_refusal(self.host, status=400, method="DELETE", path=path, reason="400 Bad Request")
        for gone in self.labels.delete(label):
            for message in self.messages.values():
                if message.place == gone.id or gone.id in message.labels:
                    message.remove_label(gone)
            self.events.label(gone.id)

    def _name_taken(self, method: str, path: str) -> ApiError:
        if self.server is AccountServer.SIMULATED:
            return http_refusal(self.host, status=409, method=method, path=path, reason="409 Conflict")
        reason = "A label or folder with this name already exists"
        return http_refusal(self.host, status=422, method=method, path=path, reason=reason, code=2500)
