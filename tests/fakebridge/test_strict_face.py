"""The other face: a server that follows the RFC, so that a tool can be seen to rely on Bridge, or not to."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, S, append, talk
from tests.fakebridge.worlds import entry, mail, world

STRICT = {"keeps_appended_octets": True, "decodes_searches": True}
DRAFT = "To: bob@example.test\r\nSubject: s\r\nX-Of-My-Own: kept\r\nIn-Reply-To: <nobody@example.test>\r\nMessage-ID: <m@x>\r\n\r\nx\r\n"


def encoded() -> str:
    """A mail whose subject and body are encoded on the wire."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = "Bob <bob@example.test>", "ada@proton.local", "Grüße aus Köln"
    message["Date"] = "Tue, 03 Feb 2026 10:11:12 +0100"
    message.set_content("Der Schlüssel liegt im Büro.\n", cte="base64")
    return message.as_bytes().decode()


def literal(stage: Stage, mailbox: str, number: int) -> str:
    """BODY[] of a message."""
    line = stage.select(mailbox).ask(f"f FETCH {number} BODY.PEEK[]")[0]
    return line.split("}\r\n", 1)[1].removesuffix(")")


def test_drafts_keep_all_their_headers(staged: Staging) -> None:
    """Bridge drops what it does not know (bridge-behaviour 5.2); this face keeps every octet."""
    stage = staged(profile=STRICT)
    talk(stage.log_in(), *append("a1", "Drafts", DRAFT), S("a1 OK [APPENDUID …"))
    assert literal(stage, "Drafts", 1) == DRAFT
    stage = staged()
    talk(stage.log_in(), *append("a1", "Drafts", DRAFT), S("a1 OK [APPENDUID …"))
    assert "X-Of-My-Own" not in literal(stage, "Drafts", 1)


def test_mails_are_kept_as_they_came(staged: Staging) -> None:
    """The world's, delivered ones and imported ones; no line of the store in front."""
    text = mail("kept", extra="X-Of-My-Own: kept\n")
    stage = staged(profile=STRICT, inbox=[entry(text)])
    stage.bridge.ask("deliver", message=text.replace("kept", "delivered"))
    stage.poll()
    talk(stage.log_in(), *append("a1", "INBOX", text.replace("kept", "imported")), S("a1 OK [APPENDUID …"))
    expected = text.replace("\n", "\r\n")
    assert [literal(stage, "INBOX", number) for number in (1, 2, 3)] == [
        expected,
        expected.replace("kept", "delivered"),
        expected.replace("kept", "imported"),
    ]


def test_searches_are_decoded(staged: Staging) -> None:
    """RFC 3501, 6.4.4. Bridge looks at stored octets (bridge-behaviour 3.8)."""
    keys = (("SUBJECT", "Köln"), ("BODY", "Schlüssel"), ("TEXT", "Büro"))

    def found(stage: Stage) -> list[str]:
        wire = stage.select()
        lines = []
        for key, text in keys:
            talk(wire, C(f"s SEARCH CHARSET UTF-8 {key} {{{len(text.encode())}}}"), S("+ Ready"), C(text))
            lines.append(wire.until("s")[0])
        return [*lines, wire.ask('e SEARCH HEADER X-None ""')[0]]

    inbox = [{**entry(encoded()), "as_served": True}, entry(mail("other"))]
    assert found(staged(profile=STRICT, inbox=inbox)) == ["* SEARCH 1", "* SEARCH 1", "* SEARCH 1", "* SEARCH"]
    assert found(staged(inbox=inbox)) == ["* SEARCH", "* SEARCH", "* SEARCH", "* SEARCH 1 2"]


def test_the_default_is_bridge() -> None:
    """Nobody gets the strict face without asking."""
    assert not set(STRICT) & set(world()["profile"])
