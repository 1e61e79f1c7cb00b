"""Worlds from recipes: messages are made when they are asked for, always the same ones."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

from tests.fakebridge.conftest import Staging
from tests.fakebridge.talking import C, S, talk
from tests.fakebridge.worlds import mail

BULK = {"recipe": {"kind": "bulk", "count": 3000, "seed": 5, "octets": 2048}}


def literal(line: str) -> bytes:
    """The literal in an answer."""
    return line.split("}\r\n", 1)[1].rsplit(" UID", 1)[0].encode()


def test_bulk_mails_are_the_same_in_every_run_and_about_as_long_as_wanted(staged: Staging) -> None:
    """UID 1 is the newest; sizes are exact."""
    runs = []
    for _ in range(2):
        wire = staged(mailboxes={"INBOX": [BULK]}).select()
        line = wire.ask("a1 UID FETCH 1234 (RFC822.SIZE BODY.PEEK[])")[0]
        octets = line.split("}\r\n", 1)[1].removesuffix(" UID 1234)").encode()
        assert f"RFC822.SIZE {len(octets)} " in line
        assert 1800 < len(octets) < 2400
        runs.append(octets)
    assert runs[0] == runs[1]
    parsed = message_from_bytes(runs[0], _class=EmailMessage, policy=default)
    assert parsed["Subject"].endswith(" 1234")
    assert not parsed.defects


def test_a_client_that_reads_all_does_not_keep_others_waiting(staged: Staging) -> None:
    """Long scans give way: an answer to another session comes before the scan has ended."""
    stage = staged(mailboxes={"INBOX": [BULK]})
    scanning, other = stage.select(), stage.select()
    scanning.send(b"a1 SEARCH BODY nothing-like-this\r\n")
    talk(other, C("b1 NOOP"), S("b1 OK …"), C("b2 UID FETCH 7 FLAGS"), S("* 7 FETCH …"), S("b2 OK …"))
    assert scanning.is_quiet()
    assert scanning.until("a1")[0] == "* SEARCH"


def test_a_padded_mail_carries_an_attachment_of_exactly_that_length(staged: Staging, tmp_path: Path) -> None:
    """The text of the mail stays; the attachment's octets follow from the seed."""
    (tmp_path / "small.eml").write_text(mail("padded", "hello there\n"), encoding="utf-8")
    recipe = {"kind": "padded", "file": "small.eml", "octets": 100_001, "filename": "big.bin", "content_type": "application/pdf", "seed": 3}
    wire = staged(mailboxes={"INBOX": [{"recipe": recipe, "internal_date": "01-Feb-2026 08:00:00 +0000"}]}).select()
    line = wire.ask("a1 UID FETCH 1 BODY.PEEK[]")[0]
    parsed = message_from_bytes(literal(line), _class=EmailMessage, policy=default)
    text, attachment = parsed.iter_parts()
    assert text.get_content().strip() == "hello there"
    assert (attachment.get_filename(), attachment.get_content_type(), len(attachment.get_content())) == (
        "big.bin",
        "application/pdf",
        100_001,
    )
    assert re.search(r'"application" "pdf" .* "base64" \d+ NIL \("attachment"', wire.ask("a2 FETCH 1 BODYSTRUCTURE")[0])
