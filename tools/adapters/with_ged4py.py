"""ged4py behind the protocol of conformance/protocol.md. `tools/adapters/run ged4py` installs it and runs the suite."""

import json
import sys
from importlib.metadata import version

from ged4py.date import DateValue, DateValueTypes
from ged4py.parser import GedcomReader

CLAIMS = {
    "program": "ged4py",
    "version": version("ged4py"),
    "drafts": ["2019-12", "2019-01", "declarative", "2017-10", "2017-07", "dates"],
    "forms": ["encoding", "tagged", "value"],
    "facts": ["lexical", "form", "modifier", "phrase", "calendar", "second_calendar", "historical_year", "day"],
}
# Structures of the header that are no data, by draft.
METADATA = {
    "2019-12": ["CHAR", "ELF", "GEDC", "PLANG", "SCHMA"],
    "2019-01": ["CHAR", "SCHMA"],
    "declarative": ["CHAR", "SCHMA"],
    "2017-10": ["CHAR", "PRFX", "DEFN"],
    "2017-07": ["CHAR", "PRFX", "DEFN"],
}
ENCODINGS = {
    "ascii": "ASCII",
    "gedcom": "ANSEL",
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
}
CALENDARS = {
    "GregorianDate": "GREGORIAN",
    "JulianDate": "JULIAN",
    "HebrewDate": "HEBREW",
    "FrenchDate": "FRENCH R",
}
FORMS = {
    DateValueTypes.SIMPLE: ("exact", None),
    DateValueTypes.ABOUT: ("approximated", "ABT"),
    DateValueTypes.CALCULATED: ("approximated", "CAL"),
    DateValueTypes.ESTIMATED: ("approximated", "EST"),
    DateValueTypes.BEFORE: ("before", None),
    DateValueTypes.AFTER: ("after", None),
    DateValueTypes.RANGE: ("between", None),
    DateValueTypes.FROM: ("from", None),
    DateValueTypes.TO: ("to", None),
    DateValueTypes.PERIOD: ("from-to", None),
    DateValueTypes.INTERPRETED: ("interpreted", None),
    DateValueTypes.PHRASE: ("phrase", None),
}


def show(value):
    print(json.dumps(value, ensure_ascii=False))


def payload(record):
    """Returns a payload as JSON has it. ged4py parses names and dates; their text is not kept."""
    value = record.value
    if type(record).__name__ == "Pointer":
        return {"pointer": value.strip("@")}
    if isinstance(value, tuple):
        given, surname, suffix = value
        words = [given, f"/{surname}/" if surname else "", suffix]
        return " ".join(word for word in words if word)
    return None if value is None else str(value)


def structure(record):
    found = {"tag": record.tag}
    if record.xref_id:
        found["xref"] = record.xref_id.strip("@")
    text = payload(record)
    if text is not None:
        found["payload"] = text
    if record.sub_records:
        found["substructures"] = [structure(below) for below in record.sub_records]
    return found


def tagged(draft, path):
    with GedcomReader(path) as reader:
        records = [structure(record) for record in reader.records0()]
    if any("@#U" in line for line in open(path, encoding="latin-1")):
        return show({"not_claimed": "no Unicode escapes"})
    head = records[0].get("substructures", []) if records and records[0]["tag"] == "HEAD" else []
    metadata = [below for below in head if below["tag"] not in METADATA[draft]]
    show({"header": {}, "metadata": metadata})
    for record in records:
        if record["tag"] not in ("HEAD", "TRLR"):
            show(record)


def encoding(path):
    with GedcomReader(path) as reader:
        used = reader._encoding
    show({"encoding": {"used": ENCODINGS.get(used, used)}})


def date(value):
    year = value.year
    return {"calendar": CALENDARS[type(value).__name__], "year": -year if value.bc else year, "day": value.day}


def value(datatype, path):
    if datatype not in ("DateValue", "DatePeriod"):
        return show({"not_claimed": f"no datatype {datatype}"})
    text = open(path, encoding="utf-8", newline="").read()
    found = DateValue.parse(text)
    form, modifier = FORMS[found.kind]
    if form == "phrase" and not text.startswith("("):
        form = "text"
    parts = [getattr(found, name, None) for name in ("date", "date1", "date2")]
    phrase = getattr(found, "phrase", None)
    dates = [date(part) for part in parts if part is not None]
    show({"form": form, "modifier": modifier, "phrase": phrase, "dates": dates})


def main(arguments):
    match arguments:
        case ["claims"]:
            show(CLAIMS)
        case ["encoding", _, path]:
            encoding(path)
        case ["tagged", draft, path]:
            tagged(draft, path)
        case ["value", _, path, datatype]:
            value(datatype.removeprefix("datatype="), path)
        case _:
            sys.exit(f"unknown request {arguments}")


main(sys.argv[1:])
