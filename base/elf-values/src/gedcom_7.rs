//! The grammars of GEDCOM 7.0 for dates, ages and times (GEDCOM 7.0 *Data types*).
//!
//! ```text
//! DateValue  ::= ( Date | DatePeriod | DateRange | DateApprox )?
//! DateExact  ::= Day D Month D Year
//! DatePeriod ::= ( "TO" D Date | "FROM" D Date ( D "TO" D Date )? )?
//! DateRange  ::= "BET" D Date D "AND" D Date | ( "AFT" | "BEF" ) D Date
//! DateApprox ::= ( "ABT" | "CAL" | "EST" ) D Date
//! Date       ::= ( Calendar D )? ( ( Day D )? Month D )? Year ( D Epoch )?
//! Calendar   ::= "GREGORIAN" | "JULIAN" | "FRENCH_R" | "HEBREW" | ExtTag
//! Age        ::= ( ( ( "<" | ">" ) D )? Duration )?
//! Duration   ::= years, months, weeks and days, in this order and at least one, with D between them
//! Time       ::= Hour ":" Minute ( ":" Second ( "." [0-9]+ )? )? "Z"?
//! ```
//!
//! `D` is exactly one blank. The payload of a date, a period or an age may be empty if a `PHRASE` describes its value.

mod faults;
pub(crate) mod grammar;
mod likely;

use crate::datatype::Datatype;
use crate::finding::{Finding, malformed_message};
use crate::plain::is_plain;
use elf_base::codes;
use faults::{TagMeanings, check_dates};
use likely::find_likely;

/// Checks a payload against the grammar of GEDCOM 7.0.
///
/// Extension calendars, months and epochs are accepted without a check, because only a schema defines them; see
/// [`check_gedcom_7_with_extensions`]. For the grammars of GEDCOM 5.5.1, see
/// [`check_gedcom`](crate::check_gedcom()).
///
/// ```
/// use elf_values::{Datatype, check_gedcom_7};
///
/// assert!(check_gedcom_7("BET JULIAN 3 MAR 44 BCE AND 5 OCT 1835", Datatype::DateValue).is_empty());
/// assert!(check_gedcom_7("> 1y 8w", Datatype::Age).is_empty());
/// let findings = check_gedcom_7("@#DJULIAN@ 3 MAR 1701", Datatype::DateValue);
/// assert_eq!(findings[0].code.name(), "date-malformed");
/// assert_eq!(findings[0].help.as_deref(), Some("did you mean `JULIAN 3 MAR 1701`?"));
/// ```
pub fn check_gedcom_7(payload: &str, datatype: Datatype) -> Vec<Finding> {
    if is_plain(payload, datatype) { Vec::new() } else { check_in_full(payload, datatype) }
}

/// Checks a payload like [`check_gedcom_7`], for a file whose schema is known. `stands_for` returns whether the schema
/// assigns a URI to an extension tag.
///
/// A calendar that the standard defines has only the months of the standard, whichever tag names it (GEDCOM 7.0
/// *Appendix A*). Such a calendar has no extension epochs (*Extensions*).
///
/// ```
/// use elf_values::{Datatype, check_gedcom_7_with_extensions};
///
/// let schema = |tag: &str, uri: &str| tag == "_MAI" && uri == "https://gedcom.io/terms/v7/month-MAY";
/// let found = |payload| check_gedcom_7_with_extensions(payload, Datatype::DateValue, &schema);
/// assert!(found("31 _MAI 1900").is_empty());
/// assert_eq!(found("32 _MAI 1900")[0].code.name(), "date-impossible");
/// assert_eq!(found("1 _X 1900")[0].code.name(), "date-impossible");
/// ```
pub fn check_gedcom_7_with_extensions(
    payload: &str,
    datatype: Datatype,
    stands_for: &dyn Fn(&str, &str) -> bool,
) -> Vec<Finding> {
    let datatype = if let Datatype::Gedcom70(datatype) = datatype { datatype.of_elf() } else { datatype };
    if is_plain(payload, datatype) {
        Vec::new()
    } else {
        check_with_schema(payload, datatype, Some(stands_for))
    }
}

