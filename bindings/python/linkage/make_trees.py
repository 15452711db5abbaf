"""Make two trees that have people in common, and the pairs: `make_trees.py FOLDER [PEOPLE] [COMMON]`.

Names are as uneven as real ones. People who are in both trees are written in the second one as another researcher would:
other spellings, nicknames, dates that are rounded or missing, other identifiers.
"""

from __future__ import annotations

import csv
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
MEN = "John William Thomas George James Henry Charles Joseph Robert Edward Richard Samuel Alfred Frederick Walter Albert Arthur Daniel David Peter Benjamin Isaac Hugh Evan Owen Lewis Edwin Ernest Matthew Stephen".split()
WOMEN = "Mary Elizabeth Sarah Ann Jane Margaret Hannah Alice Martha Emma Eliza Ellen Harriet Charlotte Emily Louisa Maria Susannah Rebecca Catherine Caroline Isabella Lucy Esther Ruth Rachel Agnes Frances Dorothy Edith".split()
NICKNAMES = {"Elizabeth": "Betsy", "William": "Bill", "Margaret": "Peggy", "Mary": "Polly", "Robert": "Bob", "Richard": "Dick", "Sarah": "Sally", "Henry": "Harry", "Ann": "Nancy", "Catherine": "Kate"}
FIRST = "Ash Birk Cal Dun East Fen Green Hal Kirk Lang Mar North Old Pen Rad Stan Thorn Up Wal West Bar Cros Dray Ell Hart".split()
LAST = "by combe croft dale den field ford ham head hurst ley low man ridge shaw son stead ston ton wick wood worth".split()
PLACES = [first.capitalize() + last for first in FIRST[:12] for last in LAST[:6]]


@dataclass
class Person:
    given: list[str]
    surname: str
    sex: str
    birth: int
    day: int
    place: str
    death: int | None
    parents: Family | None = None
    families: list[Family] = field(default_factory=list)


@dataclass
class Family:
    husband: Person
    wife: Person
    children: list[Person] = field(default_factory=list)


def draw(rng: random.Random, names: list[str]) -> str:
    """The n-th name is drawn 1/n as often as the first."""
    return rng.choices(names, [1 / (at + 1) for at in range(len(names))])[0]


def make_person(rng: random.Random, sex: str, surname: str, birth: int, place: str) -> Person:
    given = [draw(rng, MEN if sex == "M" else WOMEN)]
    if rng.random() < 0.4:
        given.append(draw(rng, MEN if sex == "M" else WOMEN))
    age = int(rng.triangular(0, 95, 68))
    return Person(given, surname, sex, birth, rng.randrange(336), place, birth + age)


def make_tree(rng: random.Random, size: int) -> list[Person]:
    surnames = [first + last for first in FIRST for last in LAST]
    rng.shuffle(surnames)
    surnames.sort(key=len)
    people: list[Person] = []
    while len(people) < size:
        place = draw(rng, PLACES)
        founder = make_person(rng, "M", draw(rng, surnames), rng.randrange(1700, 1780), place)
        waiting = [founder]
        people.append(founder)
        while waiting and len(people) < size:
            one = waiting.pop(0)
            if one.birth > 1890 or rng.random() < 0.2:
                continue
            spouse = make_person(rng, "F" if one.sex == "M" else "M", draw(rng, surnames), one.birth + rng.randrange(-6, 6), place)
            family = Family(one, spouse) if one.sex == "M" else Family(spouse, one)
            people.append(spouse)
            one.families.append(family)
            spouse.families.append(family)
            for at in range(rng.randrange(1, 7)):
                birth = family.wife.birth + 21 + 2 * at
                home = place if rng.random() < 0.7 else draw(rng, PLACES)
                child = make_person(rng, rng.choice("MF"), family.husband.surname, birth, home)
                child.parents = family
                family.children.append(child)
                people.append(child)
                waiting.append(child)
    return people


def misspell(rng: random.Random, name: str) -> str:
    at = rng.randrange(1, len(name))
    return rng.choice([name[:at] + name[at - 1] + name[at:], name[:at] + name[at + 1 :], name + "e"])


def date(year: int, day: int) -> str:
    return f"{day % 28 + 1} {MONTHS[day // 28]} {year}"


def vague_date(rng: random.Random, year: int, day: int) -> str | None:
    kind = rng.choices(["exact", "year", "about", "between", "none"], [50, 15, 15, 8, 12])[0]
    return {
        "exact": date(year, day),
        "year": str(year),
        "about": f"ABT {year + rng.randrange(-2, 3)}",
        "between": f"BET {year - rng.randrange(4)} AND {year + rng.randrange(1, 4)}",
        "none": None,
    }[kind]


def write_tree(path: Path, people: list[Person], prefix: str, changed: set[int], rng: random.Random) -> dict[int, str]:
    """Write a tree. People with an index in `changed` are written as another researcher would."""
    ids = {id(person): f"{prefix}{at}" for at, person in enumerate(people)}
    families = {id(family): family for person in people for family in person.families}
    numbers = {key: f"{prefix}F{at}" for at, key in enumerate(families)}
    lines = ["0 HEAD", "1 SOUR MADE", "1 GEDC", "2 VERS 5.5.1", "2 FORM LINEAGE-LINKED", "1 CHAR UTF-8"]
    for at, person in enumerate(people):
        given, surname = list(person.given), person.surname
        birth, death = date(person.birth, person.day), person.death and str(person.death)
        if at in changed:
            if rng.random() < 0.15:
                surname = misspell(rng, surname)
            if rng.random() < 0.2:
                given[0] = NICKNAMES.get(given[0], given[0])
            if rng.random() < 0.3:
                given = given[:1]
            birth = vague_date(rng, person.birth, person.day)
            death = death if rng.random() < 0.6 else None
        lines += [f"0 @{ids[id(person)]}@ INDI", f"1 NAME {' '.join(given)} /{surname}/", f"1 SEX {person.sex}", "1 BIRT"]
        lines += [f"2 DATE {birth}"] if birth else []
        lines.append(f"2 PLAC {person.place}, Loamshire, England")
        lines += ["1 DEAT", f"2 DATE {death}"] if death else []
        lines += [f"1 FAMC @{numbers[id(person.parents)]}@"] if person.parents and id(person.parents) in numbers else []
        lines += [f"1 FAMS @{numbers[id(family)]}@" for family in person.families]
    for key, family in families.items():
        lines.append(f"0 @{numbers[key]}@ FAM")
        for tag, spouse in (("HUSB", family.husband), ("WIFE", family.wife)):
            lines += [f"1 {tag} @{ids[id(spouse)]}@"] if id(spouse) in ids else []
        lines += [f"1 CHIL @{ids[id(child)]}@" for child in family.children if id(child) in ids]
    path.write_text("\n".join([*lines, "0 TRLR", ""]), encoding="utf-8")
    return {at: ids[id(person)] for at, person in enumerate(people)}


def make_trees(folder: Path, size: int, common: int, seed: int = 20261128) -> None:
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    one = make_tree(rng, size)
    shared = one[:common]
    two = [*shared, *make_tree(rng, size - common)]
    first = write_tree(folder / "one.ged", one, "A", set(), rng)
    second = write_tree(folder / "two.ged", two, "B", set(range(common)), rng)
    with (folder / "truth.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["one", "two"])
        rows.writerows((first[at], second[at]) for at in range(len(shared)))


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[2:]]
    make_trees(Path(sys.argv[1]), *(numbers or [5000, 1500]))
