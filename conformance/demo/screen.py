"""What the terminal shows: colour on a TTY only, texts shortened, and nothing raw that a mail could have brought."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from typing import Final

WIDTH: Final = 100
CLAIM: Final = 44
MAX_LINES: Final = 9
MAX_STRING: Final = 120
MAX_ITEMS: Final = 4
# What an answer says on every call, or what a walk through a mailbox needn't show; nothing is kept from the model.
QUIET: Final = frozenset(
    {
        "fence",
        "cleaned",
        "security_notice",
        "threading_notice",
        "uid_validity",
        "raw_name",
        "selectable",
        "date",
        "date_iso",
        "to_count",
        "cc_count",
        "starred",
        "size_bytes",
        "skipped",
        "verification",
        "digest",
        "bcc_count",
        "replied_to",
        "link_mismatches",
    }
)

_BOLD, _DIM, _RED, _GREEN, _CYAN = "1", "2", "31", "32", "36"


def _colours() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def _paint(style: str, text: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if _colours() else text


def printable(text: str) -> str:
    """`text` with everything that isn't printable as a visible escape; line ends stay."""
    return "".join(char if char.isprintable() or char == "\n" else f"\\u{{{ord(char):04x}}}" for char in text)


def say(text: str) -> None:
    """One line, as it is, at once. If nobody reads any more (`make demo | head`), the walk goes on unseen."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def title(text: str) -> None:
    """A heading."""
    say(f"\n{_paint(_BOLD, printable(text))}")


def step(number: int, why: str, tool: str, arguments: dict[str, object]) -> None:
    """What is asked, and why."""
    say(f"\n{_paint(_BOLD, f'{number:>2}. {why}')}")
    question = f"→ {tool} {json.dumps(shorten(arguments), ensure_ascii=False)}"
    for line in textwrap.wrap(printable(question), WIDTH - 6, subsequent_indent="  ", break_on_hyphens=False):
        say(_indent(_paint(_CYAN, line)))


def answer(facts: object, blocks: list[str]) -> None:
    """What the model sees: the structured part, then each fenced block."""
    text = json.dumps(shorten(facts, QUIET), ensure_ascii=False)
    for line in textwrap.wrap(printable(text), WIDTH - 6, max_lines=MAX_LINES, placeholder=" …", break_on_hyphens=False):
        say(_indent(line))
    for block in blocks:
        lines = printable(block).splitlines()
        shown = lines if len(lines) <= MAX_LINES else [*lines[: MAX_LINES - 3], f"… {len(lines) - MAX_LINES + 2} more lines …", lines[-1]]
        for line in shown:
            say(_indent(_paint(_DIM, textwrap.shorten(line, WIDTH - 8, placeholder=" …") if len(line) > WIDTH - 8 else line), extra=2))


def evidence(claim: str, *, found: str, holds: bool) -> None:
    """One claim, what was found, and whether it holds."""
    mark = _paint(_GREEN, "✓") if holds else _paint(_RED, "✗")
    first, *more = textwrap.wrap(printable(found), WIDTH - CLAIM - 5, break_on_hyphens=False) or [""]
    say(f"  {mark} {claim:<{CLAIM}} {first}")
    for line in more:
        say(f"    {'':<{CLAIM}} {line}")


def failure(text: str) -> None:
    """Why the demo can't go on."""
    sys.stderr.write(_paint(_RED, printable(text)) + "\n")


def shorten(value: object, quiet: frozenset[str] = frozenset()) -> object:
    """Long strings and lists cut, with what was left out counted; empty values and `quiet` members left out."""
    match value:
        case str() if len(value) > MAX_STRING:
            return f"{value[:MAX_STRING]}… ({len(value)} characters)"
        case list() if len(value) > MAX_ITEMS:
            return [*(shorten(item, quiet) for item in value[:MAX_ITEMS]), f"… {len(value) - MAX_ITEMS} more"]
        case list():
            return [shorten(item, quiet) for item in value]
        case {"name": str(name), "address": str(address), **rest} if not rest:
            return f"{name} <{address}>"
        case dict():
            return {key: shorten(item, quiet) for key, item in value.items() if key not in quiet and item not in (None, [], {}, "")}
        case _:
            return value


def _indent(text: str, extra: int = 0) -> str:
    return " " * (4 + extra) + text
