"""The list of lines that no measurement can reach is of the right form, short, and up to date with the sources."""

from tests import coverage_report
from tests.lint import checkout


def test_the_list_is_short_and_each_row_is_a_line_of_its_file_with_a_reason() -> None:
    """`make coverage` checks the list against a run; this much is known without one."""
    rows = coverage_report.listed(checkout.ROOT / coverage_report.LIST)
    assert len(rows) <= coverage_report.MAX_LISTED
    for row in rows:
        assert row.file.split("/")[0] in {"proton_safe", "fakebridge"}
        assert row.line in {line.strip() for line in checkout.text(row.file).splitlines()}
        assert len(row.reason) > len("killed")
