"""Runs a fakebridge without some behaviours: `python -m tests.fidelity.bridge serve …` with their names in FAKEBRIDGE_WITHOUT."""

from __future__ import annotations

import importlib
import os
import sys

from fakebridge.cli import main
from tests.fidelity.departing import DEPARTURES

VARIABLE = "FAKEBRIDGE_WITHOUT"
AREAS = ("drafts", "labels", "mailboxes", "messages", "outside", "sessions", "syntax")

for area in AREAS:
    importlib.import_module(f"tests.fidelity.{area}")  # noqa: TID251 - loaded for what it registers; no contract is about tests


def depart(names: str) -> None:
    """Take behaviours away; KeyError for a name that nobody knows."""
    for name in filter(None, names.split(",")):
        DEPARTURES[name]()


if __name__ == "__main__":
    depart(os.environ.get(VARIABLE, ""))
    sys.exit(main())
