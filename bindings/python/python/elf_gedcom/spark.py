"""Tables of genealogical files in Spark.

>>> from elf_gedcom.spark import ElfDataSource
>>> spark.dataSource.register(ElfDataSource)  # doctest: +SKIP
>>> spark.read.format("elf").option("table", "people").load("trees").count()  # doctest: +SKIP

Each task reads files of about 8 MB in total and returns Arrow batches. A file of 64 MB or more is read by several tasks:
the driver reads it once for a plan (`elf_gedcom.plan_table`), and each task reads its split. If such a file changes while
the job runs, the job fails.

A file that cannot be read does not fail the job: it is listed in the table ``errors``. The package must be installed on
every executor.

Options: ``table`` (people, families, events, sources, structures, places or errors), ``columns`` (names separated by
commas), ``rules``, ``encoding``, ``bytesPerTask``, and ``splitBytes``: a file of at least twice this size is split.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from glob import glob
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from ._errors import ElfError
from ._native import FileError, TableSplit, plan_table, read_table, table_schema

__all__ = ["ElfDataSource"]

#: The extensions of genealogical files.
_ENDINGS = (".ged", ".gedcom", ".elf")

#: The total size of the files of one task.
_BYTES_PER_TASK = 8 << 20

#: The size of a split of a large file.
_SPLIT_BYTES = 32 << 20

#: The columns of the table of files that could not be read, or not completely.
_ERRORS = pa.schema([("file", pa.string()), ("message", pa.string()), ("is_partial", pa.bool_())])


@dataclass
class _Files(InputPartition):
    """The files of one task."""

    paths: list[str]


@dataclass
class _Split(InputPartition):
    """A split of a large file, with all that its rows need from the rest of the file."""

    split: TableSplit


@dataclass
class _Request:
    """What to read of each file."""

    table: str
    columns: list[str] | None
    arguments: dict[str, Any]


class ElfDataSource(DataSource):
    """The data source ``elf``: tables of GEDCOM and FHISO ELF files."""

    @classmethod
    def name(cls) -> str:
        return "elf"

    def schema(self) -> StructType:
        request = self._request()
        found = _ERRORS if request.table == "errors" else pa.schema(_schema_of(request))
        schema = from_arrow_schema(found)
        assert isinstance(schema, StructType)
        return schema

    def reader(self, schema: StructType) -> DataSourceReader:
        path = self.options.get("path")
        if path is None:
            raise ValueError("expected a folder, a file or a pattern: `load(path)`")
        size = int(self.options.get("bytesPerTask", _BYTES_PER_TASK))
        split_bytes = int(self.options.get("splitBytes", _SPLIT_BYTES))
        return _Reader(self._request(), _list_files(path), size, split_bytes)

    def _request(self) -> _Request:
        columns = self.options.get("columns")
        arguments = {name: self.options[name] for name in ("rules", "encoding") if name in self.options}
        return _Request(
            table=self.options.get("table", "people"),
            columns=None if columns is None else [column.strip() for column in columns.split(",")],
            arguments=arguments,
        )


class _Reader(DataSourceReader):
    def __init__(self, request: _Request, paths: list[str], bytes_per_task: int, split_bytes: int) -> None:
        self.request = request
        self.paths = paths
        self.bytes_per_task = bytes_per_task
        self.split_bytes = split_bytes

    def partitions(self) -> list[InputPartition]:
        tasks: list[InputPartition] = []
        paths: list[str] = []
        size = 0
        for path in self.paths:
            of_file = _file_size(path)
            splits = self._splits(path) if of_file >= 2 * self.split_bytes else []
            if not splits:
                paths.append(path)
                size += of_file
            if paths and (splits or size >= self.bytes_per_task):
                tasks.append(_Files(paths))
                paths, size = [], 0
            tasks.extend(_Split(split) for split in splits)
        if paths or not tasks:
            tasks.append(_Files(paths))
        return tasks

    def _splits(self, path: str) -> list[TableSplit]:
        """The splits of a large file. None if it cannot be read: then a task reads it, too, and reports why."""
        if self.request.table == "errors":
            return []
        try:
            plan = plan_table(
                self.request.table,  # type: ignore[arg-type]
                path,
                split_bytes=self.split_bytes,
                **self.request.arguments,
            )
        except (ElfError, OSError):
            return []
        return plan.splits

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        if isinstance(partition, _Split):
            table = partition.split.read(columns=self.request.columns)
            yield from pa.RecordBatchReader.from_stream(table)
            return
        assert isinstance(partition, _Files)
        request, errors = self.request, list[FileError]()
        if request.table == "errors":
            # Any table reports the files that cannot be read. This one is the cheapest.
            read_table("sources", partition.paths, columns=[], errors=errors, **request.arguments)
            rows = [(one.file, one.message, one.is_partial) for one in errors]
            columns = [list(column) for column in zip(*rows)] if rows else [[], [], []]
            yield pa.RecordBatch.from_arrays([pa.array(*one) for one in zip(columns, _ERRORS.types)], schema=_ERRORS)
            return
        table = read_table(
            request.table,  # type: ignore[arg-type]
            partition.paths,
            columns=request.columns,
            errors=errors,
            **request.arguments,
        )
        yield from pa.RecordBatchReader.from_stream(table)


def _schema_of(request: _Request) -> Any:
    return table_schema(request.table, columns=request.columns)  # type: ignore[arg-type]


def _file_size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _list_files(path: str) -> list[str]:
    """The genealogical files in a folder and its subfolders, a file, or the files that match a pattern."""
    path = path.removeprefix("file://").removeprefix("file:")
    if not os.path.isdir(path):
        return sorted(glob(path)) or [path]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    return sorted(name for name in found if name.lower().endswith(_ENDINGS))
