"""A table of one large file in several splits: together they are the table of the file."""

from __future__ import annotations

import datetime
import multiprocessing
import pickle
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from conftest import ANSEL, EXAMPLES, files_of_the_repository

import elf_gedcom as elf

TABLES: list[Any] = ["people", "families", "events", "sources", "structures", "places"]

TODAY = datetime.date(2026, 11, 28)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of about 3 MB in ANSEL. People and families point far away, identifiers are repeated, and a source is cited
    from everywhere."""
    lines = ["0 HEAD", "1 CHAR ANSEL", "1 SOUR MADE"]
    count = 12_000
    for at in range(count):
        xref = f"I{at}" if at % 997 else "I997"
        lines += [f"0 @{xref}@ INDI", f"1 NAME Ada{at} /L\xe1n\xe9/", "1 SEX F", "1 BIRT", f"2 DATE {1700 + at % 250}"]
        lines += [f"2 PLAC Place {at % 700}, Loamshire", f"2 SOUR @S{at % 50}@", f"1 FAMC @F{count - at}@"]
        lines += [f"0 @F{at}@ FAM", f"1 WIFE @I{(at * 7) % count}@", f"1 CHIL @I{count - at}@", "0 NOTE No identifier"]
    lines += [line for at in range(50) for line in (f"0 @S{at}@ SOUR", f"1 TITL Book {at}", "1 REPO @R1@")]
    lines += ["0 @R1@ REPO", "1 NAME Archive", "0 TRLR", ""]
    path = tmp_path_factory.mktemp("made") / "made.ged"
    path.write_bytes("\r\n".join(lines).encode("latin-1"))
    return path


def joined(splits: list[elf.TableSplit], **options: Any) -> Any:
    return pa.concat_tables([pa.table(split.read(**options)) for split in splits]).combine_chunks()


def whole(name: Any, path: Path, **options: Any) -> Any:
    return pa.table(elf.read_table(name, path, **options)).combine_chunks()


@pytest.mark.parametrize("name", TABLES)
def test_splits_are_the_table(name: Any, made: Path) -> None:
    expected = whole(name, made, today=TODAY)
    for split_bytes in [1, 700_000, 1_600_000, 1 << 40]:
        plan = elf.plan_table(name, made, split_bytes=split_bytes, today=TODAY)
        assert len(plan) == len(plan.splits) == {1: 10, 700_000: 4, 1_600_000: 2}.get(split_bytes, 1)
        assert joined(plan.splits).equals(expected)


def test_splits_of_all_files() -> None:
    for path in files_of_the_repository():
        for name in TABLES:
            plan = elf.plan_table(name, path, split_bytes=1, today=TODAY)
            assert len(plan) > 1 or path.stat().st_size < 300_000
            assert joined(plan.splits).equals(whole(name, path, today=TODAY)), path


def test_splits_of_examples_and_strict_rules() -> None:
    for path in EXAMPLES.glob("*.ged"):
        for rules in ["wild", "2019-12", "2019-01", "gedcom-5.5.1"]:
            plan = elf.plan_table("structures", path, split_bytes=1, rules=rules)  # type: ignore[arg-type]
            assert joined(plan.splits).equals(whole("structures", path, rules=rules))
            assert plan.is_complete == elf.open(path, rules=rules).is_complete  # type: ignore[arg-type]


def test_columns(made: Path) -> None:
    plan = elf.plan_table("people", made, split_bytes=1_600_000)
    found = joined(plan.splits, columns=["father_name", "mother_name", "id"])
    assert found.equals(whole("people", made, columns=["father_name", "mother_name", "id"]))
    assert any(found["mother_name"].to_pylist())
    with pytest.raises(ValueError, match="no column `nmae`"):
        plan.splits[0].read(columns=["nmae"])


def read_split(split: elf.TableSplit) -> int:
    return split.read().num_rows


def test_other_processes_read_pickled_splits(made: Path) -> None:
    plan = elf.plan_table("people", made, split_bytes=700_000)
    # New processes, as on another computer: nothing but the pickled split reaches them.
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        counts = pool.map(read_split, plan.splits)
    assert counts == [split.read().num_rows for split in plan.splits] and sum(counts) == 12_000
    copy = pickle.loads(pickle.dumps(plan))
    assert [split.to_bytes() for split in copy.splits] == [split.to_bytes() for split in plan.splits]
    starts = [split.start for split in plan.splits]
    assert starts[0] == 0 and starts == sorted(starts)
    assert plan.splits[1].name == "people" and plan.splits[1].file == str(made)


def test_another_release_is_named_before_its_bytes_are_decoded(made: Path) -> None:
    plan = elf.plan_table("events", made)
    for thing in [plan, plan.splits[0]]:
        start, _, content = thing.to_bytes().partition(b"\n")
        assert type(thing).from_bytes(start + b"\n" + content).to_bytes() == thing.to_bytes()
        for other in [b"", content, b"\xff" * 20]:
            with pytest.raises(elf.PlanError, match=r"^elf-gedcom [0-9.]*-next made the plan, but this is elf-gedcom"):
                type(thing).from_bytes(start + b"-next\n" + other)


def test_the_splits_of_a_plan_are_not_copied(made: Path) -> None:
    plan = elf.plan_table("people", made, split_bytes=700_000)
    assert all(one is other for one, other in zip(plan.splits, plan.splits, strict=True))


def test_a_split_is_read_from_another_place(made: Path, tmp_path: Path) -> None:
    copy = shutil.copy(made, tmp_path / "copy.ged")
    plan = elf.plan_table("events", made, split_bytes=1_600_000)
    assert joined(plan.splits, file=copy).equals(whole("events", made))


def test_another_file_is_refused(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "file.ged"
    content = made.read_bytes()
    path.write_bytes(content)
    plan = elf.plan_table("people", path, split_bytes=700_000)
    changes = {
        "longer": content + b"\r\n",
        "header": content.replace(b"SOUR MADE", b"SOUR MODE"),
        "name": content.replace(b"Ada11999", b"Eva11999"),
        "empty": b"",
    }
    for change, changed in changes.items():
        path.write_bytes(changed)
        with pytest.raises(elf.PlanError, match="has changed") as failure:
            joined(plan.splits)
        assert failure.value.file == str(path), change
    path.unlink()
    with pytest.raises(FileNotFoundError):
        plan.splits[0].read()
    with pytest.raises(FileNotFoundError):
        elf.plan_table("people", path)
    for data in [b"", b"elf-gedcom 0", b"\xff\xff\xff", plan.to_bytes().partition(b"\n")[0] + b"\n\xff"]:
        with pytest.raises(elf.PlanError, match="not a plan"):
            elf.TableSplit.from_bytes(data)
    with pytest.raises(elf.PlanError, match="not a plan"):
        elf.TablePlan.from_bytes(ANSEL)


def test_wrong_arguments(made: Path) -> None:
    with pytest.raises(ValueError, match="unknown table"):
        elf.plan_table("peeple", made)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown rules"):
        elf.plan_table("people", made, rules="wlid")  # type: ignore[arg-type]
