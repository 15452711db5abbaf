"""Record linkage with Splink: find the same people in two collections of trees.

`people_for_linkage` makes the table, `link_settings` the comparisons and blocking rules, and `train` estimates their
weights from the data. Splink 5 does the rest, with DuckDB or with Spark.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import splink.comparison_level_library as level
import splink.comparison_library as comparison
from splink import Linker, SettingsCreator, block_on

import elf_gedcom

__all__ = ["compare_intervals", "link_settings", "people_for_linkage", "train"]

_COLUMNS = [
    "file",
    "id",
    "surname",
    "sex",
    "birth_from",
    "birth_to",
    "death_from",
    "death_to",
    "father_name",
    "mother_name",
    "spouse_names",
    "given_names",
    "place_parts",
]


def people_for_linkage(files: Iterable[str | os.PathLike[str]]) -> pa.Table:
    """Return the people of the files as Splink needs them.

    `unique_id` is the file and the identifier. Names are in lower case. Days are numbers, so that the same SQL compares
    them in every database; a person without a date has none.
    """
    people = pa.table(elf_gedcom.read_table("people", list(files), columns=_COLUMNS))
    given = [[name.lower() for name in names] for names in people["given_names"].to_pylist()]
    parents = zip(people["father_name"].to_pylist(), people["mother_name"].to_pylist(), strict=True)
    births = _days(people["birth_from"])
    columns: dict[str, Any] = {
        "unique_id": pc.binary_join_element_wise(people["file"], people["id"], "#"),
        "surname": pc.utf8_lower(people["surname"]),
        "first_name": pa.array([names[0] if names else None for names in given], pa.string()),
        "given_names": pa.array(given, pa.list_(pa.string())),
        "sex": people["sex"],
        "birth_first": births,
        "birth_last": _days(people["birth_to"]),
        "birth_year": pc.year(people["birth_from"]),
        "death_first": _days(people["death_from"]),
        "death_last": _days(people["death_to"]),
        "parents": pa.array([_words(father + mother) for father, mother in parents], pa.list_(pa.string())),
        "spouses": pa.array([_words(names) for names in people["spouse_names"].to_pylist()], pa.list_(pa.string())),
        "place": pa.array([place[0].lower() if place else None for place in people["place_parts"].to_pylist()], pa.string()),
    }
    return pa.table(columns)


def _days(dates: pa.ChunkedArray) -> pa.ChunkedArray:
    return dates.cast(pa.date32()).cast(pa.int32())


def _words(names: list[str]) -> list[str]:
    return sorted({name.lower() for name in names if name})


def compare_intervals(event: str) -> comparison.CustomComparison:
    """Compare two dates as intervals of days, in the columns `EVENT_first` and `EVENT_last`.

    The levels: the same day; intervals of at most a year that overlap; intervals that overlap, such as `ABT 1850` and
    `BET 1845 AND 1852`; intervals at most a year apart; others. A date that is missing says nothing.
    """
    first, last = f"{event}_first", f"{event}_last"
    overlap = f"{first}_l <= {last}_r AND {first}_r <= {last}_l"
    near = f"{first}_l <= {last}_r + 366 AND {first}_r <= {last}_l + 366"
    short = f"{last}_l - {first}_l <= 366 AND {last}_r - {first}_r <= 366"
    missing = " OR ".join(f"{column}_{side} IS NULL" for column in (first, last) for side in "lr")
    same_day = f"{first}_l = {last}_l AND {first}_r = {last}_r AND {first}_l = {first}_r"
    return comparison.CustomComparison(
        output_column_name=event,
        comparison_levels=[
            {"sql_condition": missing, "label_for_charts": f"no date of {event}", "is_null_level": True},
            {"sql_condition": same_day, "label_for_charts": "the same day"},
            {"sql_condition": f"{overlap} AND {short}", "label_for_charts": "short intervals overlap"},
            {"sql_condition": overlap, "label_for_charts": "intervals overlap"},
            {"sql_condition": near, "label_for_charts": "at most a year apart"},
            level.ElseLevel(),
        ],
    )


def link_settings() -> SettingsCreator:
    """Return the settings that link the people of two tables.

    Pairs are compared that share the surname and the first name, one of these and the year of birth, or a parent or a
    spouse and the first name.
    """
    return SettingsCreator(
        link_type="link_only",
        unique_id_column_name="unique_id",
        blocking_rules_to_generate_predictions=[
            block_on("surname", "first_name"),
            block_on("surname", "birth_year"),
            block_on("first_name", "birth_year"),
            block_on("first_name", "parents", arrays_to_explode=["parents"]),
            block_on("first_name", "spouses", arrays_to_explode=["spouses"]),
        ],
        comparisons=[
            # A rare name that is equal says more than a common one.
            comparison.JaroWinklerAtThresholds("surname", [0.92, 0.85]).configure(term_frequency_adjustments=True),
            comparison.JaroWinklerAtThresholds("first_name", [0.92, 0.85]).configure(term_frequency_adjustments=True),
            comparison.ArrayIntersectAtSizes("given_names", [2, 1]),
            comparison.ExactMatch("sex"),
            compare_intervals("birth"),
            compare_intervals("death"),
            comparison.ArrayIntersectAtSizes("parents", [2, 1]),
            comparison.ArrayIntersectAtSizes("spouses", [1]),
            comparison.JaroWinklerAtThresholds("place", [0.92]),
        ],
    )


def train(linker: Linker, *, seed: int = 1) -> None:
    """Estimate the weights of the comparisons from the data, without known pairs."""
    training = linker.training
    same: list[Any] = [
        block_on("surname", "first_name", "birth_first"),
        block_on("surname", "first_name", "parents", arrays_to_explode=["parents"]),
    ]
    training.estimate_probability_two_random_records_match(same, recall=0.6)
    training.estimate_u_using_random_sampling(max_pairs=2_000_000, seed=seed)
    training.estimate_parameters_using_expectation_maximisation(block_on("surname", "first_name"))
    training.estimate_parameters_using_expectation_maximisation(block_on("birth_first"))
