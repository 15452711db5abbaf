//! Describes ages and times in words, as `elf date` prints them.

use elf_values::{Age, AgeBound, AgeWord, Datatype, Duration, Time};

/// Returns the form and the meaning of an age or a time, each with a label. Empty for an invalid
/// value.
pub fn rows(text: &str, datatype: Datatype) -> Vec<(&'static str, String)> {
    let (form, meaning) = match datatype {
        Datatype::Age => match Age::parse(text) {
            Ok(Age::Word(word)) => ("a word for an age", age_word(word).to_owned()),
            Ok(Age::Quantity(bound, duration)) => ("an age", describe_quantity(bound, &duration)),
            Err(_) => return Vec::new(),
        },
        Datatype::Time => match Time::parse(text) {
            Ok(time) => ("a time of day", time_of_day(&time)),
            Err(_) => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    vec![("form", form.to_owned()), ("means", meaning)]
}

const fn age_word(word: AgeWord) -> &'static str {
    match word {
        AgeWord::Child => "a child, as the source defines it",
        AgeWord::Infant => "an infant, as the source defines it",
        AgeWord::Stillborn => "died just before, at or just after birth",
    }
}

fn describe_quantity(bound: Option<AgeBound>, duration: &Duration<'_>) -> String {
    let parts = [(duration.years(), "year"), (duration.months(), "month"), (duration.days(), "day")];
    let counts = parts.into_iter().filter_map(|(number, unit)| {
        let number = number?;
        let plural = if number.to_i64() == Some(1) { "" } else { "s" };
        Some(format!("{number} {unit}{plural}"))
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    match bound {
        Some(AgeBound::AtMost) => format!("at most {counts}"),
        Some(AgeBound::AtLeast) => format!("at least {counts}"),
        None => counts,
    }
}

fn time_of_day(time: &Time<'_>) -> String {
    let mut meaning = if time.is_end_of_day() {
        "the end of the day".to_owned()
    } else {
        let seconds = time.seconds().map_or(String::new(), |seconds| format!(", second {seconds}"));
        format!("hour {}, minute {}{seconds}", time.hours(), time.minutes())
    };
    if time.is_leap_second() {
        meaning.push_str(", a leap second");
    }
    if let Some(zone) = time.zone() {
        meaning.push_str(&format!("; the time zone {zone} is ignored"));
    }
    meaning
}