pub(crate) fn check_in_full(payload: &str, datatype: Datatype) -> Vec<Finding> {
    check_with_schema(payload, datatype, None)
}

#[cold]
fn check_with_schema(payload: &str, datatype: Datatype, names: TagMeanings<'_>) -> Vec<Finding> {
    let fault = match grammar::parse(payload, datatype) {
        Ok(Some(dates)) => return check_dates(&dates, payload, names),
        Ok(None) => return Vec::new(),
        Err(fault) => fault,
    };
    let (code, name) = match datatype {
        Datatype::Age => (codes::AGE_MALFORMED, "age"),
        Datatype::Time => (codes::TIME_MALFORMED, "time of day"),
        Datatype::DatePeriod => (codes::DATE_MALFORMED, "period"),
        Datatype::DateExact => (codes::DATE_MALFORMED, "exact date"),
        _ => (codes::DATE_MALFORMED, "date"),
    };
    let meant = find_likely(payload, datatype).filter(|text| grammar::parse(text, datatype).is_ok());
    let help = meant.map(|text| format!("did you mean `{text}`?"));
    vec![Finding {
        code,
        span: fault.span,
        message: malformed_message(payload, name, &fault),
        help,
        fix: None,
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(payload: &str, datatype: Datatype) -> Vec<&'static str> {
        check_gedcom_7(payload, datatype).iter().map(|finding| finding.code.name()).collect()
    }

    #[test]
    fn dates_are_held_to_the_grammar() {
        for good in [
            "",
            "1900",
            "5 OCT 1835",
            "05 OCT 0835",
            "GREGORIAN 5 OCT 1835",
            "JULIAN 3 MAR 44 BCE",
            "44 BCE",
            "MAR 44 BCE",
            "FRENCH_R 6 COMP 3",
            "HEBREW 1 TSH 5779",
            "HEBREW ADS 5779",
            "HEBREW 5 ADS 5780",
            "TO JULIAN 1700",
            "FROM 1900",
            "FROM 1 JAN 1900 TO HEBREW 5779",
            "FROM 44 BCE TO 1 JAN 5 BCE",
            "BET 1900 AND 1901",
            "BEF 1900",
            "ABT HEBREW 5779",
            "_MAYAN 1 _ABC 12 _X",
            "_MAYAN 12",
            "FRENCH_R 2 _JOUR 8",
            "5 OCT 12 _X",
            "ABT _MAYAN _ABC 12",
        ] {
            assert_eq!(codes(good, Datatype::DateValue), [""; 0], "{good}");
        }
        for bad in [
            "5 Oct 1835",
            "abt 1900",
            " 1900",
            "1900 ",
            "5  OCT 1835",
            "INT 1900 (so)",
            "(so)",
            "@#DJULIAN@ 1900",
            "1716/17",
            "44 B.C.",
            "44 CE",
            "FRENCH R 1 VEND 2",
            "5 OCT",
            "OCT",
            "BET 1900",
            "BET 1900 TO 1901",
            "FROM 1900 AND 1901",
            "ABT",
            "ABT BET 1900 AND 1901",
            "1900 1901",
            "5 TO 1900",
            "JULIAN",
            "1900-01-01",
        ] {
            assert_eq!(codes(bad, Datatype::DateValue), ["date-malformed"], "{bad}");
        }
        for (bad, code) in [
            ("31 FEB 1900", "date-impossible"),
            ("0 JAN 1900", "date-impossible"),
            ("0", "date-impossible"),
            ("5 VEND 1900", "date-impossible"),
            ("ROMAN 1900", "date-impossible"),
            ("5 JN 1900", "date-impossible"),
            ("J2 1900", "date-impossible"),
            ("5 F_B 1900", "date-impossible"),
            ("FRECH_R 4", "date-impossible"),
            ("5 BCE 1900", "date-impossible"),
            ("EVERY 1900 BCE", "date-impossible"),
            ("HEBREW 5 JN 5000", "date-impossible"),
            ("FROM J 1900", "date-impossible"),
            ("BET 1900 AND HEBREW INT 5779", "date-impossible"),
            ("_MAYAN 5 JN 12", "date-impossible"),
            ("HEBREW 44 BCE", "date-impossible"),
            ("FRENCH_R 1 BCE", "date-impossible"),
            ("FROM 1901 TO 1900", "period-reversed"),
            ("BET 1901 AND 1900", "date-reversed"),
            ("BET 44 BCE AND 45 BCE", "date-reversed"),
        ] {
            assert_eq!(codes(bad, Datatype::DateValue), [code], "{bad}");
        }
    }

    #[test]
    fn periods_and_exact_dates_are_fewer() {
        for good in ["", "FROM 1900", "TO 5 OCT 1900", "FROM 1900 TO 1901"] {
            assert_eq!(codes(good, Datatype::DatePeriod), [""; 0], "{good}");
        }
        for bad in ["1900", "BET 1900 AND 1901", "ABT 1900"] {
            assert_eq!(codes(bad, Datatype::DatePeriod), ["date-malformed"], "{bad}");
        }
        assert_eq!(codes("5 OCT 835", Datatype::DateExact), [""; 0]);
        for bad in ["31 SEP 1835", "5 JN 1835", "5 BCE 1835"] {
            assert_eq!(codes(bad, Datatype::DateExact), ["date-impossible"], "{bad}");
        }
        assert_eq!(codes("TO 1 J_N 1900", Datatype::DatePeriod), ["date-impossible"]);
        for bad in ["", "OCT 1835", "1835", "5 OCT 44 BCE", "GREGORIAN 5 OCT 1835", "5 OCT 1835 "] {
            assert_eq!(codes(bad, Datatype::DateExact), ["date-malformed"], "{bad}");
        }
    }

    #[test]
    fn ages_and_times_are_held_to_the_grammar() {
        for good in ["", "0y", "1y 2m 3w 4d", "< 8w", "> 30y", "100y 400d", "3w", "2m 4d"] {
            assert_eq!(codes(good, Datatype::Age), [""; 0], "{good}");
        }
        for bad in ["<8w", "8", "CHILD", "1d 2y", "1y2m", "1y  2m", "1Y", "1y ", "<", "1y 2y", "y"] {
            assert_eq!(codes(bad, Datatype::Age), ["age-malformed"], "{bad}");
        }
        for good in ["0:00", "2:50", "02:50", "23:59:59", "12:00:00.123456Z", "12:00Z"] {
            assert_eq!(codes(good, Datatype::Time), [""; 0], "{good}");
        }
        for bad in
            ["", "24:00", "24:00:00", "23:60", "23:59:60", "1", "12:0", "12:00:00.", "12:00+01:00", "12:00 Z"]
        {
            assert_eq!(codes(bad, Datatype::Time), ["time-malformed"], "{bad}");
        }
    }

    #[test]
    fn what_is_at_fault_is_said_and_what_is_meant() {
        for (payload, datatype, fault, help) in [
            ("@#DFRENCH R@ 1 VEND 2", Datatype::DateValue, "@#DFRENCH", Some("FRENCH_R 1 VEND 2")),
            ("44 B.C.", Datatype::DateValue, "B.C.", Some("44 BCE")),
            ("5 Oct 1835", Datatype::DateValue, "Oct", Some("5 OCT 1835")),
            ("BET 1900  AND 1901", Datatype::DateValue, " ", Some("BET 1900 AND 1901")),
            ("1716/17", Datatype::DateValue, "1716/17", None),
            ("<8m", Datatype::Age, "8m", Some("< 8m")),
            ("INT 1900 (so)", Datatype::DateValue, "(so)", None),
        ] {
            let found = &check_gedcom_7(payload, datatype)[0];
            assert_eq!(found.span.of(payload), fault, "{payload}: {}", found.message);
            let help = help.map(|help| format!("did you mean `{help}`?"));
            assert_eq!(found.help, help, "{payload}");
        }
    }
}
