"""Findings: those of the command."""

from __future__ import annotations

import datetime
import json
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from conftest import ANSEL, EXAMPLES, files_of_the_repository, vectors

import elf_gedcom as elf

DAMAGED = EXAMPLES / "damaged.ged"


def test_findings_have_the_members_of_the_json() -> None:
    report = elf.check(DAMAGED)
    first = report[0]
    assert (first.code, first.name, first.class_, first.line) == ("E0203", "level-too-deep", "malformed", 14)
    assert (first.record, first.path, first.column, first.end_column) == ("I1", "@I1@/BIRT/DATE", 1, 2)
    assert first.fix is not None and first.fix.lines[0].insert == ["2 DATE 31 MAR 1850"]
    assert report.fails and report.summary.malformed == len(report) == 2
    assert report[-1].to_dict() == list(report)[-1].to_dict()
    with pytest.raises(IndexError):
        report[2]
    # Findings of two runs can be compared, for example before and after an edit.
    assert list(report) == list(elf.check(DAMAGED)) and first != report[1] and first in {report[0]}


def test_selection_standards_and_facts() -> None:
    assert [one.code for one in elf.check(DAMAGED, select=["E03"])] == ["E0306"]
    assert elf.check(DAMAGED, ignore=["malformed"]).summary.ignored == 2
    named = elf.check(b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 DEAT\n2 DATE 1800\n1 BIRT\n2 DATE 1900\n0 TRLR\n", facts=True)
    assert "death-before-birth" in [one.name for one in named]
    young = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 DATE 1950\n0 TRLR\n"
    asked = elf.check(young, facts=True, today=datetime.date(1900, 1, 1))
    assert "date-in-future" in [one.name for one in asked]
    strict = elf.check(ANSEL, against="5.5.1")
    assert any(one.class_ == "non-conformant" for one in strict)
    with pytest.raises(ValueError, match="expected"):
        elf.check(ANSEL, select=["E9999"])
    with pytest.raises(TypeError, match="datetime.date"):
        elf.check(young, facts=True, today="1900-01-01")  # type: ignore[arg-type]


def test_configuration_only_if_it_is_named(tmp_path: Path) -> None:
    file, config = tmp_path / "family.ged", tmp_path / "elf.toml"
    file.write_bytes(DAMAGED.read_bytes())
    config.write_text('[check]\nignore = ["malformed"]\n')
    assert len(elf.check(file)) == 2
    report = elf.check(file, config=config)
    assert len(report) == 0 and report.summary.config == str(config)
    config.write_text("[check]\nignor = []\n")
    with pytest.raises(elf.ConfigError) as caught:
        elf.check(file, config=config)
    assert caught.value.line == 2


def test_a_document_is_checked_with_its_edits() -> None:
    doc = elf.open(ANSEL)
    before = len(elf.check(doc))
    doc["I1"]["BIRT"]["DATE"].text = "31 FEB 1850"
    assert len(elf.check(doc)) == before + 1


def test_fix() -> None:
    fixed = elf.fix(DAMAGED)
    assert (fixed.fixed, fixed.refused) == (2, 0)
    assert len(elf.check(fixed.to_bytes())) == 0


def command_findings(command: str, folder: Path, *options: str) -> dict[str, list[dict[str, Any]]]:
    """What `elf check` says of the files in a folder, by file."""
    run = subprocess.run(
        [command, "check", "--format", "json", "--no-config", *options, str(folder)], capture_output=True, check=False
    )
    assert run.returncode in (0, 1), run.stderr
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in run.stdout.decode().splitlines():
        one = json.loads(line)
        summary = one.get("summary")
        file = summary.get("file") if summary else one["file"]
        # A total has no file.
        if file is not None:
            found[file].append(one)
    return found


def python_findings(path: Path, **options: Any) -> list[dict[str, Any]]:
    report = elf.check(path, **options)
    return [one.to_dict() for one in report] + [{"summary": report.summary.to_dict()}]


def without_network(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Findings without what the command says of its option `--fetch`, which Python does not have."""
    return [{**one, "message": ""} if one.get("name") == "schema-external" else one for one in findings]


def assert_same(command: str, folder: Path, options: list[str], **arguments: Any) -> None:
    found = command_findings(command, folder, *options)
    assert found
    for file, expected in found.items():
        assert without_network(python_findings(Path(file), **arguments)) == without_network(expected), file


def test_the_command_finds_the_same_in_all_vectors(command: str, tmp_path: Path) -> None:
    of_rules: dict[str, int] = defaultdict(int)
    for rules, content in vectors():
        of_rules[rules] += 1
        folder = tmp_path / rules
        folder.mkdir(exist_ok=True)
        (folder / f"{of_rules[rules]:04}.ged").write_bytes(content)
    assert sum(of_rules.values()) > 1500
    for rules in of_rules:
        assert_same(command, tmp_path / rules, ["--rules", rules], rules=rules)


def test_the_command_finds_the_same_in_all_files(command: str, tmp_path: Path) -> None:
    for number, file in enumerate(files_of_the_repository()):
        (tmp_path / f"{number:04}.ged").write_bytes(file.read_bytes())
    assert_same(command, tmp_path, [])
    day = datetime.date(2026, 11, 28)
    options = ["--facts", "--unlikely", "--today", day.isoformat(), "--against", "5.5.1"]
    assert_same(command, tmp_path, options, facts=True, unlikely=True, today=day, against="5.5.1")
