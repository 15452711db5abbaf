"""Find the people that two files have in common, with Splink: `link.py ONE TWO [TRUTH] [--spark]`.

Prints the pairs as CSV. With the file of true pairs that `make_trees.py` made, prints precision and recall instead.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from typing import Any

from elf_gedcom.splink import link_settings, people_for_linkage, train
from splink import Linker

THRESHOLDS = [0.5, 0.9, 0.99]


def backend(spark: bool) -> Any:
    if not spark:
        from splink.backends.duckdb import DuckDBAPI

        return DuckDBAPI()
    from pyspark.sql import SparkSession
    from splink.backends.spark import SparkAPI, similarity_jar_location

    session = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.jars", similarity_jar_location())
    session = session.config("spark.sql.shuffle.partitions", "4").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setCheckpointDir(tempfile.mkdtemp())
    return SparkAPI(spark_session=session)


def link(one: str, two: str, *, spark: bool = False) -> list[tuple[str, str, float]]:
    """Return pairs of identifiers with the probability that they are the same person, the likeliest first."""
    database = backend(spark)
    tables = [people_for_linkage([one]), people_for_linkage([two])]
    if spark:
        tables = [database.spark.createDataFrame(table.to_pandas()) for table in tables]
    frames = [database.register(table, dataset_display_name=name) for table, name in zip(tables, ("one", "two"), strict=True)]
    linker = Linker(frames, link_settings(), log_level=40)
    train(linker)
    found = linker.inference.predict(threshold_match_probability=min(THRESHOLDS)).as_record_list()
    if spark:
        database.spark.stop()
    pairs = []
    for pair in found:
        left, right = pair["unique_id_l"], pair["unique_id_r"]
        if left.startswith(two):
            left, right = right, left
        pairs.append((left.rpartition("#")[2], right.rpartition("#")[2], pair["match_probability"]))
    return sorted(pairs, key=lambda pair: (-pair[2], pair))


def best_pairs(pairs: list[tuple[str, str, float]], threshold: float) -> list[tuple[str, str]]:
    """Return each person's likeliest pair."""
    ones, twos, best = set(), set(), []
    for one, two, probability in pairs:
        if probability >= threshold and one not in ones and two not in twos:
            ones.add(one)
            twos.add(two)
            best.append((one, two))
    return best


def main() -> None:
    spark = "--spark" in sys.argv
    one, two, *truth = [argument for argument in sys.argv[1:] if argument != "--spark"]
    pairs = link(one, two, spark=spark)
    if not truth:
        csv.writer(sys.stdout).writerows([("one", "two", "probability"), *pairs])
        return
    with open(truth[0], newline="") as file:
        true = {(row["one"], row["two"]) for row in csv.DictReader(file)}
    for threshold in THRESHOLDS:
        best = best_pairs(pairs, threshold)
        right = len(true.intersection(best))
        precision, recall = right / max(len(best), 1), right / len(true)
        print(f"probability {threshold}: {len(best)} pairs, precision {precision:.3f}, recall {recall:.3f}")


if __name__ == "__main__":
    main()
