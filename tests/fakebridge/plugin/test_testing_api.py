"""`fakebridge.testing`: start, deliver, poll, journal, sink, faults."""

from __future__ import annotations

import imaplib
import smtplib
import ssl
from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from fakebridge.testing import USER, FakeBridge, NotStarted, Refused, Sent, small_world, start

MAIL = f"From: bob@books.example\nTo: {USER}\nSubject: hello\n\nhi\n"


@pytest.fixture(scope="module")
def shared() -> Iterator[FakeBridge]:
    """One process for the tests of this file."""
    with start() as bridge:
        yield bridge


@pytest.fixture
def bridge(shared: FakeBridge) -> FakeBridge:
    """With the small world as it begins."""
    shared.reset()
    return shared


def trusting(bridge: FakeBridge) -> ssl.SSLContext:
    """TLS that accepts this fakebridge and nothing else."""
    return ssl.create_default_context(cadata=bridge.certificate_pem())


def test_a_client_meets_what_was_delivered(bridge: FakeBridge) -> None:
    """Over STARTTLS with the certificate verified; nothing is marked as read."""
    bridge.deliver(MAIL)
    assert len(bridge.messages("INBOX")) == 3
    assert bridge.poll() == 1
    with imaplib.IMAP4(bridge.host, bridge.imap_port) as imap:
        imap.starttls(trusting(bridge))
        imap.login(bridge.user, bridge.password)
        imap.select("INBOX", readonly=True)
        assert imap.search(None, "UNSEEN", "SUBJECT", '"hello"') == ("OK", [b"4"])
    arrived = bridge.messages("INBOX")[-1]
    assert (arrived.uid, arrived.flags, arrived.subject, arrived.recipients) == (4, (), "hello", (f"<{USER}>",))
    assert bridge.journal("flags") == []
    verbs = [entry["verb"] for entry in bridge.journal("command")]
    assert [verb for verb in verbs if verb != "CAPABILITY"] == ["STARTTLS", "LOGIN", "EXAMINE", "SEARCH", "LOGOUT"]


def test_what_was_sent_is_in_the_sink(bridge: FakeBridge) -> None:
    """Envelope and octets."""
    mail = f"From: {USER}\r\nTo: bob@books.example\r\nSubject: hello\r\n\r\nhi\r\n"
    with smtplib.SMTP(bridge.host, bridge.smtp_port) as smtp:
        smtp.starttls(context=trusting(bridge))
        smtp.login(bridge.user, bridge.password)
        smtp.sendmail(USER, ["bob@books.example"], mail)
    assert bridge.sink() == [Sent(USER, ("bob@books.example",), mail.encode())]


def test_mails_may_be_octets_or_messages(bridge: FakeBridge) -> None:
    """Octets of any value."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "bob@books.example", USER, "as message"
    message.set_content("x")
    bridge.deliver(message)
    bridge.deliver(MAIL.replace("hello", "as octets").encode() + b"\xff\x00", unread=False)
    bridge.poll()
    assert [message.subject for message in bridge.messages("INBOX")[3:]] == ["as message", "as octets"]
    assert "\\Seen" in bridge.messages("INBOX")[-1].flags


def test_faults_break_it_and_can_be_taken_back(bridge: FakeBridge) -> None:
    """As data, all or none."""
    bridge.fault("login-refused", times=2)
    with pytest.raises(Refused, match=r"rules\[0\]\.do: one of drop"):
        bridge.fault("explode", on="NOOP")
    with pytest.raises(Refused, match=r"rules\[1\]\.nth"):
        bridge.faults([{"on": "NOOP", "do": "bye"}, {"on": "NOOP", "do": "no", "nth": 0}])
    with imaplib.IMAP4(bridge.host, bridge.imap_port) as imap:
        with pytest.raises(imaplib.IMAP4.error, match="no such user"):
            imap.login(bridge.user, bridge.password)
        bridge.clear_faults()
        assert imap.login(bridge.user, bridge.password)[0] == "OK"
        assert imap.noop()[0] == "OK"
    assert [entry["do"] for entry in bridge.journal("fault")] == ["login-refused"]


def test_a_world_that_cannot_be_used_is_told_by_field(bridge: FakeBridge) -> None:
    """At the start and at a reset; the process of a reset lives on."""
    with pytest.raises(NotStarted, match=r"fakebridge: addresses: at least one is needed"):
        start(small_world(addresses=[]))
    with pytest.raises(Refused, match="addresses: at least one is needed"):
        bridge.reset(small_world(addresses=[]))
    with pytest.raises(Refused, match="mailbox: there is no such mailbox"):
        bridge.messages("Nope")
    assert bridge.poll() == 0


def test_options_are_those_of_the_command_line() -> None:
    """Strict face, SMTP off, seed, switches, faults from the beginning."""
    with start(
        strict_rfc=True, smtp=False, seed=4, switches={"application_name": "Other"}, faults=[{"on": "CONNECT", "do": "bye"}]
    ) as bridge:
        assert bridge.smtp_port == 0
        with pytest.raises(imaplib.IMAP4.error, match="fault"):
            imaplib.IMAP4(bridge.host, bridge.imap_port)
        with imaplib.IMAP4(bridge.host, bridge.imap_port) as imap:
            assert b"Other" in imap.welcome
    assert not bridge.is_running
    bridge.close()
    with pytest.raises(Refused, match="the process has ended"):
        bridge.poll()
