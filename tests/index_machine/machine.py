"""The state machine: each step changes the account, Bridge or the connection, then all that a client could ask is asked and compared."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from fakebridge.faults.rule import FaultRule
from proton_safe.call import Call
from proton_safe.config import Config
from proton_safe.refusals import Code, Refusal
from proton_safe.secret import Secret
from proton_safe.serving import SystemClock, assemble
from proton_safe.tools.list_messages import ListMessagesArguments, list_messages
from proton_safe.tools.search_messages import SearchMessagesArguments, search_messages
from tests.index_machine.changes import DAY_S, FOLDERS, KINDS, NEW_YEAR, WORDS, change
from tests.index_machine.expected import Folder, Mail, folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fakebridge.bridge.service import Bridge
    from proton_safe.tools.rows import Page, Rows, SearchPage
    from tests.index_machine.bridge_in_thread import BridgeInThread

USER: Final = "ada@keller.example"
SEEN: Final = "\\seen"
CHANGES: Final = st.tuples(st.sampled_from(KINDS), st.integers(0, 11))
FOLDER: Final = st.sampled_from(FOLDERS)
VERBS: Final = ("NOOP", "EXAMINE", "UID FETCH", "UID SEARCH")
FAULTS: Final = (
    *({"do": kind} for kind in ("drop", "answer-lost", "no", "bad", "bye", "garbage", "answer-twice", "other-tag")),
    *(
        {"do": "flood", "text": f"* {lie}", "count": 1}
        for lie in ("1 EXISTS", "60 EXISTS", "99 EXPUNGE", "0 EXPUNGE", "99 FETCH (FLAGS ())")
    ),
)
# How a call may end while Bridge breaks; never with a wrong row.
BROKEN: Final = frozenset({Code.CONNECTION_LOST, Code.BRIDGE_REFUSED, Code.BAD_RESPONSE, Code.MAILBOX_CHANGED})


@dataclass(frozen=True, slots=True)
class Kept:
    """A cursor that was handed out, and what it must mean."""

    cursor: str
    folder: str
    unread_only: bool
    uid_validity: int
    position: tuple[int, int]


class IndexMachine(RuleBasedStateMachine):
    """One account, one server's engine. `bridge` is set before it runs; `steps` counts over all runs."""

    bridge: ClassVar[BridgeInThread]
    steps: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self._state = Path(tempfile.mkdtemp(prefix="index-machine-"))
        self._turn = 0
        self._folder = "INBOX"
        self._kept: list[Kept] = []

    @initialize(mails=st.lists(st.tuples(st.sampled_from(KINDS[:2]), st.integers(0, 11)), max_size=8))
    def begin(self, mails: list[tuple[str, int]]) -> None:
        """A fresh account with some mail, and a server that has seen nothing of it."""
        self.bridge.plan.clear()
        self.bridge.reset()
        self.bridge.look(lambda bridge: _changed(bridge, mails, poll=True))
        secret = Secret(self.bridge.password)
        config = Config(user=USER, aliases=(), imap_port=self.bridge.port, password=secret, state_dir=self._state)
        self._engine = assemble(config)

    def teardown(self) -> None:
        """Close what this run has opened."""
        if hasattr(self, "_engine"):
            self._engine.close()
        shutil.rmtree(self._state)

    # What happens

    @rule(changes=st.lists(CHANGES, min_size=1, max_size=4))
    def the_account_changes(self, changes: list[tuple[str, int]]) -> None:
        """It is told at the next poll."""
        self.bridge.look(lambda bridge: _changed(bridge, changes, poll=False))

    @rule(changes=st.lists(CHANGES, max_size=4))
    def bridge_polls(self, changes: list[tuple[str, int]]) -> None:
        """What has happened becomes Bridge's."""
        self.bridge.look(lambda bridge: _changed(bridge, changes, poll=True))

    @rule(change=st.sampled_from(["drop", "drop", "restart", "repair"]))
    def connections_end(self, change: str) -> None:
        """All sockets are closed without a word; after a repair, every folder is renumbered too."""
        self.bridge.look(lambda bridge: {"drop": bridge.close_clients, "restart": bridge.restart, "repair": bridge.repair}[change]())

    @rule(name=FOLDER)
    def another_folder(self, name: str) -> None:
        """From now on the lists are of this one."""
        self._folder = name

    @rule(
        verb=st.sampled_from(VERBS), changes=st.lists(CHANGES, min_size=1, max_size=3), searching=st.booleans(), unread_only=st.booleans()
    )
    def something_happens_in_the_middle(self, verb: str, changes: list[tuple[str, int]], *, searching: bool, unread_only: bool) -> None:
        """New mail, a deletion, a flag, between two commands of one call: the page is of one moment or the other, row by row."""
        before = self._now()
        self.bridge.plan.verb = verb
        self.bridge.plan.happens = lambda: _changed(self.bridge.here, changes, poll=True)
        page = self._search(WORDS[0], limit=100) if searching else self._list(limit=100, unread_only=unread_only)
        self.bridge.plan.happens = None
        known = {mail.uid: mail for mail in (*self._now().mails, *before.mails)}
        _is_in_order(page, known)

    @rule(verb=st.sampled_from(VERBS), fault=st.sampled_from(FAULTS), times=st.integers(1, 3), searching=st.booleans())
    def bridge_breaks(self, verb: str, fault: dict[str, object], times: int, *, searching: bool) -> None:
        """The call is refused or right, and the next one is right."""
        known = {mail.uid: mail for mail in self._now().mails}
        self.bridge.plan.add([FaultRule.from_json({"on": verb, "times": times, **fault})])
        try:
            _is_in_order(self._search(WORDS[0], limit=100) if searching else self._list(limit=100), known)
        except Refusal as refusal:
            if refusal.code not in BROKEN:
                raise
        finally:
            self.bridge.plan.clear()

    @rule(limit=st.integers(1, 4), unread_only=st.booleans())
    def a_cursor_is_kept(self, limit: int, *, unread_only: bool) -> None:
        """For later: new mail must not shift what it means."""
        page = self._list(limit=limit, unread_only=unread_only)
        if page.next_cursor is not None:
            last = next(mail for mail in self._now().mails if str(mail.uid) == page.messages[-1].uid)
            self._kept.append(Kept(page.next_cursor, self._folder, unread_only, page.uid_validity, last.position))

    @rule(which=st.integers(0, 7), limit=st.integers(1, 100))
    def a_kept_cursor_reads_on(self, which: int, limit: int) -> None:
        """It shows what lies behind its position now, or says that the folder was renumbered."""
        if not self._kept:
            return
        kept = self._kept[which % len(self._kept)]
        self._folder = kept.folder
        now = self._now()
        if now.uid_validity != kept.uid_validity:
            with pytest.raises(Refusal) as raised:
                self._list(limit=limit, unread_only=kept.unread_only, cursor=kept.cursor)
            assert raised.value.code is Code.MAILBOX_CHANGED
            return
        page = self._list(limit=limit, unread_only=kept.unread_only, cursor=kept.cursor)
        behind = [mail for mail in _matching(now, unread_only=kept.unread_only) if mail.position < kept.position]
        assert [row.uid for row in page.messages] == [str(mail.uid) for mail in behind[:limit]]
        assert (page.next_cursor is None) == (len(behind) <= limit)

    # What must hold

    @invariant()
    def everything_that_a_client_can_ask_is_right(self) -> None:
        """The index itself, the list by pages, the unread ones, a search: each against the store, in changing order."""
        if not hasattr(self, "_engine"):
            return
        type(self).steps += 1
        self._turn += 1
        now = self._now()
        checks = (self._index_is_right, self._pages_are_right, self._unread_are_right, self._search_is_right)
        for place in range(len(checks)):
            checks[(place + self._turn) % len(checks)](now)

    def _index_is_right(self, now: Folder) -> None:
        with self._engine.pool.examine(self._folder, self._call()) as mailbox:
            entries = mailbox.index()
            assert mailbox.uid_validity == now.uid_validity
        told = [(entry.uid, entry.received, entry.flags - {"\\recent"}) for entry in entries]
        assert told == [(mail.uid, mail.received, mail.flags) for mail in now.mails]

    def _pages_are_right(self, now: Folder) -> None:
        limit = len(now.mails) // 2 + 1
        _is_exact(self._walk(lambda cursor: self._list(limit=limit, cursor=cursor)), now, now.mails)

    def _unread_are_right(self, now: Folder) -> None:
        _is_exact([self._list(limit=100, unread_only=True)], now, _matching(now, unread_only=True))

    def _search_is_right(self, now: Folder) -> None:
        word = WORDS[self._turn % len(WORDS)]
        found = [mail for mail in now.mails if word.encode() in mail.words]
        limit = 100 if self._turn % 2 else len(found) // 2 + 1
        _is_exact(self._walk(lambda cursor: self._search(word, limit=limit, cursor=cursor)), now, found)

    # How it is asked

    def _walk(self, ask: Callable[[str | None], Page | SearchPage]) -> list[Page | SearchPage]:
        pages = [ask(None)]
        while pages[-1].next_cursor is not None:
            pages.append(ask(pages[-1].next_cursor))
        return pages

    def _list(self, *, limit: int, unread_only: bool = False, cursor: str | None = None) -> Page:
        arguments = ListMessagesArguments(folder=self._folder, limit=limit, unread_only=unread_only, cursor=cursor)
        return list_messages(self._engine, self._call(), arguments)

    def _search(self, word: str, *, limit: int, cursor: str | None = None) -> SearchPage:
        arguments = SearchMessagesArguments(query=word, folder=self._folder, limit=limit, cursor=cursor)
        return search_messages(self._engine, self._call(), arguments)

    def _call(self) -> Call:
        return Call(SystemClock(), seconds=30)

    def _now(self) -> Folder:
        name = self._folder
        return self.bridge.look(lambda bridge: folder(bridge, name))


