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
    """Plan how to make a table of one large file in several splits of about ``split_bytes`` bytes, for example on
    several computers. The plan is made in one pass over the file. The rows of all splits, in their order, are those
    of :func:`read_table`."""

def table_schema(name: _TableName, *, columns: Sequence[str] | None = None) -> TableSchema:
    """The columns of a table, with their types."""

@final
class Document:
    """A file in memory, to read and to edit. Edits leave the bytes of all other lines unchanged.

    ``doc["I1"]`` is the record with an identifier; it raises :class:`StructureNotFoundError`. ``"I1" in doc`` asks whether
    there is one. Iterating gives the records."""

    @property
    def path(self) -> str | None:
        """The path that the document was opened from. ``None`` if it was opened from bytes."""

    @property
    def rules(self) -> str:
        """The name of the rules that the file is read by."""

    @property
    def is_complete(self) -> bool:
        """False if the rules stopped reading early. Such a document cannot be edited."""

    @property
    def is_edited(self) -> bool:
        """Whether there are edits."""

    @property
    def encoding(self) -> EncodingDecision:
        """The encoding of the file, with the evidence for it."""

    @property
    def header(self) -> Structure | None:
        """The header record, if there is one."""

    @property
    def records(self) -> list[Structure]:
        """The records in the order of the file, without header and trailer."""

    @property
    def people(self) -> list[Person]:
        """All people. They do not change when the document is edited; request them again."""

    @property
    def families(self) -> list[Family]:
        """All families, like ``people``."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Structure]: ...
    def __getitem__(self, identifier: str, /) -> Structure: ...
    def __contains__(self, identifier: str, /) -> bool: ...
    @overload
    def get(self, identifier: str, default: None = None) -> Structure | None:
        """The record with an identifier, or the default."""

    @overload
    def get(self, identifier: str, default: _Default) -> Structure | _Default: ...
    def at(self, path: str) -> Structure:
        """The only structure at a path such as ``@I1@/BIRT/DATE``. Raises :class:`StructureNotFoundError` if there
        is none, and :class:`EditError` if there are several."""

    def find_all(self, path: str) -> list[Structure]:
        """All structures at a path, such as ``INDI[*]/BIRT/DATE``."""

    def of_type(self, iri: str) -> list[Structure]:
        """All structures of a type or one of its subtypes: an IRI, or a short name such as ``elf:BIRTH``."""

    def person(self, identifier: str) -> Person:
        """The person with an identifier. Raises :class:`PersonNotFoundError`."""

    def family(self, identifier: str) -> Family:
        """The family with an identifier. Raises :class:`StructureNotFoundError`."""

    def set(self, path: str, value: str, *, create: bool = False) -> None:
        """Replace the text or pointer at a path. ``create`` makes missing structures."""

    def insert(self, path: str, value: str | None = None, *, create: bool = False) -> None:
        """Insert a structure at a path, as the last one of its parent."""

    def remove(self, path: str, *, cascade: bool = False) -> None:
        """Remove the structure at a path. ``cascade`` also removes pointers to it."""

    def rename(self, identifier: str, new: str) -> None:
        """Rename an identifier, and update every pointer to it."""

    def add(self, tag: str, text: str | None = None, *, id: str | None = None) -> Structure:
        """Add a record at the end."""

    def to_bytes(self) -> bytes:
        """The bytes of the file with all edits."""

    def save(self, path: str | PathLike[str] | None = None) -> None:
        """Write the file completely, or not at all: to its own path, or to ``path``."""

    def __enter__(self) -> Document: ...
    def __exit__(self, *_error: type[BaseException] | BaseException | TracebackType | None) -> Literal[False]: ...

@final
class Structure:
    """A structure of a document: a record, or a line under one. It stays valid through edits.

    ``structure["BIRT"]`` is its first substructure with a tag; it raises :class:`StructureNotFoundError`. Iterating gives
    the substructures."""

    @property
    def document(self) -> Document:
        """The document."""

    @property
    def tag(self) -> str:
        """The tag. It can be set."""

    @tag.setter
    def tag(self, tag: str) -> None: ...
    @property
    def id(self) -> str | None:
        """The identifier, without at signs."""

    @property
    def text(self) -> str | None:
        """The text of the payload. ``None`` for a pointer, and without a payload. It can be set; line breaks become
        ``CONT``."""

    @text.setter
    def text(self, text: str | None) -> None: ...
    @property
    def pointer(self) -> str | None:
        """The identifier that the payload points to. It can be set."""

    @pointer.setter
    def pointer(self, identifier: str) -> None: ...
    @property
    def target(self) -> Structure | None:
        """The record that the payload points to."""

    @property
    def type(self) -> str | None:
        """The IRI of the type."""

    @property
    def date(self) -> Date | None:
        """The date that the payload means, if its type is a date."""

    @property
    def language(self) -> str | None:
        """The language of the text, as a language tag."""

    @property
    def line(self) -> int | None:
        """The number of the line in the file, from 1. ``None`` for a new structure."""

    @property
    def path(self) -> str:
        """The path, such as ``@I1@/BIRT/DATE``."""

    @property
    def level(self) -> int:
        """The level: 0 for a record."""

    @property
    def parent(self) -> Structure | None:
        """The structure above. ``None`` for a record."""

    @property
    def substructures(self) -> list[Structure]:
        """The structures under this one, in order."""

    def all(self, tag: str) -> list[Structure]:
        """The substructures with a tag."""

    def of_type(self, iri: str) -> list[Structure]:
        """The substructures of a type or one of its subtypes."""

    def __getitem__(self, tag: str, /) -> Structure: ...
    @overload
    def get(self, tag: str, default: None = None) -> Structure | None:
        """The first substructure with a tag, or the default."""

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
    ) -> Structure:
        """Add a substructure with text or a pointer, as the last one. With ``position``, it becomes the N-th with that
        tag, from 1."""

    def remove(self) -> None:
        """Remove the structure, with everything under it."""

    def move_to(self, parent: Structure) -> None:
        """Move the structure under another one of the same document."""

@final
class EncodingDecision:
    """The encoding of a file, and the evidence for it."""

    @property
    def used(self) -> str:
        """The encoding in which the file is read."""

    @property
    def because(self) -> Literal["detected", "specified", "default", "forced", "content"]:
        """What decided the encoding."""

    @property
    def detected(self) -> str | None:
        """The encoding that a byte-order mark or the first bytes show."""

    @property
    def detected_by(self) -> Literal["byte-order-mark", "first-octets", "external"] | None:
        """What ``detected`` comes from."""

    @property
    def specified(self) -> str | None:
        """What the header says (``CHAR``)."""

    @property
    def bom(self) -> bool:
        """Whether the file starts with a byte-order mark."""

    @property
    def rivals(self) -> list[str]:
        """Other encodings that fit about as well."""

    @property
    def evidence(self) -> list[str]:
        """Sentences that explain the decision."""

@final
class Date:
    """A historical date, in any calendar. Dates with the same meaning are equal."""

    @property
    def text(self) -> str:
        """The date as written."""

    @property
    def canonical(self) -> str:
        """The date in the spelling of the standard."""

    @property
    def edtf(self) -> str | None:
        """The date in Extended Date/Time Format. ``None`` if EDTF cannot express it."""

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
    ]:
        """The form of the date."""

    @property
    def approximation(self) -> Literal["about", "calculated", "estimated"] | None:
        """How the date is approximated."""

    @property
    def phrase(self) -> str | None:
        """The text in parentheses."""

    @property
    def is_period(self) -> bool:
        """Whether it is a period (``FROM``, ``TO``)."""

    @property
    def earliest_day(self) -> int | None:
        """The first day that the date can mean, as a Julian day number. ``None`` if that end is open."""

    @property
    def latest_day(self) -> int | None:
        """The last day that the date can mean, as a Julian day number."""

    @property
    def earliest(self) -> date | None:
        """``earliest_day`` as a date. ``None`` also before the year 1."""

    @property
    def latest(self) -> date | None:
        """``latest_day`` as a date. ``None`` also before the year 1."""

    @property
    def first(self) -> DatePart | None:
        """The date, or the first of two."""

    @property
    def second(self) -> DatePart | None:
        """The second of two dates."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class DatePart:
    """A day, month or year of a date."""

    @property
    def calendar(self) -> str | None:
        """The calendar, such as ``GREGORIAN``. ``None`` if it is unknown."""

    @property
    def day(self) -> int | None:
        """The day of the month."""

    @property
    def month(self) -> int | None:
        """The number of the month in its calendar, from 1."""

    @property
    def month_name(self) -> str | None:
        """The name of the month, such as ``MAR``."""

    @property
    def year(self) -> int | None:
        """The year in modern reckoning, which starts in January. Before the epoch, it is positive too: see ``epoch``."""

    @property
    def historical_year(self) -> int | None:
        """The year as people counted it then: the first one of ``1701/02`` in the Julian calendar."""

    @property
    def epoch(self) -> str | None:
        """The epoch, such as ``B.C.``."""

    @property
    def text(self) -> str:
        """The part as written."""

