"""What the server remembers of what it showed: the numbering a uid belongs to, and where an address was seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from proton_safe.config import Config
from proton_safe.provenance import MAX_REMEMBERED as MAX_ADDRESSES
from proton_safe.provenance import Origin, Provenance, Sighting
from proton_safe.references import MAX_REMEMBERED as MAX_REFERENCES
from proton_safe.references import References
from proton_safe.refusals import Code, Refusal

CONFIG = Config(user="ada@keller.example", aliases=("orders@keller.example",), imap_port=1, password=None, state_dir=Path("/var/empty"))


def test_renumbered_mailbox_is_refused_until_it_is_shown_again() -> None:
    """RFC 3501 2.3.1.1: a uid of the old numbering names nothing in the new one."""
    references = References()
    references.show("INBOX", 7, [1, 2])
    references.check("INBOX", 1, current=7, claimed=None)
    with pytest.raises(Refusal) as raised:
        references.check("INBOX", 1, current=8, claimed=None)
    assert raised.value.code is Code.MAILBOX_CHANGED
    references.show("INBOX", 8, [1])
    references.check("INBOX", 1, current=8, claimed=8)
    references.check("Sent", 1, current=9, claimed=None)


def test_claimed_numbering_binds_what_was_never_shown() -> None:
    """A caller may bind a uid across restarts."""
    with pytest.raises(Refusal) as raised:
        References().check("INBOX", 5, current=8, claimed=7)
    assert raised.value.code is Code.MAILBOX_CHANGED


def test_memory_of_references_is_bounded() -> None:
    """The oldest are forgotten first."""
    references = References()
    references.show("A", 1, [1])
    references.show("B", 1, range(2, MAX_REFERENCES + 2))
    references.check("A", 1, current=2, claimed=None)
    with pytest.raises(Refusal):
        references.check("B", MAX_REFERENCES + 1, current=2, claimed=None)


def test_better_sighting_replaces_a_worse_one_and_never_the_reverse() -> None:
    """Configured, then own sent mail, then a header, then a body."""
    provenance = Provenance(CONFIG)
    body, header, sent = (Sighting(origin, "INBOX", 1) for origin in (Origin.BODY, Origin.HEADER, Origin.SENT))
    assert provenance.of("bob@example.org").origin is Origin.UNKNOWN
    for shown, known in ((body, body), (header, header), (body, header), (sent, sent), (header, sent)):
        provenance.shown("Bob@Example.org", shown)
        assert provenance.of("bob@example.org") == known
    provenance.shown("orders@keller.example", body)
    assert provenance.of("ORDERS@keller.example") == Sighting(Origin.CONFIGURED)


def test_memory_of_addresses_is_bounded() -> None:
    """The address seen longest ago is forgotten first."""
    provenance = Provenance(CONFIG)
    for number in range(MAX_ADDRESSES + 1):
        provenance.shown(f"a{number}@example.org", Sighting(Origin.HEADER))
    assert provenance.of("a0@example.org").origin is Origin.UNKNOWN
    assert provenance.of("a1@example.org").origin is Origin.HEADER


def test_an_address_that_only_folds_to_another_is_not_known_by_it() -> None:
    """Product page 6, recipient provenance: addresses are compared in ASCII letters only."""
    memory = Provenance(CONFIG)
    memory.shown("\u212aim@a.example", Sighting(Origin.SENT, folder="Sent", uid=1))
    memory.shown("Ben@B.example", Sighting(Origin.SENT, folder="Sent", uid=2))
    assert memory.of("kim@a.example") == Sighting(Origin.UNKNOWN)
    assert memory.of("ben@b.EXAMPLE") == Sighting(Origin.SENT, folder="Sent", uid=2)
