"""The commands of `proton-safe-mcp` with all their options."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from proton_safe import __version__, log
from proton_safe.entry import serve, unusable
from proton_safe.settings import ConfigError, from_environment, from_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from proton_safe.config import Config


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit status."""
    options = _parser().parse_args(arguments)
    match options.command:
        case "describe":
            return _describe(options.form)
        case "trust":
            return _with_config(options.config, _trust)
        case _:
            log.configure(form=log.Form(options.log_form), least=log.Level(options.log_level))
            return _with_config(options.config, _serve)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="proton-safe-mcp", description="Read, search and prepare drafts in Proton Mail through Proton Mail Bridge, over MCP on STDIO."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser(
        "serve",
        help="serve an MCP client on standard input and output",
        description="Serve an MCP client on standard input and output. A client starts it; it needs PROTON_BRIDGE_USER or --config.",
    )
    trust = commands.add_parser("trust", help="show the certificate on Bridge's port beside the pinned one, and ask whether to pin it")
    for command in (serve, trust):
        command.add_argument(
            "--config",
            type=Path,
            metavar="FILE",
            help="absolute path of a TOML file with all settings; without it the environment is read (docs/configuration.md)",
        )
    serve.add_argument(
        "--profile", choices=["safe"], default="safe", help="the set of tools; safe is the only one: it reads, and stores drafts"
    )
    serve.add_argument(
        "--log-form",
        choices=[form.value for form in log.Form],
        default="json",
        help="how a line of the log on standard error looks (default: json)",
    )
    serve.add_argument(
        "--log-level",
        choices=[level.value for level in log.Level],
        default="warning",
        help="the least level that is logged (default: warning)",
    )
    describe = commands.add_parser("describe", help="print the tools and the refusal codes")
    describe.add_argument(
        "--form",
        choices=["json", "tools", "refusals", "front-door"],
        default="json",
        help="tools and codes as JSON (default), one of the two as a Markdown table, or the answers before the first call, as JSON",
    )
    return parser


def _with_config(path: Path | None, action: Callable[[Config], int]) -> int:
    try:
        config = from_environment(os.environ) if path is None else from_file(path, os.environ)
    except ConfigError as error:
        return unusable(error)
    return action(config)


def _serve(config: Config) -> int:
    serve(config)


def _trust(config: Config) -> int:
    from proton_safe.trust import ask  # noqa: PLC0415 - only this command connects on its own

    return ask(config)


def _describe(form: str) -> int:
    from proton_safe.tools.catalog import Profile, catalogue  # noqa: PLC0415 - only this command lists without serving
    from proton_safe.tools.description import as_data, as_markdown, refusals_as_markdown  # noqa: PLC0415 - as above

    tools = catalogue(Profile.SAFE)
    if form == "front-door":
        from proton_safe.serving import front_door_table  # noqa: PLC0415 - as above

        sys.stdout.write(json.dumps(front_door_table(Profile.SAFE), indent=1, ensure_ascii=False) + "\n")
        return 0
    texts = {"json": lambda: json.dumps(as_data(tools), indent=1), "tools": lambda: as_markdown(tools), "refusals": refusals_as_markdown}
    sys.stdout.write(texts[form]() + "\n")
    return 0
