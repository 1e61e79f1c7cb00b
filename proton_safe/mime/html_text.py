"""HTML as the text that a person would see, through a real HTML5 parser (justhtml), without recursion.

Left out and counted by kind: text that style or attributes hide. Left out: scripts, styles, comments, head, drawings. Links show
text and target; images their alternative text. Entities are decoded once, by the parser. Nothing is fetched.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, get_args

from justhtml import JustHTML
from justhtml.dom import Element, Text

from proton_safe.mime import css, links
from proton_safe.mime.text_flow import TextFlow
from proton_safe.mime.visibility import HiddenKind, Look, look_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from justhtml.dom import Node, NodeType

    from proton_safe.mime.css import Declarations, Sheet

MAX_HTML_CHARS: Final = 1_048_576
MAX_ALT_CHARS: Final = 200
MAX_LINK_TEXT_CHARS: Final = 400
_SILENT: Final = frozenset({"script", "style", "head", "title", "meta", "link", "base"})
_NOT_RENDERED: Final = frozenset(
    {"template", "svg", "math", "iframe", "noframes", "noembed", "object", "audio", "video", "canvas", "datalist"}
)
_SPACED: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "pre", "table", "figure", "fieldset", "hr"})
_BLOCKS: Final = _SPACED | {
    *("address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dt", "fieldset", "figcaption"),
    *("footer", "form", "header", "html", "legend", "li", "listing", "main", "menu", "nav", "optgroup", "option", "plaintext", "section"),
    *("summary", "tbody", "tfoot", "thead", "xmp"),
}
_NO_STYLE: Final[Declarations] = {}


@dataclass(frozen=True, slots=True)
class HtmlText:
    """`text`: what a person sees, with link targets and image texts; `bare`: the same without those; `hidden`: (kind, characters).

    `mismatches`: links whose text names another host than they lead to.
    """

    text: str
    bare: str
    hidden: tuple[tuple[HiddenKind, int], ...] = ()
    mismatches: int = 0


def received(values: Mapping[str, Any]) -> HtmlText:
    """The value out of the plain data that a child process sent; raises `TypeError` for anything else."""
    text, bare, hidden, mismatches = (values.get(name) for name in ("text", "bare", "hidden", "mismatches"))
    if not isinstance(text, str) or not isinstance(bare, str) or not isinstance(hidden, list) or not isinstance(mismatches, int):
        raise TypeError("not an HTML text")
    kinds = get_args(HiddenKind)
    pairs = [tuple(pair) for pair in hidden if isinstance(pair, list | tuple) and len(pair) == 2]
    counted = tuple((kind, count) for kind, count in pairs if kind in kinds and isinstance(count, int) and count > 0)
    return HtmlText(text, bare, counted, max(0, mismatches))


def html_text(html: str) -> HtmlText:
    """The visible text of an HTML document, of its first 1,048,576 characters; never raises. Linear."""
    document = JustHTML(html[:MAX_HTML_CHARS], sanitize=False, scripting_enabled=False)
    return _Reader(css.sheet(_sheets(document.root))).read(document.root)


def _sheets(root: Node) -> list[str]:
    """The texts of all style elements."""
    found: list[str] = []
    waiting: list[NodeType] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Text):
            continue
        if node.name == "style":
            found.append("".join(child.data or "" for child in node.children or () if isinstance(child, Text)))
        else:
            waiting.extend(reversed(node.children or ()))
    return found


@dataclass(frozen=True, slots=True)
class _Opened:
    """An element whose end is still to come."""

    element: Element
    mark: int
    target: links.Target | None
    pictures: int


class _Reader:
    """One walk over one document."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._shown = TextFlow()
        self._bare = TextFlow()
        self._hidden: Counter[HiddenKind] = Counter()
        self._styles: dict[str, Declarations] = {}
        self._mismatches = 0
        self._pictures = 0

    def read(self, root: Node) -> HtmlText:
        waiting: list[tuple[NodeType | _Opened, Look]] = [(root, Look())]
        while waiting:
            node, look = waiting.pop()
            if isinstance(node, _Opened):
                self._close(node, look)
            elif isinstance(node, Text):
                self._text(node.data or "", look)
            elif isinstance(node, Element):
                self._element(node, look, waiting)
            else:
                waiting.extend((child, look) for child in reversed(node.children or ()))
        return HtmlText(self._shown.text(), self._bare.text(), tuple(sorted((+self._hidden).items())), self._mismatches)

    def _element(self, element: Element, around: Look, waiting: list[tuple[NodeType | _Opened, Look]]) -> None:
        name = element.name.lower()
        if name in _SILENT:
            return
        attributes = element.attrs or {}
        if name in _NOT_RENDERED:
            self._hide_all(element, around.kind or "not-rendered")
            return
        style = self._sheet.of(name, attributes, self._inline(attributes.get("style") or ""))
        look = look_of(around, name, attributes, style)
        opened = _Opened(element, self._shown.pieces, self._target(name, attributes, look), self._pictures)
        if look.hidden is None:
            self._open(name, look)
        if name == "img":
            self._image((attributes.get("alt") or "")[: 2 * MAX_ALT_CHARS], look)
        waiting.append((opened, look))
        waiting.extend((child, look) for child in reversed(element.children or ()))

    def _inline(self, style: str) -> Declarations:
        if not style:
            return _NO_STYLE
        known = self._styles.get(style)
        if known is None:
            known = self._styles[style] = css.declarations(style)
        return known

    def _target(self, name: str, attributes: Mapping[str, str | None], look: Look) -> links.Target | None:
        return links.target(attributes.get("href") or "") if name == "a" and look.kind is None else None

    def _open(self, name: str, look: Look) -> None:
        for flow in (self._shown, self._bare):
            if name == "br":
                flow.line_break()
            elif name == "blockquote":
                flow.quote(1)
            elif name == "tr":
                flow.row()
            elif name in {"td", "th"}:
                flow.cell()
            elif name in _BLOCKS:
                flow.block(spaced=name in _SPACED)
        if name == "li" and look.kind is None:
            self._shown.add("- ")

    def _image(self, alternative: str, look: Look) -> None:
        self._pictures += 1
        words = " ".join(alternative.split())[:MAX_ALT_CHARS]
        if look.kind is not None:
            self._hidden[look.kind] += len(words)
        elif words:
            self._shown.add(f"[image: {words}]")

    def _text(self, text: str, look: Look) -> None:
        kind = look.kind
        if kind is not None:
            self._hidden[kind] += len("".join(text.split()))
            return
        for flow in (self._shown, self._bare):
            if look.preformatted:
                flow.add_preformatted(text)
            else:
                flow.add(text)

    def _close(self, opened: _Opened, look: Look) -> None:
        name = opened.element.name.lower()
        if opened.target is not None:
            self._link(opened, opened.target)
        if look.hidden is not None:
            return
        for flow in (self._shown, self._bare):
            if name == "blockquote":
                flow.quote(-1)
            elif name in _BLOCKS or name == "tr":
                flow.block(spaced=name in _SPACED)

    def _link(self, opened: _Opened, target: links.Target) -> None:
        text = self._shown.since(opened.mark, at_most=MAX_LINK_TEXT_CHARS)
        if not text and self._pictures == opened.pictures:
            return
        if not links.same_place(text, target):
            self._shown.add(f" <{target.shown}>")
        named = links.named_host(text)
        if named and target.host and not links.same_site(named, target.host):
            self._mismatches += 1
            self._shown.add(f" [link text says {named}]")

    def _hide_all(self, element: Element, kind: HiddenKind) -> None:
        """Count the text of an element of which nothing is shown."""
        waiting: list[NodeType] = [element]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Text):
                self._hidden[kind] += len("".join((node.data or "").split()))
            else:
                waiting.extend(node.children or ())
