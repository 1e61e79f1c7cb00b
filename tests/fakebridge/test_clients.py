"""Ordinary clients can use it: Python's imaplib and IMAPClient."""

from __future__ import annotations

import imaplib
import ssl

import pytest
from imapclient import IMAPClient

from tests.fakebridge.conftest import Stage
from tests.fakebridge.worlds import PASSWORD, USER

TIMEOUT_S = 30


def unchecked() -> ssl.SSLContext:
    """A context that takes any certificate: whose it is is tested elsewhere."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def test_imaplib(stage: Stage) -> None:
    """Login over STARTTLS, list, select, search, fetch, append, idle time."""
    with imaplib.IMAP4("127.0.0.1", stage.bridge.ready["imap"], timeout=TIMEOUT_S) as client:
        client.starttls(unchecked())
        client.login(USER, PASSWORD)
        assert client.list()[0] == "OK"
        assert client.select("INBOX") == ("OK", [b"3"])
        assert client.uid("SEARCH", "SUBJECT", "second") == ("OK", [b"2"])
        _, data = client.uid("FETCH", "2", "(BODY.PEEK[TEXT])")
        assert data[0] == (b"2 (BODY[TEXT] {6}", b"body\r\n")
        assert client.append("Drafts", "", None, b"To: bob@example.test\r\n\r\nx\r\n")[0] == "OK"


def test_imapclient(stage: Stage) -> None:
    """Typed answers: envelope, structure, flags, APPENDUID."""
    with IMAPClient("127.0.0.1", port=stage.bridge.ready["imap"], ssl=False, timeout=TIMEOUT_S) as client:
        client.starttls(unchecked())
        client.login(USER, PASSWORD)
        assert client.has_capability("UIDPLUS")
        assert {name for _, _, name in client.list_folders()} >= {"INBOX", "Labels/Reçus", "All Mail"}
        assert client.select_folder("INBOX", readonly=True)[b"EXISTS"] == 3
        assert client.search(["OR", "SUBJECT", "first", "SUBJECT", "third"]) == [1, 3]
        fetched = client.fetch([1], ["ENVELOPE", "BODYSTRUCTURE", "FLAGS", "RFC822.SIZE"])[1]
        assert fetched[b"ENVELOPE"].subject == b"third"
        assert fetched[b"BODYSTRUCTURE"][:2] == (b"text", b"plain")
        assert b"APPENDUID" in client.append("Drafts", b"To: bob@example.test\r\n\r\nx\r\n")


@pytest.mark.parametrize("count", [50])
def test_many_clients_at_once_are_all_served(stage: Stage, count: int) -> None:
    """None waits for another one's command."""
    wires = [stage.select() for _ in range(count)]
    for wire in wires:
        wire.send(b"a1 UID SEARCH TEXT body\r\na2 UID FETCH 1:* (UID FLAGS ENVELOPE)\r\n")
    for wire in wires:
        assert wire.until("a1")[0] == "* SEARCH 1 2 3"
        assert len(wire.until("a2")) == 4
