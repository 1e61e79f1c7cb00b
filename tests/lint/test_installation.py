"""The environment that make lays, and the wheel that others install."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.lint import checkout

_PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ \\]+)(?: ; [^\\]+)? \\((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+)", re.MULTILINE)


def _ranges() -> list[Requirement]:
    project = checkout.settings()
    lists = [
        project["build-system"]["requires"],
        project["project"]["dependencies"],
        *project["project"]["optional-dependencies"].values(),
        *project["dependency-groups"].values(),
    ]
    return [Requirement(line) for rows in lists for line in rows]


def test_every_requirement_is_pinned_by_hash_and_names_no_host() -> None:
    """An installation takes exactly the files that were resolved, from whatever index pip is set up with."""
    pins = checkout.text("requirements/dev.txt")
    names = re.findall(r"^[^\s#]+", pins, re.MULTILINE)
    assert [name for name, *_ in _PIN.findall(pins)] == [name.split("==")[0] for name in names]
    assert "//" not in pins


def test_the_pins_lie_inside_the_ranges_of_pyproject() -> None:
    """A range that was changed without `make constraints` is found here."""
    pinned = {canonicalize_name(name): version for name, version, _ in _PIN.findall(checkout.text("requirements/dev.txt"))}
    assert [str(row) for row in _ranges() if not row.specifier.contains(pinned.get(canonicalize_name(row.name), "0"))] == []


def test_the_runtime_depends_on_seven_libraries_only() -> None:
    """Every dependency of the server is attack surface; the kit's stand in the extra and the development group."""
    base = {Requirement(line).name for line in checkout.settings()["project"]["dependencies"]}
    assert base == {"imapclient", "justhtml", "keyring", "mcp", "pydantic", "pypdf", "typing-extensions"}


def test_make_alone_lists_every_target_in_one_line() -> None:
    """Someone new to the checkout types `make` and sees what there is."""
    make = shutil.which("make")
    assert make is not None
    listed = subprocess.run([make, "--no-print-directory"], cwd=checkout.ROOT, capture_output=True, text=True, check=True, timeout=30)
    phony = re.search(r"^\.PHONY: (.+)$", checkout.text("Makefile"), re.MULTILINE)
    assert phony is not None
    shown = [line.split()[1] for line in listed.stdout.splitlines()]
    assert sorted(shown) == sorted(phony[1].split())
    assert all(len(line.split()) > len(("make", "target")) for line in listed.stdout.splitlines())


def test_the_wheel_holds_the_runtime_and_fakebridge_and_nothing_else(tmp_path: Path) -> None:
    """One wheel for users and for authors of other clients; the rest runs from a checkout."""
    built = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(checkout.ROOT)]
    subprocess.run(built, capture_output=True, check=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        entry = archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    kept = [path for path in checkout.files() if path.split("/")[0] in {"proton_safe", "fakebridge"}]
    assert sorted(name for name in names if ".dist-info/" not in name) == sorted(kept)
    assert {"proton_safe/py.typed", "fakebridge/py.typed"} <= set(names)
    assert "proton-safe-mcp = proton_safe.__main__:main" in entry
