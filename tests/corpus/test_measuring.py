"""The script itself, on a folder of three mails: what holds, what misses, what is set aside, and which exit status that gives."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from tests.corpus.__main__ import main

GOOD = (
    b"From: Lena <lena@brook.example>\nTo: ada@keller.example\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n"
    b"Date: Tue, 03 Nov 2026 10:11:12 +0100\nMessage-ID: <one@brook.example>\nMIME-Version: 1.0\n"
    b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nSee the list.\n'
    b'--b\nContent-Type: text/csv; name="list.csv"\nContent-Disposition: attachment; filename="list.csv"\n\nlamp,39\n--b--\n'
)
TWO_SAYINGS = (
    b"From MAILER Tue Nov  3 10:11:12 2026\nFrom: lena@brook.example\nSubject: two\nMIME-Version: 1.0\n"
    b'Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain\n\nshort\n'
    b"--b\nContent-Type: text/html\n\n<title>heading</title><p>a much longer text</p>\n--b--\n"
)
BROKEN = b"no header at all\n\x00\xff: x\n\nbody\n"
FACTS = [
    ("subject", "Grüße"),
    ("from", [{"name": "Lena", "address": "LENA@brook.example"}]),
    ("to_first", {"address": "ada@keller.example"}),
    ("date", "2026-11-03T09:11:12+00:00"),
    ("message_id", "one@brook.example"),
    ("text_contains", "See the list."),
    ("attachment_count", 1),
    ("attachment", {"filename": "list.csv", "content_type": "text/csv", "size": 7, "contains": "lamp,39"}),
]


def _folder(path: Path, mails: dict[str, bytes], facts: dict[str, list[tuple[str, object]]]) -> Path:
    with tarfile.open(path / "mails.tar.xz", "w:xz") as archive:
        for name, octets in mails.items():
            member = tarfile.TarInfo(name)
            member.size = len(octets)
            archive.addfile(member, io.BytesIO(octets))
    rows = [{"id": name, "sha256": hashlib.sha256(octets).hexdigest()} for name, octets in mails.items()]
    (path / "manifest.json").write_text(json.dumps({"messages": rows}), encoding="utf-8")
    stated = [
        {"id": name, "facts": [{"field": field, "value": value, "grade": "firm"} for field, value in some]} for name, some in facts.items()
    ]
    (path / "expected.json").write_text(json.dumps({"messages": stated}), encoding="utf-8")
    return path


def test_facts_that_hold_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each field that is mapped, a mail that is no mail, and a text that may rightly not be shown."""
    mails = {"x/good.eml": GOOD, "x/two.eml": TWO_SAYINGS, "x/broken.eml": BROKEN}
    aside: list[tuple[str, object]] = [("text_contains", "short"), ("html_contains", "heading"), ("structure", "text/plain")]
    folder = _folder(tmp_path, mails, {"x/good.eml": [*FACTS], "x/two.eml": [*aside, ("html_contains", "<p>a much longer")]})
    assert main([str(folder)]) == 0
    said = capsys.readouterr().out
    assert "3 mails, 0 raised, hung or were missing" in said
    assert "firm: 9 of 9 facts hold (100.0%)" in said
    assert "not compared: 3" in said


def test_a_miss_is_told_with_its_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Below 99.5 % the status is 1; both sides are printed without steering the terminal."""
    wrong: list[tuple[str, object]] = [
        ("subject", "Gruesse\x1b[2J"),
        ("text_contains", "absent"),
        ("attachment", {"filename": "x.csv"}),
        ("date", 7),
    ]
    assert main([str(_folder(tmp_path, {"x/good.eml": GOOD}, {"x/good.eml": [*FACTS, *wrong]}))]) == 1
    said = capsys.readouterr().out
    assert "firm: 8 of 12 facts hold" in said
    assert all(
        f"1 x {kind}" in said
        for kind in ("subject differs", "text is missing", "attachment: file name differs", "the fact is of another form")
    )
    assert "\x1b" not in said


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2 and a sentence."""
    assert main([str(tmp_path)]) == 2
    assert "holds no mails.tar.xz" in capsys.readouterr().err
    folder = _folder(tmp_path, {"x/good.eml": GOOD}, {})
    (folder / "manifest.json").write_text(json.dumps({"messages": [{"id": "x/good.eml", "sha256": "0" * 64}]}), encoding="utf-8")
    assert main([str(folder)]) == 2
    assert "another file than manifest.json says" in capsys.readouterr().err
