"""The control channel and the process around it."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.running_bridge import FakeBridge
from tests.fakebridge.talking import C, Closed, S, Wire, append, talk
from tests.fakebridge.worlds import PASSWORD, USER, entry, mail, world


def written(folder: Path, **changes: object) -> Path:
    """A world as a file."""
    path = folder / "world.json"
    data = {**world(), **changes}
    path.write_text(json.dumps({name: value for name, value in data.items() if value is not None}), encoding="utf-8")
    return path


def test_the_ready_line_says_what_a_client_needs(tmp_path: Path) -> None:
    """A random password has the form of Bridge's own (bridge-behaviour 1.6)."""
    with FakeBridge(written(tmp_path, password=None)) as bridge:
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", bridge.password)
        assert bridge.ready["addresses"] == [USER, "ada.alias@proton.local", "ada.off@proton.local"]
        assert re.fullmatch(r"[0-9a-f]{64}", bridge.ready["certificate_sha256"])
        wire = Wire(bridge.ready["imap"])
        talk(wire, S("* OK …"), C(f"a1 LOGIN {USER} {bridge.password}"), S("a1 OK …"))
        assert bridge.end() == 0
        wire.close()


def test_reset_drops_all_sessions_and_loads_another_world_behind_the_same_ports(stage: Stage, tmp_path: Path) -> None:
    """The certificate stays; sessions, journal and faults begin anew."""
    wire = stage.select()
    before = dict(stage.bridge.ready)
    stage.bridge.ask("fault", on="LOGIN", fault="drop")
    answer = stage.bridge.ask("reset", world=str(written(tmp_path, mailboxes={"INBOX": [entry(mail("other"))]})))
    talk(wire, Closed())
    assert [answer[name] for name in ("imap", "smtp", "certificate_sha256")] == [
        before[name] for name in ("imap", "smtp", "certificate_sha256")
    ]
    fresh = stage.connect()
    talk(fresh, S("* OK … gluon session ID 1"), C(f"a1 LOGIN {USER} {PASSWORD}"), S("a1 OK …"))
    talk(fresh, C("a2 STATUS INBOX (MESSAGES)"), S('* STATUS "INBOX" (MESSAGES 1)'), S("a2 OK STATUS"))
    assert stage.bridge.journal()[0]["kind"] == "connect"


def test_a_reset_that_cannot_be_done_changes_nothing(stage: Stage, tmp_path: Path) -> None:
    """The answer names the field; the sessions live on."""
    wire = stage.select()
    answer = stage.bridge.send({"do": "reset", "world": str(written(tmp_path, addresses=[]))})
    assert answer == {"ok": False, "error": "addresses: at least one is needed"}
    talk(wire, C("a1 NOOP"), S("a1 OK …"))


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"do": "nothing"},
        {"do": "deliver"},
        {"do": "label", "mailbox": "Nope", "subject": "x"},
        {"do": "mode", "to": "both"},
        {"do": "journal", "since": -1},
        {"do": "faults"},
        {"do": "messages", "mailbox": "Nope"},
        {"do": "advance", "seconds": "x"},
        [],
    ],
)
def test_an_error_is_an_answer_and_the_process_goes_on(stage: Stage, command: object) -> None:
    """Every command has exactly one answer line."""
    answer = stage.bridge.send(command)  # type: ignore[arg-type]  # what is no object is meant to be wrong
    assert answer["ok"] is False
    assert isinstance(answer["error"], str)
    stage.poll()


def test_messages_describe_a_mailbox_as_evidence(stage: Stage) -> None:
    """For checks that need no IMAP connection of their own."""
    talk(
        stage.log_in(),
        *append("a1", "Drafts", "To: bob@example.test\nCc: c@example.test\nSubject: s\nMessage-ID: <m@x>\n\nx\n"),
        S("a1 OK …"),
    )
    (described,) = stage.bridge.ask("messages", mailbox="Drafts")["messages"]
    assert {name: described[name] for name in ("uid", "flags", "message_id", "subject", "recipients")} == {
        "uid": 1,
        "flags": ["\\Draft", "\\Seen"],
        "message_id": "<m@x>",
        "subject": "s",
        "recipients": ["<bob@example.test>", "<c@example.test>"],
    }
    assert re.fullmatch(r"[0-9a-f]{64}", described["sha256"])
    assert "texts" not in described
    (described,) = stage.bridge.ask("messages", mailbox="Drafts", texts=True)["messages"]
    assert described["texts"] == [{"type": "text/plain", "text": "x\r\n"}]


