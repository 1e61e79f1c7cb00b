"""Which parts are attachments, their numbers, names and sizes."""

from __future__ import annotations

from proton_safe.mime.attachments import MAX_LISTED, UNNAMED, Attachment, attachments
from proton_safe.mime.structure import Part, Tree

TEXT = Part("1", "text/plain")
NAMED_TEXT = Part("2", "text/plain", {"name": b"notes.txt"})
CALENDAR = Part("3", "text/calendar")
MESSAGE = Part("4", "message/rfc822", size=200)
INLINE = Part("5", "image/png", {"name": b"logo.png"}, "base64", 78, content_id="logo@x")
PDF = Part("6", "application/pdf", {}, "base64", 400, "attachment", {"filename": b"a.pdf"})


def test_every_leaf_that_is_not_the_messages_text_is_listed_in_order() -> None:
    """Product page 4: attached messages are attachments; attack catalogue mime/rfc822-attachment: numbers stay stable."""
    found = attachments(Tree(Part("", "multipart/mixed", children=(TEXT, NAMED_TEXT, CALENDAR, MESSAGE, INLINE, PDF))))
    assert found.count == 5
    assert [(each.index, each.part.section, each.filename) for each in found.attachments] == [
        (0, "2", "notes.txt"),
        (1, "3", UNNAMED),
        (2, "4", UNNAMED),
        (3, "5", "logo.png"),
        (4, "6", "a.pdf"),
    ]
    assert [each.extractable for each in found.attachments] == [True, False, False, False, True]
    assert [each.inline for each in found.attachments] == [False, False, False, True, False]


def test_the_size_of_base64_is_estimated_from_its_encoded_form() -> None:
    """RFC 2045 6.8: 76 characters and a line end for 57 octets."""
    assert Attachment(0, INLINE, "x").size == 57
    assert Attachment(0, MESSAGE, "x").size == 200


def test_an_undeclared_type_is_judged_by_its_name() -> None:
    """Product page 5: a PDF that is sent as octet-stream is a PDF; an executable is not, whatever its type says."""
    pdf = Part("1", "application/octet-stream", {"name": b"A.PDF"})
    program = Part("1", "application/octet-stream", {"name": b"a.exe"})
    assert [each.extractable for part in (pdf, program) for each in attachments(Tree(part)).attachments] == [True, False]


def test_of_very_many_attachments_the_first_hundred_are_listed_and_all_counted() -> None:
    """Attack catalogue mime/attachment-index-games and 0.5."""
    found = attachments(Tree(Part("", "multipart/mixed", children=(PDF,) * 250)))
    assert (len(found.attachments), found.count) == (MAX_LISTED, 250)
    assert found.attachments[-1].index == 99
