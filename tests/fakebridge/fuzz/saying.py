"""What a client may say, good and bad, drawn from a `random.Random`: so that a seed, or Hypothesis, decides everything."""

from __future__ import annotations

from random import Random
from typing import Final

from tests.fakebridge.worlds import PASSWORD, USER

MAIL: Final = b"From: bob@example.test\r\nTo: ada@proton.local\r\nSubject: s\r\nDate: Tue, 03 Feb 2026 10:11:12 +0100\r\n\r\nbody\r\n"
MAILBOXES: Final = (
    b"INBOX",
    b"Drafts",
    b'"All Mail"',
    b"Folders/Receipts",
    b"Labels/Work",
    b"Trash",
    b"Nope",
    b'"Folders/New"',
    b'""',
    b"&bad",
)
SETS: Final = (b"1", b"1:*", b"*", b"2,1", b"3:1", b"4294967295", b"0", b"1:2,5", b"99999999999999999999", b"1:3,1:3")
ITEMS: Final = (
    b"FLAGS",
    b"UID",
    b"ALL",
    b"FAST",
    b"FULL",
    b"ENVELOPE",
    b"BODYSTRUCTURE",
    b"BODY",
    b"BODY[]",
    b"BODY.PEEK[]",
    b"BODY[1.MIME]",
    b"BODY.PEEK[HEADER]",
    b"BODY[HEADER.FIELDS (Subject To)]",
    b"BODY[]<0.5>",
    b"BODY[9.9]",
    b"RFC822",
    b"RFC822.SIZE",
    b"INTERNALDATE",
    b"(UID FLAGS)",
    b"RFC822.HEADER",
    b"BODY[TEXT]<9999999999.1>",
)
KEYS: Final = (
    b"ALL",
    b"UNSEEN",
    b"SUBJECT first",
    b"NOT SEEN",
    b"OR SEEN DELETED",
    b"SINCE 1-Jan-2026",
    b"LARGER 5",
    b"UID 1:*",
    b"TEXT body",
    b"1:2",
    b"(SEEN UNDELETED)",
    b'HEADER X-Y ""',
    b"KEYWORD a",
    b"SENTON 30-Feb-2026",
    b"CHARSET UTF-8 BODY x",
    b"CHARSET klingon ALL",
    b"NEW",
)
SMTP: Final = (
    b"EHLO probe",
    b"HELO x",
    b"MAIL FROM:<ada@proton.local>",
    b"RCPT TO:<bob@example.test>",
    b"DATA",
    MAIL + b".",
    b"RSET",
    b"NOOP",
    b"VRFY x",
    b"AUTH PLAIN",
    b"AUTH LOGIN",
    b"AUTH PLAIN AGFkYQB4",
    b"*",
    b"BDAT 5",
    b"hello",
    b"BDAT 4 LAST",
    b"BDAT 4294967295",
    b"QUIT",
    b"MAIL FROM:<>",
    b"MAIL FROM:<a@b> SIZE=9",
    b"XYZZY",
    b"RCPT TO:<>",
    b"",
    b".",
)
MOST_OCTETS: Final = 200_000
"""No piece of a conversation is longer."""


