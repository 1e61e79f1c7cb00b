"""Worlds: the account behind a fakebridge as data, checked field by field before anything starts.

The format is a superset of the recordings' world (see `World`). Errors name the field (`mailboxes.INBOX[3].file`), never its content.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from fakebridge.message.accountserver import AccountServer
from fakebridge.profile import Profile

INTERNAL_DATE: Final = "%d-%b-%Y %H:%M:%S %z"
FLAGS: Final = ("\\Seen", "\\Flagged", "\\Answered", "$Forwarded", "Forwarded")
TOP: Final = {
    "$schema",
    "about",
    "addresses",
    "application_name",
    "account_server",
    "split_mode",
    "other_accounts",
    "folders",
    "labels",
    "password",
    "seed",
    "uid_validity",
    "now",
    "profile",
    "mailboxes",
}
ENTRY: Final = {"file", "text", "recipe", "as_served", "internal_date", "flags", "labels", "address"}


class WorldError(Exception):
    """The world cannot be used. `str()` names the field and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class AddressEntry:
    """One address of the account."""

    address: str
    display_name: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class Padded:
    """A mail with one generated attachment of `octets` octets."""

    file: Path
    octets: int
    filename: str
    content_type: str
    seed: int


@dataclass(frozen=True, slots=True)
class Bulk:
    """`count` generated small mails of about `octets` octets each."""

    count: int
    seed: int
    octets: int


@dataclass(frozen=True, slots=True)
class MailEntry:
    """One mail, or a recipe for many. Exactly one of file, text, padded, bulk is given. `internal_date`: seconds since 1970."""

    file: Path | None = None
    text: str | None = None
    padded: Padded | None = None
    bulk: Bulk | None = None
    as_served: bool = False
    internal_date: int | None = None
    flags: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    address: str | None = None


@dataclass(frozen=True, slots=True)
class World:
    """Everything that a fakebridge starts from. Mailboxes hold their mails in UID order. `now`: seconds since 1970; None is real time."""

    addresses: tuple[AddressEntry, ...]
    folders: tuple[str, ...]
    labels: tuple[str, ...]
    mailboxes: tuple[tuple[str, tuple[MailEntry, ...]], ...]
    profile: Profile
    split_mode: bool = False
    other_accounts: tuple[str, ...] = ()
    password: str | None = field(default=None, repr=False)
    seed: int = 0
    uid_validity: int | None = None
    now: float | None = None


