"""Reads the settings, from the environment or from the managed file, never from both, and refuses what it can't use.

Nothing is repaired or ignored in silence: a wrong value stops the start with one sentence that names the setting.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from proton_safe import config as bounds
from proton_safe.addr_spec import is_bare_address
from proton_safe.config import Bound, Config
from proton_safe.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_FILE_OCTETS: Final = 64 * 1024
SCHEMA_VERSION: Final = 1
_T = TypeVar("_T")
_DECIMAL: Final = re.compile(r"[0-9]{1,12}\Z")

_LIMITS: Final[Mapping[str, Bound]] = {
    "max_attachment_bytes": bounds.MAX_ATTACHMENT_BYTES,
    "max_received_attachment_bytes": bounds.MAX_RECEIVED_ATTACHMENT_BYTES,
    "max_chunk_bytes": bounds.MAX_CHUNK_BYTES,
    "upload_ttl_seconds": bounds.UPLOAD_TTL_SECONDS,
    "max_body_chars": bounds.MAX_BODY_CHARS,
}


class ConfigCode(StrEnum):
    """Why the settings can't be used."""

    MISSING = "CONFIG_MISSING"
    INVALID = "CONFIG_INVALID"
    PERMISSIONS = "CONFIG_PERMISSIONS"
    SCHEMA_UNSUPPORTED = "CONFIG_SCHEMA_UNSUPPORTED"


