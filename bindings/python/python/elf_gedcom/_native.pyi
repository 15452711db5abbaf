"""The native module. Import :mod:`elf_gedcom` instead."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from os import PathLike
from types import TracebackType
from typing import Any, Literal, TypeAlias, TypeVar, final, overload

_Default = TypeVar("_Default")

#: A file: its path, its content, or a document, which is used with its edits.
_Source: TypeAlias = str | PathLike[str] | bytes | bytearray | memoryview | Document
_Rules: TypeAlias = Literal[
    "wild", "2019-12", "2019-01", "declarative", "2017-10", "2017-07", "gedcom-5.5.1", "gedcom-7"
]
_Schema: TypeAlias = Literal["completed", "published", "gedcom-7"]
_Against: TypeAlias = Literal["data-model", "5.5.1", "5.5", "7.0", "none"]
_Class: TypeAlias = Literal["malformed", "non-conformant", "deprecated", "advice", "question"]
_TableName: TypeAlias = Literal["people", "families", "events", "sources", "structures", "places"]

__all__ = [
    "ConvertedFile",
    "Date",
    "DatePart",
    "Difference",
    "DifferencePlace",
    "Document",
    "EncodingDecision",
    "Event",
    "Extraction",
    "Family",
    "FileError",
    "Finding",
    "Fix",
    "FixedFile",
    "FixedLines",
    "HiddenPerson",
    "Match",
    "MatchedPerson",
    "MergeAction",
    "Merged",
    "Parent",
    "Person",
    "PersonName",
    "RelatedPlace",
    "Relationship",
    "Removal",
    "Report",
    "Structure",
    "Summary",
    "Table",
    "TablePlan",
    "TableSchema",
    "TableSplit",
    "__version__",
    "check",
    "convert",
    "diff",
    "extract",
    "find",
    "fix",
    "hidden_people",
    "match",
    "merge",
    "open",
    "parse_date",
    "plan_table",
    "read_table",
    "redact",
    "table_schema",
]

__version__: str

def open(
    source: _Source,
    *,
    rules: _Rules | None = None,
    encoding: str | None = None,
    schema: _Schema | None = None,
) -> Document:
    """Read a file. A damaged file gives a document too; :func:`check` lists its problems."""

def check(
    source: _Source,
    *,
    rules: _Rules | None = None,
    against: _Against | None = None,
    facts: bool = False,
    unlikely: bool = False,
    today: date | None = None,
    select: Sequence[str] = ...,
    ignore: Sequence[str] = ...,
    deny: Sequence[str] = ...,
    config: str | PathLike[str] | None = None,
    encoding: str | None = None,
    schema: _Schema | None = None,
    each_undefined: bool = False,
    name: str | None = None,
) -> Report:
    """Check a file as ``elf check`` does. No ``elf.toml`` is used unless ``config`` names one."""

def fix(
    source: _Source,
    *,
    unsafe: bool = False,
    rules: _Rules | None = None,
    select: Sequence[str] = ...,
    ignore: Sequence[str] = ...,
    encoding: str | None = None,
    schema: _Schema | None = None,
) -> FixedFile:
    """Apply the safe fixes as ``elf check --fix`` does. ``unsafe`` also applies guesses."""

def convert(
    source: _Source,
    *,
    to_rules: _Rules | None = None,
    encoding: str = "UTF-8",
    line_break: Literal["lf", "cr", "crlf"] | None = None,
    bom: bool = False,
    width: int | None = None,
    partial: bool = False,
    rules: _Rules | None = None,
    from_encoding: str | None = None,
    schema: _Schema | None = None,
) -> ConvertedFile:
    """Convert a file to another encoding, standard or draft. What the output cannot express is reported as a loss."""

def find(
    document: Document,
    *,
    name: str | None = None,
    surname: str | None = None,
    given: str | None = None,
    sounds_like: str | None = None,
    born: str | None = None,
    died: str | None = None,
    place: str | None = None,
    sex: Literal["M", "F", "X", "U"] | None = None,
    has: Sequence[str] = ...,
    lacks: Sequence[str] = ...,
    unconnected: bool = False,
    ancestor_of: str | None = None,
    descendant_of: str | None = None,
    living: bool | None = None,
    within: int = 110,
    today: date | None = None,
    bare_death: bool = False,
) -> list[Person]:
    """Find the people who meet all conditions, as ``elf find`` does."""

def match(
    a: _Source, b: _Source | None = None, *, at_least: float = 0.8, rules: _Rules | None = None
) -> list[Match]:
    """Find records of the same person, in one file or in two. The most probable pairs come first."""

def merge(
    a: _Source,
    b: _Source,
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
    at_least: float | None = None,
    rules: _Rules | None = None,
) -> Merged:
    """Add file B to file A, whose lines stay unchanged.

    ``pairs`` names the people who are merged: each with an identifier in A and one in B. ``at_least`` merges the
    people whom :func:`match` finds with at least this score."""

def diff(
    a: _Source, b: _Source, *, rules: _Rules | None = None, to_rules: _Rules | None = None
) -> list[Difference]:
    """List the differences in meaning between two files."""

def extract(
    source: _Source,
    people: Sequence[str],
    *,
    ancestors: int | None = 0,
    descendants: int | None = 0,
    spouses: bool = False,
    rules: _Rules | None = None,
    encoding: str | None = None,
) -> Extraction:
    """Extract a branch of a tree. ``None`` means all generations."""

def redact(
    source: _Source,
    *,
    replacement: Literal["placeholder", "drop", "name-only", "initials"] = "placeholder",
    keep: Sequence[str] = ...,
    within: int = 110,
    today: date | None = None,
    bare_death: bool = False,
    rules: _Rules | None = None,
    encoding: str | None = None,
) -> Extraction:
    """Hide people who may be living. This is a filter, not a guarantee."""

def hidden_people(
    source: _Source,
    *,
    keep: Sequence[str] = ...,
    within: int = 110,
    today: date | None = None,
    bare_death: bool = False,
    rules: _Rules | None = None,
    encoding: str | None = None,
) -> list[HiddenPerson]:
    """List the people whom :func:`redact` would hide, with the reasons."""

def parse_date(text: str, *, rules: _Rules | None = None) -> Date | None:
    """Parse a date as written in a file. ``None`` if the text is not a date."""

def read_table(
    name: _TableName,
    files: _Source | Iterable[_Source],
    *,
    columns: Sequence[str] | None = None,
    errors: list[FileError] | None = None,
    rules: _Rules | None = None,
    encoding: str | None = None,
    schema: _Schema | None = None,
    within: int = 110,
    today: date | None = None,
    bare_death: bool = False,
) -> Table:
    """Read files as a table. A file that cannot be read raises an exception. If you pass a list as ``errors``, the
    file is added to the list instead."""

def plan_table(
    name: _TableName,
    file: str | PathLike[str],
    *,
    split_bytes: int = 33_554_432,
    rules: _Rules | None = None,
    encoding: str | None = None,
    schema: _Schema | None = None,
    within: int = 110,
    today: date | None = None,
    bare_death: bool = False,
) -> TablePlan:
    """Plan how to make a table of one large file in several splits of about ``split_bytes`` bytes, for example on several
    computers. The plan is made in one pass over the file. The rows of all splits, in their order, are those of
    :func:`read_table`."""

def table_schema(name: _TableName, *, columns: Sequence[str] | None = None) -> TableSchema:
    """The columns of a table, with their types."""

@final
class Document:
    """A file in memory, to read and to edit. Edits leave the bytes of all other lines unchanged."""

    @property
    def path(self) -> str | None: ...
    @property
    def rules(self) -> str: ...
    @property
    def is_complete(self) -> bool: ...
    @property
    def is_edited(self) -> bool: ...
    @property
    def encoding(self) -> EncodingDecision: ...
    @property
    def header(self) -> Structure | None: ...
    @property
    def records(self) -> list[Structure]: ...
    @property
    def people(self) -> list[Person]: ...
    @property
    def families(self) -> list[Family]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Structure]: ...
    def __getitem__(self, identifier: str, /) -> Structure: ...
    def __contains__(self, identifier: str, /) -> bool: ...
    @overload
    def get(self, identifier: str, default: None = None) -> Structure | None: ...
    @overload
    def get(self, identifier: str, default: _Default) -> Structure | _Default: ...
    def at(self, path: str) -> Structure: ...
    def find_all(self, path: str) -> list[Structure]: ...
    def of_type(self, iri: str) -> list[Structure]: ...
    def person(self, identifier: str) -> Person: ...
    def family(self, identifier: str) -> Family: ...
    def set(self, path: str, value: str, *, create: bool = False) -> None: ...
    def insert(self, path: str, value: str | None = None, *, create: bool = False) -> None: ...
    def remove(self, path: str, *, cascade: bool = False) -> None: ...
    def rename(self, identifier: str, new: str) -> None: ...
    def add(self, tag: str, text: str | None = None, *, id: str | None = None) -> Structure: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str | PathLike[str] | None = None) -> None: ...
    def __enter__(self) -> Document: ...
    def __exit__(self, *_error: type[BaseException] | BaseException | TracebackType | None) -> Literal[False]: ...

@final
class Structure:
    """A structure of a document: a record, or a line under one. It stays valid through edits."""

    @property
    def document(self) -> Document: ...
    @property
    def tag(self) -> str: ...
    @tag.setter
    def tag(self, tag: str) -> None: ...
    @property
    def id(self) -> str | None: ...
    @property
    def text(self) -> str | None: ...
    @text.setter
    def text(self, text: str | None) -> None: ...
    @property
    def pointer(self) -> str | None: ...
    @pointer.setter
    def pointer(self, identifier: str) -> None: ...
    @property
    def target(self) -> Structure | None: ...
    @property
    def type(self) -> str | None: ...
    @property
    def date(self) -> Date | None: ...
    @property
    def language(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def path(self) -> str: ...
    @property
    def level(self) -> int: ...
    @property
    def parent(self) -> Structure | None: ...
    @property
    def substructures(self) -> list[Structure]: ...
    def all(self, tag: str) -> list[Structure]: ...
    def of_type(self, iri: str) -> list[Structure]: ...
    def __getitem__(self, tag: str, /) -> Structure: ...
    @overload
    def get(self, tag: str, default: None = None) -> Structure | None: ...
    @overload
    def get(self, tag: str, default: _Default) -> Structure | _Default: ...
    def __contains__(self, tag: str, /) -> bool: ...
    def __iter__(self) -> Iterator[Structure]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def add(
        self, tag: str, text: str | None = None, *, pointer: str | None = None, position: int | None = None
    ) -> Structure: ...
    def remove(self) -> None: ...
    def move_to(self, parent: Structure) -> None: ...

@final
class EncodingDecision:
    """The encoding of a file, and the evidence for it."""

    @property
    def used(self) -> str: ...
    @property
    def because(self) -> Literal["detected", "specified", "default", "forced", "content"]: ...
    @property
    def detected(self) -> str | None: ...
    @property
    def detected_by(self) -> Literal["byte-order-mark", "first-octets", "external"] | None: ...
    @property
    def specified(self) -> str | None: ...
    @property
    def bom(self) -> bool: ...
    @property
    def rivals(self) -> list[str]: ...
    @property
    def evidence(self) -> list[str]: ...

@final
class Date:
    """A historical date, in any calendar. Dates with the same meaning are equal."""

    @property
    def text(self) -> str: ...
    @property
    def canonical(self) -> str: ...
    @property
    def edtf(self) -> str | None: ...
    @property
    def form(
        self,
    ) -> Literal[
        "exact",
        "approximated",
        "interpreted",
        "phrase",
        "before",
        "after",
        "between",
        "from",
        "to",
        "from-to",
    ]: ...
    @property
    def approximation(self) -> Literal["about", "calculated", "estimated"] | None: ...
    @property
    def phrase(self) -> str | None: ...
    @property
    def is_period(self) -> bool: ...
    @property
    def earliest_day(self) -> int | None: ...
    @property
    def latest_day(self) -> int | None: ...
    @property
    def earliest(self) -> date | None: ...
    @property
    def latest(self) -> date | None: ...
    @property
    def first(self) -> DatePart | None: ...
    @property
    def second(self) -> DatePart | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class DatePart:
    """A day, month or year of a date."""

    @property
    def calendar(self) -> str | None: ...
    @property
    def day(self) -> int | None: ...
    @property
    def month(self) -> int | None: ...
    @property
    def month_name(self) -> str | None: ...
    @property
    def year(self) -> int | None: ...
    @property
    def historical_year(self) -> int | None: ...
    @property
    def epoch(self) -> str | None: ...
    @property
    def text(self) -> str: ...

@final
class Finding:
    """A problem, or a possible problem, of a file."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def class_(self) -> _Class: ...
    @property
    def message(self) -> str: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def end_column(self) -> int | None: ...
    @property
    def octet(self) -> int | None: ...
    @property
    def record(self) -> str | None: ...
    @property
    def path(self) -> str | None: ...
    @property
    def clause(self) -> str | None: ...
    @property
    def help(self) -> str | None: ...
    @property
    def count(self) -> int | None: ...
    @property
    def related(self) -> list[RelatedPlace]: ...
    @property
    def fix(self) -> Fix | None: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class RelatedPlace:
    """Another place that is relevant to a finding."""

    @property
    def message(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def end_column(self) -> int: ...
    @property
    def octet(self) -> int: ...

@final
class Fix:
    """The lines that a fix changes. Empty if the fix of another finding fixes this one too."""

    @property
    def safety(self) -> str: ...
    @property
    def lines(self) -> list[FixedLines]: ...

@final
class FixedLines:
    """Consecutive lines that a fix changes."""

    @property
    def line(self) -> int: ...
    @property
    def remove(self) -> int: ...
    @property
    def insert(self) -> list[str]: ...

@final
class Summary:
    """The numbers of findings in a file."""

    @property
    def file(self) -> str | None: ...
    @property
    def lines(self) -> int: ...
    @property
    def records(self) -> int: ...
    @property
    def vendor(self) -> int: ...
    @property
    def malformed(self) -> int: ...
    @property
    def non_conformant(self) -> int: ...
    @property
    def deprecated(self) -> int: ...
    @property
    def advice(self) -> int: ...
    @property
    def questions(self) -> int: ...
    @property
    def ignored(self) -> int: ...
    @property
    def repairable(self) -> int: ...
    @property
    def complete(self) -> bool: ...
    @property
    def config(self) -> str | None: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class Report:
    """The findings of a file, in the order of the file."""

    @property
    def summary(self) -> Summary: ...
    @property
    def fails(self) -> bool: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Finding: ...
    def __iter__(self) -> Iterator[Finding]: ...

@final
class FixedFile:
    """A fixed file."""

    @property
    def fixed(self) -> int: ...
    @property
    def refused(self) -> int: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str | PathLike[str]) -> None: ...

