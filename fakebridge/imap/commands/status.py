"""STATUS (bridge-behaviour 2.8; dialogues 06, 09)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap import grammar
from fakebridge.imap.answers import octets, quoted
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.mailbox_names import decode_mailbox
from fakebridge.imap.printing import list_text, name_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session

ITEMS = ("messages", "recent", "uidnext", "uidvalidity", "unseen")


@dataclass(frozen=True, slots=True)
class StatusCommand:
    """Figures of a mailbox, in the order asked."""

    name: bytes
    items: tuple[str, ...]
    needs: ClassVar[Needs] = Needs.LOGIN
    verb: ClassVar[str] = "STATUS"

    @classmethod
    def parse(cls, scanner: Scanner) -> StatusCommand:
        """A mailbox name and at least one item."""
        grammar.after_command(scanner)
        name = grammar.mailbox(scanner)
        grammar.space(scanner, "expected space after mailbox")
        scanner.expect(b"(", "expected ( for status attributes start")
        items = [_item(scanner)]
        while scanner.accept(b" "):
            items.append(_item(scanner))
        scanner.expect(b")", "expected ) for status attributes end")
        return cls(name, tuple(items))

    def line(self) -> str:
        """As sent."""
        return f"STATUS {name_text(self.name)} {list_text(item.upper() for item in self.items)}"

    async def run(self, session: Session) -> Done:
        """For the selected mailbox: what this session knows, after everything that waits has been told."""
        mailbox = session.home.mailbox(decode_mailbox(self.name))
        if session.selected() is mailbox:
            session.flush(expunge=True)
            view = session.view
            messages, recent, unseen = len(view), len(view.recent), view.unseen() if "unseen" in self.items else 0
        else:
            messages, recent = len(mailbox.uids), len(mailbox.recent)
            unseen = mailbox.unseen() if "unseen" in self.items else 0
        figures = {
            "messages": messages,
            "recent": recent,
            "uidnext": mailbox.uid_next,
            "uidvalidity": mailbox.uid_validity + session.bridge.validity_shift,
            "unseen": unseen,
        }
        text = " ".join(f"{item.upper()} {figures[item]}" for item in self.items)
        name = quoted(self.name.decode("utf-8", "surrogateescape"))
        session.untagged("STATUS", b"* STATUS " + name + octets(f" ({text})"))
        return Done("STATUS")


def _item(scanner: Scanner) -> str:
    word = scanner.word()
    if word.lower() not in ITEMS:
        raise scanner.fail_at(word.offset, f"unknown status attribute '{{{word.lower()} {word.offset}}}'")
    return word.lower()
