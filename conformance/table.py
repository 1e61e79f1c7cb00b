"""The cases by tool, and those that are attacks by family, as tables for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from conformance.outcome import Outcome, Verdict

_COLUMNS = ("cases", *(verdict.value for verdict in Verdict))


def table(outcomes: Sequence[Outcome]) -> str:
    """One row per tool and a sum."""
    tools = sorted({outcome.tool for outcome in outcomes})
    rows = [_row(tool, [outcome for outcome in outcomes if outcome.tool == tool]) for tool in tools]
    return _laid_out(("tool", *_COLUMNS), [*rows, _row("all", outcomes)])


def families(outcomes: Sequence[Outcome]) -> str:
    """One row per family of attacks and a sum; '' when there was no attack among them."""
    attacks = [outcome for outcome in outcomes if outcome.family is not None]
    if not attacks:
        return ""
    names = sorted({str(outcome.family) for outcome in attacks})
    rows = [_row(name, [outcome for outcome in attacks if outcome.family == name]) for name in names]
    return _laid_out(("attacks", *_COLUMNS), [*rows, _row("all", attacks)])


def report(outcomes: Sequence[Outcome]) -> str:
    """What did not pass, with what was found. What a server said stands as escapes where a terminal would act on it."""
    return "\n".join(
        f"{outcome.verdict.value.upper()} {outcome.case_id}" + "".join(f"\n    {_printable(finding)}" for finding in outcome.findings)
        for outcome in outcomes
        if outcome.verdict is not Verdict.PASSED
    )


def _printable(text: str) -> str:
    """The text on one line; each character that is not printable as its escape."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _laid_out(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    return "\n".join([_line(head, widths), "  ".join("-" * width for width in widths), *(_line(row, widths) for row in rows)])


def _row(label: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    counts = Counter(outcome.verdict for outcome in outcomes)
    return (label, str(len(outcomes)), *(str(counts[verdict]) for verdict in Verdict))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if number == 0 else cell.rjust(width) for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join((first, *rest)).rstrip()
