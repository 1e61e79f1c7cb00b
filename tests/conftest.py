"""What holds for every test run: how hypothesis searches, and the count of tests and cases before pytest's closing line."""

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, and no verdict that depends on how busy the machine is.
settings.register_profile("same everywhere", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same everywhere")


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