@final
class Finding:
    """A problem, or a possible problem, of a file."""

    @property
    def code(self) -> str:
        """The code, such as ``E0203``. ``elf explain E0203`` describes it."""

    @property
    def name(self) -> str:
        """The name of the code, such as ``level-too-deep``."""

    @property
    def class_(self) -> _Class:
        """The class: how serious it is."""

    @property
    def message(self) -> str:
        """What is wrong."""

    @property
    def file(self) -> str | None:
        """The file."""

    @property
    def line(self) -> int | None:
        """The line, from 1. ``None`` if the finding is about the whole file."""

    @property
    def column(self) -> int | None:
        """The first character, from 1."""

    @property
    def end_column(self) -> int | None:
        """The character after the last one."""

    @property
    def octet(self) -> int | None:
        """The offset in bytes, from 0."""

    @property
    def record(self) -> str | None:
        """The identifier of the record, or its tag."""

    @property
    def path(self) -> str | None:
        """The path of the structure."""

    @property
    def clause(self) -> str | None:
        """The clause of the standard."""

    @property
    def help(self) -> str | None:
        """What to do."""

    @property
    def count(self) -> int | None:
        """The number of places that the finding is about."""

    @property
    def related(self) -> list[RelatedPlace]:
        """Other places that matter."""

    @property
    def fix(self) -> Fix | None:
        """What :func:`fix` changes. ``None`` if there is no safe fix."""

    def to_dict(self) -> dict[str, Any]:
        """The members of the JSON."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class RelatedPlace:
    """Another place that is relevant to a finding."""

    @property
    def message(self) -> str:
        """What is there."""

    @property
    def line(self) -> int:
        """The line, from 1."""

    @property
    def column(self) -> int:
        """The first character, from 1."""

    @property
    def end_column(self) -> int:
        """The character after the last one."""

    @property
    def octet(self) -> int:
        """The offset in bytes, from 0."""

@final
class Fix:
    """The lines that a fix changes. Empty if the fix of another finding fixes this one too."""

    @property
    def safety(self) -> str:
        """Always ``safe``."""

    @property
    def lines(self) -> list[FixedLines]:
        """The changes of lines."""

@final
class FixedLines:
    """Consecutive lines that a fix changes."""

    @property
    def line(self) -> int:
        """The first line, from 1."""

    @property
    def remove(self) -> int:
        """The number of lines that are removed. If it is 0, lines are inserted before ``line``."""

    @property
    def insert(self) -> list[str]:
        """The lines that take their place."""

@final
class Summary:
    """The numbers of findings in a file."""

    @property
    def file(self) -> str | None:
        """The file."""

    @property
    def lines(self) -> int:
        """All lines, including blank ones."""

    @property
    def records(self) -> int:
        """The number of records."""

    @property
    def vendor(self) -> int:
        """Structures under vendor tags that the built-in dictionary knows."""

    @property
    def malformed(self) -> int:
        """Findings of the class ``malformed``."""

    @property
    def non_conformant(self) -> int:
        """Findings of the class ``non-conformant``."""

    @property
    def deprecated(self) -> int:
        """Findings of the class ``deprecated``."""

    @property
    def advice(self) -> int:
        """Findings of the class ``advice``."""

    @property
    def questions(self) -> int:
        """Findings of the class ``question``."""

    @property
    def ignored(self) -> int:
        """Findings that ``select`` and ``ignore`` leave out."""

    @property
    def repairable(self) -> int:
        """Findings that :func:`fix` fixes."""

    @property
    def complete(self) -> bool:
        """False if the rules stopped reading early."""

    @property
    def config(self) -> str | None:
        """The configuration that was used."""

    def to_dict(self) -> dict[str, Any]:
        """The members of the JSON."""

@final
class Report:
    """The findings of a file, in the order of the file. ``report[0]`` is the first one."""

    @property
    def summary(self) -> Summary:
        """The numbers of findings."""

    @property
    def fails(self) -> bool:
        """Whether ``elf check`` would exit with 1."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Finding: ...
    def __iter__(self) -> Iterator[Finding]: ...

