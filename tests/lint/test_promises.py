"""Documents keep up with the code: generated tables are fresh, and every case that a document names exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final, get_args

from proton_safe.mime.defects import Defect
from proton_safe.mime.sender import SenderFlag
from proton_safe.mime.visibility import HiddenKind

ROOT: Final = Path(__file__).resolve().parent.parent.parent
READING: Final = ROOT / "docs" / "reading.md"
NO_PROMISE: Final = "## What is not promised"
SENTENCE_END: Final = re.compile(r"(?<=\.)\s+(?=[A-Z`])")
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


def test_every_promise_of_the_reading_page_names_a_case() -> None:
    """What a user is told about reading is shown by cases; what is not promised stands under a heading of its own."""
    text = READING.read_text(encoding="utf-8")
    assert NO_PROMISE in text
    assert promises_without_a_case(text) == []
    assert len(CASE_ID.findall(text)) > 60


def test_every_word_of_a_closed_set_has_its_row() -> None:
    """Who meets a flag, a warning or a kind of hidden text in an answer finds it on the reading page."""
    text = READING.read_text(encoding="utf-8")
    words = (*get_args(Defect), *get_args(HiddenKind), *get_args(SenderFlag))
    assert [word for word in words if f"| `{word}`: " not in text] == []


def promises_without_a_case(page: str) -> list[str]:
    """The rows, list items and sentences behind the first `## ` and before `NO_PROMISE` that name no case.

    Outside of tables and lists only headings and lines that end with a colon may stand there: a sentence in prose would be a promise
    that nobody can check.
    """
    inside = page.partition("\n## ")[2].partition(f"\n{NO_PROMISE}")[0]
    # The first line is the rest of its heading.
    lines = [line.strip() for line in inside.splitlines()[1:]]
    sentences = [sentence for block in _joined(lines) if _promises(block) for sentence in _sentences(block)]
    return [sentence for sentence in sentences if not CASE_ID.search(sentence)]


def _sentences(block: str) -> list[str]:
    """The sentences of an item or of prose; a row of a table is one."""
    return [block] if block.startswith("|") else SENTENCE_END.split(block)


def _joined(lines: list[str]) -> list[str]:
    """Lines with those that go on with them: a row stands alone, an item or a sentence ends before an empty line or the next item."""
    found: list[str] = []
    going_on = False
    for line in lines:
        if going_on and line and not line.startswith(("|", "- ", "#")):
            found[-1] += f" {line}"
        elif line:
            found.append(line)
        going_on = bool(line) and not line.startswith(("|", "#"))
    return found


def _promises(block: str) -> bool:
    """Whether a block says something: no heading, no head of a table, no lead-in."""
    head = block.startswith("| what ") or set(block) <= set("|-: ")
    return not block.startswith("#") and not head and not block.endswith(":")


def test_a_promise_without_its_case_is_found() -> None:
    """In a list, in a table, in prose; and a case that is named on a line that goes on is seen."""
    sound = "# Page\n\nIntroduction.\n\n## Text\n\nThis is left out:\n\n- hidden text\n  (`html:comments:plain`)\n"
    rest = f"\n{NO_PROMISE}\n\n- Anything else.\n"
    table = "\n| what | shown by |\n|---|---|\n| a row | `html:comments:plain` |\n"
    assert promises_without_a_case(sound + table + rest) == []
    assert promises_without_a_case(sound + "- links\n" + rest) == ["- links"]
    assert promises_without_a_case(sound + "- Links (`html:comments:plain`). Pictures\n  too.\n" + rest) == ["Pictures too."]
    assert promises_without_a_case(sound + table + "| another row | none |\n" + rest) == ["| another row | none |"]
    assert promises_without_a_case(sound + "\nTables keep\ntheir cells.\n" + rest) == ["Tables keep their cells."]