@final
class ConvertedFile:
    """A converted file, with the findings about what was lost."""

    @property
    def findings(self) -> list[Finding]: ...
    @property
    def losses(self) -> int: ...
    @property
    def is_complete(self) -> bool: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str | PathLike[str]) -> None: ...

@final
class Person:
    """A person. Edits of the document after you requested the person are not visible."""

    @property
    def id(self) -> str | None: ...
    @property
    def name(self) -> str: ...
    @property
    def names(self) -> list[PersonName]: ...
    @property
    def given(self) -> str | None: ...
    @property
    def surname(self) -> str | None: ...
    @property
    def sex(self) -> Literal["M", "F", "U"]: ...
    @property
    def birth(self) -> str | None: ...
    @property
    def birth_place(self) -> str | None: ...
    @property
    def death(self) -> str | None: ...
    @property
    def death_place(self) -> str | None: ...
    @property
    def born_days(self) -> tuple[int | None, int | None] | None: ...
    @property
    def died_days(self) -> tuple[int | None, int | None] | None: ...
    @property
    def events(self) -> list[Event]: ...
    @property
    def line(self) -> int: ...
    @property
    def record(self) -> Structure | None: ...
    @property
    def parent_links(self) -> list[Parent]: ...
    @property
    def parents(self) -> list[Person]: ...
    @property
    def partners(self) -> list[Person]: ...
    @property
    def children(self) -> list[Person]: ...
    @property
    def siblings(self) -> list[Person]: ...
    @property
    def families_as_child(self) -> list[Family]: ...
    @property
    def families_as_partner(self) -> list[Family]: ...
    def ancestors(self, *, all_ties: bool = False) -> list[tuple[Person, int]]: ...
    def descendants(self, *, all_ties: bool = False) -> list[tuple[Person, int]]: ...
    def may_be_living(
        self, *, within: int = 110, today: date | None = None, bare_death: bool = False
    ) -> bool: ...
    def relationships(self, other: Person) -> list[Relationship]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Family:
    """A family. Edits of the document after you requested the family are not visible."""

    @property
    def id(self) -> str | None: ...
    @property
    def partners(self) -> list[Person]: ...
    @property
    def husband(self) -> Person | None: ...
    @property
    def wife(self) -> Person | None: ...
    @property
    def children(self) -> list[Person]: ...
    @property
    def events(self) -> list[Event]: ...
    @property
    def line(self) -> int: ...
    @property
    def record(self) -> Structure | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PersonName:
    """A name of a person."""

    @property
    def kind(self) -> Literal["name", "variant", "married", "other"]: ...
    @property
    def text(self) -> str: ...
    @property
    def given(self) -> str: ...
    @property
    def surname(self) -> str: ...
    @property
    def prefix(self) -> str: ...
    @property
    def suffix(self) -> str: ...
    @property
    def nickname(self) -> str: ...

