"""The files of the checkout, read once. Walks the folders, because a source archive has no git to ask."""

import io
import os
import re
import tokenize
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("proton_safe", "fakebridge", "fixtures", "conformance")

_MADE: Final = re.compile(r"\.git|\.venv|\.clients|__pycache__|build|dist|\..*_cache|\.hypothesis|.*\.egg-info|\.coverage.*")
_TEXT: Final = frozenset({".py", ".md", ".toml", ".txt", ".json", ".jsonl", ".yml", ".yaml", ".sh", ".cfg", ".svg", ""})


@cache
def files() -> tuple[str, ...]:
    """Every file that is kept, as a path relative to the root with forward slashes, sorted."""
    found: list[str] = []
    for folder, names, leaves in os.walk(ROOT):
        names[:] = sorted(name for name in names if not _MADE.fullmatch(name))
        here = Path(folder).relative_to(ROOT)
        found.extend((here / leaf).as_posix() for leaf in leaves if not _MADE.fullmatch(leaf) and not leaf.endswith(".pyc"))
    return tuple(sorted(found))


@cache
def text(path: str) -> str:
    """The file's text. Octets that are no UTF-8 become replacement characters: these lints look for ASCII."""
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def comments(path: str) -> list[tuple[int, str]]:
    """The comments of a Python file with their line numbers. Strings that look like comments are none."""
    tokens = tokenize.generate_tokens(io.StringIO(text(path)).readline)
    return [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def sources(*folders: str) -> tuple[str, ...]:
    """The Python files below these folders, or all of them."""
    return tuple(path for path in files() if path.endswith(".py") and (not folders or path.split("/")[0] in folders))


def written() -> tuple[str, ...]:
    """The files that people write and read: code, prose, settings, data as text; neither mails nor this folder's own patterns."""
    return tuple(path for path in files() if Path(path).suffix in _TEXT and not path.startswith("tests/lint/"))


@cache
def settings() -> dict[str, Any]:
    """The contents of pyproject.toml."""
    return tomllib.loads(text("pyproject.toml"))
