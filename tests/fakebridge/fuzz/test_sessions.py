"""Sessions as a state machine: any conversation, in any pieces, several clients, an account that changes behind their back."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fakebridge.bridge import elsewhere
from tests.fakebridge.fuzz import saying
from tests.fakebridge.fuzz.driver import Driver, new_bridge
from tests.fakebridge.worlds import PASSWORD, USER

SEEDS = st.integers(0, 1 << 32)
MOST_CLIENTS = 4


class Sessions(RuleBasedStateMachine):
    """Nothing escapes, nothing grows, and a client that speaks properly is always served."""

    @initialize()
    def begin(self) -> None:
        """A fresh Bridge."""
        with tempfile.TemporaryDirectory() as folder:
            self.bridge = new_bridge(Path(folder))
        self.clients: list[Driver] = []
        self.made = 0

    @precondition(lambda self: len(self.clients) < MOST_CLIENTS)
    @rule(logs_in=st.booleans())
    def connect(self, logs_in: bool) -> None:
        """One more client."""
        self.made += 1
        client = Driver(self.bridge, self.made)
        if logs_in:
            client.feed(f"l LOGIN {USER} {PASSWORD}\r\nm SELECT INBOX\r\n".encode())
        self.clients.append(client)

    @precondition(lambda self: self.clients)
    @rule(which=st.integers(0, MOST_CLIENTS), seed=SEEDS)
    def say(self, which: int, seed: int) -> None:
        """A client says something, in pieces."""
        draw = Random(seed)  # noqa: S311 - no secrets here
        for piece in saying.cuts(draw, saying.talk(draw)):
            self.clients[which % len(self.clients)].feed(piece)

    @precondition(lambda self: self.clients)
    @rule(which=st.integers(0, MOST_CLIENTS), octets=st.binary(max_size=80))
    def babble(self, which: int, octets: bytes) -> None:
        """Octets without any sense."""
        self.clients[which % len(self.clients)].feed(octets)

    @precondition(lambda self: self.clients)
    @rule(which=st.integers(0, MOST_CLIENTS))
    def die(self, which: int) -> None:
        """A client is gone, in the middle of whatever it was doing."""
        self.clients.pop(which % len(self.clients)).end()

    @rule(subject=st.sampled_from(["first", "second", "s"]), what=st.sampled_from(["deliver", "delete", "star", "edit"]))
    def elsewhere(self, subject: str, what: str) -> None:
        """A phone does something; the poll tells."""
        account = self.bridge.account
        if what == "deliver":
            elsewhere.deliver(account, saying.MAIL, now=self.bridge.clock.now())
        elif what == "delete":
            elsewhere.delete(account, subject)
        elif what == "star":
            elsewhere.label(account, "Starred", subject)
        else:
            elsewhere.edit_drafts(account, subject)
        self.bridge.poll()
        for client in self.clients:
            client.pass_time()

    @invariant()
    def nothing_grows(self) -> None:
        """Of a conversation at most what was said of one unfinished command is kept."""
        if hasattr(self, "clients"):
            assert all(client.waiting_octets <= 64 << 20 for client in self.clients)

    def teardown(self) -> None:
        """Whatever happened, a new client is served."""
        if hasattr(self, "bridge"):
            client = Driver(self.bridge, self.made + 1)
            client.feed(f"z1 LOGIN {USER} {PASSWORD}\r\nz2 SELECT INBOX\r\nz3 UID FETCH 1:* (FLAGS BODY.PEEK[])\r\nz4 LOGOUT\r\n".encode())
            assert b"z1 OK" in client.answered
            assert b"\r\nz4 OK LOGOUT\r\n" in client.answered
            assert not client.is_open


TestSessions = Sessions.TestCase
TestSessions.settings = settings(max_examples=60, stateful_step_count=30)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For worlds."""
    return tmp_path_factory.mktemp("fuzz")


@given(seed=SEEDS)
@settings(max_examples=300)
def test_answers_do_not_depend_on_how_the_octets_arrive(folder: Path, seed: int) -> None:
    """Whole, one at a time, cut anywhere: the same answers, the same end."""
    draw = Random(seed)  # noqa: S311 - no secrets here
    octets = saying.talk(draw)
    whole, pieces = Driver(new_bridge(folder)), Driver(new_bridge(folder))
    whole.feed(octets)
    for piece in saying.cuts(draw, octets):
        pieces.feed(piece)
    assert (bytes(whole.answered), whole.is_open) == (bytes(pieces.answered), pieces.is_open)
