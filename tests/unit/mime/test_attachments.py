"""Which parts are attachments, their numbers, names and sizes."""

from __future__ import annotations

from dataclasses import replace

from proton_safe.mime.attachments import MAX_LISTED, UNNAMED, Attachment, attachments, conflicts, text_parts
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


def test_of_related_parts_the_root_alone_is_text() -> None:
    """RFC 2387 3.2; attack catalogue mime/related-inline."""
    first, second = Part("1", "text/html", content_id="a@x"), Part("2", "text/html", content_id="b@x")
    for start, root in ((b"", "1"), (b"<b@x>", "2"), (b"<absent@x>", "1")):
        tree = Tree(Part("", "multipart/related", {"start": start}, children=(first, second)))
        assert [part.section for part in text_parts(tree)] == [root]
        assert [each.part.section for each in attachments(tree).attachments] == ["2" if root == "1" else "1"]


def test_a_signature_is_an_attachment_whatever_it_calls_itself() -> None:
    """RFC 1847 2.1."""
    tree = Tree(Part("", "multipart/signed", children=(TEXT, Part("2", "text/plain"))))
    assert [part.section for part in text_parts(tree)] == ["1"]
    assert [each.part.section for each in attachments(tree).attachments] == ["2"]


def test_a_name_makes_a_form_of_the_text_no_file() -> None:
    """Attack catalogue mime/alternative-conflict: a person sees it all the same."""
    page = Part("2", "text/html", {"name": b"news.html"})
    forms = Tree(Part("", "multipart/alternative", children=(TEXT, page)))
    assert [part.section for part in text_parts(forms)] == ["1", "2"]
    assert attachments(forms).count == 0
    beside = Tree(Part("", "multipart/mixed", children=(TEXT, page)))
    assert [part.section for part in text_parts(beside)] == ["1"]


def test_names_that_disagree_are_told_and_all_of_them_must_promise_text() -> None:
    """Attack catalogue filename/multiple-sources."""
    both = Part("1", "application/octet-stream", {"name": b"safe.exe"}, disposition_parameters={"filename": b"a.pdf"})
    listed = attachments(Tree(both))
    assert conflicts(listed.attachments) == ("filename-conflict",)
    assert [(each.filename, each.extractable) for each in listed.attachments] == [("a.pdf", False)]
    assert conflicts(attachments(Tree(PDF)).attachments) == ()


def test_what_is_withheld_has_its_number_and_no_text() -> None:
    """A part whose own header contradicts the structure shifts nobody else's number."""
    odd = replace(PDF, withheld=True)
    found = attachments(Tree(Part("", "multipart/mixed", children=(odd, PDF))))
    assert [(each.index, each.extractable) for each in found.attachments] == [(0, False), (1, True)]


def test_text_of_an_unknown_kind_is_the_text_of_a_mail_that_is_nothing_else() -> None:
    """RFC 2046 4.1.4: as plain text; it stays an attachment, too. Data in the dress of text is none."""
    markdown = Part("1", "text/markdown", size=9)
    assert text_parts(Tree(markdown)) == (markdown,)
    assert attachments(Tree(markdown)).count == 1
    assert text_parts(Tree(CALENDAR)) == ()
    assert text_parts(Tree(replace(markdown, parameters={"name": b"a.md"}))) == ()
    assert text_parts(Tree(Part("", "multipart/mixed", children=(PDF, replace(markdown, section="2"))))) == ()
