"""Names of outgoing files: taken as they are or refused."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.refusals import Code, Refusal
from proton_safe.staging.file_types import FileType, declared_type
from proton_safe.staging.filenames import check_filename, ending


@pytest.mark.parametrize(
    "name",
    [
        "report.pdf",
        "R\u00e9sum\u00e9 2026 (final).PDF",
        "\u65e5\u672c\u8a9e.txt",
        "a..b.pdf",
        "100% sure.csv",
        "a" * 176 + ".pdf",
        "\U0001f600.png",
    ],
)
def test_ordinary_names_pass(name: str) -> None:
    """Seed contract 1.4: 1 to 180 characters and octets, base name only."""
    check_filename(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "../x.pdf",
            "..\\x.pdf",
            "/abs.pdf",
            "C:\\x.pdf",
            "\\\\host\\share\\x.pdf",
            "a/../b.pdf",
            ".",
            "..",
            "%2e%2e%2f.pdf",
            "..;/x.pdf",
        ),
        *(
            "invoice\u202efdp.txt",
            "a\u2066.pdf",
            "exe.\u200fpdf",
            "a\u200b.pdf",
            "a\U000e0041.pdf",
            "a\u3164.pdf",
            "a\ue000.pdf",
            "a\u0378.pdf",
        ),
        *("a.pdf\0.txt", "a\r\nX-Evil: 1.pdf", "a\u0085.pdf", "a\u2028.pdf", "a\x7f.pdf", "a\t.pdf", "a\ud800.pdf"),
        *(
            "CON",
            "con.pdf",
            "nul.txt",
            "COM1.pdf",
            "LPT\u00b9.pdf",
            "CONIN$.txt",
            "aux .pdf",
            "a.pdf.",
            "a.pdf ",
            "a:stream.pdf",
            "a?.pdf",
            "a*.pdf",
            'a".pdf',
        ),
        *(
            " a.pdf",
            "-rf.pdf",
            ".pdf",
            ".a.pdf",
            "a.exe.pdf",
            "a.JS .pdf",
            "a.html.txt",
            "=?utf-8?q?x?=.pdf",
            "a%00.pdf",
            "\u00e9" * 89 + ".pdf",
        ),
    ],
)
def test_names_that_mislead_are_refused(name: str) -> None:
    """Attack catalogue, family filename; fault A34 of the founding system."""
    with pytest.raises(Refusal) as raised:
        check_filename(name)
    assert (raised.value.code, raised.value.field) == (Code.ARGUMENTS_INVALID, "filename")
    assert raised.value.rule


@given(st.text(min_size=1, max_size=60))
def test_a_name_that_passes_shows_every_character_that_it_has(name: str) -> None:
    """No control, format character or separator passes, whatever the name is."""
    try:
        check_filename(name)
    except Refusal:
        return
    assert all(unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for char in name)
    assert not set(name) & set('/\\:*?"<>|')


@pytest.mark.parametrize("name, expected", [("a.PDF", "pdf"), ("a.tar.gz", "gz"), ("pdf", ""), ("a.p\u0434f", ""), ("a.", "")])
def test_the_ending_is_what_follows_the_last_dot(name: str, expected: str) -> None:
    """Attack catalogue, filename/extension-games: last extension, ASCII-lowered."""
    assert ending(name) == expected


@pytest.mark.parametrize("kind", FileType)
def test_each_type_may_be_declared_or_left_open(kind: FileType) -> None:
    """Seed contract 1.4: the canonical type or application/octet-stream."""
    name = {FileType.JPEG: "a.jpeg"}.get(kind, f"a.{kind.name.lower()}")
    assert declared_type(name, kind.value) is kind
    assert declared_type(name, "application/octet-stream") is kind
