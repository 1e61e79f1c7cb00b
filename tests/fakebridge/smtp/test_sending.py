"""Who may send what, what is sent once, and what the Sent copy looks like."""

import base64
import imaplib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from fakebridge.profile import RefusalTexts
from fakebridge.smtp.refusals import Cause, refusal
from fakebridge.smtp.sending import Throttle
from tests.fakebridge.running_bridge import FakeBridge
from tests.fakebridge.smtp.client import Client, trusting

_MAIL = b"From: <ada@proton.local>\r\nTo: <bob@example.test>\r\nSubject: s\r\n\r\nbody\r\n"


def _sink(bridge: FakeBridge) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = bridge.ask("sink")["messages"]
    return found


def _sent(bridge: FakeBridge) -> list[dict[str, Any]]:
    bridge.ask("poll")
    found: list[dict[str, Any]] = bridge.ask("messages", mailbox="Sent")["messages"]
    return found


@pytest.mark.parametrize(
    "envelope_from,literal,text",
    [
        ("mallory@example.test", _MAIL, "invalid return path"),
        ("ada@proton.local", _MAIL.replace(b"ada@", b"mallory@"), "invalid return path"),
        ("ada@proton.local", _MAIL.replace(b"<ada@proton.local>", b'"Ada" <>'), "invalid return path"),
        ("ada.off@proton.local", _MAIL.replace(b"ada@", b"ada.off@"), "cannot send from address: ada.off@proton.local"),
        ("ada@proton.local", _MAIL.replace(b"ada@", b"ADA.OFF@"), "cannot send from address: ada.off@proton.local"),
        (
            "ada@proton.local",
            _MAIL.replace(b"Subject: s", b"no colon"),
            "failed to create parser: message: malformed MIME header line: no colon",
        ),
        (
            "ada@proton.local",
            _MAIL.replace(b"<bob@example.test>", b"bob"),
            "failed to parse message: failed to parse message header: failed to parse to: [Error offset=7]: expected ':' for group start",
        ),
        (
            "ada@proton.local",
            _MAIL.replace(b"\r\n\r\nbody", b"\r\nContent-Transfer-Encoding: base64\r\n\r\n!"),
            "illegal base64 data at input byte 0",
        ),
    ],
)
def test_a_message_is_refused_after_the_last_dot_with_bridges_text(
    sender: Client, bridge: FakeBridge, envelope_from: str, literal: bytes, text: str
) -> None:
    """bridge-behaviour 7.2; dialogues 32, 33: envelope and header sender must both be own and enabled."""
    sender.envelope(envelope_from, "bob@example.test")
    assert sender.data(literal) == f"554 5.0.0 Error: {text}"
    assert _sink(bridge) == []