@final
class FixedFile:
    """A fixed file."""

    @property
    def fixed(self) -> int:
        """The number of findings that were fixed."""

    @property
    def refused(self) -> int:
        """The number of findings whose fix would make something else worse."""

    def to_bytes(self) -> bytes:
        """The fixed file."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file completely, or not at all."""

@final
class ConvertedFile:
    """A converted file, with the findings about what was lost."""

    @property
    def findings(self) -> list[Finding]:
        """What the output cannot express, and what had to be changed."""

    @property
    def losses(self) -> int:
        """The number of losses among them."""

    @property
    def is_complete(self) -> bool:
        """False if the rules stopped reading early (only with ``partial``)."""

    def to_bytes(self) -> bytes:
        """The converted file."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file completely, or not at all."""

@final
class Person:
    """A person. Edits of the document after you requested the person are not visible."""

    @property
    def id(self) -> str | None:
        """The identifier, without at signs."""

    @property
    def name(self) -> str:
        """The first name, without slashes."""

    @property
    def names(self) -> list[PersonName]:
        """All names."""

    @property
    def given(self) -> str | None:
        """The given names of the first name."""

    @property
    def surname(self) -> str | None:
        """The surname of the first name."""

    @property
    def sex(self) -> Literal["M", "F", "U"]:
        """The sex; ``U`` if it is not known."""

    @property
    def birth(self) -> str | None:
        """The date of birth as written."""

    @property
    def birth_place(self) -> str | None:
        """The place of birth."""

    @property
    def death(self) -> str | None:
        """The date of death as written."""

    @property
    def death_place(self) -> str | None:
        """The place of death."""

    @property
    def born_days(self) -> tuple[int | None, int | None] | None:
        """The first and the last possible day of birth, as Julian day numbers. ``None`` in the pair is an open end."""

    @property
    def died_days(self) -> tuple[int | None, int | None] | None:
        """The first and the last possible day of death."""

    @property
    def events(self) -> list[Event]:
        """Events and attributes, in the order of the file."""

    @property
    def line(self) -> int:
        """The line of the record, from 1."""

    @property
    def record(self) -> Structure | None:
        """The record, to edit. ``None`` if it was removed."""

    @property
    def parent_links(self) -> list[Parent]:
        """The parents with families and kinds of ties."""

    @property
    def parents(self) -> list[Person]:
        """The parents."""

    @property
    def partners(self) -> list[Person]:
        """The partners."""

    @property
    def children(self) -> list[Person]:
        """The children."""

    @property
    def siblings(self) -> list[Person]:
        """The siblings, including half-siblings."""

    @property
    def families_as_child(self) -> list[Family]:
        """The families of the parents."""

    @property
    def families_as_partner(self) -> list[Family]:
        """The person's own families."""

    def ancestors(self, *, all_ties: bool = False) -> list[tuple[Person, int]]:
        """The ancestors by birth with their generation (1 for parents). ``all_ties`` also follows adoption and
        fostering."""

    def descendants(self, *, all_ties: bool = False) -> list[tuple[Person, int]]:
        """The descendants by birth with their generation (1 for children)."""

    def may_be_living(
        self, *, within: int = 110, today: date | None = None, bare_death: bool = False
    ) -> bool:
        """Whether the person may be living, as ``elf redact`` decides."""

    def relationships(self, other: Person) -> list[Relationship]:
        """The relationships to another person of the same document, the nearest first."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Family:
    """A family. Edits of the document after you requested the family are not visible."""

    @property
    def id(self) -> str | None:
        """The identifier, without at signs."""

    @property
    def partners(self) -> list[Person]:
        """The partners."""

    @property
    def husband(self) -> Person | None:
        """The first partner with that role."""

    @property
    def wife(self) -> Person | None:
        """The first partner with that role."""

    @property
    def children(self) -> list[Person]:
        """The children."""

    @property
    def events(self) -> list[Event]:
        """Events and attributes, in the order of the file."""

    @property
    def line(self) -> int:
        """The line of the record, from 1."""

    @property
    def record(self) -> Structure | None:
        """The record, to edit. ``None`` if it was removed."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PersonName:
    """A name of a person."""

    @property
    def kind(self) -> Literal["name", "variant", "married", "other"]:
        """The kind of the name."""

    @property
    def text(self) -> str:
        """The whole name, without slashes."""

    @property
    def given(self) -> str:
        """The given names."""

    @property
    def surname(self) -> str:
        """The surname."""

    @property
    def prefix(self) -> str:
        """What stands before the given names, such as a title."""

    @property
    def suffix(self) -> str:
        """What stands after the surname."""

    @property
    def nickname(self) -> str:
        """The nickname."""

