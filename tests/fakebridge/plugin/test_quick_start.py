"""The quick start of docs/fakebridge.md, as written there."""

from __future__ import annotations

import json
import re
from pathlib import Path

from fakebridge.faults.kinds import FaultKind
from fakebridge.faults.rule import rules_from_json
from fakebridge.testing import start
from tests.fakebridge.plugin.test_plugin import run

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


def test_the_document_counts_right() -> None:
    """The number of kinds in its first paragraph."""
    assert f"breaks on order in {len(FaultKind)} ways" in " ".join(DOCUMENT.split())
