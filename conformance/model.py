"""A case as data: what is done, what must come of it, why, and where the duty comes from.

Closed and frozen: an unknown or misspelt key is an error, so a case can't silently assert less than its author thought.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

Json: TypeAlias = Any
"""Any JSON value; values may hold the generators of `values`, expectations the matchers of `matching`."""

NAME = r"^[a-z][a-z0-9_]*$"
CASE_ID = r"^[a-z][a-z0-9_-]*:[a-z0-9][a-z0-9_-]*:[a-z0-9][a-z0-9-]*$"

ATTACK_ID = r"^[a-z]+/[a-z0-9][a-z0-9_-]*$"

Name = Annotated[str, Field(pattern=NAME)]


class Closed(BaseModel):
    """Base of everything that stands in a file of cases."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """What a JSON file of this shape holds. Raises ValueError (pydantic's, or for what is no JSON) and OSError."""
        return cls.model_validate(json.loads(path.read_text(encoding="utf-8")))


class Expectation(Closed):
    """How one call ends: a result, a refusal, or an error of the protocol. Exactly one of the three."""

    ok: dict[str, Json] | None = Field(default=None, description="The structured result holds at least this.")
    refused: str | None = Field(default=None, description="The refusal's code.")
    field: str | None = Field(default=None, description="The argument that the refusal blames; not looked at when left out.")
    protocol_error: int | None = Field(default=None, description="The code of a JSON-RPC error.")
    never: list[Json] = Field(default=[], description="Strings that this one answer must not hold.")

    @model_validator(mode="after")
    def _one_end(self) -> Expectation:
        if sum(end is not None for end in (self.ok, self.refused, self.protocol_error)) != 1:
            raise ValueError("needs exactly one of ok, refused, protocol_error")
        if self.field is not None and self.refused is None:
            raise ValueError("field belongs to refused")
        return self


class CallStep(Closed):
    """One call of a tool, answered before the next step begins."""

    call: str
    arguments: dict[str, Json] = Field(default={}, alias="with")
    expect: Expectation
    capture: dict[Name, str] = Field(default={}, description="Name → path in the structured result, such as `messages.0.uid`.")
    within_s: float = Field(default=45.0, gt=0, le=120, description="An answer that takes longer counts as a hang.")
    times: int = Field(default=1, ge=1, le=10_000, description="Made so many times, each ending as it says.")
    until: str | None = Field(
        default=None, description="Made again and again as long as it is refused with this code, at most `within_s` in all."
    )


class Invocation(Closed):
    """One call among several that are sent at once."""

    call: str
    arguments: dict[str, Json] = Field(default={}, alias="with")
    expect: Expectation


class BurstStep(Closed):
    """Several calls written at once; all must be answered, each as it says."""

    burst: list[Invocation] = Field(min_length=2)
    within_s: float = Field(default=90.0, gt=0, le=120)


class HeldCall(Closed):
    """A call that is made many times and not waited for."""

    call: str
    arguments: dict[str, Json] = Field(default={}, alias="with")
    times: int = Field(ge=1, le=100)


class HoldStep(Closed):
    """Calls that are left running until a `release` step cancels them."""

    hold: HeldCall


class ReleaseStep(Closed):
    """`ping` is answered though calls are held; then all of them are cancelled, and none may be answered afterwards."""

    release: Literal[True]


class ControlStep(Closed):
    """A command to the simulated Bridge: a fault, a delivery, a look at a mailbox."""

    control: dict[str, Json]
    reply: dict[str, Json] = Field(default={}, description="The answer to the command holds at least this.")
    capture: dict[Name, str] = {}


class RestartStep(Closed):
    """The server process ends and starts again with the same state folder."""

    restart_server: Literal[True]


class AlterStep(Closed):
    """Every file of the server's state folder that holds exactly these octets is altered in place; at least one must."""

    alter_stored: Json = Field(description="A source of octets.")


class JournalStep(Closed):
    """Counts the journal's entries of this case that match."""

    journal: dict[str, Json] = Field(description="What an entry must hold to be counted.")
    count: Json = Field(description="A number or a matcher of numbers.")


class AbandonedStep(Closed):
    """A fault was met; no connection has seen a command behind its last one, and a later connection has served some."""

    abandoned: Literal[True]


class ListenStep(Closed):
    """A port of 127.0.0.1 is listened on until the case ends; its number is captured under the name."""

    listen: Name


class UnvisitedStep(Closed):
    """Nobody has connected to the port that an earlier step captured under the name."""

    unvisited: Name


class RefusedStartStep(Closed):
    """A second server process with these variables ends at once: status not 0, nothing on standard output, the code on standard error."""

    start_refused: str = Field(min_length=3, description="The code that is told on standard error.")
    environment: dict[str, str] = Field(min_length=1, description="Variables that differ; their values must not be told.")


_KINDS = {
    "call": CallStep,
    "burst": BurstStep,
    "hold": HoldStep,
    "release": ReleaseStep,
    "control": ControlStep,
    "restart_server": RestartStep,
    "alter_stored": AlterStep,
    "journal": JournalStep,
    "abandoned": AbandonedStep,
    "listen": ListenStep,
    "unvisited": UnvisitedStep,
    "start_refused": RefusedStartStep,
}


def _kind(value: object) -> str | None:
    if isinstance(value, dict):
        return next(iter(_KINDS.keys() & value.keys()), None)
    return {model.__name__: key for key, model in _KINDS.items()}.get(type(value).__name__)


Step = Annotated[
    Annotated[CallStep, Tag("call")]
    | Annotated[BurstStep, Tag("burst")]
    | Annotated[HoldStep, Tag("hold")]
    | Annotated[ReleaseStep, Tag("release")]
    | Annotated[ControlStep, Tag("control")]
    | Annotated[RestartStep, Tag("restart_server")]
    | Annotated[AlterStep, Tag("alter_stored")]
    | Annotated[JournalStep, Tag("journal")]
    | Annotated[AbandonedStep, Tag("abandoned")]
    | Annotated[ListenStep, Tag("listen")]
    | Annotated[UnvisitedStep, Tag("unvisited")]
    | Annotated[RefusedStartStep, Tag("start_refused")],
    Discriminator(_kind, custom_error_type="step_kind", custom_error_message="a step needs one of: " + ", ".join(_KINDS)),
]


class Case(Closed):
    """One duty of the server, shown by a script of steps in a world."""

    id: str = Field(pattern=CASE_ID, description="area:subject:variant; never reused.")
    tool: str = Field(description="The tool that the case is about.")
    world: str = Field(pattern=r"^[a-z0-9-]+$", description="A folder of conformance/worlds.")
    environment: dict[str, Json] = Field(default={}, description="Variables of the server that differ from the adapter's; null unsets one.")
    fresh: bool = Field(default=False, description="Begins with a new server process and leaves none behind.")
    script: list[Step] = Field(min_length=1)
    allowed: str = Field(description="The name of a set of IMAP commands in profiles.json.")
    canaries: list[Json] = Field(default=[], description="Strings that no answer of the case may hold.")
    next_call: Literal["served", "none"] = Field(
        default="served", description="Whether an ordinary call is made behind the script of an attack and must be served."
    )
    attack: str | None = Field(default=None, pattern=ATTACK_ID, description="The row of the attack catalogue that the case is a form of.")
    peer_faults: list[str] = Field(default=[], description="Faults known from other servers that the case shows to be absent.")
    flags: list[str] = Field(default=[], description="Names of traps, explained in flags.json.")
    reason: str = Field(min_length=10, description="Why anybody should care.")
    source: str = Field(min_length=3, description="Where the duty comes from.")


class CaseFile(Closed):
    """One file of cases."""

    about: str
    generated: bool = Field(default=False, description="Written by `generate` out of seed_figures.json; not to be edited by hand.")
    cases: list[Case] = Field(min_length=1)
