"""The figures of the thirteen tools, typed by hand from the founding documents: the one place where a bound of the suite is written down.

`lint` compares them with the schemas that a server publishes; `generate` makes cases under, at and over each of them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from conformance.model import Closed, Expectation, Json, Step

FILE: Final = Path(__file__).with_name("seed_figures.json")
SIDES: Final = ("under", "at", "over")


class Probe(Closed):
    """One side of a bound whose value or end isn't the usual one. `with`: further arguments, `environment`: settings."""

    value: Json = None
    arguments: dict[str, Json] = Field(default={}, alias="with")
    expect: Expectation | None = None
    environment: dict[str, Json] = Field(default={})


class Argument(Closed):
    """One argument: its kind, its bounds, and values of the right kind that are refused or accepted all the same."""

    kind: Literal["text", "integer", "flag", "true", "texts"]
    required: bool = False
    nullable: bool = False
    default: Json = None
    lowest: int | None = None
    highest: int | None = None
    shortest: int | None = None
    longest: int | None = None
    fewest: int | None = None
    most: int | None = None
    item: Argument | None = None
    fill: Json = Field(default="a", description='What stands in a text of a given length; `{"$address": true}` makes addresses.')
    end: str = ""
    beside: dict[str, Json] = Field(default={}, description="Further arguments without which this one means nothing.")
    accepted: Expectation | None = Field(
        default=None, description="How a call ends whose value is within the bounds; the tool's own result if left out."
    )
    probes: dict[str, Probe] = Field(
        default={}, description="`longest:at` and the like: another value or another end for one side of one bound."
    )
    refused: dict[str, Json] = Field(default={}, description="Variant → value of the right kind that breaks the rule.")
    told_apart: str = Field(default="", description="Why two sides of a bound may end alike.")


class Tool(Closed):
    """One tool: a call that succeeds, and its arguments."""

    source: str
    capability: Literal["read", "stage", "discard", "draft"]
    allowed: str
    world: str
    connects: bool = Field(description="Whether the tool talks to Bridge.")
    setup: list[Step] = Field(default=[])
    base: dict[str, Json]
    result: dict[str, Json]
    arguments: dict[str, Argument]


class Figures(Closed):
    """The whole file."""

    about: str
    tools: dict[str, Tool]


@cache
def figures() -> Figures:
    """The file, read once."""
    return Figures.from_file(FILE)


def bounds_of(argument: Argument) -> dict[str, int]:
    """The names and figures of an argument's bounds, those of a list's items as `item-…`."""
    own = {name: getattr(argument, name) for name in ("lowest", "highest", "shortest", "longest", "fewest", "most")}
    found = {name: figure for name, figure in own.items() if figure is not None}
    if argument.item is not None:
        found |= {f"item-{name}": figure for name, figure in bounds_of(argument.item).items()}
    return found
