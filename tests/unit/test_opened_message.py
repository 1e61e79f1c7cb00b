"""HTML that can't be read within its limits costs the message that text, and no other; a person is told that the two may differ."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from proton_safe.call import Call
from proton_safe.imap.items import MessageItems
from proton_safe.imap.mailboxes import MailboxName
from proton_safe.mime import headers, structure
from proton_safe.mime.html_cost import MAX_LIGHT_TAGS
from proton_safe.refusals import Code, Refusal
from proton_safe.serving import SystemClock
from proton_safe.tools.opened_message import OpenedMessage, read_body

if TYPE_CHECKING:
    from proton_safe.engine import Engine

HEAVY = b"<p>shown</p>" + b"<i>x</i>" * MAX_LIGHT_TAGS


def leaf(subtype: bytes, octets: bytes) -> tuple[Any, ...]:
    """BODYSTRUCTURE of one text part."""
    return (b"text", subtype, (b"charset", b"utf-8"), None, None, b"8bit", str(len(octets)).encode(), b"1", None, None, None, None)


def opened(plain: bytes | None, html: bytes) -> OpenedMessage:
    """A message with an HTML part, and a plain alternative unless `plain` is None."""
    if plain is None:
        values: tuple[Any, ...] = leaf(b"html", html)
        texts = {"1": html}
    else:
        values = (leaf(b"plain", plain), leaf(b"html", html), b"alternative", (b"boundary", b"b"), None, None, None)
        texts = {"1": plain, "2": html}
    tree = structure.tree(values)
    return OpenedMessage(MailboxName("INBOX", "INBOX", None, selectable=True), 1, MessageItems(uid=1), headers.split(b""), tree, texts)


def engine(code: Code) -> Engine:
    """An engine whose extraction child always ends with this refusal."""

    def html(*_arguments: object, **_named: object) -> dict[str, Any]:
        raise Refusal(code)

    return cast("Engine", SimpleNamespace(extractor=SimpleNamespace(html=html)))


def call() -> Call:
    """A call with time enough."""
    return Call(SystemClock(), seconds=30)


def test_plain_alternative_is_given_when_the_html_is_given_up() -> None:
    """The readable text is not lost, and nobody claims that the two say the same."""
    body = read_body(engine(Code.CONTENT_UNREADABLE), call(), opened(b"The plain text.", HEAVY))
    assert (body.text, body.source, body.alternatives_differ) == ("The plain text.", "plain", True)
    assert "html-unreadable" in body.warnings


@pytest.mark.parametrize("plain", [None, b"", b" \r\n "])
def test_html_without_another_text_is_refused(plain: bytes | None) -> None:
    """An empty text would pass for an empty mail."""
    with pytest.raises(Refusal) as raised:
        read_body(engine(Code.CONTENT_UNREADABLE), call(), opened(plain, HEAVY))
    assert raised.value.code is Code.CONTENT_UNREADABLE


def test_rules_that_cost_too_much_here_are_read_in_a_child() -> None:
    """A small page can hold many rules for many elements; both ends know the same of them."""
    costly = b"<style>" + b"* * p{color:red} " * 300 + b"</style>" + b"<p>a" * 200
    values = {"text": "from the child", "bare": "", "hidden": [], "mismatches": 0, "warnings": []}
    child = SimpleNamespace(html=lambda *_, **__: values, warm=lambda _: None)
    body = read_body(cast("Engine", SimpleNamespace(extractor=child)), call(), opened(None, costly))
    assert body.text == "from the child"


def test_any_other_refusal_ends_the_read() -> None:
    """A deadline is no property of the mail."""
    with pytest.raises(Refusal) as raised:
        read_body(engine(Code.DEADLINE), call(), opened(b"The plain text.", HEAVY))
    assert raised.value.code is Code.DEADLINE


def test_undeclared_octets_are_read_in_the_charset_that_the_mail_names_elsewhere() -> None:
    """A Subject without encoded words goes by the text's charset, a text without a charset by the Subject's encoded words."""
    korean, turkish = "\uc774\uc6a9\uc57d\uad00", "a\u015fa\u011f\u0131daki"
    declared = (b"text", b"plain", (b"charset", b"euc-kr"), None, None, b"8bit", b"9", b"1", None, None, None, None)
    subject = opened_with(b"Subject: [1] " + korean.encode("euc-kr") + b"\r\n\r\n", declared, b"")
    assert subject.subject.text == f"[1] {korean}"
    assert "header-raw-8bit" in subject.subject.warnings
    bare = (*declared[:2], (), *declared[3:])
    text = opened_with(b"Subject: =?iso-8859-9?Q?=DCye?=\r\n\r\n", bare, turkish.encode("iso-8859-9"))
    body = read_body(engine(Code.CONTENT_UNREADABLE), call(), text)
    assert (body.text, body.warnings) == (turkish, ("charset-mismatch",))
    # UTF-8 stays UTF-8, and what does not fit the other charset is read as windows-1252.
    assert (
        read_body(engine(Code.CONTENT_UNREADABLE), call(), opened_with(b"Subject: =?koi8-r?Q?=C1?=\r\n\r\n", bare, b"\xc3\xa9")).text
        == "\xe9"
    )
    assert (
        read_body(engine(Code.CONTENT_UNREADABLE), call(), opened_with(b"Subject: =?euc-kr?B??=\r\n\r\n", bare, b"caf\xe9")).text
        == "caf\xe9"
    )


def opened_with(head: bytes, structured: tuple[Any, ...], octets: bytes) -> OpenedMessage:
    """A message of one part with this header block."""
    tree = structure.tree(structured)
    mailbox = MailboxName("INBOX", "INBOX", None, selectable=True)
    return OpenedMessage(mailbox, 1, MessageItems(uid=1), headers.split(head), tree, {"1": octets})
