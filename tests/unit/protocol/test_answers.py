"""The two forms of an answer, where no running server gets: an answer that is too large."""

from __future__ import annotations

import pytest

from proton_safe.protocol.answers import of_result
from proton_safe.refusals import Code, Refusal
from proton_safe.tools.list_sender_addresses import ListSenderAddressesResult
from proton_safe.untrusted.window import MAX_ANSWER_OCTETS


def test_answer_over_its_size_is_refused() -> None:
    """Text and structured content together are at most 1 MiB, counted in octets of UTF-8."""
    fits = ListSenderAddressesResult(default_sender="\u20ac" * (MAX_ANSWER_OCTETS // 6 - 200), sender_addresses=[])
    assert of_result(fits).structured is not None
    with pytest.raises(Refusal) as raised:
        of_result(ListSenderAddressesResult(default_sender="\u20ac" * (MAX_ANSWER_OCTETS // 6), sender_addresses=[]))
    assert raised.value.code is Code.CONTENT_UNREADABLE
