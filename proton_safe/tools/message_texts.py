"""The octets of a message's texts, and what its parts say of themselves, in as few questions to Bridge as will do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from proton_safe.mime import body as bodies
from proton_safe.mime import calendar, headers, own_header, own_split
from proton_safe.mime.attachments import Attachment, attachments, text_parts
from proton_safe.mime.defects import merged
from proton_safe.mime.long_text import LARGEST_PIECE_OCTETS, PIECE_OCTETS, LongText, readable_in_pieces
from proton_safe.mime.structure import WHOLE_TEXT, Tree
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proton_safe.imap.items import MessageItems
    from proton_safe.imap.mailbox import Mailbox
    from proton_safe.mime.defects import Defect
    from proton_safe.mime.headers import Headers
    from proton_safe.mime.structure import Part

# Names out of parts' own headers are looked for in all that are listed, each in so many octets.
MAX_NAME_OCTETS: Final = 8_192


@dataclass(frozen=True, slots=True)
class Texts:
    """The tree as the parts' own headers repair it; the octets of the texts by section, still encoded; or the one long text.

    `calendars` are the beginnings of the calendar parts with the parts, still encoded.
    """

    tree: Tree
    octets: Mapping[str, bytes] = field(default_factory=dict)
    long: LongText | None = None
    warnings: tuple[Defect, ...] = ()
    calendars: tuple[tuple[Part, bytes], ...] = ()


def reread(mailbox: Mailbox, uid: int, items: MessageItems, tree: Tree, head: Headers) -> own_split.Whole | None:
    """The message taken apart by ourselves where Bridge found no header or no parts though there are some; None for other mail."""
    unseen = not head.fields and bool(items.size)
    undivided = not tree.root.children and own_split.divides(head)
    return taken_apart(mailbox, uid) if unseen or undivided else None


def taken_apart(mailbox: Mailbox, uid: int) -> own_split.Whole:
    """The message taken apart by ourselves, from its first 2 MiB, with the warning `structure-mismatch`."""
    octets = mailbox.beginning(uid, own_split.MAX_OCTETS)
    whole = own_split.message(octets)
    warnings: set[Defect] = {*whole.tree.warnings, "structure-mismatch"}
    if len(octets) == own_split.MAX_OCTETS:
        warnings.add("structure-truncated")
    return own_split.Whole(whole.head, Tree(whole.tree.root, tuple(sorted(warnings))), whole.octets)


def overlooked(mailbox: Mailbox, uid: int, tree: Tree) -> own_split.Whole | None:
    """The message taken apart by ourselves where a text of it turns out to hold parts. For mail of Bridge's making nothing is asked."""
    if own_split.bridge_made(tree):
        return None
    try:
        texts = fetch_texts(mailbox, uid, tree, offset=0, max_chars=1)
    except Refusal as refusal:
        if refusal.code is Code.CONTENT_UNREADABLE:
            return None  # which is said of the text; a file may be what it is said to be
        raise
    return taken_apart(mailbox, uid) if own_split.overlooked(tree, texts.octets) else None


def outer(mailbox: Mailbox, uid: int, tree: Tree, head: Headers) -> Headers:
    """The header of the message itself: where all of it is an attached message, Bridge gives that one's instead (bridge-behaviour 3.5)."""
    if not tree.root.media_type.startswith("message/"):
        return head
    return headers.split(mailbox.beginning(uid, headers.MAX_BLOCK_OCTETS))


def settled(mailbox: Mailbox, uid: int, tree: Tree, head: Headers) -> Tree:
    """The tree in which every part has its role: of those whose role the structure leaves open, the own headers are asked for.

    For ordinary mail nothing is asked. All tools number attachments by this tree.
    """
    tree = _with_head(tree, head)
    doubtful = own_header.doubtful(tree)
    if not doubtful:
        return tree
    told = mailbox.sections(uid, {_own(part): own_header.MAX_OCTETS for part in doubtful})
    return own_header.repaired(tree, {part.section: own_header.read(told[_own(part)]) for part in doubtful if _own(part) in told})


