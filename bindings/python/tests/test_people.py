"""People, families, and what the command does with whole trees."""

from __future__ import annotations

import datetime
import json
import subprocess

from pathlib import Path

import pytest
from conftest import ANSEL, EXAMPLES, JOAO

import elf_gedcom as elf

HAUGEN = EXAMPLES / "haugen.ged"
DAY = datetime.date(1950, 1, 1)


def test_people_and_their_relatives() -> None:
    doc = elf.open(HAUGEN)
    for person in doc.people:
        for child in person.children:
            assert person in child.parents
        for partner in person.partners:
            assert person in partner.partners and person != partner
        for sibling in person.siblings:
            assert person in sibling.siblings
    for family in doc.families:
        assert all(family in child.families_as_child for child in family.children)
    person = doc.person("@I1@")
    assert person.record == doc["I1"] and person.id == "I1" and person.line == doc["I1"].line
    assert {generation for _, generation in person.descendants()} >= {1}
    with pytest.raises(KeyError):
        doc.person("F1")
    with pytest.raises(KeyError):
        doc.family("I1")


def test_names_events_and_ties() -> None:
    doc = elf.open(ANSEL)
    father, child = doc.people
    assert (father.name, father.given, father.surname, father.sex) == (f"{JOAO} Reis", JOAO, "Reis", "M")
    birth = father.events[0]
    assert (birth.tag, birth.date_text, birth.place) == ("BIRT", "1 MAR 1850", None)
    assert birth.date is not None and birth.date.edtf == "1850-03-01"
    assert birth.structure == doc["I1"]["BIRT"]
    assert father.born_days == (birth.date.earliest_day, birth.date.latest_day)
    link = child.parent_links[0]
    assert (link.person, link.role, link.tie, link.is_by_birth) == (father, "husband", "unknown", True)
    assert link.family == doc.family("F1") and link.family.husband == father and link.family.wife is None
    assert [one.name for one in father.relationships(child)] == ["father"]
    assert not father.may_be_living(today=datetime.date(2020, 1, 1))


def test_events_of_an_edited_document_are_its_structures() -> None:
    doc = elf.open(ANSEL)
    doc["I1"]["NAME"].remove()
    doc["I1"].add("OCCU", "miller", position=1)
    father = doc.people[0]
    assert [event.structure for event in father.events] == doc["I1"].all("BIRT") + doc["I1"].all("OCCU")
    structure = father.events[0].structure
    assert structure is not None
    structure["DATE"].text = "1851"
    # People stay as they were when they were asked for.
    assert (father.birth, doc.people[0].birth) == ("1 MAR 1850", "1851")


def test_find_is_that_of_the_command(command: str) -> None:
    doc = elf.open(HAUGEN)
    for arguments, options in [
        ({}, []),
        ({"name": "haugen", "born": "..1900"}, ["--name", "haugen", "--born", "..1900"]),
        ({"sex": "F", "lacks": ["DEAT"]}, ["--sex", "F", "--lacks", "DEAT"]),
        ({"descendant_of": "I1"}, ["--descendant-of", "I1"]),
        ({"living": True, "today": DAY}, ["--living", "--today", DAY.isoformat()]),
    ]:
        run = subprocess.run([command, "find", str(HAUGEN), "--format", "json", *options], capture_output=True, check=False)
        expected = [json.loads(line) for line in run.stdout.decode().splitlines()]
        found = elf.find(doc, **arguments)  # type: ignore[arg-type]
        assert [(one.id, one.line) for one in found] == [(one.get("id"), one["line"]) for one in expected]
        assert [one.name for one in found] == [one.get("name", "") for one in expected]
    with pytest.raises(elf.PersonNotFoundError):
        elf.find(doc, ancestor_of="I999")


