"""What Bridge says to each SMTP command, in and out of order."""

import base64
from collections.abc import Callable

import pytest

from tests.fakebridge.running_bridge import FakeBridge
from tests.fakebridge.smtp.client import Client

_EXTENSIONS = ["250-PIPELINING", "250-8BITMIME", "250-ENHANCEDSTATUSCODES", "250-CHUNKING"]


def test_ehlo_lists_the_extensions_in_bridges_order_and_starttls_only_in_the_clear(bridge: FakeBridge) -> None:
    """bridge-behaviour 7.1; dialogue 32."""
    with Client(bridge.ready["smtp"]) as client:
        assert client.greeting == ["220 127.0.0.1 ESMTP Service Ready"]
        client.send(b"ehlo my.host with more\r\n")
        assert client.reply() == ["250-Hello my.host", *_EXTENSIONS, "250-STARTTLS", "250-AUTH PLAIN LOGIN", "250 SIZE"]
        client.upgrade()
        client.send(b"EHLO probe\r\n")
        assert client.reply() == ["250-Hello probe", *_EXTENSIONS, "250-AUTH PLAIN LOGIN", "250 SIZE"]
        assert client.ask("STARTTLS now") == "502 5.5.1 Already running in TLS"


@pytest.mark.parametrize(
    "lines,reply",
    [
        (["HELO probe"], "250 2.0.0 Hello probe"),
        (["HELO"], "501 5.5.2 Domain/address argument required for HELO"),
        (["LHLO x"], "500 5.5.1 This is not a LMTP server"),
        (["NOOP"], "250 2.0.0 I have sucessfully done nothing"),
        (["VRFY x"], "252 2.5.0 Cannot VRFY user, but will accept message"),
        (["HELP"], "502 5.5.1 HELP command not implemented"),
        (["XYZZY"], "501 5.5.2 Bad command"),
        (["XY"], "501 5.5.2 Bad command"),
        (["NOOP "], "501 5.5.2 Bad command"),
        (["QUUX x"], "500 5.5.2 Syntax errors, QUUX command unrecognized"),
        ([""], "500 5.5.2 Error: bad syntax"),
        (["RCPT TO:<a@x>"], "502 5.5.1 Missing MAIL FROM command."),
        (["DATA"], "502 5.5.1 Missing RCPT TO command."),
        (["MAIL FROM:<a@x>", "DATA"], "502 5.5.1 Missing RCPT TO command."),
        (["MAIL FROM:<a@x>", "RSET", "RCPT TO:<b@x>"], "502 5.5.1 Missing MAIL FROM command."),
        (["MAIL FROM:<a@x>", "RCPT TO:<b@x>", "DATA now"], "501 5.5.4 DATA command should not have any arguments"),
        (["mail from: <a@x> BODY=7BIT SIZE=5"], "250 2.0.0 Roger, accepting mail from <a@x>"),
        (["MAIL a@x"], "501 5.5.2 Was expecting MAIL arg syntax of FROM:<address>"),
        (["MAIL FROM: "], "501 5.5.2 Was expecting MAIL arg syntax of FROM:<address>"),
        (["MAIL FROM:<a@x> A=B=C"], "501 5.5.4 Unable to parse MAIL ESMTP parameters"),
        (["MAIL FROM:<a@x> SIZE=x"], "501 5.5.4 Unable to parse SIZE as an integer"),
        (["MAIL FROM:<a@x> BODY=ODD"], "500 5.5.4 Unknown BODY value"),
        (["MAIL FROM:<a@x> BODY=BINARYMIME"], "504 5.5.4 BINARYMIME is not implemented"),
        (["MAIL FROM:<a@x> SMTPUTF8"], "504 5.5.4 SMTPUTF8 is not implemented"),
        (["MAIL FROM:<a@x> RET=HDRS"], "500 5.5.4 Unknown MAIL FROM argument"),
        (["MAIL FROM:<a@x> AUTH=x"], "500 5.5.4 Missing opening angle bracket"),
        (["MAIL FROM:<a@x> AUTH=<x"], "500 5.5.4 Missing closing angle bracket"),
        (["MAIL FROM:<a@x>", "RCPT b@x"], "501 5.5.2 Was expecting RCPT arg syntax of TO:<address>"),
        (["MAIL FROM:<a@x>", "RCPT TO: <b@x>"], "250 2.0.0 I'll make sure <b@x> gets this"),
        (["MAIL FROM:<a@x>", "RCPT TO:<>"], "250 2.0.0 I'll make sure <> gets this"),
        (["BDAT"], "501 5.5.4 Missing chunk size argument"),
        (["BDAT 1 2 3"], "501 5.5.4 Too many arguments"),
        (["BDAT 5"], "502 5.5.1 Missing RCPT TO command."),
        (["MAIL FROM:<a@x>", "RCPT TO:<b@x>", "BDAT 5 FIRST"], "501 5.5.4 Unknown BDAT argument"),
        (["MAIL FROM:<a@x>", "RCPT TO:<b@x>", "BDAT -5"], "501 5.5.4 Malformed size argument"),
        (["AUTH"], "502 5.5.4 Missing parameter"),
        (["AUTH CRAM-MD5"], "504 5.7.4 Unsupported authentication mechanism"),
        (["AUTH PLAIN", "*"], "501 5.0.0 Negotiation cancelled"),
        (["AUTH PLAIN", "not base64"], "454 4.7.0 Invalid base64 data"),
        (["AUTH PLAIN eA=="], "454 4.7.0 invalid response"),
        (["AUTH PLAIN eAB5AHo="], "454 4.7.0 Identities not supported"),
        (["AUTH PLAIN AGEAYg=="], "454 4.7.0 invalid username or password"),
    ],
)
def test_each_command_has_bridges_reply(client: Client, lines: list[str], reply: str) -> None:
    """bridge-behaviour 7.1, 7.2; dialogues 32 to 34: texts and order, spelling errors included."""
    for line in lines[:-1]:
        client.ask(line)
    assert client.ask(lines[-1]) == reply


