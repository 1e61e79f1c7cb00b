"""The command line: `serve` and its options."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from fakebridge.faults.rule import FaultError
from fakebridge.serve import Settings, run
from fakebridge.world import WorldError


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="fakebridge", description="A simulated Proton Mail Bridge on 127.0.0.1.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve a world; prints one JSON line when ready")
    serve.add_argument("--world", type=Path, required=True, help="the world to load (JSON)")
    serve.add_argument("--control", action="store_true", help="obey JSON lines on standard input; ends when it closes")
    serve.add_argument("--imap-port", type=int, default=0, help="0: any free port")
    serve.add_argument("--smtp-port", type=int, default=0, help="0: any free port")
    serve.add_argument("--no-smtp", action="store_true", help="no SMTP server")
    serve.add_argument("--journal", type=Path, help="copy the journal into this file, a JSON line an entry")
    serve.add_argument("--faults", type=Path, help="fault rules (a JSON list)")
    serve.add_argument("--seed", type=int, help="in place of the world's seed")
    serve.add_argument("--poll-seconds", type=float, help="poll the account so often, in real time")
    serve.add_argument("--switch", action="append", default=[], metavar="NAME=VALUE", help="a behaviour switch (the value as JSON)")
    return parser


def _switches(texts: Sequence[str]) -> tuple[tuple[str, object], ...]:
    pairs = []
    for text in texts:
        name, _, value = text.partition("=")
        try:
            pairs.append((name, json.loads(value)))
        except ValueError:
            pairs.append((name, value))
    return tuple(pairs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 when it ended well, 2 when it cannot begin."""
    options = _parser().parse_args(arguments)
    settings = Settings(
        world=options.world,
        imap_port=options.imap_port,
        smtp_port=None if options.no_smtp else options.smtp_port,
        journal=options.journal,
        faults=options.faults,
        seed=options.seed,
        poll_seconds=options.poll_seconds,
        control=options.control,
        switches=_switches(options.switch),
    )
    try:
        asyncio.run(run(settings))
    except (WorldError, FaultError, ValueError) as error:
        print(f"fakebridge: {error}", file=sys.stderr)  # noqa: T201 - the only place that speaks to a terminal
        return 2
    except KeyboardInterrupt:
        return 0
    return 0
