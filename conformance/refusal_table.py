"""The closed set of refusal codes as the suite knows it: typed by hand, compared with the server's own table by lint."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from pydantic import Field

from conformance.model import Closed

_FILE: Final = Path(__file__).with_name("refusal_codes.json")


class CodeRow(Closed):
    """Who must act, and whether the same call may be made again."""

    actor: str = Field(alias="class")
    retryable: bool


class _Table(Closed):
    about: str
    codes: dict[str, CodeRow]
    waiting_tools: list[str] = Field(description="Codes that need a tool which waits for Bridge.")
    beyond_cases: dict[str, str] = Field(description="Codes without a case, each with the place that shows it.")


@cache
def _table() -> _Table:
    return _Table.from_file(_FILE)


def refusal_table() -> dict[str, CodeRow]:
    """Code → row."""
    return _table().codes


def codes_of_waiting_tools() -> list[str]:
    """The codes that only a tool which waits for Bridge can answer with."""
    return _table().waiting_tools


def codes_beyond_cases() -> dict[str, str]:
    """Codes (`code`) and codes of one tool (`tool code`) that no case can show, with the place that shows them instead."""
    return _table().beyond_cases
