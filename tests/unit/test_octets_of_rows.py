"""How large a page may grow is first told by a bound that costs little."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from proton_safe.tools.message_rows import _octets_at_most
from proton_safe.tools.rows import AddressRow, MessageRow
from proton_safe.untrusted.leave import octets_left

TEXTS = st.one_of(st.text(max_size=60), st.sampled_from(['"' * 50, "\\" * 50, "\u202e" * 50, "\U0001f600" * 50, "\t\n" * 30, "a" * 900]))


@given(texts=st.lists(TEXTS, min_size=5, max_size=5), named=st.integers(0, 20))
def test_the_bound_is_never_too_low(texts: list[str], named: int) -> None:
    """No row takes more octets in an answer than the bound says."""
    subject, date, message_id, name, address = texts
    row = MessageRow(
        uid="4294967295",
        uid_validity=4294967295,
        from_=[AddressRow(name=name, address=address)] * named,
        to=[AddressRow(name=name, address=address)],
        to_count=10_000,
        subject=subject,
        date=date,
        date_iso="2026-12-01T08:00:00+00:00",
        received="2026-12-01T08:00:00Z",
        message_id=message_id,
        unread=False,
        starred=False,
        size_bytes=2**40,
        parse_warnings=["address-unreadable", "date-unreadable", "header-damaged", "header-raw-8bit", "header-truncated", "item-missing"],
    )
    assert _octets_at_most(row) >= octets_left(row)
