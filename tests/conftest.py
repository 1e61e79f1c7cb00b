"""What holds for every test run: the count of tests and cases, printed before pytest's closing line."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests and how many conformance cases ran (a case carries the marker `case`)."""
    ran = {
        report.nodeid: "case" in report.keywords
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
    }
    if ran:
        cases = sum(ran.values())
        terminalreporter.write_sep("-", f"{len(ran) - cases} tests, {cases} cases")
