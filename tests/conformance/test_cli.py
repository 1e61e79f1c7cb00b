"""The command `python -m conformance`: what it prints and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance import cli, lint
from conformance.attack_rows import families
from conformance.generator import files
from conformance.library import FOLDER, all_cases, case_paths, read_file
from conformance.outcome import Outcome, Verdict
from conformance.table import report

pytestmark = pytest.mark.xdist_group("command of the suite")


def test_one_case_is_played_and_the_table_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 0 when everything passed."""
    assert cli.main(["run", "mailbox_status:counts:small-world", "-j", "1"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].split() == ["tool", "cases", "passed", "failed", "hang", "harness-error"]
    assert rows[2].split() == ["mailbox_status", "1", "1", "0", "0", "0"]
    assert rows[-1].startswith("1 passed, 0 not")


def test_a_server_that_fails_ends_the_command_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 1 and the finding in words."""
    server = f"{sys.executable} -m tests.conformance.broken.planted_bug"
    assert cli.main(["run", "list_sender_addresses:addresses:one-only", "--server", server, "-j", "1"]) == 1
    assert (
        "FAILED list_sender_addresses:addresses:one-only\n    step 1: list_sender_addresses ended with internal-error"
        in capsys.readouterr().out
    )


def test_what_a_server_says_steers_no_terminal() -> None:
    """Attack catalogue unicode/terminal-csi and terminal-osc: a report shows escapes, each finding on a line of its own."""
    said = "ended with \x1b[2J\x9b1F\x1b]52;c;x\x07\rPASSED all\n\u202e \u2028 caf\xe9"
    shown = report([Outcome("a:b:c", "a", Verdict.FAILED, (said,), 1.0)])
    assert shown == "FAILED a:b:c\n    ended with \\x1b[2J\\x9b1F\\x1b]52;c;x\\x07\\rPASSED all\\n\\u202e \\u2028 caf\xe9"


def test_a_poor_terminal_gets_the_whole_text() -> None:
    """Attack catalogue unicode/terminal-not-a-tty: letters that it can't show stand as escapes, and nothing is left out."""
    command = [sys.executable, "-m", "conformance", "explain", "unicode:zero-width:joiners"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True, timeout=60)
    assert done.stdout.isascii()
    assert b"because of a known attack: unicode:zero-width in docs/attacks.md" in done.stdout


def test_cases_are_listed_by_tool(capsys: pytest.CaptureFixture[str]) -> None:
    """A reader finds a tool's cases with their reasons."""
    assert cli.main(["list", "--tool", "list_folders"]) == 0
    ids = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert ids == [case.id for case in all_cases() if case.tool == "list_folders"]


def test_a_case_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Reason, source and lines."""
    assert cli.main(["explain", "mailbox_status:counts:small-world"]) == 0
    assert "because of the specification of the thirteen tools: mailbox_status" in capsys.readouterr().out


def test_a_row_of_attacks_is_explained_and_played_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    """What docs/attacks.md calls a row is understood as it stands there: what it is, what is safe, its forms, and the command."""
    row = families()["imap"]["imap/starttls-stripped"]
    assert cli.main(["explain", "imap:starttls-stripped"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == ["imap:starttls-stripped", f"attack: {row.attack}", f"safe: {row.outcome}"]
    assert "  imap:starttls-stripped:not-offered" in told
    assert "  python -m conformance run imap:starttls-stripped" in told
    assert cli.main(["run", "imap:starttls-stripped", "-j", "1"]) == 0
    assert "1 passed, 0 not" in capsys.readouterr().out


def test_a_row_without_a_case_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is hidden: what is left out is told with its reason."""
    row = families()["unicode"]["unicode/show-overflow"]
    assert cli.main(["explain", "unicode:show-overflow"]) == 0
    assert capsys.readouterr().out.splitlines() == ["unicode:show-overflow", f"attack: {row.attack}", f"no case: {row.left_out}"]


def test_what_several_names_begin_with_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    """A family, by its name or with a star, and no id that merely begins with the same letters."""
    for arguments in (["explain", "text"], ["list", "text"], ["list", "text:*"]):
        assert cli.main(arguments) == 0
        ids = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
        assert ids == [case.id for case in all_cases() if case.id.split(":")[0] == "text"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "no:such:case"],
        ["run", "no:such:case"],
        ["run", "mailbox_status:counts:small-world", "hea"],
        ["list", "no"],
        ["list", "--tool", "none"],
        ["run", "--tool", "none"],
    ],
    ids=" ".join,
)
def test_a_case_that_does_not_exist_is_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2: nothing was judged, and it is said where the names stand."""
    assert cli.main(arguments) == 2
    assert "python -m conformance list" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments,told",
    [
        (["run", "--server", "no-such-program serve"], "begins with no program that can be run"),
        (["run", "--server", "'"], "begins with no program that can be run"),
        (["run", "--adapter", "nobodys"], "'nobodys' is no adapter that can be read"),
        (["lint", "--adapter", "Makefile.json"], "'Makefile.json' is no adapter that can be read"),
    ],
    ids=" ".join,
)
def test_a_server_that_cannot_be_started_is_wrong_use(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence before anything is played, not a finding for each case."""
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert (ended.value.code, told in capsys.readouterr().err) == (2, True)


def test_a_reader_that_goes_away_is_no_fault() -> None:
    """`list | head` ends without a word."""
    with subprocess.Popen([sys.executable, "-m", "conformance", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert (process.stderr.read(), process.wait(60)) == (b"", 1)


def test_generated_files_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes what the library holds."""
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    assert cli.main(["generate"]) == 0
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.glob("*/*.json"))
    assert made == [path.relative_to(FOLDER) for path in case_paths() if read_file(path).generated]
    assert all((tmp_path / path).read_bytes() == (FOLDER / path).read_bytes() for path in made)
    assert capsys.readouterr().out.endswith(" cases written\n")


def test_files_are_brought_into_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes a case by hand needs no care for layout and order."""
    wanted = (FOLDER / "list_folders" / "results.json").read_bytes()
    document = json.loads(wanted)
    document["cases"].reverse()
    path = tmp_path / "results.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setattr(cli, "case_paths", lambda: [path])
    assert cli.main(["format"]) == 0
    assert path.read_bytes() == wanted


def test_lint_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """What `make lint` runs: the cases are sound and cover what the server publishes."""
    assert cli.main(["lint"]) == 0
    assert capsys.readouterr().out == f"{len(all_cases())} cases, nothing found\n"


def test_lint_says_what_it_finds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 1, one line for each finding."""
    monkeypatch.setattr(lint, "findings", lambda: iter(["first", "second"]))
    assert cli.main(["lint"]) == 1
    assert capsys.readouterr().out == "first\nsecond\n"
