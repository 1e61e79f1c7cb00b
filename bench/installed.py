"""An environment that holds the built wheel and what it depends on, and nothing else: no pip, no setuptools, no checkout."""

from __future__ import annotations

import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Installed:
    """The environment's interpreter and the command that the wheel brings."""

    python: Path
    command: Path


def install(folder: Path) -> Installed:
    """Build the wheel from this checkout and install it, with the versions that the checkout pins, into a new environment."""
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder / "dist"), str(ROOT))
    (wheel,) = (folder / "dist").glob("*.whl")
    place = folder / "environment"
    venv.create(place, with_pip=False)
    pins = folder / "constraints.txt"
    pinned = (
        line.partition(" ;")[0].rstrip(" \\") for line in (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8").splitlines()
    )
    pins.write_text("\n".join(line for line in pinned if "==" in line and not line.startswith((" ", "#"))) + "\n", encoding="utf-8")
    python = place / "bin" / "python"
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    _run(sys.executable, "-m", "pip", "--python", str(python), "install", *quiet, "--constraint", str(pins), str(wheel))
    return Installed(python, place / "bin" / "proton-safe-mcp")


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=600, cwd=ROOT)  # noqa: S603 - commands of our own
