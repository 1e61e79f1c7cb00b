"""The examples of docs/fakebridge.md, as written there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fakebridge.faults.kinds import FaultKind
from fakebridge.faults.rule import rules_from_json
from fakebridge.testing import start
from tests.fakebridge.plugin.test_plugin import run

BEHAVIOURS = Path(__file__).resolve().parents[3] / "fakebridge" / "behaviours.json"
DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "fakebridge.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code of the document in this language."""
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_quick_start_passes_as_written(tmp_path: Path) -> None:
    """Both tests of it, ten lines and less."""
    first, second = blocks("python")
    assert len([line for line in first.splitlines() if line.strip()]) <= 10
    done = run(tmp_path, "\n" + first + "\n" + second)
    assert "2 passed" in done.stdout, done.stdout


def test_the_examples_of_worlds_and_faults_are_valid(tmp_path: Path) -> None:
    """As written."""
    world, faults = blocks("json")
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "invoice.eml").write_text("Subject: x\n\nx\n", encoding="utf-8")
    (tmp_path / "world.json").write_text(world, encoding="utf-8")
    with start(tmp_path / "world.json", faults=json.loads(faults)) as bridge:
        assert len(bridge.messages("INBOX")) == 1002
    assert len(rules_from_json(json.loads(faults))) == 3


def test_the_lines_of_the_control_channel_are_obeyed() -> None:
    """As written: each is answered with ok, and the mail that they deliver is there."""
    (lines,) = blocks("jsonl")
    asked = [*lines.splitlines(), json.dumps({"do": "messages", "mailbox": "INBOX"})]
    done = fakebridge("serve", "--control", said="\n".join(asked) + "\n")
    where, *answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"imap", "smtp", "password", "certificate_sha256", "addresses"} == set(where)
    assert [answer["ok"] for answer in answers] == [True] * len(asked)
    assert "hello" in [message["subject"] for message in answers[-1]["messages"]]


def fakebridge(*arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """The command, ended."""
    command = [sys.executable, "-m", "fakebridge", *arguments]
    return subprocess.run(command, input=said, capture_output=True, text=True, timeout=60, check=True)


@pytest.mark.parametrize("name", ["serve", "demo-world", "explain", "faults", "schema"])
def test_the_commands_are_those_that_the_document_names(name: str) -> None:
    """Each option that it shows with a command is one, and each option of `serve` is shown."""
    lines = re.findall(rf"python -m fakebridge {name}\b([^\n`#]*)", DOCUMENT)
    assert lines
    known = set(re.findall(r"--[a-z][a-z-]+", fakebridge(name, "--help").stdout)) - {"--help"}
    assert {option for line in lines for option in re.findall(r"--[a-z][a-z-]+", line)} <= known
    if name == "serve":
        table = DOCUMENT.partition("| option of `serve` |")[2].partition("\n\n")[0]
        assert set(re.findall(r"--[a-z][a-z-]+", table)) == known


def test_the_document_counts_right() -> None:
    """The number of kinds in its first paragraph, and of behaviours above their table."""
    words = " ".join(DOCUMENT.split())
    assert f"breaks on order in {len(FaultKind)} ways" in words
    assert f"{len(json.loads(BEHAVIOURS.read_text(encoding='utf-8'))['behaviours'])} behaviours, each" in words
