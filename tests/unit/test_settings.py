"""The settings: what is read, what is refused and with which code; nothing is ignored in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from proton_safe.settings import ConfigCode, ConfigError, from_environment, from_file

USER: Final = {"PROTON_BRIDGE_USER": "ada@keller.example"}
LIMITS: Final = {
    "PROTON_IMAP_PORT": (1, 65_535),
    "PROTON_MCP_MAX_ATTACHMENT_BYTES": (1, 26_214_400),
    "PROTON_MCP_MAX_RECEIVED_ATTACHMENT_BYTES": (1, 26_214_400),
    "PROTON_MCP_MAX_CHUNK_BYTES": (1, 1_048_576),
    "PROTON_MCP_UPLOAD_TTL_SECONDS": (1, 86_400),
    "PROTON_MCP_MAX_BODY_CHARS": (1, 500_000),
}
MANAGED: Final = """
schema_version = 1
[bridge]
user = "ada@keller.example"
imap_port = 2143
aliases = ["orders@keller.example", "ADA@keller.example"]
[limits]
max_chunk_bytes = 1000
[paths]
state_dir = "/var/empty/state"
"""


def refused(environment: dict[str, str]) -> tuple[ConfigCode, str]:
    """Code and sentence of the refusal."""
    with pytest.raises(ConfigError) as raised:
        from_environment(environment)
    return raised.value.code, raised.value.sentence


def managed(tmp_path: Path, text: str | bytes, *, mode: int = 0o600) -> Path:
    """A managed file with this text and mode."""
    path = tmp_path / "config.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)
    return path


def test_address_alone_gives_the_defaults() -> None:
    """The seed's defaults."""
    config = from_environment(USER)
    assert (config.user, config.aliases, config.imap_port, config.password) == ("ada@keller.example", (), 1143, None)
    assert (config.max_attachment_bytes, config.max_received_attachment_bytes) == (20_971_520, 10_485_760)
    assert (config.max_chunk_bytes, config.upload_ttl_seconds, config.max_body_chars) == (393_216, 1_800, 100_000)
    assert config.state_dir == Path.home() / ".local" / "state" / "proton-safe"


@pytest.mark.parametrize("name", LIMITS)
def test_each_limit_holds_at_its_bounds_and_is_refused_beyond(name: str) -> None:
    """A value out of bounds stops the start; it is never clamped."""
    lowest, highest = LIMITS[name]
    for value in (lowest, highest):
        from_environment(USER | {name: str(value)})
    for text in (str(lowest - 1), str(highest + 1), "", "1e3", " 5", "+5", "NaN", "9" * 40):
        code, sentence = refused(USER | {name: text})
        assert code is ConfigCode.INVALID
        assert name in sentence


def test_aliases_are_folded_and_counted() -> None:
    """Each alias once, the primary address left out, at most 24."""
    many = ",".join(f"a{number}@keller.example" for number in range(24))
    assert len(from_environment(USER | {"PROTON_BRIDGE_ALIASES": many}).aliases) == 24
    folded = from_environment(USER | {"PROTON_BRIDGE_ALIASES": "b@x.example, B@x.example,ADA@keller.example"})
    assert folded.aliases == ("b@x.example",)
    assert refused(USER | {"PROTON_BRIDGE_ALIASES": many + ",one@more.example"})[0] is ConfigCode.INVALID


@pytest.mark.parametrize(
    "change",
    [
        {"PROTON_BRIDGE_USER": ""},
        {"PROTON_BRIDGE_USER": "Ada <ada@keller.example>"},
        {"PROTON_BRIDGE_ALIASES": "a@x.example,,b@x.example"},
        {"PROTON_BRIDGE_ALIASES": "a@x.example\r\nb@x.example"},
        {"PROTON_BRIDGE_HOST": "127.0.0.1"},
        {"PROTON_BRIDGE_PASSWORD": ""},
        {"PROTON_BRIDGE_PASSWORD": "CANARY\n"},
        {"PROTON_MCP_STATE_DIR": "relative/folder"},
        {"PROTON_MCP_STATE_DIR": "~/folder"},
    ],
)
def test_unusable_value_is_refused_without_being_shown(change: dict[str, str]) -> None:
    """One sentence that names the setting and not the value."""
    _, sentence = refused(USER | change)
    assert all(value not in sentence for value in change.values() if len(value) > 10)


def test_password_never_prints() -> None:
    """The secret has no repr."""
    config = from_environment(USER | {"PROTON_BRIDGE_PASSWORD": "CANARY-secret"})
    assert "CANARY" not in f"{config!r} {config} {config.password}"
    assert config.password is not None
    assert config.password.reveal() == "CANARY-secret"


def test_managed_file_is_read_and_the_environment_is_not(tmp_path: Path) -> None:
    """The two modes never mix."""
    config = from_file(managed(tmp_path, MANAGED), {"PROTON_BRIDGE_PASSWORD": "x", "PROTON_IMAP_PORT": "9"})
    assert (config.imap_port, config.aliases, config.password) == (2143, ("orders@keller.example",), None)
    assert (config.max_chunk_bytes, config.state_dir) == (1000, Path("/var/empty/state"))


@pytest.mark.parametrize(
    "text",
    [
        MANAGED + "\n[surprise]\nx = 1\n",
        MANAGED.replace("imap_port", "imap_prot"),
        MANAGED.replace("2143", "true"),
        MANAGED.replace("2143", '"2143"'),
        MANAGED.replace("2143", "70000"),
        MANAGED.replace("= 1\n", "= 0\n", 1),
        MANAGED.replace('"/var/empty/state"', '"state"'),
        MANAGED.replace('["orders@keller.example", "ADA@keller.example"]', "[5]"),
        b"\xff\xfe",
        b"[bridge",
        MANAGED + "#" * 65_536,
    ],
)
def test_managed_file_that_breaks_its_schema_is_invalid(tmp_path: Path, text: str | bytes) -> None:
    """Unknown keys, wrong types, bad octets, too much."""
    with pytest.raises(ConfigError) as raised:
        from_file(managed(tmp_path, text), {})
    assert raised.value.code is ConfigCode.INVALID


def test_newer_schema_and_missing_parts_have_codes_of_their_own(tmp_path: Path) -> None:
    """A newer schema is unsupported; no file and no user are missing."""
    with pytest.raises(ConfigError) as newer:
        from_file(managed(tmp_path, MANAGED.replace("= 1\n", "= 2\n", 1)), {})
    assert newer.value.code is ConfigCode.SCHEMA_UNSUPPORTED
    with pytest.raises(ConfigError) as nobody:
        from_file(managed(tmp_path, "schema_version = 1\n"), {})
    assert nobody.value.code is ConfigCode.MISSING
    with pytest.raises(ConfigError) as absent:
        from_file(tmp_path / "none.toml", {})
    assert absent.value.code is ConfigCode.MISSING


def test_file_that_others_can_read_and_links_are_refused(tmp_path: Path) -> None:
    """A regular file of this user, mode 0600, not a link, an absolute path."""
    path = managed(tmp_path, MANAGED, mode=0o640)
    with pytest.raises(ConfigError) as loose:
        from_file(path, {})
    assert loose.value.code is ConfigCode.PERMISSIONS
    path.chmod(0o600)
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    with pytest.raises(ConfigError) as linked:
        from_file(link, {})
    assert linked.value.code is ConfigCode.PERMISSIONS
    with pytest.raises(ConfigError) as relative:
        from_file(Path("config.toml"), {})
    assert relative.value.code is ConfigCode.INVALID
