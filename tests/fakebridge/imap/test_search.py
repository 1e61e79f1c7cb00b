"""SEARCH: every key, on stored octets, and charsets (bridge-behaviour 3.8; dialogues 16 to 18, 40)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, Raw, S, talk
from tests.fakebridge.worlds import entry, mail


def four_mails() -> list[dict[str, Any]]:
    """Flags, sizes, dates and texts that tell the keys apart."""
    encoded = mail("x").replace("Subject: x", "Subject: =?utf-8?q?R=C3=A9union?=")
    return [
        entry(mail("alpha", "plain needle\n"), day=4, flags=("\\Seen", "\\Flagged")),
        entry(encoded.replace("body\n", "café\n"), day=3, flags=()),
        entry(
            mail("gamma", "word " * 400 + "\n", extra="Cc: carol@example.test\nX-Kind: Special Value\n"),
            day=2,
            flags=("\\Seen", "$Forwarded"),
        ),
        entry(mail("delta").replace("03 Feb 2026 10:11:12 +0100", "04 Feb 2026 00:30:00 +0100"), day=1, flags=("\\Seen", "\\Answered")),
    ]


@pytest.fixture
def wire(staged: Staging) -> Any:  # noqa: ANN401 - a wire
    """INBOX with four mails, open to read."""
    return staged(inbox=four_mails()).select(verb="EXAMINE")


KEYS = [
    ("ALL", "1 2 3 4"),
    ("ANSWERED", "4"),
    ("UNANSWERED", "1 2 3"),
    ("DELETED", ""),
    ("UNDELETED", "1 2 3 4"),
    ("DRAFT", ""),
    ("UNDRAFT", "1 2 3 4"),
    ("FLAGGED", "1"),
    ("UNFLAGGED", "2 3 4"),
    ("NEW", "2"),
    ("OLD", ""),
    ("RECENT", "1 2 3 4"),
    ("SEEN", "1 3 4"),
    ("UNSEEN", "2"),
    ("KEYWORD $forwarded", "3"),
    ("UNKEYWORD Forwarded", "1 2 4"),
    ("KEYWORD Nope", ""),
    ('FROM "EXAMPLE"', "1 2 3 4"),
    ("TO proton.local", "1 2 3 4"),
    ("CC carol", "3"),
    ("BCC x", ""),
    ("SUBJECT ALPHA", "1"),
    ('SUBJECT "=?utf-8"', "2"),
    ('HEADER x-kind "special"', "3"),
    ('HEADER X-None ""', "1 2 3 4"),
    ('FROM ""', "1 2 3 4"),
    ('TEXT ""', "1 2 3 4"),
    ("TEXT needle", "1"),
    ("BODY needle", "1"),
    ("BODY alpha", ""),
    ("TEXT alpha", "1"),
    ('TEXT "=C3=A9"', "2"),
    ("TEXT X-Pm-Internal-Id", "1 2 3 4"),
    ("LARGER 1500", "3"),
    ("SMALLER 1500", "1 2 4"),
    ("BEFORE 3-Feb-2026", "3 4"),
    ("ON 3-Feb-2026", "2"),
    ("SINCE 3-Feb-2026", "1 2"),
    ('SINCE "3-Feb-2026"', "1 2"),
    ("BEFORE 31-Feb-2026", "1 2 3 4"),
    ("SINCE 0-Jan-0000", "1 2 3 4"),
    ("SENTBEFORE 00-jan-0001", ""),
    ("SENTBEFORE 4-Feb-2026", "1 2 3"),
    ("SENTON 4-Feb-2026", "4"),
    ("SENTSINCE 4-Feb-2026", "4"),
    ("NOT SEEN", "2"),
    ("OR FLAGGED UNSEEN", "1 2"),
    ("OR (SEEN FLAGGED) OR UNSEEN ANSWERED", "1 2 4"),
    ("(SEEN) (NOT FLAGGED)", "3 4"),
    ("UID 2:3 SEEN", "3"),
    ("2,4 SEEN", "4"),
    ("999", ""),
    ("UID 999", ""),
    ("*", "4"),
    ("CHARSET UTF-8 ALL", "1 2 3 4"),
    ("CHARSET us-ascii SUBJECT alpha", "1"),
]


@pytest.mark.parametrize("key, found", KEYS, ids=[key for key, _ in KEYS])
def test_keys(wire: Any, key: str, found: str) -> None:  # noqa: ANN401 - a wire
    """bridge-behaviour 3.8: stored octets as they are; no match gives SEARCH alone."""
    answer = f"* SEARCH {found}".rstrip()
    talk(wire, C(f"a1 SEARCH {key}"), S(answer), S("a1 OK command completed in … microsec."))


def test_a_subject_with_an_encoded_word_is_not_found_by_its_text(wire: Any) -> None:  # noqa: ANN401 - a wire
    """Dialogue 17: with and without CHARSET, quoted and as a literal."""
    talk(wire, C('a1 UID SEARCH SUBJECT "Réunion"'), S("* SEARCH"), S("a1 OK …"))
    talk(wire, C("a2 UID SEARCH CHARSET UTF-8 SUBJECT {8}"), S("+ Ready"), C("Réunion"), S("* SEARCH"), S("a2 OK …"))
    talk(wire, C('a3 UID SEARCH CHARSET UTF-8 TEXT "café"'), S("* SEARCH"), S("a3 OK …"))


def test_charset_decodes_the_key_before_comparing(staged: Staging) -> None:
    """bridge-behaviour 3.8: the same octets found through UTF-8 and through ISO-8859-1."""
    served = "Subject: plain\r\nFrom: a@example.test\r\nDate: Tue, 03 Feb 2026 10:11:12 +0100\r\n\r\nraw café\r\n"
    wire = staged(inbox=[{**entry(served), "as_served": True}]).select()
    talk(wire, C('a1 SEARCH TEXT "café"'), S("* SEARCH 1"), S("a1 OK …"))
    talk(
        wire,
        C("a2 SEARCH CHARSET ISO-8859-1 TEXT {4}"),
        S("+ Ready"),
        Raw("café".encode("latin-1") + b"\r\n"),
        S("* SEARCH 1"),
        S("a2 OK …"),
    )
    talk(wire, C("a3 SEARCH TEXT {4}"), S("+ Ready"), Raw("café".encode("latin-1") + b"\r\n"), S("* SEARCH"), S("a3 OK …"))


def test_an_unknown_charset_is_refused_without_text_or_list(wire: Any) -> None:  # noqa: ANN401 - a wire
    """Dialogue 17."""
    talk(wire, C("a1 SEARCH CHARSET NOPE ALL"), S("a1 NO [BADCHARSET]"))


def test_a_charset_without_a_decoder_is_never_answered(wire: Any) -> None:  # noqa: ANN401 - a wire
    """Dialogues 17, 40: the session answers the next command."""
    talk(wire, C("a1 SEARCH CHARSET UTF-7 ALL"), C("a2 NOOP"), S("a2 OK command completed in … microsec."))


def test_one_date_that_cannot_be_read_fails_every_sent_key(staged: Staging) -> None:
    """bridge-behaviour 3.8: the whole command."""
    served = "Subject: odd\r\nFrom: a@example.test\r\nDate: nonsense\r\n\r\nx\r\n"
    wire = staged(inbox=[entry(mail("good")), {**entry(served), "as_served": True}]).select()
    talk(wire, C("a1 SEARCH SENTSINCE 1-Jan-2020"), S("a1 NO [Error offset=…]: …"))
    talk(wire, C("a2 SEARCH SINCE 1-Jan-2020"), S("* SEARCH 1 2"), S("a2 OK …"))


def test_uid_keys_in_an_empty_mailbox_are_refused(stage: Stage) -> None:
    """Dialogue 16: other keys find nothing."""
    wire = stage.select("Archive")
    talk(wire, C("a1 UID SEARCH UID 1"), S("a1 NO no such message"), C("a2 UID SEARCH 1"), S("* SEARCH"), S("a2 OK …"))
    talk(wire, C("a3 SEARCH ALL"), S("* SEARCH"), S("a3 OK …"))


def test_escapes_in_a_quoted_key(wire: Any) -> None:  # noqa: ANN401 - a wire
    """Dialogue 17: backslash and quote."""
    talk(wire, C('a1 SEARCH TEXT "a\\"b\\\\c"'), S("* SEARCH"), S("a1 OK …"))
    talk(wire, C('a2 SEARCH TEXT "a\\c"'), S("a2 BAD [Error offset=18]: Expected '\\' or '\"' after '\\' in quoted"))


def test_search_by_number_and_by_uid_differ_after_an_expunge(stage: Stage) -> None:
    """Sequence numbers shift, UIDs stay."""
    wire = stage.select()
    talk(wire, C("a1 STORE 1 +FLAGS.SILENT (\\Deleted)"), S("a1 OK …"), C("a2 EXPUNGE"), S("* 1 EXPUNGE"), S("a2 OK EXPUNGE"))
    talk(wire, C("a3 SEARCH ALL"), S("* SEARCH 1 2"), S("a3 OK …"), C("a4 UID SEARCH ALL"), S("* SEARCH 2 3"), S("a4 OK …"))
