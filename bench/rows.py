"""The rows of the table, each with its goals. A goal is met at its figure, near up to one and a half times it, missed beyond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

NEAR: Final = 1.5
Verdict = Literal["met", "near", "missed", ""]


@dataclass(frozen=True, slots=True)
class Row:
    """Work that is timed beside its floor. Goals: at most so many times the floor; at least so many times as fast as A and B.

    `over` and the two others by size of the mailbox where they differ; 0 stands for every other size. No figure: no goal.
    """

    work: str
    over: dict[int, float]
    than_a: dict[int, float]
    than_b: dict[int, float]
    slow: bool = False

    def goal(self, against: Literal["floor", "A", "B"], count: int) -> float | None:
        """The goal for a mailbox of this size."""
        goals = {"floor": self.over, "A": self.than_a, "B": self.than_b}[against]
        return goals.get(count, goals.get(0))


LARGE: Final = 50_000

TIMED: Final = (
    Row("status", {0: 4.5}, {0: 15}, {0: 1.5}),
    Row("list 20", {0: 2.5, LARGE: 0.3}, {0: 14}, {0: 4, LARGE: 9}),
    Row("list 100", {0: 3.7, LARGE: 0.6}, {0: 10, LARGE: 14}, {0: 5, LARGE: 9}),
    Row("search 20", {0: 1.15}, {}, {}, slow=True),
    Row("search 100", {0: 1.15}, {}, {}, slow=True),
    Row("read small", {0: 4}, {0: 12}, {0: 1.8}),
    Row("reply context", {0: 5}, {0: 12}, {0: 1.8}),
    Row("read beside 10 MB", {0: 5}, {0: 100}, {0: 100}),
    Row("PDF text", {0: 1.2}, {0: 1.25}, {0: 5}, slow=True),
    Row("draft", {0: 5}, {}, {}),
    Row("stage 5 MB + draft", {0: 3}, {}, {}, slow=True),
    Row("8 reads at once", {0: 10}, {0: 20}, {0: 2.5}),
)
FIRST_LIST: Final = Row("first list", {0: 4}, {}, {}, slow=True)
START: Final = Row("start to tools/list", {0: 1.5}, {0: 12}, {0: 16})

# Rows that are no times beside a floor: what they are, the goal, and its unit.
MEMORY_GOAL_MIB: Final = 30.0
DURING_GOAL: Final = 2.0
DURING: Final = (
    ("small read during a PDF", "read small", "PDF text"),
    ("small read during a search", "read small", "search 20"),
    ("small list during a search", "list 20", "search 20"),
)
"""Row, the short work that is timed alone and meanwhile, and the long work."""
TURNS: Final = {"list 20": 2, "list 100": 2, "read small": 3}
SOCKET_GOAL_OCTETS: Final = 10_000
EXTRA_MEMORY_GOAL_MIB: Final = 5.0
GROWTH_GOAL_MIB: Final = 5.0

ALL: Final = (
    "start",
    *(row.work for row in TIMED),
    FIRST_LIST.work,
    *(row for row, _, _ in DURING),
    "socket",
    "steady",
)


def verdict(value: float, goal: float | None, *, at_least: bool = False) -> Verdict:
    """How a figure stands to its goal."""
    if goal is None:
        return ""
    share = goal / value if at_least and value else value / goal if goal else float("inf") if value else 0.0
    return "met" if share <= 1 else "near" if share <= NEAR else "missed"
