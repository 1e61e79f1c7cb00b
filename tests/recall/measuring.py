"""Each phrase is searched once through a real server; what was found is counted by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from fakebridge import testing
from tests.on_demand import untold
from tests.recall.languages import Language
from tests.recall.mailbox import UNSEEN, Known, write
from tests.recall.storing import KINDS
from tests.server.stdio import Stdio

ATTEMPTS: Final = 4


@dataclass(slots=True)
class Found:
    """Mails and hits by kind; `wrong` counts hits on mails in which no reader sees the phrase."""

    mails: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    by_language: Counter[str] = field(default_factory=Counter)
    mails_by_language: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    searches: int = 0
    wrong: int = 0

    @property
    def recall(self) -> float:
        """Hits among the mails that show the phrase."""
        return sum(self.found.values()) / sum(self.mails.values())

    @property
    def precision(self) -> float:
        """Mails that show the phrase among the hits."""
        return sum(self.found.values()) / (sum(self.found.values()) + self.wrong)


def measure(
    folder: Path, languages: Sequence[Language], *, phrases: int, count: int, as_served: bool, tell: Callable[[int], None] = untold
) -> Found:
    """Make the mailbox in `folder`, search each phrase, count; `tell` hears of each search."""
    known = write(folder, languages, phrases=phrases, count=count, as_served=as_served)
    total = Found()
    by_phrase: dict[tuple[str, str], list[Known]] = {}
    for each in known:
        by_phrase.setdefault((each.language, each.phrase), []).append(each)
        if each.visible:
            total.mails[each.kind] += 1
            total.mails_by_language[each.language] += 1
    by_uid = {each.uid: each for each in known}
    with _server(folder) as server:
        for language, phrase in by_phrase:
            uids, warnings = _search(server, phrase)
            total.searches += 1
            tell(total.searches)
            total.warnings.update(warnings)
            for uid in uids:
                each = by_uid[uid]
                if each.visible and (each.language, each.phrase) == (language, phrase):
                    total.found[each.kind] += 1
                    total.by_language[language] += 1
                else:
                    total.wrong += 1
    return total


@contextmanager
def _server(folder: Path) -> Iterator[Stdio]:
    with testing.FakeBridge(folder / "world.json", ()) as bridge:
        bridge.messages("INBOX")  # the octets of a mail are made when somebody first looks, which should not be the first search
        environment = {
            "PROTON_BRIDGE_USER": bridge.addresses[0],
            "PROTON_IMAP_PORT": str(bridge.imap_port),
            "PROTON_BRIDGE_PASSWORD": bridge.password,
            "PROTON_MCP_STATE_DIR": str(folder / "state"),
        }
        with Stdio(environment) as server:
            server.initialize()
            yield server


def _search(server: Stdio, phrase: str) -> tuple[list[int], list[str]]:
    """Every uid that is found, page by page, and the warnings."""
    uids: list[int] = []
    cursor: dict[str, str] = {}
    while True:
        page = page_of(server, query=phrase, limit=100, **cursor)
        uids += [int(row["uid"]) for row in page["messages"]]
        assert len(uids) == len(set(uids))
        if page["next_cursor"] is None:
            assert page["total"] == len(uids)
            return uids, page["warnings"]
        cursor = {"cursor": page["next_cursor"]}


def page_of(server: Stdio, **arguments: object) -> dict[str, Any]:
    """One page. A partial one ran out of time, which says something of this machine: the simulated Bridge knows more the next time."""
    for number in range(ATTEMPTS):
        server.call(number, "search_messages", **arguments)
        page: dict[str, Any] = server.answer(number)["result"]["structuredContent"]
        if not page["partial"]:
            return page
    raise AssertionError(f"a search was partial {ATTEMPTS} times")


def table(as_stored: Found, rebuilt: Found) -> str:
    """The table of `docs/search.md`: octets as the sender wrote them, and as Bridge makes them anew."""
    lines = [
        "| how the mail holds the phrase | mails | found as sent | found as Bridge serves it | why some are missed |",
        "|---|--:|--:|--:|---|",
    ]
    for kind in KINDS:
        mails = as_stored.mails[kind.name]
        cells = (f"{found.found[kind.name] / mails:.0%}" for found in (as_stored, rebuilt))
        missed = any(found.found[kind.name] < mails for found in (as_stored, rebuilt))
        lines.append(f"| {kind.name} | {mails} | {' | '.join(cells)} | {kind.miss if missed else ''} |")
    recalls = (f"{found.recall:.1%}" for found in (as_stored, rebuilt))
    lines.append(f"| **all: recall** | {sum(as_stored.mails.values())} | {' | '.join(recalls)} | |")
    precisions = (f"{found.precision:.1%}" for found in (as_stored, rebuilt))
    lines.append(f"| **all: precision** | | {' | '.join(precisions)} | {UNSEEN[1:-1]} |")
    return "\n".join(lines)


def languages_line(found: Found) -> str:
    """Recall by language, in one line."""
    return ", ".join(f"{name} {found.by_language[name] / mails:.0%}" for name, mails in found.mails_by_language.items())
