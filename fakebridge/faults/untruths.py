"""Answers that say something else than Bridge found: how a command ended, which UIDVALIDITY, which body. Pure, like `altering`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from fakebridge.faults.delivery import Send, Step
from fakebridge.faults.exchange import Exchange
from fakebridge.faults.lines import Line, joined

_VALIDITY: Final = re.compile(rb"\b(UIDVALIDITY )\d+")
_UID_ITEM: Final = re.compile(rb"(?<=\()UID \d+ ?| UID \d+")
_ORIGIN: Final = re.compile(rb"(?<=\])<\d+>(?= \Z)")
_ITEM_NAME: Final = re.compile(rb" ?([A-Z0-9.]+) ")
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[()]|[^ ()"]+| ')
_FETCH: Final = re.compile(rb"\* \d+ FETCH ")


def completion(exchange: Exchange) -> tuple[Step, ...]:
    """The data as they are, the tagged line replaced."""
    begin = exchange.tag + b" "
    kept = joined(line for line in exchange.lines if not line.has_begin(begin))
    return (Send(kept + exchange.tagged_text + b"\r\n"),)


def unsolicited(exchange: Exchange) -> tuple[Step, ...]:
    """Lines of the rule's own between the data and the tagged line."""
    begin = exchange.tag + b" "
    data = joined(line for line in exchange.lines if not line.has_begin(begin))
    own = b"".join(line + b"\r\n" for line in exchange.tagged_text.split(b"\n"))
    return (Send(data + own + joined(line for line in exchange.lines if line.has_begin(begin))),)


def validity(exchange: Exchange) -> tuple[Step, ...]:
    """Another UIDVALIDITY; without a text no line that has one."""
    if not exchange.text:
        return (Send(joined(line for line in exchange.lines if not _VALIDITY.search(line.texts[0]))),)
    return (
        Send(joined(line.altered(lambda text: _VALIDITY.sub(lambda found: found[1] + exchange.text, text)) for line in exchange.lines)),
    )


def uid_absent(exchange: Exchange) -> tuple[Step, ...]:
    """FETCH lines that do not say which message they are about."""
    return (Send(joined(line.altered(lambda text: _UID_ITEM.sub(b"", text)) if _is_fetch(line) else line for line in exchange.lines)),)


def body_twice(exchange: Exchange) -> tuple[Step, ...]:
    """Each FETCH line twice, the second time with the rule's text in every literal."""
    lines: list[Line] = []
    for line in exchange.lines:
        lines.append(line)
        if _is_fetch(line):
            lines.append(replace(line, literals=(exchange.text,) * len(line.literals)))
    return (Send(joined(lines)),)


def item(exchange: Exchange) -> tuple[Step, ...]:
    """Another value for one item, or for all of them; names stay. What a literal says is left alone."""
    wanted = exchange.rule.item.encode() if exchange.rule.item else None

    def altered(line: Line) -> Line:
        if not _is_fetch(line):
            return line
        return line.altered(lambda text: _with_value(text, wanted, exchange.text))

    return (Send(joined(altered(line) for line in exchange.lines)),)


def _with_value(text: bytes, wanted: bytes | None, value: bytes) -> bytes:
    """A text of a FETCH line: names and values in turn, up to a name whose value is a literal."""
    head = _FETCH.match(text)
    at = head.end() + 1 if head else 0
    written = [text[:at]]
    while name := _ITEM_NAME.match(text, at):
        begin, end = name.end(), _end_of_value(text, name.end())
        if end == begin:
            break
        is_meant = wanted is None or name[1].upper() == wanted
        written += [text[at:begin], value if is_meant else text[begin:end]]
        at = end
    return b"".join([*written, text[at:]])


def _end_of_value(text: bytes, begin: int) -> int:
    """Behind the list, string or word that begins here."""
    depth = 0
    for token in _TOKEN.finditer(text, begin):
        depth += {b"(": 1, b")": -1}.get(token[0], 0)
        if depth == 0 and token[0].strip():
            return token.end()
        if depth < 0:
            break
    return begin


def partial(exchange: Exchange) -> tuple[Step, ...]:
    """A section under another origin (the rule's text), of so many octets; 0 leaves its length alone."""

    def altered(line: Line) -> Line:
        texts = (*(_ORIGIN.sub(exchange.text, text) for text in line.texts[:-1]), line.texts[-1])
        length = exchange.rule.octets
        return replace(line, texts=texts, literals=tuple(_filled(literal, length) if length else literal for literal in line.literals))

    return (Send(joined(altered(line) for line in exchange.lines)),)


def _filled(literal: bytes, length: int) -> bytes:
    return (literal + b"x" * length)[:length]


def _is_fetch(line: Line) -> bool:
    return _FETCH.match(line.texts[0]) is not None
