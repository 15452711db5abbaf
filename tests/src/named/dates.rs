//! Named tests of ELF Dates: writing, comparing and computing.

use super::{expect_equal, expect_true};
use elf_base::Rules;
use elf_schema::{ReadOptions, read};
use elf_values::{Age, Calendar, DateExact, DateParts, DateValue, Integer, Relation, Time};

fn value(text: &str) -> Result<DateValue<'_>, String> {
    DateValue::parse(text).map_err(|fault| format!("{text}: {fault}"))
}

/// DT009 to DT013: payloads have the datatype of their structure's type.
pub(super) fn datatypes() -> Result<(), String> {
    let file =
        b"0 HEAD\n1 SOUR X\n2 DATA Y\n3 DATE 1 JAN 2000\n1 DATE 1 JAN 2000\n2 TIME 12:30\n1 CHAR UTF-8\n\
        0 INDI\n1 BIRT\n2 DATE 1900\n2 AGE 0y\n1 CHAN\n2 DATE 1 JAN 2000\n3 TIME 12:30\n\
        0 SOUR\n1 DATA\n2 EVEN BIRT\n3 DATE FROM 1900 TO 1901\n0 TRLR\n";
    let typed = read(file, &Rules::JANUARY_2019, &ReadOptions::default(), &mut ());
    let typed = typed.map_err(|error| error.to_string())?;
    let mut datatypes = Vec::new();
    for node in typed.document().structures() {
        if let Some(iri) = typed.datatype(node).iri() {
            datatypes.push(format!(
                "{} {}",
                node.tag(),
                iri.strip_prefix("https://terms.fhiso.org/elf/").unwrap_or(iri)
            ));
        }
    }
    let expected = "DATE DateExact, DATE DateExact, TIME Time, DATE DateValue, AGE Age, DATE DateExact, TIME Time, DATE DatePeriod";
    expect_equal("datatypes", &expected.to_owned(), &datatypes.join(", "))
}

/// DT001, DT051, DT056, DT330, DT332: values that an application must not generate are refused.
pub(super) fn refusals() -> Result<(), String> {
    let august = DateParts { day: Some(1), month: Some("Aug"), ..DateParts::year(1900) };
    expect_true("a month in small letters to be refused", august.spell().is_err())?;
    let february =
        DateParts { calendar: Some("GREGORIAN"), day: Some(30), month: Some("FEB"), ..DateParts::year(1900) };
    expect_true("30 February to be refused", february.spell().is_err())?;
    let unknown = DateParts { calendar: Some("UNKNOWN"), ..DateParts::year(1900) };
    expect_true("a calendar called UNKNOWN to be refused", unknown.spell().is_err())?;
    expect_true("a leap second to be refused", Time::new(12, 56, 60).is_none())?;
    let spelled = Time::new(12, 56, 59).map(|time| time.to_string());
    expect_equal("a time without a designator", &Some("12:56:59".to_owned()), &spelled)
}

/// DT020: alternative spellings are offered.
pub(super) fn other_spellings() -> Result<(), String> {
    for (elf, edtf) in [
        ("15 MAR 44 B.C.", "-0043-03-15"),
        ("MAY 1900", "1900-05"),
        ("EST 1900", "1900%"),
        ("BEF 1900", "[..1900]"),
        ("FROM 1861", "1861/"),
        ("FROM 1861 TO MAR 1865", "1861/1865-03"),
        ("@#DJULIAN@ 1700", "[1700-01-11..1701-01-11]"),
        ("20000", "Y20000"),
        ("BEF 20000", "[..Y20000]"),
    ] {
        expect_equal(elf, &Some(edtf.to_owned()), &value(elf)?.edtf())?;
    }
    for elf in ["1 JAN 12345", "JAN 12345", "BEF 1 JAN 12345", "BET 1901 AND 1900", "FROM 1901 TO 1900"] {
        expect_equal(elf, &None, &value(elf)?.edtf())?;
    }
    Ok(())
}

/// DT017, DT052 to DT054: which values may be compared.
pub(super) fn comparisons() -> Result<(), String> {
    for (one, two, expected) in [
        ("1 JAN 2018", "1 JAN 2018", Relation::Same),
        ("@#DUNKNOWN@ 100", "@#DUNKNOWN@ 200", Relation::Unknown),
        ("29 FEB 1700", "30 FEB 1700", Relation::Unknown),
        ("@#DISLAMIC@ 1 RAJ 1420", "@#DISLAMIC@ 9 RAM 1422", Relation::Before),
        ("@#DISLAMIC@ 1420", "@#DISLAMIC@ 1422 B.H.", Relation::Unknown),
        ("@#DISLAMIC@ 1420", "@#DOTHER@ 1422", Relation::Unknown),
    ] {
        let (first, second) = (value(one)?, value(two)?);
        let found = first.first().zip(second.first()).map(|(one, two)| one.relation(&two));
        expect_equal(&format!("of {one} and {two}"), &Some(expected), &found)?;
    }
    Ok(())
}

