"""What an extraction child gives up, by platform. Linux: limits, files, system calls. Elsewhere: limits only, and it is reported."""

from __future__ import annotations

import os
import platform
from typing import Final

from proton_safe.platforms.child_limits import ChildLimits, limit_this_process

_LINUX: Final = platform.system() == "Linux"


def follow_parent(parent: int) -> bool:
    """Tie this process's life to its parent's where the kernel offers it; False when the parent has already gone."""
    if _LINUX:
        from proton_safe.platforms.linux_confinement import die_with_parent  # noqa: PLC0415 - other platforms never load it

        return die_with_parent(parent)
    return os.getppid() == parent


def confine() -> tuple[str, ...]:
    """Apply every layer that this platform has to this very process, for good; returns the names of those that hold."""
    layers = limit_this_process(ChildLimits())
    if _LINUX:
        from proton_safe.platforms.linux_confinement import confine_this_process  # noqa: PLC0415 - other platforms never load it

        layers += confine_this_process()
    return layers
