"""The lazy scan of polars: columns and conditions are pushed down."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import EXAMPLES

import elf_gedcom as elf

polars = pytest.importorskip("polars")
FILES = sorted(EXAMPLES.glob("*.ged"))


def test_a_scan_is_the_table() -> None:
    from elf_gedcom.polars import scan_table

    frame = scan_table("people", FILES)
    assert frame.collect().equals(polars.DataFrame(elf.read_table("people", FILES)))
    born = frame.filter(polars.col("birth_from") < polars.date(1850, 1, 1)).select("id", "name").collect()
    eager = polars.DataFrame(elf.read_table("people", FILES))
    expected = eager.filter(polars.col("birth_from") < polars.date(1850, 1, 1)).select("id", "name")
    assert born.equals(expected) and len(born) > 0
    assert len(frame.head(3).collect()) == 3
    assert frame.select(polars.len()).collect().item() == len(eager)


def test_only_the_needed_columns_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    import elf_gedcom.polars as source

    asked: list[list[str]] = []

    def read(name: Any, files: Any, **arguments: Any) -> elf.Table:
        if files:
            asked.append(arguments["columns"])
        return elf.read_table(name, files, **arguments)

    monkeypatch.setattr(source, "read_table", read)
    frame = source.scan_table("people", FILES).filter(polars.col("sex") == "F").select("name")
    frame.collect()
    assert [set(columns) for columns in asked] == [{"name", "sex"}]
