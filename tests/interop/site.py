"""Where a client runs: its folder, the certificate it may trust, and the fakebridge it talks to; and how a tool is got and run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fakebridge.testing import FakeBridge

BOUND_S: Final = 60
INSTALL_S: Final = 300
PACKAGES: Final = {"mbsync": "isync", "curl": "curl", "msmtp": "msmtp", "swaks": "swaks"}
"""The distribution's package of each tool (Debian, Ubuntu)."""


class Failed(Exception):
    """A client did not do what it should, or cannot be had; `str()` says what was seen."""


@dataclass(frozen=True, slots=True)
class Site:
    """One client's place."""

    folder: Path
    bridge: FakeBridge

    @property
    def certificate(self) -> Path:
        """The certificate as a file; nothing else is trusted."""
        path = self.folder / "bridge.pem"
        path.write_text(self.bridge.certificate_pem(), encoding="utf-8")
        return path

    def secret_file(self, name: str, text: str) -> Path:
        """A file that only its owner can read."""
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, *command: str, given: bytes = b"") -> bytes:
        """A tool to its end; what it printed. Failed: it was not content."""
        try:
            done = subprocess.run(command, cwd=self.folder, input=given, capture_output=True, timeout=BOUND_S, check=False)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"{command[0]} did not end within {BOUND_S} s: {late.output!r}") from late
        if done.returncode != 0:
            raise Failed(f"{command[0]} ended with {done.returncode}: {(done.stderr or done.stdout).decode('utf-8', 'replace').strip()}")
        return done.stdout


def want(seen: object, wanted: object, what: str) -> None:
    """Failed: it is not what was wanted."""
    if seen != wanted:
        raise Failed(f"{what}: wanted {wanted!r}, saw {seen!r}")


def get(tool: str) -> str:
    """The tool's version; installs its package where the distribution has apt-get and this user may. Failed: it cannot be had."""
    if shutil.which(tool) is None:
        package, installer = PACKAGES[tool], shutil.which("apt-get")
        if installer is None:
            raise Failed(f"{tool} is missing and there is no apt-get; install the package {package}")
        for arguments in (("update", "-q"), ("install", "-y", "-q", package)):
            done = subprocess.run([installer, *arguments], capture_output=True, timeout=INSTALL_S, check=False)
            if done.returncode != 0:
                sys.stderr.write(done.stderr.decode("utf-8", "replace"))
        if shutil.which(tool) is None:
            raise Failed(f"{tool} is missing and could not be installed; install the package {package}")
    shown = subprocess.run([tool, "--version"], capture_output=True, text=True, timeout=BOUND_S, check=False).stdout
    return " ".join(shown.split()[:3]).strip()