def test_redact_and_extract_are_those_of_the_command(command: str) -> None:
    run = subprocess.run([command, "redact", str(HAUGEN), "--today", DAY.isoformat()], capture_output=True, check=False)
    redacted = elf.redact(HAUGEN, today=DAY)
    assert redacted.to_bytes() == run.stdout
    assert redacted.hidden_people == len(elf.hidden_people(HAUGEN, today=DAY)) > 0
    options = ["--from", "I1", "--descendants", "1", "--spouses"]
    run = subprocess.run([command, "extract", str(HAUGEN), *options], capture_output=True, check=False)
    extracted = elf.extract(HAUGEN, ["@I1@"], descendants=1, spouses=True)
    assert extracted.to_bytes() == run.stdout
    assert extracted.removed[0].reason and extracted.removed_people > 0
    with pytest.raises(elf.PersonNotFoundError):
        elf.extract(HAUGEN, ["I999"])


TWICE = (
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Karl /Müller/\n1 BIRT\n2 DATE 3 MAR 1850\n"
    "0 @I2@ INDI\n1 NAME Carl /Mueller/\n1 BIRT\n2 DATE 3 MAR 1850\n2 PLAC Linz\n0 TRLR\n"
).encode()


def test_match_and_merge() -> None:
    (found,) = elf.match(TWICE)
    assert (found.a.id, found.b.id) == ("I1", "I2") and found.score > 0.8 and "birth" in found.agree
    merged = elf.merge(TWICE, TWICE, pairs=[("I1", "@I1@"), ("I2", "I2")])
    assert merged.to_bytes() == TWICE and merged.summary["persons_united"] == 2
    merged = elf.merge(ANSEL, TWICE, at_least=0.8)
    doc = elf.open(merged.to_bytes())
    assert merged.summary["persons_added"] == 2 and len(doc.people) == 4
    assert doc.encoding.used == "ANSEL" and {one.action for one in merged.actions} >= {"added", "renamed"}
    with pytest.raises(elf.PersonNotFoundError):
        elf.merge(TWICE, TWICE, pairs=[("I1", "I9")])
    with pytest.raises(elf.EditError, match="different standards"):
        elf.merge(HAUGEN, TWICE)


def test_diff_is_that_of_the_command(command: str) -> None:
    other = EXAMPLES / "attic.ged"
    run = subprocess.run([command, "diff", str(HAUGEN), str(other), "--format", "json"], capture_output=True, check=False)
    expected = [json.loads(line) for line in run.stdout.decode().splitlines()][:-1]
    found = elf.diff(HAUGEN, other)
    assert [one.difference for one in found] == [one["difference"] for one in expected]
    paths = [(one.a.path if one.a else None, one.b.path if one.b else None) for one in found]
    assert paths == [tuple(one[side]["path"] if side in one else None for side in "ab") for one in expected]
    assert elf.diff(HAUGEN, HAUGEN.read_bytes()) == []


def test_convert_is_that_of_the_command(command: str, tmp_path: Path) -> None:
    for options, arguments in [
        ([], {}),
        (["--to-rules", "gedcom-7"], {"to_rules": "gedcom-7"}),
        (["--encoding", "ANSEL", "--line-break", "crlf"], {"encoding": "ANSEL", "line_break": "crlf"}),
        (["--to-rules", "2019-12", "--bom", "--width", "80"], {"to_rules": "2019-12", "bom": True, "width": 80}),
    ]:
        for file in sorted(EXAMPLES.glob("*.ged")):
            output = tmp_path / "out.ged"
            run = subprocess.run(
                [command, "convert", str(file), "-o", str(output), "--allow-loss", *options], capture_output=True, check=False
            )
            assert run.returncode == 0, run.stderr
            converted = elf.convert(file, **arguments)  # type: ignore[arg-type]
            assert converted.to_bytes() == output.read_bytes() and converted.is_complete
            if arguments:
                continue
            assert converted.losses == 0


def test_what_convert_loses_and_refuses() -> None:
    converted = elf.convert("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME 李 /明/\n0 TRLR\n".encode(), to_rules="gedcom-5.5.1", encoding="ANSEL")
    assert converted.losses > 0 and converted.findings[0].name
    with pytest.raises(elf.IncompleteError) as caught:
        elf.convert(b"0 HEAD\n0 @I1@ INDI\n3 SEX F\n0 TRLR\n", rules="2019-12")
    assert caught.value.line == 3
    with pytest.raises(ValueError, match="unknown encoding"):
        elf.convert(ANSEL, encoding="EBCDIC")
