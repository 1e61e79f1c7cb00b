"""The moment that a fault meets: the rule, the command, and Bridge's own answer to it. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fakebridge.faults.kinds import FaultKind
from fakebridge.faults.lines import Line, split
from fakebridge.faults.rule import FaultRule

TAG: Final = "{tag}"
"""Stands for the command's tag in the text of a rule."""
OTHER_CASE: Final = "{TAG}"
"""Stands for the tag with its letters in the other case."""
_RAW: Final = frozenset(
    {
        FaultKind.OCTETS,
        FaultKind.VERBATIM,
        FaultKind.COMPLETION,
        FaultKind.UNSOLICITED,
        FaultKind.CONTINUATION,
        FaultKind.BODY_TWICE,
        FaultKind.ITEM_LIES,
        FaultKind.TLS_IN_THE_CLEAR,
    }
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The command that is met, and Bridge's own answer to it (empty where it was not carried out)."""

    rule: FaultRule
    tag: bytes
    verb: str
    answer: bytes = b""
    is_open: bool = False
    """Whether a mailbox is open."""

    @property
    def text(self) -> bytes:
        """The rule's text as octets."""
        return octets_of(self.rule)

    @property
    def tagged_text(self) -> bytes:
        """The rule's text with the tag in its places."""
        return self.text.replace(TAG.encode(), self.tag).replace(OTHER_CASE.encode(), self.tag.swapcase())

    @property
    def lines(self) -> tuple[Line, ...]:
        """The answer, line by line."""
        return split(self.answer)


def octets_of(rule: FaultRule) -> bytes:
    """A rule's text as octets. In kinds of raw octets one each up to U+00FF, if the text does not go beyond; UTF-8 otherwise."""
    try:
        return rule.text.encode("latin-1") if rule.do in _RAW else rule.text.encode()
    except UnicodeEncodeError:
        return rule.text.encode()