def test_nobody_logged_in_and_nobody_named_are_refused_in_this_order(client: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 7.2: recipients first; RCPT TO:<> is accepted and not recorded."""
    client.envelope("ada@proton.local", "")
    assert client.data(_MAIL) == "554 5.0.0 Error: invalid recipient"
    client.envelope("ada@proton.local", "bob@example.test")
    assert client.data(_MAIL) == "554 5.0.0 Error: no such user"
    assert _sink(bridge) == []


def test_an_account_that_is_logged_out_sends_nothing(bridge: FakeBridge, secret: Callable[[str], str]) -> None:
    """bridge-behaviour 2.4, 7.2: the login is refused like a wrong password."""
    bridge.ask("logout")
    with Client(bridge.ready["smtp"]) as client:
        client.ask("EHLO probe")
        assert client.ask(f"AUTH PLAIN {secret('ada@proton.local')}") == "454 4.7.0 invalid username or password"


def test_an_accepted_message_stands_in_the_sink_as_the_client_gave_it(sender: Client, bridge: FakeBridge) -> None:
    """Evidence: envelope and octets; dots at the start of lines are taken back, long lines and 8-bit octets survive."""
    literal = _MAIL + b"..\r\n...dots\r\n" + b"x" * 2000 + b"\r\n\xc3\xa9 \x01\r\n"
    sender.envelope("ada@proton.local", "bob@example.test", "hidden@example.test")
    assert sender.data(literal.replace(b"\r\n.", b"\r\n..")) == "250 2.0.0 OK: queued"
    (kept,) = _sink(bridge)
    assert (kept["sender"], kept["recipients"]) == ("ada@proton.local", ["bob@example.test", "hidden@example.test"])
    assert base64.b64decode(kept["literal"]) == literal


def test_the_same_content_to_the_same_people_is_accepted_again_and_sent_once(sender: Client, bridge: FakeBridge) -> None:
    """Dialogue 33, bridge-behaviour 7.4: any change of content or recipients sends."""
    for literal, recipients in (
        (_MAIL, ("bob@example.test",)),
        (_MAIL.replace(b"Subject", b"Message-ID: <other@x>\r\nSubject"), ("bob@example.test",)),
        (_MAIL, ("bob@example.test", "carol@example.test")),
        (_MAIL.replace(b"body", b"body!"), ("bob@example.test",)),
    ):
        sender.envelope("ada@proton.local", *recipients)
        assert sender.data(literal) == "250 2.0.0 OK: queued"
    assert len(_sink(bridge)) == 3
    assert len(_sent(bridge)) == 3


def test_a_message_is_sent_again_after_half_an_hour(sender: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 7.4: 30 minutes, on the clock of the simulation."""
    for seconds in (0, 1799, 2):
        bridge.ask("advance", seconds=seconds)
        sender.envelope("ada@proton.local", "bob@example.test")
        assert sender.data(_MAIL) == "250 2.0.0 OK: queued"
    assert len(_sink(bridge)) == 2


def test_a_refused_message_can_be_sent_when_its_sender_is_put_right(sender: Client, bridge: FakeBridge) -> None:
    """A refusal leaves nothing behind that would hide the next send."""
    for envelope_from, reply in (("mallory@x", "554 5.0.0 Error: invalid return path"), ("ada@proton.local", "250 2.0.0 OK: queued")):
        sender.envelope(envelope_from, "bob@example.test")
        assert sender.data(_MAIL) == reply
    assert len(_sink(bridge)) == 1


@pytest.mark.parametrize(
    "literal,recipients,header",
    [
        (
            _MAIL.replace(b"<ada@", b"Me <ADA+tag@"),
            ("bob@example.test",),
            'From: "Me" <Ada+tag@proton.local>\r\nTo: <bob@example.test>\r\n',
        ),
        (
            _MAIL.replace(b"From: <ada@proton.local>\r\n", b""),
            ("bob@example.test",),
            "From: <Ada@proton.local>\r\nTo: <bob@example.test>\r\n",
        ),
        (_MAIL, ("carol@example.test",), "From: <Ada@proton.local>\r\nBcc: <carol@example.test>\r\n"),
        (
            _MAIL.replace(b"To:", b"Cc: <c@x>\r\nBcc: <d@x>\r\nTo:"),
            ("bob@example.test", "c@x", "e@x", "e@x"),
            "From: <Ada@proton.local>\r\nTo: <bob@example.test>\r\nCc: <c@x>\r\nBcc: <d@x>, <e@x>\r\n",
        ),
    ],
)
def test_the_sent_copy_names_the_own_address_and_the_envelope(
    sender: Client, bridge: FakeBridge, literal: bytes, recipients: tuple[str, ...], header: str
) -> None:
    """bridge-behaviour 7.2, 7.4; dialogue 33: tag kept, canonical spelling, To filtered, the rest becomes Bcc."""
    sender.envelope("ada@proton.local", *recipients)
    assert sender.data(literal) == "250 2.0.0 OK: queued"
    (copy,) = _sent(bridge)
    assert copy["subject"] == "s"
    assert f"Subject: s\r\n{header}Date:" in _octets(bridge, "Sent", 1)


def _octets(bridge: FakeBridge, mailbox: str, uid: int) -> str:
    """A whole message, read over IMAP."""
    with imaplib.IMAP4("127.0.0.1", bridge.ready["imap"]) as reader:
        reader.login("ada@proton.local", bridge.password)
        reader.select(mailbox, readonly=True)
        _, answer = reader.uid("FETCH", str(uid), "(BODY.PEEK[])")
    assert isinstance(answer[0], tuple)
    return bytes(answer[0][1]).decode()


def test_of_alternatives_only_the_html_is_kept_and_a_message_without_text_gets_an_empty_one(sender: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 7.4."""
    head = b"From: <ada@proton.local>\r\nTo: <bob@example.test>\r\nSubject: s\r\nContent-Type: "
    both = (
        head + b"multipart/alternative; boundary=x\r\n\r\n--x\r\n\r\nplain\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>h</p>\r\n--x--\r\n"
    )
    file = head + b"application/pdf; name=a.pdf; x=y\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC\r\n"
    bodies = []
    for uid, literal in ((1, both), (2, file)):
        sender.envelope("ada@proton.local", "bob@example.test")
        assert sender.data(literal) == "250 2.0.0 OK: queued"
        assert len(_sent(bridge)) == uid
        bodies.append(_octets(bridge, "Sent", uid).split("\r\n\r\n", 1))
    assert "Content-Type: text/html; charset=utf-8\r\n" in bodies[0][0]
    assert bodies[0][1] == "<p>h</p>"
    boundary = bodies[1][1].split("\r\n", 1)[0]
    assert bodies[1][1] == (
        f"{boundary}\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\r\n"
        f"{boundary}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a.pdf\r\n"
        f"Content-Type: application/pdf; filename=a.pdf; name=a.pdf; x=y\r\n\r\nAAEC\r\n{boundary}--\r\n"
    )


def test_a_reply_marks_its_parent_and_names_it(sender: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 7.3: internal ids first; the copy carries the parent's id."""
    (parent,) = bridge.ask("messages", mailbox="INBOX")["messages"]
    reply = _MAIL.replace(b"Subject", b"In-Reply-To: " + parent["message_id"].encode() + b"\r\nSubject")
    sender.envelope("ada@proton.local", "bob@example.test")
    assert sender.data(reply) == "250 2.0.0 OK: queued"
    bridge.ask("poll")
    (parent,) = bridge.ask("messages", mailbox="INBOX")["messages"]
    assert "\\Answered" in parent["flags"]
    assert f"In-Reply-To: {parent['message_id']}\r\n" in _octets(bridge, "Sent", 1)


def test_a_draft_that_is_referred_to_is_deleted_after_the_send(sender: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 7.3: a client that sends an edited draft names the old one."""
    with imaplib.IMAP4("127.0.0.1", bridge.ready["imap"]) as writer:
        writer.login("ada@proton.local", bridge.password)
        writer.append("Drafts", "", "", b"Subject: draft\r\n\r\nx\r\n")
    (draft,) = bridge.ask("messages", mailbox="Drafts")["messages"]
    sender.envelope("ada@proton.local", "bob@example.test")
    assert sender.data(_MAIL.replace(b"Subject", b"References: " + draft["message_id"].encode() + b"\r\nSubject")) == "250 2.0.0 OK: queued"
    bridge.ask("poll")
    assert bridge.ask("messages", mailbox="Drafts")["messages"] == []


def test_chunks_make_a_message_too(sender: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 7.1: CHUNKING is offered; no other transfer fits between chunks."""
    sender.envelope("ada@proton.local", "bob@example.test")
    sender.send(b"BDAT 10\r\n" + _MAIL[:10])
    assert sender.reply() == ["250 2.0.0 Continue"]
    assert sender.ask("DATA") == "502 5.5.1 DATA not allowed during message transfer"
    assert sender.ask("MAIL FROM:<x>") == "502 5.5.1 MAIL not allowed during message transfer"
    assert sender.ask("RCPT TO:<x>") == "502 5.5.1 RCPT not allowed during message transfer"
    sender.send(b"BDAT %d LAST\r\n" % (len(_MAIL) - 10) + _MAIL[10:])
    assert sender.reply() == ["250 2.0.0 OK: queued"]
    assert base64.b64decode(_sink(bridge)[0]["literal"]) == _MAIL


def test_a_line_of_more_than_64_kilobytes_refuses_the_message(sender: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 7.1: the session goes on."""
    sender.envelope("ada@proton.local", "bob@example.test")
    assert sender.data(_MAIL + b"x" * 200_000 + b"\r\n").startswith("554 5.0.0 Error: failed to read message")
    assert sender.ask("NOOP").startswith("250")
    assert _sink(bridge) == []


def test_an_account_server_that_is_away_refuses_and_keeps_nothing(sender: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 8.2: and the same message goes when the server is back."""
    bridge.ask("offline")
    sender.envelope("ada@proton.local", "bob@example.test")
    assert "503" in sender.data(_MAIL)
    bridge.ask("online")
    sender.envelope("ada@proton.local", "bob@example.test")
    assert sender.data(_MAIL) == "250 2.0.0 OK: queued"
    assert len(_sink(bridge)) == 1


@pytest.mark.parametrize("do,reply", [("drop", ""), ("no", "554 5.0.0 Error: on purpose")])
def test_a_fault_takes_the_place_of_a_command(bridge: FakeBridge, client: Client, do: str, reply: str) -> None:
    """Faults of SMTP are named by verb."""
    bridge.ask("faults", rules=[{"on": "SMTP NOOP", "do": do, "text": "on purpose"}])
    assert client.ask("NOOP") == reply


def test_smtp_can_be_off_and_can_speak_tls_from_the_start(world: Path) -> None:
    """bridge-behaviour 1.1: one boolean for implicit TLS; the port is 0 where there is none."""
    with FakeBridge(world, ["--no-smtp"]) as off:
        assert off.ready["smtp"] == 0
    with (
        FakeBridge(world, ["--switch", "implicit_tls_smtp=true"]) as encrypted,
        Client(encrypted.ready["smtp"], context=trusting()) as client,
    ):
        assert client.greeting == ["220 127.0.0.1 ESMTP Service Ready"]
        client.send(b"EHLO probe\r\n")
        assert "250-STARTTLS" not in client.reply()


def test_too_many_quick_failures_make_a_pause() -> None:
    """bridge-behaviour 7.2: counted only if they follow within a second; 20 s later sending goes on."""
    throttle, start = Throttle(), datetime(2026, 2, 3, tzinfo=UTC)
    for number in range(4):
        assert throttle.allows(start + timedelta(seconds=number / 2))
        throttle.note(start + timedelta(seconds=number / 2), failed=True)
    last = start + timedelta(seconds=1.5)
    assert not throttle.allows(last + timedelta(seconds=19))
    assert throttle.allows(last + timedelta(seconds=20))
    throttle.note(last + timedelta(seconds=40), failed=True)
    throttle.note(last + timedelta(seconds=40), failed=False)
    assert throttle.allows(last + timedelta(seconds=40))


@pytest.mark.parametrize("texts", RefusalTexts)
def test_every_cause_has_a_text_in_both_wordings(texts: RefusalTexts) -> None:
    """bridge-behaviour 0.3, 7.2: a switch, since builds of 2026 speak in whole sentences."""
    found = {cause: refusal(cause, texts, "a@b").text for cause in Cause}
    assert all(found.values())
    assert "a@b" in found[Cause.DISABLED_SENDER]
    assert (found[Cause.NO_ACCOUNT] == "no such user") is (texts is RefusalTexts.SHORT)


def test_the_newer_wording_is_a_switch(world: Path) -> None:
    """bridge-behaviour 7.2, third column."""
    with (
        FakeBridge(world, ["--switch", 'smtp_refusal_texts="sentences"']) as bridge,
        Client(bridge.ready["smtp"]) as client,
    ):
        client.ask("EHLO probe")
        client.envelope("ada@proton.local", "bob@example.test")
        assert client.data(_MAIL).startswith("554 5.0.0 Error: The account is not available in Bridge.")
