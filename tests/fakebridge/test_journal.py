"""The journal: typed entries in order, equal for equal runs, and nothing in it that must stay out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.running_bridge import FakeBridge
from tests.fakebridge.talking import C, Raw, S, append, talk
from tests.fakebridge.worlds import PASSWORD, USER, VALIDITY, mail, world


def entries(stage: Stage, *kinds: str) -> list[dict[str, Any]]:
    """Entries of some kinds without their numbers."""
    return [{name: value for name, value in entry.items() if name != "n"} for entry in stage.bridge.journal(*kinds)]


def test_a_session_from_connect_to_close(stage: Stage) -> None:
    """Kinds, verbs, arguments as sent, answers with counts: whole."""
    wire = stage.connect()
    talk(wire, S("* OK …"), C(f"a1 LOGIN {USER} {PASSWORD}"), S("a1 OK …"), C("a2 EXAMINE INBOX"))
    wire.until("a2")
    talk(wire, C("a3 UID SEARCH OR SUBJECT {5}"), S("+ Ready"), Raw(b"first FROM nobody\r\n"))
    wire.until("a3")
    wire.ask("a4 UID FETCH 1:2 (FLAGS BODY.PEEK[HEADER.FIELDS (Subject)])")
    wire.ask("a5 LOGOUT")
    assert wire.line() is None
    session = {"session": 1}
    found = entries(stage)
    octets = [entry.pop("octets") for entry in found if entry["kind"] == "answer"]
    assert all(octets)
    untagged = {"FLAGS": 1, "EXISTS": 1, "RECENT": 1, "OK": 3}
    capabilities = "CAPABILITY AUTH=PLAIN ID IDLE IMAP4rev1 MOVE STARTTLS UIDPLUS UNSELECT"

    def command(tag: str, verb: str, line: str, mailbox: str | None) -> dict[str, Any]:
        return {"kind": "command", **session, "tag": tag, "verb": verb, "line": line, "mailbox": mailbox}

    def answer(tag: str, text: str, code: str = "", **counts: int) -> dict[str, Any]:
        return {"kind": "answer", **session, "tag": tag, "status": "OK", "code": code, "text": text, "untagged": counts}

    assert found[:9] == [
        {"kind": "connect", **session, "protocol": "imap"},
        command("a1", "LOGIN", f'LOGIN "{USER}" ***', None),
        {"kind": "login", **session, "user": USER, "accepted": True},
        answer("a1", "Logged in", capabilities),
        command("a2", "EXAMINE", 'EXAMINE "INBOX"', None),
        answer("a2", "EXAMINE", "READ-ONLY", **untagged),
        command("a3", "UID SEARCH", 'UID SEARCH OR HEADER "SUBJECT" "first" HEADER "FROM" "nobody"', "INBOX"),
        answer("a3", "command completed", SEARCH=1),
        command("a4", "UID FETCH", "UID FETCH 1:2 (FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])", "INBOX"),
    ]
    assert found[9:12] == [
        answer("a4", "command completed", FETCH=2),
        command("a5", "LOGOUT", "LOGOUT", "INBOX"),
        answer("a5", "LOGOUT", BYE=1),
    ]
    assert [entry["n"] for entry in stage.bridge.journal()][:3] == [1, 2, 3]


def test_no_password_ever_gets_into_the_journal(staged: Staging) -> None:
    """LOGIN in all its forms, AUTHENTICATE, SMTP AUTH, wrong ones too."""
    stage = staged()
    wire = stage.connect()
    talk(wire, S("* OK …"), C(f"a1 LOGIN {USER} canary-wrong-1"), S("a1 NO …"), C(f'a2 LOGIN "{USER}" "canary-wrong-2"'), S("a2 NO …"))
    talk(wire, C("a3 AUTHENTICATE PLAIN"), S("+"), C("AGFkYUBwcm90b24ubG9jYWwAY2FuYXJ5LXdyb25nLTM="), S("a3 NO …"))
    talk(wire, C(f"a4 LOGIN {USER} {{{len(PASSWORD)}}}"), S("+ Ready"), C(PASSWORD), S("a4 OK …"))
    smtp = stage.connect("smtp")
    talk(smtp, S("220 …"), C("AUTH PLAIN AGFkYUBwcm90b24ubG9jYWwAY2FuYXJ5LXdyb25nLTM="), S("502 …"))
    text = json.dumps(stage.bridge.journal())
    for secret in (PASSWORD, "canary-wrong", "Y2FuYXJ5"):
        assert secret not in text


def test_every_flag_change_is_there_with_what_was_before(stage: Stage) -> None:
    """By STORE, by a fetch that marks as read, by the account."""
    wire = stage.select()
    wire.ask("a1 STORE 2 FLAGS ()")
    wire.ask("a2 FETCH 2 BODY[TEXT]")
    stage.bridge.ask("label", mailbox="Starred", subject="third")
    stage.poll()
    found = [(entry["session"], entry["mailbox"], entry["uid"], entry["before"], entry["after"]) for entry in entries(stage, "flags")]
    assert found[:2] == [(1, "INBOX", 2, ["\\Seen"], []), (1, "INBOX", 2, [], ["\\Seen"])]
    changed = ["\\Seen"], ["\\Flagged", "\\Seen"]
    assert sorted(found[2:]) == [(None, name, 1, *changed) for name in ("All Mail", "INBOX", "Starred")]


def test_an_append_names_recipients_and_what_became_of_the_headers(stage: Stage) -> None:
    """The evidence that Bridge dropped In-Reply-To; a refused one has no UID."""
    literal = "From: x@example.test\nTo: bob@example.test\nCc: carol@example.test\nIn-Reply-To: <p@x>\nX-Mine: y\nSubject: s\n\nx\n"
    wire = stage.log_in()
    talk(wire, *append("a1", "Drafts", literal), S("a1 OK …"), *append("a2", "Drafts", "To: bob\n\nx\n"), S("a2 NO …"))
    first, second = entries(stage, "append")
    assert first == {
        "kind": "append",
        "session": 1,
        "mailbox": "Drafts",
        "octets": len(literal) + literal.count("\n"),
        "uid": 1,
        "recipients": ["bob@example.test", "carol@example.test"],
        "headers_given": ["From", "To", "Cc", "In-Reply-To", "X-Mine", "Subject"],
        "headers_kept": [
            "Cc",
            "Content-Transfer-Encoding",
            "Content-Type",
            "Date",
            "From",
            "Message-Id",
            "Mime-Version",
            "References",
            "Subject",
            "To",
            "X-Pm-Date",
            "X-Pm-Gluon-Id",
            "X-Pm-Internal-Id",
        ],
        "headers_dropped": ["In-Reply-To", "X-Mine"],
    }
    assert (second["uid"], second["recipients"], second["headers_kept"]) == (None, [], [])


def test_outside_events_are_there(stage: Stage) -> None:
    """What was done on the account elsewhere, without texts of mails."""
    stage.bridge.ask("deliver", message=mail("canary-subject"))
    stage.bridge.ask("delete", subject="first")
    stage.poll()
    for do in ("offline", "online", "restart", "repair"):
        stage.bridge.ask(do)
    stage.bridge.ask("mode", to="split")
    stage.bridge.ask("logout")
    assert [entry["what"] for entry in entries(stage, "event")] == [
        "deliver",
        "delete",
        "poll",
        "offline",
        "online",
        "restart",
        "repair",
        "mode",
        "logout",
    ]
    assert "canary-subject" not in json.dumps(stage.bridge.journal())


def scripted(bridge: FakeBridge, stage: Stage) -> None:
    """A run with everything that is random on the real thing."""
    wire = stage.select()
    for command in ('LIST "" "*"', "FETCH 1:* BODY.PEEK[]", "STORE 1:* +FLAGS (one)", "UID COPY 1 Labels/Work", "SEARCH TEXT x"):
        wire.ask(f"a1 {command}")
    talk(wire, *append("a2", "Drafts", "To: bob@example.test\n\nx\n"), S(f"a2 OK [APPENDUID {VALIDITY['Drafts']} 1] APPEND"))
    bridge.ask("poll")
    wire.ask("a3 NOOP")


def test_two_equal_runs_give_equal_journals(staged: Staging, running: FakeBridge) -> None:
    """Seed, clock and password of the world decide everything."""
    journals = []
    for _ in range(2):
        stage = staged(profile={"response_order": "random"})
        scripted(running, stage)
        journals.append(running.journal())
    assert journals[0] == journals[1]


def test_since_gives_what_is_new(stage: Stage) -> None:
    """For readers that look again and again."""
    stage.log_in()
    known = stage.bridge.ask("journal")["entries"]
    stage.poll()
    assert [entry["n"] for entry in stage.bridge.ask("journal", since=len(known))["entries"]] == [len(known) + 1]


def test_the_journal_is_copied_into_a_file_line_by_line(tmp_path: Path) -> None:
    """`--journal FILE`: the same entries."""
    path, copy = tmp_path / "world.json", tmp_path / "journal.jsonl"
    path.write_text(json.dumps(world()), encoding="utf-8")
    with FakeBridge(path, ["--journal", str(copy)]) as bridge:
        bridge.ask("poll")
        kept = bridge.journal()
    assert [json.loads(line) for line in copy.read_text(encoding="utf-8").splitlines()] == kept