/// DT112 to DT117: both years are written, and the second is abbreviated if that is unambiguous.
pub(super) fn dual_years() -> Result<(), String> {
    let spelled = |historical: i64, logical: i64| {
        let logical = Some(Integer::from(logical));
        let parts = DateParts { calendar: Some("FOO"), logical, ..DateParts::year(historical) };
        parts.spell().map_err(|fault| format!("{historical}/{fault:?}"))
    };
    for (historical, logical, expected) in [
        (5493, 5509, "5493/5509"),
        (1701, 1703, "1701/03"),
        (1648, 1649, "1648/49"),
        (-45, -44, "-45/44"),
        (1649, 1649, "1649"),
    ] {
        expect_equal("years", &format!("@#DFOO@ {expected}"), &spelled(historical, logical)?)?;
    }
    // Any two years are read back unchanged.
    for historical in -130_i64..=130 {
        for logical in -130_i64..=130 {
            let text = spelled(historical, logical)?;
            let read = value(&text)?;
            let year = read.first().ok_or("expected a date")?.year();
            let expected = (Integer::from(historical), Integer::from(logical));
            expect_equal(&text, &expected, &(year.historical().clone(), year.logical().clone()))?;
        }
    }
    Ok(())
}

/// The table of four gates (ELF Dates *The Hebrew calendar*): limits of the molad as day, hours and parts, and the
/// length of the year by its position in the cycle of 19.
const GATES: [((i64, i64, i64), [i64; 4]); 13] = [
    ((0, 18, 0), [355, 355, 355, 385]),
    ((1, 9, 204), [353, 353, 353, 383]),
    ((1, 20, 491), [355, 355, 355, 383]),
    ((2, 15, 589), [355, 355, 355, 385]),
    ((2, 18, 0), [354, 354, 355, 385]),
    ((3, 18, 0), [354, 354, 354, 384]),
    ((4, 11, 695), [354, 354, 354, 383]),
    ((5, 9, 204), [354, 354, 354, 385]),
    ((5, 18, 0), [355, 355, 355, 385]),
    ((6, 0, 408), [353, 353, 353, 383]),
    ((6, 9, 204), [355, 353, 353, 383]),
    ((6, 20, 491), [355, 355, 355, 383]),
    ((7, 0, 0), [355, 355, 355, 385]),
];

/// The molad of Tishrei as the standard computes it: 2:5:204 and 4:1:12:793 for each month before.
fn molad(year: i64) -> (i64, i64, i64) {
    let (cycles, rest) = ((year - 1) / 19, (year - 1) % 19);
    let leaps = (1..=rest).filter(|year| matches!(year % 19, 0 | 3 | 6 | 8 | 11 | 14 | 17)).count();
    let months = cycles * 235 + rest * 12 + i64::try_from(leaps).unwrap_or_default();
    let parts = ((2 * 24 + 5) * 1_080 + 204) + months * ((29 * 24 + 12) * 1_080 + 793);
    let parts = parts % (7 * 24 * 1_080);
    (parts / (24 * 1_080), parts / 1_080 % 24, parts % 1_080)
}

fn by_the_gates(year: i64) -> Option<i64> {
    let column = match year % 19 {
        1 | 4 | 9 | 12 | 15 => 0,
        7 | 18 => 1,
        2 | 5 | 10 | 13 | 16 => 2,
        _ => 3,
    };
    let molad = molad(year);
    let (_, lengths) = GATES.iter().find(|(limit, _)| molad < *limit)?;
    lengths.get(column).copied()
}

/// DT294 to DT296: leap years, moladot, and lengths of years by the table of four gates.
pub(super) fn hebrew_years() -> Result<(), String> {
    for year in 5_776..=5_784 {
        let is_leap = Calendar::Hebrew.days_in_month(year, 7).is_some();
        expect_equal(&format!("of {year}"), &[5_776, 5_779, 5_782, 5_784].contains(&year), &is_leap)?;
    }
    expect_equal("molad", &(2, 14, 316), &molad(5_779))?;
    let table = crate::conformance_folder().join("requirements").join("hebrew-years.tsv");
    let table = std::fs::read_to_string(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    for line in table.lines().skip(1) {
        let cells: Vec<i64> = line.split('\t').map(|cell| cell.parse().unwrap_or_default()).collect();
        if let [year, _, _, day, hours, parts, ..] = *cells.as_slice() {
            expect_equal(&format!("molad of {year}"), &(day, hours, parts), &molad(year))?;
        }
    }
    for year in 1..=7_000 {
        let months = (1..=13).filter_map(|month| Calendar::Hebrew.days_in_month(year, month));
        expect_equal(&format!("days of {year}"), &by_the_gates(year), &Some(months.map(i64::from).sum()))?;
    }
    Ok(())
}

/// DT323, DT324: the end of a day is never written, and is read as the start of the next day.
pub(super) fn ends_of_days() -> Result<(), String> {
    expect_true("an end of day to be refused", Time::new(24, 0, 0).is_none())?;
    let time = Time::parse("24:00:00").map_err(|fault| fault.to_string())?;
    expect_true("an end of day to be known as one", time.is_end_of_day())?;
    let next = DateExact::parse("30 NOV 2018").ok().and_then(DateExact::next);
    expect_equal("the next day", &Some("1 DEC 2018".to_owned()), &next.map(|day| day.to_string()))
}

/// DT369, DT370, DT372, DT373: which ages are equal.
pub(super) fn equal_ages() -> Result<(), String> {
    for (one, two, expected) in [
        ("2y", "02y", true),
        ("2y", "2", true),
        ("0y 2m", "2m", true),
        ("2y 0m", "2y", false),
        ("2y", "24m", false),
        ("2y 0m", "24m", false),
        ("> 2y", "2y", false),
        ("> 2y", "< 2y", false),
        ("> 21y", ">21y", true),
    ] {
        let age = |text| Age::parse(text).map_err(|fault| format!("{text}: {fault}"));
        expect_equal(&format!("of {one} and {two}"), &expected, &(age(one)? == age(two)?))?;
    }
    Ok(())
}
