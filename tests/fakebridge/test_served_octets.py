"""A message that is served as it stands may hold any octets."""

import imaplib
import json
from pathlib import Path

import pytest

from tests.fakebridge.running_bridge import FakeBridge


@pytest.mark.parametrize(
    "octets, served",
    [
        (b"no field at all\r\n\x00\xff bad: name\r\n\r\nbody\r\n", b"no field at all\r\n\x00\xff bad: name\r\n\r\nbody\r\n"),
        (b"X-Pm-Gluon-Id: a line without an end, and nothing behind it", b""),
    ],
)
def test_a_header_that_cannot_be_read_keeps_no_message_out_of_its_mailbox(tmp_path: Path, octets: bytes, served: bytes) -> None:
    """The account's view of it is empty; the octets are served, and the numbers of its neighbours stay."""
    (tmp_path / "broken.eml").write_bytes(octets)
    rows = [{"file": "broken.eml", "as_served": True}, {"text": "From: a@b\nSubject: next\n\nbody"}]
    world = tmp_path / "world.json"
    people = [{"address": "ada@proton.local", "display_name": "Ada", "enabled": True}]
    world.write_text(json.dumps({"about": "octets", "addresses": people, "mailboxes": {"INBOX": rows}}), encoding="utf-8")
    with FakeBridge(world) as bridge, imaplib.IMAP4("127.0.0.1", bridge.ready["imap"]) as reader:
        reader.login("ada@proton.local", bridge.password)
        assert reader.select("INBOX", readonly=True)[1] == [b"2"]
        _, found = reader.fetch("1", "(BODY.PEEK[])")
        assert isinstance(found[0], tuple)
        assert found[0][1].endswith(served)
