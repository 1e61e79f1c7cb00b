"""A server whose calls have a second and a half each, whatever the tool: deadlines pass in a test's time. Run as a program."""

from __future__ import annotations

import dataclasses
from typing import Final

from proton_safe.entry import serve
from proton_safe.tools import safe_profile

SECONDS: Final = 1.5

if __name__ == "__main__":
    hurried = tuple(dataclasses.replace(tool, seconds=SECONDS) for tool in safe_profile.TOOLS)
    safe_profile.__dict__["TOOLS"] = hurried
    serve(None)
