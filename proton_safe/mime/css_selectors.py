"""CSS selectors, as far as mail uses them: read once, then matched against elements within a budget of steps.

Read: tags, classes, ids, attributes, `*`, the combinators (blank, `>`, `+`, `~`), `:not()` around one simple part, `:first-child`,
`:last-child`, `:only-child`, `:nth-child()` of a number, `odd` or `even`, `:root`, `:link`. Anything else (`:hover`, `::before`, `:is()`,
`:has()`) makes a selector that is not evaluated. Names are compared without letter case, as pages without a doctype do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from justhtml.dom import Element

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_STEPS: Final = 1_000_000
MAX_SELECTOR_CHARS: Final = 400
MAX_COMPOUNDS: Final = 10
MAX_CLASSES: Final = 20
_MAX_ATTRIBUTE_CHARS: Final = 1_000
_NAME: Final = r"(?:[-\w]|[^\x00-\xa0\u2000-\u200b\u2028\u2029\u3000\ufeff]|\\[0-9a-f]{1,6} ?|\\[^0-9a-f\n])+"
_PIECE: Final = re.compile(
    rf"(?P<tag>\*|{_NAME})|\#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    rf"|\[\s*(?P<attribute>{_NAME})\s*(?:(?P<operator>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\]\s\"']+)\s*[is]?\s*)?\]"
    rf"|:not\(\s*(?P<not>[^()]{{1,100}})\)|:nth-child\(\s*(?P<nth>[0-9]{{1,4}}|odd|even)\s*\)|:(?P<pseudo>[a-z-]+)(?![(\w-])",
    re.ASCII,
)
_COMBINATOR: Final = re.compile(r"\s*([>+~])\s*|\s+", re.ASCII)
_ESCAPE: Final = re.compile(r"\\([0-9a-f]{1,6}) ?|\\(.)", re.DOTALL)
_BLANK: Final = " \t\n\r\f"
# The grammar of a selector, whether it is evaluated here or not; a rule with one that breaks it counts for nothing.
_PARENTHESES: Final = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))++\)"
_ANY_COMPOUND: Final = (
    rf"(?:(?:(?:{_NAME}|\*)?\|)?(?:{_NAME}|\*)|&)?"
    rf"(?:\#{_NAME}|\.(?![0-9]){_NAME}|\[[^\]]+\]|::?{_NAME}(?:{_PARENTHESES})?|&)*+"
)
_ANY_SELECTOR: Final = re.compile(
    rf"(?=[^\s>+~])(?![0-9]){_ANY_COMPOUND}(?:(?:\s*(?:[>+~]|\|\|)\s*|\s+)(?=[^\s>+~])(?![0-9]){_ANY_COMPOUND})*+", re.ASCII
)
# What a colon in begins no pseudo-class, and the functions that take whatever they are given.
_NO_PSEUDO: Final = re.compile(r"\[[^\]]*\]|\\.", re.DOTALL)
_FORGIVING: Final = re.compile(r":(?:is|where|matches|any|-webkit-any)\([^()]*")
_PSEUDO_NAME: Final = re.compile(r":(:?)(-?[a-z][a-z0-9-]*)(\()?")
_KNOWN_PSEUDO: Final = frozenset(
    {
        *(
            "active",
            "any-link",
            "autofill",
            "buffering",
            "checked",
            "current",
            "default",
            "defined",
            "disabled",
            "empty",
            "enabled",
            "focus",
        ),
        *(
            "first-child",
            "first-of-type",
            "focus-visible",
            "focus-within",
            "fullscreen",
            "future",
            "host",
            "hover",
            "in-range",
            "indeterminate",
        ),
        *(
            "invalid",
            "last-child",
            "last-of-type",
            "link",
            "modal",
            "only-child",
            "only-of-type",
            "open",
            "optional",
            "out-of-range",
            "past",
        ),
        *("paused", "picture-in-picture", "placeholder-shown", "playing", "popover-open", "read-only", "read-write", "required", "root"),
        *("scope", "seeking", "stalled", "target", "user-invalid", "user-valid", "valid", "visited", "first", "left", "right", "before"),
        *("after", "first-line", "first-letter", "muted", "volume-locked", "xr-overlay", "local-link", "target-within", "has-slotted"),
    }
)
_KNOWN_FUNCTIONS: Final = frozenset(
    {
        *("is", "not", "where", "has", "lang", "dir", "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type", "host"),
        *("host-context", "state", "active-view-transition-type", "highlight", "part", "slotted", "cue", "matches", "any"),
    }
)
_KNOWN_ELEMENTS: Final = frozenset(
    {
        *("before", "after", "first-line", "first-letter", "marker", "selection", "placeholder", "backdrop", "cue", "cue-region"),
        *("file-selector-button", "grammar-error", "spelling-error", "target-text", "highlight", "part", "slotted", "view-transition"),
        *("details-content", "checkmark", "picker-icon", "picker", "search-text", "scroll-button", "scroll-marker"),
    }
)
# Names of states that no mail is in when it is opened.
_NEVER: Final = frozenset(
    {
        *("active", "autofill", "checked", "focus", "focus-visible", "focus-within", "fullscreen", "hover", "modal", "popover-open"),
        *("picture-in-picture", "target", "user-invalid", "user-valid", "visited", "before", "after"),
    }
)
_PSEUDO: Final = frozenset({"first-child", "last-child", "only-child", "root", "link", "any-link"})


def unescaped(text: str) -> str:
    r"""A CSS name or value without its escapes (`\64 isplay` is `display`)."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda found: _character(found[1]) if found[1] else found[2], text)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A condition on one attribute; `operator` is '' when it only has to be there."""

    name: str
    operator: str = ""
    value: str = ""

    def holds(self, element: Element) -> bool:
        """Whether the element meets it."""
        if self.name not in element.attrs:
            return False
        found = (element.attrs[self.name] or "")[:_MAX_ATTRIBUTE_CHARS].lower()
        if self.operator in {"", "="}:
            return not self.operator or found == self.value
        if not self.value:
            return False
        if self.operator == "~=":
            return self.value in found.split()
        if self.operator == "|=":
            return found == self.value or found.startswith(self.value + "-")
        return {"^=": found.startswith, "$=": found.endswith, "*=": found.__contains__}[self.operator](self.value)


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be, between two combinators."""

    tag: str = ""
    id: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[Attribute, ...] = ()
    places: frozenset[str] = frozenset()
    excluded: tuple[Compound, ...] = ()

    @property
    def weight(self) -> tuple[int, int, int]:
        """Its share of a selector's specificity: ids, then classes and the like, then tags."""
        inner = [other.weight for other in self.excluded]
        ids, others, tags = (sum(weight[at] for weight in inner) for at in range(3))
        return bool(self.id) + ids, len(self.classes) + len(self.attributes) + len(self.places) + others, bool(self.tag) + tags

    @property
    def key(self) -> str:
        """The one thing that an element must have, by which rules are looked up: an id, else a class, else a tag, else anything."""
        if self.id:
            return f"#{self.id}"
        return f".{min(self.classes)}" if self.classes else self.tag or "*"


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds from the right to the left; `combinators[n]` stands between compound n and n + 1."""

    compounds: tuple[Compound, ...]
    combinators: tuple[str, ...]

    @property
    def weight(self) -> tuple[int, int, int]:
        """The specificity."""
        weights = [compound.weight for compound in self.compounds]
        return sum(w[0] for w in weights), sum(w[1] for w in weights), sum(w[2] for w in weights)


def selector(text: str) -> Selector | None:
    """The selector that a text (lower case, without comments) names; None if it is not evaluated."""
    text = text.strip(_BLANK)
    if not text or len(text) > MAX_SELECTOR_CHARS:
        return None
    compounds: list[Compound] = []
    combinators: list[str] = []
    at = 0
    while True:
        compound, at = _compound(text, at)
        if compound is None or len(compounds) == MAX_COMPOUNDS:
            return None
        compounds.append(compound)
        if at == len(text):
            return Selector(tuple(reversed(compounds)), tuple(reversed(combinators)))
        between = _COMBINATOR.match(text, at)
        if between is None:
            return None
        combinators.append(between[1] or " ")
        at = between.end()


def is_selector(text: str) -> bool:
    """Whether a browser takes the text for a selector, whether we evaluate it or not; one it does not take makes its whole rule void."""
    text = text.strip(_BLANK)[: 4 * MAX_SELECTOR_CHARS]
    return _ANY_SELECTOR.fullmatch(text) is not None and all(
        _is_pseudo(*found.groups()) for found in _PSEUDO_NAME.finditer(_FORGIVING.sub(":is(x", _NO_PSEUDO.sub("[]", text)))
    )


def _is_pseudo(double: str, name: str, opened: str | None) -> bool:
    if name.startswith("-webkit-"):
        return True
    if opened:
        return name in _KNOWN_FUNCTIONS
    return name in (_KNOWN_ELEMENTS if double else _KNOWN_PSEUDO)


def may_hold(text: str) -> bool:
    """Whether a selector that is not evaluated may name an element of a mail that has just been opened."""
    if len(text) > 4 * MAX_SELECTOR_CHARS:
        return True
    bare = _NO_PSEUDO.sub("[]", text)
    if "(" in bare or "|" in text or "&" in bare:
        return True
    names = [(double, name) for double, name, _ in _PSEUDO_NAME.findall(bare)]
    if any(double and name not in {"first-line", "first-letter"} for double, name in names):
        return False
    return bool(names) and not any(name in _NEVER for _, name in names)


def _compound(text: str, at: int) -> tuple[Compound | None, int]:
    """The compound that begins at `at`, and where it ends; None if there is none that is evaluated."""
    tag, name, classes, attributes, places, excluded = "", "", set[str](), list[Attribute](), set[str](), list[Compound]()
    begin = at
    while (piece := _PIECE.match(text, at)) is not None and (piece["tag"] is None or at == begin):
        if piece["tag"]:
            tag = "" if piece["tag"] == "*" else unescaped(piece["tag"])
        elif piece["id"]:
            name = unescaped(piece["id"])
        elif piece["class"]:
            classes.add(unescaped(piece["class"]))
        elif piece["attribute"]:
            value = (piece["value"] or "").strip("\"'")
            attributes.append(Attribute(unescaped(piece["attribute"]), piece["operator"] or "", unescaped(value)))
        elif piece["not"]:
            inner, end = _compound(piece["not"].strip(), 0)
            if inner is None or inner.excluded or end != len(piece["not"].strip()):
                return None, at
            excluded.append(inner)
        elif piece["nth"]:
            places.add(piece["nth"])
        elif piece["pseudo"] in _PSEUDO:
            places.add(piece["pseudo"])
        else:
            return None, at
        at = piece.end()
    if at == begin:
        return None, at
    return Compound(tag, name, frozenset(classes), tuple(attributes), frozenset(places), tuple(excluded)), at


class Matcher:
    """Matches selectors against the elements of one document within so many steps; `spent` says when they ran out."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._left = steps
        self._siblings: dict[int, dict[int, tuple[int, Element | None, bool]]] = {}

    @property
    def spent(self) -> bool:
        """Whether a selector could not be judged any more."""
        return self._left < 0

    def matches(self, wanted: Selector, element: Element) -> bool:
        """Whether the selector names the element; False once the steps are spent."""
        return self._is(element, wanted.compounds[0]) and self._from(wanted, element, 0)

    def _from(self, wanted: Selector, element: Element, at: int) -> bool:
        """Whether what stands left of compound `at`, which is `element`, holds. At most as deep as a selector has compounds."""
        if at == len(wanted.combinators):
            return True
        return any(
            self._is(other, wanted.compounds[at + 1]) and self._from(wanted, other, at + 1)
            for other in self._related(element, wanted.combinators[at])
        )

    def _related(self, element: Element, combinator: str) -> Iterator[Element]:
        other: object = element
        while self._left >= 0:
            other = self._place(other)[1] if combinator in {"+", "~"} and isinstance(other, Element) else getattr(other, "parent", None)
            if not isinstance(other, Element):
                return
            yield other
            if combinator in {">", "+"}:
                return

    def _is(self, element: Element, wanted: Compound) -> bool:
        self._left -= 1
        if self._left < 0 or (wanted.tag and wanted.tag != element.name.lower()):
            return False
        attributes = element.attrs
        if wanted.id and wanted.id != (attributes.get("id") or "").lower():
            return False
        if wanted.classes and not wanted.classes.issubset((attributes.get("class") or "").lower().split()[:MAX_CLASSES]):
            return False
        return (
            all(attribute.holds(element) for attribute in wanted.attributes)
            and all(self._stands(element, place) for place in wanted.places)
            and not any(self._is(element, other) for other in wanted.excluded)
        )

    def _stands(self, element: Element, place: str) -> bool:
        if place == "root":
            return element.name.lower() == "html"
        if place in {"link", "any-link"}:
            return element.name.lower() == "a" and "href" in element.attrs
        number, before, last = self._place(element)
        if place in {"first-child", "last-child", "only-child"}:
            return (place == "last-child" or before is None) and (place == "first-child" or last)
        return number % 2 == (place == "odd") if place in {"odd", "even"} else number == int(place)

    def _place(self, element: Element) -> tuple[int, Element | None, bool]:
        """The element's number among its siblings, the one before it, and whether it is the last."""
        parent = element.parent
        if parent is None:
            return 1, None, True
        if id(parent) not in self._siblings:
            elements = [child for child in parent.children or () if isinstance(child, Element)]
            self._siblings[id(parent)] = {
                id(child): (number, elements[number - 2] if number > 1 else None, number == len(elements))
                for number, child in enumerate(elements, 1)
            }
        return self._siblings[id(parent)].get(id(element), (1, None, True))


def _character(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
