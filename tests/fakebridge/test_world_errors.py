"""A world that cannot be used is refused before anything starts, and the error names the field."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fakebridge.world import WorldError, load
from tests.fakebridge.running_bridge import ROOT
from tests.fakebridge.worlds import world

ENTRY = {"text": "Subject: x\n\nx\n"}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"canary": 1}, "world: 1 unknown field(s)"),
    ({"addresses": []}, "addresses: at least one is needed"),
    ({"addresses": "x"}, "addresses: a list is wanted"),
    ({"addresses": [{"address": "nobody"}]}, "addresses[0].address: a mail address is wanted"),
    ({"addresses": [{"address": "a@x.test", "enabled": 1}]}, "addresses[0].enabled: true or false is wanted"),
    ({"split_mode": "yes"}, "split_mode: true or false is wanted"),
    ({"seed": -1}, "seed: a whole number from 0 is wanted"),
    ({"password": 1}, "password: a text is wanted"),
    ({"folders": [1]}, "folders: a list of texts is wanted"),
    ({"now": "yesterday"}, "now: a moment like"),
    ({"now": "2026-01-01T00:00:00"}, "now: a time zone is wanted"),
    ({"account_server": "other"}, "account_server: one of"),
    ({"profile": []}, "profile: an object is wanted"),
    ({"profile": {"no_such": 1}}, "profile: there is no switch named"),
    ({"profile": {"max_errors": "x"}}, "profile: switch 'max_errors' wants int"),
    ({"profile": {"auth_plain": 1}}, "profile: switch 'auth_plain' wants bool"),
    ({"profile": {"response_order": "sorted"}}, "profile: 'sorted' is not a valid ResponseOrder"),
    ({"mailboxes": []}, "mailboxes: an object is wanted"),
    ({"mailboxes": {"Nope": []}}, "mailboxes.Nope: there is no such mailbox in this world"),
    ({"mailboxes": {"INBOX": {}}}, "mailboxes.INBOX: a list is wanted"),
    ({"mailboxes": {"INBOX": [1]}}, "mailboxes.INBOX[0]: an object is wanted"),
    ({"mailboxes": {"INBOX": [{}]}}, "mailboxes.INBOX[0]: exactly one of file, text, recipe is wanted"),
    ({"mailboxes": {"INBOX": [{**ENTRY, "file": "x"}]}}, "mailboxes.INBOX[0]: exactly one of file, text, recipe is wanted"),
    ({"mailboxes": {"INBOX": [{"file": "nowhere.eml"}]}}, "mailboxes.INBOX[0].file: there is no such file beside the world"),
    ({"mailboxes": {"INBOX": [ENTRY, {**ENTRY, "flags": ["\\Draft"]}]}}, "mailboxes.INBOX[1].flags: 1 of them are not among"),
    ({"mailboxes": {"INBOX": [{**ENTRY, "labels": ["Nope"]}]}}, "mailboxes.INBOX[0].labels: one of them is not among the world's labels"),
    ({"mailboxes": {"INBOX": [{**ENTRY, "internal_date": "today"}]}}, "mailboxes.INBOX[0].internal_date: a date like"),
    ({"mailboxes": {"INBOX": [{"recipe": {"kind": "odd"}}]}}, "mailboxes.INBOX[0].recipe.kind: padded or bulk is wanted"),
    ({"mailboxes": {"INBOX": [{"recipe": {"kind": "bulk", "count": "x"}}]}}, "mailboxes.INBOX[0].recipe.count: a whole number"),
    ({"mailboxes": {"INBOX": [{"recipe": {"kind": "padded"}}]}}, "mailboxes.INBOX[0].recipe.file: there is no such file"),
]


@pytest.mark.parametrize("changes, error", WRONG, ids=[error for _, error in WRONG])
def test_the_error_names_the_field(tmp_path: Path, changes: dict[str, Any], error: str) -> None:
    """And never what stands in it, where that is a name or a text of the world's author."""
    path = tmp_path / "world.json"
    path.write_text(json.dumps(world() | changes), encoding="utf-8")
    with pytest.raises(WorldError) as refused:
        load(path)
    assert str(refused.value).startswith(error)
    assert "canary" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "[1", "\xff"])
def test_a_file_that_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    """Unreadable is one error, whatever the reason."""
    path = tmp_path / "world.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(WorldError, match="the world file cannot be read"):
        load(path)


def test_the_command_ends_with_2_and_one_line(tmp_path: Path) -> None:
    """Nothing is printed on standard output: nobody waits for a ready line in vain."""
    command = [sys.executable, "-m", "fakebridge", "serve", "--world", str(tmp_path / "none.json")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "fakebridge: the world file cannot be read: FileNotFoundError\n"
