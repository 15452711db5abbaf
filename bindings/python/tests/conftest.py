"""What all tests share: the files of the repository, and the command if it was built."""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLES = REPOSITORY / "examples"

#: A small file with all that is edited below: ANSEL, an indented line, CR LF, and no line break at the end.
ANSEL = (
    b"0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n1 NAME Jo\xe4ao /Reis/\r\n  1   SEX M\r\n"
    b"1 BIRT\r\n2 DATE 1 MAR 1850\r\n1 FAMS @F1@\r\n0 @I2@ INDI\r\n1 FAMC @F1@\r\n"
    b"0 @F1@ FAM\r\n1 HUSB @I1@\r\n1 CHIL @I2@\r\n0 TRLR"
)

#: The given name in that file: ANSEL writes the tilde apart, and nothing is composed.
JOAO = "Joa\u0303o"


def files_of_the_repository() -> list[Path]:
    """The files in examples and tests, and those of the corpus if it is there."""
    folders = [EXAMPLES, REPOSITORY / "tests"]
    corpus = REPOSITORY.parent / "shared" / "corpus"
    if corpus.is_dir():
        folders.append(corpus)
    else:
        print(f"skipped: there is no corpus in {corpus}", file=sys.stderr)
    found = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".ged", ".elf"}]
    return sorted(path for path in found if path.is_file())


def vectors() -> Iterator[tuple[str, bytes]]:
    """The inputs of all vectors of the conformance suite, with the names of their rules."""
    for file in sorted((REPOSITORY / "conformance").glob("*/*.toml")):
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        for vector in content["vector"]:
            draft = vector.get("draft", content["draft"])
            # The input of a vector about dates is a payload. As a file, it has no structures.
            rules = "wild" if draft == "dates" else draft
            if "input_octets" in vector:
                yield rules, vector["input_octets"].encode("latin-1")
            elif "input" in vector:
                yield rules, vector["input"].encode()


@pytest.fixture
def command() -> str:
    """The command `elf`: that of ELF_COMMAND, or one that was built in this repository."""
    named = os.environ.get("ELF_COMMAND")
    target = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
    for path in [named, target / "debug" / "elf", target / "release" / "elf"]:
        if path and shutil.which(str(path)):
            return str(path)
    pytest.skip("the command elf is not built: `cargo build` builds it")
