"""Which tools a profile has. A tool outside the profile isn't imported, so it does not exist in the process."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proton_safe.tools.definition import ToolDefinition


class Profile(StrEnum):
    """The fixed sets of tools, chosen by the operator at start."""

    SAFE = "safe"


def catalogue(profile: Profile) -> tuple[ToolDefinition[Any, Any], ...]:
    """The tools of a profile, in the order in which they are listed."""
    match profile:
        case Profile.SAFE:
            from proton_safe.tools.safe_profile import TOOLS  # noqa: PLC0415 - another profile's tools must not be loaded

            return TOOLS
