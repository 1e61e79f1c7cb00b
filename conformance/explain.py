"""A case told to a person: the exact lines that go over the pipe, what must come back, what must not happen, why, and how to replay it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping

from conformance import origins
from conformance.attack_rows import AttackRow, attack_row
from conformance.by_hand import commands
from conformance.client import PROTOCOL, request_line
from conformance.evidence import allowed_sets
from conformance.lint import flag_notes
from conformance.model import (
    AbandonedStep,
    AlterStep,
    BurstStep,
    CallStep,
    Case,
    ControlStep,
    Expectation,
    HoldStep,
    JournalStep,
    Json,
    ListenStep,
    RefusedStartStep,
    ReleaseStep,
    RestartStep,
    Step,
    UnvisitedStep,
)
from conformance.peer_faults import peer_faults
from conformance.values import UID_KEY, expand
from conformance.wording import demanded, in_words, printable
from conformance.worlds_at_hand import mail_files, uids, where

LONG = 4_000
COMMAND = "python -m conformance"


class _Placeholders(dict[str, Json]):
    """Names whose values only a run can know stay as they stand in the case."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def __missing__(self, name: str) -> Json:
        return f"${name}"


def explain(case: Case) -> str:
    """The whole explanation as text."""
    sections = [_head(case), ["Script", *_lines(case)], ["Must not happen", *_never(case)], ["Replay", *_replay(case)]]
    return "\n\n".join("\n".join(section) for section in sections)


def explain_row(name: str, row: AttackRow) -> str:
    """A row of the attack catalogue, by its name with a colon: what it is, its forms, and how to play them."""
    lines = [name, f"attack: {row.attack}"]
    if row.left_out is not None:
        return "\n".join([*lines, f"no case: {row.left_out}"])
    lines += [f"safe: {row.outcome}", "", "Forms, each a case", *(f"  {name}:{form}" for form in row.forms)]
    lines += [f"  left out: {form}: {reason}" for form, reason in row.forms_left_out.items()]
    return "\n".join([*lines, "", "Replay", f"  {COMMAND} run {name}", f"  {COMMAND} explain {name}:{row.forms[0]}    one form in detail"])


def _head(case: Case) -> list[str]:
    row = attack_row(case.attack) if case.attack else None
    return [
        case.id,
        *([f"attack: {row.attack}", f"safe: {row.outcome}"] if row else []),
        f"why: {case.reason}",
        f"because of {origins.in_words(case.source)}",
        *(f"known from other servers, absent here: {peer_faults()[fault].about}" for fault in case.peer_faults),
        f"mailbox: {where(case.world)}",
        *_mails(case),
        *([f"environment of the server: {in_words(case.environment)}"] if case.environment else []),
        *(["begins with a server that has just been started"] if case.fresh else []),
        *(f"note: {flag_notes().get(flag, '')}" for flag in case.flags),
    ]


def _mails(case: Case) -> Iterator[str]:
    """Each mail that the script names, as a file that can be opened."""
    text = case.model_dump_json(by_alias=True)
    files = mail_files(case.world)
    for handle, uid in uids(case.world).items():
        if f'{{"{UID_KEY}":"{handle}"}}' in text and handle in files:
            yield f"mail of uid {uid}: {files[handle]}"


def _lines(case: Case) -> Iterator[str]:
    numbers = itertools.count(1)
    names = _Placeholders({UID_KEY: uids(case.world)})
    params = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "conformance", "version": "1"}}
    yield _sent({"jsonrpc": "2.0", "id": next(numbers), "method": "initialize", "params": params})
    yield _sent({"jsonrpc": "2.0", "method": "notifications/initialized"})
    for step in case.script:
        match step:
            case CallStep():
                if step.times > 1:
                    yield f"  the next line {step.times} times with growing ids, each time when the one before has been answered"
                if step.until is not None:
                    yield f"  the next line again and again, as long as it is refused with `{step.until}`"
                yield _call(next(numbers), step.call, step.arguments, names)
                yield from _back(step.expect, names, "must come back")
                yield from (f"  ${name} is {path} of the result" for name, path in step.capture.items())
            case BurstStep():
                yield f"  the next {len(step.burst)} lines at once"
                for one in step.burst:
                    yield _call(next(numbers), one.call, one.arguments, names)
                    yield from _back(one.expect, names, "must come back, in any order")
            case HoldStep(hold=held):
                yield f"  the next line {held.times} times with growing ids, not waiting for answers"
                yield _call(next(numbers), held.call, held.arguments, names)
            case ReleaseStep():
                yield "  all calls without an answer are cancelled (notifications/cancelled); none of them is answered"
            case _:
                yield from _beside(step, names)


