"""The rules of a mail's `<style>` elements that decide whether text can be seen, and what they say of one element.

Rules count by specificity and order as CSS says, `!important` ones above the others. Of at-rules `@media` is judged for a normal screen
(`css_media`), `@supports` taken as true, `@layer` entered without its order; `@import` is never fetched; animations and generated
content (`::before`) are not evaluated. Not evaluated, and told by `complete`: `@container`, `@scope`, nested rules, selectors such as
`:is()`, and custom properties (`var()`), computed lengths and colours that an element's text depends on.
Bounded: 128 KiB, 4,000 relevant selectors and 1,000,000 steps for one document. `complete` says whether everything was looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.mime.css_media import screen_shows
from proton_safe.mime.css_properties import UNREAD, Declarations, declarations, plain
from proton_safe.mime.css_selectors import MAX_CLASSES, MAX_STEPS, Matcher, Selector, is_selector, may_hold, selector, unescaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from justhtml.dom import Element

MAX_SHEET_CHARS: Final = 131_072
MAX_RULES: Final = 4_000
MAX_NESTING: Final = 20
_MARK: Final = re.compile(r"[{};]")
_NO_DECLARATIONS: Final[Declarations] = {}
# What a comma parts no selectors in. Brackets are looked for so far only, since many that are never closed would cost a square.
_INSIDE: Final = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)|\[[^\]]{0,200}+\]")
_UNREAD_AT_RULE: Final = re.compile(r"@(?:container|scope|starting-style|layer)(?![\w-])|@supports(?![\w-]).*\bnot\b", re.DOTALL)
_AT_RULE: Final = re.compile(r"@(media|supports|layer)(?![\w-])(.*)", re.DOTALL)
_KEYFRAMES: Final = re.compile(r"@(?:-webkit-)?keyframes(?![\w-])")
_IMPORTED: Final = re.compile(r"@import\s*(?:url\(\s*)?[\"']?\s*data:")
# What an animation may hide text with.
_ANIMATED: Final = frozenset(
    {"opacity", "visibility", "display", "color", "font-size", "clip-path", "-webkit-text-fill-color", "transform"}
)
_BLANK: Final = " \t\n\r\f"
_AT_BEGINS: Final = re.compile(rf"(?:[{_BLANK}]|<!--|-->)*+@")


@dataclass(frozen=True, slots=True)
class _Rule:
    selector: Selector
    order: tuple[tuple[int, int, int], int]
    normal: Declarations
    important: Declarations


class Sheet:
    """All rules of one document, looked up by the id, class or tag that an element must have."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._matcher = Matcher(steps)
        self._count = 0
        self._cut = False

    @property
    def complete(self) -> bool:
        """Whether no rule and no element was passed over because there were too many."""
        return not self._cut and not self._matcher.spent

    def doubt(self) -> None:
        """Something else than a style element says how the document looks."""
        self._cut = True

    def add(self, texts: Iterable[str]) -> None:
        """Take in the texts of style elements, as far as they are within the bounds."""
        left = MAX_SHEET_CHARS
        for css in texts:
            self._cut |= len(css) > left or (_IMPORTED.search(css.lower()) is not None)
            self._take(css[:left])
            left = max(0, left - len(css))

    def _take(self, css: str) -> None:
        """One style element: what is left open in it ends with it."""
        for selectors, body in _rules(plain(css)):
            if not selectors:
                self._cut = True
                continue
            normal, important = declarations(body)
            if normal or important:
                listed = _listed(selectors)
                if all(is_selector(each) for each in listed):
                    for each in listed:
                        self._keep(each, normal, important)

    def of(self, element: Element, own: Declarations) -> Declarations:
        """What holds for an element whose `style` attribute declares `own` (`css_properties.inline`)."""
        matched = self._matched(element) if self._rules else ()
        self._cut |= UNREAD in own or any(UNREAD in rule.normal for rule in matched)
        if not matched and not any(name[0] == "!" for name in own):
            return own
        merged: Declarations = {}
        for rule in matched:
            merged.update(rule.normal)
        merged.update(own)
        for rule in matched:
            merged.update(rule.important)
        merged.update({name[1:]: value for name, value in own.items() if name[0] == "!"})
        return merged

    def _keep(self, text: str, normal: Declarations, important: Declarations) -> None:
        wanted = selector(text)
        if wanted is None:
            self._cut |= may_hold(text)
            return
        if self._count == MAX_RULES:
            self._cut = True
            return
        self._count += 1
        self._rules.setdefault(wanted.compounds[0].key, []).append(_Rule(wanted, (wanted.weight, self._count), normal, important))

    def _matched(self, element: Element) -> list[_Rule]:
        """The rules that name an element, the weakest first."""
        found = [rule for rule in self._candidates(element) if self._matcher.matches(rule.selector, element)]
        if len(found) > 1:
            found.sort(key=lambda rule: rule.order)
        return found

    def _candidates(self, element: Element) -> Iterator[_Rule]:
        attributes = element.attrs
        yield from self._rules.get("*", ())
        yield from self._rules.get(element.name.lower(), ())
        if attributes.get("id"):
            yield from self._rules.get(f"#{(attributes['id'] or '').lower()}", ())
        if attributes.get("class"):
            for name in dict.fromkeys((attributes["class"] or "").lower().split()[:MAX_CLASSES]):
                yield from self._rules.get(f".{name}", ())


