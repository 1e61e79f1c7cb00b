"""The command line: what it prints, and that wrong use is told what is wrong and how it is meant."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fakebridge.faults.kinds import FaultKind
from tests.fakebridge.running_bridge import ROOT, FakeBridge
from tests.fakebridge.talking import S, Wire, talk
from tests.fakebridge.worlds import world


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, to its end."""
    command = [sys.executable, "-m", "fakebridge", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "arguments,told",
    [
        ((), "the following arguments are required: COMMAND"),
        (("nonsense",), "argument COMMAND: invalid choice: 'nonsense'"),
        (("serve", "--imap-port", "65536"), "argument --imap-port: '65536' is no port: a number from 0 to 65535 is wanted"),
        (("serve", "--smtp-port", "x"), "argument --smtp-port: 'x' is no port"),
        (("serve", "--seed", "-1"), "argument --seed: '-1': a whole number from 0 is wanted"),
        (("serve", "--poll-seconds", "often"), "argument --poll-seconds: 'often': seconds from 0 to 86400 are wanted"),
        (("serve", "--switch", "idle"), "argument --switch: 'idle': NAME=VALUE is wanted"),
        (("serve", "--switch", "nope=1"), "there is no switch named 'nope'; there are: application_name, "),
        (("serve", "--world", "nowhere.json"), "the world file cannot be read: FileNotFoundError"),
        (("serve", "--faults", "nowhere.json"), "the file of faults cannot be read: FileNotFoundError"),
        (("serve", "--journal", "no/such/folder/file"), "No such file or directory"),
        (("serve", "--world", "Makefile"), "the world file cannot be read: not JSON: Expecting value: line 1 column 1"),
        (("serve", "--faults", "Makefile"), "the file of faults cannot be read: not JSON: Expecting value: line 1 column 1"),
        (("explain", "greting"), r"explain: there is no such behaviour (near it: greeting"),
        (("demo-world", "tests"), "demo-world: the folder exists already"),
        (("demo-world", "Makefile/new"), "demo-world: the folder cannot be made: Not a directory"),
        (("schema", "all"), "argument of: invalid choice: 'all'"),
    ],
    ids=" ".join,
)
def test_wrong_use_is_explained(arguments: tuple[str, ...], told: str) -> None:
    """Status 2, nothing on standard output, no traceback."""
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.startswith("fakebridge")
    assert "Traceback" not in done.stderr


def test_faults_lists_every_kind_with_one_line() -> None:
    """And as data with fields and defaults."""
    rows = [line.split(None, 1) for line in run("faults").stdout.splitlines()]
    assert [name for name, _ in rows] == [kind.value for kind in FaultKind]
    data = json.loads(run("faults", "--json").stdout)
    assert [[row["do"], row["line"]] for row in data] == rows
    assert next(row for row in data if row["do"] == "drip")["fields"] == {"octets": 64}


def test_explain_tells_what_is_imitated_and_how_well_it_is_known() -> None:
    """By name, as text and as data; without a name all of them."""
    names = [line.split()[0] for line in run("explain").stdout.splitlines()]
    told = run("explain", "greeting").stdout
    assert told.startswith("greeting: The greeting names the full capability list")
    assert "Known: recorded from Bridge in dialogues 01, 02 (tests/fakebridge/dialogues)." in told
    assert "Known: read in Bridge's source, not recorded." in run("explain", "store-order-random").stdout
    assert json.loads(run("explain", "greeting", "--json").stdout)["id"] == "greeting"
    assert [row["id"] for row in json.loads(run("explain", "--json").stdout)] == names


def test_the_demo_world_can_be_written_and_served(tmp_path: Path) -> None:
    """The folder holds all that the world names."""
    done = run("demo-world", str(tmp_path / "mine"), "--json")
    path = Path(json.loads(done.stdout)["world"])
    assert path == tmp_path / "mine" / "world.json"
    assert run("demo-world", str(tmp_path / "mine")).returncode == 2
    with FakeBridge(path) as bridge:
        assert bridge.ready["addresses"][0] == "ada@keller.example"
    assert run("demo-world").stdout.startswith("python -m fakebridge serve --world ")


def test_schemas_are_printed() -> None:
    """For editors and other languages."""
    assert json.loads(run("schema", "world").stdout)["title"] == "World of fakebridge"
    assert json.loads(run("schema", "faults").stdout)["title"] == "Faults of fakebridge"


@pytest.mark.parametrize("is_json", [False, True])
def test_serve_tells_a_person_or_a_program_where_it_listens(is_json: bool) -> None:
    """Without a world it is the demo's."""
    command = [sys.executable, "-m", "fakebridge", "serve", *(["--json"] if is_json else [])]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if is_json:
            port = json.loads(line)["imap"]
        else:
            found = re.search(r"IMAP port +(\d+)", process.stdout.readline())
            assert found is not None
            port = int(found[1])
        wire = Wire(port)
        talk(wire, S("* OK …"))
        wire.close()
        process.terminate()


def test_ports_journal_seed_and_strictness_are_options(tmp_path: Path) -> None:
    """A port that is taken is told; the journal is written line by line."""
    path = tmp_path / "world.json"
    path.write_text(json.dumps(world()), encoding="utf-8")
    with FakeBridge(path, ["--journal", str(tmp_path / "journal"), "--seed", "3", "--strict-rfc"]) as bridge:
        done = run("serve", "--world", str(path), "--imap-port", str(bridge.ready["imap"]))
        assert (done.returncode, "a port or a file of the options cannot be used" in done.stderr) == (2, True)
        wire = Wire(bridge.ready["imap"])
        talk(wire, S("* OK [CAPABILITY …] Strict server …"))
        wire.close()
        bridge.ask("poll")
        entries = [json.loads(line) for line in (tmp_path / "journal").read_text(encoding="utf-8").splitlines()]
        assert entries[0] == {"n": 1, "kind": "connect", "session": 1, "protocol": "imap"}
