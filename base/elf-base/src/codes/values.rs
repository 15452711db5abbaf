//! The codes E06, for problems of values in payloads.

super::table::codes! {
    E0601 DATE_MALFORMED "date-malformed": "invalid date";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Data types";
        fix Safe;
        clause D19 ("ELF Dates" "Date formats"), J19 ("ELF Dates" "Date formats"), RDX ("ELF Dates" "Date formats"),
            O17 _, E17 _;
    E0602 DATE_IMPOSSIBLE "date-impossible": "a date does not exist in its calendar";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Data types";
        fix Safe;
        clause D19 ("ELF Dates" "Calendar escapes"), J19 ("ELF Dates" "Calendar escapes"),
            RDX ("ELF Dates" "Calendar escapes"), O17 _, E17 _;
    E0603 DATE_REVERSED "date-reversed": "a range of dates ends before it starts";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2",
            Gedcom70 Advice "Data types";
        clause D19 ("ELF Dates" "Date ranges"), J19 ("ELF Dates" "Date ranges"), RDX ("ELF Dates" "Date ranges"),
            O17 _, E17 _;
    E0604 AGE_MALFORMED "age-malformed": "invalid age";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Data types";
        fix Safe;
        clause D19 ("ELF Dates" "The elf:Age datatype"), J19 ("ELF Dates" "The elf:Age datatype"),
            RDX ("ELF Dates" "The elf:Age datatype"), O17 _, E17 _;
    E0605 TIME_MALFORMED "time-malformed": "invalid time";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Data types";
        fix Safe;
        clause D19 ("ELF Dates" "The elf:Time datatype"), J19 ("ELF Dates" "The elf:Time datatype"),
            RDX ("ELF Dates" "The elf:Time datatype"), O17 _, E17 _;
    E0606 CALENDARS_MIXED "calendars-mixed": "the dates of a range or period are in different calendars";
        class Advice;
        clause D19 ("ELF Dates" "Date ranges"), J19 ("ELF Dates" "Date ranges"), RDX ("ELF Dates" "Date ranges"),
            O17 _, E17 _;
    E0607 HEBREW_DUAL_YEAR "hebrew-dual-year": "a date of the Hebrew calendar has a dual year";
        class Advice;
        clause D19 ("ELF Dates" "The Hebrew calendar"), J19 ("ELF Dates" "The Hebrew calendar"),
            RDX ("ELF Dates" "The Hebrew calendar"), O17 _, E17 _;
    E0608 AGE_WITHOUT_UNIT "age-without-unit": "an age is a number without `y`, `m` or `d`";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2";
        fix Safe;
        clause D19 ("ELF Dates" "The elf:Age datatype"), J19 ("ELF Dates" "The elf:Age datatype"),
            RDX ("ELF Dates" "The elf:Age datatype"), O17 _, E17 _;
    E0609 PERIOD_REVERSED "period-reversed": "a period ends before it starts";
        class Advice;
        clause D19 ("ELF Dates" "The elf:DatePeriod datatype"),
            J19 ("ELF Dates" "The elf:DatePeriod datatype"), RDX ("ELF Dates" "The elf:DatePeriod datatype"),
            O17 _, E17 _;
    E0610 SPELLING_UNUSUAL "spelling-unusual": "a date or age has lower-case letters or leading zeros";
        class Advice;
        fix Safe;
        clause D19 ("ELF Dates" "Date formats"), J19 ("ELF Dates" "Date formats"), RDX ("ELF Dates" "Date formats"),
            O17 _, E17 _;
    E0611 YEAR_DOUBTFUL "year-doubtful": "a year has one, two or more than four digits";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2";
        fix Unsafe;
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
}
