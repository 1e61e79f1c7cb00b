"""What the documents point to exists."""

import re
from pathlib import PurePosixPath

from tests.lint import checkout

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_MAKE = re.compile(r"`make ([a-z-]+)")


def _documents() -> tuple[str, ...]:
    return tuple(path for path in checkout.files() if path.endswith(".md"))


def _resolved(document: str, target: str) -> str:
    parts: list[str] = []
    for part in (PurePosixPath(document).parent / target.split("#", maxsplit=1)[0]).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_every_relative_link_leads_to_a_file_of_the_checkout() -> None:
    """A reader who follows a link arrives."""
    files = checkout.files()
    broken = [
        f"{document}: {target}"
        for document in _documents()
        for target in _LINK.findall(checkout.text(document))
        if not re.match(r"[a-z]+:|#", target)
        and not any(path == (there := _resolved(document, target)) or path.startswith(f"{there}/") for path in files)
    ]
    assert broken == []


def _anchors(document: str) -> set[str]:
    """What the headings of a document are called in links: small letters, hyphens for blanks, no other signs."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(checkout.text(document))}


def test_every_link_to_a_heading_leads_to_one() -> None:
    """A heading that is renamed must not leave a reader at the top of a long page."""
    links = [(document, target) for document in _documents() for target in _LINK.findall(checkout.text(document))]
    anchored = [(document, target) for document, target in links if "#" in target and not re.match(r"[a-z]+:", target)]
    assert anchored
    broken = [
        f"{document}: {target}"
        for document, target in anchored
        if target.partition("#")[2] not in _anchors(document if target.startswith("#") else _resolved(document, target))
    ]
    assert broken == []


def test_every_make_target_that_a_document_names_exists() -> None:
    """A command in a document can be typed."""
    targets = set(re.findall(r"^([a-z-]+):", checkout.text("Makefile"), re.MULTILINE))
    named = {(document, target) for document in _documents() for target in _MAKE.findall(checkout.text(document))}
    assert sorted(row for row in named if row[1] not in targets) == []
