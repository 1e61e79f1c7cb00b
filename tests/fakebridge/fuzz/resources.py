"""What a process holds, out of /proc."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

HAS_PROC: Final = sys.platform == "linux"


def memory_octets(pid: int) -> int:
    """Resident memory."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) * 1024


def open_files(pid: int) -> int:
    """Open files and sockets."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))