@final
class Event:
    """An event or attribute of a person or a family."""

    @property
    def tag(self) -> str:
        """The tag."""

    @property
    def type(self) -> str | None:
        """The IRI of the type."""

    @property
    def value(self) -> str | None:
        """The text of the event itself, such as an occupation."""

    @property
    def date_text(self) -> str | None:
        """The date as written."""

    @property
    def date(self) -> Date | None:
        """The date."""

    @property
    def place(self) -> str | None:
        """The place."""

    @property
    def structure(self) -> Structure | None:
        """The structure, to edit. ``None`` if it was removed."""

@final
class Parent:
    """A parent of a person, with the family and the kind of tie."""

    @property
    def person(self) -> Person:
        """The parent."""

    @property
    def family(self) -> Family:
        """The family."""

    @property
    def role(self) -> Literal["husband", "wife", "partner"]:
        """The role in the family."""

    @property
    def tie(self) -> Literal["unknown", "uncertain", "birth", "adopted", "foster", "other", "disproven"]:
        """The kind of the tie."""

    @property
    def is_by_birth(self) -> bool:
        """Whether the tie is by birth, or nothing says otherwise."""

@final
class Relationship:
    """A relationship between two people."""

    @property
    def kind(self) -> Literal["blood", "uncertain", "adoptive", "foster", "marriage", "step"]:
        """The kind of the relationship."""

    @property
    def name(self) -> str:
        """The relationship in English: what the person is to the other one."""

    @property
    def up(self) -> int | None:
        """The number of generations up to the common ancestors."""

    @property
    def down(self) -> int | None:
        """The number of generations down from them."""

    @property
    def half(self) -> bool:
        """Whether they have only one common ancestor of that generation."""

    @property
    def common_ancestors(self) -> list[Person]:
        """The nearest common ancestors."""

