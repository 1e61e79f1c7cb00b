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
from conformance.attack_rows import attack_findings
from conformance.explain import explain
from conformance.generator import files
from conformance.library import all_cases, case_named, case_paths, read_file
from conformance.model import Case
from conformance.outcome import Outcome, Verdict
from conformance.peer_faults import unshown
from conformance.session import run
from conformance.table import families, report, table

LISTED: Final = "`python -m conformance list` shows them all"


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
            return _list(options.tool)
        case "explain":
            return _explain(options.id)
        case "lint":
            return _lint(options.adapter)
        case "generate":
            return _say(f"{files.write()} cases written")
        case _:
            return _format()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance", description="Play cases against an MCP server for mail, over STDIO.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    play = commands.add_parser("run", help="play cases and print a table by tool")
    play.add_argument(
        "--case", action="append", default=[], metavar="ID", help="only this case; may be repeated; a trailing * stands for anything"
    )
    play.add_argument("--server", type=_command, metavar="CMD", help="another server command than the adapter's")
    play.add_argument(
        "-j", dest="workers", type=int, default=os.cpu_count() or 2, metavar="N", help="servers side by side (default: processors)"
    )
    show = commands.add_parser("list", help="list ids with their reasons")
    for one in (play, show):
        one.add_argument("--tool", metavar="NAME", help="only cases of this tool")
    explaining = commands.add_parser("explain", help="tell what a case states, why, and the lines it sends")
    explaining.add_argument("id", metavar="ID")
    linting = commands.add_parser("lint", help="check the cases, and that they cover what the server publishes")
    for one in (play, linting):
        one.add_argument(
            "--adapter", type=_adapter, default=adapter.DEFAULT, metavar="NAME", help="a file of adapters/, or a path ending in .json"
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
    def wanted(case: Case) -> bool:
        named = any(case.id == one or (one.endswith("*") and case.id.startswith(one[:-1])) for one in options.case)
        return (not options.case or named) and (options.tool is None or case.tool == options.tool)

    return [case for case in all_cases() if wanted(case)]


def _run(options: argparse.Namespace) -> int:
    cases = _chosen(options)
    if not cases:
        _say(f"no case of this id or tool; {LISTED}")
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
    return 1 if failed else 0


def _list(tool: str | None) -> int:
    chosen = [case for case in all_cases() if tool in {None, case.tool}]
    if not chosen:
        _say(f"no case is of this tool; {LISTED}")
        return 2
    return _say("\n".join(f"{case.id}\n    {case.reason}" for case in chosen))


def _explain(case_id: str) -> int:
    try:
        return _say(explain(case_named(case_id)))
    except KeyError:
        _say(f"no case is named {case_id!r}; {LISTED}")
        return 2


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
