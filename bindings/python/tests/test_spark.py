"""The data source of Spark, on a cluster of two executors."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from conftest import EXAMPLES

import elf_gedcom as elf

pyspark_sql = pytest.importorskip("pyspark.sql")
duckdb = pytest.importorskip("duckdb")

#: The people of different files with the same surname, and births within a year.
QUESTION = """
    SELECT one.file AS file, one.id AS id, other.file AS other_file, other.id AS other_id
    FROM people AS one JOIN people AS other ON other.surname = one.surname AND other.file > one.file
    WHERE one.birth_from <= other.birth_to + INTERVAL '1' YEAR AND other.birth_from <= one.birth_to + INTERVAL '1' YEAR
    ORDER BY 1, 2, 3, 4
"""


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from elf_gedcom.spark import ElfDataSource

    builder = pyspark_sql.SparkSession.builder.master("local-cluster[2,1,1024]")
    patch = pytest.MonkeyPatch()
    # The executors run this interpreter, which has the package.
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.local.dir": str(tmp_path_factory.mktemp("spark")),
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.dataSource.register(ElfDataSource)
    yield session
    session.stop()
    patch.undo()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,000 files: many have people with the same surname, who are born at about the same time."""
    folder = tmp_path_factory.mktemp("trees")
    for number in range(2000):
        content = f"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /Name{number % 500}/\n1 BIRT\n2 DATE {1700 + number % 100 + number // 1000}\n0 TRLR\n"
        (folder / f"{number:04}.ged").write_text(content)
    return folder


def table(spark: Any, name: str, path: Path, **options: str) -> Any:
    return spark.read.format("elf").option("table", name).options(**options).load(str(path))


def test_all_tables_have_the_rows_of_python(spark: Any) -> None:
    files = sorted(str(path) for path in EXAMPLES.glob("*.ged"))
    for name in ["people", "families", "events", "sources", "structures", "places"]:
        assert table(spark, name, EXAMPLES).count() == len(elf.read_table(name, files))  # type: ignore[arg-type]
    people = table(spark, "people", EXAMPLES, columns="id,children,birth_from").collect()
    assert all(isinstance(row.children, list) for row in people)


def test_a_join_is_that_of_duckdb(spark: Any, folder: Path) -> None:
    people = table(spark, "people", folder, bytesPerTask="20000")
    assert people.count() == 2000 and people.rdd.getNumPartitions() > 2
    people.createOrReplaceTempView("people")
    found = [tuple(row) for row in spark.sql(QUESTION).collect()]
    files = sorted(str(path) for path in folder.glob("*.ged"))
    connection = duckdb.connect()
    connection.register("people", pa.table(elf.read_table("people", files)))
    assert found == connection.execute(QUESTION).fetchall() and found


def test_a_file_that_cannot_be_read_fails_no_job(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "good.ged").write_text("0 HEAD\n0 @I1@ INDI\n0 TRLR\n")
    (tmp_path / "ended.ged").write_text("0 HEAD\n0 @I1@ INDI\n3 SEX F\n0 @I2@ INDI\n0 TRLR\n")
    (tmp_path / "folder.ged").mkdir()
    (tmp_path / "gone.ged").symlink_to(tmp_path / "nowhere")
    assert table(spark, "people", tmp_path, rules="2019-12").count() == 2
    rows = table(spark, "errors", tmp_path, rules="2019-12").collect()
    assert sorted((Path(row.file).name, row.is_partial) for row in rows) == [("ended.ged", True), ("gone.ged", False)]
