"""Texts that a draft may hold, as Hypothesis makes them: much white space, markup, lines that begin with From."""

from __future__ import annotations

from hypothesis import strategies as st

from proton_safe.drafts.checks import check_subject, checked_body
from proton_safe.refusals import Refusal


def _is_body(text: str) -> bool:
    try:
        return checked_body(text, max_chars=100_000) == text
    except Refusal:
        return False


def _is_subject(text: str) -> bool:
    try:
        check_subject(text)
    except Refusal:
        return False
    return True


_PIECES = st.one_of(
    st.sampled_from(
        [*" \t\n\n<>&\"'=-._?\u00a0\u2028\u0085", "From ", ">From ", "-- ", "=?utf-8?q?x?=", "&nbsp;", "&#160;", "<br>", "</div>", "=0A"]
    ),
    st.characters(codec="utf-8"),
)
BODIES = st.lists(_PIECES, max_size=80).map("".join).filter(_is_body)
SUBJECTS = st.lists(_PIECES, max_size=60).map("".join).filter(_is_subject)
