"""How a process is started: what the command line and the testing API have in common."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """A port of 0 lets the system choose; an SMTP port of None leaves SMTP off."""

    world: Path
    imap_port: int = 0
    smtp_port: int | None = 0
    journal: Path | None = None
    faults: Path | None = None
    seed: int | None = None
    poll_seconds: float | None = None
    control: bool = False
    strict_rfc: bool = False
    speaks_json: bool = True
    switches: tuple[tuple[str, object], ...] = ()
