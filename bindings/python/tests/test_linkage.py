"""Record linkage with Splink, on made trees whose pairs are known."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY

pytest.importorskip("splink")
sys.path.insert(0, str(REPOSITORY / "bindings" / "python" / "linkage"))

from link import best_pairs, link  # noqa: E402
from make_trees import make_trees  # noqa: E402


def test_people_in_both_trees_are_found(tmp_path: Path) -> None:
    make_trees(tmp_path, 2000, 600)
    with (tmp_path / "truth.csv").open(newline="") as file:
        true = {(row["one"], row["two"]) for row in csv.DictReader(file)}
    pairs = link(str(tmp_path / "one.ged"), str(tmp_path / "two.ged"))
    best = best_pairs(pairs, 0.9)
    right = len(true.intersection(best))
    assert right / len(best) > 0.85
    assert right / len(true) > 0.85


def test_overlapping_dates_count_more_than_distant_ones() -> None:
    from elf_gedcom.splink import compare_intervals

    comparison = compare_intervals("birth").get_comparison("duckdb")
    labels = [level.label_for_charts for level in comparison.comparison_levels]
    assert labels[1:5] == ["the same day", "short intervals overlap", "intervals overlap", "at most a year apart"]
