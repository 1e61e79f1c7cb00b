"""Which text a message has: its text parts found in the tree, read, and one alternative chosen by what it says.

Several parts that are shown one after the other are joined. Of alternatives the plain one is taken if it says what the HTML says,
else the fuller one, and the divergence is flagged. Attached messages and named files are never part of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from proton_safe.mime import charsets, transfer
from proton_safe.mime.attachments import MAX_TEXT_PARTS, text_parts
from proton_safe.mime.defects import merged
from proton_safe.mime.flowed import unflow
from proton_safe.mime.html_cost import MAX_HTML_CHARS
from proton_safe.mime.html_text import HtmlText
from proton_safe.mime.parameters import value
from proton_safe.mime.sameness import essence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from proton_safe.mime.defects import Defect
    from proton_safe.mime.structure import Part, Tree
    from proton_safe.mime.visibility import HiddenKind

MAX_PLAIN_OCTETS: Final = 2_097_152
MAX_HTML_OCTETS: Final = 1_572_864

Source = Literal["plain", "html", "none"]
Fetch = Callable[["Part", int], bytes]
ReadHtml = Callable[[str], HtmlText]


@dataclass(frozen=True, slots=True)
class Body:
    """A message's text, where it comes from, and what is to be known about it."""

    text: str = ""
    source: Source = "none"
    alternatives_differ: bool = False
    hidden: tuple[tuple[HiddenKind, int], ...] = ()
    link_mismatches: int = 0
    warnings: tuple[Defect, ...] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    """What a part, or several, say: the text to show, the text to compare."""

    text: str = ""
    bare: str = ""
    source: Source = "none"
    differ: bool = False
    hidden: Counter[HiddenKind] = field(default_factory=Counter)
    mismatches: int = 0


@dataclass(slots=True)
class Allowance:
    """How many octets of a message's texts may still be read, all plain and all HTML parts together: parts must not multiply a limit."""

    plain: int = MAX_PLAIN_OCTETS
    html: int = MAX_HTML_OCTETS

    def left(self, part: Part) -> int:
        """How many octets of this part may be read at most, from its start."""
        return self.html if part.media_type == "text/html" else self.plain

    def spend(self, part: Part, octets: int) -> None:
        """So many octets of this part have been read."""
        if part.media_type == "text/html":
            self.html -= octets
        else:
            self.plain -= octets


@dataclass(slots=True)
class _Reading:
    fetch: Fetch
    read_html: ReadHtml
    wanted: frozenset[str]
    charset: str = ""
    allowance: Allowance = field(default_factory=Allowance)
    warnings: set[Defect] = field(default_factory=set)


def read(tree: Tree, *, fetch: Fetch, read_html: ReadHtml, charset: str = "") -> Body:
    """Read the text of a message. `fetch(part, octets)` gives the encoded octets of a part, at most so many from its start.

    `charset`: the label that parts without one may go by, where their octets are no UTF-8.
    What `fetch` and `read_html` raise passes through. At most 20 parts; 2 MiB of all plain and 1.5 MiB of all HTML parts.
    """
    wanted = text_parts(tree)
    reading = _Reading(fetch, read_html, frozenset(part.section for part in wanted), charset)
    if len(wanted) == MAX_TEXT_PARTS:
        reading.warnings.add("structure-truncated")
    said = _read(tree.root, reading)
    return Body(
        said.text,
        said.source,
        said.differ,
        tuple(sorted(said.hidden.items())),
        said.mismatches,
        merged(reading.warnings),
    )


def _read(part: Part, reading: _Reading) -> _Said:
    """What a part says. The tree is at most 20 levels deep (`structure.MAX_DEPTH`)."""
    if part.children:
        said = [_read(child, reading) for child in part.children]
        return _chosen(said) if part.media_type == "multipart/alternative" else _joined(said)
    if part.section not in reading.wanted or part.withheld:
        return _Said()
    return _html(part, reading) if part.media_type == "text/html" else _plain(part, reading)


def _plain(part: Part, reading: _Reading) -> _Said:
    text = _text(part, reading)
    if value(part.parameters, "format").lower() == "flowed":
        text = unflow(text, delete_space=value(part.parameters, "delsp").lower() == "yes")
    text = text.strip("\r\n")
    return _Said(text, text, "plain") if text.strip() else _Said()


def _html(part: Part, reading: _Reading) -> _Said:
    html = _text(part, reading)
    if len(html) > MAX_HTML_CHARS:
        reading.warnings.add("body-truncated")
        html = html[:MAX_HTML_CHARS]
    if not html.strip():
        return _Said()
    made = reading.read_html(html)
    reading.warnings.update(made.warnings)
    return _Said(made.text, made.bare, "html" if made.text else "none", hidden=Counter(dict(made.hidden)), mismatches=made.mismatches)


def _text(part: Part, reading: _Reading) -> str:
    at_most = reading.allowance.left(part)
    encoded = reading.fetch(part, at_most)
    reading.allowance.spend(part, len(encoded))
    complete = len(encoded) < at_most
    if not complete:
        reading.warnings.add("body-truncated")
    octets = transfer.decode(encoded, part.encoding, complete=complete)
    told = charsets.in_html(octets.octets) if part.media_type == "text/html" else ""
    decoded = charsets.decode(octets.octets, part.charset, complete=complete, otherwise=told or reading.charset)
    reading.warnings.update(octets.warnings, decoded.warnings)
    return decoded.text


def _joined(said: Iterable[_Said]) -> _Said:
    """Parts that a person sees one after the other."""
    parts = [each for each in said if each.text or each.hidden]
    if len(parts) == 1:
        return parts[0]
    texts = [each for each in parts if each.text]
    source: Source = "html" if any(each.source == "html" for each in texts) else "plain" if texts else "none"
    return _Said(
        "\n\n".join(each.text for each in texts),
        "\n\n".join(each.bare for each in texts),
        source,
        differ=any(each.differ for each in parts),
        hidden=sum((each.hidden for each in parts), Counter()),
        mismatches=sum(each.mismatches for each in parts),
    )


def _chosen(said: Sequence[_Said]) -> _Said:
    """One of several alternatives, which RFC 2046 5.1.4 orders from the plainest to the best. One that hides all it says differs, too."""
    told = [each for each in said if each.text]
    hidden = [each for each in said if each.hidden]
    if not told:
        return _joined(said)
    essences = [essence(each.bare) for each in told]
    differ = len(set(essences)) > 1 or any(each.differ for each in told) or any(not each.text for each in hidden)
    fullest = max(len(each) for each in essences)
    # The plainest of those that say most: where all say the same, that is the plain text.
    best = next(each for each, gist in zip(told, essences, strict=True) if len(gist) == fullest)
    if differ:
        best = next(each for each, gist in zip(reversed(told), reversed(essences), strict=True) if len(gist) == fullest)
    return _Said(
        best.text, best.bare, best.source, differ, hidden[-1].hidden if hidden else best.hidden, max(each.mismatches for each in told)
    )
