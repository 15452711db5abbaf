"""The examples of the documentation run, and are typed."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import EXAMPLES, REPOSITORY

import elf_gedcom as elf

COOKBOOK = REPOSITORY / "docs" / "cookbook.md"
PAGES = [REPOSITORY / "docs" / "python.md", REPOSITORY / "bindings" / "python" / "README.md", COOKBOOK]


def examples() -> list[tuple[str, str]]:
    """The examples of all pages, with their names."""
    found = []
    for page in PAGES:
        blocks = re.findall(r"^```python( polars| spark)?\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        # `tests/cli/rdf.rs` runs the query with pyoxigraph.
        blocks = [(mark.strip(), code) for mark, code in blocks if "pyoxigraph" not in code]
        found += [(f"{page.stem.lower()}_{number}{mark}", code) for number, (mark, code) in enumerate(blocks)]
    return found


def commands() -> list[str]:
    """The lines of the cookbook that run the command."""
    blocks = re.findall(r"^```sh\n(.*?)^```", COOKBOOK.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("elf ")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the examples use."""
    shutil.copy(EXAMPLES / "haugen.ged", tmp_path / "family.ged")
    cousin = EXAMPLES.joinpath("haugen.ged").read_bytes().replace(b"Anders", b"Andreas")
    (tmp_path / "cousin.ged").write_bytes(cousin)
    shutil.copy(EXAMPLES / "bell-ringers.ged", tmp_path)
    (tmp_path / "trees").mkdir()
    for file in EXAMPLES.glob("*.ged"):
        shutil.copy(file, tmp_path / "trees")
    return tmp_path


@pytest.mark.parametrize(("name", "code"), examples(), ids=[name for name, _ in examples()])
def test_examples_run(name: str, code: str, folder: Path) -> None:
    if name.endswith("polars"):
        pytest.importorskip("polars")
    if name.endswith("spark"):
        pytest.skip("test_spark.py runs what it shows")
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    # A comment behind `print` is what it prints.
    for expected in re.findall(r"print\(.*\)  # (.*)", code):
        assert expected in run.stdout


@pytest.mark.parametrize("line", commands())
def test_commands_of_the_cookbook_run(line: str, command: str, folder: Path) -> None:
    arguments = shlex.split(line)[1:]
    run = subprocess.run([command, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    # 1 is the exit status of a conversion that lost something.
    assert run.returncode == 0 or (run.returncode == 1 and arguments[0] == "convert"), run.stderr
    if "-o" in arguments:
        assert (folder / arguments[-1]).stat().st_size > 100


def test_examples_are_typed(folder: Path) -> None:
    pytest.importorskip("mypy")
    for name, code in examples():
        if not name.endswith(("polars", "spark")):
            (folder / f"{name}.py").write_text(code, encoding="utf-8")
    (folder / "mypy.ini").write_text("[mypy]\nstrict = True\n[mypy-pyarrow.*]\nignore_missing_imports = True\n")
    files = sorted(str(path) for path in folder.glob("*.py"))
    run = subprocess.run([sys.executable, "-m", "mypy", *files], cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_the_reference_is_up_to_date() -> None:
    script = REPOSITORY / "bindings" / "python" / "reference"
    run = subprocess.run([sys.executable, str(script)], capture_output=True, check=True)
    page = REPOSITORY / "docs" / "python-reference.md"
    assert run.stdout == page.read_bytes(), "run bindings/python/reference > docs/python-reference.md"
    # Every member has a description.
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(rows) > 200 and not [row for row in rows if row.endswith("|  |")]


def test_docstrings() -> None:
    assert doctest.testmod(elf).failed == 0
