"""Recall and precision of the search over 2,000 mails in 20 languages: `python -m tests.recall`, or `make recall`."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests import on_demand
from tests.recall.languages import LANGUAGES
from tests.recall.measuring import Found, languages_line, measure, table

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENT: Final = Path(__file__).resolve().parents[2] / "docs" / "search.md"
MAILS: Final = 2_000
PHRASES: Final = 4


def _measured(*, as_served: bool) -> Found:
    began = time.monotonic()
    tell = on_demand.Progress("searches", PHRASES * len(LANGUAGES)).reached
    with tempfile.TemporaryDirectory(prefix="recall-") as folder:
        found = measure(Path(folder), LANGUAGES, phrases=PHRASES, count=MAILS, as_served=as_served, tell=tell)
    sys.stderr.write(f"{found.searches} searches over {sum(found.mails.values())} mails in {time.monotonic() - began:.0f} s\n")
    return found


def report(as_sent: Found, rebuilt: Found) -> list[str]:
    """The lines of docs/search.md, blank ones between the paragraphs."""
    by_language = f"By language, as sent: {languages_line(as_sent)}", f"By language, as Bridge serves it: {languages_line(rebuilt)}"
    warnings = ", ".join(f"{name} {count}" for name, count in sorted(as_sent.warnings.items()))
    return [*table(as_sent, rebuilt).splitlines(), "", by_language[0], "", by_language[1], "", f"Warnings: {warnings}"]


def stale(lines: Sequence[str], document: str) -> list[str]:
    """The lines that the document does not have."""
    return [line for line in lines if line not in document.splitlines()]


def main() -> int:
    """Measure both, print, and compare with what is documented."""
    as_sent, rebuilt = _measured(as_served=True), _measured(as_served=False)
    lines = report(as_sent, rebuilt)
    sys.stdout.writelines(f"{line}\n" for line in lines)
    differing = stale(lines, DOCUMENT.read_text(encoding="utf-8"))
    sys.stdout.writelines(f"docs/search.md does not have: {line}\n" for line in differing)
    sys.stdout.write(f"recall: {as_sent.recall:.1%} as sent, {rebuilt.recall:.1%} as Bridge serves it, ")
    sys.stdout.write(f"{len(differing)} lines differ from docs/search.md\n")
    return 1 if differing else 0


if __name__ == "__main__":
    on_demand.run("make recall", main)
