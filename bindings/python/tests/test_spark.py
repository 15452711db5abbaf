"""The data source of Spark, on a cluster of two executors."""

from __future__ import annotations

import pickle
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


def large_file(path: Path) -> Path:
    """A file of 3 MB, in which relatives are far away."""
    count = 12_000
    lines = ["0 HEAD", "1 CHAR UTF-8"]
    for at in range(count):
        lines += [f"0 @I{at}@ INDI", f"1 NAME Ada{at} /Lane/", "1 BIRT", f"2 DATE {1700 + at % 250}"]
        lines += [f"2 PLAC Place {at % 700}, Loamshire", f"1 FAMC @F{count - at}@", f"1 NOTE {'x' * 100}"]
        lines += [f"0 @F{at}@ FAM", f"1 WIFE @I{(at * 7) % count}@", f"1 CHIL @I{count - at}@"]
    path.write_text("\n".join([*lines, "0 TRLR", ""]))
    return path


def test_a_large_file_is_read_in_splits(spark: Any, tmp_path: Path) -> None:
    large = large_file(tmp_path / "large.ged")
    (tmp_path / "small.ged").write_text("0 HEAD\n0 @I1@ INDI\n1 NAME Eva\n0 TRLR\n")
    files = [str(large), str(tmp_path / "small.ged")]
    for name in ["people", "families", "events", "structures", "places"]:
        found = table(spark, name, tmp_path, splitBytes="700000")
        assert found.rdd.getNumPartitions() >= 5
        expected = pa.table(elf.read_table(name, files)).to_pylist()  # type: ignore[arg-type]
        # Spark keeps the order of partitions, and the rows of each.
        assert [row.asDict() for row in found.collect()] == expected
    assert table(spark, "people", tmp_path).rdd.getNumPartitions() == 1
    assert table(spark, "errors", tmp_path, splitBytes="700000").count() == 0


def test_a_large_file_that_changes_is_refused(tmp_path: Path) -> None:
    from elf_gedcom.spark import ElfDataSource

    large = large_file(tmp_path / "large.ged")
    source = ElfDataSource({"path": str(tmp_path), "splitBytes": "700000"})
    reader = source.reader(source.schema())
    # The driver makes the partitions, and Spark sends them to the executors.
    partitions: Any = pickle.loads(pickle.dumps(reader.partitions()))
    assert sum(batch.num_rows for one in partitions for batch in reader.read(one)) == 12_000
    large.write_bytes(large.read_bytes().replace(b"Ada11999", b"Eva11999"))
    with pytest.raises(elf.PlanError, match="has changed"):
        for one in partitions:
            list(reader.read(one))


def test_a_file_that_cannot_be_read_fails_no_job(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "good.ged").write_text("0 HEAD\n0 @I1@ INDI\n0 TRLR\n")
    (tmp_path / "ended.ged").write_text("0 HEAD\n0 @I1@ INDI\n3 SEX F\n0 @I2@ INDI\n0 TRLR\n")
    (tmp_path / "folder.ged").mkdir()
    (tmp_path / "gone.ged").symlink_to(tmp_path / "nowhere")
    assert table(spark, "people", tmp_path, rules="2019-12").count() == 2
    rows = table(spark, "errors", tmp_path, rules="2019-12").collect()
    assert sorted((Path(row.file).name, row.is_partial) for row in rows) == [("ended.ged", True), ("gone.ged", False)]