@final
class Match:
    """Two people who are probably the same person."""

    @property
    def score(self) -> float:
        """How much supports it, from 0 to 1. It is for ordering, and is not a probability."""

    @property
    def a(self) -> MatchedPerson:
        """The person in file A."""

    @property
    def b(self) -> MatchedPerson:
        """The person in file B."""

    @property
    def agree(self) -> list[str]:
        """What is equal, such as ``birth``."""

    @property
    def similar(self) -> list[str]:
        """What is not equal but may mean the same, such as a surname by marriage."""

    @property
    def differ(self) -> list[str]:
        """What differs."""

@final
class MatchedPerson:
    """One of the two people of a match."""

    @property
    def file(self) -> str | None:
        """The file."""

    @property
    def id(self) -> str | None:
        """The identifier, without at signs."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def birth(self) -> str | None:
        """The date of birth as written."""

    @property
    def death(self) -> str | None:
        """The date of death as written."""

@final
class Merged:
    """The result of adding one file to another."""

    @property
    def actions(self) -> list[MergeAction]:
        """What was merged, added, renamed or lost."""

    @property
    def summary(self) -> dict[str, int]:
        """Numbers, as ``elf merge --format json`` prints them."""

    def to_bytes(self) -> bytes:
        """The merged file."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file completely, or not at all."""

