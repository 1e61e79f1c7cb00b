"""Documents keep up with the code: generated tables are fresh, and every case that a document names exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

import pytest

from proton_safe.mime.defects import Defect
from proton_safe.mime.sender import SenderFlag
from proton_safe.mime.visibility import HiddenKind

if TYPE_CHECKING:
    from collections.abc import Collection

ROOT: Final = Path(__file__).resolve().parent.parent.parent
EXEMPT: Final = {
    "reading.md": frozenset({"What is not promised"}),
    "search.md": frozenset({"What can't be found", "After a partial answer", "Measured"}),
    "configuration.md": frozenset({"The password"}),
}
"""The documents whose promises name what shows them, each with its sections that promise nothing."""
HEADING: Final = re.compile(r"^## (.*)$", re.MULTILINE)
SECTION: Final = re.compile(r"^## ", re.MULTILINE)
CODE_BLOCK: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SENTENCE_END: Final = re.compile(r"(?<=\.)\s+(?=[A-Z`])")
CASE_ID: Final = re.compile(r"`((?:[a-z_]+):[a-z0-9_.-]+:[a-z0-9_.-]+)`")
TEST_ID: Final = re.compile(r"`(tests/[a-z0-9_/]+\.py)::(test_[a-z0-9_]+)`")


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


def test_every_test_that_a_document_names_exists() -> None:
    """Where no case can show it, a test does, and it is found under its name."""
    named = {found for path in (ROOT / "docs").glob("*.md") for found in TEST_ID.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 10
    gone = [row for row in named if not (ROOT / row[0]).exists() or f"def {row[1]}(" not in (ROOT / row[0]).read_text(encoding="utf-8")]
    assert gone == []


def test_every_promise_of_the_readme_names_a_case() -> None:
    """Each row of the table of promises has at least one case id."""
    text = (ROOT / "README.md").read_text()
    table = text.split("| promise | shown by |\n|---|---|\n", 1)[1].split("\n\n", 1)[0]
    assert [row for row in table.splitlines() if not CASE_ID.search(row)] == []


@pytest.mark.parametrize("document", sorted(EXEMPT))
def test_every_promise_of_a_document_names_what_shows_it(document: str) -> None:
    """What a user is told is shown by a case or a test; what is not promised stands under a heading of its own."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    assert EXEMPT[document] <= set(HEADING.findall(text))
    assert promises_without_a_case(text, EXEMPT[document]) == []
    assert len(CASE_ID.findall(text)) + len(TEST_ID.findall(text)) > 15


def test_every_word_of_a_closed_set_has_its_row() -> None:
    """Who meets a flag, a warning or a kind of hidden text in an answer finds it on the reading page."""
    text = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
    words = (*get_args(Defect), *get_args(HiddenKind), *get_args(SenderFlag))
    assert [word for word in words if f"| `{word}`: " not in text] == []


def promises_without_a_case(page: str, exempt: Collection[str]) -> list[str]:
    """The rows and items behind the first `## ` that name neither a case nor a test, but for the sections with one of these headings.

    Sentences in prose count as well, but for code, headings, and lines that end with a colon: a promise in prose is one that nobody checks.
    """
    return [promise for section in SECTION.split(page)[1:] if section.partition("\n")[0] not in exempt for promise in _unshown(section)]


def _unshown(section: str) -> list[str]:
    # The first line is the rest of its heading.
    lines = [line.strip() for line in CODE_BLOCK.sub("", section).splitlines()[1:]]
    sentences = [sentence for block in _joined(lines) if _promises(block) for sentence in _sentences(block)]
    return [sentence for sentence in sentences if not CASE_ID.search(sentence) and not TEST_ID.search(sentence)]


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
    rest = "\n## Not promised\n\n- Anything else.\n"
    table = "\n| what | shown by |\n|---|---|\n| a row | `html:comments:plain` |\n"

    def found(page: str) -> list[str]:
        return promises_without_a_case(page, {"Not promised"})

    assert found(sound + table + rest) == []
    assert found(sound + "- links\n" + rest) == ["- links"]
    assert found(sound + rest + "\n## More\n\n- links\n") == ["- links"]
    assert found(sound + "- Links (`html:comments:plain`). Pictures\n  too.\n" + rest) == ["Pictures too."]
    assert found(sound + "- Links (`tests/unit/test_links.py::test_links`).\n" + rest) == []
    assert found(sound + table + "| another row | none |\n" + rest) == ["| another row | none |"]
    assert found(sound + "\nTables keep\ntheir cells.\n" + rest) == ["Tables keep their cells."]
    assert found(sound + "\n```\nno promise\n```\n" + rest) == []
