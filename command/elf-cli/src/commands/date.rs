//! `elf date`: explains a date, a period, an age or a time.

use crate::args::{Date, Format};
use crate::commands::print_to;
use crate::console::Console;
use crate::exit::Exit;
use elf_base::Rules;
use elf_report::age_and_time;
use elf_report::sanitise;
use elf_report::value::Value;
use elf_values::{Age, Bound, Calendar, CalendarName, Datatype, DateForm, DateValue, Days, Time, iso_day};
use std::io::{self, Write};

pub(crate) fn run(args: &Date, console: &mut Console) -> Exit {
    let calendar = args.to.map(Calendar::from);
    print_to(&args.printing, console, |out, _| {
        for text in &args.texts {
            let datatype = args.datatype.map_or_else(|| guess_datatype(text), Datatype::from);
            let value = Value::of(text, datatype, calendar, &Rules::WILD);
            match args.printing.format {
                Format::Human => print_page(out, text, datatype, &value)?,
                Format::Json => {
                    value.json(out)?;
                    out.write_all(b"\n")?;
                }
            }
        }
        Ok(Exit::Clean)
    })
}

/// Guesses the datatype of a text: an age or a time if it is a valid one and not a valid date.
fn guess_datatype(text: &str) -> Datatype {
    let text = text.trim();
    if DateValue::parse(text).is_ok() {
        Datatype::DateValue
    } else if Age::parse(text).is_ok() {
        Datatype::Age
    } else if Time::parse(text).is_ok() {
        Datatype::Time
    } else {
        Datatype::DateValue
    }
}

fn print_page(out: &mut impl Write, text: &str, datatype: Datatype, value: &Value<'_>) -> io::Result<()> {
    writeln!(out, "{}", sanitise(text))?;
    let mut row = |name: &str, cell: &str| writeln!(out, "  {name:<11}{}", sanitise(cell));
    let is_date = matches!(datatype, Datatype::DateValue | Datatype::DatePeriod | Datatype::DateExact);
    let date = DateValue::parse(text.trim()).ok().filter(|_| is_date);
    if let Some(date) = &date {
        row("form", form_name(&date.form()))?;
        for date in date.dates() {
            let calendar = match date.calendar() {
                CalendarName::Known(calendar) => calendar.name(),
                CalendarName::Unfamiliar(name) => name,
                CalendarName::Unknown => "unknown",
            };
            row("calendar", calendar)?;
        }
    }
    if let Some(found) = value.days {
        row("days", &format_days(found))?;
        if let Some(edtf) = &value.edtf {
            row("EDTF", edtf)?;
        }
    }
    for (name, cell) in age_and_time::rows(text.trim(), datatype) {
        row(name, &cell)?;
    }
    if let Some(canonical) = value.canonical.as_deref().filter(|canonical| *canonical != text) {
        row("canonical", canonical)?;
    }
    if let Some(there) = &value.there {
        row("in", there)?;
    }
    if let Some(reason) = value.reason {
        row("reason", reason)?;
    }
    for fault in &value.findings {
        row("fault", &fault.message)?;
        if let Some(help) = &fault.help {
            row("help", help)?;
        }
    }
    Ok(())
}

const fn form_name(form: &DateForm<'_>) -> &'static str {
    match form {
        DateForm::Exact(_) => "a date",
        DateForm::Approximated(..) => "an approximated date",
        DateForm::Interpreted(..) => "a phrase and its interpretation as a date",
        DateForm::Phrase(_) => "words",
        DateForm::Before(_) => "on that date or before",
        DateForm::After(_) => "on that date or after",
        DateForm::Between(..) => "a day in a range",
        DateForm::From(_) => "a period with a start",
        DateForm::To(_) => "a period with an end",
        DateForm::FromTo(..) => "a period",
    }
}

/// Formats an interval with ISO 8601 dates and Julian day numbers.
fn format_days(days: Days) -> String {
    let end = |bound: Bound| match bound {
        Bound::Day(number) => {
            let iso = iso_day(number).unwrap_or_default();
            format!("{iso} ({number})")
        }
        Bound::Open => "open".to_owned(),
        Bound::Unknown => "unknown".to_owned(),
    };
    if days.earliest == days.latest {
        end(days.earliest)
    } else {
        format!("{} to {}", end(days.earliest), end(days.latest))
    }
}