@final
class MergeAction:
    """A change or a loss of a merge."""

    @property
    def action(self) -> Literal["united", "added", "renamed", "renamed_tag", "conflict", "role", "lost"]:
        """What happened."""

    @property
    def tag(self) -> str | None:
        """The tag of the structure."""

    @property
    def record(self) -> str | None:
        """The tag of the records in which a tag was renamed; ``None`` if it was renamed everywhere."""

    @property
    def id(self) -> str | None:
        """The identifier of the record."""

    @property
    def a(self) -> str | None:
        """The identifier, tag or text in file A."""

    @property
    def b(self) -> str | None:
        """The identifier, tag or text in file B."""

    @property
    def kept(self) -> str | None:
        """For a conflict: the text that stays."""

    @property
    def added(self) -> str | None:
        """For a conflict: the text that is added."""

    @property
    def left_out(self) -> str | None:
        """The text that is left out."""

    @property
    def line(self) -> int | None:
        """The line in file B."""

    @property
    def reason(self) -> str | None:
        """The reason."""

@final
class Difference:
    """A difference between two files."""

    @property
    def difference(self) -> Literal["payload", "order", "removed", "added", "language"]:
        """The kind of the difference."""

    @property
    def a(self) -> DifferencePlace | None:
        """The structure in file A."""

    @property
    def b(self) -> DifferencePlace | None:
        """The structure in file B."""

@final
class DifferencePlace:
    """A structure in one of the two files of a difference."""

    @property
    def path(self) -> str:
        """The path."""

    @property
    def tag(self) -> str | None:
        """The tag."""

    @property
    def type(self) -> str | None:
        """The IRI of the type."""

    @property
    def kind(self) -> str | None:
        """The kind of the fact, from its TYPE, if its tag does not say it."""

    @property
    def text(self) -> str | None:
        """The text."""

    @property
    def pointer(self) -> str | None:
        """The identifier that it points to."""

    @property
    def structures(self) -> int | None:
        """The number of structures that were added or removed with it."""

