"""A message that Bridge cannot build is in no mailbox."""

import imaplib
import json
from pathlib import Path

from tests.fakebridge.running_bridge import FakeBridge

_WORLD = {
    "about": "one address",
    "addresses": [{"address": "ada@proton.local", "display_name": "Ada", "enabled": True}],
    "mailboxes": {"INBOX": [{"text": "From: a@b\nDate: Tue, 03 Feb 2026 10:11:12 +0100\nSubject: world\n\nFrom me"}]},
}


def test_an_unfinished_mbox_line_keeps_a_message_out_of_every_mailbox(tmp_path: Path) -> None:
    """bridge-behaviour 4.1, 4.3, 5.1: the draft exists on the account, its raw copy is in Recovered Messages, no poll shows it."""
    world = tmp_path / "world.json"
    world.write_text(json.dumps(_WORLD), encoding="utf-8")
    with FakeBridge(world) as bridge, imaplib.IMAP4("127.0.0.1", bridge.ready["imap"]) as reader:
        reader.login("ada@proton.local", bridge.password)
        refusal = reader.append("Drafts", "", "", b"Subject: x\r\n\r\nFrom me")
        assert refusal == ("NO", [b"failed to build message: failed to sanitize MBOX header: cannot find end of mbox line"])
        bridge.ask("deliver", message="From: a@b\nDate: Tue, 03 Feb 2026 10:11:12 +0100\nSubject: y\n\n>From you")
        bridge.ask("poll")
        counts = {name: reader.select(f'"{name}"')[1][0] for name in ("Drafts", "INBOX", "All Mail", "Recovered Messages")}
        assert counts == {"Drafts": b"0", "INBOX": b"1", "All Mail": b"1", "Recovered Messages": b"1"}
        reader.select("INBOX")
        _, found = reader.fetch("1", "(BODY.PEEK[TEXT])")
        assert isinstance(found[0], tuple)
        assert found[0][1] == b"From me"
