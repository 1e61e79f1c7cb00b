"""Whether the environment's settings are so plain that they are right beyond doubt; anything else is judged by `settings`.

Saves the imports of `settings` until the engine is needed, without a second set of rules: what passes here passes there too (a property
that tests hold), and what doesn't pass here is read there, which knows every rule and has the sentences.
Belongs to the front door: imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_HIGHEST = {
    "PROTON_IMAP_PORT": 65_535,
    "PROTON_MCP_MAX_ATTACHMENT_BYTES": 26_214_400,
    "PROTON_MCP_MAX_RECEIVED_ATTACHMENT_BYTES": 26_214_400,
    "PROTON_MCP_MAX_CHUNK_BYTES": 1_048_576,
    "PROTON_MCP_UPLOAD_TTL_SECONDS": 86_400,
    "PROTON_MCP_MAX_BODY_CHARS": 500_000,
}
_MAX_ALIASES = 24
_MAX_LOCAL_CHARS = 64
_MAX_LABEL_CHARS = 63
_MAX_ADDRESS_CHARS = 254


def are_plain(environment: Mapping[str, str]) -> bool:
    """Whether `settings.from_environment` would take these settings without a word."""
    if "PROTON_BRIDGE_HOST" in environment or not _is_plain_address(environment.get("PROTON_BRIDGE_USER", "")):
        return False
    aliases = environment.get("PROTON_BRIDGE_ALIASES", "")
    if (aliases and not all(_is_plain_address(alias) for alias in aliases.split(","))) or aliases.count(",") >= _MAX_ALIASES:
        return False
    password = environment.get("PROTON_BRIDGE_PASSWORD")
    if password is not None and not (password and password.isascii() and password.isprintable()):
        return False
    for name, highest in _HIGHEST.items():
        text = environment.get(name, "1")
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(highest)) and 1 <= int(text) <= highest):
            return False
    state = environment.get("PROTON_MCP_STATE_DIR")
    return state.startswith("/") if state is not None else environment.get("HOME", "").startswith("/")


def _is_plain_address(text: str) -> bool:
    """Letters, digits, inner dots, hyphens and plus signs; a domain of two labels or more."""
    local, _, domain = text.partition("@")
    labels = domain.split(".")
    return (
        len(text) <= _MAX_ADDRESS_CHARS
        and len(local) <= _MAX_LOCAL_CHARS
        and all(_is_word(part, "-+_") for part in local.split("."))
        and len(labels) > 1
        and all(_is_word(label, "-") and len(label) <= _MAX_LABEL_CHARS and label[0] != "-" != label[-1] for label in labels)
    )


def _is_word(text: str, extra: str) -> bool:
    return text.isascii() and text.translate({ord(character): "a" for character in extra}).isalnum()
