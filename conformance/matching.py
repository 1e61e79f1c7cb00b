"""How an expectation is compared with what came: subset matching with a small closed set of matchers.

A dict matches when each of its keys matches; further keys of the answer are free. A list matches element by element and in length.
Literals match by type and value: 1 is not true and not 1.0. A dict with one key that begins with `$` is a matcher.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from conformance.model import Json

_MISSING = object()


def mismatches(expected: Json, actual: Json, *, at: str = "result") -> Iterator[str]:
    """Each place where `actual` differs from `expected`, as a sentence. Nothing means that it matches."""
    if (matcher := _matcher(expected)) is not None:
        name, wanted = matcher
        yield from MATCHERS[name](wanted, actual, at)
    elif actual is _MISSING:
        yield f"{at} is missing"
    elif isinstance(expected, dict):
        yield from _dict(expected, actual, at)
    elif isinstance(expected, list):
        yield from _list(expected, actual, at)
    elif type(expected) is not type(actual) or expected != actual:
        yield f"{at} is {_shown(actual)} instead of {_shown(expected)}"


def matches(expected: Json, actual: Json) -> bool:
    """Whether `actual` fits `expected`."""
    return next(mismatches(expected, actual), None) is None


def _matcher(expected: Json) -> tuple[str, Json] | None:
    if isinstance(expected, dict) and len(expected) == 1:
        (key, value) = next(iter(expected.items()))
        if isinstance(key, str) and key.startswith("$"):
            if key not in MATCHERS:
                raise ValueError(f"there is no matcher {key}")
            return key, value
    return None


def _shown(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}… ({len(text)} characters)"


def _dict(expected: dict[str, Json], actual: Json, at: str) -> Iterator[str]:
    if not isinstance(actual, dict):
        yield f"{at} is {_shown(actual)} instead of an object"
        return
    for key, value in expected.items():
        yield from mismatches(value, actual.get(key, _MISSING), at=f"{at}.{key}")


def _list(expected: list[Json], actual: Json, at: str) -> Iterator[str]:
    if not isinstance(actual, list):
        yield f"{at} is {_shown(actual)} instead of a list"
        return
    if len(actual) != len(expected):
        yield f"{at} has {len(actual)} elements instead of {len(expected)}"
    for number, (wanted, got) in enumerate(zip(expected, actual, strict=False)):
        yield from mismatches(wanted, got, at=f"{at}.{number}")


def _regex(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    if not isinstance(actual, str) or re.search(wanted, actual) is None:
        yield f"{at} is {_shown(actual)}, which does not match {wanted}"


def _length(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    if not isinstance(actual, (str, list)):
        yield f"{at} is {_shown(actual)}, which has no length"
    else:
        yield from mismatches(wanted, len(actual), at=f"the length of {at}")


def _absent(_: Json, actual: Json, at: str) -> Iterator[str]:
    if actual is not _MISSING:
        yield f"{at} is {_shown(actual)} instead of absent"


def _any(_: Json, actual: Json, at: str) -> Iterator[str]:
    if actual is _MISSING:
        yield f"{at} is missing"


def _contains(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    if isinstance(actual, str):
        found = isinstance(wanted, str) and wanted in actual
    else:
        found = isinstance(actual, list) and any(matches(wanted, one) for one in actual)
    if not found:
        yield f"{at} is {_shown(actual)}, which does not contain {_shown(wanted)}"


def _lacks(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    if actual is _MISSING or matches({"$contains": wanted}, actual):
        yield f"{at} is {'missing' if actual is _MISSING else _shown(actual)} and should lack {_shown(wanted)}"


def _at_most(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    if not isinstance(actual, int) or isinstance(actual, bool) or actual > wanted:
        yield f"{at} is {_shown(actual)} instead of at most {wanted}"


def _at_least(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    if not isinstance(actual, int) or isinstance(actual, bool) or actual < wanted:
        yield f"{at} is {_shown(actual)} instead of at least {wanted}"


def _column(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    ((key, values),) = wanted.items()
    if not isinstance(actual, list):
        yield f"{at} is {_shown(actual)} instead of a list"
        return
    yield from mismatches(values, [row.get(key) if isinstance(row, dict) else row for row in actual], at=f"the column {key} of {at}")


def _each(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    if not isinstance(actual, list) or not actual:
        yield f"{at} is {_shown(actual)} instead of a list with elements"
        return
    for number, row in enumerate(actual):
        yield from mismatches(wanted, row, at=f"{at}.{number}")


def _not(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    if actual is _MISSING or matches(wanted, actual):
        yield f"{at} is {'missing' if actual is _MISSING else _shown(actual)}, which it must not be"


def _all(wanted: Json, actual: Json, at: str) -> Iterator[str]:
    for one in wanted:
        yield from mismatches(one, actual, at=at)


MATCHERS: dict[str, Callable[[Json, Json, str], Iterator[str]]] = {
    "$regex": _regex,
    "$length": _length,
    "$absent": _absent,
    "$any": _any,
    "$contains": _contains,
    "$lacks": _lacks,
    "$at_most": _at_most,
    "$at_least": _at_least,
    "$column": _column,
    "$each": _each,
    "$not": _not,
    "$all": _all,
}
"""The closed set: text pattern, length, absence, presence, containment and its opposite, limits, one key of each row, a rule for each row,
anything else, several rules at once."""