def command(draw: Random) -> bytes:
    """One IMAP command as it should be, CRLF and literals included, without a tag."""
    mailbox, numbers = draw.choice(MAILBOXES), draw.choice(SETS)
    uid = draw.choice((b"", b"UID "))
    other = draw.choice(MAILBOXES)
    mail = draw.choice((MAIL, MAIL + b"x" * draw.randrange(2000), b"x", MAIL.replace(b"bob", bytes((draw.randrange(256),)))))
    return draw.choice(
        (
            f"LOGIN {USER} {PASSWORD}".encode(),
            f"LOGIN {USER} wrong".encode(),
            b"LOGIN {%d}\r\n%s {%d}\r\n%s" % (len(USER), USER.encode(), len(PASSWORD), PASSWORD.encode()),
            b"SELECT " + mailbox,
            b"EXAMINE " + mailbox,
            b"STATUS " + mailbox + b" (MESSAGES UIDNEXT UNSEEN)",
            b"LIST " + other + b" " + draw.choice((b"*", b"%", b'""', b"Folders/%")),
            b'LSUB "" *',
            uid + b"FETCH " + numbers + b" " + draw.choice(ITEMS),
            uid + b"SEARCH " + draw.choice(KEYS),
            uid + b"STORE " + numbers + draw.choice((b" +FLAGS (\\Seen)", b" -FLAGS.SILENT \\Flagged", b" FLAGS (x \\Deleted)")),
            uid + b"COPY " + numbers + b" " + mailbox,
            uid + b"MOVE " + numbers + b" " + mailbox,
            b"APPEND "
            + mailbox
            + draw.choice((b" ", b" (\\Seen) ", b' "03-Feb-2026 08:00:00 +0000" '))
            + b"{%d}\r\n%s" % (len(mail), mail),
            b"CREATE " + mailbox,
            b"DELETE " + mailbox,
            b"RENAME " + mailbox + b" " + other,
            draw.choice(
                (b"NOOP", b"CHECK", b"CLOSE", b"UNSELECT", b"EXPUNGE", b"CAPABILITY", b"ID NIL", b"IDLE", b"LOGOUT", b"AUTHENTICATE PLAIN")
            ),
            draw.choice((b"UID EXPUNGE 1:*", b"SUBSCRIBE INBOX", b'ID ("name" "x")', b"DONE", b"XYZZY")),
        )
    )


def mutated(draw: Random, octets: bytes) -> bytes:
    """The same with one thing wrong."""
    at = draw.randrange(len(octets) + 1)
    end = min(len(octets), at + draw.randrange(1, 9))
    return draw.choice(
        (
            octets[:at] + octets[end:],
            octets[:at] + bytes(draw.randrange(256) for _ in range(draw.randrange(1, 5))) + octets[at:],
            octets[:at] + octets[at:end] * draw.choice((2, 50)) + octets[end:],
            octets[:at]
            + draw.choice((b"\x00", b"\r", b"\n", b"\r\n", b'"', b"\\", b"(", b")", b"{", b"}", b" ", b"\xff", b"*", b"%"))
            + octets[at:],
            octets[:at] + b"(" * draw.choice((3, 3000)) + octets[at:],
            octets[:at] + b"NOT " * draw.choice((2, 2000)) + octets[at:],
            octets[:at] + b"9" * draw.choice((20, 6000)) + octets[at:],
            octets[:at] + b"x" * draw.choice((100, 70_000)) + octets[at:],
            octets[:at] + b"{%d}\r\n" % draw.choice((0, 1, 7, 31_457_279, 31_457_280, 1 << 70)) + octets[at:],
            octets[:at],
        )
    )


def talk(draw: Random, *, smtp: bool = False) -> bytes:
    """A piece of a conversation: a few commands, mostly whole, some mutated, some no protocol at all."""
    pieces: list[bytes] = []
    if draw.random() < 0.5:
        pieces.append(b"EHLO x\r\n" if smtp else f"l LOGIN {USER} {PASSWORD}\r\nm SELECT INBOX\r\n".encode())
    for number in range(draw.randrange(1, 6)):
        said = draw.choice(SMTP) if smtp else b"a%d " % number + command(draw)
        if draw.random() < 0.35:
            said = mutated(draw, said)
        if draw.random() < 0.05:
            said = bytes(draw.randrange(256) for _ in range(draw.randrange(60)))
        pieces.append(said + (b"\r\n" if draw.random() < 0.95 else b""))
    return b"".join(pieces)[:MOST_OCTETS]


def cuts(draw: Random, octets: bytes) -> list[bytes]:
    """The same octets in pieces: whole, one at a time where they are few, or cut at some places."""
    form = draw.randrange(3)
    if form == 0 or not octets:
        return [octets]
    if form == 1 and len(octets) < 3000:
        return [octets[at : at + 1] for at in range(len(octets))]
    places = sorted(draw.randrange(len(octets)) for _ in range(draw.randrange(1, 8)))
    return [octets[begin:end] for begin, end in zip([0, *places], [*places, len(octets)], strict=True) if begin < end]
