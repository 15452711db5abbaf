"""Reading and editing one document."""

from __future__ import annotations

import datetime
import os
import pickle
import stat
from pathlib import Path

import pytest
from conftest import ANSEL, EXAMPLES, JOAO, files_of_the_repository

import elf_gedcom as elf


@pytest.mark.parametrize("path", files_of_the_repository(), ids=lambda path: path.name)
def test_an_unedited_document_is_the_file(path: Path, tmp_path: Path) -> None:
    doc = elf.open(path)
    assert doc.to_bytes() == path.read_bytes()
    doc.save(tmp_path / "out.ged")
    assert (tmp_path / "out.ged").read_bytes() == path.read_bytes()


def test_an_edit_changes_one_line() -> None:
    doc = elf.open(ANSEL)
    doc["I1"]["BIRT"]["DATE"].text = "3 MAR 1851"
    assert doc.is_edited
    assert doc.to_bytes() == ANSEL.replace(b"1 MAR 1850", b"3 MAR 1851")


def test_text_is_encoded_as_the_file_is() -> None:
    doc = elf.open(ANSEL)
    doc["@I1@"].add("OCCU", "Müller")
    assert b"1 OCCU M\xe8uller\r\n" in doc.to_bytes()


def test_edits_are_seen_at_once() -> None:
    doc = elf.open(ANSEL)
    person = doc["I1"]
    added = person.add("DEAT").add("DATE", "BEF 1900")
    assert [one.tag for one in person] == ["NAME", "SEX", "BIRT", "FAMS", "DEAT"]
    assert (added.path, added.line, added.level) == ("@I1@/DEAT/DATE", None, 2)
    assert added.type == "https://terms.fhiso.org/elf/DATE_VALUE"
    assert added.date is not None and added.date.edtf == "[..1900]"
    assert doc.people[0].death == "BEF 1900"
    person["SEX"].remove()
    with pytest.raises(KeyError):
        person["SEX"]
    doc.rename("I1", "P1")
    assert doc["F1"]["HUSB"].pointer == "P1"
    assert "I1" not in doc and "@P1@" in doc
    assert elf.open(doc.to_bytes())["P1"]["DEAT"]["DATE"].text == "BEF 1900"


def test_edits_by_path() -> None:
    doc = elf.open(ANSEL)
    doc.set("@I2@/BIRT/PLAC", "Porto", create=True)
    doc.insert("@I2@/SEX", "F")
    doc.remove("@I1@", cascade=True)
    assert doc.to_bytes().startswith(b"0 HEAD\r\n1 CHAR ANSEL\r\n0 @I2@ INDI\r\n1 FAMC @F1@\r\n1 BIRT\r\n2 PLAC Porto\r\n1 SEX F")
    assert doc["F1"].get("HUSB") is None
    assert [one.path for one in doc.find_all("INDI[*]/BIRT/PLAC")] == ["@I2@/BIRT/PLAC"]


def test_a_failing_edit_changes_nothing() -> None:
    doc = elf.open(ANSEL)
    with pytest.raises(elf.EditError):
        doc["I1"].add("a tag")
    with pytest.raises(elf.StructureNotFoundError):
        doc["I1"]["FAMS"].pointer = "F9"
    with pytest.raises(elf.StructureNotFoundError):
        doc["I1"].add("FAMC", pointer="F9")
    header = doc.header
    assert header is not None
    with pytest.raises(elf.EditError):
        header["CHAR"].text = "UTF-8"
    assert doc.to_bytes() == ANSEL


def test_structures_of_another_document_are_refused() -> None:
    one, other = elf.open(ANSEL), elf.open(ANSEL)
    with pytest.raises(elf.EditError):
        one["I1"]["BIRT"].move_to(other["I2"])
    one["I1"]["BIRT"].move_to(one["I2"])
    assert one["I2"]["BIRT"]["DATE"].text == "1 MAR 1850"
    assert one["I2"] == one["I2"] != other["I2"]
    assert len({one["I1"], one["I1"], one["I2"]}) == 2


def test_what_a_structure_says() -> None:
    doc = elf.open(ANSEL)
    name = doc["I1"]["NAME"]
    assert (name.text, name.line, name.path) == (f"{JOAO} /Reis/", 4, "@I1@/NAME")
    assert name.type == "https://terms.fhiso.org/elf/PERSONAL_NAME_STRUCTURE"
    assert name.parent == doc["I1"] and doc["I1"].parent is None
    link = doc["I1"]["FAMS"]
    assert (link.text, link.pointer, link.target) == (None, "F1", doc["F1"])
    assert [one.tag for one in doc["I1"].of_type("elf:Event")] == ["BIRT"]
    assert [one.path for one in doc.of_type("elf:BIRTH")] == ["@I1@/BIRT"]
    assert [record.id for record in doc] == ["I1", "I2", "F1"] and len(doc) == 3
    assert doc["I1"].get("DEAT") is None and doc.get("I9", 5) == 5


