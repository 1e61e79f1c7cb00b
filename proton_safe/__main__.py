"""The command `proton-safe-mcp`.

Exit status: 0 after a clean end, 1 when settings or an action can't be carried out, 2 for wrong use.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from proton_safe import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from proton_safe.config import Config


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status."""
    options = _parser().parse_args(arguments)
    match options.command:
        case "describe":
            return _describe(options.form)
        case "trust":
            return _with_config(options.config, _trust)
        case _:
            return _with_config(options.config, _serve)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="proton-safe-mcp", description="Read, search and prepare drafts in Proton Mail through Proton Mail Bridge, over MCP on STDIO."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="serve an MCP client on standard input and output")
    trust = commands.add_parser("trust", help="show the certificate on Bridge's port beside the pinned one, and ask whether to pin it")
    for command in (serve, trust):
        command.add_argument(
            "--config",
            type=Path,
            metavar="FILE",
            help="absolute path of the managed configuration file; without it the environment is read",
        )
    serve.add_argument("--profile", choices=["safe"], default="safe", help="which tools exist (default: safe)")
    describe = commands.add_parser("describe", help="print the tools and the refusal codes")
    describe.add_argument(
        "--form", choices=["json", "tools", "refusals"], default="json", help="all as JSON (default), or one Markdown table"
    )
    return parser


def _with_config(path: Path | None, action: Callable[[Config], int]) -> int:
    from proton_safe.settings import (  # noqa: PLC0415 - only commands that need settings load them
        ConfigError,
        from_environment,
        from_file,
    )

    try:
        config = from_environment(os.environ) if path is None else from_file(path, os.environ)
    except ConfigError as error:
        sys.stderr.write(f"proton-safe-mcp: {error.code.value}: {error.sentence}\n")
        return 1
    return action(config)


def _serve(config: Config) -> int:
    from proton_safe.protocol.wire import claim  # noqa: PLC0415 - other commands need no wire

    descriptors = claim()

    from proton_safe.serving import serve  # noqa: PLC0415 - loaded after the wire is claimed, so that no import can write to it
    from proton_safe.tools.catalog import Profile  # noqa: PLC0415 - as above

    serve(descriptors, config, Profile.SAFE)
    # The reading thread may still wait for input that nobody will send; there is nothing left to tidy up.
    os._exit(0)


def _trust(config: Config) -> int:
    from proton_safe.trust import ask  # noqa: PLC0415 - only this command connects on its own

    return ask(config)


def _describe(form: str) -> int:
    from proton_safe.tools.catalog import Profile, catalogue  # noqa: PLC0415 - only this command lists without serving
    from proton_safe.tools.description import as_data, as_markdown, refusals_as_markdown  # noqa: PLC0415 - as above

    tools = catalogue(Profile.SAFE)
    texts = {"json": lambda: json.dumps(as_data(tools), indent=1), "tools": lambda: as_markdown(tools), "refusals": refusals_as_markdown}
    sys.stdout.write(texts[form]() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
