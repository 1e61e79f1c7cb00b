"""What the command line tells about fakebridge itself: its behaviours and its faults, as text and as data."""

from __future__ import annotations

import difflib
import json
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from fakebridge.faults.kinds import MEANINGS, FaultKind

BEHAVIOURS: Final = Path(__file__).parent / "behaviours.json"
WIDTH: Final = 100
WORDS: Final = {
    "recorded": "recorded from Bridge",
    "read": "read in Bridge's source, not recorded",
    "inferred": "inferred, neither recorded nor read",
}

Behaviour = dict[str, Any]


def behaviours() -> dict[str, Behaviour]:
    """All imitated behaviours by name, in the order of the table."""
    rows: list[Behaviour] = json.loads(BEHAVIOURS.read_text(encoding="utf-8"))["behaviours"]
    return {str(row["id"]): row for row in rows}


def listed(rows: Mapping[str, Behaviour]) -> str:
    """One line a behaviour."""
    wide = max(map(len, rows), default=0)
    return "\n".join(f"{name:{wide}}  {row['statement']}" for name, row in rows.items())


def near(rows: Mapping[str, Behaviour], wanted: str) -> str:
    """Names that may have been meant, as the middle of a sentence."""
    found = difflib.get_close_matches(wanted, rows, n=3, cutoff=0.4) or [name for name in rows if wanted.lower() in name][:3]
    return f" (near it: {', '.join(found)})" if found else ""


def told(row: Behaviour) -> str:
    """One behaviour in full."""
    evidence = row["evidence"]
    basis = WORDS.get(evidence["basis"], str(evidence["basis"]))
    if dialogues := evidence.get("dialogues"):
        basis += f" in dialogue{'s' if len(dialogues) > 1 else ''} {', '.join(dialogues)} (tests/fakebridge/dialogues)"
    lines = [
        f"{row['id']}: {row['statement']}",
        f"Known: {basis}.",
        f"Held by: {row['test']}",
        f"Without it that test fails: FAKEBRIDGE_WITHOUT={row['switch']} python -m pytest TEST (make fidelity: all of them)",
    ]
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="  ", break_long_words=False) for line in lines)


def faults() -> list[dict[str, object]]:
    """Every kind with what it reads and the defaults."""
    return [
        {
            "do": kind.value,
            "line": MEANINGS[kind].line,
            "when": MEANINGS[kind].place.value,
            "on": MEANINGS[kind].on,
            "smtp": MEANINGS[kind].smtp,
            "fields": {name: getattr(MEANINGS[kind], name, None) for name in MEANINGS[kind].fields},
        }
        for kind in FaultKind
    ]


def faults_listed() -> str:
    """One line a kind."""
    wide = max(len(kind.value) for kind in FaultKind)
    return "\n".join(f"{kind.value:{wide}}  {MEANINGS[kind].line}" for kind in FaultKind)