@pytest.mark.parametrize("command", ["MAIL FROM:<a@x>", "AUTH PLAIN"])
def test_a_client_must_introduce_itself(bridge: FakeBridge, command: str) -> None:
    """bridge-behaviour 7.1: STARTTLS forgets the introduction as well."""
    with Client(bridge.ready["smtp"]) as client:
        assert client.ask(command).endswith("Please introduce yourself first.")
        client.upgrade()
        assert client.ask(command).endswith("Please introduce yourself first.")


def test_the_fourth_error_ends_the_session(client: Client) -> None:
    """bridge-behaviour 7.1: good commands in between do not help."""
    for _ in range(3):
        assert client.ask("QUUX") == "500 5.5.2 Syntax errors, QUUX command unrecognized"
        assert client.ask("NOOP").startswith("250")
    assert client.ask("bad command") == "501 5.5.2 Bad command"
    assert client.line() == "500 5.5.1 Too many errors. Quiting now"
    assert client.line() == ""


def test_quit_is_answered_and_the_socket_closed(client: Client) -> None:
    """Dialogue 32."""
    assert client.ask("QUIT") == "221 2.0.0 Bye"
    assert client.line() == ""


def test_a_line_over_64_kilobytes_ends_the_session(client: Client) -> None:
    """bridge-behaviour 7.1: line length limit 65536."""
    client.send(b"NOOP " + b"x" * 70_000 + b"\r\n")
    assert client.line() == "500 5.4.0 Too long line, closing connection"


def test_login_asks_for_name_and_password_and_takes_a_name_at_once(client: Client, bridge: FakeBridge) -> None:
    """bridge-behaviour 7.1: AUTH LOGIN; a failure may be followed by another try."""
    name, wrong, right = (base64.b64encode(text.encode()).decode() for text in ("ADA.ALIAS@proton.local", "wrong", bridge.password))
    assert client.ask("AUTH LOGIN") == "334 VXNlcm5hbWU6"
    assert client.ask(name) == "334 UGFzc3dvcmQ6"
    assert client.ask(wrong) == "454 4.7.0 invalid username or password"
    assert client.ask(f"AUTH login {name}") == "334 UGFzc3dvcmQ6"
    assert client.ask(right) == "235 2.0.0 Authentication succeeded"
    assert client.ask(f"AUTH LOGIN {name}") == "503 5.5.1 Already authenticated"


def test_plain_without_an_initial_response_is_asked_for_it(client: Client, secret: Callable[[str], str]) -> None:
    """bridge-behaviour 7.1: otherwise 334; a disabled address does not log in."""
    assert client.ask("AUTH PLAIN") == "334 "
    assert client.ask(secret("ada.off@proton.local")) == "454 4.7.0 invalid username or password"
    assert client.ask("AUTH PLAIN") == "334 "
    assert client.ask(secret("ada@proton.local")) == "235 2.0.0 Authentication succeeded"


def test_a_broken_initial_response_gets_no_answer_and_the_session_goes_on(client: Client) -> None:
    """The server says nothing to it; the next command is answered."""
    client.send(b"AUTH PLAIN ???\r\n")
    assert client.ask("NOOP") == "250 2.0.0 I have sucessfully done nothing"


def test_a_second_ehlo_forgets_the_login_but_not_that_there_was_one(sender: Client, secret: Callable[[str], str]) -> None:
    """Dialogue 34: only a reconnect helps."""
    sender.ask("EHLO again")
    sender.envelope("ada@proton.local", "bob@example.test")
    assert sender.data(b"Subject: s\r\n\r\nx\r\n") == "554 5.0.0 Error: no such user"
    assert sender.ask(f"AUTH PLAIN {secret('ada@proton.local')}") == "503 5.5.1 Already authenticated"


def test_an_ehlo_between_rcpt_and_data_forgets_the_recipients(sender: Client) -> None:
    """The connection still knows that there were some: DATA is taken and then refused."""
    sender.envelope("ada@proton.local", "bob@example.test")
    sender.ask("EHLO again")
    assert sender.data(b"Subject: s\r\n\r\nx\r\n") == "554 5.0.0 Error: invalid recipient"


def test_pipelined_commands_are_answered_in_order(client: Client) -> None:
    """bridge-behaviour 7.1: PIPELINING."""
    client.send(b"NOOP\r\nVRFY x\r\nRSET\r\n")
    assert [client.reply()[0][:3] for _ in range(3)] == ["250", "252", "250"]


def test_passwords_do_not_reach_the_journal(sender: Client, bridge: FakeBridge, secret: Callable[[str], str]) -> None:
    """Evidence is chosen field by field."""
    assert sender.ask("NOOP").startswith("250")
    entries = bridge.journal("smtp")
    assert [entry["what"] for entry in entries[:2]] == ["connect", "answer"]
    assert {"verb": "AUTH", "argument": "***"}.items() <= next(entry for entry in entries if entry.get("verb") == "AUTH").items()
    assert secret("ada@proton.local") not in str(entries)
    assert bridge.password not in str(entries)
