"""All commands by their names: the only table of them."""

from __future__ import annotations

from collections.abc import Callable

from fakebridge.imap.commands.append import AppendCommand
from fakebridge.imap.commands.authenticate import AuthenticateCommand
from fakebridge.imap.commands.capability import CapabilityCommand
from fakebridge.imap.commands.check import CheckCommand
from fakebridge.imap.commands.close import CloseCommand
from fakebridge.imap.commands.command import Command
from fakebridge.imap.commands.copy import CopyCommand, MoveCommand
from fakebridge.imap.commands.expunge import ExpungeCommand
from fakebridge.imap.commands.fetch import FetchCommand
from fakebridge.imap.commands.id import IdCommand
from fakebridge.imap.commands.idle import IdleCommand
from fakebridge.imap.commands.list import ListCommand
from fakebridge.imap.commands.login import LoginCommand
from fakebridge.imap.commands.logout import LogoutCommand
from fakebridge.imap.commands.mailboxes import CreateCommand, DeleteCommand, RenameCommand, SubscribeCommand
from fakebridge.imap.commands.noop import NoopCommand
from fakebridge.imap.commands.quota import QuotaCommand
from fakebridge.imap.commands.search import SearchCommand
from fakebridge.imap.commands.select import ExamineCommand, SelectCommand
from fakebridge.imap.commands.starttls import StarttlsCommand
from fakebridge.imap.commands.status import StatusCommand
from fakebridge.imap.commands.store import StoreCommand
from fakebridge.imap.commands.uid import parse_uid
from fakebridge.imap.commands.unselect import UnselectCommand
from fakebridge.imap.scanner import Scanner

COMMANDS: dict[str, Callable[[Scanner], Command]] = {
    "append": AppendCommand.parse,
    "authenticate": AuthenticateCommand.parse,
    "capability": CapabilityCommand.parse,
    "check": CheckCommand.parse,
    "close": CloseCommand.parse,
    "copy": CopyCommand.parse,
    "create": CreateCommand.parse,
    "delete": DeleteCommand.parse,
    "examine": ExamineCommand.parse,
    "expunge": ExpungeCommand.parse,
    "fetch": FetchCommand.parse,
    "getquota": QuotaCommand.parse,
    "getquotaroot": QuotaCommand.parse_root,
    "id": IdCommand.parse,
    "idle": IdleCommand.parse,
    "list": ListCommand.parse,
    "login": LoginCommand.parse,
    "logout": LogoutCommand.parse,
    "lsub": ListCommand.parse_lsub,
    "move": MoveCommand.parse,
    "noop": NoopCommand.parse,
    "rename": RenameCommand.parse,
    "search": SearchCommand.parse,
    "select": SelectCommand.parse,
    "starttls": StarttlsCommand.parse,
    "status": StatusCommand.parse,
    "store": StoreCommand.parse,
    "subscribe": SubscribeCommand.parse,
    "uid": parse_uid,
    "unselect": UnselectCommand.parse,
    "unsubscribe": SubscribeCommand.parse_unsubscribe,
}
