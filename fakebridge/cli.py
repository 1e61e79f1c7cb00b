"""The command line: `serve`, `demo-world`, `faults`, `explain`, `schema`. Wrong use is answered with what is wrong and how it is meant."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn

from fakebridge import explaining, schema
from fakebridge.faults.rule import FaultError
from fakebridge.settings import Settings
from fakebridge.world import WorldError

DEMO: Final = Path(__file__).parent / "data" / "demo"
WRONG_USE: Final = 2


class WrongUse(Exception):
    """The command cannot begin; `str()` says what is wrong and how it is meant."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USE, f"{self.prog}: {message}\n{self.prog} --help says how it is meant.\n")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a number from 0 to 65535 is wanted, 0 lets the system choose")
    return int(text)


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r}: a whole number from 0 is wanted")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r}: seconds from 0 to 86400 are wanted")
    return value


def _switch(text: str) -> tuple[str, object]:
    name, found, value = text.partition("=")
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r}: NAME=VALUE is wanted, such as auth_plain=false")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="fakebridge", description="A simulated Proton Mail Bridge on 127.0.0.1, faithful to the octet, that breaks on order."
    )
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, metavar="COMMAND")
    serve = commands.add_parser(
        "serve",
        help="serve a world until it is ended",
        description="Serve a world on 127.0.0.1 until Ctrl-C; say where, with user and password.",
    )
    serve.add_argument(
        "--world", type=Path, default=DEMO / "world.json", metavar="FILE", help="the world to load (JSON); else the demo world"
    )
    serve.add_argument(
        "--faults",
        type=Path,
        metavar="FILE",
        help="rules when and how to break (JSON; the kinds: `fakebridge faults`, the form: `fakebridge schema faults`)",
    )
    serve.add_argument("--journal", type=Path, metavar="FILE", help="copy the journal into this file, a JSON line an entry")
    serve.add_argument("--imap-port", type=_port, default=0, metavar="N", help="this port; 0, or left out: any free one")
    serve.add_argument("--smtp-port", type=_port, default=0, metavar="N", help="this port; 0, or left out: any free one")
    serve.add_argument("--no-smtp", action="store_true", help="no SMTP server")
    serve.add_argument("--seed", type=_number, metavar="N", help="in place of the world's seed")
    serve.add_argument(
        "--strict-rfc", action="store_true", help="another face, for contrast: a server that keeps headers and decodes searches"
    )
    serve.add_argument(
        "--poll-seconds",
        type=_seconds,
        metavar="S",
        help="ask the account for news so often, in real time; left out: only when the control channel says so",
    )
    serve.add_argument(
        "--switch",
        type=_switch,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a trait of another build of Bridge, such as idle=false (VALUE as JSON); a wrong NAME is answered with all of them",
    )
    serve.add_argument("--control", action="store_true", help="obey JSON lines on standard input, answer in JSON; ends when it closes")
    serve.add_argument("--json", action="store_true", help="say in JSON where it listens")
    demo = commands.add_parser("demo-world", help="write the demo world and its mails into a folder, to begin a world of one's own")
    demo.add_argument("folder", type=Path, nargs="?", help="a folder that does not exist yet; left out: only say where the demo world lies")
    demo.add_argument("--json", action="store_true", help="say it in JSON")
    explain = commands.add_parser("explain", help="say what is imitated, how well it is known, and which test holds it")
    explain.add_argument("behaviour", nargs="?", help="a behaviour's name; left out: all names")
    explain.add_argument("--json", action="store_true", help="say it in JSON")
    faults = commands.add_parser("faults", help="list the kinds of faults")
    faults.add_argument("--json", action="store_true", help="say it in JSON, with fields and defaults")
    schemas = commands.add_parser("schema", help="print a JSON schema")
    schemas.add_argument("of", choices=("world", "faults"), help="of a world, or of fault rules")
    return parser


def _serve(options: argparse.Namespace) -> None:
    try:
        # Only serving needs the libraries of the extra.
        from fakebridge.serve import run  # noqa: PLC0415 - see above
    except ModuleNotFoundError as error:
        raise WrongUse(f"the module {error.name} is missing: install proton-safe[fakebridge]") from error
    settings = Settings(
        world=options.world,
        imap_port=options.imap_port,
        smtp_port=None if options.no_smtp else options.smtp_port,
        journal=options.journal,
        faults=options.faults,
        seed=options.seed,
        poll_seconds=options.poll_seconds,
        control=options.control,
        strict_rfc=options.strict_rfc,
        speaks_json=options.json or options.control,
        switches=tuple(options.switch),
    )
    try:
        asyncio.run(run(settings))
    except OSError as error:
        raise WrongUse(f"a port or a file of the options cannot be used: {error.strerror or type(error).__name__}") from error


def _demo_world(options: argparse.Namespace) -> None:
    folder: Path | None = options.folder
    if folder is not None:
        if folder.exists():
            raise WrongUse("demo-world: the folder exists already; a new one is wanted")
        try:
            shutil.copytree(DEMO, folder, ignore=shutil.ignore_patterns("facts.json"))
        except OSError as error:
            raise WrongUse(f"demo-world: the folder cannot be made: {error.strerror or type(error).__name__}") from error
    world = (folder or DEMO) / "world.json"
    _say(json.dumps({"world": str(world)}) if options.json else f"python -m fakebridge serve --world {world}")


def _explain(options: argparse.Namespace) -> None:
    behaviours = explaining.behaviours()
    if options.behaviour is None:
        _say(json.dumps(list(behaviours.values())) if options.json else explaining.listed(behaviours))
        return
    found = behaviours.get(options.behaviour)
    if found is None:
        near = explaining.near(behaviours, options.behaviour)
        raise WrongUse(f"explain: there is no such behaviour{near}; `python -m fakebridge explain` lists all {len(behaviours)}")
    _say(json.dumps(found) if options.json else explaining.told(found))


def _faults(options: argparse.Namespace) -> None:
    _say(json.dumps(explaining.faults()) if options.json else explaining.faults_listed())


def _schema(options: argparse.Namespace) -> None:
    _say(json.dumps(schema.world() if options.of == "world" else schema.faults(), indent=1))


COMMANDS: Final[dict[str, Callable[[argparse.Namespace], None]]] = {
    "serve": _serve,
    "demo-world": _demo_world,
    "explain": _explain,
    "faults": _faults,
    "schema": _schema,
}


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 when it ended well, 1 when nobody reads what it says, 2 when it cannot begin."""
    options = _parser().parse_args(arguments)
    try:
        COMMANDS[options.command](options)
    except (WrongUse, WorldError, FaultError, ValueError) as error:
        sys.stderr.write(f"fakebridge: {error}\n")
        return WRONG_USE
    except KeyboardInterrupt:
        return 0
    except BrokenPipeError:
        # As in `explain | head`: who read has gone. What is left must not be tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    return 0