@final
class Event:
    """An event or attribute of a person or a family."""

    @property
    def tag(self) -> str: ...
    @property
    def type(self) -> str | None: ...
    @property
    def value(self) -> str | None: ...
    @property
    def date_text(self) -> str | None: ...
    @property
    def date(self) -> Date | None: ...
    @property
    def place(self) -> str | None: ...
    @property
    def structure(self) -> Structure | None: ...

@final
class Parent:
    """A parent of a person, with the family and the kind of tie."""

    @property
    def person(self) -> Person: ...
    @property
    def family(self) -> Family: ...
    @property
    def role(self) -> Literal["husband", "wife", "partner"]: ...
    @property
    def tie(self) -> Literal["unknown", "birth", "adopted", "foster", "other", "disproven"]: ...
    @property
    def is_by_birth(self) -> bool: ...

@final
class Relationship:
    """A relationship between two people."""

    @property
    def kind(self) -> Literal["blood", "adoptive", "foster", "marriage", "step"]: ...
    @property
    def name(self) -> str: ...
    @property
    def up(self) -> int | None: ...
    @property
    def down(self) -> int | None: ...
    @property
    def half(self) -> bool: ...
    @property
    def common_ancestors(self) -> list[Person]: ...

@final
class Match:
    """Two people who are probably the same person."""

    @property
    def score(self) -> float: ...
    @property
    def a(self) -> MatchedPerson: ...
    @property
    def b(self) -> MatchedPerson: ...
    @property
    def agree(self) -> list[str]: ...
    @property
    def differ(self) -> list[str]: ...

