"""The examples of the documentation run, and are typed."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import EXAMPLES, REPOSITORY

import elf_gedcom as elf

PAGES = [REPOSITORY / "docs" / "python.md", REPOSITORY / "bindings" / "python" / "README.md"]


def examples() -> list[tuple[str, str]]:
    """The examples of all pages, with their names."""
    found = []
    for page in PAGES:
        blocks = re.findall(r"^```python( polars| spark)?\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        found += [(f"{page.stem.lower()}_{number}{mark.strip()}", code) for number, (mark, code) in enumerate(blocks)]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the examples use."""
    shutil.copy(EXAMPLES / "haugen.ged", tmp_path / "family.ged")
    cousin = EXAMPLES.joinpath("haugen.ged").read_bytes().replace(b"Anders", b"Andreas")
    (tmp_path / "cousin.ged").write_bytes(cousin)
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


def test_examples_are_typed(folder: Path) -> None:
    pytest.importorskip("mypy")
    for name, code in examples():
        if not name.endswith(("polars", "spark")):
            (folder / f"{name}.py").write_text(code, encoding="utf-8")
    (folder / "mypy.ini").write_text("[mypy]\nstrict = True\n[mypy-pyarrow.*]\nignore_missing_imports = True\n")
    files = sorted(str(path) for path in folder.glob("*.py"))
    run = subprocess.run([sys.executable, "-m", "mypy", *files], cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_docstrings() -> None:
    assert doctest.testmod(elf).failed == 0
