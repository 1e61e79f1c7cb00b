"""Installs the two published servers that the bench compares with, each in an environment of its own: `make bench-peers`."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent.parent / "build" / "bench" / "peers"
PACKAGES: Final = {"A": "proton-safe-mcp==2.3.1", "B": "mcp-proton-email==0.2.0"}


def main() -> int:
    """Install what isn't there."""
    for name, package in PACKAGES.items():
        place = FOLDER / name
        sys.stderr.write(f"installing {package} as {name}\n")
        venv.create(place, clear=True, with_pip=False)
        command = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), "install", "--quiet"]
        subprocess.run([*command, "--disable-pip-version-check", "--no-input", package], check=True, timeout=900)  # noqa: S603 - commands of our own
    return 0


if __name__ == "__main__":
    sys.exit(main())
