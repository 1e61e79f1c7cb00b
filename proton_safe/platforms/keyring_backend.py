"""The operating system's keyring, through the library `keyring`: one question.

Imported when the first secret is needed and not before: the library looks for its backends when it is imported.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import keyring
from keyring.errors import KeyringLocked

if TYPE_CHECKING:
    from collections.abc import MutableMapping


class Locked(Exception):
    """The keyring is there and locked, or its prompt was dismissed."""


def read(service: str, name: str) -> str | None:
    """The stored password, None when there is none. May wait for a prompt.

    Raises `Locked`, and when no keyring can be reached whatever its backend raises.
    """
    offer_session_bus(os.environ, runtime_folders=Path("/run/user"))
    try:
        return keyring.get_password(service, name)
    except KeyringLocked:
        raise Locked from None


def offer_session_bus(environment: MutableMapping[str, str], *, runtime_folders: Path) -> None:
    """Name the user's session bus where a client started the server without it, as desktop applications do (Linux)."""
    if not sys.platform.startswith("linux") or environment.get("DBUS_SESSION_BUS_ADDRESS"):
        return
    bus = runtime_folders / str(os.getuid()) / "bus"
    if bus.is_socket():
        environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
