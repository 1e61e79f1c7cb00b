"""The import contracts find what they forbid: one import is planted against each of them, in a copy of the sources."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.lint import checkout

# contract id -> (module that is planted, what it imports, what lint-imports then reports)
_PLANTS: Final = {
    "runtime-apart": ("proton_safe.planted_kit", "fakebridge", "proton_safe.planted_kit -> fakebridge"),
    "kit-apart": ("conformance.planted_runtime", "proton_safe", "conformance.planted_runtime -> proton_safe"),
    "fakebridge-alone": ("fakebridge.planted_fixtures", "fixtures", "fakebridge.planted_fixtures -> fixtures"),
    "fixtures-alone": ("fixtures.planted_conformance", "conformance", "fixtures.planted_conformance -> conformance"),
    "conformance-without-tests": ("conformance.planted_tests", "tests", "conformance.planted_tests -> tests"),
    "runtime-layers": ("proton_safe.mime.planted_layer", "proton_safe.engine", "proton_safe.mime.planted_layer -> proton_safe.engine"),
    "protocol-knows-no-tool": (
        "proton_safe.protocol.planted_tool",
        "proton_safe.tools.read_message",
        "proton_safe.protocol.planted_tool -> proton_safe.tools.read_message",
    ),
    "runtime-parsers": ("proton_safe.untrusted.planted_socket", "socket", "proton_safe.untrusted.planted_socket -> socket"),
    "fakebridge-octets": ("fakebridge.message.planted_clock", "time", "fakebridge.message.planted_clock -> time"),
    "fakebridge-protocol": ("fakebridge.imap.planted_socket", "socket", "fakebridge.imap.planted_socket -> socket"),
    "runtime-never-sends": ("proton_safe.planted_sender", "smtplib", "proton_safe.planted_sender -> smtplib"),
}


def _copy_of_the_sources(to: Path) -> None:
    for path in (*checkout.sources(), "pyproject.toml"):
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(checkout.ROOT / path, to / path)


def _report(root: Path) -> tuple[int, str]:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    run = subprocess.run([sys.executable, "-c", code, "--no-cache"], cwd=root, capture_output=True, text=True, check=False, timeout=110)
    return run.returncode, run.stdout


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report on a copy with all plants in it. The contracts must fail there."""
    root = tmp_path_factory.mktemp("planted")
    _copy_of_the_sources(root)
    for module, imported, _ in _PLANTS.values():
        (root / f"{module.replace('.', '/')}.py").write_text(f'"""Planted."""\n\nimport {imported}\n', encoding="utf-8")
    status, report = _report(root)
    assert status == 1, report
    return report


def test_every_contract_has_a_plant() -> None:
    """A contract that nothing has tried is a guess."""
    assert sorted(contract["id"] for contract in checkout.settings()["tool"]["importlinter"]["contracts"]) == sorted(_PLANTS)


@pytest.mark.xdist_group("planted imports")
@pytest.mark.parametrize("contract", _PLANTS)
def test_a_planted_import_breaks_its_contract(planted: str, contract: str) -> None:
    """House rule: the dependency rules are held by import-linter."""
    (name,) = [row["name"] for row in checkout.settings()["tool"]["importlinter"]["contracts"] if row["id"] == contract]
    # Behind the summary each broken contract has its name as an underlined heading and its import chains below it.
    headings = re.split(r"^(.+)\n-+$", planted.rsplit("Broken contracts", maxsplit=1)[-1], flags=re.MULTILINE)[1:]
    findings = dict(zip(headings[::2], headings[1::2], strict=True))
    assert _PLANTS[contract][2] in findings[name]
