"""HTML as the text that a person would see, through a real HTML5 parser (justhtml), without recursion.

Left out and counted by kind: text that style or attributes hide, text of elements that mail programs don't show, and sentences in
comments, code and attributes. Left out without a count: other comments, scripts, styles and attributes. Links show text and target,
images their alternative text, list items their numbers; table cells stand apart. Entities are decoded once, by the parser. Nothing is
fetched, and of what `<form>`, `<input>` and `<button>` hold only text between tags is shown.

Floods are bounded: 1,048,576 characters, 250,000 tags, 2,097,152 characters of text; runs of line breaks, empty paragraphs and
no-break spaces longer than anybody writes are shortened before they are parsed. What is cut is said by a warning.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, get_args

from justhtml import JustHTML
from justhtml.dom import Comment, Element, Text

from proton_safe.mime import css, links
from proton_safe.mime.css_media import screen_shows
from proton_safe.mime.css_properties import inline
from proton_safe.mime.css_selectors import MAX_STEPS
from proton_safe.mime.defects import Defect, merged
from proton_safe.mime.hidden_text import MAX_ALT_CHARS, HiddenText
from proton_safe.mime.html_cost import bounded
from proton_safe.mime.html_lists import BULLET, LISTS, Numbering, integer
from proton_safe.mime.text_flow import TextFlow
from proton_safe.mime.visibility import HiddenKind, Look, look_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from justhtml.dom import Node, NodeType

    from proton_safe.mime.css_properties import Declarations

MAX_LINK_TEXT_CHARS: Final = 400
_SILENT: Final = frozenset({"script", "style", "head", "title", "meta", "link", "base"})
_NOT_RENDERED: Final = frozenset(
    {"template", "svg", "math", "iframe", "noframes", "noembed", "object", "audio", "video", "canvas", "datalist", "meter", "progress"}
)
_SPACED: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "pre", "table", "figure", "fieldset", "hr"})
_BLOCKS: Final = _SPACED | {
    *("address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dt", "fieldset", "figcaption"),
    *("footer", "form", "header", "html", "legend", "li", "listing", "main", "menu", "nav", "optgroup", "option", "plaintext", "section"),
    *("summary", "tbody", "tfoot", "thead", "xmp"),
}
# Elements whose end brings nothing: no break, no target.
_PLAIN: Final = frozenset(
    {"abbr", "b", "big", "br", "em", "font", "i", "img", "input", "label", "small", "span", "strong", "sub", "sup", "td", "th", "u"}
)
_NO_STYLE: Final[Declarations] = {}


@dataclass(frozen=True, slots=True)
class HtmlText:
    """`text`: what a person sees, with link targets and image texts; `bare`: the same without those; `hidden`: (kind, characters).

    `mismatches`: links whose text names another host than they lead to. `warnings`: what was not read to its end.
    """

    text: str
    bare: str
    hidden: tuple[tuple[HiddenKind, int], ...] = ()
    mismatches: int = 0
    warnings: tuple[Defect, ...] = ()


def received(values: Mapping[str, Any]) -> HtmlText:
    """The value out of the plain data that a child process sent; raises `TypeError` for anything else."""
    text, bare, hidden, mismatches, warnings = (values.get(name) for name in ("text", "bare", "hidden", "mismatches", "warnings"))
    if not isinstance(text, str) or not isinstance(bare, str) or not isinstance(hidden, list) or not isinstance(mismatches, int):
        raise TypeError("not an HTML text")
    if not isinstance(warnings, list):
        raise TypeError("not an HTML text")
    kinds = get_args(HiddenKind)
    pairs = [tuple(pair) for pair in hidden if isinstance(pair, list | tuple) and len(pair) == 2]
    counted = tuple((kind, count) for kind, count in pairs if kind in kinds and isinstance(count, int) and count > 0)
    return HtmlText(text, bare, counted, max(0, mismatches), tuple(each for each in get_args(Defect) if each in warnings))


def html_text(html: str, *, steps: int = MAX_STEPS) -> HtmlText:
    """The visible text of an HTML document, of its first 1,048,576 characters; never raises. `steps` bounds the work on style rules.

    Our own part is linear. The parser's is not for all input (`html_cost`), so what is not light belongs into a child process.
    """
    kept, cut = bounded(html)
    end = _end_of(kept)
    root = JustHTML(kept + end, sanitize=False, scripting_enabled=False).root
    return _Reader(root, steps, end).read(root, cut=cut)


def _end_of(html: str) -> str:
    """Stands behind the HTML: where the tree does not hold it as text, a comment, tag or silent element has swallowed the end.

    It is made of the digest of what is before it, so that nothing there can say the same.
    """
    return f"\ufdd0{blake2b(html.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}\ufdd1"


def _elements(root: Node) -> Iterator[Element]:
    """All elements in document order, those inside templates left out."""
    waiting: list[NodeType] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Element):
            yield node
        if not isinstance(node, Text) and node.children:
            waiting.extend(reversed(node.children))


def _style_text(element: Element) -> str:
    """What a style element says to a normal screen."""
    kind = (element.attrs.get("type") or "text/css").lower()
    if kind != "text/css" or not screen_shows((element.attrs.get("media") or "").lower()):
        return ""
    return "".join(child.data or "" for child in element.children if isinstance(child, Text))


def _is_own_sheet(link: Element) -> bool:
    """Whether a link brings a style sheet along in its own address, for which nothing has to be fetched."""
    address = (link.attrs.get("href") or "")[:100].strip().lower()
    return address.startswith("data:") and "stylesheet" in (link.attrs.get("rel") or "").lower()


@dataclass(frozen=True, slots=True)
class _Opened:
    """An element whose end is still to come."""

    element: Element
    mark: int
    target: links.Target | None
    pictures: int


class _Reader:
    """One walk over one document."""

    def __init__(self, root: Node, steps: int, end: str) -> None:
        self._document_end = end
        self._sheet = css.Sheet(steps)
        self._base = ""
        texts = []
        for element in _elements(root):
            if element.name == "style":
                texts.append(_style_text(element))
            elif element.name == "base" and not self._base:
                self._base = element.attrs.get("href") or ""
            elif (element.name == "link" and _is_own_sheet(element)) or (element.name == "template" and "shadowrootmode" in element.attrs):
                self._sheet.doubt()
        self._sheet.add(texts)
        self._flow = TextFlow()
        self._hidden = HiddenText(end)
        self._styles: dict[str, Declarations] = {}
        self._lists: list[Numbering] = []
        # Of each open table, whether it has header cells: then it is a table of data, and its empty cells keep their places.
        self._tables: list[bool] = []
        self._mismatches = 0
        self._pictures = 0
        self._whole = False

    def read(self, root: Node, *, cut: bool) -> HtmlText:
        waiting: list[tuple[NodeType | _Opened, Look]] = [(root, Look())]
        while waiting:
            node, look = waiting.pop()
            if isinstance(node, _Opened):
                self._close(node, look)
            elif isinstance(node, Text):
                self._text(node.data or "", look)
            elif isinstance(node, Element):
                self._element(node, look, waiting)
            elif isinstance(node, Comment):
                self._hidden.comment(node)
            else:
                waiting.extend((child, look) for child in reversed(node.children or ()))
        text = self._flow.text()
        warnings: list[Defect] = ["body-truncated"] if cut or self._flow.full else []
        warnings += [] if self._whole or cut else ["html-cut-off"]
        warnings += [] if self._sheet.complete else ["style-unread"]
        return HtmlText(text, self._flow.bare(), self._hidden.counted(), self._mismatches, merged(warnings))

    def _element(self, element: Element, around: Look, waiting: list[tuple[NodeType | _Opened, Look]]) -> None:
        name = element.name.lower()
        attributes = element.attrs
        if attributes:
            self._hidden.attributes(attributes)
        if name in _SILENT:
            self._hidden.silent(element)
            return
        if name in _NOT_RENDERED:
            self._hidden.whole(element, around.kind or "not-rendered")
            return
        style = self._sheet.of(element, self._inline(attributes["style"] or "") if "style" in attributes else _NO_STYLE)
        look = look_of(around, name, attributes, style)
        if look.hidden is None:
            self._open(element, name, look)
        if name == "img":
            self._image(attributes, style, look)
        if name in {"select", "option", "optgroup"} and look.kind is None:
            waiting.extend((child, look) for child in reversed(self._choices(element, name)))
            return
        if name in _PLAIN:
            waiting.extend([(child, look) for child in reversed(element.children)])
            return
        target = (
            links.target(attributes["href"] or "", base=self._base) if name == "a" and "href" in attributes and look.kind is None else None
        )
        waiting.append((_Opened(element, self._flow.pieces, target, self._pictures), look))
        waiting.extend([(child, look) for child in reversed(element.children)])

    def _inline(self, style: str) -> Declarations:
        known = self._styles.get(style)
        if known is None:
            known = self._styles[style] = inline(style)
        return known

    def _open(self, element: Element, name: str, look: Look) -> None:
        flow = self._flow
        if name == "br":
            flow.line_break()
        elif name in {"td", "th"}:
            if name == "th" and self._tables:
                self._tables[-1] = True
            flow.cell(kept=bool(self._tables) and self._tables[-1])
        elif name == "tr":
            flow.row()
        elif name == "blockquote":
            flow.quote(1)
        elif name in _BLOCKS:
            if name == "table":
                flow.begin_table()
            else:
                flow.block(spaced=name in _SPACED and not (self._lists and name in LISTS))
            self._begin(element, name, look)
        elif name == "q":
            flow.add("\u201c")

    def _begin(self, element: Element, name: str, look: Look) -> None:
        """What the beginning of a block brings along."""
        if name in LISTS:
            if self._lists:
                self._flow.indent(1)
            self._lists.append(Numbering(element))
        elif name == "li" and look.kind is None:
            self._flow.mark(self._lists[-1].mark(element) if self._lists else BULLET)
        elif name == "table":
            self._tables.append(False)

    def _choices(self, element: Element, name: str) -> list[NodeType]:
        """What of a list of choices is shown: the choices and the titles of their groups; other things in it are not."""
        label = " ".join((element.attrs.get("label") or "")[:MAX_ALT_CHARS].split()) if name != "select" else ""
        if label:
            self._flow.add(label)
        if name == "option" and not label:
            return list(element.children)
        shown: list[NodeType] = []
        for child in element.children if name != "option" else ():
            if isinstance(child, Element) and child.name in {"option", "optgroup", "hr"}:
                shown.append(child)
            elif name == "select" and isinstance(child, Element):
                self._hidden.whole(child, "not-rendered")
            elif name == "select" and isinstance(child, Text):
                self._hidden.add("not-rendered", len("".join((child.data or "").split())))
            else:
                shown.append(child)
        if name == "option":
            self._hidden.whole(element, "not-rendered")
        return shown

    def _image(self, attributes: Mapping[str, str | None], style: Declarations, look: Look) -> None:
        self._pictures += 1
        words = " ".join((attributes.get("alt") or "")[: 2 * MAX_ALT_CHARS].split())[:MAX_ALT_CHARS]
        sides = [integer(style.get(side, attributes.get(side)), 2) for side in ("width", "height")]
        sides_at_most = [integer(style.get(f"max-{side}"), 2) for side in ("width", "height")]
        flat = 0 in sides or 0 in sides_at_most or set(sides) <= {0, 1}
        kind = look.kind or ("zero-size" if flat else None)
        if kind is not None:
            self._hidden.add(kind, len("".join(words.split())))
        elif words:
            self._flow.note(f"[image: {words}]")

    def _text(self, text: str, look: Look) -> None:
        if text.endswith(self._document_end):
            text, self._whole = text.removesuffix(self._document_end), True
        if look.kind is not None:
            self._hidden.add(look.kind, len("".join(text.split())))
        elif look.preformatted:
            self._flow.add_preformatted(text)
        else:
            self._flow.add(text)

    def _close(self, opened: _Opened, look: Look) -> None:
        name = opened.element.name.lower()
        if opened.target is not None:
            self._link(opened, opened.target)
        if look.hidden is not None:
            return
        if name == "blockquote":
            self._flow.quote(-1)
        elif name == "q":
            self._flow.add("\u201d")
        elif name == "tr":
            self._flow.block(spaced=False)
        elif name in _BLOCKS:
            self._end(name)
            self._flow.block(spaced=name in _SPACED and not (self._lists and name in LISTS))

    def _end(self, name: str) -> None:
        """What the end of a block takes back."""
        if name in LISTS:
            self._lists.pop()
            if self._lists:
                self._flow.indent(-1)
        elif name == "li":
            self._flow.mark("")
        elif name == "table":
            self._tables.pop()
            self._flow.end_table()

    def _link(self, opened: _Opened, target: links.Target) -> None:
        text = self._flow.since(opened.mark, at_most=MAX_LINK_TEXT_CHARS)
        if not text and self._pictures == opened.pictures:
            return
        if not links.same_place(text, target):
            self._flow.space()
            self._flow.note(f"<{target.shown}>")
        named = links.named_host(text)
        if named and target.host and not links.same_site(named, target.host):
            self._mismatches += 1
            self._flow.space()
            self._flow.note(f"[link text says {named}]")