@final
class MatchedPerson:
    """One of the two people of a match."""

    @property
    def file(self) -> str | None: ...
    @property
    def id(self) -> str | None: ...
    @property
    def name(self) -> str: ...
    @property
    def birth(self) -> str | None: ...
    @property
    def death(self) -> str | None: ...

@final
class Merged:
    """The result of adding one file to another."""

    @property
    def actions(self) -> list[MergeAction]: ...
    @property
    def summary(self) -> dict[str, int]: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str | PathLike[str]) -> None: ...

@final
class MergeAction:
    """A change or a loss of a merge."""

    @property
    def action(self) -> Literal["united", "added", "renamed", "renamed_tag", "conflict", "role", "lost"]: ...
    @property
    def tag(self) -> str | None: ...
    @property
    def id(self) -> str | None: ...
    @property
    def a(self) -> str | None: ...
    @property
    def b(self) -> str | None: ...
    @property
    def kept(self) -> str | None: ...
    @property
    def added(self) -> str | None: ...
    @property
    def left_out(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def reason(self) -> str | None: ...

@final
class Difference:
    """A difference between two files."""

    @property
    def difference(self) -> Literal["payload", "order", "removed", "added", "language"]: ...
    @property
    def a(self) -> DifferencePlace | None: ...
    @property
    def b(self) -> DifferencePlace | None: ...

@final
class DifferencePlace:
    """A structure in one of the two files of a difference."""

    @property
    def path(self) -> str: ...
    @property
    def tag(self) -> str | None: ...
    @property
    def type(self) -> str | None: ...
    @property
    def text(self) -> str | None: ...
    @property
    def pointer(self) -> str | None: ...
    @property
    def structures(self) -> int | None: ...

@final
class Extraction:
    """A file without some of its records, and what was removed."""

    @property
    def removed(self) -> list[Removal]: ...
    @property
    def mentions(self) -> list[int]: ...
    @property
    def unclear(self) -> list[int]: ...
    @property
    def doubts(self) -> list[tuple[int, str]]: ...
    @property
    def kept_people(self) -> int: ...
    @property
    def hidden_people(self) -> int: ...
    @property
    def removed_people(self) -> int: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str | PathLike[str]) -> None: ...

