"""The recipe `padded`: an original mail plus one generated attachment, made when it is asked for."""

from __future__ import annotations

import base64
import random

from fakebridge.world import Padded

LINE = 76


def padded(recipe: Padded) -> bytes:
    """The mail as multipart/mixed with an attachment of exactly `recipe.octets` octets."""
    original = recipe.file.read_bytes().replace(b"\r\n", b"\n")
    head, _, body = original.partition(b"\n\n")
    kept, moved = _without_mime(head)
    boundary = f"padded-{recipe.seed}-{recipe.octets}".encode()
    data = random.Random(f"padded/{recipe.seed}").randbytes(recipe.octets)  # noqa: S311 - filling, no secrets
    encoded = base64.b64encode(data)
    lines = [encoded[at : at + LINE] for at in range(0, len(encoded), LINE)]
    name = recipe.filename.encode()
    return b"\n".join(
        [
            kept,
            b"MIME-Version: 1.0",
            b'Content-Type: multipart/mixed; boundary="' + boundary + b'"',
            b"",
            b"--" + boundary,
            *moved,
            b"",
            body.rstrip(b"\n"),
            b"--" + boundary,
            b"Content-Type: " + recipe.content_type.encode() + b'; name="' + name + b'"',
            b'Content-Disposition: attachment; filename="' + name + b'"',
            b"Content-Transfer-Encoding: base64",
            b"",
            *lines,
            b"--" + boundary + b"--",
            b"",
        ]
    )


def _without_mime(head: bytes) -> tuple[bytes, list[bytes]]:
    """The header without its MIME fields, and those that describe the content, for the first part."""
    fields: list[bytes] = []
    for line in head.split(b"\n"):
        if line[:1] in (b" ", b"\t") and fields:
            fields[-1] += b"\n" + line
        else:
            fields.append(line)
    moved = [field for field in fields if field.lower().startswith(b"content-")]
    kept = [field for field in fields if not field.lower().startswith((b"content-", b"mime-version:"))]
    return b"\n".join(kept), moved or [b"Content-Type: text/plain; charset=utf-8"]
