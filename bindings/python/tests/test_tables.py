"""Tables, as clients of Arrow take them."""

from __future__ import annotations

import csv
import io
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from conftest import ANSEL, EXAMPLES, JOAO

import elf_gedcom as elf

FILES = sorted(EXAMPLES.glob("*.ged"))
TABLES = ["people", "families", "events", "sources", "structures", "places"]


def as_text(value: Any) -> str:
    """A value as CSV has it."""
    if isinstance(value, list):
        return ";".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


@pytest.mark.parametrize("name", TABLES)
def test_values_are_those_of_the_command(command: str, name: Any) -> None:
    run = subprocess.run([command, "table", name, *map(str, FILES)], capture_output=True, check=False)
    expected = list(csv.DictReader(io.StringIO(run.stdout.decode(), newline="")))
    rows = pa.table(elf.read_table(name, FILES)).to_pylist()
    found = [{column: as_text(value) for column, value in row.items()} for row in rows]
    # Who is living depends on the day.
    assert [{**row, "living": ""} for row in found] == [{**row, "living": ""} for row in expected]


@pytest.mark.parametrize("name", TABLES)
def test_nothing_is_copied(name: Any) -> None:
    table = elf.read_table(name, FILES)
    addresses = [
        [buffer.address for column in pa.table(table).columns for buffer in column.chunk(0).buffers() if buffer]
        for _ in range(2)
    ]
    assert addresses[0] == addresses[1] and addresses[0]
    assert pa.table(table).schema.equals(pa.schema(elf.table_schema(name)))
    assert len(table) == table.num_rows == pa.table(table).num_rows


def test_columns() -> None:
    table = elf.read_table("people", FILES, columns=["birth_from", "id"])
    assert table.columns == ["birth_from", "id"]
    assert pa.table(table).column_names == ["birth_from", "id"]
    assert pa.table(elf.read_table("people", FILES, columns=[])).num_rows == elf.read_table("people", FILES).num_rows
    with pytest.raises(ValueError, match="no column `nmae`"):
        elf.read_table("people", FILES, columns=["nmae"])
    assert elf.table_schema("people", columns=["id"]).columns == ["id"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing.ged"
    with pytest.raises(FileNotFoundError):
        elf.read_table("people", [*FILES, missing])
    errors: list[elf.FileError] = []
    table = elf.read_table("people", [missing, *FILES, tmp_path], errors=errors)
    assert [one.file for one in errors] == [str(missing), str(tmp_path)]
    assert len(table) == len(elf.read_table("people", FILES))


def test_a_file_that_ends_early_gives_the_rows_it_has() -> None:
    ended = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n0 @I2@ INDI\n3 SEX F\n0 @I3@ INDI\n0 TRLR\n"
    errors: list[elf.FileError] = []
    table = elf.read_table("people", ended, rules="2019-12", errors=errors)
    assert (len(table), [one.is_partial for one in errors]) == (2, [True])
    assert len(elf.read_table("people", ended, rules="2019-12")) == 2


def test_one_file_bytes_and_documents() -> None:
    doc = elf.open(ANSEL)
    doc.add("INDI", id="I3")
    inputs: list[Any] = [ANSEL, [ANSEL, ANSEL], doc, FILES[0], str(FILES[0])]
    counts = [len(elf.read_table("people", files)) for files in inputs]
    assert counts[:3] == [2, 4, 3] and counts[3] == counts[4]
    assert len(elf.read_table("people", [])) == 0
    assert pa.table(elf.read_table("people", [])).num_rows == 0


def test_lists_and_days() -> None:
    rows = pa.table(elf.read_table("people", ANSEL, columns=["id", "father", "father_name", "birth_from"])).to_pylist()
    assert rows[1] == {"id": "I2", "father": ["I1"], "father_name": [f"{JOAO} Reis"], "birth_from": None}
    assert str(rows[0]["birth_from"]) == "1850-03-01" and rows[0]["father"] == []


def test_further_clients() -> None:
    """Equal counts and values in pandas, polars, duckdb and datafusion, if they are installed."""
    people = elf.read_table("people", FILES)
    ids = [row["id"] for row in pa.table(people).to_pylist()]
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(people)["id"].to_list() == ids
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame.from_arrow(people)["id"].to_list() == ids
    duckdb = pytest.importorskip("duckdb")
    assert [row[0] for row in duckdb.sql("SELECT id FROM people").fetchall()] == ids
    datafusion = pytest.importorskip("datafusion")
    frame = datafusion.SessionContext().from_arrow(people)
    assert [one.as_py() for batch in frame.collect() for one in batch.column("id")] == ids