def test_the_sink_keeps_what_was_sent(stage: Stage) -> None:
    """Envelope and octets as the client gave them; nothing that was refused."""
    assert stage.bridge.ask("sink") == {"messages": []}
    literal = f"From: <{USER}>\r\nTo: bob@example.test\r\nSubject: s\r\n\r\n.x\r\n"
    stage.submit(literal)
    (sent,) = stage.bridge.ask("sink")["messages"]
    assert (sent["sender"], sent["recipients"]) == (USER, ["bob@example.test"])
    assert base64.b64decode(sent["literal"]) == literal.encode()


def test_smtp_can_be_off(tmp_path: Path) -> None:
    """Its port in the ready line is then 0."""
    with FakeBridge(written(tmp_path), ["--no-smtp"]) as bridge:
        assert bridge.ready["smtp"] == 0
        assert bridge.ready["imap"] > 0


def test_faults_and_switches_may_come_from_the_command_line(tmp_path: Path) -> None:
    """A rule file, switches as JSON values or plain texts, another seed."""
    rules = tmp_path / "faults.json"
    rules.write_text(json.dumps([{"on": "NOOP", "do": "no", "text": "from a file"}]), encoding="utf-8")
    options = [
        "--faults",
        str(rules),
        "--switch",
        "application_name=Other Name",
        "--switch",
        "max_errors=1",
        "--seed",
        "7",
        "--poll-seconds",
        "60",
    ]
    with FakeBridge(written(tmp_path), options) as bridge:
        wire = Wire(bridge.ready["imap"])
        talk(wire, S("* OK … Other Name 03.21.01 …"), C("a1 NOOP"), S("a1 NO from a file"), C("a2 XYZZY"), S("a2 BAD …"), Closed())
        wire.close()


def test_implicit_tls_is_one_option_a_protocol(tmp_path: Path) -> None:
    """bridge-behaviour 1.1: there is never both on one port; STARTTLS stays listed."""
    with FakeBridge(written(tmp_path), ["--switch", "implicit_tls_imap=true", "--switch", "implicit_tls_smtp=true"]) as bridge:
        for kind, greeting in (("imap", "* OK [CAPABILITY … STARTTLS …"), ("smtp", "220 127.0.0.1 ESMTP Service Ready")):
            wire = Wire(bridge.ready[kind])
            wire.start_tls()
            talk(wire, S(greeting))
            wire.close()


def test_later_builds_may_limit_sessions_and_tell_that_they_still_work(staged: Staging) -> None:
    """bridge-behaviour 0.3: off in 3.21."""
    stage = staged(profile={"session_limit": 1, "still_working_seconds": 0.1, "offline_hang_seconds": 0.35})
    wire = stage.select()
    talk(stage.connect(), Closed())
    stage.bridge.ask("offline")
    lines = wire.ask("a1 STORE 1 +FLAGS (\\Flagged)")
    assert lines[:2] == ["* OK Still working", "* OK Still working"]
    assert lines[-1].startswith("a1 NO 503")


def test_later_builds_may_know_quota(staged: Staging) -> None:
    """bridge-behaviour 0.3: off in 3.21."""
    wire = staged(profile={"quota": True}).log_in()
    talk(wire, C("a1 GETQUOTAROOT INBOX"), S('* QUOTAROOT "INBOX" ""'), S('* QUOTA "" (STORAGE …)'), S("a1 OK GETQUOTAROOT"))
    talk(wire, C('a2 GETQUOTA ""'), S('* QUOTA "" (STORAGE …)'), S("a2 OK GETQUOTA"))


def test_a_jail_may_follow_the_third_failure(staged: Staging) -> None:
    """bridge-behaviour 1.6: 3.21 has none."""
    wire = staged(profile={"login_jail_seconds": 0.3, "login_failure_limit": 1}).connect()
    talk(wire, S("* OK …"))
    wire.send(b"a1 LOGIN x y\r\n")
    assert wire.is_quiet(0.1)
    talk(wire, S("a1 NO too many login attempts"))
