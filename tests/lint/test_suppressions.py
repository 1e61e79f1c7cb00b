"""Every rule that is switched off says why, on its own line, and the list of them stays short."""

import re

from tests.lint import checkout

_MAX_IGNORED = 20
_NEVER_IGNORED = ("S", "B", "BLE", "ANN", "ASYNC", "PT")
_MARK = re.compile(r"#\s*(?:noqa|type:\s*ignore|mypy:|ruff:|fmt:)", re.IGNORECASE)
_CODES = r"[A-Z]+[0-9]+(?:,\s*[A-Z]+[0-9]+)*"
_NAMES = r"[a-z-]+(?:,\s*[a-z-]+)*"
_WITH_REASON = re.compile(
    rf"#\s*(?:noqa:\s*{_CODES}|type:\s*ignore\[{_NAMES}\]|fmt:\s*(?:skip|off))(?:\s*#\s*(?:noqa:\s*{_CODES}|type:\s*ignore\[{_NAMES}\]))?"
    r"\s*(?:[-#:(]|--)?\s*[A-Za-z'\"`]\S*\s+\S+"
)
_SKIP = re.compile(r"pytest\.mark\.(?:skipif|skip|xfail)\b|pytest\.(?:skip|xfail|importorskip)\(")


def _family(code: str) -> str:
    return re.sub(r"[0-9]+$", "", code)


def test_every_suppression_names_its_rule_and_its_reason() -> None:
    """House rule: suppressions carry a reason on the same line."""
    bare = [
        f"{path}:{line}: {comment}"
        for path in checkout.sources()
        for line, comment in checkout.comments(path)
        if _MARK.search(comment) and comment != "# fmt: on" and not _WITH_REASON.search(comment)
    ]
    assert bare == []


def test_every_skipped_or_expected_failure_gives_a_reason() -> None:
    """House rule: a test that does not run says why."""
    bare = [
        f"{path}:{number}"
        for path in checkout.sources("tests", "conformance")
        if not path.startswith("tests/lint/")
        for number, line in enumerate(checkout.text(path).splitlines(), start=1)
        if _SKIP.search(line) and "reason=" not in line
    ]
    assert bare == []


def test_at_most_twenty_ruff_rules_are_off_in_the_packages() -> None:
    """The rule set is ALL; what is taken out is short and never about security, types or the tests' form."""
    lint = checkout.settings()["tool"]["ruff"]["lint"]
    off = set(lint["ignore"])
    for pattern, codes in lint["per-file-ignores"].items():
        if not pattern.startswith("tests/"):
            off.update(codes)
    assert lint["select"] == ["ALL"]
    assert len(off) <= _MAX_IGNORED, sorted(off)
    assert [code for code in sorted(off) if _family(code) in _NEVER_IGNORED] == []


def test_every_ruff_rule_that_is_off_carries_its_reason() -> None:
    """The list is read by people: each row says why it is there."""
    rows = re.findall(r'^\s+"([A-Z]+[0-9]+)",(.*)$', checkout.text("pyproject.toml"), re.MULTILINE)
    assert [code for code, rest in rows if not re.match(r"\s+# \S+ \S+", rest)] == []


def test_each_library_without_types_is_imported_by_one_file_of_a_package() -> None:
    """What mypy cannot see is wrapped in types at one place."""
    untyped = {
        module.split(".")[0]
        for override in checkout.settings()["tool"]["mypy"]["overrides"]
        if override.get("ignore_missing_imports")
        for module in override["module"]
    }
    for library in sorted(untyped):
        rule = re.compile(rf"^\s*(?:import|from)\s+{library}\b", re.MULTILINE)
        for package in checkout.PACKAGES:
            importing = [path for path in checkout.sources(package) if rule.search(checkout.text(path))]
            assert len(importing) <= 1, importing