def load(path: Path) -> World:
    """Read and check a world file. WorldError: anything that is wrong with it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise WorldError(f"the world file cannot be read: not JSON: {error}") from error
    except (OSError, ValueError) as error:
        raise WorldError(f"the world file cannot be read: {type(error).__name__}") from error
    return _Reader(path.parent).world(data)


class _Reader:
    """Turns JSON into values; paths in error texts are built on the way down."""

    def __init__(self, base: Path) -> None:
        self._base = base

    def world(self, data: object) -> World:
        top = _record(data, "world", TOP)
        addresses = tuple(self._address(entry, f"addresses[{index}]") for index, entry in enumerate(_list(top, "addresses", "")))
        if not addresses:
            raise WorldError("addresses: at least one is needed")
        folders, labels = _texts(top, "folders", ""), _texts(top, "labels", "")
        mailboxes = top.get("mailboxes", {})
        if not isinstance(mailboxes, dict):
            raise WorldError("mailboxes: an object is wanted")
        return World(
            addresses=addresses,
            folders=folders,
            labels=labels,
            mailboxes=tuple((str(name), self._mailbox(name, entries, folders, labels)) for name, entries in mailboxes.items()),
            profile=_profile(top),
            split_mode=_bool(top, "split_mode", ""),
            other_accounts=_texts(top, "other_accounts", ""),
            password=_optional_text(top, "password", ""),
            seed=_int(top, "seed", "", 0),
            uid_validity=_int(top, "uid_validity", "", 0) or None,
            now=_moment(top.get("now"), "now"),
        )

    @staticmethod
    def _address(data: object, where: str) -> AddressEntry:
        entry = _record(data, where, {"address", "display_name", "enabled"})
        address = _optional_text(entry, "address", where)
        if not address or "@" not in address:
            raise WorldError(f"{where}.address: a mail address is wanted")
        name = _optional_text(entry, "display_name", where) or ""
        return AddressEntry(address, name, enabled=_bool(entry, "enabled", where, default=True))

    def _mailbox(self, name: str, entries: object, folders: tuple[str, ...], labels: tuple[str, ...]) -> tuple[MailEntry, ...]:
        system = ("INBOX", "Drafts", "Sent", "Starred", "Archive", "Spam", "Trash", "All Mail", "Scheduled")
        own = (*(f"Folders/{folder}" for folder in folders), *(f"Labels/{label}" for label in labels))
        if name not in system and name not in own:
            raise WorldError(f"mailboxes.{name}: there is no such mailbox in this world")
        if not isinstance(entries, list):
            raise WorldError(f"mailboxes.{name}: a list is wanted")
        return tuple(self._entry(entry, f"mailboxes.{name}[{index}]", labels) for index, entry in enumerate(entries))

    def _entry(self, data: object, where: str, labels: tuple[str, ...]) -> MailEntry:
        entry = _record(data, where, ENTRY)
        if sum(kind in entry for kind in ("file", "text", "recipe")) != 1:
            raise WorldError(f"{where}: exactly one of file, text, recipe is wanted")
        flags = _texts(entry, "flags", where)
        if unknown := [flag for flag in flags if flag not in FLAGS]:
            raise WorldError(f"{where}.flags: {len(unknown)} of them are not among {', '.join(FLAGS)}")
        named = _texts(entry, "labels", where)
        if any(label not in labels for label in named):
            raise WorldError(f"{where}.labels: one of them is not among the world's labels")
        recipe = self._recipe(entry["recipe"], f"{where}.recipe") if "recipe" in entry else None
        return MailEntry(
            file=self._file(entry, "file", where) if "file" in entry else None,
            text=_optional_text(entry, "text", where),
            padded=recipe if isinstance(recipe, Padded) else None,
            bulk=recipe if isinstance(recipe, Bulk) else None,
            as_served=_bool(entry, "as_served", where),
            internal_date=_internal_date(entry.get("internal_date"), f"{where}.internal_date"),
            flags=flags,
            labels=named,
            address=_optional_text(entry, "address", where),
        )

    def _recipe(self, data: object, where: str) -> Padded | Bulk:
        kind = data.get("kind") if isinstance(data, dict) else None
        if kind == "padded":
            entry = _record(data, where, {"kind", "file", "octets", "filename", "content_type", "seed"})
            return Padded(
                file=self._file(entry, "file", where),
                octets=_int(entry, "octets", where, 1024),
                filename=_optional_text(entry, "filename", where) or "attachment.bin",
                content_type=_optional_text(entry, "content_type", where) or "application/octet-stream",
                seed=_int(entry, "seed", where, 0),
            )
        if kind == "bulk":
            entry = _record(data, where, {"kind", "count", "seed", "octets"})
            return Bulk(_int(entry, "count", where, 0), _int(entry, "seed", where, 0), _int(entry, "octets", where, 2048))
        raise WorldError(f"{where}.kind: padded or bulk is wanted")

    def _file(self, entry: dict[str, object], name: str, where: str) -> Path:
        value = _optional_text(entry, name, where)
        path = self._base / (value or "")
        if not value or not path.is_file():
            raise WorldError(f"{where}.{name}: there is no such file beside the world")
        return path


def _profile(top: dict[str, object]) -> Profile:
    switches: dict[str, object] = {}
    if "application_name" in top:
        switches["application_name"] = top["application_name"]
    server = top.get("account_server", AccountServer.PROTON.value)
    if server not in [kind.value for kind in AccountServer]:
        raise WorldError(f"account_server: one of {', '.join(kind.value for kind in AccountServer)} is wanted")
    switches["account_server"] = server
    named = top.get("profile", {})
    if not isinstance(named, dict):
        raise WorldError("profile: an object is wanted")
    try:
        return Profile().with_values(switches | named)
    except ValueError as error:
        raise WorldError(f"profile: {error}") from error


def _record(data: object, where: str, known: set[str]) -> dict[str, object]:
    if not isinstance(data, dict):
        raise WorldError(f"{where}: an object is wanted")
    if unknown := sorted(set(data) - known):
        raise WorldError(f"{where}: {len(unknown)} unknown field(s); known are {', '.join(sorted(known))}")
    return data


def _list(record: dict[str, object], name: str, where: str) -> list[object]:
    value = record.get(name, [])
    if not isinstance(value, list):
        raise WorldError(f"{_path(where, name)}: a list is wanted")
    return value


def _texts(record: dict[str, object], name: str, where: str) -> tuple[str, ...]:
    values = _list(record, name, where)
    if not all(isinstance(value, str) for value in values):
        raise WorldError(f"{_path(where, name)}: a list of texts is wanted")
    return tuple(str(value) for value in values)


def _optional_text(record: dict[str, object], name: str, where: str) -> str | None:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise WorldError(f"{_path(where, name)}: a text is wanted")
    return value


def _bool(record: dict[str, object], name: str, where: str, *, default: bool = False) -> bool:
    value = record.get(name, default)
    if not isinstance(value, bool):
        raise WorldError(f"{_path(where, name)}: true or false is wanted")
    return value


def _int(record: dict[str, object], name: str, where: str, default: int) -> int:
    value = record.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise WorldError(f"{_path(where, name)}: a whole number from 0 is wanted")
    return value


def _internal_date(value: object, where: str) -> int | None:
    if value is None:
        return None
    try:
        # The form ends in %z, so the value is aware.
        return int(datetime.strptime(str(value), INTERNAL_DATE).timestamp())  # noqa: DTZ007 - see above
    except ValueError as error:
        raise WorldError(f"{where}: a date like 30-Nov-2026 12:00:00 +0000 is wanted") from error


def _moment(value: object, where: str) -> float | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise WorldError(f"{where}: a moment like 2026-11-30T12:00:00+00:00 is wanted") from error
    if moment.tzinfo is None:
        raise WorldError(f"{where}: a time zone is wanted")
    return moment.timestamp()


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
