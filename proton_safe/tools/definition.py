"""What a tool is: one frozen definition that lists, schemas, dispatch, documentation and cases derive from."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from proton_safe.refusals import Code

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.call import Call
    from proton_safe.engine import Engine

COMMON_REFUSALS: Final = frozenset({Code.ARGUMENTS_INVALID, Code.BUSY, Code.DEADLINE, Code.INTERNAL_ERROR})


class Arguments(BaseModel):
    """A tool's arguments: strict (nothing is coerced), closed (nothing unknown passes), frozen."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)


class Part(BaseModel):
    """A value inside a result."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, validate_by_name=True, validate_by_alias=True, serialize_by_alias=True
    )


class Cleaned(Part):
    """What cleaning did to the untrusted text of an answer."""

    escaped: int = Field(default=0, ge=0, description="Characters that reorder text, shown as visible escapes such as \\u{202e}.")
    removed: int = Field(default=0, ge=0, description="Control, zero-width and tag characters and lone surrogates that were left out.")


class Result(Part):
    """A tool's result. Every answer has a fence and says what cleaning did."""

    fence: str = Field(
        default_factory=lambda: secrets.token_hex(16),
        pattern="^[0-9a-f]{32}$",
        description="Random value of this answer; untrusted blocks stand between marks that carry it.",
    )
    cleaned: Cleaned = Field(default_factory=Cleaned, description="What was escaped or removed in the untrusted fields of this answer.")


class Capability(StrEnum):
    """What a tool can do to the mailbox or to this computer."""

    READ = "read"
    STAGE = "stage"
    DISCARD = "discard"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class Annotations:
    """The MCP hints; a client's display, never a control."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


ANNOTATIONS = {
    Capability.READ: Annotations(read_only=True, destructive=False, idempotent=True, open_world=False),
    Capability.STAGE: Annotations(read_only=False, destructive=False, idempotent=False, open_world=False),
    Capability.DISCARD: Annotations(read_only=False, destructive=True, idempotent=False, open_world=False),
    Capability.DRAFT: Annotations(read_only=False, destructive=False, idempotent=False, open_world=False),
}


A = TypeVar("A", bound=Arguments)
R = TypeVar("R", bound=Result)


@dataclass(frozen=True, slots=True)
class ToolDefinition(Generic[A, R]):
    """One tool. `refusals` are the codes that it can answer with besides `COMMON_REFUSALS`; `seconds` is its deadline."""

    name: str
    title: str
    description: str
    arguments: type[A]
    result: type[R]
    capability: Capability
    refusals: frozenset[Code]
    seconds: float
    handler: Callable[[Engine, Call, A], R]

    @property
    def annotations(self) -> Annotations:
        """The MCP hints that go with the capability."""
        return ANNOTATIONS[self.capability]
