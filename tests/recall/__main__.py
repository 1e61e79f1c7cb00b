"""Recall and precision of the search over 2,000 mails in 20 languages: `python -m tests.recall`, or `make recall`."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.recall.languages import LANGUAGES
from tests.recall.measuring import Found, languages_line, measure, table

MAILS: Final = 2_000
PHRASES: Final = 4


def _measured(*, as_served: bool) -> Found:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="recall-") as folder:
        found = measure(Path(folder), LANGUAGES, phrases=PHRASES, count=MAILS, as_served=as_served)
    sys.stderr.write(f"{found.searches} searches over {sum(found.mails.values())} mails in {time.monotonic() - began:.0f} s\n")
    return found


def main() -> int:
    """Measure both and print."""
    as_sent, rebuilt = _measured(as_served=True), _measured(as_served=False)
    sys.stdout.write(table(as_sent, rebuilt) + "\n\n")
    sys.stdout.write(f"By language, as sent: {languages_line(as_sent)}\n\nBy language, as Bridge serves it: {languages_line(rebuilt)}\n\n")
    sys.stdout.write("Warnings: " + ", ".join(f"{name} {count}" for name, count in sorted(as_sent.warnings.items())) + "\n")
    return 0


sys.exit(main())