@final
class Removal:
    """A structure that was removed."""

    @property
    def path(self) -> str | None: ...
    @property
    def line(self) -> int: ...
    @property
    def tag(self) -> str: ...
    @property
    def structures(self) -> int: ...
    @property
    def reason(self) -> str: ...

@final
class HiddenPerson:
    """A person whom :func:`redact` hides."""

    @property
    def id(self) -> str | None: ...
    @property
    def name(self) -> str: ...
    @property
    def birth(self) -> str | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def line(self) -> int: ...

@final
class Table:
    """A table in memory. Arrow consumers such as pyarrow, polars and duckdb use it without a copy."""

    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def num_rows(self) -> int: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class TablePlan:
    """How to make a table of a large file in several splits. Plans can be pickled."""

    @property
    def splits(self) -> list[TableSplit]: ...
    @property
    def is_complete(self) -> bool:
        """Whether the whole file was read. Otherwise the rules stopped reading early, and the table has the rows up to
        that point."""

    def __len__(self) -> int: ...
    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> TablePlan: ...

@final
class TableSplit:
    """A split of a table: some consecutive rows. Splits can be pickled.

    A split has everything that its rows need from the rest of the file, such as the names of relatives. It is as large as
    the text of these fields: about a tenth of its part of the file."""

    @property
    def name(self) -> str:
        """The name of the table."""

    @property
    def file(self) -> str: ...
    @property
    def start(self) -> int:
        """The offset of the first byte of the split in the file."""

    def read(
        self, *, columns: Sequence[str] | None = None, file: str | PathLike[str] | None = None
    ) -> Table:
        """Make the rows. ``file`` is the path of the same file on this computer, if that is another one.

        Raises :class:`PlanError` if the file has changed. The size of the file is compared, and all bytes that the split
        reads: those at the start of the file, and its own."""

    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> TableSplit: ...

@final
class TableSchema:
    """The columns of a table, with their types."""

    @property
    def columns(self) -> list[str]: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class FileError:
    """A file that could not be read, or not completely."""

    @property
    def file(self) -> str | None: ...
    @property
    def message(self) -> str: ...
    @property
    def is_partial(self) -> bool: ...
