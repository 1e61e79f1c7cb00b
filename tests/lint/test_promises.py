"""Documents keep up with the code: generated tables are fresh, and every case that a document names exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
CASE_ID: Final = re.compile(r"`((?:[a-z_]+):[a-z0-9_.-]+:[a-z0-9_.-]+)`")


def test_generated_tables_are_fresh() -> None:
    """The README's tools and docs/refusals.md are what the server's description gives now."""
    checked = subprocess.run([sys.executable, "-m", "tests.documents", "--check"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_every_case_that_a_document_names_exists() -> None:
    """A promise without its case would be prose."""
    known = {case["id"] for path in (ROOT / "conformance" / "cases").rglob("*.json") for case in json.loads(path.read_text())["cases"]}
    named = {
        (path.name, case) for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")) for case in CASE_ID.findall(path.read_text())
    }
    assert len(named) > 20
    assert {entry for entry in named if entry[1] not in known} == set()


def test_every_promise_of_the_readme_names_a_case() -> None:
    """Each row of the table of promises has at least one case id."""
    text = (ROOT / "README.md").read_text()
    table = text.split("| promise | shown by |\n|---|---|\n", 1)[1].split("\n\n", 1)[0]
    assert [row for row in table.splitlines() if not CASE_ID.search(row)] == []
