"""What each kind makes of a command's answer: octets in, steps out. Pure; who asks has carried the command out, or not (`Place`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from fakebridge.faults import untruths
from fakebridge.faults.delivery import Drip, End, Repeat, Send, Step, Wait
from fakebridge.faults.exchange import Exchange
from fakebridge.faults.kinds import FaultKind
from fakebridge.faults.lines import Line, joined

INCONSISTENT: Final = b"* BYE IMAP session state is inconsistent, please re-login.\r\n"
PIECE: Final = 65_536
_QUOTED_OR_NUMBER: Final = re.compile(rb'("(?:[^"\\]|\\.)*")|\d+')
_UID: Final = re.compile(rb"\b(UID )(\d+)")
_STRUCTURE: Final = re.compile(rb"\b(?:BODYSTRUCTURE|BODY) (?=\()")
_FLOOD_LINES: Final = 1000


def steps(exchange: Exchange) -> tuple[Step, ...]:
    """What the client gets."""
    return _KINDS[exchange.rule.do](exchange)


def _each(exchange: Exchange, change: Callable[[Line], Line]) -> tuple[Step, ...]:
    return (Send(joined(change(line) for line in exchange.lines)),)


# Instead of the command


def _garbage(exchange: Exchange) -> tuple[Step, ...]:
    return (Send(exchange.text + b"\r\n"),)


def _endless(exchange: Exchange) -> tuple[Step, ...]:
    return (Send(b"* OK "), Repeat(b"x" * PIECE, exchange.rule.octets), End())


def _bye(exchange: Exchange) -> tuple[Step, ...]:
    return (Send(b"* BYE " + exchange.text + b"\r\n"), End())


def _refusal(status: bytes) -> Callable[[Exchange], tuple[Step, ...]]:
    return lambda exchange: (Send(exchange.tag + b" " + status + b" " + exchange.text + b"\r\n"),)


def _own_lines(exchange: Exchange) -> tuple[Step, ...]:
    lines = [*exchange.text.splitlines(), exchange.tag + b" OK done"]
    return (Send(b"".join(line + b"\r\n" for line in lines)),)


def _verbatim(exchange: Exchange) -> tuple[Step, ...]:
    return (Send(exchange.tagged_text),)


def _gone(exchange: Exchange) -> tuple[Step, ...]:
    names_it = exchange.verb in ("SELECT", "EXAMINE", "STATUS", "APPEND", "RENAME", "DELETE", "SUBSCRIBE", "UNSUBSCRIBE")
    if names_it or not exchange.is_open:
        code = b"[TRYCREATE] " if exchange.verb == "APPEND" else b""
        return (Send(exchange.tag + b" NO " + code + b"no such mailbox\r\n"),)
    return (Send(INCONSISTENT), End())


# Broken transport


def _bye_inside(exchange: Exchange) -> tuple[Step, ...]:
    """The first half of the first line, then the BYE on a line of its own."""
    first = exchange.lines[0].octets() if exchange.lines else b""
    return (Send(first[: len(first) // 2] + b"\r\n* BYE " + exchange.text + b"\r\n"), End())


def _in_literal(exchange: Exchange) -> tuple[Step, ...]:
    """Up to a place inside the first literal; an answer without one loses its last line."""
    sent: list[bytes] = []
    for line in exchange.lines:
        if line.literals:
            literal = line.literals[0]
            sent.append(line.texts[0] + b"{%d}\r\n" % len(literal) + literal[: exchange.rule.octets])
            return (Send(b"".join(sent)), End())
        sent.append(line.octets())
    return (Send(b"".join(sent[:-1])), End())


def _drip(exchange: Exchange) -> tuple[Step, ...]:
    return (Drip(exchange.answer, max(1, exchange.rule.octets)),)


def _first_literal(exchange: Exchange, written: Callable[[bytes], bytes]) -> tuple[Step, ...]:
    """With the first literal of the answer written otherwise, braces and all."""
    lines = list(exchange.lines)
    sent: list[bytes] = []
    for index, line in enumerate(lines):
        if line.literals:
            rest = replace(line, texts=line.texts[1:], literals=line.literals[1:])
            sent.append(line.texts[0] + written(line.literals[0]) + rest.octets() + joined(lines[index + 1 :]))
            break
        sent.append(line.octets())
    return (Send(b"".join(sent)),)


def _wrong_length(exchange: Exchange) -> tuple[Step, ...]:
    return _first_literal(exchange, lambda literal: b"{" + exchange.text + b"}\r\n" + literal)


def _overflow(exchange: Exchange) -> tuple[Step, ...]:
    return _first_literal(exchange, lambda literal: b"{%d}\r\n" % len(literal) + literal + b"x" * exchange.rule.octets)


def _octets(exchange: Exchange) -> tuple[Step, ...]:
    at = exchange.rule.octets
    return (Send(exchange.answer[:at] + exchange.text + exchange.answer[at:]),)


# Untrue answers


def _uids(exchange: Exchange, change: Callable[[int], int]) -> tuple[Step, ...]:
    """With every UID changed: in FETCH lines, in the line of UID SEARCH, in APPENDUID."""

    def altered(line: Line) -> Line:
        if exchange.verb == "UID SEARCH" and line.has_begin(b"* SEARCH"):
            return line.altered(lambda text: re.sub(rb"\d+", lambda found: b"%d" % change(int(found[0])), text))
        if line.has_begin(b"* "):
            return line.altered(lambda text: _UID.sub(lambda found: found[1] + b"%d" % change(int(found[2])), text))
        return line.altered(lambda text: re.sub(rb"(\[APPENDUID \d+ )(\d+)", lambda found: found[1] + b"%d" % change(int(found[2])), text))

    return _each(exchange, altered)


def _repeated(exchange: Exchange) -> tuple[Step, ...]:
    seen: list[int] = []

    def change(uid: int) -> int:
        seen.append(uid)
        return seen[0]

    return _uids(exchange, change)


def _other_tag(exchange: Exchange) -> tuple[Step, ...]:
    def altered(line: Line) -> Line:
        if not line.has_begin(exchange.tag + b" "):
            return line
        return replace(line, texts=(exchange.text + line.texts[0][len(exchange.tag) :], *line.texts[1:]))

    return _each(exchange, altered)


def _flood(exchange: Exchange) -> tuple[Step, ...]:
    line = exchange.text + b"\r\n"
    piece = line * min(_FLOOD_LINES, max(1, exchange.rule.count))
    return (Repeat(piece, len(line) * exchange.rule.count), Send(exchange.answer))


def _moved(line: Line, step: int) -> Line:
    return line.altered(lambda text: _UID.sub(lambda uid: uid[1] + b"%d" % (int(uid[2]) + step), text))


def _fetch_other(exchange: Exchange) -> tuple[Step, ...]:
    """Behind the first FETCH line, the same for messages that nobody asked for: number and UID are others, the content is the same."""
    lines: list[Line] = []
    for line in exchange.lines:
        lines.append(line)
        found = re.match(rb"\* (\d+) FETCH ", line.texts[0])
        if found is None or any(re.match(rb"\* \d+ FETCH ", one.texts[0]) for one in lines[:-1]):
            continue
        for step in range(1001, exchange.rule.count + 1001):
            moved = _moved(line, step)
            begin = b"* %d FETCH " % (int(found[1]) + step)
            lines.append(replace(moved, texts=(begin + moved.texts[0][found.end() :], *moved.texts[1:])))
    return (Send(joined(lines)),)


def _numbers_of(item: bytes, text: bytes, value: bytes) -> bytes:
    """The numbers behind an item (`RFC822.SIZE 12`, `[UIDNEXT 4]`) or before it (`* 3 EXISTS`)."""
    name = re.escape(item)
    text = re.sub(rb"\b(" + name + rb" )(\d+)", lambda found: found[1] + value, text)
    return re.sub(rb"\A(\* )\d+( " + name + rb"\b)", lambda found: found[1] + value + found[2], text)


def _numbers(exchange: Exchange, value: bytes) -> tuple[Step, ...]:
    item = exchange.rule.item

    def altered(line: Line) -> Line:
        if not line.has_begin(b"* "):
            return line.altered(lambda text: text if item is None else _numbers_of(item.encode(), text, value))
        if item is not None:
            return line.altered(lambda text: _numbers_of(item.encode(), text, value))
        return line.altered(lambda text: _QUOTED_OR_NUMBER.sub(lambda found: found[1] or value, text))

    return _each(exchange, altered)


def _size(exchange: Exchange) -> tuple[Step, ...]:
    size = b"%d" % exchange.rule.count
    return _each(exchange, lambda line: line.altered(lambda text: re.sub(rb"\b(RFC822\.SIZE )\d+", lambda found: found[1] + size, text)))


def _structure(exchange: Exchange) -> tuple[Step, ...]:
    def changed(text: bytes) -> bytes:
        found = _STRUCTURE.search(text)
        if found is None:
            return text
        return text[: found.end()] + exchange.text + changed(text[_end_of_list(text, found.end()) :])

    return _each(exchange, lambda line: line.altered(changed))


def _end_of_list(text: bytes, begin: int) -> int:
    """Behind the parenthesis that closes the list which begins here."""
    depth = 0
    for found in re.finditer(rb'"(?:[^"\\]|\\.)*"|[()]', text[begin:]):
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        if depth == 0:
            return begin + found.end()
    return len(text)


def _nested(exchange: Exchange) -> tuple[Step, ...]:
    found = re.search(rb"^\* (\d+) FETCH ", exchange.answer, re.MULTILINE)
    number = found[1] if found else b"1"
    depth = exchange.rule.count
    return (Send(b"* " + number + b" FETCH (BODYSTRUCTURE " + b"(" * depth + b")" * depth + b")\r\n" + exchange.answer),)


_KINDS: Final[dict[FaultKind, Callable[[Exchange], tuple[Step, ...]]]] = {
    FaultKind.DROP: lambda _: (End(),),
    FaultKind.DROP_IN_LITERAL: _in_literal,
    FaultKind.STALL: lambda _: (),
    FaultKind.DRIP: _drip,
    FaultKind.LATE: lambda exchange: (Wait(exchange.rule.seconds), Send(exchange.answer)),
    FaultKind.LITERAL_LENGTH: _wrong_length,
    FaultKind.LITERAL_OVERFLOW: _overflow,
    FaultKind.GARBAGE: _garbage,
    FaultKind.ENDLESS_LINE: _endless,
    FaultKind.BYE: _bye,
    FaultKind.NO: _refusal(b"NO"),
    FaultKind.BAD: _refusal(b"BAD"),
    FaultKind.LOGIN_REFUSED: _refusal(b"NO"),
    FaultKind.ANSWER: _own_lines,
    FaultKind.VERBATIM: _verbatim,
    FaultKind.BYE_INSIDE: _bye_inside,
    FaultKind.COMPLETION: untruths.completion,
    FaultKind.UNSOLICITED: untruths.unsolicited,
    FaultKind.VALIDITY_LIES: untruths.validity,
    FaultKind.UID_ABSENT: untruths.uid_absent,
    FaultKind.BODY_TWICE: untruths.body_twice,
    FaultKind.PARTIAL_LIES: untruths.partial,
    FaultKind.ITEM_LIES: untruths.item,
    FaultKind.UIDVALIDITY: lambda exchange: (Send(exchange.answer),),
    FaultKind.UIDS_RENUMBERED: lambda exchange: _uids(exchange, lambda uid: uid + exchange.rule.count),
    FaultKind.UIDS_REPEATED: _repeated,
    FaultKind.UID_ZERO: lambda exchange: _uids(exchange, lambda _: 0),
    FaultKind.MAILBOX_GONE: _gone,
    FaultKind.ANSWER_LOST: lambda _: (End(),),
    FaultKind.ANSWER_TWICE: lambda exchange: (Send(exchange.answer * 2),),
    FaultKind.OTHER_TAG: _other_tag,
    FaultKind.FLOOD: _flood,
    FaultKind.FETCH_OTHER: _fetch_other,
    FaultKind.SIZE_LIES: _size,
    FaultKind.STRUCTURE_LIES: _structure,
    FaultKind.NEGATIVE_NUMBER: lambda exchange: _numbers(exchange, b"-1"),
    FaultKind.HUGE_NUMBER: lambda exchange: _numbers(exchange, b"9" * max(1, exchange.rule.count)),
    FaultKind.OCTETS: _octets,
    FaultKind.NESTED_LIST: _nested,
}
"""Everything that befalls a command or a greeting; other kinds (of handshakes, greetings, continuations, certificates) are the servers'."""
