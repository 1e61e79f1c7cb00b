"""How much of an HTML document is not shown, by kind: all text of what a person would not see, and sentences where no text stands.

A sentence hidden in a comment, a script, a style or an attribute is counted; what only programs write there is not. Without recursion.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from justhtml.dom import Comment, Element, Template, Text

from proton_safe.mime.prose import sentence_characters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from justhtml.dom import NodeType

    from proton_safe.mime.visibility import HiddenKind

MAX_ALT_CHARS: Final = 200
"""So much is shown of the text of an image, and of the title of a group of choices."""
_CODE: Final = frozenset({"script", "style"})
_TEXTUAL: Final = frozenset({"title", "placeholder", "value", "summary", "datetime", "cite", "label", "content", "standby", "alt"})
_LEAST_SENTENCE: Final = 12


class HiddenText:
    """The characters of one document that are not shown. `document_end` stands behind the document and is not counted."""

    def __init__(self, document_end: str) -> None:
        self._document_end = document_end
        self._counts: Counter[HiddenKind] = Counter()

    def counted(self) -> tuple[tuple[HiddenKind, int], ...]:
        """Each kind that was met and its characters, by kind."""
        return tuple(sorted(self._counts.items()))

    def add(self, kind: HiddenKind, count: int) -> None:
        """Count so many characters."""
        if count:
            self._counts[kind] += count

    def comment(self, comment: Comment) -> None:
        """Count the sentences in a comment."""
        if isinstance(comment.data, str):
            self.add("comment", sentence_characters(comment.data))

    def attributes(self, attributes: Mapping[str, str | None]) -> None:
        """Count the sentences in attributes that a program may read aloud or show on a touch; of an `alt` those behind what is shown."""
        for name, value in attributes.items():
            if value and len(value) > _LEAST_SENTENCE and (name in _TEXTUAL or name.startswith(("data-", "aria-"))):
                self.add("attribute", sentence_characters(value[MAX_ALT_CHARS:] if name == "alt" else value))

    def silent(self, element: Element) -> None:
        """Count the sentences in the head, in scripts and styles."""
        waiting: list[NodeType] = [element]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Text):
                code = node.parent is not None and node.parent.name in _CODE
                self.add("code" if code else "not-rendered", sentence_characters((node.data or "").removesuffix(self._document_end)))
            elif isinstance(node, Comment):
                self.comment(node)
            elif isinstance(node, Template):
                self.whole(node, "not-rendered")
            else:
                if isinstance(node, Element) and node is not element:
                    self.attributes(node.attrs)
                waiting.extend(node.children or ())

    def whole(self, element: Element, kind: HiddenKind) -> None:
        """Count the text of an element of which nothing is shown."""
        waiting: list[NodeType] = [element]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Text):
                self._counts[kind] += len("".join((node.data or "").removesuffix(self._document_end).split()))
            elif isinstance(node, Comment):
                self.comment(node)
            else:
                waiting.extend(node.children or ())
                if isinstance(node, Template) and node.template_content is not None:
                    waiting.append(node.template_content)
        self._counts += Counter()