def fetch_texts(mailbox: Mailbox, uid: int, tree: Tree, *, offset: int, max_chars: int, calendar_octets: int = 0) -> Texts:
    """The texts of a message whose tree is settled, with the own headers of their parts beside them.

    A part whose own header names another type than the structure is withheld. Raises `content-unreadable` when no text can be had
    though there should be one.
    """
    wanted = [part for part in text_parts(tree) if part.size]
    long = LongText(wanted[0], offset, max_chars) if len(wanted) == 1 and readable_in_pieces(wanted[0]) else None
    asked = {} if long else _lengths(wanted)
    named = [part for part in (*wanted, *_nameless(tree)) if part.section != WHOLE_TEXT] if tree.root.children else []
    dates = {part.section: calendar_octets for part in calendar.calendar_parts(tree) if part.size and calendar_octets}
    questions = asked | dates | {_own(part): MAX_NAME_OCTETS for part in named}
    told = mailbox.sections(uid, questions) if questions else {}
    own = {part.section: own_header.read(told[_own(part)]) for part in named if _own(part) in told}
    repaired = own_header.repaired(tree, own)
    now = {part.section: part for part in repaired.leaves()}
    calendars = tuple((now[section], told[section]) for section in dates if section in told and not now[section].withheld)
    if long:
        long.part = now[long.part.section]
        if long.part.withheld:
            raise Refusal(Code.CONTENT_UNREADABLE)
        return Texts(repaired, long=long, warnings=_read_on(mailbox, uid, long), calendars=calendars)
    warnings: set[Defect] = set()
    octets = {part.section: _whole(mailbox, uid, part, told, asked, warnings) for part in wanted if part.section in told}
    if asked and all(part.section not in octets or now[part.section].withheld for part in wanted if part.section in asked):
        raise Refusal(Code.CONTENT_UNREADABLE)
    if len(octets) < len(asked):
        warnings.add("structure-mismatch")
    return Texts(repaired, octets, warnings=merged(warnings), calendars=calendars)


def with_own_header(mailbox: Mailbox, uid: int, tree: Tree, attachment: Attachment) -> Attachment:
    """An attachment of a settled tree with what its own header adds; `part.withheld` when that contradicts the structure."""
    if not tree.root.children:
        return attachment
    name = _own(attachment.part)
    told = mailbox.sections(uid, {name: own_header.MAX_OCTETS})
    found = {attachment.part.section: own_header.read(told[name])} if name in told else {}
    (part,) = own_header.repaired(Tree(attachment.part), found).leaves()
    return Attachment(attachment.index, part, part.filename or attachment.filename)


def _own(part: Part) -> str:
    return f"{part.section}.MIME"


def _with_head(tree: Tree, head: Headers) -> Tree:
    """The tree of a message that is one part, whose own header is that of the message. Asks nothing."""
    if tree.root.children or not head.fields:
        return tree
    own = own_header.of(head)
    found = own_header.repaired(tree, {tree.root.section: own})
    if found.root.unreadable and own.textual:
        return Tree(replace(found.root, media_type="text/plain"), found.warnings)
    return found


def _nameless(tree: Tree) -> list[Part]:
    """The attachments whose names the structure lacks or may have spoiled: Bridge itself gives each of them the same name twice.

    What it passes on as others wrote it loses octets above 127, and names in pieces that its reader does not put together.
    """
    listed = (each.part for each in attachments(tree).attachments)
    return [part for part in listed if len(part.named) < 2 or len(part.filenames) > 1]


def _lengths(wanted: list[Part]) -> dict[str, int]:
    """How much of each text is asked for at first: one octet more than it should have, so that a surplus shows."""
    allowance = bodies.Allowance()
    asked: dict[str, int] = {}
    for part in wanted:
        length = min(allowance.left(part), part.size + 1 if part.sized else PIECE_OCTETS)
        if length > 0:
            asked[part.section] = length
            allowance.spend(part, min(length, part.size))
    return asked


def _whole(mailbox: Mailbox, uid: int, part: Part, told: Mapping[str, bytes], asked: Mapping[str, int], warnings: set[Defect]) -> bytes:
    """The octets of a text, with what a structure that says too little left out, as far as the limits go."""
    octets = told[part.section]
    limit = bodies.Allowance().left(part)
    if part.sized and len(octets) != part.size and not len(octets) == asked[part.section] < part.size:
        warnings.add("structure-mismatch")
    if len(octets) == asked[part.section] < limit:
        octets += mailbox.section(uid, part.section, len(octets), limit - len(octets))
    return octets


def _read_on(mailbox: Mailbox, uid: int, long: LongText) -> tuple[Defect, ...]:
    """Read the long text as far as its range needs. Its end is where no more octets come, whatever the structure says."""
    done = 0
    length = PIECE_OCTETS
    while not long.filled:
        piece = mailbox.section(uid, long.part.section, done, length)
        done += len(piece)
        ended = len(piece) < length
        long.feed(piece, last=ended)
        if ended:
            return ("structure-mismatch",) if done != long.part.size else ()
        if done > long.most_octets:
            long.give_up()
        length = min(4 * length, LARGEST_PIECE_OCTETS)
    return ("structure-mismatch",) if done > long.part.size else ()
