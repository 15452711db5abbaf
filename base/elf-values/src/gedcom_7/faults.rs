//! Finds dates of GEDCOM 7.0 that do not exist in their calendar (GEDCOM 7.0 *Appendix A*).

use super::grammar::{DatePartSpans, Dates};
use crate::calendar::Calendar;
use crate::date::{DateValue, Fault};
use crate::finding::{Finding, no_day_message, reversed_message};
use crate::scan::span;
use elf_base::codes;

/// A function that returns whether the schema of a file assigns a URI to an extension tag. `None` if the file has no
/// known schema.
pub(super) type TagMeanings<'n> = Option<&'n dyn Fn(&str, &str) -> bool>;

/// Checks whether the dates exist in their calendars, and whether a period starts before it ends.
pub(super) fn check_dates(dates: &Dates, payload: &str, names: TagMeanings<'_>) -> Vec<Finding> {
    let each = [Some(dates.first), dates.second].into_iter().flatten();
    let mut found: Vec<Finding> = each.filter_map(|date| find_fault(&date, payload, names)).collect();
    let order = || {
        let [first, second] = [dates.first, dates.second?].map(|date| date.spell_in_elf(payload));
        Some(format!("FROM {} TO {}", first?, second?))
    };
    let is_reversed =
        order().is_some_and(|text| DateValue::parse(&text).is_ok_and(|value| value.is_reversed()));
    if is_reversed {
        found.push(Finding {
            code: if dates.is_period { codes::PERIOD_REVERSED } else { codes::DATE_REVERSED },
            span: span(0, payload.len()),
            message: reversed_message(payload),
            help: None,
            fix: None,
        });
    }
    found
}

/// Checks whether the date exists in its calendar.
///
/// In an extension calendar, a month is reported only if it is neither a month of the standard nor an extension.
/// Without a schema, dates with an extension month or epoch are accepted.
fn find_fault(date: &DatePartSpans, text: &str, names: TagMeanings<'_>) -> Option<Finding> {
    let [month, epoch] = [date.month, date.epoch].map(|place| place.of(text));
    if date.year.is_empty() {
        return None;
    }
    let Some(calendar) = find_calendar(date, text, names) else { return find_unknown_month(date, text) };
    if names.is_none() && [month, epoch].iter().any(|word| word.starts_with('_')) {
        return None;
    }
    let known = match names {
        Some(stands_for) if month.starts_with('_') => find_month(calendar, month, stands_for),
        _ => Some(month).filter(|month| month.is_empty() || calendar.month(month).is_some()),
    };
    let fault = match known.map(|month| date.spell_in_elf_with(text, calendar, month)) {
        None => Fault::Month,
        Some(None) => Fault::Epoch,
        Some(Some(elf)) => DateValue::parse(&elf).ok()?.first()?.fault()?,
    };
    let epoch = Some(epoch).filter(|epoch| !epoch.is_empty());
    let message = no_day_message(date.span().of(text), calendar, fault, epoch);
    let help =
        "an extension is a month of a calendar only if SCHMA gives it the URI of a month of that calendar";
    let help = (fault == Fault::Month && month.starts_with('_')).then(|| help.to_owned());
    Some(Finding { code: codes::DATE_IMPOSSIBLE, span: date.span(), message, help, fix: None })
}

/// Returns the calendar of a date, if the standard defines it. The schema may name such a calendar by an extension tag.
fn find_calendar(date: &DatePartSpans, text: &str, names: TagMeanings<'_>) -> Option<Calendar> {
    let tag = date.calendar.of(text);
    date.calendar(text).or_else(|| {
        let stands_for = names?;
        let is_meant = |calendar: &Calendar| {
            let name = calendar.name().replace(' ', "_");
            stands_for(tag, &format!("https://gedcom.io/terms/v7/cal-{name}"))
        };
        Calendar::ALL.into_iter().find(is_meant)
    })
}

fn find_month(
    calendar: Calendar,
    tag: &str,
    stands_for: &dyn Fn(&str, &str) -> bool,
) -> Option<&'static str> {
    let is_meant = |month: &&str| stands_for(tag, &format!("https://gedcom.io/terms/v7/month-{month}"));
    calendar.months().iter().copied().find(is_meant)
}

