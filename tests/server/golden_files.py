"""The lists of tools as they were last reviewed, one file for each era. `python -m tests.server.golden_files` writes them again."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.server.conftest import offline
from tests.server.eras import HANDSHAKES, MODERN, Era
from tests.server.stdio import Stdio

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER: Final = Path(__file__).parent / "golden"
FILES: Final[Mapping[str, str]] = {
    **dict.fromkeys(HANDSHAKES, "tools-list.safe.handshake.json"),
    MODERN: "tools-list.safe.modern.json",
}


def golden(version: str) -> Any:  # noqa: ANN401 - parsed JSON
    """The list as it was reviewed."""
    return json.loads((FOLDER / FILES[version]).read_text(encoding="utf-8"))


def listed(version: str, state: Path) -> Any:  # noqa: ANN401 - parsed JSON
    """The list as a server gives it today."""
    era = Era(version)
    with Stdio(offline(state)) as server:
        era.open(server)
        return era.ask(server, 2, "tools/list")["result"]


def write() -> None:
    """Write the files again."""
    for version, name in FILES.items():
        with tempfile.TemporaryDirectory() as state:
            text = json.dumps(listed(version, Path(state)), indent=1, ensure_ascii=False, sort_keys=True)
        (FOLDER / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