def _beside(step: Step, names: Mapping[str, Json]) -> Iterator[str]:
    """A step in which nothing is sent to the server."""
    match step:
        case ControlStep():
            yield f"  fakebridge is told {_short(json.dumps(step.control, ensure_ascii=False))}"
            if "rules" in step.control:
                yield "  (python -m fakebridge faults tells what each `do` in rules means)"
            if step.reply:
                yield f"  and its answer must hold {in_words(expand(step.reply, names))}"
        case RestartStep():
            yield "  the server ends and starts again with the same state folder"
        case AlterStep():
            yield f"  each file of the state folder that holds {in_words(step.alter_stored)} is altered"
        case JournalStep():
            entry = in_words(expand(step.journal, names))
            yield f"  the number of entries like {entry} in fakebridge's journal must be {in_words(step.count)}"
        case RefusedStartStep():
            changes = in_words(step.environment)
            yield f"  another server with {changes} ends at once, says {step.start_refused} on standard error and nothing else"
        case ListenStep(listen=name):
            yield f"  somebody listens on 127.0.0.1; ${name} is the port"
        case UnvisitedStep(unvisited=name):
            yield f"  nobody has connected to the port ${name}"
        case AbandonedStep():
            yield "  no connection on which a fault was met has seen another command; a later one has"


def _back(expect: Expectation, names: Mapping[str, Json], what: str) -> Iterator[str]:
    first, *others = demanded(expect, expand(expect.ok, names) if expect.ok is not None else None)
    yield f"  {what}: {first}"
    yield from (f"  {line}" for line in others)
    yield from (f"  without {in_words(expand(text, names))} anywhere in it" for text in expect.never)


def _never(case: Case) -> Iterator[str]:
    rule = allowed_sets()[case.allowed]
    commands = f"no command but {', '.join(rule.commands)}" if rule.commands else "no command at all"
    yield f"  in Bridge's journal: {commands}; no flag changed; nothing sent"
    yield f"  stored: {'nothing but in ' + ', '.join(rule.writes_to) if rule.writes_to else 'nothing'}"
    canaries = expand(case.canaries, _Placeholders())
    if canaries:
        yield f"  in an answer or on standard error: {', '.join(in_words(text) for text in canaries)}"
    yield "  in an answer: the password, a folder of this computer, a character that nobody sees, what was planted where nobody looks"
    yield "  no answer in time, or a server that does not answer the next ping" + (" and the next call" if case.attack else "")


def _replay(case: Case) -> Iterator[str]:
    yield f"  {COMMAND} run {case.id}"
    yield f"  {COMMAND} run {case.id} --server 'CMD'    another server: a command that speaks MCP over STDIO"
    if case.attack is not None:
        yield f"  {COMMAND} run {case.attack.replace('/', ':')}    every form of this attack"
    by_hand = commands(case)
    if by_hand:
        yield "  by hand, in two terminals; Ctrl-D ends each:"
        yield from (f"    {command}" for command in by_hand)
        yield "    the first takes what fakebridge is told, the second the lines behind →, and answers"


def _call(number: int, tool: str, arguments: dict[str, Json], names: Mapping[str, Json]) -> str:
    filled = expand(arguments, names)
    return _sent({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": filled}})


def _sent(message: dict[str, Json]) -> str:
    return f"→ {_short(request_line(message).decode('utf-8', 'replace').rstrip(chr(10)))}"


def _short(text: str) -> str:
    line = printable(text)
    return line if len(line) <= LONG else f"{line[:LONG]}… ({len(line)} characters)"