def sheet(texts: Iterable[str]) -> Sheet:
    """The rules of all style elements of a document."""
    made = Sheet()
    made.add(texts)
    return made


def _listed(selectors: str) -> list[str]:
    """The selectors of a list, empty ones too, since they spoil it; a comma inside parentheses or brackets parts none."""
    if "," not in selectors:
        return [selectors]
    marked = _INSIDE.sub(lambda found: found[0].replace(",", "\0"), selectors)
    return [each.replace("\0", ",") for each in marked.split(",")]


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Selectors and body of each rule that a normal screen applies. One pass; at most 20 at-rules are open at a time.

    Without selectors: a rule that is not evaluated stands here.
    """
    animated = "animation" in css
    blocks: list[bool | None] = []
    at = 0
    spoiled = -1
    marks = _MARK.finditer(css)
    for mark in marks:
        if mark[0] == "}":
            if blocks:
                blocks.pop()
                at = mark.end()
            continue
        if mark[0] == ";":
            # Without an at-rule to end, it stands in a selector, and spoils it.
            if at != spoiled and _AT_BEGINS.match(css, at):
                at = mark.end()
            else:
                spoiled = at
            continue
        prelude = css[at : mark.start()].strip(_BLANK)
        if not blocks:
            prelude = _without_comment_marks(prelude)
        at = mark.end()
        if prelude.startswith("@") and len(blocks) < MAX_NESTING:
            prelude = unescaped(prelude)
            if all(blocks) and _UNREAD_AT_RULE.match(prelude):
                yield "", ""
            blocks.append(None if _KEYFRAMES.match(prelude) else _applies(prelude))
            continue
        body, end = _body(css, at, marks)
        if blocks and blocks[-1] is None and all(blocks[:-1]) and animated and not _ANIMATED.isdisjoint(declarations(body)[0]):
            yield "", ""
        if all(blocks) and not prelude.startswith("@"):
            yield prelude, body
            if css.find("{", at, end) >= 0:
                yield "", ""
        at = end


def _without_comment_marks(prelude: str) -> str:
    """What hides style sheets from programs of the last century stands between rules, and there alone."""
    while prelude.startswith(("<!--", "-->")):
        prelude = prelude.removeprefix("<!--").removeprefix("-->").lstrip(_BLANK)
    return prelude


def _body(css: str, at: int, marks: Iterator[re.Match[str]]) -> tuple[str, int]:
    """The text from `at` to the end of the block, nested blocks left out, and where the block ends."""
    pieces: list[str] = []
    depth = 1
    for mark in marks:
        if depth == 1:
            pieces.append(css[at : mark.start()])
        at = mark.end()
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth:
            return ";".join(pieces), at
    if depth == 1:
        pieces.append(css[at:])
    return ";".join(pieces), len(css)


def _applies(prelude: str) -> bool:
    """Whether the rules inside an at-rule may hold; those of `@font-face`, `@keyframes` and the like never do."""
    match = _AT_RULE.match(prelude)
    if match is None:
        return False
    condition = match[2].replace("\x7f", " ").strip(_BLANK)
    return screen_shows(condition) if match[1] == "media" else match[1] == "layer" or not condition.startswith("not")
