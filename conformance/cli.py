"""The command line: run, list, explain, lint, generate, format.

Exit status: 0 when everything passed, 1 when something did not, 2 for wrong use.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from typing import Final

from conformance import adapter, coverage, lint, published
from conformance.attack_rows import attack_findings, attack_row
from conformance.explain import explain, explain_row
from conformance.generator import files
from conformance.library import all_cases, case_paths, cases_named, read_file
from conformance.model import Case
from conformance.outcome import Outcome, Verdict
from conformance.peer_faults import unshown
from conformance.session import run
from conformance.table import families, report, table

LISTED: Final = "`python -m conformance list` shows them all"
NAMES: Final = (
    "A name is that of a case, as in header:nul:subject, or what several begin with: header:nul is a row of attacks, header a family."
)


def main(arguments: Sequence[str]) -> int:
    """Run one command and give its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Whatever the terminal can show: a report that stops at a letter is no report.
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        return _do(options)
    except BrokenPipeError:
        # As in `list | head`: who read has gone. What is left must not be tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def _do(options: argparse.Namespace) -> int:
    match options.command:
        case "run":
            return _run(options)
        case "list":
            return _list(options)
        case "explain":
            return _explain(options.name)
        case "lint":
            return _lint(options.adapter)
        case "generate":
            return _say(f"{files.write()} cases written")
        case _:
            return _format()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance", description="Play cases against an MCP server for mail, over STDIO.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    play = commands.add_parser("run", help="play cases and print a table by tool", description=f"Play cases. {NAMES}")
    play.add_argument("--server", type=_command, metavar="CMD", help="another server command than the adapter's")
    play.add_argument(
        "-j", dest="workers", type=int, default=os.cpu_count() or 2, metavar="N", help="servers side by side (default: processors)"
    )
    show = commands.add_parser("list", help="list names with their reasons", description=f"List cases. {NAMES}")
    for one in (play, show):
        one.add_argument("names", nargs="*", metavar="NAME", help="only these; without a name all")
        one.add_argument("--tool", metavar="TOOL", help="only those about this tool, the forms of attacks among them")
    explaining = commands.add_parser(
        "explain",
        help="tell what is sent, what must come back, what must not happen, why, and how to replay it",
        description=f"Explain a case, a row of attacks, or list what the name begins. {NAMES}",
    )
    explaining.add_argument("name", metavar="NAME")
    linting = commands.add_parser("lint", help="check the cases, and that they cover what the server publishes")
    for one in (play, linting):
        one.add_argument(
            "--adapter",
            type=_adapter,
            default=adapter.DEFAULT,
            metavar="FILE",
            help="how a server is started: a name in adapters/, or a path",
        )
    commands.add_parser("generate", help="write the cases that follow from seed_figures.json")
    commands.add_parser("format", help="bring files of cases into canonical form, ids sorted")
    return parser


def _adapter(name: str) -> adapter.Adapter:
    try:
        return adapter.load(name)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{name!r} is no adapter that can be read") from error


def _command(text: str) -> str:
    try:
        program = shlex.split(text)[0]
    except (ValueError, IndexError):
        program = ""
    if program != "{python}" and shutil.which(program) is None:
        raise argparse.ArgumentTypeError(f"{text!r} begins with no program that can be run")
    return text


def _say(text: str) -> int:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
    return 0


def _chosen(options: argparse.Namespace) -> list[Case]:
    named = (
        {case.id: case for name in options.names for case in cases_named(name)}
        if options.names
        else {case.id: case for case in all_cases()}
    )
    return [case for case in named.values() if options.tool in {None, case.tool}]


def _unknown(names: Sequence[str]) -> str:
    """What is said of names that nothing has, "" when each has something."""
    missing = [repr(name) for name in names if not cases_named(name)]
    return f"no case is named {', '.join(missing)} or begins so; {LISTED}" if missing else ""


def _run(options: argparse.Namespace) -> int:
    if unknown := _unknown(options.names):
        _say(unknown)
        return 2
    cases = _chosen(options)
    if not cases:
        _say(f"none of them is about this tool; {LISTED}")
        return 2
    began = time.monotonic()

    def tell(outcome: Outcome) -> None:
        if outcome.verdict is not Verdict.PASSED:
            _say(report([outcome]))

    outcomes = run(cases, options.adapter.with_command(options.server), workers=options.workers, report=tell)
    failed = sum(outcome.verdict is not Verdict.PASSED for outcome in outcomes)
    by_family = families(outcomes)
    if by_family:
        _say(f"{by_family}\n")
    _say(f"{table(outcomes)}\n{len(outcomes) - failed} passed, {failed} not, {time.monotonic() - began:.0f} s")
    if failed:
        _say("`python -m conformance explain NAME` tells what a case demands, and why")
    return 1 if failed else 0


def _list(options: argparse.Namespace) -> int:
    if unknown := _unknown(options.names):
        _say(unknown)
        return 2
    chosen = _chosen(options)
    if not chosen:
        _say(f"no case is about this tool; {LISTED}")
        return 2
    return _say(listed(chosen))


def _explain(name: str) -> int:
    row = attack_row(name.replace(":", "/"))
    if row is not None:
        return _say(explain_row(name, row))
    if unknown := _unknown([name]):
        _say(unknown)
        return 2
    found = cases_named(name)
    return _say(explain(found[0]) if found[0].id == name else listed(found))


def listed(cases: Sequence[Case]) -> str:
    """Each id with the reason below it."""
    return "\n".join(f"{case.id}\n    {case.reason}" for case in cases)


def _lint(server: adapter.Adapter) -> int:
    found = list(lint.findings())
    if not found:
        facts = published.fetch(server)
        cases = all_cases()
        uncovered = coverage.uncovered(cases, facts.tools, facts.described)
        found = [*published.differences(facts), *uncovered, *attack_findings(cases), *unshown(cases)]
    _say("\n".join(found) if found else f"{len(all_cases())} cases, nothing found")
    return 1 if found else 0


def _format() -> int:
    for path in case_paths():
        if not read_file(path).generated:
            document = json.loads(path.read_text(encoding="utf-8"))
            document["cases"].sort(key=lambda case: str(case["id"]))
            path.write_text(files.written(document), encoding="utf-8")
    return _say("done")
