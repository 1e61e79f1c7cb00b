"""`format=flowed` text as paragraphs (RFC 3676): soft line ends joined, space-stuffing undone, quotes kept apart."""

from __future__ import annotations

from typing import Final

_SIGNATURE: Final = "-- "
MAX_DEPTH: Final = 50


def unflow(text: str, *, delete_space: bool) -> str:
    """Join the lines that end in a blank with the next line of the same quote depth. `delete_space` is the parameter DelSp."""
    done: list[str] = []
    paragraph: list[str] = []
    depth = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        quotes, content = _quoted(line)
        if paragraph and (quotes != depth or content == _SIGNATURE):
            done.append(_line(paragraph, depth))
            paragraph = []
        depth = quotes
        if content.endswith(" ") and content != _SIGNATURE:
            paragraph.append(content[:-1] if delete_space else content)
        else:
            done.append(_line([*paragraph, content], depth))
            paragraph = []
    if paragraph:
        done.append(_line(paragraph, depth))
    return "\n".join(done)


def _quoted(line: str) -> tuple[int, str]:
    content = line.lstrip(">")
    return len(line) - len(content), content.removeprefix(" ")


def _line(pieces: list[str], depth: int) -> str:
    marks = ">" * min(depth, MAX_DEPTH)
    content = "".join(pieces)
    return f"{marks} {content}" if marks and content else marks or content