class ConfigError(Exception):
    """The settings can't be used; `sentence` tells the operator what to change and names no value."""

    def __init__(self, code: ConfigCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def from_environment(environment: Mapping[str, str]) -> Config:
    """Environment mode: the `PROTON_*` variables. Raises ConfigError."""
    if "PROTON_BRIDGE_HOST" in environment:
        raise ConfigError(ConfigCode.INVALID, "PROTON_BRIDGE_HOST is set, but the host is always 127.0.0.1; unset it.")
    user = environment.get("PROTON_BRIDGE_USER", "")
    if not user:
        raise ConfigError(ConfigCode.MISSING, "PROTON_BRIDGE_USER is not set; set it to the account's address.")
    aliases = environment.get("PROTON_BRIDGE_ALIASES", "")
    if "\r" in aliases or "\n" in aliases:
        raise ConfigError(ConfigCode.INVALID, "PROTON_BRIDGE_ALIASES must stand on one line.")
    password = environment.get("PROTON_BRIDGE_PASSWORD")
    if password is not None and (not password or not password.isprintable()):
        raise ConfigError(ConfigCode.INVALID, "PROTON_BRIDGE_PASSWORD is empty or holds control characters.")
    return Config(
        user=_address(user, "PROTON_BRIDGE_USER"),
        aliases=_aliases([part.strip() for part in aliases.split(",")] if aliases.strip() else [], user, "PROTON_BRIDGE_ALIASES"),
        imap_port=_decimal(environment, "PROTON_IMAP_PORT", bounds.IMAP_PORT),
        password=Secret(password) if password is not None else None,
        state_dir=_state_dir(environment),
        **{name: _decimal(environment, f"PROTON_MCP_{name.upper()}", bound) for name, bound in _LIMITS.items()},
    )


def from_file(path: Path, environment: Mapping[str, str]) -> Config:
    """Managed mode: one TOML file with a closed schema, owned by this user alone. No `PROTON_*` variable is read. Raises ConfigError."""
    table = _Table(_read_private(path), "")
    version = table.take("schema_version", int)
    if version is None or version < SCHEMA_VERSION:
        raise ConfigError(ConfigCode.INVALID, "schema_version must be 1.")
    if version > SCHEMA_VERSION:
        raise ConfigError(ConfigCode.SCHEMA_UNSUPPORTED, "The file's schema_version is newer than this server knows; update the server.")
    bridge, limits, paths = (table.subtable(name) for name in ("bridge", "limits", "paths"))
    table.close()
    user = bridge.take("user", str)
    if not user:
        raise ConfigError(ConfigCode.MISSING, "[bridge] user is missing; set it to the account's address.")
    aliases = bridge.take("aliases", list) or []
    if not all(isinstance(alias, str) for alias in aliases):
        raise ConfigError(ConfigCode.INVALID, "[bridge] aliases must hold strings.")
    port = bridge.bounded("imap_port", bounds.IMAP_PORT)
    sizes = {name: limits.bounded(name, bound) for name, bound in _LIMITS.items()}
    state = paths.take("state_dir", str)
    if state is not None and not Path(state).is_absolute():
        raise ConfigError(ConfigCode.INVALID, "[paths] state_dir must be absolute.")
    for part in (bridge, limits, paths):
        part.close()
    return Config(
        user=_address(user, "[bridge] user"),
        aliases=_aliases(aliases, user, "[bridge] aliases"),
        imap_port=port,
        password=None,
        state_dir=Path(state) if state is not None else _xdg_state(environment),
        **sizes,
    )


@dataclass(slots=True)
class _Table:
    """A TOML table that is read key by key; `close` refuses what nobody took."""

    values: dict[str, object]
    name: str

    def take(self, key: str, kind: type[_T]) -> _T | None:
        value = self.values.pop(key, None)
        if value is None:
            return None
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ConfigError(ConfigCode.INVALID, f"{self.name}{key} has the wrong type.")
        return value

    def bounded(self, key: str, bound: Bound) -> int:
        value = self.take(key, int)
        return bound.default if value is None else _within(value, f"{self.name}{key}", bound)

    def subtable(self, key: str) -> _Table:
        return _Table(self.take(key, dict) or {}, f"[{key}] ")

    def close(self) -> None:
        if self.values:
            raise ConfigError(ConfigCode.INVALID, f"{self.name or 'The file '}holds a key that is not known.")


def _read_private(path: Path) -> dict[str, object]:
    """The parsed file. It must be a regular file of this user that nobody else may read or write; links are not followed."""
    if not path.is_absolute():
        raise ConfigError(ConfigCode.INVALID, "--config needs an absolute path.")
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise ConfigError(ConfigCode.MISSING, "The configuration file does not exist.") from None
    except OSError:
        raise ConfigError(
            ConfigCode.PERMISSIONS, "The configuration file can't be opened; it must be a regular file, not a link."
        ) from None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077:
            raise ConfigError(ConfigCode.PERMISSIONS, "The configuration file must belong to this user with mode 0600.")
        octets = file.read(MAX_FILE_OCTETS + 1)
    if len(octets) > MAX_FILE_OCTETS:
        raise ConfigError(ConfigCode.INVALID, "The configuration file is larger than 64 KiB.")
    try:
        return tomllib.loads(octets.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise ConfigError(ConfigCode.INVALID, "The configuration file is not TOML in UTF-8.") from None


def _address(value: str, name: str) -> str:
    if not is_bare_address(value):
        raise ConfigError(ConfigCode.INVALID, f"{name} must be a bare address such as ada@example.org.")
    return value


def _aliases(values: list[str], user: str, name: str) -> tuple[str, ...]:
    """Each alias once, without letter case, in the order given, the primary address left out."""
    known, kept = {user.casefold()}, []
    for value in values:
        alias = _address(value, f"Each of {name}")
        if alias.casefold() not in known:
            known.add(alias.casefold())
            kept.append(alias)
    if len(kept) > bounds.MAX_ALIASES:
        raise ConfigError(ConfigCode.INVALID, f"{name} holds more than {bounds.MAX_ALIASES} addresses.")
    return tuple(kept)


def _decimal(environment: Mapping[str, str], name: str, bound: Bound) -> int:
    text = environment.get(name)
    if text is None:
        return bound.default
    if not _DECIMAL.match(text):
        raise ConfigError(ConfigCode.INVALID, f"{name} must be a whole number from {bound.lowest} to {bound.highest}.")
    return _within(int(text), name, bound)


def _within(value: int, name: str, bound: Bound) -> int:
    if not bound.lowest <= value <= bound.highest:
        raise ConfigError(ConfigCode.INVALID, f"{name} must be a whole number from {bound.lowest} to {bound.highest}.")
    return value


def _state_dir(environment: Mapping[str, str]) -> Path:
    given = environment.get("PROTON_MCP_STATE_DIR")
    if given is None:
        return _xdg_state(environment)
    if not Path(given).is_absolute():
        raise ConfigError(ConfigCode.INVALID, "PROTON_MCP_STATE_DIR must be an absolute path.")
    return Path(given)


def _xdg_state(environment: Mapping[str, str]) -> Path:
    base = environment.get("XDG_STATE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "state") / "proton-safe"