@final
class Extraction:
    """A file without some of its records, and what was removed."""

    @property
    def removed(self) -> list[Removal]:
        """The structures that were removed."""

    @property
    def mentions(self) -> list[int]:
        """Lines that are kept and have the name of a hidden person."""

    @property
    def unclear(self) -> list[int]:
        """Lines of records that are hidden because they may belong to a living person."""

    @property
    def doubts(self) -> list[tuple[int, str]]:
        """Lines of records to check by hand, with the reason."""

    @property
    def kept_people(self) -> int:
        """The number of people who stay unchanged."""

    @property
    def hidden_people(self) -> int:
        """The number of people who are hidden."""

    @property
    def removed_people(self) -> int:
        """The number of people who are removed."""

    def to_bytes(self) -> bytes:
        """The file."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file completely, or not at all."""

@final
class Removal:
    """A structure that was removed."""

    @property
    def path(self) -> str | None:
        """The path of the structure."""

    @property
    def line(self) -> int:
        """Its line, from 1."""

    @property
    def tag(self) -> str:
        """Its tag."""

    @property
    def structures(self) -> int:
        """The number of structures that were removed, including those under it."""

    @property
    def reason(self) -> str:
        """Why it was removed."""

@final
class HiddenPerson:
    """A person whom :func:`redact` hides."""

    @property
    def id(self) -> str | None:
        """The identifier, without at signs."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def birth(self) -> str | None:
        """The date of birth as written."""

    @property
    def reason(self) -> str:
        """Why the person may be living."""

    @property
    def line(self) -> int:
        """The line of the record, from 1."""

@final
class Table:
    """A table in memory. Arrow consumers such as pyarrow, polars and duckdb use it without a copy."""

    @property
    def name(self) -> str:
        """The name of the table."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""

    @property
    def num_rows(self) -> int:
        """The number of rows, like ``len(table)``."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class TablePlan:
    """How to make a table of a large file in several splits. Plans can be pickled."""

    @property
    def splits(self) -> list[TableSplit]:
        """The splits, in the order of the file."""

    @property
    def is_complete(self) -> bool:
        """Whether the whole file was read. Otherwise the rules stopped reading early, and the table has the rows up to
        that point."""

    def __len__(self) -> int: ...
    def to_bytes(self) -> bytes:
        """The plan as bytes, as ``pickle`` stores it."""

    @classmethod
    def from_bytes(cls, data: bytes) -> TablePlan:
        """The plan of :meth:`to_bytes`. Raises :class:`PlanError` for other bytes, and for those of another release."""

@final
class TableSplit:
    """A split of a table: some consecutive rows. Splits can be pickled.

    A split has everything that its rows need from the rest of the file, such as the names of relatives."""

    @property
    def name(self) -> str:
        """The name of the table."""

    @property
    def file(self) -> str:
        """The path of the file."""

    @property
    def start(self) -> int:
        """The offset of the first byte of the split in the file."""

    def read(
        self, *, columns: Sequence[str] | None = None, file: str | PathLike[str] | None = None
    ) -> Table:
        """Make the rows. ``file`` is the path of the same file on this computer, if that is another one.

        Raises :class:`PlanError` if the file has changed. The size of the file is compared, and all bytes that the
        split reads: those at the start of the file, and its own."""

    def to_bytes(self) -> bytes:
        """The split as bytes, as ``pickle`` stores it."""

    @classmethod
    def from_bytes(cls, data: bytes) -> TableSplit:
        """The split of :meth:`to_bytes`. Raises :class:`PlanError` for other bytes, and for those of another
        release."""

@final
class TableSchema:
    """The columns of a table, with their types."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""

    def __arrow_c_schema__(self) -> object: ...

@final
class FileError:
    """A file that could not be read, or not completely."""

    @property
    def file(self) -> str | None:
        """The file. ``None`` for bytes."""

    @property
    def message(self) -> str:
        """The reason."""

    @property
    def is_partial(self) -> bool:
        """True if the rules stopped reading early. The table has the rows up to that point."""
