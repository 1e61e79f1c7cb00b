"""What a client received, in its own words, and the row that comes of it once the witnesses were heard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(slots=True)
class Report:
    """Filled while a client works. `faults` are sentences; a client without any did all that was asked of it."""

    protocol: str = ""
    listed: list[str] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    validated: int = 0
    refused: int = 0
    progress: int = 0
    cancelled: bool = False
    closed: bool = False
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """A script's report: the same names."""
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `faults` are printed below it."""

    client: str
    version: str
    protocol: str
    tools: str
    validated: str
    refusals: str
    cancel: str
    progress: str
    close: str
    notes: tuple[str, ...]
    faults: tuple[str, ...]


HEADINGS: Final = ("client", "version", "protocol", "tools called", "validated", "refusals", "cancel", "progress", "clean ends")
LEGEND: Final = """\
validated   answers whose structured content fits the tool's output schema, of all calls of the story; the others are refusals
cancel      a stalled call was given up by notification, or by going away; the connection to the Bridge was dropped, the next call served
progress    notifications received after asking for them
clean ends  servers that ended by themselves with status 0 and nothing on standard error, of all that the client started"""


def table(rows: Sequence[Row]) -> str:
    """The rows under their headings, each with its notes and faults below it."""
    cells = [
        HEADINGS,
        *(
            (row.client, row.version, row.protocol, row.tools, row.validated, row.refusals, row.cancel, row.progress, row.close)
            for row in rows
        ),
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    heading, *bodies = lines
    shown = [heading, "  ".join("-" * width for width in widths)]
    for row, body in zip(rows, bodies, strict=True):
        shown += [body, *(f"    {note}" for note in row.notes), *(f"    FAULT {fault}" for fault in row.faults)]
    return "\n".join([*shown, "", LEGEND])