def test_types_of_the_file_itself() -> None:
    doc = elf.open(EXAMPLES / "bell-ringers.ged")
    assert doc["I1"]["_PEAL"].type == "https://example.org/bells/FirstPeal"


def test_encoding_with_evidence() -> None:
    decision = elf.open(ANSEL).encoding
    assert (decision.used, decision.because, decision.specified) == ("ANSEL", "specified", "ANSEL")
    assert any("CHAR" in sentence for sentence in decision.evidence)
    assert elf.open(ANSEL, encoding="windows-1252").encoding.because == "forced"
    assert repr(decision) == "<EncodingDecision ANSEL, specified>"


def test_dates() -> None:
    date = elf.parse_date("ABT @#DJULIAN@ 3 MAR 1701/02")
    assert date is not None and date.first is not None
    assert (date.form, date.approximation, date.edtf) == ("approximated", "about", "1702-03-14~")
    assert (date.earliest, date.earliest_day) == (datetime.date(1702, 3, 14), 2342775)
    first = date.first
    assert (first.calendar, first.year, first.historical_year, first.month, first.day) == ("JULIAN", 1702, 1701, 3, 3)
    old = elf.parse_date("BEF 44 B.C.")
    assert old is not None
    assert (old.latest_day, old.latest, old.earliest_day, old.earliest) == (1705719, None, None, None)
    assert elf.parse_date("next Tuesday") is None
    assert elf.parse_date("1 JAN 1900") == elf.parse_date("01 JAN 1900")
    hebrew = elf.parse_date("@#DHEBREW@ 13 CSH 5760")
    assert hebrew is not None and hebrew.earliest == datetime.date(1999, 10, 23)


def test_save_replaces_the_file_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "family.ged"
    path.write_bytes(ANSEL)
    path.chmod(0o640)
    with elf.open(path) as doc:
        doc["I1"]["SEX"].text = "F"
        doc.save()
    assert path.read_bytes() == ANSEL.replace(b"SEX M", b"SEX F")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["family.ged"]
    with pytest.raises(ValueError, match="read from bytes"):
        elf.open(ANSEL).save()
    with pytest.raises(FileNotFoundError):
        doc.save(tmp_path / "no" / "such.ged")


def test_a_file_of_other_rules() -> None:
    incomplete = b"0 HEAD\n0 @I1@ INDI\n3 SEX F\n0 TRLR\n"
    doc = elf.open(incomplete, rules="2019-12")
    assert not doc.is_complete and elf.open(incomplete).is_complete
    with pytest.raises(elf.IncompleteError):
        doc["I1"].add("SEX", "F")
    with pytest.raises(elf.IncompleteError):
        elf.redact(incomplete, rules="2019-12")


def test_errors_have_places_and_can_be_pickled() -> None:
    doc = elf.open(EXAMPLES / "haugen.ged")
    with pytest.raises(elf.StructureNotFoundError) as caught:
        doc["I1"]["BIRT"]["_NONE"]
    error = caught.value
    assert isinstance(error, KeyError)
    assert (error.path, error.file) == ("@I1@/BIRT", str(EXAMPLES / "haugen.ged"))
    assert error.line is not None and f"line {error.line}" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.path, str(again)) == (type(error), error.path, str(error))
    with pytest.raises(KeyError):
        doc["I999"]
    with pytest.raises(FileNotFoundError) as missing:
        elf.open("no such file.ged")
    assert missing.value.filename == "no such file.ged"
    with pytest.raises(TypeError):
        elf.open(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown rules"):
        elf.open(ANSEL, rules="1999")  # type: ignore[arg-type]


def test_bytes_of_all_kinds() -> None:
    assert elf.open(bytearray(ANSEL)).to_bytes() == elf.open(memoryview(ANSEL)).to_bytes() == ANSEL


def test_results_are_saved(tmp_path: Path) -> None:
    results: list[elf.ConvertedFile | elf.FixedFile | elf.Extraction | elf.Merged] = [
        elf.convert(ANSEL),
        elf.fix(ANSEL),
        elf.extract(ANSEL, ["I1"]),
        elf.merge(ANSEL, ANSEL),
    ]
    for number, result in enumerate(results):
        path = tmp_path / f"{number}.ged"
        result.save(path)
        assert path.read_bytes() == result.to_bytes()
