"""A small mailbox with exact figures; `make recall` measures 2,000 mails in 20 languages and prints the table of docs/search.md."""

from __future__ import annotations

from typing import Any, Final, cast

import pytest

from tests.recall.__main__ import DOCUMENT, report, stale
from tests.recall.languages import LANGUAGES
from tests.recall.measuring import ATTEMPTS, Found, languages_line, measure, page_of, table
from tests.recall.storing import KINDS
from tests.server.stdio import Stdio

pytestmark = pytest.mark.xdist_group("recall")  # one worker makes the two mailboxes

SMALL: Final = tuple(language for language in LANGUAGES if language.name in {"English", "French", "Russian", "Japanese"})


@pytest.fixture(scope="module")
def as_sent(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """Four languages, two phrases each, the octets that the sender wrote."""
    return measure(tmp_path_factory.mktemp("as-sent"), SMALL, phrases=2, count=200, as_served=True)


@pytest.fixture(scope="module")
def as_served(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """The same mails as Bridge makes them anew."""
    return measure(tmp_path_factory.mktemp("as-served"), SMALL, phrases=2, count=200, as_served=False)


SENT: Final = {
    "subject, raw UTF-8": (8, 8),
    "subject, Q-encoded": (7, 8),
    "subject, B-encoded": (8, 8),
    "subject, two encoded words": (0, 8),
    "subject, accents apart, Q-encoded": (2, 3),
    "subject, older charset": (0, 6),
    "subject, first letter capital, Q-encoded": (5, 5),
    "subject, capitals, Q-encoded": (3, 6),
    "sender's name, Q-encoded": (7, 8),
    "sender's name, B-encoded": (8, 8),
    "text, 8bit UTF-8": (8, 8),
    "text, quoted-printable": (30, 30),
    "text, base64": (8, 8),
    "text, capitals, 8bit UTF-8": (6, 6),
    "text, capitals, quoted-printable": (4, 6),
    "text, first letter capital, base64": (3, 5),
    "text, accents apart, 8bit UTF-8": (0, 3),
    "text, accents apart, quoted-printable": (2, 3),
    "text, older charset": (0, 6),
    "text, quoted-printable, soft line end inside": (0, 8),
    "text, base64, line end inside": (0, 8),
    "text, line broken at a blank": (0, 3),
    "HTML, quoted-printable": (8, 8),
    "HTML, base64": (7, 8),
    "HTML, named characters": (1, 2),
    "HTML, decimal characters": (3, 6),
    "HTML, hexadecimal characters": (0, 6),
    "HTML, markup inside the phrase": (0, 8),
}
SERVED: Final = SENT | {
    "subject, raw UTF-8": (7, 8),
    "subject, B-encoded": (7, 8),
    "subject, two encoded words": (7, 8),
    "subject, older charset": (6, 6),
    "subject, first letter capital, Q-encoded": (4, 5),
    "subject, capitals, Q-encoded": (4, 6),
    "sender's name, Q-encoded": (8, 8),
    "text, capitals, 8bit UTF-8": (4, 6),
    "text, first letter capital, base64": (5, 5),
    "text, accents apart, 8bit UTF-8": (2, 3),
    "text, older charset": (6, 6),
    "text, quoted-printable, soft line end inside": (8, 8),
    "text, base64, line end inside": (4, 8),
    "HTML, base64": (8, 8),
}


def _figures(found: Found) -> dict[str, tuple[int, int]]:
    return {kind.name: (found.found[kind.name], found.mails[kind.name]) for kind in KINDS}


def test_what_is_found_of_the_octets_that_a_sender_wrote(as_sent: Found) -> None:
    """Each encoding that the keys are for is found; what isn't belongs to a kind that docs/search.md names."""
    assert _figures(as_sent) == SENT
    assert dict(as_sent.warnings) == {"search-case-left-out": 4, "search-decomposed-left-out": 3, "search-html-left-out": 2}


def test_what_is_found_when_bridge_has_made_the_mails_anew(as_served: Found) -> None:
    """Bridge writes texts as UTF-8 in quoted-printable, so older charsets and base64 are no matter; it breaks long subjects."""
    assert _figures(as_served) == SERVED


@pytest.mark.parametrize("which", ["as_sent", "as_served"])
def test_nothing_is_found_but_the_phrase(which: str, request: pytest.FixtureRequest) -> None:
    """The only hits that no reader sees are the planted ones: Bridge compares headers that nobody shows, too."""
    found: Found = request.getfixturevalue(which)
    assert (found.searches, found.wrong) == (8, 8)


def test_the_table_has_a_line_for_each_kind(as_sent: Found, as_served: Found) -> None:
    """What `make recall` prints."""
    lines = table(as_sent, as_served).splitlines()
    assert len(lines) == 2 + len(KINDS) + 2
    assert lines[2].startswith("| subject, raw UTF-8 | 8 | 100% | 88% | Bridge breaks")
    assert languages_line(as_sent).startswith("English ")


def test_a_line_that_the_document_does_not_have_is_named(as_sent: Found, as_served: Found) -> None:
    """`make recall` fails once docs/search.md says something else than what was measured: the smaller mailbox has other figures."""
    lines = report(as_sent, as_served)
    assert stale(lines, DOCUMENT.read_text(encoding="utf-8")) == [line for line in lines if line and not line.startswith(("| how", "|---"))]
    assert stale(lines, "\n".join(lines)) == []


class _Busy:
    """A server whose first answers ran out of time."""

    def __init__(self, partial: int) -> None:
        self._partial = partial
        self.calls = 0

    def call(self, *_: object, **__: object) -> None:
        self.calls += 1

    def answer(self, _: object) -> dict[str, Any]:
        return {"result": {"structuredContent": {"partial": self.calls <= self._partial, "messages": []}}}


def test_a_search_that_ran_out_of_time_is_asked_again_and_not_for_ever() -> None:
    """A busy machine says nothing of the search; a search that is never whole does."""
    busy = _Busy(ATTEMPTS - 1)
    assert not page_of(cast("Stdio", busy), query="x")["partial"]
    assert busy.calls == ATTEMPTS
    with pytest.raises(AssertionError, match="partial 4 times"):
        page_of(cast("Stdio", _Busy(ATTEMPTS)), query="x")
