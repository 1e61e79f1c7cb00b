"""`make clients` says in one sentence why it can't run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.clients.installation import PACKAGE, NotInstalled, install

if TYPE_CHECKING:
    from pathlib import Path

WANTED = json.loads(PACKAGE.read_text(encoding="utf-8"))


def _npm(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program named npm on the path, and nothing else that is named so."""
    folder.mkdir()
    program = folder / "npm"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/bin")


def _record(folder: Path, **changed: str) -> str:
    """What npm records of an installation, as a shell command that is run in the folder."""
    rows = {
        f"node_modules/{name}": {"version": version, "integrity": changed.get(name, WANTED["integrity"][name])}
        for name, version in WANTED["dependencies"].items()
    }
    (folder / "record").write_text(json.dumps({"packages": rows}), encoding="utf-8")
    return f"mkdir node_modules && cp {folder / 'record'} node_modules/.package-lock.json"


def test_missing_npm_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one thing that a checkout can't bring."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotInstalled, match=r"^npm is not on the path: install Node\.js with npm, then call make clients again\.$"):
        install(tmp_path / "clients")
    assert not (tmp_path / "clients").exists()


def test_what_npm_complains_of_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a registry there are no clients, and no table that pretends otherwise."""
    _npm(tmp_path / "bin", "echo 'npm error network' >&2; exit 1", monkeypatch)
    with pytest.raises(NotInstalled, match=r"could not install the packages of tests/clients/package\.json:\nnpm error network$"):
        install(tmp_path / "clients")


def test_octets_other_than_the_pinned_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package whose hash differs from the pin is another package, whatever its version says."""
    _npm(tmp_path / "bin", _record(tmp_path, ajv="sha512-other"), monkeypatch)
    with pytest.raises(
        NotInstalled, match=rf"something else than tests/clients/package\.json names: ajv {WANTED['dependencies']['ajv']}\.$"
    ):
        install(tmp_path / "clients")


def test_node_that_does_not_run_here_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clients run on one Node, that of the package, never on the machine's."""
    _npm(tmp_path / "bin", _record(tmp_path), monkeypatch)
    with pytest.raises(NotInstalled, match=r"bin/node does not run here; it needs Linux on x86-64\.$"):
        install(tmp_path / "clients")


def test_every_package_is_pinned_to_one_version_by_hash_and_names_no_host() -> None:
    """The same clients tomorrow as today."""
    assert set(WANTED["dependencies"]) == set(WANTED["integrity"])
    assert all(version.replace(".", "").isdigit() for version in WANTED["dependencies"].values())
    assert all(pin.startswith("sha512-") for pin in WANTED["integrity"].values())
    assert "://" not in PACKAGE.read_text(encoding="utf-8")
