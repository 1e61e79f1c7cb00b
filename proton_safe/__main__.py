"""The command `proton-safe-mcp`. `serve` as hosts call it goes straight to the front door; all else to `cli`.

Exit status: 0 after a clean end, 1 when settings or an action can't be carried out, 2 for wrong use.
"""

from __future__ import annotations

import os
import sys

from proton_safe.plain_settings import are_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN_SERVE = (["serve"], ["serve", "--profile", "safe"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words in _PLAIN_SERVE and are_plain(os.environ):
        from proton_safe.entry import serve  # noqa: PLC0415 - other commands need no wire

        serve(None)
    if words[:2] == ["serve", "--config"] and len(words) == 3:
        from proton_safe.entry import serve_managed  # noqa: PLC0415 - as above

        return serve_managed(words[2])
    from proton_safe.cli import run  # noqa: PLC0415 - the front door does without argparse

    return run(words)


if __name__ == "__main__":
    sys.exit(main())
