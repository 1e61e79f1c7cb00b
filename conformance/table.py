"""The cases by tool, as a table for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from conformance.outcome import Outcome, Verdict

_HEAD = ("tool", "cases", *(verdict.value for verdict in Verdict))


def table(outcomes: Sequence[Outcome]) -> str:
    """One row per tool and a sum."""
    tools = sorted({outcome.tool for outcome in outcomes})
    rows = [_row(tool, [outcome for outcome in outcomes if outcome.tool == tool]) for tool in tools]
    rows.append(_row("all", outcomes))
    widths = [max(len(row[column]) for row in (_HEAD, *rows)) for column in range(len(_HEAD))]
    lines = [_line(_HEAD, widths), "  ".join("-" * width for width in widths), *(_line(row, widths) for row in rows)]
    return "\n".join(lines)


def report(outcomes: Sequence[Outcome]) -> str:
    """What did not pass, with what was found."""
    return "\n".join(
        f"{outcome.verdict.value.upper()} {outcome.case_id}" + "".join(f"\n    {finding}" for finding in outcome.findings)
        for outcome in outcomes
        if outcome.verdict is not Verdict.PASSED
    )


def _row(label: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    counts = Counter(outcome.verdict for outcome in outcomes)
    return (label, str(len(outcomes)), *(str(counts[verdict]) for verdict in Verdict))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if number == 0 else cell.rjust(width) for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join((first, *rest)).rstrip()