def _changed(bridge: Bridge, changes: Sequence[tuple[str, int]], *, poll: bool) -> None:
    for one in changes:
        change(bridge, *one)
    if poll:
        bridge.poll()


def _matching(now: Folder, *, unread_only: bool) -> list[Mail]:
    return [mail for mail in now.mails if not unread_only or SEEN not in mail.flags]


def _is_exact(pages: Sequence[Page | SearchPage], now: Folder, wanted: Sequence[Mail]) -> None:
    """All pages together are these mails, each row says what the store says, each page the total."""
    rows = [row for page in pages for row in page.messages]
    assert [row.uid for row in rows] == [str(mail.uid) for mail in wanted]
    for row, mail in zip(rows, wanted, strict=True):
        assert (row.unread, row.starred) == (SEEN not in mail.flags, "\\flagged" in mail.flags)
        assert row.received == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(mail.received))
        assert row.subject == f"Mail of day {(mail.received - NEW_YEAR) // DAY_S}"
    for page in pages:
        assert (page.total, page.uid_validity, page.skipped) == (len(wanted), now.uid_validity, 0)


def _is_in_order(page: Rows, known: dict[int, Mail]) -> None:
    """Each row is a mail that was or is there, none comes twice, newest first."""
    positions = [known[int(row.uid)].position for row in page.messages]
    assert positions == sorted(set(positions), reverse=True)
