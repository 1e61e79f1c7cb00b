"""Expectations in words: what an answer must hold, as a person says it, without the names of matchers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final

from conformance.model import Expectation, Json

LONG: Final = 300
"""Characters of one text that are shown; the rest is counted."""


def demanded(expect: Expectation, ok: Json) -> Iterator[str]:
    """What one answer must be, line by line. `ok` is what `expect` wants of a result, with generators replaced."""
    if expect.ok is not None:
        yield "a result in which" if ok else "a result"
        yield from (f"    {field} is {in_words(wanted)}" for field, wanted in ok.items())
    elif expect.refused is not None:
        yield f"the refusal `{expect.refused}`" + (f", which blames the argument `{expect.field}`" if expect.field else "")
    else:
        yield f"the JSON-RPC error {expect.protocol_error}"


def in_words(expected: Json) -> str:
    """One expectation. Texts and numbers stand as JSON; what a terminal would act on stands as an escape."""
    if isinstance(expected, dict):
        if len(expected) == 1 and (name := next(iter(expected))) in _WORDS:
            return _WORDS[name](expected[name])
        return "{" + ", ".join(f"{key}: {in_words(value)}" for key, value in expected.items()) + "}"
    if isinstance(expected, list):
        return "[" + ", ".join(in_words(value) for value in expected) + "]"
    text = printable(json.dumps(expected, ensure_ascii=False))
    return text if len(text) <= LONG else f"{text[:LONG]}… ({len(text)} characters)"


def printable(text: str) -> str:
    """The text with each character that is not printable as JSON escapes it, so that a line of JSON stays one."""
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def _length(wanted: Json) -> str:
    return f"of the length {in_words(wanted)}"


def _column(wanted: Json) -> str:
    ((key, values),) = wanted.items()
    return f"a list whose {key}, row by row, is {in_words(values)}"


_WORDS: Final[dict[str, Callable[[Json], str]]] = {
    "$regex": lambda wanted: f"a text that fits the pattern {in_words(wanted)}",
    "$length": _length,
    "$absent": lambda _: "absent",
    "$any": lambda _: "there",
    "$contains": lambda wanted: f"with {in_words(wanted)} in it",
    "$lacks": lambda wanted: f"without {in_words(wanted)} in it",
    "$at_most": lambda wanted: f"at most {in_words(wanted)}",
    "$at_least": lambda wanted: f"at least {in_words(wanted)}",
    "$column": _column,
    "$each": lambda wanted: f"a list of which each is {in_words(wanted)}",
    "$not": lambda wanted: f"not {in_words(wanted)}",
    "$all": lambda wanted: " and ".join(in_words(one) for one in wanted),
}
"""A way to say each matcher of `matching`."""