fn find_unknown_month(date: &DatePartSpans, text: &str) -> Option<Finding> {
    let month = date.month.of(text);
    let is_known = month.is_empty()
        || month.starts_with('_')
        || Calendar::ALL.into_iter().any(|calendar| calendar.month(month).is_some());
    let message = || format!("unknown month `{month}`");
    (!is_known).then(|| Finding {
        code: codes::DATE_IMPOSSIBLE,
        span: date.month,
        message: message(),
        help: None,
        fix: None,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Datatype, check_gedcom_7, check_gedcom_7_with_extensions};
    use proptest::prelude::*;

    /// The schema of the tests: tags and their URIs.
    const SCHEMA: [(&str, &str); 5] = [
        ("_JUL", "https://gedcom.io/terms/v7/cal-JULIAN"),
        ("_REP", "https://gedcom.io/terms/v7/cal-FRENCH_R"),
        ("_JAN", "https://e.example/something"),
        ("_JAN", "https://gedcom.io/terms/v7/month-JAN"),
        ("_MAYAN", "https://e.example/mayan"),
    ];

    fn codes(payload: &str, datatype: Datatype) -> Vec<&'static str> {
        let found =
            check_gedcom_7_with_extensions(payload, datatype, &|tag, uri| SCHEMA.contains(&(tag, uri)));
        found.iter().map(|finding| finding.code.name()).collect()
    }

    #[test]
    fn extensions_are_what_the_schema_says() {
        for good in [
            "31 _JAN 1900",
            "JULIAN 31 _JAN 1900",
            "_JUL 29 FEB 1900",
            "_JUL 5 _JAN 44 BCE",
            "_REP 6 COMP 3",
            "_MAYAN 40 _X 12 _Y",
            "_MAYAN 40 JAN 12 BCE",
            "_OTHER 40 _X 12 _Y",
            "FROM _MAYAN 12 _Y TO _JAN 1900",
        ] {
            assert_eq!(codes(good, Datatype::DateValue), [""; 0], "{good}");
        }
        for bad in [
            "5 _X 1900",
            "JULIAN _X 1900",
            "32 _JAN 1900",
            "HEBREW 1 _JAN 5000",
            "_REP 1 _JAN 2",
            "_JUL 30 FEB 1900",
            "_REP 1 BCE",
            "5 OCT 12 _X",
            "HEBREW 5779 _X",
            "ABT 5 _MAYAN 1900",
            "_MAYAN 1 JN 12",
        ] {
            assert_eq!(codes(bad, Datatype::DateValue), ["date-impossible"], "{bad}");
        }
        assert_eq!(codes("31 _JAN 1900", Datatype::DateExact), [""; 0]);
        assert_eq!(codes("1 _X 1900", Datatype::DateExact), ["date-impossible"]);
        assert_eq!(codes("BET 1 _X 1900 AND 1 _Y 1901", Datatype::DateValue), ["date-impossible"; 2]);
    }

    #[test]
    fn what_is_missing_is_said() {
        let found = &check_gedcom_7_with_extensions("5 _X 1900", Datatype::DateValue, &|_, _| false)[0];
        assert_eq!(
            found.message,
            "`5 _X 1900` does not exist in the Gregorian calendar: the calendar does not have this month"
        );
        assert!(found.help.as_ref().is_some_and(|help| help.contains("SCHMA")));
        let found = &check_gedcom_7("_MAYAN 1 JN 12", Datatype::DateValue)[0];
        assert_eq!(found.message, "unknown month `JN`");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// A date that matches the grammar never has a month of another calendar.
        #[test]
        fn months_are_those_of_the_calendar(
            calendar in "(GREGORIAN |JULIAN |HEBREW |FRENCH_R |)",
            day in "([0-9]{1,3} )?",
            month in "(JAN|DEC|VEND|COMP|TSH|ADS|[A-Z][A-Z0-9_]{0,5})",
            year in "[0-9]{1,25}",
        ) {
            let calendar_of = match calendar.trim() {
                "JULIAN" => crate::Calendar::Julian,
                "HEBREW" => crate::Calendar::Hebrew,
                "FRENCH_R" => crate::Calendar::FrenchRepublican,
                _ => crate::Calendar::Gregorian,
            };
            let payload = format!("{calendar}{day}{month} {year}");
            // For example, `TO 1` is read as a period.
            let is_word = matches!(&*month, "ABT" | "AFT" | "BEF" | "CAL" | "EST" | "FROM" | "TO");
            if calendar_of.month(&month).is_none() && !is_word {
                for datatype in [Datatype::DateValue, Datatype::DateExact, Datatype::DatePeriod] {
                    prop_assert!(!check_gedcom_7(&payload, datatype).is_empty(), "{}", payload);
                }
            }
            if year.bytes().all(|digit| digit == b'0') {
                prop_assert!(!check_gedcom_7(&payload, Datatype::DateValue).is_empty(), "{}", payload);
            }
        }
    }
}
