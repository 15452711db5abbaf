"""Tables of genealogical files as lazy frames of polars.

>>> from elf_gedcom.polars import scan_table
>>> scan_table("people", "family.ged").filter(pl.col("sex") == "F").select("name").collect()  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import polars as pl
from polars.io.plugins import register_io_source

from ._native import read_table

if TYPE_CHECKING:
    from ._native import _TableName

__all__ = ["scan_table"]

#: The number of files that are read for one frame.
_FILES_AT_ONCE = 64


def scan_table(
    name: _TableName, files: str | PathLike[str] | Sequence[str | PathLike[str]], **options: Any
) -> pl.LazyFrame:
    """Scan a table of files lazily: only the columns of the query are read, and its filter is applied to a few files
    at a time. ``options`` are those of :func:`elf_gedcom.read_table`."""
    paths = [files] if isinstance(files, (str, PathLike)) else list(files)
    schema = pl.DataFrame(read_table(name, [])).schema

    def source(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        columns = None if with_columns is None else _needed_columns(with_columns, predicate)
        left = n_rows
        for start in range(0, len(paths), _FILES_AT_ONCE):
            table = read_table(name, paths[start : start + _FILES_AT_ONCE], columns=columns, **options)
            frame = pl.DataFrame(table)
            if predicate is not None:
                frame = frame.filter(predicate)
            if with_columns is not None:
                frame = frame.select(with_columns)
            if left is not None:
                frame = frame.head(left)
                left -= len(frame)
            yield frame
            if left == 0:
                return

    return register_io_source(source, schema=schema)


def _needed_columns(columns: list[str], predicate: pl.Expr | None) -> list[str]:
    """The columns that the query selects, and those in its filter."""
    of_predicate = [] if predicate is None else predicate.meta.root_names()
    return list(dict.fromkeys([*columns, *of_predicate]))
