"""The plugin in a project of somebody else's: its own folder, its own pytest, only this plugin loaded."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

HEAD = """
import imaplib

import pytest

def log_in(bridge):
    imap = imaplib.IMAP4(bridge.host, bridge.imap_port)
    imap.login(bridge.user, bridge.password)
    return imap
"""


def run(folder: Path, text: str, *options: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The project's tests, run by its own pytest; modules of `path` stand before the installed ones."""
    (folder / "test_theirs.py").write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_CURRENT_TEST"):
        environment.pop(name, None)
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    command = [sys.executable, "-m", "pytest", "-p", "fakebridge.pytest_plugin", "-p", "no:cacheprovider", "--strict-markers", *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False)


def test_every_test_gets_a_fresh_world(tmp_path: Path) -> None:
    """World, journal and sessions begin anew; the process is the same."""
    done = run(
        tmp_path,
        """
        ports = set()

        @pytest.mark.parametrize("number", range(3))
        def test_fresh(fakebridge, number):
            assert fakebridge.journal() == []
            fakebridge.deliver("From: b@x.example\\nSubject: hello\\n\\nhi\\n")
            fakebridge.poll()
            imap = log_in(fakebridge)
            assert imap.select("INBOX", readonly=True) == ("OK", [b"4"])
            ports.add(fakebridge.imap_port)
            assert len(ports) == 1
        """,
    )
    assert "3 passed" in done.stdout, done.stdout


def test_worlds_and_faults_are_fixtures_or_marks(tmp_path: Path) -> None:
    """Overridden in the module, or for one test."""
    done = run(
        tmp_path,
        """
        from fakebridge.testing import small_world

        @pytest.fixture
        def fakebridge_world():
            return small_world(mailboxes={})

        @pytest.fixture
        def fakebridge_faults():
            return [{"on": "NOOP", "do": "no", "times": None}]

        def test_fixtures(fakebridge):
            imap = log_in(fakebridge)
            assert imap.noop()[0] == "NO"
            assert imap.select("INBOX") == ("OK", [b"0"])

        @pytest.mark.fakebridge(world=small_world(), faults=[{"on": "NOOP", "do": "drop"}])
        def test_mark(fakebridge):
            imap = log_in(fakebridge)
            assert imap.select("INBOX") == ("OK", [b"3"])
            with pytest.raises(imaplib.IMAP4.abort):
                imap.noop()
        """,
    )
    assert "2 passed" in done.stdout, done.stdout


def test_a_failed_test_shows_the_end_of_the_journal(tmp_path: Path) -> None:
    """Twenty entries at most, of each fakebridge the test had; no password in them."""
    done = run(
        tmp_path,
        """
        def test_fails(fakebridge, fakebridge_factory):
            other = fakebridge_factory(switches={"max_errors": 5})
            log_in(other).capability()
            imap = log_in(fakebridge)
            for _ in range(30):
                imap.noop()
            assert False, "on purpose"

        def test_passes(fakebridge):
            pass
        """,
        "--no-showlocals",
        "--tb=line",
    )
    assert "1 failed, 1 passed" in done.stdout
    assert done.stdout.count("fakebridge journal, port") == 2
    assert "the last 20 of 6" in done.stdout
    assert done.stdout.count('"kind": "answer"') >= 10
    assert '"verb": "NOOP"' in done.stdout


def test_a_world_that_cannot_be_used_fails_the_test_with_the_field(tmp_path: Path) -> None:
    """And the next test has its fakebridge."""
    done = run(
        tmp_path,
        """
        @pytest.mark.fakebridge(world={"addresses": []})
        def test_wrong(fakebridge):
            pass

        @pytest.mark.fakebridge(faults=[{"do": "explode"}])
        def test_wrong_fault(fakebridge):
            pass

        def test_factory(fakebridge_factory):
            fakebridge_factory({"addresses": 1})

        def test_right(fakebridge):
            fakebridge.close()

        def test_after_an_end(fakebridge):
            assert fakebridge.poll() == 0
        """,
    )
    assert "2 passed" in done.stdout, done.stdout
    assert "addresses: at least one is needed" in done.stdout
    assert "rules[0].do: one of drop" in done.stdout
    assert "fakebridge did not start: fakebridge: addresses: a list is wanted" in done.stdout


def test_workers_side_by_side_share_nothing(tmp_path: Path) -> None:
    """pytest-xdist: a process for each worker."""
    done = run(
        tmp_path,
        """
        @pytest.mark.parametrize("number", range(8))
        def test_alone(fakebridge, number):
            fakebridge.deliver(f"From: b@x.example\\nSubject: mail {number}\\n\\nhi\\n")
            fakebridge.poll()
            assert [message.subject for message in fakebridge.messages("INBOX")[3:]] == [f"mail {number}"]
        """,
        "-p",
        "xdist",
        "-n",
        "2",
    )
    assert "8 passed" in done.stdout, done.stdout


def test_the_plugin_needs_none_of_the_extra(tmp_path: Path) -> None:
    """It is loaded by every pytest near the package: without the extra it must do nothing but explain itself when it is used."""
    (tmp_path / "conftest.py").write_text(
        "import sys\nassert not {'aiosmtpd', 'cryptography', 'proton_safe', 'pydantic'} & set(sys.modules)\n", encoding="utf-8"
    )
    for name in ("aiosmtpd", "cryptography"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise ModuleNotFoundError('not here', name={name!r})\n", encoding="utf-8")
    done = run(
        tmp_path,
        """
        def test_nothing_of_fakebridge():
            pass

        def test_something(fakebridge):
            pass
        """,
        path=tmp_path,
    )
    assert "1 passed, 1 error" in done.stdout, done.stdout
    assert "is missing: install proton-safe[fakebridge]" in done.stdout
