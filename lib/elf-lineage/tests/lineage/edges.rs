//! Each question at its edge: the last day that is possible, and the first that is not, in every calendar.

use crate::judge::is_judged;
use crate::{codes, is_impossible};
use elf_values::{Calendar, DateValue};

/// A date of the Gregorian calendar as another calendar writes it, if it does.
fn in_calendar(date: &str, calendar: Calendar) -> Option<String> {
    DateValue::parse(date).ok()?.in_calendar(calendar)
}

#[test]
fn the_last_possible_day_is_not_asked_about_and_the_first_impossible_one_is() {
    let mut asked = Vec::new();
    for row in include_str!("data/edges.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [code, records, fixed, possible, impossible] = *row.split('\t').collect::<Vec<_>>() else {
            panic!("{row}")
        };
        let is_unlikely = !is_impossible(code);
        let mut pairs = 0;
        for (one, other) in Calendar::ALL.iter().flat_map(|one| Calendar::ALL.map(|other| (*one, other))) {
            let write = |date: &str| {
                let (fixed, date) = (in_calendar(fixed, one)?, in_calendar(date, other)?);
                Some(records.replace("{1}", &fixed).replace("{2}", &date).replace('/', "\n"))
            };
            let (Some(possible), Some(impossible)) = (write(possible), write(impossible)) else { continue };
            let found = codes(&possible, true);
            assert!(!found.contains(&code), "{code} of {possible}");
            assert_eq!(
                codes(&impossible, true).iter().filter(|one| **one == code).count(),
                1,
                "{impossible}"
            );
            assert_eq!(codes(&impossible, false).contains(&code), !is_unlikely, "{impossible}");
            pairs += 1;
        }
        assert!(pairs >= 4, "{code} in {pairs} pairs of calendars");
        asked.push(code);
    }
    asked.dedup();
    let all: Vec<&str> = elf_schema::codes::all()
        .filter(|code| code.is_question() && is_judged(*code))
        .map(|code| code.id())
        .collect();
    let all: Vec<&str> = all.into_iter().filter(|code| *code != "P08").collect();
    assert_eq!(asked, all);
}
